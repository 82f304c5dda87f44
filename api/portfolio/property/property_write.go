package property

import (
	"context"
	"fmt"
	"strings"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
)

// Create is a property to be made, with its default unit.
type Create struct {
	// House number and street.
	StreetAddress string `json:"street_address" minlen:"1" maxlen:"200" example:"1420 Maple Avenue"`
	// Second line of the address.
	StreetAddress2 *string `json:"street_address_2" maxlen:"200"`
	// City.
	City string `json:"city" minlen:"1" maxlen:"100" example:"Austin"`
	// USPS code of the state or DC.
	State contact.State `json:"state" example:"TX"`
	// ZIP code of 5 or 9 digits.
	PostalCode *string `json:"postal_code" format:"postal-code" example:"78701"`
	// Display name.
	Name *string `json:"name" minlen:"1" maxlen:"127" example:"Maple Court"`
	// Kind of building.
	PropertyType portfolio.PropertyType `json:"property_type" default:"single_family"`
	// Year of construction, next year at the latest.
	YearBuilt *int `json:"year_built" min:"1600" max:"next_year" example:"1974"`
	// The default unit; further ones are added in the dashboard.
	Unit *UnitCreate `json:"unit"`
}

// UnitCreate is the default unit of a property to be made.
type UnitCreate struct {
	// Number or name.
	UnitNumber string `json:"unit_number" default:"1" minlen:"1" maxlen:"30"`
	// Number of bedrooms; 0 is a studio.
	Bedrooms *int `json:"bedrooms" min:"0" max:"100" example:"2"`
	// Number of bathrooms in steps of 0.5.
	Bathrooms *portfolio.Half `json:"bathrooms"`
	// Floor area in square feet.
	SquareFeet *int `json:"square_feet" min:"1" max:"10000000" example:"860"`
	// Asking rent a month, in dollars.
	MarketRent *money.Cents `json:"market_rent"`
}

// SchemaName is the name of the OpenAPI component.
func (Create) SchemaName() string { return "PropertyCreate" }

// Check finds what no tag says: a year of construction that lies too far ahead.
func (c Create) Check(today clock.Date) []fault.Detail {
	return checkYear(c.YearBuilt, today)
}

func checkYear(year *int, today clock.Date) []fault.Detail {
	next := today.Std().Year() + 1
	if year == nil || *year <= next {
		return nil
	}
	return []fault.Detail{portfolio.FieldFault("year_built", fault.InvalidField, fmt.Sprintf(
		"must be %d at the latest; not %d.", next, *year))}
}

// CreateProperty makes a property with one unit (docs/site/records.md), within the ceiling of units
// of the actor's plan.
func (s *Properties) CreateProperty(
	ctx context.Context, by access.Actor, c Create,
) (*change.Result[portfolio.PropertyWithUnits], error) {
	if err := fault.Invalid(c.Check(s.Today(by))); err != nil {
		return nil, err
	}
	return portfolio.Write(
		ctx,
		s.Common,
		by,
		func(ctx context.Context) (*change.Result[portfolio.PropertyWithUnits], error) {
			if err := s.units.capacity(ctx, by, 1); err != nil {
				return nil, err
			}
			p := s.propertyOf(by, c)
			err := s.store.AddProperties(
				ctx,
				by.Portfolio,
				&portfolio.Book{Properties: []portfolio.Property{p.Property}, Units: p.Units},
			)
			return &change.Result[portfolio.PropertyWithUnits]{After: p}, err
		},
	)
}

// Shortage is a portfolio that has no room for more units.
type Shortage struct {
	Used  int // units that the portfolio has
	Limit int // units that the plan allows
}

// Shortage tells whether the plan has too little room for more units. Test mode always has room.
func (s *Units) Shortage(ctx context.Context, by access.Actor, units int) (short Shortage, is bool, err error) {
	if by.Units == nil {
		return short, false, nil
	}
	short.Limit = *by.Units
	short.Used, err = s.store.UnitCount(ctx, by.Portfolio)
	return short, err == nil && short.Used+units > short.Limit, err
}

// capacity refuses more units than the plan allows.
func (s *Units) capacity(ctx context.Context, by access.Actor, units int) error {
	short, is, err := s.Shortage(ctx, by, units)
	if is {
		err = fault.New(
			fault.UnitLimitReached,
			"The portfolio has %d units, and the plan's limit is %d. Ask for more units at %s.",
			short.Used,
			short.Limit,
			s.BaseURL+portfolio.UnitRequestPath,
		)
	}
	return err
}

func (s *Properties) propertyOf(by access.Actor, c Create) *portfolio.PropertyWithUnits {
	p := &portfolio.PropertyWithUnits{Property: portfolio.Property{
		Record:             s.NewRecord(by, id.Property, "property"),
		Name:               c.Name,
		StreetAddress:      c.StreetAddress,
		StreetAddress2:     c.StreetAddress2,
		City:               c.City,
		State:              c.State,
		PostalCode:         c.PostalCode,
		Country:            "US",
		PropertyType:       c.PropertyType,
		YearBuilt:          c.YearBuilt,
		UnitCount:          1,
		Status:             portfolio.PropertyActive,
		VerificationStatus: portfolio.Unverified,
	}}
	u := UnitCreate{UnitNumber: "1"}
	if c.Unit != nil {
		u = *c.Unit
	}
	p.Units = []portfolio.Unit{{
		Record:     s.NewRecord(by, id.Unit, "unit"),
		PropertyID: p.ID,
		UnitNumber: u.UnitNumber,
		Bedrooms:   u.Bedrooms,
		Bathrooms:  u.Bathrooms,
		SquareFeet: u.SquareFeet,
		MarketRent: u.MarketRent,
		Currency:   portfolio.Currency,
		Status:     portfolio.UnitVacant,
		IsDefault:  true,
	}}
	return p
}

