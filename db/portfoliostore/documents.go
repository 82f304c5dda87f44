package portfoliostore

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/agreement/evidence"
	"portal/api/clock"
	"portal/api/language"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/rows"
)

// pdfType is the media type of a document.
const pdfType = "application/pdf"

// AddDocument writes a new document with its first version and the log that begins with it. The content
// is that of the version.
func (s *Store) AddDocument(
	ctx context.Context, in access.Portfolio, d *agreement.Document, log []evidence.Entry,
) error {
	return s.db.Atomically(ctx, func(ctx context.Context) error {
		_, err := s.db.Exec(
			ctx,
			`INSERT INTO documents (portfolio_id, id, created_at, lease_id, media_type, sha256, content, version,
				evidence_key, sending_recorded)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 1)`,
			in.ID,
			d.ID,
			d.CreatedAt,
			d.LeaseID,
			pdfType,
			d.SHA256,
			[]byte{},
			d.Number,
			d.EvidenceKey,
		)
		if err != nil {
			return err
		}
		if err := s.addVersion(ctx, in, d); err != nil {
			return err
		}
		return s.AddEvidence(ctx, in, d, log)
	})
}

// AddVersion appends the version of a document. The one before is emptied where nobody has viewed it.
func (s *Store) AddVersion(ctx context.Context, in access.Portfolio, d *agreement.Document) error {
	return s.db.Atomically(ctx, func(ctx context.Context) error {
		_, err := s.db.Exec(ctx, `UPDATE document_versions
			SET body = '', content = $4
			WHERE portfolio_id = $1 AND document_id = $2 AND number = $3 AND viewed_at IS NULL`,
			in.ID, d.ID, d.Number-1, []byte{})
		if err != nil {
			return err
		}
		if err := s.addVersion(ctx, in, d); err != nil {
			return err
		}
		return rows.Save(ctx, s.db, in, "documents", "id, created_at, sha256, content, version", []any{
			d.ID, d.CreatedAt, d.SHA256, []byte{}, d.Number,
		})
	})
}

func (s *Store) addVersion(ctx context.Context, in access.Portfolio, d *agreement.Document) error {
	return versionTable.Add(ctx, s.db, &d.Version, "portfolio_id", in.ID, "document_id", d.ID)
}

var versionTable = rows.NewTable(
	"document_versions",
	rows.At("number", func(v *agreement.Version) *int { return &v.Number }),
	rows.At("created_at", func(v *agreement.Version) *clock.Time { return &v.CreatedAt }),
	rows.At("body", func(v *agreement.Version) *string { return &v.Body }),
	rows.At("sha256", func(v *agreement.Version) *string { return &v.SHA256 }),
	rows.At("content", func(v *agreement.Version) *[]byte { return &v.Content }),
)

var entryTable = rows.NewTable(
	"document_evidence",
	rows.At("number", func(e *evidence.Entry) *int { return &e.Number }),
	rows.At("at", func(e *evidence.Entry) *clock.Time { return &e.At }),
	rows.At("kind", func(e *evidence.Entry) *evidence.Kind { return &e.Kind }),
	rows.At("party", func(e *evidence.Entry) *string { return &e.Party }),
	rows.At("name", func(e *evidence.Entry) *string { return &e.Name }),
	rows.At("address", func(e *evidence.Entry) *string { return &e.Address }),
	rows.At("browser", func(e *evidence.Entry) *string { return &e.Browser }),
	rows.At("document", func(e *evidence.Entry) *string { return &e.Document }),
	rows.At("note", func(e *evidence.Entry) *string { return &e.Note }),
	rows.At("previous", func(e *evidence.Entry) *string { return &e.Previous }),
	rows.At("hash", func(e *evidence.Entry) *string { return &e.Hash }),
)

// AddEvidence writes entries of the log of a document, and its anchor.
func (s *Store) AddEvidence(
	ctx context.Context, in access.Portfolio, d *agreement.Document, log []evidence.Entry,
) error {
	return s.db.Atomically(ctx, func(ctx context.Context) error {
		for i := range log {
			if err := entryTable.Add(ctx, s.db, &log[i], "portfolio_id", in.ID, "document_id", d.ID); err != nil {
				return err
			}
		}
		return rows.Save(
			ctx,
			s.db,
			in,
			"documents",
			"id, evidence_key, evidence_count, evidence_head, evidence_mac",
			[]any{d.ID, d.EvidenceKey, d.Anchor.Count, d.Anchor.Head, d.Anchor.MAC},
		)
	})
}

