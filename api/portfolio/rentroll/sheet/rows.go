package sheet

import (
	"encoding/xml"
	"io"
	"strconv"
	"strings"

	"portal/api/texts"
)

// maxRow is the number of Excel's last row.
const maxRow = 1 << 20

// rows reads the rows of a sheet.
type rows struct {
	workbook *workbook
	x        *xmlReader
	unpacked io.Closer
	at       int    // the row that was read last
	text     []byte // of the present cell
	inline   []byte
}

// rows begins to read a sheet.
func (w *workbook) rows(s sheetPart) (*rows, error) {
	file, is := w.parts[s.part]
	if !is {
		return nil, &Problem{1, damaged}
	}
	unpacked, err := file.Open()
	if err != nil {
		return nil, asProblem(1, err)
	}
	r := &rows{workbook: w, x: newXMLReader(unpacked, &w.budget), unpacked: unpacked}
	_, more, err := r.x.child() // the root
	if err == nil && more {
		_, more, err = r.x.descend("sheetData")
	}
	if err == nil && !more {
		err = &Problem{Message: damaged}
	}
	if err != nil {
		r.close()
		return nil, asProblem(1, err)
	}
	return r, nil
}

// close frees the decompressor. Its error is one of the file, which reading has told.
func (r *rows) close() { _ = r.unpacked.Close() }

func (r *rows) next(row *Row) error {
	e, more, err := r.x.descend("row")
	if err == nil && !more {
		if err = r.x.rest(); err == nil {
			return io.EOF
		}
	}
	if err == nil {
		err = r.read(e, row)
	}
	if err != nil {
		return asProblem(max(r.at, 1), err)
	}
	return nil
}

// read reads the cells of a row.
func (r *rows) read(e xml.StartElement, row *Row) error {
	r.at++
	if n, err := strconv.Atoi(attribute(e, "r")); err == nil && n > r.at {
		r.at = n
	}
	if r.at > maxRow {
		return &Problem{Message: notExcel}
	}
	row.Line = r.at
	for column := 0; ; column++ {
		c, more, err := r.x.descend("c")
		if err != nil || !more {
			return err
		}
		if r.workbook.budget.cells--; r.workbook.budget.cells < 0 {
			return &Problem{Message: "This sheet has more than " + texts.Number(MaxCells) + " cells. Split it."}
		}
		if n, is := columnOf(attribute(c, "r")); is {
			column = n
		}
		value, err := r.cell(c, row)
		if err != nil {
			return err
		}
		if value == "" {
			continue
		}
		if column >= MaxColumns {
			return tooManyColumns(r.at, "more than 200")
		}
		for len(row.Cells) <= column {
			row.Cells = append(row.Cells, "")
		}
		row.Cells[column] = value
	}
}

// columnOf is the column of a cell such as AB12, from 0.
func columnOf(reference string) (column int, is bool) {
	for i := 0; i < len(reference) && i < 4; i++ {
		letter := reference[i] &^ 0x20
		if letter < 'A' || letter > 'Z' {
			break
		}
		column = column*26 + int(letter-'A') + 1
	}
	return column - 1, column > 0
}

// cell reads a cell as it is stored. What is wrong with it is a problem of its row.
func (r *rows) cell(c xml.StartElement, row *Row) (string, error) {
	var formula, valued bool
	r.text, r.inline = r.text[:0], r.inline[:0]
	for {
		e, more, err := r.x.child()
		if err != nil {
			return "", err
		}
		if !more {
			break
		}
		switch e.Name.Local {
		case "v":
			valued = true
			r.text, err = r.x.text(r.text)
		case "is":
			r.inline, err = r.x.richText(r.inline)
		case "f":
			formula = true
			err = r.x.skip()
		default:
			err = r.x.skip()
		}
		if err != nil {
			return "", err
		}
	}
	kind := attribute(c, "t")
	if formula && len(r.text) == 0 && (!valued || kind != "str") {
		row.fail("Cell %s holds a formula without a result. Open the workbook in Excel and save it, "+
			"or replace the formula by its value.", r.name(c))
		return "", nil
	}
	return r.value(c, kind, row), nil
}

var truths = map[string]string{"1": "TRUE", "true": "TRUE", "0": "FALSE", "false": "FALSE"}

// value is the value of a cell of a type (ECMA-376, ST_CellType).
func (r *rows) value(c xml.StartElement, kind string, row *Row) string {
	text := string(r.text)
	switch kind {
	case "inlineStr":
		return unescape(string(r.inline))
	case "str":
		return unescape(text)
	case "e":
		row.fail("Cell %s holds the error %s, not a value. Correct its formula.",
			r.name(c), texts.Clip(row.clean(text), longestShown))
		return ""
	}
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	value, is := "", false
	switch kind {
	case "s":
		if i, err := strconv.Atoi(text); err == nil {
			value, is = r.workbook.shared.at(i)
			value = unescape(value)
		}
	case "b":
		value, is = truths[text]
	case "d": // a day in ISO 8601
		value, is = strings.TrimSuffix(text, "T00:00:00"), true
	default:
		value, is = decimal(text)
	}
	if !is {
		row.fail("Cell %s is damaged. Type its value again.", r.name(c))
	}
	return value
}

// name is how a message names a cell.
func (r *rows) name(c xml.StartElement) string {
	if column, is := columnOf(attribute(c, "r")); is {
		name := ""
		for column++; column > 0; column = (column - 1) / 26 {
			name = string(rune('A'+(column-1)%26)) + name
		}
		return name + strconv.Itoa(r.at)
	}
	return "in row " + strconv.Itoa(r.at)
}
