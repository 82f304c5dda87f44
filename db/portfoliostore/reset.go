package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/fault"
	"portal/db"
)

// cleared are the tables of what belongs to a demo portfolio, in the order of the foreign
// keys. Those of what its developers made are not among them: api_keys, webhook_endpoints,
// requests. Its usage goes first, so that what is deleted counts no more. What was sent with those
// requests goes last.
var cleared = []string{
	"demo_growth",
	"demo_usage",
	"lease_details",
	"delivery_attempts",
	"deliveries",
	"events",
	"endpoint_hours",
	"applications",
	"invitations",
	"mail_suppressions",
	"mails",
	"imports",
	"tool_calls",
	"assistant_clients",
	"verifications",
	"payments",
	"rent_days",
	"ticket_notices",
	"ticket_activities",
	"ticket_photos",
	"tickets",
	"executed_documents",
	"document_evidence",
	"document_versions",
	"documents",
	"signing_codes",
	"tenant_link_tokens",
	"tenant_links",
	"lease_signers",
	"leases",
	"tenants",
	"units",
	"properties",
}

// ClearDemo deletes all that belongs to a demo portfolio, whose transaction holds it. Its
// endpoints are locked first, as by all that changes deliveries, so that no attempt starts
// and no delivery is queued meanwhile.
func (s *Store) ClearDemo(ctx context.Context, in access.Portfolio) error {
	var demo int64
	if found, err := s.db.One(ctx, "SELECT id FROM portfolios WHERE id = $1 AND mode = 'test'", []any{
		in.ID,
	}, &demo); err != nil || !found {
		if err == nil {
			err = fault.NotFound("demo portfolio")
		}
		return err
	}
	var endpoint string
	lock := "SELECT id FROM webhook_endpoints WHERE portfolio_id = $1 ORDER BY id" + s.db.Locking(" FOR UPDATE")
	if err := s.db.Each(ctx, lock, []any{demo}, func(scan db.Scan) error { return scan(&endpoint) }); err != nil {
		return err
	}
	if err := s.forgetAnswersOf(ctx, demo); err != nil {
		return err
	}
	for _, table := range cleared {
		if _, err := s.db.Exec(ctx, "DELETE FROM "+table+" WHERE portfolio_id = $1", demo); err != nil {
			return err
		}
	}
	_, err := s.db.Exec(ctx, `DELETE FROM request_exchanges
		WHERE portfolio_id = $1 AND id IN (SELECT id FROM requests WHERE portfolio_id = $1)`, demo)
	return err
}

// forgetAnswersOf deletes the recorded answers of a portfolio's keys. One that is being
// recorded waits for the portfolio, and is not waited for. A claim without an answer is of a
// request that resets the portfolio in this transaction: its answer is yet to come.
func (s *Store) forgetAnswersOf(ctx context.Context, portfolio int64) error {
	_, err := s.db.Exec(ctx, `DELETE FROM idempotency_keys
		WHERE (key_id, idempotency_key) IN (
			SELECT i.key_id, i.idempotency_key
			FROM idempotency_keys i
			JOIN api_keys k ON k.id = i.key_id
			WHERE k.portfolio_id = $1
				AND i.status <> 0`+s.db.Locking(" FOR UPDATE OF i SKIP LOCKED")+`)`, portfolio)
	return err
}
