package document

import (
	"portal/api/portfolio"
	"portal/api/texts"
)

// guarantyTitle is the title of the page that guarantors sign.
const guarantyTitle = "Guaranty"

// guaranteed reports whether somebody answers for what the tenants owe.
func (t *Terms) guaranteed() bool { return len(t.names(guarantor)) > 0 }

// guaranty is the page that guarantors sign.
func (c *composer) guaranty() {
	all := c.names(guarantor)
	if len(all) == 0 {
		return
	}
	of := func(one, several string) string {
		if len(all) == 1 {
			return one
		}
		return several
	}
	c.section(guarantyTitle)
	c.last().NewPage = true
	c.say(of("The guarantor is", "The guarantors are")+" %s. This page is part of the lease that it names:",
		texts.List(all, " and "))
	c.add(Block{Table: &Table{Head: []string{"What", "In this lease"}, Rows: [][]string{
		{"Landlord", c.Landlord.Name},
		{c.count("[Tenants|Tenant]"), texts.List(c.names(tenant), " and ")},
		{"Home", c.Lease.RentalAddress},
		{"Term", termWords(c.Lease)},
		{"Rent", c.rentWords()},
	}}})
	c.say(
		of("The guarantor promises", "Each guarantor promises") + " the landlord to pay what the [tenants owe|tenant " +
			"owes] under this lease and [do|does] not pay: rent, the fees that this lease names, and what the [tenants " +
			"owe|tenant owes] for damage to the home.",
	)
	if len(all) > 1 {
		c.say("Each guarantor answers for all of it, individually and together with the other.")
	}
	c.say("Before the landlord asks a guarantor to pay, the landlord tells that guarantor in writing what is unpaid, " +
		"what it is for, and since when it is due.")
	c.say("A guarantor owes no more than the [tenants do|tenant does], and can object to a claim as the " +
		"[tenants|tenant] could.")
	c.say("The guaranty ends when this lease ends. What has become due by then, and damage that was done by then, " +
		"stays guaranteed. A new lease or a renewal is guaranteed only by a guarantor who has signed it, and a longer " +
		"term or a higher rent only by one who has agreed to it in writing.")
	c.say("A guarantor is no tenant and has no right to live in the home.")
	c.say("Where the law of %s gives a guarantor more rights, or does not allow a part of this guaranty, that law "+
		"applies.", c.state)
	for i, p := range c.Lease.Tenants {
		if p.Role == portfolio.PartyGuarantor && i < len(c.Emails) && c.Emails[i] != "" {
			c.say("The landlord can reach %s at %s.", p.Name, c.Emails[i])
		}
	}
	c.say("By signing here, " + of("the guarantor confirms", "each guarantor confirms") +
		" having read this lease and this page, and agrees to this guaranty.")
	for i, p := range c.Lease.Tenants {
		if p.Role == portfolio.PartyGuarantor {
			c.add(Block{Signature: &Signature{Name: p.Name, Role: roles[p.Role], Party: i}})
		}
	}
}

// spanishGuaranty is the guaranty in short, in Spanish.
func (c *composer) spanishGuaranty() string {
	who := "El fiador"
	if len(c.names(guarantor)) > 1 {
		who = "Cada fiador"
	}
	owe, fail := "los inquilinos deben", "no pagan"
	if c.alone {
		owe, fail = "el inquilino debe", "no paga"
	}
	return who + " paga la renta, los cargos y los daños que " + owe + " según este contrato y " + fail +
		". Antes, el arrendador le dice por escrito qué falta pagar. La fianza termina con el contrato y solo vale para " +
		"una renovación si la firma. No da derecho a vivir en la vivienda."
}
