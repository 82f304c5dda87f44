package kit

// Grid is a table whose cells are all of one kind.
type Grid struct {
	Table
	Lines [][]Cell // the first cell of a line names it
}

// Cell is what stands in a line of a grid.
type Cell struct {
	Text   string
	Path   string // where the text leads, "" for nowhere
	Note   string // below it, "" for none
	Links  []Link // instead of the text; without an address a name alone
	Status Status // instead of the text
	None   string // where there is nothing
}

// Listing is a page that lists records.
type Listing struct {
	Frame
	Heading Heading
	New     Link   // makes one
	Other   []Link // lead elsewhere
	Filters Filters
	Grid    Grid
}

// RelatedTable is something that belongs to a record, as a part of its page.
type RelatedTable struct {
	ID    string // its address within the page
	Title string
	New   Link // makes one
	Grid  Grid
}

// Detail is the page of a record with what belongs to it.
type Detail struct {
	Record
	Decide Link    // asks about what one most likely came to do
	Quotes []Quote // of people, as they wrote it
	Lead   []Link  // to what belongs to it elsewhere
	Panels []Panel
	Parts  []RelatedTable
	Tabs   []NavItem // of the last part
}

// Panel is a section that says how something stands, and what can be done about it.
type Panel struct {
	ID, Title string
	Status    Status
	Words     []string
	Links     []Link
	Actions   []Action
}

// Action is a button that does something at once. Path is where it is posted.
type Action struct{ Name, Path string }

// Quote is what somebody wrote.
type Quote struct{ Title, Text string }

// SearchResults is a page that looks something up.
type SearchResults struct {
	Frame
	Heading Heading
	Filters Filters
	Words   string // where nothing was asked or found
	Parts   []RelatedTable
}
