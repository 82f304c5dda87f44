package ledger

import (
	"cmp"
	"context"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/portfolio"
)

// AccountStatement is what was charged under leases in a range of days, and every movement of money, with the balance
// after each.
type AccountStatement struct {
	Landlord    string
	From, Until clock.Date // the last day is today at the latest
	Leases      []LeaseStatement
}

// LeaseStatement is the part of a statement that one lease has. Both of its parts are kept apart.
type LeaseStatement struct {
	Lease   *portfolio.Lease
	Rent    StatementPart // rent and fees; Closing is what is owed at the end of the last day
	Deposit StatementPart // Closing is how much of the deposit is held
	// Ahead is money for what falls due after the last day. It counts from that day on, so it is in no balance.
	Ahead []StatementLine
}

// StatementPart is lines with what was before the first one and is after the last one.
type StatementPart struct {
	Opening, Closing money.Cents
	Charged, Paid    money.Cents // what the lines come to
	Lines            []StatementLine
}

// StatementLine is a charge, or a movement of its money.
type StatementLine struct {
	Kind        StatementLineKind
	Day         clock.Date // since which it counts
	Payment     *portfolio.Payment
	Transaction *portfolio.Transaction // of LineMoved, nil for others
	// MovedOn is the day on which the money moved. It is before Day for what was paid before it was due.
	MovedOn       clock.Date
	Charged, Paid money.Cents
	Balance       money.Cents // after the line
}

// StatementLineKind is what a line of a statement is.
type StatementLineKind int

// The kinds of lines.
const (
	LineCharged  StatementLineKind = iota // a charge, or a credit below 0
	LineMoved                             // a transaction
	LineCanceled                          // a charge that is void, or was refunded
	LineUnderWay                          // a payment that has not cleared, and takes the charge out of what is owed
	LineAdjusted                          // what neither of them explains
)

// AccountStatement makes the statement of leases for a range of days.
func (s *Ledger) AccountStatement(
	ctx context.Context, by access.Actor, leases []portfolio.Lease, from, until clock.Date,
) (*AccountStatement, error) {
	landlord, err := s.store.Landlord(ctx, by.Portfolio)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(leases))
	for i := range leases {
		ids[i] = leases[i].ID
	}
	rows, err := s.movements(ctx, by, ids)
	if err != nil {
		return nil, err
	}
	today, lines := s.Today(by), 0
	a := &AccountStatement{Landlord: landlord.Name, From: from, Until: min(until, today)}
	for i := range leases {
		l := LeaseStatement{Lease: &leases[i]}
		l.fill(rows[leases[i].ID], a.From, a.Until, today, by.Zone)
		a.Leases = append(a.Leases, l)
		lines += len(l.Rent.Lines) + len(l.Deposit.Lines)
	}
	if lines > MostStatementLines {
		return nil, fault.New(fault.InvalidField, "These months have %d lines, and a statement has %d at most. Choose "+
			"fewer months.", lines, MostStatementLines).At("to")
	}
	return a, nil
}

// MostStatementLines is how many lines a statement has at most.
const MostStatementLines = 2000

// movements are all rows of leases with their transactions, by the lease's id. Where money moves between the two
// statements that read them, both are read again.
func (s *Ledger) movements(
	ctx context.Context, by access.Actor, leaseIDs []string,
) (map[string][]portfolio.PaymentWithTransactions, error) {
	const most = 3
	for i := 1; ; i++ {
		rows, err := s.store.RowsOfLeases(ctx, by.Portfolio, leaseIDs)
		if err != nil {
			return nil, err
		}
		var ids []string
		for _, of := range rows {
			for j := range of {
				ids = append(ids, of[j].ID)
			}
		}
		stored, err := s.store.TransactionsOf(ctx, by.Portfolio, ids)
		if err != nil {
			return nil, err
		}
		all, moved := map[string][]portfolio.PaymentWithTransactions{}, false
		for id, of := range rows {
			for j := range of {
				of[j].Compute(s.Today(by))
				p := portfolio.PaymentWithTransactions{Payment: of[j], Transactions: of[j].Told(stored[of[j].ID])}
				moved = moved || slices.ContainsFunc(p.Transactions, func(t portfolio.Transaction) bool {
					return t.Kind == portfolio.TransactionPayment && t.Amount < 0 && of[j].Amount > 0
				})
				all[id] = append(all[id], p)
			}
		}
		if !moved || i == most {
			return all, nil
		}
	}
}

// fill makes the parts of the statement out of the rows of the lease.
func (l *LeaseStatement) fill(
	rows []portfolio.PaymentWithTransactions, from, until, today clock.Date, zone *time.Location,
) {
	slices.SortFunc(rows, func(a, b portfolio.PaymentWithTransactions) int {
		return cmp.Or(cmp.Compare(a.DueDate, b.DueDate), cmp.Compare(a.ID, b.ID))
	})
	var rent, held []entry
	for i := range rows {
		p := &rows[i]
		if p.Type == portfolio.PaymentDeposit {
			held = append(held, depositEntries(p, today, zone)...)
			continue
		}
		all := rentEntries(p, today, zone)
		rent = append(rent, all...)
		for j := range all {
			if e := &all[j]; e.Kind == LineMoved && !e.within && e.Day > until && e.MovedOn <= until {
				l.Ahead = append(l.Ahead, e.StatementLine)
			}
		}
	}
	l.Rent = partOf(rent, from, until, func(e *entry) money.Cents { return e.Charged - e.Paid })
	l.Deposit = partOf(held, from, until, func(e *entry) money.Cents { return e.Paid })
}

