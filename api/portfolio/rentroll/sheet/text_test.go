package sheet_test

import (
	"encoding/binary"
	"io"
	"runtime"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"

	"portal/api/portfolio/rentroll/sheet"
)

// encodings are the ways that a text is stored in.
var encodings = map[string]func(string) string{
	"UTF-8":                    func(s string) string { return s },
	"UTF-8 with mark":          func(s string) string { return "\ufeff" + s },
	"UTF-16 LE with mark":      func(s string) string { return inUTF16("\ufeff"+s, binary.LittleEndian) },
	"UTF-16 BE with mark":      func(s string) string { return inUTF16("\ufeff"+s, binary.BigEndian) },
	"UTF-16 LE without a mark": func(s string) string { return inUTF16(s, binary.LittleEndian) },
	"UTF-16 BE without a mark": func(s string) string { return inUTF16(s, binary.BigEndian) },
	"Windows-1252": func(s string) string {
		out, err := charmap.Windows1252.NewEncoder().String(s)
		if err != nil {
			panic(err)
		}
		return out
	},
}

func inUTF16(s string, order binary.AppendByteOrder) string {
	var out []byte
	for _, unit := range utf16.Encode([]rune(s)) {
		out = order.AppendUint16(out, unit)
	}
	return string(out)
}

func TestEveryEncodingDelimiterAndLineEndGivesTheSameRows(t *testing.T) {
	t.Parallel()
	want := [][]string{
		{"Unit", "Tenant", "Rent", "Note"},
		{"1", "Zoë Peña", "€ 1,325.00", "a “b”; c | d"},
		{"2", "O'Dell, Jo", "1.200,50", `The "Oaks" two lines`},
		{"3", "Œuvre", "", "", "beyond"},
	}
	for encoding, encode := range encodings {
		for _, delimiter := range []string{",", ";", "\t", "|"} {
			for _, end := range []string{"\r\n", "\n", "\r"} {
				for _, last := range []string{"", end} {
					rows := []string{
						`Unit,Tenant,Rent,Note`,
						`1," Zoë  Peña",` + "\"€\u00a01,325.00\"" + `,"a “b”; c | d"`,
						`2,"O'Dell, Jo","1.200,50","The ""Oaks""` + end + `two lines"`,
						``,
						`,,,`,
						`3,Œuvre,,"",beyond,,`,
					}
					text := strings.Join(rows, end) + last
					if delimiter != "," {
						text = redelimited(text, delimiter)
					}
					got := table(t, encode(text))
					same(t, got, want)
					if t.Failed() {
						t.Fatalf("%s, delimiter %q, line end %q", encoding, delimiter, end)
					}
				}
			}
		}
	}
}

// redelimited puts another delimiter for the commas outside of quotes.
func redelimited(text, delimiter string) string {
	parts := strings.Split(text, `"`)
	for i := 0; i < len(parts); i += 2 {
		parts[i] = strings.ReplaceAll(parts[i], ",", delimiter)
	}
	return strings.Join(parts, `"`)
}

