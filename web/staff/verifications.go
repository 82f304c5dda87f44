package staff

import (
	"context"

	"portal/api/access"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio/property/verification"
	"portal/api/texts"
	"portal/views/kit"
	"portal/web/page"
)

var outcomes = map[verification.Outcome]kit.Status{
	verification.AskedVerification:    {Tone: kit.Waiting, Text: "Needs review"},
	verification.AcceptedVerification: {Tone: kit.Done, Text: "Verified"},
	verification.DeclinedVerification: {Tone: kit.Failed, Text: "Declined"},
}

// verificationFilter is what the address asks for of the properties to verify.
func verificationFilter(v *page.Request) verification.Filter {
	status, oldest := asked(v, outcomes, verification.AskedVerification)
	return verification.Filter{
		Status: status, OldestFirst: oldest, After: v.Cursor().Position(id.Verification), Limit: page.ListSize,
	}
}

func (p *Section) verifications(v *page.Request) error {
	filter := verificationFilter(v)
	found, err := p.Verifications.Verifications(v.Ctx(), filter)
	if err != nil {
		return err
	}
	counts, err := p.Verifications.VerificationCounts(v.Ctx())
	if err != nil {
		return err
	}
	return reviewed[verification.Case, verification.Outcome]{
		title: "Properties to verify", heading: "Properties to verify",
		about: "Landlords ask us to verify that they own or manage these.",
		path:  "/staff/properties", things: "properties", waiting: verification.AskedVerification,
		statuses: []verification.Outcome{
			verification.AskedVerification, verification.AcceptedVerification, verification.DeclinedVerification,
		},
		shown: outcomes,
		empty: map[verification.Outcome]kit.Empty{
			verification.AskedVerification: {
				Title: "No properties need review", Words: "New requests from landlords appear here.",
			},
			"": {Title: "No requests to verify a property"},
		},
		columns: []kit.Column{
			{Name: "Property"},
			{Name: "Account", Card: kit.CardDetail},
			{Name: "Proof", Card: kit.CardHidden},
			{Name: "Status", Width: kit.Medium},
			{Name: "Requested", Right: true, Width: kit.Short, Card: kit.CardAmount},
		},
		line: func(c *verification.Case) []kit.Cell {
			return []kit.Cell{
				{Text: page.Street(&c.Property), Path: "/staff/properties/" + c.ID, Faint: page.Town(&c.Property)},
				{Text: c.Account, Path: "/staff/accounts/" + c.AccountID},
				{Text: texts.Clip(c.Note, mostShown)},
				{Status: outcomes[c.Status]},
				{Time: v.Time(c.AskedAt)},
			}
		},
	}.show(v, filter.Status, found, counts)
}

// verification is a case, which the staff reads for all accounts.
func (p *Section) verification(ctx context.Context, _ access.Actor, id string) (verification.Case, error) {
	return p.Verifications.VerificationCase(ctx, id)
}

func (p *Section) verificationCase(v *page.Request, c verification.Case) error {
	at := "/staff/properties/" + c.ID
	view := kit.Detail{
		Record: kit.Record{
			Frame: v.Frame(page.Street(&c.Property)),
			Heading: kit.Heading{
				Title:  page.Street(&c.Property),
				About:  page.Town(&c.Property),
				Status: outcomes[c.Status],
			},
			Facts: caseFacts(v, &c),
		},
		Quotes: []kit.Quote{{Title: "Proof, in the landlord’s words", Text: c.Note}},
	}
	if c.Words != nil {
		view.Quotes = append(view.Quotes, kit.Quote{Title: "Message to the landlord", Text: *c.Words})
	}
	if c.Status == verification.AskedVerification {
		view.Primary = kit.Action{Name: "Verify property", Path: at + "/verify", Icon: "shield-check", How: kit.Asks}
		view.Menu = []kit.Action{{Name: "Decline…", Path: at + "/decline", How: kit.Asks, Bad: true}}
	}
	return v.Show(kit.DetailPage(view))
}

func caseFacts(v *page.Request, c *verification.Case) []kit.Facts {
	request := kit.Facts{Title: "Request", Terms: []kit.Term{
		{Name: "Account", Text: c.Account, Path: "/staff/accounts/" + c.AccountID},
		{Name: "Requested by", Text: c.Asker},
		{Name: "Requested", Time: v.Time(c.AskedAt)},
	}}
	if c.DecidedAt != nil {
		request.Terms = append(
			request.Terms,
			kit.Term{Name: "Decided", Time: v.Time(*c.DecidedAt)},
			kit.Term{Name: "Decided by", Text: c.Reviewer},
		)
	}
	return []kit.Facts{request, {Title: "Property", Terms: []kit.Term{
		{Name: "Name", Text: page.OrEmpty(c.Property.Name)},
		{Name: "Type", Text: page.PropertyTypes[c.Property.PropertyType]},
		{Name: "Built in", Text: page.WholeOr(c.Property.YearBuilt)},
		{Name: "Units", Text: page.WholeOr(&c.Property.UnitCount)},
		{Name: "ID", Text: c.PropertyID, ID: true},
	}}}
}

// decides is the handler that asks before a case is verified or declined, and does it.
func (p *Section) decides(verified bool) func(*page.Request, verification.Case) error {
	return func(v *page.Request, c verification.Case) error {
		at, said := "/staff/properties/"+c.ID, "The property is verified."
		where := page.Street(&c.Property) + ", " + page.Town(&c.Property) + ", of " + c.Account + "."
		q := page.Question{
			Title: "Verify the property?",
			Words: []string{where, "The landlord sees that it’s verified, and so does the API."},
			Form:  kit.Form{Action: at + "/verify", Submit: "Verify property"},
			Back:  at, Record: &c.Property.Record,
			Ask: func(*page.Question) error {
				if c.Status == verification.AskedVerification {
					return nil
				}
				return fault.New(fault.InvalidTransition, "This was already decided: the property was %s.", c.Status)
			},
		}
		hint := "Shown on the property’s page."
		if !verified {
			said = "Verification declined."
			q.Title, q.Words[1] = "Decline verification?", "The landlord sees the reason and can ask again."
			q.Form = kit.Form{Action: at + "/decline", Submit: "Decline", Danger: true}
			hint = "Why, and what would show it. Shown on the property’s page. They have " +
				fault.Between("", new(verification.ShortestNote), new(verification.LongestNote)) + " characters."
		}
		q.Form.Groups = []kit.FieldGroup{{Fields: []kit.Field{{
			Name: "words", Label: "Message to the landlord", Hint: hint, Lines: 4, Optional: verified,
		}}}}
		q.Do = func(f *page.Form, t change.Target) error {
			err := p.Verifications.DecideVerification(v.Ctx(), v.Person.UserID, c.ID, verification.Verdict{
				Verified: verified,
				Words:    page.Lines(f, "words"),
				Seen:     t.Version,
			})
			if err != nil {
				return err
			}
			return v.Done("/staff/properties", said)
		}
		return q.Serve(v)
	}
}
