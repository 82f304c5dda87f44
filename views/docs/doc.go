// Package docs draws the pages of the documentation.
//
// It knows nothing of requests, records or rules, nor of other sections’ pages.
package docs

import "portal/views/kit"

// Doc is a page of the documentation.
type Doc struct {
	kit.Frame
	Contents []kit.NavGroup // all pages of the documentation
	Title    string
	Intro    string // HTML of what stands before the first section
	Markdown string // address of the same as Markdown
	Rows     []DocRow
	Key      DocKey
	Try      string // where the operation of the page is tried, "" for none
}

// DocRow is a section of a page.
type DocRow struct {
	ID    string
	Title string
	HTML  string
}

// DocKey says which key stands in the samples.
type DocKey struct {
	Shown  bool     // the page has something to say about it
	Words  string   // what stands in the samples, or how one comes to a key
	Next   kit.Link // the next step, where it is a page
	Make   bool     // the reader may have a key made
	Forget bool     // and may have it taken out again
	Back   string   // the page to come back to
}

// TryIt is the page on which an operation is tried.
type TryIt struct {
	Doc
	Form     kit.Form
	Ready    bool           // there is a key to try it with
	Response *TryItResponse // what was answered, nil before
}

// TryItResponse is the answer to a request that was tried.
type TryItResponse struct {
	Request string // its first line
	Status  int
	Phrase  string // of the status
	Headers string
	Body    kit.Body
	Hidden  string // where the reader confirms who they are to see what the body hides, "" for nothing
	Log     string // address of the request in the log
	ID      string // of the request
}