const ofDocument = "WHERE portfolio_id = $1 AND document_id = $2 ORDER BY number"

// Evidence reads the log of a document.
func (s *Store) Evidence(
	ctx context.Context, in access.Portfolio, documentID string,
) ([]evidence.Entry, error) {
	return entryTable.All(ctx, s.db, ofDocument, in.ID, documentID)
}

// EachVersion reads the versions of a document, the first one first and one after the other.
func (s *Store) EachVersion(
	ctx context.Context, in access.Portfolio, documentID string, each func(*agreement.Version) error,
) error {
	return versionTable.Each(ctx, s.db, each, ofDocument, in.ID, documentID)
}

// Document finds a document with its latest version and the portfolio that it belongs to, or
// fault.NotFound. Who asks has shown that they hold its link.
func (s *Store) Document(ctx context.Context, id string) (in access.Portfolio, d agreement.Document, err error) {
	return s.document(ctx, id, "a.closed_at IS NULL")
}

// document finds a document of those accounts that are meant.
func (s *Store) document(
	ctx context.Context, id, accounts string,
) (in access.Portfolio, d agreement.Document, err error) {
	d.ID = id
	err = rows.Find(ctx, s.db, "document", `SELECT p.id, p.mode, p.ahead_days, d.lease_id, d.version,
			COALESCE(v.created_at, d.created_at), COALESCE(v.body, ''), d.sha256, COALESCE(v.content, d.content),
			d.evidence_key, d.evidence_count, d.evidence_head, d.evidence_mac
		FROM documents d`+s.db.IndexedBy("documents_id")+`
		JOIN portfolios p ON p.id = d.portfolio_id
		JOIN accounts a ON a.id = p.account_id
		LEFT JOIN document_versions v ON v.portfolio_id = d.portfolio_id AND v.document_id = d.id
			AND v.number = d.version
		WHERE d.id = $1 AND `+accounts, []any{id},
		&in.ID, &in.Mode, &in.Ahead, &d.LeaseID, &d.Number, &d.CreatedAt, &d.Body, &d.SHA256, &d.Content,
		&d.EvidenceKey, &d.Anchor.Count, &d.Anchor.Head, &d.Anchor.MAC)
	return in, d, err
}

// AddExecution writes a document as all have signed it, once.
func (s *Store) AddExecution(ctx context.Context, in access.Portfolio, e *agreement.Execution) error {
	return executionTable.Add(ctx, s.db, e, "portfolio_id", in.ID)
}

// Execution finds what a document has become that all have signed, or fault.NotFound. Who asks has shown
// that they hold its link, which does not end with the account.
func (s *Store) Execution(ctx context.Context, documentID string) (agreement.Execution, error) {
	return executionTable.Only(ctx, s.db, "signed document", `WHERE (portfolio_id, document_id) = (
			SELECT d.portfolio_id, d.id
			FROM documents d`+s.db.IndexedBy("documents_id")+`
			WHERE d.id = $1)`, documentID)
}

var executionTable = rows.NewTable(
	"executed_documents",
	rows.At("document_id", func(e *agreement.Execution) *string { return &e.DocumentID }),
	rows.At("version", func(e *agreement.Execution) *int { return &e.Version }),
	rows.At("created_at", func(e *agreement.Execution) *clock.Time { return &e.CreatedAt }),
	rows.At("sha256", func(e *agreement.Execution) *string { return &e.SHA256 }),
	rows.At("content", func(e *agreement.Execution) *[]byte { return &e.Content }),
)

// LeaseDetails reads what leases of a portfolio say of the landlord, and whether anybody has said it.
func (s *Store) LeaseDetails(ctx context.Context, in access.Portfolio) (d agreement.Details, found bool, err error) {
	return detailsTable.First(ctx, s.db, "WHERE portfolio_id = $1", in.ID)
}

// detailsTable has the columns of what leases say of the landlord, and where its values are.
var detailsTable = rows.NewTable(
	"lease_details",
	rows.At("version", func(d *agreement.Details) *int64 { return &d.Version }),
	rows.At("name", func(d *agreement.Details) **string { return &d.Name }),
	rows.At("address", func(d *agreement.Details) **string { return &d.Address }),
	rows.At("phone", func(d *agreement.Details) **string { return &d.Phone }),
	rows.At("signer", func(d *agreement.Details) **string { return &d.Signer }),
	rows.At("title", func(d *agreement.Details) **string { return &d.Title }),
	rows.At("lead_warning", func(d *agreement.Details) *string { return &d.LeadWarning }),
)

