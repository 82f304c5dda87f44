// Package quota bounds what a demo portfolio holds, where anybody may write without paying for it.
//
// It knows nothing of how that is counted.
package quota

import (
	"context"

	"portal/api/access"
	"portal/api/fault"
)

// The most that a demo portfolio may hold beyond what it is made with (docs/decisions/0032).
const (
	MaxRecords = 20_000
	MaxBytes   = 500_000_000
)

// Usage is what a portfolio holds beyond what it was made with.
type Usage struct {
	Records int64 // properties, units, tenants, invitations, leases, tickets and payments
	Bytes   int64 // of documents, uploads, emails, events, deliveries with their answers, kept requests
}

// Store counts what demo portfolios hold.
type Store interface {
	// DemoUsage is what a demo portfolio holds, with what the transaction of the context has written.
	DemoUsage(ctx context.Context, in access.Portfolio) (Usage, error)
}

// Room refuses records that a demo portfolio has no room for, before they are written.
func Room(ctx context.Context, s Store, in access.Portfolio, records int) error {
	return check(ctx, s, in, int64(records))
}

// Check refuses a write after which a demo portfolio holds more than it may, so that its transaction
// is rolled back. It does nothing for a live portfolio.
func Check(ctx context.Context, s Store, in access.Portfolio) error { return check(ctx, s, in, 0) }

func check(ctx context.Context, s Store, in access.Portfolio, more int64) error {
	if in.Mode != access.Test {
		return nil
	}
	u, err := s.DemoUsage(ctx, in)
	if err != nil {
		return err
	}
	const most = "A demo portfolio holds at most 20,000 records and 500 MB more than it is made with. %s"
	if u.Records+more > MaxRecords || u.Bytes > MaxBytes {
		return fault.New(fault.DemoLimitReached, most, fault.DemoLimitReached.Entry().Remedy)
	}
	return nil
}
