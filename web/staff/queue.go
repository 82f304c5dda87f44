package staff

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"portal/api/change"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/texts"
	"portal/views/kit"
	views "portal/views/staff"
	"portal/web/listing"
	"portal/web/page"
)

// allRequests is the value of the filter that leaves nothing out.
const allRequests = "all"

// ordersOf are the orders of a list by time. What waits for the staff comes the oldest first.
func ordersOf(waiting bool) []string {
	if waiting {
		return []string{"oldest", "newest"}
	}
	return []string{"newest", "oldest"}
}

// oldestFirst reports whether the address asks for the oldest first, by itself or as the usual order.
func oldestFirst(v *page.Request, orders []string) bool {
	return cmp.Or(v.Form().Among("sort", orders), orders[0]) == "oldest"
}

// reviewed is a list of what the staff reviews: the requests for access, or the properties to verify.
type reviewed[T any, S ~string] struct {
	title, heading, about string
	path, things          string
	waiting               S   // the status of what is to be reviewed
	statuses              []S // all of them, in the order of the tabs
	shown                 map[S]kit.Status
	empty                 map[S]kit.Empty // what a list says that has no rows, where it is not the usual
	columns               []kit.Column
	line                  func(row *T) []kit.Cell
}

// asked is the status that the address asks for, "" for all, and whether the oldest come first.
func asked[S ~string](v *page.Request, shown map[S]kit.Status, waiting S) (status S, oldest bool) {
	status = S(v.Form().Text("status"))
	switch _, known := shown[status]; {
	case status == allRequests:
		status = ""
	case !known:
		status = waiting
	}
	return status, oldestFirst(v, ordersOf(status == waiting))
}

// show shows a page of the list.
func (r reviewed[T, S]) show(v *page.Request, chosen S, found *list.Page[T], counts list.Counts[S]) error {
	empty, known := r.empty[chosen]
	if !known {
		empty = kit.Empty{
			Title:  "No " + r.things + " have this status",
			Action: kit.Link{Name: "Show all " + r.things, Path: r.path + "?status=all"},
		}
	}
	view := kit.Listing{
		Frame:   v.Frame(r.title),
		Heading: kit.Heading{Title: r.heading, About: r.about},
		Export:  listing.Export(v, r.path+".csv"),
		Filters: kit.Filters{
			About:  "Sort the " + r.things,
			At:     r.path,
			Fields: []kit.Field{{Name: "status", Kind: "hidden", Value: cmp.Or(string(chosen), allRequests)}},
			Order:  listing.Order(v, ordersOf(chosen == r.waiting)),
		},
		Grid: kit.GridOf(kit.Table{Caption: r.title, Columns: r.columns, Empty: empty}, found.Data, r.line),
	}
	for _, s := range r.statuses {
		view.Tabs = append(view.Tabs, kit.Tab{
			Name:  r.shown[s].Text,
			Path:  view.Filters.With("status", string(s)),
			Count: counts.Of(s).Words(),
			Here:  s == chosen,
		})
	}
	view.Tabs = append(view.Tabs, kit.Tab{
		Name:  "All",
		Path:  view.Filters.With("status", allRequests),
		Count: counts.Of().Words(),
		Here:  chosen == "",
	})
	next, _ := found.Next()
	total := counts.Of()
	if chosen != "" {
		total = counts.Of(chosen)
	}
	view.Grid.Pages = v.Cursor().Pages(next)
	if n := len(found.Data); n > 0 {
		view.Grid.Pages.Shown = strconv.Itoa(n) + " of " + total.Words()
	}
	return v.Show(kit.ListingPage(view))
}

// caseFilter is what the address asks for of the queue.
func caseFilter(v *page.Request) developer.CaseFilter {
	status, oldest := asked(v, page.AccessStatuses, developer.Pending)
	return developer.CaseFilter{
		Status: status, OldestFirst: oldest, After: v.Cursor().After, Limit: page.ListSize,
	}
}

