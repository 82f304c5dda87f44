// Package status is the pages that say whether the service works: one for everybody, which needs no
// session and is shown while the database is away, and one for the staff.
//
// It knows no other section and no SQL.
package status

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"portal/api/clock"
	"portal/api/job"
	"portal/api/status"
	"portal/views/kit"
	views "portal/views/status"
	"portal/web/page"
)

// Config is what the pages need.
type Config struct {
	Monitor *status.Monitor
	Jobs    Jobs
}

// Jobs is the work behind the requests, of all processes.
type Jobs interface {
	Counts(ctx context.Context) (map[job.State]int, error)
	Jobs(ctx context.Context, f job.Filter) ([]job.Job, error)
}

// Section is the pages that say whether the service works.
type Section struct {
	*page.Shell
	Config
}

// New makes the section on the shell of all pages.
func New(shell *page.Shell, c Config) *Section { return &Section{shell, c} }

// Routes are the pages of the section.
func (p *Section) Routes() []page.Route {
	return []page.Route{
		page.Get("/status", page.Public, p.public),
		page.Get("/status.json", page.Public, p.document),
		page.Get("/staff/status", page.Staff, p.figures),
	}
}

// Addresses are the pages that search engines may know.
func (p *Section) Addresses() []string { return []string{"/status"} }

// code is the status of an answer: only a service that cannot work is unavailable.
func code(v *page.Request, r status.Report) int {
	if r.State != status.Down {
		return http.StatusOK
	}
	v.Response().Header().Set("Retry-After", "10")
	return http.StatusServiceUnavailable
}

func (p *Section) public(v *page.Request) error {
	r := p.Monitor.Report(v.Ctx())
	view := drawn(v, r)
	view.Frame = v.Open("Status", "Whether the API, dashboard, webhooks, and email work right now.")
	view.Script = "" // the policy of a page for everybody runs none
	return v.ShowAs(code(v, r), views.StatusPage(view))
}

// document is the report for programs.
func (p *Section) document(v *page.Request) error {
	r := p.Monitor.Report(v.Ctx())
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	v.Response().Header().Set("Cache-Control", "no-cache")
	return v.Blob(code(v, r), "application/json", append(text, '\n'))
}

var states = map[status.State]kit.Status{
	status.Operational: {Tone: kit.Done, Text: "Operational"},
	status.Degraded:    {Tone: kit.Warned, Text: "Degraded"},
	status.Down:        {Tone: kit.Failed, Text: "Down"},
}

var overall = map[status.State]string{
	status.Operational: "All systems operational.",
	status.Degraded:    "Some parts work less well than usual.",
	status.Down:        "The service doesn’t work right now.",
}

func drawn(v *page.Request, r status.Report) views.Status {
	s := views.Status{Overall: states[r.State].Tone, Words: overall[r.State], Checked: v.Time(r.CheckedAt)}
	for _, x := range r.Parts {
		s.Parts = append(s.Parts, views.Part{Name: x.Name, Status: states[x.State], Words: x.Words})
	}
	return s
}

func (p *Section) figures(v *page.Request) error {
	f, err := p.Monitor.Figures(v.Ctx())
	if err != nil {
		return err
	}
	jobs, err := p.jobFacts(v)
	if err != nil {
		return err
	}
	view := views.Figures{Status: drawn(v, p.Monitor.Report(v.Ctx())), Groups: []views.Group{
		{ID: "database", Title: "Database", Facts: []views.Fact{
			{Name: "Kind", Value: f.Checks.Kind},
			{Name: "Ping", Value: milliseconds(f.Checks.Ping)},
			{Name: "Writes", Value: map[bool]string{false: "Failing", true: "Working"}[f.Checks.Writes]},
		}},
		{ID: "jobs", Title: "Jobs", Facts: jobs},
		{ID: "deliveries", Title: "Deliveries", Facts: deliveryFacts(v, f.Deliveries)},
		{ID: "mail", Title: "Mail", Facts: mailFacts(v, f.Outbox)},
	}}
	view.Frame = v.Frame("Status")
	return v.Show(views.FiguresPage(view))
}

func (p *Section) jobFacts(v *page.Request) ([]views.Fact, error) {
	counts, err := p.Jobs.Counts(v.Ctx())
	if err != nil {
		return nil, err
	}
	oldest, err := p.Jobs.Jobs(v.Ctx(), job.Filter{State: job.Available, Limit: 1, OldestFirst: true})
	if err != nil {
		return nil, err
	}
	var at *clock.Time
	if len(oldest) > 0 {
		at = &oldest[0].CreatedAt
	}
	return []views.Fact{
		{Name: "Queued", Value: number(counts[job.Available])},
		{Name: "Oldest queued", Time: v.TimeOr(at, "None")},
		{Name: "Running", Value: number(counts[job.Running])},
		{Name: "Waiting to retry", Value: number(counts[job.Retryable])},
		{Name: "Given up", Value: number(counts[job.Discarded])},
	}, nil
}

func deliveryFacts(v *page.Request, d status.Deliveries) []views.Fact {
	rate := "No attempts"
	if d.Attempts > 0 {
		share, rest := page.Share(d.Attempts-d.Failed, d.Attempts, "attempt")
		rate = share + " " + rest
		if d.Attempts >= status.MostCounted {
			rate = "Of the latest " + rate
		}
	}
	return []views.Fact{
		{Name: "Waiting", Value: number(d.Waiting)},
		{Name: "Oldest due", Time: v.TimeOr(d.Oldest, "None")},
		{Name: "Success rate, last hour", Value: rate},
	}
}

func mailFacts(v *page.Request, o status.Outbox) []views.Fact {
	facts := []views.Fact{
		{Name: "Queued", Value: number(o.Queued)},
		{Name: "Oldest queued", Time: v.TimeOr(o.Oldest, "None")},
		{Name: "Last sent", Time: v.TimeOr(o.LastSent, "None")},
		{Name: "Last failure", Time: v.TimeOr(o.LastFailed, "None")},
	}
	if o.LastError != "" {
		facts = append(facts, views.Fact{Name: "Its error", Value: o.LastError})
	}
	return facts
}

// number is a count as a page shows it.
func number(n int) string {
	switch {
	case n == 0:
		return "None"
	case n >= status.MostCounted:
		return strconv.Itoa(n) + " or more"
	}
	return strconv.Itoa(n)
}

func milliseconds(d time.Duration) string {
	if d == 0 {
		return "No answer"
	}
	return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', 2, 64) + " ms"
}
