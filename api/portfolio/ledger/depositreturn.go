package ledger

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/money"
	"portal/api/operation"
	"portal/api/portfolio"
)

// DepositReturn is what the landlord takes out of a deposit, and how the rest goes back.
type DepositReturn struct {
	// What is taken out of the deposit.
	Deductions *[]Deduction `json:"deductions" maxlen:"20"`
	// Whether what is owed for rent and fees is taken out of it too, as far as it is enough.
	Owed bool `json:"owed"`
	// How much is held, in dollars, where the ledger has no row of the deposit; null for what the lease says.
	Held *money.Cents `json:"held"`
	// How the rest goes back; null where nothing does.
	Method *portfolio.PaymentMethod `json:"method"`
	// The number of the check, or what names it otherwise.
	Reference *string `json:"reference" maxlen:"127"`
	// The day on which it goes back; null for today.
	PaidOn *clock.Date `json:"paid_on"`
	// Seen is what Deposit.Seen told the caller, nil if the caller does not care. Something else is a stale write.
	Seen *string `json:"-"`
}

// Deduction is an amount that is taken out of a deposit.
type Deduction struct {
	// What it is for, in one line that the tenants read.
	Text string `json:"text" minlen:"1" maxlen:"200"`
	// How much, in dollars; more than 0.
	Amount money.Cents `json:"amount"`
}

// MostDeductions is how many deductions a statement has at most.
const MostDeductions = 20

// deductions are what is taken out of the deposit.
func (r *DepositReturn) deductions() []Deduction {
	if r.Deductions == nil {
		return nil
	}
	return *r.Deductions
}

// Check refuses deductions of nothing.
func (r DepositReturn) Check(clock.Date) (all []fault.Detail) {
	for i, d := range r.deductions() {
		if d.Amount <= 0 {
			all = append(all, portfolio.FieldFault(fmt.Sprintf("deductions.%d.amount", i), fault.InvalidField,
				"must be more than 0."))
		}
	}
	if r.Held != nil && *r.Held < 0 {
		all = append(all, portfolio.FieldFault("held", fault.InvalidField, "must not be below 0."))
	}
	return all
}

// deducted is what the deductions come to.
func (r *DepositReturn) deducted() (all money.Cents) {
	for _, d := range r.deductions() {
		all += d.Amount
	}
	return all
}

var returnDeposit = operation.DefineInput[DepositReturn]("return_deposit")

// ReturnDeposit settles the deposit of a lease whose tenancy is over, once: deductions and what is owed are paid out of
// it, the rest and what is credited goes back to the tenants, and a statement says so, which is emailed to them. It
// cannot be undone, so it is for an owner.
func (s *Ledger) ReturnDeposit(
	ctx context.Context, by access.Actor, t change.Target, r DepositReturn,
) (*change.Result[portfolio.DepositStatement], error) {
	if by.Role != access.Owner {
		return nil, fault.New(fault.OwnerRequired, "Only an owner of the account can return a deposit.")
	}
	if err := returnDeposit.Check(&r, s.Today(by)); err != nil {
		return nil, err
	}
	at, err := s.received(by, r.PaidOn)
	if err != nil {
		return nil, err
	}
	return portfolio.Write(ctx, s.Common, by,
		func(ctx context.Context) (*change.Result[portfolio.DepositStatement], error) {
			d, err := s.Deposit(ctx, by, t.ID)
			if err != nil {
				return nil, err
			}
			if err := d.settles(&r); err != nil {
				return nil, err
			}
			if err := t.Check("lease", d.Lease.Version); err != nil {
				return nil, err
			}
			x := &settlement{Ledger: s, by: by, d: d, r: &r, today: s.Today(by), at: at}
			if err := x.settle(ctx); err != nil {
				return nil, err
			}
			return &change.Result[portfolio.DepositStatement]{After: x.statement}, nil
		})
}

