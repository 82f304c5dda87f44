package upload_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/rentroll"
	"portal/api/portfolio/upload"
	"portal/db/portfoliostore"
)

// older is a rent roll, and newer is what became of it: other bedrooms in unit 1, a new rent and an email address in
// unit 2, another tenant in unit 3, a unit 5; unit 4 is vacant, and unit 6 is gone.
const (
	head  = "address,city,state,unit,beds,tenant,email,start,end,rent,balance\n"
	older = head +
		"7 Oak St,Austin,TX,1,2,Amara Okafor,amara@example.com,2026-01-01,2026-12-31,900,\n" +
		"7 Oak St,Austin,TX,2,1,Per Lind,,2026-01-01,,800,25\n" +
		"7 Oak St,Austin,TX,3,1,Tobias Marsh,,2026-01-01,2026-12-31,850,\n" +
		"7 Oak St,Austin,TX,4,1,Elena Marsh,,2026-01-01,2026-12-31,950,\n" +
		"7 Oak St,Austin,TX,6,1,Hollis Grant,,2026-01-01,,700,\n"
	newer = head +
		"7 Oak St,Austin,TX,1,3,Amara Okafor,amara@example.com,2026-01-01,2026-12-31,900,\n" +
		"7 Oak St,Austin,TX,2,1,Per Lind,per@example.com,2026-01-01,,825,75\n" +
		"7 Oak St,Austin,TX,3,1,Wren Grant,,2026-11-01,2027-10-31,875,10\n" +
		"7 Oak St,Austin,TX,4,1,Vacant,,,,,\n" +
		"7 Oak St,Austin,TX,5,,,,,,,\n"
)

// imports imports a file with answers about its questions, and tells what came of it.
func (o *fixture) imports(by access.Actor, content string, answers map[string]string) *upload.Upload {
	o.Helper()
	u := o.takes(by, []byte(content))
	if len(answers) > 0 {
		said := map[string]*string{}
		for question, answer := range answers {
			said[question] = &answer
		}
		_, err := o.Answer(o.Context(), by, u.ID, said)
		o.ok(err)
	}
	begun, err := o.confirms(by, u.ID)
	o.ok(err)
	if !begun {
		o.Fatal("it was not confirmed")
	}
	o.ok(o.Fulfil(o.Context(), o.orders[len(o.orders)-1]))
	return o.reads(by, u.ID)
}

// holds is what a portfolio holds, a record a line.
func (o *fixture) holds(in access.Portfolio) string {
	o.Helper()
	var all []string
	x := &rentroll.Existing{}
	store := portfoliostore.New(o.db)
	o.ok(store.Addresses(o.Context(), in, func(p *portfolio.Property) {
		all = append(
			all,
			fmt.Sprintf("property %s, %d units, %d occupied", p.StreetAddress, p.UnitCount, p.OccupiedUnitCount),
		)
		x.Add(p)
	}, func(u *portfolio.Unit) {
		all = append(all, fmt.Sprintf("unit %s: %d beds, %s", u.UnitNumber, *cmpOr(u.Bedrooms), u.Status))
	}))
	leases, err := store.Leases(o.Context(), in, portfolio.LeaseFilter{Query: portfolio.AllLeases})
	o.ok(err)
	for i := range leases {
		l := &leases[i]
		all = append(
			all,
			fmt.Sprintf("lease of %s from %s: %s, %s", l.Tenants[0].Name, l.StartDate, l.MonthlyRent, l.Status),
		)
	}
	tenants, err := store.Tenants(o.Context(), in, portfolio.TenantFilter{Query: portfolio.AllLeases})
	o.ok(err)
	for i := range tenants {
		t := &tenants[i]
		email := "none"
		if t.Email != nil {
			email = *t.Email
		}
		all = append(all, fmt.Sprintf("tenant %s: %s, %s", t.Name, email, t.Status))
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

func cmpOr(n *int) *int {
	if n == nil {
		return new(-1)
	}
	return n
}

func TestSameFileChangesNothing(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.by(access.Live, 100)
		by.Scopes = append(by.Scopes, access.Payments)
		o.imports(by, older, nil)
		before, owed := o.holds(by.Portfolio), o.owed(by)
		u := o.takes(by, []byte(older))
		if p := u.Preview; !p.Nothing() || p.Same != 5 || len(p.Changes) != 0 || p.Missing != 0 {
			o.Errorf("it would do %+v, with %d lines the same", p.Totals, p.Same)
		}
		if done := o.imports(by, older, nil); *done.Totals != (upload.Totals{}) {
			o.Errorf("it did %+v", done.Totals)
		}
		if after := o.holds(by.Portfolio); after != before || o.owed(by) != owed {
			o.Errorf("the portfolio holds\n%s\nand held\n%s", after, before)
		}
	})
}

