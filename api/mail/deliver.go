package mail

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"
	"unicode/utf8"

	"portal/api/clock"
	"portal/api/fault"
)

// Outcome is what an attempt came to. Again is the pause before the next one, 0
// where nothing is left to do.
type Outcome struct {
	Status  Status
	Attempt int
	Error   string // "" where nothing went wrong; without a secret
	Again   time.Duration
}

// Deliver tries once to send a mail that is queued. Of several that try at the same
// time one does. A repeat is possible only where a process ended between the mail
// server's acceptance and the note of it; it carries the same Message-ID.
//
// Without a mail server it waits: another node has one, or this one will.
func (s *Service) Deliver(ctx context.Context, id string) (Outcome, error) {
	if !s.Sends() {
		return Outcome{Status: Queued, Again: time.Minute}, nil
	}
	now := clock.At(s.Now())
	claimed, err := s.Store.ClaimMail(ctx, id, now, now+clock.Time(claimTime.Milliseconds()))
	if err != nil {
		return Outcome{}, fmt.Errorf("claim a mail: %w", err)
	}
	e, err := s.Store.Mail(ctx, id)
	if err != nil {
		return Outcome{}, fmt.Errorf("read a mail: %w", err)
	}
	if !claimed {
		return discardedOutcome(&e, now), nil
	}
	return s.noted(context.WithoutCancel(ctx), &e, s.carry(ctx, &e))
}

// noted notes what an attempt came to, again and again until the claim is about to
// lapse: a store that is busy or away for a while makes no mail leave twice.
func (s *Service) noted(ctx context.Context, e *Entry, sent error) (Outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, NoteTime)
	defer cancel()
	for {
		o, err := s.note(ctx, e, sent)
		if !fault.Is(err, fault.Unavailable) || ctx.Err() != nil {
			return o, err
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// discardedOutcome is the outcome for a caller that could not claim the mail: the mail is finished, or
// another process has it and may still crash.
func discardedOutcome(e *Entry, now clock.Time) Outcome {
	o := Outcome{Status: e.Status, Attempt: e.Attempts}
	if e.Status == Queued && e.ClaimedUntil != nil {
		o.Again = max(time.Duration(*e.ClaimedUntil-now)*time.Millisecond, 0) + time.Second
	}
	return o
}

// errKept says that a mail stays here.
var errKept = errors.New("mail of this mode is not sent here")

// errUnwanted says that a mail must not leave any more.
var errUnwanted = Refused(errors.New(
	"no longer wanted: the recipient gets no more of these, or what it is about has ended",
))

func (s *Service) carry(ctx context.Context, e *Entry) error {
	if !s.leaves(e.Mode) {
		return errKept
	}
	if e.About != nil && s.Wanted != nil {
		if wanted, err := s.Wanted(ctx, e.portfolio(), *e.About, e.To); err != nil || !wanted {
			return cmp.Or(err, error(errUnwanted))
		}
	}
	m, err := s.open(e)
	if err != nil {
		return err // another key may be set right in time
	}
	ctx, cancel := context.WithTimeout(ctx, SendTime)
	defer cancel()
	return s.Carrier.Carry(ctx, m)
}

// note writes down what an attempt came to; the record that the mail is about follows
// in the same transaction.
func (s *Service) note(ctx context.Context, e *Entry, sent error) (o Outcome, err error) {
	o = s.outcome(e, sent)
	n := Note{Status: o.Status}
	if o.Error != "" {
		n.Error = &o.Error
	}
	if o.Status == Sent {
		n.SentAt = new(clock.At(s.Now()))
	}
	err = s.Store.Atomically(ctx, func(ctx context.Context) error {
		queued, err := s.Store.NoteMail(ctx, e.ID, n)
		if err != nil || !queued || e.About == nil || s.Follow == nil || o.Status != Sent && o.Status != Failed {
			return err
		}
		return s.Follow(ctx, e.portfolio(), *e.About, o.Status)
	})
	if err != nil {
		err = fmt.Errorf("note what became of a mail: %w", err)
	}
	return o, err
}

func (s *Service) outcome(e *Entry, sent error) Outcome {
	o := Outcome{Status: Queued, Attempt: e.Attempts}
	refusal := Refusal{}
	switch {
	case sent == nil:
		o.Status = Sent
		return o
	case errors.Is(sent, errKept):
		o.Status = Kept
		return o
	case errors.As(sent, &refusal), e.Attempts > len(s.Pauses):
		o.Status = Failed
	default:
		o.Again = s.Pauses[max(e.Attempts, 1)-1]
	}
	o.Error = scrubbed(sent.Error())
	return o
}

// secrets are links and tokens in a server's answer: spam filters repeat the links of a mail that
// they refuse, and those open an application.
var secrets = regexp.MustCompile(`(?i)\b(?:https?:|www\.)\S+|[\w/+=-]{24,}`)

// longest is how much of an error is kept, in runes.
const longest = 300

// scrubbed is an error without what may be a secret, in bounded length.
func scrubbed(text string) string {
	text = secrets.ReplaceAllString(text, "[…]")
	if utf8.RuneCountInString(text) > longest {
		text = string([]rune(text)[:longest]) + "…"
	}
	return text
}
