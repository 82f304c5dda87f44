package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/tenantportal"
	"portal/db"
)

// TicketNotice reads when somebody was emailed about a ticket. SentAt is 0 where they never were.
func (s *Store) TicketNotice(
	ctx context.Context, in access.Portfolio, ticketID string, to portfolio.TicketReader,
) (tenantportal.TicketNotice, error) {
	n := tenantportal.TicketNotice{TicketID: ticketID, To: to}
	_, err := s.db.One(ctx, `SELECT sent_at, due_at
		FROM ticket_notices
		WHERE portfolio_id = $1 AND ticket_id = $2 AND recipient = $3`, []any{in.ID, ticketID, string(to)},
		&n.SentAt, &n.DueAt)
	return n, err
}

// SaveTicketNotice writes when somebody was emailed about a ticket, and when they will be.
func (s *Store) SaveTicketNotice(ctx context.Context, in access.Portfolio, n tenantportal.TicketNotice) error {
	_, err := s.db.Exec(ctx, `INSERT INTO ticket_notices (portfolio_id, ticket_id, recipient, sent_at, due_at)
		VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (portfolio_id, ticket_id, recipient) DO UPDATE
		SET sent_at = excluded.sent_at, due_at = excluded.due_at`,
		in.ID, n.TicketID, string(n.To), int64(n.SentAt), n.DueAt)
	return err
}

// DueTicketNotices finds emails of open accounts that are due at a moment, in their order: at most so many that
// follow another one. It sees all portfolios.
func (s *Store) DueTicketNotices(
	ctx context.Context, at clock.Time, after tenantportal.DueNotice, most int,
) (due []tenantportal.DueNotice, err error) {
	err = s.db.Each(ctx, `SELECT p.id, p.mode, n.ticket_id, n.recipient, n.due_at
		FROM ticket_notices n`+s.db.IndexedBy("ticket_notices_due")+`
		JOIN portfolios p ON p.id = n.portfolio_id
		JOIN accounts a ON a.id = p.account_id
		WHERE n.due_at IS NOT NULL AND n.due_at <= $1 AND a.closed_at IS NULL
			AND (n.due_at, n.portfolio_id, n.ticket_id, n.recipient) > ($2, $3, $4, $5)
		ORDER BY n.due_at, n.portfolio_id, n.ticket_id, n.recipient
		LIMIT $6`,
		[]any{int64(at), int64(after.At), after.In.ID, after.TicketID, string(after.To), int64(most)},
		func(scan db.Scan) error {
			due = append(due, tenantportal.DueNotice{})
			d := &due[len(due)-1]
			return scan(&d.In.ID, &d.In.Mode, &d.TicketID, &d.To, &d.At)
		})
	return due, err
}

// AccountOpen reports whether the account of a portfolio is open.
func (s *Store) AccountOpen(ctx context.Context, in access.Portfolio) (bool, error) {
	var one int
	return s.db.One(ctx, `SELECT 1
		FROM portfolios p
		JOIN accounts a ON a.id = p.account_id
		WHERE p.id = $1 AND a.closed_at IS NULL`, []any{in.ID}, &one)
}

// MailStopped is when a tenant stopped emails about tickets, by their latest link, nil where they did not.
func (s *Store) MailStopped(ctx context.Context, in access.Portfolio, tenantID string) (at *clock.Time, err error) {
	_, err = s.db.One(ctx, `SELECT mail_stopped_at
		FROM tenant_links
		WHERE portfolio_id = $1 AND tenant_id = $2
		ORDER BY id DESC
		LIMIT 1`, []any{in.ID, tenantID}, &at)
	return at, err
}

// SaveMailStopped writes when the tenant whose link is live stopped emails about tickets, nil where they want them.
func (s *Store) SaveMailStopped(ctx context.Context, in access.Portfolio, tenantID string, at *clock.Time) error {
	_, err := s.db.Exec(ctx, `UPDATE tenant_links
		SET mail_stopped_at = $3
		WHERE portfolio_id = $1 AND tenant_id = $2 AND ended_at IS NULL`, in.ID, tenantID, at)
	return err
}
