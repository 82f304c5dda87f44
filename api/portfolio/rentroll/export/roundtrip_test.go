package export_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/demo"
	"portal/api/portfolio/rentroll"
	"portal/api/portfolio/rentroll/export"
	"portal/db"
	"portal/db/dbtest"
)

// recordsOf are what a rent roll says of a portfolio.
type recordsOf struct {
	portfolio.Book
	balances map[string]portfolio.Balance
}

// of reads a portfolio.
func (f *fixture) of(in access.Portfolio) *recordsOf {
	f.Helper()
	ctx, all := f.Context(), list.Query{Limit: 10_000}
	r := &recordsOf{}
	var err error
	r.Properties, err = f.store.Properties(ctx, in, portfolio.PropertyFilter{Query: all})
	f.ok(err)
	r.Units, err = f.store.UnitsAfter(ctx, in, "", "", 10_000)
	f.ok(err)
	r.Tenants, err = f.store.Tenants(ctx, in, portfolio.TenantFilter{Query: all})
	f.ok(err)
	r.Leases, err = f.store.Leases(ctx, in, portfolio.LeaseFilter{Query: all})
	f.ok(err)
	var ids []string
	for i := range r.Leases {
		ids = append(ids, r.Leases[i].ID)
	}
	r.balances, err = f.store.Balances(ctx, in, today, ids)
	f.ok(err)
	return r
}

// leftOut is what a portfolio loses on its way through a rent roll, and why. Everything else must come back.
var leftOut = []struct {
	what, why string
	lose      func(r *recordsOf)
}{
	{"archived properties", "they are not managed any more, and no import makes one", func(r *recordsOf) {
		r.Properties = slices.DeleteFunc(r.Properties, func(p portfolio.Property) bool {
			return p.Status == portfolio.PropertyArchived
		})
		gone := func(propertyID string) bool {
			return !slices.ContainsFunc(r.Properties, func(p portfolio.Property) bool { return p.ID == propertyID })
		}
		r.Units = slices.DeleteFunc(r.Units, func(u portfolio.Unit) bool { return gone(u.PropertyID) })
		r.Leases = slices.DeleteFunc(r.Leases, func(l portfolio.Lease) bool { return gone(l.PropertyID) })
	}},
	{"leases that bind nobody", "a rent roll tells who rents, so drafts, voided and declined leases have no line",
		func(r *recordsOf) {
			r.Leases = slices.DeleteFunc(r.Leases, func(l portfolio.Lease) bool { return !l.Binding() })
		}},
	{"leases that were ended before they began", "they end before they start, which no import takes",
		func(r *recordsOf) {
			r.Leases = slices.DeleteFunc(r.Leases, func(l portfolio.Lease) bool { return l.NeverStarted() })
		}},
	{"guarantors", "they rent nothing, and an import would make co-tenants of them", func(r *recordsOf) {
		for i := range r.Leases {
			r.Leases[i].Tenants = slices.DeleteFunc(r.Leases[i].Tenants, func(p portfolio.Party) bool {
				return p.Role == portfolio.PartyGuarantor
			})
		}
	}},
	{"tenants without a lease", "a rent roll has people by their leases, so applicants have no line",
		func(r *recordsOf) {
			r.Tenants = slices.DeleteFunc(r.Tenants, func(t portfolio.Tenant) bool {
				return !slices.ContainsFunc(r.Leases, func(l portfolio.Lease) bool {
					return slices.ContainsFunc(l.Tenants, func(p portfolio.Party) bool { return p.ID == t.ID })
				})
			})
		}},
	{"the second line of an address", "it stands in street_address", func(r *recordsOf) {
		for i := range r.Properties {
			if p := &r.Properties[i]; p.StreetAddress2 != nil {
				p.StreetAddress, p.StreetAddress2 = p.StreetAddress+", "+*p.StreetAddress2, nil
			}
		}
	}},
	{"how a lease ended", "an import knows the last day, by which a lease has expired", func(r *recordsOf) {
		for i := range r.Leases {
			l := &r.Leases[i]
			if l.Status == portfolio.LeaseTerminated {
				l.EndDate = l.TerminatedOn
			}
			if l.Status == portfolio.LeaseTerminated || l.Status == portfolio.LeaseRenewed {
				l.Status = portfolio.LeaseExpired
			}
		}
	}},
	{"the last day of a lease that has rolled over", "an import would take it for expired", func(r *recordsOf) {
		for i := range r.Leases {
			l := &r.Leases[i]
			if l.LeaseType == portfolio.FixedWithRollover && l.Status == portfolio.LeaseActive && *l.EndDate < today {
				l.LeaseType, l.EndDate = portfolio.MonthToMonth, nil
			}
		}
	}},
	{"the notice of a tenant", "a rent roll has the day on which they move out, not that on which they said so",
		func(r *recordsOf) {
			for i := range r.Units {
				if r.Units[i].Status == portfolio.UnitNotice {
					r.Units[i].Status = portfolio.UnitOccupied
				}
			}
		}},
	{"units off the market", "a rent roll has them as vacant", func(r *recordsOf) {
		for i := range r.Units {
			if r.Units[i].Status == portfolio.UnitOffMarket {
				r.Units[i].Status = portfolio.UnitVacant
			}
		}
	}},
}

