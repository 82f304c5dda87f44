package records_test

import (
	"encoding/csv"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"portal/api/money"
)

// lateRule is what the table of the law says of late fees in a state, as a test reads it by itself.
type lateRule struct {
	state, limit string
	grace        int
}

// lateRules reads the rules of all states and of DC.
func lateRules(t testing.TB) (all []lateRule) {
	t.Helper()
	f, err := os.Open("../lease/law/lease_rules.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	table, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := func(name string) int { return slices.Index(table[0], name) }
	for _, row := range table[1:] {
		grace, err := strconv.Atoi(row[column("late_fee_grace_days")])
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, lateRule{row[column("state")], row[column("late_fee_cap")], grace})
	}
	if len(all) != 51 {
		t.Fatalf("%d states", len(all))
	}
	return all
}

// owing is a month's rent that is late: what a month costs, what is overdue of it, and for how many days a fee can be
// asked already.
type owing struct {
	rent, overdue money.Cents
	day           int64
	units         int // of the building, 0 where they are not known
}

// most is the limit of a late fee; limited is false where the law has no figure.
func (r lateRule) most(o owing) (most money.Cents, limited bool) {
	switch head, _, _ := strings.Cut(r.limit, ":"); {
	case r.limit == "none" || r.limit == "reasonable":
		return 0, false
	case strings.ContainsAny(head, "<>"):
		for branch := range strings.SplitSeq(r.limit, "|") {
			when, sum, _ := strings.Cut(branch, ":")
			if is := r.sum(sum, o); o.holds(when) && (!limited || is < most) {
				most, limited = is, true
			}
		}
		return most, limited
	}
	return r.sum(r.limit, o), true
}

// holds reports whether a condition holds, or may hold.
func (o owing) holds(when string) bool {
	name, than, found := strings.Cut(when, "<=")
	if !found {
		name, than, _ = strings.Cut(when, ">")
	}
	n, _ := strconv.ParseInt(than, 10, 64)
	switch {
	case name == "rent":
		return (o.rent <= money.Dollars(n)) == found
	case o.units == 0:
		return true
	}
	return (int64(o.units) <= n) == found
}

// sum reads pct:5|flat:50:greater and daily:12:max:60.
func (r lateRule) sum(text string, o owing) money.Cents {
	var all []money.Cents
	pick := slices.Max[[]money.Cents]
	for part := range strings.SplitSeq(text, "|") {
		words := strings.Split(part, ":")
		number := func(i int) money.Cents {
			n, _ := strconv.ParseInt(words[i], 10, 64)
			return money.Cents(n)
		}
		if last := words[len(words)-1]; last == "lesser" {
			pick = slices.Min[[]money.Cents]
		}
		switch words[0] {
		case "pct":
			all = append(all, (r.base(o)*number(1)*2+100)/200)
		case "flat":
			all = append(all, number(1)*100)
		case "daily":
			all = append(all, min(number(1)*100*money.Cents(o.day), number(3)*100))
		}
	}
	return pick(all)
}

// base is what a percentage is of: of the month's rent in some states, of what is overdue in others, and in Virginia of
// the lesser one.
func (r lateRule) base(o owing) money.Cents {
	switch r.state {
	case "DE", "DC", "ME", "NV", "NM", "NY", "NC", "TX", "UT", "MD":
		return o.rent
	case "VA":
		return min(o.rent, o.overdue)
	}
	return o.overdue
}
