package views

// Activity is what assistants did.
type Activity struct {
	Frame
	Clients []ClientLine
	Filters Filters
	Calls   []CallLine
	Pages   Pages
	Keys    string // address of the keys, "" where there is no such page
}

// ClientLine is an assistant.
type ClientLine struct {
	Name string
	Key  string
	Seen Time
}

// CallLine is a call of a tool in a list.
type CallLine struct {
	Path    string
	ID      string
	Tool    string
	Client  string
	Key     string
	Outcome Status
	Kind    string // preview, change or read
	At      Time
}

// Call is the page of one.
type Call struct {
	Frame
	CallLine
	Back      Link
	Message   string // of the fault, "" on success
	Record    string // id of what was changed or made, "" where nothing was
	RequestID string
	Protocol  string
	UserAgent string
	Took      string
	Arguments Body
	Change    Body
}

func callTable(a Activity) Table {
	t := Table{Caption: "Calls of tools", Columns: Columns("Tool", "Outcome", "Kind", "Assistant", "Key", "When"), Rows: len(a.Calls), Pages: a.Pages,
		Empty: Empty{Title: "No assistant has called a tool yet", Words: "Connect one to /mcp with an API key of an owner. Each call is shown here with its arguments and what it changed.", Action: Link{"Go to the keys", a.Keys}}}
	if a.Filters.Clear != "" {
		t.Empty = Empty{"No calls match these filters", "Change or clear the filters to see more.", Link{"Show all calls", a.Filters.Clear}}
	}
	return t
}
