package export_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/records"
	"portal/api/portfolio/rentroll/export"
	"portal/api/portfolio/rentroll/sheet"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

var update = flag.Bool("update", false, "write the golden files anew")

// today is when the tests take place.
var today = clock.Day(2026, 11, 26)

// now is noon of today in UTC.
func now() time.Time { return today.Std().Add(12 * time.Hour) }

// fixture writes the files of portfolios of a database.
type fixture struct {
	*testing.T
	*records.Service
	store *portfoliostore.Store
}

func newFixture(t *testing.T, d *db.DB) *fixture {
	store := portfoliostore.New(d)
	return &fixture{t, records.New(store, now), store}
}

func (f *fixture) ok(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// file is the rent roll of a portfolio.
func (f *fixture) file(in access.Portfolio, format export.Format) []byte {
	f.Helper()
	file, err := f.Rolls.Open(f.Context(), access.Actor{Portfolio: in, Zone: time.UTC}, format)
	f.ok(err)
	if want := "rent-roll-2026-11-26." + string(format); file.Name() != want {
		f.Errorf("the file is called %s, want %s", file.Name(), want)
	}
	var b bytes.Buffer
	f.ok(file.Write(f.Context(), &b, func() error { return nil }))
	return b.Bytes()
}

// rows are those of a file as an import reads them.
func rows(t *testing.T, file []byte) (all [][]string) {
	t.Helper()
	table, err := sheet.Open(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	for table.Next() {
		row := table.Row()
		if row.Problem != "" {
			t.Errorf("line %d: %s", row.Line, row.Problem)
		}
		cells := append([]string(nil), row.Cells...)
		for len(all) > 0 && len(cells) < len(all[0]) {
			cells = append(cells, "") // a sheet leaves out empty cells at the end
		}
		all = append(all, cells)
	}
	if p := table.Problem(); p != nil {
		t.Fatal(p)
	}
	return all
}

// small is a portfolio that has every kind of line.
func small(in access.Portfolio) *portfolio.Book {
	at := now().AddDate(0, 0, -30)
	record := func(prefix, object string) portfolio.Record {
		at = at.Add(time.Minute)
		return dbtest.Record(prefix, object, in.Mode, at)
	}
	b := &portfolio.Book{}
	house := func(street string, units ...string) (all []*portfolio.Unit) {
		p := portfolio.Property{
			Record: record(id.Property, "property"), StreetAddress: street, City: "Cañon City", State: "CO",
			Country: "US", PropertyType: "apartment", UnitCount: len(units), Status: portfolio.PropertyActive,
			VerificationStatus: portfolio.Unverified,
		}
		b.Properties = append(b.Properties, p)
		from := len(b.Units)
		for _, number := range units {
			b.Units = append(b.Units, portfolio.Unit{
				Record: record(id.Unit, "unit"), PropertyID: p.ID, UnitNumber: number,
				Currency: portfolio.Currency, Status: portfolio.UnitVacant,
			})
		}
		for i := range units {
			all = append(all, &b.Units[from+i])
		}
		return all
	}
	tenant := func(first, last string, email, phone *string) portfolio.Party {
		b.Tenants = append(b.Tenants, portfolio.Tenant{
			Record: record(id.Tenant, "tenant"), FirstName: first, LastName: last, Email: email, Phone: phone,
			Status: portfolio.TenantCurrent,
		})
		return portfolio.Party{ID: b.Tenants[len(b.Tenants)-1].ID, Role: portfolio.PartyPrimary}
	}
	lets := func(
		u *portfolio.Unit, status portfolio.LeaseStatus, start clock.Date, end *clock.Date, parties ...portfolio.Party,
	) *portfolio.Lease {
		l := portfolio.Lease{
			Record: record(id.Lease, "lease"), Status: status, PropertyID: u.PropertyID, UnitID: u.ID,
			RentalAddress: "-", LeaseType: portfolio.Fixed, StartDate: start, EndDate: end,
			MonthlyRent: money.Dollars(1450), Currency: portfolio.Currency, RentDueDay: 1, Tenants: parties,
		}
		if end == nil {
			l.LeaseType = portfolio.MonthToMonth
		}
		for _, p := range parties {
			l.TenantIDs = append(l.TenantIDs, p.ID)
		}
		b.Leases = append(b.Leases, l)
		return &b.Leases[len(b.Leases)-1]
	}
	owes := func(l *portfolio.Lease, amount money.Cents) {
		b.Payments = append(b.Payments, portfolio.Payment{
			Record: record(id.Payment, "payment"), LeaseID: l.ID, TenantID: l.TenantIDs[0], UnitID: l.UnitID,
			PropertyID: l.PropertyID, Type: portfolio.PaymentFee, FeeType: new(portfolio.OtherFee), Amount: amount,
			Currency: portfolio.Currency, Status: portfolio.PaymentDue, DueDate: today - 10,
		})
	}
	// A property with all that can be said of it, and the history of a unit.
	u := house("1420 Maple Avenue", "1A", "2", "=3", "B-4")
	p := &b.Properties[0]
	p.Name, p.StreetAddress2, p.PostalCode, p.YearBuilt = new("Peña Court, \"East\""), new("Building 2"),
		new("01212"), new(1974)
	u[0].Bedrooms, u[0].Bathrooms, u[0].SquareFeet = new(2), new(portfolio.Half(3)), new(1860)
	u[0].MarketRent = new(money.Cents(152_550))
	ann := tenant("Ann", "Muñoz", new("ann@example.com"), new("+15125550142"))
	co := tenant("=HYPERLINK(\"https://evil.test\",\"x\")", "Rivera", nil, new("+442079460000"))
	co.Role = portfolio.PartyCoTenant
	guarantor := tenant("Gus", "Tavares", nil, nil)
	guarantor.Role = portfolio.PartyGuarantor
	l := lets(u[0], portfolio.LeaseActive, clock.Day(2026, 1, 1), new(clock.Day(2026, 12, 31)), ann, co, guarantor)
	l.SecurityDeposit, l.RentDueDay = money.Dollars(900), 5
	l.LateFeeAmount, l.LateFeeGraceDays = new(money.Dollars(60)), new(7)
	l.MoveInDate, l.MoveOutDate = new(clock.Day(2026, 1, 3)), new(clock.Day(2026, 12, 30))
	owes(l, 12_345)
	l = lets(u[0], portfolio.LeaseTerminated, clock.Day(2024, 2, 29), new(clock.Day(2026, 2, 28)), co)
	l.TerminatedOn = new(clock.Day(2025, 6, 30))
	owes(l, -5_000)
	l = lets(u[0], portfolio.LeaseTerminated, clock.Day(2025, 9, 1), new(clock.Day(2025, 12, 31)), ann)
	l.TerminatedOn = new(clock.Day(2025, 8, 1)) // it never began
	lets(u[0], portfolio.LeaseDraft, clock.Day(2027, 1, 1), nil, ann)
	lets(u[0], portfolio.LeaseVoided, clock.Day(2023, 1, 1), nil, ann)
	// A lease from month to month that another one renews, which is signed and has not begun.
	bo := tenant("Bo", "_x0041_ <&> O'Neil", nil, nil)
	lets(u[1], portfolio.LeaseActive, clock.Day(1899, 12, 31), nil, bo)
	next := lets(u[1], portfolio.LeaseSigned, clock.Day(2026, 12, 15), new(clock.Day(2027, 12, 14)), bo)
	b.Leases[len(b.Leases)-2].RenewedToLeaseID, next.RenewedFromLeaseID = &next.ID, &b.Leases[len(b.Leases)-2].ID
	// A lease that rolls over and goes on; a renewed one that has rolled over before.
	cy := tenant("Cy", "Young", nil, nil)
	l = lets(u[2], portfolio.LeaseActive, clock.Day(2024, 7, 1), new(clock.Day(2025, 6, 30)), cy)
	l.LeaseType = portfolio.FixedWithRollover
	prior := lets(u[2], portfolio.LeaseRenewed, clock.Day(2020, 1, 1), new(clock.Day(2020, 12, 31)), cy)
	prior.LeaseType = portfolio.FixedWithRollover
	l = &b.Leases[len(b.Leases)-2]
	prior.RenewedToLeaseID, l.RenewedFromLeaseID = &l.ID, &prior.ID
	// A property that is archived has no line, nor has it units.
	house("9 Gone Street", "1")
	b.Properties[1].Status = portfolio.PropertyArchived
	house("7 Oak Lane", "1")
	return b
}

func TestFileHasTheLinesOfEveryUnit(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d)
		l := dbtest.LandlordIn(t, d, "dana")
		other := dbtest.NewHome(t, d, "robin")
		f.ok(f.store.Add(t.Context(), l.Live, small(l.Live)))
		text := f.file(l.Live, export.CSV)
		golden(t, "small.csv", string(text))
		book := f.file(l.Live, export.XLSX)
		golden(t, "small.sheet.xml", part(t, book, "xl/worksheets/sheet1.xml"))
		if lines := rows(t, book); len(lines) != strings.Count(string(text), "\n") {
			t.Errorf("an import reads %d rows of the workbook", len(lines))
		}
		if strings.Contains(string(text), "Austin") {
			t.Error("there is a property of somebody else")
		}
		if lines := rows(t, f.file(l.Test, export.CSV)); len(lines) != 1 {
			t.Errorf("an empty portfolio has %d lines", len(lines))
		}
		if lines := rows(t, f.file(other.Live, export.XLSX)); len(lines) != 2 {
			t.Errorf("a portfolio of one unit has %d lines", len(lines))
		}
	})
}

