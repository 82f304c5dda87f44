package developer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
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
	hash := s.PasswordCost.Hash(password)
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
	var demo access.Portfolio
	for _, mode := range []access.Mode{access.Live, access.Test} {
		in, err := s.store.AddPortfolio(ctx, a.ID, mode)
		if err != nil {
			return err
		}
		if err := s.store.SetAutoChargeSince(ctx, in, &a.CreatedAt); err != nil {
			return err
		}
		if err := s.store.SetRentNotices(ctx, in, true); err != nil {
			return err
		}
		demo = in
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

// Member is somebody who acts for an account, with the role that they have there.
type Member struct {
	UserID    string
	AccountID string
	Role      access.Role
}

// locked does something in the name of an owner, in a transaction in which no other one
// changes the account's members, request or keys.
func (s *Service) locked(ctx context.Context, by Member, do func(ctx context.Context) error) error {
	if by.Role != access.Owner {
		return fault.New(fault.OwnerRequired, "Only an owner of the account can do this.")
	}
	return s.lockedAccount(ctx, by.AccountID, do)
}

// lockedOwner is locked for somebody who is an owner at this moment: their part in the account may
// have ended since the request began.
func (s *Service) lockedOwner(ctx context.Context, by Member, do func(ctx context.Context) error) error {
	return s.locked(ctx, by, func(ctx context.Context) error {
		all, err := s.store.HoldersOf(ctx, by.AccountID)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(all, func(h AccountMember) bool {
			return h.UserID == by.UserID &&
				h.Role == access.Owner
		}) {
			return fault.New(fault.OwnerRequired, "Only an owner of the account can do this.")
		}
		return do(ctx)
	})
}

func (s *Service) lockedAccount(ctx context.Context, accountID string, do func(ctx context.Context) error) error {
	return s.store.Atomically(ctx, func(ctx context.Context) error {
		if err := s.store.LockAccount(ctx, accountID); err != nil {
			return err
		}
		return do(ctx)
	})
}

// OwnedAccount is an account with the owner whose address stands for it: of its owners the
// one who is there the longest.
type OwnedAccount struct {
	Account
	OwnerEmail string
}

// String names the account for a person.
func (a OwnedAccount) String() string { return fmt.Sprintf("%s (%s, %s)", a.Name, a.OwnerEmail, a.ID) }

// SeveralAccounts says that somebody owns several accounts, and that none or more than one
// of them was named. Nothing is guessed: a key of the wrong account would open it.
type SeveralAccounts struct {
	Email   string
	Choices []OwnedAccount
}

// Error is error.
func (e *SeveralAccounts) Error() string {
	all := make([]string, len(e.Choices))
	for i, c := range e.Choices {
		all[i] = c.String()
	}
	return e.Email + " owns several accounts: " + strings.Join(all, "; ")
}

// AccountNamed finds a user and the account that they own. Who owns several has to name one
// by its id or by the address that stands for it, else the error is SeveralAccounts. The
// name is checked where there is but one account, too.
func (s *Service) AccountNamed(ctx context.Context, email, name string) (User, OwnedAccount, error) {
	u, err := s.user(ctx, email)
	if err != nil {
		return u, OwnedAccount{}, err
	}
	all, err := s.owned(ctx, u)
	if err != nil {
		return u, OwnedAccount{}, err
	}
	fits := all
	if name != "" {
		fits = slices.DeleteFunc(slices.Clone(all), func(a OwnedAccount) bool {
			return a.ID != name && !strings.EqualFold(a.OwnerEmail, name)
		})
	}
	switch {
	case len(fits) == 1:
		return u, fits[0], nil
	case len(fits) > 1:
		return u, OwnedAccount{}, &SeveralAccounts{u.Email, fits}
	case len(all) > 0:
		return u, OwnedAccount{}, fault.New(fault.NoRecord, "%s owns no account %s.", u.Email, name)
	}
	return u, OwnedAccount{}, fault.New(fault.NoRecord, "%s owns no account.", u.Email)
}

// owned are the accounts that a user owns, the oldest part in one first.
func (s *Service) owned(ctx context.Context, u User) (all []OwnedAccount, err error) {
	accounts, err := s.store.AccountsOf(ctx, u.ID)
	for _, a := range accounts {
		holders, err := s.store.HoldersOf(ctx, a.ID)
		if err != nil {
			return nil, err
		}
		first := slices.IndexFunc(holders, func(h AccountMember) bool { return h.Role == access.Owner })
		if first < 0 {
			continue // its last owner left a moment ago
		}
		all = append(all, OwnedAccount{a, holders[first].Email})
	}
	return all, err
}

// KeyDay is what was asked with a key on a day, in UTC. The keys of both modes are
// counted alike.
type KeyDay struct {
	KeyID    string
	Day      clock.Date
	Requests int // that were admitted; of a batch each message
	Failed   int // answers of 400 and above that cost something
	// ServerFailed are those of Failed that are 500 and above. Of days before it was counted it is 0.
	ServerFailed int
	Throttled    int // refused by the rate limit; they cost nothing
	Busiest      int // requests in the minute that had the most
}

// UsageTime is for how long usage is kept: a year and what one compares it with.
const UsageTime = 400 * 24 * time.Hour

// Usage is what was asked with the keys of a member's account since a day, in the order
// of the keys and the days. Days without a request are left out.
func (s *Service) Usage(ctx context.Context, by Member, from clock.Date) ([]KeyDay, error) {
	oldest := clock.DateOf(s.now().Add(-UsageTime), time.UTC)
	return s.store.KeyDays(ctx, by.AccountID, max(from, oldest))
}

// PlanOf is what a member's account may use.
func (s *Service) PlanOf(ctx context.Context, by Member) (Plan, error) {
	account, found, err := s.store.AccountByID(ctx, by.AccountID)
	if err != nil || !found {
		return Plan{}, cmp.Or(err, error(fault.NotFound("account")))
	}
	return account.Plan, nil
}
