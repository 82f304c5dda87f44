package csvexport_test

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/demo"
	"portal/api/portfolio/ledger"
	"portal/api/portfolio/property/verification"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/db/servicestore"
	"portal/web/csvexport"
	"portal/web/listing"
	"portal/web/page"
	"portal/web/pagetest"
	"portal/web/property"
)

// fixture is pages of records over a real database, whose trail is read.
type fixture struct {
	*pagetest.WebhookPages
	reader *pagetest.Reader
}

func newFixture(t *testing.T, d *db.DB, more ...page.Route) *fixture {
	t.Helper()
	f := &fixture{WebhookPages: pagetest.NewWebhookPagesOn(t, d, pagetest.BaseURL)}
	now := func() time.Time { return f.Now }
	f.Books.Trail = audit.Log{Store: servicestore.NewTrail(d), Now: now}
	f.Config.Property = property.Config{
		Portfolio:     f.Books,
		Verifications: verification.New(f.Books, portfoliostore.New(d)),
	}
	f.serve(more...)
	f.reader = f.Member(access.Manager)
	return f
}

// serve has the pages answer, with more of them.
func (f *fixture) serve(more ...page.Route) {
	f.Pages = pagetest.Build(f.Config)
	f.Pages.Routes = append(f.Pages.Routes, more...)
	f.Echo = pagetest.Wired(f.Pages)
}

// people adds tenants of a name and a status to a portfolio.
func (f *fixture) people(in access.Portfolio, n int, first string, status portfolio.TenantStatus) {
	f.Helper()
	book := &portfolio.Book{}
	for i := range n {
		book.Tenants = append(book.Tenants, portfolio.Tenant{
			Record:    dbtest.Record(id.Tenant, "tenant", in.Mode, f.Now.Add(time.Duration(i)*time.Millisecond)),
			FirstName: first,
			LastName:  fmt.Sprintf("Number %04d", i),
			Phone:     new("+15125550142"),
			Status:    status,
		})
	}
	f.OK(portfoliostore.New(f.DB).AddPeople(f.Context(), in, book))
}

// file is a file of a list: its rows by the names of its columns.
func (f *fixture) file(path string) []map[string]string {
	f.Helper()
	rec := f.reader.Get(path)
	for name, want := range map[string]string{
		"Content-Type":  "text/csv; charset=utf-8",
		"Cache-Control": "no-store",
	} {
		if got := rec.Header().Get(name); got != want || rec.Code != http.StatusOK {
			f.Fatalf("%s: %d, %s: %q, want %q", path, rec.Code, name, got, want)
		}
	}
	return read(f.T, rec.Body.String())
}

// read takes a file apart.
func read(t *testing.T, text string) (rows []map[string]string) {
	t.Helper()
	text, marked := strings.CutPrefix(text, "\ufeff")
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || !marked {
		t.Fatalf("no CSV with a mark: %v, %q", err, text)
	}
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func TestCSVHasEachFilteredRowOnce(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d)
		other := dbtest.NewHome(t, d, "robin")
		f.people(f.Home.Test, 1200, "Kim", portfolio.TenantPast)
		f.people(f.Home.Test, 150, "Lou", portfolio.TenantProspect)
		f.people(f.Home.Live, 3, "Max", portfolio.TenantPast)
		f.people(other.Test, 300, "Ann", portfolio.TenantPast)
		for path, want := range map[string]int{
			"/test/tenants.csv":                                 1350,
			"/test/tenants.csv?status=past":                     1200,
			"/test/tenants.csv?status=past&after=ten_1&trail=x": 1200,
			"/test/tenants.csv?search=kim+number":               1200,
			"/test/tenants.csv?status=prospect&search=lou":      150,
			"/test/tenants.csv?status=current":                  0,
			"/live/tenants.csv":                                 3,
		} {
			rows, names := f.file(path), map[string]bool{}
			for i, row := range rows {
				names[row["Tenant ID"]] = true
				if i > 0 && row["Tenant ID"] >= rows[i-1]["Tenant ID"] {
					t.Errorf("%s: row %d is newer than the one before", path, i)
				}
				if row["First name"] == "Ann" {
					t.Fatalf("%s has a tenant of another account", path)
				}
			}
			if len(rows) != want || len(names) != want {
				t.Errorf("%s has %d rows of %d tenants, want %d", path, len(rows), len(names), want)
			}
		}
	})
}

