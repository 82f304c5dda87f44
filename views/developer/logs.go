package developer

import "portal/views/kit"

// Logs are the requests of programs.
type Logs struct {
	kit.Frame
	Filters  kit.Filters
	Requests []RequestLine
	Pages    kit.Pages
	Keys     string // address of the keys, "" where there is no such page
}

// RequestLine is a request in a list.
type RequestLine struct {
	Path   string
	Method string
	Target string
	Status int
	Code   string // of the fault, "" on success
	Key    string
	At     kit.Time
}

// Request is the page of one.
type Request struct {
	kit.Frame
	Title  string // method and path
	About  string // when it was, and how long it took
	Status int
	Facts  []kit.Facts
	Sent   kit.Exchange
}

func requestTable(l Logs) kit.Table {
	t := kit.Table{
		Caption: "Requests",
		Columns: kit.Columns("Request", "Status", "Code", "Key", "When"),
		Rows:    len(l.Requests),
		Pages:   l.Pages,
		Empty: kit.Empty{
			Title:  "No request was logged yet",
			Words:  "Each request with a key of this mode is shown here within a second, for 90 days.",
			Action: kit.Link{Name: "Go to the keys", Path: l.Keys},
		},
	}
	if l.Filters.Clear != "" {
		t.Empty = kit.Empty{
			Title:  "No requests match these filters",
			Words:  "Change or clear the filters to see more.",
			Action: kit.Link{Name: "Show all requests", Path: l.Filters.Clear},
		}
	}
	return t
}
