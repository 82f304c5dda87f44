package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/language"
	"portal/api/money"
	"portal/api/payment"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/db/rows"
)

var autopayTable = rows.NewTable(
	"payment_autopays",
	append(recordColumns(func(a *payment.Autopay) *portfolio.Record { return &a.Record }),
		rows.At("lease_id", func(a *payment.Autopay) *string { return &a.LeaseID }),
		rows.At("tenant_id", func(a *payment.Autopay) *string { return &a.TenantID }),
		rows.At("processor", func(a *payment.Autopay) *string { return &a.Processor }),
		rows.At("account", func(a *payment.Autopay) **string { return &a.Account }),
		rows.At("session", func(a *payment.Autopay) **string { return &a.Session }),
		rows.At("customer", func(a *payment.Autopay) **string { return &a.Customer }),
		rows.At("reference", func(a *payment.Autopay) **string { return &a.Reference }),
		rows.At("method", func(a *payment.Autopay) **portfolio.PaymentMethod { return &a.Method }),
		rows.At("day", func(a *payment.Autopay) *int { return &a.Day }),
		rows.At("most", func(a *payment.Autopay) *money.Cents { return &a.Most }),
		rows.At("text", func(a *payment.Autopay) *string { return &a.Text }),
		rows.At("language", func(a *payment.Autopay) *language.Language { return &a.Language }),
		rows.At("status", func(a *payment.Autopay) *payment.AutopayStatus { return &a.Status }),
		rows.At("agreed_at", func(a *payment.Autopay) **clock.Time { return &a.AgreedAt }),
		rows.At("ended_at", func(a *payment.Autopay) **clock.Time { return &a.EndedAt }),
		rows.NullAt("ended_why", "''", func(a *payment.Autopay) *payment.AutopayEnd { return &a.EndedWhy }),
		rows.At("next_on", func(a *payment.Autopay) **clock.Date { return &a.NextOn }),
		rows.At("act_on", func(a *payment.Autopay) **clock.Date { return &a.ActOn }),
		rows.At("told", func(a *payment.Autopay) **money.Cents { return &a.Told }),
		rows.At("failures", func(a *payment.Autopay) *int { return &a.Failures }),
		rows.At("released", func(a *payment.Autopay) *bool { return &a.Released }),
		rows.At("look_at", func(a *payment.Autopay) **clock.Time { return &a.LookAt }),
	)...,
).Completed(func(a *payment.Autopay, mode access.Mode) { a.Object, a.Mode = "autopay", mode })

// AddAutopay writes new autopay.
func (s *Store) AddAutopay(ctx context.Context, in access.Portfolio, a *payment.Autopay) error {
	return autopayTable.Add(ctx, s.db, a, "portfolio_id", in.ID)
}

// SaveAutopay writes autopay that has changed.
func (s *Store) SaveAutopay(ctx context.Context, in access.Portfolio, a *payment.Autopay) error {
	return autopayTable.Save(ctx, s.db, in, a)
}

// Autopay reads autopay, or fault.NotFound.
func (s *Store) Autopay(ctx context.Context, in access.Portfolio, id string) (payment.Autopay, error) {
	return autopayTable.Record(ctx, s.db, "autopay", in, id)
}

// AutopaysOf reads those of some leases, the latest first.
func (s *Store) AutopaysOf(
	ctx context.Context, in access.Portfolio, leaseIDs []string,
) ([]payment.Autopay, error) {
	these, args := s.db.Among([]any{in.ID}, leaseIDs)
	return autopayTable.In(ctx, s.db, in, "WHERE portfolio_id = $1 AND lease_id"+these+" ORDER BY id DESC", args...)
}

// AutopaysToAct names active ones that have something to do by a day, in ascending id.
func (s *Store) AutopaysToAct(ctx context.Context, in access.Portfolio, today clock.Date) ([]string, error) {
	return rows.All(ctx, s.db, "SELECT id FROM payment_autopays WHERE portfolio_id = $1 AND act_on <= $2 ORDER BY id",
		[]any{in.ID, int64(today)}, rows.Value[string])
}

// AutopaysToLookAt is AttemptsToLookAt for autopay, also that of closed accounts, which has ended: the processor is to
// forget what it has charged.
func (s *Store) AutopaysToLookAt(
	ctx context.Context, at clock.Time, most int,
	each func(in access.Portfolio, zone, autopayID string) error,
) error {
	return s.toLookAt(ctx, "payment_autopays", "", at, most, each)
}

var sourceTable = rows.NewTable(
	"simulated_sources",
	rows.At("autopay_id", func(s *simulated.Source) *string { return &s.AutopayID }),
	rows.At("method", func(s *simulated.Source) *portfolio.PaymentMethod { return &s.Method }),
	rows.At("outcome", func(s *simulated.Source) *simulated.Outcome { return &s.Outcome }),
)

// AddSource writes what autopay charges, and reports whether nothing was known of it before.
func (s *Store) AddSource(ctx context.Context, in access.Portfolio, of *simulated.Source) (fresh bool, err error) {
	err = s.db.Exclusively(ctx, in, func(ctx context.Context) error {
		_, known, err := s.Source(ctx, in, of.AutopayID)
		if fresh = !known; err != nil || known {
			return err
		}
		return sourceTable.Add(ctx, s.db, of, "portfolio_id", in.ID)
	})
	return fresh, err
}

// Source reads what autopay charges, and reports whether anything is known of it.
func (s *Store) Source(
	ctx context.Context, in access.Portfolio, autopayID string,
) (of simulated.Source, known bool, err error) {
	return sourceTable.First(ctx, s.db, "WHERE portfolio_id = $1 AND autopay_id = $2", in.ID, autopayID)
}

// DeleteSource forgets what autopay charges.
func (s *Store) DeleteSource(ctx context.Context, in access.Portfolio, autopayID string) error {
	return s.db.Run(ctx, "DELETE FROM simulated_sources WHERE portfolio_id = $1 AND autopay_id = $2", in.ID, autopayID)
}