func TestEncodingIsThatOfFirstCharacterBeyondASCII(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file string
		want []sheet.Row
	}{
		"UTF-8, then other bytes": {
			"a,b\nPeña,1\nPe\xf1a,2\nx,3\n",
			[]sheet.Row{
				{Line: 1, Cells: []string{"a", "b"}},
				{Line: 2, Cells: []string{"Peña", "1"}},
				{Line: 3, Cells: []string{"Pe\ufffda", "2"}, Problem: notText},
				{Line: 4, Cells: []string{"x", "3"}},
			},
		},
		"Windows-1252, then UTF-8": {
			"a,b\nPe\xf1a,1\nPe\xc3\xb1a,2\n",
			[]sheet.Row{
				{Line: 1, Cells: []string{"a", "b"}},
				{Line: 2, Cells: []string{"Peña", "1"}},
				{Line: 3, Cells: []string{"PeÃ±a", "2"}},
			},
		},
		"Windows-1252 with a byte that is nothing": {
			"Pe\xf1a,1\n\x81,\x8d\x8f\x90\x9d\n\x80,2\n",
			[]sheet.Row{
				{Line: 1, Cells: []string{"Peña", "1"}},
				{Line: 2, Cells: []string{"\ufffd", "\ufffd\ufffd\ufffd\ufffd"}, Problem: notText},
				{Line: 3, Cells: []string{"€", "2"}},
			},
		},
		"UTF-8 with mark, then other bytes": {
			"\ufeffa,b\nPe\xf1a,1\n",
			[]sheet.Row{
				{Line: 1, Cells: []string{"a", "b"}},
				{Line: 2, Cells: []string{"Pe\ufffda", "1"}, Problem: notText},
			},
		},
		"UTF-16 with half a pair and half a character": {
			"\xff\xfea\x00,\x00\x00\xd8\n\x00😀"[:10] + "\x3d\xd8\x00\xde,\x00b\x00\n\x00c\x00,\x00d",
			[]sheet.Row{
				{Line: 1, Cells: []string{"a", "\ufffd"}, Problem: notText},
				{Line: 2, Cells: []string{"😀", "b"}},
				{Line: 3, Cells: []string{"c", "\ufffd"}, Problem: notText},
			},
		},
	} {
		rows, problem := read(t, c.file)
		if problem != nil {
			t.Errorf("%s: %v", name, problem)
		}
		if same(t, rows, c.want); t.Failed() {
			t.Fatal(name)
		}
	}
}

const notText = "The line holds bytes that are not text. Save the file as “CSV UTF-8”."

func TestDelimiterIsTheOneThatPartsMostRecordsAlike(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file string
		want []string // the last row
	}{
		"title lines":     {"Rent roll\nAs of: May 1, 2026\n\nUnit;Beds;Rent\n1;2;1325,00\n", []string{"1", "2", "1325,00"}},
		"names of people": {"Name;Unit;Rent\nMarsh, Elena;1;5\nLind, Per;2;6\n", []string{"Lind, Per", "2", "6"}},
		"ragged":          {"A;B;C;D\n1;Marsh, Elena\n2;Lind, Per;3\n4;Roe, Jo;5;6\n", []string{"4", "Roe, Jo", "5", "6"}},
		"quoted":          {"Unit|Note\n1|\"a;b;c;d;e,f,g\"\n", []string{"1", "a;b;c;d;e,f,g"}},
		"one full line":   {"Unit,Note\n1,x\n;;;;;;;;;;;;;;;;\n2,y\n3,z\n", []string{"3", "z"}},
		"in doubt":        {"a,b;c\nd,e;f\n", []string{"d", "e;f"}},
		"one column":      {"Unit\n1\n2\n", []string{"2"}},
		"sep=;":           {"sep=;\na,b,c;d\n1,2,3;4\n", []string{"1,2,3", "4"}},
		"SEP=,":           {"\ufeffSEP=,\r\na;b,c\r\n1;2,3\r\n", []string{"1;2", "3"}},
		"sep=tab":         {"sep=\t\na,b\tc\n1,2\t3\n", []string{"1,2", "3"}},
		"no sep":          {"sep=,1\na,b\n", []string{"a", "b"}},
	} {
		cells := table(t, c.file)
		if len(cells) == 0 {
			t.Fatalf("%s: no rows", name)
		}
		if same(t, cells[len(cells)-1], c.want); t.Failed() {
			t.Fatal(name)
		}
	}
	rows, _ := read(t, "sep=;\nUnit;Rent\n")
	same(t, rows, []sheet.Row{{Line: 2, Cells: []string{"Unit", "Rent"}}})
}

