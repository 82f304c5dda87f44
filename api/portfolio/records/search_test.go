package records_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/change"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/portfolio/property"
	"portal/db/dbtest"
)

func TestSearchMatchesWordPrefixesInItsPortfolio(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		for i, name := range []string{"Maple Court", "100%"} {
			_, err := h.Properties.CreateProperty(h.Context(), h.by, property.Create{
				StreetAddress: fmt.Sprint(i+1, "-A Élan Road"),
				City:          "Austin",
				State:         "TX",
				PropertyType:  "condo",
				Name:          &name,
			})
			h.ok(err)
		}
		for text, want := range map[string][2]int{
			"":          {0, 0},
			"  ":        {0, 0},
			"1":         {3, 0},
			"1420":      {1, 0},
			"maple":     {2, 0},
			"MAPLE  AV": {1, 0},
			"100%":      {1, 0},
			"%":         {0, 0},
			"A Élan":    {2, 0},
			"austin":    {3, 0},
			"ROAD elan": {2, 0},
			"oad":       {0, 0},
			"rivera":    {0, 3},
			"dana":      {0, 1},
			"dana riv":  {0, 1},
			"d":         {0, 1},
			"a\x00":     {0, 0},
			"zzz":       {0, 0},
		} {
			f, err := h.Finder.Search(h.Context(), h.by, text, 10)
			h.ok(err)
			if got := [2]int{len(f.Properties), len(f.Tenants)}; got != want {
				h.Errorf("%q finds %v, want %v", text, got, want)
			}
		}
		f, err := h.Finder.Search(h.Context(), h.by, "rivera", 2)
		h.ok(err)
		if len(f.Tenants) != 2 {
			h.Errorf("%d tenants", len(f.Tenants))
		}
		f, err = h.Finder.Search(h.Context(), h.owner(access.Test), "dana", 10)
		h.ok(err)
		if len(f.Tenants) != 0 {
			h.Errorf("another portfolio shows %+v", f.Tenants)
		}
		for _, of := range []string{h.let, h.tenants[0], h.home.Unit[access.Live].ID} {
			f, err := h.Finder.Search(h.Context(), h.by, " "+of, 10)
			h.ok(err)
			if f.ID != of {
				h.Errorf("%s finds %q", of, f.ID)
			}
		}
		for _, of := range []string{
			h.home.Unit[access.Test].ID, "lea_01KA5R2M7Q8D4E6F9G1H3J5K7M", "key_01KA5R2M7Q8D4E6F9G1H3J5K7M",
			"T-9", "t9",
		} {
			f, err := h.Finder.Search(h.Context(), h.by, " "+of, 10)
			h.ok(err)
			if f.ID != "" {
				h.Errorf("%s finds %q", of, f.ID)
			}
		}
	})
}

