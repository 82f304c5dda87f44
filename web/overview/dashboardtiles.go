package overview

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/report"
	"portal/api/texts"
	"portal/api/webhook"
	"portal/views/kit"
	"portal/web/page"
)

// tiles are the numbers that matter, each with what it is compared with.
func (g *glance) tiles() []kit.Tile {
	return []kit.Tile{
		g.requestsTile(),
		g.errorTile(),
		g.latencyTile(),
		g.webhookTile(),
		g.ticketsTile(),
		g.rentTile(),
	}
}

// spark is a value of each span; where there was no request, it is not known.
func (g *glance) spark(of func(*developer.RequestSpan) float64) (all []float64) {
	for i := range g.spans {
		value := math.NaN()
		if g.spans[i].Requests() > 0 {
			value = of(&g.spans[i])
		}
		all = append(all, value)
	}
	return all
}

func (g *glance) requestsTile() kit.Tile {
	now, before := g.all.Requests(), g.last.Requests()
	t := kit.Tile{Name: "Requests", Value: numberOrNone(now), Path: g.v.In("/logs"), Mood: kit.Done}
	for i := range g.spans {
		t.Spark = append(t.Spark, float64(g.spans[i].Requests()))
	}
	switch {
	case before == 0:
		t.Words = "None " + g.before
	case now == before:
		t.Words = "As many as " + g.before
	case now > before:
		t.Words, t.Icon = share(now-before, before)+" more than "+g.before, "arrow-up-right"
	default:
		t.Words, t.Icon = share(before-now, before)+" fewer than "+g.before, "arrow-down-right"
	}
	return t
}

// errorRate is the share of the requests that failed, in percent.
func errorRate(s *developer.RequestSpan) float64 {
	return 100 * float64(s.Failed()) / float64(max(1, s.Requests()))
}

func (g *glance) errorTile() kit.Tile {
	t := kit.Tile{Name: "Error rate", Value: "–", Path: g.v.In("/logs?status=4xx"), Mood: kit.Failed}
	if g.all.ServerFailed > 0 {
		t.Path = g.v.In("/logs?status=5xx")
	}
	t.Spark = g.spark(errorRate)
	if g.all.Requests() == 0 {
		t.Words = "No requests"
		return t
	}
	t.Value = fmt.Sprintf("%.1f%%", errorRate(&g.all))
	points := math.Round(10*(errorRate(&g.all)-errorRate(&g.last))) / 10
	switch {
	case g.last.Requests() == 0:
		t.Words = "No requests " + g.before
	case points > 0:
		t.Words, t.Icon, t.Tone = fmt.Sprintf("%.1f points up", points), "arrow-up-right", kit.Failed
	case points < 0:
		t.Words, t.Icon, t.Tone = fmt.Sprintf("%.1f points down", -points), "arrow-down-right", kit.Done
	default:
		t.Words = "As " + g.before
	}
	return t
}

func (g *glance) latencyTile() kit.Tile {
	t := kit.Tile{Name: "p95 latency", Value: "–", Words: "No requests", Path: g.v.In("/logs"), Mood: kit.Idle}
	t.Spark = g.spark(func(s *developer.RequestSpan) float64 { return s.Took.Within(0.95) })
	if g.all.Requests() > 0 {
		t.Value, t.Words = p95(&g.all), "No requests "+g.before
	}
	if g.all.Requests() > 0 && g.last.Requests() > 0 {
		t.Words = p95(&g.last) + " " + g.before
	}
	return t
}

// p95 is within how long 95 of 100 requests were answered.
func p95(s *developer.RequestSpan) string {
	ms := s.Took.Within(0.95)
	if ms >= 10 {
		ms = math.Round(ms)
	}
	return kit.Number(math.Round(10*ms)/10) + " ms"
}

func (g *glance) webhookTile() kit.Tile {
	t := kit.Tile{
		Name:  "Webhook success",
		Value: "–",
		Words: "No endpoints",
		Path:  g.v.In("/webhooks"),
		Mood:  kit.Done,
	}
	if len(g.endpoints) == 0 {
		return t
	}
	t.Path = g.v.In("/webhooks/deliveries")
	sent, failed := make([]int, len(g.spans)), make([]int, len(g.spans))
	all, bad := 0, 0
	for _, a := range g.attempts {
		n := min(a.Index, len(sent)-1)
		sent[n], failed[n] = sent[n]+a.Attempts, failed[n]+a.Failed
		all, bad = all+a.Attempts, bad+a.Failed
	}
	for i := range sent {
		value := math.NaN()
		if sent[i] > 0 {
			value = float64(sent[i]-failed[i]) / float64(sent[i])
		}
		t.Spark = append(t.Spark, value)
	}
	if all > 0 {
		t.Value = share(all-bad, all)
	}
	switch failing := len(g.failing()); {
	case failing > 0:
		t.Words, t.Icon, t.Tone = page.Counted(failing, "endpoint")+" failing", "triangle-alert", kit.Warned
		t.Mood, t.Path = kit.Warned, g.v.In("/webhooks/deliveries?status=failed")
	case all == 0:
		t.Words = "No attempts"
	case bad > 0: // by an endpoint that was turned off, or too few for one to count as failing
		t.Words = page.Counted(bad, "failed attempt")
	default:
		t.Words = "No endpoint failing"
	}
	return t
}

// failing are the endpoints at which all attempts fail, without samples, which cannot but fail.
func (g *glance) failing() (all []*webhook.Endpoint) {
	for i := range g.endpoints {
		e := &g.endpoints[i]
		if e.Status == webhook.Enabled && !e.Sample() && webhook.HealthOf(g.health, e.ID).FailingSince != nil {
			all = append(all, e)
		}
	}
	return all
}

