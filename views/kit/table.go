package kit

import "strings"

// Table is what stands around the rows of a table.
type Table struct {
	Caption string // what it lists
	Columns []Column
	Rows    int // how many there are; without one Empty is shown
	Empty   Empty
	Pages   Pages
	Lines   bool // each row is one line: what is longer is cut, and whole on the page of its row
}

// Column is a column of a table.
type Column struct {
	Name   string
	Right  bool // holds numbers
	Hidden bool // has a name only for somebody who cannot see
	Width  Width
	Card   CardPlace // where its cells stand on a phone, on a card of two lines
}

// Width is the class of a column of a table of lines; "" shares what the others leave.
type Width string

// The widths of columns.
const (
	Narrow Width = "w6"  // a number, an age: 88 px
	Date   Width = "w7"  // a date, an amount of up to six digits: 104 px
	Short  Width = "w8"  // a word, an amount: 120 px
	Medium Width = "w9"  // a status: 156 px
	Long   Width = "w12" // two dates: 200 px
)

// CardPlace is where a cell stands on a card.
type CardPlace string

// The places on a card. The first cell is its title.
const (
	CardList   CardPlace = ""    // below, with the name of its column
	CardDetail CardPlace = "y2"  // on the second line
	CardAmount CardPlace = "z2"  // at the end of the second line
	CardStatus CardPlace = "z"   // at the end of the first line
	CardHidden CardPlace = "off" // not at all

	// CardTitle is the title on up to two lines. Its page loads parts.css.
	CardTitle CardPlace = "two"
)

// class is that of the cells of the column.
func (c Column) class() string {
	place := string(c.Card)
	switch {
	case place == "" && (c.Name == "" || c.Hidden):
		return "acts-c"
	case place == "" && standing(c.Name):
		place = "z"
	case place == "":
		place = "lv"
	}
	if c.Right {
		return "n " + place
	}
	return place
}

// headClass is that of the head of the column.
func (c Column) headClass() string {
	if c.Right {
		return strings.TrimSpace("n " + string(c.Width))
	}
	return string(c.Width)
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
type Pages struct {
	First, Previous, Next string
	Shown                 string // what is shown of how many, "" where that is not said
}

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
