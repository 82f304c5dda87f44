package webhook

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/mail"
	"portal/api/portfolio"
	"portal/api/texts"
)

// GiveUpOnEndpoint is how long nothing but failures may come of an endpoint (docs/webhooks.md).
const GiveUpOnEndpoint = 5 * 24 * time.Hour

// shownAnswer is how much of the last answer the email shows, in characters.
const shownAnswer = 500

// GiveUpOn disables an endpoint of which nothing but failures has come for too long, and
// writes to its owners.
func (s *Service) GiveUpOn(ctx context.Context, p EndpointRef, last *Attempt) error {
	return s.alone(ctx, p.Portfolio, func(ctx context.Context, now time.Time) error {
		e, err := s.store.Endpoint(ctx, p.Portfolio, p.Endpoint)
		if err != nil {
			return err
		}
		since, err := s.store.FailingSince(ctx, p.Portfolio, p.Endpoint)
		if err != nil {
			return err
		}
		if e.Status != Enabled || since == nil || now.Sub(since.Std()) < GiveUpOnEndpoint {
			return nil // somebody was first, or it has recovered
		}
		if err := s.disable(ctx, p.Portfolio, &e, ByFailures, now); err != nil {
			return err
		}
		return s.notify(ctx, p.Portfolio, func(l *portfolio.Landlord) (*mail.Message, error) {
			return fill("disabled", "Webhook endpoint turned off: ", p.Portfolio, l, &e, *since, last)
		})
	})
}

// notify writes an email to each owner who wants emails about endpoints.
func (s *Service) notify(
	ctx context.Context, in access.Portfolio, write func(*portfolio.Landlord) (*mail.Message, error),
) error {
	if s.Mail == nil {
		return nil
	}
	landlord, err := s.store.Landlord(ctx, in)
	if err != nil {
		return err
	}
	for _, to := range landlord.Recipients(portfolio.EndpointNotice) {
		m, err := write(&landlord)
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

//go:embed emails
var templateFiles embed.FS

var templates = mail.ReadTemplates(templateFiles, nil)

// fill fills a template of an email about an endpoint that has failed since a moment.
func fill(
	template, subject string,
	in access.Portfolio,
	l *portfolio.Landlord,
	e *Endpoint,
	since clock.Time,
	last *Attempt,
) (*mail.Message, error) {
	const form = "January 2, 2006 at 15:04 UTC"
	values := struct {
		*Endpoint
		Landlord, Since, Until, Answer string
		Last                           *Attempt
	}{e, l.Name, since.Std().Format(form), since.Std().Add(GiveUpOnEndpoint).Format(form), "", last}
	if last.ResponseBody != nil {
		values.Answer = texts.Clip(strings.ToValidUTF8(*last.ResponseBody, "\ufffd"), shownAnswer)
	}
	return templates.Fill(template, &mail.Message{
		AccountID: l.AccountID,
		Portfolio: in,
		Subject:   subject + e.URL,
	}, values)
}

// tellAfter is after how long a time of nothing but failures the owners of an endpoint are
// told (docs/webhooks.md), long before GiveUpOnEndpoint.
const tellAfter = 24 * time.Hour

// toldAtOnce is how many failing endpoints are read at a time.
const toldAtOnce = 100

// TellOfFailing writes to the owners of endpoints of which nothing but failures has come
// for a day, once for each such time. One that fails keeps no other back.
func (s *Service) TellOfFailing(ctx context.Context) error {
	day := clock.At(s.now().Add(-tellAfter))
	endpoints, err := s.store.UnnoticedFailures(ctx, day, day, toldAtOnce)
	failed := []error{err}
	for _, p := range endpoints {
		if err := s.tellOfFailing(ctx, p); err != nil {
			failed = append(failed, fmt.Errorf("tell of the failing endpoint %s: %w", p.Endpoint, err))
		}
	}
	return errors.Join(failed...)
}

func (s *Service) tellOfFailing(ctx context.Context, p EndpointRef) error {
	return s.alone(ctx, p.Portfolio, func(ctx context.Context, now time.Time) error {
		since, err := s.store.ClaimFailureNotice(ctx, p, clock.At(now.Add(-tellAfter)))
		if err != nil || since == nil {
			return err // told by another process, or recovered
		}
		e, err := s.store.Endpoint(ctx, p.Portfolio, p.Endpoint)
		if err != nil {
			return err
		}
		last, err := s.store.LastFailure(ctx, p.Portfolio, p.Endpoint)
		if err != nil {
			return err
		}
		if last == nil { // it was retried long ago, and others have succeeded in being sent since
			last = &Attempt{At: *since}
		}
		return s.notify(ctx, p.Portfolio, func(l *portfolio.Landlord) (*mail.Message, error) {
			return fill("failing", "Webhook endpoint failing: ", p.Portfolio, l, &e, *since, last)
		})
	})
}
