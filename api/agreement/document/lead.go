package document

import (
	"strconv"

	"portal/api/portfolio/lease/terms"
)

// pamphlet is what a landlord hands out before a home is let that may hold lead (40 CFR 745.107(a)(1)).
const pamphlet = "the pamphlet “Protect Your Family From Lead in Your Home”"

// lead is the addendum for homes that may have been built before 1978, on a page of its own.
func (c *composer) lead() {
	c.d.Sections = append(c.d.Sections, Section{Number: "A", Title: "Lead-based paint addendum", NewPage: true})
	built := "The year in which the building was built is not known."
	if y := c.Property.YearBuilt; y != nil {
		built = "The building was built in " + strconv.Itoa(*y) + "."
	}
	c.say("%s Federal law (42 U.S.C. 4852d; 40 CFR 745.107 and 745.113; 24 CFR 35) asks for this addendum before a "+
		"home built before 1978 is let.", built)
	c.say("The Lead Warning Statement in the words of 40 CFR 745.113(b)(1) and %s are to be attached. Their official "+
		"text is not printed here.", pamphlet)
	c.leadStatement(c.Lease.Terms.LeadPaint)
	c.say("What [the tenants confirm|the tenant confirms] about lead-based paint by signing stands with [their " +
		"signatures|the signature].")
	c.say("The landlord keeps this addendum for at least 3 years.")
}

// leadStatement is what the landlord states, nil for nothing yet.
func (c *composer) leadStatement(l *terms.LeadPaint) {
	if l == nil {
		c.say("The landlord has not yet stated what is known of lead-based paint in the home. The lease cannot be " +
			"signed until this is answered.")
		return
	}
	if l.Hazards == terms.KnownHazards {
		c.say("The landlord knows of lead-based paint or of lead-based paint hazards in the home.")
		if l.Details != nil {
			c.headed("What is known:", *l.Details)
		}
	} else {
		c.say("The landlord knows of no lead-based paint and of no lead-based paint hazards in the home.")
	}
	if l.Records == terms.RecordsProvided {
		c.say("The landlord has given the [tenants|tenant] all records and reports that the landlord has about " +
			"lead-based paint or lead-based paint hazards in the home.")
	} else {
		c.say("The landlord has no records or reports about lead-based paint or lead-based paint hazards in the home.")
	}
}

// leadReceived is what the tenants confirm by signing where the addendum is part of the lease
// (40 CFR 745.113(b)(4)), "" where it is not.
func (c *composer) leadReceived() string {
	if !c.MayHoldLead() {
		return ""
	}
	got := "what the landlord states in addendum A and " + pamphlet
	if l := c.Lease.Terms.LeadPaint; l != nil && l.Records == terms.RecordsProvided {
		got = "what the landlord states in addendum A, the records and reports named there and " + pamphlet
	}
	return c.count("By signing, the [tenants confirm that they have|tenant confirms having] received ") + got + "."
}

// leadCertified is what the landlord confirms by signing (40 CFR 745.113(b)(6)), "" for nothing.
func (c *composer) leadCertified() string {
	if !c.MayHoldLead() || c.Lease.Terms.LeadPaint == nil {
		return ""
	}
	return "By signing, the landlord certifies that what the landlord states in addendum A is accurate to the best " +
		"of the landlord’s knowledge."
}
