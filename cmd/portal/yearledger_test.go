package main

import (
	"fmt"
	"slices"
	"time"
)

// yearLease is a lease of the story as it was agreed. All amounts are cents, as plain numbers: what the ledger must
// have is calculated here from them, and by nothing of the service.
type yearLease struct {
	id            string
	start, end    time.Time // end is the last day
	rent, deposit int
	dueDay        int
	once          int // a fee that is charged once, 0 for none
	rows          []*yearRow
}

// yearRow is a row that the ledger of a lease must have.
type yearRow struct {
	kind         string // rent, fee or deposit
	due          time.Time
	amount, paid int
	atStart      bool
	recorded     time.Time // the day on which the payment was recorded, zero for none
	came         time.Time // the day on which the money came
	status       string    // of a settlement
}

// yearLate is what the leases of a story ask for late rent.
type yearLate struct {
	grace int
	fee   func(rent, days int) int // on the so manyth day from the end of the grace
}

// date is a day.
func date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// charge fills in the rows that a lease charges: the deposit less what is held, the fee, and the rent of each month
// or of the part of it that is let.
func (l *yearLease) charge(held int) {
	if l.deposit > held {
		l.rows = append(l.rows, &yearRow{kind: "deposit", due: l.start, amount: l.deposit - held, atStart: true})
	}
	if l.once > 0 {
		l.rows = append(l.rows, &yearRow{kind: "fee", due: l.start, amount: l.once, atStart: true})
	}
	for from := l.start; !from.After(l.end); {
		next := date(from.Year(), from.Month()+1, 1)
		length := next.AddDate(0, 0, -1).Day()
		last := next.AddDate(0, 0, -1)
		if l.end.Before(last) {
			last = l.end
		}
		due := date(from.Year(), from.Month(), l.dueDay)
		if due.Before(from) {
			due = from
		}
		if due.After(last) {
			due = last
		}
		days := last.Day() - from.Day() + 1
		l.rows = append(l.rows, &yearRow{
			kind: "rent", due: due, amount: nearest(l.rent*days, length), atStart: from.Equal(l.start),
		})
		from = next
	}
}

// nearest divides to the nearest whole number, a half up.
func nearest(n, by int) int {
	whole, rest := n/by, n%by
	if rest*2 >= by {
		whole++
	}
	return whole
}

// lateRow is the late fee for a row of rent as it stands on a day, nil for none.
func (f yearLate) lateRow(rent *yearRow, today time.Time) *yearRow {
	from := rent.due.AddDate(0, 0, f.grace+1)
	until := today
	if !rent.recorded.IsZero() && rent.recorded.Before(until) {
		until = rent.recorded
	}
	if rent.kind != "rent" || rent.amount < 0 || until.Before(from) {
		return nil
	}
	row := &yearRow{kind: "fee", due: from, amount: f.fee(rent.amount, int(until.Sub(from).Hours())/24+1)}
	if !rent.came.IsZero() && rent.came.Before(from) {
		row.status = "void"
	}
	return row
}

// yearLine is a row as it is compared.
type yearLine struct {
	text   string
	due    time.Time
	kind   string
	amount int
	paid   int
	status string
	must   bool // it must be there; a row of a later month may be
}

func (r *yearRow) line(today time.Time) yearLine {
	x := yearLine{due: r.due, kind: r.kind, amount: r.amount, paid: r.paid, status: r.status}
	switch {
	case x.status != "":
	case r.paid == r.amount:
		x.status = "succeeded"
	case r.due.After(today):
		x.status = "scheduled"
	default:
		x.status = "due"
	}
	x.must = r.atStart || !r.due.After(today.AddDate(0, 0, 30))
	x.text = fmt.Sprintf("%s due %s: %d, paid %d, %s", x.kind, x.due.Format(time.DateOnly), x.amount, x.paid, x.status)
	return x
}

// lines are all rows that a lease must have on a day. What was paid of late fees is told apart, by the day on which
// each is due.
func (l *yearLease) lines(late yearLate, paidLate map[string]int, today time.Time) (all []yearLine) {
	for _, r := range l.rows {
		all = append(all, r.line(today))
		if fee := late.lateRow(r, today); fee != nil {
			fee.paid = paidLate[fee.due.Format(time.DateOnly)]
			all = append(all, fee.line(today))
		}
	}
	slices.SortFunc(all, func(a, b yearLine) int { return a.due.Compare(b.due) })
	return all
}

// yearSums are what the rows of a lease come to on a day.
type yearSums struct {
	owed, rent, held int
	deposit          int // that is owed
	inMonth, paid    int // rent that is due in the month of the day, and what of it is paid
}

func sums(lines []yearLine, today time.Time) (s yearSums) {
	for _, x := range lines {
		if x.kind == "deposit" {
			s.held += x.paid
			if !x.due.After(today) {
				s.deposit += x.amount - x.paid
			}
		}
		if x.status == "void" {
			continue
		}
		if x.kind == "rent" && x.due.Year() == today.Year() && x.due.Month() == today.Month() && x.must {
			s.inMonth, s.paid = s.inMonth+x.amount, s.paid+x.paid
		}
		if x.due.After(today) || x.kind == "deposit" {
			continue
		}
		s.owed += x.amount - x.paid
		if x.kind == "rent" {
			s.rent += x.amount - x.paid
		}
	}
	return s
}

// dollars is an amount as pages write it.
func dollars(amount int) string {
	sign := ""
	if amount < 0 {
		sign, amount = "−", -amount
	}
	whole := fmt.Sprint(amount / 100)
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return fmt.Sprintf("%s$%s.%02d", sign, whole, amount%100)
}
