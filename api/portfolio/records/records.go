// Package records puts the rules of all kinds of records together over one store.
//
// It has no rule of its own.
package records

import (
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/condition"
	"portal/api/portfolio/ledger"
	"portal/api/portfolio/property"
	"portal/api/portfolio/rentroll/export"
	"portal/api/portfolio/ticket"
	"portal/api/triage"
)

// Store keeps the records of all kinds.
type Store interface {
	property.Store
	lease.Store
	ticket.Store
	ledger.Store
	export.Store
	condition.Store
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
	Rolls      *export.Rolls
	Conditions *condition.Service
}

// New makes the service over its store. Without Parts it writes no links and no mail.
func New(store Store, now clock.Clock) *Service {
	c := &portfolio.Common{Tx: store, Clock: clock.ForAll(now)}
	o := lease.NewOccupancy(c, store)
	rent := ledger.New(c, store)
	units := property.NewUnits(c, store, o)
	properties := property.NewProperties(c, store, units)
	s := &Service{
		Common:     c,
		Properties: properties,
		Units:      units,
		Homes:      property.NewHomes(c, store, properties),
		Tenants:    lease.NewTenants(c, store),
		Leases:     lease.NewLeases(c, store, o, rent),
		Calendar:   lease.NewCalendar(c, store, o, rent),
		Tickets:    ticket.New(c, store),
		Ledger:     rent,
		Finder:     property.NewFinder(c, store),
		Rolls:      export.New(c, store),
		Conditions: condition.New(c, store),
	}
	rent.Conditions = s.Conditions
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
