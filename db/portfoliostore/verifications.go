package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/property/verification"
	"portal/db"
	"portal/db/rows"
)

var verificationTable = rows.NewTable(
	"verifications",
	rows.At("id", func(r *verification.Verification) *string { return &r.ID }),
	rows.At("property_id", func(r *verification.Verification) *string { return &r.PropertyID }),
	rows.At("asked_at", func(r *verification.Verification) *clock.Time { return &r.AskedAt }),
	rows.At("asked_by", func(r *verification.Verification) *string { return &r.AskedBy }),
	rows.At("note", func(r *verification.Verification) *string { return &r.Note }),
	rows.At("status", func(r *verification.Verification) *verification.Outcome { return &r.Status }),
	rows.At("decided_at", func(r *verification.Verification) **clock.Time { return &r.DecidedAt }),
	rows.At("decided_by", func(r *verification.Verification) **string { return &r.DecidedBy }),
	rows.At("words", func(r *verification.Verification) **string { return &r.Words }),
)

// AddVerification writes what a landlord says shows that a property is theirs.
func (s *Store) AddVerification(ctx context.Context, in access.Portfolio, v *verification.Verification) error {
	return verificationTable.Insert(ctx, s.db, in, []verification.Verification{*v})
}

// DecideVerification writes what came of a verification.
func (s *Store) DecideVerification(ctx context.Context, in access.Portfolio, v *verification.Verification) error {
	return verificationTable.Save(ctx, s.db, in, v)
}

// LastVerification reads the latest verification of a property.
func (s *Store) LastVerification(
	ctx context.Context, in access.Portfolio, propertyID string,
) (verification.Verification, bool, error) {
	return verificationTable.First(ctx, s.db, `WHERE portfolio_id = $1 AND property_id = $2
		ORDER BY id DESC
		LIMIT 1`, in.ID, propertyID)
}

// verificationCases are of all portfolios: they are for the staff.
func (s *Store) verificationCases(ctx context.Context, which string, args ...any) ([]verification.Case, error) {
	query := "SELECT " + verificationTable.Of("v") +
		", o.id, o.mode, a.id, a.name, u.email, COALESCE(r.email, ''), " + propertyTable.Of("p") + `
		FROM verifications v
		JOIN portfolios o ON o.id = v.portfolio_id
		JOIN accounts a ON a.id = o.account_id
		JOIN properties p ON p.portfolio_id = v.portfolio_id AND p.id = v.property_id
		JOIN users u ON u.id = v.asked_by
		LEFT JOIN users r ON r.id = v.decided_by
		WHERE ` + which
	return rows.All(ctx, s.db, query, args, func(scan db.Scan, c *verification.Case) error {
		propertyTable.Complete(&c.Property, access.Live)
		return scan(append(append(verificationTable.Targets(&c.Verification),
			&c.In.ID, &c.In.Mode, &c.AccountID, &c.Account, &c.Asker, &c.Reviewer),
			propertyTable.Targets(&c.Property)...)...)
	})
}

// VerificationCases lists them with one more than the limit.
func (s *Store) VerificationCases(ctx context.Context, f verification.Filter) ([]verification.Case, error) {
	which, args := rows.CasesAfter("v", "ver", f.After, string(f.Status), f.OldestFirst, f.Limit+1)
	return s.verificationCases(ctx, which, args...)
}

// VerificationCounts counts those of each status, one more than list.Most at most, with one query.
func (s *Store) VerificationCounts(ctx context.Context) (list.Counts[verification.Outcome], error) {
	return rows.CountStatuses(ctx, s.db, "verifications",
		verification.AskedVerification, verification.AcceptedVerification, verification.DeclinedVerification)
}

// VerificationCase reads one, or fault.NotFound.
func (s *Store) VerificationCase(ctx context.Context, id string) (verification.Case, error) {
	all, err := s.verificationCases(ctx, "v.id = $1", id)
	switch {
	case err != nil:
		return verification.Case{}, err
	case len(all) == 0:
		return verification.Case{}, fault.NotFound("verification")
	}
	return all[0], nil
}

// PendingVerifications counts the properties of all accounts that wait for the staff, at most so many.
func (s *Store) PendingVerifications(ctx context.Context, most int) (int, error) {
	return rows.AtMost(ctx, s.db, most, "verifications WHERE "+rows.Is("status", portfolio.VerificationPending))
}
