// Package docs draws the pages of the documentation.
//
// It knows nothing of requests, records or rules, nor of other sections’ pages.
package docs

import "portal/views/kit"

// Doc is a page of the documentation.
type Doc struct {
	kit.Frame
	Contents   []kit.NavGroup // all pages of the documentation, but for those of operations
	Operations []NavOperation // of the resource that is open
	Links      []kit.NavItem  // in the bar
	Search     string         // address of the search, "" for none
	Title      string
	Intro      string     // HTML of what stands before the first section
	Facts      []kit.Term // at the top, none for most pages
	Markdown   string     // address of the same as Markdown
	Rows       []DocRow
	Steps      int // how many rows, from the first, are steps
	Key        DocKey
	Operation  *Operation // that the page is about, nil for none
	Try        string     // where the operation of the page is tried, "" for none
	Previous   kit.Link   // in the order of reading, without a name for none
	Next       kit.Link
}

// NavOperation is an operation in the navigation.
type NavOperation struct {
	Name   string
	Path   string // of its page
	Method string
	Here   bool
}

// next is where a reader goes on from the documentation: to their records, or to sign in.
func (d Doc) next() kit.Link {
	for _, g := range d.Navigation {
		for _, p := range g.Items {
			if d.Person != nil {
				return kit.Link{Name: "Dashboard", Path: p.Path}
			}
			if p.Path == "/sign-in" {
				return kit.Link{Name: "Sign in", Path: p.Path}
			}
		}
	}
	return kit.Link{}
}

// Operation is what the page of an operation shows besides its sections.
type Operation struct {
	Resource kit.Link
	Method   string
	Path     string
	Scope    string
	Traits   []string // what it can besides: idempotency, previews
	Request  string   // HTML of the sample
	Response string   // and of what is answered to it
}

// DocRow is a section of a page.
type DocRow struct {
	ID    string
	Title string
	HTML  string
	Parts []DocPart // that the list of what is on the page names below the section
}

// DocPart is a part of a section, by its address within the page.
type DocPart struct{ ID, Title string }

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
