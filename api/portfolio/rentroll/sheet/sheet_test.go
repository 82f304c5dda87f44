package sheet_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"portal/api/portfolio/rentroll/sheet"
)

// read reads a whole file; its lines go up.
func read(t testing.TB, file string) ([]sheet.Row, *sheet.Problem) {
	t.Helper()
	return readSheet(t, strings.NewReader(file), "")
}

func readSheet(t testing.TB, r io.Reader, name string) (rows []sheet.Row, _ *sheet.Problem) {
	t.Helper()
	f, err := sheet.OpenSheet(r, name)
	if err != nil {
		var p *sheet.Problem
		if !errors.As(err, &p) || p.Message == "" || p.Line < 1 || p.Error() != p.Message {
			t.Fatalf("the error is %#v", err)
		}
		return nil, p
	}
	for f.Next() {
		row := f.Row()
		if row.Written < len(row.Cells) {
			t.Errorf("line %d has %d cells and was written with %d", row.Line, len(row.Cells), row.Written)
		}
		row.Written = 0 // TestRowsSayHowManyCellsWereWritten looks at it
		row.Cells = append([]string{}, row.Cells...)
		rows = append(rows, row)
	}
	if f.Next() || f.Row().Cells != nil {
		t.Error("a row follows the last one")
	}
	problem := f.Problem()
	if err := f.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	return rows, problem
}

// table is what a file without any problem holds, without the numbers of its lines.
func table(t testing.TB, file string) (cells [][]string) {
	t.Helper()
	rows, problem := read(t, file)
	if problem != nil {
		t.Fatalf("line %d: %s", problem.Line, problem)
	}
	for _, row := range rows {
		if row.Problem != "" {
			t.Fatalf("line %d: %s", row.Line, row.Problem)
		}
		cells = append(cells, row.Cells)
	}
	return cells
}

func same(t testing.TB, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
}

func sample(t testing.TB, name string) string {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(file)
}

func TestRowsOfGroupedReport(t *testing.T) {
	t.Parallel()
	rows, problem := read(t, sample(t, "grouped.csv"))
	if problem != nil || len(rows) != 12 {
		t.Fatalf("%d rows, %v", len(rows), problem)
	}
	same(t, rows[0], sheet.Row{Line: 1, Cells: []string{"Rent Roll"}})
	same(t, rows[2], sheet.Row{Line: 4, Cells: strings.Split(
		"Unit,BD/BA,Tenant,Status,Sqft,Market Rent,Rent,Deposit,Lease From,Lease To,Move-in,Past Due", ",")})
	same(t, rows[3], sheet.Row{Line: 5, Cells: []string{"14 Kestrel Court - 14 Kestrel Ct Columbus, OH 43215"}})
	same(t, rows[5].Cells, []string{"2", "1/1.00", "", "Vacant-Unrented", "640", "1,050.00"})
	same(t, rows[9].Cells, []string{
		"A", "3/2.00", "Marsh, Tobias & Elena", "Current", "1,320", "1,900.00", "1,850.00", "1,850.00",
		"09/01/2026", "", "09/01/2026", "(25.00)",
	})
}

func TestRowsOfListWithWholeAddresses(t *testing.T) {
	t.Parallel()
	cells := table(t, sample(t, "onerow.csv"))
	if len(cells) != 4 {
		t.Fatalf("%d rows", len(cells))
	}
	same(t, cells[2], []string{
		"Alder Row", "88 Alder Row, Tacoma, WA 98402", "88-2", "Josephine O'Dell", "Active (month to month)",
		"4/1/24", "", "1 Bed/1 Bath", "$1,375.00", "$700.00", "$1,375.00",
	})
}

func TestRowsOfOwnListInWindows1252(t *testing.T) {
	t.Parallel()
	cells := table(t, sample(t, "ownsheet.csv"))
	if len(cells) != 4 {
		t.Fatalf("%d rows", len(cells))
	}
	same(t, cells[1], []string{
		"9 Juniper Ln", "Santa Fe", "New Mexico", "87501", "", "Zoë", "Peña", "zoe.pena@example.com",
		"505.555.0142", "2026-02-01", "2027-01-31", "1325", "1325",
	})
	same(t, cells[2][11:], []string{"1325,00", "1325,00"})
	same(t, cells[3], []string{"Total", "", "", "", "", "", "", "", "", "", "", "2650"})
}

func TestRowsOfWorkbook(t *testing.T) {
	t.Parallel()
	f, err := sheet.Open(strings.NewReader(sample(t, "workbook.xlsx")))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	same(t, f.Sheets(), []string{"Rent roll", "Notes"})
	same(t, f.Sheet(), "Rent roll")
	same(t, f.Dates1904(), false)
	rows, problem := read(t, sample(t, "workbook.xlsx"))
	if problem != nil || len(rows) != 6 {
		t.Fatalf("%d rows, %v", len(rows), problem)
	}
	same(t, rows[0], sheet.Row{Line: 1, Cells: []string{"Harborview Portfolio"}})
	same(t, rows[4], sheet.Row{Line: 6, Cells: []string{
		"500 Pier Rd", "Portland", "ME", "4101", "103A", "2", "1", "820", "1750", "Grant, Wren", "", "2075550111",
		"45992", "", "1700.5", "1700",
	}})
	same(t, rows[5], sheet.Row{Line: 7, Cells: []string{
		"", "", "", "", "", "", "", "", "4950", "", "", "", "", "", "3050.5", "3050",
	}})
	notes, problem := readSheet(t, strings.NewReader(sample(t, "workbook.xlsx")), "Notes")
	same(t, notes, []sheet.Row{{Line: 1, Cells: []string{"keys in the office"}}})
	if problem != nil {
		t.Error(problem)
	}
}

