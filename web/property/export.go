package property

import (
	"slices"

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
		Row: func(name string) (*portfolio.Property, error) {
			x, _, _, err := p.Portfolio.Properties.PropertyUnits(v.Ctx(), v.Actor(), portfolio.UnitFilter{
				Query:      list.Query{Limit: 1},
				PropertyID: name,
			})
			return x, err
		},
		Columns: func([]portfolio.Property) ([]csvexport.Column[portfolio.Property], error) {
			return propertyColumns(), nil
		},
	})
}

func propertyColumns() []csvexport.Column[portfolio.Property] {
	type row = portfolio.Property
	type value = csvexport.Value
	return slices.Concat([]csvexport.Column[row]{
		{Name: "Property ID", Of: func(p *row) value { return csvexport.Text(p.ID) }},
		{Name: "Name", Of: func(p *row) value { return csvexport.TextOr(p.Name) }},
		{Name: "Street address", Of: func(p *row) value { return csvexport.Text(p.StreetAddress) }},
		{Name: "Address line 2", Of: func(p *row) value { return csvexport.TextOr(p.StreetAddress2) }},
		{Name: "City", Of: func(p *row) value { return csvexport.Text(p.City) }},
		{Name: "State", Of: func(p *row) value { return csvexport.Text(p.State) }},
		{Name: "ZIP code", Of: func(p *row) value { return csvexport.TextOr(p.PostalCode) }},
		{Name: "Type", Of: func(p *row) value { return csvexport.Text(p.PropertyType) }},
		{Name: "Year built", Of: func(p *row) value { return csvexport.NumberOr(p.YearBuilt) }},
		{Name: "Units", Of: func(p *row) value { return csvexport.Number(p.UnitCount) }},
		{Name: "Occupied units", Of: func(p *row) value { return csvexport.Number(p.OccupiedUnitCount) }},
		{Name: "Status", Of: func(p *row) value { return csvexport.Text(p.Status) }},
		{Name: "Ownership", Of: func(p *row) value { return csvexport.Text(p.VerificationStatus) }},
	}, csvexport.RecordColumns(func(p *row) *portfolio.Record { return &p.Record }))
}
