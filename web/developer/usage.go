package developer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/portfolio/ledger/report"
	"portal/api/texts"
	views "portal/views/developer"
	"portal/views/kit"
	"portal/web/page"
)

// Usage is what was asked with the keys of an account, and what may be.
type Usage interface {
	Usage(ctx context.Context, by developer.Member, from clock.Date) ([]developer.KeyDay, error)
	PlanOf(ctx context.Context, by developer.Member) (developer.Plan, error)
	AccountKeys(ctx context.Context, by developer.Member) ([]developer.Key, error)
}

// usagePeriods are how many days the page draws.
var usagePeriods = []kit.Choice{
	{Value: "7", Label: "7 days"},
	{Value: "30", Label: "30 days"},
	{Value: "90", Label: "90 days"},
}

// Summaries are portfolios in a few numbers.
type Summaries interface {
	Summary(ctx context.Context, by access.Actor) (*report.Summary, error)
}

func (p *Section) usage(v *page.Request) error {
	f := v.Form()
	days, err := strconv.Atoi(f.Among("days", []string{"7", "30", "90"}))
	if err != nil {
		days = 30
	}
	keys, err := p.Usage.AccountKeys(v.Ctx(), v.Member())
	if err != nil {
		return err
	}
	plan, err := p.Usage.PlanOf(v.Ctx(), v.Member())
	if err != nil {
		return err
	}
	live, err := p.Summaries.Summary(v.Ctx(), v.Actor())
	if err != nil {
		return err
	}
	today := clock.DateOf(p.Now(), time.UTC)
	used, err := p.Usage.Usage(v.Ctx(), v.Member(), today-clock.Date(days)+1)
	if err != nil {
		return err
	}
	s := usagePeriod{
		days:   days,
		first:  today - clock.Date(days) + 1,
		limits: plan.Limits(),
		keys:   map[string]*developer.Key{},
	}
	for i := range keys {
		s.keys[keys[i].ID] = &keys[i]
	}
	one := f.ID("key", id.Key)
	all := s.lines(used)
	view := views.Usage{
		Frame:   v.Frame("Usage"),
		Filters: usageFilters(f, keys, days),
		Plan:    s.plan(plan, live.Units),
	}
	for _, l := range all {
		if one == "" || l.id == one {
			view.Keys = append(view.Keys, s.row(l))
		}
	}
	view.Charts = s.charts(all, one)
	return v.Show(views.UsagePage(view))
}

func usageFilters(f *page.Form, keys []developer.Key, days int) kit.Filters {
	of := []kit.Choice{{Label: "All"}}
	for _, k := range keys {
		of = append(of, kit.Choice{
			Value:  k.ID,
			Label:  k.Name + " (" + string(k.Mode) + ")",
			Chosen: f.Text("key") == k.ID,
		})
	}
	periods := slices.Clone(usagePeriods)
	for i := range periods {
		periods[i].Chosen = periods[i].Value == strconv.Itoa(days)
	}
	all := kit.Filters{
		About: "Filter usage",
		At:    "/usage",
		Fields: []kit.Field{
			{
				Name:    "key",
				Label:   "Key",
				Kind:    "select",
				Choices: of,
			},
			{
				Name:    "days",
				Label:   "Period",
				Kind:    "select",
				Choices: periods,
			},
		},
	}
	if f.Any(all.Fields) {
		all.Clear = "/usage"
	}
	return all
}

// usagePeriod is the days that are drawn.
type usagePeriod struct {
	days   int
	first  clock.Date
	limits developer.Limits
	keys   map[string]*developer.Key
}

// usageLine is the days of a key, and their sum.
type usageLine struct {
	id   string
	days []developer.KeyDay
	sum  developer.KeyDay
}

// lines are the keys with what was asked with them, the most used first.
func (s usagePeriod) lines(used []developer.KeyDay) []usageLine {
	var all []usageLine
	for _, d := range used {
		i := int(d.Day - s.first)
		if i < 0 || i >= s.days {
			continue
		}
		if n := len(all); n == 0 || all[n-1].id != d.KeyID {
			all = append(all, usageLine{id: d.KeyID, days: make([]developer.KeyDay, s.days)})
		}
		l := &all[len(all)-1]
		l.days[i] = d
		l.sum = sumOf(l.sum, d)
	}
	slices.SortStableFunc(all, func(a, b usageLine) int { return cmp.Compare(b.sum.Requests, a.sum.Requests) })
	return all
}

func sumOf(a, b developer.KeyDay) developer.KeyDay {
	return developer.KeyDay{
		Requests:  a.Requests + b.Requests,
		Failed:    a.Failed + b.Failed,
		Throttled: a.Throttled + b.Throttled,
		Busiest:   max(a.Busiest, b.Busiest),
	}
}