// SaveLeaseDetails writes it.
func (s *Store) SaveLeaseDetails(ctx context.Context, in access.Portfolio, d *agreement.Details, at clock.Time) error {
	replace := "ON CONFLICT (portfolio_id) DO UPDATE SET updated_at = excluded.updated_at, " + detailsTable.Excluded()
	_, err := detailsTable.AddOr(ctx, s.db, replace, d, "portfolio_id", in.ID, "updated_at", at)
	return err
}

// Untold are portfolios with a log that has grown since its head was told, in the order of their ids, behind
// one and at most so many.
func (s *Store) Untold(ctx context.Context, behind int64, most int) ([]access.Portfolio, error) {
	query := `SELECT p.id, p.mode, p.ahead_days
		FROM portfolios p
		WHERE p.id > $1 AND p.id IN (
			SELECT d.portfolio_id
			FROM documents d` + s.db.IndexedBy("documents_untold") + `
			WHERE d.evidence_count > d.evidence_told)
		ORDER BY p.id
		LIMIT $2`
	return rows.All(ctx, s.db, query, []any{behind, int64(most)}, func(scan db.Scan, in *access.Portfolio) error {
		return scan(&in.ID, &in.Mode, &in.Ahead)
	})
}

// TakeUntold marks the heads of a portfolio that were not told as told, and gives them in the order of their
// leases. One statement does both, so that exactly what it gives is marked.
func (s *Store) TakeUntold(ctx context.Context, in access.Portfolio) ([]evidence.Head, error) {
	query := `UPDATE documents` + s.db.IndexedBy("documents_untold") + `
		SET evidence_told = evidence_count
		WHERE portfolio_id = $1 AND evidence_count > evidence_told
		RETURNING lease_id, id, evidence_count, evidence_head, COALESCE((
			SELECT l.rental_address
			FROM leases l
			WHERE l.portfolio_id = documents.portfolio_id AND l.id = documents.lease_id), '')`
	all, err := rows.All(ctx, s.db, query, []any{in.ID}, func(scan db.Scan, h *evidence.Head) error {
		return scan(&h.LeaseID, &h.DocumentID, &h.Entries, &h.Hash, &h.Address)
	})
	slices.SortFunc(all, func(a, b evidence.Head) int {
		return cmp.Or(cmp.Compare(a.LeaseID, b.LeaseID), cmp.Compare(a.DocumentID, b.DocumentID))
	})
	return all, err
}

// HeadOwners are the owners of a portfolio's account who want the heads by email: nobody where the account is
// closed.
func (s *Store) HeadOwners(ctx context.Context, in access.Portfolio) ([]evidence.HeadOwner, error) {
	return rows.All(ctx, s.db, `SELECT a.id, a.name, u.email
		FROM portfolios p
		JOIN accounts a ON a.id = p.account_id
		JOIN members m ON m.account_id = a.id
		JOIN users u ON u.id = m.user_id
		WHERE p.id = $1 AND a.closed_at IS NULL AND m.role = 'owner' AND m.evidence_mail = 1
		ORDER BY m.created_at, u.id`, []any{in.ID}, func(scan db.Scan, o *evidence.HeadOwner) error {
		return scan(&o.AccountID, &o.Account, &o.Email)
	})
}

// ExecutedAs finds the document that all have signed whose PDF has a SHA-256, of all portfolios: who asks has
// those very bytes, and knows what they say.
func (s *Store) ExecutedAs(ctx context.Context, sha256 string) (string, error) {
	return rows.Only(ctx, s.db, "signed document", `SELECT document_id
		FROM executed_documents`+s.db.IndexedBy("executed_documents_sha256")+`
		WHERE sha256 = $1
		ORDER BY created_at
		LIMIT 1`, []any{sha256}, rows.Value[string])
}