func (p *Section) queue(v *page.Request) error {
	filter := caseFilter(v)
	found, err := p.Developer.Reviews.Cases(v.Ctx(), filter)
	if err != nil {
		return err
	}
	counts, err := p.Developer.Reviews.CaseCounts(v.Ctx())
	if err != nil {
		return err
	}
	return reviewed[developer.Case, developer.RequestStatus]{
		title: "Requests for API access", heading: "Requests", about: "Applications for API access.",
		path: "/staff/requests", things: "requests", waiting: developer.Pending,
		statuses: []developer.RequestStatus{
			developer.Pending, developer.Approved, developer.Denied, developer.Withdrawn, developer.Revoked,
		},
		shown: page.AccessStatuses,
		empty: map[developer.RequestStatus]kit.Empty{
			developer.Pending: {Title: "No requests to review", Words: "New applications for API access appear here."},
		},
		columns: []kit.Column{
			{Name: "Account"},
			{Name: "Applicant", Card: kit.CardDetail},
			{Name: "Use case", Card: kit.CardHidden},
			{Name: "Status", Width: kit.Medium},
			{Name: "Sent", Width: kit.Short, Card: kit.CardAmount},
		},
		line: func(c *developer.Case) []kit.Cell {
			return []kit.Cell{
				{Text: c.Account, Path: "/staff/requests/" + c.ID},
				{Text: c.Applicant},
				{Text: texts.Clip(c.UseCase, mostShown)},
				{Status: page.AccessStatuses[c.Status]},
				{Time: v.Time(c.SubmittedAt)},
			}
		},
	}.show(v, filter.Status, found, counts)
}

// mostShown is how much of a long text a list shows.
const mostShown = 140

func (p *Section) reviewCase(v *page.Request) error {
	c, err := p.Developer.Reviews.Case(v.Ctx(), v.Param("id"))
	if err != nil {
		return err
	}
	view := views.CaseView{
		Record: kit.Record{
			Frame: v.Frame(c.Account),
			Heading: kit.Heading{
				Title:  c.Account,
				About:  c.Applicant + " · " + v.Time(c.SubmittedAt).Text,
				Status: page.AccessStatuses[c.Status],
			},
			Facts: requestFacts(v, &c),
		},
		UseCase: c.UseCase,
		Reason:  page.OrEmpty(c.DenialReason),
		Notes:   page.OrEmpty(c.ReviewNotes),
		Write:   "/staff/requests/" + c.ID + "/notes",
	}
	at := "/staff/requests/" + c.ID
	switch c.Status {
	case developer.Pending:
		view.Primary = kit.Action{Name: "Approve", Path: at + "/approve", Icon: "check", How: kit.Asks}
		view.Menu = []kit.Action{{Name: "Deny…", Path: at + "/deny", How: kit.Asks, Bad: true}}
	case developer.Approved:
		view.Menu = []kit.Action{{Name: "Revoke access…", Path: at + "/revoke", How: kit.Asks, Bad: true}}
	case developer.Denied, developer.Withdrawn, developer.Revoked:
	}
	return v.Show(views.CasePage(view))
}

// requestFacts are what an applicant said of themselves, and who decided.
func requestFacts(v *page.Request, c *developer.Case) []kit.Facts {
	calls := ""
	if c.ExpectedMonthlyCalls != nil {
		calls = texts.Number(*c.ExpectedMonthlyCalls)
	}
	applicant := kit.Facts{Title: "Applicant", Terms: []kit.Term{
		{Name: "Account", Text: c.Account, Path: "/staff/accounts/" + c.AccountID},
		{Name: "Applicant", Text: c.Applicant},
		{Name: "Contact", Text: c.ContactEmail},
		{Name: "Company", Text: page.OrEmpty(c.CompanyName)},
		{Name: "Website", Text: page.OrEmpty(c.WebsiteURL)},
		{Name: "Integration", Text: page.OrEmpty(c.IntegrationType)},
		{Name: "Requests / month", Text: calls},
	}}
	details := kit.Facts{Title: "Details", Terms: []kit.Term{
		{Name: "ID", Text: c.ID, ID: true},
		{Name: "Sent", Time: v.Time(c.SubmittedAt)},
	}}
	if c.ReviewedAt != nil {
		reviewer := c.Reviewer
		if c.ReviewedBy == nil {
			reviewer = "An operator"
		}
		details.Terms = append(
			details.Terms,
			kit.Term{Name: "Decided", Time: v.Time(*c.ReviewedAt)},
			kit.Term{Name: "Decided by", Text: reviewer},
		)
	}
	return []kit.Facts{applicant, details}
}

