package db

import (
	"context"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
)

// bulk is how many rows one INSERT carries: SQLite takes 32,766 parameters.
const bulk = 100

// Hold makes other transactions that hold the portfolio wait for the end of this
// one, on every node: what this one counts stays so until it has written. Whoever
// changes records holds their portfolio first, so its revision tells what was counted
// before the change.
func (d *DB) Hold(ctx context.Context, in access.Portfolio) error {
	t, inside := ctx.Value(txKey{}).(*tx)
	if inside && t.held[in.ID] {
		return nil
	}
	n, err := d.exec(ctx, "UPDATE portfolios SET revision = revision + 1 WHERE id = $1", in.ID)
	if err == nil && n != 1 {
		err = fault.NotFound("portfolio")
	}
	if err == nil && inside && t.held != nil {
		t.held[in.ID] = true
	}
	return err
}

// Add writes a whole book into a portfolio, all of it or nothing.
func (d *DB) Add(ctx context.Context, in access.Portfolio, b *portfolio.Book) error {
	return d.Atomically(ctx, func(ctx context.Context) error {
		if err := d.Hold(ctx, in); err != nil {
			return err
		}
		if err := d.AddPlaces(ctx, in, b); err != nil {
			return err
		}
		if err := d.AddPeople(ctx, in, b); err != nil {
			return err
		}
		return d.addWork(ctx, in, b)
	})
}

// AddPlaces writes the properties and units of a book.
func (d *DB) AddPlaces(ctx context.Context, in access.Portfolio, b *portfolio.Book) error {
	err := insert(ctx, d, in, "properties", propertyWrites, b.Properties, fixed(propertyValues))
	if err != nil {
		return err
	}
	return insert(ctx, d, in, "units", unitColumns, b.Units, fixed(unitValues))
}

// AddPeople writes the tenants and leases of a book, whose places are written.
func (d *DB) AddPeople(ctx context.Context, in access.Portfolio, b *portfolio.Book) error {
	if err := insert(ctx, d, in, "tenants", tenantWrites, b.Tenants, fixed(tenantValues)); err != nil {
		return err
	}
	if err := insert(ctx, d, in, "leases", leaseColumns, b.Leases, fixed(leaseValues)); err != nil {
		return err
	}
	var parties []party
	for i := range b.Leases {
		for n, p := range b.Leases[i].Tenants {
			parties = append(parties, party{b.Leases[i].ID, n, p})
		}
	}
	return insert(ctx, d, in, "lease_tenants", "lease_id, position, tenant_id, role, signed_at", parties, fixed((*party).values))
}

// addWork writes the tickets and ledger rows of a book, whose people are written.
func (d *DB) addWork(ctx context.Context, in access.Portfolio, b *portfolio.Book) error {
	if err := insert(ctx, d, in, "tickets", ticketColumns, b.Tickets, ticketValues); err != nil {
		return err
	}
	if err := insert(ctx, d, in, "payments", paymentColumns, b.Payments, fixed(paymentValues)); err != nil {
		return err
	}
	_, err := d.exec(ctx, `UPDATE portfolios
		SET next_ticket_number = (SELECT COALESCE(max(number), 1000) + 1 FROM tickets WHERE portfolio_id = $1)
		WHERE id = $1`, in.ID)
	return err
}

// Addresses calls back with the address, type, year and status of each property
// of a portfolio, and then with the number of each unit.
func (d *DB) Addresses(ctx context.Context, in access.Portfolio, property func(*portfolio.Property), unit func(propertyID, number string)) error {
	err := d.each(ctx, "SELECT "+propertyColumns+" FROM properties WHERE portfolio_id = $1 ORDER BY id", []any{in.ID}, func(s scan) error {
		var p portfolio.Property
		err := readProperty(in.Mode)(s, &p)
		property(&p)
		return err
	})
	if err != nil {
		return err
	}
	return d.each(ctx, "SELECT property_id, unit_number FROM units WHERE portfolio_id = $1", []any{in.ID}, func(s scan) error {
		var id, number string
		err := s(&id, &number)
		unit(id, number)
		return err
	})
}

// GrowProperty counts the units of a property anew after some were added, fills
// what was not known of it, and raises its version. A search finds the postal code at once.
func (d *DB) GrowProperty(ctx context.Context, in access.Portfolio, id string, postalCode *string, yearBuilt *int, at clock.Time) error {
	words := (&portfolio.Property{PostalCode: postalCode}).SearchText()
	_, err := d.exec(ctx, `UPDATE properties
		SET version = version + 1,
			updated_at = $3,
			postal_code = COALESCE(postal_code, $4),
			search_text = CASE WHEN postal_code IS NULL AND $4 IS NOT NULL THEN search_text || $6 ELSE search_text END,
			year_built = COALESCE(year_built, $5),
			unit_count = (SELECT count(*) FROM units WHERE portfolio_id = $1 AND property_id = $2),
			occupied_unit_count = (SELECT count(*) FROM units WHERE portfolio_id = $1 AND property_id = $2 AND status IN ('occupied', 'notice'))
		WHERE portfolio_id = $1 AND id = $2`, in.ID, id, at, postalCode, yearBuilt, string(words))
	return err
}

// party is a row of lease_tenants.
type party struct {
	lease    string
	position int
	portfolio.Party
}

func (p *party) values() []any { return []any{p.lease, p.position, p.ID, p.Role, p.SignedAt} }

// fixed adapts values that cannot fail.
func fixed[T any](values func(*T) []any) func(*T) ([]any, error) {
	return func(v *T) ([]any, error) { return values(v), nil }
}

// insert writes records, many with one statement.
func insert[T any](ctx context.Context, d *DB, in access.Portfolio, table, columns string, records []T, values func(*T) ([]any, error)) error {
	for chunk := range slices.Chunk(records, bulk) {
		sql, args, err := insertion(d, in, table, columns, chunk, values)
		if err != nil {
			return err
		}
		if _, err := d.exec(ctx, sql, args...); err != nil {
			return err
		}
	}
	return nil
}

// insertion is the statement that writes some records.
func insertion[T any](d *DB, in access.Portfolio, table, columns string, records []T, values func(*T) ([]any, error)) (string, []any, error) {
	var sql strings.Builder
	sql.WriteString("INSERT INTO " + table + " (portfolio_id, " + columns + ") VALUES ")
	var args []any
	for i := range records {
		row, err := values(&records[i])
		if err != nil {
			return "", nil, err
		}
		if i > 0 {
			sql.WriteString(", ")
		}
		sql.WriteString("(" + d.marks(len(args), len(row)+1) + ")")
		args = append(append(args, in.ID), row...)
	}
	return sql.String(), args, nil
}
