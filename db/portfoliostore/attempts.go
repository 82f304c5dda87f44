package portfoliostore

import (
	"context"
	"slices"
	"strconv"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/payment"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
	"portal/db"
	"portal/db/rows"
)

var attemptTable = rows.NewTable(
	"payment_attempts",
	append(recordColumns(func(a *payment.Attempt) *portfolio.Record { return &a.Record }),
		rows.At("lease_id", func(a *payment.Attempt) *string { return &a.LeaseID }),
		rows.At("tenant_id", func(a *payment.Attempt) *string { return &a.TenantID }),
		rows.At("processor", func(a *payment.Attempt) *string { return &a.Processor }),
		rows.At("account", func(a *payment.Attempt) **string { return &a.Account }),
		rows.At("reference", func(a *payment.Attempt) **string { return &a.Reference }),
		rows.At("method", func(a *payment.Attempt) **portfolio.PaymentMethod { return &a.Method }),
		rows.At("amount", func(a *payment.Attempt) *money.Cents { return &a.Amount }),
		rows.At("session", func(a *payment.Attempt) **string { return &a.Session }),
		rows.At("fee", func(a *payment.Attempt) *money.Cents { return &a.Fee }),
		rows.At("autopay_id", func(a *payment.Attempt) **string { return &a.AutopayID }),
		rows.At("status", func(a *payment.Attempt) *payment.Status { return &a.Status }),
		rows.At("started_on", func(a *payment.Attempt) *clock.Date { return &a.StartedOn }),
		rows.At("expires_at", func(a *payment.Attempt) *clock.Time { return &a.ExpiresAt }),
		rows.At("surplus", func(a *payment.Attempt) *money.Cents { return &a.Surplus }),
		rows.At("credit_id", func(a *payment.Attempt) **string { return &a.CreditID }),
		rows.At("refunded", func(a *payment.Attempt) *money.Cents { return &a.Refunded }),
		rows.At("failure_code", func(a *payment.Attempt) **string { return &a.FailureCode }),
		rows.At("failure_message", func(a *payment.Attempt) **string { return &a.FailureMessage }),
		rows.NullAt("back", "''", func(a *payment.Attempt) *payment.Back { return &a.Back }),
		rows.At("back_on", func(a *payment.Attempt) **clock.Date { return &a.BackOn }),
		rows.At("cleared_at", func(a *payment.Attempt) **clock.Time { return &a.ClearedAt }),
		rows.At("back_at", func(a *payment.Attempt) **clock.Time { return &a.BackAt }),
		rows.At("restored_at", func(a *payment.Attempt) **clock.Time { return &a.RestoredAt }),
		rows.At("dispute_due_on", func(a *payment.Attempt) **clock.Date { return &a.DisputeDueOn }),
		rows.At("dispute_status", func(a *payment.Attempt) **string { return &a.DisputeStatus }),
		rows.At("problem", func(a *payment.Attempt) **string { return &a.Problem }),
		rows.At("look_at", func(a *payment.Attempt) **clock.Time { return &a.LookAt }),
	)...,
).Completed(func(a *payment.Attempt, mode access.Mode) { a.Object, a.Mode = "payment_attempt", mode })

// share is a row of payment_shares.
type share struct {
	ledger.Share
	attempt  string
	position int
}

var shareTable = rows.NewTable(
	"payment_shares",
	rows.At("attempt_id", func(s *share) *string { return &s.attempt }),
	rows.At("position", func(s *share) *int { return &s.position }),
	rows.At("payment_id", func(s *share) *string { return &s.PaymentID }),
	rows.At("amount", func(s *share) *money.Cents { return &s.Amount }),
)

var refundTable = rows.NewTable(
	"payment_refunds",
	rows.At("id", func(r *payment.Refund) *string { return &r.ID }),
	rows.At("created_at", func(r *payment.Refund) *clock.Time { return &r.CreatedAt }),
	rows.At("attempt_id", func(r *payment.Refund) *string { return &r.AttemptID }),
	rows.At("payment_id", func(r *payment.Refund) *string { return &r.PaymentID }),
	rows.At("amount", func(r *payment.Refund) *money.Cents { return &r.Amount }),
	rows.At("status", func(r *payment.Refund) *payment.RefundStatus { return &r.Status }),
	rows.At("reason", func(r *payment.Refund) *string { return &r.Reason }),
	rows.At("reference", func(r *payment.Refund) **string { return &r.Reference }),
	rows.NullAt("made_at", "0", func(r *payment.Refund) *clock.Time { return &r.At }),
)

