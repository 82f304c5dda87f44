// Package retentionstore is the end of what is to be kept no longer: closed accounts, and what has expired.
//
// It knows no HTTP, nor when it runs.
package retentionstore

import (
	"context"
	"slices"
	"strings"

	"portal/api/clock"
	"portal/api/payment"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
	"portal/db"
	"portal/db/rows"
)

// Whose rows are touched: $1 is an account.
const (
	itsPortfolios = "portfolio_id IN (SELECT id FROM portfolios WHERE account_id = $1)"
	itsDemo       = "portfolio_id IN (SELECT id FROM portfolios WHERE account_id = $1 AND mode = 'test')"
)

// CloseAccount notes that an account is closed, and ends autopay and invitations: those to tenants that have
// one of some statuses, and all those to the team. false says that it was closed before.
func (s Accounts) CloseAccount(
	ctx context.Context, accountID string, open []application.InvitationStatus, now clock.Time,
) (closed bool, err error) {
	err = s.db.Atomically(ctx, func(ctx context.Context) error {
		n, err := s.db.Exec(
			ctx,
			"UPDATE accounts SET closed_at = $2 WHERE id = $1 AND closed_at IS NULL",
			accountID,
			int64(now),
		)
		if closed = n == 1; err != nil || !closed {
			return err
		}
		_, err = s.db.Exec(
			ctx,
			"UPDATE invitations SET status = $2 WHERE "+itsPortfolios+" AND "+rows.OneOf("status", open),
			accountID,
			string(application.InvitationCancelled),
		)
		if err != nil {
			return err
		}
		// What the processor keeps of tenants is released, and they are told. Who changes autopay holds the lock of its
		// portfolio, and would write it as it was.
		_, err = rows.All(ctx, s.db, "SELECT id FROM portfolios WHERE account_id = $1 ORDER BY id"+
			s.db.Locking(" FOR NO KEY UPDATE"), []any{accountID}, rows.Value[int64])
		if err != nil {
			return err
		}
		err = s.db.Run(ctx, `UPDATE payment_autopays
			SET status = $3, ended_why = $4, ended_at = $2, look_at = $2, next_on = NULL, act_on = NULL, told = NULL
			WHERE `+itsPortfolios+` AND status <> $3`,
			accountID, int64(now), string(payment.AutopayEnded), string(payment.EndedClosed))
		if err != nil {
			return err
		}
		return s.wipe(ctx, accountID, "DELETE FROM member_invitations WHERE account_id = $1")
	})
	return closed, err
}

// wipe runs statements whose one argument is an account.
func (s Accounts) wipe(ctx context.Context, accountID string, statements ...string) error {
	for _, statement := range statements {
		if err := s.db.Run(ctx, statement, accountID); err != nil {
			return err
		}
	}
	return nil
}

// ToErase are accounts that were closed before a moment and have not been erased.
func (s Accounts) ToErase(ctx context.Context, before clock.Time) ([]string, error) {
	return s.accounts(ctx, "closed_at < $1 AND erased_at IS NULL", before)
}

// ToDelete are accounts that were closed before a moment and have books left.
func (s Accounts) ToDelete(ctx context.Context, before clock.Time) ([]string, error) {
	return s.accounts(
		ctx,
		"closed_at < $1 AND EXISTS (SELECT 1 FROM portfolios p WHERE p.account_id = accounts.id)",
		before,
	)
}

func (s Accounts) accounts(ctx context.Context, where string, before clock.Time) ([]string, error) {
	return rows.All(ctx, s.db, "SELECT id FROM accounts WHERE "+where+
		" ORDER BY closed_at LIMIT 100", []any{int64(before)}, rows.Value[string])
}

