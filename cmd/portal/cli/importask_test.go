package cli

import (
	"maps"
	"os"
	"strings"
	"testing"
	"time"

	"portal/api/portfolio/rentroll"
)

var today = time.Date(2026, 11, 2, 17, 0, 0, 0, time.UTC)

// settled answers the questions of a file with the lines that somebody types.
func settled(t *testing.T, file string, typed ...string) (answers rentroll.Answers, shown string, left int) {
	t.Helper()
	var out strings.Builder
	a := newAsker(strings.NewReader(strings.Join(typed, "\n")+"\n"), &out)
	answers = rentroll.Answers{}
	given, err := a.settle(answers, func(answers rentroll.Answers) ([]rentroll.Problem, error) {
		roll, _ := rentroll.ReadWith(strings.NewReader(file), answers)
		_, problems := roll.Plan(nil, today, time.UTC)
		left = len(problems)
		return problems, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if given != (len(answers) > 0) {
		t.Errorf("something was said: %v, with %v", given, answers)
	}
	if err := a.say(answers); err != nil {
		t.Fatal(err)
	}
	return answers, out.String(), left
}

const twoUnclear = "Address,City,State,Apt,Tenant,Start,Rent\n9 Juniper Ln,Austin,TX,,Ann Lee,2026-01-01,900\n" +
	"9 Juniper Ln Unit B,Austin,TX,B,Bo Day,2026-01-01,900\n7 Elm St,Austin,TX,,Cy Fox,2026-01-01,9OO\n"

func TestQuestionsAreAskedUntilTheFileIsClear(t *testing.T) {
	t.Parallel()
	answers, shown, left := settled(t, twoUnclear, "x", "1", "9O0", "900")
	want := rentroll.Answers{"units:in_streets": rentroll.OneProperty, "value:monthly_rent:9OO": "900"}
	if left != 0 || !maps.Equal(answers, want) {
		t.Errorf("%d problems are left, with %v:\n%s", left, answers, shown)
	}
	for _, part := range []string{
		"  1  Units of one property\n", "Type the number of a choice, or nothing.", "Text to use (nothing skips): ",
		"--mapping FILE", `"value:monthly_rent:9OO": "900"`,
	} {
		if !strings.Contains(shown, part) {
			t.Errorf("%q is not shown:\n%s", part, shown)
		}
	}
}

func TestQuestionThatIsSkippedIsNotAskedAgain(t *testing.T) {
	t.Parallel()
	answers, shown, left := settled(t, twoUnclear, "", "900")
	if left != 1 || len(answers) != 1 || strings.Count(shown, "Units of one property") != 1 {
		t.Errorf("%d problems are left, with %v:\n%s", left, answers, shown)
	}
	if answers, _, _ := settled(t, twoUnclear); len(answers) != 0 {
		t.Errorf("nobody has said %v", answers)
	}
}

func TestAnswerThatCannotBeIsAskedAgain(t *testing.T) {
	t.Parallel()
	answers, shown, left := settled(t, "unit,tenant,start,rent\n1,Ann Lee,2026-01-01,900\n",
		"at home", "9 Pine St, Austin, TX 78701")
	if left != 0 || answers["address:"] != "9 Pine St, Austin, TX 78701" ||
		!strings.Contains(shown, "is not an address") {
		t.Errorf("%d problems are left, with %v:\n%s", left, answers, shown)
	}
}

func TestNobodyIsAskedWithoutTerminal(t *testing.T) {
	t.Parallel()
	file, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if terminal(file) || terminal(strings.NewReader("1\n")) {
		t.Error("somebody would be asked")
	}
}
