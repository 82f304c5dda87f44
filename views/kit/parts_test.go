package kit

import (
	"context"
	"strings"
	"testing"
)

func TestTheTopOfAChartIsARoundNumberAboveAllValues(t *testing.T) {
	t.Parallel()
	for most, want := range map[float64]float64{
		0:    1,
		0.3:  0.4,
		1:    1,
		3:    4,
		9:    10,
		12:   20,
		24:   25,
		26:   40,
		41:   50,
		99.7: 100,
		801:  1000,
		1234: 2000,
	} {
		if got := round(most); got != want {
			t.Errorf("%v has the top %v, want %v", most, got, want)
		}
	}
	stacked := Chart{
		Labels: []string{"a"},
		Series: []Series{{Name: "x", Values: []float64{40}}, {Name: "y", Values: []float64{50}}},
	}
	if got := stacked.top(); got != 100 {
		t.Errorf("bars that stand on one another reach %v", got)
	}
	stacked.Lines = true
	if got := stacked.top(); got != 50 {
		t.Errorf("lines reach %v", got)
	}
	stacked.Limit = 700
	if got := stacked.top(); got != 1000 {
		t.Errorf("the limit is above %v", got)
	}
}

func TestANumberIsWrittenAsPeopleDo(t *testing.T) {
	t.Parallel()
	for v, want := range map[float64]string{
		0:       "0",
		7:       "7",
		999:     "999",
		1000:    "1,000",
		48112:   "48,112",
		1234567: "1,234,567",
		99.7:    "99.7",
		1234.56: "1,234.56",
		0.004:   "0",
	} {
		if got := Number(v); got != want {
			t.Errorf("%v is %q, want %q", v, got, want)
		}
	}
}

func TestAChartOfNothingAndOfOneValueIsDrawn(t *testing.T) {
	t.Parallel()
	for _, c := range []Chart{
		{ID: "x"},
		{ID: "x", Labels: []string{"a"}, Series: []Series{{Name: "s", Values: []float64{0}}}},
		{
			ID:     "x",
			Labels: []string{"a"},
			Series: []Series{{Name: "s", Values: []float64{5}}},
			Lines:  true,
		},
	} {
		var b strings.Builder
		if err := TimeChart(c).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "Inf") {
			t.Errorf("%+v is drawn as %s", c, b.String())
		}
	}
}

func TestAFieldIsDescribedByItsHintAndItsError(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]Field{
		"":                           {Name: "x"},
		"field-x-hint":               {Name: "x", Hint: "h"},
		"field-x-error":              {Name: "x", Error: "f"},
		"field-x-hint field-x-error": {Name: "x", Hint: "h", Error: "f"},
	} {
		if got := f.described(); got != want {
			t.Errorf("%+v is described by %q", f, got)
		}
	}
	boxes := Field{Name: "x", Kind: "checks", Choices: []Choice{{Value: "a"}}}
	if boxes.first() != "field-x-0" {
		t.Errorf("a link leads to %s", boxes.first())
	}
}

func TestAFormCarriesTheTokenOfItsReaderAndAPageWithoutOneAsksForNone(t *testing.T) {
	t.Parallel()
	asked := 0
	ctx := With(context.Background(), Hidden{
		Token: func() string { asked++; return `a"b` },
		Once:  func() string { return "this form" },
	})
	var b strings.Builder
	if err := Badge(Status{Done, "Done"}).Render(ctx, &b); err != nil || asked != 0 {
		t.Fatal(asked, err)
	}
	if err := ActionForm("/x").Render(ctx, &b); err != nil ||
		!strings.Contains(b.String(), `name="token" value="a&#34;b"`) {
		t.Errorf("the form is %s: %v", b.String(), err)
	}
}