// traffic is what went in and out of an account, in the order of the foreign keys.
var traffic = slices.Concat(deletions(itsPortfolios,
	"endpoint_hours", "delivery_attempts", "deliveries", "events", "webhook_endpoints", "imports",
	"applications", "invitations", "signing_codes", "tenant_link_tokens", "tenant_links", "mail_suppressions",
	"tool_calls", "assistant_clients",
	"rent_news", "rent_notices", "ticket_notices", "ticket_activities", "ticket_photos", "tickets", "verifications",
	"lease_template_attachments", "lease_templates", "library_documents",
), []string{
	"DELETE FROM mails WHERE account_id = $1 OR " + itsPortfolios,
	"DELETE FROM request_exchanges WHERE id IN (SELECT id FROM requests WHERE account_id = $1) AND " + itsPortfolios,
	"DELETE FROM requests WHERE account_id = $1",
	"DELETE FROM idempotency_keys WHERE key_id IN (SELECT id FROM api_keys WHERE account_id = $1)",
	"UPDATE access_requests SET company_name = NULL, contact_email = '', use_case = '', website_url = NULL, " +
		"review_notes = NULL, denial_reason = NULL WHERE account_id = $1",
	"DELETE FROM unit_requests WHERE account_id = $1",
	"DELETE FROM import_mappings WHERE account_id = $1",
	"UPDATE audit SET address = '', details = '{}' WHERE account_id = $1",
})

// contact erases contact details, and the names of people who have no lease and no ledger row.
var contact = []string{
	"DELETE FROM condition_photos WHERE " + itsPortfolios + " AND report_id IN (" + unsignedReports + ")",
	"DELETE FROM condition_reports WHERE " + itsPortfolios + " AND id IN (" + unsignedReports + ")",
	"DELETE FROM lease_amendments WHERE " + itsPortfolios + " AND signed_at IS NULL", // signed ones stay, as leases do
	"DELETE FROM document_evidence WHERE " + itsPortfolios + ofUnsigned("document_evidence"),
	"DELETE FROM document_versions WHERE " + itsPortfolios + ofUnsigned("document_versions"),
	"DELETE FROM documents WHERE " + itsPortfolios + " AND lease_id IN (" + unsigned("documents") + ")",
	"DELETE FROM lease_attachments WHERE " + itsPortfolios + " AND lease_id IN (" + unsigned("lease_attachments") + ")",
	"DELETE FROM lease_scans WHERE " + itsPortfolios + " AND lease_id IN (" + unsigned("lease_scans") + ")",
	"DELETE FROM lease_signers WHERE " + itsPortfolios + " AND lease_id IN (" + unsigned("lease_signers") + ")",
	"DELETE FROM leases WHERE " + itsPortfolios + " AND id IN (" + unsigned("leases") + `)
		AND NOT EXISTS (SELECT 1 FROM payments y WHERE y.portfolio_id = leases.portfolio_id AND
			y.lease_id = leases.id)`,
	"UPDATE leases SET terms = '{}' WHERE " + itsPortfolios + " AND id IN (" + unsigned("leases") + ")",
	`UPDATE tenants
		SET email = NULL, phone = NULL, alternate_email = NULL, alternate_phone = NULL,
			preferred_contact_method = NULL, mailing_address = NULL, emergency_contact = NULL, search_text = ' '
		WHERE ` + itsPortfolios,
	`UPDATE tenants
		SET first_name = 'Erased', last_name = 'Erased'
		WHERE ` + itsPortfolios + `
			AND NOT EXISTS (SELECT 1 FROM lease_signers p WHERE p.portfolio_id = tenants.portfolio_id
				AND p.tenant_id = tenants.id)
			AND NOT EXISTS (SELECT 1 FROM payments y WHERE y.portfolio_id = tenants.portfolio_id AND
				y.tenant_id = tenants.id)`,
}

// unsignedReports selects condition reports that nobody has signed: those that somebody has signed are kept as leases
// are, with their photos.
const unsignedReports = "SELECT c.id FROM condition_reports c WHERE " +
	"c.portfolio_id IN (SELECT id FROM portfolios WHERE account_id = $1) AND c.landlord_signed_at IS NULL"

// unsigned selects leases of the portfolio of a table's row that never bound anybody.
func unsigned(table string) string {
	return "SELECT l.id FROM leases l WHERE l.portfolio_id = " + table +
		".portfolio_id AND l.signed_at IS NULL AND " + rows.OneOf("l.status", portfolio.UnsignedLeases())
}

