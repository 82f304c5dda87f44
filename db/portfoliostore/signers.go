package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/clock"
	"portal/db"
	"portal/db/rows"
)

// signerTable has the columns of signers, and where in one their values are.
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
	rows.Read("declined_at", func(s *agreement.SignerState) **clock.Time { return &s.DeclinedAt }),
	rows.Read("decline_reason", func(s *agreement.SignerState) **string { return &s.DeclineReason }),
	rows.Read("sent_at", func(s *agreement.SignerState) **clock.Time { return &s.SentAt }),
	rows.Read("email_status", func(s *agreement.SignerState) **string { return &s.EmailStatus }),
	rows.Read("reminders", func(s *agreement.SignerState) *int { return &s.Reminders }),
)

// SaveSigners names the signers of a lease, as its document has them: its tenants, who are there, and
// the landlord, who may be new.
func (s *Store) SaveSigners(
	ctx context.Context, in access.Portfolio, leaseID string, all []agreement.SignerState,
) error {
	for i := range all {
		_, err := signerTable.Add(
			ctx,
			s.db,
			&all[i],
			`ON CONFLICT (portfolio_id, lease_id, position) DO UPDATE
			SET id = excluded.id, name = excluded.name, title = excluded.title`,
			rows.Cell{Column: "portfolio_id", Value: in.ID},
			rows.Cell{Column: "lease_id", Value: leaseID},
		)
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
	err = s.db.Each(ctx, query, []any{in.ID, leaseID}, func(scan db.Scan) error {
		all = append(all, agreement.SignerState{})
		return scan(append(signerTable.Targets(&all[len(all)-1]), &version)...)
	})
	return all, version, err
}
