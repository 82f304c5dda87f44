package export

import (
	"archive/zip"
	"bufio"
	"compress/flate"
	_ "embed"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"

	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/texts"
)

// workbook is an .xlsx file (ECMA-376) of one sheet, written from its first byte to its last without going back.
type workbook struct {
	zip    *zip.Writer
	packer *flate.Writer // of the present part
	sheet  *bufio.Writer // the sheet, which is the last part of the file
	rows   int
}

// errFull is of a rent roll that no workbook has room for.
var errFull = errors.New("a sheet has room for 1,048,576 rows; export the rent roll as CSV")

// maxRows is the number of the last row of a sheet.
const maxRows = 1 << 20

// The styles of cells, by their place in styles.xml.
const (
	asText   = "1" // that stays text when it is edited
	asHeader = "2"
	asAmount = "3"
	asDay    = "4"
	asNumber = "5"
)

const declaration = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"

//go:embed styles.xml
var styles string

// parts are those of the file beside the sheet.
var parts = [][2]string{
	{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Override PartName="/xl/workbook.xml" ` +
		`ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` +
		`<Override PartName="/xl/worksheets/sheet1.xml" ` +
		`ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>` +
		`<Override PartName="/xl/styles.xml" ` +
		`ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`},
	{"_rels/.rels", relationships + `<Relationship Id="rId1" Type="` + office + `/officeDocument" ` +
		`Target="xl/workbook.xml"/></Relationships>`},
	{"xl/workbook.xml", `<workbook xmlns="` + main + `" xmlns:r="` + office + `"><sheets>` +
		`<sheet name="Rent roll" sheetId="1" r:id="rId1"/></sheets></workbook>`},
	{"xl/_rels/workbook.xml.rels", relationships + `<Relationship Id="rId1" Type="` + office + `/worksheet" ` +
		`Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="` + office + `/styles" Target="styles.xml"/>` +
		`</Relationships>`},
	{"xl/styles.xml", styles},
}

const (
	main          = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	office        = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	relationships = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`
)

func newWorkbook(w io.Writer) (*workbook, error) {
	b := &workbook{zip: zip.NewWriter(w)}
	b.zip.RegisterCompressor(zip.Deflate, func(w io.Writer) (_ io.WriteCloser, err error) {
		b.packer, err = flate.NewWriter(w, flate.DefaultCompression)
		return b.packer, err
	})
	for _, part := range parts {
		out, err := b.zip.Create(part[0])
		if err == nil {
			_, err = io.WriteString(out, declaration+part[1])
		}
		if err != nil {
			return nil, fmt.Errorf("write a workbook: %w", err)
		}
	}
	out, err := b.zip.Create("xl/worksheets/sheet1.xml")
	if err != nil {
		return nil, fmt.Errorf("write a workbook: %w", err)
	}
	b.sheet = bufio.NewWriter(out)
	b.put(declaration, `<worksheet xmlns="`, main, `"><sheetViews><sheetView workbookViewId="0">`,
		`<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>`)
	for i, name := range columns() {
		n := strconv.Itoa(i + 1)
		b.put(`<col min="`, n, `" max="`, n, `" width="`, strconv.Itoa(width(name)), `" customWidth="1"/>`)
	}
	b.put("</cols><sheetData>")
	b.begin()
	for i, name := range columns() {
		b.text(i, name, asHeader)
	}
	b.put("</row>")
	return b, b.flush()
}

// width is that of a column in characters.
func width(name string) int {
	switch name {
	case "street_address", "tenant_email", "property_name":
		return 28
	}
	return max(len(name)+2, 13)
}

// put writes pieces; the buffer keeps the first error for flush.
func (b *workbook) put(pieces ...string) {
	for _, s := range pieces {
		_, _ = b.sheet.WriteString(s)
	}
}

func (b *workbook) begin() {
	b.rows++
	b.put(`<row r="`, strconv.Itoa(b.rows), `">`)
}

func (b *workbook) row(line []any) error {
	if b.rows == maxRows {
		return errFull
	}
	b.begin()
	for i, value := range line {
		switch v := known(value).(type) {
		case nil:
		case string:
			if v != "" {
				b.text(i, texts.Inert(v), asText)
			}
		case int:
			b.number(i, strconv.Itoa(v), asNumber)
		case portfolio.Half:
			b.number(i, string(v.AppendJSON(nil)), asNumber)
		case money.Cents:
			b.number(i, v.String(), asAmount)
		case clock.Date:
			b.day(i, v)
		default:
			panic(fmt.Sprintf("no cell for a %T", v)) // a mistake in this package
		}
	}
	b.put("</row>")
	return nil
}

// cell begins a cell of the present row.
func (b *workbook) cell(at int, style string) {
	b.put(`<c r="`, letters(at), strconv.Itoa(b.rows), `" s="`, style, `"`)
}

func (b *workbook) number(at int, value, style string) {
	b.cell(at, style)
	b.put("><v>", value, "</v></c>")
}

// firstSerial is the first day whose number all programs agree on: Excel takes 1900 for a leap year.
var firstSerial = clock.Day(1900, 3, 1)

// day writes a day as its number, counted from 1899-12-30.
func (b *workbook) day(at int, d clock.Date) {
	if d < firstSerial {
		b.text(at, d.String(), asText)
		return
	}
	b.number(at, strconv.Itoa(int(d-clock.Day(1899, 12, 30))), asDay)
}

// escape is what a program takes for a character by its number (ECMA-376, ST_Xstring), where it is meant as it is
// written.
var escape = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

func (b *workbook) text(at int, s, style string) {
	b.cell(at, style)
	b.put(` t="inlineStr"><is><t xml:space="preserve">`)
	_ = xml.EscapeText(b.sheet, []byte(escape.ReplaceAllString(s, "_x005F$0")))
	b.put("</t></is></c>")
}

// letters name a column: A, Z, AA.
func letters(at int) (name string) {
	for at++; at > 0; at = (at - 1) / 26 {
		name = string(rune('A'+(at-1)%26)) + name
	}
	return name
}

func (b *workbook) flush() error {
	err := b.sheet.Flush()
	if err == nil {
		err = b.packer.Flush()
	}
	if err == nil {
		err = b.zip.Flush()
	}
	if err != nil {
		return fmt.Errorf("write a workbook: %w", err)
	}
	return nil
}

func (b *workbook) close() error {
	b.put("</sheetData></worksheet>")
	if err := b.flush(); err != nil {
		return err
	}
	if err := b.zip.Close(); err != nil {
		return fmt.Errorf("write a workbook: %w", err)
	}
	return nil
}
