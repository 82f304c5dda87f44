package document

import (
	"strings"

	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/law"
	"portal/api/portfolio/lease/terms"
	"portal/api/portfolio/schedule"
	"portal/api/texts"
)

// held is the deposit that the landlord holds already under the lease that this one renews.
func (t *Terms) held() money.Cents { return schedule.Held(t.Lease) }

// depositDue is what of the deposit is paid at the start: what is not held already.
func (t *Terms) depositDue() money.Cents { return schedule.DepositDue(t.Lease) }

// depositBack is what of the deposit that is held the tenants get back at the start.
func (t *Terms) depositBack() money.Cents { return schedule.DepositBack(t.Lease) }

// depositWords are the deposit as a key term, with what is held of it and what changes.
func (t *Terms) depositWords() string {
	deposit, held := t.Lease.SecurityDeposit, t.held()
	switch {
	case held == 0 && deposit == 0:
		return "None"
	case held == 0:
		return deposit.Words()
	case deposit == 0:
		return "None: the landlord returns or credits the " + held.Words() + " held from the earlier lease"
	case deposit == held:
		return deposit.Words() + ", held already from the earlier lease: nothing more is due"
	case deposit > held:
		return deposit.Words() + ": " + held.Words() + " is held already from the earlier lease, and " +
			t.depositDue().Words() + " more is due before the term starts"
	}
	return deposit.Words() + ": " + held.Words() + " is held already from the earlier lease, of which the landlord " +
		"returns or credits " + t.depositBack().Words()
}

// firstRent is the rent of the first month, as it will be charged.
func (t *Terms) firstRent() portfolio.Payment { return schedule.FirstRent(t.Lease) }

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
	if when := c.depositTime(); when != "" {
		refundable := "Yes (section 6)"
		if l.Terms.Own() {
			refundable = "Yes"
		}
		add("Security deposit", l.SecurityDeposit.Words(), when, refundable)
	}
	for _, f := range l.Terms.Fees {
		when := c.feeTime(f.Frequency)
		if f.Frequency == terms.Monthly && c.prorated() {
			first := c.firstRent()
			when += "; " + schedule.FirstFee(l, f).Words() + " for " + period(*first.PeriodStart, *first.PeriodEnd)
		}
		add(f.Name, f.Amount.Words(), when, yesNo(f.Refundable))
	}
	if owed(l.LateFeeAmount) {
		add("Late fee", l.LateFeeAmount.Words(), c.lateFeeTime(), "No")
	}
	if owed(l.Terms.ReturnedPaymentFee) {
		add("Returned payment fee", l.Terms.ReturnedPaymentFee.Words(), "For each payment that the bank returns", "No")
	}
	return t
}

