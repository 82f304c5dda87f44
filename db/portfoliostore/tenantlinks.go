package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/tenantportal"
	"portal/db/rows"
)

// tenantLinkTable has the columns of links, and where in a link their values are.
var tenantLinkTable = rows.NewTable(
	"tenant_links",
	rows.At("id", func(l *tenantportal.Link) *string { return &l.ID }),
	rows.At("created_at", func(l *tenantportal.Link) *clock.Time { return &l.CreatedAt }),
	rows.At("tenant_id", func(l *tenantportal.Link) *string { return &l.TenantID }),
	rows.At("ended_at", func(l *tenantportal.Link) **clock.Time { return &l.EndedAt }),
	rows.At("sent_at", func(l *tenantportal.Link) **clock.Time { return &l.SentAt }),
	rows.At("email_status", func(l *tenantportal.Link) **string { return &l.EmailStatus }),
	rows.At("mail_stopped_at", func(l *tenantportal.Link) **clock.Time { return &l.MailStoppedAt }),
)

// TenantLink finds the link that is live whose token has a hash, or fault.NotFound. It sees all portfolios: the
// hash is what names one.
func (s *Store) TenantLink(ctx context.Context, hash []byte) (in access.Portfolio, l tenantportal.Link, err error) {
	found, err := s.db.One(ctx, "SELECT p.id, p.mode, "+tenantLinkTable.Of("l")+`
		FROM tenant_link_tokens t
		JOIN tenant_links l ON l.portfolio_id = t.portfolio_id AND l.id = t.link_id
		JOIN portfolios p ON p.id = t.portfolio_id
		JOIN accounts a ON a.id = p.account_id
		WHERE t.hash = $1 AND l.ended_at IS NULL AND a.closed_at IS NULL`, []any{hash},
		append([]any{&in.ID, &in.Mode}, tenantLinkTable.Targets(&l)...)...)
	if err == nil && !found {
		err = fault.NotFound("page")
	}
	return in, l, err
}

// PortfolioOfTenant finds whose tenant an id names, or fault.NotFound. It sees all portfolios, one after the other.
func (s *Store) PortfolioOfTenant(ctx context.Context, tenantID string) (in access.Portfolio, err error) {
	found, err := s.db.One(ctx, `SELECT p.id, p.mode
		FROM portfolios p
		JOIN accounts a ON a.id = p.account_id
		JOIN tenants t ON t.portfolio_id = p.id AND t.id = $1
		WHERE a.closed_at IS NULL`, []any{tenantID}, &in.ID, &in.Mode)
	if err == nil && !found {
		err = fault.NotFound("tenant")
	}
	return in, err
}

// LiveLink reads the link of a tenant that is live, and reports whether there is one.
func (s *Store) LiveLink(
	ctx context.Context, in access.Portfolio, tenantID string,
) (l tenantportal.Link, found bool, err error) {
	found, err = s.db.One(ctx, "SELECT "+tenantLinkTable.Columns+` FROM tenant_links
		WHERE portfolio_id = $1 AND tenant_id = $2 AND ended_at IS NULL`, []any{in.ID, tenantID},
		tenantLinkTable.Targets(&l)...)
	return l, found, err
}

// LinkByID reads a link, live or ended, or fault.NotFound.
func (s *Store) LinkByID(ctx context.Context, in access.Portfolio, id string) (l tenantportal.Link, err error) {
	found, err := s.db.One(ctx, "SELECT "+tenantLinkTable.Columns+` FROM tenant_links
		WHERE portfolio_id = $1 AND id = $2`, []any{in.ID, id}, tenantLinkTable.Targets(&l)...)
	if err == nil && !found {
		err = fault.NotFound("link")
	}
	return l, err
}

// AddTenantLink writes a new link.
func (s *Store) AddTenantLink(ctx context.Context, in access.Portfolio, l *tenantportal.Link) error {
	return tenantLinkTable.Insert(ctx, s.db, in, []tenantportal.Link{*l})
}

// AddToken writes the hash of a token of a link.
func (s *Store) AddToken(ctx context.Context, in access.Portfolio, linkID string, hash []byte, at clock.Time) error {
	_, err := s.db.Exec(ctx, `INSERT INTO tenant_link_tokens (hash, portfolio_id, link_id, created_at)
		VALUES ($1, $2, $3, $4)`, hash, in.ID, linkID, int64(at))
	return err
}

// EndLink ends the link of a tenant that is live, and reports whether there was one.
func (s *Store) EndLink(ctx context.Context, in access.Portfolio, tenantID string, at clock.Time) (bool, error) {
	n, err := s.db.Exec(ctx, `UPDATE tenant_links
		SET ended_at = $3
		WHERE portfolio_id = $1 AND tenant_id = $2 AND ended_at IS NULL`, in.ID, tenantID, int64(at))
	return n == 1, err
}

// SaveLinkSent notes that a token was emailed, unless at is nil, and what became of the email.
func (s *Store) SaveLinkSent(
	ctx context.Context, in access.Portfolio, linkID string, at *clock.Time, status string,
) error {
	_, err := s.db.Exec(ctx, `UPDATE tenant_links
		SET sent_at = COALESCE($3, sent_at), email_status = $4
		WHERE portfolio_id = $1 AND id = $2`, in.ID, linkID, at, status)
	return err
}
