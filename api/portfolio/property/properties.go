// Package property holds the rules of properties and their units: what may be added and changed, what
// is archived, and how records are found by what people call them.
//
// It knows nothing of HTTP, SQL, queues or pages.
package property

import (
	"context"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/portfolio"
)

// Properties is what can be done with properties.
type Properties struct {
	*portfolio.Common
	store Store
	units *Units
}

// NewProperties makes the rules over their store.
func NewProperties(c *portfolio.Common, store Store, u *Units) *Properties {
	return &Properties{c, store, u}
}

// Store is what the rules of properties and units need of the database.
type Store interface {
	portfolio.Store
	AddProperties(ctx context.Context, in access.Portfolio, b *portfolio.Book) error
	// Begins reports whether a word of a property or a tenant begins with a term of a search.
	Begins(ctx context.Context, in access.Portfolio, term string) (bool, error)
	// Called reads what people call the records of some ids: the street address of a
	// property, the number of a unit, the name of a tenant, the address of a lease. What is
	// not there has no name.
	Called(ctx context.Context, in access.Portfolio, ids []string) (map[string]string, error)
	// Homes are units with their properties, by the unit's id.
	Homes(ctx context.Context, in access.Portfolio, unitIDs []string) (map[string]*portfolio.Home, error)
	// Named finds the tenants and the properties that have the words of a search, the newest
	// portfolio.MostNamed of each.
	Named(ctx context.Context, in access.Portfolio, search string) (portfolio.Named, error)
	// Parties are those of leases, by the lease's id, the primary tenant first.
	Parties(ctx context.Context, in access.Portfolio, leaseIDs []string) (map[string][]portfolio.Party, error)
	Payment(ctx context.Context, in access.Portfolio, id string) (portfolio.Payment, error)
	// PaymentOfTransaction is the id of the ledger row of which a transaction is stored, "" for none.
	PaymentOfTransaction(ctx context.Context, in access.Portfolio, transactionID string) (string, error)
	// PaymentsMade reads the ledger rows with ids behind one and up to another whose money has moved, in ascending id
	// and at most so many.
	PaymentsMade(ctx context.Context, in access.Portfolio, after, until string, most int) ([]portfolio.Payment, error)
	Properties(ctx context.Context, in access.Portfolio, f portfolio.PropertyFilter) ([]portfolio.Property, error)
	// PropertyCounts counts by status what passes a filter, whatever status that asks for.
	PropertyCounts(
		ctx context.Context, in access.Portfolio, f portfolio.PropertyFilter,
	) (list.Counts[portfolio.PropertyStatus], error)
	// RecountProperty counts the units of a property anew and raises its version.
	RecountProperty(ctx context.Context, in access.Portfolio, id string, at clock.Time) error
	SaveProperty(ctx context.Context, in access.Portfolio, p *portfolio.Property) error
	SaveUnit(ctx context.Context, in access.Portfolio, u *portfolio.Unit) error
	Ticket(ctx context.Context, in access.Portfolio, id string) (portfolio.Ticket, error)
	// TicketNumbered is the id of the ticket with a number, "" for none.
	TicketNumbered(ctx context.Context, in access.Portfolio, number int64) (string, error)
	// TransactionsOf are the stored transactions of some ledger rows, by the ids of the rows.
	TransactionsOf(
		ctx context.Context, in access.Portfolio, paymentIDs []string,
	) (map[string][]portfolio.Transaction, error)
	// Titles are those of tickets that have the words of a search, nil where it has none.
	Titles(ctx context.Context, in access.Portfolio, search string) (*portfolio.Titles, error)
	UnitCount(ctx context.Context, in access.Portfolio) (int, error)
	// UnitPage lists units of a property.
	UnitPage(ctx context.Context, in access.Portfolio, f portfolio.UnitFilter) ([]portfolio.Unit, error)
	// UnitsNumbered are the ids of the units of some properties that have one of some numbers, in lower case.
	UnitsNumbered(ctx context.Context, in access.Portfolio, propertyIDs, numbers []string) ([]string, error)
	UnitsOf(ctx context.Context, in access.Portfolio, propertyID string) ([]portfolio.Unit, error)
	// VacantUnits are the ids of vacant units, at most so many.
	VacantUnits(ctx context.Context, in access.Portfolio, most int) ([]string, error)
}

