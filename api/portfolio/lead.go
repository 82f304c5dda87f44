package portfolio

import (
	"context"
	"strconv"
	"time"

	"portal/api/access"
	"portal/api/clock"
)

// Lead is what the link of an invitation opens: the invitation with the home that it
// is about and who lets it.
type Lead struct {
	Invitation Invitation
	Property   Property
	Unit       Unit
	Landlord   Landlord

	in access.Portfolio
}

// Landlord is how an account is known to applicants, and where it reads its mail.
type Landlord struct {
	AccountID string
	Name      string
	Zone      *time.Location
	Readers   []Reader // the members
}

// letters is what links in e-mails, and the mail itself, need of the store.
type letters interface {
	// Landlord reads whose portfolio it is.
	Landlord(ctx context.Context, in access.Portfolio) (Landlord, error)
	// Applying finds the invitation of a link by the hash of its token, and the
	// portfolio it belongs to, or fault.NotFound.
	Applying(ctx context.Context, hash []byte) (access.Portfolio, Invitation, error)
	// Unsubscribing finds whose invitations a link stops and where they went, or
	// fault.NotFound.
	Unsubscribing(ctx context.Context, hash []byte) (in access.Portfolio, email string, err error)
	// Unsubscribed tells whether an address wants no invitations; upper and lower case
	// are alike.
	Unsubscribed(ctx context.Context, in access.Portfolio, email string) (bool, error)
	// Unsubscribe keeps invitations from an address, as often as it is asked to.
	Unsubscribe(ctx context.Context, in access.Portfolio, email string, at clock.Time) error
}

// Lead is what a token opens; a token that opens nothing is fault.NotFound.
func (s *Service) Lead(ctx context.Context, opener string) (*Lead, error) {
	in, i, err := s.store.Applying(ctx, token(opener).hash())
	if err != nil {
		return nil, err
	}
	l := &Lead{Invitation: i, in: in}
	l.Invitation.reckon(clock.At(s.now()))
	if l.Property, err = s.store.Property(ctx, in, i.PropertyID); err != nil {
		return nil, err
	}
	if l.Unit, err = s.store.Unit(ctx, in, i.UnitID); err != nil {
		return nil, err
	}
	l.Landlord, err = s.store.Landlord(ctx, in)
	return l, err
}

// ApplyPage is Lead for an applicant who opens the link: the first time it is noted.
func (s *Service) ApplyPage(ctx context.Context, opener string) (*Lead, error) {
	l, err := s.Lead(ctx, opener)
	if err != nil || l.Invitation.Status != InvitationSent {
		return l, err
	}
	if _, err := s.store.MoveInvitation(ctx, l.in, l.Invitation.ID, InvitationOpened, clock.At(s.now())); err != nil {
		return nil, err
	}
	return s.Lead(ctx, opener)
}

// Today is the present day where the landlord is.
func (l *Lead) Today(now time.Time) clock.Date { return clock.DateOf(now, l.Landlord.Zone) }

// Street is the home in short, as people call it.
func (l *Lead) Street() string { return street(&l.Property, &l.Unit) }

// Address is the home in one full line.
func (l *Lead) Address() string { return addressOf(&l.Property, &l.Unit) }

func street(p *Property, u *Unit) string {
	line := p.StreetAddress
	if p.StreetAddress2 != nil {
		line += ", " + *p.StreetAddress2
	}
	if p.UnitCount > 1 || u.UnitNumber != "1" {
		line += ", " + unitName(u.UnitNumber)
	}
	return line
}

func addressOf(p *Property, u *Unit) string {
	line := street(p, u) + ", " + p.City + ", " + string(p.State)
	if p.PostalCode != nil {
		line += " " + *p.PostalCode
	}
	return line
}

// unitName puts Unit before a number, not before a name such as Suite A.
func unitName(number string) string {
	if _, err := strconv.Atoi(number[:1]); err != nil && len(number) > 1 {
		return number
	}
	return "Unit " + number
}

// LastDay is the last day on which the link is good, where the landlord is.
func (l *Lead) LastDay() clock.Date {
	return clock.DateOf(l.Invitation.ExpiresAt.Std(), l.Landlord.Zone)
}

// Unsubscribing tells whose invitations a token of a letter stops.
func (s *Service) Unsubscribing(ctx context.Context, opener string) (landlord string, stopped bool, err error) {
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

// Unsubscribe keeps further invitations of a landlord from the address that a letter
// with the token went to. It may be asked for again and again.
func (s *Service) Unsubscribe(ctx context.Context, opener string) error {
	in, email, err := s.store.Unsubscribing(ctx, token(opener).hash())
	if err != nil {
		return err
	}
	return s.store.Unsubscribe(ctx, in, email, clock.At(s.now()))
}
