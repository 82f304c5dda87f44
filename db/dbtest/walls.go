package dbtest

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
)

// Between two portfolios stands a wall, even within one account.
var walls = []reading{
	{"ARecordOfAnotherPortfolioIsNotFound", aRecordOfAnotherPortfolioIsNotFound},
	{"AnIDOfAnotherPortfolioInAFilterFindsNothing", anIDOfAnotherPortfolioInAFilterFindsNothing},
	{"ACursorOfAnotherPortfolioIsAPosition", aCursorOfAnotherPortfolioIsAPosition},
}

var wallsOfWriting = []promise{
	{"ARowCannotPointIntoAnotherPortfolio", aRowCannotPointIntoAnotherPortfolio},
	{"TwoPortfoliosMayHoldTheSameIDs", twoPortfoliosMayHoldTheSameIDs},
	{"APropertyOfAnotherPortfolioDoesNotGrow", aPropertyOfAnotherPortfolioDoesNotGrow},
}

func aRecordOfAnotherPortfolioIsNotFound(s *shelf) {
	for _, k := range s.kinds() {
		for _, id := range append(idsOf(s.hidden[k.name][:3]), "", "absent", "%", idOf(s.rows["units"][0])) {
			got, err := k.one(s.Context(), s.in, id)
			s.want(fault.Is(err, fault.NoRecord), "%s %q: %v, %v", k.name, id, got, err)
			s.ok(s.Atomically(s.Context(), func(ctx context.Context) error {
				if _, err := k.one(ctx, s.in, id); !fault.Is(err, fault.NoRecord) {
					s.Errorf("%s %q in a transaction: %v", k.name, id, err)
				}
				return nil
			}))
		}
	}
	units, err := s.UnitsOf(s.Context(), s.in, idOf(s.hidden["properties"][0]))
	s.ok(err)
	s.want(units != nil && len(units) == 0, "units of another portfolio: %v", units)
}

func anIDOfAnotherPortfolioInAFilterFindsNothing(s *shelf) {
	for _, k := range s.kinds() {
		for _, c := range s.conditions(k, s.hidden[k.name]) {
			if id, ok := c.value.(string); !ok || !slices.Contains([]string{"PropertyID", "UnitID", "TenantID", "LeaseID"}, c.field) || id == "absent" {
				continue
			}
			got, err := k.list(s.Context(), s.in, k.with(everything, c))
			s.ok(err)
			s.want(len(got) == 0, "%s with %v of another portfolio: %d rows", k.name, c, len(got))
			got, err = k.list(s.Context(), s.foreign, k.with(everything, c))
			s.ok(err)
			s.want(len(got) > 0, "%s with %v: nothing in its own portfolio", k.name, c)
		}
	}
}

func aCursorOfAnotherPortfolioIsAPosition(s *shelf) {
	for _, k := range s.kinds() {
		after := idOf(s.hidden[k.name][len(s.hidden[k.name])/2])
		filter, page := k.query()
		page.Limit, page.StartingAfter = everything, after
		got, err := k.list(s.Context(), s.in, filter)
		s.ok(err)
		all := idsOf(s.rows[k.name])
		at, _ := slices.BinarySearch(all, after)
		s.want(slices.Equal(idsOf(got), all[at:]), "%s after %s: %d rows", k.name, after, len(got))
	}
}

// aRowCannotPointIntoAnotherPortfolio bends each reference in turn. What is no
// reference of the schema (the lease that a unit shows, for example) is computed
// by the rules from rows of the same portfolio.
func aRowCannotPointIntoAnotherPortfolio(r *rig) {
	here, there := r.landlord("dana"), r.landlord("robin")
	foreign := filled(access.Live, &filler{rand.New(rand.NewPCG(7, 7)), 0})
	r.ok(r.Add(r.Context(), there.live, foreign))
	ids := map[string]string{"PropertyID": foreign.Properties[0].ID, "UnitID": foreign.Units[0].ID, "TenantID": foreign.Tenants[0].ID, "LeaseID": foreign.Leases[0].ID}
	bent := 0
	bend := func(what string, change func(*portfolio.Book)) {
		b := filled(access.Live, &filler{rand.New(rand.NewPCG(8, uint64(bent))), 0})
		change(b)
		for _, in := range []access.Portfolio{here.live, there.test} { // another account's, and another of its own
			r.refused(r.Add(r.Context(), in, b), what)
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
	r.want(bent == 1+2+2+4+4+1, "%d references were bent", bent)
	r.readBack(r.Context(), here.live, &portfolio.Book{})
}

func twoPortfoliosMayHoldTheSameIDs(r *rig) {
	l := r.landlord("dana")
	live := filled(access.Live, &filler{rand.New(rand.NewPCG(9, 1)), 0})
	r.ok(r.Add(r.Context(), l.live, live))
	test := filled(access.Test, &filler{rand.New(rand.NewPCG(9, 2)), 0})
	rename(test, live)
	r.ok(r.Add(r.Context(), l.test, test))
	r.readBack(r.Context(), l.live, live)
	r.readBack(r.Context(), l.test, test)
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

func aPropertyOfAnotherPortfolioDoesNotGrow(r *rig) {
	here, there := r.landlord("dana"), r.landlord("robin")
	book := filled(access.Live, &filler{rand.New(rand.NewPCG(10, 10)), 1})
	r.ok(r.Add(r.Context(), there.live, book))
	_ = r.GrowProperty(r.Context(), here.live, book.Properties[0].ID, new("78701"), nil, clock.At(noon)) // whatever it answers
	r.readBack(r.Context(), there.live, book)
}
