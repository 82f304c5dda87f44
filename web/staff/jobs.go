package staff

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"portal/api/fault"
	"portal/api/job"
	"portal/api/texts"
	"portal/views/kit"
	views "portal/views/staff"
	"portal/web/listing"
	"portal/web/page"
)

// Jobs is the work behind the requests, of all processes.
type Jobs interface {
	Counts(ctx context.Context) (map[job.State]int, error)
	// Jobs come the newest first.
	Jobs(ctx context.Context, f job.Filter) ([]job.Job, error)
	Job(ctx context.Context, id int64) (job.Job, error)
	Retry(ctx context.Context, id int64) error
}

var jobStatuses = map[job.State]kit.Status{
	job.Available: {Tone: kit.Waiting, Text: "Available"},
	job.Running:   {Tone: kit.Waiting, Text: "Running"},
	job.Scheduled: {Tone: kit.Waiting, Text: "Scheduled"},
	job.Pending:   {Tone: kit.Waiting, Text: "Pending"},
	job.Retryable: {Tone: kit.Warned, Text: "To be tried again"},
	job.Completed: {Tone: kit.Done, Text: "Completed"},
	job.Cancelled: {Tone: kit.Idle, Text: "Cancelled"},
	job.Discarded: {Tone: kit.Failed, Text: "Given up"},
}

const jobsShown = 25

func (p *Section) jobs(v *page.Request) error {
	t, f := v.Cursor(), v.Form()
	filter := job.Filter{State: job.State(f.Text("state")), Kind: f.Slug("kind"), Limit: jobsShown + 1}
	if !slices.Contains(job.States(), filter.State) {
		filter.State = ""
	}
	filter.Before, _ = strconv.ParseInt(t.After, 10, 64) // what is no number is the first page
	counts, err := p.Jobs.Counts(v.Ctx())
	if err != nil {
		return err
	}
	all, err := p.Jobs.Jobs(v.Ctx(), filter)
	if err != nil {
		return err
	}
	next := ""
	if len(all) > jobsShown {
		all = all[:jobsShown]
		next = strconv.FormatInt(all[jobsShown-1].ID, 10)
	}
	view := kit.Listing{
		Frame: v.Frame("Jobs"),
		Heading: kit.Heading{
			Title: "Jobs",
			About: "What is done behind the requests, by all processes. What was completed is kept for a day.",
		},
		Filters: jobFilters(f, filter.State),
		Grid:    jobGrid(v, all),
	}
	if filter.Kind != "" {
		counts = nil // they are of all kinds
	}
	view.Tabs = jobTabs(view.Filters, filter.State, counts)
	view.Grid.Pages = t.Pages(next)
	view.Grid.Empty = listing.Empty(view.Filters, "jobs", view.Grid.Empty)
	return v.Show(kit.ListingPage(view))
}

// jobFilters asks for a kind. The state is chosen by the tabs, and carried along.
func jobFilters(f *page.Form, state job.State) kit.Filters {
	kind := kit.Field{Name: "kind", Label: "Kind", Kind: "search", Complete: "off"}
	f.FillField(&kind)
	filters := kit.Filters{
		About:  "Filter the jobs",
		At:     "/staff/jobs",
		Fields: []kit.Field{{Name: "state", Kind: "hidden", Value: string(state)}, kind},
	}
	if state != "" || kind.Value != "" {
		filters.Clear = "/staff/jobs"
	}
	return filters
}

// jobTabs are the states of jobs, with how many there are in each where that is known.
func jobTabs(f kit.Filters, asked job.State, counts map[job.State]int) []kit.Tab {
	all, sum := []kit.Tab{{Name: "All", Path: f.With("state", ""), Here: asked == ""}}, 0
	for _, s := range job.States() {
		tab := kit.Tab{Name: jobStatuses[s].Text, Path: f.With("state", string(s)), Here: asked == s}
		if counts != nil {
			tab.Count = texts.Number(counts[s])
		}
		sum += counts[s]
		all = append(all, tab)
	}
	if counts != nil {
		all[0].Count = texts.Number(sum)
	}
	return all
}