// settles refuses to settle a deposit that cannot be, or that has changed since it was seen.
func (d *Deposit) settles(r *DepositReturn) error {
	switch {
	case d.Statement != nil:
		return fault.New(fault.InvalidTransition, "The lease has the statement of its deposit already.")
	case !d.Over:
		return fault.New(fault.InvalidTransition, "The deposit goes back after the tenancy, which is not over.")
	case d.UnderWay:
		return fault.New(fault.InvalidTransition, "A payment of the tenants is under way. Wait until it has cleared.")
	case r.Seen != nil && *r.Seen != d.Seen():
		return fault.New(fault.StaleWrite, "The ledger of the lease has changed meanwhile. Look at it again.")
	}
	if r.Held != nil && d.Recorded && *r.Held != d.Held {
		return fault.New(
			fault.InvalidField,
			"held must be %s, as the ledger has it; not %s.",
			d.Held,
			*r.Held,
		).At(
			"held",
		)
	}
	if r.Held != nil {
		d.Held = *r.Held
	}
	if d.Held+d.Credit() <= 0 {
		return fault.New(fault.InvalidTransition, "Nothing is held of the tenants’ deposit.")
	}
	if all := r.deducted(); all > d.Held {
		return fault.New(fault.InvalidField,
			"deductions must be at most %s together, what is held; not %s. Charge the rest to the tenants.",
			d.Held, all).At("deductions")
	}
	return nil
}

// settlement is a deposit while it is settled.
type settlement struct {
	*Ledger
	by        access.Actor
	d         *Deposit
	r         *DepositReturn
	today     clock.Date
	at        clock.Time // when the rest goes back
	statement *portfolio.DepositStatement
	left      []share // what is left of the deposit
}

// share is what is held by a row of the deposit.
type share struct {
	row    *portfolio.Payment
	amount money.Cents
}

func (x *settlement) settle(ctx context.Context) error {
	if err := x.prepare(ctx); err != nil {
		return err
	}
	for _, d := range x.r.deductions() {
		if err := x.deduct(ctx, d); err != nil {
			return err
		}
	}
	if x.r.Owed {
		for i := range x.d.Owed {
			if err := x.payOwed(ctx, &x.d.Owed[i]); err != nil {
				return err
			}
		}
	}
	if err := x.refund(ctx); err != nil {
		return err
	}
	if err := x.release(ctx); err != nil {
		return err
	}
	in, l := x.by.Portfolio, x.d.Lease
	if err := x.store.AddDepositStatement(ctx, in, x.statement); err != nil {
		return err
	}
	if err := x.store.SetDepositReminder(ctx, in, l.ID, nil); err != nil {
		return err
	}
	if x.Deposits != nil {
		if err := x.Deposits.DepositReturned(ctx, x.by, l, x.statement); err != nil {
			return err
		}
	}
	return x.RecordDone(ctx, x.by, "deposit.returned", l.ID, map[string]string{
		"held":     x.statement.Held.String(),
		"deducted": x.statement.Sum(portfolio.DepositDeduction).String(),
		"owed":     x.statement.Sum(portfolio.DepositOwed).String(),
		"refunded": x.statement.Refunded.String(),
	})
}

// prepare begins the statement, writes a deposit that the ledger does not have, and finds what is held by each row.
func (x *settlement) prepare(ctx context.Context) error {
	l := x.d.Lease
	who, err := x.store.Landlord(ctx, x.by.Portfolio)
	if err != nil {
		return err
	}
	content := &portfolio.DepositContent{
		Landlord: who.Name, Home: l.RentalAddress, Tenants: []string{}, Lines: []portfolio.DepositLine{},
	}
	if !x.d.Commercial {
		content.Days = x.d.Rules.Deposit.ReturnDays
		content.Citation, _ = x.d.Citation()
	}
	for i := range l.Tenants {
		if l.Tenants[i].Role != portfolio.PartyGuarantor {
			content.Tenants = append(content.Tenants, l.Tenants[i].Name)
		}
	}
	if x.Conditions != nil {
		if content.Changes, err = x.Conditions.Changes(ctx, x.by, l.ID); err != nil {
			return err
		}
	}
	x.statement = &portfolio.DepositStatement{
		LeaseID: l.ID, CreatedAt: clock.At(x.Now(x.by.Portfolio)), EndedOn: *x.d.EndedOn, Deadline: x.d.Deadline,
		PaidOn: clock.DateOf(x.at.Std(), x.by.Zone), Held: x.d.Held, Content: content,
	}
	if user := audit.From(ctx).UserID; user != "" {
		x.statement.CreatedBy = &user
	}
	if !x.d.Recorded && x.d.Held > 0 {
		if err := x.record(ctx); err != nil {
			return err
		}
	}
	for i := range x.d.rows {
		row := &x.d.rows[i]
		if row.ReversesPaymentID == nil && row.AmountPaid > 0 {
			x.left = append(x.left, share{row, row.AmountPaid})
		}
	}
	for i := range x.d.rows { // what was taken out of it before, such as a part that was forgiven
		back := -x.d.rows[i].AmountPaid
		of := func(s share) bool { return change.Same(x.d.rows[i].ReversesPaymentID, &s.row.ID) }
		if at := slices.IndexFunc(x.left, of); back > 0 && at >= 0 {
			x.left[at].amount -= back
		}
	}
	return nil
}