// entry is a line before it is known which ones a statement shows.
type entry struct {
	StatementLine
	// within marks lines that move money from one row of the lease to another. Those of a day that come to nothing
	// together are left out.
	within bool
}

// entriesOf are the movements of a row.
func entriesOf(p *portfolio.PaymentWithTransactions, today clock.Date, zone *time.Location) (all []entry) {
	for i := range p.Transactions {
		t := &p.Transactions[i]
		if t.Status != portfolio.TransactionSucceeded {
			continue
		}
		moved := min(clock.DateOf(t.OccurredAt.Std(), zone), today)
		all = append(all, entry{StatementLine: StatementLine{
			Kind: LineMoved, Day: moved, MovedOn: moved, Payment: &p.Payment, Transaction: t, Paid: t.Amount,
		}})
	}
	return all
}

// rentEntries are the lines of a row of rent or of a fee. What is paid before it is due counts from the due date on, as
// in what is owed. Through today they come to what portfolio.Balance has of the row.
func rentEntries(p *portfolio.PaymentWithTransactions, today clock.Date, zone *time.Location) []entry {
	if p.Status == portfolio.PaymentVoid && len(p.Transactions) == 0 ||
		p.Forgiven() && p.AmountPaid == p.Amount { // the transaction of what it forgives says so
		return nil
	}
	all := []entry{{StatementLine: StatementLine{
		Kind: LineCharged, Day: p.DueDate, MovedOn: p.DueDate, Payment: &p.Payment, Charged: p.Amount,
	}}}
	last := p.DueDate
	for _, e := range entriesOf(p, today, zone) {
		e.Day = max(e.Day, p.DueDate)
		e.within = e.Transaction.ByCredit()
		all, last = append(all, e), max(last, e.Day)
	}
	if p.DueDate > today {
		return all
	}
	var b portfolio.Balance
	b.Add(&p.Payment, today)
	left := b.Due
	for i := range all {
		left -= all[i].Charged - all[i].Paid
	}
	rest := StatementLine{Kind: LineAdjusted, Day: last, MovedOn: last, Payment: &p.Payment, Charged: left}
	switch {
	case left == 0:
		return all
	case p.Status == portfolio.PaymentVoid || p.Status == portfolio.PaymentRefunded:
		rest.Kind = LineCanceled
	case p.Status == portfolio.PaymentProcessing:
		rest.Kind, rest.Charged, rest.Paid = LineUnderWay, 0, -left
		if p.InitiatedAt != nil {
			rest.MovedOn = min(clock.DateOf(p.InitiatedAt.Std(), zone), today)
			rest.Day = max(rest.MovedOn, last)
		}
	}
	return append(all, entry{StatementLine: rest})
}

// depositEntries are the lines of a row of the deposit. They come to what is held of it.
func depositEntries(p *portfolio.PaymentWithTransactions, today clock.Date, zone *time.Location) (all []entry) {
	if p.Status == portfolio.PaymentVoid && len(p.Transactions) == 0 {
		return nil
	}
	moves := entriesOf(p, today, zone)
	charged := StatementLine{
		Kind: LineCharged, Day: p.DueDate, MovedOn: p.DueDate, Payment: &p.Payment, Charged: p.Amount,
	}
	released := p.SettlesDeposit() && *p.Description == portfolio.DepositReleased
	switch {
	case released || p.Forgiven() && !p.SettlesDeposit():
		if len(moves) > 0 { // nobody owes it since then
			charged.Day, charged.MovedOn = moves[0].Day, moves[0].Day
		}
		all = append(all, entry{StatementLine: charged})
	case !p.SettlesDeposit() && charged.Day <= today:
		all = append(all, entry{StatementLine: charged})
	}
	held := p.AmountPaid
	if p.Status == portfolio.PaymentVoid || p.Status == portfolio.PaymentRefunded {
		held = 0
	}
	last := p.DueDate
	for _, e := range moves {
		t := e.Transaction
		// What is no longer owed of a deposit is a movement of the charge, and the opposite one of the row that says
		// so.
		e.within = released || t.Kind == portfolio.TransactionCorrection && t.Corrects == nil &&
			(t.Amount > 0 || t.Reason != nil)
		all, last, held = append(all, e), e.Day, held-e.Paid
	}
	if held != 0 {
		all = append(all, entry{StatementLine: StatementLine{
			Kind: LineAdjusted, Day: min(last, today), MovedOn: min(last, today), Payment: &p.Payment, Paid: held,
		}})
	}
	return all
}

// partOf is the part of a statement that has some lines, each of which adds an amount to the balance.
func partOf(all []entry, from, until clock.Date, adds func(*entry) money.Cents) (p StatementPart) {
	slices.SortStableFunc(all, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(order(a.Kind), order(b.Kind)))
	})
	within := map[clock.Date]money.Cents{}
	for i := range all {
		if all[i].within {
			within[all[i].Day] += adds(&all[i])
		}
	}
	balance := money.Cents(0)
	for i := range all {
		e := &all[i]
		if e.Day > until {
			break
		}
		if e.within && within[e.Day] == 0 {
			continue
		}
		if balance += adds(e); e.Day < from {
			p.Opening = balance
		} else {
			p.Charged, p.Paid = p.Charged+e.Charged, p.Paid+e.Paid
			line := e.StatementLine
			line.Balance = balance
			p.Lines = append(p.Lines, line)
		}
	}
	p.Closing = balance
	return p
}

// order has charges stand before what is paid of them on the same day.
func order(k StatementLineKind) int {
	if k == LineCharged {
		return 0
	}
	return 1
}
