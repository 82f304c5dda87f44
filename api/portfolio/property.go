package portfolio

import (
	"fmt"
	"strconv"

	"portal/api/contact"
	"portal/api/list"
	"portal/api/money"
)

// Property is a building or a plot with its units.
type Property struct {
	Record `object:"property" prefix:"prop"`
	// Display name.
	Name *string `json:"name" minlen:"1" maxlen:"127" example:"Maple Court"`
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
	// Always US.
	Country string `json:"country" const:"US"`
	// Kind of building.
	PropertyType PropertyType `json:"property_type" example:"apartment"`
	// Year of construction. For homes built before 1978, leases have the lead-paint disclosure.
	YearBuilt *int `json:"year_built" min:"1600" max:"next_year" example:"1974"`
	// Number of units.
	UnitCount int `json:"unit_count" min:"0" example:"8"`
	// Number of units that somebody lives in.
	OccupiedUnitCount int `json:"occupied_unit_count" min:"0" example:"7"`
	// Archived properties stay readable.
	Status PropertyStatus `json:"status" example:"active"`
	// Whether ownership has been verified; changed in the dashboard.
	VerificationStatus VerificationStatus `json:"verification_status" example:"verified"`
}

// DisplayName is the property's address, behind its name where it has one; nobody outside
// the account wrote it.
func (p Property) DisplayName() (name string, outside bool) {
	address := p.StreetAddress + ", " + p.City + ", " + string(p.State)
	if p.Name == nil {
		return address, false
	}
	return *p.Name + " (" + address + ")", false
}

// PropertyWithUnits is a property as it is retrieved by id.
type PropertyWithUnits struct {
	Property
	// The units of the property, in ascending id.
	Units []Unit `json:"units"`
}

// SchemaName is the name of the OpenAPI component.
func (PropertyWithUnits) SchemaName() string { return "PropertyWithUnitsOut" }

// Trim leaves the first n units, all of them where n is negative, and tells how many
// there are.
func (p *PropertyWithUnits) Trim(n int) (field string, have int) {
	if n >= 0 {
		p.Units = p.Units[:min(n, len(p.Units))]
	}
	return "units", len(p.Units)
}

// Unit is a home or a space that a lease lets.
type Unit struct {
	Record `object:"unit" prefix:"unit"`
	// The property it belongs to.
	PropertyID string `json:"property_id" format:"id" prefix:"prop"`
	// Number or name, unique in the property.
	UnitNumber string `json:"unit_number" minlen:"1" maxlen:"30" example:"2B"`
	// Number of bedrooms; 0 is a studio.
	Bedrooms *int `json:"bedrooms" min:"0" max:"100" example:"2"`
	// Number of bathrooms in steps of 0.5.
	Bathrooms *Half `json:"bathrooms"`
	// Floor area in square feet.
	SquareFeet *int `json:"square_feet" min:"1" max:"10000000" example:"860"`
	// Asking rent a month, in dollars.
	MarketRent *money.Cents `json:"market_rent"`
	// Currency of the amounts.
	Currency string `json:"currency" const:"USD"`
	// Computed from the leases; off_market is set in the dashboard.
	Status UnitStatus `json:"status" example:"occupied"`
	// Whether it is the unit that was created with the property.
	IsDefault bool `json:"is_default"`
	// The active lease.
	CurrentLeaseID *string `json:"current_lease_id" format:"id" prefix:"lea"`
}

// PropertyType is a kind of building.
type PropertyType string

// commercialProperty is the kind of a building without homes.
const commercialProperty PropertyType = "commercial"

// Commercial reports whether a property has no homes: the laws about homes do not hold for it.
func (p *Property) Commercial() bool { return p.PropertyType == commercialProperty }

// Values are all kinds of building.
func (PropertyType) Values() []string {
	return []string{
		"single_family", "multi_family", "apartment", "condo", "townhouse", "duplex",
		"mobile_home", "commercial", "other",
	}
}

// PropertyStatus reports whether a property is in use.
type PropertyStatus string

// The statuses of a property.
const (
	PropertyActive   PropertyStatus = "active"
	PropertyArchived PropertyStatus = "archived"
)

// Values are all statuses of a property.
func (PropertyStatus) Values() []string { return []string{"active", "archived"} }

// VerificationStatus is how far the check of ownership has come.
type VerificationStatus string

// The steps of the check of ownership.
const (
	Unverified          VerificationStatus = "unverified"
	VerificationPending VerificationStatus = "pending"
	Verified            VerificationStatus = "verified"
)

