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

// FuzzAnswer reads a file with any answer to any question: it is refused, or the file is read with it, and no unit of a
// line that is not left out is lost without a problem.
func FuzzAnswer(f *testing.F) {
	for _, q := range questions {
		for question, answer := range q.answers {
			f.Add(q.file, question, answer)
		}
	}
	f.Add("address,city,state\n7 Oak St,Austin,TX\n", "changes:lease", "apply")
	f.Fuzz(func(t *testing.T, file, question, answer string) {
		answers := rentroll.Answers{question: answer}
		refused := answers.Check()
		roll, problems := rentroll.ReadWith(strings.NewReader(file), answers)
		plain, without := rentroll.Read(strings.NewReader(file))
		if refused != nil && (roll.Units() != plain.Units() || len(problems) != len(without)) {
			t.Errorf("%q for %q is refused, and changes the file: %v", answer, question, refused)
		}
		if len(problems) == 0 && len(without) == 0 && roll.Units() < plain.Units() &&
			len(roll.Notes()) == len(plain.Notes()) {
			t.Errorf("%d of %d units are left without a word", plain.Units()-roll.Units(), plain.Units())
		}
	})
}
