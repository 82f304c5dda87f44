package records_test

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/records"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

// What the fixture of commit 3a61bee4 has: the rows that "portal serve --demo" of that commit wrote into an empty
// folder on 2026-11-29, of the tables that leases and their ledgers need, a line of JSON for each table. That version
// wrote no ledger rows into the small live portfolio; eleven in several statuses were added as its pages wrote fees and
// deposits, and its demo portfolio rents.
const (
	oldRows    = "testdata/3a61bee4.jsonl.gz"
	oldVersion = 41 // of its schema
)

var oldDay = clock.Day(2026, time.November, 29)

// opened3a61 is a database of that commit, migrated to the present schema.
func opened3a61(t *testing.T, postgres bool) *db.DB {
	t.Helper()
	var d *db.DB
	var err error
	if postgres {
		d, err = db.OpenPostgres(t.Context(), dbtest.NewPostgres(t).Empty(t))
	} else {
		d, err = db.OpenSQLite(t.Context(), t.TempDir())
	}
	dbtest.OK(t, err)
	t.Cleanup(func() { dbtest.OK(t, d.Close()) })
	dialect, folder, handle := goose.DialectSQLite3, "migrations/sqlite", d.SQLite()
	if postgres {
		dialect, folder, handle = goose.DialectPostgres, "migrations/postgres", stdlib.OpenDBFromPool(d.Postgres())
		defer handle.Close()
	}
	files, err := fs.Sub(db.Migrations, folder)
	dbtest.OK(t, err)
	p, err := goose.NewProvider(dialect, handle, files)
	dbtest.OK(t, err)
	_, err = p.UpTo(t.Context(), oldVersion)
	dbtest.OK(t, err)
	loadOld(t, d)
	dbtest.OK(t, d.Migrate(t.Context()))
	return d
}

// loadOld writes the rows of the fixture.
func loadOld(t *testing.T, d *db.DB) {
	t.Helper()
	file, err := os.Open(oldRows)
	dbtest.OK(t, err)
	defer file.Close()
	plain, err := gzip.NewReader(file)
	dbtest.OK(t, err)
	lines := bufio.NewScanner(plain)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		var of struct {
			Table string
			Rows  []map[string]json.RawMessage
		}
		dbtest.OK(t, json.Unmarshal(lines.Bytes(), &of))
		dbtest.OK(t, d.Atomically(t.Context(), func(ctx context.Context) error {
			for _, row := range of.Rows {
				columns := slices.Sorted(maps.Keys(row))
				text, err := json.Marshal(row)
				if err != nil {
					return err
				}
				from := "jsonb_populate_record(NULL::" + of.Table + ", $1::text::jsonb)"
				read := columns
				if !d.OnPostgres() {
					from, read = "(SELECT $1 AS j)", make([]string, len(columns))
					for i, c := range columns {
						read[i] = "j ->> '" + c + "'"
					}
				}
				if err := d.Run(ctx, "INSERT INTO "+of.Table+" ("+strings.Join(columns, ", ")+") SELECT "+
					strings.Join(read, ", ")+" FROM "+from, string(text)); err != nil {
					return fmt.Errorf("%s: %w", of.Table, err)
				}
			}
			return nil
		}))
	}
	dbtest.OK(t, lines.Err())
}

// upgraded is such a database as its days pass.
type upgraded struct {
	*testing.T
	db         *db.DB
	store      *portfoliostore.Store
	live, demo access.Portfolio
	zone       *time.Location
	records    *records.Service
	today      clock.Date
}

// pass has days pass, with the job of an hour of each.
func (u *upgraded) pass(days int, in ...access.Portfolio) {
	u.Helper()
	for range days {
		u.today++
		for _, p := range in {
			dbtest.OK(u, u.records.Calendar.RollOver(u.Context(), p, u.zone))
		}
	}
}

// ledger are all rows of a portfolio, by the lease, in the order of their periods.
func (u *upgraded) ledger(in access.Portfolio) map[string][]portfolio.Payment {
	u.Helper()
	leases := dbtest.Texts(u, u.db, fmt.Sprintf("SELECT id FROM leases WHERE portfolio_id = %d", in.ID))
	all, err := u.store.RowsOfLeases(u.Context(), in, leases)
	dbtest.OK(u, err)
	for _, rows := range all {
		slices.SortFunc(rows, func(a, b portfolio.Payment) int {
			return cmp.Or(cmp.Compare(from(&a), from(&b)), cmp.Compare(a.ID, b.ID))
		})
	}
	return all
}

// from is the first day that a row is for.
func from(p *portfolio.Payment) clock.Date {
	if p.PeriodStart == nil {
		return p.DueDate
	}
	return *p.PeriodStart
}

