package application

import (
	"context"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/operation"
	"portal/api/portfolio"
	"portal/api/texts"
)

// AcceptApplication makes a tenant of an applicant: a prospect, with the name, address and
// phone number of the application (docs/site/records.md). An application is decided
// once; those who come later are told what was decided.
func (s *Applicants) AcceptApplication(
	ctx context.Context, by access.Actor, invitationID string,
) (*change.Result[portfolio.Tenant], error) {
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[portfolio.Tenant], error) {
		a, err := s.undecided(ctx, by.Portfolio, invitationID)
		if err != nil {
			return nil, err
		}
		t := a.Application.tenant(
			by.Portfolio.Mode,
			id.New(id.Tenant, s.Now(by.Portfolio)),
			clock.At(s.Now(by.Portfolio)),
		)
		if err := s.store.AddPeople(ctx, by.Portfolio, &portfolio.Book{Tenants: []portfolio.Tenant{t}}); err != nil {
			return nil, err
		}
		return &change.Result[portfolio.Tenant]{After: &t}, s.decide(ctx, by, a, Accepted, &t.ID)
	})
}

// tenant is the applicant as a tenant who has no lease yet.
func (a *Application) tenant(mode access.Mode, id string, now clock.Time) portfolio.Tenant {
	t := portfolio.Tenant{
		Record: portfolio.Record{
			ID:        id,
			Object:    "tenant",
			Mode:      mode,
			Version:   1,
			CreatedAt: now,
			UpdatedAt: now,
		},
		FirstName: a.FirstName,
		LastName:  a.LastName,
		Name:      a.FirstName + " " + a.LastName,
		Email:     &a.Email,
		Phone:     &a.Phone,
	}
	t.DeriveTenancy(nil)
	return t
}

// DeclineNotice is what an applicant is told who was declined.
type DeclineNotice struct {
	// Whether they are told by email.
	Tell bool `json:"tell"`
	// The landlord's own words in that email.
	Message *string `json:"message" format:"text" maxlen:"1000"`
}

// Check refuses words that nobody would read.
func (n DeclineNotice) Check(clock.Date) (all []fault.Detail) {
	if n.Message != nil && texts.Reordered(*n.Message) {
		all = append(all, fault.Wrong("message", fault.Invisible+"."))
	}
	if n.Message != nil && !n.Tell {
		all = append(all, fault.Detail{
			Param:   "message",
			Code:    fault.InvalidField,
			Message: "These words are for the email. Have it sent, or take them out.",
		})
	}
	return all
}

var declineNotice = operation.DefineInput[DeclineNotice]("decline_application")

// DeclineApplication declines an applicant, and tells them so by email where that is
// wanted. An application is decided once.
func (s *Applicants) DeclineApplication(
	ctx context.Context, by access.Actor, invitationID string, r DeclineNotice,
) (*change.Result[Applicant], error) {
	if err := declineNotice.Check(&r, s.Today(by)); err != nil {
		return nil, err
	}
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[Applicant], error) {
		a, err := s.undecided(ctx, by.Portfolio, invitationID)
		if err != nil {
			return nil, err
		}
		if err := s.decide(ctx, by, a, Declined, nil); err != nil || !r.Tell {
			return &change.Result[Applicant]{After: a}, err
		}
		return &change.Result[Applicant]{After: a}, s.tellDeclined(ctx, by.Portfolio, a, r.Message)
	})
}

func (s *Applicants) tellDeclined(ctx context.Context, in access.Portfolio, a *Applicant, words *string) (err error) {
	if a.Landlord, err = s.store.Landlord(ctx, in); err != nil {
		return err
	}
	a.in = in
	m, err := declinedEmail(a, words)
	if err != nil {
		return err
	}
	return s.Send(ctx, m)
}

// undecided is an applicant about whom something is to be decided.
func (s *Applicants) undecided(ctx context.Context, in access.Portfolio, invitationID string) (*Applicant, error) {
	a, err := s.store.Applicant(ctx, in, invitationID)
	if err != nil {
		return nil, err
	}
	a.Invitation.compute(s.BusinessNow(in))
	switch standing := a.Status(); standing {
	case ToDecide:
		return &a, nil
	case HasAccepted:
		return nil, fault.New(fault.InvalidTransition, "This application was already accepted. The tenant is %s.",
			*a.Application.TenantID)
	case HasDeclined:
		return nil, fault.New(fault.InvalidTransition, "This application was already declined.")
	default:
		return nil, fault.New(fault.InvalidTransition,
			"There is no application to decide about: the invitation is %s.", standing)
	}
}

func (s *Applicants) decide(ctx context.Context, by access.Actor, a *Applicant, d Decision, tenantID *string) error {
	now := clock.At(s.Now(by.Portfolio))
	decided, err := s.store.DecideApplication(ctx, by.Portfolio, a.Invitation.ID, d, tenantID, now)
	if err != nil {
		return err
	}
	if !decided {
		return fault.New(fault.InvalidTransition, "Someone else has already decided on this application.")
	}
	a.Application.Decision, a.Application.DecidedAt, a.Application.TenantID = d, &now, tenantID
	return s.RecordDone(ctx, by, "application."+string(d), a.Invitation.ID, nil)
}

// CancelInvitation takes an invitation back as long as no application was sent: its link
// takes none from then on, and an email that has not left stays here.
func (s *Applicants) CancelInvitation(
	ctx context.Context, by access.Actor, invitationID string,
) (*change.Result[Invitation], error) {
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[Invitation], error) {
		before, err := s.store.Invitation(ctx, by.Portfolio, invitationID)
		if err != nil {
			return nil, err
		}
		now := clock.At(s.Now(by.Portfolio))
		moved := false
		if before.compute(now.Later(by.Portfolio.Ahead)); before.open() {
			if moved, err = s.store.MoveInvitation(
				ctx,
				by.Portfolio,
				invitationID,
				InvitationCancelled,
				now,
			); err != nil {
				return nil, err
			}
		}
		if !moved {
			return nil, fault.New(fault.InvalidTransition, "This invitation cannot be cancelled: it is %s.",
				before.Status)
		}
		after, err := s.store.Invitation(ctx, by.Portfolio, invitationID)
		return &change.Result[Invitation]{Before: &before, After: &after}, err
	})
}
