// Package mailstore keeps the email that is to be sent and was sent, in the database of
// package db.
//
// It knows no rules and no HTTP, and nothing of who sends the email.
package mailstore

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/mail"
	"portal/db"
	"portal/db/rows"
)

var mailTable = rows.NewTable(
	"mails",
	rows.At("id", func(r *mail.Entry) *string { return &r.ID }),
	rows.At("mode", func(r *mail.Entry) *access.Mode { return &r.Mode }),
	rows.At("status", func(r *mail.Entry) *mail.Status { return &r.Status }),
	rows.At("recipient", func(r *mail.Entry) *string { return &r.To }),
	rows.At("subject", func(r *mail.Entry) *string { return &r.Subject }),
	rows.At("about", func(r *mail.Entry) **string { return &r.About }),
	rows.At("attempts", func(r *mail.Entry) *int { return &r.Attempts }),
	rows.At("last_error", func(r *mail.Entry) **string { return &r.LastError }),
	rows.At("created_at", func(r *mail.Entry) *clock.Time { return &r.CreatedAt }),
	rows.At("sent_at", func(r *mail.Entry) **clock.Time { return &r.SentAt }),
	rows.At("account_id", func(r *mail.Entry) **string { return &r.AccountID }),
	rows.At("portfolio_id", func(r *mail.Entry) **int64 { return &r.PortfolioID }),
	rows.At("claimed_until", func(r *mail.Entry) **clock.Time { return &r.ClaimedUntil }),
)

// fullMailTable is mailTable with the sealed content.
var fullMailTable = mailTable.And(rows.At("message", func(r *mail.Entry) *[]byte { return &r.Sealed }))

// AddMail writes a new mail with its sealed content, along with the next statement of the transaction.
func (s Store) AddMail(ctx context.Context, e *mail.Entry) error {
	return fullMailTable.AddLater(ctx, s.db, e)
}

// Mail reads one mail with its sealed content, or fault.NotFound.
func (s Store) Mail(ctx context.Context, id string) (mail.Entry, error) {
	e, found, err := fullMailTable.First(ctx, s.db, "WHERE id = $1", id)
	if err == nil && !found {
		err = fault.New(fault.NoRecord, "No mail has the id %s.", id)
	}
	return e, err
}

// Mails lists mails without their content, the newest first unless they are to ascend.
func (s Store) Mails(ctx context.Context, f mail.Filter) ([]mail.Entry, error) {
	after, before, order := rows.SpanFrom(id.Mail, nil, nil, f.Before, f.Ascending)
	l := rows.NewListing(s.db, f.Limit, after, before, int64(f.Limit))
	l.SQL.WriteString("WHERE id > $1 AND id < $2")
	if f.Portfolio != 0 {
		l.Where("portfolio_id = ?", f.Portfolio)
	}
	l.Has("account_id", f.AccountID)
	l.Has("status", string(f.Status))
	return mailTable.All(ctx, s.db, l.SQL.String()+" ORDER BY "+order+" LIMIT $3", l.Args...)
}

// ClaimMail takes a queued mail that nobody holds until a moment, and counts the
// attempt.
func (s Store) ClaimMail(ctx context.Context, id string, now, until clock.Time) (bool, error) {
	return s.db.Changes(ctx, `UPDATE mails
		SET attempts = attempts + 1, claimed_until = $3
		WHERE id = $1 AND `+rows.Is("status", mail.Queued)+` AND (claimed_until IS NULL
			OR claimed_until <= $2)`, id, int64(now), int64(until))
}

// NoteMail ends a claim, and reports whether the mail was still queued.
func (s Store) NoteMail(ctx context.Context, id string, n mail.Note) (bool, error) {
	return s.db.Changes(ctx, `UPDATE mails
		SET status = $2, last_error = $3, sent_at = $4, claimed_until = NULL
		WHERE id = $1 AND `+rows.Is("status", mail.Queued), id, n.Status, n.Error, n.SentAt)
}

// ForgetMails forgets the content of mails from before a moment that are done with, a
// bounded number at a time, and tells how many.
func (s Store) ForgetMails(ctx context.Context, before clock.Time, most int) (int64, error) {
	return s.db.Exec(ctx, `UPDATE mails
		SET message = NULL
		WHERE id IN (
			SELECT id
			FROM mails
			WHERE id < $1 AND message IS NOT NULL AND `+rows.IsNot("status", mail.Queued)+`
			ORDER BY id
			LIMIT $2)`, id.After(id.Mail, (before-1).Std()), most)
}

// CountMail counts an email of a sender to a recipient, in the transaction of the context,
// unless so many were counted within a span before now: then it tells for how long the next
// one has to wait. Another transaction that counts for the same two waits until this one
// ends.
func (s Store) CountMail(
	ctx context.Context, subject string, now, span clock.Time, most int,
) (wait clock.Time, err error) {
	err = s.db.Atomically(ctx, func(ctx context.Context) error {
		var kept string
		_, err := s.db.One(ctx, `INSERT INTO sent_mails (subject, times, expires_at)
			VALUES ($1, '', 0)
			ON CONFLICT (subject) DO UPDATE SET times = sent_mails.times
			RETURNING times`, []any{subject}, &kept)
		if err != nil {
			return err
		}
		times := slices.DeleteFunc(strings.Fields(kept), func(s string) bool {
			at, err := strconv.ParseInt(s, 10, 64)
			return err != nil || clock.Time(at) <= now-span
		})
		if len(times) >= most {
			first, _ := strconv.ParseInt(times[len(times)-most], 10, 64) // was read above
			wait = clock.Time(first) + span - now
			return nil
		}
		times = append(times, strconv.FormatInt(int64(now), 10))
		return s.db.Run(
			ctx,
			"UPDATE sent_mails SET times = $2, expires_at = $3 WHERE subject = $1",
			subject,
			strings.Join(times, " "),
			now+span,
		)
	})
	return wait, err
}

var _ mail.Store = Store{}

// Store keeps email.
type Store struct {
	db *db.DB
	rows.Transactor
}

// New is the store over a database.
func New(d *db.DB) Store { return Store{d, d} }
