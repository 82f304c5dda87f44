// Package export writes the rent roll of a whole portfolio as a CSV file or a workbook, with the columns that an
// import reads: what is exported and imported into an empty portfolio is the same portfolio, but for what no rent
// roll has, such as documents and tickets.
//
// Each unit of a property that is not archived has a line for each lease that bound somebody, in the order of their
// first days, or one line without a tenant. Each further tenant of a lease has a line below it, with the same unit,
// days, and rent.
//
// It reads a page of units at a time, outside of a transaction, and keeps no more than that. It knows nothing of HTTP
// and SQL.
package export

import (
	"context"
	"io"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/portfolio"
)

// Format is a kind of file.
type Format string

// The kinds of files.
const (
	CSV  Format = "csv"
	XLSX Format = "xlsx"
)

// Values are all kinds of files.
func (Format) Values() []string { return []string{"csv", "xlsx"} }

// SchemaName is the name of the OpenAPI component.
func (Format) SchemaName() string { return "ExportFormat" }

// Media is the media type of a file.
func (f Format) Media() string {
	if f == XLSX {
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	}
	return "text/csv; charset=utf-8"
}

// Store is where the records are.
type Store interface {
	Balances(
		ctx context.Context, in access.Portfolio, today clock.Date, leaseIDs []string,
	) (map[string]portfolio.Balance, error)
	// LeasesOfUnits reads all leases of units with their parties.
	LeasesOfUnits(ctx context.Context, in access.Portfolio, unitIDs []string) ([]portfolio.Lease, error)
	PropertiesWithIDs(ctx context.Context, in access.Portfolio, ids []string) ([]portfolio.Property, error)
	TenantsWithIDs(ctx context.Context, in access.Portfolio, ids []string) ([]portfolio.Tenant, error)
	// UnitsAfter reads units in the order of their properties' ids and their own, at most so many behind a unit.
	UnitsAfter(
		ctx context.Context, in access.Portfolio, propertyID, unitID string, most int,
	) ([]portfolio.Unit, error)
}

// Rolls makes the files.
type Rolls struct {
	*portfolio.Common
	store Store
}

// New makes the rules over their store.
func New(c *portfolio.Common, store Store) *Rolls { return &Rolls{c, store} }

// pageSize is how many units are read at a time.
const pageSize = 100

// File is a rent roll on its way to its reader.
type File struct {
	Format Format
	rolls  *Rolls
	in     access.Portfolio
	today  clock.Date
	page   []portfolio.Unit // the units that are written next
}

// Open begins the rent roll of a portfolio: what cannot be read at all fails here.
func (r *Rolls) Open(ctx context.Context, by access.Actor, format Format) (*File, error) {
	f := &File{Format: format, rolls: r, in: by.Portfolio, today: r.Today(by)}
	return f, f.next(ctx, "", "")
}

// Name is what the file is called.
func (f *File) Name() string { return "rent-roll-" + f.today.String() + "." + string(f.Format) }

// next reads the page of units behind a unit.
func (f *File) next(ctx context.Context, propertyID, unitID string) (err error) {
	f.page, err = f.rolls.store.UnitsAfter(ctx, f.in, propertyID, unitID, pageSize)
	return err
}

// table is a file of a format that is being written.
type table interface {
	row(line []any) error
	// flush hands over what has been written so far, as far as the format can.
	flush() error
	close() error
}

// Write writes the file. After each page, sent is called, which may fail where the reader is too slow or gone.
func (f *File) Write(ctx context.Context, w io.Writer, sent func() error) error {
	t, err := begin(w, f.Format)
	if err != nil {
		return err
	}
	for len(f.page) > 0 {
		if err := f.writePage(ctx, t); err != nil {
			return err
		}
		if err := t.flush(); err != nil {
			return err
		}
		if err := sent(); err != nil {
			return err
		}
		last := &f.page[len(f.page)-1]
		if len(f.page) < pageSize {
			break
		}
		if err := f.next(ctx, last.PropertyID, last.ID); err != nil {
			return err
		}
	}
	return t.close()
}

// begin begins a file with the names of its columns.
func begin(w io.Writer, format Format) (table, error) {
	if format == XLSX {
		return newWorkbook(w)
	}
	return newText(w)
}

// writePage writes the lines of the units of a page.
func (f *File) writePage(ctx context.Context, t table) error {
	p, err := f.load(ctx)
	if err != nil {
		return err
	}
	for i := range f.page {
		for _, line := range p.lines(&f.page[i], f.today) {
			if err := t.row(line); err != nil {
				return err
			}
		}
	}
	return nil
}
