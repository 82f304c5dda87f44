// Package views draws the pages: templ components over plain data.
//
// It knows nothing of requests, records or rules; who calls it has decided what
// is shown.
package views

// Frame is what surrounds a page.
type Frame struct {
	Title   string   // of the window, without the name of the product
	About   string   // one sentence for search engines and previews, "" for a page that none should show
	Style   string   // address of the style sheet
	Styles  []string // addresses of further ones
	Script  string   // address of the script, "" for none
	Scripts []string // addresses of further ones
	Icon    string   // address of the icon
	Refresh int      // seconds after which the page is asked for again, 0 for never

	Person *Person  // nil: nobody is signed in
	Places []Places // where they may go
	Modes  []Mode   // of the records that are shown; none where they have no mode
	Said   []Said   // what was just done
}

// home is where the brand leads: to the first place of who is signed in.
func (f Frame) home() string {
	if f.Person != nil && len(f.Places) > 0 {
		return f.Places[0].Places[0].Path
	}
	return "/"
}

// Person is who is signed in.
type Person struct {
	Email   string
	Account string // that they look at, "" for none
	Role    string
}

// Places are places of the navigation that belong together.
type Places struct {
	Title  string // "" for none
	Places []Place
}

// Place is a page that one may go to.
type Place struct {
	Name string
	Path string
	Here Here
}

// Here tells whether a place is the one that is read.
type Here string

// What aria-current says of a place.
const (
	HereNot    Here = ""
	HerePage   Here = "page"
	HereWithin Here = "true" // a page below it is read
)

// Mode leads to the same page for test or live records.
type Mode struct {
	Name string
	Path string
	Here bool
}

// Home is the front page.
type Home struct {
	Frame
	API     string // address of the REST surface
	MCP     string // address for assistants
	Actions []Link // what a reader does next, the most likely first; none where nobody can sign in
}

// Errors is the error dictionary.
type Errors struct {
	Frame
	URL    string // public address of this page, which answers link to
	Groups []ErrorGroup
}

// ErrorGroup is the codes of one type.
type ErrorGroup struct {
	Type    string
	Title   string // what the type means, in a few words
	About   string // what a caller does about it
	Entries []ErrorEntry
}

// ErrorEntry is one code of the dictionary.
type ErrorEntry struct {
	Code   string
	Type   string
	Status int
	Cause  string
	Remedy string
}

// Missing is the page of a path that leads nowhere.
type Missing struct {
	Frame
	Path string
}

// Refused is a page that says why there is no answer.
type Refused struct {
	Frame
	Status    int
	Words     string
	RequestID string // to tell support, "" where it helps nobody
}
