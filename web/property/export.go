package property

import (
	_ "embed"
	"net/http"
	"slices"

	"portal/api/list"
	"portal/api/portfolio"
	views "portal/views/property"
	"portal/web/csvexport"
	"portal/web/page"
)

// exportProperties answers with the properties that the address asks for as a file.
func (p *Section) exportProperties(v *page.Request) error {
	f := propertyFilter(v)
	return csvexport.Serve(v, p.Portfolio, csvexport.Table[portfolio.Property]{
		Name:  "properties",
		Query: f.Query,
		Page: func(q list.Query) (*list.Page[portfolio.Property], error) {
			f.Query = q
			return p.Portfolio.Properties.Properties(v.Ctx(), v.Actor(), f)
		},
		Row:   p.thisProperty,
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

// sampleFile is a rent roll to begin with.
//
//go:embed sample.csv
var sampleFile []byte

func (p *Section) sampleRoll(v *page.Request) error {
	v.Response().Header().Set("Content-Disposition", `attachment; filename="rent-roll-sample.csv"`)
	return v.Blob(http.StatusOK, "text/csv; charset=utf-8", sampleFile)
}

// RollColumns are the columns of a rent roll in words; a test holds them to those that
// there are.
var RollColumns = []views.RollColumn{
	{
		Name:    "street_address",
		Needed:  true,
		Words:   "House number and street. Lines of one address are one property.",
		Example: "1420 Maple Avenue",
	},
	{
		Name:    "city",
		Needed:  true,
		Words:   "City.",
		Example: "Austin",
	},
	{
		Name:    "state",
		Needed:  true,
		Words:   "Two letters.",
		Example: "TX",
	},
	{Name: "postal_code", Words: "5 or 9 digits.", Example: "78701"},
	{Name: "property_type", Words: "single_family if empty.", Example: "apartment"},
	{Name: "year_built", Words: "A year.", Example: "1974"},
	{Name: "unit_number", Words: "1 if empty.", Example: "2B"},
	{Name: "bedrooms", Words: "0 for a studio.", Example: "2"},
	{Name: "bathrooms", Words: "In halves.", Example: "1.5"},
	{Name: "square_feet", Words: "A whole number.", Example: "860"},
	{Name: "market_rent", Words: "Dollars a month.", Example: "1,450"},
	{
		Name:    "tenant_first_name",
		Words:   "A line with a tenant has a lease; one without is a vacant unit.",
		Example: "Dana",
	},
	{Name: "tenant_last_name", Words: "Goes with the first name.", Example: "Whitfield"},
	{
		Name:    "tenant_email",
		Words:   "Two lines with one address are one tenant with two leases.",
		Example: "dana@example.com",
	},
	{Name: "tenant_phone", Words: "Any US form.", Example: "(512) 555-0142"},
	{Name: "lease_start", Words: "Needed with a tenant.", Example: "2026-03-01"},
	{Name: "lease_end", Words: "Month to month if empty.", Example: "2027-02-28"},
	{Name: "monthly_rent", Words: "Needed with a tenant.", Example: "1,395"},
	{Name: "security_deposit", Words: "0 if empty.", Example: "1,395"},
}
