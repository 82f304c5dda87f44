package simulate

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/money"
	"portal/api/payment"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
)

// PaymentCreate is a payment that a tenant makes online.
type PaymentCreate struct {
	// The ledger rows that are paid, each with all that is left of it to pay. All are of one lease.
	PaymentIDs []string `json:"payment_ids" format:"ref" prefix:"pay" minlen:"1" maxlen:"20"`
	// How the tenant pays. A card clears at once, a bank account after three business days.
	Method OnlineMethod `json:"method" example:"card"`
	// What becomes of the payment. It must be possible with the method.
	Outcome simulated.Outcome `json:"outcome" default:"succeeded"`
}

// SchemaName is the name of the OpenAPI component.
func (PaymentCreate) SchemaName() string { return "TestPaymentCreate" }

// Check finds what no tag says: an outcome that the method cannot have, and a row that is named twice.
func (c PaymentCreate) Check(clock.Date) (all []fault.Detail) {
	if possible := c.Method.outcomes(); len(possible) > 0 && !slices.Contains(possible, string(c.Outcome)) {
		all = append(all, fault.Wrong("outcome",
			"can’t come of a payment by "+string(c.Method)+". Use one of "+strings.Join(possible, ", ")+"."))
	}
	for i, rowID := range c.PaymentIDs {
		if slices.Contains(c.PaymentIDs[:i], rowID) {
			all = append(all, fault.Wrong(rowParam(i), "is in the list already; name each row once."))
		}
	}
	return all
}

// rowParam is the place of a row in PaymentCreate.
func rowParam(i int) string { return "payment_ids." + strconv.Itoa(i) }

// OnlineMethod is a way to pay through a processor.
type OnlineMethod string

// Values are all of them.
func (OnlineMethod) Values() []string {
	return []string{string(portfolio.PayByCard), string(portfolio.PayByACH)}
}

// SchemaName is the name of the OpenAPI component.
func (OnlineMethod) SchemaName() string { return "OnlinePaymentMethod" }

// outcomes are those that a payment by the method can have.
func (m OnlineMethod) outcomes() []string {
	return slices.DeleteFunc(simulated.Outcome("").Values(), func(o string) bool {
		return !simulated.Outcome(o).Possible(portfolio.PaymentMethod(m))
	})
}

// PaymentAttempt is a payment of one or more ledger rows of a lease through a processor.
type PaymentAttempt struct {
	portfolio.Record `object:"payment_attempt" prefix:"pmt"`
	// The lease whose rows are paid.
	LeaseID string `json:"lease_id" format:"id" prefix:"lea"`
	// The tenant who pays.
	TenantID string `json:"tenant_id" format:"id" prefix:"ten"`
	// How the tenant pays.
	Method OnlineMethod `json:"method" example:"card"`
	// The sum of what is paid of all rows, in dollars.
	Amount money.Cents `json:"amount"`
	// Currency of the amount.
	Currency string `json:"currency" const:"USD"`
	// Where the payment stands. One that has succeeded may be returned or disputed later.
	Status payment.Status `json:"status" example:"succeeded"`
	// The ledger rows that are paid, the oldest due first.
	PaymentIDs []string `json:"payment_ids" format:"id" prefix:"pay"`
	// Why it failed, for programs.
	FailureCode *string `json:"failure_code" maxlen:"80" example:"insufficient_funds"`
	// Why it failed, for people.
	FailureMessage *string `json:"failure_message" by:"processor" maxlen:"255"`
}

// shownAttempt is an attempt as callers see it.
func shownAttempt(a *payment.Attempt) *PaymentAttempt {
	shown := &PaymentAttempt{
		Record:         a.Record,
		LeaseID:        a.LeaseID,
		TenantID:       a.TenantID,
		Amount:         a.Amount,
		Currency:       portfolio.Currency,
		Status:         a.Status,
		FailureCode:    a.FailureCode,
		FailureMessage: a.FailureMessage,
	}
	if a.Method != nil {
		shown.Method = OnlineMethod(*a.Method)
	}
	for _, share := range a.Shares {
		shown.PaymentIDs = append(shown.PaymentIDs, share.PaymentID)
	}
	return shown
}

// Pay pays all that is left of some ledger rows of a lease of the actor's demo portfolio, as its primary tenant does on
// the page of the simulated processor.
func (s *Simulator) Pay(
	ctx context.Context, by access.Actor, c PaymentCreate,
) (*change.Result[PaymentAttempt], error) {
	if by.Portfolio.Mode != access.Test {
		return nil, fault.Of(fault.NoRecord)
	}
	if err := by.Need(access.Payments); err != nil {
		return nil, err
	}
	return portfolio.Write(
		ctx,
		s.Portfolio.Common,
		by,
		func(ctx context.Context) (*change.Result[PaymentAttempt], error) {
			if err := s.Portfolio.Calendar.RollOver(ctx, by.Portfolio, by.Zone); err != nil {
				return nil, err
			}
			o, err := s.order(ctx, by, c.PaymentIDs)
			if err != nil {
				return nil, err
			}
			a, err := s.Payments.PayAs(ctx, by, *o, portfolio.PaymentMethod(c.Method), c.Outcome)
			if f, is := errors.AsType[*fault.Error](err); is && f.Param == "shares" {
				err = f.At("payment_ids")
			}
			if err != nil {
				return nil, err
			}
			return &change.Result[PaymentAttempt]{After: shownAttempt(a)}, nil
		},
	)
}

// order is one of all that is left to pay of some rows of a lease, by the tenant who owes them.
func (s *Simulator) order(ctx context.Context, by access.Actor, rowIDs []string) (*payment.Order, error) {
	var o payment.Order
	for i, rowID := range rowIDs {
		row, err := portfolio.Find(ctx, by.Portfolio, id.Payment, rowID, "payment",
			func(ctx context.Context, _ access.Portfolio, id string) (*portfolio.Payment, error) {
				return s.Portfolio.Ledger.Payment(ctx, by, id)
			})
		switch {
		case fault.Is(err, fault.NoRecord):
			return nil, fault.From(err).At(rowParam(i))
		case err != nil:
			return nil, err
		case i > 0 && row.LeaseID != o.LeaseID:
			return nil, fault.New(fault.InvalidField,
				"%s is of the lease %s, and the first row of the lease %s. Name rows of one lease.",
				rowParam(i), row.LeaseID, o.LeaseID).At(rowParam(i))
		case row.Left() == 0:
			return nil, fault.New(fault.InvalidField, "%s has nothing left to pay.", rowParam(i)).At(rowParam(i))
		}
		o.LeaseID, o.TenantID = row.LeaseID, row.TenantID
		o.Shares = append(o.Shares, ledger.Share{PaymentID: row.ID, Amount: row.Left()})
	}
	return &o, nil
}
