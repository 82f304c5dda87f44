package resident

import (
	"net/url"
	"strconv"

	"portal/api/clock"
	"portal/api/portfolio/lease/application"
	"portal/api/texts"
	"portal/views/kit"
	views "portal/views/resident"
	"portal/web/page"
)

var applicationCreate = page.InputOf[application.Create]("apply")

// known is what the invitation knows of the form's fields.
func known(l *application.Lead) url.Values {
	i := &l.Invitation
	values := url.Values{
		"email":      {i.Email},
		"first_name": {page.OrEmpty(i.FirstName)},
		"last_name":  {page.OrEmpty(i.LastName)},
		"phone":      {page.OrEmpty(i.Phone)},
		"adults":     {"1"},
	}
	if i.DesiredMoveInDate != nil {
		values.Set("move_in_date", i.DesiredMoveInDate.String())
	}
	return values
}

// applyErrors are the errors of the fields in Spanish.
var applyErrors = map[string]string{
	"first_name":     "Escriba su nombre, en 127 letras como máximo.",
	"last_name":      "Escriba su apellido, en 127 letras como máximo.",
	"email":          "Escriba una dirección de correo, como ana@example.com.",
	"phone":          "Escriba un número de teléfono, como (512) 555-0142.",
	"move_in_date":   "Elija un día a partir de hoy, dentro de 24 meses como máximo.",
	"adults":         "Escriba un número de 1 a 20.",
	"children":       "Escriba un número de 0 a 20, o nada.",
	"pets":           "Escriba como máximo 300 caracteres.",
	"monthly_income": "Escriba un monto en dólares, como 4,500.",
	"notes":          "Escriba como máximo 2,000 caracteres.",
}

// applyView is the form with what was typed and what is wrong with it, by field.
func applyView(v *page.Request, h kit.GuestHeader, l *application.Lead, f *page.Form) views.Apply {
	h.Title = h.Say("Apply for ", "Solicitud para ") + l.Street()
	if len(f.FieldErrors) > 0 {
		h.Title = h.Say("Check your answers: ", "Revise sus respuestas: ") + h.Title
	}
	form := f.Fill(applicationCreate.Form(kit.Form{Groups: []kit.FieldGroup{
		{Title: h.Say("About you", "Sobre usted"), Fields: aboutApplicant(h)},
		{Title: h.Say("Your move", "Su mudanza"), Fields: []kit.Field{dayField(h, f.Text("move_in_date"), l.Today)}},
		{Title: h.Say("Your household", "Su hogar"), Fields: aboutHousehold(h)},
		{Title: h.Say("Anything else", "Algo más"), Fields: []kit.Field{
			{
				Name:     "notes",
				Label:    h.Say("Notes (optional)", "Notas (opcional)"),
				Unmarked: true,
				Lines:    6,
				Hint:     "What the landlord should know. Leave out your social security number and date of birth.",
			},
		}},
	}}))
	if notes := &form.Groups[len(form.Groups)-1].Fields[0]; h.Spanish {
		notes.Hint = "Lo que el arrendador debe saber, en 2,000 caracteres como máximo. No escriba su número de " +
			"seguro social ni su fecha de nacimiento."
	}
	return views.Apply{
		GuestHeader: h,
		Address:     l.Address(),
		Facts:       facts(h, l),
		Until:       day(h, l.LastDay()),
		Action:      applyAt(v) + keptLang(v),
		Groups:      form.Groups,
		Trouble:     form.Trouble,
	}
}

// aboutApplicant asks who applies and how to reach them.
func aboutApplicant(h kit.GuestHeader) []kit.Field {
	return []kit.Field{
		{Name: "first_name", Label: h.Say("First name", "Nombre"), Complete: "given-name"},
		{Name: "last_name", Label: h.Say("Last name", "Apellido"), Complete: "family-name"},
		{
			Name:     "email",
			Label:    h.Say("Email address", "Correo electrónico"),
			Kind:     "email",
			Mode:     "email",
			Complete: "email",
		},
		{
			Name:     "phone",
			Label:    h.Say("Phone number", "Teléfono"),
			Kind:     "tel",
			Mode:     "tel",
			Complete: "tel",
			Hint: h.Say("For example (512) 555-0142. Start with + for a number outside the US.",
				"Por ejemplo (512) 555-0142. Un número de fuera de Estados Unidos empieza con +."),
		},
	}
}

// aboutHousehold asks who would live there, and of what income.
func aboutHousehold(h kit.GuestHeader) []kit.Field {
	return []kit.Field{
		{
			Name:     "adults",
			Label:    h.Say("Adults", "Adultos"),
			Mode:     "numeric",
			Complete: "off",
			Short:    true,
			Hint: h.Say("Everybody aged 18 or over who will live there, you included.",
				"Quienes tienen 18 años o más y van a vivir ahí, usted también."),
		},
		{
			Name:     "children",
			Label:    h.Say("Children (optional)", "Niños (opcional)"),
			Unmarked: true,
			Mode:     "numeric",
			Complete: "off",
			Short:    true,
		},
		{
			Name:     "pets",
			Label:    h.Say("Pets (optional)", "Mascotas (opcional)"),
			Unmarked: true,
			Complete: "off",
			Hint:     h.Say("Which, how many and how large.", "Cuáles, cuántas y de qué tamaño."),
		},
		{
			Name:     "monthly_income",
			Label:    h.Say("Monthly income of the household", "Ingreso mensual del hogar"),
			Mode:     "decimal",
			Complete: "off",
			Hint: h.Say("In dollars, before taxes. For example 4,500.",
				"En dólares, antes de impuestos. Por ejemplo 4,500."),
		},
	}
}

// dayField is a calendar, unless something was typed that a calendar cannot show.
func dayField(h kit.GuestHeader, typed string, first clock.Date) kit.Field {
	f := kit.Field{
		Name:     "move_in_date",
		Label:    h.Say("Move-in date", "Fecha de mudanza"),
		Complete: "off",
		Kind:     "date",
		Least:    first.String(),
		Most:     first.AddMonths(24).String(),
		Hint:     h.Say("The day you would like to move in.", "El día en que quiere mudarse."),
	}
	if _, err := clock.ParseDate(typed); typed != "" && err != nil {
		f.Kind, f.Least, f.Most = "text", "", ""
	}
	return f
}

// facts are what is known of the home.
func facts(h kit.GuestHeader, l *application.Lead) []kit.Fact {
	var all []kit.Fact
	add := func(english, spanish, value string) {
		all = append(all, kit.Fact{Name: h.Say(english, spanish), Value: value})
	}
	switch {
	case l.Invitation.OfferedRent != nil:
		add("Monthly rent", "Renta mensual", l.Invitation.OfferedRent.Dollars())
	case l.Unit.MarketRent != nil:
		add("Monthly rent", "Renta mensual", l.Unit.MarketRent.Dollars())
	}
	switch b := l.Unit.Bedrooms; {
	case b == nil:
	case *b == 0:
		add("Bedrooms", "Recámaras", h.Say("Studio", "Estudio"))
	default:
		add("Bedrooms", "Recámaras", strconv.Itoa(*b))
	}
	if b := l.Unit.Bathrooms; b != nil {
		add("Bathrooms", "Baños", string(b.AppendJSON(nil)))
	}
	if f := l.Unit.SquareFeet; f != nil {
		add("Square feet", "Pies cuadrados", texts.Number(*f))
	}
	return all
}