// Properties lists properties.
func (s *Properties) Properties(
	ctx context.Context, by access.Actor, f portfolio.PropertyFilter,
) (*list.Page[portfolio.Property], error) {
	f.Query = f.Walked()
	rows, err := s.store.Properties(ctx, by.Portfolio, f)
	return list.Walked(rows, &f.Query, func(p *portfolio.Property) string { return p.ID }), err
}

// Property is one property with its units.
func (s *Properties) Property(ctx context.Context, by access.Actor, id string) (*portfolio.PropertyWithUnits, error) {
	p, err := s.store.Property(ctx, by.Portfolio, id)
	if err != nil {
		return nil, err
	}
	units, err := s.store.UnitsOf(ctx, by.Portfolio, id)
	return &portfolio.PropertyWithUnits{Property: p, Units: units}, err
}

// PropertyCounts counts the properties that pass a filter, by their status: list.Most of each at most. The status
// that the filter asks for is not looked at.
func (s *Properties) PropertyCounts(
	ctx context.Context, by access.Actor, f portfolio.PropertyFilter,
) (list.Counts[portfolio.PropertyStatus], error) {
	return s.store.PropertyCounts(ctx, by.Portfolio, f)
}

// ArchiveProperty archives a property that is not managed any more. Archived properties stay
// readable and don't count against the plan. A property with an open lease can't be archived.
func (s *Properties) ArchiveProperty(
	ctx context.Context, by access.Actor, t change.Target,
) (*change.Result[portfolio.Property], error) {
	may := func(ctx context.Context, p *portfolio.Property) error {
		l, held, err := s.units.heldBy(ctx, by, portfolio.LeaseFilter{PropertyID: p.ID},
			portfolio.LeaseActive, portfolio.LeaseSigned, portfolio.LeasePendingSignature, portfolio.LeaseDraft)
		if err != nil || !held {
			return err
		}
		return fault.New(
			fault.InvalidTransition,
			"The property cannot be archived while a unit has a lease that runs or may still be signed: the lease "+
				"%s of %s is %s. End or void it first.",
			l.ID, l.RentalAddress, leaseStatusLabel(l.Status),
		)
	}
	return s.setArchived(ctx, by, t, portfolio.PropertyArchived, "property.archived", may)
}

// RestoreProperty takes an archived property back, within the ceiling of units of the
// actor's plan.
func (s *Properties) RestoreProperty(
	ctx context.Context, by access.Actor, t change.Target,
) (*change.Result[portfolio.Property], error) {
	may := func(ctx context.Context, p *portfolio.Property) error { return s.units.capacity(ctx, by, p.UnitCount) }
	return s.setArchived(ctx, by, t, portfolio.PropertyActive, "property.restored", may)
}

// setArchived gives a property another status, unless may refuses.
func (s *Properties) setArchived(
	ctx context.Context,
	by access.Actor,
	t change.Target,
	to portfolio.PropertyStatus,
	action string,
	may func(context.Context, *portfolio.Property) error,
) (*change.Result[portfolio.Property], error) {
	return portfolio.Amend(ctx, s.Common, by, t, portfolio.Amendment[portfolio.Property]{
		Noun: "property",
		Load: s.store.Property,
		Save: s.store.SaveProperty,
		Apply: func(ctx context.Context, p *portfolio.Property, _ *change.Result[portfolio.Property]) error {
			if p.Status == to {
				return nil
			}
			p.Status = to
			return may(ctx, p)
		},
		Follow: func(ctx context.Context, m *change.Result[portfolio.Property]) error {
			return s.RecordDone(ctx, by, action, m.After.ID, nil)
		},
		Compute: func(*portfolio.Property) {},
	})
}

// leaseStatusLabel is a status as a sentence says it.
func leaseStatusLabel(l portfolio.LeaseStatus) string {
	switch l {
	case portfolio.LeasePendingSignature:
		return "out for signature"
	case portfolio.LeaseDraft:
		return "a draft"
	}
	return string(l)
}

// Homes reads units together with their properties, as people know them.
type Homes struct {
	*portfolio.Common
	store      Store
	properties *Properties
}

// NewHomes makes the rules over their store.
func NewHomes(c *portfolio.Common, store Store, p *Properties) *Homes { return &Homes{c, store, p} }
