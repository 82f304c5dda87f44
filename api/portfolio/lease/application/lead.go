package application

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/portfolio"
)

// Lead is what the link of an invitation opens: the invitation with the home that it
// is about and who lets it.
type Lead struct {
	Invitation Invitation
	Property   portfolio.Property
	Unit       portfolio.Unit
	Landlord   portfolio.Landlord
	Today      clock.Date // where the landlord is

	in access.Portfolio
}

// Lead is what a token opens; a token that opens nothing is fault.NotFound.
func (s *Applications) Lead(ctx context.Context, opener string) (*Lead, error) {
	in, i, err := s.store.Applying(ctx, token(opener).hash())
	if err != nil {
		return nil, err
	}
	l := &Lead{Invitation: i, in: in}
	l.Invitation.compute(s.BusinessNow(in))
	if l.Property, err = s.store.Property(ctx, in, i.PropertyID); err != nil {
		return nil, err
	}
	if l.Unit, err = s.store.Unit(ctx, in, i.UnitID); err != nil {
		return nil, err
	}
	if l.Landlord, err = s.store.Landlord(ctx, in); err != nil {
		return nil, err
	}
	l.Today = s.Today(access.Actor{Portfolio: in, Zone: l.Landlord.Zone})
	return l, nil
}

// ApplyPage is Lead for an applicant who opens the link: the first time it is noted.
func (s *Applications) ApplyPage(ctx context.Context, opener string) (*Lead, error) {
	l, err := s.Lead(ctx, opener)
	if err != nil || l.Invitation.Status != InvitationSent {
		return l, err
	}
	if _, err := s.store.MoveInvitation(
		ctx,
		l.in,
		l.Invitation.ID,
		InvitationOpened,
		clock.At(s.Now(l.in)),
	); err != nil {
		return nil, err
	}
	return s.Lead(ctx, opener)
}

// Street is the home in short, as people call it.
func (l *Lead) Street() string { return portfolio.Street(&l.Property, &l.Unit) }

// Address is the home in one full line.
func (l *Lead) Address() string { return portfolio.Address(&l.Property, &l.Unit) }

// LastDay is the last day on which the link is good, where the landlord is.
func (l *Lead) LastDay() clock.Date {
	return clock.DateOf(l.Invitation.ExpiresAt.Std(), l.Landlord.Zone)
}

// Unsubscribing tells whose invitations a token of an email stops.
func (s *Emails) Unsubscribing(ctx context.Context, opener string) (landlord string, stopped bool, err error) {
	in, email, err := s.store.Unsubscribing(ctx, token(opener).hash())
	if err != nil {
		return "", false, err
	}
	l, err := s.store.Landlord(ctx, in)
	if err != nil {
		return "", false, err
	}
	stopped, err = s.store.Unsubscribed(ctx, in, email)
	return l.Name, stopped, err
}

// Unsubscribe keeps further invitations of a landlord from the address that an email
// with the token went to. It may be asked for again and again.
func (s *Emails) Unsubscribe(ctx context.Context, opener string) error {
	in, email, err := s.store.Unsubscribing(ctx, token(opener).hash())
	if err != nil {
		return err
	}
	return s.store.Unsubscribe(ctx, in, email, clock.At(s.Now(in)))
}
