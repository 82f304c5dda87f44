package kit

import (
	"slices"

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
