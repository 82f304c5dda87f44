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
	"portal/db"
	"portal/db/rows"
)

var payoutTable = rows.NewTable(
	"payouts",
	rows.At("reference", func(p *payment.KeptPayout) *string { return &p.Reference }),
	rows.At("amount", func(p *payment.KeptPayout) *money.Cents { return &p.Amount }),
	rows.At("status", func(p *payment.KeptPayout) *payment.PayoutStatus { return &p.Status }),
	rows.At("created_at", func(p *payment.KeptPayout) *clock.Time { return &p.CreatedAt }),
	rows.At("arrives_on", func(p *payment.KeptPayout) *clock.Date { return &p.ArrivesOn }),
	rows.NullAt("failure", "''", func(p *payment.KeptPayout) *string { return &p.Failure }),
)

// movement is a row of payout_movements.
type movement struct {
	payment.KeptMovement
	payout   string
	position int
}

var movementTable = rows.NewTable(
	"payout_movements",
	rows.At("payout", func(m *movement) *string { return &m.payout }),
	rows.At("position", func(m *movement) *int { return &m.position }),
	rows.At("reference", func(m *movement) *string { return &m.Reference }),
	rows.At("kind", func(m *movement) *payment.MovementKind { return &m.Kind }),
	rows.At("payment", func(m *movement) **string { return &m.Payment }),
	rows.At("attempt_id", func(m *movement) **string { return &m.AttemptID }),
	rows.At("amount", func(m *movement) *money.Cents { return &m.Amount }),
	rows.At("fee", func(m *movement) *money.Cents { return &m.Fee }),
	rows.At("moved_at", func(m *movement) *clock.Time { return &m.At }),
	rows.NullAt("words", "''", func(m *movement) *string { return &m.Words }),
)

// LatestPayout is when the latest payout that is kept was made, nil where none is.
func (s *Store) LatestPayout(ctx context.Context, in access.Portfolio) (latest *clock.Time, err error) {
	_, err = s.db.One(ctx, "SELECT max(created_at) FROM payouts WHERE portfolio_id = $1", []any{in.ID}, &latest)
	return latest, err
}

// SavePayouts writes payouts with what they contain, or what has become of them since. What a payout contains never
// changes.
func (s *Store) SavePayouts(ctx context.Context, in access.Portfolio, all []payment.Payout) error {
	for i := range all {
		p := &all[i]
		kept := payment.KeptPayout{Payout: *p}
		changed, err := s.db.Exec(ctx, `UPDATE payouts SET amount = $3, status = $4, arrives_on = $5, failure = $6
			WHERE portfolio_id = $1 AND reference = $2`,
			in.ID, p.Reference, int64(p.Amount), string(p.Status), int64(p.ArrivesOn), rows.Null(p.Failure))
		if err != nil {
			return err
		}
		if changed > 0 {
			continue
		}
		if err := payoutTable.Add(ctx, s.db, &kept, "portfolio_id", in.ID); err != nil {
			return err
		}
		if err := s.addMovements(ctx, in, p); err != nil {
			return err
		}
	}
	return nil
}

// addMovements writes what a payout contains, with the attempts that it is of.
func (s *Store) addMovements(ctx context.Context, in access.Portfolio, p *payment.Payout) error {
	var references []string
	for i := range p.Movements {
		if m := &p.Movements[i]; m.Payment != nil {
			references = append(references, *m.Payment)
		}
	}
	slices.Sort(references)
	attempts := map[string]*string{}
	for some := range slices.Chunk(slices.Compact(references), rows.MostIDs) {
		these, args := s.db.Among([]any{in.ID}, some)
		if err := s.db.Each(
			ctx,
			"SELECT reference, id FROM payment_attempts WHERE portfolio_id = $1 AND reference"+these,
			args,
			func(scan db.Scan) error {
				var reference, id string
				err := scan(&reference, &id)
				attempts[reference] = &id
				return err
			},
		); err != nil {
			return err
		}
	}
	var all []movement
	for i, m := range p.Movements {
		kept := payment.KeptMovement{Movement: m}
		if m.Payment != nil {
			kept.AttemptID = attempts[*m.Payment]
		}
		all = append(all, movement{kept, p.Reference, i})
	}
	return movementTable.Insert(ctx, s.db, in, all)
}

