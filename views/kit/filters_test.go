package kit_test

import (
	"strings"
	"testing"

	"portal/views/kit"
)

// leases are the filters of a list, one of which is applied.
func leases() kit.Filters {
	return kit.Filters{
		About: "Filter the leases",
		At:    "/test/leases",
		Clear: "/test/leases",
		Fields: []kit.Field{
			{Name: "search", Label: "Tenant or address", Kind: "search", Value: "dana & co"},
			{Name: "status", Label: "Status", Kind: "select", Choices: []kit.Choice{
				{Label: "All"}, {Value: "active", Label: "Active", Chosen: true}, {Value: "draft", Label: "Draft"},
			}},
			{Name: "type", Label: "Type", Kind: "select", Choices: []kit.Choice{
				{Label: "All"}, {Value: "fixed", Label: "Fixed"},
			}},
			{Name: "after", Label: "After", Kind: "date", Group: "Ends"},
			{Name: "before", Label: "Before", Kind: "date", Group: "Ends", Value: "2027-01-01"},
			{Name: "unit_id", Label: "Unit", Value: "unit_1", Shown: "Unit 2B", Given: true},
		},
		Order: kit.Field{Name: "sort", Label: "Sort", Kind: "select", Choices: []kit.Choice{
			{Value: "newest", Label: "Newest first"}, {Value: "ending", Label: "Ends soonest", Chosen: true},
		}},
	}
}

func TestFilterLinkKeepsOtherFilters(t *testing.T) {
	t.Parallel()
	f := leases()
	const all = "before=2027-01-01&search=dana+%26+co&sort=ending&status=active"
	for name, c := range map[string]struct{ got, want string }{
		"another one is chosen": {f.With("type", "fixed"), "/test/leases?" + all + "&type=fixed&unit_id=unit_1"},
		"the order is the usual": {f.With("sort", ""),
			"/test/leases?before=2027-01-01&search=dana+%26+co&status=active&unit_id=unit_1"},
		"one is taken away": {f.With("status", ""),
			"/test/leases?before=2027-01-01&search=dana+%26+co&sort=ending&unit_id=unit_1"},
		"nothing is left to keep": {kit.Filters{At: "/test/leases"}.With("status", ""), "/test/leases"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", name, c.got, c.want)
		}
	}
}

func TestAppliedFiltersAreNamedAndRemovable(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	if err := kit.FilterBar(leases()).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, want := range []string{
		`href="/test/leases?before=2027-01-01&amp;search=dana+%26+co&amp;sort=ending&amp;unit_id=unit_1" ` +
			`title="Remove the filter Status"`,
		"<strong>Active</strong>", "<strong>before 2027-01-01</strong>", "<strong>Unit 2B</strong>",
		`title="Remove the filter Ends"`, `type=fixed`, "Ends soonest", "Clear filters",
		`<input type="hidden" name="status" value="active">`, `<input type="hidden" name="sort" value="ending">`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in %s", want, page)
		}
	}
	for _, not := range []string{"Draft", `<select`, `name="unit_id" type="text"`} {
		if strings.Contains(page, not) {
			t.Errorf("%q in %s", not, page)
		}
	}
}

func TestLineTruncatesBeforeUnitWithFullTitle(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	g := kit.Grid{
		Table: kit.Table{Caption: "Leases", Lines: true, Rows: 1, Columns: []kit.Column{
			{Name: "Tenants"}, {Name: "Unit", Card: kit.CardDetail}, {Name: "Rent", Right: true, Card: kit.CardAmount},
			{Name: "Due", Card: kit.CardHidden},
		}},
		Lines: [][]kit.Cell{
			{
				{
					Text: "Dana",
					Path: "/x",
					Cut:  true,
				},
				{Text: "655 Juniper Terrace NE", Tail: ", Unit 303"},
				{Text: "$1.00"},
				{Text: "Today", Off: true},
			},
		},
		Sum: []kit.Cell{{Text: "Total of 1 charge"}, {}, {Text: "$1.00"}, {}},
	}
	if err := kit.CellTable(g).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`title="655 Juniper Terrace NE, Unit 303"`, `<span class="trunc">655 Juniper Terrace NE</span>`,
		`class="y2"`, `class="n z2"`, `<span class="sum">$1.00</span>`, `class="y2 off" data-label="Unit"></td>`,
		`<a class="long kept" href="/x"><span class="trunc">Dana</span>`, `class="off" data-label="Due"`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in %s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "off off") {
		t.Errorf("a class stands twice: %s", b.String())
	}
}