// owed is what the rows of the ledger add up to.
func (o *fixture) owed(by access.Actor) (sum money.Cents) {
	o.Helper()
	rows, err := portfoliostore.New(o.db).Payments(o.Context(), by.Portfolio,
		portfolio.PaymentFilter{Query: portfolio.AllLeases}, clock.DateOf(o.now, time.UTC))
	o.ok(err)
	for i := range rows {
		sum += rows[i].Amount
	}
	return sum
}

func TestNewerFileShowsWhatIsNewChangedAndGone(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.by(access.Live, 100)
		by.Scopes = append(by.Scopes, access.Payments)
		o.imports(by, older, nil)
		u := o.takes(by, []byte(newer))
		if len(u.Preview.Problems) != 1 || u.Preview.Problems[0].Line != 4 ||
			!strings.Contains(u.Preview.Problems[0].Message, "a lease of this unit with Tobias Marsh from 2026-01-01") {
			o.Fatalf("problems: %v", u.Preview.Problems)
		}
		ended := u.Preview.Problems[0].Question
		u, err := o.Answer(o.Context(), by, u.ID, map[string]*string{ended: new(rentroll.Apply)})
		o.ok(err)
		var got []string
		for _, c := range u.Preview.Changes {
			got = append(got, fmt.Sprint(c.Kind, " ", c.Line, " ", c.Tenant, " ", c.Fields, " ", c.Ticked))
		}
		if want := []string{
			"unit 2  [{bedrooms 2 3}] false",
			"lease 3 Per Lind [{monthly_rent 800.00 825.00}] false",
			"tenant 3 Per Lind [{email  per@example.com}] false",
			"end 4 Tobias Marsh [{status active terminated} {terminated_on  2026-10-31}] true",
			"end 0 Elena Marsh [{status active terminated} {terminated_on  2026-11-12}] false",
			"end 0 Hollis Grant [{status active terminated} {terminated_on  2026-11-12}] false",
		}; !slices.Equal(got, want) {
			o.Errorf("changes\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		want := upload.Totals{Joined: 1, Units: 1, Tenants: 1, Leases: 1, Balances: 1, Changed: 1}
		if u.Preview.Totals != want || u.Preview.Missing != 1 {
			o.Errorf("%+v, %d units missing", u.Preview.Totals, u.Preview.Missing)
		}
		if !slices.ContainsFunc(u.Preview.Notes, func(n rentroll.Note) bool {
			return n.Line == 3 && strings.HasPrefix(n.Message, "The portfolio has the tenants of 1 line with a balance")
		}) {
			o.Errorf("notes: %v", u.Preview.Notes)
		}
		before := o.holds(by.Portfolio)
		o.imports(by, newer, map[string]string{ended: rentroll.Apply})
		for _, gone := range []string{
			"property 7 Oak St, 5 units, 5 occupied", "lease of Tobias Marsh from 2026-01-01: 850.00, active",
			"tenant Tobias Marsh: none, current",
		} {
			before = strings.Replace(before, gone, "", 1)
		}
		after := o.holds(by.Portfolio)
		for _, line := range append(strings.Split(before, "\n"), // what is not ticked stays
			"property 7 Oak St, 6 units, 5 occupied", "unit 5: -1 beds, vacant",
			"lease of Tobias Marsh from 2026-01-01: 850.00, terminated", "tenant Tobias Marsh: none, past",
			"lease of Wren Grant from 2026-11-01: 875.00, active", "tenant Wren Grant: none, current",
		) {
			if !strings.Contains(after, line) {
				o.Errorf("there is no %s in\n%s", line, after)
			}
		}
	})
}

func TestTickedChangesAreMade(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.by(access.Live, 100)
		by.Scopes = append(by.Scopes, access.Payments)
		o.imports(by, older, nil)
		u := o.imports(by, newer, map[string]string{
			"changes:unit": rentroll.Apply, "changes:lease": rentroll.Apply, "changes:tenant": rentroll.Apply,
			"changes:end": rentroll.Apply,
		})
		if u.Status != upload.Done || u.Totals.Changed != 6 {
			o.Fatalf("%+v %+v", u.Totals, u.Preview)
		}
		after := o.holds(by.Portfolio)
		for _, line := range []string{
			"property 7 Oak St, 6 units, 3 occupied", "unit 1: 3 beds, occupied", "unit 4: 1 beds, vacant",
			"lease of Per Lind from 2026-01-01: 825.00, active", "tenant Per Lind: per@example.com, current",
			"lease of Elena Marsh from 2026-01-01: 950.00, terminated", "tenant Hollis Grant: none, past",
		} {
			if !strings.Contains(after, line) {
				o.Errorf("there is no %s in\n%s", line, after)
			}
		}
		again := o.takes(by, []byte(newer))
		if !again.Preview.Nothing() || len(again.Preview.Changes) > 0 || len(again.Preview.Problems) > 0 {
			o.Errorf("once more: %+v", again.Preview)
		}
	})
}

