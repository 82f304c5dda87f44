package portfoliostore

import (
	"context"
	"fmt"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/portfolio/property/verification"
	"portal/db"
	"portal/db/rows"
)

const verificationColumns = "id, property_id, asked_at, asked_by, note, status, decided_at, decided_by, words"

func readVerification(scan db.Scan, v *verification.Verification) error {
	return scan(&v.ID, &v.PropertyID, &v.AskedAt, &v.AskedBy, &v.Note, &v.Status, &v.DecidedAt, &v.DecidedBy, &v.Words)
}

func verificationValues(v *verification.Verification) []any {
	return []any{v.ID, v.PropertyID, v.AskedAt, v.AskedBy, v.Note, v.Status, v.DecidedAt, v.DecidedBy, v.Words}
}

// AddVerification writes what a landlord says shows that a property is theirs.
func (s Verifications) AddVerification(ctx context.Context, in access.Portfolio, v *verification.Verification) error {
	return rows.Insert(ctx, s.db, in, "verifications", verificationColumns, []verification.Verification{
		*v,
	}, rows.Fixed(verificationValues))
}

// DecideVerification writes what came of a verification.
func (s Verifications) DecideVerification(
	ctx context.Context, in access.Portfolio, v *verification.Verification,
) error {
	return rows.Save(ctx, s.db, in, "verifications", verificationColumns, verificationValues(v))
}

// LastVerification reads the latest verification of a property.
func (s Verifications) LastVerification(
	ctx context.Context, in access.Portfolio, propertyID string,
) (v verification.Verification, found bool, err error) {
	query := "SELECT " + verificationColumns + ` FROM verifications
		WHERE portfolio_id = $1 AND property_id = $2
		ORDER BY id DESC
		LIMIT 1`
	err = s.db.Each(ctx, query, []any{in.ID, propertyID}, func(scan db.Scan) error {
		found = true
		return readVerification(scan, &v)
	})
	return v, found, err
}

// verificationCases are of all portfolios: they are for the staff.
func (s Verifications) verificationCases(ctx context.Context, which string, args ...any) ([]verification.Case, error) {
	all := []verification.Case{}
	query := "SELECT " + of("v", verificationColumns) +
		", o.id, o.mode, a.id, a.name, u.email, COALESCE(r.email, ''), " + of("p", propertyTable.Columns) + `
		FROM verifications v
		JOIN portfolios o ON o.id = v.portfolio_id
		JOIN accounts a ON a.id = o.account_id
		JOIN properties p ON p.portfolio_id = v.portfolio_id AND p.id = v.property_id
		JOIN users u ON u.id = v.asked_by
		LEFT JOIN users r ON r.id = v.decided_by
		WHERE ` + which
	err := s.db.Each(ctx, query, args, func(scan db.Scan) error {
		var c verification.Case
		err := readVerification(func(first ...any) error {
			first = append(first, &c.In.ID, &c.In.Mode, &c.AccountID, &c.Account, &c.Asker, &c.Reviewer)
			return readProperty(access.Live)(
				func(further ...any) error { return scan(append(first, further...)...) },
				&c.Property,
			)
		}, &c.Verification)
		all = append(all, c)
		return err
	})
	return all, err
}

// VerificationCases lists them with one more than the limit: those that wait the oldest
// first, all others the newest first.
func (s Verifications) VerificationCases(ctx context.Context, f verification.Filter) ([]verification.Case, error) {
	order, position := "DESC", "v.id < $1"
	switch {
	case f.Status == verification.AskedVerification:
		order, position = "ASC", "v.id > $1"
	case f.After == "":
		f.After = "ver_~"
	}
	args := []any{f.After, int64(f.Limit + 1)}
	if f.Status != "" {
		position += " AND v.status = $3"
		args = append(args, string(f.Status))
	}
	return s.verificationCases(ctx, fmt.Sprintf("%s ORDER BY v.id %s LIMIT $2 + 0", position, order), args...)
}

// VerificationCase reads one, or fault.NotFound.
func (s Verifications) VerificationCase(ctx context.Context, id string) (verification.Case, error) {
	all, err := s.verificationCases(ctx, "v.id = $1", id)
	switch {
	case err != nil:
		return verification.Case{}, err
	case len(all) == 0:
		return verification.Case{}, fault.NotFound("verification")
	}
	return all[0], nil
}
