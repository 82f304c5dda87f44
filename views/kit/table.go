package kit

// Table is what stands around the rows of a table.
type Table struct {
	Caption string // what it lists
	Columns []Column
	Rows    int // how many there are; without one Empty is shown
	Empty   Empty
	Pages   Pages
}

// Column is a column of a table.
type Column struct {
	Name   string
	Right  bool // holds numbers
	Hidden bool // has a name only for somebody who cannot see
}

// Columns are plain columns.
func Columns(names ...string) []Column {
	all := make([]Column, len(names))
	for i, n := range names {
		all[i] = Column{Name: n}
	}
	return all
}

// Pages are the addresses of the pages of a list around this one, "" where none is.
type Pages struct{ First, Previous, Next string }

// Empty is what stands where there is nothing yet.
type Empty struct {
	Title  string // what there is none of
	Words  string // why, and how one comes to be
	Action Link   // how to make one
}

// Link leads somewhere.
type Link struct{ Name, Path string }

// standing tells a column that says how its row stands.
func standing(column string) bool { return column == "Status" }
