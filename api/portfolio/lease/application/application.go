package application

import (
	"context"

	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/portfolio"
)

// Applications is what people with the link of an invitation can do.
type Applications struct {
	*portfolio.Common
	store Store
}

// Application is what an applicant tells the landlord about themselves. There is no
// date of birth and no tax id in it, ever.
type Application struct {
	CreatedAt     clock.Time
	FirstName     string
	LastName      string
	Email         string
	Phone         string
	MoveInDate    clock.Date
	Adults        int
	Children      int
	Pets          *string
	MonthlyIncome money.Cents
	Notes         *string

	Decision  Decision    // what the landlord decided
	DecidedAt *clock.Time // when, nil until then
	TenantID  *string     // who came of it, nil unless it was accepted
}

// Apply sends the application of a lead: once, however often and at whatever moment
// it is sent, and as long as the link is good. The landlord's owners are told. All
// fields at fault are named at once; a lead that takes no application any more is
// fault.InvalidTransition.
func (s *Applications) Apply(ctx context.Context, opener string, c Create) error {
	l, err := s.Lead(ctx, opener) // before the transaction, of which there is one at a time
	if err != nil {
		return err
	}
	if !l.Invitation.open() {
		return closed(l.Invitation.Status)
	}
	if err := create.Check(&c, l.Today); err != nil {
		return err
	}
	a, now := c.application(), clock.At(s.Now(l.in))
	a.CreatedAt = now
	return s.Tx.Atomically(ctx, func(ctx context.Context) error {
		moved, err := s.store.MoveInvitation(ctx, l.in, l.Invitation.ID, InvitationApplied, now)
		if err != nil {
			return err
		}
		if !moved {
			return closed(InvitationApplied)
		}
		if err := s.store.AddApplication(ctx, l.in, l.Invitation.ID, &a); err != nil {
			return err
		}
		return s.tell(ctx, l, &a)
	})
}

func closed(status InvitationStatus) error {
	return fault.New(fault.InvalidTransition, "You can no longer apply with this invitation. Its status is %s.", status)
}

// tell sends the application to those of the landlord's account who want to know.
func (s *Applications) tell(ctx context.Context, l *Lead, a *Application) error {
	m, err := applicationEmail(l, a)
	if err != nil {
		return err
	}
	for _, to := range l.Landlord.Recipients(portfolio.ApplicationNotice) {
		own := *m
		own.To = to
		if err := s.Send(ctx, &own); err != nil {
			return err
		}
	}
	return nil
}
