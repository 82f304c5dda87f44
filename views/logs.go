package views

// Logs are the requests of programs.
type Logs struct {
	Frame
	Filters  Filters
	Requests []RequestLine
	Pages    Pages
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
	At     Time
}

// Request is the page of one.
type Request struct {
	Frame
	RequestLine
	Back  Link
	ID    string
	Query string
	Facts []Fact
	Sent  Exchange
	Error string // address of the entry of its code in the dictionary, "" where there is none
}

func requestTable(l Logs) Table {
	t := Table{Caption: "Requests", Columns: Columns("Request", "Status", "Code", "Key", "When"), Rows: len(l.Requests), Pages: l.Pages,
		Empty: Empty{Title: "No request was logged yet", Words: "Each request with a key of this mode is shown here within a second, for 90 days.", Action: Link{"Go to the keys", l.Keys}}}
	if l.Filters.Clear != "" {
		t.Empty = Empty{"No requests match these filters", "Change or clear the filters to see more.", Link{"Show all requests", l.Filters.Clear}}
	}
	return t
}
