package payment

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
)

// Account is the account of a live portfolio with a processor that asks for one.
type Account struct {
	Processor string
	Reference string // of the account at the processor
	CreatedAt clock.Time
	Submitted bool   // the landlord has said what was asked
	Charges   bool   // payments are taken
	Payouts   bool   // money is paid out
	Due       string // what the processor asks for, a line each
	// ComparedOn is the latest day of which payments were compared, and Differences is what differed then, a line each.
	ComparedOn  *clock.Date
	Differences string
}

// AccountStore keeps the accounts of live portfolios.
type AccountStore interface {
	// PaymentAccount reads the account of a portfolio, nil where there is none.
	PaymentAccount(ctx context.Context, in access.Portfolio) (*Account, error)
	// AddPaymentAccount writes a new account. Where there is one already it changes nothing.
	AddPaymentAccount(ctx context.Context, in access.Portfolio, a *Account) error
	SavePaymentAccount(ctx context.Context, in access.Portfolio, a *Account) error
	// PortfolioOfAccount finds whose an account with a processor is, and the time zone, or fault.NotFound.
	PortfolioOfAccount(ctx context.Context, processor, reference string) (in access.Portfolio, zone string, err error)
	// PaymentAccounts calls back with the portfolios of open accounts that have one, and the time zones.
	PaymentAccounts(ctx context.Context, each func(in access.Portfolio, zone string) error) error
}

// processor is what takes payments of a portfolio, and the landlord's account there; nil where nothing does.
func (s *Service) processor(ctx context.Context, in access.Portfolio) (p Processor, account *string, err error) {
	p, a, err := s.with(ctx, in)
	if p == nil || a == nil {
		return p, nil, err
	}
	return p, &a.Reference, nil
}

// taking is processor where payments can be made now.
func (s *Service) taking(ctx context.Context, in access.Portfolio) (p Processor, account *string, err error) {
	p, a, err := s.with(ctx, in)
	switch {
	case p == nil || a == nil:
		return p, nil, err
	case !a.Charges:
		return nil, nil, nil
	}
	return p, &a.Reference, nil
}

// with is what takes payments of a portfolio, and the whole account of a live one.
func (s *Service) with(ctx context.Context, in access.Portfolio) (Processor, *Account, error) {
	p := s.processors[in.Mode]
	if p == nil || in.Mode == access.Test {
		return p, nil, nil
	}
	a, err := s.store.PaymentAccount(ctx, in)
	if err != nil || a == nil || a.Processor != p.Name() {
		return nil, nil, err
	}
	return p, a, nil
}

// Taken reports whether payments are taken online in a portfolio.
func (s *Service) Taken(ctx context.Context, in access.Portfolio) (bool, error) {
	p, _, err := s.taking(ctx, in)
	return p != nil, err
}

// accounts are those of live portfolios, nil where there are none.
func (s *Service) accounts() Accounts {
	a, _ := s.processors[access.Live].(Accounts)
	return a
}

// Connects reports whether landlords can connect an account here.
func (s *Service) Connects() bool { return s.accounts() != nil }

// AccountOf is the account of a live portfolio, nil where there is none.
func (s *Service) AccountOf(ctx context.Context, by access.Actor) (*Account, error) {
	if by.Portfolio.Mode != access.Live {
		return nil, nil //nolint:nilnil // no account is no error
	}
	return s.store.PaymentAccount(ctx, by.Portfolio)
}

// Connect makes the account of a live portfolio where there is none, and is the address of the page of the processor on
// which the landlord says what it asks for. It leads back to one address, and to the other one where it can be used no
// more.
//
// Errors: fault.InvalidTransition where no account can be connected, fault.Unavailable where the processor does not
// answer.
func (s *Service) Connect(ctx context.Context, by access.Actor, returnTo, again string) (string, error) {
	accounts := s.accounts()
	if accounts == nil || by.Portfolio.Mode != access.Live {
		return "", fault.New(fault.InvalidTransition, notSetUp)
	}
	a, err := s.store.PaymentAccount(ctx, by.Portfolio)
	if err != nil {
		return "", err
	}
	if a == nil {
		if a, err = s.connect(ctx, by, accounts); err != nil {
			return "", err
		}
	}
	address, err := accounts.Onboard(ctx, by, a.Reference, returnTo, again)
	if err != nil {
		return "", fault.New(fault.Unavailable, silentAccount).Because(err)
	}
	return address, nil
}

