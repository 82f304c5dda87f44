package staff

import (
	"context"

	"portal/api/developer"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/texts"
	"portal/views/kit"
	views "portal/views/staff"
	"portal/web/page"
)

// Reviews are the requests of all accounts, for the staff.
type Reviews interface {
	Cases(ctx context.Context, f developer.CaseFilter) (*list.Page[developer.Case], error)
	Case(ctx context.Context, requestID string) (developer.Case, error)
	Review(ctx context.Context, reviewerID, requestID string, v developer.Verdict) (developer.AccessRequest, error)
	Note(ctx context.Context, reviewerID, requestID, notes string) error
}

// allRequests is the value of the filter that leaves nothing out.
const allRequests = "all"

func (p *Section) queue(v *page.Request) error {
	t, f := v.Cursor(), v.Form()
	status := developer.RequestStatus(f.Text("status"))
	switch _, known := page.AccessStatuses[status]; {
	case status == allRequests:
		status = ""
	case !known:
		status = developer.Pending
	}
	found, err := p.Reviews.Cases(v.Ctx(), developer.CaseFilter{Status: status, After: t.After})
	if err != nil {
		return err
	}
	view := views.Queue{
		Frame:   v.Frame("Requests"),
		Filters: kit.Filters{About: "Filter the requests", At: "/staff/requests", Fields: []kit.Field{statusField(status)}},
		Empty:   kit.Empty{Title: "No such request", Words: "Choose another state to see those that were decided."},
	}
	if status == developer.Pending {
		view.Empty.Title = "No requests to review"
	}
	for i := range found.Data {
		view.Cases = append(view.Cases, caseLine(v, &found.Data[i]))
	}
	next, _ := found.Next()
	view.Pages = t.Pages(next)
	return v.Show(views.QueuePage(view))
}

func statusField(chosen developer.RequestStatus) kit.Field {
	field := kit.Field{Name: "status", Label: "Status", Kind: "select"}
	for _, s := range []developer.RequestStatus{
		developer.Pending, developer.Approved, developer.Denied, developer.Withdrawn,
		developer.Revoked,
	} {
		field.Choices = append(field.Choices, kit.Choice{
			Value:  string(s),
			Label:  page.AccessStatus(s).Text,
			Chosen: s == chosen,
		})
	}
	field.Choices = append(field.Choices, kit.Choice{Value: allRequests, Label: "All", Chosen: chosen == ""})
	return field
}

// mostShown is how much of a long text a list shows.
const mostShown = 140

func caseLine(v *page.Request, c *developer.Case) views.Case {
	return views.Case{
		ID:        c.ID,
		AccountID: c.AccountID,
		Account:   c.Account,
		Applicant: c.Applicant,
		UseCase:   texts.Clip(c.UseCase, mostShown),
		State:     page.AccessStatus(c.Status),
		Submitted: v.Time(c.SubmittedAt),
	}
}

func (p *Section) reviewCase(v *page.Request) error {
	c, err := p.Reviews.Case(v.Ctx(), v.Param("id"))
	if err != nil {
		return err
	}
	view := views.CaseView{
		Frame:       v.Frame(c.Account),
		Case:        caseLine(v, &c),
		Application: *page.AccessRequest(v, &c.AccessRequest),
		Reviewer:    c.Reviewer,
		Reason:      page.OrEmpty(c.DenialReason),
		Notes:       page.OrEmpty(c.ReviewNotes),
		Pending:     c.Status == developer.Pending,
		Approved:    c.Status == developer.Approved,
	}
	if c.ReviewedAt != nil && c.ReviewedBy == nil {
		view.Reviewer = "an operator"
	}
	return v.Show(views.CasePage(view))
}

// decision is a page that asks before something is decided about a request.
type decision struct {
	path    string
	title   string // with the account's name
	words   string
	submit  string
	said    string
	status  developer.RequestStatus // "" leaves it
	reason  bool                    // the applicant is told one
	needed  bool                    // and it cannot be left out
	danger  bool
	require developer.RequestStatus // which it must have, "" for any
}