// VersionAs finds the version of a document whose PDF has a SHA-256, of all portfolios, like ExecutedAs.
func (s *Store) VersionAs(ctx context.Context, sha256 string) (documentID string, number int, err error) {
	err = rows.Find(ctx, s.db, "version", `SELECT document_id, number
		FROM document_versions`+s.db.IndexedBy("document_versions_sha256")+`
		WHERE sha256 = $1
		ORDER BY created_at
		LIMIT 1`, []any{sha256}, &documentID, &number)
	return documentID, number, err
}

// OfLease finds the latest document of a lease, of all portfolios: who asks has a file with its number, and is
// told nothing that is kept.
func (s *Store) OfLease(ctx context.Context, leaseID string) (string, error) {
	return rows.Only(ctx, s.db, "document", `SELECT id
		FROM documents`+s.db.IndexedBy("documents_lease_id")+`
		WHERE lease_id = $1
		ORDER BY created_at DESC, id DESC
		LIMIT 1`, []any{leaseID}, rows.Value[string])
}

// Kept is Document, of accounts that were closed too: whoever has a lease may see that it is genuine for as
// long as it is kept.
func (s *Store) Kept(ctx context.Context, id string) (in access.Portfolio, d agreement.Document, err error) {
	return s.document(ctx, id, "TRUE")
}

// Signer finds a signer, the lease and the portfolio, or fault.NotFound. Who asks has shown that they hold
// the signer's link.
func (s *Store) Signer(
	ctx context.Context, id string,
) (in access.Portfolio, leaseID string, signer agreement.SignerState, err error) {
	err = rows.Find(ctx, s.db, "signer", `SELECT `+signerTable.Columns+`, portfolio_id,
			(SELECT mode FROM portfolios p WHERE p.id = portfolio_id),
		(SELECT ahead_days FROM portfolios p WHERE p.id = portfolio_id), lease_id
		FROM lease_signers`+s.db.IndexedBy("lease_signers_id")+`
		WHERE id = $1 AND EXISTS (
			SELECT 1
			FROM portfolios p
			JOIN accounts a ON a.id = p.account_id
			WHERE p.id = portfolio_id AND a.closed_at IS NULL)`, []any{id},
		append(signerTable.Targets(&signer), &in.ID, &in.Mode, &in.Ahead, &leaseID)...)
	return in, leaseID, signer, err
}

// SaveView notes when a signer first looked at a lease, and at which version last. The version is kept
// from then on.
func (s *Store) SaveView(
	ctx context.Context, in access.Portfolio, documentID string, signer *agreement.SignerState,
) error {
	return s.db.Atomically(ctx, func(ctx context.Context) error {
		_, err := s.db.Exec(ctx, `UPDATE document_versions
			SET viewed_at = COALESCE(viewed_at, $4)
			WHERE portfolio_id = $1 AND document_id = $2 AND number = $3`,
			in.ID, documentID, signer.ViewedVersion, signer.ViewedAt)
		if err != nil {
			return err
		}
		return s.save(ctx, in, signer, "viewed_at = $3, viewed_version = $4", signer.ViewedAt, signer.ViewedVersion)
	})
}

// SaveConsent notes when a signer agreed to electronic records.
func (s *Store) SaveConsent(ctx context.Context, in access.Portfolio, signer *agreement.SignerState) error {
	return s.save(ctx, in, signer, "consented_at = $3", signer.ConsentedAt)
}

// SaveDecline notes when a signer declined, and why.
func (s *Store) SaveDecline(ctx context.Context, in access.Portfolio, signer *agreement.SignerState) error {
	return s.save(ctx, in, signer, "declined_at = $3, decline_reason = $4", signer.DeclinedAt, signer.DeclineReason)
}

func (s *Store) save(
	ctx context.Context, in access.Portfolio, signer *agreement.SignerState, set string, values ...any,
) error {
	n, err := s.db.Exec(ctx, "UPDATE lease_signers SET "+set+
		" WHERE portfolio_id = $1 AND id = $2 AND signed_at IS NULL", append([]any{in.ID, signer.ID}, values...)...)
	if err == nil && n != 1 {
		err = fmt.Errorf("%d signers %s have yet to sign", n, signer.ID)
	}
	return err
}

// SaveSent notes that the link was sent to a signer.
func (s *Store) SaveSent(ctx context.Context, in access.Portfolio, signer *agreement.SignerState) error {
	return s.save(ctx, in, signer, "sent_at = $3, email_status = $4", signer.SentAt, signer.EmailStatus)
}