// told are all fields of the records that a rent roll has, a line for each record. It has neither ids, times and
// versions nor documents, signatures, tickets and the rows of the ledger; of deposits it has what was agreed on, not
// what is held; of properties not whether ownership is verified; of tenants neither other addresses and numbers nor
// whom to call; of leases not the text of their terms.
func (r *recordsOf) told() (all []string) {
	where, properties, units := map[string]string{}, map[string]string{}, map[string]string{}
	for _, p := range r.Properties {
		properties[p.ID] = p.StreetAddress + ", " + p.City
		all = append(all, fmt.Sprintf("property %s: %s, name %s, %s, %s, built %s, %d of %d units are occupied",
			properties[p.ID], p.State, dbtest.Show(p.Name), dbtest.Show(p.PostalCode), p.PropertyType,
			dbtest.Show(p.YearBuilt), p.OccupiedUnitCount, p.UnitCount))
	}
	for _, u := range r.Units {
		units[u.ID] = properties[u.PropertyID] + ", " + u.UnitNumber
		where[u.ID] = units[u.ID]
		all = append(all, fmt.Sprintf("unit %s: %s bedrooms, %s bathrooms, %s square feet, for %s, %s", units[u.ID],
			dbtest.Show(u.Bedrooms), dbtest.Show(u.Bathrooms), dbtest.Show(u.SquareFeet), dbtest.Show(u.MarketRent),
			u.Status))
	}
	of := map[string][]string{}
	for i := range r.Leases {
		l := &r.Leases[i]
		var names []string
		for _, p := range l.Tenants {
			names = append(names, p.Name+" as "+string(p.Role))
			of[p.ID] = append(of[p.ID], units[l.UnitID]+" from "+l.StartDate.String())
		}
		all = append(all, fmt.Sprintf("lease of %s at %s: %s, %s, from %s to %s for %s, deposit %s, due on day %d, "+
			"late fee %s after %s days, moved in %s, out %s, owes %s; %s", where[l.UnitID], l.RentalAddress, l.Status,
			l.LeaseType, l.StartDate, dbtest.Show(l.EndDate), l.MonthlyRent, l.SecurityDeposit, l.RentDueDay,
			dbtest.Show(l.LateFeeAmount), dbtest.Show(l.LateFeeGraceDays), dbtest.Show(l.MoveInDate),
			dbtest.Show(l.MoveOutDate), r.balances[l.ID].Due, strings.Join(names, ", ")))
	}
	for _, t := range r.Tenants {
		slices.Sort(of[t.ID])
		all = append(all, fmt.Sprintf("tenant %s, %s, %s: leases of %s", t.Name, dbtest.Show(t.Email),
			dbtest.Show(t.Phone), strings.Join(of[t.ID], " and ")))
	}
	slices.Sort(all)
	return all
}