func TestCSVMatchesRecord(t *testing.T) {
	t.Parallel()
	f := newFixture(t, dbtest.SQLite(t))
	l := f.Rent(portfolio.LeaseActive, `=HYPERLINK("https://evil.test","x")`)
	charge := f.Owes(l, "Rent, \"November\"\n2026", portfolio.PaymentDue)
	made := f.Ticket("@SUM(A1) The tap drips.")
	for path, want := range map[string]map[string]string{
		"properties": {
			"Street address": "1420 Maple Avenue", "City": "Austin", "State": "TX", "ZIP code": "78701", "Units": "1",
			"Status": "active", "Property ID": l.PropertyID,
		},
		"tenants": {
			"First name": `'=HYPERLINK("https://evil.test","x")`, "Last name": "Rivera", "Unit": "2B",
			"Status":         "current",
			"Street address": "1420 Maple Avenue", "Tenant ID": l.TenantIDs[0],
		},
		"leases": {
			"Tenants": `'=HYPERLINK("https://evil.test","x") Rivera`, "Monthly rent": "1450.00", "Unit": "2B",
			"First day": "2026-01-01", "Last day": "2026-12-31", "Status": "active", "Lease ID": l.ID,
			"Late fee": "", "Tenant IDs": l.TenantIDs[0],
		},
		"tickets": {
			"Number": made.Number, "Description": "'@SUM(A1) The tap drips.", "Unit": "2B", "Ticket ID": made.ID,
			"Street address": "1420 Maple Avenue",
		},
		"ledger": {
			"Description": "Rent, \"November\"\n2026", "Amount": "1450.00",
			"Balance": "1450.00", "Due date": "2026-11-01",
			"Tenant": `'=HYPERLINK("https://evil.test","x") Rivera`, "Status": "due", "Charge ID": charge,
			"Lease ID":      l.ID,
			"Created (UTC)": clock.At(f.Now).String(),
		},
	} {
		rows := f.file("/test/" + path + ".csv")
		if len(rows) != 1 {
			t.Fatalf("%s has %d rows", path, len(rows))
		}
		for name, value := range want {
			if got := rows[0][name]; got != value {
				t.Errorf("%s: %s is %q, want %q", path, name, got, value)
			}
		}
		disposition := `attachment; filename="` + path + `-2026-11-12.csv"`
		head := f.reader.Send(http.MethodHead, "/test/"+path+".csv", nil, nil)
		if got := head.Header().Get("Content-Disposition"); got != disposition || head.Body.Len() > 0 {
			t.Errorf("%s is %s of %d bytes", path, got, head.Body.Len())
		}
	}
	if got := f.Trail(); got != "leases.exported ledger.exported properties.exported tenants.exported "+
		"tickets.exported " {
		t.Errorf("the trail says %s", got)
	}
	if rows := f.file("/test/ledger.csv?overdue=false"); len(rows) != 0 {
		t.Errorf("%d rows are not overdue", len(rows))
	}
}

