package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/rows"
)

// Add writes a whole book into a portfolio, all of it or nothing.
func (s *Store) Add(ctx context.Context, in access.Portfolio, b *portfolio.Book) error {
	return s.db.Atomically(ctx, func(ctx context.Context) error {
		if err := s.db.Lock(ctx, in); err != nil {
			return err
		}
		if err := s.AddProperties(ctx, in, b); err != nil {
			return err
		}
		if err := s.AddPeople(ctx, in, b); err != nil {
			return err
		}
		if err := s.addWork(ctx, in, b); err != nil || in.Mode != access.Test {
			return err
		}
		// What is written from now on counts against the limit of a demo portfolio.
		_, err := s.db.Exec(ctx, `INSERT INTO demo_usage (portfolio_id, records, bytes)
			VALUES ($1, 0, 0)
			ON CONFLICT (portfolio_id) DO NOTHING`, in.ID)
		return err
	})
}

// AddProperties writes the properties and units of a book.
func (s *Store) AddProperties(ctx context.Context, in access.Portfolio, b *portfolio.Book) error {
	err := propertyTable.Insert(ctx, s.db, in, b.Properties)
	if err != nil {
		return err
	}
	return unitTable.Insert(ctx, s.db, in, b.Units)
}

// AddPeople writes the tenants and leases of a book, whose places are written.
func (s *Store) AddPeople(ctx context.Context, in access.Portfolio, b *portfolio.Book) error {
	if err := tenantTable.Insert(ctx, s.db, in, b.Tenants); err != nil {
		return err
	}
	if err := leaseTable.Insert(ctx, s.db, in, b.Leases); err != nil {
		return err
	}
	var parties []party
	for i := range b.Leases {
		l := &b.Leases[i]
		for n, p := range l.Tenants {
			parties = append(parties, party{l.ID, n, &p.ID, string(p.Role), p.SignedAt})
		}
		if l.Landlord != nil {
			parties = append(parties, party{l.ID, len(l.Tenants), nil, landlordRole, l.Landlord.SignedAt})
		}
	}
	return rows.Insert(
		ctx,
		s.db,
		in,
		"lease_signers",
		"lease_id, position, tenant_id, role, signed_at",
		parties,
		rows.Fixed((*party).values),
	)
}

// addWork writes the tickets and ledger rows of a book, whose people are written.
func (s *Store) addWork(ctx context.Context, in access.Portfolio, b *portfolio.Book) error {
	if err := ticketTable.Insert(ctx, s.db, in, b.Tickets); err != nil {
		return err
	}
	if err := paymentTable.Insert(ctx, s.db, in, b.Payments); err != nil {
		return err
	}
	_, err := s.db.Exec(ctx, `UPDATE portfolios
		SET next_ticket_number = (SELECT COALESCE(max(number), 1000) + 1 FROM tickets WHERE portfolio_id = $1)
		WHERE id = $1`, in.ID)
	return err
}

// Addresses calls back with the address, type, year and status of each property
// of a portfolio, and then with the number of each unit.
func (s *Store) Addresses(
	ctx context.Context,
	in access.Portfolio,
	property func(*portfolio.Property),
	unit func(propertyID, number string),
) error {
	err := s.db.Each(ctx, "SELECT "+propertyTable.Columns+" FROM properties WHERE portfolio_id = $1 ORDER BY id", []any{
		in.ID,
	}, func(scan db.Scan) error {
		var p portfolio.Property
		err := readProperty(in.Mode)(scan, &p)
		property(&p)
		return err
	})
	if err != nil {
		return err
	}
	return s.db.Each(ctx, "SELECT property_id, unit_number FROM units WHERE portfolio_id = $1", []any{
		in.ID,
	}, func(scan db.Scan) error {
		var id, number string
		err := scan(&id, &number)
		unit(id, number)
		return err
	})
}

// GrowProperty counts the units of a property anew after some were added, fills
// what was not known of it, and raises its version. A search finds the postal code at once.
func (s *Store) GrowProperty(
	ctx context.Context, in access.Portfolio, id string, postalCode *string, yearBuilt *int, at clock.Time,
) error {
	words := (&portfolio.Property{PostalCode: postalCode}).SearchText()
	_, err := s.db.Exec(ctx, `UPDATE properties
		SET version = version + 1,
			updated_at = $3,
			postal_code = COALESCE(postal_code, $4),
			search_text = CASE WHEN postal_code IS NULL AND $4 IS NOT NULL THEN search_text || $6 ELSE search_text END,
			year_built = COALESCE(year_built, $5),
			unit_count = (SELECT count(*) FROM units WHERE portfolio_id = $1 AND property_id = $2),
			occupied_unit_count = (SELECT count(*) FROM units WHERE portfolio_id = $1 AND property_id = $2 AND `+rows.OneOf("status", portfolio.OccupiedUnits())+`)
		WHERE portfolio_id = $1 AND id = $2`, in.ID, id, at, postalCode, yearBuilt, string(words))
	return err
}

// landlordRole is the role of the landlord's row among the signers of a lease.
const landlordRole = string(agreement.LandlordSigner)

// party is a row of lease_signers.
type party struct {
	lease    string
	position int
	tenant   *string // nil for the landlord
	role     string
	signedAt *clock.Time
}

func (p *party) values() []any { return []any{p.lease, p.position, p.tenant, p.role, p.signedAt} }

// UnitCount counts the units of a portfolio. Those of archived properties are not in use
// and count against no ceiling; in test mode, where none holds, all are counted.
func (s *Store) UnitCount(ctx context.Context, in access.Portfolio) (n int, err error) {
	query := "SELECT COALESCE(sum(unit_count), 0) FROM properties WHERE portfolio_id = $1"
	if in.Mode == access.Live {
		query += " AND " + rows.IsNot("status", portfolio.PropertyArchived)
	}
	_, err = s.db.One(ctx, query, []any{in.ID}, &n)
	return n, err
}
