package staff

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"portal/api/fault"
	"portal/api/job"
	"portal/api/list"
	"portal/api/texts"
	"portal/views/kit"
	views "portal/views/staff"
	"portal/web/listing"
	"portal/web/page"
	"portal/web/payload"
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
	job.Retryable: {Tone: kit.Warned, Text: "Retrying"},
	job.Completed: {Tone: kit.Done, Text: "Completed"},
	job.Cancelled: {Tone: kit.Idle, Text: "Canceled"},
	job.Discarded: {Tone: kit.Failed, Text: "Given up"},
}

const jobsShown = 25

var jobOrders = []string{"newest", "oldest"}

// jobFilter is what the address asks for of the jobs.
func jobFilter(v *page.Request) job.Filter {
	f := v.Form()
	filter := job.Filter{
		State:       job.State(f.Text("state")),
		Kind:        f.Slug("kind"),
		OldestFirst: oldestFirst(v, jobOrders),
		Limit:       jobsShown + 1,
	}
	if !slices.Contains(job.States(), filter.State) {
		filter.State = ""
	}
	filter.Before, _ = strconv.ParseInt(v.Cursor().After, 10, 64) // what is no number is the first page
	return filter
}

func (p *Section) jobs(v *page.Request) error {
	filter := jobFilter(v)
	counts, err := p.Jobs.Counts(v.Ctx())
	if err != nil {
		return err
	}
	all, err := p.Jobs.Jobs(v.Ctx(), filter)
	if err != nil {
		return err
	}
	listed := list.Of(all, jobsShown, (*job.Job).Identity)
	all = listed.Data
	view := kit.Listing{
		Frame: v.Frame("Jobs"),
		Heading: kit.Heading{
			Title: "Jobs",
			About: "Background work of all processes. Completed jobs are kept for a day.",
		},
		Export:  listing.Export(v, "/staff/jobs.csv"),
		Filters: jobFilters(v, filter.State),
		Grid:    jobGrid(v, all),
	}
	if filter.Kind != "" {
		counts = nil // they are of all kinds
	}
	view.Tabs = jobTabs(view.Filters, filter.State, counts)
	view.Grid.Pages = v.Cursor().Pages(page.OrEmpty(listed.NextCursor))
	if counts != nil && len(all) > 0 {
		view.Grid.Pages.Shown = strconv.Itoa(len(all)) + " of " + texts.Number(jobsIn(counts, filter.State))
	}
	view.Grid.Empty = listing.Empty(view.Filters, "jobs", view.Grid.Empty)
	return v.Show(kit.ListingPage(view))
}

// jobFilters asks for a kind. The state is chosen by the tabs, and carried along.
func jobFilters(v *page.Request, state job.State) kit.Filters {
	f := v.Form()
	kind := kit.Field{Name: "kind", Label: "Kind", Kind: "search", Complete: "off"}
	f.FillField(&kind)
	filters := kit.Filters{
		About:  "Filter the jobs",
		At:     "/staff/jobs",
		Fields: []kit.Field{{Name: "state", Kind: "hidden", Value: string(state)}, kind},
		Order:  listing.Order(v, jobOrders),
	}
	if state != "" || kind.Value != "" {
		filters.Clear = "/staff/jobs"
	}
	return filters
}

// jobTabs are the states of jobs, with how many there are in each where that is known.
func jobTabs(f kit.Filters, asked job.State, counts map[job.State]int) []kit.Tab {
	all := []kit.Tab{{Name: "All", Path: f.With("state", ""), Here: asked == ""}}
	for _, s := range job.States() {
		tab := kit.Tab{Name: jobStatuses[s].Text, Path: f.With("state", string(s)), Here: asked == s}
		if counts != nil {
			tab.Count = texts.Number(counts[s])
		}
		all = append(all, tab)
	}
	if counts != nil {
		all[0].Count = texts.Number(jobsIn(counts, ""))
	}
	return all
}

