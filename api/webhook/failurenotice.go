package webhook

import (
	"context"
	"errors"
	"fmt"
	"time"

	"portal/api/clock"
	"portal/api/mail"
	"portal/api/portfolio"
)

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
			return failingEmail(p.Portfolio, l, &e, *since, last)
		})
	})
}
