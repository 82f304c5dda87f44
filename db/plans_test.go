package db_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/demo"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/db/portfoliostore"
	"portal/db/webhookstore"
)

// planned runs a test on SQLite with the demo in three portfolios: as it is, and
// as it is when SQLite has counted the rows.
func planned(t *testing.T, test func(*testing.T, *db.DB, access.Portfolio)) {
	t.Parallel()
	files, in := demos(t)
	for name, file := range files {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			must(t, os.WriteFile(filepath.Join(folder, "portal.db"), file, 0o600))
			d := reopened(t, folder)
			defer d.Close()
			test(t, d, in)
		})
	}
}

var demosOnce struct {
	sync.Once
	files map[string][]byte
	in    access.Portfolio
}

// demos are the two files, made once, and the portfolio in the middle of them.
func demos(t *testing.T) (map[string][]byte, access.Portfolio) {
	t.Helper()
	demosOnce.Do(func() {
		folder, files := t.TempDir(), map[string][]byte{}
		d := dbtest.SQLiteIn(t, folder)
		for i := range 3 {
			in := portfolioOf(t, d, fmt.Sprint("acct", i))
			book := demo.Book(time.Date(2026, 11, 12, 12, 0, 0, 0, time.UTC), time.UTC)
			must(t, portfoliostore.New(d).Add(t.Context(), in, &book))
			if i == 1 {
				demosOnce.in = in
			}
		}
		for _, name := range []string{"uncounted", "counted"} {
			if name == "counted" {
				d = reopened(t, folder)
				_, err := d.SQLite().ExecContext(t.Context(), "ANALYZE")
				must(t, err)
			}
			must(t, d.Close())
			file, err := os.ReadFile(filepath.Join(folder, "portal.db"))
			must(t, err)
			files[name] = file
		}
		demosOnce.files = files
	})
	return demosOnce.files, demosOnce.in
}

func reopened(t testing.TB, folder string) *db.DB {
	t.Helper()
	d, err := db.OpenSQLite(t.Context(), folder)
	must(t, err)
	return d
}

// portfolioOf makes an account with an owner and a portfolio.
func portfolioOf(t testing.TB, d *db.DB, account string) access.Portfolio {
	t.Helper()
	must(t, accountstore.New(d).AddAccount(t.Context(), developer.Account{
		ID:       account,
		Name:     account,
		TimeZone: "UTC",
		Plan:     developer.Plan{Tier: developer.Pro},
	}))
	_, err := accountstore.New(d).AddUser(t.Context(), developer.User{
		ID:           "user " + account,
		Email:        account,
		PasswordHash: "-",
		Role:         developer.Landlord,
	})
	must(t, err)
	must(t, accountstore.New(d).SetMember(t.Context(), account, "user "+account, access.Owner, 0))
	in, err := accountstore.New(d).AddPortfolio(t.Context(), account, access.Live)
	must(t, err)
	return in
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// listed is a list with its filter.
type listed struct {
	table  string
	filter reflect.Type
	read   func(ctx context.Context, filter reflect.Value) (last string, err error) // the id of the last record
}

func listedOf[R, F any](
	table string, in access.Portfolio, read func(context.Context, access.Portfolio, F) ([]R, error),
) listed {
	return listed{
		table,
		reflect.TypeFor[F](),
		func(ctx context.Context, filter reflect.Value) (last string, err error) {
			found, err := read(ctx, in, filter.Interface().(F))
			if len(found) > 0 {
				last = any(&found[len(found)-1]).(interface{ Identity() string }).Identity()
			}
			return last, err
		},
	}
}

func lists(d *db.DB, in access.Portfolio) []listed {
	payments := func(ctx context.Context, in access.Portfolio, f portfolio.PaymentFilter) ([]portfolio.Payment, error) {
		return portfoliostore.New(d).Payments(ctx, in, f, 20_000)
	}
	return []listed{
		listedOf("properties", in, portfoliostore.New(d).Properties),
		listedOf("tenants", in, portfoliostore.New(d).Tenants),
		listedOf("leases", in, portfoliostore.New(d).Leases),
		listedOf("tickets", in, portfoliostore.New(d).Tickets),
		listedOf("payments", in, payments),
		listedOf("webhook_endpoints", in, webhookstore.New(d).Endpoints),
	}
}

// equalities are the fields of a filter that ask for a value.
func (l listed) equalities() (fields []string) {
	for _, f := range reflect.VisibleFields(l.filter) {
		if f.Type.Kind() == reflect.String && f.Name != "StartingAfter" && f.Name != "Search" && f.Name != "Sort" {
			fields = append(fields, f.Name)
		}
	}
	return fields
}

// plan is how the list is read with some fields of its filter set: the steps of
// its query, then those of the queries that complete its records.
func (l listed) plan(t *testing.T, d *db.DB, set map[string]any) [][]string {
	t.Helper()
	filter := reflect.New(l.filter).Elem()
	filter.FieldByName("Limit").SetInt(list.Default)
	for name, value := range set {
		f := filter.FieldByName(name)
		f.Set(reflect.ValueOf(value).Convert(f.Type()))
	}
	queries, err := d.Plan(t.Context(), func(ctx context.Context) error {
		_, err := l.read(ctx, filter)
		return err
	})
	must(t, err)
	return queries
}

// check holds a list's query to an index whose first column is the portfolio and
// whose last one is the position, in the order of the list.
func (l listed) check(t *testing.T, steps []string, keys string, what any) {
	t.Helper()
	want := regexp.MustCompile(`^SEARCH ` + l.table + ` USING INDEX \S+ \(portfolio_id=\? AND ` + keys + `\)$`)
	if !want.MatchString(steps[0]) || strings.Contains(strings.Join(steps, "\n"), "TEMP B-TREE") ||
		strings.Contains(strings.Join(steps, "\n"), "SCAN ") {
		t.Errorf("%s by %v: %q", l.table, what, steps)
	}
}

// key is what an index of an equality looks up.
func key(table, field string) string {
	switch {
	case table == "leases" && field == "TenantID": // the leases that name a tenant, by their ids
		return `(\w+=\? AND )?id=\?`
	case field == "City" || field == "Email":
		return `<expr>=\? AND id>\?`
	}
	var column strings.Builder
	for i, c := range field {
		if c >= 'A' && c <= 'Z' && i > 0 && field[i-1] >= 'a' {
			column.WriteByte('_')
		}
		column.WriteRune(c)
	}
	return strings.ToLower(column.String()) + `=\? AND id>\?`
}

func TestListsAreReadInIndexOrder(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		for _, l := range lists(d, in) {
			l.check(t, l.plan(t, d, nil)[0], `id>\?`, "nothing")
			l.check(t, l.plan(t, d, map[string]any{
				"StartingAfter": "x",
				"UpdatedAfter":  new(clock.Time(1)),
			})[0], `id>\?`, "its range")
		}
	})
}

