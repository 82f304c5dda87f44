package portfoliostore

import (
	"context"
	"strings"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/rows"
)

const propertyColumns = `id, version, created_at, updated_at, name, street_address, street_address_2, city, state,
	postal_code, property_type, year_built, unit_count, occupied_unit_count, status, verification_status`

func readProperty(mode access.Mode) func(db.Scan, *portfolio.Property) error {
	return func(scan db.Scan, p *portfolio.Property) error {
		p.Object, p.Mode, p.Country = "property", mode, "US"
		return scan(
			&p.ID,
			&p.Version,
			&p.CreatedAt,
			&p.UpdatedAt,
			&p.Name,
			&p.StreetAddress,
			&p.StreetAddress2,
			&p.City,
			&p.State,
			&p.PostalCode,
			&p.PropertyType,
			&p.YearBuilt,
			&p.UnitCount,
			&p.OccupiedUnitCount,
			&p.Status,
			&p.VerificationStatus,
		)
	}
}

// propertyWrites are the columns that are written, propertyValues their values.
const propertyWrites = propertyColumns + ", search_text"

func propertyValues(p *portfolio.Property) []any {
	return []any{
		p.ID,
		p.Version,
		p.CreatedAt,
		p.UpdatedAt,
		p.Name,
		p.StreetAddress,
		p.StreetAddress2,
		p.City,
		p.State,
		p.PostalCode,
		p.PropertyType,
		p.YearBuilt,
		p.UnitCount,
		p.OccupiedUnitCount,
		p.Status,
		p.VerificationStatus,
		string(p.SearchText()),
	}
}

// Properties reads the properties of a portfolio that pass the filter, one more
// than its limit.
func (s Properties) Properties(
	ctx context.Context, in access.Portfolio, f portfolio.PropertyFilter,
) ([]portfolio.Property, error) {
	l := rows.Listed(s.db, propertyColumns, "properties", in, id.Property, f.Query)
	l.EqualFold("city", f.City)
	l.Equal("state", string(f.State))
	l.Equal("property_type", string(f.PropertyType))
	l.Equal("status", string(f.Status))
	return found(ctx, s.db, in, propertyWords, f.Search, l, readProperty(in.Mode))
}

// Property reads one property, or fault.NotFound.
func (s Properties) Property(ctx context.Context, in access.Portfolio, id string) (portfolio.Property, error) {
	p, found, err := rows.Record(ctx, s.db, propertyColumns, "properties", in, id, readProperty(in.Mode))
	if err == nil && !found {
		err = fault.NotFound("property")
	}
	return p, err
}

const unitColumns = `id, version, created_at, updated_at, property_id, unit_number, bedrooms, bathrooms, square_feet,
	market_rent, status, is_default, current_lease_id`

func readUnit(mode access.Mode) func(db.Scan, *portfolio.Unit) error {
	return func(scan db.Scan, u *portfolio.Unit) error {
		u.Object, u.Mode, u.Currency = "unit", mode, portfolio.Currency
		return scan(
			&u.ID,
			&u.Version,
			&u.CreatedAt,
			&u.UpdatedAt,
			&u.PropertyID,
			&u.UnitNumber,
			&u.Bedrooms,
			&u.Bathrooms,
			&u.SquareFeet,
			&u.MarketRent,
			&u.Status,
			&u.IsDefault,
			&u.CurrentLeaseID,
		)
	}
}

func unitValues(u *portfolio.Unit) []any {
	return []any{
		u.ID,
		u.Version,
		u.CreatedAt,
		u.UpdatedAt,
		u.PropertyID,
		u.UnitNumber,
		u.Bedrooms,
		u.Bathrooms,
		u.SquareFeet,
		u.MarketRent,
		u.Status,
		u.IsDefault,
		u.CurrentLeaseID,
	}
}

// UnitsOf reads all units of a property in ascending id.
func (s Units) UnitsOf(ctx context.Context, in access.Portfolio, propertyID string) ([]portfolio.Unit, error) {
	units, read := []portfolio.Unit{}, readUnit(in.Mode)
	query := `SELECT ` + unitColumns + `
		FROM units
		WHERE portfolio_id = $1 AND property_id = $2
		ORDER BY id`
	err := s.db.Each(ctx, query, []any{in.ID, propertyID}, func(scan db.Scan) error {
		units = append(units, portfolio.Unit{})
		return read(scan, &units[len(units)-1])
	})
	return units, err
}

// UnitPage reads units of a property, one more than the limit.
func (s Units) UnitPage(ctx context.Context, in access.Portfolio, f portfolio.UnitFilter) ([]portfolio.Unit, error) {
	l := rows.Listed(s.db, unitColumns, "units", in, id.Unit, f.Query)
	l.Equal("property_id", f.PropertyID)
	return rows.Rows(ctx, s.db, l, readUnit(in.Mode))
}

// Homes reads units with their properties, by the unit's id.
func (s Units) Homes(ctx context.Context, in access.Portfolio, unitIDs []string) (map[string]*portfolio.Home, error) {
	homes := make(map[string]*portfolio.Home, len(unitIDs))
	if len(unitIDs) == 0 {
		return homes, nil
	}
	args := []any{in.ID}
	for _, id := range unitIDs {
		args = append(args, id)
	}
	property, unit := readProperty(in.Mode), readUnit(in.Mode)
	query := "SELECT " + of("u", unitColumns) + ", " + of("p", propertyColumns) + `
		FROM units u
		JOIN properties p ON p.portfolio_id = u.portfolio_id AND p.id = u.property_id
		WHERE u.portfolio_id = $1 AND u.id IN (` + db.Placeholders(1, len(unitIDs)) + ")"
	err := s.db.Each(ctx, query, args, func(scan db.Scan) error {
		var h portfolio.Home
		err := unit(func(of ...any) error {
			return property(func(further ...any) error { return scan(append(of, further...)...) }, &h.Property)
		}, &h.Unit)
		homes[h.Unit.ID] = &h
		return err
	})
	return homes, err
}

// of names columns by the table that has them.
func of(table, columns string) string {
	names := strings.Split(columns, ",")
	for i := range names {
		names[i] = table + "." + strings.TrimSpace(names[i])
	}
	return strings.Join(names, ", ")
}
