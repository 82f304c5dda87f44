package kit

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Chart is values over time. Bars stand on one another, lines beside.
type Chart struct {
	ID      string   // of the figure within the page
	Title   string   // what it shows
	About   string   // what is to be seen, in a sentence
	Unit    string   // of the values: "ms", "%", "$", or what is counted, as "requests"
	Labels  []string // of the points in time, a few of which are shown
	Series  []Series // at most four, the lowest of a bar first
	Missing []bool   // the points of which nothing is known; nil for none
	Absent  string   // why that is so, "No attempts"
	Empty   string   // what to say where there are no labels, "" for the usual words
	Limit   float64  // a line across, 0 for none
	Named   string   // what the limit is
	Lines   bool
}

// Series is the values of one thing, one a label.
type Series struct {
	Name   string
	Values []float64
	Total  string // beside the name in the legend, "" for none
	Tone   Tone   // what the values mean, which gives the color; "" where they only have to be told apart
}

// The drawing's own units. Its height is what counts; it is stretched to the width
// that there is, so nothing in it may be text.
const (
	chartHeight = 100
	barWidth    = 10
	barGap      = 2
	leastHeight = 1.5 // of a value above zero, so that one failure among thousands is seen
)

// The marks of the axes: at most so many steps up, and labels along.
const (
	mostSteps  = 4
	mostLabels = 5
	fewLabels  = 7 // so many are all shown, each below its bar
)

// missing reports whether nothing is known of a point.
func (c Chart) missing(i int) bool { return i < len(c.Missing) && c.Missing[i] }

// most is the greatest value that is drawn.
func (c Chart) most() float64 {
	most := c.Limit
	for i := range c.Labels {
		if c.missing(i) {
			continue
		}
		sum := 0.0
		for _, s := range c.Series {
			if v := s.Values[i]; c.Lines {
				most = max(most, v)
			} else {
				sum += v
			}
		}
		most = max(most, sum)
	}
	return most
}

// whole reports whether the values are counted, so that no mark stands between two numbers.
func (c Chart) whole() bool { return c.Unit != "ms" && c.Unit != "%" && c.Unit != "$" }

// marks are the values at the lines of the grid, the upper one first and zero last.
func (c Chart) marks() []float64 {
	step := step(c.most()/mostSteps, c.whole())
	n := max(1, int(math.Ceil(c.most()/step-1e-9)))
	all := make([]float64, 0, n+1)
	for i := n; i >= 0; i-- {
		all = append(all, step*float64(i))
	}
	return all
}

// top is the value at the upper edge: a round number at or above all values.
func (c Chart) top() float64 { return c.marks()[0] }

// step is the least of 1, 2, 2.5, 5 and 10 times a power of ten that is not below; of what is
// counted it is a whole number.
func step(least float64, whole bool) float64 {
	if least <= 0 || whole && least <= 1 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(least)))
	for _, times := range []float64{1, 2, 2.5, 5} {
		if s := times * power; least <= s && (!whole || s == math.Trunc(s)) {
			return s
		}
	}
	return 10 * power
}

// mark is a value beside the axis.
func (c Chart) mark(v float64) string {
	if c.Unit != "$" {
		return c.figure(v)
	}
	switch {
	case v >= 1_000_000:
		return "$" + decimal(v/1_000_000) + "M"
	case v >= 1000:
		return "$" + decimal(v/1000) + "k"
	}
	return "$" + decimal(v)
}

// figure is a value with its unit, as a cell of the table has it: what is counted says the
// caption.
func (c Chart) figure(v float64) string {
	switch c.Unit {
	case "ms":
		return Number(v) + " ms"
	case "%":
		return Number(v) + "%"
	case "$":
		cents := int64(math.Round(v * 100))
		return fmt.Sprintf("$%s.%02d", Number(float64(cents/100)), cents%100)
	}
	return Number(v)
}

// column is the bar of one point.
type column struct {
	x     string
	title string
	parts []part
}

// part is what is of one series in a bar.
type part struct{ y, height, class string }

func (c Chart) columns() []column {
	var all []column
	top := c.top()
	for i := range c.Labels {
		if c.missing(i) {
			continue
		}
		col := column{x: strconv.Itoa(i * barWidth), title: c.titleOf(i)}
		y := float64(chartHeight)
		for n, height := range c.heights(i, top) {
			if height > 0 {
				y -= height
				col.parts = append(col.parts, part{decimal(y), decimal(height), c.Series[n].color(n)})
			}
		}
		if len(col.parts) > 0 {
			all = append(all, col)
		}
	}
	return all
}

