package report

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
)

// Summary is a portfolio in a few numbers.
type Summary struct {
	Object        string      `json:"object" const:"portfolio_summary" doc:"Always portfolio_summary."`
	Properties    int         `json:"properties" min:"0" example:"4" doc:"Properties, archived ones too."`
	Units         int         `json:"units" min:"0" example:"26" doc:"Units of all properties."`
	OccupiedUnits int         `json:"occupied_units" min:"0" example:"22" doc:"Units that somebody lives in, under notice too."`
	VacantUnits   int         `json:"vacant_units" min:"0" example:"3" doc:"Units that can be let; one off the market counts as neither."`
	Tenants       int         `json:"tenants" min:"0" example:"41" doc:"Tenants of every status."`
	Leases        LeaseCounts `json:"leases" doc:"Leases by status."`
	OpenTickets   int         `json:"open_maintenance_tickets" min:"0" example:"6" doc:"Tickets neither completed nor cancelled."`
	RentDueTotal  money.Cents `json:"rent_due_total" doc:"Rent unpaid through today, in dollars; the total_due of all rent balances."`
	Currency      string      `json:"currency" const:"USD" doc:"Currency of the amounts."`
	AsOf          clock.Date  `json:"as_of" doc:"Today in the landlord's time zone."`
}

// SchemaName is the name of the OpenAPI component.
func (Summary) SchemaName() string { return "PortfolioSummary" }

// LeaseCounts is how many leases have each status.
type LeaseCounts struct {
	Draft            int `json:"draft" min:"0" doc:"Drafts."`
	PendingSignature int `json:"pending_signature" min:"0" doc:"Signed by some of the parties."`
	Signed           int `json:"signed" min:"0" doc:"Signed by all, not yet begun."`
	Active           int `json:"active" min:"0" example:"22" doc:"In force."`
	Expired          int `json:"expired" min:"0" doc:"Past their last day."`
	Renewed          int `json:"renewed" min:"0" doc:"Followed by a renewal."`
	Terminated       int `json:"terminated" min:"0" doc:"Ended early."`
	Declined         int `json:"declined" min:"0" doc:"Declined by a party."`
	Voided           int `json:"voided" min:"0" doc:"Voided before all had signed."`
}

// Of is where the leases of a status are counted; nil for what is no status.
func (c *LeaseCounts) Of(s portfolio.LeaseStatus) *int {
	return map[portfolio.LeaseStatus]*int{
		portfolio.LeaseDraft: &c.Draft, portfolio.LeasePendingSignature: &c.PendingSignature, portfolio.LeaseSigned: &c.Signed, portfolio.LeaseActive: &c.Active, portfolio.LeaseExpired: &c.Expired,
		portfolio.LeaseRenewed: &c.Renewed, portfolio.LeaseTerminated: &c.Terminated, portfolio.LeaseDeclined: &c.Declined, portfolio.LeaseVoided: &c.Voided,
	}[s]
}

// Summary counts a portfolio. The numbers are those of one moment, and agree with what
// the lists show.
func (s *Reports) Summary(ctx context.Context, by access.Actor) (*Summary, error) {
	today := s.Today(by)
	sum, err := s.store.Summary(ctx, by.Portfolio, today)
	sum.Object, sum.Currency, sum.AsOf = "portfolio_summary", portfolio.Currency, today
	return &sum, err
}
