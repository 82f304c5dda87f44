package document

import (
	"strings"

	"portal/api/portfolio/lease/law"
	"portal/api/portfolio/lease/terms"
)

func (c *composer) rent() {
	l := c.Lease
	c.section("Rent")
	c.say("The [tenants pay|tenant pays] %s a month. Rent is due in advance on the %s of each month.",
		l.MonthlyRent.Words(), ordinal(l.RentDueDay))
	c.say("For a part of a month at the start or at the end of the term, the [tenants owe|tenant owes] a share: the " +
		"monthly rent divided by the days of that month, for each day of the term.")
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
		"change it with written notice of at least one month, or longer where the law asks for more, and not above " +
		"what the law allows.")
}

// otherFees are what is owed beside rent, deposit and late fees.
func (c *composer) otherFees() {
	t := &c.Lease.Terms
	if len(t.Fees) > 0 {
		c.say("Beside the rent the [tenants pay|tenant pays]:")
		var all []string
		for _, f := range t.Fees {
			all = append(all, c.feeWords(f))
		}
		c.list(all...)
	}
	if owed(t.ReturnedPaymentFee) {
		c.say("For each payment that the bank returns, the [tenants owe|tenant owes] a fee of %s, and never more "+
			"than the law of %s allows.", t.ReturnedPaymentFee.Words(), c.state)
	}
}

func (c *composer) feeWords(f terms.Fee) string {
	when := "each month, with the rent"
	if f.Frequency == terms.OneTime {
		when = "once, " + c.before()
	}
	back := "not refundable"
	if f.Refundable {
		back = "refundable"
	}
	return f.Name + ": " + f.Amount.Words() + " " + when + "; " + back + "."
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
		c.feeLimits("All late fees for a payment together are never more than")
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
		return "If rent is still not paid when " + counted(n, "day") + " have passed after its due date"
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
		return
	}
	c.say("The [tenants pay|tenant pays] a security deposit of %s %s. It is not rent, and not the rent of the last "+
		"month.", l.SecurityDeposit.Words(), c.before())
	if l.RenewedFromLeaseID != nil {
		c.say("What the landlord still holds as the deposit of the earlier lease counts toward it.")
	}
	c.say("From the deposit the landlord may take only what the law of %s allows, such as:", c.state)
	c.list(
		c.count("rent and other amounts that the [tenants owe|tenant owes] under this lease;"),
		c.count("the cost of damage beyond ordinary wear and tear that the [tenants or their|tenant or the tenant’s] "+
			"guests have caused;"),
		c.count("the cost of cleaning the home to the condition in which it was when the [tenants|tenant] moved in."))
	c.say("Ordinary wear and tear is never taken from it.")
	c.say("When the tenancy has ended, the [tenants give|tenant gives] the landlord an address in writing. The "+
		"landlord sends what is left of the deposit there, with an itemized list of everything that was taken from "+
		"it, within %s%s.", counted(d.ReturnDays, "day"), c.cited(law.DepositReturn))
	c.interest(d.Interest)
	c.say("The landlord holds the deposit as the law of %s asks, and names the bank that keeps it in writing where "+
		"the law asks for that. If the home is sold, the deposit goes to the new owner, who then owes it to the "+
		"[tenants|tenant].", c.state)
}

func (c *composer) interest(is law.Interest) {
	switch is {
	case "yes":
		c.say("The deposit bears interest for the [tenants|tenant] as the law of %s says.", c.state)
	case "conditional":
		c.say("The deposit bears interest for the [tenants|tenant] where the law of %s asks for it.", c.state)
	default:
		c.say("The law of %s asks for no interest on the deposit, and none is paid.", c.state)
	}
}