// AddAttempt writes a new attempt with its shares.
func (s *Store) AddAttempt(ctx context.Context, in access.Portfolio, a *payment.Attempt) error {
	return s.addAttempts(ctx, in, []payment.Attempt{*a})
}

func (s *Store) addAttempts(ctx context.Context, in access.Portfolio, all []payment.Attempt) error {
	if err := attemptTable.Insert(ctx, s.db, in, all); err != nil {
		return err
	}
	var shares []share
	for i := range all {
		a := &all[i]
		for n, of := range a.Shares {
			shares = append(shares, share{of, a.ID, n})
		}
	}
	return shareTable.Insert(ctx, s.db, in, shares)
}

// addPast writes the attempts of ledger rows that a demo portfolio begins with.
func (s *Store) addPast(ctx context.Context, in access.Portfolio, all []portfolio.Payment) error {
	attempts, sent := simulated.Past(all)
	if err := s.addAttempts(ctx, in, attempts); err != nil {
		return err
	}
	return simulatedTable.Insert(ctx, s.db, in, sent)
}

// SaveAttempt writes an attempt that has changed. Its shares never do.
func (s *Store) SaveAttempt(ctx context.Context, in access.Portfolio, a *payment.Attempt) error {
	return attemptTable.Save(ctx, s.db, in, a)
}

// Attempt reads an attempt, or fault.NotFound.
func (s *Store) Attempt(ctx context.Context, in access.Portfolio, id string) (payment.Attempt, error) {
	a, err := attemptTable.Record(ctx, s.db, "payment", in, id)
	if err != nil {
		return a, err
	}
	all := []payment.Attempt{a}
	err = s.sharesOf(ctx, in, all)
	return all[0], err
}

// AttemptByReference is the id of the attempt that the processor calls so, or fault.NotFound.
func (s *Store) AttemptByReference(ctx context.Context, in access.Portfolio, reference string) (id string, err error) {
	known, err := s.db.One(ctx, "SELECT id FROM payment_attempts WHERE portfolio_id = $1 AND reference = $2",
		[]any{in.ID, reference}, &id)
	if err == nil && !known {
		err = fault.NotFound("payment")
	}
	return id, err
}

// OpenAttempts reads those of a lease that are open.
func (s *Store) OpenAttempts(ctx context.Context, in access.Portfolio, leaseID string) ([]payment.Attempt, error) {
	return s.attempts(ctx, in, `WHERE portfolio_id = $1 AND lease_id = $2 AND `+rows.Is("status", payment.Open)+`
		ORDER BY id`, in.ID, leaseID)
}

// AttemptsOf reads the latest of some leases, the latest first, at most so many.
func (s *Store) AttemptsOf(
	ctx context.Context, in access.Portfolio, leaseIDs []string, most int,
) ([]payment.Attempt, error) {
	these, args := s.db.Among([]any{in.ID}, leaseIDs)
	return s.attempts(ctx, in, `WHERE portfolio_id = $1 AND lease_id`+these+`
		ORDER BY id DESC
		LIMIT `+strconv.Itoa(most), args...)
}

// AttemptsOfPayment reads the latest that were to pay a row or a part of it, the latest first, at most so many.
func (s *Store) AttemptsOfPayment(
	ctx context.Context, in access.Portfolio, paymentID string, most int,
) ([]payment.Attempt, error) {
	return s.attempts(ctx, in, `WHERE portfolio_id = $1 AND id IN (
			SELECT attempt_id
			FROM payment_shares
			WHERE portfolio_id = $1 AND payment_id = $2
		)
		ORDER BY id DESC
		LIMIT `+strconv.Itoa(most), in.ID, paymentID)
}

func (s *Store) attempts(
	ctx context.Context, in access.Portfolio, rest string, args ...any,
) ([]payment.Attempt, error) {
	all, err := attemptTable.In(ctx, s.db, in, rest, args...)
	if err != nil {
		return nil, err
	}
	return all, s.sharesOf(ctx, in, all)
}

