package portfoliostore_test

import (
	"slices"

	"portal/api/portfolio"
	"portal/api/searchtext"
	"portal/db/dbtest"
)

// naming are searches that have found nothing, a record of the list, a tenant, a property, and all three.
func naming(rows []any) (all []condition) {
	first, last := rows[0], rows[len(rows)-1]
	tenants := append(valuesOf(last, "TenantID"), "ten_absent")
	properties := append(valuesOf(first, "PropertyID"), "prop_absent")
	for _, n := range []*portfolio.Named{
		{},
		{IDs: []string{dbtest.IDOf(first), "absent"}},
		{TenantIDs: tenants},
		{PropertyIDs: properties},
		{IDs: []string{dbtest.IDOf(last)}, TenantIDs: tenants, PropertyIDs: properties, More: true},
	} {
		all = append(all, condition{"Named", n, func(record any) bool {
			return names(n, record)
		}})
	}
	if _, is := first.(*portfolio.Ticket); is {
		all = append(all, titled(rows, tenants)...)
	}
	return all
}

// names reports whether a record is of what a search has found among tenants and properties.
func names(n *portfolio.Named, record any) bool {
	return slices.Contains(n.IDs, dbtest.IDOf(record)) ||
		among(n.TenantIDs, valuesOf(record, "TenantID")) || among(n.PropertyIDs, valuesOf(record, "PropertyID"))
}

// titled are searches for words of titles, alone and beside a tenant, each with a word that is looked up
// and without one.
func titled(tickets []any, tenants []string) (all []condition) {
	for _, c := range searches(tickets) {
		for _, beside := range [][]string{nil, tenants} {
			search := c.value.(string)
			terms := searchtext.Terms(search)
			for _, rare := range []string{"", terms[0], terms[len(terms)-1]} {
				n := &portfolio.Named{TenantIDs: beside, Titles: &portfolio.Titles{Terms: terms, Rare: rare}}
				all = append(all, condition{"Named", n, func(record any) bool {
					return names(n, record) || isAbout(record, search)
				}})
			}
		}
	}
	return all
}

func among(ids, of []string) bool {
	return slices.ContainsFunc(of, func(one string) bool { return slices.Contains(ids, one) })
}

// aSearchOfOtherListsFindsTheTenantsAndPropertiesOfTheirLists compares what a search names with what
// the lists of tenants and of properties have for the same words.
func aSearchOfOtherListsFindsWhatTheListsOfTenantsAndPropertiesFind(s *demoStore) {
	found := func(name string, c condition) (ids []string) {
		for _, row := range s.rows[name] {
			if c.passes(row) {
				ids = append(ids, dbtest.IDOf(row))
			}
		}
		slices.Sort(ids)
		slices.Reverse(ids)
		return ids
	}
	for _, name := range []string{"properties", "tenants"} {
		for _, c := range searches(s.rows[name]) {
			got, err := s.Portfolio.Named(s.Context(), s.in, c.value.(string))
			s.OK(err)
			ids := got.PropertyIDs
			if name == "tenants" {
				ids = got.TenantIDs
			}
			want := found(name, c)
			s.Want(len(want) <= portfolio.MostNamed || got.More, "%v of %s is all there is", c, name)
			want = want[:min(len(want), portfolio.MostNamed)]
			s.Want(slices.Equal(ids, want), "%v of %s is %v, want %v", c, name, ids, want)
		}
	}
	got, err := s.Portfolio.Named(s.Context(), s.in, " ,.")
	s.OK(err)
	s.Want(len(got.PropertyIDs)+len(got.TenantIDs) == 0 && !got.More, "a search for no word has found %v", got)
}
