package evidence

import "strings"

// Initialing is what the log says of initials that a party put to an attachment.
type Initialing struct {
	Initials string // as they were typed
	SHA256   string // of the attachment, in hex
	Name     string // of its file
}

// Note is the note of an entry about initials.
func (i Initialing) Note() string { return strings.Join([]string{i.Initials, i.SHA256, i.Name}, "\n") }

// InitialingAs reads the note of an entry about initials.
func InitialingAs(note string) (i Initialing) {
	var rest string
	i.Initials, rest, _ = strings.Cut(note, "\n")
	i.SHA256, i.Name, _ = strings.Cut(rest, "\n")
	return i
}

// Opening is what the log says of an attachment that a party opened.
type Opening struct {
	SHA256 string // of the attachment, in hex
	Name   string // of its file
}

// Note is the note of an entry about an attachment that was opened.
func (o Opening) Note() string { return o.SHA256 + "\n" + o.Name }

// OpeningAs reads the note of an entry about an attachment that was opened.
func OpeningAs(note string) (o Opening) {
	o.SHA256, o.Name, _ = strings.Cut(note, "\n")
	return o
}
