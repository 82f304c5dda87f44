package webhookstore

import (
	"context"
	"fmt"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/webhook"
	"portal/db"
	"portal/db/rows"
)

// Due lets the attempts of deliveries start that wait for their time.
func (s *Store) Due(ctx context.Context, portfolio int64, deliveries []string) error {
	return s.db.Atomically(ctx, func(ctx context.Context) error {
		for _, id := range deliveries {
			_, err := s.db.Exec(ctx, `UPDATE deliveries
				SET ready = true
				WHERE portfolio_id = $1 AND id = $2 AND `+rows.Is("status", webhook.Pending)+` AND claimed_by IS NULL`, portfolio, id)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// TakeOver ends claims that have run out at a moment and those of processes that are gone,
// each with an attempt that was interrupted, and lets retries start whose time lies before
// another moment: at most so many.
func (s *Store) TakeOver(ctx context.Context, now, overdue clock.Time, most int) (n int, err error) {
	err = s.db.Atomically(ctx, func(ctx context.Context) error {
		left, err := s.runOut(ctx, now, most)
		if err != nil {
			return err
		}
		for _, l := range left {
			if err := s.interrupt(ctx, l); err != nil {
				return err
			}
		}
		rows, err := s.db.Exec(ctx, `UPDATE deliveries
			SET ready = true
			WHERE (portfolio_id, id) IN (
				SELECT portfolio_id, id
				FROM deliveries
				WHERE `+rows.Is("status", webhook.Pending)+` AND NOT ready AND claimed_by IS NULL AND next_attempt_at <= $1
				LIMIT $2`+s.db.Locking(" FOR UPDATE SKIP LOCKED")+`)`, int64(overdue), int64(most))
		n = max(len(left), int(rows))
		return err
	})
	return n, err
}

// leftover is an attempt of a process that is gone.
type leftover struct {
	in       access.Portfolio
	delivery string
	number   int
	at       clock.Time
}

// gone are the processes that have claims and are not alive.
func (s *Store) gone(ctx context.Context) ([]string, error) {
	if !s.db.OnPostgres() {
		return nil, nil
	}
	var claimants []string
	err := s.db.Each(
		ctx,
		"SELECT DISTINCT claimed_by FROM deliveries WHERE claimed_by IS NOT NULL",
		nil,
		func(scan db.Scan) error {
			claimants = append(claimants, "")
			return scan(&claimants[len(claimants)-1])
		},
	)
	if err != nil {
		return nil, err
	}
	return s.db.Gone(ctx, claimants)
}

// runOut reads claims that have run out at a moment, and those of processes that are gone.
func (s *Store) runOut(ctx context.Context, now clock.Time, most int) (left []leftover, err error) {
	processes, err := s.gone(ctx)
	if err != nil {
		return nil, err
	}
	args, over := []any{int64(now), int64(most)}, []string{"claimed_until <= $1"}
	for _, p := range processes {
		args = append(args, p)
		over = append(over, fmt.Sprintf("claimed_by = $%d", len(args)))
	}
	err = s.db.Each(ctx, `SELECT portfolio_id, id, attempts, claimed_at
		FROM deliveries
		WHERE claimed_by IS NOT NULL AND (`+strings.Join(over, " OR ")+`)
		LIMIT $2`+s.db.Locking(" FOR UPDATE SKIP LOCKED"), args, func(scan db.Scan) error {
		left = append(left, leftover{})
		l := &left[len(left)-1]
		return scan(&l.in.ID, &l.delivery, &l.number, &l.at)
	})
	return left, err
}

// interrupt ends the claim of an attempt and notes that nobody knows how it ended. The
// delivery is tried again at once, but not longer than any other is: one that ends its
// process each time must not do so for ever.
func (s *Store) interrupt(ctx context.Context, l leftover) error {
	queued := rows.Is("status", webhook.Pending)
	_, err := s.db.Exec(ctx, `UPDATE deliveries
		SET claimed_by = NULL, claimed_at = NULL, claimed_until = NULL, failing = true,
			status = CASE WHEN `+queued+` AND claimed_at - since > $3 THEN `+rows.Literal(webhook.Failed)+` ELSE status END,
			ready = (`+queued+` AND claimed_at - since <= $3),
			next_attempt_at = CASE WHEN `+queued+` AND claimed_at - since <= $3 THEN claimed_at END
		WHERE portfolio_id = $1 AND id = $2`, l.in.ID, l.delivery, webhook.GiveUp.Milliseconds())
	if err != nil {
		return err
	}
	return s.addAttempts(ctx, l.in, []webhook.Conclusion{{
		Work:    &webhook.Work{ID: l.delivery},
		Attempt: webhook.Interrupted(l.number, l.at),
	}})
}
