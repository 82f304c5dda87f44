package portfolio

import (
	"context"
	"strconv"

	"portal/api/access"
	"portal/api/list"
)

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

// PropertyUnits is a property and a page of its units, each with the parties of the
// lease under which it is let, by the lease's id.
func (s *Properties) PropertyUnits(
	ctx context.Context, by access.Actor, f UnitFilter,
) (*Property, *list.Page[Unit], map[string][]Party, error) {
	p, err := s.store.Property(ctx, by.Portfolio, f.PropertyID)
	if err != nil {
		return nil, nil, nil, err
	}
	units, err := s.store.UnitPage(ctx, by.Portfolio, f)
	if err != nil {
		return nil, nil, nil, err
	}
	page := list.Of(units, f.Limit, func(u *Unit) string { return u.ID })
	var leases []string
	for i := range page.Data {
		if lease := page.Data[i].CurrentLeaseID; lease != nil {
			leases = append(leases, *lease)
		}
	}
	parties, err := s.store.Parties(ctx, by.Portfolio, leases)
	return &p, page, parties, err
}

// Home is one unit with its property.
func (s *Homes) Home(ctx context.Context, by access.Actor, unitID string) (*Home, error) {
	u, err := s.store.Unit(ctx, by.Portfolio, unitID)
	if err != nil {
		return nil, err
	}
	p, err := s.store.Property(ctx, by.Portfolio, u.PropertyID)
	return &Home{u, p}, err
}

// Homes are units with their properties, by the unit's id. Those that the portfolio does
// not have are left out.
func (s *Homes) Homes(ctx context.Context, by access.Actor, unitIDs []string) (map[string]*Home, error) {
	return s.store.Homes(ctx, by.Portfolio, once(unitIDs))
}

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
	if _, err := strconv.Atoi(number[:1]); err != nil && len(number) > 1 {
		return number
	}
	return "Unit " + number
}