// Update changes a property; what is absent stays.
type Update struct {
	// Display name.
	Name change.Field[*string] `json:"name" minlen:"1" maxlen:"127" example:"Maple Court"`
	// House number and street.
	StreetAddress change.Field[string] `json:"street_address" minlen:"1" maxlen:"200"`
	// Second line of the address.
	StreetAddress2 change.Field[*string] `json:"street_address_2" maxlen:"200"`
	// City.
	City change.Field[string] `json:"city" minlen:"1" maxlen:"100"`
	// USPS code of the state or DC.
	State change.Field[contact.State] `json:"state"`
	// ZIP code of 5 or 9 digits.
	PostalCode change.Field[*string] `json:"postal_code" format:"postal-code"`
	// Kind of building.
	PropertyType change.Field[portfolio.PropertyType] `json:"property_type"`
	// Year of construction, next year at the latest.
	YearBuilt change.Field[*int] `json:"year_built" min:"1600" max:"next_year"`
}

// SchemaName is the name of the OpenAPI component.
func (Update) SchemaName() string { return "PropertyUpdate" }

// Check finds what no tag says.
func (u Update) Check(today clock.Date) []fault.Detail {
	return checkYear(u.YearBuilt.Value, today)
}

// UpdateProperty changes a property's address, type, name or year.
func (s *Properties) UpdateProperty(
	ctx context.Context, by access.Actor, t change.Target, u Update,
) (*change.Result[portfolio.Property], error) {
	if err := fault.Invalid(u.Check(s.Today(by))); err != nil {
		return nil, err
	}
	return portfolio.Amend(ctx, s.Common, by, t, portfolio.Amendment[portfolio.Property]{
		Noun: "property",
		Load: s.store.Property,
		Save: s.store.SaveProperty,
		Apply: func(ctx context.Context, p *portfolio.Property, m *change.Result[portfolio.Property]) error {
			location := p.Location()
			u.Name.Into(&p.Name)
			u.StreetAddress.Into(&p.StreetAddress)
			u.StreetAddress2.Into(&p.StreetAddress2)
			u.City.Into(&p.City)
			u.State.Into(&p.State)
			u.PostalCode.Into(&p.PostalCode)
			u.PropertyType.Into(&p.PropertyType)
			u.YearBuilt.Into(&p.YearBuilt)
			if p.VerificationStatus == portfolio.Verified &&
				p.Location() != location { // what was verified is another place
				p.VerificationStatus = portfolio.Unverified
			}
			if field := moved(p, m.Before); field != "" {
				return s.freeAddress(ctx, by, p, field)
			}
			if field := rebuilt(p, m.Before); field != "" {
				_, err := s.units.DraftsThatSay(
					ctx, by, s.units.store.Leases, portfolio.LeaseFilter{PropertyID: p.ID}, field)
				return err
			}
			return nil
		},
		Follow: func(ctx context.Context, m *change.Result[portfolio.Property]) error {
			if rebuilt(m.After, m.Before) == "" {
				return nil
			}
			return s.units.remakeDrafts(ctx, by, portfolio.LeaseFilter{PropertyID: m.After.ID})
		},
		Compute: func(*portfolio.Property) {},
	})
}

// rebuilt names the first field that differs of those that a lease says beside the address, "" where none does.
func rebuilt(p *portfolio.Property, b *portfolio.Property) string {
	switch {
	case p.PropertyType != b.PropertyType:
		return "property_type"
	case !change.Same(p.YearBuilt, b.YearBuilt):
		return "year_built"
	}
	return ""
}

// moved names the first part of the address that differs, "" where none does.
func moved(p *portfolio.Property, b *portfolio.Property) string {
	for _, part := range []struct {
		field string
		Same  bool
	}{
		{"street_address", p.StreetAddress == b.StreetAddress},
		{"street_address_2", change.Same(p.StreetAddress2, b.StreetAddress2)},
		{"city", p.City == b.City},
		{"state", p.State == b.State},
		{"postal_code", change.Same(p.PostalCode, b.PostalCode)},
	} {
		if !part.Same {
			return part.field
		}
	}
	return ""
}

// remakeDrafts makes the documents of drafts anew.
func (s *Units) remakeDrafts(ctx context.Context, by access.Actor, f portfolio.LeaseFilter) error {
	f.Status = portfolio.LeaseDraft
	drafts, err := s.DraftsThatSay(ctx, by, s.store.Leases, f, "")
	if err != nil {
		return err
	}
	return s.RemakeDrafts(ctx, by, drafts, "")
}

// freeAddress refuses another address or state of a property while documents of its leases say it.
func (s *Properties) freeAddress(ctx context.Context, by access.Actor, p *portfolio.Property, field string) error {
	drafts, err := s.DraftsThatSay(ctx, by, s.units.store.Leases, portfolio.LeaseFilter{PropertyID: p.ID}, field)
	if err != nil || len(drafts) == 0 {
		return err
	}
	return fault.New(
		fault.SignatureInProgress,
		"%s cannot change while drafts of leases say it: %s. Void them first, and generate "+
			"them again for the new address.",
		field,
		strings.Join(portfolio.LeaseIDs(drafts), ", "),
	).At(
		field,
	)
}