func TestTextNamesNoSheets(t *testing.T) {
	t.Parallel()
	f, err := sheet.Open(strings.NewReader("a,b\n1,2\n"))
	if err != nil {
		t.Fatal(err)
	}
	if f.Sheets() != nil || f.Sheet() != "" || f.Dates1904() {
		t.Errorf("sheets %q, %q, %t", f.Sheets(), f.Sheet(), f.Dates1904())
	}
	if err := f.Close(); err != nil || f.Next() {
		t.Errorf("a row of a closed file, %v", err)
	}
	_, problem := readSheet(t, strings.NewReader("a,b\n"), "Rents")
	same(t, problem, &sheet.Problem{Line: 1, Message: "This is a text file; it has no sheets to choose from."})
}

func TestFileThatIsNoTableIsRefusedWithASentence(t *testing.T) {
	t.Parallel()
	old := "This is an old or a protected Excel file. Save it as .xlsx without a password."
	web := "This is a web page, not a table, whatever its name says. Open it in Excel and save it as .xlsx."
	picture := "This is a picture, not a table. Upload a CSV or .xlsx file."
	for name, c := range map[string]struct{ file, message string }{
		"empty":       {"", "The file is empty."},
		"mark":        {"\ufeff", "The file is empty."},
		"blank lines": {"\r\n  \n\n\t\n", "The file is empty."},
		"old Excel":   {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 500), old},
		"Excel 95":    {"\x09\x08\x10\x00\x00\x06\x05\x00", old},
		"PDF":         {"%PDF-1.7\n", "This is a PDF, not a table. Export the rent roll as a CSV or .xlsx file."},
		"web page":    {"\ufeff\n <HTML xmlns:x=\"urn:schemas-microsoft-com:office:excel\"><table>", web},
		"table":       {"<table><tr><td>1</td></tr></table>", web},
		"web archive": {"MIME-Version: 1.0\nContent-Type: multipart/related", web},
		"XML": {
			"<?xml version=\"1.0\"?><Workbook/>", "This is an XML file. Open it in Excel and save it as .xlsx.",
		},
		"PNG":  {"\x89PNG\r\n\x1a\n", picture},
		"JPEG": {"\xff\xd8\xff\xe0\x00\x10JFIF", picture},
		"HEIC": {"\x00\x00\x00\x18ftypheic", picture},
		"WebP": {"RIFF\x00\x00\x00\x00WEBP", picture},
		"gzip": {
			"\x1f\x8b\x08\x00", "This is an archive. Unpack it, and upload the CSV or .xlsx file that is in it.",
		},
		"program": {
			"\x7fELF\x02\x01\x01" + strings.Repeat("\x00\x01\x02", 30),
			"This file is no table. Upload a CSV or .xlsx file.",
		},
	} {
		rows, problem := read(t, c.file)
		if len(rows) > 0 || problem == nil || problem.Message != c.message {
			t.Errorf("%s: %+v, %v", name, rows, problem)
		}
	}
}

func TestReaderThatFailsIsAProblem(t *testing.T) {
	t.Parallel()
	broken := iotest.ErrReader(errors.New("the connection is lost"))
	for _, start := range []string{"", "a,b\n1,2\n", "PK\x03\x04"} {
		_, problem := readSheet(t, io.MultiReader(strings.NewReader(start), broken), "")
		if problem == nil || problem.Message != "The file could not be read from here on: the connection is lost." {
			t.Errorf("after %q: %v", start, problem)
		}
	}
}

// panicReader fails as no reader should.
type panicReader struct{}

func (panicReader) Read([]byte) (int, error) { panic("a bug") }

func TestPanicBecomesASentence(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a,b\n", 100_000)
	for _, start := range []string{"", "PK\x03\x04", long} {
		_, problem := readSheet(t, io.MultiReader(strings.NewReader(start), panicReader{}), "")
		if problem == nil || !strings.HasPrefix(problem.Message, "This file could not be read.") {
			t.Errorf("after %d bytes: %v", len(start), problem)
		}
	}
}

func TestSlowReaderGivesTheSameRows(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"grouped.csv", "ownsheet.csv", "workbook.xlsx"} {
		want, _ := read(t, sample(t, name))
		got, problem := readSheet(t, iotest.OneByteReader(strings.NewReader(sample(t, name))), "")
		same(t, got, want)
		if problem != nil {
			t.Error(problem)
		}
	}
}

func lines(n int, line func(i int) string) string {
	var all strings.Builder
	for i := range n {
		all.WriteString(line(i))
	}
	return all.String()
}

func number(i int) string { return strconv.Itoa(i) }

func TestRowsSayHowManyCellsWereWritten(t *testing.T) {
	f, err := sheet.Open(strings.NewReader("a,b,,\n1,2,3\n,,,5,,\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{4, 3, 6} {
		if !f.Next() || f.Row().Written != want {
			t.Errorf("%+v, want %d cells written", f.Row(), want)
		}
	}
}