// ofUnsigned narrows a table of documents to those of leases that never bound anybody.
func ofUnsigned(table string) string {
	return " AND document_id IN (SELECT d.id FROM documents d WHERE d.portfolio_id = " + table +
		".portfolio_id AND d.lease_id IN (" + unsigned("d") + "))"
}

// Books are the tables of the records of portfolios, in the order of the foreign keys.
var Books = []string{
	"rent_news", "rent_notices",
	"payout_movements", "payouts", "payment_accounts", "simulated_sources", "payment_autopays",
	"simulated_payments", "payment_refunds", "payment_shares", "payment_attempts", "payment_transactions", "payments",
	"ticket_notices", "ticket_activities", "ticket_photos", "tickets",
	"executed_documents", "document_evidence", "document_versions", "documents", "lease_attachments", "lease_scans",
	"condition_photos", "condition_reports", "deposit_statements", "lease_notices", "lease_amendments",
	"lease_ending_answers", "lease_endings", "lease_signers", "leases", "tenants", "units", "properties",
}

// deletions delete rows of tables.
func deletions(whose string, tables ...string) (all []string) {
	for _, table := range tables {
		all = append(all, "DELETE FROM "+table+" WHERE "+whose)
	}
	return all
}

// their are the members of an account who are in no other one that is not erased.
const their = `IN (
	SELECT m.user_id
	FROM members m
	JOIN users u ON u.id = m.user_id AND u.role = 'landlord'
	WHERE m.account_id = $1 AND NOT EXISTS (
		SELECT 1
		FROM members o
		JOIN accounts a ON a.id = o.account_id
		WHERE o.user_id = m.user_id AND o.account_id <> $1 AND a.erased_at IS NULL))`

// persons is what is known of the members who have nothing else here.
var persons = []string{
	"DELETE FROM sessions WHERE user_id " + their,
	"DELETE FROM passkeys WHERE user_id " + their,
	"DELETE FROM recovery_codes WHERE user_id " + their,
	"DELETE FROM user_links WHERE user_id " + their,
	"DELETE FROM ceremonies WHERE user_id " + their,
	"DELETE FROM mails WHERE account_id IS NULL AND recipient IN (SELECT email FROM users WHERE id " + their + ")",
	"UPDATE audit SET address = '', details = '{}' WHERE user_id " + their,
	"UPDATE users SET email = id || '@erased.invalid', password_hash = '', totp_secret = NULL, totp_since = NULL " +
		"WHERE id " +
		their,
}

// EraseAccount forgets the persons of a closed account: the demo portfolio, what went in
// and out, and how tenants and members are reached. The ledger stays, and leases with the
// names of who signed them (docs/decisions). Each statement is a transaction of its own; an
// erasure that was cut short is taken up again.
func (s Accounts) EraseAccount(ctx context.Context, accountID string, now clock.Time) error {
	for _, part := range [][]string{traffic, deletions(itsDemo, Books...), contact, persons} {
		if err := s.wipe(ctx, accountID, part...); err != nil {
			return err
		}
	}
	return s.db.Run(ctx, "UPDATE accounts SET erased_at = $2 WHERE id = $1", accountID, int64(now))
}

// DeleteAccount deletes the books of an account that was closed years ago. Its row stays,
// without a name, as the trail points to it.
func (s Accounts) DeleteAccount(ctx context.Context, accountID string) error {
	if err := s.wipe(ctx, accountID, slices.Concat(traffic, deletions(itsPortfolios, Books...))...); err != nil {
		return err
	}
	return s.wipe(ctx, accountID,
		"DELETE FROM key_days WHERE account_id = $1",
		"DELETE FROM request_hours WHERE "+itsPortfolios,
		"DELETE FROM rent_days WHERE "+itsPortfolios,
		"DELETE FROM api_keys WHERE account_id = $1",
		"DELETE FROM members WHERE account_id = $1",
		"UPDATE accounts SET name = '', lease_details = NULL WHERE id = $1",
		"DELETE FROM lease_details WHERE "+itsPortfolios,
		"DELETE FROM demo_growth WHERE "+itsPortfolios,
		"DELETE FROM portfolios WHERE account_id = $1")
}

