package resident

import "portal/views/kit"

// Verify is the page that checks whether a file is a signed lease.
type Verify struct {
	kit.GuestHeader
	Form    kit.Form
	About   string
	Finding *Finding // nil before a file was sent
	Docs    kit.Link // explains what the check shows
}

// Finding is what a file is.
type Finding struct {
	Tone      kit.Tone
	Title     string
	Words     []string
	Signed    []kit.Fact // who has signed when
	Facts     []kit.Fact
	Tampering []string // where what is kept was changed, in English
}