func TestEveryEqualityFilterHasAnIndex(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		for _, l := range lists(d, in) {
			for _, field := range l.equalities() {
				l.check(t, l.plan(t, d, map[string]any{field: "x"})[0], key(l.table, field), field)
			}
		}
	})
}

func TestTwoEqualityFiltersUseListOrderIndex(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		for _, l := range lists(d, in) {
			all := l.equalities()
			for i, a := range all {
				for _, b := range all[:i] {
					keys := "(" + key(l.table, a) + "|" + key(l.table, b) + ")"
					l.check(t, l.plan(t, d, map[string]any{a: "x", b: "x"})[0], keys, a+" and "+b)
				}
			}
		}
	})
}

// Nearly all rows of a ledger are paid: what is overdue must not be looked for
// among them.
func TestOverduePaymentsUseUnpaidIndex(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		for _, l := range lists(d, in) {
			if l.table == "payments" {
				steps := l.plan(t, d, map[string]any{"Overdue": new(true)})[0]
				l.check(t, steps, `id>\?`, "overdue")
				if !strings.Contains(steps[0], "INDEX payments_unpaid ") {
					t.Errorf("overdue: %q", steps)
				}
			}
		}
	})
}

func TestRelatedRecordsAreLookedUpByIndex(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		for _, l := range lists(d, in) {
			for _, steps := range l.plan(t, d, nil)[1:] {
				joined := strings.Join(steps, "\n")
				if strings.Contains(joined, "SCAN ") || strings.Contains(joined, "TEMP B-TREE") {
					t.Errorf("what belongs to %s: %q", l.table, steps)
				}
			}
		}
	})
}

func TestNoRequestScansTable(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		for name, read := range map[string]func(context.Context) error{
			"caller": func(ctx context.Context) error {
				_, _, err := developerstore.New(d).Caller(ctx, []byte("x"))
				return err
			},
			"units": func(ctx context.Context) error {
				_, err := portfoliostore.New(d).UnitsOf(ctx, in, "x")
				return err
			},
			"count": func(ctx context.Context) error {
				_, err := portfoliostore.New(d).UnitCount(ctx, in)
				return err
			},
			"user": func(ctx context.Context) error { _, _, err := accountstore.New(d).User(ctx, "x"); return err },
			"account": func(ctx context.Context) error {
				_, err := accountstore.New(d).AccountsOf(ctx, "x")
				return err
			},
			"application": func(ctx context.Context) error {
				_, _, err := developerstore.New(d).OpenAccessRequest(ctx, "x")
				return err
			},
			"endpoints": func(ctx context.Context) error {
				_, err := webhookstore.New(d).EnabledEndpoints(ctx, in)
				return err
			},
			"keys": func(ctx context.Context) error { _, err := developerstore.New(d).Keys(ctx, "x"); return err },
			"portfolio": func(ctx context.Context) error {
				_, err := accountstore.New(d).PortfolioOf(ctx, "acct0", in.Mode)
				return err
			},
		} {
			queries, err := d.Plan(t.Context(), read)
			must(t, err)
			if joined := fmt.Sprint(queries); strings.Contains(joined, "SCAN ") {
				t.Errorf("%s: %q", name, queries)
			}
		}
	})
}
