package account

import (
	"context"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/secret"
)

// Invitations is how people come to the account of others.
type Invitations struct {
	*common
	members *Members
}

// invitationTime is how long an invitation to a team is open, and mostInvitations how many
// an account may have open.
const (
	invitationTime  = 7 * 24 * time.Hour
	mostInvitations = 100
)

// Invitation asks somebody into the team of an account.
type Invitation struct {
	ID        string
	AccountID string
	Account   string // its name
	Email     string
	Role      access.Role
	InvitedBy string // user id
	Inviter   string // email address
	CreatedAt clock.Time
	ExpiresAt clock.Time
}

// InvitationPage is what the link of an invitation shows.
type InvitationPage struct {
	Invitation
	HasUser bool // sign in to accept; otherwise choose a password
}

// Invitations are the open ones of the visitor's team, the oldest first.
func (s *Invitations) Invitations(ctx context.Context, v *Visitor) ([]Invitation, error) {
	if err := v.member(); err != nil {
		return nil, err
	}
	return s.Store.TeamInvitations(ctx, v.Account.AccountID, s.moment())
}

// Invite asks somebody (param email) into the team in a role (param role). An earlier
// invitation of the same address ends.
func (s *Invitations) Invite(
	ctx context.Context, v *Visitor, email string, role access.Role, from Client,
) (Invitation, error) {
	if err := v.owner(); err != nil {
		return Invitation{}, err
	}
	if err := s.fresh(v); err != nil {
		return Invitation{}, err
	}
	email, err := address(email)
	if err != nil {
		return Invitation{}, err
	}
	if err := known(role); err != nil {
		return Invitation{}, err
	}
	if err := s.take(ctx, budget{"invite " + v.Account.AccountID, 50, time.Hour}); err != nil {
		return Invitation{}, err
	}
	i := Invitation{
		ID:        id.New(id.TeamInvite, s.Now()),
		AccountID: v.Account.AccountID,
		Account:   v.Account.Name,
		Email:     email,
		Role:      role,
		InvitedBy: v.UserID,
		Inviter:   v.Email,
		CreatedAt: s.moment(),
		ExpiresAt: clock.At(s.Now().Add(invitationTime)),
	}
	return i, s.members.team(
		ctx, v, from, func(ctx context.Context, t team) error { return s.invite(ctx, &i, t, from) },
	)
}

func (s *Invitations) invite(ctx context.Context, i *Invitation, t team, from Client) error {
	if slices.ContainsFunc(t, func(m Member) bool { return m.Email == i.Email }) {
		return fault.New(fault.InvalidField, "%s is already in the team.", i.Email).At("email")
	}
	open, err := s.Store.TeamInvitations(ctx, i.AccountID, i.CreatedAt)
	if err != nil {
		return err
	}
	if len(open) >= mostInvitations {
		return fault.New(fault.InvalidTransition, "%d invitations are already open. Withdraw one first.", len(open))
	}
	if err := s.sparing(ctx, "account "+i.AccountID, i.Email); err != nil {
		return err
	}
	token := secret.New()
	if err := s.Store.PutInvitation(ctx, i, secret.Hash(token)); err != nil {
		return err
	}
	if err := s.audit.Record(ctx, audit.Event{
		AccountID: i.AccountID,
		Action:    "member.invited",
		Target:    i.ID,
		Details:   map[string]string{"email": i.Email, "role": string(i.Role)},
	}); err != nil {
		return err
	}
	return s.write(ctx, "invitation", from, emailData{
		To:      i.Email,
		Subject: "Join the team of " + i.Account,
		Name:    i.Account,
		By:      i.Inviter,
		Role:    string(i.Role),
		Link:    s.BaseURL + "/join/" + token,
		Do:      "See the invitation",
		Until:   words(i.ExpiresAt),
	})
}

