package account

import (
	"context"
	"crypto/subtle"
	"strings"
	"time"
	"unicode/utf8"

	"portal/api/audit"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/secret"
	"portal/api/texts"
)

// SignUps is how people come to an account of their own.
type SignUps struct {
	*common
}

// signUpTime is how long the link of a sign-up works.
const signUpTime = 24 * time.Hour

// SignUp is the form of somebody who signs up.
type SignUp struct {
	Email       string // param email
	AccountName string // param account_name, 1 to 120 characters
	Password    string // param password, 10 to 1,000 characters, hard to guess
}

// SigningUp is a sign-up that waits for its link to be opened.
type SigningUp struct {
	Email        string
	TokenHash    []byte
	ClaimHash    []byte
	AccountName  string
	PasswordHash string
	CreatedAt    clock.Time
	ExpiresAt    clock.Time
}

// PendingSignUp is what the link of a sign-up shows.
type PendingSignUp struct {
	Email       string
	AccountName string
	ExpiresAt   clock.Time
}

// check gathers what is wrong with a form.
type check []fault.Detail

func (c *check) say(wrong bool, param, message string) {
	if wrong {
		*c = append(*c, fault.Detail{Param: param, Code: fault.InvalidField, Message: message})
	}
}

// The bounds of a name, in characters.
const (
	shortestName = 1
	longestName  = 120
)

func (c *check) name(param, s string) {
	n := utf8.RuneCountInString(s)
	switch {
	case n < shortestName || n > longestName:
		c.say(true, param, param+" "+fault.Characters(n, new(shortestName), new(longestName)))
	case texts.Unreadable(s, false):
		c.say(true, param, param+" "+fault.Invisible+".")
	}
}

// password checks a new password of somebody, about whom something is known.
func (c *check) password(param, s string, about ...string) {
	n := utf8.RuneCountInString(s)
	if n < secret.ShortestPassword || n > secret.LongestPassword {
		c.say(true, param, param+" "+fault.Characters(n, new(secret.ShortestPassword), new(secret.LongestPassword)))
		return
	}
	c.say(secret.Guessable(s, about...), param, secret.PasswordTooEasy)
}

func (in *SignUp) check() error {
	var c check
	email, err := address(in.Email)
	c.say(err != nil, "email", "Enter an email address, such as dana@example.com.")
	in.Email, in.AccountName = email, strings.TrimSpace(in.AccountName)
	c.name("account_name", in.AccountName)
	c.password("password", in.Password, email, in.AccountName)
	c.say(email != "" &&
		strings.EqualFold(in.Password, email), "password", "Choose a password that is not your email address.")
	return fault.Invalid(c)
}

// SignUp sends a link to the address that a person signs up with. What it answers, and
// what it does, is alike whether the address has an account or not: if so, its owner is
// told by email. The claim is for the session of the browser, which need not give the
// password again when the link is opened.
//
// Until the link is opened there is no user, so nobody can keep an address from its owner.
func (s *SignUps) SignUp(ctx context.Context, in SignUp, from Client) (claim string, err error) {
	if err := in.check(); err != nil {
		return "", err
	}
	if err := s.take(ctx, asking(from)); err != nil {
		return "", err
	}
	hash, err := s.Hasher.Hash(ctx, in.Password)
	if err != nil {
		return "", err
	}
	token, claim := secret.New(), secret.New()
	u := SigningUp{
		Email:        in.Email,
		TokenHash:    secret.Hash(token),
		ClaimHash:    secret.Hash(claim),
		AccountName:  in.AccountName,
		PasswordHash: hash,
		CreatedAt:    s.moment(),
		ExpiresAt:    clock.At(s.Now().Add(signUpTime)),
	}
	return claim, s.evenly(ctx, func() error {
		return s.ifMailable(
			ctx,
			in.Email,
			from,
			func(ctx context.Context) error { return s.answerSignUp(ctx, &u, token, from) },
		)
	})
}

// evenly does something that differs by whether an address is known, and lasts no less
// than the pace, so that its duration does not tell.
func (s *common) evenly(ctx context.Context, do func() error) error {
	if s.Pace == 0 {
		return do()
	}
	over := time.After(s.Pace)
	err := do()
	select {
	case <-over:
	case <-ctx.Done():
	}
	return err
}

