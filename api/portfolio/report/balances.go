package report

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
)

// BalanceFilter narrows a list of rent balances.
type BalanceFilter struct {
	PropertyID     string `in:"query" name:"property_id" format:"ref" prefix:"prop" doc:"Only leases of this property."`
	TenantID       string `in:"query" name:"tenant_id" format:"ref" prefix:"ten" doc:"Only rent that is charged to this tenant."`
	LeaseID        string `in:"query" name:"lease_id" format:"ref" prefix:"lea" doc:"Only this lease."`
	MinDaysOverdue int    `in:"query" name:"min_days_overdue" min:"0" doc:"Only leases whose oldest charge is overdue for at least so many days."`
	Limit          int    `in:"query" name:"limit" min:"1" max:"100" default:"20" doc:"How many leases a page holds at most."`
	StartingAfter  string `in:"query" name:"starting_after" format:"cursor" prefix:"lea" doc:"The next_cursor of the page before."`
}

// RentBalances is a page of the leases of which rent is owed, in ascending id, with
// what all of them owe.
type RentBalances struct {
	list.Page[RentBalance]
	TotalDue money.Cents `json:"total_due" doc:"Balance of all leases that match, not only of this page, in dollars."`
	Currency string      `json:"currency" const:"USD" doc:"Currency of the amounts."`
}

// SchemaName is the name of the OpenAPI component.
func (RentBalances) SchemaName() string { return "RentBalances" }

// RentBalance is what is owed of the rent of a lease.
type RentBalance struct {
	LeaseID       string       `json:"lease_id" format:"id" prefix:"lea" doc:"The lease."`
	TenantID      string       `json:"tenant_id" format:"id" prefix:"ten" doc:"The tenant who owes it."`
	TenantName    string       `json:"tenant_name" by:"tenant" maxlen:"255" example:"Dana Whitfield" doc:"The tenant's name."`
	RentalAddress string       `json:"rental_address" example:"1420 Maple Avenue, Unit 2B, Austin, TX 78701" doc:"The unit's address in one line."`
	Contact       Reach        `json:"contact" doc:"How to reach the tenant."`
	BalanceDue    money.Cents  `json:"balance_due" doc:"What remains unpaid through today, in dollars."`
	Currency      string       `json:"currency" const:"USD" doc:"Currency of the amounts."`
	OldestDueDate clock.Date   `json:"oldest_due_date" doc:"Day on which the oldest of the charges was due."`
	DaysOverdue   int          `json:"days_overdue" min:"0" example:"11" doc:"Days since then; 0 when it is due today."`
	Charges       []RentCharge `json:"charges" doc:"The unpaid charges, the oldest first."`
}

// Reach is how to reach a tenant.
type Reach struct {
	Email                  *string                  `json:"email" by:"tenant" format:"email" maxlen:"254" example:"dana.whitfield@example.com" doc:"Email address."`
	Phone                  *string                  `json:"phone" format:"phone" example:"+15125550142" doc:"Phone number in E.164."`
	PreferredContactMethod *portfolio.ContactMethod `json:"preferred_contact_method" example:"email" doc:"How the tenant wants to be reached."`
}

// SchemaName is the name of the OpenAPI component.
func (Reach) SchemaName() string { return "TenantContact" }

// RentCharge is a charge of rent of which something is owed.
type RentCharge struct {
	PaymentID  string      `json:"payment_id" format:"id" prefix:"pay" doc:"The row of the rent ledger."`
	DueDate    clock.Date  `json:"due_date" doc:"Day on which it was due."`
	Amount     money.Cents `json:"amount" doc:"What was charged, in dollars."`
	BalanceDue money.Cents `json:"balance_due" doc:"What remains to be paid of it, in dollars."`
}

// RentBalances lists the leases of which rent is owed that was due by today, in
// ascending id. A charge whose money is under way is not among what is owed; one that
// the calendar has yet to turn from scheduled to due is.
//
// The parties of a lease owe its rent together, and the ledger charges it to the primary
// tenant, so there is one balance a lease. Should its rows name several tenants, it shows
// the one of the oldest charge.
func (s *Reports) RentBalances(ctx context.Context, by access.Actor, f BalanceFilter) (*RentBalances, error) {
	today := s.Today(by)
	rows, total, err := s.store.RentBalances(ctx, by.Portfolio, f, today)
	for i := range rows {
		rows[i].compute(today)
	}
	page := list.Of(rows, f.Limit, func(b *RentBalance) string { return b.LeaseID })
	return &RentBalances{Page: *page, TotalDue: total, Currency: portfolio.Currency}, err
}

// reckon fills what follows from the charges, of which there is at least one.
func (b *RentBalance) compute(today clock.Date) {
	b.Currency, b.BalanceDue = portfolio.Currency, 0
	for _, c := range b.Charges {
		b.BalanceDue += c.BalanceDue
	}
	b.OldestDueDate = b.Charges[0].DueDate
	b.DaysOverdue = int(today - b.OldestDueDate)
}
