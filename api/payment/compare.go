package payment

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/mail"
	"portal/api/money"
)

// Difference is money of a day of which a processor and the ledger say different things.
type Difference struct {
	Payment string // what the processor calls it, or the attempt's id
	// What has come in on the day without what went back, by either of them.
	Processor, Ledger money.Cents
}

// Words are the difference as a sentence.
func (d Difference) Words() string {
	return fmt.Sprintf(
		"%s: %s at the processor, %s in the ledger.",
		d.Payment,
		d.Processor.Dollars(),
		d.Ledger.Dollars(),
	)
}

// Compare compares what has moved on a day at the processor with what is in the ledger, by payment, and emails the
// owners what differs. Payments that differ are asked for once more before, so that news that was missed is booked.
func (s *Service) Compare(ctx context.Context, by access.Actor, day clock.Date) ([]Difference, error) {
	p, account, err := s.processor(ctx, by.Portfolio)
	if err != nil || p == nil {
		return nil, err
	}
	from, to := startOf(day, by), startOf(day+1, by)
	moved, err := p.Movements(ctx, by, account, from, to)
	if err != nil {
		return nil, fmt.Errorf("ask what has moved on %s: %w", day, err)
	}
	found, again, err := s.differences(ctx, by, moved, from, to)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	for _, attemptID := range again {
		if err := s.Refresh(ctx, by, attemptID); err != nil {
			return nil, err
		}
	}
	if found, _, err = s.differences(ctx, by, moved, from, to); err != nil || len(found) == 0 {
		return nil, err
	}
	return found, s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		return s.mailDifferences(ctx, by, day, found)
	})
}

// startOf is the first moment of a day of the landlord.
func startOf(day clock.Date, by access.Actor) clock.Time {
	y, m, d := day.Std().Date()
	return clock.At(time.Date(y, m, d, 0, 0, 0, 0, by.Zone))
}

// differences are what differs, and the attempts of which it does.
func (s *Service) differences(
	ctx context.Context, by access.Actor, moved []Movement, from, to clock.Time,
) (found []Difference, attempts []string, err error) {
	booked, err := s.store.AttemptsMoved(ctx, by.Portfolio, from, to, references(moved))
	if err != nil {
		return nil, nil, err
	}
	atProcessor := map[string]money.Cents{}
	for i := range moved {
		m := &moved[i]
		switch m.Kind {
		case MovedPayment, MovedRefund, MovedReturn, MovedDispute:
			name := m.Reference
			if m.Payment != nil {
				name = *m.Payment
			}
			atProcessor[name] += m.Amount
		case MovedFee, MovedOther:
		}
	}
	for i := range booked {
		a := &booked[i].Attempt
		name := a.ID
		if a.Reference != nil {
			name = *a.Reference
		}
		ours := a.movedWithin(from, to) - booked[i].RefundedWithin
		if theirs := atProcessor[name]; theirs != ours {
			found, attempts = append(found, Difference{name, theirs, ours}), append(attempts, a.ID)
		}
		delete(atProcessor, name)
	}
	for name, theirs := range atProcessor {
		if theirs != 0 {
			found = append(found, Difference{name, theirs, 0})
		}
	}
	slices.SortFunc(found, func(a, b Difference) int { return strings.Compare(a.Payment, b.Payment) })
	return found, attempts, nil
}

// references are what a processor calls the payments of movements.
func references(moved []Movement) (all []string) {
	for i := range moved {
		if m := &moved[i]; m.Payment != nil && !slices.Contains(all, *m.Payment) {
			all = append(all, *m.Payment)
		}
	}
	return all
}

// MovedAttempt is an attempt, with what of it was refunded within a span.
type MovedAttempt struct {
	Attempt
	RefundedWithin money.Cents
}

// movedWithin is what of an attempt has come in within a span, without what went back, refunds apart.
func (a *Attempt) movedWithin(from, to clock.Time) (sum money.Cents) {
	within := func(at *clock.Time) bool { return at != nil && *at >= from && *at < to }
	if within(a.ClearedAt) {
		sum += a.Total()
	}
	if within(a.BackAt) {
		sum -= a.Total() - a.Refunded
	}
	if within(a.RestoredAt) {
		sum += a.Total() - a.Refunded
	}
	return sum
}

// mailDifferences emails the owners what differs.
func (s *Service) mailDifferences(
	ctx context.Context, by access.Actor, day clock.Date, found []Difference,
) error {
	if s.Post == nil {
		return nil
	}
	who, err := s.store.Landlord(ctx, by.Portfolio)
	if err != nil {
		return err
	}
	lines := make([]string, 0, len(found))
	for _, d := range found {
		lines = append(lines, d.Words())
	}
	return s.mailOwners(ctx, by, who, "payment_differences", &mail.Message{
		Subject: "Payments of " + day.Std().Format("January 2, 2006") + " don’t agree",
	}, struct {
		Day, Link string
		Lines     []string
	}{
		day.Std().Format("January 2, 2006"), s.BaseURL + "/" + string(by.Portfolio.Mode) + "/payouts", lines,
	})
}
