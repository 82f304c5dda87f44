package report

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
)

// MostCounted is how many of a kind an overview counts; one more stands for any number above.
const MostCounted = 1000

// Overview is what is due, what is overdue and what is open in a portfolio.
type Overview struct {
	Today           clock.Date
	Empty           bool      // the portfolio has no property
	Rent            []RentDay // by the day, in no order
	Overdue         Overdue
	Expiring        Expiring
	Tickets         map[portfolio.Priority]int // that are open, at most MostCounted + 1 of each
	OldestEmergency clock.Time                 // when it was opened; 0 for none
}

// RentDay is the rent that is due on a day, without what is void or was refunded.
type RentDay struct {
	Day            clock.Date
	Due, Collected money.Cents
}

// Overdue is what should have been paid before today, the credits of each lease taken off its oldest charges: of the
// oldest MostCounted + 1 charges.
type Overdue struct {
	Charges, Leases int
	Sum             money.Cents                // that is owed
	Ages            [len(Ages) + 1]money.Cents // of it, by how long it is overdue; the last is what is older
}

// OverdueOf adds up overdue charges by their age. Where there are more than MostCounted, only the oldest are given.
func OverdueOf(
	charges []portfolio.OverdueCharge, credits map[portfolio.CreditOf]money.Cents, today clock.Date,
) Overdue {
	var o Overdue
	leases := map[string]bool{}
	for _, c := range portfolio.TakeOff(credits, charges) {
		if c.Left <= 0 {
			continue
		}
		age := 0
		for age < len(Ages) && int(today-c.DueDate) > Ages[age] {
			age++
		}
		o.Charges++
		o.Sum += c.Left
		o.Ages[age] += c.Left
		leases[c.LeaseID] = true
	}
	if o.Leases = len(leases); len(charges) > MostCounted {
		o.Charges = len(charges) // there are more
	}
	return o
}

// Ages are up to how many days charges of an age are overdue.
var Ages = [...]int{30, 60, 90}

// Expiring is which leases are out for signature that expire soon.
type Expiring struct {
	Leases  int
	First   clock.Time // when the first one expires
	Address string     // of one of them
}

// OverviewWindow says what is looked for.
type OverviewWindow struct {
	From, Until clock.Date // the days of rent, the last one not included
	Today       clock.Date
	Now, Soon   clock.Time // between which the time to sign ends
}

// SignSoon is how long before a lease can be signed no more an overview says so.
const SignSoon = 7 * 24 * time.Hour

// Overview reads a portfolio's overview with the rent of so many months, the last of which is
// this one in the landlord's time zone.
func (s *Reports) Overview(ctx context.Context, by access.Actor, months int) (*Overview, error) {
	now, today := s.BusinessNow(by.Portfolio), s.Today(by)
	first := today.Std()
	first = time.Date(first.Year(), first.Month(), 1, 0, 0, 0, 0, time.UTC)
	o, err := s.store.Overview(ctx, by.Portfolio, OverviewWindow{
		From:  clock.DateOf(first.AddDate(0, 1-months, 0), time.UTC),
		Until: clock.DateOf(first.AddDate(0, 1, 0), time.UTC),
		Today: today,
		Now:   now,
		Soon:  now + clock.Time(SignSoon/time.Millisecond),
	})
	o.Today = today
	if err != nil {
		return nil, err
	}
	return &o, nil
}

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
	// Rent unpaid through today, in dollars, without deposits and fees; the total_due of all rent balances. A credit
	// that is left reduces what its own lease owes, here and below.
	RentDueTotal money.Cents `json:"rent_due_total"`
	// All charges unpaid through today, in dollars: rent, deposits and fees, as the ledger shows them.
	ChargesDueTotal money.Cents `json:"charges_due_total"`
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
