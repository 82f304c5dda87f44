package kit

import (
	"slices"
	"strconv"

	"github.com/a-h/templ"

	"portal/static"
)

// Live is a part of a page that a stream keeps up to date where a script runs.
type Live struct {
	Path      string // of the stream, "" for none
	Cursor    string // behind which it begins
	Most      int    // rows that a list shows at most
	One, Many string // what its rows are called
}

// Live is the frame of a page with such a part.
func (f Frame) Live() Frame {
	f.Scripts = append(slices.Clip(f.Scripts), static.URL("live.js"))
	return f
}

// attributes tell the script of a list what to do.
func (l Live) attributes() templ.Attributes {
	if l.Path == "" {
		return nil
	}
	return templ.Attributes{
		"data-live":   l.Path,
		"data-cursor": l.Cursor,
		"data-most":   strconv.Itoa(l.Most),
		"data-one":    l.One,
		"data-many":   l.Many,
	}
}
