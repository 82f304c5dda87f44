package simulate

import (
	"context"

	"portal/api/access"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/portfolio/property"
)

// UnitCreate is a further unit of a property.
type UnitCreate struct {
	// The property.
	PropertyID string `json:"property_id" format:"ref" prefix:"prop"`
	// Number or name, unique in the property.
	UnitNumber string `json:"unit_number" minlen:"1" maxlen:"30" example:"9F"`
}

// SchemaName is the name of the OpenAPI component.
func (UnitCreate) SchemaName() string { return "TestUnitCreate" }

// AddUnit adds a vacant unit to a property of the actor's demo portfolio, by the rules of the dashboard:
// the property is in use, the number is free there, and the property's version grows.
func (s *Simulator) AddUnit(
	ctx context.Context, by access.Actor, c UnitCreate,
) (*change.Result[portfolio.Unit], error) {
	if by.Portfolio.Mode != access.Test {
		return nil, fault.Of(fault.NoRecord)
	}
	return portfolio.Write(
		ctx,
		s.Portfolio.Common,
		by,
		func(ctx context.Context) (*change.Result[portfolio.Unit], error) {
			p, err := portfolio.Find(
				ctx,
				by.Portfolio,
				id.Property,
				c.PropertyID,
				"property",
				s.Store.Property,
			)
			if err != nil {
				return nil, err
			}
			return s.Portfolio.Units.AddUnit(ctx, by, p.ID, property.UnitAdd{UnitNumber: c.UnitNumber})
		},
	)
}

// TenantCreate is a person who is to rent a unit.
type TenantCreate struct {
	// The unit that they will rent.
	UnitID string `json:"unit_id" format:"ref" prefix:"unit"`
	// Given name.
	FirstName string `json:"first_name" minlen:"1" maxlen:"127" example:"Dana"`
	// Family name.
	LastName string `json:"last_name" minlen:"1" maxlen:"127" example:"Whitfield"`
	// Email address. Without one the tenant cannot sign a lease online.
	Email *string `json:"email" format:"email" maxlen:"254" example:"dana.whitfield@example.com"`
}

// SchemaName is the name of the OpenAPI component.
func (TenantCreate) SchemaName() string { return "TestTenantCreate" }

// AddTenant adds a tenant without a lease to the actor's demo portfolio: a prospect, as an applicant who
// was accepted is. A lease that is generated for the tenant without naming a unit is for this one; what
// is derived from leases then takes its place.
func (s *Simulator) AddTenant(
	ctx context.Context, by access.Actor, c TenantCreate,
) (*change.Result[portfolio.Tenant], error) {
	if by.Portfolio.Mode != access.Test {
		return nil, fault.Of(fault.NoRecord)
	}
	return portfolio.Write(
		ctx,
		s.Portfolio.Common,
		by,
		func(ctx context.Context) (*change.Result[portfolio.Tenant], error) {
			u, err := portfolio.Find(ctx, by.Portfolio, id.Unit, c.UnitID, "unit", s.Store.Unit)
			if err != nil {
				return nil, err
			}
			t := portfolio.Tenant{
				Record:    s.Portfolio.NewRecord(by, id.Tenant, "tenant"),
				FirstName: c.FirstName,
				LastName:  c.LastName,
				Name:      c.FirstName + " " + c.LastName,
				Email:     c.Email,
			}
			t.DeriveTenancy(nil)
			t.PropertyID, t.UnitID = &u.PropertyID, &u.ID
			book := portfolio.Book{Tenants: []portfolio.Tenant{t}}
			return &change.Result[portfolio.Tenant]{After: &t}, s.Store.AddPeople(ctx, by.Portfolio, &book)
		},
	)
}