// Payouts reads the latest before a moment, nil for the present, the latest first, at most so many.
func (s *Store) Payouts(
	ctx context.Context, in access.Portfolio, before *clock.Time, most int,
) ([]payment.KeptPayout, error) {
	where, args := "WHERE portfolio_id = $1", []any{in.ID}
	if before != nil {
		where, args = where+" AND created_at < $2", append(args, int64(*before))
	}
	return payoutTable.All(
		ctx,
		s.db,
		where+" ORDER BY created_at DESC, reference DESC LIMIT "+strconv.Itoa(most),
		args...)
}

// Payout reads one with what it contains, and reports whether there is one.
func (s *Store) Payout(
	ctx context.Context, in access.Portfolio, reference string,
) (p payment.KeptPayout, known bool, err error) {
	p, known, err = payoutTable.First(ctx, s.db, "WHERE portfolio_id = $1 AND reference = $2", in.ID, reference)
	if err != nil || !known {
		return p, known, err
	}
	all, err := movementTable.All(
		ctx,
		s.db,
		"WHERE portfolio_id = $1 AND payout = $2 ORDER BY position",
		in.ID,
		reference,
	)
	for i := range all {
		p.Movements = append(p.Movements, all[i].KeptMovement)
	}
	return p, true, err
}

// RowsOfPayout names the ledger rows whose money a payout contains, at most so many.
func (s *Store) RowsOfPayout(ctx context.Context, in access.Portfolio, reference string, most int) ([]string, error) {
	return rows.All(ctx, s.db, `SELECT DISTINCT s.payment_id
		FROM payout_movements m
		JOIN payment_shares s ON s.portfolio_id = m.portfolio_id AND s.attempt_id = m.attempt_id
		WHERE m.portfolio_id = $1 AND m.payout = $2
		ORDER BY s.payment_id
		LIMIT `+strconv.Itoa(most), []any{in.ID, reference}, rows.Value[string])
}

// AttemptsMoved reads those of which something has cleared, gone back or was refunded within a span, and those that the
// processor calls by some references.
func (s *Store) AttemptsMoved(
	ctx context.Context, in access.Portfolio, from, to clock.Time, references []string,
) (all []payment.MovedAttempt, err error) {
	span := []any{in.ID, int64(from), int64(to)}
	ids := map[string]bool{}
	note := func(scan db.Scan) error {
		var id string
		err := scan(&id)
		ids[id] = true
		return err
	}
	for _, column := range []string{"cleared_at", "back_at", "restored_at"} {
		if err := s.db.Each(ctx, "SELECT id FROM payment_attempts WHERE portfolio_id = $1 AND "+column+" >= $2 AND "+
			column+" < $3", span, note); err != nil {
			return nil, err
		}
	}
	refunded := map[string]money.Cents{}
	if err := s.db.Each(ctx, `SELECT attempt_id, amount
		FROM payment_refunds
		WHERE portfolio_id = $1 AND made_at >= $2 AND made_at < $3`, span, func(scan db.Scan) error {
		var id string
		var amount money.Cents
		err := scan(&id, &amount)
		ids[id], refunded[id] = true, refunded[id]+amount
		return err
	}); err != nil {
		return nil, err
	}
	for some := range slices.Chunk(references, rows.MostIDs) {
		these, args := s.db.Among([]any{in.ID}, some)
		if err := s.db.Each(ctx, "SELECT id FROM payment_attempts WHERE portfolio_id = $1 AND reference"+these,
			args, note); err != nil {
			return nil, err
		}
	}
	var named []string
	for id := range ids {
		named = append(named, id)
	}
	slices.Sort(named)
	for some := range slices.Chunk(named, rows.MostIDs) {
		these, args := s.db.Among([]any{in.ID}, some)
		found, err := attemptTable.In(ctx, s.db, in, "WHERE portfolio_id = $1 AND id"+these+" ORDER BY id", args...)
		if err != nil {
			return nil, err
		}
		for i := range found {
			all = append(all, payment.MovedAttempt{Attempt: found[i], RefundedWithin: refunded[found[i].ID]})
		}
	}
	return all, nil
}

