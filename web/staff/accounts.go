package staff

import (
	"cmp"
	"fmt"
	"net/url"
	"strconv"

	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/texts"
	"portal/views/kit"
	views "portal/views/staff"
	"portal/web/listing"
	"portal/web/page"
)

var memberOrders = []string{"email", "reverse"}

// memberFilter is what the address asks for of the members of all accounts.
func memberFilter(v *page.Request) developer.MemberFilter {
	f := v.Form()
	return developer.MemberFilter{
		Email:      f.Text("email"),
		Descending: f.Among("sort", memberOrders) == "reverse",
		After:      v.Cursor().After,
		Limit:      page.ListSize,
	}
}

func (p *Section) findAccounts(v *page.Request) error {
	f := v.Form()
	field := kit.Field{
		Name:     "email",
		Label:    "Email address",
		Kind:     "search",
		Complete: "off",
	}
	f.FillField(&field)
	found, err := p.Developer.FindMembers(v.Ctx(), memberFilter(v))
	if err != nil {
		return err
	}
	view := kit.SearchResults{
		Frame: v.Frame("Accounts"),
		Heading: kit.Heading{
			Title: "Accounts",
			About: "Enter the email address of a member, such as dana@example.com, or just its beginning.",
		},
		Filters: kit.Filters{About: "Find an account", At: "/staff/accounts", Fields: []kit.Field{field}},
	}
	asked, err := p.Developer.Reviews.UnitCases(v.Ctx())
	if err != nil {
		return err
	}
	if len(asked) > 0 {
		view.Parts = []kit.RelatedTable{{ID: "units-asked", Title: "Requests for more units", Grid: unitGrid(v, asked)}}
	}
	switch {
	case len(found.Data) > 0:
		next, _ := found.Next()
		grid := foundGrid(found.Data)
		grid.Pages = v.Cursor().Pages(next)
		view.Parts = append(view.Parts, kit.RelatedTable{ID: "found", Title: "Results", Grid: grid})
		view.Filters.Order = listing.Order(v, memberOrders)
		view.Filters.Clear = "/staff/accounts"
		view.Export = listing.Export(v, "/staff/accounts.csv")
	case f.Text("email") != "":
		view.Words = "No member’s email address begins with this. " +
			"Staff and people who haven’t verified their address have no account."
	}
	return v.Show(kit.SearchResultsPage(view))
}

// unitGrid is a table of the accounts that ask for more units.
func unitGrid(v *page.Request, all []developer.UnitCase) kit.Grid {
	return kit.GridOf(kit.Table{
		Caption: "Requests for more units, the oldest first",
		Columns: []kit.Column{
			{Name: "Account"},
			{Name: "Requested by", Card: kit.CardDetail},
			{Name: "Units", Right: true, Card: kit.CardAmount},
			{Name: "Current limit", Right: true, Card: kit.CardDetail},
			{Name: "Requested", Width: kit.Short, Card: kit.CardDetail},
		},
	}, all, func(c *developer.UnitCase) []kit.Cell {
		return []kit.Cell{
			{Text: c.Account, Path: "/staff/accounts/" + c.AccountID},
			{Text: c.Asker},
			{Text: texts.Number(c.Units)},
			{Text: texts.Number(c.Plan.Limits().Units)},
			{Time: v.Time(c.AskedAt)},
		}
	})
}

// foundGrid is a table of people with their accounts.
func foundGrid(all []developer.AccountMember) kit.Grid {
	return kit.GridOf(kit.Table{
		Caption: "Accounts by person",
		Columns: []kit.Column{
			{Name: "Person"},
			{Name: "Role", Width: kit.Short, Card: kit.CardAmount},
			{Name: "Account", Card: kit.CardDetail},
			{Name: "Plan", Width: kit.Short, Card: kit.CardStatus},
		},
	}, all, func(m *developer.AccountMember) []kit.Cell {
		return []kit.Cell{
			{Text: m.Email, Path: "/staff/accounts/" + m.AccountID},
			{Text: page.Label(m.Role)},
			{Text: m.Account},
			{Text: page.Label(m.Plan)},
		}
	})
}

// memberGrid is a table of the members of one account.
func memberGrid(all []developer.AccountMember) kit.Grid {
	return kit.GridOf(kit.Table{
		Caption: "Members",
		Columns: []kit.Column{{Name: "Person"}, {Name: "Role", Width: kit.Short, Card: kit.CardAmount}},
		Empty:   kit.Empty{Title: "No members"},
	}, all, func(m *developer.AccountMember) []kit.Cell {
		return []kit.Cell{{Text: m.Email}, {Text: page.Label(m.Role)}}
	})
}

func (p *Section) account(v *page.Request) error { return p.accountPage(v, nil, nil) }

func (p *Section) accountForm(v *page.Request, f *page.Form) error { return p.accountPage(v, f, nil) }

func (p *Section) declineForm(v *page.Request, f *page.Form) error { return p.accountPage(v, nil, f) }

