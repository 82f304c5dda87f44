// Package listing has what the lists of the dashboard share: their orders, the tabs of their
// statuses with counts, and what is shown of how many.
//
// It knows no record.
package listing

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"portal/api/clock"
	"portal/api/id"
	"portal/api/list"
	"portal/views/kit"
	"portal/web/page"
)

// Query is the page of a list that the address asks for, in the order that it asks for: the first
// of the list's orders where it names none.
func Query(v *page.Request, prefix string, orders []string) list.Query {
	q := page.NewestFirst(v.Cursor(), prefix)
	q.Sort = list.Sort(v.Form().Among("sort", orders))
	if q.Sort == "" {
		q.Sort = list.Sort(orders[0])
	}
	return q
}

// List is what a list of the dashboard has above its rows.
type List struct {
	Title, About string
	Path         string // of its page; that of its file ends in .csv
	Ask          string // names the form of its filters
	Fields       []kit.Field
	Orders       []string
}

// View is the page of a list, still without rows.
func (l List) View(v *page.Request) kit.Listing {
	filters := v.Filters(l.Ask, l.Path, l.Fields)
	filters.Order = Order(v, l.Orders)
	return kit.Listing{
		Frame:   v.Frame(l.Title),
		Heading: kit.Heading{Title: l.Title, About: l.About},
		Export:  Export(v, l.Path+".csv"),
		Filters: filters,
	}
}

// Export is the address of the file of a list which has the filters and the order of this request.
func Export(v *page.Request, path string) string {
	q := url.Values{}
	for name, values := range v.Request().URL.Query() {
		if name != "after" && name != "trail" {
			q[name] = values
		}
	}
	if len(q) == 0 {
		return v.In(path)
	}
	return v.In(path) + "?" + q.Encode()
}

// orderNames are the orders of lists as people choose them.
var orderNames = map[string]string{
	"newest":  "Newest first",
	"oldest":  "Oldest first",
	"address": "Address A–Z",
	"name":    "Name A–Z",
	"ending":  "Ends soonest",
	"updated": "Recently updated",
	"overdue": "Overdue first",
	"due":     "Due date",
	"failing": "Failing first",
	"email":   "Email A–Z",
	"reverse": "Email Z–A",
}

// Order asks for the order of a list.
func Order(v *page.Request, orders []string) kit.Field {
	f := kit.Field{Name: "sort", Label: "Sort", Kind: "select"}
	chosen := v.Form().Among("sort", orders)
	for _, o := range orders {
		f.Choices = append(f.Choices, kit.Choice{Value: o, Label: orderNames[o], Chosen: o == chosen})
	}
	return f
}

// Sort puts the rows of a list that was read whole into an order: newest, oldest or name. The
// second value tells when one was made: its id, which ascends within a millisecond too, or a moment.
func Sort[T any, M cmp.Ordered](rows []T, order string, of func(row *T) (name string, made M)) {
	slices.SortStableFunc(rows, func(a, b T) int {
		name, made := of(&a)
		other, before := of(&b)
		switch order {
		case "name":
			return cmp.Or(cmp.Compare(strings.ToLower(name), strings.ToLower(other)), cmp.Compare(before, made))
		case "oldest":
			return cmp.Compare(made, before)
		}
		return cmp.Compare(before, made)
	})
}

// Part is a tab of a list: the records of one status.
type Part struct{ Name, Status string }

// Choice asks for one of the values that a field has, or all of them.
func Choice[S status](name, label string) kit.Field {
	return kit.Field{Name: name, Label: label, Kind: "select", Choices: page.Choices(S("").Values(), "", "All")}
}

// Status asks for a status that no tab stands for; what a tab stands for is carried along.
func Status(v *page.Request, parts []Part, all []string) kit.Field {
	asked := v.Form().Text("status")
	inTab := func(s string) bool { return slices.ContainsFunc(parts, func(p Part) bool { return p.Status == s }) }
	if inTab(asked) {
		return kit.Field{Name: "status", Kind: "hidden"}
	}
	rest := slices.DeleteFunc(slices.Clone(all), inTab)
	return kit.Field{Name: "status", Label: "Status", Kind: "select", Choices: page.Choices(rest, "", "All")}
}

// Tabs are the tabs of a list: all records, then those of each part, with how many there are, if they were counted.
func Tabs[S ~string](v *page.Request, f kit.Filters, parts []Part, counts list.Counts[S]) []kit.Tab {
	asked := v.Form().Text("status")
	words := func(of ...S) string {
		if counts == nil {
			return ""
		}
		return counts.Of(of...).Words()
	}
	all := []kit.Tab{{Name: "All", Path: f.With("status", ""), Count: words(), Here: asked == ""}}
	for _, p := range parts {
		all = append(all, kit.Tab{
			Name:  p.Name,
			Path:  f.With("status", p.Status),
			Count: words(S(p.Status)),
			Here:  asked == p.Status,
		})
	}
	return all
}

// Pages are the pages around the one that is shown, and how many of the list it shows, if they were counted.
func Pages[S status](v *page.Request, next *string, rows int, counts list.Counts[S]) kit.Pages {
	pages := v.Cursor().Pages(page.OrEmpty(next))
	if rows > 0 && counts != nil {
		pages.Shown = strconv.Itoa(rows) + " of " + Total(v, counts).Words()
	}
	return pages
}

// Searched says how far a list was searched of which a page is not full while others follow, see list.Walk.
func Searched(v *page.Request, view *kit.Listing, next *string, rows int) {
	if next == nil || rows == page.ListSize {
		return
	}
	last, _ := id.Time(*next)
	words := "Searched back to " + v.Time(clock.At(last)).Text + "."
	if rows > 0 {
		view.Note = words + " The next page searches older records."
		return
	}
	view.Grid.Empty = kit.Empty{
		Title:  "No match so far",
		Words:  words,
		Action: kit.Link{Name: "Search older records", Path: view.Grid.Pages.Next},
	}
	view.Grid.Pages.Next = ""
}

// Total is how many records the list has with all its filters. A status that there is not narrows
// nothing down.
func Total[S status](v *page.Request, counts list.Counts[S]) list.Count {
	if asked := v.Form().Among("status", S("").Values()); asked != "" {
		return counts.Of(S(asked))
	}
	return counts.Of()
}

// Vacant reports whether the records were counted and there are none, so that no page has to be looked for.
func Vacant[S status](v *page.Request, counts list.Counts[S]) bool {
	return counts != nil && Total(v, counts).N == 0
}

// status is the status of a record, or another field that has one of several values.
type status interface {
	~string
	Values() []string
}

// Empty is what a list says that has no rows: what it is for, or how to see more of it.
func Empty(f kit.Filters, plural string, first kit.Empty) kit.Empty {
	if f.Clear == "" {
		return first
	}
	return kit.Empty{
		Title:  "No " + plural + " match these filters",
		Words:  "Change or clear the filters to see more.",
		Action: kit.Link{Name: "Clear filters", Path: f.Clear},
	}
}
