package portfolio

import (
	"context"
	"fmt"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/mail"
	"portal/api/triage"
)

// Store keeps the records. Each method sees one portfolio and answers for a
// record of another as for one that does not exist: with fault.NotFound. Lists
// come in ascending id with one record more than the limit, if there is one.
type Store interface {
	transactions
	buildingStore
	tenancyStore
	tenantStore
	calendarStore
	ticketStore
	ledgerStore
	finderStore
}

// buildingStore keeps what is let.
type buildingStore interface {
	propertyStore
	unitStore
	homeStore
}

// tenancyStore keeps who has let what, and what follows from it for a unit.
type tenancyStore interface {
	leaseStore
	occupancyStore
}

// transactions are how changes come to be together.
type transactions interface {
	Atomically(ctx context.Context, do func(context.Context) error) error
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
	BaseURL string            // public address, which links begin with
	Post    Post              // takes email along with the transaction
	Refine  Refine            // may be nil: nobody looks at a ticket again
	Events  Events            // may be nil: nobody is told what happens
	Trail   Trail             // may be nil: nothing is taken down of what people do
	Triage  triage.Classifier // judges the texts of tickets; the built-in one where none is given
}

// Post takes an email along with the transaction of the context.
type Post interface {
	Send(ctx context.Context, m *mail.Message) error
}

// New makes the service over a store. Without Parts it writes no links and no mail.
func New(store Store, now clock.Clock) *Service {
	c := &Common{Tx: store, Now: now}
	o := &occupancy{c, store}
	units := &Units{c, store, o}
	s := &Service{
		Common:     c,
		Properties: &Properties{c, store, units},
		Units:      units,
		Tenants:    &Tenants{c, store},
		Leases:     &Leases{c, store, o},
		Calendar:   &Calendar{c, store, o},
		Tickets:    &Tickets{c, store},
		Ledger:     &Ledger{c, store},
		Finder:     &Finder{c, store},
	}
	s.Homes = &Homes{c, store, s.Properties}
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
