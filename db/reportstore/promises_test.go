package reportstore_test

import (
	"slices"
	"testing"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/reportstore"
)

// today is the day that decides what is overdue.
var today = clock.DateOf(dbtest.Now, dbtest.Now.Location())

// fixture is a test with an empty store.
type fixture struct {
	*dbtest.Fixture
	reportstore.Insight
}

func newFixture(t *testing.T, d *db.DB) *fixture {
	return &fixture{dbtest.NewFixture(t, d), reportstore.NewInsight(d)}
}

// demoStore is a store with the demo's book in the portfolios of two landlords.
type demoStore struct {
	*fixture
	in     access.Portfolio
	rows   map[string][]any // of in, by the name of their kind, in ascending id
	hidden map[string][]any // of the other landlord
}

// Questions over a whole portfolio, which the demo answers by a plain loop too. Their tests only read, so that
// all of them share a store: to fill it takes longer than to read it.
var insights = []struct {
	name string
	test func(*demoStore)
}{
	{"OwedRentIsReadLeaseByLease", owedRentIsReadLeaseByLease},
	{"OnePageOfManyTellsWhatAllOwe", onePageOfManyTellsWhatAllOwe},
	{"ASummaryCountsWhatTheListsShow", aSummaryCountsWhatTheListsShow},
	{"AnOverviewCountsWhatTheListsShow", anOverviewCountsWhatTheListsShow},
	{"AnOwnersStatementComesToTheOverviewAndTheRows", anOwnersStatementComesToTheOverviewAndTheRows},
	{"WhatWaitsIsCountedUpToABound", whatWaitsIsCountedUpToABound},
}

// Each test that writes gets an empty store of its own.
func TestEveryPromiseIsKept(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, open func(testing.TB) *db.DB) {
		t.Run("ADemo", func(t *testing.T) {
			t.Parallel()
			r := newFixture(t, open(t))
			s := demoStore{fixture: r, in: r.Landlord("dana").Live}
			s.rows, s.hidden = r.stock(s.in), r.stock(r.Landlord("robin").Live)
			for _, p := range insights {
				t.Run(p.name, func(t *testing.T) {
					t.Parallel()
					own := s
					own.fixture = newFixture(t, s.DB)
					p.test(&own)
				})
			}
		})
		for _, p := range overviews {
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				p.test(newFixture(t, open(t)))
			})
		}
	})
}

// stock fills a portfolio with the demo.
func (r *fixture) stock(in access.Portfolio) map[string][]any {
	r.Helper()
	b := dbtest.DemoBook()
	for i := range b.Payments {
		b.Payments[i].BalanceDue = 0 // it is computed when it is read
	}
	r.OK(r.Portfolio.Add(r.Context(), in, b))
	return map[string][]any{
		"properties": dbtest.Sorted(dbtest.Pointers(b.Properties)),
		"units":      dbtest.Sorted(dbtest.Pointers(b.Units)),
		"tenants":    dbtest.Sorted(dbtest.Pointers(b.Tenants)),
		"leases":     dbtest.Sorted(dbtest.Pointers(b.Leases)),
		"tickets":    dbtest.Sorted(dbtest.Pointers(b.Tickets)),
		"payments":   dbtest.Sorted(dbtest.Pointers(b.Payments)),
	}
}

// some are ids of a kind: none, one of each third of the records, a foreign one, an
// absent one.
func (s *demoStore) some(kind string) []string {
	ids := idsOf(s.rows[kind])
	return []string{"", ids[0], ids[len(ids)/3], ids[2*len(ids)/3], dbtest.IDOf(s.hidden[kind][0]), "absent"}
}

func (s *demoStore) lease(id string) *portfolio.Lease {
	return s.named("leases", id).(*portfolio.Lease)
}

// named is the record of an id, which is there.
func (s *demoStore) named(kind, id string) any {
	return s.rows[kind][slices.Index(idsOf(s.rows[kind]), id)]
}

func idsOf(rows []any) []string {
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = dbtest.IDOf(row)
	}
	return ids
}
