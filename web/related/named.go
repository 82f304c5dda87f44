package related

import (
	"fmt"

	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/property"
	"portal/views/kit"
	"portal/web/page"
)

// Named is what the search of a list of leases, tickets or charges has found, nil where nothing is
// searched for.
func Named(v *page.Request, f *property.Finder) (*portfolio.Named, error) {
	return f.Named(v.Ctx(), v.Actor(), v.Form().SearchText())
}

// NamedTickets is Named for a list of tickets, which are found by the words of their title, too.
func NamedTickets(v *page.Request, f *property.Finder) (*portfolio.Named, error) {
	return f.NamedTickets(v.Ctx(), v.Actor(), v.Form().SearchText())
}

// Search asks for the words of such a search.
func Search() kit.Field { return kit.Field{Name: "search", Label: "Tenant or address", Kind: "search"} }

// Note says that a search has found more than it goes through, "" where it has not.
func Note(n *portfolio.Named) string {
	if n == nil || !n.More {
		return ""
	}
	return fmt.Sprintf("More than %d tenants or properties match. This list has those of the newest %[1]d: "+
		"add a word to find others.", portfolio.MostNamed)
}

// Counts counts the records that a search finds. Those of one that goes through a part of what it has found would be
// the counts of the part: there are none.
func Counts[S ~string](n *portfolio.Named, count func() (list.Counts[S], error)) (list.Counts[S], error) {
	if Note(n) != "" {
		return nil, nil //nolint:nilnil // not counted
	}
	return count()
}

// TooWide refuses the file of a list whose search goes through a part of what it has found.
func TooWide(v *page.Request, list string) error {
	return v.RefuseAt(v.In(list)+"?"+v.Request().URL.RawQuery,
		"The search is too wide for a file: add a word, or clear it to export all rows.")
}