func TestRowBeginsInItsFirstLine(t *testing.T) {
	t.Parallel()
	rows, problem := read(t, "Unit,Note\r\n\r\n1,\"a\r\n\r\nb, \"\"c\"\"\"\r\n2,x\r\n")
	if problem != nil {
		t.Fatal(problem)
	}
	same(t, rows, []sheet.Row{
		{Line: 1, Cells: []string{"Unit", "Note"}},
		{Line: 3, Cells: []string{"1", `a b, "c"`}},
		{Line: 6, Cells: []string{"2", "x"}},
	})
}

const openQuote = `The quoted text that begins in this line does not end in it or in the 20 lines after it. Close it with a quote.`

func TestQuoteThatNeverClosesHidesNoLine(t *testing.T) {
	t.Parallel()
	row := func(i int) string { return number(i) + ",x\n" }
	for name, file := range map[string]string{
		"to the end":          "Unit,Note\n1,\"open\n" + lines(5, row),
		"longer than 20":      "Unit,Note\n1,\"open\n" + lines(20, row) + "9,\"closed\"\n",
		"closed by the next":  "Unit,Note\n1,\"open\n" + lines(5, row) + "9,\"closed, or not\"\n",
		"more than 64 KiB":    "Unit,Note\n1,\"open\n" + lines(5, row) + "9," + strings.Repeat("x", 65_530) + "\n",
		"after a broken line": "Unit,Note\n1,\"open\n2,x\n3,\"stray\"x\"\n4,y\n",
	} {
		rows, problem := read(t, file)
		if problem != nil {
			t.Errorf("%s: %v", name, problem)
		}
		if want := strings.Count(file, "\n"); len(rows) != want {
			t.Fatalf("%s: %d rows of %d", name, len(rows), want)
		}
		same(t, rows[1], sheet.Row{Line: 2, Cells: []string{"1"}, Problem: openQuote})
		for i, row := range rows {
			if row.Line != i+1 || i != 1 && len(row.Cells) == 0 {
				t.Errorf("%s: row %d is %+v", name, i, row)
			}
		}
	}
	closes := "Unit,Note\n1,\"open\n" + lines(19, row) + "here\",z\n2,x\n"
	rows, _ := read(t, closes)
	if len(rows) != 3 || rows[1].Problem != "" || rows[2].Line != 23 {
		t.Errorf("a text over 20 further lines is %+v", rows)
	}
}

func TestTextAfterQuotesIsAProblemOfItsRow(t *testing.T) {
	t.Parallel()
	rows, _ := read(t, "a,b,c\n1,\"The \"Oaks\"\",2\n1, \"x\" ,5\" pipe\n")
	same(t, rows[1:], []sheet.Row{
		{
			Line:    2,
			Cells:   []string{"1"},
			Problem: `After a quoted value comes more text. Double the quotes inside a value, as in "The ""Oaks""".`,
		},
		{Line: 3, Cells: []string{"1", "x", `5" pipe`}},
	})
}

func TestTextFormulaIsItsTextAndOtherFormulasAreProblems(t *testing.T) {
	t.Parallel()
	formula := func(cell string) string {
		return "A cell holds a formula, " + cell + ", not a value. Replace it by its value."
	}
	for cell, want := range map[string]struct{ value, problem string }{
		`="1"`:              {"1", ""},
		` ="2-1" `:          {"2-1", ""},
		`="a,b"`:            {"a,b", ""},
		`"=""1"""`:          {"1", ""},
		`="say ""x"""`:      {`say "x"`, ""},
		`=""`:               {"", ""},
		`=HYPERLINK(1)`:     {"", formula("=HYPERLINK(1)")},
		`"=A1&"",x"""`:      {"", formula(`=A1&",x"`)},
		`="=A1"`:            {"", formula(`="=A1"`)},
		`="a"&"b"`:          {"", formula(`="a"&"b"`)},
		`=`:                 {"", formula("=")},
		`="`:                {"", formula(`="`)},
		`-25.00`:            {"-25.00", ""},
		`+1 (505) 555 0100`: {"+1 (505) 555 0100", ""},
		`@home`:             {"@home", ""},
		`=` + strings.Repeat("x", 200): {
			"", formula("=" + strings.Repeat("x", 59) + "…"),
		},
	} {
		rows, problem := read(t, "a,b,c\n1,"+cell+",z\n")
		if problem != nil || len(rows) != 2 {
			t.Fatalf("%s: %+v, %v", cell, rows, problem)
		}
		same(t, rows[1], sheet.Row{Line: 2, Cells: []string{"1", want.value, "z"}, Problem: want.problem})
	}
}