// record writes a deposit that the ledger does not have, as paid at the start of the lease.
func (x *settlement) record(ctx context.Context) error {
	start := x.d.Lease.StartDate
	y, m, day := start.Std().Date()
	other := portfolio.PaymentMethod("other")
	row := x.row(portfolio.PaymentDeposit, "Security deposit", x.d.Held)
	row.DueDate = min(start, x.today)
	moved := x.moved(portfolio.TransactionPayment, x.d.Held)
	moved.Method = &other
	moved.OccurredAt = min(clock.At(time.Date(y, m, day, 0, 0, 0, 0, x.by.Zone)), x.statement.CreatedAt)
	if err := x.add(ctx, row, moved); err != nil {
		return err
	}
	row.AmountPaid = row.Amount
	x.d.rows = append(x.d.rows, row)
	return nil
}

// row is a new row of the lease that is due today.
func (x *settlement) row(kind portfolio.PaymentType, words string, amount money.Cents) portfolio.Payment {
	l := x.d.Lease
	return portfolio.Payment{
		Record:      x.NewRecord(x.by, id.Payment, "payment"),
		LeaseID:     l.ID,
		TenantID:    l.TenantIDs[0],
		UnitID:      l.UnitID,
		PropertyID:  l.PropertyID,
		Type:        kind,
		Description: &words,
		Amount:      amount,
		Currency:    portfolio.Currency,
		DueDate:     x.today,
	}
}

// moved is a transaction of today that has succeeded.
func (x *settlement) moved(kind portfolio.TransactionKind, amount money.Cents) portfolio.Transaction {
	recorder := portfolio.ByDashboard
	if x.by.KeyID != "" {
		recorder = portfolio.ByAPI
	}
	return portfolio.Transaction{
		ID:         id.New(id.Transaction, x.Now(x.by.Portfolio)),
		Kind:       kind,
		Amount:     amount,
		Status:     portfolio.TransactionSucceeded,
		OccurredAt: x.statement.CreatedAt,
		RecordedBy: recorder,
	}
}

// given is the transaction of money that goes back to the tenants.
func (x *settlement) given(amount money.Cents) portfolio.Transaction {
	t := x.moved(portfolio.TransactionRefund, amount)
	t.Method, t.Reference, t.OccurredAt = x.r.Method, x.r.Reference, x.at
	return t
}

// add writes a row with the transaction that settles it.
func (x *settlement) add(ctx context.Context, row portfolio.Payment, t portfolio.Transaction) error {
	all := []portfolio.Transaction{t}
	row.Derive(all, x.today)
	return x.addRow(ctx, x.by, &portfolio.PaymentWithTransactions{Payment: row, Transactions: all})
}

// available is what is left of the deposit.
func (x *settlement) available() (all money.Cents) {
	for _, s := range x.left {
		all += s.amount
	}
	return all
}

// take takes an amount out of the deposit, by rows that reverse those of the deposit.
func (x *settlement) take(
	ctx context.Context, amount money.Cents, words string, settled func(amount money.Cents) portfolio.Transaction,
) error {
	for i := range x.left {
		part := min(amount, x.left[i].amount)
		if part <= 0 {
			continue
		}
		row := x.row(portfolio.PaymentDeposit, clipped(words), -part)
		row.ReversesPaymentID = &x.left[i].row.ID
		if err := x.add(ctx, row, settled(-part)); err != nil {
			return err
		}
		amount -= part
		x.left[i].amount -= part
	}
	if amount != 0 {
		return fmt.Errorf("%s more is taken out of the deposit of %s than is held", amount, x.d.Lease.ID)
	}
	return nil
}

// correction settles a row without money.
func (x *settlement) correction(amount money.Cents) portfolio.Transaction {
	return x.moved(portfolio.TransactionCorrection, amount)
}

