package document

import (
	"strconv"
	"strings"

	"portal/api/contact"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/law"
	"portal/api/portfolio/lease/terms"
	"portal/api/texts"
)

func (c *composer) pets() {
	c.section("Pets")
	other := "No pet may be kept in the home without the landlord’s written consent."
	if pets := c.Lease.Terms.AnimalNames(); len(pets) == 1 {
		c.say("This animal may live in the home: %s.", pets[0])
		other = strings.Replace(other, "No pet", "No other pet", 1)
	} else if len(pets) > 1 {
		c.say("These animals may live in the home: %s.", texts.List(pets, " and "))
		other = strings.Replace(other, "No pet", "No other pet", 1)
	}
	c.own(c.Lease.Terms.Clauses.Pets, other)
	c.say(keepsAnimals)
}

func (c *composer) utilities() {
	c.section("Utilities and services")
	landlord, tenants := c.Lease.Terms.PaidBy(terms.Landlord), c.Lease.Terms.PaidBy(terms.Tenant)
	if len(landlord) > 0 {
		c.say("The landlord pays for %s.", texts.List(landlord, " and "))
	}
	if len(tenants) > 0 {
		c.say("The [tenants arrange and pay|tenant arranges and pays] for %s.", texts.List(tenants, " and "))
	}
	rest := "The [tenants arrange and pay|tenant arranges and pays] for the utilities " +
		"that have a meter for this home only. The landlord pays for all others."
	if len(landlord)+len(tenants) > 0 {
		rest = "Of utilities that are not named here, the [tenants arrange and pay|tenant arranges and pays] for " +
			"those that have a meter for this home only, and the landlord pays for all others."
	}
	c.own(c.Lease.Terms.Clauses.Utilities, rest)
	c.say("Where a meter serves more than this home, the landlord tells the [tenants|tenant] in writing how its cost " +
		"is split before the [tenants sign|tenant signs]. Neither side may have a utility of the home shut off to " +
		"make the other leave.")
}

func (c *composer) use() {
	c.section("Living in the home")
	c.say("Only the [tenants, their children|tenant, the tenant’s children], and people whom this lease names or the " +
		"landlord has agreed to in writing live in the home. Guests may stay for up to 14 days in a row.")
	if who := c.Lease.Terms.Occupants; len(who) == 1 {
		c.say("This person lives in the home as well and does not sign: %s.", who[0])
	} else if len(who) > 1 {
		c.say("These people live in the home as well and do not sign: %s.", texts.List(who, " and "))
	}
	c.own(c.Lease.Terms.Clauses.Smoking, "Nobody smokes in the home or in shared parts of the building.")
	if vehicles := c.Lease.Terms.VehicleNames(); len(vehicles) == 1 {
		c.say("The [tenants have|tenant has] named this vehicle: %s.", vehicles[0])
	} else if len(vehicles) > 1 {
		c.say("The [tenants have|tenant has] named these vehicles: %s.", texts.List(vehicles, " and "))
	}
	c.own(c.Lease.Terms.Clauses.Parking, "Parking is not part of this lease unless this lease names it or the "+
		"landlord agrees to it in writing.")
	c.say("The home is used to live in. The [tenants do not disturb the neighbors, do nothing unlawful in the home, " +
		"and follow|tenant does not disturb the neighbors, does nothing unlawful in the home, and follows] " +
		"reasonable written rules of the building that the [tenants have|tenant has] been given and that do not " +
		"change this lease.")
}

func (c *composer) condition() {
	c.section("Condition when moving in and out")
	if c.Lease.RenewedFromLeaseID != nil {
		c.say(
			"The [tenants live|tenant lives] in the home already. The condition that was written down at the beginning " +
				"of the earlier lease is the one that counts at the end. The landlord and the [tenants|tenant] write down the " +
				"condition, with photos where they can, when the [tenants move|tenant moves] out. Each side gets a copy.",
		)
		return
	}
	c.say("The landlord hands over the home clean, safe and fit to live in, with what is in it in working order.")
	c.say("The landlord and the [tenants|tenant] write down the condition of the home, with photos where they can, " +
		"when the [tenants move in and when they move out|tenant moves in and moves out]. Each side gets a copy.")
	if days := c.rules.ConditionDays; days != nil {
		c.say(
			"The [tenants|tenant] may add to the list within %s of getting it or of moving in, whichever is later (%s).",
			texts.Counted(*days, "day"),
			*c.rules.ConditionCitation,
		)
	} else {
		c.say("The [tenants|tenant] may add to the list within 7 days of moving in.")
	}
}

