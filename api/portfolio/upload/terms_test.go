package upload_test

import (
	"fmt"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/portfolio"
	"portal/api/portfolio/rentroll"
	"portal/api/portfolio/upload"
	"portal/db/portfoliostore"
)

// termsHead has the columns that few files have, and termsLine is a line of them.
const (
	termsHead = "address,city,state,property name,unit,tenant,start,end,rent,due day,late fee,grace period,move in," +
		"move out\n"
	termsLine = "7 Oak St,Austin,TX,%s,1,Per Lind,%s,900,%s\n"
)

// terms are those of the only lease of a portfolio.
func (o *fixture) terms(by access.Actor) string {
	o.Helper()
	leases, err := portfoliostore.New(o.db).Leases(
		o.Context(), by.Portfolio, portfolio.LeaseFilter{Query: portfolio.AllLeases})
	o.ok(err)
	l := &leases[0]
	shown := []string{fmt.Sprint(l.RentDueDay)}
	for _, value := range []any{l.LateFeeAmount, l.LateFeeGraceDays, l.MoveInDate, l.MoveOutDate} {
		switch v := value.(type) {
		case *int:
			shown = append(shown, fmt.Sprint(*v))
		case fmt.Stringer:
			shown = append(shown, v.String())
		}
	}
	return strings.Join(shown, " ")
}

func TestTermsOfLeaseThatDifferAreChanges(t *testing.T) {
	const running = "2026-01-01,2026-12-31"
	for _, c := range []struct{ name, days, has, says, want, becomes string }{
		{
			"all", running, "1,50,3,2026-01-02,2026-12-30", "5,75.50,4,2026-01-03,2026-12-31",
			"[{rent_due_day 1 5} {late_fee_amount 50.00 75.50} {late_fee_grace_days 3 4} " +
				"{move_in_date 2026-01-02 2026-01-03} {move_out_date 2026-12-30 2026-12-31}]",
			"5 75.50 4 2026-01-03 2026-12-31",
		},
		{"the same", running, "5,50,3,2026-01-02,2026-12-30", "5th,$50.00,3 days,1/2/2026,12/30/2026", "", ""},
		{"nothing said", running, "5,50,3,2026-01-02,2026-12-30", ",,,,", "", ""},
		{"no fee, and none said", running, "1,,,,", "1,0,,,", "", ""},
		{
			"no fee any more", running, "1,50,3,2026-01-02,2026-12-30", "1,0,3,,", "[{late_fee_amount 50.00 0.00}]",
			"1 0.00 3 2026-01-02 2026-12-30",
		},
		{"fewer days than Texas gives, 2", running, "1,50,,,", "1,50,1,,", "", ""},
		{
			"as few days as Texas gives", running, "1,50,3,2026-01-02,2026-12-30", "1,50,0,,",
			"[{late_fee_grace_days 3 2}]", "1 50.00 2 2026-01-02 2026-12-30",
		},
		{
			"a signed lease", "2026-12-01,2027-11-30", "1,50,3,2026-12-01,2027-11-30", "5,50,3,2026-12-02,",
			"[{rent_due_day 1 5}] The lease is signed, so its days and amounts stay as they are. " +
				"[{move_in_date 2026-12-01 2026-12-02}]", "1 50.00 3 2026-12-02 2027-11-30",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEach(t, func(o *fixture) {
				by := o.by(access.Live, 100)
				by.Scopes = append(by.Scopes, access.Payments)
				file := func(terms string) string { return termsHead + fmt.Sprintf(termsLine, "", c.days, terms) }
				o.imports(by, file(c.has), nil)
				var got []string
				for _, change := range o.takes(by, []byte(file(c.says))).Preview.Changes {
					got = append(got, strings.TrimSpace(fmt.Sprint(change.Fields, " ", change.Why)))
				}
				if all := strings.Join(got, " "); all != c.want {
					o.Fatalf("changes %s, want %s", all, c.want)
				}
				if c.want == "" {
					return
				}
				u := o.imports(by, file(c.says), map[string]string{"changes:lease": rentroll.Apply})
				if u.Status != upload.Done || o.terms(by) != c.becomes {
					o.Errorf("it is %s: %s, want %s", u.Status, o.terms(by), c.becomes)
				}
			})
		})
	}
}

// An import that is refused for one of the terms says which, and writes nothing.
func TestTermThatRuleRefusesIsSaid(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.by(access.Live, 100)
		by.Scopes = append(by.Scopes, access.Payments)
		file := func(terms string) string {
			return termsHead + fmt.Sprintf(termsLine, "", "2026-01-01,2026-12-31", terms)
		}
		o.imports(by, file("1,50,3,2026-01-02,2026-12-30"), nil)
		u := o.imports(by, file("5,50,3,,2025-12-30"), map[string]string{"changes:lease": rentroll.Apply})
		if u.Status != upload.Ready || !strings.Contains(u.Preview.Why, "move_in_date") ||
			o.terms(by) != "1 50.00 3 2026-01-02 2026-12-30" {
			o.Errorf("it is %s, %v: %s", u.Status, u.Preview, o.terms(by))
		}
	})
}

func TestOtherNameOfPropertyIsNoted(t *testing.T) {
	for name, c := range map[string]struct{ has, says, want string }{
		"another":  {"Oak House", "Oak Court", "2: The file has another name than the portfolio for 1 property."},
		"none yet": {"", "Oak Court", "2: The file has another name than the portfolio for 1 property."},
		"same":     {"Oak House", "OAK HOUSE", ""},
		"unsaid":   {"Oak House", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(o *fixture) {
				by := o.by(access.Live, 100)
				file := func(name string) string {
					return termsHead + fmt.Sprintf(termsLine, name, "2026-01-01,2026-12-31", ",,,,")
				}
				o.imports(by, file(c.has), nil)
				u := o.takes(by, []byte(file(c.says)))
				got := ""
				for _, n := range u.Preview.Notes {
					if n.Column == "property_name" {
						got = fmt.Sprint(n.Line, ": ", n.Message)
					}
				}
				if !u.Preview.Nothing() || !strings.HasPrefix(got, c.want) || (c.want == "") != (got == "") {
					o.Errorf("it notes %q, want %q", got, c.want)
				}
			})
		})
	}
}
