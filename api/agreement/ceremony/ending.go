package ceremony

import (
	"context"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/clock"
	"portal/api/mail"
	"portal/api/portfolio"
)

// endedMail is what the email about the end of a lease says.
type endedMail struct {
	Name, Landlord, Address, Reason string
	On, Agreed                      clock.Date
	ByEmail                         bool // the tenants have agreed by email
}

// Ended implements agreement.Offers.
func (s *Service) Ended(ctx context.Context, by access.Actor, l *portfolio.Lease) error {
	all, err := s.States(ctx, by, l.ID)
	for i := 0; i < len(all) && err == nil; i++ {
		if all[i].Landlord() {
			continue
		}
		var o *signing
		if o, err = s.opened(ctx, all[i].ID); err == nil && o.email != "" {
			err = s.tellEnded(ctx, o, l, agreement.AgreedByEmail(by))
		}
	}
	return err
}

// tellEnded tells a party that a lease was ended before its first day.
func (s *Service) tellEnded(ctx context.Context, o *signing, l *portfolio.Lease, byEmail bool) error {
	told := endedMail{
		Name:     o.signer.Name,
		Landlord: o.landlord.Name,
		Address:  l.RentalAddress,
		On:       *l.TerminatedOn,
		ByEmail:  byEmail,
	}
	if l.Terms.TenantsAgreedOn != nil {
		told.Agreed = *l.Terms.TenantsAgreedOn
	}
	if l.TerminationReason != nil {
		told.Reason = *l.TerminationReason
	}
	m, err := templates.Fill(o.language.Template("ended"), &mail.Message{
		AccountID: o.landlord.AccountID,
		Portfolio: o.in,
		To:        o.email,
		Subject: o.language.Say(
			"Ended before it started: the lease for ",
			"Terminado antes de empezar: el contrato de ",
		) + l.RentalAddress,
	}, told)
	if err != nil {
		return err
	}
	return s.Send(ctx, m)
}
