package property

import (
	"context"
	"slices"

	"portal/api/access"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/web/csvexport"
	"portal/web/page"
)

// exportProperties answers with the properties that the address asks for as a file.
func (p *propertyPages) exportProperties(v *page.Request) error {
	f := propertyFilter(v)
	return csvexport.Serve(v, p.Portfolio, csvexport.Table[portfolio.Property]{
		Name:  "properties",
		Query: f.Query,
		Page: func(q list.Query) (*list.Page[portfolio.Property], error) {
			f.Query = q
			return p.Portfolio.Properties.Properties(v.Ctx(), v.Actor(), f)
		},
		Row: func(ctx context.Context, by access.Actor, id string) (*portfolio.Property, error) {
			x, _, _, err := p.Portfolio.Properties.PropertyUnits(ctx, by, portfolio.UnitFilter{
				Query:      list.Query{Limit: 1},
				PropertyID: id,
			})
			return x, err
		},
		Cells: propertyColumns,
	})
}

func propertyColumns(p *portfolio.Property) csvexport.Cells {
	return slices.Concat(csvexport.Cells{
		"Property ID", p.ID, "Name", p.Name, "Street address", p.StreetAddress,
		"Address line 2", p.StreetAddress2, "City", p.City, "State", p.State, "ZIP code", p.PostalCode,
		"Type", p.PropertyType, "Year built", p.YearBuilt, "Units", p.UnitCount,
		"Occupied units", p.OccupiedUnitCount, "Status", p.Status, "Ownership", p.VerificationStatus,
	}, csvexport.RecordCells(&p.Record))
}
