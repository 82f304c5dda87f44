package account

import (
	"context"
	"slices"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
)

// Members are the rules of who belongs to which account, and as what.
type Members struct {
	*common
}

// Membership is an account that a person takes part in.
type Membership struct {
	AccountID  string
	Name       string
	TimeZone   string
	Plan       developer.Plan
	Role       access.Role
	Live, Test access.Portfolio
	Since      clock.Time
}

func (m *Membership) actor(mode access.Mode) access.Actor {
	scopes, _ := access.ScopesOf(string(access.Payments)) // a name of its own list
	a := access.Actor{
		Portfolio: m.Live,
		AccountID: m.AccountID,
		Scopes:    scopes,
		Role:      m.Role,
		Zone:      m.zone(),
	}
	if mode == access.Test {
		a.Portfolio = m.Test
		return a
	}
	a.Units = new(m.Plan.Limits().Units)
	return a
}

// zone is the account's; one that is not known any more is UTC.
func (m *Membership) zone() *time.Location {
	if l, err := clock.Zone(m.TimeZone); err == nil {
		return l
	}
	return time.UTC
}

// Member is somebody of a team.
type Member struct {
	UserID string
	Email  string
	Role   access.Role
	Since  clock.Time
	Second bool // the password alone does not do
}

// member refuses a user who is not a member of any account.
func (v *Visitor) member() error {
	if v.Pending || v.Account == nil {
		return nobody()
	}
	return nil
}

// owner refuses a member who does not own the current account.
func (v *Visitor) owner() error {
	if err := v.member(); err != nil {
		return err
	}
	if v.Account.Role != access.Owner {
		return fault.New(fault.OwnerRequired, "Only an owner of the account can do this.")
	}
	return nil
}

// Accounts are those that the visitor can switch between, the oldest membership first.
func (s *Members) Accounts(ctx context.Context, v *Visitor) ([]Membership, error) {
	if err := v.whole(); err != nil {
		return nil, err
	}
	return s.Store.Memberships(ctx, v.UserID)
}

// Switch makes another account the current one of the visitor's session.
func (s *Members) Switch(ctx context.Context, v *Visitor, accountID string) error {
	all, err := s.Accounts(ctx, v)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(all, func(m Membership) bool { return m.AccountID == accountID }) {
		return fault.New(fault.NoRecord, "You are not a member of this account.")
	}
	return s.Store.SwitchAccount(ctx, v.SessionID, accountID)
}

// Members are the visitor's team, the longest there first.
func (s *Members) Members(ctx context.Context, v *Visitor) ([]Member, error) {
	if err := v.member(); err != nil {
		return nil, err
	}
	return s.Store.Members(ctx, v.Account.AccountID)
}

// SetRole makes a member an owner or a manager, for an owner who has confirmed who they
// are; it acts on the next request. The API keys that somebody made who becomes a manager
// end, unless they are to be kept; the key that the documentation has in one of their
// sessions always ends. The last owner stays one.
func (s *Members) SetRole(
	ctx context.Context, v *Visitor, userID string, role access.Role, keep bool, from Client,
) error {
	if err := v.owner(); err != nil {
		return err
	}
	if err := s.fresh(v); err != nil {
		return err
	}
	if err := known(role); err != nil {
		return err
	}
	return s.team(ctx, v, from, func(ctx context.Context, t team) error {
		m, err := t.member(userID)
		if err != nil || m.Role == role {
			return err
		}
		if err := t.spares(m); role != access.Owner && err != nil {
			return err
		}
		if err := s.Store.SetMember(ctx, v.Account.AccountID, userID, role, m.Since); err != nil {
			return err
		}
		if err := s.audit.Record(ctx, audit.Event{
			AccountID: v.Account.AccountID,
			Action:    "member.role_set",
			Target:    userID,
			Details:   map[string]string{"role": string(role)},
		}); err != nil {
			return err
		}
		if role == access.Owner {
			return s.Developer.TellNewOwner(ctx, v.Account.AccountID, m.Email)
		}
		if _, err = s.Developer.RevokeKeysOf(ctx, v.Account.AccountID, userID, keep); err != nil {
			return err
		}
		if err := s.Developer.TellFormerOwner(ctx, v.Account.AccountID, userID, m.Email); err != nil ||
			userID == v.UserID {
			return err
		}
		return s.notify(ctx, m.Email, from, "You are no longer an owner",
			"You are now a manager of %s, and no longer an owner.", v.Account.Name)
	})
}

func known(role access.Role) error {
	if slices.Contains(role.Values(), string(role)) {
		return nil
	}
	return fault.New(fault.InvalidField, "The role is %s.", strings.Join(role.Values(), " or ")).At("role")
}

