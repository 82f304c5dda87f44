package sheet

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"portal/api/texts"
)

const (
	maxEntries    = 10_000   // of the archive
	maxSheets     = 1_000    // of a workbook
	maxSharedText = 32 << 20 // bytes of all texts that cells share
	maxSheetName  = 255      // bytes; Excel allows 31 characters
)

// workbook is an Excel workbook (Office Open XML, ECMA-376).
type workbook struct {
	parts     map[string]*zip.File // by their names in small letters
	budget    budget
	sheets    []sheetPart
	chosen    string
	dates1904 bool
	shared    sharedTexts
}

// sheetPart is a sheet and where it is stored.
type sheetPart struct {
	name, part string
	hidden     bool
}

func openWorkbook(in io.Reader, name string) (*File, error) {
	data, err := io.ReadAll(io.LimitReader(in, MaxWorkbook+1))
	if err != nil {
		return nil, readProblem(1, err)
	}
	w := &workbook{budget: wholeBudget}
	if err = w.unpack(data); err == nil {
		err = w.describe()
	}
	if err != nil {
		return nil, asProblem(1, err)
	}
	rows, err := w.choose(name)
	if err != nil {
		return nil, err
	}
	return &File{source: rows, workbook: w}, nil
}

// wholeBudget is for finding the table, and again for reading it.
var wholeBudget = budget{bytes: MaxUnpacked, cells: MaxCells, elements: maxElements}

