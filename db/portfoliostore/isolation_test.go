package portfoliostore_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/db/dbtest"
)

// Two portfolios see nothing of each other, even within one account.
var isolation = []reading{
	{"ARecordOfAnotherPortfolioIsNotFound", aRecordOfAnotherPortfolioIsNotFound},
	{"AnIDOfAnotherPortfolioInAFilterFindsNothing", anIDOfAnotherPortfolioInAFilterFindsNothing},
	{"ACursorOfAnotherPortfolioIsAPosition", aCursorOfAnotherPortfolioIsAPosition},
}

var wallsOfWriting = []promise{
	{"ARowCannotPointIntoAnotherPortfolio", aRowCannotPointIntoAnotherPortfolio},
	{"TwoPortfoliosMayHoldTheSameIDs", twoPortfoliosMayHoldTheSameIDs},
	{"APropertyOfAnotherPortfolioDoesNotGrow", aPropertyOfAnotherPortfolioDoesNotGrow},
}

func aRecordOfAnotherPortfolioIsNotFound(s *demoStore) {
	for _, k := range s.kinds() {
		for _, id := range append(idsOf(s.hidden[k.name][:3]), "", "absent", "%", dbtest.IDOf(s.rows["units"][0])) {
			got, err := k.one(s.Context(), s.in, id)
			s.Want(fault.Is(err, fault.NoRecord), "%s %q: %v, %v", k.name, id, got, err)
			s.OK(s.DB.Atomically(s.Context(), func(ctx context.Context) error {
				if _, err := k.one(ctx, s.in, id); !fault.Is(err, fault.NoRecord) {
					s.Errorf("%s %q in a transaction: %v", k.name, id, err)
				}
				return nil
			}))
		}
	}
	units, err := s.Portfolio.UnitsOf(s.Context(), s.in, dbtest.IDOf(s.hidden["properties"][0]))
	s.OK(err)
	s.Want(units != nil && len(units) == 0, "units of another portfolio: %v", units)
}

func anIDOfAnotherPortfolioInAFilterFindsNothing(s *demoStore) {
	for _, k := range s.kinds() {
		for _, c := range s.conditions(k, s.hidden[k.name]) {
			if id, ok := c.value.(string); !ok || !slices.Contains([]string{
				"PropertyID", "UnitID", "TenantID", "LeaseID",
			}, c.field) || id == "absent" {
				continue
			}
			got, err := k.list(s.Context(), s.in, k.with(dbtest.Everything, c))
			s.OK(err)
			s.Want(len(got) == 0, "%s with %v of another portfolio: %d rows", k.name, c, len(got))
			got, err = k.list(s.Context(), s.foreign, k.with(dbtest.Everything, c))
			s.OK(err)
			s.Want(len(got) > 0, "%s with %v: nothing in its own portfolio", k.name, c)
		}
	}
}

func aCursorOfAnotherPortfolioIsAPosition(s *demoStore) {
	for _, k := range s.kinds() {
		after := dbtest.IDOf(s.hidden[k.name][len(s.hidden[k.name])/2])
		filter, page := k.query()
		page.Limit, page.StartingAfter = dbtest.Everything, after
		got, err := k.list(s.Context(), s.in, filter)
		s.OK(err)
		all := idsOf(s.rows[k.name])
		at, _ := slices.BinarySearch(all, after)
		s.Want(slices.Equal(idsOf(got), all[at:]), "%s after %s: %d rows", k.name, after, len(got))
	}
}

