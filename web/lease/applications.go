package lease

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/change"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
	"portal/views/kit"
	views "portal/views/lease"
	"portal/web/listing"
	"portal/web/page"
	"portal/web/related"
)

const applicantLines = 25

// applicationPages is the pages of invitations and applications.
type applicationPages struct{ *Section }

func (p *applicationPages) routes() []page.Route {
	of := page.With(id.Invitation, p.Applications.Applicants.Applicant)
	return []page.Route{
		page.Get("/{mode}/applications", page.Member, p.applications),
		page.Get("/{mode}/applications.csv", page.Member, p.exportApplications),
		page.Get("/{mode}/applications/new", page.Member, p.newInvitation),
		page.Post("/{mode}/applications/new", page.Member, p.newInvitation).Once(),
		page.Get("/{mode}/applications/:id", page.Member, of(p.applicant)),
		page.Get("/{mode}/applications/:id/accept", page.Member, of(p.accept)),
		page.Post("/{mode}/applications/:id/accept", page.Member, of(p.accept)).Once(),
		page.Get("/{mode}/applications/:id/decline", page.Member, of(p.decline)),
		page.Post("/{mode}/applications/:id/decline", page.Member, of(p.decline)),
		page.Get("/{mode}/applications/:id/cancel", page.Member, of(p.cancelInvitation)),
		page.Post("/{mode}/applications/:id/cancel", page.Member, of(p.cancelInvitation)),
	}
}

func (p *applicationPages) applications(v *page.Request) error {
	f := applicantFilter(v)
	f.Before, f.Limit = v.Cursor().Position(id.Invitation), applicantLines+1
	found, err := p.Applications.Applicants.Applicants(v.Ctx(), v.Actor(), f)
	if err != nil {
		return err
	}
	listed := list.Of(found, applicantLines, (*application.Applicant).Identity)
	found = listed.Data
	counts, err := p.Applications.Applicants.ApplicantCounts(v.Ctx(), v.Actor())
	if err != nil {
		return err
	}
	view := listing.List{
		Title: "Applications", Path: "/applications",
		Ask: "Sort the applications", Fields: []kit.Field{{Name: "state", Kind: "hidden"}}, Orders: applicantOrders,
	}.View(v)
	view.Primary = kit.Action{Name: "Invite applicant", Path: v.In("/applications/new"), Icon: "plus"}
	view.Tabs = applicantTabs(v, view.Filters, counts)
	view.Grid = kit.GridOf(applicantTable(v), found, func(a *application.Applicant) []kit.Cell {
		return applicantLine(v, a)
	})
	view.Grid.Pages = v.Cursor().Pages(page.OrEmpty(listed.NextCursor))
	if len(found) > 0 {
		view.Grid.Pages.Shown = strconv.Itoa(len(found)) + " of " + counts.Of(standings(v)...).Words()
	}
	return v.Show(kit.ListingPage(view))
}

// standings are what the address narrows the list down to, none for all.
func standings(v *page.Request) []application.Standing {
	asked := v.Form().Among("state", application.Standing("").Values())
	if asked == "" {
		return nil
	}
	return []application.Standing{application.Standing(asked)}
}

// applicantTabs are all applications, what waits for a decision, and the other standings that somebody has.
func applicantTabs(v *page.Request, f kit.Filters, counts list.Counts[application.Standing]) []kit.Tab {
	asked := standings(v)
	all := []kit.Tab{{Name: "All", Path: f.With("state", ""), Count: counts.Of().Words(), Here: len(asked) == 0}}
	for _, name := range application.Standing("").Values() {
		s := application.Standing(name)
		n, here := counts.Of(s), slices.Contains(asked, s)
		if n.N == 0 && !here && s != application.ToDecide {
			continue
		}
		all = append(all, kit.Tab{Name: standing(s).Text, Path: f.With("state", name), Count: n.Words(), Here: here})
	}
	return all
}

func applicantTable(v *page.Request) kit.Table {
	t := kit.Table{
		Caption: "Applications",
		Columns: []kit.Column{
			{Name: "Applicant"},
			{Name: "Home", Card: kit.CardDetail},
			{Name: "Status", Width: kit.Short},
			{Name: "Email", Width: kit.Short, Card: kit.CardHidden},
			{Name: "Invited", Width: kit.Short, Card: kit.CardAmount},
		},
		Empty: kit.Empty{
			Title: "No applications yet",
			Words: "Invite someone to apply for a home. Their application appears here. Accept it to create the " +
				"tenant.",
			Action: kit.Link{Name: "Invite applicant", Path: v.In("/applications/new")},
		},
	}
	if len(standings(v)) > 0 {
		t.Empty = kit.Empty{
			Title:  "No applications have this status",
			Action: kit.Link{Name: "Show all applications", Path: v.In("/applications")},
		}
	}
	return t
}

