package notice

import (
	"fmt"
	"strings"
	"time"

	"portal/api/agreement/document"
	"portal/api/agreement/document/pdf"
	"portal/api/clock"
	"portal/api/language"
	"portal/api/money"
	"portal/api/portfolio/lease/law"
)

// words say a notice in a language. What the landlord has written stays as it is.
type words struct{ language.Language }

func (w words) day(d clock.Date) string {
	return w.Say(d.Std().Format("Monday, January 2, 2006"), language.Date(d))
}

// Name is what a kind of notice is called.
func (k Kind) Name(reads language.Language) string {
	switch k {
	case RentIncrease:
		return reads.Say("Notice of rent increase", "Aviso de aumento de renta")
	case Entry:
		return reads.Say("Notice of entry", "Aviso de entrada a la vivienda")
	case EndOfTenancy:
		return reads.Say("Notice to end the tenancy", "Aviso de fin del arrendamiento")
	case PayOrQuit:
	}
	return reads.Say("Notice to pay rent or leave", "Aviso de pagar la renta o desocupar")
}

// EffectName is what the day on which a kind of notice takes effect is called.
func (k Kind) EffectName(reads language.Language) string {
	switch k {
	case RentIncrease:
		return reads.Say("New rent from", "Renta nueva desde")
	case Entry:
		return reads.Say("Day of entry", "Día de la entrada")
	case EndOfTenancy:
		return reads.Say("Last day of the tenancy", "Último día del arrendamiento")
	case PayOrQuit:
	}
	return reads.Say("Pay or leave by", "Pagar o desocupar antes del fin del día")
}

// Render is a notice as PDF, in a language.
func Render(n *Notice, reads language.Language) ([]byte, error) {
	return pdf.Render(compose(n, words{reads}), n.CreatedAt.Std())
}

// FileName is that of a notice without an ending.
func (n *Notice) FileName() string {
	return strings.ReplaceAll(string(n.Kind), "_", "-") + "-" + n.EffectiveOn.String()
}

// compose is the document of a notice.
func compose(n *Notice, w words) *document.Document {
	c := n.Content
	d := &document.Document{
		Title:    n.Kind.Name(w.Language),
		About:    pdf.Printable(c.Home),
		Number:   n.ID,
		Language: w.Say("en-US", "es-US"),
		Author:   pdf.Printable(c.Landlord),
		Words: &document.Words{
			Terms:   w.Say("Notice", "Aviso"),
			Charges: w.Say("Rent that is overdue", "Renta vencida"),
			Page:    w.Say("Page %d of %d", "Página %d de %d"),
		},
		Note: w.Say(
			"The days come from a table of state rules. It is not legal advice. Cities, and some tenancies, have other "+
				"rules.",
			"Los días vienen de una tabla de reglas estatales. No es asesoría legal. En algunas ciudades, y en algunos "+
				"arrendamientos, rigen otras reglas.",
		),
		Terms: []document.Row{
			{Name: w.Say("From", "De"), Value: pdf.Printable(c.Landlord)},
			{Name: w.Say("To", "Para"), Value: pdf.Printable(strings.Join(c.Tenants, ", ") +
				w.Say(", and everyone else who lives in the home", ", y las demás personas que viven en la vivienda"))},
			{Name: w.Say("Home", "Vivienda"), Value: pdf.Printable(c.Home)},
			{Name: w.Say("Date of the notice", "Fecha del aviso"), Value: w.day(n.GivenOn)},
			{Name: n.Kind.EffectName(w.Language), Value: w.effect(n)},
		},
	}
	if n.Kind == PayOrQuit {
		d.Charges = document.Table{Amounts: 1, Head: []string{
			w.Say("For", "Por"), w.Say("Due", "Vencimiento"), w.Say("Amount", "Monto"),
		}}
		for _, o := range c.Owed {
			d.Charges.Rows = append(d.Charges.Rows, []string{pdf.Printable(o.Text), w.day(o.DueOn), exact(o.Amount)})
		}
		d.Totals = []document.Row{{Name: w.Say("Total to pay", "Total a pagar"), Value: exact(c.Total())}}
	}
	section := document.Section{Title: w.Say("What this notice says", "Lo que dice este aviso")}
	for _, said := range w.sentences(n) {
		section.Blocks = append(
			section.Blocks,
			document.Block{Paragraph: &document.Paragraph{Text: pdf.Printable(said)}},
		)
	}
	section.Blocks = append(section.Blocks, document.Block{Signature: &document.Signature{
		Name: pdf.Printable(c.Signer), Role: w.Say("Landlord", "Arrendador") + ", " + pdf.Printable(c.Landlord),
		Title: pdf.Printable(c.Title),
	}})
	d.Sections = []document.Section{section}
	return d
}

// effect is when a notice takes effect.
func (w words) effect(n *Notice) string {
	if n.Kind != Entry {
		return w.day(n.EffectiveOn)
	}
	return w.day(n.EffectiveOn) + ", " + w.between(n.Content.From, n.Content.Until)
}