// Each row of the ledger adds up to what is paid of it, be its transactions stored or told by the row itself.
func TestCSVOfTransactionsAddsUpToWhatIsPaid(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d)
		book := demo.Book(f.Now, time.UTC)
		f.OK(portfoliostore.New(d).Add(f.Context(), f.Home.Test, &book))
		scopes := access.Scopes{access.Write, access.Payments}
		by := access.Actor{Portfolio: f.Home.Test, Scopes: scopes, Zone: time.UTC}
		want := map[string]money.Cents{}
		var paid *portfolio.Payment
		for i := range book.Payments {
			p := &book.Payments[i]
			want[p.ID] = p.AmountPaid
			if paid == nil && p.Status == portfolio.PaymentDue && p.Amount > 200_00 {
				paid = p
			}
		}
		for _, c := range []ledger.Clearing{
			{Amount: 100_00, Method: "check", Reference: new("=1+1")}, {Amount: 50_00, Method: "cash"},
		} {
			_, err := f.Books.Ledger.RecordPayment(f.Context(), by, change.Target{ID: paid.ID}, c)
			f.OK(err)
			want[paid.ID] += c.Amount
		}
		row, err := f.Books.Ledger.PaymentWithTransactions(f.Context(), by, paid.ID)
		f.OK(err)
		const reason = "@It was for another unit."
		_, err = f.Books.Ledger.CorrectPayment(f.Context(), by, change.Target{ID: paid.ID},
			ledger.Correction{TransactionID: row.Transactions[0].ID, Reason: reason})
		f.OK(err)
		want[paid.ID] -= 100_00

		sums, ids := map[string]money.Cents{}, map[string]bool{}
		for _, line := range f.file("/test/ledger/transactions.csv") {
			if ids[line["Transaction ID"]] || !id.Valid(id.Transaction, line["Transaction ID"]) {
				t.Errorf("%s is there twice, or none", line["Transaction ID"])
			}
			ids[line["Transaction ID"]] = true
			if line["Status"] == "succeeded" {
				sums[line["Charge ID"]] += amount(t, line["Amount"])
			}
		}
		for charge, paid := range want {
			if sums[charge] != paid {
				t.Errorf("%s: %s has moved, and %s is paid", charge, sums[charge], paid)
			}
		}
		if len(ids) < 2*list.Max {
			t.Errorf("only %d transactions", len(ids))
		}
		lines := f.file("/test/ledger/transactions.csv?lease_id=" + paid.LeaseID + "&method=check")
		lines = slices.DeleteFunc(lines, func(l map[string]string) bool { return l["Charge ID"] != paid.ID })
		if len(lines) != 2 {
			t.Fatalf("%d checks", len(lines))
		}
		for name, both := range map[string][2]string{
			"Kind": {"payment", "correction"}, "Amount": {"100.00", "-100.00"}, "Method": {"check", "check"},
			"Reference": {"'=1+1", "'=1+1"}, "Reason": {"", "'" + reason}, "Corrects": {"", row.Transactions[0].ID},
			"Transaction ID": {row.Transactions[0].ID, lines[1]["Transaction ID"]},
			"Recorded by":    {"dashboard", "dashboard"},
			"Lease ID":       {paid.LeaseID, paid.LeaseID}, "Tenant ID": {paid.TenantID, paid.TenantID},
		} {
			if got := [2]string{lines[0][name], lines[1][name]}; got != both {
				t.Errorf("%s is %q, want %q", name, got, both)
			}
		}
		for _, path := range []string{
			"/live/ledger/transactions.csv", "/test/ledger/transactions.csv?status=scheduled",
			"/test/ledger/transactions.csv?due_before=2001-01-01",
		} {
			if lines := f.file(path); len(lines) > 0 {
				t.Errorf("%s has %d transactions", path, len(lines))
			}
		}
		if !strings.Contains(f.Trail(), "transactions.exported") {
			t.Errorf("the trail says %s", f.Trail())
		}
		link := `href="/test/ledger/transactions.csv?lease_id=` + paid.LeaseID + `"`
		if page := f.reader.Get("/test/ledger?lease_id=" + paid.LeaseID).Body.String(); !strings.Contains(page, link) {
			t.Error("the ledger does not lead to the file")
		}
	})
}

// amount is one of a file.
func amount(t *testing.T, text string) money.Cents {
	t.Helper()
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Error(err)
	}
	return money.Cents(math.Round(100 * n))
}

// tenants is a table of them, which is asked for each page before it is read.
func (f *fixture) tenants(v *page.Request, sort list.Sort, before func(n int) error) csvexport.Table[portfolio.Tenant] {
	n := 0
	return csvexport.Table[portfolio.Tenant]{
		Name:  "tenants",
		Query: list.Query{Sort: sort, Newest: true},
		Page: func(q list.Query) (*list.Page[portfolio.Tenant], error) {
			n++
			if err := before(n); err != nil {
				return nil, err
			}
			return f.Books.Tenants.Tenants(v.Ctx(), v.Actor(), portfolio.TenantFilter{Query: q})
		},
		Row:   f.Books.Tenants.Tenant,
		Cells: func(t *portfolio.Tenant) csvexport.Cells { return csvexport.Cells{"Name", t.LastName} },
	}
}