// What is exported and imported into an empty account is the same portfolio, but for what leftOut says.
func TestImportedExportIsTheSamePortfolio(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		f, from := newFixture(t, d), dbtest.LandlordIn(t, d, "dana")
		book := demo.Book(now(), time.UTC)
		f.ok(f.store.Add(t.Context(), from.Test, &book))
		before := f.of(from.Test)
		for _, part := range leftOut {
			part.lose(before)
		}
		for _, format := range []export.Format{export.CSV, export.XLSX} {
			t.Run(string(format), func(t *testing.T) {
				to := dbtest.LandlordIn(t, d, "robin-"+string(format)).Live
				roll, problems := rentroll.Read(bytes.NewReader(f.file(from.Test, format)))
				for _, p := range problems {
					t.Errorf("line %d, %s: %s", p.Line, p.Column, p.Message)
				}
				if len(problems) > 0 {
					return
				}
				_, problems, err := roll.Import(context.Background(), f.store, nil, to, 10_000, now(), time.UTC)
				if err != nil || len(problems) > 0 {
					t.Fatal(problems, err)
				}
				compare(t, f.of(to).told(), before.told())
				for _, in := range []access.Portfolio{to, from.Test} { // what is there already changes nothing
					existing, err := roll.Hold(t.Context(), f.store, in)
					if err != nil {
						t.Fatal(err)
					}
					plan, problems := roll.Plan(existing, now(), time.UTC)
					if len(problems) > 0 || plan.Units+plan.Tenants+plan.Leases+len(plan.Joined)+len(plan.Changes) > 0 {
						t.Errorf(
							"once more into %v: %v, %d units, %d tenants, %d leases, joined %v, changes %+v",
							in.Mode,
							problems,
							plan.Units,
							plan.Tenants,
							plan.Leases,
							plan.Joined,
							plan.Changes,
						)
					}
				}
			})
		}
	})
}

// What is exported and imported into the same portfolio changes nothing, though it has leases whose last day a rent
// roll says otherwise: one that has rolled over, and some that another lease renews.
func TestExportImportedIntoItsPortfolioChangesNothing(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		f, l := newFixture(t, d), dbtest.LandlordIn(t, d, "dana")
		book := small(l.Live)
		renewed := func(status portfolio.LeaseStatus, of *portfolio.Lease, by *portfolio.Lease) portfolio.Lease {
			next := *by
			next.Record = dbtest.Record(id.Lease, "lease", access.Live, now())
			next.Status, next.RenewedFromLeaseID, next.RenewedToLeaseID = status, &of.ID, nil
			of.RenewedToLeaseID = &next.ID
			return next
		}
		unit := dbtest.Record(id.Unit, "unit", access.Live, now())
		for i := range book.Leases { // the one that has rolled over, and a copy that is renewed from next month on
			of := book.Leases[i]
			if of.Status == portfolio.LeaseActive && of.LeaseType == portfolio.FixedWithRollover {
				of.Record, of.UnitID = dbtest.Record(id.Lease, "lease", access.Live, now()), unit.ID
				next := renewed(portfolio.LeaseSigned, &of, &of)
				next.StartDate, next.EndDate = clock.Day(2026, 12, 20), new(clock.Day(2027, 12, 19))
				book.Leases = append(book.Leases, of, next)
			}
		}
		book.Units = append(book.Units, portfolio.Unit{
			Record: unit, PropertyID: book.Properties[0].ID, UnitNumber: "5", Currency: portfolio.Currency,
			Status: portfolio.UnitVacant,
		})
		f.ok(f.store.Add(t.Context(), l.Live, book))
		for _, format := range []export.Format{export.CSV, export.XLSX} {
			roll, problems := rentroll.Read(bytes.NewReader(f.file(l.Live, format)))
			existing, err := roll.Hold(t.Context(), f.store, l.Live)
			f.ok(err)
			plan, more := roll.Plan(existing, now(), time.UTC)
			if len(problems)+len(more) > 0 {
				t.Fatal(problems, more)
			}
			lines := strings.Count(string(f.file(l.Live, export.CSV)), "\n") - 2 // without the columns and a co-tenant
			if !plan.Empty() || len(plan.Changes) > 0 || plan.Same != lines {
				t.Errorf("%s: changes %+v, %d lines are the same", format, plan.Changes, plan.Same)
			}
			for _, n := range plan.Notes {
				if n.Column != "balance" {
					t.Errorf("%s: note %s", format, n)
				}
			}
		}
	})
}

// compare shows what one of two sorted lists has and the other one does not.
func compare(t *testing.T, got, want []string) {
	t.Helper()
	for _, line := range want {
		if _, has := slices.BinarySearch(got, line); !has {
			t.Errorf("not there: %s", line)
		}
	}
	for _, line := range got {
		if _, has := slices.BinarySearch(want, line); !has {
			t.Errorf("beyond:    %s", line)
		}
	}
	if len(got) != len(want) || len(want) < 100 {
		t.Errorf("%d records, want %d", len(got), len(want))
	}
}
