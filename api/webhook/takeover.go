package webhook

import (
	"context"
	"fmt"
	"time"

	"portal/api/clock"
	"portal/api/webhook/signature"
)

// overdue is how long after its time a retry is let start although its job has not.
const overdue = time.Minute

// takenAtOnce is how many claims one transaction takes over.
const takenAtOnce = 500

// Due lets attempts start that waited for their time: the work of a retry's job.
func (s *Service) Due(ctx context.Context, due Due) error {
	for portfolio, deliveries := range due {
		if err := s.store.Due(ctx, portfolio, deliveries); err != nil {
			return fmt.Errorf("let retries start: %w", err)
		}
	}
	return nil
}

// TakeOver takes up what crashed processes left: their claims, as soon as they are known
// to be gone or the claims have run out, and retries whose jobs are lost.
func (s *Service) TakeOver(ctx context.Context) error {
	now := s.now()
	return s.takeOver(ctx, clock.At(now), clock.At(now.Add(-overdue)))
}

// TakeUp takes up what ran when the only process of a database ended, whatever the time.
func (s *Service) TakeUp(ctx context.Context) error {
	now := s.now()
	return s.takeOver(ctx, clock.At(now.Add(ClaimTime*2)), clock.At(now.Add(-overdue)))
}

func (s *Service) takeOver(ctx context.Context, claims, retries clock.Time) error {
	for {
		n, err := s.store.TakeOver(ctx, claims, retries, takenAtOnce)
		if err != nil {
			return fmt.Errorf("take over deliveries: %w", err)
		}
		if n < takenAtOnce {
			return nil
		}
	}
}

// Unseal opens the secrets that sign now.
func (s *Service) Unseal(c *Claimed) (signature.Secrets, error) {
	present, err := s.box.Open(SecretPurpose, c.Secret)
	if err != nil || c.Previous == nil || c.PreviousUntil == nil || *c.PreviousUntil <= clock.At(s.now()) {
		return signature.Secrets{Present: present}, err
	}
	previous, err := s.box.Open(SecretPurpose, c.Previous)
	return signature.Secrets{Present: present, Previous: previous}, err
}
