package kit

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Chart is values over time. Bars stand on one another, lines beside.
type Chart struct {
	ID     string   // of the figure within the page
	Title  string   // what it shows
	About  string   // what is to be seen, in a sentence
	Unit   string   // of the values, "requests"
	Labels []string // of the points in time, the first and the last of which are shown
	Series []Series // at most four
	Limit  float64  // a line across, 0 for none
	Named  string   // what the limit is
	Lines  bool
}

// Series is the values of one thing, one a label.
type Series struct {
	Name   string
	Values []float64
	Tone   Tone // what the values mean, which gives the color; "" where they only have to be told apart
}

// The drawing's own units. Its height is what counts; it is stretched to the width
// that there is, so nothing in it may be text.
const (
	chartHeight = 100
	barWidth    = 10
	barGap      = 2
)

// top is the value at the upper edge: a round number at or above all values.
func (c Chart) top() float64 {
	most := c.Limit
	for i := range c.Labels {
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
	return round(most)
}

// round is the least of 1, 2, 2.5, 4, 5 and 10 times a power of ten that is not below.
func round(most float64) float64 {
	if most <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(most)))
	for _, step := range []float64{1, 2, 2.5, 4, 5} {
		if most <= step*power {
			return step * power
		}
	}
	return 10 * power
}

// rect is a bar, or the part of it that is of one series.
type rect struct {
	x, y, height string
	class        string
	title        string
}

func (c Chart) rects() []rect {
	var all []rect
	top := c.top()
	for i, label := range c.Labels {
		y := float64(chartHeight)
		for n, s := range c.Series {
			height := s.Values[i] / top * chartHeight
			if height <= 0 {
				continue
			}
			y -= height
			all = append(all, rect{
				x:      strconv.Itoa(i * barWidth),
				y:      decimal(y),
				height: decimal(height),
				class:  s.class(n),
				title:  fmt.Sprintf("%s, %s: %s %s", label, s.Name, Number(s.Values[i]), c.Unit),
			})
		}
	}
	return all
}

// points is the way of a line.
func (c Chart) points(s Series) string {
	var b strings.Builder
	top := c.top()
	for i, v := range s.Values {
		fmt.Fprintf(&b, "%s,%s ", decimal((float64(i)+0.5)*barWidth), decimal(chartHeight-v/top*chartHeight))
	}
	return strings.TrimSpace(b.String())
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

// limit is the height of the limit's line.
func (c Chart) limit() string { return decimal(chartHeight - c.Limit/c.top()*chartHeight) }

func (c Chart) first() string { return c.label(0) }

func (c Chart) last() string { return c.label(len(c.Labels) - 1) }

func (c Chart) label(i int) string {
	if i < 0 || i >= len(c.Labels) {
		return ""
	}
	return c.Labels[i]
}

// class is that of the color and, for a line, of the dashes. Colors stand for what values
// mean; only those that mean nothing have one by their position n.
func (s Series) class(n int) string {
	position := strconv.Itoa(n%4 + 1)
	if meant := s.Tone.class(); meant != "" {
		return "s-" + meant + " d" + position
	}
	return "s-" + position + " d" + position
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
