package developer

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"portal/api/clock"
	"portal/api/id"
	"portal/api/list"
	"portal/api/texts"
	"portal/api/webhook"
	"portal/views/kit"
	"portal/web/listing"
	"portal/web/page"
)

// endpointLine is an endpoint with how its deliveries do.
type endpointLine struct {
	*webhook.Endpoint

	status       kit.Status
	retrying     string   // how many deliveries are retried, "" for none
	failingSince kit.Time // since when nothing but failures came of it; zero where that is not so
	response     string   // what came of the latest attempt, "" where there was none
	success      string   // of the last days, "" where nothing was sent
	of           string   // how many attempts that is of
}

// failing reports whether the endpoint needs attention.
func (l *endpointLine) failing() bool {
	return l.failingSince.ISO != "" || l.DisabledReason != nil && *l.DisabledReason == webhook.ByFailures
}

// answered is the last response in a sentence with a space behind it, "" where there was none.
func (l *endpointLine) answered() string {
	if l.response == "" {
		return ""
	}
	return strings.TrimSuffix("Last response: "+l.response, ".") + ". "
}

func (p *webhookPages) webhooks(v *page.Request) error {
	found, err := p.Webhook.Endpoints(v.Ctx(), v.Actor(), endpointQuery(v))
	if err != nil {
		return err
	}
	all, err := p.endpointLines(v, found.Data)
	if err != nil {
		return err
	}
	create := kit.Action{Name: "Add endpoint", Path: v.In("/webhooks/new"), Icon: "plus"}
	view := listing.List{
		Title: "Webhooks", About: "Addresses that we send events to.", Path: "/webhooks",
		Ask: "Sort the endpoints", Orders: endpointOrders,
	}.View(v)
	view.Frame, view.Primary = view.Frame.With("parts.css"), create
	view.Other = []kit.Action{{Name: "View deliveries", Path: v.In("/webhooks/deliveries"), Icon: "activity"}}
	view.Notices = listNotices(v, all)
	view.Grid = endpointGrid(v, all, v.Cursor().Pages(page.OrEmpty(found.NextCursor)), create)
	return v.Show(kit.ListingPage(view))
}

// endpointOrders are the orders of the endpoints. Each page of the usual one, which is that of their creation,
// begins with those that need attention.
var endpointOrders = []string{"failing", "oldest", "newest"}

// endpointQuery is the page of the list that the address asks for.
func endpointQuery(v *page.Request) list.Query {
	return list.Query{
		StartingAfter: v.Cursor().Position(id.Endpoint),
		Limit:         list.Default,
		Newest:        v.Form().Among("sort", endpointOrders) == "newest",
	}
}

// endpointLines are endpoints with how their deliveries do, in the order that the address asks for.
func (p *webhookPages) endpointLines(v *page.Request, found []webhook.Endpoint) ([]endpointLine, error) {
	ids := make([]string, len(found))
	for i := range found {
		ids[i] = found[i].ID
	}
	hours, err := p.Webhook.Hours(v.Ctx(), v.Actor(), ids, daysAgo(v, successDays))
	if err != nil {
		return nil, err
	}
	health, err := p.Webhook.Health(v.Ctx(), v.Actor(), ids)
	if err != nil {
		return nil, err
	}
	all := make([]endpointLine, len(found))
	for i := range found {
		all[i] = endpointState(v, &found[i], hours, webhook.HealthOf(health, found[i].ID))
	}
	switch v.Form().Among("sort", endpointOrders) {
	case "oldest", "newest":
	default:
		slices.SortStableFunc(all, func(a, b endpointLine) int { return urgency(&a) - urgency(&b) })
	}
	return all, nil
}

// urgency orders endpoints: those that fail now, those that failures turned off, the others, and then samples.
func urgency(l *endpointLine) int {
	switch {
	case l.Sample():
		return 3
	case l.failingSince.ISO != "":
		return 0
	case l.failing():
		return 1
	}
	return 2
}

