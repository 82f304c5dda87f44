package portfolio

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/money"
	"portal/api/triage"
)

// Store keeps the records. Each method sees one portfolio and answers for a
// record of another as for one that does not exist: with fault.NotFound. Lists
// come in ascending id with one record more than the limit, if there is one.
type Store interface {
	places
	people
	work
	calendar
	writes
	visitors
	further
}

// visitors is what those need who come by a link from an e-mail, and who answers them.
type visitors interface {
	guests
	letters
	applicants
}

// further is what questions over a portfolio and pages for people need of the store.
type further interface {
	insight
	desk
	verifying
}

type places interface {
	Properties(ctx context.Context, in access.Portfolio, f PropertyFilter) ([]Property, error)
	Property(ctx context.Context, in access.Portfolio, id string) (Property, error)
	UnitsOf(ctx context.Context, in access.Portfolio, propertyID string) ([]Unit, error)
	Unit(ctx context.Context, in access.Portfolio, id string) (Unit, error)
	// UnitPage lists units of a property.
	UnitPage(ctx context.Context, in access.Portfolio, f UnitFilter) ([]Unit, error)
	// Homes are units with their properties, by the unit's id.
	Homes(ctx context.Context, in access.Portfolio, unitIDs []string) (map[string]*Home, error)
	// Parties are those of leases, by the lease's id, the primary tenant first.
	Parties(ctx context.Context, in access.Portfolio, leaseIDs []string) (map[string][]Party, error)
}

type people interface {
	Tenants(ctx context.Context, in access.Portfolio, f TenantFilter) ([]Tenant, error)
	Tenant(ctx context.Context, in access.Portfolio, id string) (Tenant, error)
	Leases(ctx context.Context, in access.Portfolio, f LeaseFilter) ([]Lease, error)
	Lease(ctx context.Context, in access.Portfolio, id string) (Lease, error)
	signatures
}

type work interface {
	Tickets(ctx context.Context, in access.Portfolio, f TicketFilter) ([]Ticket, error)
	Ticket(ctx context.Context, in access.Portfolio, id string) (Ticket, error)
	Payments(ctx context.Context, in access.Portfolio, f PaymentFilter, today clock.Date) ([]Payment, error)
	Payment(ctx context.Context, in access.Portfolio, id string) (Payment, error)
	ledger
	desk
}

// insight is what questions over a whole portfolio need of the store. Of what a day
// decides, that day is the landlord's.
type insight interface {
	// ExpiringLeases reads active leases by their last day, one more than the limit, in
	// the order of that day and then of their id.
	ExpiringLeases(ctx context.Context, in access.Portfolio, e Ends) ([]Lease, error)
	// RentBalances reads a page of leases of which rent is owed, one more than the limit,
	// and what all that pass the filter owe. Of a balance, what follows from its charges
	// is left to the rules.
	RentBalances(ctx context.Context, in access.Portfolio, f BalanceFilter, today clock.Date) ([]RentBalance, money.Cents, error)
	// Summary counts the records of a portfolio and sums the rent that is owed.
	Summary(ctx context.Context, in access.Portfolio, today clock.Date) (Summary, error)
}

// Service is what can be done with a portfolio. Every method takes who asks.
type Service struct {
	store Store
	now   clock.Clock
	Parts
}

// Parts are what some rules need besides the store.
type Parts struct {
	BaseURL string            // public address, which links begin with
	Post    Post              // takes e-mail along with the transaction
	Refine  Refine            // may be nil: nobody looks at a ticket again
	Events  Events            // may be nil: nobody is told what happens
	Trail   Trail             // may be nil: nothing is taken down of what people do
	Triage  triage.Classifier // judges the texts of tickets; the built-in one where none is given
}

// New makes the service over a store. Without Parts it writes no links and no mail.
func New(store Store, now clock.Clock) *Service {
	return (&Service{store: store, now: now}).Use(Parts{})
}