func applicantLine(v *page.Request, a *application.Applicant) []kit.Cell {
	home := kit.Cell{}
	home.Text, home.Tail = related.CutUnit(a.Street())
	return []kit.Cell{
		{Text: nameOf(a), Path: v.In("/applications/" + a.Invitation.ID)},
		home,
		{Status: standing(a.Status())},
		{Status: mailStanding(v, a.Invitation.EmailStatus)},
		{Time: v.Time(a.Invitation.CreatedAt)},
	}
}

// nameOf is what an applicant is called: as they say themselves, else as the landlord does,
// else by the address.
func nameOf(a *application.Applicant) string {
	if a.Application != nil {
		return a.Application.FirstName + " " + a.Application.LastName
	}
	name := strings.TrimSpace(page.OrEmpty(a.Invitation.FirstName) + " " + page.OrEmpty(a.Invitation.LastName))
	if name != "" {
		return name
	}
	return a.Invitation.Email
}

func standing(s application.Standing) kit.Status {
	switch s {
	case "sent":
		return kit.Status{Tone: kit.Waiting, Text: "Sent"}
	case "opened":
		return kit.Status{Tone: kit.Waiting, Text: "Opened"}
	case application.ToDecide:
		return kit.Status{Tone: kit.Warned, Text: "To decide"}
	case application.HasAccepted:
		return kit.Status{Tone: kit.Done, Text: "Accepted"}
	case application.HasDeclined:
		return kit.Status{Tone: kit.Idle, Text: "Declined"}
	case "expired":
		return kit.Status{Tone: kit.Idle, Text: "Expired"}
	}
	return kit.Status{Tone: kit.Idle, Text: "Canceled"}
}

func mailStanding(v *page.Request, s application.EmailStatus) kit.Status {
	switch {
	case s == application.EmailSent:
		return kit.Status{Tone: kit.Done, Text: "Sent"}
	case s == application.EmailFailed:
		return kit.Status{Tone: kit.Failed, Text: "Failed"}
	case v.Mode() == access.Test:
		return kit.Status{Tone: kit.Idle, Text: "Not sent"}
	}
	return kit.Status{Tone: kit.Waiting, Text: "Queued"}
}

func (p *applicationPages) applicant(v *page.Request, a *application.Applicant) error {
	i := &a.Invitation
	view := views.Applicant{
		Record: kit.Record{
			Frame:   v.Frame(nameOf(a)),
			Heading: kit.Heading{Title: nameOf(a), About: a.Address(), Status: standing(a.Status())},
			Facts:   p.invitationFacts(v, a),
		},
		Message: page.OrEmpty(i.Message),
	}
	p.applicantActions(v, a, &view.Record)
	if a.Application != nil {
		view.Answers = answers(v, a.Application)
	}
	return v.Show(views.ApplicantPage(view))
}

// recordLink is the address of a record's page, "" where there are no such pages.
func (p *applicationPages) recordLink(v *page.Request, at, id string) string {
	if p.Served("/{mode}" + at + ":id") {
		return v.In(at + id)
	}
	return ""
}

func answers(v *page.Request, a *application.Application) *views.Answers {
	return &views.Answers{
		Name:      a.FirstName + " " + a.LastName,
		Email:     a.Email,
		Phone:     a.Phone,
		MoveIn:    a.MoveInDate.Words(),
		Household: household(a.Adults, a.Children),
		Income:    a.MonthlyIncome.Dollars(),
		Pets:      page.OrEmpty(a.Pets),
		Notes:     page.OrEmpty(a.Notes),
		Sent:      v.Time(a.CreatedAt),
	}
}

func household(adults, children int) string {
	words := page.Counted(adults, "adult")
	switch children {
	case 0:
		return words
	case 1:
		return words + ", 1 child"
	}
	return words + ", " + strconv.Itoa(children) + " children"
}

func (p *applicationPages) accept(v *page.Request, a *application.Applicant) error {
	at := v.In("/applications/" + a.Invitation.ID)
	return page.Question{
		Title: "Accept " + nameOf(a) + "?",
		Words: []string{
			"This creates a tenant with the name, email address, and phone number from the application. Until they " +
				"have a lease, their status is Prospect.",
			"This can’t be undone. No email is sent.",
		},
		Form: kit.Form{Submit: "Accept application"},
		Back: at,
		Ask:  func(q *page.Question) error { return p.namesake(v, a.Application, q) },
		Do: func(*page.Form, change.Target) error {
			made, err := p.Applications.Applicants.AcceptApplication(v.Ctx(), v.Actor(), a.Invitation.ID)
			if err != nil {
				return err
			}
			return v.Done(at, made.After.Name+" is now a tenant, with the status Prospect until they have a lease.")
		},
	}.Serve(v)
}

// namesake says in a question that there is a tenant with the address of an application.
func (p *applicationPages) namesake(v *page.Request, a *application.Application, q *page.Question) error {
	if a == nil {
		return nil
	}
	known, err := p.Portfolio.Tenants.Tenants(v.Ctx(), v.Actor(), portfolio.TenantFilter{
		Query: list.Query{Limit: 1},
		Email: a.Email,
	})
	if err == nil && len(known.Data) > 0 {
		q.Words = append(q.Words, "There’s already a tenant with the address "+a.Email+" already: "+known.Data[0].Name+
			". Accepting creates another one.")
	}
	return err
}

