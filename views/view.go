// Package views draws the pages: templ components over plain data.
//
// It knows nothing of requests, records or rules; who calls it has decided what
// is shown.
package views

// Frame is what surrounds a page.
type Frame struct {
	Title string // of the window, without the name of the product
	About string // one sentence for search engines and previews
	Style string // address of the style sheet
	Icon  string // address of the icon
	Here  string // path of the page, "" where the navigation does not list it
}

// Home is the front page.
type Home struct {
	Frame
	API string // address of the REST surface
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
