// Package onetimecode proves that somebody reads the mail of an address: six digits are sent there, and typed
// on the page that asked for them.
//
// It knows no pages, and sends nothing itself.
package onetimecode

import (
	"context"
	"crypto/rand"
	"fmt"
	"math/big"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/secret"
)

// The limits of codes.
const (
	lifetime   = 10 * time.Minute
	mostTries  = 5
	mostAnHour = 3
)

// Code is what is stored of a code: nobody can read the code itself from it.
type Code struct {
	Subject   string // id of what the code is for; it has one code at a time
	MAC       string
	ExpiresAt clock.Time
	Tries     int // that are left
}

// Store keeps codes.
type Store interface {
	// PutCode takes the place of an earlier code of the subject.
	PutCode(ctx context.Context, in access.Portfolio, c Code) error
	// TryCode counts a try at the code of a subject, and gives its MAC: "" where there is none, it has
	// expired, or was tried too often.
	TryCode(ctx context.Context, in access.Portfolio, subject string, now clock.Time) (mac string, err error)
	// UseCode deletes a code, and reports whether it was there.
	UseCode(ctx context.Context, in access.Portfolio, subject, mac string) (bool, error)
	// DropCode deletes the code of a subject, if there is one.
	DropCode(ctx context.Context, in access.Portfolio, subject string) error
	// CountMail counts an email to a subject, unless so many were sent within a span: then it tells for
	// how long the next one has to wait.
	CountMail(ctx context.Context, subject string, now, span clock.Time, most int) (wait clock.Time, err error)
}

// Codes makes codes for one purpose, and checks them.
type Codes struct {
	store   Store
	box     *secret.Box // makes the MACs of codes
	purpose string
}

// New makes codes that hold for one purpose alone.
func New(store Store, box *secret.Box, purpose string) *Codes { return &Codes{store, box, purpose} }

// Owner is whom a code is for: it holds for this subject and this address alone.
type Owner struct {
	In      access.Portfolio
	Subject string // an id
	Address string // that the code is sent to
}

// proof is what the MAC of a code is made of.
func (o Owner) proof(code string) string { return o.Subject + " " + o.Address + " " + code }

// Make is a new code, which takes the place of an earlier one, in the transaction of the context. The fourth
// within an hour is fault.RateLimited.
func (c *Codes) Make(ctx context.Context, o Owner, now clock.Time) (code string, err error) {
	wait, err := c.store.CountMail(ctx, "code "+o.Subject, now, clock.Time(time.Hour.Milliseconds()), mostAnHour)
	if err != nil {
		return "", err
	}
	if wait > 0 {
		f := fault.New(
			fault.RateLimited,
			"%d codes were sent within an hour, the most that one person gets. Use the latest one, or wait.",
			mostAnHour,
		)
		f.Retry = int((wait + 999) / 1000)
		return "", f
	}
	code = random()
	return code, c.store.PutCode(ctx, o.In, Code{
		Subject:   o.Subject,
		MAC:       c.box.Sign(c.purpose, o.proof(code)),
		ExpiresAt: now + clock.Time(lifetime.Milliseconds()),
		Tries:     mostTries,
	})
}

// random is six random digits.
func random() string {
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		panic(err) // never fails
	}
	return fmt.Sprintf("%06d", n)
}

// Try counts a try at a code and checks what was typed. It stands outside of the transaction that Use belongs to,
// so that a try counts whatever comes of it.
func (c *Codes) Try(ctx context.Context, o Owner, typed string, now clock.Time) (mac string, err error) {
	digits := strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' {
			return -1
		}
		return r
	}, typed)
	want, err := c.store.TryCode(ctx, o.In, o.Subject, now)
	if err != nil {
		return "", err
	}
	if want == "" || !c.box.Signed(c.purpose, o.proof(digits), want) {
		return "", wrong()
	}
	return want, nil
}

// Use ends a code whose MAC Try gave. One that was used meanwhile is wrong.
func (c *Codes) Use(ctx context.Context, o Owner, mac string) error {
	used, err := c.store.UseCode(ctx, o.In, o.Subject, mac)
	if err == nil && !used {
		err = wrong()
	}
	return err
}

// Drop ends the code of a subject that nobody needs any more, in the transaction of the context.
func (c *Codes) Drop(ctx context.Context, o Owner) error {
	return c.store.DropCode(ctx, o.In, o.Subject)
}

func wrong() error {
	return fault.New(
		fault.InvalidField,
		"That is not the code, or it has expired. A code works for 10 minutes and 5 tries; "+
			"send a new one if you need it.",
	).At("code")
}

// Masked is an email address with all but the first letter of its name left out, "" for none.
func Masked(email string) string {
	name, host, found := strings.Cut(email, "@")
	if !found || name == "" {
		return ""
	}
	first := []rune(name)[:1]
	return string(first) + "•••••@" + host
}