// part is a part of a workbook, with a line for each row.
func part(t *testing.T, book []byte, name string) string {
	t.Helper()
	packed, err := zip.NewReader(bytes.NewReader(book), int64(len(book)))
	if err != nil {
		t.Fatal(err)
	}
	file, err := packed.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "<row", "\n<row") + "\n"
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is\n%s\nwant\n%s", name, got, want)
	}
}

func TestCSVBeginsWithMarkAndHoldsNoFormula(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	f, l := newFixture(t, d), dbtest.LandlordIn(t, d, "dana")
	f.ok(f.store.Add(t.Context(), l.Live, small(l.Live)))
	text, marked := strings.CutPrefix(string(f.file(l.Live, export.CSV)), "\ufeff")
	if !marked {
		t.Error("the file has no mark of UTF-8")
	}
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	f.ok(err)
	guarded := 0
	for _, line := range lines {
		for i, cell := range line {
			switch {
			case strings.HasPrefix(cell, "'"):
				guarded++
			case lines[0][i] != "balance" && strings.IndexAny(cell, "=+-@\t\r\n") == 0:
				t.Errorf("%s is a formula: %s", lines[0][i], cell)
			}
		}
	}
	if guarded == 0 {
		t.Error("no text needed an apostrophe")
	}
}

func TestLargePortfolioIsWrittenByPages(t *testing.T) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) {
		f, l := newFixture(t, d), dbtest.LandlordIn(t, d, "dana")
		const properties, most = 3, 130
		b := &portfolio.Book{}
		for i := range properties {
			p := portfolio.Property{
				Record: dbtest.Record(
					id.Property,
					"property",
					access.Live,
					now().Add(time.Duration(i)*time.Second),
				),
				StreetAddress:      fmt.Sprint(i+1, " Oak Lane"),
				City:               "Austin",
				State:              "TX",
				Country:            "US",
				PropertyType:       "apartment",
				UnitCount:          most,
				Status:             portfolio.PropertyActive,
				VerificationStatus: portfolio.Unverified,
			}
			b.Properties = append(b.Properties, p)
			for n := range most {
				b.Units = append(b.Units, portfolio.Unit{
					Record:     dbtest.Record(id.Unit, "unit", access.Live, now().Add(time.Duration(n)*time.Second)),
					PropertyID: p.ID, UnitNumber: fmt.Sprint(n + 1), Currency: portfolio.Currency,
					Status: portfolio.UnitVacant,
				})
			}
		}
		f.ok(f.store.Add(t.Context(), l.Live, b))
		for _, format := range []export.Format{export.CSV, export.XLSX} {
			file, err := f.Rolls.Open(t.Context(), access.Actor{Portfolio: l.Live, Zone: time.UTC}, format)
			f.ok(err)
			var b bytes.Buffer
			var sizes []int
			f.ok(file.Write(t.Context(), &b, func() error {
				sizes = append(sizes, b.Len())
				return nil
			}))
			if len(sizes) != 4 || sizes[0] == 0 || sizes[0] >= sizes[1] || sizes[2] >= sizes[3] {
				t.Errorf("%s leaves after %v bytes", format, sizes)
			}
			lines := rows(t, b.Bytes())[1:]
			if len(lines) != properties*most {
				t.Fatalf("%s has %d lines", format, len(lines))
			}
			for i, line := range lines {
				street, number := fmt.Sprint(i/most+1, " Oak Lane"), fmt.Sprint(i%most+1)
				if line[0] != street || line[6] != number {
					t.Fatalf(
						"%s: line %d is of unit %s of %s, want %s of %s",
						format,
						i,
						line[6],
						line[0],
						number,
						street,
					)
				}
			}
			gone := errors.New("the reader is gone")
			file, err = f.Rolls.Open(t.Context(), access.Actor{Portfolio: l.Live, Zone: time.UTC}, format)
			f.ok(err)
			if err := file.Write(t.Context(), &b, func() error { return gone }); !errors.Is(err, gone) {
				t.Errorf("%s goes on without its reader: %v", format, err)
			}
		}
	})
}
