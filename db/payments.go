package db

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
)

const paymentColumns = `id, version, created_at, updated_at, lease_id, tenant_id, unit_id, property_id, type, fee_type, description,
	amount, amount_paid, status, method, due_date, period_start, period_end, initiated_at, paid_at, failure_code, failure_message, reference`

// unpaid is the condition of the index payments_unpaid; only the very same words
// let SQLite use it.
const unpaid = "status IN ('due', 'partially_paid', 'failed')"

func readPayment(mode access.Mode) func(scan, *portfolio.Payment) error {
	return func(s scan, p *portfolio.Payment) error {
		p.Object, p.Mode, p.Currency = "payment", mode, portfolio.Currency
		return s(&p.ID, &p.Version, &p.CreatedAt, &p.UpdatedAt, &p.LeaseID, &p.TenantID, &p.UnitID, &p.PropertyID, &p.Type, &p.FeeType, &p.Description,
			&p.Amount, &p.AmountPaid, &p.Status, &p.Method, &p.DueDate, &p.PeriodStart, &p.PeriodEnd, &p.InitiatedAt, &p.PaidAt, &p.FailureCode, &p.FailureMessage, &p.Reference)
	}
}

func paymentValues(p *portfolio.Payment) []any {
	return []any{p.ID, p.Version, p.CreatedAt, p.UpdatedAt, p.LeaseID, p.TenantID, p.UnitID, p.PropertyID, p.Type, p.FeeType, p.Description,
		p.Amount, p.AmountPaid, p.Status, p.Method, p.DueDate, p.PeriodStart, p.PeriodEnd, p.InitiatedAt, p.PaidAt, p.FailureCode, p.FailureMessage, p.Reference}
}

// Payments reads the ledger rows of a portfolio that pass the filter, one more
// than its limit. What is overdue is decided by the day.
func (d *DB) Payments(ctx context.Context, in access.Portfolio, f portfolio.PaymentFilter, today clock.Date) ([]portfolio.Payment, error) {
	l := d.listed(paymentColumns, "payments", in, id.Payment, f.Query)
	l.equal("lease_id", f.LeaseID)
	l.equal("tenant_id", f.TenantID)
	l.equal("unit_id", f.UnitID)
	l.equal("property_id", f.PropertyID)
	if f.Status == portfolio.PaymentSucceeded { // nearly all are
		l.equal("method", string(f.Method))
		f.Method = ""
	}
	l.equal("status", string(f.Status))
	l.equal("method", string(f.Method))
	l.equal("type", string(f.Type))
	l.after("due_date", f.DueAfter)
	l.before("due_date", f.DueBefore)
	switch {
	case f.Overdue == nil:
	case *f.Overdue:
		l.where(unpaid+" AND due_date < ?", int64(today))
	default:
		l.where("NOT ("+unpaid+" AND due_date < ?)", int64(today))
	}
	return rows(ctx, d, l, readPayment(in.Mode))
}

// Payment reads one ledger row, or fault.NotFound.
func (d *DB) Payment(ctx context.Context, in access.Portfolio, id string) (portfolio.Payment, error) {
	p, found, err := record(ctx, d, paymentColumns, "payments", in, id, readPayment(in.Mode))
	if err == nil && !found {
		err = fault.NotFound("payment")
	}
	return p, err
}

// AddPayment writes a new ledger row.
func (d *DB) AddPayment(ctx context.Context, in access.Portfolio, p *portfolio.Payment) error {
	return insert(ctx, d, in, "payments", paymentColumns, []portfolio.Payment{*p}, fixed(paymentValues))
}

// SavePayment writes a ledger row that has changed.
func (d *DB) SavePayment(ctx context.Context, in access.Portfolio, p *portfolio.Payment) error {
	return save(ctx, d, in, "payments", paymentColumns, paymentValues(p))
}
