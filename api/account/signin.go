package account

import (
	"context"
	"errors"
	"strings"

	"portal/api/developer"
	"portal/api/fault"
)

// SignIns is how people prove who they are, by password and code.
type SignIns struct {
	*common
	secondFactors *SecondFactors
}

// Proof is what somebody has shown of who they are. Only this package makes one; Begin
// makes a session of it.
type Proof struct {
	userID   string
	stamp    string // the user's password hash: where it has changed since, the proof is void
	role     developer.UserRole
	method   string
	complete bool
	from     *Visitor // whose session it continues, nil for a new one
}

// Complete reports whether it is all that is asked for. Where it is not, the session that
// Begin makes is good for nothing but showing the second factor.
func (p *Proof) Complete() bool { return p.complete }

// UserID is whose proof it is.
func (p *Proof) UserID() string { return p.userID }

// proof is what a person has shown by a method.
func (p *Person) proof(method string, complete bool, from *Visitor) *Proof {
	return &Proof{
		userID:   p.ID,
		stamp:    p.PasswordHash,
		role:     p.Role,
		method:   method,
		complete: complete,
		from:     from,
	}
}

// errWrong is the one answer for an address that nobody has and a password that is wrong.
func errWrong() *fault.Error {
	return fault.New(fault.InvalidField, "The email address or the password is wrong.").At("password")
}

// SignIn checks an address (param email) and a password (param password). Where the
// person has a second factor the proof is not complete.
func (s *SignIns) SignIn(ctx context.Context, email, plain string, from Client) (*Proof, error) {
	p, budgets, err := s.checkPassword(ctx, nil, email, plain, from)
	if err != nil {
		return nil, err
	}
	if err := s.giveBack(ctx, budgets...); err != nil {
		return nil, err
	}
	return p.proof("password", !p.second(), nil), nil
}

// checkPassword finds whose address and password these are. It works as long for an
// address that nobody has. The attempt is taken from the budgets that it tells of.
func (s *SignIns) checkPassword(
	ctx context.Context, v *Visitor, email, plain string, from Client,
) (*Person, []budget, error) {
	// PostgreSQL refuses to search for a NUL.
	email = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(email)), "\x00", "\ufffd")
	p, found, err := s.Store.PersonByEmail(ctx, email)
	if err != nil {
		return nil, nil, err
	}
	budgets := s.guess("sign-in", &p, v, email, from)
	if err := s.take(ctx, budgets...); err != nil {
		return nil, nil, err
	}
	right, stale, err := s.Hasher.Check(ctx, p.PasswordHash, plain)
	if err != nil { // it was not looked at
		return nil, nil, errors.Join(err, s.giveBack(context.WithoutCancel(ctx), budgets...))
	}
	if !found || !right {
		return nil, nil, errWrong()
	}
	if stale {
		err = s.rehash(ctx, &p, plain)
	}
	return &p, budgets, err
}

// rehash keeps a password at today's cost, now that it is known.
func (s *SignIns) rehash(ctx context.Context, p *Person, plain string) error {
	hash, err := s.Hasher.Hash(ctx, plain)
	if err != nil {
		return err
	}
	if err := s.Store.Rehash(ctx, p.ID, p.PasswordHash, hash); err != nil {
		return err
	}
	p.PasswordHash = hash
	return nil
}

// hashOf is the hash of a new password, within its bounds, of somebody with an address and
// perhaps in an account.
func (s *common) hashOf(ctx context.Context, plain, email string, accounts ...string) (string, error) {
	var c check
	c.password("password", plain, append(accounts, email)...)
	c.say(strings.EqualFold(plain, email), "password", "Choose a password that is not your email address.")
	if err := fault.Invalid(c); err != nil {
		return "", err
	}
	return s.Hasher.Hash(ctx, plain)
}

// SecondByCode shows the second factor of a session that waits for it: a code of the
// authenticator app or a recovery code (param code).
func (s *SignIns) SecondByCode(ctx context.Context, v *Visitor, code string, from Client) (*Proof, error) {
	if !v.Pending {
		return nil, fault.New(fault.InvalidTransition, "You are already signed in.")
	}
	p, err := s.person(ctx, v.UserID)
	if err != nil {
		return nil, err
	}
	return s.second(ctx, p, v, code, from)
}

// second checks a code. Guesses at codes are counted apart from those at passwords: who
// gets here knows the password.
func (s *SignIns) second(ctx context.Context, p *Person, v *Visitor, code string, from Client) (*Proof, error) {
	budgets := s.guess("code", p, v, p.Email, from)
	if err := s.take(ctx, budgets...); err != nil {
		return nil, err
	}
	method, err := s.secondFactors.useCode(ctx, p, code, from)
	if err != nil {
		return nil, err
	}
	return p.proof(method, true, v), s.giveBack(ctx, budgets...)
}

// ConfirmByPassword is for what needs the person and not only their session: the password
// (param password), and a code (param code) where there is a second factor.
func (s *SignIns) ConfirmByPassword(ctx context.Context, v *Visitor, plain, code string, from Client) (*Proof, error) {
	if err := v.whole(); err != nil {
		return nil, err
	}
	p, budgets, err := s.checkPassword(ctx, v, v.Email, plain, from)
	if err != nil {
		return nil, passwordAlone(err)
	}
	if err := s.giveBack(ctx, budgets...); err != nil {
		return nil, err
	}
	if !p.second() {
		return p.proof("password", true, v), nil
	}
	return s.second(ctx, p, v, code, from)
}

// passwordAlone is errWrong for somebody who has not been asked for an address.
func passwordAlone(err error) error {
	if fault.Is(err, fault.InvalidField) {
		return fault.New(fault.InvalidField, "The password is wrong.").At("password")
	}
	return err
}

// person reads a user who must be there.
func (s *common) person(ctx context.Context, userID string) (*Person, error) {
	p, found, err := s.Store.Person(ctx, userID)
	if err == nil && !found {
		err = nobody()
	}
	if err != nil {
		return nil, err
	}
	return &p, nil
}

// locked reads a user who must be there, alone with them until the transaction of the context
// ends.
func (s *common) locked(ctx context.Context, userID string) (*Person, error) {
	p, found, err := s.Store.LockPerson(ctx, userID)
	if err == nil && !found {
		err = nobody()
	}
	if err != nil {
		return nil, err
	}
	return &p, nil
}
