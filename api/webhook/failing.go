package webhook

import (
	"context"
	"embed"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/mail"
	"portal/api/portfolio"
)

// giveUpOnEndpoint is how long nothing but failures may come of an endpoint (decisions.md
// §5).
const giveUpOnEndpoint = 5 * 24 * time.Hour

// shownAnswer is how much of the last answer the letter shows, in characters.
const shownAnswer = 500

// Mailer takes an e-mail along with the transaction of the context.
type Mailer interface {
	Send(ctx context.Context, m *mail.Message) error
}

// giveUpOn disables an endpoint of which nothing but failures has come for too long, and
// writes to its owners.
func (d *Dispatcher) giveUpOn(ctx context.Context, p Place) {
	if err := d.s.giveUpOn(ctx, p); err != nil {
		d.Log.Error("webhooks: a failing endpoint is not disabled; its next failure tries again", "endpoint", p.Endpoint, "error", err)
	}
}

func (s *Service) giveUpOn(ctx context.Context, p Place) error {
	return s.alone(ctx, p.Portfolio, func(ctx context.Context, now time.Time) error {
		e, err := s.store.Endpoint(ctx, p.Portfolio, p.Endpoint)
		if err != nil {
			return err
		}
		last, err := s.store.LastFailure(ctx, p.Portfolio, p.Endpoint)
		if err != nil {
			return err
		}
		if e.Status != Enabled || last == nil || now.Sub(last.FailingSince.Std()) < giveUpOnEndpoint {
			return nil // somebody was first, or it has recovered
		}
		if err := s.disable(ctx, p.Portfolio, &e, ByFailures, now); err != nil {
			return err
		}
		return s.writeToOwners(ctx, p.Portfolio, &e, last)
	})
}

// Failure is the last attempt at an endpoint that fails.
type Failure struct {
	FailingSince clock.Time
	Attempt      Attempt
}

func (s *Service) writeToOwners(ctx context.Context, in access.Portfolio, e *Endpoint, last *Failure) error {
	if s.Mail == nil {
		return nil
	}
	landlord, err := s.store.Landlord(ctx, in)
	if err != nil {
		return err
	}
	for _, to := range landlord.Owners {
		m, err := disabledLetter(in, &landlord, e, last)
		if err != nil {
			return err
		}
		m.To = to
		if err := s.Mail.Send(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

//go:embed letters
var letterFiles embed.FS

var stationery = mail.ReadLetters(letterFiles, nil)

// disabledLetter tells an owner that nothing is sent to an endpoint any more, and why; To
// is left open.
func disabledLetter(in access.Portfolio, l *portfolio.Landlord, e *Endpoint, last *Failure) (*mail.Message, error) {
	values := struct {
		*Endpoint
		Landlord, Since, Answer string
		Last                    Attempt
	}{e, l.Name, last.FailingSince.Std().Format("January 2, 2006 at 15:04 UTC"), "", last.Attempt}
	if last.Attempt.ResponseBody != nil {
		values.Answer = cut([]rune(*last.Attempt.ResponseBody), shownAnswer)
	}
	return stationery.Fill("disabled", &mail.Message{AccountID: l.AccountID, Portfolio: in, Subject: "Webhook endpoint disabled: " + e.URL}, values)
}

func cut(text []rune, most int) string {
	if len(text) > most {
		text = append(text[:most:most], '…')
	}
	return string(text)
}