// ifMailable does something that ends in an email to an address that anybody can name,
// and nothing where the address was sent enough.
func (s *common) ifMailable(ctx context.Context, email string, from Client, do func(context.Context) error) error {
	return s.Store.Atomically(ctx, func(ctx context.Context) error {
		if enough, err := s.mailing(ctx, email, from); err != nil || enough {
			return err
		}
		return do(ctx)
	})
}

// answerSignUp writes alike in both cases. The sign-up of an address that has an account
// stays without effect, since nobody gets its token.
func (s *SignUps) answerSignUp(ctx context.Context, u *SigningUp, token string, from Client) error {
	_, known, err := s.Store.PersonByEmail(ctx, u.Email)
	if err != nil {
		return err
	}
	if err := s.Store.PutSignUp(ctx, u); err != nil {
		return err
	}
	if known {
		return s.write(ctx, "known", from, emailData{
			To:      u.Email,
			Subject: "You already have an account",
			Link:    s.BaseURL + "/sign-in",
			Do:      "Sign in",
		})
	}
	return s.write(ctx, "verify", from, emailData{
		To:      u.Email,
		Subject: "Confirm your email address",
		Link:    s.BaseURL + "/verify/" + token,
		Do:      "Confirm the address",
		Until:   words(u.ExpiresAt),
	})
}

// SignUpOf is what the link of a sign-up shows, or fault.NoRecord.
func (s *SignUps) SignUpOf(ctx context.Context, token string) (PendingSignUp, error) {
	u, err := linked(s.Store.SignUp(ctx, secret.Hash(token), s.moment()))
	return PendingSignUp{u.Email, u.AccountName, u.ExpiresAt}, err
}

// Verify is the form behind the link of a sign-up: the claim that SignUp gave the browser,
// or, in another one, the password. Without either, an attacker could sign up with the address of
// somebody else, who then opens the link, and would know the password of their account.
type Verify struct {
	Claim    string
	Password string // param password
}

// Verify makes the user and the account of a sign-up, once.
func (s *SignUps) Verify(ctx context.Context, token string, in Verify, from Client) (*Proof, error) {
	hash := secret.Hash(token)
	u, err := linked(s.Store.SignUp(ctx, hash, s.moment()))
	if err != nil {
		return nil, err
	}
	if subtle.ConstantTimeCompare(secret.Hash(in.Claim), u.ClaimHash) != 1 {
		if err := s.samePassword(ctx, &u, in.Password, from); err != nil {
			return nil, err
		}
	}
	return s.finishSignUp(ctx, hash, from)
}

func (s *SignUps) samePassword(ctx context.Context, u *SigningUp, plain string, from Client) error {
	if plain == "" {
		return fault.New(fault.MissingField, "Enter the password that you chose.").At("password")
	}
	if err := s.take(ctx, s.guess("verify", &Person{}, nil, u.Email, from)...); err != nil {
		return err
	}
	right, _, err := s.Hasher.Check(ctx, u.PasswordHash, plain)
	if err == nil && !right {
		err = fault.New(
			fault.InvalidField,
			"This is not the password that was chosen when this address was signed up. Sign up again to choose "+
				"another one.",
		).At("password")
	}
	return err
}

func (s *SignUps) finishSignUp(ctx context.Context, tokenHash []byte, from Client) (*Proof, error) {
	var user developer.User
	err := s.Store.Atomically(ctx, func(ctx context.Context) error {
		u, err := linked(s.Store.TakeSignUp(ctx, tokenHash, s.moment()))
		if err != nil {
			return err
		}
		user = developer.User{
			ID:           id.New(id.User, s.Now()),
			Email:        u.Email,
			PasswordHash: u.PasswordHash,
			Role:         developer.Landlord,
			CreatedAt:    s.moment(),
		}
		added, err := s.Store.AddUser(ctx, user)
		if err != nil {
			return err
		}
		if !added {
			return fault.New(fault.InvalidTransition, "You already have an account. Sign in.")
		}
		ctx = from.by(ctx, user.ID)
		if err := s.audit.Record(ctx, audit.Event{Action: "user.signed_up", Target: user.ID}); err != nil {
			return err
		}
		return s.Developer.Open(ctx, user, u.AccountName)
	})
	return &Proof{
		userID:   user.ID,
		stamp:    user.PasswordHash,
		method:   bySignUp,
		complete: true,
	}, err
}
