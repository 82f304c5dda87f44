package portfoliostore

import (
	"context"
	"fmt"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/rows"
)

// Signer finds a signer, the lease and the portfolio, or fault.NotFound. Who asks has shown that they hold
// the signer's link.
func (s *Store) Signer(
	ctx context.Context, id string,
) (in access.Portfolio, leaseID string, signer agreement.SignerState, err error) {
	found, err := s.db.One(ctx, `SELECT `+signerTable.Columns+`, portfolio_id,
			(SELECT mode FROM portfolios p WHERE p.id = portfolio_id), lease_id
		FROM lease_signers`+s.db.IndexedBy("lease_signers_id")+`
		WHERE id = $1 AND EXISTS (
			SELECT 1
			FROM portfolios p
			JOIN accounts a ON a.id = p.account_id
			WHERE p.id = portfolio_id AND a.closed_at IS NULL)`, []any{id},
		append(signerTable.Targets(&signer), &in.ID, &in.Mode, &leaseID)...)
	if err == nil && !found {
		err = fault.NotFound("signer")
	}
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

// SaveEmailStatus notes what became of the latest email.
func (s *Store) SaveEmailStatus(ctx context.Context, in access.Portfolio, signerID, status string) error {
	_, err := s.db.Exec(ctx, "UPDATE lease_signers SET email_status = $3 WHERE portfolio_id = $1 AND id = $2",
		in.ID, signerID, status)
	return err
}

// SaveReminded notes how many reminders were sent. The next one counts from the first email on.
func (s *Store) SaveReminded(ctx context.Context, in access.Portfolio, signerID string, n int, sent *clock.Time) error {
	return s.save(ctx, in, &agreement.SignerState{ID: signerID}, "reminders = $3, sent_at = $4", n, sent)
}

// ToRemind finds signers of leases of open accounts that can be signed who were reminded so often, and
// whose link was sent at a moment or before it: at most so many.
func (s *Store) ToRemind(ctx context.Context, reminded int, sent clock.Time, most int) (due []ceremony.Due, err error) {
	query := `SELECT p.id, p.mode, s.id
		FROM lease_signers s` + s.db.IndexedBy("lease_signers_sent") + `
		JOIN leases l ON l.portfolio_id = s.portfolio_id AND l.id = s.lease_id
		JOIN portfolios p ON p.id = s.portfolio_id
		JOIN accounts a ON a.id = p.account_id
		WHERE s.sent_at IS NOT NULL AND s.signed_at IS NULL AND s.declined_at IS NULL AND s.reminders < 2
			AND s.sent_at <= $1 AND s.reminders = $2 AND a.closed_at IS NULL AND ` + rows.OneOf("l.status", portfolio.OfferedLeases()) + `
		ORDER BY s.sent_at
		LIMIT $3`
	err = s.db.Each(ctx, query, []any{int64(sent), int64(reminded), int64(most)}, func(scan db.Scan) error {
		due = append(due, ceremony.Due{})
		d := &due[len(due)-1]
		return scan(&d.In.ID, &d.In.Mode, &d.SignerID)
	})
	return due, err
}
