package staff

import (
	"strconv"

	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio/property/verification"
	"portal/api/texts"
	"portal/views/kit"
	"portal/web/listing"
	"portal/web/page"
)

var outcomes = map[verification.Outcome]kit.Status{
	verification.AskedVerification:    {Tone: kit.Waiting, Text: "Needs review"},
	verification.AcceptedVerification: {Tone: kit.Done, Text: "Verified"},
	verification.DeclinedVerification: {Tone: kit.Failed, Text: "Declined"},
}

// verificationFilter is what the address asks for of the properties to verify.
func verificationFilter(v *page.Request) verification.Filter {
	status := verification.Outcome(v.Form().Text("status"))
	switch _, known := outcomes[status]; {
	case status == allRequests:
		status = ""
	case !known:
		status = verification.AskedVerification
	}
	return verification.Filter{
		Status:      status,
		OldestFirst: oldestFirst(v, ordersOf(status == verification.AskedVerification)),
		After:       v.Cursor().Position(id.Verification),
		Limit:       page.ListSize,
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
	view := kit.Listing{
		Frame: v.Frame("Properties to verify"),
		Heading: kit.Heading{
			Title: "Properties to verify",
			About: "Landlords ask us to verify that they own or manage these.",
		},
		Export: listing.Export(v, "/staff/properties.csv"),
		Filters: kit.Filters{
			About:  "Sort the properties",
			At:     "/staff/properties",
			Fields: []kit.Field{{Name: "status", Kind: "hidden", Value: statusValue(filter.Status)}},
			Order:  listing.Order(v, ordersOf(filter.Status == verification.AskedVerification)),
		},
		Grid: verificationGrid(v, found.Data, filter.Status),
	}
	view.Tabs = statusTabs(view.Filters, []verification.Outcome{
		verification.AskedVerification, verification.AcceptedVerification, verification.DeclinedVerification,
	}, filter.Status, func(s verification.Outcome) kit.Status { return outcomes[s] }, counts)
	view.Grid.Pages = pagesOf(v, found, filter.Status, counts)
	return v.Show(kit.ListingPage(view))
}

// verificationGrid is a table of properties to verify, a line each.
func verificationGrid(v *page.Request, all []verification.Case, status verification.Outcome) kit.Grid {
	t := kit.Table{
		Caption: "Properties to verify",
		Columns: []kit.Column{
			{Name: "Property"},
			{Name: "Account", Card: kit.CardDetail},
			{Name: "Proof", Card: kit.CardHidden},
			{Name: "Status", Width: kit.Medium},
			{Name: "Requested", Right: true, Width: kit.Short, Card: kit.CardAmount},
		},
		Empty: kit.Empty{
			Title:  "No properties have this status",
			Action: kit.Link{Name: "Show all properties", Path: "/staff/properties?status=all"},
		},
	}
	switch status {
	case verification.AskedVerification:
		t.Empty = kit.Empty{Title: "No properties need review", Words: "New requests from landlords appear here."}
	case "":
		t.Empty = kit.Empty{Title: "No requests to verify a property"}
	}
	return kit.GridOf(t, all, func(c *verification.Case) []kit.Cell {
		return []kit.Cell{
			{Text: page.Street(&c.Property), Path: "/staff/properties/" + c.ID, Faint: page.Town(&c.Property)},
			{Text: c.Account, Path: "/staff/accounts/" + c.AccountID},
			{Text: texts.Clip(c.Note, mostShown)},
			{Status: outcomes[c.Status]},
			{Time: v.Time(c.AskedAt)},
		}
	})
}

// caseHere is the verification of the address.
func (p *Section) caseHere(v *page.Request) (verification.Case, error) {
	name, err := v.PathID(id.Verification)
	if err != nil {
		return verification.Case{}, err
	}
	return p.Verifications.VerificationCase(v.Ctx(), name)
}

func (p *Section) verificationCase(v *page.Request) error {
	c, err := p.caseHere(v)
	if err != nil {
		return err
	}
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

func (p *Section) askToVerify(v *page.Request) error { return p.askVerdict(v, v.Blank(nil), true) }

func (p *Section) acceptVerification(v *page.Request) error { return p.decideCase(v, true) }

func (p *Section) askNotVerify(v *page.Request) error { return p.askVerdict(v, v.Blank(nil), false) }

func (p *Section) declineVerification(v *page.Request) error { return p.decideCase(v, false) }

func (p *Section) askVerdict(v *page.Request, f *page.Form, verified bool) error {
	c, err := p.caseHere(v)
	switch {
	case err != nil:
		return err
	case c.Status != verification.AskedVerification:
		return fault.New(fault.InvalidTransition, "This was already decided: the property was %s.", c.Status)
	}
	at := "/staff/properties/" + c.ID
	title, word, path := "Verify the property?", "The landlord sees that it’s verified, and so does the API.", "/verify"
	form := kit.Form{Submit: "Verify property", Cancel: at}
	words := kit.Field{
		Name:     "words",
		Label:    "Message to the landlord",
		Hint:     "Shown on the property’s page.",
		Lines:    4,
		Optional: verified,
	}
	if !verified {
		title = "Decline verification?"
		word = "The landlord sees the reason and can ask again."
		path = "/decline"
		form.Submit = "Decline"
		form.Danger = true
		words.Hint = "Why, and what would show it. Shown on the property’s page. " + noteLength
	}
	form.Action, form.Groups = at+path, []kit.FieldGroup{
		{Fields: []kit.Field{words}},
		page.VersionField(&c.Property.Record),
	}
	return v.ShowAs(f.Status, kit.ConfirmPage(kit.Confirm{
		Frame: v.Frame(title),
		Title: title,
		Words: []string{page.Street(&c.Property) + ", " + page.Town(&c.Property) + ", of " + c.Account + ".", word},
		Form:  f.Fill(form),
	}))
}

// noteLength is how long the words may be.
var noteLength = "They have " + fault.Between(
	"",
	new(verification.ShortestNote),
	new(verification.LongestNote),
) + " characters."

func (p *Section) decideCase(v *page.Request, verified bool) error {
	c, err := p.caseHere(v)
	if err != nil {
		return err
	}
	f := v.Form()
	err = p.Verifications.DecideVerification(v.Ctx(), v.Person.UserID, c.ID, verification.Verdict{
		Verified: verified,
		Words:    page.Lines(f, "words"),
		Seen:     f.Version(),
	})
	if f.Stale(err, strconv.FormatInt(c.Property.Version, 10)) || f.Refused(err) {
		return p.askVerdict(v, f, verified)
	}
	if err != nil {
		return err
	}
	said := "The property is verified."
	if !verified {
		said = "Verification declined."
	}
	return v.Done("/staff/properties", said)
}
