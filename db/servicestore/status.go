package servicestore

import (
	"context"
	"time"

	"portal/api/clock"
	"portal/api/mail"
	"portal/api/status"
	"portal/api/webhook"
	"portal/db"
	"portal/db/rows"
)

// Status reads how much work waits, for all accounts together. Each query ends after a bounded
// number of rows.
type Status struct{ db *db.DB }

// NewStatus is the store over a database.
func NewStatus(d *db.DB) Status { return Status{d} }

// Outbox is what is known of email.
func (s Status) Outbox(ctx context.Context) (o status.Outbox, err error) {
	_, err = s.db.One(ctx, `SELECT COUNT(*)
		FROM (SELECT 1 FROM mails WHERE `+rows.Is("status", mail.Queued)+` LIMIT $1) AS queued`,
		[]any{status.MostCounted}, &o.Queued)
	if err != nil {
		return o, err
	}
	if o.Oldest, err = s.moment(ctx, `SELECT created_at
		FROM mails
		WHERE `+rows.Is("status", mail.Queued)+`
		ORDER BY id
		LIMIT 1`); err != nil {
		return o, err
	}
	if o.LastSent, err = s.moment(ctx, `SELECT COALESCE(sent_at, created_at)
		FROM mails
		WHERE `+rows.Is("status", mail.Sent)+`
		ORDER BY id DESC
		LIMIT 1`); err != nil {
		return o, err
	}
	var at clock.Time
	found, err := s.db.One(ctx, `SELECT created_at, COALESCE(last_error, '')
		FROM mails
		WHERE `+rows.Is("status", mail.Failed)+`
		ORDER BY id DESC
		LIMIT 1`, nil, &at, &o.LastError)
	if found {
		o.LastFailed = &at
	}
	return o, err
}

// Deliveries is what is known of webhook deliveries.
func (s Status) Deliveries(ctx context.Context, now clock.Time) (d status.Deliveries, err error) {
	_, err = s.db.One(ctx, `SELECT COUNT(*)
		FROM (SELECT 1 FROM deliveries WHERE `+rows.Is("status", webhook.Pending)+` LIMIT $1) AS waiting`,
		[]any{status.MostCounted}, &d.Waiting)
	if err != nil {
		return d, err
	}
	if d.Oldest, err = s.oldestDue(ctx, now); err != nil {
		return d, err
	}
	_, err = s.db.One(ctx, `SELECT COUNT(*), COUNT(error)
		FROM (SELECT error
			FROM delivery_attempts
			WHERE request_headers IS NOT NULL AND at > $1
			ORDER BY at DESC
			LIMIT $2) AS latest`,
		[]any{int64(clock.At(now.Std().Add(-time.Hour))), status.MostCounted}, &d.Attempts, &d.Failed)
	return d, err
}

// oldestDue is since when the longest due delivery waits: one of those whose attempt may start, or one
// whose job has not marked it so.
func (s Status) oldestDue(ctx context.Context, now clock.Time) (*clock.Time, error) {
	ready, err := s.moment(ctx, `SELECT next_attempt_at
		FROM (SELECT next_attempt_at FROM deliveries WHERE ready LIMIT $1) AS due
		WHERE next_attempt_at IS NOT NULL
		ORDER BY next_attempt_at
		LIMIT 1`, status.MostCounted)
	if err != nil {
		return nil, err
	}
	late, err := s.moment(ctx, `SELECT next_attempt_at
		FROM deliveries
		WHERE `+rows.Is("status", webhook.Pending)+` AND NOT ready AND claimed_by IS NULL AND next_attempt_at <= $1
		ORDER BY next_attempt_at
		LIMIT 1`, int64(now))
	if ready == nil || late != nil && *late < *ready {
		ready = late
	}
	return ready, err
}

// moment is the only column of the only row of a query, nil where there is no row.
func (s Status) moment(ctx context.Context, query string, args ...any) (*clock.Time, error) {
	var at clock.Time
	found, err := s.db.One(ctx, query, args, &at)
	if err != nil || !found {
		return nil, err
	}
	return &at, nil
}