// Sending tells whether the lease of a document was sent for signature; one that is not there was not. A node of the
// version before, which may run beside this one, sends a lease when it makes it and records nothing of that.
func (s *Store) Sending(
	ctx context.Context, in access.Portfolio, documentID string,
) (sending agreement.Sending, err error) {
	_, err = s.db.One(ctx, `SELECT CASE WHEN sending_recorded = 1 THEN send_requested_at ELSE created_at END,
			CASE WHEN sending_recorded = 1 THEN sent_at ELSE created_at END
		FROM documents
		WHERE portfolio_id = $1 AND id = $2`, []any{in.ID, documentID}, &sending.RequestedAt, &sending.SentAt)
	return sending, err
}

// SaveSending notes that somebody asked for a lease to be sent, and that it was.
func (s *Store) SaveSending(
	ctx context.Context, in access.Portfolio, documentID string, sending agreement.Sending,
) error {
	return rows.Save(ctx, s.db, in, "documents", "id, send_requested_at, sent_at, sending_recorded",
		[]any{documentID, sending.RequestedAt, sending.SentAt, int64(1)})
}

// WaitingToSend are leases of open accounts that are to be sent and are not, in the order of their ids behind one, at
// most so many.
func (s *Store) WaitingToSend(ctx context.Context, behind string, most int) ([]agreement.Waiting, error) {
	query := `SELECT p.id, p.mode, p.ahead_days, d.lease_id
		FROM documents d` + s.db.IndexedBy("documents_waiting") + `
		JOIN leases l ON l.portfolio_id = d.portfolio_id AND l.id = d.lease_id
		JOIN portfolios p ON p.id = d.portfolio_id
		JOIN accounts a ON a.id = p.account_id
		WHERE d.send_requested_at IS NOT NULL AND d.sent_at IS NULL AND d.lease_id > $1 AND a.closed_at IS NULL
			AND ` + rows.OneOf("l.status", portfolio.OfferedLeases()) + `
		ORDER BY d.lease_id
		LIMIT $2`
	return rows.All(ctx, s.db, query, []any{behind, int64(most)}, func(scan db.Scan, w *agreement.Waiting) error {
		return scan(&w.In.ID, &w.In.Mode, &w.In.Ahead, &w.LeaseID)
	})
}

// SaveEndedLinks notes how many links of a signer have ended, also of one who has signed.
func (s *Store) SaveEndedLinks(ctx context.Context, in access.Portfolio, signer *agreement.SignerState) error {
	return s.db.Run(ctx, "UPDATE lease_signers SET ended_links = $3 WHERE portfolio_id = $1 AND id = $2",
		in.ID, signer.ID, signer.EndedLinks)
}

// SaveLanguage notes the language in which a signer reads, also of one who has signed.
func (s *Store) SaveLanguage(ctx context.Context, in access.Portfolio, signer *agreement.SignerState) error {
	return s.db.Run(ctx, "UPDATE lease_signers SET language = $3 WHERE portfolio_id = $1 AND id = $2",
		in.ID, signer.ID, string(signer.Language))
}

// SaveEmailStatus notes what became of the latest email.
func (s *Store) SaveEmailStatus(ctx context.Context, in access.Portfolio, signerID, status string) error {
	return s.db.Run(ctx, "UPDATE lease_signers SET email_status = $3 WHERE portfolio_id = $1 AND id = $2",
		in.ID, signerID, status)
}

// SaveReminded notes how many reminders were sent. The next one counts from the first email on.
func (s *Store) SaveReminded(ctx context.Context, in access.Portfolio, signerID string, n int, sent *clock.Time) error {
	return s.save(ctx, in, &agreement.SignerState{ID: signerID}, "reminders = $3, sent_at = $4", n, sent)
}