var declineNotice = page.InputOf[application.DeclineNotice]("decline_application")

func (p *applicationPages) decline(v *page.Request, a *application.Applicant) error {
	hint := "The email says that you decided not to continue with the application."
	if v.Mode() == access.Test {
		hint += " In test mode it isn’t sent: you can read it under Mail."
	}
	at := v.In("/applications/" + a.Invitation.ID)
	return page.Question{
		Title: "Decline " + nameOf(a) + "?",
		Words: []string{"This can’t be undone. You can invite them again."},
		Form: declineNotice.Form(kit.Form{
			Submit: "Decline application",
			Danger: true,
			Groups: []kit.FieldGroup{{Fields: []kit.Field{
				{Name: "tell", Label: "Tell them by email", Kind: "checkbox", Checked: true, Hint: hint},
				{Name: "message", Label: "Message in the email", Lines: 4},
			}}},
		}),
		Back: at,
		Do: func(f *page.Form, _ change.Target) error {
			notice := declineNotice.Bind(v, f, "tell", "message")
			if f.Rejected() {
				return nil
			}
			_, err := p.Applications.Applicants.DeclineApplication(v.Ctx(), v.Actor(), a.Invitation.ID, notice)
			if err != nil {
				return err
			}
			return v.Done(at, "The application is declined."+whereMail(v, notice.Tell))
		},
	}.Serve(v)
}

// whereMail says where an email is that was just written.
func whereMail(v *page.Request, written bool) string {
	switch {
	case !written:
		return " No one was notified."
	case v.Mode() == access.Test:
		return " In test mode the email isn’t sent: you can read it under Mail."
	}
	return " The email is on its way."
}

func (p *applicationPages) cancelInvitation(v *page.Request, a *application.Applicant) error {
	at := v.In("/applications/" + a.Invitation.ID)
	return page.Question{
		Title: "Cancel the invitation of " + nameOf(a) + "?",
		Words: []string{
			"The link stops working, and says so when it’s opened. If the email isn’t sent yet, it won’t be.",
		},
		Form: kit.Form{Submit: "Cancel invitation", Danger: true},
		Back: at,
		Do: func(*page.Form, change.Target) error {
			_, err := p.Applications.Applicants.CancelInvitation(v.Ctx(), v.Actor(), a.Invitation.ID)
			if err != nil {
				return err
			}
			return v.Done(at, "Invitation canceled.")
		},
	}.Serve(v)
}

// applicantActions are what can be done about an applicant.
func (p *applicationPages) applicantActions(v *page.Request, a *application.Applicant, r *kit.Record) {
	at := v.In("/applications/" + a.Invitation.ID)
	switch {
	case a.Status() == application.ToDecide:
		r.Primary = kit.Action{Name: "Accept application", Path: at + "/accept", Icon: "check", How: kit.Asks}
		r.Menu = []kit.Action{{Name: "Decline…", Path: at + "/decline", How: kit.Asks, Bad: true}}
	case a.Open():
		r.Menu = []kit.Action{{Name: "Cancel invitation…", Path: at + "/cancel", How: kit.Asks, Bad: true}}
	}
	if a.Application != nil && a.Application.TenantID != nil {
		to := p.recordLink(v, "/tenants/", *a.Application.TenantID)
		r.Primary = kit.Action{Name: "View tenant", Path: to, Icon: "users"}
		with := url.Values{"tenant_id": {*a.Application.TenantID}}
		r.Menu = append(r.Menu, kit.Action{
			Name: "Create lease", Path: generateAt(v, a.Invitation.UnitID, with), Icon: "file-text",
		})
	}
}

// invitationFacts are what is known of an invitation.
func (p *applicationPages) invitationFacts(v *page.Request, a *application.Applicant) []kit.Facts {
	i := &a.Invitation
	all := []kit.Term{
		{Name: "Sent to", Text: i.Email},
		{Name: "Email", Status: mailStanding(v, i.EmailStatus)},
		{Name: "Home", Text: a.Street(), Path: p.recordLink(v, "/properties/", i.PropertyID)},
		{Name: "Phone", Text: page.OrEmpty(i.Phone)},
		{Name: "Rent offered", Text: page.DollarsOr(i.OfferedRent)},
		{Name: "Move-in", Text: page.DateOr(i.DesiredMoveInDate)},
		{Name: "Invited", Time: v.Time(i.CreatedAt)},
		{Name: "Link works until", Time: v.Time(i.ExpiresAt)},
	}
	if a.Application != nil && a.Application.DecidedAt != nil {
		all = append(all, kit.Term{Name: "Decided", Time: v.Time(*a.Application.DecidedAt)})
	}
	return []kit.Facts{
		{Title: "Invitation", Terms: all},
		{Title: "Details", Terms: []kit.Term{{Name: "ID", Text: i.ID, ID: true}}},
	}
}