// RemoveMember ends somebody's part in the account, on their next request, and the API keys
// that they made unless these are to be kept. Another owner is removed only by one who has
// confirmed who they are, and the owners who remain are told. The last owner stays.
func (s *Members) RemoveMember(ctx context.Context, v *Visitor, userID string, keep bool, from Client) error {
	if err := v.owner(); err != nil {
		return err
	}
	return s.remove(ctx, v, userID, "member.removed", keep, from)
}

// Leave ends the visitor's own part in the account, and the API keys that they made unless
// these are to be kept. The owners who remain are told that an owner has left.
func (s *Members) Leave(ctx context.Context, v *Visitor, keep bool, from Client) error {
	if err := v.member(); err != nil {
		return err
	}
	return s.remove(ctx, v, v.UserID, "member.left", keep, from)
}

func (s *Members) remove(ctx context.Context, v *Visitor, userID, action string, keep bool, from Client) error {
	return s.team(ctx, v, from, func(ctx context.Context, t team) error {
		m, err := t.member(userID)
		if err != nil {
			return err
		}
		if m.Role == access.Owner && userID != v.UserID {
			if err := s.fresh(v); err != nil {
				return err
			}
		}
		if err := t.spares(m); err != nil {
			return err
		}
		if err := s.Store.RemoveMember(ctx, v.Account.AccountID, userID); err != nil {
			return err
		}
		if err := s.audit.Record(ctx, audit.Event{
			AccountID: v.Account.AccountID,
			Action:    action,
			Target:    userID,
		}); err != nil {
			return err
		}
		if _, err := s.Developer.RevokeKeysOf(ctx, v.Account.AccountID, userID, keep); err != nil {
			return err
		}
		if m.Role == access.Owner {
			if err := s.Developer.TellFormerOwner(ctx, v.Account.AccountID, userID, m.Email); err != nil {
				return err
			}
		}
		if userID == v.UserID {
			return nil
		}
		return s.notify(ctx, m.Email, from, "You left a team", "You are no longer in the team of %s.", v.Account.Name)
	})
}

// team are the members of an account.
type team []Member

// team does something with the visitor's team while nobody else changes it. The visitor's
// own part is looked at again: it may have ended since the request began.
func (s *Members) team(ctx context.Context, v *Visitor, from Client, do func(context.Context, team) error) error {
	return s.Store.Atomically(from.by(ctx, v.UserID), func(ctx context.Context) error {
		if err := s.Store.LockAccount(ctx, v.Account.AccountID); err != nil {
			return err
		}
		all, err := s.Store.Members(ctx, v.Account.AccountID)
		if err != nil {
			return err
		}
		me, err := team(all).member(v.UserID)
		if err != nil {
			return nobody()
		}
		if me.Role != v.Account.Role {
			return fault.New(fault.OwnerRequired, "Your role has changed. Reload the page.")
		}
		return do(ctx, all)
	})
}

func (t team) member(userID string) (Member, error) {
	for _, m := range t {
		if m.UserID == userID {
			return m, nil
		}
	}
	return Member{}, fault.New(fault.NoRecord, "No member of this team has this ID.")
}

// spares refuses to do without the last owner.
func (t team) spares(m Member) error {
	owners := 0
	for _, o := range t {
		if o.Role == access.Owner {
			owners++
		}
	}
	if m.Role == access.Owner && owners == 1 {
		return fault.New(fault.InvalidTransition, "An account needs an owner. Make another member an owner first.")
	}
	return nil
}

// Settings is the form of an account's settings.
type Settings struct {
	Name     string // param name, 1 to 120 characters
	TimeZone string // param time_zone, of the IANA database
}

// UpdateAccount changes the name and the time zone of the visitor's account.
func (s *Members) UpdateAccount(ctx context.Context, v *Visitor, u Settings, from Client) error {
	if err := v.owner(); err != nil {
		return err
	}
	var c check
	u.Name = strings.TrimSpace(u.Name)
	c.name("name", u.Name)
	_, err := clock.Zone(u.TimeZone)
	c.say(err != nil || u.TimeZone == "" || u.TimeZone == "Local", "time_zone", "Choose a time zone of the list.")
	if err := fault.Invalid(c); err != nil {
		return err
	}
	return s.team(ctx, v, from, func(ctx context.Context, _ team) error {
		if err := s.Store.RenameAccount(ctx, v.Account.AccountID, u.Name, u.TimeZone); err != nil {
			return err
		}
		return s.audit.Record(ctx, audit.Event{
			AccountID: v.Account.AccountID,
			Action:    "account.updated",
			Target:    v.Account.AccountID,
			Details:   map[string]string{"name": u.Name, "time_zone": u.TimeZone},
		})
	})
}
