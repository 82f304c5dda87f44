package developer

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/texts"
	views "portal/views/developer"
	"portal/views/kit"
	"portal/web/page"
)

// usagePeriods are how many days the page draws.
var usagePeriods = []kit.Choice{
	{Value: "7", Label: "7 days"},
	{Value: "30", Label: "30 days"},
	{Value: "90", Label: "90 days"},
}

func (p *Section) usage(v *page.Request) error {
	f := v.Form()
	days, err := strconv.Atoi(f.Among("days", []string{"7", "30", "90"}))
	if err != nil {
		days = 30
	}
	keys, err := p.Developer.AccountKeys(v.Ctx(), v.Member())
	if err != nil {
		return err
	}
	plan, err := p.Developer.PlanOf(v.Ctx(), v.Member())
	if err != nil {
		return err
	}
	live, err := p.Summaries.Summary(v.Ctx(), v.Actor())
	if err != nil {
		return err
	}
	today := clock.DateOf(p.Now(), time.UTC)
	used, err := p.Developer.Usage(v.Ctx(), v.Member(), today-clock.Date(days)+1)
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
		Plan:    s.plan(plan),
		Full:    live.Units >= s.limits.Units,
	}
	if one != "" {
		all = slices.DeleteFunc(all, func(l usageLine) bool { return l.id != one })
	}
	for _, l := range all {
		view.Keys = append(view.Keys, s.row(l))
	}
	view.Charts = s.charts(all)
	if one == "" && len(all) > 0 {
		took, err := p.responseTimes(v, s)
		if err != nil {
			return err
		}
		view.Charts = append(view.Charts, took)
	}
	view.Tiles = s.tiles(all, live.Units)
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
			{Name: "key", Label: "Key", Kind: "select", Choices: of},
			{Name: "days", Label: "Period", Kind: "select", Choices: periods},
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
		Requests:     a.Requests + b.Requests,
		Failed:       a.Failed + b.Failed,
		ServerFailed: a.ServerFailed + b.ServerFailed,
		Throttled:    a.Throttled + b.Throttled,
		Busiest:      max(a.Busiest, b.Busiest),
	}
}

// row is a key in the table.
func (s usagePeriod) row(l usageLine) views.UsageLine {
	row := views.UsageLine{
		Name:         l.id,
		Requests:     count(l.sum.Requests),
		ClientFailed: count(clientBad(l.sum)),
		ServerFailed: count(serverBad(l.sum)),
		Throttled:    count(l.sum.Throttled),
		Busiest:      count(l.sum.Busiest),
		Share:        count((l.sum.Busiest*100+s.limits.Sustained-1)/s.limits.Sustained) + "%",
	}
	if k := s.keys[l.id]; k != nil {
		row.Name, row.Mode, row.Path = k.Name, page.Label(k.Mode), "/keys/"+k.ID
	}
	return row
}

func count(n int) string { return texts.Number(n) }

// plan is what the account may use, with what it does.
func (s usagePeriod) plan(p developer.Plan) views.Plan {
	return views.Plan{
		Name:      planName(p),
		Sustained: count(s.limits.Sustained),
		Burst:     count(s.limits.Burst),
	}
}

func planName(p developer.Plan) string {
	tier := string(p.Tier)
	return string(tier[0]-'a'+'A') + tier[1:]
}

// The numbers of a day that are drawn.
var (
	admitted  = func(d developer.KeyDay) int { return d.Requests }
	clientBad = func(d developer.KeyDay) int { return d.Failed - d.ServerFailed }
	serverBad = func(d developer.KeyDay) int { return d.ServerFailed }
	succeeded = func(d developer.KeyDay) int { return d.Requests - d.Failed }
	throttled = func(d developer.KeyDay) int { return d.Throttled }
	busiest   = func(d developer.KeyDay) int { return d.Busiest }
)

// tiles are the period in a few numbers.
func (s usagePeriod) tiles(all []usageLine, units int) []kit.Tile {
	sum := total(all)
	requests := kit.Tile{
		Name: "Requests, " + page.Counted(s.days, "day"), Value: count(sum.Requests), Path: "/test/logs",
		Words: count(sum.Failed) + " failed", Mood: kit.Done, Spark: s.series("", all, admitted).Values,
	}
	busy := kit.Tile{
		Name: "Busiest minute", Value: count(sum.Busiest), Path: "/docs/limits",
		Words: "of " + count(s.limits.Sustained) + " per minute and key",
		Meter: []kit.Part{{Share: float64(sum.Busiest) / float64(s.limits.Sustained), Mood: kit.Done}},
	}
	if sum.Busiest > s.limits.Sustained {
		busy.Meter[0].Mood = kit.Warned
	}
	limited := kit.Tile{
		Name: "Rate limited (429)", Value: count(sum.Throttled), Path: "/test/logs?status=4xx",
		Words: "don’t count as requests", Mood: kit.Waiting, Spark: s.series("", all, throttled).Values,
	}
	home := kit.Tile{
		Name:  "Live units",
		Value: count(units),
		Path:  "/live/properties",
		Words: "of " + count(s.limits.Units) + " included",
		Meter: []kit.Part{{Share: float64(units) / float64(max(1, s.limits.Units)), Mood: kit.Done}},
	}
	return []kit.Tile{requests, busy, limited, home}
}

// total is the sum of the days of keys.
func total(all []usageLine) (sum developer.KeyDay) {
	for _, l := range all {
		sum = sumOf(sum, l.sum)
	}
	return sum
}