func (c *composer) repairs() {
	c.section("Repairs")
	c.say("The landlord keeps the home and the building fit to live in and repairs what breaks within a reasonable " +
		"time, at once where health or safety is in danger. " + keepsRepairs)
	c.say("The [tenants tell|tenant tells] the landlord promptly of leaks, mold, pests, alarms that fail, and other " +
		"damage. The [tenants keep|tenant keeps] the home clean, [use|uses] what is in it with care, and [pay for " +
		"damage beyond ordinary wear and tear that they or their guests cause|pays for damage beyond ordinary wear " +
		"and tear that the tenant or the tenant’s guests cause].")
	c.say("The landlord installs smoke alarms and, where the law requires them, carbon monoxide alarms that work. " +
		"The [tenants test them and do|tenant tests them and does] not disable them.")
	if state := repairNotices[c.Property.State]; state != "" {
		c.say("%s", state)
	}
}

// repairNotices point to the repair procedure of states that have one of their own.
var repairNotices = map[contact.State]string{
	"TX": "Texas law gives tenants a procedure to have conditions repaired that affect health or safety; a notice of " +
		"repairs that are needed is best given in writing.",
	"WA": "Washington law sets times within which a landlord begins repairs after written notice, counted by how " +
		"urgent they are.",
	"CO": "Colorado law sets times within which a landlord begins repairs after notice, counted by how urgent they " +
		"are.",
}

func (c *composer) entry() {
	c.section("Entry by the landlord")
	if h := c.rules.Notice.EntryHours; h != nil && *h > 0 {
		c.say("The landlord enters the home only to inspect, repair, deliver agreed services or show it, at "+
			"reasonable times and with notice of at least %s%s.", texts.Counted(*h, "hour"), c.cited(law.Entry))
	} else {
		c.say("The landlord enters the home only to inspect, repair, deliver agreed services or show it, at "+
			"reasonable times and with reasonable notice, normally 24 hours%s.", c.cited(law.Entry))
	}
	if hours := entryHours[c.Property.State]; hours != "" {
		c.say("%s", hours)
	}
	c.say("In an emergency, such as a fire or a burst pipe, the landlord may enter without notice. " + keepsEntry)
}

// entryHours are what some states add to the notice of entry.
var entryHours = map[contact.State]string{
	"MD": "Entry with notice is from 7 a.m. to 7 p.m., Monday to Saturday.",
	"MN": "Entry with notice is from 8 a.m. to 8 p.m.",
	"VT": "Entry with notice is from 9 a.m. to 9 p.m.",
	"VA": "For routine maintenance that nobody asked for, the notice is at least 72 hours.",
}

func (c *composer) alterations() {
	c.section("Changes to the home")
	c.say("The [tenants paint, build in or change|tenant paints, builds in or changes] locks only with the " +
		"landlord’s consent in writing. Changes that a person with a disability needs are allowed as the law says. " +
		"Whoever changes a lock gives the other side a key.")
}

func (c *composer) sublet() {
	c.section("Subletting")
	c.say("The [tenants do|tenant does] not sublet the home or transfer the lease without the landlord’s written "+
		"consent, except where the law of %s gives the right to do so. The landlord does not refuse consent "+
		"without a reason.", c.state)
}

func (c *composer) remedies() {
	c.section("When somebody does not keep the lease")
	if days := c.rules.Notice.NonpaymentDays; days > 0 {
		c.say("If rent is not paid when it is due, the landlord may give the [tenants|tenant] written notice to pay "+
			"within at least %s or leave, counted as the law of %s requires.", texts.Counted(days, "day"), c.state)
	} else {
		c.say("If rent is not paid when it is due, the landlord may demand it and take the steps that the law of %s "+
			"allows, with the notice that it requires.", c.state)
	}
	c.say("For any other breach, the landlord gives written notice and the time that the law of %s allows to correct "+
		"it.", c.state)
	c.say("Nobody is locked out, no utility is cut off, and nobody’s belongings are taken without an order of a " +
		"court. " + keepsNotice)
	c.say("If the [tenants leave|tenant leaves] early, the landlord takes reasonable steps to rent the home again, " +
		"and the [tenants owe|tenant owes] rent only for as long as it stays empty and the law allows.")
	c.say("If the building has a mortgage that the federal government backs, or takes part in certain federal " +
		"housing programs, federal law may require 30 days’ notice before a suit for unpaid rent.")
}

func (c *composer) leaving() {
	c.section("Ending the lease early")
	c.say("These rights apply whatever this lease says:")
	c.list(
		"members of the armed forces may end it as federal law says (50 U.S.C. 3955);",
		"victims of domestic "+
			"violence, sexual assault or stalking have the rights that the law of "+c.state+" gives them;",
		"tenants may leave a home that is not fit to live in, as the law says;",
		"any other right to end a lease that a statute gives.",
	)
}

func (c *composer) belongings() {
	c.section("Belongings left behind")
	c.say("If the [tenants leave|tenant leaves] belongings behind, the landlord stores, returns, sells or disposes "+
		"of them only as the law of %s says, after the notice that it requires. The [tenants tell the landlord "+
		"before they are|tenant tells the landlord before being] away for more than 14 days.", c.state)
}