// An account that was there before the ledger charged by itself is charged nothing until an owner turns that on, and
// then what is due after that day. Its demo portfolio goes on where it stands.
func TestUpgradedAccountChargesOnlyWhenTurnedOn(t *testing.T) {
	t.Parallel()
	for name, postgres := range map[string]bool{"SQLite": false, "PostgreSQL": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := &upgraded{
				T: t, db: opened3a61(t, postgres), today: oldDay,
				live: access.Portfolio{ID: 1, Mode: access.Live}, demo: access.Portfolio{ID: 2, Mode: access.Test},
			}
			var err error
			u.zone, err = clock.Zone("America/New_York")
			dbtest.OK(t, err)
			u.store = portfoliostore.New(u.db)
			u.records = records.New(u.store, func() time.Time {
				return u.today.Std().Add(17 * time.Hour)
			}).Use(portfolio.Parts{BaseURL: "https://portal.example.com/"})
			live, demo := u.ledger(u.live), u.ledger(u.demo)
			u.pass(60, u.live, u.demo)
			u.same(live)
			u.followed(demo)
			u.turnOn()
		})
	}
}

// same wants the live portfolio to have the rows that it had, some of which are due now.
func (u *upgraded) same(before map[string][]portfolio.Payment) {
	u.Helper()
	now, n := u.ledger(u.live), 0
	for lease, rows := range before {
		for i := range rows {
			was := &rows[i]
			if was.Status == portfolio.PaymentScheduled && was.DueDate <= u.today {
				was.Status, was.Version = portfolio.PaymentDue, was.Version+1
			}
			if len(now[lease]) != len(rows) {
				u.Fatalf("the lease %s has %d rows, and had %d", lease, len(now[lease]), len(rows))
			}
			is := now[lease][i]
			was.UpdatedAt = is.UpdatedAt
			if fmt.Sprintf("%#v", valuesOf(was)) != fmt.Sprintf("%#v", valuesOf(&is)) {
				u.Errorf("%+v was %+v", is, *was)
			}
			n++
		}
	}
	if n != 11 || len(now) != len(before) {
		u.Errorf("%d rows of %d leases were compared with those of %d", n, len(before), len(now))
	}
}

// valuesOf is a row as it is written in a record.
func valuesOf(p *portfolio.Payment) string {
	text, _ := json.Marshal(p) // it is encoded in each answer
	return string(text) + fmt.Sprint(p.Charge == nil, p.Part, p.LateFeeOn == nil)
}

// followed wants the rents of the demo portfolio to go on after those that it had, without a gap and none twice, for as
// long as each lease runs.
func (u *upgraded) followed(before map[string][]portfolio.Payment) {
	u.Helper()
	now, more := u.ledger(u.demo), 0
	leases, err := u.store.LeasesWithTerms(u.Context(), u.demo, slices.Collect(maps.Keys(now)))
	dbtest.OK(u, err)
	for lease, rows := range now {
		l, had := leases[lease], map[string]bool{}
		for i := range before[lease] {
			had[before[lease][i].ID] = true
		}
		var last *portfolio.Payment
		for i := range rows {
			r := &rows[i]
			if r.Type != portfolio.PaymentRent || r.Status == portfolio.PaymentVoid || r.ReversesPaymentID != nil {
				continue
			}
			if !had[r.ID] {
				more++
				if last != nil && *r.PeriodStart != *last.PeriodEnd+1 {
					u.Errorf("the lease %s has rent from %v after rent until %v", lease, r.PeriodStart, last.PeriodEnd)
				}
				if want := l.RentFrom(*r.PeriodStart, l.LastDay()); r.Amount != want.Amount {
					u.Errorf(
						"the lease %s has rent of %v from %v, and not %v",
						lease,
						r.Amount,
						r.PeriodStart,
						want.Amount,
					)
				}
			}
			last = r
		}
		moved := l.MoveOutDate != nil && *l.MoveOutDate <= u.today
		if l.Status == portfolio.LeaseActive && !moved && last != nil && *last.PeriodEnd < u.today {
			u.Errorf("the active lease %s is charged until %v", lease, last.PeriodEnd)
		}
	}
	if more < 50 {
		u.Errorf("%d rents were charged", more)
	}
}

// turnOn has the live portfolio charge by itself, and wants the rents that are due after that day.
func (u *upgraded) turnOn() {
	u.Helper()
	before := map[string]bool{}
	for _, rows := range u.ledger(u.live) {
		for i := range rows {
			before[rows[i].ID] = true
		}
	}
	since := clock.At(u.today.Std().Add(17 * time.Hour)) // 2027-01-28
	dbtest.OK(u, u.db.Atomically(u.Context(), func(ctx context.Context) error {
		return u.store.SetAutoCharge(ctx, u.live, &since)
	}))
	u.pass(60, u.live)
	got := map[string][]string{}
	for _, rows := range u.ledger(u.live) {
		for i := range rows {
			if r := &rows[i]; !before[r.ID] {
				rent := fmt.Sprint(r.Amount)
				got[rent] = append(got[rent], fmt.Sprint(r.Type, " ", r.DueDate))
			}
		}
	}
	months := []string{"rent 2027-02-01", "rent 2027-03-01", "rent 2027-04-01"}
	want := map[string][]string{}
	for _, dollars := range []int64{2150, 1650, 2600, 3150} {
		want[fmt.Sprint(money.Dollars(dollars))] = months
	}
	want[fmt.Sprint(money.Dollars(2100*12/28))] = months[:1] // the lease ends on February 12
	if fmt.Sprint(got) != fmt.Sprint(want) {
		u.Errorf("%v was charged, and not %v", got, want)
	}
}