func TestImportIsGivenBackWhereOtherChangesWouldBeMade(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.by(access.Live, 100)
		by.Scopes = append(by.Scopes, access.Payments)
		o.imports(by, older, nil)
		other := strings.ReplaceAll(older, ",800,25", ",890,25")
		first, second := o.takes(by, []byte(other)), o.takes(by, []byte(strings.ReplaceAll(other, ",890,", ",870,")))
		for _, u := range []*upload.Upload{first, second} {
			_, err := o.Answer(o.Context(), by, u.ID, map[string]*string{"changes:lease": new(rentroll.Apply)})
			o.ok(err)
			_, err = o.confirms(by, u.ID)
			o.ok(err)
		}
		for _, order := range o.orders[len(o.orders)-2:] {
			o.ok(o.Fulfil(o.Context(), order))
		}
		if got := o.reads(by, second.ID); got.Status != upload.Ready || !got.Preview.Refused {
			o.Errorf("the other file is %s", got.Status)
		}
		if after := o.holds(by.Portfolio); !strings.Contains(after, "lease of Per Lind from 2026-01-01: 890.00") {
			o.Errorf("the portfolio holds\n%s", after)
		}
	})
}

func TestChangeOfRentNeedsItsScope(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.by(access.Live, 100)
		o.imports(by, older, nil)
		u := o.imports(by, newer, map[string]string{"changes:lease": rentroll.Apply, "changes:end": rentroll.Apply})
		if u.Status != upload.Ready || !u.Preview.Refused || !strings.Contains(u.Preview.Why, "the scope payments") {
			o.Errorf("%s: %+v", u.Status, u.Preview)
		}
		if after := o.holds(
			by.Portfolio,
		); !strings.Contains(
			after,
			"lease of Tobias Marsh from 2026-01-01: 850.00, active",
		) {
			o.Errorf("the portfolio holds\n%s", after)
		}
		_, err := o.Answer(o.Context(), by, u.ID, map[string]*string{"changes:rent": new(rentroll.Apply)})
		if !fault.Is(err, fault.InvalidField) {
			o.Errorf("a kind that is none: %v", err)
		}
	})
}

func TestColumnsAreRememberedForFilesWithTheSameHeader(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.by(access.Live, 100)
		const header = "Where,City,State,No\n"
		u := o.takes(by, []byte(header+"7 Oak St,Austin,TX,1\n"))
		if u.Preview.Remembered || u.Preview.Headings[3].Field != "" {
			o.Fatalf("%+v", u.Preview.Headings)
		}
		o.imports(by, header+"7 Oak St,Austin,TX,1\n", map[string]string{
			"column:1": "street_address", "column:4": "unit_number", "value:state:Texaz": "TX",
		})
		u = o.takes(by, []byte(strings.ToUpper(header)+"7 Oak St,Austin,Texaz,2\n"))
		if p := u.Preview; !p.Remembered || p.Headings[3].Field != "unit_number" || len(p.Answers) != 2 ||
			len(p.Problems) != 1 {
			o.Errorf("%+v, answers %v, problems %v", p.Headings, p.Answers, p.Problems)
		}
		if u := o.takes(by, []byte("Where,City,State,No.2\n7 Oak St,Austin,TX,1\n")); u.Preview.Remembered {
			o.Error("it is remembered for another header")
		}
		foreign := by
		foreign.AccountID = "acc_other"
		if u := o.takes(foreign, []byte(header+"7 Oak St,Austin,TX,1\n")); u.Preview.Remembered {
			o.Error("it is remembered for another account")
		}
	})
}