// unpack reads the directory of the archive and checks its bounds, before anything is unpacked.
func (w *workbook) unpack(data []byte) error {
	if len(data) > MaxWorkbook {
		return &Problem{Message: "This workbook is larger than 8 MB. Save the rent roll alone as a new workbook."}
	}
	if bytes.Count(data, []byte("PK\x01\x02")) > maxEntries { // the directory itself takes memory
		return &Problem{Message: notExcel}
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	if len(archive.File) > maxEntries {
		return &Problem{Message: notExcel}
	}
	left := uint64(MaxUnpacked)
	w.parts = make(map[string]*zip.File, len(archive.File))
	for _, f := range archive.File {
		if f.UncompressedSize64 > left {
			return &Problem{Message: tooLarge}
		}
		left -= f.UncompressedSize64
		if f.Flags&1 != 0 {
			return &Problem{Message: oldExcel}
		}
		w.parts[partName("", f.Name)] = f
	}
	return nil
}

// partName is the name of a part that another one in a folder refers to.
func partName(folder, target string) string {
	target = strings.ReplaceAll(target, `\`, "/")
	if !strings.HasPrefix(target, "/") {
		target = folder + "/" + target
	}
	return strings.ToLower(strings.TrimPrefix(path.Clean("/"+target), "/"))
}

// describe reads which sheets there are, and the texts that they share.
func (w *workbook) describe() error {
	main := "xl/workbook.xml"
	root, err := w.relations("")
	if err != nil {
		return err
	}
	for _, r := range root {
		if r.kind == "officeDocument" {
			main = r.part
		}
	}
	if message := w.otherFormat(main); message != "" {
		return &Problem{Message: message}
	}
	relations, err := w.relations(main)
	if err != nil {
		return err
	}
	if err = w.list(main, relations); err != nil {
		return err
	}
	for _, r := range relations {
		if _, is := w.parts[r.part]; is && r.kind == "sharedStrings" {
			return w.loadShared(r.part)
		}
	}
	return nil
}

// otherFormat says what an archive is that is no .xlsx, "" if it is one.
func (w *workbook) otherFormat(main string) string {
	if _, is := w.parts[main]; is && strings.HasPrefix(path.Base(main), "workbook") {
		if strings.HasSuffix(main, ".bin") {
			return xlsb
		}
		return ""
	}
	for _, other := range []struct{ part, message string }{
		{"xl/workbook.bin", xlsb},
		{"content.xml", openDoc},
		{"index/document.iwa", numbers},
		{"index.zip", numbers},
		{"word/document.xml", document},
		{"ppt/presentation.xml", document},
	} {
		if _, is := w.parts[other.part]; is {
			return other.message
		}
	}
	if _, is := w.parts[main]; is {
		return ""
	}
	return packed
}

// read opens a part and hands it over, inside its root element.
func (w *workbook) read(part string, use func(*xmlReader) error) error {
	file, is := w.parts[part]
	if !is {
		return errMissing
	}
	unpacked, err := file.Open()
	if err != nil {
		return err
	}
	defer unpacked.Close() //nolint:errcheck // nothing was written
	x := newXMLReader(unpacked, &w.budget)
	if _, _, err = x.child(); err != nil {
		return err
	}
	if err = use(x); err != nil {
		return err
	}
	return x.rest()
}

var errMissing = errors.New("the part is missing")

// relation is what a part refers to.
type relation struct{ id, kind, part string }

// relations are those of a part to other parts of the same file; "" is the file itself. A part
// need not have any.
func (w *workbook) relations(of string) (all []relation, _ error) {
	folder, base := path.Split(of)
	err := w.read(folder+"_rels/"+base+".rels", func(x *xmlReader) error {
		for {
			e, more, err := x.descend("Relationship")
			if err != nil || !more {
				return err
			}
			if attribute(e, "TargetMode") != "External" && len(all) < maxEntries {
				all = append(all, relation{
					attribute(e, "Id"), path.Base(attribute(e, "Type")), partName(folder, attribute(e, "Target")),
				})
			}
			if err = x.skip(); err != nil {
				return err
			}
		}
	})
	if errors.Is(err, errMissing) {
		err = nil
	}
	return all, err
}

// list reads the names of the sheets and how dates are counted.
func (w *workbook) list(main string, relations []relation) error {
	return w.read(main, func(x *xmlReader) error {
		for {
			e, more, err := x.child()
			if err != nil || !more {
				return err
			}
			switch e.Name.Local {
			case "workbookPr":
				value := attribute(e, "date1904")
				w.dates1904 = value == "1" || value == "true"
				err = x.skip()
			case "sheets":
				err = w.listSheets(x, relations)
			default:
				err = x.skip()
			}
			if err != nil {
				return err
			}
		}
	})
}

func (w *workbook) listSheets(x *xmlReader, relations []relation) error {
	for {
		e, more, err := x.descend("sheet")
		if err != nil || !more {
			return err
		}
		state, id, name := attribute(e, "state"), "", attribute(e, "name")
		for _, a := range e.Attr {
			if a.Name.Local == "id" && a.Name.Space != "" {
				id = a.Value
			}
		}
		if len(w.sheets) == maxSheets || len(name) > maxSheetName {
			return &Problem{Message: notExcel}
		}
		for _, r := range relations {
			if r.id == id && r.kind == "worksheet" { // others are charts and dialogs
				w.sheets = append(w.sheets, sheetPart{
					name:   name,
					part:   r.part,
					hidden: state == "hidden" || state == "veryHidden",
				})
				break
			}
		}
		if err = x.skip(); err != nil {
			return err
		}
	}
}

// choose begins to read the sheet of a name, or the first visible one with a table.
func (w *workbook) choose(name string) (*rows, error) {
	if name != "" {
		for _, s := range w.sheets {
			if s.name == name {
				return w.open(s)
			}
		}
		return nil, &Problem{1, fmt.Sprintf("This workbook has no sheet named “%s”.", texts.Clip(name, longestShown))}
	}
	var first error
	for _, s := range w.sheets {
		if s.hidden {
			continue
		}
		is, err := w.hasTable(s)
		if is {
			return w.open(s)
		}
		if err != nil && first == nil {
			first = err
		}
	}
	if first != nil {
		return nil, first
	}
	return nil, &Problem{1, "This workbook has no sheet with a table: at least two rows with two values each."}
}

// open begins to read a sheet with the whole budget.
func (w *workbook) open(s sheetPart) (*rows, error) {
	w.chosen = s.name
	w.budget = wholeBudget
	return w.rows(s)
}

// hasTable reports whether two rows of a sheet have two values each. It is false with the error that
// keeps the sheet from being read.
func (w *workbook) hasTable(s sheetPart) (bool, error) {
	found := 0
	rows, err := w.rows(s)
	if err != nil {
		return false, err
	}
	defer rows.close()
	for row := (Row{}); found < 2; {
		row = Row{Cells: row.Cells[:0]}
		err := rows.next(&row)
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		values := 0
		for _, cell := range row.Cells {
			if strings.TrimSpace(cell) != "" {
				values++
			}
		}
		if values >= 2 {
			found++
		}
	}
	return true, nil
}
