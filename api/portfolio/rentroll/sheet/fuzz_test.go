package sheet_test

import (
	"archive/zip"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"portal/api/portfolio/rentroll/sheet"
)

func FuzzOpen(f *testing.F) {
	for _, name := range []string{"grouped.csv", "onerow.csv", "ownsheet.csv", "workbook.xlsx"} {
		f.Add([]byte(sample(f, name)))
	}
	for _, text := range []string{
		"", "sep=;\na;b\n1;2\n", "a,b\n1,\"open\n2,x\n", "a,\"b\r\nc\"\r\n",
		"=\"1\",=A1\n", "a\x00,b\n", "=\"\n", "\xff\xfea\x00",
		"a|b\n\x81|\xe9\n",
	} {
		f.Add([]byte(text))
		for _, encode := range encodings {
			if utf8.ValidString(text) {
				f.Add([]byte(encode(text)))
			}
		}
	}
	book := workbookOf(header + `<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2"><f>A1</f></c></row>`).with(parts{
		"xl/sharedStrings.xml": `<sst><si><t>x_x000D_</t></si></sst>`,
	})
	f.Add([]byte(book.raw(f, func(*zip.FileHeader) {}))) // not packed, so that changes reach the XML
	f.Fuzz(func(t *testing.T, file []byte) { check(t, string(file)) })
}

// check holds a file to what is promised of any: no panic, rows that are clean and in order, a sentence for
// what is wrong, and an end in time.
func check(t testing.TB, file string) {
	t.Helper()
	start := time.Now()
	rows, problem := read(t, file)
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("%v for %d bytes", took, len(file))
	}
	at := 0
	for _, row := range rows {
		if row.Line <= at || len(row.Cells) > sheet.MaxColumns || len(row.Cells) == 0 && row.Problem == "" {
			t.Fatalf("row %+v after line %d", row, at)
		}
		at = row.Line
		if n := len(row.Cells); n > 0 && row.Cells[n-1] == "" || !utf8.ValidString(row.Problem) {
			t.Fatalf("row %+v", row)
		}
		for _, cell := range row.Cells {
			if !utf8.ValidString(cell) || strings.ContainsFunc(cell, unicode.IsControl) ||
				strings.HasPrefix(cell, "=") ||
				cell != strings.Join(strings.Fields(cell), " ") {
				t.Fatalf("cell %q", cell)
			}
		}
	}
	if problem != nil && (problem.Message == unreadable || !utf8.ValidString(problem.Message)) {
		t.Fatalf("problem %q", problem.Message)
	}
}

const unreadable = "This file could not be read. Open it in Excel and save it as a new .xlsx or CSV file."
