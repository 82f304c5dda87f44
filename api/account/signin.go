package account

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/secret"
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
	return there(s.Store.Person(ctx, userID))
}

// locked reads a user who must be there, alone with them until the transaction of the context
// ends.
func (s *common) locked(ctx context.Context, userID string) (*Person, error) {
	return there(s.Store.LockPerson(ctx, userID))
}

// budget is how many attempts a subject has within a span. Used up, it comes back evenly:
// of ten an hour, one every six minutes.
type budget struct {
	subject string
	most    int
	within  time.Duration
}

func (b budget) step() clock.Time { return clock.Time(b.within.Milliseconds() / int64(b.most)) }

// take uses one attempt of each budget, or none if any is exhausted. It counts before the
// attempt, so that many attempts at once are counted too.
func (s *common) take(ctx context.Context, budgets ...budget) error {
	now := s.moment()
	// In one order, no two transactions wait for each other.
	slices.SortFunc(budgets, func(a, b budget) int { return cmp.Compare(a.subject, b.subject) })
	return s.Store.Atomically(ctx, func(ctx context.Context) error {
		for _, b := range budgets {
			until, err := s.Store.Throttle(ctx, b.subject, now, b.step())
			if err != nil {
				return fmt.Errorf("count an attempt: %w", err)
			}
			if over := until - now - clock.Time(b.within.Milliseconds()); over > 0 {
				return slowDown(over)
			}
		}
		return nil
	})
}

func slowDown(wait clock.Time) *fault.Error {
	f := fault.New(fault.RateLimited, "Too many attempts. Wait a few minutes, then try again.")
	f.Retry = int((wait + 999) / 1000)
	return f
}

// giveBack undoes take, for an attempt that was right.
func (s *common) giveBack(ctx context.Context, budgets ...budget) error {
	now := s.moment()
	for _, b := range budgets {
		if _, err := s.Store.Throttle(ctx, b.subject, now, -b.step()); err != nil {
			return fmt.Errorf("give an attempt back: %w", err)
		}
	}
	return nil
}

// Guesses at passwords and codes. A device that its owner has signed in with before has a
// count of its own and no other, so that neither strangers who guess nor neighbours behind
// the same address keep the owner out.
const (
	guesses        = 10
	addressGuesses = 60
	guessTime      = time.Hour
)

// guess lists the budgets that one attempt uses. Unknown addresses have a budget too, and so has
// a session that is asked for its owner's password or code again.
func (s *common) guess(kind string, p *Person, v *Visitor, email string, from Client) []budget {
	if v != nil && !v.Pending {
		return []budget{{kind + " session " + v.SessionID, guesses, guessTime}}
	}
	if device := s.device(from.Device); p.ID != "" && device.knows(p.ID) {
		return []budget{{kind + " device " + device.ID + " " + p.ID, guesses, guessTime}}
	}
	return []budget{
		{kind + " " + hashed(email), guesses, guessTime},
		{"guess " + access.ClientOf(from.Address), addressGuesses, guessTime},
	}
}

// asking is what a request for an email takes of its client.
func asking(from Client) budget { return budget{"ask " + access.ClientOf(from.Address), 30, time.Hour} }

// starting is what a ceremony without a user takes of its client.
func starting(from Client) budget {
	return budget{"start " + access.ClientOf(from.Address), 600, time.Hour}
}

// How many emails a recipient gets within an hour: at the wish of one client, account or
// person, and in all of those that anybody may ask for. One alone does not use up what
// comes to them.
const (
	mostFromOne = 5
	mostToOne   = 20
)

// mailing counts an email that anybody may ask for, in the transaction of the context, and
// reports whether its recipient was sent enough.
func (s *common) mailing(ctx context.Context, email string, from Client) (enough bool, err error) {
	for _, of := range []struct {
		who  string
		most int
	}{{access.ClientOf(from.Address), mostFromOne}, {"anybody", mostToOne}} {
		wait, err := s.counted(ctx, of.who, email, of.most)
		if err != nil || wait > 0 {
			return wait > 0, err
		}
	}
	return false, nil
}

// sparing counts an email at the wish of an account or a person, in the transaction of the
// context, and refuses the sixth to one recipient within an hour.
func (s *common) sparing(ctx context.Context, who, email string) error {
	wait, err := s.counted(ctx, who, email, mostFromOne)
	if err != nil || wait == 0 {
		return err
	}
	f := slowDown(wait)
	f.Message = fmt.Sprintf("We have sent %d emails to %s within an hour, the most that one recipient gets.",
		mostFromOne, email)
	return f
}

func (s *common) counted(ctx context.Context, who, email string, most int) (wait clock.Time, err error) {
	return s.Store.CountMail(ctx, who+" "+hashed(email), s.moment(), clock.Time(time.Hour.Milliseconds()), most)
}

