package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/language"
	"portal/api/portfolio"
	"portal/api/tenantportal"
	"portal/db"
	"portal/db/rows"
)

// SaveTenant writes a tenant that has changed.
func (s *Store) SaveTenant(ctx context.Context, in access.Portfolio, t *portfolio.Tenant) error {
	return tenantTable.Save(ctx, s.db, in, t)
}

var tenantTable = rows.NewTable(
	"tenants",
	append(
		recordColumns(func(t *portfolio.Tenant) *portfolio.Record { return &t.Record }),
		rows.At("first_name", func(t *portfolio.Tenant) *string { return &t.FirstName }),
		rows.At("last_name", func(t *portfolio.Tenant) *string { return &t.LastName }),
		rows.At("email", func(t *portfolio.Tenant) **string { return &t.Email }),
		rows.At("phone", func(t *portfolio.Tenant) **string { return &t.Phone }),
		rows.At("alternate_email", func(t *portfolio.Tenant) **string { return &t.AlternateEmail }),
		rows.At("alternate_phone", func(t *portfolio.Tenant) **string { return &t.AlternatePhone }),
		rows.At(
			"preferred_contact_method",
			func(t *portfolio.Tenant) **portfolio.ContactMethod { return &t.PreferredContactMethod },
		),
		rows.JSONAt(
			"mailing_address",
			func(t *portfolio.Tenant) **portfolio.MailingAddress { return &t.MailingAddress },
		),
		rows.JSONAt(
			"emergency_contact",
			func(t *portfolio.Tenant) **portfolio.EmergencyContact { return &t.EmergencyContact },
		),
		rows.At("status", func(t *portfolio.Tenant) *portfolio.TenantStatus { return &t.Status }),
		rows.At("property_id", func(t *portfolio.Tenant) **string { return &t.PropertyID }),
		rows.At("unit_id", func(t *portfolio.Tenant) **string { return &t.UnitID }),
		rows.At("current_lease_id", func(t *portfolio.Tenant) **string { return &t.CurrentLeaseID }),
		rows.At("move_in_date", func(t *portfolio.Tenant) **clock.Date { return &t.MoveInDate }),
		rows.At("move_out_date", func(t *portfolio.Tenant) **clock.Date { return &t.MoveOutDate }),
		rows.Written("search_text", func(t *portfolio.Tenant) any { return string(t.SearchText()) }),
	)...).Completed(func(t *portfolio.Tenant, mode access.Mode) {
	t.Object, t.Mode, t.Name = "tenant", mode, t.FirstName+" "+t.LastName
})

// Tenants reads the tenants of a portfolio that pass the filter, one more than
// its limit.
func (s *Store) Tenants(
	ctx context.Context, in access.Portfolio, f portfolio.TenantFilter,
) ([]portfolio.Tenant, error) {
	if sort := forPeople(&f.Query, portfolio.TenantSorts()); sort && (f.Search == "" || f.Sort != "") {
		search, err := rows.Searched(ctx, s.db, in, tenantWords, f.Search)
		if err != nil {
			return nil, err
		}
		tenants, err := rows.ReadSorted(ctx, sortedTenants(s.db, in, f, search), tenantTable.Read(in))
		if err != nil {
			return nil, err
		}
		return tenants, s.leasesOf(ctx, in, tenants)
	}
	l := rows.Listed(s.db, tenantTable.Columns, "tenants", in, id.Tenant, f.Query)
	l.EqualFold("email", f.Email)
	l.Equal("unit_id", f.UnitID)
	l.Equal("property_id", f.PropertyID)
	l.Equal("status", string(f.Status))
	tenants, err := rows.Found(ctx, s.db, in, tenantWords, f.Search, l, tenantTable.Read(in))
	if err != nil {
		return nil, err
	}
	return tenants, s.leasesOf(ctx, in, tenants)
}

// Tenant reads one tenant, or fault.NotFound.
func (s *Store) Tenant(ctx context.Context, in access.Portfolio, id string) (portfolio.Tenant, error) {
	t, err := tenantTable.Record(ctx, s.db, "tenant", in, id)
	if err != nil {
		return t, err
	}
	one := []portfolio.Tenant{t}
	err = s.leasesOf(ctx, in, one)
	return one[0], err
}

// leasesOf fills the ids of the leases that name each tenant.
func (s *Store) leasesOf(ctx context.Context, in access.Portfolio, tenants []portfolio.Tenant) error {
	at := make(map[string]*portfolio.Tenant, len(tenants))
	ids := make([]string, len(tenants))
	for i := range tenants {
		tenants[i].LeaseIDs = []string{}
		ids[i], at[tenants[i].ID] = tenants[i].ID, &tenants[i]
	}
	if len(tenants) == 0 {
		return nil
	}
	these, args := s.db.Among([]any{in.ID}, ids)
	query := `SELECT tenant_id, lease_id
		FROM lease_signers
		WHERE portfolio_id = $1 AND tenant_id` + these + `
		ORDER BY tenant_id, lease_id`
	return s.db.EachPlanned(ctx, query, args, func(scan db.Scan) error {
		var tenant, lease string
		err := scan(&tenant, &lease)
		at[tenant].LeaseIDs = append(at[tenant].LeaseIDs, lease)
		return err
	})
}

