package db_test

import (
	"context"
	"reflect"
	"slices"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/demo"
	"portal/api/portfolio/records"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/db/portfoliostore"
)

// eachDatabase runs a test on SQLite, and on PostgreSQL where there is one.
func eachDatabase(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, dbtest.SQLite(t))
	})
	t.Run("postgres", func(t *testing.T) {
		p := dbtest.NewPostgres(t)
		test(t, p.Open(t))
	})
}

// inDemo puts the demo of a moment into a new account's portfolio.
func inDemo(t *testing.T, d *db.DB, made time.Time) access.Portfolio {
	t.Helper()
	ctx := t.Context()
	var in access.Portfolio
	s := developer.New(
		developerstore.New(d),
		func() time.Time { return made },
		func(ctx context.Context, p access.Portfolio, zone *time.Location) error {
			in = p
			book := demo.Book(made, zone)
			return portfoliostore.New(d).Add(ctx, p, &book)
		},
	)
	if _, err := s.AddUser(ctx, "turn@example.com", "", "correct horse battery", developer.Landlord); err != nil {
		t.Fatal(err)
	}
	return in
}

func newYork(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// turned is the portfolio after a turn at a moment.
func turned(
	t *testing.T, d *db.DB, in access.Portfolio, at time.Time,
) ([]portfolio.Lease, []portfolio.Unit, []portfolio.Tenant, []portfolio.Payment) {
	t.Helper()
	ctx := t.Context()
	if err := records.New(
		portfoliostore.New(d),
		func() time.Time { return at },
	).Calendar.RollOver(ctx, in, newYork(t)); err != nil {
		t.Fatal(err)
	}
	all := list.Query{Limit: 5000}
	leases, err := portfoliostore.New(d).Leases(ctx, in, portfolio.LeaseFilter{Query: all})
	if err != nil {
		t.Fatal(err)
	}
	tenants, err := portfoliostore.New(d).Tenants(ctx, in, portfolio.TenantFilter{Query: all})
	if err != nil {
		t.Fatal(err)
	}
	payments, err := portfoliostore.New(d).Payments(ctx, in, portfolio.PaymentFilter{Query: all}, 0)
	if err != nil {
		t.Fatal(err)
	}
	var units []portfolio.Unit
	properties, err := portfoliostore.New(d).Properties(ctx, in, portfolio.PropertyFilter{Query: all})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range properties {
		of, err := portfoliostore.New(d).UnitsOf(ctx, in, p.ID)
		if err != nil {
			t.Fatal(err)
		}
		let := 0
		for _, u := range of {
			if u.Status == portfolio.UnitOccupied || u.Status == portfolio.UnitNotice {
				let++
			}
		}
		if p.UnitCount != len(of) || p.OccupiedUnitCount != let {
			t.Errorf("%s counts %d of %d units, has %d of %d", p.ID, p.OccupiedUnitCount, p.UnitCount, let, len(of))
		}
		units = append(units, of...)
	}
	return leases, units, tenants, payments
}

var demoDay = time.Date(2026, 11, 12, 15, 0, 0, 0, time.UTC)

func TestCalendarChangesNothingOnDemoCreationDay(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		in := inDemo(t, d, demoDay)
		leases, units, tenants, payments := turned(t, d, in, demoDay)
		book := demo.Book(demoDay, newYork(t))
		for i, l := range leases {
			if l.Version != book.Leases[i].Version || l.Status != book.Leases[i].Status {
				t.Errorf("lease %s of %s is %s, version %d; was %s, %d", l.ID, l.RentalAddress, l.Status,
					l.Version, book.Leases[i].Status, book.Leases[i].Version)
			}
		}
		for i, p := range payments {
			if p.Version != book.Payments[i].Version {
				t.Errorf("ledger row %s due %s changed from %s to %s", p.ID, p.DueDate, book.Payments[i].Status,
					p.Status)
			}
		}
		if len(leases) != len(book.Leases) || len(units) != len(book.Units) ||
			len(tenants) != len(book.Tenants) || len(payments) != len(book.Payments) {
			t.Error("the portfolio has not as many records as the demo")
		}
	})
}

func TestYearOfCalendarTurnsKeepsDataConsistent(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		in := inDemo(t, d, demoDay)
		for _, months := range []int{1, 2, 5, 12} {
			at := demoDay.AddDate(0, months, 0)
			leases, units, tenants, payments := turned(t, d, in, at)
			today := clock.DateOf(at, newYork(t))
			checkLeases(t, leases, today, clock.At(at))
			checkUnits(t, units, leases)
			checkTenants(t, tenants, leases)
			for _, p := range payments {
				if p.Status == portfolio.PaymentScheduled && p.DueDate <= today {
					t.Errorf("ledger row %s is scheduled, due %s, on %s", p.ID, p.DueDate, today)
				}
			}
		}
	})
}