// ticketMoods are the priorities of tickets as the meter of their tile shows them.
var ticketMoods = []struct {
	priority portfolio.Priority
	mood     kit.Tone
}{
	{portfolio.PriorityEmergency, kit.Failed},
	{portfolio.PriorityHigh, kit.Warned},
	{portfolio.PriorityNormal, kit.Waiting},
	{portfolio.PriorityLow, kit.Idle},
}

func (g *glance) ticketsTile() kit.Tile {
	open, urgent := 0, g.portfolio.Tickets[portfolio.PriorityEmergency]
	more := false
	for _, n := range g.portfolio.Tickets {
		open += min(n, report.MostCounted)
		more = more || n > report.MostCounted
	}
	t := kit.Tile{Name: "Open tickets", Value: numberOrNone(open), Path: g.v.In("/tickets"), Words: "No emergencies"}
	for _, p := range ticketMoods {
		share := float64(min(g.portfolio.Tickets[p.priority], report.MostCounted)) / float64(max(1, open))
		t.Meter = append(t.Meter, kit.Part{Share: share, Mood: p.mood})
	}
	if more {
		t.Value += "+"
	}
	if urgent > 0 {
		t.Words, t.Icon, t.Tone = atMost(urgent, "emergency", "emergencies"), "siren", kit.Failed
		t.Path = g.v.In("/tickets?priority=emergency")
	}
	return t
}

func (g *glance) rentTile() kit.Tile {
	due, collected := g.rent()
	wanted, got := due[rentMonths-1], collected[rentMonths-1]
	months := g.months()
	month := months[rentMonths-1]
	t := kit.Tile{
		Name:  "Rent collected, " + month.Format("Jan"),
		Value: "–",
		Words: "No rent due",
		Path: g.v.In("/ledger?type=rent&due_after=" + month.AddDate(0, 0, -1).Format("2006-01-02") +
			"&due_before=" + month.AddDate(0, 1, 0).Format("2006-01-02")),
		Meter: []kit.Part{{}},
	}
	if wanted > 0 {
		t.Value, _, _ = strings.Cut(got.Dollars(), ".")
		t.Meter[0] = kit.Part{Share: float64(got) / float64(wanted), Mood: kit.Done}
		t.Words = share(int(got), int(wanted)) + " of " + wanted.Dollars()
	}
	return t
}

// share is a part of a whole in percent. What is not whole is never said to be so.
func share(n, of int) string {
	percent := 100 * float64(n) / float64(of)
	if n < of {
		percent = math.Min(99.9, percent)
	}
	if percent < 99 || n == of {
		return strconv.Itoa(int(math.Round(percent))) + "%"
	}
	return kit.Number(math.Round(10*percent)/10) + "%"
}

func numberOrNone(n int) string {
	if n == 0 {
		return "None"
	}
	return texts.Number(n)
}

// atMost is a number of things that are counted up to a bound.
func atMost(n int, one, many string) string {
	switch {
	case n == 1:
		return "1 " + one
	case n > report.MostCounted:
		return texts.Number(report.MostCounted) + "+ " + many
	}
	return texts.Number(n) + " " + many
}

// next is the one thing to do now, one without a title where nothing is to be done.
// Steps that are open stand on this page where below is set.
func (p *Section) next(g *glance, steps []kit.Step, below bool) (kit.NoticeContent, error) {
	v := g.v
	if g.way.Approved && g.way.Request.Status != developer.Approved {
		return kit.NoticeContent{
			Tone:   kit.Warned,
			Title:  "API access is no longer approved.",
			Words:  "Requests with your keys are refused.",
			Action: kit.Action{Name: "View API access", Path: "/access"},
		}, nil
	}
	for i, s := range steps {
		if s.Now {
			at := "/overview"
			if below {
				at = "#next"
			}
			return kit.NoticeContent{
				Tone:   kit.Done,
				Title:  "Next step: " + lowerFirst(s.Title),
				Words:  "Step " + strconv.Itoa(i+1) + " of " + strconv.Itoa(len(steps)) + ".",
				Action: kit.Action{Name: "View first steps", Path: at},
			}, nil
		}
	}
	if v.Mode() == access.Live && g.portfolio.Empty {
		return kit.NoticeContent{
			Tone:   kit.Done,
			Title:  "Next step: add your records",
			Words:  "This portfolio has no properties yet. Import your rent roll, or add a property.",
			Action: kit.Action{Name: "Import rent roll", Path: v.In("/import"), Icon: "upload"},
		}, nil
	}
	return p.goLive(g)
}

// goLive asks owners for a live key once the integration works in test mode.
func (p *Section) goLive(g *glance) (kit.NoticeContent, error) {
	if g.v.Mode() != access.Test || !g.v.Owns() {
		return kit.NoticeContent{}, nil
	}
	keys, err := p.Developer.KeysOf(g.v.Ctx(), g.v.Person.Account.AccountID)
	if err != nil || slices.ContainsFunc(keys, func(k developer.Key) bool { return k.Mode == access.Live }) {
		return kit.NoticeContent{}, err
	}
	return kit.NoticeContent{
		Tone:   kit.Done,
		Title:  "Next step: go live",
		Words:  "Your test integration works. Create a live key to connect your own properties.",
		Action: kit.Action{Name: "Create live key", Path: "/keys/new", Icon: "key-round"},
	}, nil
}

// empty reports whether the live portfolio has no records yet.
func (p *Section) empty(v *page.Request) (bool, error) {
	o, err := p.Summaries.Overview(v.Ctx(), v.Person.Actor(access.Live), 1)
	return err == nil && o.Empty, err
}

func lowerFirst(s string) string { return string(s[0]|0x20) + s[1:] }
