package views

// Doc is a page of the documentation.
type Doc struct {
	Frame
	Shelf    []Places // all pages of the documentation
	Title    string
	Intro    string // HTML of what stands before the first section
	Markdown string // address of the same as Markdown
	Rows     []DocRow
	Key      DocKey
}

// DocRow is a section of a page.
type DocRow struct {
	ID    string
	Title string
	HTML  string
}

// DocKey says which key stands in the samples.
type DocKey struct {
	Shown  bool   // the page has something to say about it
	Words  string // what stands in the samples, or how one comes to a key
	Next   Link   // the next step, where it is a page
	Make   bool   // the reader may have a key made
	Forget bool   // and may have it taken out again
	Once   string // names the form that makes one
	Back   string // the page to come back to
}
