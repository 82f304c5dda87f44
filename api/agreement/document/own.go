package document

import (
	"portal/api/portfolio/lease/terms"
	"portal/api/texts"
)

// ownText says that the text of the lease is a PDF of the landlord's, and how it goes together with the first page.
func (c *composer) ownText() {
	c.section("The lease")
	own := c.OwnDocument()
	if own == nil {
		c.say("The text of this lease is a document of the landlord’s that is yet to be added. Nobody can sign before.")
		return
	}
	initials := ""
	if own.Initials {
		initials = ", and has the initials of each party who signs electronically"
	}
	c.say("The text of this lease is the document %s, which the landlord provides. In the signed lease it stands "+
		"behind the first page%s.", ownName(own), initials)
	c.list("SHA-256: " + own.SHA256)
	c.say("The first page is part of the lease: the parties, the home, the dates and the amounts are those that it " +
		"names. In everything else the document says what is agreed.")
	c.say("The [tenants have|tenant has] the rights that the law of %s gives, also where the document says something "+
		"else.", c.state)
}

// ownTextWords are the text of the lease as a key term.
func (c *composer) ownTextWords() string {
	if own := c.OwnDocument(); own != nil {
		return ownName(own)
	}
	return "To be added by the landlord"
}

func ownName(own *Attachment) string { return own.Name + ", " + texts.Counted(own.Pages, "page") }

// utilityWords are who pays for which utility, "" where nothing is said of any.
func (c *composer) utilityWords() (words string) {
	if paid := c.Lease.Terms.PaidBy(terms.Landlord); len(paid) > 0 {
		words = "Paid by the landlord: " + texts.List(paid, " and ")
	}
	if paid := c.Lease.Terms.PaidBy(terms.Tenant); len(paid) > 0 {
		if words != "" {
			words += ". "
		}
		words += c.count("Paid by the [tenants|tenant]: ") + texts.List(paid, " and ")
	}
	return words
}