// between is a span of the day.
func (w words) between(from, until string) string {
	return w.Say(ClockTime(from)+" to "+ClockTime(until), "de "+from+" a "+until)
}

// ClockTime is a time of day as it is said in English.
func ClockTime(at string) string {
	t, err := time.Parse("15:04", at)
	if err != nil {
		return at
	}
	return t.Format("3:04 PM")
}

// sentences are what a notice says, each a paragraph.
func (w words) sentences(n *Notice) (all []string) {
	c := n.Content
	say := func(english, spanish string) { all = append(all, w.Say(english, spanish)) }
	switch n.Kind {
	case RentIncrease:
		say(
			fmt.Sprintf(
				"The rent of the home is %s a month now. From %s on it is %s a month. All else in the lease stays "+
					"as it is.",
				c.Rent.Words(),
				w.day(n.EffectiveOn),
				c.NewRent.Words(),
			),
			fmt.Sprintf("La renta de la vivienda es ahora de %s al mes. Desde el %s será de %s al mes. Lo demás del "+
				"contrato no cambia.", c.Rent.Words(), w.day(n.EffectiveOn), c.NewRent.Words()),
		)
	case Entry:
		say(
			fmt.Sprintf("The landlord, or somebody who acts for the landlord, will enter the home on %s, %s.",
				w.day(n.EffectiveOn), w.between(c.From, c.Until)),
			fmt.Sprintf("El arrendador, o alguien en su nombre, entrará a la vivienda el %s, %s.",
				w.day(n.EffectiveOn), w.between(c.From, c.Until)),
		)
		say("What for: "+c.Purpose, "Motivo: "+c.Purpose)
		say("Nobody has to be at home. If another time suits you better, tell the landlord.",
			"No es necesario que haya alguien en casa. Si prefiere otra hora, avise al arrendador.")
	case EndOfTenancy:
		say(
			fmt.Sprintf(
				"The landlord ends the tenancy of the home. Its last day is %s. Please move out by then, and give "+
					"the keys back.",
				w.day(n.EffectiveOn),
			),
			fmt.Sprintf(
				"El arrendador pone fin al arrendamiento de la vivienda. El último día es el %s. Desocúpela hasta "+
					"entonces y devuelva las llaves.",
				w.day(n.EffectiveOn),
			),
		)
		if c.Reason != "" {
			say("The reason: "+c.Reason, "El motivo: "+c.Reason)
		}
		say("Tell the landlord the address to which your deposit and its statement are to go.",
			"Indique al arrendador la dirección a la que debe enviarse su depósito con el estado de cuenta.")
	case PayOrQuit:
		say(
			fmt.Sprintf(
				"%s of rent for the home is overdue, as listed above. Pay all of it, or move out and give the keys "+
					"back, by the end of %s.",
				exact(c.Total()),
				w.day(n.EffectiveOn),
			),
			fmt.Sprintf(
				"Hay %s de renta vencida de la vivienda, según la lista de arriba. Pague todo, o desocupe y devuelva "+
					"las llaves, antes del fin del %s.",
				exact(c.Total()),
				w.day(n.EffectiveOn),
			),
		)
		say(
			"If you do neither, the landlord may ask a court to end the tenancy. Only a court can order you to leave.",
			"Si no hace ni lo uno ni lo otro, el arrendador puede pedir a un juzgado que ponga fin al arrendamiento. Solo "+
				"un juzgado puede ordenarle desocupar.",
		)
	}
	if said := w.rule(n); said != "" {
		all = append(all, said)
	}
	say("The landlord can be reached at "+c.Reach+", or at "+c.Address+".",
		"Puede comunicarse con el arrendador en "+c.Reach+", o en "+c.Address+".")
	return all
}

// rule says which law asks for how much time, "" where the notice has less, or the table has no law.
func (w words) rule(n *Notice) string {
	r := &n.Content.Rule
	if !r.Known || r.Citation == "" || n.Content.Sooner || r.Length() == "0 days" {
		return ""
	}
	state := law.Of(n.Content.State).NameInSentence()
	long := language.Counted(r.Days, "día", "días")
	switch {
	case r.Hours > 0:
		long = language.Counted(r.Hours, "hora", "horas")
	case r.Business:
		long = language.Counted(r.Days, "día hábil", "días hábiles")
	}
	return w.Say(
		fmt.Sprintf("For this, the law of %s asks for a notice of at least %s (%s).", state, r.Length(), r.Citation),
		fmt.Sprintf("Para esto, la ley de %s pide un aviso de al menos %s (%s).", law.Of(n.Content.State).Name, long,
			r.Citation),
	)
}

// Sentences are what a notice says, in a language.
func (n *Notice) Sentences(reads language.Language) []string { return words{reads}.sentences(n) }

// exact is an amount with its cents.
func exact(c money.Cents) string {
	said := c.Words()
	if !strings.Contains(said, ".") {
		said += ".00"
	}
	return said
}
