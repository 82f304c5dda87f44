package account

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/secret"
)

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