// jobsIn is how many jobs are in a state, "" for all.
func jobsIn(counts map[job.State]int, state job.State) (sum int) {
	if state != "" {
		return counts[state]
	}
	for _, n := range counts {
		sum += n
	}
	return sum
}

// jobGrid is a table of jobs, a line each.
func jobGrid(v *page.Request, all []job.Job) kit.Grid {
	return kit.GridOf(kit.Table{
		Caption: "Jobs",
		Empty:   kit.Empty{Title: "No jobs", Words: "Emails, webhook deliveries and imports run as jobs."},
		Columns: []kit.Column{
			{Name: "Job"},
			{Name: "Status", Width: kit.Medium},
			{Name: "Last error", Card: kit.CardDetail},
			{Name: "Attempts", Right: true, Width: kit.Short, Card: kit.CardHidden},
			{Name: "Due", Right: true, Width: kit.Short, Card: kit.CardAmount},
		},
	}, all, func(j *job.Job) []kit.Cell {
		id, last := strconv.FormatInt(j.ID, 10), ""
		if len(j.Errors) > 0 {
			last = texts.Clip(j.Errors[0].Error, mostShown)
		}
		return []kit.Cell{
			{Text: j.Kind, Path: "/staff/jobs/" + id, Number: "#" + id},
			{Status: jobStatuses[j.State]},
			{Text: last},
			{Text: attemptsOf(j)},
			{Time: v.Time(j.ScheduledAt)},
		}
	})
}

// attemptsOf is how often a job was attempted, of how often it may be.
func attemptsOf(j *job.Job) string { return fmt.Sprintf("%d of %d", j.Attempt, j.MaxAttempts) }

func jobView(v *page.Request, bodies *payload.Bodies, j *job.Job) views.JobView {
	id := strconv.FormatInt(j.ID, 10)
	shown := views.JobView{
		Record: kit.Record{
			Frame:   v.Frame("Job " + id),
			Heading: kit.Heading{Title: j.Kind, About: "Job " + id, Status: jobStatuses[j.State], Code: true},
			Facts: []kit.Facts{{Title: "Details", Terms: []kit.Term{
				{Name: "Queue", Text: j.Queue},
				{Name: "Attempts", Text: attemptsOf(j)},
				{Name: "Created", Time: v.Time(j.CreatedAt)},
				{Name: "Due", Time: v.Time(j.ScheduledAt)},
				{Name: "Last started", Time: v.TimeOr(j.AttemptedAt, "Never")},
				{Name: "Finished", Time: v.TimeOr(j.FinalizedAt, "Not yet")},
			}}},
		},
		Args: bodies.View("arguments", j.Args),
	}
	if mayRetry(j.State) {
		shown.Primary = kit.Action{
			Name: "Retry now",
			Path: "/staff/jobs/" + id + "/retry",
			Icon: "rotate-cw",
			How:  kit.Asks,
		}
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

// mayRetry reports whether a job has use for being tried again now.
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
	bodies := payload.New(v, "/staff/jobs/"+strconv.FormatInt(j.ID, 10))
	return bodies.Show(views.JobPage(jobView(v, bodies, &j)))
}

func (p *Section) askRetry(v *page.Request) error {
	j, err := p.thatJob(v)
	if err != nil {
		return err
	}
	return v.Show(kit.ConfirmPage(kit.Confirm{
		Frame: v.Frame("Retry a job"),
		Title: fmt.Sprintf("Retry job %d now?", j.ID),
		Words: []string{"It starts within a second."},
		Form:  kit.Form{Submit: "Retry now", Cancel: fmt.Sprintf("/staff/jobs/%d", j.ID)},
	}))
}

func (p *Section) retryJob(v *page.Request) error {
	j, err := p.thatJob(v)
	if err != nil {
		return err
	}
	if !mayRetry(j.State) {
		return fault.New(fault.InvalidTransition, "The job is already %s.", j.State)
	}
	if err := p.Jobs.Retry(v.Ctx(), j.ID); err != nil {
		return err
	}
	return v.Done(fmt.Sprintf("/staff/jobs/%d", j.ID), "The job is being retried.")
}