// endedUnsigned are the statuses of leases that will not be signed any more.
var endedUnsigned = []portfolio.LeaseStatus{portfolio.LeaseDeclined, portfolio.LeaseVoided}

// draftTables are what is kept of drafts: the rows of each as x, when they were made, their key, and how they are
// emptied.
var draftTables = [...]struct{ table, from, made, key, emptied string }{
	{"documents", "documents x", "created_at", "portfolio_id, id", "content = $1"},
	{
		"document_versions",
		"document_versions x JOIN documents d ON d.portfolio_id = x.portfolio_id AND d.id = x.document_id",
		"created_at", "portfolio_id, document_id, number", "content = $1, body = ''",
	},
	{"lease_attachments", "lease_attachments x", "uploaded_at", "portfolio_id, lease_id, id", "content = $1"},
}

// ForgetDrafts empties the documents of leases that nobody signed and that have ended before a moment:
// voided, declined or expired, and what was attached to them. Their hashes stay. It empties a bounded number, and tells
// how many.
func (s Accounts) ForgetDrafts(ctx context.Context, before clock.Time, most int) (forgotten int64, err error) {
	for _, t := range draftTables {
		lease := "x.lease_id"
		if t.table == "document_versions" {
			lease = "d.lease_id"
		}
		n, err := s.db.Exec(ctx, `UPDATE `+t.table+`
			SET `+t.emptied+`
			WHERE (`+t.key+`) IN (
				SELECT x.`+strings.ReplaceAll(t.key, ", ", ", x.")+`
				FROM `+t.from+`
				JOIN leases l ON l.portfolio_id = x.portfolio_id AND l.id = `+lease+`
				WHERE length(x.content) > 0 AND x.`+t.made+` < $2 AND l.signed_at IS NULL
					AND (`+rows.OneOf("l.status", endedUnsigned)+` AND l.updated_at < $2
						OR `+rows.Is("l.status", portfolio.LeaseDraft)+` AND l.expires_at < $2)
					AND NOT EXISTS (
						SELECT 1
						FROM lease_signers p
						WHERE p.portfolio_id = l.portfolio_id AND p.lease_id = l.id AND p.signed_at IS NOT NULL)
				ORDER BY x.`+t.made+`
				LIMIT $3)`, []byte{}, int64(before), most-int(forgotten))
		if forgotten += n; err != nil || forgotten == int64(most) {
			return forgotten, err
		}
	}
	return forgotten, nil
}

// expiring are the tables of what works until a moment, with its column and their key.
var expiring = [...]struct{ table, key, until string }{
	{"sessions", "token_hash", "expires_at"},
	{"sign_ups", "email", "expires_at"},
	{"user_links", "token_hash", "expires_at"},
	{"ceremonies", "id_hash", "expires_at"},
	{"signing_codes", "signer_id", "expires_at"},
	{"ticket_photos", "id", "expires_at"},
	{"member_invitations", "id", "expires_at"},
	{"throttles", "subject", "until"},
	{"sent_forms", "name", "expires_at"},
	{"sent_mails", "subject", "expires_at"},
}

// ForgetExpired deletes what has expired at a moment, sessions that have ended among it, a
// bounded number of each kind at a time, and tells how many of the kind with the most.
func (s Accounts) ForgetExpired(ctx context.Context, now clock.Time, most int) (forgotten int64, err error) {
	for _, e := range expiring {
		n, err := s.db.Exec(ctx, `DELETE FROM `+e.table+`
			WHERE `+e.until+` <= $1 AND `+e.key+` IN (
				SELECT `+e.key+`
				FROM `+e.table+`
				WHERE `+e.until+` <= $1
				ORDER BY `+e.until+`
				LIMIT $2)`, int64(now), most)
		if err != nil {
			return 0, err
		}
		forgotten = max(forgotten, n)
	}
	return forgotten, nil
}

// Accounts ends accounts and what has expired.
type Accounts struct{ db *db.DB }

// New is the store over a database.
func New(d *db.DB) Accounts { return Accounts{d} }
