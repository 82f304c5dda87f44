package tenantportal

import (
	"context"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/payment"
)

// payPath is the page on which charges are paid, after the address of a tenant's page. Behind it stands an attempt.
const payPath = "/pay"

// paidEmail is what an email about an online payment that has cleared says.
type paidEmail struct {
	Name, Landlord, Address string
	Amount                  string // with the fee
	Fee                     string // "" for none
	Link                    string
}

// PaymentCleared is payment.Notices'. Where the account emails tenants about rent, that email has the receipt, and this
// one does not leave.
func (s *Service) PaymentCleared(ctx context.Context, by access.Actor, a *payment.Attempt) error {
	if sent, err := s.store.RentNoticesSent(ctx, by.Portfolio); err != nil || sent {
		return err
	}
	v, found, err := s.live(ctx, by, a.TenantID)
	if fault.Is(err, fault.NoRecord) {
		return nil
	}
	if err != nil || !found || !v.open() || v.Tenant.Email == nil || len(v.Leases) == 0 {
		return err
	}
	home := v.Home().RentalAddress
	if l, err := v.Lease(a.LeaseID); err == nil {
		home = l.RentalAddress
	}
	page, err := s.address(ctx, v)
	if err != nil {
		return err
	}
	reads, amount := v.Link.Language, a.Total().Dollars()
	e := paidEmail{
		Name:     line(v.Tenant.FirstName),
		Landlord: line(v.Landlord.Name),
		Address:  line(home),
		Amount:   amount,
		Link:     reads.Link(page + payPath + "/" + a.ID),
	}
	if a.Fee > 0 {
		e.Fee = a.Fee.Dollars()
	}
	return s.mail(
		ctx,
		v,
		"receipt",
		reads.Say("Receipt for "+amount+" paid online", "Recibo de "+amount+" pagados en línea"),
		e,
	)
}