// endpointState is an endpoint with how its deliveries do.
func endpointState(v *page.Request, e *webhook.Endpoint, hours []webhook.Hour, h webhook.Health) endpointLine {
	line := endpointLine{
		Endpoint: e,
		status:   endpointStatus(e, h),
		retrying: retryingWords(h.Retrying),
		response: responseWords(h.LastStatusCode, h.LastError),
	}
	if h.FailingSince != nil && e.Status == webhook.Enabled {
		line.failingSince = v.Time(*h.FailingSince)
	}
	sent, failed := 0, 0
	for _, h := range hours {
		if h.EndpointID == e.ID && h.At >= daysAgo(v, successDays) {
			sent, failed = sent+h.Attempts, failed+h.Failed
		}
	}
	line.success, line.of = page.Share(sent-failed, sent, "attempt")
	return line
}

// failures leads to what is retried of an endpoint.
func failures(v *page.Request, e *webhook.Endpoint) kit.Action {
	return kit.Action{
		Name: "View failures",
		Path: v.In("/webhooks/deliveries?status=retrying&endpoint=" + url.QueryEscape(e.ID)),
	}
}

// listNotices say what is wrong with endpoints, and which of them are samples.
func listNotices(v *page.Request, all []endpointLine) (said []kit.NoticeContent) {
	fail, samples := 0, 0
	var first *endpointLine // of those that fail
	for i := range all {
		switch {
		case all[i].Sample(): // which cannot but fail
			samples++
		case all[i].failingSince.ISO != "":
			fail++
			if first == nil {
				first = &all[i]
			}
		}
	}
	if first != nil {
		n := kit.NoticeContent{
			Tone:   kit.Warned,
			Title:  "Every delivery to " + first.Host() + " has failed since " + first.failingSince.Text,
			Words:  first.answered() + "After 5 days of failures an endpoint is turned off.",
			Action: failures(v, first.Endpoint),
		}
		if fail > 1 {
			n.Title = strconv.Itoa(fail) + " endpoints are failing"
			n.Words = "Every recent delivery to them has failed. After 5 days of failures an endpoint is turned off."
			n.Action.Path = v.In("/webhooks/deliveries?status=retrying")
		}
		said = append(said, n)
	}
	if samples > 0 {
		said = append(
			said,
			kit.NoticeContent{Tone: kit.Idle, Words: "Endpoints marked Sample have an address that is " +
				"reserved for examples and leads nowhere. Change their URL, or disable them."},
		)
	}
	return said
}

func endpointGrid(v *page.Request, all []endpointLine, pages kit.Pages, create kit.Action) kit.Grid {
	return kit.GridOf(kit.Table{
		Caption: "Endpoints",
		Pages:   pages,
		Columns: []kit.Column{
			{Name: "Endpoint", Card: kit.CardTitle},
			{Name: "Status", Width: kit.Long},
			{Name: "Events", Width: kit.Medium, Card: kit.CardDetail},
			{Name: "Success, 7 days", Right: true, Width: kit.Short, Card: kit.CardHidden},
			{Name: "Last delivery", Right: true, Width: kit.Short, Card: kit.CardAmount},
		},
		Empty: kit.Empty{
			Title: "No endpoints yet",
			Words: "An endpoint is an https address that receives each event as a signed POST. " +
				"Add one, then send it a test event.",
			Action: kit.Link{Name: create.Name, Path: create.Path},
		},
	}, all, func(l *endpointLine) []kit.Cell {
		name := kit.Cell{Text: l.Host(), Path: v.In("/webhooks/" + l.ID), Faint: pathOf(l.URL)}
		if l.Sample() {
			name.Mark = kit.Status{Tone: kit.Idle, Text: "Sample", Icon: "flask-conical"}
		}
		if l.Description != nil {
			name.Faint += " · " + *l.Description
		}
		return []kit.Cell{
			name,
			{Status: l.status, Faint: l.retrying},
			{Text: kindCount(l.Events)},
			{Text: l.success, None: "nothing sent"},
			{Time: v.TimeOr(l.LastDeliveryAt, "Never")},
		}
	})
}

