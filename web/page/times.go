package page

import (
	"strconv"
	"strings"
	"time"

	"portal/api/clock"
	"portal/api/list"
	"portal/api/texts"
	"portal/views/kit"
)

// Time is a moment in the reader's zone, and how long ago it was.
func (v *Request) Time(t clock.Time) kit.Time { return Moment(t.Std(), v.Shell.Now(), v.Zone()) }

// TimeOr is a moment, or a word where there is none.
func (v *Request) TimeOr(t *clock.Time, otherwise string) kit.Time {
	if t == nil {
		return kit.Time{Text: otherwise, Ago: otherwise}
	}
	return v.Time(*t)
}

// Moment is a time as a page shows it in a zone, with how long ago it was.
func Moment(t, now time.Time, zone *time.Location) kit.Time {
	local := t.In(zone)
	day := days[local.Year() == now.In(zone).Year()]
	return kit.Time{
		ISO:   t.UTC().Format("2006-01-02T15:04:05Z"),
		Text:  local.Format("Jan 2, 2006, 3:04:05 PM MST"),
		Ago:   ago(now.Sub(t), local),
		Short: local.Format(day + "3:04 PM"),
		Clock: local.Format(day + "3:04:05 PM"),
	}
}

// days are the forms of the day of a moment: that of this year without the year.
var days = map[bool]string{true: "Jan 2, ", false: "Jan 2, 2006, "}

// ago is how long ago it was, or how long it is until then: in words as long as that
// is what a reader wants to know, and as a date beyond 30 days.
func ago(past time.Duration, at time.Time) string {
	d, form := past, func(s string) string { return s + " ago" }
	if d < 0 {
		d, form = -d, func(s string) string { return "in " + s }
	}
	switch {
	case d < 45*time.Second && past >= 0:
		return "just now"
	case d < 45*time.Second:
		return "in a moment"
	case d < 90*time.Minute:
		return form(Counted(int((d+30*time.Second)/time.Minute), "minute"))
	case d < 36*time.Hour:
		return form(Counted(int((d+30*time.Minute)/time.Hour), "hour"))
	case d < 30*24*time.Hour:
		return form(Counted(int((d+12*time.Hour)/(24*time.Hour)), "day"))
	}
	return at.Format("Jan 2, 2006")
}

// Counted is a number of things, in words.
func Counted(n int, thing string) string {
	return texts.Counted(n, thing)
}

// fewest is how many things there are at least for their share to be told in percent.
const fewest = 20

// Share is how many of some things are meant, with what stands behind it: "98.5%" and "of 1,204 attempts", or, of a
// few, "3 of 4" and "attempts". All but one are never 100%. It is "" of nothing.
func Share(n, of int, thing string) (share, rest string) {
	switch counted := texts.Counted(of, thing); {
	case of == 0:
		return "", ""
	case of < fewest:
		_, things, _ := strings.Cut(counted, " ")
		return texts.Number(n) + " of " + texts.Number(of), things
	case n < of:
		return strconv.FormatFloat(min(float64(n)*100/float64(of), 99.9), 'f', 1, 64) + "%", "of " + counted
	default:
		return "100.0%", "of " + counted
	}
}

// CountWords are a number of things that were counted up to a limit, in words: "1,000+ events".
func CountWords(n list.Count, thing string) string {
	if n.More {
		return n.Words() + " " + thing + "s"
	}
	return Counted(n.N, thing)
}
