package operation_test

import (
	"encoding/json"
	"strings"
	"testing"

	"portal/api/change"
	"portal/api/operation"
	"portal/api/portfolio"
)

func previewOf(
	before *portfolio.Property, after portfolio.Property, warnings ...change.Warning,
) (text, summary string) {
	m := &change.Result[portfolio.Property]{Before: before, After: &after, Warnings: warnings}
	p := makes.Preview(m)
	return string(makes.AppendWrite(nil, m, p)), p.Summary
}

func TestPreviewListsDifferences(t *testing.T) {
	t.Parallel()
	old := portfolio.Property{
		Record:        portfolio.Record{Version: 3},
		StreetAddress: "1 Elm",
		City:          "Austin",
		State:         "TX",
		Name:          new("A"),
		YearBuilt:     new(1974),
	}
	for _, c := range []struct {
		change  func(*portfolio.Property)
		changes string
		summary string
		would   bool
	}{
		{
			func(p *portfolio.Property) { p.Version, p.UpdatedAt = 4, 9 },
			`[]`,
			"Would change nothing of the property A (1 Elm, Austin, TX).",
			false,
		},
		{
			func(p *portfolio.Property) { p.Name = new("A") },
			`[]`,
			"Would change nothing of the property A (1 Elm, Austin, TX).",
			false,
		},
		{
			func(p *portfolio.Property) { p.City = "Waco" },
			`[{"field":"city","from":"Austin","to":"Waco"}]`,
			`Would change the property A (1 Elm, Austin, TX): city from "Austin" to "Waco".`,
			true,
		},
		{
			func(p *portfolio.Property) { p.Name, p.City = nil, "Waco" },
			`[{"field":"name","from":"A","to":null},{"field":"city","from":"Austin","to":"Waco"}]`,
			`Would change the property A (1 Elm, Austin, TX): name from "A" to nothing, city from "Austin" to "Waco".`,
			true,
		},
		{
			func(p *portfolio.Property) { p.Name, p.City, p.YearBuilt = nil, "Waco", new(1975) },
			`[{"field":"name","from":"A","to":null},{"field":"city","from":"Austin","to":"Waco"},` +
				`{"field":"year_built","from":1974,"to":1975}]`,
			`Would change the property A (1 Elm, Austin, TX): name from "A" to nothing, city from "Austin" to ` +
				`"Waco", year_built from 1974 to 1975.`,
			true,
		},
	} {
		after := old
		c.change(&after)
		text, summary := previewOf(&old, after)
		var got struct {
			Preview struct {
				DryRun      bool            `json:"dry_run"`
				WouldChange bool            `json:"would_change"`
				Changes     json.RawMessage `json:"changes"`
				Warnings    json.RawMessage `json:"warnings"`
			} `json:"preview"`
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		if string(got.Preview.Changes) != c.changes || summary != c.summary ||
			got.Preview.WouldChange != c.would || !got.Preview.DryRun || string(got.Preview.Warnings) != "[]" {
			t.Errorf("%s\n%s", summary, text)
		}
	}
}

func TestPreviewOfNewRecordListsItsFields(t *testing.T) {
	t.Parallel()
	m := &change.Result[portfolio.Property]{
		After:    &portfolio.Property{StreetAddress: "1 Elm", City: "Austin", State: "TX"},
		Warnings: []change.Warning{{Code: "c", Message: "m"}},
	}
	p := makes.Preview(m)
	if !p.WouldChange ||
		!strings.HasPrefix(
			p.Summary,
			`Would create the property 1 Elm, Austin, TX: street_address "1 Elm", city "Austin"`,
		) ||
		len(p.Warnings) != 1 || len(p.Changes) != 9 {
		t.Errorf("%+v", p)
	}
	for _, c := range p.Changes {
		if string(c.From) != "null" {
			t.Errorf("%s was %s before it was made", c.Field, c.From)
		}
	}
}

func TestWarningsAreIncludedOnlyWhenPresent(t *testing.T) {
	t.Parallel()
	m := &change.Result[portfolio.Property]{After: &portfolio.Property{City: "Austin"}}
	plain := string(makes.Append(nil, m.After))
	if got := string(makes.AppendWrite(nil, m, nil)); got != plain {
		t.Errorf("%s", got)
	}
	m.Warn("unit_not_vacant", `It is "occupied".`)
	if got := string(makes.AppendWrite(nil, m, nil)); got !=
		plain[:len(plain)-1]+`,"warnings":[{"code":"unit_not_vacant","message":"It is \"occupied\"."}]}` {
		t.Errorf("%s", got)
	}
	if (operation.Raw(nil)).AppendJSON(nil) == nil {
		t.Error("nothing is no JSON")
	}
}
