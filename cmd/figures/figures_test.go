package main

import (
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestBenchmarkFiguresAreParsed(t *testing.T) {
	r := reported{}
	r.read("goos: linux\ncpu: A Processor\n" +
		"BenchmarkWrite/create_ticket-2         \t       5\t 216600000 ns/op\t         0.2310 ratio\t 5,1 writes/s\n" +
		"BenchmarkSearch/sqlite                 \t       1\t         0.3700 properties_rare_ms\n" +
		"BenchmarkSearch/postgres-16\n" +
		"level=INFO msg=\"a line of a log\"\n" +
		"BenchmarkSpeaks-2   \tlevel=WARN msg=\"in the middle of the line\"\n" +
		"       3\t       12 µs/call\n" +
		"BenchmarkTwice-2\t1\t1 ratio\nBenchmarkTwice-2\t1\t9 ratio\nBenchmarkTwice-2\t1\t3 ratio\n" +
		"BenchmarkNothing-2\t1\tNaN ratio\t+Inf a/s\n" +
		"--- SKIP: BenchmarkSkipped\nPASS\nok  \tportal/api/rest\t1.234s\n")
	want := reported{
		"BenchmarkWrite/create_ticket ns/op":        {216600000},
		"BenchmarkWrite/create_ticket ratio":        {0.231},
		"BenchmarkSearch/sqlite properties_rare_ms": {0.37},
		"BenchmarkSpeaks µs/call":                   {12},
		"BenchmarkTwice ratio":                      {1, 9, 3},
	}
	if !maps.EqualFunc(r, want, slices.Equal) {
		t.Errorf("read %v, want %v", r, want)
	}
	if got := r.median("BenchmarkTwice ratio"); got != 3 {
		t.Errorf("the median is %v", got)
	}
}

func TestMemoryFiguresAreParsed(t *testing.T) {
	r := reported{}
	r.read("MB                             RssAnon       VmRSS     Go heap\n" +
		"after the start                   42.1        84.8        15.7\n" +
		"peak of the first second          92.3\n" +
		"under load, 3s                    78.9       132.8        28.1\n" +
		"under load, 1m0s                  85.8       139.7        33.9\n" +
		"712 answers of status 201\n")
	want := reported{
		"memory after the start own-MB": {42.1}, "memory after the start resident-MB": {84.8},
		"memory after the start heap-MB": {15.7}, "memory peak of the first second own-MB": {92.3},
		"memory under load own-MB": {78.9, 85.8}, "memory under load resident-MB": {132.8, 139.7},
		"memory under load heap-MB": {28.1, 33.9},
	}
	if !maps.EqualFunc(r, want, slices.Equal) {
		t.Errorf("read %v, want %v", r, want)
	}
}

func TestNumbersHaveSignificantDigits(t *testing.T) {
	for value, want := range map[float64]string{
		0: "0", 0.00432: "0.0043", 0.0996: "0.1", 0.273: "0.27", 1.04: "1.0", 9.96: "10.0", 82.6: "83", 828.4: "828",
		5674: "5,670", 22938: "22,900", 999_600: "1,000,000", 327_000_123: "327,000,000",
	} {
		if got := number(value); got != want {
			t.Errorf("%v is written %s, want %s", value, got, want)
		}
	}
}

// everything is a figure of each name that is declared, but for those of PostgreSQL where it is not there.
func everything(postgres bool) reported {
	r := reported{}
	for _, s := range sections {
		for _, name := range s.declared() {
			if postgres || !ofPostgres(name) {
				r[name] = []float64{7}
			}
		}
	}
	return r
}

func TestPageHasEverySectionWithItsCommands(t *testing.T) {
	text, err := write(machine{
		Date: "2026-01-02", Commit: "0123456789ab", CPU: "A Processor", Go: "go1.30", Files: "ext4", PostgreSQL: "18.1",
	}, everything(true))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"2026-01-02", "0123456789ab", "18.1", "| 7.0 | 7.0 | 1.0 | 1.0 |"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if strings.Contains(text, dash) || strings.Contains(text, "{{") || strings.Contains(text, "|  |") {
		t.Errorf("a cell is not filled:\n%s", text)
	}
	if strings.Contains(text, "\n\n\n") {
		t.Error("the page has two empty lines in a row")
	}
	for _, s := range sections {
		part, err := s.text(everything(true), true)
		if err != nil {
			t.Error(err)
		}
		for _, command := range s.commands {
			if !strings.Contains(part, "\n    "+command+"\n") {
				t.Errorf("the section %s does not show %s", s.name, command)
			}
		}
	}
}

func TestTableRowsHaveEqualCellCounts(t *testing.T) {
	text, err := write(machine{PostgreSQL: "18.1"}, everything(true))
	if err != nil {
		t.Fatal(err)
	}
	cells := 0
	for line := range strings.Lines(text) {
		n := strings.Count(line, "|")
		if n > 0 && cells > 0 && n != cells {
			t.Errorf("not as wide as the row before: %s", line)
		}
		cells = n
	}
}

func TestPostgreSQLCellsAreDashesWithoutIt(t *testing.T) {
	text, err := write(machine{}, everything(false))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "| 7.0 | – | 1.0 | – |") {
		t.Error("no row has a dash beside a figure")
	}
	if _, err := write(machine{PostgreSQL: "18.1"}, everything(false)); err == nil {
		t.Error("with PostgreSQL its figures may be missing")
	}
}

