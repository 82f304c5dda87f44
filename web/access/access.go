// Package access is the pages on which an account asks for access to the API.
//
// It knows no other section and no SQL.
package access

import (
	"net/url"
	"slices"

	"portal/api/developer"
	"portal/api/fault"
	views "portal/views/access"
	"portal/views/kit"
	"portal/web/page"
)

// Config is what the pages of access to the API need.
type Config struct {
	Requests *developer.Service
}

// Section is the pages of an account's request for access to the API.
type Section struct {
	*page.Shell
	Config
}

// New makes the section on the shell of all pages.
func New(shell *page.Shell, c Config) *Section { return &Section{shell, c} }

// Routes are the pages of the section.
func (p *Section) Routes() []page.Route {
	return []page.Route{
		page.Get("/access", page.Member, p.access),
		page.Post("/access", page.Owner, p.applyForAccess).Once(),
		page.Get("/access/:id/withdraw", page.Owner, p.askWithdraw),
		page.Post("/access/:id/withdraw", page.Owner, p.withdraw),
	}
}

var accessRequestCreate = page.InputOf[developer.AccessRequestCreate]("apply_for_access")

func (p *Section) access(v *page.Request) error { return p.accessForm(v, nil) }

func (p *Section) applyForAccess(v *page.Request) error {
	f := v.Form()
	c := accessRequestCreate.BindForm(v, f, applyForm("").Groups...)
	if f.Rejected() {
		return p.accessForm(v, f)
	}
	_, err := p.Requests.Apply(v.Ctx(), v.Member(), c)
	if !fault.Is(err, fault.InvalidTransition) && f.Refused(err) {
		return p.accessForm(v, f)
	}
	if err != nil {
		return err
	}
	return v.Done("/access", "Request sent. You’ll get an email when it’s decided.")
}

// accessForm shows where the request stands, with the form where one can be sent.
func (p *Section) accessForm(v *page.Request, f *page.Form) error {
	all, err := p.Requests.AccessRequestsOf(v.Ctx(), v.Member())
	if err != nil {
		return err
	}
	view := views.Access{Record: kit.Record{
		Frame:   v.Frame("API access"),
		Heading: kit.Heading{Title: "API access", About: "We review every request before you can create keys."},
	}}
	open := len(all) > 0 && (all[0].Status == developer.Pending || all[0].Status == developer.Approved)
	var last *developer.AccessRequest
	if len(all) > 0 {
		last, all = &all[0], all[1:]
		accessStanding(v, &view, last)
	}
	for i := range all {
		view.Past = append(view.Past, pastRequest(v, &all[i]))
	}
	switch {
	case !v.Owns() && !open:
		view.Notices = append(view.Notices, kit.NoticeContent{
			Tone:  kit.Waiting,
			Words: "An owner of the account can apply.",
		})
	case !open:
		if f == nil {
			f = v.Blank(again(last, v.Person.Email))
		}
		view.Apply = new(f.Fill(accessRequestCreate.Form(applyForm(f.Text("integration_type")))))
	}
	status := 200
	if f != nil {
		status = f.Status
	}
	return v.ShowAs(status, views.AccessPage(view))
}

// accessStanding says in clear words where a request stands and what comes next.
func accessStanding(v *page.Request, view *views.Access, r *developer.AccessRequest) {
	view.Heading.Status, view.Sent, view.UseCase = page.AccessStatuses[r.Status], true, r.UseCase
	view.Facts = []kit.Facts{{Title: "Applicant", Terms: []kit.Term{
		{Name: "Contact", Text: r.ContactEmail},
		{Name: "Company", Text: page.OrEmpty(r.CompanyName)},
		{Name: "Website", Text: page.OrEmpty(r.WebsiteURL)},
		{Name: "Integration", Text: page.OrEmpty(r.IntegrationType)},
		{Name: "Requests per month", Text: page.WholeOr(r.ExpectedMonthlyCalls)},
	}}, {Title: "Details", Terms: []kit.Term{
		{Name: "ID", Text: r.ID, ID: true},
		{Name: "Sent", Time: v.Time(r.SubmittedAt)},
		{Name: "Decided", Time: v.TimeOr(r.ReviewedAt, "not yet")},
	}}}
	n := kit.NoticeContent{Tone: view.Heading.Status.Tone}
	switch r.Status {
	case developer.Pending:
		n.Title = "We’re reviewing your request"
		n.Words = "This usually takes two business days. We email " + r.ContactEmail + " when it’s decided."
		if v.Owns() {
			view.Menu = []kit.Action{{
				Name: "Withdraw request…",
				Path: "/access/" + r.ID + "/withdraw",
				How:  kit.Asks,
				Bad:  true,
			}}
		}
	case developer.Approved:
		n.Title, n.Words = "You have API access", "A test key works right away with the demo portfolio."
		view.Primary = kit.Action{Name: "View API keys", Path: "/keys"}
		if v.Owns() {
			view.Primary = kit.Action{Name: "Create key", Path: "/keys/new", Icon: "plus"}
		}
	case developer.Denied:
		n.Title = "The request was denied"
		n.Words = "You can apply again. Your previous answers are filled in."
		view.Reason = page.OrEmpty(r.DenialReason)
	case developer.Withdrawn:
		n.Title = "The request was withdrawn"
		n.Words = "You can apply again at any time."
	case developer.Revoked:
		n.Title = "Access was revoked"
		n.Words = "All keys of the account are revoked permanently. You can apply again."
		view.Reason = page.OrEmpty(r.DenialReason)
	}
	view.Notices = []kit.NoticeContent{n}
}

