package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/rows"
)

var propertyTable = rows.NewTable(
	"properties",
	append(
		recordColumns(func(p *portfolio.Property) *portfolio.Record { return &p.Record }),
		rows.At("name", func(p *portfolio.Property) **string { return &p.Name }),
		rows.At("street_address", func(p *portfolio.Property) *string { return &p.StreetAddress }),
		rows.At("street_address_2", func(p *portfolio.Property) **string { return &p.StreetAddress2 }),
		rows.At("city", func(p *portfolio.Property) *string { return &p.City }),
		rows.At("state", func(p *portfolio.Property) *contact.State { return &p.State }),
		rows.At("postal_code", func(p *portfolio.Property) **string { return &p.PostalCode }),
		rows.At("property_type", func(p *portfolio.Property) *portfolio.PropertyType { return &p.PropertyType }),
		rows.At("year_built", func(p *portfolio.Property) **int { return &p.YearBuilt }),
		rows.At("unit_count", func(p *portfolio.Property) *int { return &p.UnitCount }),
		rows.At("occupied_unit_count", func(p *portfolio.Property) *int { return &p.OccupiedUnitCount }),
		rows.At("status", func(p *portfolio.Property) *portfolio.PropertyStatus { return &p.Status }),
		rows.At(
			"verification_status",
			func(p *portfolio.Property) *portfolio.VerificationStatus { return &p.VerificationStatus },
		),
		rows.Written("search_text", func(p *portfolio.Property) any { return string(p.SearchText()) }),
	)...).Completed(func(p *portfolio.Property, mode access.Mode) {
	p.Object, p.Mode, p.Country = "property", mode, "US"
})

// Properties reads the properties of a portfolio that pass the filter, one more
// than its limit.
func (s *Store) Properties(
	ctx context.Context, in access.Portfolio, f portfolio.PropertyFilter,
) ([]portfolio.Property, error) {
	if sort := forPeople(&f.Query, portfolio.PropertySorts()); sort && (f.Search == "" || f.Sort != "") {
		search, err := rows.Searched(ctx, s.db, in, propertyWords, f.Search)
		if err != nil {
			return nil, err
		}
		return rows.ReadSorted(ctx, sortedProperties(s.db, in, f, search), propertyTable.Read(in))
	}
	l := rows.Listed(s.db, propertyTable.Columns, "properties", in, id.Property, f.Query)
	l.EqualFold("city", f.City)
	l.Equal("state", string(f.State))
	l.Equal("property_type", string(f.PropertyType))
	l.Equal("status", string(f.Status))
	return rows.Found(ctx, s.db, in, propertyWords, f.Search, l, propertyTable.Read(in))
}

// Property reads one property, or fault.NotFound.
func (s *Store) Property(ctx context.Context, in access.Portfolio, id string) (portfolio.Property, error) {
	return propertyTable.Record(ctx, s.db, "property", in, id)
}

var unitTable = rows.NewTable(
	"units",
	append(recordColumns(func(u *portfolio.Unit) *portfolio.Record { return &u.Record }),
		rows.At("property_id", func(u *portfolio.Unit) *string { return &u.PropertyID }),
		rows.At("unit_number", func(u *portfolio.Unit) *string { return &u.UnitNumber }),
		rows.At("bedrooms", func(u *portfolio.Unit) **int { return &u.Bedrooms }),
		rows.At("bathrooms", func(u *portfolio.Unit) **portfolio.Half { return &u.Bathrooms }),
		rows.At("square_feet", func(u *portfolio.Unit) **int { return &u.SquareFeet }),
		rows.At("market_rent", func(u *portfolio.Unit) **money.Cents { return &u.MarketRent }),
		rows.At("status", func(u *portfolio.Unit) *portfolio.UnitStatus { return &u.Status }),
		rows.At("is_default", func(u *portfolio.Unit) *bool { return &u.IsDefault }),
		rows.At("current_lease_id", func(u *portfolio.Unit) **string { return &u.CurrentLeaseID }),
	)...).Completed(func(u *portfolio.Unit, mode access.Mode) {
	u.Object, u.Mode, u.Currency = "unit", mode, portfolio.Currency
})

// UnitsOf reads all units of a property in ascending id.
func (s *Store) UnitsOf(ctx context.Context, in access.Portfolio, propertyID string) ([]portfolio.Unit, error) {
	return unitTable.In(ctx, s.db, in, "WHERE portfolio_id = $1 AND property_id = $2 ORDER BY id", in.ID, propertyID)
}

// UnitPage reads units of a property, one more than the limit.
func (s *Store) UnitPage(ctx context.Context, in access.Portfolio, f portfolio.UnitFilter) ([]portfolio.Unit, error) {
	l := rows.Listed(s.db, unitTable.Columns, "units", in, id.Unit, f.Query)
	l.Equal("property_id", f.PropertyID)
	return rows.Rows(ctx, s.db, l, unitTable.Read(in))
}

// Homes reads units with their properties, by the unit's id.
func (s *Store) Homes(ctx context.Context, in access.Portfolio, unitIDs []string) (map[string]*portfolio.Home, error) {
	homes := make(map[string]*portfolio.Home, len(unitIDs))
	if len(unitIDs) == 0 {
		return homes, nil
	}
	args := db.With([]any{in.ID}, unitIDs)
	query := "SELECT " + unitTable.Of("u") + ", " + propertyTable.Of("p") + `
		FROM units u
		JOIN properties p ON p.portfolio_id = u.portfolio_id AND p.id = u.property_id
		WHERE u.portfolio_id = $1 AND u.id IN (` + db.Placeholders(1, len(unitIDs)) + ")"
	err := s.db.EachPlanned(ctx, query, args, func(scan db.Scan) error {
		var h portfolio.Home
		err := scan(append(unitTable.Targets(&h.Unit), propertyTable.Targets(&h.Property)...)...)
		unitTable.Complete(&h.Unit, in.Mode)
		propertyTable.Complete(&h.Property, in.Mode)
		homes[h.Unit.ID] = &h
		return err
	})
	return homes, err
}

// SaveUnit writes a unit that has changed.
func (s *Store) SaveUnit(ctx context.Context, in access.Portfolio, u *portfolio.Unit) error {
	return unitTable.Save(ctx, s.db, in, u)
}

// Unit reads one unit, or fault.NotFound.
func (s *Store) Unit(ctx context.Context, in access.Portfolio, id string) (portfolio.Unit, error) {
	return unitTable.Record(ctx, s.db, "unit", in, id)
}

// RecountProperty counts the units of a property anew and raises its version.
func (s *Store) RecountProperty(ctx context.Context, in access.Portfolio, id string, at clock.Time) error {
	return s.GrowProperty(ctx, in, id, nil, nil, at)
}

// SaveProperty writes a property that has changed.
func (s *Store) SaveProperty(ctx context.Context, in access.Portfolio, p *portfolio.Property) error {
	return propertyTable.Save(ctx, s.db, in, p)
}