// sharesOf fills in the shares of attempts.
func (s *Store) sharesOf(ctx context.Context, in access.Portfolio, all []payment.Attempt) error {
	of := map[string]*payment.Attempt{}
	ids := make([]string, len(all))
	for i := range all {
		of[all[i].ID], ids[i] = &all[i], all[i].ID
	}
	for some := range slices.Chunk(ids, rows.MostIDs) {
		these, args := s.db.Among([]any{in.ID}, some)
		err := s.db.Each(ctx, `SELECT attempt_id, payment_id, amount
			FROM payment_shares
			WHERE portfolio_id = $1 AND attempt_id`+these+`
			ORDER BY attempt_id, position`, args, func(scan db.Scan) error {
			var id string
			var share ledger.Share
			err := scan(&id, &share.PaymentID, &share.Amount)
			if a := of[id]; a != nil {
				a.Shares = append(a.Shares, share)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// AddRefund writes a refund that was asked for.
func (s *Store) AddRefund(ctx context.Context, in access.Portfolio, r *payment.Refund) error {
	return refundTable.Add(ctx, s.db, r, "portfolio_id", in.ID)
}

// SaveRefund writes what became of a refund.
func (s *Store) SaveRefund(ctx context.Context, in access.Portfolio, r *payment.Refund) error {
	return refundTable.Save(ctx, s.db, in, r)
}

// RefundsOf reads the refunds of an attempt, in the order in which they were asked for.
func (s *Store) RefundsOf(ctx context.Context, in access.Portfolio, attemptID string) ([]payment.Refund, error) {
	return refundTable.All(ctx, s.db, "WHERE portfolio_id = $1 AND attempt_id = $2 ORDER BY id", in.ID, attemptID)
}

// OnlinePayments reads which payments tenants of a lease can make online.
func (s *Store) OnlinePayments(
	ctx context.Context, in access.Portfolio, leaseID string,
) (allowed payment.Allowed, err error) {
	_, err = s.db.One(ctx, "SELECT online_payments FROM leases WHERE portfolio_id = $1 AND id = $2",
		[]any{in.ID, leaseID}, &allowed)
	return allowed, err
}

// SetOnlinePayments writes which payments tenants of a lease can make online.
func (s *Store) SetOnlinePayments(
	ctx context.Context, in access.Portfolio, leaseID string, allowed payment.Allowed,
) error {
	return s.db.Run(ctx, "UPDATE leases SET online_payments = $3 WHERE portfolio_id = $1 AND id = $2",
		in.ID, leaseID, string(allowed))
}

// AttemptsToLookAt calls back with attempts of open accounts of which a processor is to be asked by a moment, in that
// order and at most so many.
func (s *Store) AttemptsToLookAt(
	ctx context.Context, at clock.Time, most int,
	each func(in access.Portfolio, zone, attemptID string) error,
) error {
	return s.toLookAt(ctx, "payment_attempts", " AND a.closed_at IS NULL", at, most, each)
}

// toLookAt calls back with records of a table, of accounts of a kind, of which a processor is to be asked by a moment.
func (s *Store) toLookAt(
	ctx context.Context, table, which string, at clock.Time, most int,
	each func(in access.Portfolio, zone, id string) error,
) error {
	type found struct {
		place
		id string
	}
	all, err := rows.All(ctx, s.db, `SELECT p.id, p.mode, p.ahead_days, a.time_zone, t.id
		FROM `+table+` t
		JOIN portfolios p ON p.id = t.portfolio_id
		JOIN accounts a ON a.id = p.account_id
		WHERE t.look_at <= $1`+which+`
		ORDER BY t.look_at, t.id
		LIMIT `+strconv.Itoa(most), []any{int64(at)}, func(scan db.Scan, f *found) error {
		return scan(&f.ID, &f.Mode, &f.Ahead, &f.zone, &f.id)
	})
	if err != nil {
		return err
	}
	for _, f := range all {
		if err := each(f.Portfolio, f.zone, f.id); err != nil {
			return err
		}
	}
	return nil
}

var simulatedTable = rows.NewTable(
	"simulated_payments",
	rows.At("attempt_id", func(p *simulated.Payment) *string { return &p.AttemptID }),
	rows.At("method", func(p *simulated.Payment) **portfolio.PaymentMethod { return &p.Method }),
	rows.At("outcome", func(p *simulated.Payment) *simulated.Outcome { return &p.Outcome }),
	rows.At("sent_at", func(p *simulated.Payment) *clock.Time { return &p.SentAt }),
	rows.At("sent_on", func(p *simulated.Payment) *clock.Date { return &p.SentOn }),
	rows.At("next_on", func(p *simulated.Payment) **clock.Date { return &p.NextOn }),
	rows.At("answered_on", func(p *simulated.Payment) **clock.Date { return &p.AnsweredOn }),
	rows.At("wins", func(p *simulated.Payment) *bool { return &p.Wins }),
)

// AddSimulated writes what becomes of an attempt, and reports whether nothing was known of it before.
func (s *Store) AddSimulated(ctx context.Context, in access.Portfolio, p *simulated.Payment) (fresh bool, err error) {
	err = s.db.Exclusively(ctx, in, func(ctx context.Context) error {
		_, known, err := s.Simulated(ctx, in, p.AttemptID)
		if fresh = !known; err != nil || known {
			return err
		}
		return simulatedTable.Add(ctx, s.db, p, "portfolio_id", in.ID)
	})
	return fresh, err
}

// Simulated reads what is known of an attempt, and reports whether anything is.
func (s *Store) Simulated(
	ctx context.Context, in access.Portfolio, attemptID string,
) (p simulated.Payment, known bool, err error) {
	return simulatedTable.First(ctx, s.db, "WHERE portfolio_id = $1 AND attempt_id = $2", in.ID, attemptID)
}

// SaveSimulated writes on which day something happens next to an attempt, and the answer to its dispute.
func (s *Store) SaveSimulated(ctx context.Context, in access.Portfolio, p *simulated.Payment) error {
	return s.db.Run(ctx, `UPDATE simulated_payments SET next_on = $3, answered_on = $4, wins = $5
		WHERE portfolio_id = $1 AND attempt_id = $2`,
		in.ID, p.AttemptID, p.NextOn, p.AnsweredOn, p.Wins)
}

// SentSimulated reads all that were sent, with their attempts and the refunds that were made of them.
func (s *Store) SentSimulated(ctx context.Context, in access.Portfolio) ([]simulated.Sent, error) {
	sent, err := simulatedTable.All(
		ctx,
		s.db,
		"WHERE portfolio_id = $1 AND method IS NOT NULL ORDER BY attempt_id",
		in.ID,
	)
	if err != nil {
		return nil, err
	}
	all, at := make([]simulated.Sent, len(sent)), map[string]*simulated.Sent{}
	for i := range sent {
		all[i].Payment = sent[i]
		at[sent[i].AttemptID] = &all[i]
	}
	err = s.db.Each(ctx, `SELECT a.id, a.amount + a.fee
		FROM payment_attempts a
		JOIN simulated_payments s ON s.portfolio_id = a.portfolio_id AND s.attempt_id = a.id
		WHERE a.portfolio_id = $1 AND s.method IS NOT NULL`, []any{in.ID}, func(scan db.Scan) error {
		var id string
		var total money.Cents
		err := scan(&id, &total)
		if of := at[id]; of != nil {
			of.Total = total
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	refunds, err := refundTable.All(ctx, s.db, "WHERE portfolio_id = $1 AND "+
		rows.Is("status", payment.RefundSucceeded)+" ORDER BY id", in.ID)
	for i := range refunds {
		if of := at[refunds[i].AttemptID]; of != nil {
			of.Refunds = append(of.Refunds, refunds[i])
		}
	}
	return all, err
}

// DueSimulated names attempts to which something happens by a day, in that order and at most so many.
func (s *Store) DueSimulated(
	ctx context.Context, in access.Portfolio, today clock.Date, most int,
) ([]string, error) {
	return rows.All(ctx, s.db, `SELECT attempt_id
		FROM simulated_payments
		WHERE portfolio_id = $1 AND next_on <= $2
		ORDER BY next_on, attempt_id
		LIMIT `+strconv.Itoa(most), []any{in.ID, int64(today)}, rows.Value[string])
}