// depositTime is when the deposit is paid, "" where there is none.
func (c *composer) depositTime() string {
	due := c.depositDue()
	switch {
	case c.held() == 0 && due == 0:
		return ""
	case c.held() == 0:
		return "Once, " + c.before()
	case due > 0:
		return c.held().Words() + " is held already; " + due.Words() + " once, " + c.before()
	case c.depositBack() > 0:
		return c.held().Words() + " is held already; the landlord returns or credits " + c.depositBack().Words()
	}
	return "Held already from the earlier lease; nothing is due"
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

// firstFees are the monthly fees of the first month.
func (t *Terms) firstFees() (sum money.Cents) {
	for _, fee := range t.Lease.Terms.Fees {
		if fee.Frequency == terms.Monthly {
			sum += schedule.FirstFee(t.Lease, fee)
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
	first, deposit, fees := c.firstRent(), c.depositDue(), c.fees(terms.OneTime)
	rent := "the first rent of " + first.Amount.Words()
	if first.DueDate > c.Lease.StartDate {
		rent += " (due on " + long(first.DueDate) + ")"
	}
	parts := []string{rent}
	switch {
	case deposit > 0 && c.held() > 0:
		parts = append(parts, "the rest of the security deposit of "+deposit.Words())
	case deposit > 0:
		parts = append(parts, "the security deposit of "+deposit.Words())
	}
	if fees > 0 {
		parts = append(parts, "one-time fees of "+fees.Words())
	}
	if monthly := c.firstFees(); monthly > 0 {
		parts = append(parts, "the first monthly fees of "+monthly.Words())
	}
	return dueAtStart(c.Lease).Words() + ": " + texts.List(parts, " and ")
}

// dueAtStart is the sum of what is due at the start of the term, as it will be charged.
func dueAtStart(l *portfolio.Lease) (sum money.Cents) {
	for _, c := range schedule.AtStart(l) {
		sum += c.Amount
	}
	return sum
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

func (c *composer) rent() {
	l := c.Lease
	c.section("Rent")
	c.say("The [tenants pay|tenant pays] %s a month. Rent is due in advance on the %s of each month.",
		l.MonthlyRent.Words(), ordinal(l.RentDueDay))
	c.say("For a partial month at the start or at the end of the term, the [tenants owe|tenant owes] for each day of " +
		"the term the monthly rent divided by the number of days in that month.")
	if first := c.firstRent(); c.prorated() {
		c.say("For %s the [tenants owe|tenant owes] %s, due on %s.", period(*first.PeriodStart, *first.PeriodEnd),
			first.Amount.Words(), long(first.DueDate))
	}
	c.say("Rent can always be paid by check or money order, handed or mailed to the landlord%s, at no charge. "+
		"The landlord may offer other ways to pay, and no tenant has to pay by electronic means.", c.Landlord.at(" at "))
	c.otherFees()
	c.say("The landlord gives a receipt for each payment on request. A payment is counted toward the oldest rent " +
		"that is owed first.")
	c.say("The rent does not change during a fixed term. While the lease runs from month to month, the landlord may " +
		"change it with written notice of at least one month, or longer where the law requires more, and not above " +
		"what the law allows.")
}

// otherFees are what is owed beside rent, deposit and late fees.
func (c *composer) otherFees() {
	t := &c.Lease.Terms
	if len(t.Fees) > 0 {
		c.say("In addition to the rent, the [tenants pay|tenant pays]:")
		var all []string
		for _, f := range t.Fees {
			when, back := c.feeTime(f.Frequency), "not refundable"
			if f.Refundable {
				back = "refundable"
			}
			all = append(all, f.Name+": "+f.Amount.Words()+" "+strings.ToLower(when[:1])+when[1:]+"; "+back+".")
		}
		c.list(all...)
	}
	if c.fees(terms.Monthly) > 0 {
		c.say(
			"For a part of a month at the start or at the end of the term, monthly fees are shared out as the rent is.",
		)
		if first := c.firstRent(); c.prorated() {
			c.say("For %s the monthly fees come to %s.", period(*first.PeriodStart, *first.PeriodEnd),
				c.firstFees().Words())
		}
	}
	if owed(t.ReturnedPaymentFee) {
		c.say("For each payment that the bank returns, the [tenants owe|tenant owes] a fee of %s, and never more "+
			"than the law of %s allows.", t.ReturnedPaymentFee.Words(), c.state)
	}
}

func (c *composer) lateFees() {
	l := c.Lease
	c.section("Late fees")
	if !owed(l.LateFeeAmount) {
		c.say("No late fee is charged under this lease.")
		return
	}
	if c.daily() {
		c.say("%s, the [tenants owe|tenant owes] a late fee of %s for each day that it stays unpaid after that.",
			c.lateWhen(), l.LateFeeAmount.Words())
		c.say("The late fee of a day is owed once for that day. No fee is charged on a fee, and no fee is taken out " +
			"of rent that is paid later.")
		c.feeLimits("In total, the late fees for one payment are never more than")
		return
	}
	c.say("%s, the [tenants owe|tenant owes] a late fee of %s for that payment.", c.lateWhen(), l.LateFeeAmount.Words())
	c.say("There is one late fee for each late payment. It does not grow, no fee is charged on a fee, and it is not " +
		"taken out of rent that is paid later.")
	c.feeLimits("The late fee is never more than")
}

// lateWhen is from when on a late fee is owed, as the beginning of a sentence.
func (c *composer) lateWhen() string {
	switch n := c.graceDays(); n {
	case 0:
		return "If rent is not paid on its due date"
	case 1:
		return "If rent is still not paid when 1 day has passed after its due date"
	default:
		return "If rent is still not paid when " + texts.Counted(n, "day") + " have passed after its due date"
	}
}

// feeLimits says what the law of the state allows, from the beginning of the sentence on.
func (c *composer) feeLimits(begin string) {
	if c.rules.LateFee.Kind != law.Limited {
		c.say("%s the law of %s allows%s, and never more than is reasonable for what a late payment costs the "+
			"landlord.", begin+" what", c.state, c.cited(law.LateFees))
		return
	}
	c.say("%s the law of %s allows%s:", begin+" what", c.state, c.cited(law.LateFees))
	var all []string
	for _, l := range c.rules.LateFee.Limits {
		text := l.Text
		if l.When != nil {
			text = strings.TrimSuffix(*l.When, ".") + ": " + text
		}
		all = append(all, text)
	}
	c.list(all...)
}

func (c *composer) deposit() {
	l, d := c.Lease, c.rules.Deposit
	c.section("Security deposit")
	if l.SecurityDeposit == 0 {
		c.say("No security deposit is taken under this lease.")
		c.depositReturned()
		return
	}
	c.depositPaid()
	c.say("From the deposit the landlord may take only what the law of %s allows, such as:", c.state)
	taken := []string{
		"rent and other amounts that the [tenants owe|tenant owes] under this lease",
		"the cost of damage beyond ordinary wear and tear that the [tenants or their|tenant or the tenant’s] guests " +
			"have caused",
	}
	if c.rules.CleaningDeducted {
		taken = append(taken, "the cost of cleaning the home to the condition in which it was when the "+
			"[tenants|tenant] moved in")
	}
	for i, end := range taken {
		taken[i] = c.count(end + map[bool]string{true: ".", false: ";"}[i == len(taken)-1])
	}
	c.list(taken...)
	c.say("Ordinary wear and tear is never taken from it.")
	c.say("When the tenancy has ended, the [tenants give|tenant gives] the landlord an address in writing. "+
		keepsDeposit+", within %s%s.", texts.Counted(d.ReturnDays, "day"), c.cited(law.DepositReturn))
	for _, other := range d.ReturnCases {
		c.say("%s, the whole deposit is returned within %s (%s).", strings.TrimSuffix(other.When, "."),
			texts.Counted(other.Days, "day"), other.Citation)
	}
	c.interest(d.Interest)
	c.say("The landlord holds the deposit as the law of %s requires, and names in writing the bank that keeps it "+
		"where the law requires that. If the home is sold, the deposit goes to the new owner, who then owes it to the "+
		"[tenants|tenant].", c.state)
}

// depositPaid says what of the deposit the landlord holds already, and what is paid.
func (c *composer) depositPaid() {
	l := c.Lease
	const kind = " It is not rent, and not the rent of the last month."
	switch due := c.depositDue(); {
	case c.held() == 0:
		c.say("The [tenants pay|tenant pays] a security deposit of %s %s."+kind, l.SecurityDeposit.Words(), c.before())
		if l.RenewedFromLeaseID != nil && l.Terms.HeldDeposit == nil {
			c.say("What the landlord still holds as the deposit of the earlier lease counts toward it.")
		}
	case due > 0:
		c.say(
			"The security deposit is %s. The landlord holds %s of it already as the deposit of the earlier lease. The "+
				"[tenants pay|tenant pays] the other %s %s."+kind,
			l.SecurityDeposit.Words(),
			c.held().Words(),
			due.Words(),
			c.before(),
		)
	default:
		c.say("The security deposit is %s. The landlord holds it already as the deposit of the earlier lease, and the "+
			"[tenants pay|tenant pays] nothing more."+kind, l.SecurityDeposit.Words())
		c.depositReturned()
	}
}

// depositReturned says what of the deposit of the earlier lease the tenants get back.
func (c *composer) depositReturned() {
	if back := c.depositBack(); back > 0 {
		c.say(
			"Of the deposit of the earlier lease, %s, the landlord returns %s to the [tenants|tenant] or credits it to "+
				"the rent, as the law of %s asks.",
			c.held().Words(),
			back.Words(),
			c.state,
		)
	}
}

func (c *composer) interest(is law.Interest) {
	switch is {
	case "yes":
		c.say("The deposit bears interest for the [tenants|tenant] as the law of %s says.", c.state)
	case "conditional":
		c.say("The deposit bears interest for the [tenants|tenant] where the law of %s requires it.", c.state)
	default:
		c.say("The law of %s requires no interest on the deposit, and none is paid.", c.state)
	}
}
