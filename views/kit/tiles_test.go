package kit

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestTileIsLinkWithValueAndDecoration(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	err := Tiles("Key figures", []Tile{
		{Name: "Requests", Value: "4,160", Path: "/test/logs", Words: "12% more", Icon: "arrow-up-right", Tone: Done,
			Spark: []float64{1, 2}, Mood: Done},
		{
			Name:  "Units",
			Value: "6",
			Path:  "/live",
			Words: "of 250",
			Meter: []Part{{0.001, Failed}, {0.25, Warned}, {2, Idle}},
		},
	}).Render(t.Context(), &b)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<section class="kpis k2" aria-label="Key figures">`, `<a class="kpi" href="/test/logs">`, "<b>4,160</b>",
		`class="spark s-ok"`, `class="gauge"`, `<rect class="s-bad" x="0" width="2" height="6">`,
		`<rect class="s-warn" x="2" width="25" height="6">`, `<rect class="s-base" x="27" width="73" height="6">`,
		`aria-hidden="true"`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in %s", want, b.String())
		}
	}
}

func TestSparklineBreaksAtMissingValues(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	for _, c := range []struct {
		values []float64
		want   []string
	}{
		{nil, nil},
		{[]float64{3}, nil},
		{[]float64{0, 0}, []string{"0 32L100 32"}},
		{[]float64{0, 4}, []string{"0 32L100 4"}},
		{[]float64{1, 1, nan, nan, 1}, []string{"0 4L25 4"}},
		{[]float64{nan, 2, 1}, []string{"50 4L100 18"}},
	} {
		if got := (Tile{Spark: c.values}).sparks(); !slices.Equal(got, c.want) {
			t.Errorf("%v is drawn as %q, want %q", c.values, got, c.want)
		}
	}
	if got := under("50 4L100 18"); got != "M50 4L100 18L100 32L50 32z" {
		t.Errorf("the area is %q", got)
	}
}
