package ceremony

import (
	"context"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/mail"
)

// blocking are the codes of what is wrong with a lease itself: with its terms, or with another lease.
var blocking = []fault.Code{
	fault.LeaseDatesOverlap, fault.LeadPaintUnanswered, fault.DepositAboveMaximum, fault.LateFeeAboveMaximum,
}

// blockedMails is how often the owners are told that a lease cannot be signed.
const blockedMails = 24 * time.Hour

// tellBlocked tells the owners why a tenant could not sign a lease, where they alone can mend it: once a day
// at most. The signature was refused in a transaction of its own.
func (s *Service) tellBlocked(ctx context.Context, o *signing, refused error) error {
	why := fault.From(refused)
	if !slices.Contains(blocking, why.Code) || o.signer.TenantID == nil {
		return nil
	}
	return s.Tx.Exclusively(ctx, o.in, func(ctx context.Context) error {
		subject, now := "blocked "+o.lease.ID, clock.At(s.Now(o.in))
		wait, err := s.store.CountMail(ctx, subject, now, clock.Time(blockedMails.Milliseconds()), 1)
		if err != nil || wait > 0 {
			return err
		}
		words := []string{why.Message}
		for _, d := range why.Details[min(1, len(why.Details)):] { // the first one is the message
			words = append(words, d.Message)
		}
		return s.tellOwners(ctx, o, "blocked", "The lease for "+o.lease.RentalAddress+" can't be signed yet", struct {
			Name, Address, Link string
			Reasons             []string
		}{o.signer.Name, o.lease.RentalAddress, s.BaseURL + "/" + string(o.in.Mode) + "/leases/" + o.lease.ID, words})
	})
}

// tellDeclined tells the owners that a signer will not sign, and why.
func (s *Service) tellDeclined(ctx context.Context, o *signing, reason string) error {
	return s.tellOwners(ctx, o, "declined", o.signer.Name+" declined to sign the lease for "+o.lease.RentalAddress,
		struct{ Name, Address, Reason string }{o.signer.Name, o.lease.RentalAddress, reason})
}

// tellOwners sends an email to each owner of the landlord's account.
func (s *Service) tellOwners(ctx context.Context, o *signing, template, subject string, fields any) error {
	for _, r := range o.landlord.Readers {
		if r.Role != access.Owner {
			continue
		}
		m, err := templates.Fill(template, &mail.Message{
			AccountID: o.landlord.AccountID,
			Portfolio: o.in,
			To:        r.Email,
			Subject:   subject,
		}, fields)
		if err != nil {
			return err
		}
		if err := s.Send(ctx, m); err != nil {
			return err
		}
	}
	return nil
}