var tenantLinkTable = rows.NewTable(
	"tenant_links",
	rows.At("id", func(l *tenantportal.Link) *string { return &l.ID }),
	rows.At("created_at", func(l *tenantportal.Link) *clock.Time { return &l.CreatedAt }),
	rows.At("tenant_id", func(l *tenantportal.Link) *string { return &l.TenantID }),
	rows.At("ended_at", func(l *tenantportal.Link) **clock.Time { return &l.EndedAt }),
	rows.At("sent_at", func(l *tenantportal.Link) **clock.Time { return &l.SentAt }),
	rows.At("email_status", func(l *tenantportal.Link) **string { return &l.EmailStatus }),
	rows.At("mail_stopped_at", func(l *tenantportal.Link) **clock.Time { return &l.MailStoppedAt }),
	rows.At("language", func(l *tenantportal.Link) *language.Language { return &l.Language }),
)

// TenantLink finds the link that is live whose token has a hash, or fault.NotFound. It sees all portfolios: the
// hash is what names one.
func (s *Store) TenantLink(ctx context.Context, hash []byte) (in access.Portfolio, l tenantportal.Link, err error) {
	err = rows.Find(ctx, s.db, "page", "SELECT p.id, p.mode, p.ahead_days, "+tenantLinkTable.Of("l")+`
		FROM tenant_link_tokens t
		JOIN tenant_links l ON l.portfolio_id = t.portfolio_id AND l.id = t.link_id
		JOIN portfolios p ON p.id = t.portfolio_id
		JOIN accounts a ON a.id = p.account_id
		WHERE t.hash = $1 AND l.ended_at IS NULL AND a.closed_at IS NULL`, []any{hash},
		append([]any{&in.ID, &in.Mode, &in.Ahead}, tenantLinkTable.Targets(&l)...)...)
	return in, l, err
}

// PortfolioOfTenant finds whose tenant an id names, or fault.NotFound. It sees all portfolios, one after the other.
func (s *Store) PortfolioOfTenant(ctx context.Context, tenantID string) (in access.Portfolio, err error) {
	err = rows.Find(ctx, s.db, "tenant", `SELECT p.id, p.mode, p.ahead_days
		FROM portfolios p
		JOIN accounts a ON a.id = p.account_id
		JOIN tenants t ON t.portfolio_id = p.id AND t.id = $1
		WHERE a.closed_at IS NULL`, []any{tenantID}, &in.ID, &in.Mode, &in.Ahead)
	return in, err
}

// LiveLink reads the link of a tenant that is live, and reports whether there is one.
func (s *Store) LiveLink(
	ctx context.Context, in access.Portfolio, tenantID string,
) (tenantportal.Link, bool, error) {
	return tenantLinkTable.First(ctx, s.db, "WHERE portfolio_id = $1 AND tenant_id = $2 AND ended_at IS NULL",
		in.ID, tenantID)
}

// LinkByID reads a link, live or ended, or fault.NotFound.
func (s *Store) LinkByID(ctx context.Context, in access.Portfolio, id string) (tenantportal.Link, error) {
	return tenantLinkTable.Record(ctx, s.db, "link", in, id)
}

// AddTenantLinks writes new links.
func (s *Store) AddTenantLinks(ctx context.Context, in access.Portfolio, all ...tenantportal.Link) error {
	return tenantLinkTable.Insert(ctx, s.db, in, all)
}

// AddToken writes the hash of a token of a link, along with the next statement of the transaction.
func (s *Store) AddToken(ctx context.Context, in access.Portfolio, linkID string, hash []byte, at clock.Time) error {
	return s.db.Later(ctx, `INSERT INTO tenant_link_tokens (hash, portfolio_id, link_id, created_at)
		VALUES ($1, $2, $3, $4)`, hash, in.ID, linkID, int64(at))
}

// SaveLinkLanguage notes the language in which a tenant reads their page.
func (s *Store) SaveLinkLanguage(
	ctx context.Context, in access.Portfolio, linkID string, chosen language.Language,
) error {
	return s.db.Run(ctx, `UPDATE tenant_links
		SET language = $3
		WHERE portfolio_id = $1 AND id = $2`, in.ID, linkID, string(chosen))
}

// TenantLanguage is the language that a tenant has chosen: on their page by their latest link, or else as a signer of
// their latest lease. It is language.Unchosen where they have chosen none.
func (s *Store) TenantLanguage(
	ctx context.Context, in access.Portfolio, tenantID string,
) (chosen language.Language, err error) {
	found, err := s.db.One(ctx, `SELECT language
		FROM tenant_links
		WHERE portfolio_id = $1 AND tenant_id = $2 AND language <> ''
		ORDER BY id DESC
		LIMIT 1`, []any{in.ID, tenantID}, &chosen)
	if err != nil || found {
		return chosen, err
	}
	_, err = s.db.One(ctx, `SELECT language
		FROM lease_signers
		WHERE portfolio_id = $1 AND tenant_id = $2 AND language <> ''
		ORDER BY lease_id DESC
		LIMIT 1`, []any{in.ID, tenantID}, &chosen)
	return chosen, err
}

// EndLink ends the link of a tenant that is live, and reports whether there was one.
func (s *Store) EndLink(ctx context.Context, in access.Portfolio, tenantID string, at clock.Time) (bool, error) {
	return s.db.Changes(ctx, `UPDATE tenant_links
		SET ended_at = $3
		WHERE portfolio_id = $1 AND tenant_id = $2 AND ended_at IS NULL`, in.ID, tenantID, int64(at))
}

// SaveLinkSent notes that a token was emailed, unless at is nil, and what became of the email.
func (s *Store) SaveLinkSent(
	ctx context.Context, in access.Portfolio, linkID string, at *clock.Time, status string,
) error {
	return s.db.Run(ctx, `UPDATE tenant_links
		SET sent_at = COALESCE($3, sent_at), email_status = $4
		WHERE portfolio_id = $1 AND id = $2`, in.ID, linkID, at, status)
}