// labels are the days.
func (s usagePeriod) labels() []string {
	labels := make([]string, s.days)
	for i := range labels {
		labels[i] = (s.first + clock.Date(i)).Std().Format("Jan 2")
	}
	return labels
}

// charts draw keys.
func (s usagePeriod) charts(all []usageLine) []kit.Chart {
	asked := kit.Chart{ID: "asked-chart", Title: "Requests per day", Unit: "requests"}
	busy := kit.Chart{ID: "busiest-chart", Title: "Busiest minute", Unit: "requests"}
	if len(all) == 0 {
		return []kit.Chart{asked, busy}
	}
	asked.Labels, busy.Labels = s.labels(), s.labels()
	sum := total(all)
	asked.Series = []kit.Series{
		s.series("Succeeded", all, succeeded),
		s.series("4xx", all, clientBad),
		s.series("5xx", all, serverBad),
		s.series("Rate limited", all, throttled),
	}
	asked.Series[0].Tone, asked.Series[1].Tone = kit.Done, kit.Warned
	asked.Series[2].Tone, asked.Series[3].Tone = kit.Failed, kit.Waiting // as in the log: what is rate limited waits
	asked.About = fmt.Sprintf("%s requests were accepted, and %s of them failed. %s were rate limited and don’t count.",
		count(sum.Requests), count(sum.Failed), count(sum.Throttled))
	busy.Lines, busy.Limit, busy.Named = true, float64(s.limits.Sustained), "Limit of a key"
	busy.Series = []kit.Series{s.series("Busiest key", all, busiest)}
	busy.About = fmt.Sprintf("The busiest minute had %s requests with one key. The limit is %s per minute.",
		count(sum.Busiest), count(s.limits.Sustained))
	return []kit.Chart{asked, busy}
}

// responseTimes draw how long requests took, of both modes.
func (p *Section) responseTimes(v *page.Request, s usagePeriod) (kit.Chart, error) {
	c := kit.Chart{
		ID: "took-chart", Title: "Response time", Unit: "ms", Lines: true, Labels: s.labels(),
		Missing: make([]bool, s.days), Absent: "No requests",
	}
	days := make([]developer.RequestSpan, s.days)
	for _, mode := range []access.Mode{access.Test, access.Live} {
		spans, err := p.Developer.RequestSpans(v.Ctx(), v.Person.Actor(mode), clock.At(s.first.Std()), 24*time.Hour)
		if err != nil {
			return c, err
		}
		for i := range spans {
			if day := int(clock.DateOf(spans[i].At.Std(), time.UTC) - s.first); day >= 0 && day < s.days {
				days[day].Add(&spans[i])
			}
		}
	}
	median := kit.Series{Name: "Median", Values: make([]float64, s.days), Tone: kit.Done}
	slow := kit.Series{Name: "95th percentile", Values: make([]float64, s.days), Tone: kit.Waiting}
	var all developer.RequestSpan
	for i := range days {
		median.Values[i], slow.Values[i] = days[i].Took.Within(0.5), days[i].Took.Within(0.95)
		c.Missing[i] = days[i].Requests() == 0
		all.Add(&days[i])
	}
	c.Series = []kit.Series{median, slow}
	c.About = fmt.Sprintf("Half of the requests were answered within %.1f ms, 95 of 100 within %.1f ms.",
		all.Took.Within(0.5), all.Took.Within(0.95))
	return c, nil
}

// series are the days of keys, folded into one value a day: the sum, or of busiest minutes the highest.
func (s usagePeriod) series(name string, all []usageLine, of func(developer.KeyDay) int) kit.Series {
	values := make([]float64, s.days)
	for i := range values {
		var day developer.KeyDay
		for _, l := range all {
			day = sumOf(day, l.days[i])
		}
		values[i] = float64(of(day))
	}
	return kit.Series{Name: name, Values: values}
}

// units asks for more units than the plan has.
func (p *Section) units(v *page.Request) error {
	plan, err := p.Developer.PlanOf(v.Ctx(), v.Member())
	if err != nil {
		return err
	}
	limit := plan.Limits().Units
	f := v.Form()
	if v.Request().Method == http.MethodPost {
		if units, ok := f.UnitsWanted(limit); ok {
			_, err := p.Developer.AskForUnits(v.Ctx(), v.Member(), units)
			if err == nil {
				return v.Done(portfolio.UnitRequestPath, page.UnitsAsked)
			}
			if !f.Refused(err) {
				return err
			}
		}
	}
	live, err := p.Summaries.Summary(v.Ctx(), v.Actor())
	if err != nil {
		return err
	}
	r, open, err := p.Developer.OpenUnitRequest(v.Ctx(), v.Member())
	if err != nil {
		return err
	}
	words := []string{
		"Your " + planName(plan) + " plan allows " + texts.Counted(limit, "live unit") + ", and you have " +
			texts.Number(live.Units) + ". Units of the demo portfolio don’t count.",
	}
	if open {
		words = append(words, v.UnitRequest(r))
	}
	return f.Show(v, kit.Heading{
		Title: page.MoreUnits, Back: kit.Link{Name: "Usage", Path: "/usage"},
	}, kit.Form{
		Action: portfolio.UnitRequestPath, Submit: page.MoreUnits, Cancel: "/usage",
		Groups: []kit.FieldGroup{{Fields: []kit.Field{page.UnitsField(
			max(r.Units, limit+1, live.Units+1), "Our staff read your request. We answer by email.",
		)}}},
	}, words...)
}
