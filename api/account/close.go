package account

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/fault"
	"portal/api/portfolio/lease/application"
)

// Closing is how an account is taken along and closed.
type Closing struct {
	*common
	members *Members
	signIns *SignIns
}

// EraseAfter is how long after its closing an account's persons are forgotten, and
// DeleteAfter how long its books are kept: 7 years, as tax law may ask for the ledger and
// a signed lease can be sued on.
const (
	EraseAfter  = 30 * 24 * time.Hour
	DeleteAfter = 7 * 365 * 24 * time.Hour
)

// Close ends the visitor's account for somebody who knows the password (param password) and has
// confirmed who they are: keys stop, nothing more is sent to webhook endpoints, the
// sessions of members end who are in no other account. Persons are forgotten after 30 days.
func (s *Closing) Close(ctx context.Context, v *Visitor, plain string, from Client) error {
	if err := v.owner(); err != nil {
		return err
	}
	if err := s.fresh(v); err != nil {
		return err
	}
	_, budgets, err := s.signIns.checkPassword(ctx, v, v.Email, plain, from)
	if err != nil {
		return passwordAlone(err)
	}
	if err := s.giveBack(ctx, budgets...); err != nil {
		return err
	}
	return s.members.team(ctx, v, from, func(ctx context.Context, t team) error { return s.close(ctx, v, t, from) })
}

func (s *Closing) close(ctx context.Context, v *Visitor, t team, from Client) error {
	closed, err := s.Store.CloseAccount(ctx, v.Account.AccountID, application.OpenInvitations(), s.moment())
	if err != nil {
		return err
	}
	if !closed {
		return fault.New(fault.InvalidTransition, "The account is already closed.")
	}
	if err := s.Developer.EndAccess(ctx, v.Account.AccountID); err != nil {
		return err
	}
	if err := s.Webhook.StopAccount(ctx, v.Account.AccountID); err != nil {
		return err
	}
	if err := s.audit.Record(ctx, audit.Event{
		AccountID: v.Account.AccountID,
		Action:    "account.closed",
		Target:    v.Account.AccountID,
	}); err != nil {
		return err
	}
	for _, m := range t {
		if err := s.signOutMember(ctx, v, m, from); err != nil {
			return err
		}
	}
	return nil
}

// signOutMember ends the sessions of a member of a closed account who has no other one, and
// tells the owners.
func (s *Closing) signOutMember(ctx context.Context, v *Visitor, m Member, from Client) error {
	others, err := s.Store.Memberships(ctx, m.UserID)
	if err != nil {
		return err
	}
	if len(others) == 0 {
		if err := s.Store.RevokeSessions(ctx, m.UserID, ""); err != nil {
			return err
		}
	}
	if m.Role != access.Owner {
		return nil
	}
	return s.notify(
		ctx,
		m.Email,
		from,
		"The account was closed",
		"The account %s was closed by %s. Its API keys stopped working, and its webhook endpoints get nothing. "+
			"We erase its personal data in 30 days.",
		v.Account.Name,
		v.Email,
	)
}
