package overview

import (
	"slices"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/list"
	"portal/api/portfolio/ledger/report"
	"portal/api/webhook"
	"portal/views/kit"
	views "portal/views/overview"
	"portal/web/page"
)

// What an overview shows.
const (
	rentMonths   = 6
	recentEvents = 6
)

// period is for how long an overview looks back, in spans of equal length.
type period struct {
	value, name string
	before      string // what it is compared with
	spans       int
	span        time.Duration
}

var periods = []period{
	{"24h", "Last 24 hours", "the day before", 24, time.Hour},
	{"7d", "Last 7 days", "the 7 days before", 7, 24 * time.Hour},
	{"30d", "Last 30 days", "the 30 days before", 30, 24 * time.Hour},
}

// since is when the period begins: with a whole hour, or with a day in the reader's zone.
func (p period) since(now time.Time, zone *time.Location) time.Time {
	if p.span == time.Hour {
		return now.Truncate(time.Hour).Add(-time.Duration(p.spans-1) * time.Hour)
	}
	y, m, d := now.In(zone).Date()
	return time.Date(y, m, d-p.spans+1, 0, 0, 0, 0, zone).Truncate(time.Hour)
}

// labels are the beginnings of the spans, as the axis of a chart has them.
func (p period) labels(since time.Time, zone *time.Location) (all []string) {
	form := "Jan 2"
	if p.span == time.Hour {
		form = "3 PM"
	}
	for i := range p.spans {
		all = append(all, since.Add(time.Duration(i)*p.span+p.span/2).In(zone).Format(form))
	}
	return all
}

// glance is what an overview is made of.
type glance struct {
	period
	v         *page.Request
	since     time.Time
	way       developer.Progress
	spans     []developer.RequestSpan // of the period, one a span
	all, last developer.RequestSpan   // of the period, and of the one before it
	endpoints []webhook.Endpoint
	health    []webhook.Health
	attempts  []webhook.AttemptSpan
	portfolio *report.Overview
	events    []webhook.Event
}

func (p *Section) dashboard(v *page.Request) error {
	g, err := p.glance(v)
	if err != nil {
		return err
	}
	steps := nextSteps(v, &g.way)
	below := len(steps) > 0
	if below {
		empty, err := p.empty(v)
		if err != nil {
			return err
		}
		below = !empty
	}
	next, err := p.next(g, steps, below)
	if err != nil {
		return err
	}
	view := views.Dashboard{
		Frame:     v.Frame("Overview"),
		About:     aboutPortfolio[v.Mode()],
		Period:    g.name,
		Next:      next,
		Tiles:     g.tiles(),
		Requests:  g.requestChart(),
		Rent:      g.rentChart(),
		AllEvents: v.In("/events"),
		Attention: g.attention(),
		Arrears:   g.arrears(),
		Overdue:   g.v.In("/ledger?overdue=true"),
	}
	if v.Mode() == access.Test {
		view.Trigger = "/test/demo"
	}
	if below {
		view.FirstSteps = firstSteps(v, steps)
		view.Frame = view.Frame.Live()
	}
	for _, o := range periods {
		if o.value != g.value {
			view.Periods = append(view.Periods, kit.Link{Name: o.name, Path: v.In("/overview?period=" + o.value)})
		}
	}
	for i := range g.events {
		view.Events = append(view.Events, recentEvent(v, &g.events[i]))
	}
	return v.Show(views.DashboardPage(view))
}

var aboutPortfolio = map[access.Mode]string{
	access.Test: "Your integration and the demo portfolio at a glance.",
	access.Live: "Your integration and your portfolio at a glance.",
}

// glance reads what the overview shows, all of it bounded.
func (p *Section) glance(v *page.Request) (*glance, error) {
	asked := slices.IndexFunc(periods, func(of period) bool { return of.value == v.Form().Text("period") })
	g := &glance{period: periods[max(0, asked)], v: v} // the first one where none is asked for
	g.since = g.period.since(v.Shell.Now(), v.Zone())
	a, ctx, by := v.Person.Account, v.Ctx(), v.Actor()
	var err error
	if g.way, err = p.Developer.Progress(ctx, v.Member(), a.Test, a.Live); err != nil {
		return nil, err
	}
	before := g.since.Add(-time.Duration(g.period.spans) * g.span)
	spans, err := p.Developer.RequestSpans(ctx, by, clock.At(before), g.span)
	if err != nil {
		return nil, err
	}
	g.sort(spans)
	found, err := p.Webhook.Endpoints(ctx, by, list.Query{Limit: list.Max})
	if err != nil {
		return nil, err
	}
	g.endpoints = found.Data
	ids := make([]string, len(g.endpoints))
	for i := range g.endpoints {
		ids[i] = g.endpoints[i].ID
	}
	if g.health, err = p.Webhook.Health(ctx, by, ids); err != nil {
		return nil, err
	}
	if g.attempts, err = p.Webhook.AttemptSpans(ctx, by, ids, clock.At(g.since), g.span); err != nil {
		return nil, err
	}
	if g.portfolio, err = p.Summaries.Overview(ctx, by, rentMonths); err != nil {
		return nil, err
	}
	g.events, err = p.Webhook.Events(ctx, by, webhook.EventFilter{Limit: recentEvents, Bodies: true})
	return g, err
}

// sort parts the spans into those of the period and the ones before it.
func (g *glance) sort(found []developer.RequestSpan) {
	g.spans = make([]developer.RequestSpan, g.period.spans)
	for i := range found {
		s := &found[i]
		if s.At < clock.At(g.since) {
			g.last.Add(s)
			continue
		}
		// A day on which clocks are put back has an hour more.
		n := min(int(s.At.Std().Sub(g.since)/g.span), len(g.spans)-1)
		g.spans[n].Add(s)
		g.all.Add(s)
	}
}

func recentEvent(v *page.Request, e *webhook.Event) views.RecentEvent {
	_, words := e.Subject()
	return views.RecentEvent{
		Path:  v.In("/events/" + e.ID),
		Icon:  e.Icon(),
		Type:  string(e.Type),
		About: words,
		At:    v.Time(e.CreatedAt),
	}
}
