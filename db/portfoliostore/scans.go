package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/clock"
	"portal/db/rows"
)

// AddScan keeps the scan of a signature on paper, and notes the day of the signature.
func (s *Store) AddScan(ctx context.Context, in access.Portfolio, leaseID string, k *agreement.Scan) error {
	return s.db.Atomically(ctx, func(ctx context.Context) error {
		if err := scanTable.Add(ctx, s.db, k, "portfolio_id", in.ID, "lease_id", leaseID); err != nil {
			return err
		}
		return s.save(ctx, in, &agreement.SignerState{ID: k.SignerID}, "paper_signed_on = $3", k.SignedOn)
	})
}

// Scan finds the scan of a signature on paper, or fault.NotFound.
func (s *Store) Scan(ctx context.Context, in access.Portfolio, leaseID, signerID string) (agreement.Scan, error) {
	return scanTable.Only(ctx, s.db, "scan", "WHERE portfolio_id = $1 AND lease_id = $2 AND signer_id = $3",
		in.ID, leaseID, signerID)
}

// EachScan reads the scans of signatures on paper under a lease, one after the other.
func (s *Store) EachScan(
	ctx context.Context, in access.Portfolio, leaseID string, each func(*agreement.Scan) error,
) error {
	return scanTable.Each(ctx, s.db, each, scansOfLease, in.ID, leaseID)
}

// EachScanRecord is EachScan without the contents.
func (s *Store) EachScanRecord(
	ctx context.Context, in access.Portfolio, leaseID string, each func(*agreement.Scan) error,
) error {
	return scanRecordTable.Each(ctx, s.db, each, scansOfLease, in.ID, leaseID)
}

const scansOfLease = "WHERE portfolio_id = $1 AND lease_id = $2 ORDER BY signer_id"

var scanRecordTable = rows.NewTable(
	"lease_scans",
	rows.At("signer_id", func(k *agreement.Scan) *string { return &k.SignerID }),
	rows.At("created_at", func(k *agreement.Scan) *clock.Time { return &k.CreatedAt }),
	rows.At("signed_on", func(k *agreement.Scan) *clock.Date { return &k.SignedOn }),
	rows.At("media_type", func(k *agreement.Scan) *string { return &k.MediaType }),
	rows.At("sha256", func(k *agreement.Scan) *string { return &k.SHA256 }),
)

// scanTable is scanRecordTable with the contents.
var scanTable = scanRecordTable.And(rows.At("content", func(k *agreement.Scan) *[]byte { return &k.Content }))
