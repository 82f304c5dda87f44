package tenantportal

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/statement"
)

// DepositReturned emails the tenants of a lease what became of their deposit, in the transaction of the context, in
// which the statement is stored. A tenant whose page the landlord has revoked, or who can have none, gets it without a
// link.
func (s *Service) DepositReturned(
	ctx context.Context, by access.Actor, l *portfolio.Lease, d *portfolio.DepositStatement,
) error {
	return s.eachRenter(ctx, by, l, func(v *Visit, without bool) error { return s.mailDeposit(ctx, v, d, without) })
}

// eachRenter does something for each tenant of a lease who has an email address, guarantors apart, with their page as
// it is to be emailed; in the transaction of the context. A tenant whose page the landlord has revoked, or who can have
// none, is without a link.
func (s *Service) eachRenter(
	ctx context.Context, by access.Actor, l *portfolio.Lease, do func(v *Visit, without bool) error,
) error {
	for _, tenantID := range l.Renters() {
		t, err := s.store.Tenant(ctx, by.Portfolio, tenantID)
		if err != nil {
			return err
		}
		if t.Email == nil {
			continue
		}
		v, found, err := s.live(ctx, by, t.ID)
		if err != nil {
			return err
		}
		without, err := s.revoked(ctx, v, found)
		if err != nil {
			return err
		}
		if without = without || !v.open(); without {
			v.Link.Language, err = s.store.TenantLanguage(ctx, by.Portfolio, t.ID)
		} else {
			err = s.link(ctx, v, found, false)
		}
		if err != nil {
			return err
		}
		if err := do(v, without); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) mailDeposit(ctx context.Context, v *Visit, d *portfolio.DepositStatement, without bool) error {
	link := "" // to the page
	if !without {
		address, err := s.address(ctx, v)
		if err != nil {
			return err
		}
		link = v.Link.Language.Link(address + "/lease")
	}
	subject := v.Link.Language.Say("Your deposit statement for ", "Estado de cuenta de su depósito: ") + d.Content.Home
	taken := d.Sum(portfolio.DepositDeduction, portfolio.DepositOwed)
	return s.mail(ctx, v, "deposit", subject, struct {
		Name, Landlord, Address, Link   string
		Held, Taken, Credited, Refunded money.Cents
	}{
		v.Tenant.FirstName, v.Landlord.Name, d.Content.Home, link,
		d.Held, taken, d.Sum(portfolio.DepositCredit), d.Refunded,
	})
}

// DepositStatement is the statement of the deposit of a lease of the tenant as PDF, in the language that they have
// chosen, or fault.NotFound.
func (s *Service) DepositStatement(v *Visit, leaseID string) ([]byte, error) {
	d, is := v.Deposits[leaseID]
	if !is {
		return nil, fault.NotFound("statement")
	}
	return statement.Deposit(&d, v.Link.Language)
}

// withDeposits reads the statements of deposits of the leases of a tenant.
func (s *Service) withDeposits(ctx context.Context, v *Visit) (err error) {
	ids := make([]string, len(v.Leases))
	for i := range v.Leases {
		ids[i] = v.Leases[i].ID
	}
	v.Deposits, err = s.store.DepositStatements(ctx, v.By.Portfolio, ids...)
	return err
}

// statedUntil is the last day on which a page opens because of a statement of a deposit, 0 without one.
func (v *Visit) statedUntil(leaseID string) clock.Date {
	d, is := v.Deposits[leaseID]
	if !is {
		return 0
	}
	return clock.DateOf(d.CreatedAt.Std(), v.Landlord.Zone) + graceDays
}
