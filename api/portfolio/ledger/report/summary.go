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
	// Always portfolio_summary.
	Object string `json:"object" const:"portfolio_summary"`
	// Properties, archived ones too.
	Properties int `json:"properties" min:"0" example:"4"`
	// Units of all properties.
	Units int `json:"units" min:"0" example:"26"`
	// Units that somebody lives in, under notice too.
	OccupiedUnits int `json:"occupied_units" min:"0" example:"22"`
	// Units that can be let; one off the market counts as neither.
	VacantUnits int `json:"vacant_units" min:"0" example:"3"`
	// Tenants of every status.
	Tenants int `json:"tenants" min:"0" example:"41"`
	// Leases by status.
	Leases LeaseCounts `json:"leases"`
	// Tickets neither completed nor cancelled.
	OpenTickets int `json:"open_maintenance_tickets" min:"0" example:"6"`
	// Rent unpaid through today, in dollars; the total_due of all rent balances.
	RentDueTotal money.Cents `json:"rent_due_total"`
	// Currency of the amounts.
	Currency string `json:"currency" const:"USD"`
	// Today in the landlord's time zone.
	AsOf clock.Date `json:"as_of"`
}

// SchemaName is the name of the OpenAPI component.
func (Summary) SchemaName() string { return "PortfolioSummary" }

// LeaseCounts is how many leases have each status.
type LeaseCounts struct {
	// Drafts.
	Draft int `json:"draft" min:"0"`
	// Signed by some of the parties.
	PendingSignature int `json:"pending_signature" min:"0"`
	// Signed by all, not yet begun.
	Signed int `json:"signed" min:"0"`
	// In force.
	Active int `json:"active" min:"0" example:"22"`
	// Past their last day.
	Expired int `json:"expired" min:"0"`
	// Followed by a renewal.
	Renewed int `json:"renewed" min:"0"`
	// Ended early.
	Terminated int `json:"terminated" min:"0"`
	// Declined by a party.
	Declined int `json:"declined" min:"0"`
	// Voided before all had signed.
	Voided int `json:"voided" min:"0"`
}

// Of is where the leases of a status are counted; nil for what is no status.
func (c *LeaseCounts) Of(s portfolio.LeaseStatus) *int {
	return map[portfolio.LeaseStatus]*int{
		portfolio.LeaseDraft:            &c.Draft,
		portfolio.LeasePendingSignature: &c.PendingSignature,
		portfolio.LeaseSigned:           &c.Signed,
		portfolio.LeaseActive:           &c.Active,
		portfolio.LeaseExpired:          &c.Expired,
		portfolio.LeaseRenewed:          &c.Renewed,
		portfolio.LeaseTerminated:       &c.Terminated,
		portfolio.LeaseDeclined:         &c.Declined,
		portfolio.LeaseVoided:           &c.Voided,
	}[s]
}

// Summary counts a portfolio. The numbers are those of one moment, and agree with what
// the lists show.
func (s *Reports) Summary(ctx context.Context, by access.Actor) (*Summary, error) {
	today := s.Today(by)
	sum, err := s.store.Summary(ctx, by.Portfolio, today)
	sum.Object, sum.Currency, sum.AsOf = "portfolio_summary", portfolio.Currency, today
	if err != nil {
		return nil, err
	}
	return &sum, nil
}
