package rentroll_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"

	"portal/api/money"
)

// variation is a sample that is written in another way and means the same.
type variation struct {
	*rand.Rand
	rows   [][]string
	header int // index of the row of names
	how    []string
}

func (v *variation) chance(how string, do func()) {
	if v.IntN(2) == 0 {
		v.how = append(v.how, how)
		do()
	}
}

// namesOf are the names that a column may have, by any of them.
func namesOf(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("columns.csv")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	of := map[string][]string{}
	for _, line := range lines[1:] {
		of[line[0]] = append(of[line[0]], line[1])
	}
	all := map[string][]string{}
	for _, names := range of {
		for _, name := range names {
			all[name] = names
		}
	}
	return all
}

// plainName is a name as columns.csv has it.
func plainName(s string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToLower(s)), "_")
}

// varied writes a sample in another way.
func (v *variation) varied(names map[string][]string) []byte {
	width := len(v.rows[v.header])
	for i, row := range v.rows {
		for len(row) < width {
			row = append(row, "")
		}
		v.rows[i] = slices.Clone(row)
	}
	v.chance("columns in another order", func() {
		order := v.Perm(width)
		for i, row := range v.rows {
			other := make([]string, width)
			for to, from := range order {
				other[to] = row[from]
			}
			v.rows[i] = other
		}
	})
	v.chance("other names of columns", func() {
		for i, name := range v.rows[v.header] {
			if known := names[strings.ReplaceAll(plainName(name), "__", "_")]; len(known) > 0 {
				v.rows[v.header][i] = strings.ReplaceAll(known[v.IntN(len(known))], "_", " ")
			}
		}
	})
	v.chance("names in capitals", func() {
		for i, name := range v.rows[v.header] {
			v.rows[v.header][i] = strings.ToUpper(name)
		}
	})
	v.chance("without titles", func() { v.rows, v.header = v.rows[v.header:], 0 })
	v.chance("without totals", func() {
		v.rows = slices.DeleteFunc(v.rows, func(row []string) bool {
			first := strings.Join(row, "")
			return strings.Contains(first, "Total") || strings.Contains(first, " Units")
		})
	})
	v.chance("empty lines", func() {
		for range 3 {
			v.rows = slices.Insert(v.rows, v.IntN(len(v.rows)+1), make([]string, width))
		}
	})
	v.chance("an empty column", func() {
		at := v.IntN(width + 1)
		for i, row := range v.rows {
			v.rows[i] = slices.Insert(row, at, "")
		}
	})
	return v.text()
}

// text is the file, in an encoding.
func (v *variation) text() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Comma = []rune(",;\t|")[v.IntN(4)]
	w.UseCRLF = v.IntN(2) == 0
	v.how = append(v.how, "parted by "+strconv.QuoteRune(w.Comma))
	if err := w.WriteAll(v.rows); err != nil {
		panic(err)
	}
	text := b.Bytes()
	switch v.IntN(4) {
	case 0:
		v.how = append(v.how, "with a mark")
		return append([]byte("\ufeff"), text...)
	case 1:
		v.how = append(v.how, "UTF-16")
		wide := []byte{0xff, 0xfe}
		for _, u := range utf16.Encode([]rune(string(text))) {
			wide = append(wide, byte(u), byte(u>>8))
		}
		return wide
	case 2:
		v.how = append(v.how, "Windows-1252")
		narrow, err := charmap.Windows1252.NewEncoder().Bytes(text)
		if err != nil {
			panic(err)
		}
		return narrow
	}
	return text
}

// TestVariationsOfRollsBecomeTheSamePortfolio writes each sample in a hundred other ways. Each becomes the same
// portfolio, or has a problem that says what is unclear: never another portfolio.
func TestVariationsOfRollsBecomeTheSamePortfolio(t *testing.T) {
	seed := rand.Uint64()
	if text := os.Getenv("PORTAL_TEST_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("PORTAL_TEST_SEED=%d", seed)
	random, names := rand.New(rand.NewPCG(seed, 0)), namesOf(t)
	rents := map[string]money.Cents{"grouped.csv": 3895_00, "onerow.csv": 3015_00, "ownsheet.csv": 2650_00}
	for name, header := range map[string]int{"grouped.csv": 3, "onerow.csv": 0, "ownsheet.csv": 0} {
		asked := 0
		for range 100 {
			v := &variation{Rand: random, rows: rowsOf(t, name), header: header}
			text := v.varied(names)
			roll, problems := answered(t, name, text)
			if len(problems) > 0 {
				asked++
				t.Logf("%s, %s: %v", name, strings.Join(v.how, ", "), problems)
				continue
			}
			if got := written(t, roll); sortedLines(got) != sortedLines(becomes(t, name)) {
				t.Fatalf(
					"%s, %s, becomes\n%s\nwant\n%s\n%q",
					name,
					strings.Join(v.how, ", "),
					got,
					becomes(t, name),
					text,
				)
			}
			if rent := rentOf(t, roll); rent != rents[name] {
				t.Fatalf("%s, %s: the rents are %s, want %s", name, strings.Join(v.how, ", "), rent, rents[name])
			}
		}
		if asked > 10 {
			t.Errorf("%d of 100 variations of %s have problems", asked, name)
		}
	}
}

// sortedLines is a text with its lines in order.
func sortedLines(s string) string {
	lines := strings.Split(s, "\n")
	slices.Sort(lines)
	return fmt.Sprint(lines)
}

// rowsOf are the rows of a sample.
func rowsOf(t *testing.T, name string) [][]string {
	t.Helper()
	text := sampleFile(t, name)
	comma := ','
	if name == "ownsheet.csv" {
		var err error
		if text, err = charmap.Windows1252.NewDecoder().Bytes(text); err != nil {
			t.Fatal(err)
		}
		comma = ';'
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.Comma, r.FieldsPerRecord = comma, -1
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}