// hashed keeps addresses of people, and whatever else was typed in their place, out of the
// table.
func hashed(email string) string { return hex.EncodeToString(secret.Hash(email)[:16]) }

// Passwords is how people change a password or set a new one.
type Passwords struct {
	*common
	signIns *SignIns
}

// AskReset sends a link for choosing a new password, where the address (param email) is
// somebody's. What it answers is alike in any case.
func (s *Passwords) AskReset(ctx context.Context, email string, from Client) error {
	email, err := address(email)
	if err != nil {
		return err
	}
	if err := s.take(ctx, asking(from)); err != nil {
		return err
	}
	return s.evenly(ctx, func() error {
		return s.ifMailable(ctx, email, from, func(ctx context.Context) error {
			p, found, err := s.Store.PersonByEmail(ctx, email)
			if err != nil || !found {
				return err
			}
			return s.sendReset(from.by(ctx, p.ID), &p, from)
		})
	})
}

func (s *Passwords) sendReset(ctx context.Context, p *Person, from Client) error {
	token, l, err := s.addLink(ctx, p.ID, ResetPassword, p.Email)
	if err != nil {
		return err
	}
	if err := s.audit.Record(ctx, audit.Event{Action: "user.reset_asked", Target: p.ID}); err != nil {
		return err
	}
	return s.write(ctx, "reset", from, emailData{
		To:      p.Email,
		Subject: "Reset your password",
		Link:    s.BaseURL + "/reset/" + token,
		Do:      "Choose a new password",
		Until:   words(l.ExpiresAt),
	})
}

// ResetOf is whose password a link is for, or fault.NoRecord.
func (s *Passwords) ResetOf(ctx context.Context, token string) (email string, err error) {
	l, err := s.link(ctx, token, ResetPassword)
	return l.Email, err
}

// Reset sets a new password (param password) by a link, once. All sessions end, links that
// were asked for before end too, and a second factor is still asked for.
func (s *Passwords) Reset(ctx context.Context, token, plain string, from Client) (proof *Proof, err error) {
	l, err := s.link(ctx, token, ResetPassword)
	if err != nil {
		return nil, err
	}
	hash, err := s.hashOf(ctx, plain, l.Email)
	if err != nil {
		return nil, err
	}
	err = s.Store.Atomically(from.by(ctx, l.UserID), func(ctx context.Context) error {
		l, p, err := s.use(ctx, token, ResetPassword)
		if err != nil {
			return err
		}
		if l.Email != p.Email { // it went to an address that is not theirs any more
			return noLink()
		}
		if err := s.setPassword(ctx, p, hash, "", "user.password_reset", from); err != nil {
			return err
		}
		proof = p.proof("reset", !p.second(), nil)
		return nil
	})
	return proof, err
}

// setPassword changes a password: sessions but one and whatever was asked for by email
// end, and the person is told.
func (s *Passwords) setPassword(ctx context.Context, p *Person, hash, except, action string, from Client) error {
	if err := s.Store.SetPassword(ctx, p.ID, hash); err != nil {
		return err
	}
	p.PasswordHash = hash
	if err := s.Store.RevokeSessions(ctx, p.ID, except); err != nil {
		return err
	}
	for _, purpose := range []Purpose{ResetPassword, ConfirmEmail} {
		if err := s.Store.EndLinks(ctx, p.ID, purpose); err != nil {
			return err
		}
	}
	if err := s.audit.Record(ctx, audit.Event{Action: action, Target: p.ID}); err != nil {
		return err
	}
	return s.notify(
		ctx,
		p.Email,
		from,
		"Your password was changed",
		"The password of your account was changed. All other sessions ended.",
	)
}

// ChangePassword sets a new password (param password) for somebody who knows the old one (param
// old_password). The other sessions end; the visitor's goes on with Continue.
func (s *Passwords) ChangePassword(ctx context.Context, v *Visitor, old, plain string, from Client) error {
	if err := v.whole(); err != nil {
		return err
	}
	_, budgets, err := s.signIns.checkPassword(ctx, v, v.Email, old, from)
	if err != nil {
		return oldPassword(err)
	}
	var accounts []string
	if v.Account != nil {
		accounts = append(accounts, v.Account.Name)
	}
	hash, err := s.hashOf(ctx, plain, v.Email, accounts...)
	if err != nil {
		return err
	}
	return s.Store.Atomically(from.by(ctx, v.UserID), func(ctx context.Context) error {
		p, err := s.locked(ctx, v.UserID)
		if err != nil {
			return err
		}
		if err := s.giveBack(ctx, budgets...); err != nil {
			return err
		}
		return s.setPassword(ctx, p, hash, v.SessionID, "user.password_changed", from)
	})
}

// oldPassword is errWrong beside the field of the old password.
func oldPassword(err error) error {
	if fault.Is(err, fault.InvalidField) {
		return fault.New(fault.InvalidField, "The old password is wrong.").At("old_password")
	}
	return err
}