// TestManyLeasesTurnOverOnOneDay turns more than fit into one transaction, twice.
func TestManyLeasesTurnOverOnOneDay(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		in := inDemo(t, d, demoDay)
		far := demoDay.AddDate(3, 0, 0)
		leases, units, tenants, _ := turned(t, d, in, far)
		checkLeases(t, leases, clock.DateOf(far, newYork(t)), clock.At(far))
		checkUnits(t, units, leases)
		checkTenants(t, tenants, leases)
		again, sameUnits, sameTenants, _ := turned(t, d, in, far)
		if !reflect.DeepEqual(leases, again) || !reflect.DeepEqual(units, sameUnits) ||
			!reflect.DeepEqual(tenants, sameTenants) {
			t.Error("a second turn on the same day changed something")
		}
	})
}

func TestCalendarBumpsVersionOnlyOfChangedRecords(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		in := inDemo(t, d, demoDay)
		_, units, tenants, _ := turned(t, d, in, demoDay)
		_, laterUnits, laterTenants, _ := turned(t, d, in, demoDay.AddDate(0, 0, 40))
		for i, u := range laterUnits {
			before := units[i]
			grown := u.Version != before.Version
			u.Record, before.Record = portfolio.Record{}, portfolio.Record{}
			if grown != !reflect.DeepEqual(u, before) {
				t.Errorf("a unit with a new version %v: %+v, was %+v", grown, u, before)
			}
		}
		for i, tenant := range laterTenants {
			before := tenants[i]
			grown := tenant.Version != before.Version
			tenant.Record, before.Record = portfolio.Record{}, portfolio.Record{}
			if grown != !reflect.DeepEqual(tenant, before) {
				t.Errorf("a tenant with a new version %v: %+v, was %+v", grown, tenant, before)
			}
		}
	})
}

func TestBusyWriterIsNotMistakenForMissingMigration(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	if err := d.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	err := d.Atomically(t.Context(), func(context.Context) error {
		if done, err := d.Migrated(t.Context()); !done || err != nil {
			t.Errorf("migrated is %v, %v while a transaction is under way", done, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func checkLeases(t *testing.T, leases []portfolio.Lease, today clock.Date, now clock.Time) {
	t.Helper()
	for _, l := range leases {
		switch {
		case l.Status == portfolio.LeaseSigned && l.StartDate <= today,
			l.Status == portfolio.LeaseActive && l.EndDate != nil && *l.EndDate < today,
			l.Open() && l.ExpiresAt != nil && *l.ExpiresAt <= now,
			// The time of a lease that somebody has signed can be extended.
			l.Status == portfolio.LeaseVoided && l.ExpiresAt != nil && !signedBySomebody(&l):
			t.Errorf("lease %s is %s on %s: %s to %v", l.ID, l.Status, today, l.StartDate, l.EndDate)
		case l.Status == portfolio.LeaseActive && (l.EndDate == nil) != (l.LeaseType == portfolio.MonthToMonth):
			t.Errorf("lease %s is %s and ends on %v", l.ID, l.LeaseType, l.EndDate)
		}
	}
}

func signedBySomebody(l *portfolio.Lease) bool {
	return l.Landlord != nil && l.Landlord.SignedAt != nil ||
		slices.ContainsFunc(l.Tenants, func(p portfolio.Party) bool { return p.SignedAt != nil })
}

func checkUnits(t *testing.T, units []portfolio.Unit, leases []portfolio.Lease) {
	t.Helper()
	active := map[string]string{}
	for _, l := range leases {
		if l.Status == portfolio.LeaseActive {
			active[l.UnitID] = l.ID
		}
	}
	for _, u := range units {
		current := ""
		if u.CurrentLeaseID != nil {
			current = *u.CurrentLeaseID
		}
		let := u.Status == portfolio.UnitOccupied || u.Status == portfolio.UnitNotice
		if current != active[u.ID] || let != (current != "") {
			t.Errorf("unit %s is %s with lease %q, its active lease is %q", u.ID, u.Status, current, active[u.ID])
		}
	}
}

func checkTenants(t *testing.T, tenants []portfolio.Tenant, leases []portfolio.Lease) {
	t.Helper()
	most := map[string]portfolio.TenantStatus{}
	ids := map[string][]string{}
	for _, l := range leases {
		for _, tenant := range l.TenantIDs {
			if s := l.Standing(); most[tenant] == "" || s.Weight() >= most[tenant].Weight() {
				most[tenant] = s
			}
			ids[tenant] = append(ids[tenant], l.ID)
		}
	}
	for _, tenant := range tenants {
		want := most[tenant.ID]
		if want == "" {
			want = portfolio.TenantProspect
		}
		if tenant.Status != want || len(ids[tenant.ID]) > 0 && !reflect.DeepEqual(tenant.LeaseIDs, ids[tenant.ID]) {
			t.Errorf("%s is %s with %v, want %s with %v", tenant.Name, tenant.Status, tenant.LeaseIDs, want,
				ids[tenant.ID])
		}
	}
}
