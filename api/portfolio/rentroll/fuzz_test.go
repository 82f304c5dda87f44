package rentroll_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"portal/api/portfolio/rentroll"
)

func FuzzAnyFileIsAWholeBookOrHasFaultsThatCanBeFound(f *testing.F) {
	for _, c := range fileFaults {
		f.Add(c.file)
	}
	for _, c := range cellFaults {
		f.Add(cell(c.column, c.value))
	}
	f.Add(shuffled([]int{3, 1, 4, 0, 5, 9, 2, 6, 8, 7, 10, 11, 12, 13, 14, 15, 16, 17, 18}, ";", "\r\n"))
	f.Fuzz(func(t *testing.T, file string) {
		roll, faults := rentroll.Read(strings.NewReader(file))
		plan, all := roll.Plan(existing(), today, texas)
		if len(all) < len(faults) || (plan == nil) == (len(all) == 0) {
			t.Fatalf("plan %v with %d faults after %d", plan != nil, len(all), len(faults))
		}
		for _, fault := range all {
			checkFault(t, file, fault)
		}
		if plan != nil {
			if why := incoherent(plan, whole(plan)); why != "" {
				t.Fatal(why)
			}
		}
	})
}

func checkFault(t *testing.T, file string, f rentroll.Fault) {
	ends := strings.Count(file, "\n") + strings.Count(file, "\r")
	if f.Line < 1 || f.Line > ends+1 || f.Message == "" || !utf8.ValidString(f.String()) {
		t.Fatalf("fault %+v of a file of at most %d lines", f, ends+1)
	}
}