// Use gives the service its parts before it is used.
func (s *Service) Use(p Parts) *Service {
	s.Parts = p
	if s.Triage == nil {
		s.Triage = builtIn{}
	}
	return s
}

// builtIn is the built-in triage, which is made when it is first asked: most commands
// never ask.
type builtIn struct{}

func (builtIn) Triage(text string) triage.Verdict { return triage.BuiltIn().Triage(text) }

// today is the present day in the landlord's time zone.
func (s *Service) today(by access.Actor) clock.Date { return clock.DateOf(s.now(), by.Zone) }

// Properties lists properties.
func (s *Service) Properties(ctx context.Context, by access.Actor, f PropertyFilter) (*list.Page[Property], error) {
	rows, err := s.store.Properties(ctx, by.Portfolio, f)
	return list.Of(rows, f.Limit, func(p *Property) string { return p.ID }), err
}

// Property is one property with its units.
func (s *Service) Property(ctx context.Context, by access.Actor, id string) (*PropertyWithUnits, error) {
	p, err := s.store.Property(ctx, by.Portfolio, id)
	if err != nil {
		return nil, err
	}
	units, err := s.store.UnitsOf(ctx, by.Portfolio, id)
	return &PropertyWithUnits{Property: p, Units: units}, err
}

// Tenants lists tenants.
func (s *Service) Tenants(ctx context.Context, by access.Actor, f TenantFilter) (*list.Page[Tenant], error) {
	rows, err := s.store.Tenants(ctx, by.Portfolio, f)
	return list.Of(rows, f.Limit, func(t *Tenant) string { return t.ID }), err
}

// Tenant is one tenant.
func (s *Service) Tenant(ctx context.Context, by access.Actor, id string) (*Tenant, error) {
	t, err := s.store.Tenant(ctx, by.Portfolio, id)
	return &t, err
}

// Leases lists leases.
func (s *Service) Leases(ctx context.Context, by access.Actor, f LeaseFilter) (*list.Page[Lease], error) {
	rows, err := s.store.Leases(ctx, by.Portfolio, f)
	for i := range rows {
		rows[i].reckon(s.today(by))
	}
	return list.Of(rows, f.Limit, func(l *Lease) string { return l.ID }), err
}

// Lease is one lease.
func (s *Service) Lease(ctx context.Context, by access.Actor, id string) (*Lease, error) {
	l, err := s.store.Lease(ctx, by.Portfolio, id)
	l.reckon(s.today(by))
	return &l, err
}

// Tickets lists maintenance tickets.
func (s *Service) Tickets(ctx context.Context, by access.Actor, f TicketFilter) (*list.Page[Ticket], error) {
	rows, err := s.store.Tickets(ctx, by.Portfolio, f)
	for i := range rows {
		rows[i].reckon(clock.At(s.now()))
	}
	return list.Of(rows, f.Limit, func(t *Ticket) string { return t.ID }), err
}

// Ticket is one maintenance ticket.
func (s *Service) Ticket(ctx context.Context, by access.Actor, id string) (*Ticket, error) {
	t, err := s.store.Ticket(ctx, by.Portfolio, id)
	t.reckon(clock.At(s.now()))
	return &t, err
}

// Payments lists rows of the rent ledger.
func (s *Service) Payments(ctx context.Context, by access.Actor, f PaymentFilter) (*list.Page[Payment], error) {
	today := s.today(by)
	rows, err := s.store.Payments(ctx, by.Portfolio, f, today)
	for i := range rows {
		rows[i].reckon(today)
	}
	return list.Of(rows, f.Limit, func(p *Payment) string { return p.ID }), err
}

// Payment is one row of the rent ledger.
func (s *Service) Payment(ctx context.Context, by access.Actor, id string) (*Payment, error) {
	p, err := s.store.Payment(ctx, by.Portfolio, id)
	p.reckon(s.today(by))
	return &p, err
}
