package document

import (
	"portal/api/portfolio"
)

func (c *composer) keyTerms() []Row {
	l := c.Lease
	all := []Row{{"Landlord", c.Landlord.Name}, {c.count("[Tenants|Tenant]"), listed(c.names(tenant))}}
	if g := c.names(guarantor); len(g) == 1 {
		all = append(all, Row{"Guarantor", g[0]})
	} else if len(g) > 1 {
		all = append(all, Row{"Guarantors", listed(g)})
	}
	if len(l.Terms.Occupants) > 0 {
		all = append(all, Row{"Other occupants", listed(l.Terms.Occupants)})
	}
	return append(all,
		Row{"Home", l.RentalAddress},
		Row{"Term", termWords(c.Lease)},
		Row{"Rent", l.MonthlyRent.Words() + " a month, due on the " + ordinal(l.RentDueDay)},
		Row{"Security deposit", amountOr(l.SecurityDeposit.Words(), l.SecurityDeposit == 0)},
		Row{"Late fee", c.lateFeeWords()},
	)
}

func amountOr(words string, none bool) string {
	if none {
		return "None"
	}
	return words
}

// termWords is from when to when the lease runs.
func termWords(l *portfolio.Lease) string {
	switch {
	case l.EndDate == nil:
		return "From " + long(l.StartDate) + ", month to month"
	case l.LeaseType == portfolio.FixedWithRollover:
		return long(l.StartDate) + " to " + long(*l.EndDate) + ", then month to month"
	}
	return long(l.StartDate) + " to " + long(*l.EndDate)
}

func (c *composer) lateFeeWords() string {
	fee := c.Lease.LateFeeAmount
	switch {
	case !owed(fee):
		return "None"
	case c.daily():
		return fee.Words() + " for each day once rent is " + c.late()
	}
	return fee.Words() + " once rent is " + c.late()
}

// late is how late rent is when a fee for it is owed.
func (c *composer) late() string {
	if c.graceDays() == 0 {
		return "late"
	}
	return "more than " + counted(c.graceDays(), "day") + " late"
}

// note says what the document was made from.
func (c *composer) note() string {
	year := ""
	if c.rules.AsOf != nil {
		year = " as of " + *c.rules.AsOf
	}
	return "This document was made on " + long(c.Day) + " by software, from what the landlord entered and from a " +
		"table of " +
		c.state + "’s rules" + year + ". It is not legal advice. Rules of cities and counties are not in the table " +
		"and may add to it."
}
