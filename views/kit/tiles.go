package kit

import (
	"math"
	"strconv"
	"strings"
)

// Tile is a number that matters, which leads to what it counts.
type Tile struct {
	Name  string
	Value string
	Path  string
	Words string // the line beneath: what it is compared with
	Icon  string // before the words, "" for none
	Tone  Tone   // of the icon
	Spark []float64
	Mood  Tone   // what the sparkline means, which gives its color
	Meter []Part // of a meter, which is drawn instead of a sparkline
}

// Part is a part of a meter.
type Part struct {
	Share float64 // of the meter, from 0 to 1
	Mood  Tone    // what it means, which gives its color
}

// tone is the class of the icon's color.
func (t Tile) tone() string { return t.Tone.class() }

// mood is the class of the color of what is drawn.
func (t Tile) mood() string { return Series{Tone: t.Mood}.color(1) }

// bar is a part of a meter as it is drawn, of a hundred.
type bar struct{ class, from, width string }

// bars are the parts of the meter one behind the other. What is more than nothing is seen.
func (t Tile) bars() (all []bar) {
	from := 0.0
	for _, p := range t.Meter {
		width := math.Min(1, math.Max(0, p.Share)) * 100
		if width > 0 {
			width = math.Max(2, width)
		}
		width = math.Min(width, 100-from)
		all = append(all, bar{Series{Tone: p.Mood}.color(1), decimal(from), decimal(width)})
		from += width
	}
	return all
}

// The drawing of a sparkline, which is stretched.
const (
	sparkWidth  = 100
	sparkHeight = 32
	sparkRoom   = 4 // above the greatest value, for the width of the line
)

// sparks are the lines of a sparkline; where a value is not known, it is broken.
func (t Tile) sparks() []string {
	most := 0.0
	for _, v := range t.Spark {
		if !math.IsNaN(v) {
			most = math.Max(most, v)
		}
	}
	if most == 0 {
		most = 1
	}
	var all, run []string
	for i, v := range t.Spark {
		if math.IsNaN(v) {
			all, run = sparkRun(all, run), nil
			continue
		}
		x := float64(i) * sparkWidth / float64(max(1, len(t.Spark)-1))
		run = append(run, decimal(x)+" "+decimal(sparkHeight-v/most*(sparkHeight-sparkRoom)))
	}
	return sparkRun(all, run)
}

func sparkRun(all, run []string) []string {
	if len(run) < 2 { // a point says nothing of where it goes
		return all
	}
	return append(all, strings.Join(run, "L"))
}

// under is the area below a line of a sparkline.
func under(run string) string {
	points := strings.Split(run, "L")
	first, _, _ := strings.Cut(points[0], " ")
	last, _, _ := strings.Cut(points[len(points)-1], " ")
	foot := strconv.Itoa(sparkHeight)
	return "M" + run + "L" + last + " " + foot + "L" + first + " " + foot + "z"
}