// pathOf is the path of an address.
func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	if u.Path == "" {
		return "/"
	}
	return u.EscapedPath()
}

// kindWords are the kinds of events that an endpoint chose, in words.
func kindWords(kinds []webhook.Kind) string {
	if slices.Contains(kinds, webhook.EveryKind) {
		return "All events"
	}
	return joined(kinds)
}

// kindCount is how many kinds of events an endpoint chose: all, one by its name, or a number.
func kindCount(kinds []webhook.Kind) string {
	switch {
	case slices.Contains(kinds, webhook.EveryKind):
		return "All events"
	case len(kinds) == 1:
		return string(kinds[0])
	}
	return texts.Number(len(kinds)) + " types"
}

// day is what came of the attempts of a day.
type day struct {
	sent, failed  int
	took, slowest int64 // milliseconds
}

// endpointCharts draw the last days, in the reader's zone: how many attempts were
// acknowledged, and how long they took.
func endpointCharts(v *page.Request, hours []webhook.Hour) (attempts, latency kit.Chart) {
	labels, days := dayTotals(v, hours)
	var good, bad, mean, most []float64
	var none []bool
	var all day
	for _, d := range days {
		none = append(none, d.sent == 0)
		good, bad = append(good, float64(d.sent-d.failed)), append(bad, float64(d.failed))
		mean, most = append(mean, float64(average(d))), append(most, float64(d.slowest))
		all = day{all.sent + d.sent, all.failed + d.failed, all.took + d.took, max(all.slowest, d.slowest)}
	}
	attempts = kit.Chart{
		ID:      "attempts-chart",
		Title:   "Attempts per day",
		Unit:    "attempts",
		Missing: none,
		Absent:  "No attempts",
		Empty:   "No attempts in the last 14 days",
	}
	latency = kit.Chart{
		ID:      "latency-chart",
		Title:   "Response time",
		Unit:    "ms",
		Missing: none,
		Absent:  "No attempts",
		Empty:   "No attempts in the last 14 days",
		Lines:   true,
	}
	if all.sent == 0 {
		return attempts, latency
	}
	share, rest := page.Share(all.sent-all.failed, all.sent, "attempt")
	attempts.About = share + " " + rest + " succeeded."
	attempts.Labels, attempts.Series = labels, []kit.Series{
		{Name: "Succeeded", Values: good, Tone: kit.Done, Total: texts.Number(all.sent - all.failed)},
		{Name: "Failed", Values: bad, Tone: kit.Failed, Total: texts.Number(all.failed)},
	}
	latency.About = fmt.Sprintf("An attempt took %s ms on average, the slowest %s ms.", texts.Number(average(all)),
		texts.Number(all.slowest))
	latency.Labels, latency.Series = labels, []kit.Series{
		{Name: "Average", Values: mean, Tone: kit.Done},
		{Name: "Slowest", Values: most, Tone: kit.Waiting},
	}
	return attempts, latency
}

func average(d day) int64 {
	if d.sent == 0 {
		return 0
	}
	return (d.took + int64(d.sent)/2) / int64(d.sent)
}

// dayTotals sums hours up by the reader's days, the last of which is today.
func dayTotals(v *page.Request, hours []webhook.Hour) (labels []string, days []day) {
	today := clock.DateOf(v.Shell.Now(), v.Zone())
	days = make([]day, chartDays)
	for i := range days {
		labels = append(labels, (today - chartDays + 1 + clock.Date(i)).Std().Format("Jan 2"))
	}
	for _, h := range hours {
		i := int(clock.DateOf(h.At.Std(), v.Zone())-today) + chartDays - 1
		if i < 0 || i >= chartDays {
			continue
		}
		d := &days[i]
		d.sent, d.failed = d.sent+h.Attempts, d.failed+h.Failed
		d.took, d.slowest = d.took+h.DurationMS, max(d.slowest, h.SlowestMS)
	}
	return labels, days
}
