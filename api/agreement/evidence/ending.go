package evidence

import (
	"strings"

	"portal/api/clock"
)

// Ending is what the log says of the end of a signed lease before its first day.
type Ending struct {
	On     clock.Date // when it ended
	Agreed clock.Date // when the tenants agreed to that on paper, as the landlord said
	By     string     // whose change it was, in words
	Reason string
}

// EndingAs reads the note of an entry about the end of a lease.
func EndingAs(note string) (e Ending) {
	on, rest, _ := strings.Cut(note, "\n")
	agreed, rest, _ := strings.Cut(rest, "\n")
	e.On, _ = clock.ParseDate(on)
	e.Agreed, _ = clock.ParseDate(agreed)
	e.By, e.Reason, _ = strings.Cut(rest, "\n")
	return e
}

// Note is the note of an entry about the end of a lease.
func (e Ending) Note() string {
	return strings.Join([]string{e.On.String(), e.Agreed.String(), e.By, e.Reason}, "\n")
}
