package developer

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/secret"
	"portal/api/texts"
)

// User is a person who can sign in.
type User struct {
	ID           string
	Email        string // in lower case
	PasswordHash string // argon2id
	Role         UserRole
	CreatedAt    clock.Time
}

// UserRole parts landlords from the staff that reviews their requests.
type UserRole string

// The roles of a user.
const (
	Landlord UserRole = "landlord"
	Staff    UserRole = "staff"
)

// Account is a landlord's: it has a live and a demo portfolio, members and a plan.
type Account struct {
	ID        string
	Name      string
	TimeZone  string // of the IANA database; decides what "today" is
	Plan      Plan
	CreatedAt clock.Time
}

// defaultZone is where an account is until its owner says otherwise.
const defaultZone = "America/New_York"

// Email is an address in the form that is stored, or a fault.
func Email(s string) (string, error) {
	a, err := contact.Email(s)
	if err != nil || a != s {
		return "", fault.New(fault.InvalidField, "%q is not an email address.", s).At("email")
	}
	return strings.ToLower(s), nil
}

// AddUser makes a user with a password of at least 10 characters that is hard to guess. A landlord gets
// an account of which they are the owner, with an empty live portfolio and a
// filled demo portfolio, on the plan Starter.
func (s *Service) AddUser(ctx context.Context, email, name, password string, role UserRole) (User, error) {
	email, err := Email(email)
	if err != nil {
		return User{}, err
	}
	switch n := utf8.RuneCountInString(password); {
	case n < secret.ShortestPassword || n > secret.LongestPassword:
		return User{}, fault.New(fault.InvalidField, "%s",
			"password "+fault.Characters(n, new(secret.ShortestPassword), new(secret.LongestPassword))).At("password")
	case secret.Guessable(password, email, name):
		return User{}, fault.New(fault.InvalidField, secret.PasswordTooEasy).At("password")
	case role != Landlord && role != Staff:
		return User{}, fault.New(fault.InvalidField, "%q is not a role; the roles are landlord and staff.",
			role).At("role")
	case texts.Unreadable(name, false):
		return User{}, fault.New(fault.InvalidField, "%s", "name "+fault.Invisible+".").At("name")
	}
	hash := secret.HashPassword(password)
	var u User
	err = s.store.Atomically(ctx, func(ctx context.Context) error {
		u = User{
			ID:           id.New(id.User, s.now()),
			Email:        email,
			PasswordHash: hash,
			Role:         role,
			CreatedAt:    clock.At(s.now()),
		}
		added, err := s.store.AddUser(ctx, u)
		if err != nil {
			return err
		}
		if !added {
			return fault.New(fault.InvalidField, "A user with the email address %s exists already.", email).At("email")
		}
		if role == Landlord {
			return s.Open(ctx, u, name)
		}
		return nil
	})
	return u, err
}

// Open makes the account of a user, within the transaction of the context: with an empty
// live portfolio and a filled demo portfolio, on the plan Starter. Without a name it is
// called by the owner's address.
func (s *Service) Open(ctx context.Context, owner User, name string) error {
	if name == "" {
		name = owner.Email
	}
	a := Account{
		ID:        id.New(id.Account, s.now()),
		Name:      name,
		TimeZone:  defaultZone,
		Plan:      Plan{Tier: Starter},
		CreatedAt: clock.At(s.now()),
	}
	if err := s.store.AddAccount(ctx, a); err != nil {
		return err
	}
	if err := s.store.SetMember(ctx, a.ID, owner.ID, access.Owner, a.CreatedAt); err != nil {
		return err
	}
	if _, err := s.store.AddPortfolio(ctx, a.ID, access.Live); err != nil {
		return err
	}
	demo, err := s.store.AddPortfolio(ctx, a.ID, access.Test)
	if err != nil {
		return err
	}
	zone, err := clock.Zone(a.TimeZone)
	if err != nil {
		return err
	}
	if err := s.audit.Record(ctx, audit.Event{AccountID: a.ID, Action: "account.opened", Target: a.ID}); err != nil {
		return err
	}
	return s.fill(ctx, demo, zone)
}

// AddMember lets a user take part in the account of an owner, or changes the role
// of one who does. Nobody steps back as an owner by themselves, so that an account
// always has one.
//
// An owner who becomes a manager loses the keys that they made, unless these are to be kept.
// It tells how many were revoked. Every owner is written to about a new one.
func (s *Service) AddMember(
	ctx context.Context, ownerEmail, email string, role access.Role, keep bool,
) (revoked int, err error) {
	return s.AddMemberOf(ctx, ownerEmail, "", email, role, keep)
}

