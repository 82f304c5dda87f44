package sheet_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"portal/api/portfolio/rentroll/sheet"
)

const (
	spreadsheet   = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	relationships = `xmlns="http://schemas.openxmlformats.org/package/2006/relationships"`
	officeTypes   = `http://schemas.openxmlformats.org/officeDocument/2006/relationships/`
)

// parts are the files in a workbook.
type parts map[string]string

// with are the parts of a workbook with some of them replaced, or left out where they are "".
func (p parts) with(others parts) parts {
	all := maps.Clone(p)
	maps.Copy(all, others)
	maps.DeleteFunc(all, func(_, content string) bool { return content == "" })
	return all
}

// zipped packs the parts.
func (p parts) zipped(t testing.TB) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(p)) {
		part, err := w.Create(name)
		if err == nil {
			_, err = io.WriteString(part, p[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// workbookOf has a sheet for each data of a sheet: sheet 1, sheet 2 and so on.
func workbookOf(sheetData ...string) parts {
	p := parts{
		"[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
		"_rels/.rels": `<Relationships ` + relationships + `><Relationship Id="rId1" Type="` + officeTypes +
			`officeDocument" Target="xl/workbook.xml"/></Relationships>`,
	}
	var sheets, targets strings.Builder
	for i, data := range sheetData {
		fmt.Fprintf(&sheets, `<sheet name="Sheet %d" sheetId="%[1]d" r:id="rId%[1]d"/>`, i+1)
		fmt.Fprintf(&targets, `<Relationship Id="rId%d" Type="%sworksheet" Target="worksheets/sheet%[1]d.xml"/>`,
			i+1, officeTypes)
		p[fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1)] = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` +
			`<worksheet ` + spreadsheet + `><dimension ref="A1:C9"/><sheetData>` + data +
			`</sheetData><pageMargins left="0.7"/></worksheet>`
	}
	p["xl/workbook.xml"] = `<workbook ` + spreadsheet +
		` xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><workbookPr/><sheets>` +
		sheets.String() + `</sheets></workbook>`
	p["xl/_rels/workbook.xml.rels"] = `<Relationships ` + relationships + `>` + targets.String() +
		`<Relationship Id="rIdS" Type="` + officeTypes + `sharedStrings" Target="/xl/sharedStrings.xml"/></Relationships>`
	return p
}

const header = `<row r="1"><c r="A1" t="inlineStr"><is><t>Unit</t></is></c>` +
	`<c r="B1" t="inlineStr"><is><t>Rent</t></is></c></row>`

// cells is a workbook whose second row has these cells after one with a number.
func cells(t testing.TB, xml string) string {
	return workbookOf(header + `<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row><row r="3">` +
		`<c r="A3"><v>7</v></c>` + xml + `</row>`).with(parts{"xl/sharedStrings.xml": `<sst ` + spreadsheet + `>` +
		`<si><t xml:space="preserve"> Marsh,  Elena </t></si>` +
		`<si><r><rPr><b/></rPr><t>O'</t></r><r><t>Dell</t></r><rPh sb="0" eb="1"><t>no</t></rPh></si>` +
		`<si><t>two_x000D_&#10;lines_x005F_x0041_</t></si><si/></sst>`}).zipped(t)
}

func TestCellsOfEachTypeAreTexts(t *testing.T) {
	t.Parallel()
	result := "Cell B3 holds a formula without a result. Open the workbook in Excel and save it, " +
		"or replace the formula by its value."
	damaged := "Cell B3 is damaged. Type its value again."
	for cell, want := range map[string]struct{ value, problem string }{
		`<c r="B3" t="s"><v>0</v></c>`:                          {"Marsh, Elena", ""},
		`<c r="B3" t="s"><v>1</v></c>`:                          {"O'Dell", ""},
		`<c r="B3" t="s"><v>2</v></c>`:                          {"two lines_x0041_", ""},
		`<c r="B3" t="s"><v>3</v></c>`:                          {"", ""},
		`<c r="B3" t="s"><v>4</v></c>`:                          {"", damaged},
		`<c r="B3" t="s"><v>-1</v></c>`:                         {"", damaged},
		`<c r="B3" t="inlineStr"><is><t>a &amp; b</t></is></c>`: {"a & b", ""},
		`<c r="B3" t="str"><f>A1</f><v>text</v></c>`:            {"text", ""},
		`<c r="B3" t="str"><f>A1</f><v></v></c>`:                {"", ""},
		`<c r="B3"><f>SUM(A1:A2)</f><v>1250.5</v></c>`:          {"1250.5", ""},
		`<c r="B3"><f>SUM(A1:A2)</f></c>`:                       {"", result},
		`<c r="B3"><f>SUM(A1:A2)</f><v/></c>`:                   {"", result},
		`<c><f t="shared" si="0"/></c>`:                         {"", "Cell in row 3 holds" + result[len("Cell B3 holds"):]},
		`<c r="B3" t="e"><f>A0</f><v>#REF!</v></c>`:             {"", "Cell B3 holds the error #REF!, not a value. Correct its formula."},
		`<c r="B3" t="b"><v>1</v></c>`:                          {"TRUE", ""},
		`<c r="B3" t="b"><v>0</v></c>`:                          {"FALSE", ""},
		`<c r="B3" t="b"><v>2</v></c>`:                          {"", damaged},
		`<c r="B3" t="d"><v>2026-05-01T00:00:00</v></c>`:        {"2026-05-01", ""},
		`<c r="B3" s="4"><v>46143</v></c>`:                      {"46143", ""},
		`<c r="B3" t="n"><v>1.0E2</v></c>`:                      {"100", ""},
		`<c r="B3"><v>1700.5000000000002</v></c>`:               {"1700.5", ""},
		`<c r="B3"><v>0.1</v></c>`:                              {"0.1", ""},
		`<c r="B3"><v>2075550111</v></c>`:                       {"2075550111", ""},
		`<c r="B3"><v>12345678901234567</v></c>`:                {"12345678901234567", ""},
		`<c r="B3"><v>1.5E-3</v></c>`:                           {"0.0015", ""},
		`<c r="B3"><v>-0</v></c>`:                               {"0", ""},
		`<c r="B3"><v>-25</v></c>`:                              {"-25", ""},
		`<c r="B3"><v>1e20</v></c>`:                             {"100000000000000000000", ""},
		`<c r="B3"><v>1e999</v></c>`:                            {"", damaged},
		`<c r="B3"><v>NaN</v></c>`:                              {"", damaged},
		`<c r="B3"><v>0x10</v></c>`:                             {"", damaged},
		`<c r="B3"><v>x</v></c>`:                                {"", damaged},
		`<c r="B3" t="inlineStr"><is><t>=HYPERLINK(1)</t></is></c>`: {
			"", "A cell holds a formula, =HYPERLINK(1), not a value. Replace it by its value.",
		},
		`<c r="B3" t="inlineStr"><is><t>a_x0000_b</t></is></c>`: {
			"a\ufffdb", "A cell holds a control character (U+0000). Remove it.",
		},
		`<c r="B3" t="inlineStr"><is><t>_x12_xyz_ _xD800_</t></is></c>`: {"_x12_xyz_ \ufffd", ""},
	} {
		rows, problem := read(t, cells(t, cell+`<c r="C3"><v>9</v></c>`))
		if problem != nil || len(rows) != 3 {
			t.Fatalf("%s: %+v, %v", cell, rows, problem)
		}
		same(t, rows[2], sheet.Row{Line: 3, Cells: []string{"7", want.value, "9"}, Problem: want.problem})
	}
}

func TestCellsStandInTheColumnsTheyName(t *testing.T) {
	t.Parallel()
	file := workbookOf(`<row><c><v>1</v></c><c><v>2</v></c></row>` +
		`<row r="7" hidden="1"><c r="B7"><v>3</v></c><c><v>4</v></c><c r="AA7"><v>5</v></c><c r="AB7" s="1"/></row>` +
		`<row r="8"/><row r="9"><c r="A9" t="s"/></row><row r="3"><c r="GR10"><v>6</v></c></row>`)
	rows, problem := read(t, file.zipped(t))
	if problem != nil || len(rows) != 3 {
		t.Fatalf("%+v, %v", rows, problem)
	}
	same(t, rows[1], sheet.Row{Line: 7, Cells: append(append([]string{"", "3", "4"}, make([]string, 23)...), "5")})
	same(t, len(rows[2].Cells), 200)
	same(t, rows[2].Line, 10)
}

func TestFirstVisibleSheetWithTableIsRead(t *testing.T) {
	t.Parallel()
	table := header + `<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row>`
	wide := `<row r="1"><c r="ZZ1"><v>1</v></c></row>`
	p := workbookOf(`<row r="1"><c r="A1"><v>1</v></c></row>`, table, wide, table)
	hidden := strings.Replace(p["xl/workbook.xml"], `name="Sheet 2"`, `name="Sheet 2" state="hidden"`, 1)
	for _, c := range []struct{ workbook, name, want string }{
		{p["xl/workbook.xml"], "", "Sheet 2"},
		{hidden, "", "Sheet 4"},
		{hidden, "Sheet 2", "Sheet 2"},
		{p["xl/workbook.xml"], "Sheet 1", "Sheet 1"},
		{strings.Replace(p["xl/workbook.xml"], `<workbookPr/>`, `<workbookPr date1904="1"/>`, 1), "Sheet 4", "Sheet 4"},
	} {
		f, err := sheet.OpenSheet(strings.NewReader(p.with(parts{"xl/workbook.xml": c.workbook}).zipped(t)), c.name)
		if err != nil {
			t.Fatal(err)
		}
		same(t, f.Sheet(), c.want)
		same(t, f.Sheets(), []string{"Sheet 1", "Sheet 2", "Sheet 3", "Sheet 4"})
		same(t, f.Dates1904(), strings.Contains(c.workbook, "1904"))
		if err := f.Close(); err != nil || f.Next() {
			t.Errorf("after the end: %v", err)
		}
	}
	_, problem := readSheet(t, strings.NewReader(p.zipped(t)), "Rents")
	same(t, problem, &sheet.Problem{Line: 1, Message: "This workbook has no sheet named “Rents”."})
	_, problem = read(t, workbookOf("", header).zipped(t))
	same(t, problem, &sheet.Problem{
		Line: 1, Message: "This workbook has no sheet with a table: at least two rows with two values each.",
	})
	_, problem = read(t, workbookOf(wide, header).zipped(t))
	if problem == nil || !strings.Contains(problem.Message, "at most 200") {
		t.Errorf("what keeps the sheet from being read is %v", problem)
	}
}

func TestArchiveThatIsNoWorkbookIsRefusedWithASentence(t *testing.T) {
	t.Parallel()
	book := workbookOf(header + header)
	for want, p := range map[string]parts{
		"OpenDocument": {"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": "<x/>"},
		"Numbers":      {"Index/Document.iwa": "x", "preview.jpg": "x"},
		"document":     {"word/document.xml": "<x/>"},
		"archive":      {"rents.csv": "a,b"},
		".xlsb": book.with(parts{
			"xl/workbook.xml": "", "xl/workbook.bin": "x",
			"_rels/.rels": strings.Replace(book["_rels/.rels"], "workbook.xml", "workbook.bin", 1),
		}),
	} {
		rows, problem := read(t, p.zipped(t))
		if len(rows) > 0 || problem == nil || !strings.Contains(problem.Message, want) {
			t.Errorf("%s: %+v, %v", want, rows, problem)
		}
	}
}

// raw packs parts with the sizes and flags that change sets.
func (p parts) raw(t testing.TB, change func(*zip.FileHeader)) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(p)) {
		h := &zip.FileHeader{
			Name:               name,
			Method:             zip.Store,
			CRC32:              crc32.ChecksumIEEE([]byte(p[name])),
			CompressedSize64:   uint64(len(p[name])),
			UncompressedSize64: uint64(len(p[name])),
		}
		change(h)
		part, err := w.CreateRaw(h)
		if err == nil {
			_, err = io.WriteString(part, p[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

const large = "This workbook is larger than 200 MB once it is unpacked. Save the rent roll alone as a new workbook."

func TestHostileWorkbookIsRefusedWithASentence(t *testing.T) {
	t.Parallel()
	const damaged = "This workbook is damaged. Open it in Excel and save it again."
	const built = "This workbook is not built as Excel builds it. Open it in Excel and save it again."
	const doctype = "This workbook holds a document type (DOCTYPE), which no workbook of Excel has. Open it in Excel and save it again."
	book := workbookOf(header + `<row r="2"><c r="A2"><v>1</v></c><c r="B2"><v>2</v></c></row>`)
	sheet1 := book["xl/worksheets/sheet1.xml"]
	part := func(name, content string) string { return book.with(parts{name: content}).zipped(t) }
	inSheet := func(xml string) string { return workbookOf(header + header + xml).zipped(t) }
	entities := `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>`
	many := parts{}
	for i := range 10_001 {
		many["xl/media/"+number(i)] = "x"
	}
	for name, c := range map[string]struct{ file, message string }{
		"packed 8 MB": {
			book.zipped(t) + strings.Repeat("\x00", 8<<20),
			"This workbook is larger than 8 MB. Save the rent roll alone as a new workbook.",
		},
		"10,001 entries": {book.with(many).zipped(t), built},
		"declared sizes": {
			book.raw(t, func(h *zip.FileHeader) {
				if strings.Contains(h.Name, "Types") {
					h.UncompressedSize64 = 201 << 20
				}
			}), large,
		},
		"sizes that overflow": {
			book.raw(t, func(h *zip.FileHeader) { h.UncompressedSize64 = 1<<64 - 1 }), large,
		},
		"smaller than they are": {
			book.raw(t, func(h *zip.FileHeader) { h.UncompressedSize64 = 10 }), damaged,
		},
		"larger than they are": {
			book.raw(t, func(h *zip.FileHeader) { h.UncompressedSize64 += 10 }), damaged,
		},
		"wrong checksum": {
			book.raw(t, func(h *zip.FileHeader) {
				if strings.Contains(h.Name, "sheet1") {
					h.CRC32++
				}
			}), "This workbook is damaged in row 2 or after it. Open it in Excel and save it again.",
		},
		"password": {
			book.raw(t, func(h *zip.FileHeader) { h.Flags |= 1 }),
			"This is an old or a protected Excel file. Save it as .xlsx without a password.",
		},
		"unknown packing":      {book.raw(t, func(h *zip.FileHeader) { h.Method = 93 }), damaged},
		"truncated":            {book.zipped(t)[:900], damaged},
		"zip of nothing":       {"PK\x03\x04", damaged},
		"entity bomb in sheet": {part("xl/worksheets/sheet1.xml", entities+sheet1), doctype},
		"entity bomb in book":  {part("xl/workbook.xml", entities+book["xl/workbook.xml"]), doctype},
		"entity bomb in texts": {part("xl/sharedStrings.xml", entities+`<sst><si><t>&c;</t></si></sst>`), doctype},
		"doctype in relations": {part("_rels/.rels", `<!DOCTYPE x SYSTEM "http://127.0.0.1/x">`+book["_rels/.rels"]), doctype},
		"unknown entity":       {inSheet(`<row r="3"><c r="A3" t="str"><v>&x;</v></c></row>`), "This workbook is damaged in row 3 or after it. Open it in Excel and save it again."},
		"no sheet part":        {book.with(parts{"xl/worksheets/sheet1.xml": ""}).zipped(t), damaged},
		"no relations":         {book.with(parts{"xl/_rels/workbook.xml.rels": ""}).zipped(t), "This workbook has no sheet with a table: at least two rows with two values each."},
		"no XML":               {part("xl/workbook.xml", "workbook"), damaged},
		"UTF-16":               {part("xl/workbook.xml", `<?xml version="1.0" encoding="UTF-16"?>`+book["xl/workbook.xml"]), damaged},
		"deep":                 {part("xl/worksheets/sheet1.xml", strings.Repeat("<a>", 1_000_000)), built},
		"1 MB cell":            {inSheet(`<row><c t="str"><v>` + strings.Repeat("x", 1<<20) + `</v></c></row>`), tooLong},
		"100 KB cell":          {inSheet(`<row><c t="str"><v>` + strings.Repeat("x", 100<<10) + `</v></c></row>`), tooLong},
		"1 MB in runs":         {inSheet(`<row><c><is>` + strings.Repeat("<r><t>"+strings.Repeat("x", 1000)+"</t></r>", 1000) + `</is></c></row>`), tooLong},
		"1 MB tag":             {inSheet(`<row><c r="` + strings.Repeat("x", 1<<20) + `"/></row>`), tooLong},
		"row beyond the last":  {inSheet(`<row r="1048577"><c><v>1</v></c></row>`), built},
		"10,000 columns": {
			inSheet(`<row r="3">` + lines(10_000, func(i int) string { return "<c><v>" + number(i) + "</v></c>" }) + `</row>`),
			"This row has more than 200 columns; a table has at most 200. Reading stopped here.",
		},
		"a million cells": {
			inSheet(`<row r="3">` + strings.Repeat("<c/>", 1_000_000) + `</row>`),
			"This sheet has more than 1,000,000 cells. Split it.",
		},
		"1,001 sheets": {workbookOf(make([]string, 1_001)...).zipped(t), built},
	} {
		_, problem := read(t, c.file)
		if problem == nil || problem.Message != c.message {
			t.Errorf("%s: %+v", name, problem)
		}
	}
}

const tooLong = "A cell holds more than 64 KiB of text. Shorten it."

// zeros packs a part of so many zeros.
func zeros(t testing.TB, w *zip.Writer, name, before string, n int) {
	t.Helper()
	part, err := w.Create(name)
	if err == nil {
		_, err = io.WriteString(part, before)
	}
	for block := make([]byte, 1<<20); err == nil && n > 0; n -= len(block) {
		_, err = part.Write(block)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestZipBombIsRefusedBeforeItIsUnpacked(t *testing.T) {
	var inner, outer bytes.Buffer
	w := zip.NewWriter(&inner)
	zeros(t, w, "xl/workbook.xml", "<workbook>", 100<<20)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w = zip.NewWriter(&outer)
	for i := range 3 {
		zeros(t, w, fmt.Sprintf("xl/worksheets/sheet%d.xml", i), "<worksheet>", 70<<20)
		part, err := w.Create(fmt.Sprintf("xl/%d.zip", i))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = part.Write(inner.Bytes()); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string]struct{ packed, message string }{
		"three sheets": {outer.String(), large},
		"one part":     {inner.String(), "This workbook is damaged. Open it in Excel and save it again."},
	} {
		before := allocated()
		if _, problem := read(t, file.packed); problem == nil || problem.Message != file.message {
			t.Errorf("%s: %v", name, problem)
		}
		if bytes := allocated() - before; bytes > 16<<20 {
			t.Errorf("%s: %d bytes were allocated", name, bytes)
		}
	}
}

// allocated is how many bytes have been allocated up to now.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

func TestSharedTextsAreBounded(t *testing.T) {
	t.Parallel()
	text := func(i int) string { return `<si><t>` + number(i) + strings.Repeat("x", 60<<10) + `</t></si>` }
	book := workbookOf(header + header + lines(500, func(i int) string {
		return `<row><c t="s"><v>` + number(i) + `</v></c></row>`
	}))
	for n, want := range map[int]string{
		500: "",
		600: "This workbook holds more than 32 MB of text. Save the rent roll alone as a new workbook.",
	} {
		rows, problem := read(t, book.with(parts{
			"xl/sharedStrings.xml": `<sst ` + spreadsheet + `>` + lines(n, text) + `</sst>`,
		}).zipped(t))
		if want != "" {
			same(t, problem, &sheet.Problem{Line: 1, Message: want})
			continue
		}
		if problem != nil || len(rows) != 502 {
			t.Fatalf("%d rows, %v", len(rows), problem)
		}
		for i, row := range rows[2:] { // some lie in two blocks of memory
			if row.Cells[0] != number(i)+strings.Repeat("x", 60<<10) {
				t.Fatalf("text %d is another: %.20s…", i, row.Cells[0])
			}
		}
	}
}

func TestMacrosAndLinksOfWorkbookAreNotRead(t *testing.T) {
	t.Parallel()
	book := workbookOf(header + `<row r="2"><c r="A2"><v>1</v></c><c r="B2"><f>[1]Rents!A1</f><v>2</v></c></row>`)
	same(t, table(t, book.with(parts{
		"xl/vbaProject.bin":                   "\xd0\xcf\x11\xe0",
		"xl/externalLinks/externalLink1.xml":  "<!DOCTYPE x>",
		"xl/worksheets/_rels/sheet1.xml.rels": "<!DOCTYPE x>",
		"xl/_rels/workbook.xml.rels": strings.Replace(
			book["xl/_rels/workbook.xml.rels"],
			"<Relationship ",
			`<Relationship Id="rId9" Type="`+officeTypes+`worksheet" TargetMode="External" Target="http://127.0.0.1/x"/><Relationship `,
			1,
		),
		"xl/workbook.xml": strings.Replace(
			book["xl/workbook.xml"],
			"<sheets>",
			`<sheets><sheet name="Far" r:id="rId9"/>`,
			1,
		),
	}).zipped(t)), [][]string{{"Unit", "Rent"}, {"1", "2"}})
}

func TestRandomBytesAreRefusedOrRead(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	book := []byte(sample(t, "workbook.xlsx"))
	for i := range 2_000 {
		noise := make([]byte, random.IntN(4<<10))
		for i := range noise {
			noise[i] = byte(random.Uint32())
		}
		if i%2 == 0 { // a workbook with some bytes changed
			noise = slices.Clone(book)
			for range 1 + random.IntN(20) {
				noise[random.IntN(len(noise))] = byte(random.Uint32())
			}
		}
		check(t, string(noise))
	}
}
