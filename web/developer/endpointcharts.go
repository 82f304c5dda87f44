package developer

import (
	"fmt"

	"portal/api/clock"
	"portal/api/texts"
	"portal/api/webhook"
	"portal/views/kit"
	"portal/web/page"
)

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
	attempts.About = fmt.Sprintf("%s of %s attempts succeeded.", percent(all.sent-all.failed, all.sent),
		texts.Number(all.sent))
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
