package report

import (
	"context"
	"slices"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
)

// BalanceFilter narrows a list of rent balances.
type BalanceFilter struct {
	// Only leases of this property.
	PropertyID string `in:"query" name:"property_id" format:"ref" prefix:"prop"`
	// Only rent that is charged to this tenant.
	TenantID string `in:"query" name:"tenant_id" format:"ref" prefix:"ten"`
	// Only this lease.
	LeaseID string `in:"query" name:"lease_id" format:"ref" prefix:"lea"`
	// Only leases whose oldest charge is overdue for at least so many days.
	MinDaysOverdue int `in:"query" name:"min_days_overdue" min:"0"`
	// How many leases a page holds at most.
	Limit int `in:"query" name:"limit" min:"1" max:"100" default:"20"`
	// The next_cursor of the page before.
	StartingAfter string `in:"query" name:"starting_after" format:"cursor" prefix:"lea"`
}

// RentBalances is a page of the leases of which rent is owed, in ascending id, with
// what all of them owe.
type RentBalances struct {
	list.Page[RentBalance]
	// Rent that all leases owe that match, not only those of this page, in dollars, less their own credits for rent.
	// Deposits and fees are not in it; charges_due_total of the portfolio's summary has them.
	TotalDue money.Cents `json:"total_due"`
	// Currency of the amounts.
	Currency string `json:"currency" const:"USD"`
}

// SchemaName is the name of the OpenAPI component.
func (RentBalances) SchemaName() string { return "RentBalances" }

// RentBalance is what is owed of the rent of a lease.
type RentBalance struct {
	// The lease.
	LeaseID string `json:"lease_id" format:"id" prefix:"lea"`
	// The tenant who owes it.
	TenantID string `json:"tenant_id" format:"id" prefix:"ten"`
	// The tenant's name.
	TenantName string `json:"tenant_name" by:"tenant" maxlen:"255" example:"Dana Whitfield"`
	// The unit's address in one line.
	RentalAddress string `json:"rental_address" example:"1420 Maple Avenue, Unit 2B, Austin, TX 78701"`
	// How to reach the tenant.
	Contact Reach `json:"contact"`
	// What remains unpaid of rent through today, less credits for rent that are left, in dollars.
	BalanceDue money.Cents `json:"balance_due"`
	// Currency of the amounts.
	Currency string `json:"currency" const:"USD"`
	// Day on which the oldest of the charges was due.
	OldestDueDate clock.Date `json:"oldest_due_date"`
	// Days since then; 0 when it is due today.
	DaysOverdue int `json:"days_overdue" min:"0" example:"11"`
	// The unpaid charges and the credits that are left, the oldest first.
	Charges []RentCharge `json:"charges"`
}

// Reach is how to reach a tenant.
type Reach struct {
	// Email address.
	Email *string `json:"email" by:"tenant" format:"email" maxlen:"254" example:"dana.whitfield@example.com"`
	// Phone number in E.164.
	Phone *string `json:"phone" format:"phone" example:"+15125550142"`
	// How the tenant wants to be reached.
	PreferredContactMethod *portfolio.ContactMethod `json:"preferred_contact_method" example:"email"`
}

// SchemaName is the name of the OpenAPI component.
func (Reach) SchemaName() string { return "TenantContact" }

// RentCharge is a charge of rent of which something is owed, or a credit that is left.
type RentCharge struct {
	// The row of the rent ledger.
	PaymentID string `json:"payment_id" format:"id" prefix:"pay"`
	// Day on which it was due.
	DueDate clock.Date `json:"due_date"`
	// What was charged, in dollars; below 0 for a credit.
	Amount money.Cents `json:"amount"`
	// What remains to be paid of it, in dollars; below 0 for a credit that is left.
	BalanceDue money.Cents `json:"balance_due"`
}

// RentBalances lists the leases of which rent is owed that was due by today, in
// ascending id. A charge whose money is under way is not among what is owed; one that
// the calendar has yet to turn from scheduled to due is. A credit that is left reduces what its own lease owes, and a
// lease with a credit alone is not listed.
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

// compute fills what follows from the charges, of which there is at least one that is unpaid.
func (b *RentBalance) compute(today clock.Date) {
	b.Currency, b.BalanceDue = portfolio.Currency, 0
	for _, c := range slices.Backward(b.Charges) {
		if b.BalanceDue += c.BalanceDue; c.BalanceDue > 0 {
			b.OldestDueDate = c.DueDate
		}
	}
	b.DaysOverdue = int(today - b.OldestDueDate)
}