// jobGrid is a table of jobs, a line each.
func jobGrid(v *page.Request, all []job.Job) kit.Grid {
	g := kit.Grid{Table: kit.Table{
		Caption: "Jobs, the newest first",
		Lines:   true,
		Rows:    len(all),
		Empty:   kit.Empty{Title: "No jobs", Words: "Emails, deliveries and imports are worked on here."},
		Columns: []kit.Column{
			{Name: "Job"},
			{Name: "Status", Width: kit.Medium},
			{Name: "Last error", Card: kit.CardDetail},
			{Name: "Attempts", Right: true, Width: kit.Short, Card: kit.CardHidden},
			{Name: "Due", Right: true, Width: kit.Short, Card: kit.CardAmount},
		},
	}}
	for i := range all {
		j := jobView(v, &all[i])
		g.Lines = append(g.Lines, []kit.Cell{
			{Text: j.Kind, Path: "/staff/jobs/" + j.ID, Faint: "#" + j.ID},
			{Status: j.State},
			{Text: j.Error},
			{Text: j.Attempts},
			{Time: j.Due},
		})
	}
	return g
}

func jobView(v *page.Request, j *job.Job) views.Job {
	shown := views.Job{
		ID:       strconv.FormatInt(j.ID, 10),
		Kind:     j.Kind,
		Queue:    j.Queue,
		Attempts: fmt.Sprintf("%d of %d", j.Attempt, j.MaxAttempts),
		Args:     j.Args,
		State:    jobStatuses[j.State],
		Created:  v.Time(j.CreatedAt),
		Due:      v.Time(j.ScheduledAt),
		Begun:    v.TimeOr(j.AttemptedAt, "never"),
		Ended:    v.TimeOr(j.FinalizedAt, "not yet"),
		Retry:    mayRetry(j.State),
	}
	if len(j.Errors) > 0 {
		shown.Error = texts.Clip(j.Errors[0].Error, mostShown)
	}
	for _, e := range j.Errors {
		shown.Failures = append(shown.Failures, views.Failure{Error: e.Error,
			Moment: kit.Moment{
				Title:  "Attempt " + strconv.Itoa(e.Attempt),
				Status: kit.Status{Tone: kit.Failed, Text: "Failed"},
				Time:   v.Time(e.At),
			}})
	}
	return shown
}

// mayRetry tells a job that has use for being tried again now.
func mayRetry(s job.State) bool {
	return s == job.Retryable || s == job.Discarded || s == job.Cancelled || s == job.Scheduled
}

// thatJob is the job that the address names.
func (p *Section) thatJob(v *page.Request) (job.Job, error) {
	id, err := strconv.ParseInt(v.Param("id"), 10, 64)
	if err != nil {
		return job.Job{}, fault.Of(fault.NoRecord)
	}
	return p.Jobs.Job(v.Ctx(), id)
}

func (p *Section) job(v *page.Request) error {
	j, err := p.thatJob(v)
	if err != nil {
		return err
	}
	return v.Show(views.JobPage(views.JobView{Frame: v.Frame("Job " + v.Param("id")), Job: jobView(v, &j)}))
}

func (p *Section) askRetry(v *page.Request) error {
	j, err := p.thatJob(v)
	if err != nil {
		return err
	}
	return v.Show(kit.ConfirmPage(kit.Confirm{
		Frame: v.Frame("Try a job again"),
		Title: fmt.Sprintf("Try the job %d again?", j.ID),
		Words: []string{"It starts within a second."},
		Form:  kit.Form{Submit: "Try it again now", Cancel: fmt.Sprintf("/staff/jobs/%d", j.ID)},
	}))
}

func (p *Section) retryJob(v *page.Request) error {
	j, err := p.thatJob(v)
	if err != nil {
		return err
	}
	if !mayRetry(j.State) {
		return fault.New(fault.InvalidTransition, "The job is %s by now.", j.State)
	}
	if err := p.Jobs.Retry(v.Ctx(), j.ID); err != nil {
		return err
	}
	return v.Done(fmt.Sprintf("/staff/jobs/%d", j.ID), "The job is tried again.")
}
