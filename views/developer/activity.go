package developer

import "portal/views/kit"

// CallLine is a call of a tool in short.
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
	kit.Record
	Arguments kit.Body
	Change    kit.Body // absent where it changed nothing
}
