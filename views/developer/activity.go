package developer

import "portal/views/kit"

// Activity is what assistants did.
type Activity struct {
	kit.Frame
	Clients []ClientLine
	Filters kit.Filters
	Calls   []CallLine
	Pages   kit.Pages
	Keys    string // address of the keys, "" where there is no such page
}

// ClientLine is an assistant.
type ClientLine struct {
	Name string
	Key  string
	Seen kit.Time
}

// CallLine is a call of a tool in a list.
type CallLine struct {
	Path    string
	ID      string
	Tool    string
	Client  string
	Key     string
	Outcome kit.Status
	Kind    string // preview, change or read
	At      kit.Time
}

// Call is the page of one.
type Call struct {
	kit.Frame
	CallLine
	Back      kit.Link
	Message   string // of the fault, "" on success
	Record    string // id of what was changed or made, "" where nothing was
	RequestID string
	Protocol  string
	UserAgent string
	Took      string
	Arguments kit.Body
	Change    kit.Body
}

func callTable(a Activity) kit.Table {
	t := kit.Table{
		Caption: "Calls of tools",
		Columns: kit.Columns("Tool", "Outcome", "Kind", "Assistant", "Key", "When"),
		Rows:    len(a.Calls),
		Pages:   a.Pages,
		Empty: kit.Empty{
			Title:  "No assistant has called a tool yet",
			Words:  "Connect one to /mcp with an API key of an owner. Each call is shown here with its arguments and what it changed.",
			Action: kit.Link{Name: "Go to the keys", Path: a.Keys},
		},
	}
	if a.Filters.Clear != "" {
		t.Empty = kit.Empty{
			Title:  "No calls match these filters",
			Words:  "Change or clear the filters to see more.",
			Action: kit.Link{Name: "Show all calls", Path: a.Filters.Clear},
		}
	}
	return t
}