// ToRemind finds signers of leases of open accounts that can be signed who were reminded so often, and
// whose link was sent at a moment or before it: at most so many.
func (s *Store) ToRemind(ctx context.Context, reminded int, sent clock.Time, most int) ([]ceremony.Due, error) {
	query := `SELECT p.id, p.mode, p.ahead_days, s.id
		FROM lease_signers s` + s.db.IndexedBy("lease_signers_sent") + `
		JOIN leases l ON l.portfolio_id = s.portfolio_id AND l.id = s.lease_id
		JOIN portfolios p ON p.id = s.portfolio_id
		JOIN accounts a ON a.id = p.account_id
		WHERE s.sent_at IS NOT NULL AND s.signed_at IS NULL AND s.declined_at IS NULL AND s.reminders < 2
			AND s.sent_at <= $1 AND s.reminders = $2 AND a.closed_at IS NULL
				AND ` + rows.OneOf("l.status", portfolio.OfferedLeases()) + `
		ORDER BY s.sent_at
		LIMIT $3`
	args := []any{int64(sent), int64(reminded), int64(most)}
	return rows.All(ctx, s.db, query, args, func(scan db.Scan, d *ceremony.Due) error {
		return scan(&d.In.ID, &d.In.Mode, &d.In.Ahead, &d.SignerID)
	})
}

var signerTable = rows.NewTable(
	"lease_signers",
	rows.At("position", func(s *agreement.SignerState) *int { return &s.Position }),
	rows.At("id", func(s *agreement.SignerState) *string { return &s.ID }),
	rows.At("tenant_id", func(s *agreement.SignerState) **string { return &s.TenantID }),
	rows.At("role", func(s *agreement.SignerState) *string { return &s.Role }),
	rows.At("name", func(s *agreement.SignerState) *string { return &s.Name }),
	rows.At("title", func(s *agreement.SignerState) **string { return &s.Title }),
	rows.Read("viewed_at", func(s *agreement.SignerState) **clock.Time { return &s.ViewedAt }),
	rows.Read("COALESCE(viewed_version, 0)", func(s *agreement.SignerState) *int { return &s.ViewedVersion }),
	rows.Read("consented_at", func(s *agreement.SignerState) **clock.Time { return &s.ConsentedAt }),
	rows.Read("signed_at", func(s *agreement.SignerState) **clock.Time { return &s.SignedAt }),
	rows.Read("COALESCE(signed_version, 0)", func(s *agreement.SignerState) *int { return &s.SignedVersion }),
	rows.Read("COALESCE(signed_name, '')", func(s *agreement.SignerState) *string { return &s.SignedName }),
	rows.Read("paper_signed_on", func(s *agreement.SignerState) **clock.Date { return &s.PaperSignedOn }),
	rows.Read("declined_at", func(s *agreement.SignerState) **clock.Time { return &s.DeclinedAt }),
	rows.Read("decline_reason", func(s *agreement.SignerState) **string { return &s.DeclineReason }),
	rows.Read("sent_at", func(s *agreement.SignerState) **clock.Time { return &s.SentAt }),
	rows.Read("email_status", func(s *agreement.SignerState) **string { return &s.EmailStatus }),
	rows.Read("reminders", func(s *agreement.SignerState) *int { return &s.Reminders }),
	rows.Read("ended_links", func(s *agreement.SignerState) *int { return &s.EndedLinks }),
	rows.Read("language", func(s *agreement.SignerState) *language.Language { return &s.Language }),
)

// SaveSigners names the signers of a lease, as its document has them: its tenants, who are there, and
// the landlord, who may be new.
func (s *Store) SaveSigners(
	ctx context.Context, in access.Portfolio, leaseID string, all []agreement.SignerState,
) error {
	for i := range all {
		replace := `ON CONFLICT (portfolio_id, lease_id, position) DO UPDATE
			SET id = excluded.id, name = excluded.name, title = excluded.title`
		_, err := signerTable.AddOr(ctx, s.db, replace, &all[i], "portfolio_id", in.ID, "lease_id", leaseID)
		if err != nil {
			return err
		}
	}
	return nil
}

// Signers reads the signers of a lease that has a document of ours, the landlord last, and the latest
// version of the document.
func (s *Store) Signers(
	ctx context.Context, in access.Portfolio, leaseID string,
) (all []agreement.SignerState, version int, err error) {
	query := "SELECT " + signerTable.Columns + `, COALESCE((
			SELECT max(d.version)
			FROM documents d
			WHERE d.portfolio_id = lease_signers.portfolio_id AND d.lease_id = lease_signers.lease_id), 0)
		FROM lease_signers
		WHERE portfolio_id = $1 AND lease_id = $2 AND id IS NOT NULL
		ORDER BY position`
	all, err = rows.All(ctx, s.db, query, []any{in.ID, leaseID}, func(scan db.Scan, g *agreement.SignerState) error {
		return scan(append(signerTable.Targets(g), &version)...)
	})
	return all, version, err
}