// heights are those of the parts of a bar. What makes the smallest ones visible is taken
// from the largest, so that the bar ends where it should if it can.
func (c Chart) heights(i int, top float64) []float64 {
	all := make([]float64, len(c.Series))
	largest, lent := 0, 0.0
	for n, s := range c.Series {
		all[n] = s.Values[i] / top * chartHeight
		if all[n] > 0 && all[n] < leastHeight {
			lent += leastHeight - all[n]
			all[n] = leastHeight
		}
		if all[n] > all[largest] {
			largest = n
		}
	}
	if len(all) > 0 && all[largest]-lent > leastHeight {
		all[largest] -= lent
	}
	return all
}

// titleOf says the values of a point.
func (c Chart) titleOf(i int) string {
	said := make([]string, len(c.Series))
	for n, s := range c.Series {
		said[n] = s.Name + " " + c.figure(s.Values[i])
	}
	return c.Labels[i] + ": " + strings.Join(said, ", ")
}

// band is points in a row of which nothing is known.
type band struct{ x, width, title string }

func (c Chart) bands() []band {
	var all []band
	for i := 0; i < len(c.Labels); i++ {
		first := i
		for i < len(c.Labels) && c.missing(i) {
			i++
		}
		if i == first {
			continue
		}
		when := c.Labels[first]
		if i-first > 1 {
			when += " – " + c.Labels[i-1]
		}
		all = append(all, band{
			x:     strconv.Itoa(first * barWidth),
			width: strconv.Itoa((i-first)*barWidth - c.gap()),
			title: when + ": " + c.Absent,
		})
	}
	return all
}

// runs are the ways of a line between what is missing. A point by itself is drawn as wide as a bar, to be seen.
func (c Chart) runs(s Series) (all []string) {
	top := c.top()
	at := func(i int, off float64) string {
		return decimal((float64(i)+off)*barWidth) + "," + decimal(chartHeight-s.Values[i]/top*chartHeight)
	}
	for first := 0; first < len(s.Values); first++ {
		if c.missing(first) {
			continue
		}
		run, i := []string{at(first, 0.5)}, first+1
		for ; i < len(s.Values) && !c.missing(i); i++ {
			run = append(run, at(i, 0.5))
		}
		if len(run) == 1 {
			run = []string{at(first, 0), at(first, 1)}
		}
		all, first = append(all, strings.Join(run, " ")), i
	}
	return all
}

func (c Chart) box() string {
	return fmt.Sprintf("0 0 %s %d", c.width(), chartHeight)
}

// gap is what stands between two bars.
func (c Chart) gap() int {
	if c.Lines {
		return 0
	}
	return barGap
}

func (c Chart) width() string { return strconv.Itoa(max(1, len(c.Labels))*barWidth - c.gap()) }

// height is where a value is in the drawing.
func (c Chart) height(v float64) string { return decimal(chartHeight - v/c.top()*chartHeight) }

// centered reports whether each bar has its label below.
func (c Chart) centered() bool { return len(c.Labels) <= fewLabels }

// shown are the labels that are written along the axis.
func (c Chart) shown() []string {
	if c.centered() {
		return c.Labels
	}
	all := make([]string, mostLabels)
	for i := range all {
		all[i] = c.Labels[(i*(len(c.Labels)-1)+(mostLabels-1)/2)/(mostLabels-1)]
	}
	return all
}

// empty is what is said where nothing is drawn.
func (c Chart) empty() string {
	if c.Empty != "" {
		return c.Empty
	}
	return "Nothing to show yet"
}

// caption is the name of the table.
func (c Chart) caption() string {
	if c.whole() {
		return c.Title + ", " + c.Unit
	}
	return c.Title
}

// class is that of the color and, for a line, of the dashes. Colors stand for what values
// mean; only those that mean nothing have one by their position n.
func (s Series) class(n int) string { return s.color(n) + " d" + strconv.Itoa(n%4+1) }

// color is the class of the color alone.
func (s Series) color(n int) string {
	if s.Tone == Idle {
		return "s-base"
	}
	if meant := s.Tone.class(); meant != "" {
		return "s-" + meant
	}
	return "s-" + strconv.Itoa(n%4+1)
}

func decimal(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64) }

// Number is a number that is not negative as people write it: 12,480 or 99.7.
func Number(v float64) string {
	whole, rest, broken := strings.Cut(decimal(v), ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if broken {
		return whole + "." + rest
	}
	return whole
}