func (c *composer) damage() {
	c.section("Damage and sale")
	c.say("If fire, water or another disaster makes the home unfit to live in and the [tenants did not cause it, " +
		"they|tenant did not cause it, the tenant] may end the lease, and [owe|owes] no rent for the time in which " +
		"nobody can live there.")
	c.say("If the building is sold, this lease binds the new owner. The landlord tells the [tenants|tenant] the name " +
		"and the address of the new owner.")
}

func (c *composer) notices() {
	c.section("Notices")
	c.say("Notices under this lease are in writing. Everyday messages may go by email. Notices of a breach, to pay "+
		"or leave, of the end of the lease, of a lawsuit, and of a utility that is shut off are given on paper, in "+
		"the way that the law of %s requires.", c.state)
}

func (c *composer) together() {
	c.section(c.count("[Several tenants|Responsibility]"))
	c.say("[Each tenant owes all of the rent and answers for all duties under this lease, individually and together " +
		"with the others|The tenant owes all of the rent and answers for all duties under this lease].")
	if c.Lease.SecurityDeposit > 0 {
		c.say("The deposit is returned to [all tenants together, unless they tell|the tenant, unless the tenant " +
			"tells] the landlord otherwise in writing.")
	}
}

func (c *composer) insurance() {
	c.section("Insurance")
	c.say("The landlord’s insurance does not cover the [tenants’|tenant’s] belongings. The landlord recommends " +
		"renters insurance and does not require it in this lease.")
}

func (c *composer) fairness() {
	c.section("Fair housing")
	c.say("The landlord does not discriminate on a ground that federal, state or local law forbids, and does not " +
		"retaliate against tenants who complain, organize or use a right.")
}

func (c *composer) law() {
	c.section("Law and the whole agreement")
	c.say("The law of %s applies (%s), and federal law. Where a city or county protects tenants more, that rule "+
		"takes precedence.", c.state, c.rules.Statute)
	c.say("If a part of this lease is not valid, the rest stays in force. This document is the whole agreement about " +
		"the home. It can be changed only in writing signed by all parties, except for what this lease lets one " +
		"party do by notice.")
	c.say(keepsJury)
}

func (c *composer) electronic() {
	c.section("Electronic records and signatures")
	law := "the federal E-SIGN Act (15 U.S.C. 7001) and the Uniform Electronic Transactions Act as " +
		c.state + " has it"
	if c.Property.State == "NY" {
		law = "the federal E-SIGN Act (15 U.S.C. 7001) and New York’s Electronic Signatures and Records Act"
	}
	c.say("The parties may sign this lease electronically, under %s. Nobody has to: a party who wants to sign on "+
		"paper tells the landlord.", law)
	c.say("Before signing electronically each party consents to this, for this lease only. Consent can be withdrawn " +
		"until the party has signed, at no cost, by declining to sign or by telling the landlord. Every party may " +
		"ask the landlord for a paper copy at any time, free of charge.")
	c.say("To read and keep the documents a party needs a device with a current web browser, a program that shows " +
		"PDF files, an email address, and a way to save or print. A party whose email address changes tells the " +
		"landlord.")
	c.say("The lease is in force when the last party has signed.")
}

// roles are what parties are in a lease.
var roles = map[portfolio.PartyRole]string{
	portfolio.PartyPrimary:   "Tenant",
	portfolio.PartyCoTenant:  "Tenant",
	portfolio.PartyGuarantor: "Guarantor",
}

func (c *composer) signatures() {
	n := strconv.Itoa(len(c.d.Sections) + 1)
	if c.leadAddendum() {
		n = strconv.Itoa(len(c.d.Sections)) // the addendum has a letter
	}
	c.d.Sections = append(c.d.Sections, Section{Number: n, Title: "Signatures"})
	c.say("By signing, each party agrees to this lease as a whole.")
	number := func(int) int { return 0 } // the lines stand in the order of the parties
	if c.guaranteed() {
		c.last().NewPage = !c.leadAddendum() // the guaranty has its page for itself
		c.say("A guarantor signs for the guaranty, on its page.")
		number = func(party int) int { return party }
	}
	for i, p := range c.Lease.Tenants {
		if tenant(p.Role) {
			c.add(Block{Signature: &Signature{
				Name: p.Name, Role: roles[p.Role], Confirms: c.leadReceived(), Party: number(i),
			}})
		}
	}
	parties := len(c.Lease.Tenants)
	for _, o := range c.Lease.Terms.CoOwners {
		s := Signature{Name: o.Name, Role: "Landlord, co-owner", Confirms: c.leadCertified(), Party: number(parties)}
		if o.Title != nil {
			s.Title = *o.Title
		}
		c.add(Block{Signature: &s})
		parties++
	}
	c.add(Block{Signature: &Signature{
		Name:     c.Landlord.Signer,
		Role:     "Landlord, " + c.Landlord.Name,
		Title:    c.Landlord.Title,
		Confirms: c.leadCertified(),
		Party:    number(parties),
	}})
}