func pastRequest(v *page.Request, r *developer.AccessRequest) views.PastRequest {
	at := r.SubmittedAt
	if r.ReviewedAt != nil {
		at = *r.ReviewedAt
	}
	return views.PastRequest{
		Moment: kit.Moment{Title: r.ID, Status: page.AccessStatuses[r.Status], Time: v.Time(at)},
		Reason: page.OrEmpty(r.DenialReason),
	}
}

// again is what a new request begins with: what the last one said.
func again(last *developer.AccessRequest, email string) url.Values {
	if last == nil {
		return url.Values{"contact_email": {email}}
	}
	return url.Values{
		"company_name": {
			page.OrEmpty(last.CompanyName),
		},
		"contact_email":          {last.ContactEmail},
		"use_case":               {last.UseCase},
		"expected_monthly_calls": {page.WholeOr(last.ExpectedMonthlyCalls)},
		"integration_type":       {page.OrEmpty(last.IntegrationType)},
		"website_url":            {page.OrEmpty(last.WebsiteURL)},
	}
}

// integrations are what people build.
var integrations = []string{"Accounting", "AI assistant", "Listings", "Maintenance", "Reporting", "Other"}

// integrationChoices are integrations, and the one that was named before in other words.
func integrationChoices(named string) []kit.Choice {
	all := []kit.Choice{{Label: "Choose one"}}
	if named != "" && !slices.Contains(integrations, named) {
		all = append(all, kit.Choice{Value: named, Label: named})
	}
	for _, name := range integrations {
		all = append(all, kit.Choice{Value: name, Label: name})
	}
	return all
}

func applyForm(integration string) kit.Form {
	return kit.Form{Action: "/access", Submit: "Apply for access", Groups: []kit.FieldGroup{{Fields: []kit.Field{
		{
			Name:  "use_case",
			Label: "Use case",
			Hint:  "What you’re building, and which records it reads or changes.",
			Lines: 6,
		},
		{
			Name:     "contact_email",
			Label:    "Contact email",
			Hint:     "We send the decision there.",
			Kind:     "email",
			Mode:     "email",
			Complete: "email",
		},
		{
			Name:     "company_name",
			Label:    "Company",
			Complete: "organization",
			Optional: true,
		},
		{
			Name:     "integration_type",
			Label:    "Integration",
			Kind:     "select",
			Choices:  integrationChoices(integration),
			Optional: true,
		},
		{
			Name:     "expected_monthly_calls",
			Label:    "Requests per month",
			Hint:     "A rough number helps us choose your plan.",
			Mode:     "numeric",
			Short:    true,
			Complete: "off",
			Optional: true,
		},
		{
			Name:     "website_url",
			Label:    "Website",
			Kind:     "url",
			Mode:     "url",
			Complete: "url",
			Optional: true,
		},
		{
			Name:  "agreed_to_terms",
			Label: "We use the API for our own portfolio, keep keys secret, and protect tenant data",
			Kind:  "checkbox",
		},
	}}}}
}

// ownRequest is the request that an address names, if it is the account's.
func (p *Section) ownRequest(v *page.Request) (*developer.AccessRequest, error) {
	all, err := p.Requests.AccessRequestsOf(v.Ctx(), v.Member())
	for i := range all {
		if all[i].ID == v.Param("id") {
			return &all[i], nil
		}
	}
	if err == nil {
		err = fault.Of(fault.NoRecord)
	}
	return nil, err
}

func (p *Section) askWithdraw(v *page.Request) error {
	if _, err := p.ownRequest(v); err != nil {
		return err
	}
	return v.Show(kit.ConfirmPage(kit.Confirm{
		Frame: v.Frame("Withdraw request"),
		Title: "Withdraw the request?",
		Words: []string{"We won’t review it. You can apply again at any time."},
		Form:  kit.Form{Submit: "Withdraw request", Danger: true, Cancel: "/access"},
	}))
}

func (p *Section) withdraw(v *page.Request) error {
	if err := p.Requests.Withdraw(v.Ctx(), v.Member(), v.Param("id")); err != nil {
		return err
	}
	return v.Done("/access", "Request withdrawn.")
}
