package portfolio

import (
	"context"
	"fmt"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/mail"
	"portal/api/quota"
	"portal/api/triage"
)

// Stores keep the records, each as the rules of one kind of record need them. Each method sees one
// portfolio and answers for a record of another as for one that does not exist: with
// fault.NotFound. Lists come in ascending id with one record more than the limit, if there is one.
type Stores struct {
	Transactions transactions
	Properties   PropertyStore
	Units        UnitStore
	Homes        HomeStore
	Tenants      TenantStore
	Leases       LeaseStore
	Occupancy    OccupancyStore
	Calendar     CalendarStore
	Tickets      TicketStore
	Ledger       LedgerStore
	Finder       FinderStore
	Records      RecordStore
}

// transactions are how changes come to be together.
type transactions interface {
	change.Transactor
	quota.Store
	// Exclusively is Atomically for a change that no other change of the portfolio may come
	// between.
	Exclusively(ctx context.Context, in access.Portfolio, do func(context.Context) error) error
}

// Service is what can be done with a portfolio, by the kind of record. Every method takes
// who asks.
type Service struct {
	*Common
	Properties *Properties
	Units      *Units
	Homes      *Homes
	Tenants    *Tenants
	Leases     *Leases
	Calendar   *Calendar
	Tickets    *Tickets
	Ledger     *Ledger
	Finder     *Finder
}

// Common is what the rules of all kinds of records share.
type Common struct {
	Tx  transactions
	Now clock.Clock
	Parts
}

// Parts are what some rules need besides the store.
type Parts struct {
	BaseURL   string            // public address, which links begin with
	Post      Post              // takes email along with the transaction
	Refine    Refine            // may be nil: nobody looks at a ticket again
	Events    Events            // may be nil: nobody is told what happens
	Trail     Trail             // may be nil: nothing is taken down of what people do
	Documents Documents         // may be nil: leases have no documents, and nobody checks their terms
	Triage    triage.Classifier // judges the texts of tickets; the built-in one where none is given
}

// Documents keeps the documents of leases.
type Documents interface {
	// Link is the address that opens a document.
	Link(documentID string) string
	// Check holds a lease as it would be against the law, its document, its parties, the lease that it
	// renews and the others of its unit. What forbids it is the error, and what may is a warning. Days
	// of grace that the state makes longer are written into the lease.
	Check(ctx context.Context, by access.Actor, m *change.Result[Lease]) error
	// CheckSigning is Check before a signature counts: the last one where the lease binds then.
	CheckSigning(ctx context.Context, by access.Actor, m *change.Result[Lease]) error
	// Remake makes the documents of drafts anew, in the transaction of the context.
	Remake(ctx context.Context, by access.Actor, leaseIDs ...string) error
}

// Post takes an email along with the transaction of the context.
type Post interface {
	Send(ctx context.Context, m *mail.Message) error
}

// New makes the service over its stores. Without Parts it writes no links and no mail.
func New(stores Stores, now clock.Clock) *Service {
	c := &Common{Tx: stores.Transactions, Now: now}
	o := &occupancy{c, stores.Occupancy}
	units := &Units{c, stores.Units, o}
	s := &Service{
		Common:     c,
		Properties: &Properties{c, stores.Properties, units},
		Units:      units,
		Tenants:    &Tenants{c, stores.Tenants},
		Leases:     &Leases{c, stores.Leases, o},
		Calendar:   &Calendar{c, stores.Calendar, o},
		Tickets:    &Tickets{c, stores.Tickets},
		Ledger:     &Ledger{c, stores.Ledger},
		Finder:     &Finder{c, stores.Finder, stores.Records},
	}
	s.Homes = &Homes{c, stores.Homes, s.Properties}
	return s.Use(Parts{})
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

// Today is the present day in the landlord's time zone.
func (s *Common) Today(by access.Actor) clock.Date { return clock.DateOf(s.Now(), by.Zone) }

// Send has an email leave along with the transaction of the context.
func (s *Common) Send(ctx context.Context, m *mail.Message) error {
	if s.Post == nil {
		return fmt.Errorf("there is no post to take an email about %s", m.About)
	}
	return s.Post.Send(ctx, m)
}