// AddMemberOf is AddMember for the account that an owner of several names.
func (s *Service) AddMemberOf(
	ctx context.Context, ownerEmail, name, email string, role access.Role, keep bool,
) (revoked int, err error) {
	if !slices.Contains(role.Values(), string(role)) {
		return 0, fault.New(fault.InvalidField, "%q is not a role; the roles are owner and manager.", role).At("role")
	}
	err = s.store.Atomically(ctx, func(ctx context.Context) error {
		owner, account, err := s.lock(ctx, ownerEmail, name)
		if err != nil {
			return err
		}
		member, err := s.user(ctx, email)
		if err != nil {
			return err
		}
		if member.ID == owner.ID && role != access.Owner {
			return fault.New(fault.InvalidTransition,
				"%s cannot step back as an owner alone; another owner of the account can change the role.",
				owner.Email)
		}
		before, err := s.roleOf(ctx, account.ID, member.ID)
		if err != nil {
			return err
		}
		if err := s.store.SetMember(ctx, account.ID, member.ID, role, clock.At(s.now())); err != nil {
			return err
		}
		if err := s.audit.Record(ctx, audit.Event{
			AccountID: account.ID,
			Action:    "member.role_set",
			Target:    member.ID,
			Details:   map[string]string{"role": string(role)},
		}); err != nil {
			return err
		}
		revoked, err = s.followRole(ctx, account.ID, &member, before, role, keep)
		return err
	})
	return revoked, err
}

// followRole does what follows from another role: the owners are told of one who is new, and of
// one who is no longer an owner, whose keys end.
func (s *Service) followRole(
	ctx context.Context, accountID string, u *User, before, role access.Role, keep bool,
) (revoked int, err error) {
	switch {
	case role == before:
		return 0, nil
	case role == access.Owner:
		return 0, s.TellNewOwner(ctx, accountID, u.Email)
	case before == access.Owner:
		if revoked, err = s.RevokeKeysOf(ctx, accountID, u.ID, keep); err != nil {
			return 0, err
		}
		return revoked, s.TellFormerOwner(ctx, accountID, u.ID, u.Email)
	}
	return 0, nil
}

// roleOf is what somebody is in an account, "" for nobody.
func (s *Service) roleOf(ctx context.Context, accountID, userID string) (access.Role, error) {
	all, err := s.store.HoldersOf(ctx, accountID)
	for _, h := range all {
		if h.UserID == userID {
			return h.Role, err
		}
	}
	return "", err
}

// Account finds a landlord and the one account that they own by email address.
func (s *Service) Account(ctx context.Context, email string) (User, Account, error) {
	u, a, err := s.AccountNamed(ctx, email, "")
	return u, a.Account, err
}

// lock is AccountNamed within a transaction, in which no other one changes the members of
// the account, reviews its request or makes a key meanwhile.
func (s *Service) lock(ctx context.Context, email, name string) (User, Account, error) {
	u, a, err := s.AccountNamed(ctx, email, name)
	if err != nil {
		return u, a.Account, err
	}
	if err := s.store.LockAccount(ctx, a.ID); err != nil {
		return u, a.Account, err
	}
	u, a, err = s.AccountNamed(ctx, email, a.ID) // as it is after those who had the lock before
	return u, a.Account, err
}

func (s *Service) user(ctx context.Context, email string) (User, error) {
	u, found, err := s.store.User(ctx, strings.ToLower(email))
	if err == nil && !found {
		err = fault.New(fault.NoRecord, "No user has the email address %s.", email)
	}
	return u, err
}

// Portfolio finds the live or the demo portfolio of a landlord, and the account with the zone
// that decides what "today" is there.
func (s *Service) Portfolio(ctx context.Context, email string, mode access.Mode) (access.Portfolio, Account, error) {
	_, a, err := s.Account(ctx, email)
	if err != nil {
		return access.Portfolio{}, a, err
	}
	p, err := s.PortfolioOf(ctx, a.ID, mode)
	return p, a, err
}

// PortfolioOf is the live or the demo portfolio of an account.
func (s *Service) PortfolioOf(ctx context.Context, accountID string, mode access.Mode) (access.Portfolio, error) {
	return s.store.PortfolioOf(ctx, accountID, mode)
}