var accountTable = rows.NewTable(
	"payment_accounts",
	rows.At("processor", func(a *payment.Account) *string { return &a.Processor }),
	rows.At("reference", func(a *payment.Account) *string { return &a.Reference }),
	rows.At("created_at", func(a *payment.Account) *clock.Time { return &a.CreatedAt }),
	rows.At("submitted", func(a *payment.Account) *bool { return &a.Submitted }),
	rows.At("charges", func(a *payment.Account) *bool { return &a.Charges }),
	rows.At("pays_out", func(a *payment.Account) *bool { return &a.Payouts }),
	rows.NullAt("due", "''", func(a *payment.Account) *string { return &a.Due }),
	rows.At("compared_on", func(a *payment.Account) **clock.Date { return &a.ComparedOn }),
	rows.NullAt("differences", "''", func(a *payment.Account) *string { return &a.Differences }),
)

// PaymentAccount reads the account of a portfolio, nil where there is none.
func (s *Store) PaymentAccount(ctx context.Context, in access.Portfolio) (*payment.Account, error) {
	a, known, err := accountTable.First(ctx, s.db, "WHERE portfolio_id = $1", in.ID)
	if err != nil || !known {
		return nil, err
	}
	return &a, nil
}

// AddPaymentAccount writes a new account. Where there is one already it changes nothing.
func (s *Store) AddPaymentAccount(ctx context.Context, in access.Portfolio, a *payment.Account) error {
	if kept, err := s.PaymentAccount(ctx, in); err != nil || kept != nil {
		return err
	}
	return accountTable.Add(ctx, s.db, a, "portfolio_id", in.ID)
}

// SavePaymentAccount writes an account that has changed.
func (s *Store) SavePaymentAccount(ctx context.Context, in access.Portfolio, a *payment.Account) error {
	return s.db.Run(ctx, `UPDATE payment_accounts
		SET submitted = $2, charges = $3, pays_out = $4, due = $5, compared_on = $6, differences = $7
		WHERE portfolio_id = $1`,
		in.ID, a.Submitted, a.Charges, a.Payouts, rows.Null(a.Due), a.ComparedOn, rows.Null(a.Differences))
}

// PortfolioOfAccount finds whose an account with a processor is, and the time zone, or fault.NotFound.
func (s *Store) PortfolioOfAccount(
	ctx context.Context, processor, reference string,
) (in access.Portfolio, zone string, err error) {
	known, err := s.db.One(ctx, `SELECT p.id, p.mode, p.ahead_days, a.time_zone
		FROM payment_accounts c
		JOIN portfolios p ON p.id = c.portfolio_id
		JOIN accounts a ON a.id = p.account_id
		WHERE c.processor = $1 AND c.reference = $2`, []any{processor, reference},
		&in.ID, &in.Mode, &in.Ahead, &zone)
	if err == nil && !known {
		err = fault.NotFound("account")
	}
	return in, zone, err
}

// PaymentAccounts calls back with the portfolios of open accounts that have one, and the time zones.
func (s *Store) PaymentAccounts(ctx context.Context, each func(in access.Portfolio, zone string) error) error {
	all, err := s.places(ctx, " AND EXISTS (SELECT 1 FROM payment_accounts c WHERE c.portfolio_id = p.id)")
	if err != nil {
		return err
	}
	for _, p := range all {
		if err := each(p.Portfolio, p.zone); err != nil {
			return err
		}
	}
	return nil
}

// OnlineFee reads what tenants of a portfolio pay on top of each online payment.
func (s *Store) OnlineFee(ctx context.Context, in access.Portfolio) (fee money.Cents, err error) {
	_, err = s.db.One(ctx, "SELECT online_fee FROM portfolios WHERE id = $1", []any{in.ID}, &fee)
	return fee, err
}

// SetOnlineFee writes what tenants of a portfolio pay on top of each online payment.
func (s *Store) SetOnlineFee(ctx context.Context, in access.Portfolio, fee money.Cents) error {
	return s.db.Run(ctx, "UPDATE portfolios SET online_fee = $2 WHERE id = $1", in.ID, int64(fee))
}