func TestWhiteSpaceAndControlCharacters(t *testing.T) {
	t.Parallel()
	rows, _ := read(t, "a,b\n\u00a0x \u2003 y\u2028z\t,\" 1\n\n2 \"\na\x00b,c\n\x1b,\n")
	same(t, rows[1:], []sheet.Row{
		{Line: 2, Cells: []string{"x y z", "1 2"}},
		{Line: 5, Cells: []string{"a\ufffdb", "c"}, Problem: "A cell holds a control character (U+0000). Remove it."},
		{Line: 6, Cells: []string{"\ufffd"}, Problem: "A cell holds a control character (U+001B). Remove it."},
	})
}

func TestTooLongLineStopsReading(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 64<<10+1)
	for n, file := range map[int]string{
		1: long + "\nafter,it\n",
		3: "a,b\n1,2\n" + long + "\nafter,it\n",
		4: "a,b\n1,2\n1,\"open\n" + long + "\nafter,it\n",
		8: "a,b\n" + strings.Repeat("1,2\n", 6) + long,
	} {
		rows, problem := read(t, file)
		message := "The line is longer than 64 KiB; reading stopped here. Check that the file is a CSV file."
		same(t, problem, &sheet.Problem{Line: n, Message: message})
		if len(rows) != n-1 {
			t.Errorf("%d rows before line %d", len(rows), n)
		}
	}
	rows, problem := read(t, "a,b\n"+long[1:]+"\nafter,it\n")
	if len(rows) != 3 || problem != nil {
		t.Errorf("a line of 64 KiB: %d rows, %v", len(rows), problem)
	}
}

func TestTooManyColumnsStopReading(t *testing.T) {
	t.Parallel()
	_, problem := read(t, "a,b\n"+strings.Repeat("x,", 10_000)+"\n1,2\n")
	same(t, problem, &sheet.Problem{
		Line: 2, Message: "This row has 10,000 columns; a table has at most 200. Reading stopped here.",
	})
	rows, problem := read(t, strings.Repeat("x,", 200)+strings.Repeat(",", 10_000)+"\n")
	if len(rows) != 1 || len(rows[0].Cells) != 200 || problem != nil {
		t.Errorf("200 columns: %d rows, %v", len(rows), problem)
	}
}

// repeated is a file that nobody holds in memory.
type repeated struct {
	line string
	left int // bytes
	at   int
}

func (r *repeated) Read(p []byte) (n int, err error) {
	for n < len(p) && r.left > 0 {
		copied := copy(p[n:min(len(p), n+r.left)], r.line[r.at:])
		n, r.left, r.at = n+copied, r.left-copied, (r.at+copied)%len(r.line)
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func TestTextIsStreamed(t *testing.T) {
	for _, line := range []string{"1,\"Marsh, Elena\",1250\r\n", "1,\"open\n", "1,Pe\xf1a\n"} {
		f, err := sheet.Open(&repeated{line: line, left: 8 << 20})
		if err != nil {
			t.Fatal(err)
		}
		rows := 0
		for f.Next() {
			if rows++; rows == 100_000 {
				break
			}
		}
		early := heap()
		for f.Next() {
			rows++
		}
		if grown := heap() - early; f.Problem() != nil || grown > 1<<20 {
			t.Errorf("%q: %d more bytes after %d rows, %v", line, grown, rows, f.Problem())
		}
		runtime.KeepAlive(f)
	}
}

// heap is how many bytes are in use.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
