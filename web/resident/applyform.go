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

// applyView is the form with what was typed and what is wrong with it, by field.
func (p *Section) applyView(l *application.Lead, f *page.Form) views.Apply {
	title := "Apply for " + l.Street()
	if len(f.FieldErrors) > 0 {
		title = "Check your answers: " + title
	}
	form := f.Fill(applicationCreate.Form(kit.Form{Groups: []kit.FieldGroup{
		{Title: "About you", Fields: aboutApplicant()},
		{Title: "Your move", Fields: []kit.Field{dayField(f.Text("move_in_date"), l.Today)}},
		{Title: "Your household", Fields: aboutHousehold()},
		{Title: "Anything else", Fields: []kit.Field{
			{
				Name:  "notes",
				Label: "Notes",
				Lines: 6,
				Hint:  "What the landlord should know. Leave out your social security number and date of birth.",
			},
		}},
	}}))
	return views.Apply{
		GuestHeader: page.GuestHeader(title, l.Landlord.Name),
		Address:     l.Address(),
		Facts:       facts(l),
		Until:       l.LastDay().Words(),
		Groups:      form.Groups,
		Trouble:     form.Trouble,
	}
}

// aboutApplicant asks who applies and how to reach them.
func aboutApplicant() []kit.Field {
	return []kit.Field{
		{Name: "first_name", Label: "First name", Complete: "given-name"},
		{Name: "last_name", Label: "Last name", Complete: "family-name"},
		{
			Name:     "email",
			Label:    "Email address",
			Kind:     "email",
			Mode:     "email",
			Complete: "email",
		},
		{
			Name:     "phone",
			Label:    "Phone number",
			Kind:     "tel",
			Mode:     "tel",
			Complete: "tel",
			Hint:     "For example (512) 555-0142. Start with + for a number outside the US.",
		},
	}
}

// aboutHousehold asks who would live there, and of what income.
func aboutHousehold() []kit.Field {
	return []kit.Field{
		{
			Name:     "adults",
			Label:    "Adults",
			Mode:     "numeric",
			Complete: "off",
			Short:    true,
			Hint:     "Everybody aged 18 or over who will live there, you included.",
		},
		{
			Name:     "children",
			Label:    "Children",
			Mode:     "numeric",
			Complete: "off",
			Short:    true,
		},
		{
			Name:     "pets",
			Label:    "Pets",
			Complete: "off",
			Hint:     "Which, how many and how large.",
		},
		{
			Name:     "monthly_income",
			Label:    "Monthly income of the household",
			Mode:     "decimal",
			Complete: "off",
			Hint:     "In dollars, before taxes. For example 4,500.",
		},
	}
}

// dayField is a calendar, unless something was typed that a calendar cannot show.
func dayField(typed string, first clock.Date) kit.Field {
	f := kit.Field{
		Name:     "move_in_date",
		Label:    "Move-in date",
		Complete: "off",
		Kind:     "date",
		Least:    first.String(),
		Most:     first.AddMonths(24).String(),
		Hint:     "The day you would like to move in.",
	}
	if _, err := clock.ParseDate(typed); typed != "" && err != nil {
		f.Kind, f.Least, f.Most = "text", "", ""
	}
	return f
}

// facts are what is known of the home.
func facts(l *application.Lead) []kit.Fact {
	var all []kit.Fact
	add := func(name, value string) { all = append(all, kit.Fact{Name: name, Value: value}) }
	switch {
	case l.Invitation.OfferedRent != nil:
		add("Monthly rent", l.Invitation.OfferedRent.Dollars())
	case l.Unit.MarketRent != nil:
		add("Monthly rent", l.Unit.MarketRent.Dollars())
	}
	switch b := l.Unit.Bedrooms; {
	case b == nil:
	case *b == 0:
		add("Bedrooms", "Studio")
	default:
		add("Bedrooms", strconv.Itoa(*b))
	}
	if b := l.Unit.Bathrooms; b != nil {
		add("Bathrooms", string(b.AppendJSON(nil)))
	}
	if f := l.Unit.SquareFeet; f != nil {
		add("Square feet", texts.Number(*f))
	}
	return all
}