func TestMovedRowDoesNotDisplaceOthers(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		var f *fixture
		f = newFixture(t, d, page.Get("/{mode}/moved.csv", page.Member, func(v *page.Request) error {
			return csvexport.Serve(v, f.Books, f.tenants(v, portfolio.ByName, func(n int) error {
				switch n {
				case 2:
					f.renames("Number 0099", "Aaron")
				case 3:
					f.renames("Number 0098", "Zoe")
				}
				return nil
			}))
		}))
		f.people(f.Home.Test, 250, "Kim", portfolio.TenantPast)
		times := map[string]int{}
		for _, row := range f.file("/test/moved.csv") {
			times[row["Name"]]++
		}
		for i := range 250 {
			if i == 98 || i == 99 { // these have moved
				continue
			}
			if name := fmt.Sprintf("Number %04d", i); times[name] != 1 {
				t.Errorf("%s is there %d times", name, times[name])
			}
		}
	})
}

// renames gives a tenant another first name.
func (f *fixture) renames(last, first string) {
	f.Helper()
	found, err := f.Books.Tenants.Tenants(f.Context(), f.Actor(), portfolio.TenantFilter{
		Query: list.Query{Limit: 1}, Search: last,
	})
	f.OK(err)
	x := found.Data[0]
	x.FirstName = first
	x.Revise(clock.At(f.Now))
	f.OK(portfoliostore.New(f.DB).SaveTenant(f.Context(), f.Home.Test, &x))
}

func TestFailedCSVIsVisiblyTruncated(t *testing.T) {
	for name, fail := range map[string]func() error{
		"an error": func() error { return errors.New("the database is away") },
		"a panic":  func() error { panic("the database is away") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var f *fixture
			read := make(chan struct{})
			f = newFixture(
				t,
				dbtest.SQLite(t),
				page.Get("/{mode}/broken.csv", page.Member, func(v *page.Request) error {
					return csvexport.Serve(v, f.Books, f.tenants(v, "", func(n int) error {
						if n < 2 {
							return nil
						}
						select {
						case <-read: // the first page has reached its reader
						case <-v.Ctx().Done():
						}
						return fail()
					}))
				}),
			)
			f.people(f.Home.Test, 250, "Kim", portfolio.TenantPast)
			a := f.connects("/test/broken.csv")
			lines := bufio.NewScanner(a)
			var names []string
			for len(names) < 101 && lines.Scan() {
				names = append(names, lines.Text())
			}
			close(read)
			if _, err := io.Copy(io.Discard, a); !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("the file ends with %v", err)
			}
			if len(names) != 101 || !slices.Contains(names, "Number 0249") || f.Trail() != "tenants.exported " {
				t.Errorf("%d lines arrived before the end: %q, the trail says %s", len(names), names, f.Trail())
			}
		})
	}
}

// connects asks for a file over a connection of its own.
func (f *fixture) connects(path string) io.Reader {
	f.Helper()
	site := httptest.NewServer(f.Echo)
	f.Cleanup(site.Close)
	ctx, cancel := context.WithTimeout(f.Context(), 20*time.Second)
	f.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, site.URL+path, nil)
	f.OK(err)
	for _, c := range f.reader.Cookies {
		req.AddCookie(c)
	}
	a, err := http.DefaultTransport.RoundTrip(req)
	f.OK(err)
	f.Cleanup(func() { _ = a.Body.Close() })
	return a.Body
}

func TestUnreadableCSVListShowsErrorPage(t *testing.T) {
	t.Parallel()
	var f *fixture
	f = newFixture(t, dbtest.SQLite(t), page.Get("/{mode}/broken.csv", page.Member, func(v *page.Request) error {
		return csvexport.Serve(
			v,
			f.Books,
			f.tenants(v, "", func(int) error { return errors.New("the database is away") }),
		)
	}))
	rec := f.reader.Get("/test/broken.csv")
	f.reader.Says(rec, http.StatusInternalServerError, "Something failed on our side")
	if rec.Header().Get("Content-Disposition") != "" || f.Trail() != "" {
		t.Errorf("the trail says %s, the answer is %v", f.Trail(), rec.Header())
	}
}

func TestCSVLinkKeepsPageFilters(t *testing.T) {
	t.Parallel()
	var got []string
	f := newFixture(t, dbtest.SQLite(t), page.Get("/{mode}/look", page.Member, func(v *page.Request) error {
		got = append(got, listing.Export(v, "/leases.csv"))
		return v.Done("/overview", "")
	}))
	f.reader.Get("/test/look")
	f.reader.Get("/live/look?status=active&sort=ending&after=lea_1&trail=a,b")
	if want := []string{"/test/leases.csv", "/live/leases.csv?sort=ending&status=active"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
