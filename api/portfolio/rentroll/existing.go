package rentroll

import (
	"context"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
)

// Existing is what the portfolio already holds. The zero value holds nothing.
type Existing struct {
	Ahead     int // days by which the portfolio's test clock is ahead of the real day
	byAddress map[string]*held
	byID      map[string]*held
	units     map[unitOfHeld]*heldUnit
	unitsByID map[string]*heldUnit
	leases    map[string]*HeldLease
}

// held is a property of the portfolio.
type held struct {
	address
	id                string
	name              string // "" for none
	kind              portfolio.PropertyType
	year              int
	all               []*heldUnit
	archived, several bool
	met               bool // the file has it
}

// unitOfHeld is a unit's number, in lower case, in a property.
type unitOfHeld struct {
	property *held
	number   string
}

// heldUnit is a unit of the portfolio.
type heldUnit struct {
	id                              string
	version                         int64
	property                        *held
	number                          string
	bedrooms, bathrooms, squareFeet int // none where it is not known
	marketRent                      money.Cents
	leases                          []*HeldLease
	alike                           *heldUnit // another of the property whose number differs in case or spaces alone
	met                             bool      // the file has it
}

// HeldLease is a lease of the portfolio that runs, will run, or has run.
type HeldLease struct {
	ID, UnitID    string
	Version       int64
	Status        portfolio.LeaseStatus
	Type          portfolio.LeaseType
	Start         clock.Date
	End           *clock.Date // the last day, on which it was terminated if it was
	Rent, Deposit money.Cents
	DueDay        int          // of rent, a day of the month
	LateFee       *money.Cents // nil for none
	GraceDays     *int         // before it, nil for those of the state
	MoveIn        *clock.Date
	MoveOut       *clock.Date
	RenewedTo     *string // the lease that renews it
	tenants       []*HeldTenant
	met           bool // the file has it
}

// HeldTenant is a tenant of a lease of the portfolio.
type HeldTenant struct {
	ID           string
	Version      int64
	First, Last  string
	Email, Phone *string
}

// Holding reads what a portfolio holds.
type Holding interface {
	// Addresses calls back with each property of a portfolio and then with each unit.
	Addresses(
		ctx context.Context, in access.Portfolio, property func(*portfolio.Property), unit func(*portfolio.Unit),
	) error
	// Tenancies calls back with each lease of a portfolio that runs, will run or has run, and then with each tenant
	// of a lease.
	Tenancies(
		ctx context.Context, in access.Portfolio, lease func(*HeldLease), tenant func(leaseID string, t *HeldTenant),
	) error
}

// Hold reads what a portfolio holds, as far as a roll is compared with it.
func (r *Roll) Hold(ctx context.Context, from Holding, in access.Portfolio) (*Existing, error) {
	x := &Existing{Ahead: in.Ahead}
	if err := from.Addresses(ctx, in, x.Add, x.AddUnit); err != nil {
		return nil, err
	}
	for key := range r.byAddress {
		if x.byAddress[key] != nil {
			return x, from.Tenancies(ctx, in, x.AddLease, x.AddTenant)
		}
	}
	return x, nil
}

// Add adds a property of the portfolio. One with a second line of its address is
// the one that a file names with both lines in street_address.
func (x *Existing) Add(p *portfolio.Property) {
	if x.byID == nil {
		*x = Existing{
			x.Ahead, map[string]*held{}, map[string]*held{}, map[unitOfHeld]*heldUnit{}, map[string]*heldUnit{},
			map[string]*HeldLease{},
		}
	}
	h := &held{
		address:  address{street: p.StreetAddress, city: p.City, state: string(p.State)},
		id:       p.ID,
		kind:     p.PropertyType,
		archived: p.Status == portfolio.PropertyArchived,
	}
	if p.StreetAddress2 != nil {
		h.street += ", " + *p.StreetAddress2
	}
	if p.PostalCode != nil {
		h.postal = *p.PostalCode
	}
	if p.YearBuilt != nil {
		h.year = *p.YearBuilt
	}
	if p.Name != nil {
		h.name = *p.Name
	}
	x.byID[p.ID] = h
	x.locate(h)
}

// locate makes a property known by its address. Those in use go before archived ones.
func (x *Existing) locate(h *held) {
	key := h.address.key()
	other := x.byAddress[key]
	if other == nil || other.archived && !h.archived {
		x.byAddress[key] = h
		return
	}
	other.several = other.several || other.archived == h.archived
}

// Places are the addresses of properties in use, the first by their text, at most so many.
func (x *Existing) Places(most int) (all []string) {
	for _, h := range x.byAddress {
		if !h.archived && !h.several {
			all = append(all, h.line(""))
		}
	}
	slices.Sort(all)
	return all[:min(most, len(all))]
}

// AddUnit adds a unit of a property that was added before it.
func (x *Existing) AddUnit(u *portfolio.Unit) {
	h := x.byID[u.PropertyID]
	if h == nil {
		return
	}
	unit := &heldUnit{
		id:         u.ID,
		version:    u.Version,
		property:   h,
		number:     u.UnitNumber,
		bedrooms:   numberOf(u.Bedrooms),
		bathrooms:  numberOf(u.Bathrooms),
		squareFeet: numberOf(u.SquareFeet),
		marketRent: money.Cents(numberOf(u.MarketRent)),
	}
	h.all = append(h.all, unit)
	key := unitOfHeld{h, strings.ToLower(oneSpaced(u.UnitNumber))}
	unit.alike = x.units[key]
	x.units[key] = unit
	x.unitsByID[u.ID] = unit
}

// unit is the unit of a property with a number, nil for none. Of several that are alike it is the one that is spelled
// so; several without such a one are reported.
func (x *Existing) unit(h *held, number string) (found *heldUnit, several bool) {
	first := x.units[unitOfHeld{h, strings.ToLower(number)}]
	for u := first; u != nil; u = u.alike {
		if u.number == number {
			return u, false
		}
	}
	return first, first != nil && first.alike != nil
}

// numberOf is a number that may be unknown.
func numberOf[T ~int | ~int64](n *T) int {
	if n == nil {
		return none
	}
	return int(*n)
}

// AddLease adds a lease of a unit that was added before it.
func (x *Existing) AddLease(l *HeldLease) {
	if u := x.unitsByID[l.UnitID]; u != nil {
		u.leases = append(u.leases, l)
		x.leases[l.ID] = l
	}
}

// AddTenant adds a tenant of a lease that was added before.
func (x *Existing) AddTenant(leaseID string, t *HeldTenant) {
	if l := x.leases[leaseID]; l != nil {
		l.tenants = append(l.tenants, t)
	}
}

// names are the tenants of a lease in one line.
func (l *HeldLease) names() string {
	var all []string
	for _, t := range l.tenants {
		all = append(all, t.First+" "+t.Last)
	}
	return strings.Join(all, ", ")
}

// runs reports whether a lease is in force, or will be.
func (l *HeldLease) runs() bool {
	return l.Status == portfolio.LeaseActive || l.Status == portfolio.LeaseSigned
}