// longestWords is how long the description of a row is at most, in characters.
const longestWords = 255

func clipped(words string) string {
	all := []rune(words)
	if len(all) <= longestWords {
		return words
	}
	return strings.TrimSpace(string(all[:longestWords-1])) + "…"
}

// deduct charges a deduction, and pays it out of the deposit.
func (x *settlement) deduct(ctx context.Context, d Deduction) error {
	fee := x.row(portfolio.PaymentFee, d.Text, d.Amount)
	fee.FeeType = new(portfolio.OtherFee)
	if err := x.add(ctx, fee, x.correction(d.Amount)); err != nil {
		return err
	}
	x.line(portfolio.DepositLine{Kind: portfolio.DepositDeduction, Text: d.Text, Amount: d.Amount})
	return x.take(ctx, d.Amount, portfolio.DepositTaken+d.Text, x.correction)
}

func (x *settlement) line(l portfolio.DepositLine) {
	x.statement.Content.Lines = append(x.statement.Content.Lines, l)
}

// payOwed pays what is owed of a row out of the deposit, as far as that is enough.
func (x *settlement) payOwed(ctx context.Context, row *portfolio.Payment) error {
	amount := min(row.Amount-row.AmountPaid, x.available())
	if amount <= 0 {
		return nil
	}
	if err := x.addTo(ctx, x.by, row, x.correction(amount)); err != nil {
		return err
	}
	line := portfolio.DepositLine{Kind: portfolio.DepositOwed, Text: nameOf(row), Amount: amount}
	if row.Type == portfolio.PaymentRent {
		line.RentFor = row.PeriodStart
	}
	x.line(line)
	return x.take(ctx, amount, portfolio.DepositTaken+line.Text, x.correction)
}

// nameOf is what a row charges for, in words.
func nameOf(p *portfolio.Payment) string {
	switch {
	case p.Description != nil:
		return *p.Description
	case p.FeeType != nil && *p.FeeType != portfolio.OtherFee:
		word := strings.ReplaceAll(string(*p.FeeType), "_", " ")
		return strings.ToUpper(word[:1]) + word[1:] + " fee"
	case p.Type == portfolio.PaymentFee:
		return "Fee"
	case p.Type == portfolio.PaymentDeposit:
		return "Deposit"
	}
	return "Rent"
}

// refund gives back what is left of the deposit, and what is credited to the tenants.
func (x *settlement) refund(ctx context.Context) error {
	rest := x.available()
	if x.statement.Refunded = rest + x.d.Credit(); x.statement.Refunded == 0 {
		return nil
	}
	m := x.r.Method
	switch {
	case m == nil:
		back := x.statement.Refunded.Dollars()
		return fault.New(fault.MissingField, "method is required, as %s goes back.", back).At("method")
	case !m.ByHand():
		return fault.New(fault.InvalidField,
			"method must be check, cash, money_order, bank_transfer or other, not %q.", *m).At("method")
	}
	x.statement.Method, x.statement.Reference = m, x.r.Reference
	for i := range x.d.Credits {
		row := &x.d.Credits[i]
		amount := row.AmountPaid - row.Amount
		x.line(portfolio.DepositLine{Kind: portfolio.DepositCredit, Text: nameOf(row), Amount: amount})
		if err := x.addTo(ctx, x.by, row, x.given(-amount)); err != nil {
			return err
		}
	}
	return x.take(ctx, rest, portfolio.DepositBack, x.given)
}

// release has nobody owe what was not paid of the deposit.
func (x *settlement) release(ctx context.Context) error {
	for i := range x.d.rows {
		row := &x.d.rows[i]
		rest := row.Amount - row.AmountPaid
		switch {
		case !row.Payable() || rest <= 0:
			continue
		case row.AmountPaid == 0:
			if err := voidCharge(row); err != nil {
				return err
			}
			row.Revise(x.statement.CreatedAt)
			if err := x.store.SavePayment(ctx, x.by.Portfolio, row); err != nil {
				return err
			}
			continue
		}
		if err := x.addTo(ctx, x.by, row, x.correction(rest)); err != nil {
			return err
		}
		back := x.row(portfolio.PaymentDeposit, portfolio.DepositReleased, -rest)
		back.ReversesPaymentID = &row.ID
		if err := x.add(ctx, back, x.correction(-rest)); err != nil {
			return err
		}
	}
	return nil
}