// A tenant left before long, and another came on the same day of the next lease of the file.
func TestLeaseThatHasEndedIsNotTakenForThatOfAnotherTenant(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.by(access.Live, 100)
		by.Scopes = append(by.Scopes, access.Payments)
		const line = "7 Oak St,Austin,TX,1,2,"
		o.imports(by, head+line+"Amara Okafor,,2026-01-01,2026-03-31,900,\n", nil)
		u := o.imports(by, head+line+"Per Lind,,2026-01-01,2026-12-31,950,\n", nil)
		if want := (upload.Totals{Tenants: 1, Leases: 1}); *u.Totals != want {
			o.Errorf("it wrote %+v", u.Totals)
		}
		u = o.takes(by, []byte(head+line+"Amara Okafor,,2026-01-01,2026-03-31,900,\n"+
			line+"Per Lind,,2026-04-01,2026-12-31,950,\n"))
		if len(u.Preview.Problems) != 1 || u.Preview.Leases != 0 {
			o.Errorf("a lease that begins later than the one there is: %v, %+v", u.Preview.Problems, u.Preview.Totals)
		}
	})
}

// Who has a new lease in the same home owes what the ledger says, which the file repeats.
func TestBalanceIsBroughtForwardOnce(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.by(access.Live, 100)
		const line = "7 Oak St,Austin,TX,1,2,Per Lind,,"
		o.imports(by, head+line+"2025-11-01,2026-10-31,800,25\n", nil)
		u := o.imports(by, head+line+"2026-11-01,2027-10-31,850,25\n", nil)
		if want := (upload.Totals{Leases: 1}); *u.Totals != want || o.owed(by) != 25_00 {
			o.Errorf("it wrote %+v, and %s are owed", u.Totals, o.owed(by))
		}
	})
}

// So does who moves into another home, though the file has a balance in the line of that one alone.
func TestBalanceOfNewHomeIsNotedWhereTheLedgerKnowsTheTenant(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.by(access.Live, 100)
		const (
			had  = "7 Oak St,Austin,TX,1,2,Per Lind,per@example.com,2025-11-01,2026-10-31,800,"
			home = "9 Elm St,Austin,TX,1,2,Per Lind,per@example.com,2026-11-01,,850,75\n"
		)
		o.imports(by, head+had+"25\n", nil)
		u := o.takes(by, []byte(head+had+"\n"+home))
		if want := (upload.Totals{Properties: 1, Units: 1, Leases: 1}); u.Preview.Totals != want {
			o.Errorf("it would write %+v", u.Preview.Totals)
		}
		if !slices.ContainsFunc(u.Preview.Notes, func(n rentroll.Note) bool {
			return n.Line == 3 && n.Column == "balance" &&
				strings.HasPrefix(n.Message, "The portfolio has the tenants of 1 line with a balance already.")
		}) {
			o.Errorf("notes: %v", u.Preview.Notes)
		}
	})
}

func TestWhatIsTakenBackOfColumnsIsForgotten(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.by(access.Live, 100)
		const file = "Where,City,State,Street Address,No\n7 Oak St,Austin,TX,7 Oak St,1\n"
		o.imports(by, file, map[string]string{"column:5": "unit_number"})
		unsaid := o.takes(by, []byte(strings.ToUpper(file)))
		_, err := o.Answer(o.Context(), by, unsaid.ID, map[string]*string{"value:state:TX": new("TX")})
		o.ok(err)
		_, err = o.confirms(by, unsaid.ID) // says nothing else of the columns
		o.ok(err)
		u := o.takes(by, []byte(file))
		if !u.Preview.Remembered {
			o.Fatal("it is not remembered")
		}
		u, err = o.Answer(o.Context(), by, u.ID, map[string]*string{"column:5": nil})
		o.ok(err)
		u, err = o.Answer(o.Context(), by, u.ID, map[string]*string{"value:state:TX": new("TX")}) // of no column
		o.ok(err)
		if again := o.takes(by, []byte(file)); !again.Preview.Remembered {
			o.Error("it is forgotten before the file is imported")
		}
		_, err = o.confirms(by, u.ID)
		o.ok(err)
		if again := o.takes(by, []byte(file)); again.Preview.Remembered || again.Preview.Headings[4].Field != "" {
			o.Errorf("it is still remembered: %+v", again.Preview.Headings)
		}
	})
}

// Who says nothing of the columns of a file leaves what others have said of those of another one.
func TestFileWithoutAnswersForgetsNothing(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.by(access.Live, 100)
		const file = "Where,City,State,Street Address,No\n7 Oak St,Austin,TX,7 Oak St,1\n"
		earlier := o.takes(by, []byte(file))
		o.imports(by, file, map[string]string{"column:5": "unit_number"})
		_, err := o.confirms(by, earlier.ID)
		o.ok(err)
		if again := o.takes(by, []byte(file)); !again.Preview.Remembered {
			o.Error("it is forgotten")
		}
	})
}
