package document

import (
	"strings"

	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
)

// firstRent is the rent of the first month, as it will be charged.
func (t *Terms) firstRent() portfolio.Payment {
	return t.Lease.RentFrom(t.Lease.StartDate, t.Lease.EndDate)
}

// prorated reports whether the first month is only a part of one.
func (t *Terms) prorated() bool { return t.firstRent().Amount != t.Lease.MonthlyRent }

// owed is an amount that may be none.
func owed(amount *money.Cents) bool { return amount != nil && *amount > 0 }

// daily reports whether the late fee is owed for each day.
func (t *Terms) daily() bool { return t.Lease.Terms.LateFeeFrequency == terms.Daily }

// before is by when what is owed once is paid.
func (c *composer) before() string {
	if c.Lease.RenewedFromLeaseID != nil {
		return "before the term starts"
	}
	return "before moving in"
}

func yesNo(is bool) string {
	if is {
		return "Yes"
	}
	return "No"
}

// charges is every amount that the lease asks for. Some states want it on the first page.
func (c *composer) charges() Table {
	l := c.Lease
	t := Table{Head: []string{"Charge", "Amount", "When", "Refundable"}}
	add := func(cells ...string) { t.Rows = append(t.Rows, cells) }
	if first := c.firstRent(); c.prorated() {
		days := period(*first.PeriodStart, *first.PeriodEnd)
		add("First rent (prorated)", first.Amount.Words(), "For "+days+"; due on "+long(first.DueDate), "No")
	}
	add("Rent", l.MonthlyRent.Words(), "Each month, on the "+ordinal(l.RentDueDay), "No")
	if l.SecurityDeposit > 0 {
		add("Security deposit", l.SecurityDeposit.Words(), "Once, "+c.before(), "Yes (section 6)")
	}
	for _, f := range l.Terms.Fees {
		add(f.Name, f.Amount.Words(), c.feeTime(f.Frequency), yesNo(f.Refundable))
	}
	if owed(l.LateFeeAmount) {
		add("Late fee", l.LateFeeAmount.Words(), c.lateFeeTime(), "No")
	}
	if owed(l.Terms.ReturnedPaymentFee) {
		add("Returned payment fee", l.Terms.ReturnedPaymentFee.Words(), "For each payment that the bank returns", "No")
	}
	return t
}

// feeTime is when a fee is owed.
func (c *composer) feeTime(f terms.FeeFrequency) string {
	if f == terms.Monthly {
		return "Each month, with the rent"
	}
	return "Once, " + c.before()
}

// lateFeeTime is when a late fee is owed.
func (c *composer) lateFeeTime() string {
	if c.daily() {
		return "For each day that a rent payment is " + c.late()
	}
	return "For each rent payment that is " + c.late()
}

// fees is the sum of the fees that are owed at a frequency.
func (t *Terms) fees(f terms.FeeFrequency) (sum money.Cents) {
	for _, fee := range t.Lease.Terms.Fees {
		if fee.Frequency == f {
			sum += fee.Amount
		}
	}
	return sum
}

// totals are what the charges come to at the start and in a month, and what is owed only in some cases.
func (c *composer) totals() []Row {
	l := c.Lease
	name := "Due at move-in"
	if l.RenewedFromLeaseID != nil {
		name = "Due at the start"
	}
	all := []Row{{name, c.startTotal()}}
	month := l.MonthlyRent.Words()
	if fees := c.fees(terms.Monthly); fees > 0 {
		month = (l.MonthlyRent + fees).Words() + ": the rent and " + fees.Words() + " of monthly fees"
	}
	all = append(all, Row{"Due each month", month})
	if cases := c.cases(); len(cases) > 0 {
		all = append(all, Row{"Only in some cases", strings.Join(cases, " ")})
	}
	return all
}

// startTotal is what is owed at the start of the term, and what it is made of.
func (c *composer) startTotal() string {
	first, deposit, fees := c.firstRent(), c.Lease.SecurityDeposit, c.fees(terms.OneTime)
	rent := "the first rent of " + first.Amount.Words()
	if first.DueDate > c.Lease.StartDate {
		rent += " (due on " + long(first.DueDate) + ")"
	}
	parts := []string{rent}
	if deposit > 0 {
		parts = append(parts, "the security deposit of "+deposit.Words())
	}
	if fees > 0 {
		parts = append(parts, "one-time fees of "+fees.Words())
	}
	if monthly := c.fees(terms.Monthly); monthly > 0 {
		parts = append(parts, "the first monthly fees of "+monthly.Words())
		fees += monthly
	}
	return (first.Amount + deposit + fees).Words() + ": " + listed(parts)
}

// cases are the charges that a condition brings about.
func (c *composer) cases() (all []string) {
	if owed(c.Lease.LateFeeAmount) {
		all = append(all, "The late fee is owed only if rent is "+c.late()+".")
	}
	if owed(c.Lease.Terms.ReturnedPaymentFee) {
		all = append(all, "The returned payment fee is owed only if the bank returns a payment.")
	}
	return all
}