// Values are all steps of the check of ownership.
func (VerificationStatus) Values() []string { return []string{"unverified", "pending", "verified"} }

// UnitStatus reports whether a unit is let.
type UnitStatus string

// The statuses of a unit.
const (
	UnitVacant    UnitStatus = "vacant"
	UnitOccupied  UnitStatus = "occupied"
	UnitNotice    UnitStatus = "notice"
	UnitOffMarket UnitStatus = "off_market"
)

// Values are all statuses of a unit.
func (UnitStatus) Values() []string { return []string{"vacant", "occupied", "notice", "off_market"} }

// PropertyFilter narrows a list of properties.
type PropertyFilter struct {
	list.Query
	// Words, or the beginnings of words, in the name or address of a property. All of them must match, in any
	// order; case and accents are ignored.
	Search string `in:"query" name:"search" format:"search" minlen:"1" maxlen:"100" example:"maple"`
	// Only properties in this state.
	State contact.State `in:"query" name:"state" example:"TX"`
	// Only properties in this city; case is ignored.
	City string `in:"query" name:"city" minlen:"1" maxlen:"100" example:"Austin"`
	// Only properties of this kind.
	PropertyType PropertyType `in:"query" name:"property_type"`
	// Only properties of this status.
	Status PropertyStatus `in:"query" name:"status"`
}

// Location is where a property stands, without what tells one door from the next.
func (p *Property) Location() string { return p.StreetAddress + "\n" + p.City + "\n" + string(p.State) }

// Half counts in halves: 3 is 1.5.
type Half int

// AppendJSON appends the count as a JSON number with at most one decimal.
func (h Half) AppendJSON(b []byte) []byte {
	c := money.Cents(h * 50).AppendJSON(b)
	if h%2 == 0 {
		return c[:len(c)-3]
	}
	return c[:len(c)-1]
}

// MarshalJSON writes a number with at most one decimal.
func (h Half) MarshalJSON() ([]byte, error) { return h.AppendJSON(nil), nil }

// UnmarshalJSON reads a number in steps of 0.5.
func (h *Half) UnmarshalJSON(b []byte) error {
	v, err := ParseHalf(string(b))
	if err == nil {
		*h = v
	}
	return err
}

// ParseHalf reads a count in steps of 0.5, at most 100.
func ParseHalf(s string) (Half, error) {
	c, err := money.Parse(s)
	if err != nil || c < 0 || c > 10_000 || c%50 != 0 {
		return 0, fmt.Errorf("not a number in steps of 0.5 between 0 and 100: %q", s)
	}
	return Half(c / 50), nil
}

// Form is what a count looks like, for messages.
func (Half) Form() string { return "a number in steps of 0.5 between 0 and 100" }

// Range is the step and the bounds of a count.
func (Half) Range() (step, low, high float64) { return 0.5, 0, 100 }

// Parse reads a count; see ParseHalf.
func (Half) Parse(s string) (any, error) { return ParseHalf(s) }

// UnitFilter says of which property units are listed.
type UnitFilter struct {
	list.Query
	PropertyID string
}

// Home is a unit with its address.
type Home struct {
	Unit     Unit
	Property Property
}

// Street is the home in short, as people call it.
func (h *Home) Street() string { return Street(&h.Property, &h.Unit) }

// Address is the home in one full line.
func (h *Home) Address() string { return Address(&h.Property, &h.Unit) }

// Street is a home in short, as people call it.
func Street(p *Property, u *Unit) string {
	line := p.StreetAddress
	if p.StreetAddress2 != nil {
		line += ", " + *p.StreetAddress2
	}
	if p.UnitCount > 1 || u.UnitNumber != "1" {
		line += ", " + unitName(u.UnitNumber)
	}
	return line
}

// Address is a home in one full line.
func Address(p *Property, u *Unit) string {
	line := Street(p, u) + ", " + p.City + ", " + string(p.State)
	if p.PostalCode != nil {
		line += " " + *p.PostalCode
	}
	return line
}

// unitName puts Unit before a number, not before a name such as Suite A.
func unitName(number string) string {
	if _, err := strconv.Atoi(number[:min(1, len(number))]); err != nil && len(number) > 1 {
		return number
	}
	return "Unit " + number
}

// Site is where work may be done: a property or a unit of it, and who lives in the unit.
type Site struct {
	Property PropertyWithUnits
	Unit     *Unit   // nil for the property itself
	Tenants  []Party // of the unit's lease in force
}
