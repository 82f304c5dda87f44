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
