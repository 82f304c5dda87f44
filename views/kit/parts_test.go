package kit

import (
	"context"
	"strings"
	"testing"
)

func TestNumberIsFormattedForReaders(t *testing.T) {
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

func TestFieldIsDescribedByHintAndError(t *testing.T) {
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

func TestFormsCarryTokenAndOtherContentRequestsNone(t *testing.T) {
	t.Parallel()
	asked := 0
	ctx := With(context.Background(), Hidden{
		Token: func() string { asked++; return `a"b` },
		Once:  func() string { return "this form" },
	})
	var b strings.Builder
	if err := Badge(Status{Tone: Done, Text: "Done"}).Render(ctx, &b); err != nil || asked != 0 {
		t.Fatal(asked, err)
	}
	if err := ActionForm("/x").Render(ctx, &b); err != nil ||
		!strings.Contains(b.String(), `name="token" value="a&#34;b"`) {
		t.Errorf("the form is %s: %v", b.String(), err)
	}
}

func TestEmailAddressBreaksBeforeItsAt(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	terms := []Term{{Name: "Email", Text: "dana.rivera@example.com"}, {Name: "Note", Text: "Call @ noon"}}
	if err := FactList(terms).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">dana.rivera<wbr>@example.com<", ">Call @ noon<"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in %s", want, b.String())
		}
	}
}
