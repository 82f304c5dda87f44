package developer

import "portal/views/kit"

// Mail is one email.
type Mail struct {
	kit.Record
	Text   string // its plain text
	Absent string // why there is no text, "" where there is
}
