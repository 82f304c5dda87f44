package payment

import (
	"context"
	"fmt"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
)

// keptFor is for how long the rows of an open attempt are kept for it: a tenant who closes the processor's page keeps
// nobody else from paying for longer.
const keptFor = 30 * time.Minute

// silentFor is after what time without news of an attempt the processor is asked.
const silentFor = time.Hour

// Service takes payments.
type Service struct {
	*portfolio.Common
	ledger     *ledger.Ledger
	store      Store
	processors map[access.Mode]Processor
	Notices    Notices // may be nil: nobody is emailed about autopay
}

// New makes the service. A mode without a processor has no online payment.
func New(c *portfolio.Common, l *ledger.Ledger, store Store, processors map[access.Mode]Processor) *Service {
	return &Service{Common: c, ledger: l, store: store, processors: processors}
}

// Order is what a tenant wants to pay of a lease.
type Order struct {
	TenantID string
	LeaseID  string
	Shares   []ledger.Share
}

// Pay starts a payment. Its address is the page of the processor, which leads back to another one. What the tenant
// had started under the lease and not sent is canceled.
//
// Errors: fault.InvalidField at shares, fault.InvalidTransition where the landlord takes no such payment or another
// tenant is paying, fault.Unavailable where the processor does not answer, and nothing is paid then.
func (s *Service) Pay(
	ctx context.Context, by access.Actor, o Order, returnTo func(attemptID string) string,
) (*Attempt, string, error) {
	p, account, err := s.taking(ctx, by.Portfolio)
	if err != nil {
		return nil, "", err
	}
	if p == nil {
		return nil, "", fault.New(fault.InvalidTransition, notSetUp)
	}
	if err := s.cancelOwn(ctx, by, p, &o); err != nil {
		return nil, "", err
	}
	a, err := s.begin(ctx, by, p, account, &o)
	if err != nil {
		return nil, "", err
	}
	started, err := p.Start(ctx, by, a, returnTo(a.ID))
	if err != nil {
		// Nobody has the address of the page, so nobody can pay there.
		err = fault.New(fault.Unavailable,
			"The payment service didn’t answer. Nothing was paid. Try again in a few minutes.").Because(err)
		return nil, "", s.close(context.WithoutCancel(ctx), by, a.ID, err)
	}
	err = s.change(ctx, by, a.ID, func(_ context.Context, kept *Attempt) error {
		kept.Session, kept.Reference = started.Session, started.Reference
		a = kept
		return nil
	})
	return a, started.URL, err
}

// close cancels an attempt that nobody can pay, and is the error that led to it.
func (s *Service) close(ctx context.Context, by access.Actor, attemptID string, why error) error {
	if err := s.change(ctx, by, attemptID, func(_ context.Context, a *Attempt) error {
		if a.Status == Open {
			a.Status, a.LookAt = Canceled, nil
		}
		return nil
	}); err != nil {
		return fmt.Errorf("cancel the payment %s: %w", attemptID, err)
	}
	return why
}

// begin writes an attempt, under the lock of the portfolio.
func (s *Service) begin(
	ctx context.Context, by access.Actor, p Processor, account *string, o *Order,
) (a *Attempt, err error) {
	err = s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		shares, err := s.owed(ctx, by, o)
		if err != nil {
			return err
		}
		now := clock.At(s.Now(by.Portfolio))
		a = &Attempt{
			Record:    s.NewRecord(by, id.Attempt, "payment_attempt"),
			LeaseID:   o.LeaseID,
			TenantID:  o.TenantID,
			Processor: p.Name(),
			Account:   account,
			Status:    Open,
			StartedOn: s.Today(by),
			ExpiresAt: clock.At(now.Std().Add(keptFor)),
			Shares:    shares,
		}
		a.LookAt = &a.ExpiresAt
		a.Amount = sumOf(shares)
		if a.Fee, err = s.FeeOf(ctx, by, o.LeaseID); err != nil {
			return err
		}
		return s.store.AddAttempt(ctx, by.Portfolio, a)
	})
	return a, err
}

// owed are the shares of an order, the oldest due first, each at most what is owed of its row and not kept for another
// tenant who is paying.
func (s *Service) owed(ctx context.Context, by access.Actor, o *Order) ([]ledger.Share, error) {
	allowed, err := s.store.OnlinePayments(ctx, by.Portfolio, o.LeaseID)
	if err != nil {
		return nil, err
	}
	if allowed == AllowNone {
		return nil, fault.New(fault.InvalidTransition, "Online payment is turned off for this lease.")
	}
	rows, err := s.payable(ctx, by, o.LeaseID, "")
	if err != nil {
		return nil, err
	}
	if len(o.Shares) == 0 {
		return nil, fault.New(fault.MissingField, "Choose at least one charge to pay.").At("shares")
	}
	var shares []ledger.Share
	for i := range rows {
		at := slices.IndexFunc(o.Shares, func(x ledger.Share) bool { return x.PaymentID == rows[i].ID })
		if at < 0 {
			continue
		}
		share := o.Shares[at]
		switch r := &rows[i]; {
		case share.Amount <= 0 || share.Amount > r.Left():
			return nil, fault.New(fault.InvalidField, "The amount must be more than 0 and at most %s, which is owed.",
				r.Left().Words()).At("shares")
		case share.Amount > r.Left()-r.Kept:
			return nil, fault.New(
				fault.InvalidTransition,
				"Somebody is paying this charge right now. If they don’t finish, you can pay it in 30 minutes.",
			).At("shares")
		case allowed == AllowWhole && share.Amount < r.Left():
			return nil, fault.New(fault.InvalidField,
				"Your landlord takes whole charges online, and no part of one.").At("shares")
		}
		shares = append(shares, share)
	}
	if len(shares) < len(o.Shares) { // they were owed when they were chosen, or are of no lease of the tenant
		return nil, fault.New(fault.InvalidTransition,
			"A charge that you chose is not owed any more. Look at what is left, and choose again.").At("shares")
	}
	return shares, nil
}