// row is a key in the table.
func (s usagePeriod) row(l usageLine) views.UsageLine {
	row := views.UsageLine{
		Name:      l.id,
		Requests:  count(l.sum.Requests),
		Failed:    count(l.sum.Failed),
		Throttled: count(l.sum.Throttled),
		Busiest:   count(l.sum.Busiest),
		Share:     count((l.sum.Busiest*100+s.limits.Sustained-1)/s.limits.Sustained) + "%",
	}
	if k := s.keys[l.id]; k != nil {
		row.Name, row.Mode, row.Path = k.Name, string(k.Mode), "/keys/"+k.ID
	}
	return row
}

func count(n int) string { return texts.Number(n) }

// plan is what the account may use, with what it does.
func (s usagePeriod) plan(p developer.Plan, units int) views.Plan {
	tier := string(p.Tier)
	return views.Plan{
		Name:      string(tier[0]-'a'+'A') + tier[1:],
		Sustained: count(s.limits.Sustained),
		Burst:     count(s.limits.Burst),
		Units:     units,
		Ceiling:   s.limits.Units,
	}
}

// charts draw all keys, or one.
func (s usagePeriod) charts(all []usageLine, one string) []kit.Chart {
	asked := s.drawn("asked", "Requests per day", "requests")
	busy := s.drawn("busiest", "Busiest minute", "requests")
	turned := s.drawn("refused", "Failed and rate limited per day", "requests")
	i := slices.IndexFunc(all, func(l usageLine) bool { return l.id == one })
	switch {
	case one != "" && i < 0:
		all = nil
	case one != "":
		all = all[i : i+1]
	}
	if len(all) > 0 {
		s.fill(&asked, &busy, &turned, all)
	}
	return []kit.Chart{asked, busy, turned}
}

func (s usagePeriod) drawn(id, title, unit string) kit.Chart {
	return kit.Chart{ID: id + "-chart", Title: title, Unit: unit}
}

func (s usagePeriod) fill(asked, busy, turned *kit.Chart, all []usageLine) {
	labels := make([]string, s.days)
	for i := range labels {
		labels[i] = (s.first + clock.Date(i)).Std().Format("Jan 2")
	}
	asked.Labels, busy.Labels, turned.Labels = labels, labels, labels
	var sum developer.KeyDay
	for _, l := range all {
		sum = sumOf(sum, l.sum)
	}
	asked.Series = s.byKey(all)
	asked.About = fmt.Sprintf("%s requests were admitted.", count(sum.Requests))
	busy.Lines, busy.Limit, busy.Named = true, float64(s.limits.Sustained), "Limit of a key"
	busy.Series = []kit.Series{s.series(
		"Busiest key",
		all,
		func(d developer.KeyDay) int { return d.Busiest },
		func(a, b int) int { return max(a, b) },
	)}
	busy.About = fmt.Sprintf("The busiest minute had %s requests with one key; %s a minute are sustained.",
		count(sum.Busiest), count(s.limits.Sustained))
	plus := func(a, b int) int { return a + b }
	turned.Series = []kit.Series{s.series("Failed", all, func(d developer.KeyDay) int { return d.Failed }, plus),
		s.series("Rate limited", all, func(d developer.KeyDay) int { return d.Throttled }, plus)}
	turned.Series[0].Tone, turned.Series[1].Tone = kit.Failed, kit.Waiting // as in the log: what is throttled waits
	turned.About = fmt.Sprintf("%s failed, and %s were rate limited, which costs nothing.", count(sum.Failed),
		count(sum.Throttled))
}

// mostSeries is how many keys a chart tells apart; the others are drawn as one.
const mostSeries = 4

func (s usagePeriod) byKey(all []usageLine) []kit.Series {
	apart, rest := all, []usageLine(nil)
	if len(all) > mostSeries {
		apart, rest = all[:mostSeries-1], all[mostSeries-1:]
	}
	requests, plus := func(d developer.KeyDay) int { return d.Requests }, func(a, b int) int { return a + b }
	var drawn []kit.Series
	for _, l := range apart {
		drawn = append(drawn, s.series(s.row(l).Name, []usageLine{l}, requests, plus))
	}
	if len(rest) > 0 {
		drawn = append(drawn, s.series("Other keys", rest, requests, plus))
	}
	return drawn
}

// series are the days of keys, folded into one value a day.
func (s usagePeriod) series(
	name string, all []usageLine, of func(developer.KeyDay) int, fold func(a, b int) int,
) kit.Series {
	values := make([]float64, s.days)
	for i := range values {
		n := 0
		for _, l := range all {
			n = fold(n, of(l.days[i]))
		}
		values[i] = float64(n)
	}
	return kit.Series{Name: name, Values: values}
}
