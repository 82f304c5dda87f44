package evidence

import (
	"strings"

	"portal/api/clock"
)

// PaperSignature is what the log says of a signature on paper.
type PaperSignature struct {
	On     clock.Date // the day on which the party signed, as the landlord said
	SHA256 string     // of the scan that is kept, in hex
	By     string     // email address of the owner who recorded it
}

// Note is the note of an entry about a signature on paper.
func (p PaperSignature) Note() string {
	return strings.Join([]string{p.On.String(), p.SHA256, p.By}, "\n")
}

// PaperSignatureAs reads the note of an entry about a signature on paper.
func PaperSignatureAs(note string) (p PaperSignature) {
	on, rest, _ := strings.Cut(note, "\n")
	p.On, _ = clock.ParseDate(on)
	p.SHA256, p.By, _ = strings.Cut(rest, "\n")
	return p
}