// decision is a page that asks before something is decided about a request.
type decision struct {
	path    string
	title   string // its %s is the account's name
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
		title:   "Approve the request from %s?",
		words:   "The applicant gets an email and can create keys right away.",
		submit:  "Approve request",
		said:    "Request approved.",
		status:  developer.Approved,
		require: developer.Pending,
	},
	{
		path:    "deny",
		title:   "Deny the request from %s?",
		words:   "The applicant gets an email with the reason and can apply again.",
		submit:  "Deny request",
		said:    "Request denied.",
		status:  developer.Denied,
		require: developer.Pending,
		reason:  true,
		needed:  true,
		danger:  true,
	},
	{
		path:    "revoke",
		title:   "Revoke API access for %s?",
		words:   "All keys of the account are revoked permanently and stop working right away.",
		submit:  "Revoke access",
		said:    "Access revoked, with all keys of the account.",
		status:  developer.Revoked,
		require: developer.Approved,
		reason:  true,
		danger:  true,
	},
	{
		path:   "notes",
		title:  "Internal notes on %s",
		words:  "Only staff can read them.",
		submit: "Save notes",
		said:   "Notes saved.",
	},
}

// decisionRoutes are a page that asks and one that does, for each decision.
func (p *Section) decisionRoutes() (all []page.Route) {
	for _, d := range decisions {
		path, handle := "/staff/requests/:id/"+d.path, func(v *page.Request) error { return p.decide(v, d) }
		ask, do := page.Get(path, page.Staff, handle), page.Post(path, page.Staff, handle)
		if d.status == developer.Approved {
			ask, do = ask.Confirmed(), do.Confirmed()
		}
		all = append(all, ask, do)
	}
	return all
}

// decide asks before something is decided about the request of the address, and decides it.
func (p *Section) decide(v *page.Request, d decision) error {
	c, err := p.Developer.Reviews.Case(v.Ctx(), v.Param("id"))
	switch {
	case err != nil:
		return err
	case v.Request().Method != http.MethodPost && d.require != "" && c.Status != d.require:
		return fault.New(fault.InvalidTransition, "The request is already %s.", c.Status)
	}
	fields := []kit.Field{{
		Name: "review_notes", Label: "Internal notes", Lines: 3, Optional: true, Value: page.OrEmpty(c.ReviewNotes),
	}}
	if d.reason {
		fields = slices.Insert(fields, 0, kit.Field{
			Name: "denial_reason", Label: "Reason", Lines: 4, Optional: !d.needed,
			Hint: "The applicant sees it in the email and under API access.",
		})
	}
	at := "/staff/requests/" + c.ID
	return page.Question{
		Title: fmt.Sprintf(d.title, c.Account), Words: []string{d.words}, Back: at,
		Form: kit.Form{
			Action: at + "/" + d.path, Submit: d.submit, Danger: d.danger, Groups: []kit.FieldGroup{{Fields: fields}},
		},
		Do: func(f *page.Form, _ change.Target) error {
			if err := p.conclude(v, f, c.ID, d.status); err != nil {
				return err
			}
			return v.Done(at, d.said)
		},
	}.Serve(v)
}

// conclude gives a request a status, "" for the one that it has, with what was typed.
func (p *Section) conclude(v *page.Request, f *page.Form, requestID string, status developer.RequestStatus) error {
	ctx, notes := v.Ctx(), page.Lines(f, "review_notes")
	if status == "" {
		return p.Developer.Reviews.Note(ctx, v.Person.UserID, requestID, notes)
	}
	verdict := developer.Verdict{Status: status, Reason: page.Lines(f, "denial_reason")}
	if notes != "" {
		verdict.Notes = &notes
	}
	_, err := p.Developer.Reviews.Review(ctx, v.Person.UserID, requestID, verdict)
	return err
}