// PayableRow is a row that can be paid, at least in part.
type PayableRow struct {
	portfolio.Payment
	// Kept is what is kept of it for tenants who are on the processor's page.
	Kept money.Cents
}

// Payable are the rows of a lease of which something is left to pay, the oldest due first. What a tenant has started
// and not sent is not kept for them: Pay cancels it.
func (s *Service) Payable(ctx context.Context, by access.Actor, leaseID string) ([]PayableRow, error) {
	return s.payable(ctx, by, leaseID, by.TenantID)
}

// payable is Payable for a tenant, "" for anybody.
func (s *Service) payable(ctx context.Context, by access.Actor, leaseID, tenantID string) ([]PayableRow, error) {
	found, err := s.store.RowsOfLeases(ctx, by.Portfolio, []string{leaseID})
	if err != nil {
		return nil, err
	}
	open, err := s.store.OpenAttempts(ctx, by.Portfolio, leaseID)
	if err != nil {
		return nil, err
	}
	kept, now := map[string]money.Cents{}, clock.At(s.Now(by.Portfolio))
	for i := range open {
		if open[i].ExpiresAt <= now || tenantID != "" && open[i].TenantID == tenantID && open[i].AutopayID == nil {
			continue
		}
		for _, share := range open[i].Shares {
			kept[share.PaymentID] += share.Amount
		}
	}
	var all []PayableRow
	for _, row := range found[leaseID] {
		if row.Compute(s.Today(by)); row.Left() > 0 {
			all = append(all, PayableRow{row, min(kept[row.ID], row.Left())})
		}
	}
	slices.SortFunc(all, func(a, b PayableRow) int { return ledger.OldestDue(&a.Payment, &b.Payment) })
	return all, nil
}

// cancelOwn cancels what the tenant has started under the lease and not sent.
func (s *Service) cancelOwn(ctx context.Context, by access.Actor, p Processor, o *Order) error {
	open, err := s.store.OpenAttempts(ctx, by.Portfolio, o.LeaseID)
	if err != nil {
		return err
	}
	for i := range open {
		if open[i].TenantID != o.TenantID || open[i].AutopayID != nil {
			continue
		}
		if err := p.Cancel(ctx, by, &open[i]); err != nil {
			return fault.New(fault.Unavailable,
				"The payment service didn’t answer. Nothing was paid. Try again in a few minutes.").Because(err)
		}
		if err := s.Refresh(ctx, by, open[i].ID); err != nil {
			return err
		}
	}
	return nil
}

// Cancel has a tenant pay an attempt no more.
func (s *Service) Cancel(ctx context.Context, by access.Actor, attemptID string) error {
	a, err := s.store.Attempt(ctx, by.Portfolio, attemptID)
	if err != nil || a.Status != Open {
		return err
	}
	p := s.processors[by.Portfolio.Mode]
	if p == nil || p.Name() != a.Processor {
		return s.close(ctx, by, a.ID, nil)
	}
	if err := p.Cancel(ctx, by, &a); err != nil {
		return err
	}
	return s.Refresh(ctx, by, attemptID)
}

// Attempt is an attempt, or fault.NotFound.
func (s *Service) Attempt(ctx context.Context, by access.Actor, attemptID string) (*Attempt, error) {
	if !id.Valid(id.Attempt, attemptID) {
		return nil, fault.NotFound("payment")
	}
	a, err := s.store.Attempt(ctx, by.Portfolio, attemptID)
	return &a, err
}

// Attempts are the latest of some leases, the latest first.
func (s *Service) Attempts(
	ctx context.Context, by access.Actor, leaseIDs []string, most int,
) ([]Attempt, error) {
	return s.store.AttemptsOf(ctx, by.Portfolio, leaseIDs, most)
}

// AttemptsOfPayment are the latest that were to pay a row or a part of it, the latest first.
func (s *Service) AttemptsOfPayment(
	ctx context.Context, by access.Actor, paymentID string, most int,
) ([]Attempt, error) {
	return s.store.AttemptsOfPayment(ctx, by.Portfolio, paymentID, most)
}

// change changes an attempt under the lock of the portfolio.
func (s *Service) change(
	ctx context.Context, by access.Actor, attemptID string, do func(context.Context, *Attempt) error,
) error {
	return s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		a, err := s.store.Attempt(ctx, by.Portfolio, attemptID)
		if err != nil {
			return err
		}
		if err := do(ctx, &a); err != nil {
			return err
		}
		a.Revise(clock.At(s.Now(by.Portfolio)))
		return s.store.SaveAttempt(ctx, by.Portfolio, &a)
	})
}