// aRowCannotPointIntoAnotherPortfolio bends each reference in turn. What is no
// reference of the schema (the lease that a unit shows, for example) is computed
// by the rules from rows of the same portfolio.
func aRowCannotPointIntoAnotherPortfolio(r *fixture) {
	here, there := r.Landlord("dana"), r.Landlord("robin")
	foreign := dbtest.Filled(access.Live, dbtest.NewFiller(rand.New(rand.NewPCG(7, 7)), 0))
	r.OK(r.Portfolio.Add(r.Context(), there.Live, foreign))
	ids := map[string]string{
		"PropertyID": foreign.Properties[0].ID,
		"UnitID":     foreign.Units[0].ID,
		"TenantID":   foreign.Tenants[0].ID,
		"LeaseID":    foreign.Leases[0].ID,
	}
	bent := 0
	bend := func(what string, change func(*portfolio.Book)) {
		b := dbtest.Filled(access.Live, dbtest.NewFiller(rand.New(rand.NewPCG(8, uint64(bent))), 0))
		change(b)
		for _, in := range []access.Portfolio{here.Live, there.Test} { // another account's, and another of its own
			r.Refused(r.Portfolio.Add(r.Context(), in, b), what)
		}
		bent++
	}
	for _, rows := range []string{"Units", "Tenants", "Leases", "Tickets", "Payments"} {
		for field, id := range ids {
			record := reflect.ValueOf(portfolio.Book{}).FieldByName(rows).Type().Elem()
			if _, has := record.FieldByName(field); !has {
				continue
			}
			bend(rows+"."+field, func(b *portfolio.Book) {
				f := reflect.ValueOf(b).Elem().FieldByName(rows).Index(0).FieldByName(field)
				reflect.Indirect(f).SetString(id)
			})
		}
	}
	bend("a party", func(b *portfolio.Book) { b.Leases[0].Tenants[1].ID = foreign.Tenants[1].ID })
	r.Want(bent == 1+2+2+4+4+1, "%d references were bent", bent)
	r.readBack(r.Context(), here.Live, &portfolio.Book{})
}

func twoPortfoliosMayHoldTheSameIDs(r *fixture) {
	l := r.Landlord("dana")
	live := dbtest.Filled(access.Live, dbtest.NewFiller(rand.New(rand.NewPCG(9, 1)), 0))
	r.OK(r.Portfolio.Add(r.Context(), l.Live, live))
	test := dbtest.Filled(access.Test, dbtest.NewFiller(rand.New(rand.NewPCG(9, 2)), 0))
	rename(test, live)
	r.OK(r.Portfolio.Add(r.Context(), l.Test, test))
	r.readBack(r.Context(), l.Live, live)
	r.readBack(r.Context(), l.Test, test)
}

// rename gives the records of a book the ids of another.
func rename(b, other *portfolio.Book) {
	p, u, l := other.Properties[0].ID, other.Units[0].ID, other.Leases[0].ID
	b.Properties[0].ID, b.Units[0].ID, b.Leases[0].ID = p, u, l
	b.Tickets[0].ID, b.Payments[0].ID = other.Tickets[0].ID, other.Payments[0].ID
	b.Units[0].PropertyID, b.Leases[0].PropertyID, b.Tickets[0].PropertyID, b.Payments[0].PropertyID = p, p, p, p
	b.Leases[0].UnitID, *b.Tickets[0].UnitID, b.Payments[0].UnitID = u, u, u
	*b.Tickets[0].LeaseID, b.Payments[0].LeaseID = l, l
	for i := range b.Tenants {
		t := other.Tenants[i].ID
		b.Tenants[i].ID, *b.Tenants[i].PropertyID, *b.Tenants[i].UnitID, b.Tenants[i].LeaseIDs = t, p, u, []string{l}
		at := len(b.Tenants) - 1 - i
		b.Leases[0].TenantIDs[at], b.Leases[0].Tenants[at].ID = t, t
	}
	*b.Tickets[0].TenantID, b.Payments[0].TenantID = b.Tenants[0].ID, b.Tenants[0].ID
}

func aPropertyOfAnotherPortfolioDoesNotGrow(r *fixture) {
	here, there := r.Landlord("dana"), r.Landlord("robin")
	book := dbtest.Filled(access.Live, dbtest.NewFiller(rand.New(rand.NewPCG(10, 10)), 1))
	r.OK(r.Portfolio.Add(r.Context(), there.Live, book))
	// The result does not matter here.
	_ = r.Portfolio.GrowProperty(r.Context(), here.Live, book.Properties[0].ID, new("78701"), nil, clock.At(dbtest.Now))
	r.readBack(r.Context(), there.Live, book)
}