// silentAccount is said where the processor of accounts does not answer.
const silentAccount = "The payment service didn’t answer. Try again in a few minutes."

// connect makes the account of a portfolio. Who asks at the same time gets the same one.
func (s *Service) connect(ctx context.Context, by access.Actor, accounts Accounts) (*Account, error) {
	who, err := s.store.Landlord(ctx, by.Portfolio)
	if err != nil {
		return nil, err
	}
	reference, err := accounts.Create(ctx, by, &who)
	if err != nil {
		return nil, fault.New(fault.Unavailable, silentAccount).Because(err)
	}
	err = s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		if err := s.store.AddPaymentAccount(ctx, by.Portfolio, &Account{
			Processor: s.processors[access.Live].Name(),
			Reference: reference,
			CreatedAt: clock.At(s.Now(by.Portfolio)),
		}); err != nil {
			return err
		}
		return s.RecordDone(ctx, by, "payments.connected", reference, nil)
	})
	if err != nil {
		return nil, err
	}
	return s.store.PaymentAccount(ctx, by.Portfolio)
}

// RefreshAccount asks the processor how the account of a portfolio stands, and keeps it.
func (s *Service) RefreshAccount(ctx context.Context, by access.Actor) error {
	accounts := s.accounts()
	a, err := s.AccountOf(ctx, by)
	if err != nil || a == nil || accounts == nil {
		return err
	}
	standing, err := accounts.Account(ctx, by, a.Reference)
	if err != nil {
		return fmt.Errorf("ask how the account %s stands: %w", a.Reference, err)
	}
	return s.changeAccount(ctx, by, func(a *Account) {
		a.Submitted, a.Charges, a.Payouts = standing.Submitted, standing.Charges, standing.Payouts
		a.Due = strings.Join(standing.Due, "\n")
	})
}

// changeAccount changes the account of a portfolio under its lock.
func (s *Service) changeAccount(ctx context.Context, by access.Actor, do func(*Account)) error {
	return s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		a, err := s.store.PaymentAccount(ctx, by.Portfolio)
		if err != nil || a == nil {
			return err
		}
		do(a)
		return s.store.SavePaymentAccount(ctx, by.Portfolio, a)
	})
}

// comparedFrom is the hour of the landlord's day from which on the day before is compared.
const comparedFrom = 6

// LookAfterAccounts brings what is kept of each account up to date once a day: how it stands, its payouts, and whether
// the payments of the day before agree. One that fails keeps no other back, and is looked at again.
func (s *Service) LookAfterAccounts(ctx context.Context) error {
	var failed []error
	err := s.store.PaymentAccounts(ctx, func(in access.Portfolio, zone string) error {
		location, err := clock.Zone(zone)
		if err == nil {
			err = s.lookAfter(ctx, access.Actor{Portfolio: in, Zone: location})
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("look after the payments of portfolio %d: %w", in.ID, err))
		}
		return ctx.Err()
	})
	return errors.Join(append(failed, err)...)
}

func (s *Service) lookAfter(ctx context.Context, by access.Actor) error {
	now := s.Now(by.Portfolio).In(by.Zone)
	day := s.Today(by) - 1
	a, err := s.AccountOf(ctx, by)
	if err != nil || a == nil || now.Hour() < comparedFrom || a.ComparedOn != nil && *a.ComparedOn >= day {
		return err
	}
	if err := s.RefreshAccount(ctx, by); err != nil {
		return err
	}
	if err := s.SyncPayouts(ctx, by); err != nil {
		return err
	}
	first := max(clock.DateOf(a.CreatedAt.Std(), by.Zone), day-mostCompared+1)
	if a.ComparedOn != nil {
		first = max(first, *a.ComparedOn+1)
	}
	var differences []string
	for d := first; d <= day; d++ { // also days on which the processor or this service did not answer
		found, err := s.Compare(ctx, by, d)
		if err != nil {
			return err
		}
		for _, one := range found {
			differences = append(differences, d.Std().Format("January 2, 2006")+": "+one.Words())
		}
		if err := s.changeAccount(ctx, by, func(a *Account) {
			a.ComparedOn, a.Differences = new(d), strings.Join(differences, "\n")
		}); err != nil {
			return err
		}
	}
	return nil
}

// mostCompared is how many days back are compared at most.
const mostCompared = 7