// accountPage shows an account with one of its two forms as it was sent.
func (p *Section) accountPage(v *page.Request, plan, decline *page.Form) error {
	h, err := p.Developer.AccountDetails(v.Ctx(), v.Param("id"))
	if err != nil {
		return err
	}
	asked, open, err := p.Developer.OpenUnitRequest(v.Ctx(), developer.Member{AccountID: h.ID})
	if err != nil {
		return err
	}
	sent := cmp.Or(plan, decline, v.Blank(nil))
	if plan == nil {
		plan = v.Blank(planOf(h.Plan))
	}
	if decline == nil {
		decline = v.Blank(url.Values{"request": {asked.ID}})
	}
	view := views.Account{
		Record:  accountRecord(v, &h),
		Members: kit.RelatedTable{ID: "members", Title: "Members", Grid: memberGrid(h.Members)},
		Form:    plan.Fill(planForm(h.ID)),
	}
	switch {
	case open:
		view.Asked = askedUnits(v, &h, &asked)
		view.Decline = decline.Fill(declineUnitsForm(h.ID))
	case sent == decline:
		return fault.New(fault.InvalidTransition, "This request was already answered.")
	}
	return v.ShowAs(sent.Status, views.AccountPage(view))
}

// askedUnits says who asked for how many units and when.
func askedUnits(v *page.Request, h *developer.AccountDetails, r *developer.UnitRequest) string {
	who := "A former member"
	if m, err := h.Member(r.AskedBy); err == nil {
		who = m.Email
	}
	return who + " asked for " + texts.Number(r.Units) + " live units on " +
		page.Date(clock.DateOf(r.AskedAt.Std(), v.Zone())) + "."
}

func declineUnitsForm(accountID string) kit.Form {
	return kit.Form{
		Action: "/staff/accounts/" + accountID + "/decline-units",
		Submit: "Decline request",
		Danger: true,
		Groups: []kit.FieldGroup{{Fields: []kit.Field{
			{Name: "request", Kind: "hidden"},
			{
				Name:  "reason",
				Label: "Reason for declining",
				Hint:  "Emailed to the person who asked.",
				Lines: 4,
			},
		}}},
	}
}

// declineUnits closes the request of an account for more units, with a reason.
func (p *Section) declineUnits(v *page.Request) error {
	f, accountID := v.Form(), v.Param("id")
	err := p.Developer.Reviews.DeclineUnits(v.Ctx(), accountID, f.Text("request"), page.Lines(f, "reason"))
	if err != nil {
		return f.Again(v, err, p.declineForm)
	}
	return v.Done("/staff/accounts/"+accountID, "Request declined. We emailed the reason.")
}

// accountRecord is what the page of an account says of it.
func accountRecord(v *page.Request, h *developer.AccountDetails) kit.Record {
	l := h.Plan.Limits()
	return kit.Record{
		Frame: v.Frame(h.Name),
		Heading: kit.Heading{
			Title:  h.Name,
			Status: kit.Status{Tone: kit.Idle, Text: page.Label(h.Plan.Tier), Icon: "credit-card"},
		},
		Facts: []kit.Facts{
			{Title: "Limits", Terms: []kit.Term{
				{
					Name: "Requests per minute",
					Text: texts.Number(l.Sustained) + " sustained, " + texts.Number(l.Burst) + " in a burst",
				},
				{Name: "Live units", Text: texts.Number(h.Units) + " of " + texts.Number(l.Units)},
			}},
			{Title: "Details", Terms: []kit.Term{
				{Name: "ID", Text: h.ID, ID: true},
				{Name: "Created", Time: v.Time(h.CreatedAt)},
				{Name: "Time zone", Text: h.TimeZone},
			}},
		},
	}
}

// planOf is a plan as the form has it.
func planOf(p developer.Plan) url.Values {
	values := url.Values{"plan": {string(p.Tier)}}
	for name, override := range map[string]*int{"sustained": p.Sustained, "burst": p.Burst, "units": p.Units} {
		if override != nil {
			values.Set(name, strconv.Itoa(*override))
		}
	}
	return values
}

func planForm(accountID string) kit.Form {
	plan := kit.Field{Name: "plan", Label: "Plan", Kind: "select"}
	for _, t := range []developer.Tier{developer.Starter, developer.Pro, developer.Prime} {
		l := developer.Plan{Tier: t}.Limits()
		plan.Choices = append(plan.Choices, kit.Choice{
			Value: string(t),
			Label: fmt.Sprintf("%s: %s requests per minute, %s in a burst, %s units",
				page.Label(t), texts.Number(l.Sustained), texts.Number(l.Burst), texts.Number(l.Units)),
		})
	}
	ceiling := func(name, label string) kit.Field {
		return kit.Field{
			Name:     name,
			Label:    label,
			Hint:     "Leave it empty to use the plan’s limit.",
			Mode:     "numeric",
			Short:    true,
			Complete: "off",
			Optional: true,
		}
	}
	return planForAccount.Form(kit.Form{
		Action: "/staff/accounts/" + accountID,
		Submit: "Set plan",
		Groups: []kit.FieldGroup{{Fields: []kit.Field{
			plan,
			ceiling("sustained", "Requests per minute"),
			ceiling("burst", "Requests in a burst"),
			ceiling("units", "Live units"),
		}}},
	})
}

var planForAccount = page.InputOf[developer.Plan]("set_plan")

func (p *Section) setPlan(v *page.Request) error {
	f, accountID := v.Form(), v.Param("id")
	plan := planForAccount.BindForm(v, f, planForm(accountID).Groups...)
	if f.Rejected() {
		return p.accountForm(v, f)
	}
	err := p.Developer.SetPlanOf(v.Ctx(), accountID, plan)
	if err != nil {
		return f.Again(v, err, p.accountForm)
	}
	return v.Done("/staff/accounts/"+accountID, "Plan set. It applies from the next request on.")
}