var decisions = []decision{
	{
		path:    "approve",
		title:   "Approve the request of ",
		words:   "The applicant gets an email and can create keys at once.",
		submit:  "Approve the request",
		said:    "The request is approved.",
		status:  developer.Approved,
		require: developer.Pending,
	},
	{
		path:    "deny",
		title:   "Deny the request of ",
		words:   "The applicant gets an email with the reason and may apply again.",
		submit:  "Deny the request",
		said:    "The request is denied.",
		status:  developer.Denied,
		require: developer.Pending,
		reason:  true,
		needed:  true,
		danger:  true,
	},
	{
		path:    "revoke",
		title:   "Take back the access of ",
		words:   "Every key of the account is revoked for good, and the next request with one is refused.",
		submit:  "Revoke the access",
		said:    "The access is taken back, and every key of the account is revoked.",
		status:  developer.Revoked,
		require: developer.Approved,
		reason:  true,
		danger:  true,
	},
	{
		path:   "notes",
		title:  "Notes on the request of ",
		words:  "The staff alone reads them.",
		submit: "Keep the notes",
		said:   "The notes are kept.",
	},
}

// decisionRoutes are a page that asks and one that does, for each decision.
func (p *Section) decisionRoutes() (all []page.Route) {
	for _, d := range decisions {
		path := "/staff/requests/:id/" + d.path
		ask := page.Get(path, page.Staff, func(v *page.Request) error { return p.askDecision(v, d, nil) })
		do := page.Post(path, page.Staff, func(v *page.Request) error { return p.decide(v, d) })
		if d.status == developer.Approved {
			ask, do = ask.Confirmed(), do.Confirmed()
		}
		all = append(all, ask, do)
	}
	return all
}

func (p *Section) askDecision(v *page.Request, d decision, f *page.Form) error {
	c, err := p.Reviews.Case(v.Ctx(), v.Param("id"))
	switch {
	case err != nil:
		return err
	case f == nil && d.require != "" && c.Status != d.require:
		return fault.New(fault.InvalidTransition, "The request is %s by now.", c.Status)
	case f == nil:
		f = v.Blank(nil)
	}
	notes := kit.Field{
		Name:     "review_notes",
		Label:    "Notes for the staff",
		Lines:    3,
		Optional: true,
		Value:    page.OrEmpty(c.ReviewNotes),
	}
	fields := []kit.Field{notes}
	if d.reason {
		fields = []kit.Field{
			{
				Name:     "denial_reason",
				Label:    "Reason",
				Hint:     "The applicant reads it, in the email and under API access.",
				Lines:    4,
				Optional: !d.needed,
			},
			notes,
		}
	}
	title := d.title + c.Account
	return v.ShowAs(f.Status, kit.ConfirmPage(kit.Confirm{
		Frame: v.Frame(title),
		Title: title + "?",
		Words: []string{d.words},
		Form: f.Fill(kit.Form{
			Action: "/staff/requests/" + c.ID + "/" + d.path,
			Submit: d.submit,
			Danger: d.danger,
			Cancel: "/staff/requests/" + c.ID,
			Groups: []kit.FieldGroup{{Fields: fields}},
		}),
	}))
}

func (p *Section) decide(v *page.Request, d decision) error {
	f, ctx, requestID := v.Form(), v.Ctx(), v.Param("id")
	notes := page.Lines(f, "review_notes")
	var err error
	if d.status == "" {
		err = p.Reviews.Note(ctx, v.Person.UserID, requestID, notes)
	} else {
		verdict := developer.Verdict{Status: d.status, Reason: page.Lines(f, "denial_reason")}
		if notes != "" {
			verdict.Notes = &notes
		}
		_, err = p.Reviews.Review(ctx, v.Person.UserID, requestID, verdict)
	}
	if f.Refused(err) {
		return p.askDecision(v, d, f)
	}
	if err != nil {
		return err
	}
	return v.Done("/staff/requests/"+requestID, d.said)
}
