package evidence

import (
	"strconv"
	"strings"

	"portal/api/clock"
)

// Extension is what the log says of more time to sign.
type Extension struct {
	Until clock.Time
	Over  clock.Time // when the time had ended before it was extended, 0 where it had not
	By    string     // whose change it was, in words
}

// Note is the note of an entry about more time to sign.
func (e Extension) Note() string {
	return strings.Join([]string{
		strconv.FormatInt(int64(e.Until), 10), strconv.FormatInt(int64(e.Over), 10), e.By,
	}, "\n")
}

// ExtensionAs reads the note of an entry about more time to sign.
func ExtensionAs(note string) (e Extension) {
	until, rest, _ := strings.Cut(note, "\n")
	over, by, _ := strings.Cut(rest, "\n")
	at, _ := strconv.ParseInt(until, 10, 64)
	was, _ := strconv.ParseInt(over, 10, 64)
	return Extension{clock.Time(at), clock.Time(was), by}
}
