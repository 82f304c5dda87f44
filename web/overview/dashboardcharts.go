package overview

import (
	"fmt"
	"time"

	"portal/api/developer"
	"portal/api/money"
	"portal/api/texts"
	"portal/views/kit"
)

// requestChart is what came of the requests of the period.
func (g *glance) requestChart() kit.Chart {
	during := "in the " + lowerFirst(g.name)
	c := kit.Chart{
		ID:    "requests-chart",
		Title: "Requests",
		Unit:  "requests",
		Empty: "No requests " + during,
	}
	if g.all.Requests() == 0 {
		return c
	}
	c.About = fmt.Sprintf("%s requests %s, %s failed.",
		texts.Number(g.all.Requests()), during, texts.Number(g.all.Failed()))
	c.Labels = g.labels(g.since, g.v.Zone())
	series := func(name string, tone kit.Tone, of func(*developer.RequestSpan) int) {
		s := kit.Series{Name: name, Tone: tone, Total: texts.Number(of(&g.all))}
		for i := range g.spans {
			s.Values = append(s.Values, float64(of(&g.spans[i])))
		}
		c.Series = append(c.Series, s)
	}
	series("Succeeded", kit.Done, func(s *developer.RequestSpan) int { return s.Succeeded })
	series("4xx", kit.Warned, func(s *developer.RequestSpan) int { return s.ClientFailed })
	series("5xx", kit.Failed, func(s *developer.RequestSpan) int { return s.ServerFailed })
	if g.all.Throttled > 0 {
		series("Rate limited", kit.Waiting, func(s *developer.RequestSpan) int { return s.Throttled })
	}
	return c
}

// months are the first days of the months whose rent is shown, this one last.
func (g *glance) months() (all []time.Time) {
	today := g.portfolio.Today.Std()
	for i := range rentMonths {
		all = append(all, time.Date(today.Year(), today.Month()-rentMonths+1+time.Month(i), 1, 0, 0, 0, 0, time.UTC))
	}
	return all
}

// rent is what was due and what of it was collected by the month.
func (g *glance) rent() (due, collected []money.Cents) {
	due, collected = make([]money.Cents, rentMonths), make([]money.Cents, rentMonths)
	for i, m := range g.months() {
		for _, d := range g.portfolio.Rent {
			if day := d.Day.Std(); day.Year() == m.Year() && day.Month() == m.Month() {
				due[i] += d.Due
				collected[i] += d.Collected
			}
		}
	}
	return due, collected
}

func sum(all []money.Cents) (total money.Cents) {
	for _, c := range all {
		total += c
	}
	return total
}

// rentChart is how much of the rent of each month was collected.
func (g *glance) rentChart() kit.Chart {
	c := kit.Chart{ID: "rent-chart", Title: "Rent by month", Unit: "$", Empty: "No rent due in the last 6 months"}
	due, collected := g.rent()
	if sum(due) == 0 {
		return c
	}
	got := kit.Series{Name: "Collected", Tone: kit.Done}
	rest := kit.Series{Name: "Still due", Tone: kit.Idle}
	for i, m := range g.months() {
		c.Labels = append(c.Labels, m.Format("Jan"))
		got.Values = append(got.Values, float64(collected[i])/100)
		rest.Values = append(rest.Values, float64(max(0, due[i]-collected[i]))/100)
	}
	c.About = fmt.Sprintf("%s of %s was collected.", sum(collected).Dollars(), sum(due).Dollars())
	c.Series = []kit.Series{got, rest}
	return c
}