// What the table declares and what the template asks for are the same.
func TestMissingFigureIsAnError(t *testing.T) {
	for _, s := range sections {
		for _, name := range s.declared() {
			r := everything(true)
			delete(r, name)
			if _, err := s.text(r, true); err == nil {
				t.Errorf("the section %s declares %q, which its template does not ask for", s.name, name)
			}
		}
		s.figures = nil
		if _, err := s.text(everything(true), true); err == nil {
			t.Errorf("the template of %s may ask for what is not declared", s.name)
		}
	}
}

func TestFailedCommandIsAnError(t *testing.T) {
	s := section{name: "list", commands: []string{"echo it broke; exit 3"}}
	err := s.measure(t.Context(), reported{}, false, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "it broke") {
		t.Errorf("a command failed with %v", err)
	}
	s = section{
		name:     "list",
		commands: []string{"printf 'BenchmarkA\\t1\\t2 ratio\\n'"},
		figures:  []figures{{"BenchmarkA", "ratio"}, {"BenchmarkB/postgres", "ratio"}},
	}
	if err := s.measure(t.Context(), reported{}, false, io.Discard); err != nil {
		t.Error(err)
	}
	if err := s.measure(t.Context(), reported{}, true, io.Discard); err == nil {
		t.Error("a figure is missing and nobody says so")
	}
	if err := run(t.Context(), "nothing", io.Discard, io.Discard); err == nil {
		t.Error("a section is measured that is not there")
	}
}

// The page in the tree has the sections of the template and their commands, each heading once.
func TestPageMatchesTemplate(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("../..", page))
	if err != nil {
		t.Fatal(err)
	}
	made, err := write(machine{}, everything(false))
	if err != nil {
		t.Fatal(err)
	}
	heading, command := regexp.MustCompile(`(?m)^#+ .*$`), regexp.MustCompile(`(?m)^    go .*$`)
	if got, want := heading.FindAllString(string(text), -1), heading.FindAllString(made, -1); !slices.Equal(got, want) {
		t.Errorf("the headings are %q, want %q: write the page anew by make figures", got, want)
	}
	if got, want := command.FindAllString(string(text), -1), command.FindAllString(made, -1); !slices.Equal(got, want) {
		t.Errorf("the commands are %q, want %q: write the page anew by make figures", got, want)
	}
	known := map[string]bool{}
	for _, h := range heading.FindAllString(made, -1) {
		if known[h] {
			t.Errorf("the heading %q is there twice", h)
		}
		known[h] = true
	}
}

// Each command that begins "go test" names a package, and a benchmark that this has.
func TestPageCommandsRunExistingBenchmarks(t *testing.T) {
	parts := regexp.MustCompile(`^go test \./(\S+) -vet=off -run '\^\$' -bench '([^']+)' -benchtime \d+x$`)
	function := regexp.MustCompile(`(?m)^func (Benchmark\w+)\(b \*testing\.B\)`)
	for _, s := range sections {
		for _, line := range s.commands {
			if strings.HasPrefix(line, "go run ./cmd/load ") {
				continue
			}
			found := parts.FindStringSubmatch(line)
			if found == nil {
				t.Errorf("%s is written in another way than the others", line)
				continue
			}
			files, err := filepath.Glob(filepath.Join("../..", found[1], "*_test.go"))
			if err != nil || len(files) == 0 {
				t.Errorf("%s: no tests, %v", line, err)
			}
			var names []string
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				for _, m := range function.FindAllStringSubmatch(string(text), -1) {
					names = append(names, m[1])
				}
			}
			for pattern := range strings.SplitSeq(found[2], "|") {
				top, _, _ := strings.Cut(pattern, "/")
				wanted := regexp.MustCompile(top)
				if !slices.ContainsFunc(names, wanted.MatchString) {
					t.Errorf("%s: there is no %s", line, top)
				}
			}
		}
	}
}

// A page that the benchmark no longer asks for is found here, not after a quarter of an hour.
func TestPageGroupsMatchBenchmark(t *testing.T) {
	text, err := os.ReadFile("../load/pages_bench_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for group, units := range pageGroups {
		for unit := range strings.FieldsSeq(units) {
			if path := strings.TrimSuffix(unit, "_ms"); !strings.Contains(string(text), `"`+path+`"`) {
				t.Errorf("%s has %s, which the benchmark does not ask for", group, path)
			}
		}
	}
}

func TestMachineIsNamed(t *testing.T) {
	info := "processor\t: 0\nvendor_id\t: V\nmodel name\t: A Processor @ 2.0GHz\nmodel name\t: Another\n"
	if got := model(info); got != "A Processor @ 2.0GHz" {
		t.Errorf("the processor is %q", got)
	}
	if _, err := versionOf(t.Context(), "postgres://127.0.0.1:1/none"); err == nil {
		t.Error("a PostgreSQL that does not answer is no error")
	}
}
