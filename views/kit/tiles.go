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
	Mood  Tone    // what the sparkline or the meter means, which gives its color
	Share float64 // of a meter, from 0 to 1
	Meter bool    // a meter is drawn instead of a sparkline
}

// tone is the class of the icon's color.
func (t Tile) tone() string { return t.Tone.class() }

// mood is the class of the color of what is drawn.
func (t Tile) mood() string { return Series{Tone: t.Mood}.color(1) }

// share is the width of the meter of a hundred. What is more than nothing is seen.
func (t Tile) share() string {
	share := math.Min(1, math.Max(0, t.Share)) * 100
	if share > 0 {
		share = math.Max(2, share)
	}
	return decimal(share)
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
