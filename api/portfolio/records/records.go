// Package records puts the rules of all kinds of records together over one set of stores.
//
// It has no rule of its own.
package records

import (
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/ledger"
	"portal/api/portfolio/property"
	"portal/api/portfolio/ticket"
	"portal/api/triage"
)

// Stores keep the records, each as the rules of one kind of record need them. Each method sees one
// portfolio and answers for a record of another as for one that does not exist: with
// fault.NotFound. Lists come in ascending id with one record more than the limit, if there is one.
type Stores struct {
	Transactions portfolio.Transactions
	Properties   property.Store
	Units        property.UnitStore
	Homes        property.HomeStore
	Tenants      lease.TenantStore
	Leases       lease.Store
	Occupancy    lease.OccupancyStore
	Calendar     lease.CalendarStore
	Tickets      ticket.Store
	Places       ticket.Places
	Activities   ticket.Activities
	Ledger       ledger.Store
	Finder       property.FinderStore
	Records      property.RecordStore
}

// Service is what can be done with a portfolio, by the kind of record. Every method takes
// who asks.
type Service struct {
	*portfolio.Common
	Properties *property.Properties
	Units      *property.Units
	Homes      *property.Homes
	Tenants    *lease.Tenants
	Leases     *lease.Leases
	Calendar   *lease.Calendar
	Tickets    *ticket.Tickets
	Ledger     *ledger.Ledger
	Finder     *property.Finder
}

// New makes the service over its stores. Without Parts it writes no links and no mail.
func New(stores Stores, now clock.Clock) *Service {
	c := &portfolio.Common{Tx: stores.Transactions, Clock: clock.ForAll(now)}
	o := lease.NewOccupancy(c, stores.Occupancy)
	units := property.NewUnits(c, stores.Units, o)
	properties := property.NewProperties(c, stores.Properties, units)
	s := &Service{
		Common:     c,
		Properties: properties,
		Units:      units,
		Homes:      property.NewHomes(c, stores.Homes, properties),
		Tenants:    lease.NewTenants(c, stores.Tenants),
		Leases:     lease.NewLeases(c, stores.Leases, o),
		Calendar:   lease.NewCalendar(c, stores.Calendar, o),
		Tickets:    ticket.New(c, stores.Tickets, stores.Places, stores.Activities),
		Ledger:     ledger.New(c, stores.Ledger),
		Finder:     property.NewFinder(c, stores.Finder, stores.Records),
	}
	return s.Use(portfolio.Parts{})
}

// Use gives the service its parts before it is used.
func (s *Service) Use(p portfolio.Parts) *Service {
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