// WithdrawInvitation ends an open invitation.
func (s *Invitations) WithdrawInvitation(ctx context.Context, v *Visitor, invitationID string, from Client) error {
	if err := v.owner(); err != nil {
		return err
	}
	return s.members.team(ctx, v, from, func(ctx context.Context, _ team) error {
		there, err := s.Store.TakeInvitation(ctx, v.Account.AccountID, invitationID)
		if err != nil {
			return err
		}
		if !there {
			return fault.New(fault.NoRecord, "This invitation is no longer open.")
		}
		return s.audit.Record(ctx, audit.Event{
			AccountID: v.Account.AccountID,
			Action:    "member.invitation_withdrawn",
			Target:    invitationID,
		})
	})
}

// InvitationOf is what the link of an invitation shows, or fault.NoRecord.
func (s *Invitations) InvitationOf(ctx context.Context, token string) (InvitationPage, error) {
	i, err := s.open(ctx, token)
	if err != nil {
		return InvitationPage{}, err
	}
	_, found, err := s.Store.PersonByEmail(ctx, i.Email)
	return InvitationPage{i, found}, err
}

func (s *Invitations) open(ctx context.Context, token string) (Invitation, error) {
	return linked(s.Store.TeamInvitation(ctx, secret.Hash(token), s.moment()))
}

// Accept makes the visitor, whose address is the invited one, a member, once. The account
// becomes the current one of their session.
func (s *Invitations) Accept(ctx context.Context, v *Visitor, token string, from Client) error {
	if err := v.whole(); err != nil {
		return err
	}
	return s.Store.Atomically(from.by(ctx, v.UserID), func(ctx context.Context) error {
		i, err := s.open(ctx, token)
		if err != nil {
			return err
		}
		if i.Email != v.Email {
			return fault.New(fault.InvalidTransition,
				"The invitation is for %s. Sign in with that address to accept it.", i.Email)
		}
		if err := s.join(ctx, token, i.AccountID, v.UserID); err != nil {
			return err
		}
		return s.Store.SwitchAccount(ctx, v.SessionID, i.AccountID)
	})
}

// AcceptNew makes a user of somebody who was invited and has none, with a password (param
// password), and makes them a member. An account of their own they do not get.
func (s *Invitations) AcceptNew(ctx context.Context, token, plain string, from Client) (*Proof, error) {
	i, err := s.open(ctx, token)
	if err != nil {
		return nil, err
	}
	hash, err := s.hashOf(ctx, plain, i.Email, i.Account)
	if err != nil {
		return nil, err
	}
	u := developer.User{
		ID:           id.New(id.User, s.Now()),
		Email:        i.Email,
		PasswordHash: hash,
		Role:         developer.Landlord,
		CreatedAt:    s.moment(),
	}
	err = s.Store.Atomically(from.by(ctx, u.ID), func(ctx context.Context) error {
		added, err := s.Store.AddUser(ctx, u)
		if err != nil {
			return err
		}
		if !added {
			return fault.New(fault.InvalidTransition, "You already have an account. Sign in to accept the invitation.")
		}
		return s.join(ctx, token, i.AccountID, u.ID)
	})
	return &Proof{
		userID:   u.ID,
		stamp:    hash,
		role:     u.Role,
		method:   byInvitation,
		complete: true,
	}, err
}

// join uses an invitation up, as it is while nobody else changes the team. Who is in the
// team already keeps their role.
func (s *Invitations) join(ctx context.Context, token, accountID, userID string) error {
	if err := s.Store.LockAccount(ctx, accountID); err != nil {
		return err
	}
	i, err := s.open(ctx, token)
	if err != nil {
		return err
	}
	there, err := s.Store.TakeInvitation(ctx, i.AccountID, i.ID)
	if err != nil {
		return err
	}
	if !there {
		return noLink()
	}
	members, err := s.Store.Members(ctx, i.AccountID)
	if err != nil {
		return err
	}
	if _, err := team(members).member(userID); err == nil {
		return nil
	}
	if err := s.Store.SetMember(ctx, i.AccountID, userID, i.Role, s.moment()); err != nil {
		return err
	}
	err = s.audit.Record(ctx, audit.Event{
		AccountID: i.AccountID,
		Action:    "member.joined",
		Target:    userID,
		Details:   map[string]string{"role": string(i.Role)},
	})
	if err != nil || i.Role != access.Owner {
		return err
	}
	return s.Developer.TellNewOwner(ctx, i.AccountID, i.Email)
}
