package resident

import (
	"net/url"
	"strconv"

	"portal/api/clock"
	"portal/api/portfolio/application"
	"portal/api/texts"
	"portal/views/kit"
	views "portal/views/resident"
	"portal/web/page"
)

// typed is the form as it is opened: with what the invitation knows already.
func typed(l *application.Lead) application.Form {
	i := &l.Invitation
	f := application.Form{Email: i.Email, FirstName: page.OrEmpty(i.FirstName), LastName: page.OrEmpty(i.LastName), Phone: page.OrEmpty(i.Phone), Adults: "1"}
	if i.DesiredMoveInDate != nil {
		f.MoveInDate = i.DesiredMoveInDate.String()
	}
	return f
}

// formOf is what was posted.
func formOf(v url.Values) application.Form {
	return application.Form{
		FirstName: v.Get("first_name"), LastName: v.Get("last_name"), Email: v.Get("email"), Phone: v.Get("phone"),
		MoveInDate: v.Get("move_in_date"), Adults: v.Get("adults"), Children: v.Get("children"), Pets: v.Get("pets"),
		MonthlyIncome: v.Get("monthly_income"), Notes: v.Get("notes"),
	}
}

// applyView is the form with what was typed and what is wrong with it, by field.
func (p *Section) applyView(l *application.Lead, f application.Form, wrong map[string]string) views.Apply {
	title := "Apply for " + l.Street()
	if len(wrong) > 0 {
		title = "Check your answers: " + title
	}
	first := l.Today(p.Now())
	a := views.Apply{
		GuestHeader: page.GuestHeader(title, l.Landlord.Name), Address: l.Address(), Facts: facts(l), Until: l.LastDay().Words(),
		Groups: []kit.FieldGroup{
			{Title: "About you", Fields: []kit.Field{
				{Name: "first_name", Label: "First name", Value: f.FirstName, Complete: "given-name"},
				{Name: "last_name", Label: "Last name", Value: f.LastName, Complete: "family-name"},
				{Name: "email", Label: "Email address", Value: f.Email, Kind: "email", Mode: "email", Complete: "email"},
				{Name: "phone", Label: "Phone number", Value: f.Phone, Kind: "tel", Mode: "tel", Complete: "tel", Hint: "For example (512) 555-0142. Start with + for a number outside the US."},
			}},
			{Title: "Your move", Fields: []kit.Field{dayField(f.MoveInDate, first)}},
			{Title: "Your household", Fields: []kit.Field{
				{Name: "adults", Label: "Adults", Value: f.Adults, Mode: "numeric", Complete: "off", Short: true, Hint: "Everybody aged 18 or over who will live there, you included."},
				{Name: "children", Label: "Children", Value: f.Children, Mode: "numeric", Complete: "off", Short: true, Optional: true},
				{Name: "pets", Label: "Pets", Value: f.Pets, Complete: "off", Optional: true, Hint: "Which, how many and how large."},
				{Name: "monthly_income", Label: "Monthly income of the household", Value: f.MonthlyIncome, Mode: "decimal", Complete: "off", Hint: "In dollars, before taxes. For example 4,500."},
			}},
			{Title: "Anything else", Fields: []kit.Field{
				{Name: "notes", Label: "Notes", Value: f.Notes, Lines: 6, Optional: true, Hint: "What the landlord should know. Leave out your social security number and date of birth."},
			}},
		},
	}
	for _, g := range a.Groups {
		for i := range g.Fields {
			g.Fields[i].Fault = wrong[g.Fields[i].Name]
		}
	}
	return a
}

// dayField is a calendar, unless something was typed that a calendar cannot show.
func dayField(typed string, first clock.Date) kit.Field {
	f := kit.Field{Name: "move_in_date", Label: "Move-in date", Value: typed, Complete: "off",
		Kind: "date", Least: first.String(), Most: first.AddMonths(24).String(), Hint: "The day you would like to move in."}
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
		add("Monthly rent", l.Invitation.OfferedRent.Words())
	case l.Unit.MarketRent != nil:
		add("Monthly rent", l.Unit.MarketRent.Words())
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