// A transaction is found as a part of its row, be it stored or told by a row from before transactions were kept.
func TestSearchFindsTransactionOfItsPortfolio(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		stored := h.owes(portfolio.PaymentRent, portfolio.PaymentDue)
		h.ok(second(h.Ledger.RecordPayment(h.Context(), h.by, change.Target{ID: stored}, dollars(400, "check"))))
		older := h.owes(portfolio.PaymentRent, portfolio.PaymentDue)
		back := h.owes(portfolio.PaymentDeposit, portfolio.PaymentDue)
		dbtest.Exec(h.T, h.db, "UPDATE payments SET status = 'partially_paid', amount_paid = 300, method = 'cash' "+
			"WHERE id = $1", older)
		dbtest.Exec(h.T, h.db, "UPDATE payments SET status = 'refunded', method = 'check' WHERE id = $1", back)
		for range 150 { // more rows of the same moment than are read at once
			dbtest.Exec(h.T, h.db, "UPDATE payments SET status = 'partially_paid', amount_paid = 300 WHERE id = $1",
				h.owes(portfolio.PaymentRent, portfolio.PaymentDue))
		}
		moment, _ := id.Time(older)
		last := h.owes(portfolio.PaymentRent, portfolio.PaymentDue)
		if now, _ := id.Time(last); !now.Equal(moment) {
			h.Fatal("the rows are of several moments")
		}
		dbtest.Exec(h.T, h.db, "UPDATE payments SET status = 'failed', method = 'ach' WHERE id = $1", last)
		for row, n := range map[string]int{stored: 1, older: 1, back: 2, last: 1} {
			p, err := h.Ledger.PaymentWithTransactions(h.Context(), h.by, row)
			h.ok(err)
			if len(p.Transactions) != n {
				h.Fatalf("%d transactions, want %d", len(p.Transactions), n)
			}
			for _, of := range p.Transactions {
				f, err := h.Finder.Search(h.Context(), h.by, " "+of.ID, 10)
				h.ok(err)
				if f.ID != row || f.Part != of.ID {
					h.Errorf("%s finds %+v, want %s", of.ID, f, row)
				}
				named, err := h.Finder.Named(h.Context(), h.by, of.ID)
				h.ok(err)
				if !slices.Equal(named.IDs, []string{row}) {
					h.Errorf("%s names %v, want %s", of.ID, named.IDs, row)
				}
				if f, err = h.Finder.Search(h.Context(), h.elsewhere(), of.ID, 10); err != nil || f.ID != "" {
					h.Errorf("another portfolio shows %+v, %v", f, err)
				}
			}
		}
		f, err := h.Finder.Search(h.Context(), h.by, "txn_"+stored[len("pay_"):], 10)
		h.ok(err)
		if f.ID != "" || f.Part != "" {
			h.Errorf("an unknown transaction finds %+v", f)
		}
	})
}

func TestSearchFindsUnitByAddressAndNumber(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		unit := h.home.Unit[access.Live]
		number := strings.ToLower(unit.UnitNumber)
		for _, text := range []string{
			"1420 maple " + number, "MAPLE  " + unit.UnitNumber, "maple apt " + number, "maple Unit #" + number,
		} {
			f, err := h.Finder.Search(h.Context(), h.by, text, 10)
			h.ok(err)
			if len(f.Homes) != 1 || f.Homes[0].Unit.ID != unit.ID {
				h.Errorf("%q finds %+v, want the unit %s", text, f.Homes, unit.ID)
			}
		}
		for _, text := range []string{number, "maple 99z", "nowhere " + number, "apt " + number} {
			f, err := h.Finder.Search(h.Context(), h.by, text, 10)
			h.ok(err)
			if len(f.Homes) > 0 {
				h.Errorf("%q finds %+v", text, f.Homes)
			}
		}
		f, err := h.Finder.Search(h.Context(), h.owner(access.Test), "1420 maple "+number, 10)
		h.ok(err)
		if slices.ContainsFunc(f.Homes, func(of *portfolio.Home) bool { return of.Unit.ID == unit.ID }) {
			h.Errorf("another portfolio shows %+v", f.Homes)
		}
	})
}

func TestSearchFindsWordWithSwappedLetters(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		for text, want := range map[string]string{
			"rviera":      "rivera",
			"Dana Rivrea": "Dana Rivera",
			"Dnaa riv":    "Dana riv",
			"dana":        "", // is found as it is
			"rviear":      "", // two mistakes
			"maple dana":  "", // each is a word of something, and nothing has both
			"zq":          "",
		} {
			f, err := h.Finder.Search(h.Context(), h.by, text, 10)
			h.ok(err)
			if f.Words != want || want != "" && len(f.Tenants) == 0 {
				h.Errorf("%q finds %d tenants by %q, want %q", text, len(f.Tenants), f.Words, want)
			}
		}
		f, err := h.Finder.Search(h.Context(), h.owner(access.Test), "rviera", 10)
		h.ok(err)
		if f.Words != "" || len(f.Tenants) > 0 {
			h.Errorf("another portfolio shows %+v", f)
		}
	})
}
