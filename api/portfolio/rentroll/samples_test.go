package rentroll_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/rentroll"
)

// noon is the day for which the results of the samples are written down.
var noon = time.Date(2026, 11, 20, 18, 0, 0, 0, time.UTC)

// samples are rent rolls as other programs write them. What each becomes stands in testdata: a property, a unit, a
// lease or a balance a line.
var samples = []string{"grouped.csv", "onerow.csv", "ownsheet.csv", "workbook.xlsx"}

// becomes is what a sample becomes.
func becomes(t *testing.T, sample string) string {
	t.Helper()
	name, _, _ := strings.Cut(sample, ".")
	text, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// sampleQuestions are what is asked of them, each with the answer that makes of it what it becomes.
var sampleQuestions = map[string]rentroll.Answers{
	"ownsheet.csv": {"units:in_streets": rentroll.OneProperty},
}

// answered reads a sample, or a variation of it, which asks what it should, and is answered.
func answered(t *testing.T, name string, text []byte) (*rentroll.Roll, []rentroll.Problem) {
	t.Helper()
	_, problems := rentroll.Read(bytes.NewReader(text))
	asked := rentroll.Answers{}
	for _, p := range problems {
		if answer, is := sampleQuestions[name][p.Question]; is {
			asked[p.Question] = answer
		}
	}
	if len(asked) != len(sampleQuestions[name]) {
		t.Errorf("%s asks %v", name, problems)
	}
	return rentroll.ReadWith(bytes.NewReader(text), sampleQuestions[name])
}

func sampleFile(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("sheet", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestRollsOfOtherProgramsBecomeTheRightPortfolio(t *testing.T) {
	for _, name := range samples {
		want := becomes(t, name)
		roll, problems := answered(t, name, sampleFile(t, name))
		if len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
			continue
		}
		if got := written(t, roll); got != want {
			t.Errorf("%s becomes\n%s\nwant\n%s", name, got, want)
		}
		if got := guesses(roll); len(got) > 0 {
			t.Errorf("%s is guessed at: %q", name, got)
		}
	}
}

// guesses are the notes that somebody has to agree to.
func guesses(roll *rentroll.Roll) (all []string) {
	for _, n := range roll.Notes() {
		if n.Guess {
			all = append(all, n.String())
		}
	}
	return all
}

// written is what a roll becomes in an empty portfolio, a record a line.
func written(t *testing.T, roll *rentroll.Roll) string {
	t.Helper()
	plan, problems := roll.Plan(nil, noon, time.UTC)
	if plan == nil {
		t.Fatal(problems)
	}
	var properties, units, leases, balances strings.Builder
	for b := range plan.Books(100) {
		for i := range b.Properties {
			p := &b.Properties[i]
			fmt.Fprintf(
				&properties,
				"property %s: %s, %s, %s %s, %d units\n",
				or(p.Name),
				p.StreetAddress,
				p.City,
				p.State,
				or(p.PostalCode),
				p.UnitCount,
			)
		}
		for i := range b.Units {
			u := &b.Units[i]
			fmt.Fprintf(&units, "unit %s: %s beds, %s baths, %s sq ft, asks %s, %s\n", u.UnitNumber, or(u.Bedrooms),
				or(bathsOf(u.Bathrooms)), or(u.SquareFeet), or(u.MarketRent), u.Status)
		}
		for i := range b.Leases {
			l := &b.Leases[i]
			var tenants []string
			for _, p := range l.Tenants {
				tenants = append(tenants, p.Name)
			}
			fmt.Fprintf(&leases, "lease %s: %s, %s to %s, %s and %s, %s", l.RentalAddress, strings.Join(tenants, ", "),
				l.StartDate, or(l.EndDate), l.MonthlyRent, l.SecurityDeposit, l.Status)
			if l.MoveOutDate != nil {
				fmt.Fprintf(&leases, ", moves out %s", *l.MoveOutDate)
			}
			leases.WriteString("\n")
		}
		for i := range b.Payments {
			p := &b.Payments[i]
			fmt.Fprintf(&balances, "balance %s: %s, due %s\n", p.Amount, or(p.Description), p.DueDate)
		}
	}
	return properties.String() + units.String() + leases.String() + balances.String()
}

// or is a value that may be unknown.
func or[T any](v *T) string {
	if v == nil {
		return "none"
	}
	return fmt.Sprint(*v)
}

func bathsOf(h *portfolio.Half) *string {
	if h == nil {
		return nil
	}
	return new(string(h.AppendJSON(nil)))
}

// rentOf is what the leases of a portfolio bring in a month.
func rentOf(t *testing.T, roll *rentroll.Roll) (sum money.Cents) {
	t.Helper()
	plan, problems := roll.Plan(nil, noon, time.UTC)
	if plan == nil {
		t.Fatal(problems)
	}
	for b := range plan.Books(100) {
		for i := range b.Leases {
			sum += b.Leases[i].MonthlyRent
		}
	}
	return sum
}
