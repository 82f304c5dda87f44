package rentroll_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"portal/api/portfolio/rentroll"
)

func FuzzAnyFileIsAWholeBookOrHasProblemsThatCanBeFound(f *testing.F) {
	for _, c := range fileProblems {
		f.Add(c.file)
	}
	for _, c := range cellProblems {
		f.Add(cell(c.column, c.value))
	}
	f.Add(shuffled([]int{3, 1, 4, 0, 5, 9, 2, 6, 8, 7, 10, 11, 12, 13, 14, 15, 16, 17, 18}, ";", "\r\n"))
	f.Fuzz(func(t *testing.T, file string) {
		roll, problems := rentroll.Read(strings.NewReader(file))
		plan, all := roll.Plan(existing(), today, texas)
		if len(all) < len(problems) || (plan == nil) == (len(all) == 0) {
			t.Fatalf("plan %v with %d problems after %d", plan != nil, len(all), len(problems))
		}
		for _, problem := range all {
			checkProblem(t, file, problem)
		}
		if plan != nil {
			if why := incoherent(plan, whole(plan)); why != "" {
				t.Fatal(why)
			}
		}
	})
}

func checkProblem(t *testing.T, file string, f rentroll.Problem) {
	ends := strings.Count(file, "\n") + strings.Count(file, "\r")
	if f.Line < 1 || f.Line > ends+1 || f.Message == "" || !utf8.ValidString(f.String()) {
		t.Fatalf("problem %+v of a file of at most %d lines", f, ends+1)
	}
}
