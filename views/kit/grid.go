package kit

import (
	"slices"
	"strings"
)

// Grid is a table whose cells are all of one kind.
type Grid struct {
	Table
	Lines [][]Cell  // the first cell of a line names it
	Sum   []Cell    // the totals below, with a double rule; none without cells
	IDs   []string  // of the elements of the lines, by which a stream finds them; none without one
	Live  Live      // keeps the lines up to date
	Pick  Selection // what can be done with the lines that are selected
}

// GridOf is a table of rows, a line each.
func GridOf[T any](t Table, rows []T, line func(row *T) []Cell) Grid {
	t.Lines = true
	return PartGrid(t, rows, line)
}

// PartGrid is GridOf for a table that is a part of a page.
func PartGrid[T any](t Table, rows []T, line func(row *T) []Cell) Grid {
	t.Rows = len(rows)
	g := Grid{Table: t}
	for i := range rows {
		g.Lines = append(g.Lines, line(&rows[i]))
	}
	return g
}

// Selection is what can be done with several lines at once: a form that sends the values of their boxes as id.
type Selection struct {
	Name string // of the button
	Path string // "" for nothing
	Icon string
}

// Cell is what stands in a line of a grid.
type Cell struct {
	Text   string
	Tail   string   // of the text, that is never cut: the unit of an address
	Cut    bool     // the text is cut at its end where it does not fit, and with it the place that a finger can hit
	Path   string   // where the text leads, "" for nowhere
	Wide   string   // where it leads on a wide screen, "" for there, too
	Here   bool     // the page shows it already
	Mark   Status   // before the text, so that it is never cut; none without words
	Faint  string   // behind the text, in the same line
	Number string   // behind the text, faint, and never cut
	Note   string   // below it, "" for none
	Links  []Link   // instead of the text; without an address a name alone
	Acts   []Action // instead of the text: what can be done with the line
	Status Status   // instead of the text
	HTTP   int      // status of a response, instead of the text
	Time   Time     // how long ago it was, instead of the text
	Clock  bool     // when it was, to the second, instead of how long ago
	Code   bool     // the text is one that programs use
	Pick   Choice   // a box before it that selects its line, none without a value
	None   string   // where there is nothing
	Off    bool     // is left out of the card on a phone, although its column has a place there
}

// parted reports whether the text is drawn in two parts, of which the first one is cut where both do not fit.
func (c Cell) parted() bool { return c.Tail != "" || c.Cut }

// classOf is where a cell of a column stands on a card: where its column does, if it is not left out.
func (c Column) classOf(cell Cell) string {
	if cell.Off && c.Card != CardHidden {
		return c.class() + " " + string(CardHidden)
	}
	return c.class()
}

// sumClass is where a total stands on a card, which has no room for the label of a column without one.
func (c Column) sumClass(total Cell) string {
	total.Off = total.Off || total.Text == ""
	return c.classOf(total)
}

// whole is all that a cell says, for the line in which it is cut.
func (c Cell) whole() string {
	names := make([]string, len(c.Links))
	for i, l := range c.Links {
		names[i] = l.Name
	}
	said := []string{c.Text + c.Tail + strings.Join(names, ", "), c.Faint, c.Number}
	return strings.Join(slices.DeleteFunc(said, func(part string) bool { return part == "" }), " ")
}

// Listing is a page that lists records.
type Listing struct {
	Frame
	Heading Heading
	Primary Action   // makes one
	Other   []Action // what else can be done
	Export  string   // address of all rows as CSV, "" for none
	Exports []Action // other files of the same rows
	Notices []NoticeContent
	Tiles   []Tile // above the list
	Tabs    []Tab
	Filters Filters
	Note    string // what the list does not have, "" for nothing
	Grid    Grid
	Parts   []RelatedTable // what belongs to the list, below it
}

// vacant reports whether there is nothing to list at all, with or without filters.
func (l Listing) vacant() bool {
	return l.Grid.Rows == 0 && l.Filters.Clear == "" && l.Grid.Pages == (Pages{Shown: l.Grid.Pages.Shown})
}

// exportable is the listing without what only serves rows, where there are none.
func (l Listing) exportable() Listing {
	if l.vacant() {
		l.Export, l.Exports = "", nil
	}
	return l
}

// files are all of the rows, where there is room for one button at most.
func (l Listing) files() []Action {
	if l.Export == "" {
		return l.Exports
	}
	return append([]Action{l.export()}, l.Exports...)
}

// alone reports whether there is room for a button of the only file.
func (l Listing) alone() bool { return len(l.Other)+len(l.Exports) == 0 }

// export takes all rows along.
func (l Listing) export() Action {
	return Action{Name: "Export CSV", Path: l.Export, Icon: "download"}
}

// RelatedTable is something that belongs to a record, as a part of its page.
type RelatedTable struct {
	ID    string // its address within the page
	Title string
	New   Action // makes one
	All   string // address of all there is, "" where this is all
	Grid  Grid
}

// Detail is the page of a record with what belongs to it.
type Detail struct {
	Record
	Quotes []Quote // of people, as they wrote it
	Panels []Panel
	Parts  []RelatedTable
}

// Panel is a section that says how something stands, and what can be done about it.
type Panel struct {
	ID, Title string
	Status    Status
	Words     []string
	Actions   []Action
}

// Quote is what somebody wrote.
type Quote struct{ Title, Text string }

// SearchResults is a page that looks something up.
type SearchResults struct {
	Frame
	Heading Heading
	Export  string // address of all results as CSV, "" for none
	Filters Filters
	Words   string // where nothing was asked or found
	Parts   []RelatedTable
}

// card is the panel around the table.
func (b RelatedTable) card() Card {
	c := Card{ID: b.ID, Title: b.Title}
	if b.New.Path != "" {
		c.Actions = []Action{b.New}
	}
	return c
}

// none is what stands where there is nothing.
func (c Cell) none() string {
	if c.None == "" {
		return "–"
	}
	return c.None
}
