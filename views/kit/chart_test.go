package kit

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// bars is a chart of one series.
func bars(unit string, values ...float64) Chart {
	return Chart{
		ID:     "x",
		Title:  "Things",
		Unit:   unit,
		Labels: strings.Split("abcdefghijklmnopqrstuvwxyz"[:len(values)], ""),
		Series: []Series{{Name: "Some", Values: values, Tone: Done}},
	}
}

func drawn(t *testing.T, c Chart) string {
	t.Helper()
	var b strings.Builder
	if err := TimeChart(c).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestAxisTicksAreRoundAndCoverAllValues(t *testing.T) {
	t.Parallel()
	for most, want := range map[float64][]float64{
		0:    {1, 0},
		1:    {1, 0},
		3:    {3, 2, 1, 0},
		9:    {10, 5, 0},
		12:   {15, 10, 5, 0},
		26:   {30, 20, 10, 0},
		99.7: {100, 75, 50, 25, 0},
		271:  {300, 200, 100, 0},
		600:  {600, 400, 200, 0},
		1234: {1500, 1000, 500, 0},
	} {
		if got := bars("requests", most).marks(); !slices.Equal(got, want) {
			t.Errorf("%v has the marks %v, want %v", most, got, want)
		}
	}
	if got := bars("ms", 0.3).marks(); !slices.Equal(got, []float64{0.30000000000000004, 0.2, 0.1, 0}) {
		t.Errorf("what is measured has the marks %v", got)
	}
	two := bars("requests", 40)
	two.Series = append(two.Series, Series{Name: "More", Values: []float64{50}})
	if got := two.top(); got != 100 {
		t.Errorf("bars that stand on one another reach %v", got)
	}
	two.Lines = true
	if got := two.top(); got != 60 {
		t.Errorf("lines reach %v", got)
	}
	two.Limit = 700
	if got := two.top(); got != 800 {
		t.Errorf("the limit is above %v", got)
	}
}

func TestAxisTicksHaveUnit(t *testing.T) {
	t.Parallel()
	for unit, want := range map[string]string{
		"ms": "200,000 ms", "%": "200,000%", "$": "$200k", "requests": "200,000",
	} {
		if got := bars(unit, 1).mark(200_000); got != want {
			t.Errorf("a mark in %s is %q, want %q", unit, got, want)
		}
	}
	for v, want := range map[float64]string{0: "$0", 500: "$500", 2500: "$2.5k", 1_500_000: "$1.5M"} {
		if got := bars("$", 1).mark(v); got != want {
			t.Errorf("%v dollars are %q, want %q", v, got, want)
		}
	}
	if got := bars("$", 1).figure(163214.5); got != "$163,214.50" {
		t.Errorf("the table has %q", got)
	}
}

func TestMissingValuesRenderAsBandNotZero(t *testing.T) {
	t.Parallel()
	c := bars("ms", 10, 0, 0, 20, 0, 30, 40)
	c.Missing, c.Absent = []bool{false, true, true, false, true, false, false}, "No attempts"
	for _, lines := range []bool{false, true} {
		c.Lines = lines
		page := drawn(t, c)
		for _, want := range []string{"b – c: No attempts", "e: No attempts", "<td>–</td>"} {
			if !strings.Contains(page, want) {
				t.Errorf("no %q in %s", want, page)
			}
		}
		if strings.Contains(page, "0 ms</td>") && strings.Contains(page, "<td>0 ms</td>") {
			t.Errorf("what is missing is 0 in %s", page)
		}
		if got := strings.Count(page, `class="gap"`); got != 2 {
			t.Errorf("%d bands", got)
		}
	}
	want := []string{"0,75 10,75", "30,50 40,50", "55,25 65,0"}
	if got := c.runs(c.Series[0]); !slices.Equal(got, want) {
		t.Errorf("the line goes %q, want %q", got, want)
	}
}

func TestSmallestFailureStaysVisibleWithinBarHeight(t *testing.T) {
	t.Parallel()
	c := bars("requests", 10_000)
	c.Series = append(c.Series, Series{Name: "5xx", Values: []float64{1}, Tone: Failed})
	heights := c.heights(0, c.top())
	if heights[1] != leastHeight {
		t.Errorf("one failure among ten thousand is %v high", heights[1])
	}
	if sum, want := heights[0]+heights[1], 10_001/c.top()*chartHeight; math.Abs(sum-want) > 1e-9 {
		t.Errorf("the bar is %v high, want %v", sum, want)
	}
	page := drawn(t, c)
	for _, want := range []string{`class="s-ok"`, `class="s-bad"`, "<title>a: Some 10,000, 5xx 1</title>"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in %s", want, page)
		}
	}
}

func TestAxisShowsFewLabels(t *testing.T) {
	t.Parallel()
	if got := bars("requests", make([]float64, 24)...).shown(); !slices.Equal(got, []string{"a", "g", "m", "r", "x"}) {
		t.Errorf("of 24 labels are shown %q", got)
	}
	if got := bars("requests", 1, 2, 3).shown(); len(got) != 3 {
		t.Errorf("of 3 labels are shown %q", got)
	}
}

func TestEmptyAndSingleValueChartsRender(t *testing.T) {
	t.Parallel()
	line, gone := bars("requests", 5), bars("ms", 0)
	line.Lines, gone.Missing = true, []bool{true}
	for _, c := range []Chart{{ID: "x"}, bars("requests", 0), line, gone} {
		if page := drawn(t, c); strings.Contains(page, "NaN") || strings.Contains(page, "Inf") {
			t.Errorf("%+v is drawn as %s", c, page)
		}
	}
}
