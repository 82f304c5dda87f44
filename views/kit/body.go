package kit

import "encoding/json"

// Body is what was sent or answered, made fit to be shown.
type Body struct {
	Text   string // indented where it is JSON
	Exact  string // as it is, "" where Text is that
	Note   string // what has to be known of it, "" for nothing
	Absent string // why there is none, "" where there is
}

// mostInColor is how many bytes of a body have their parts in color: each part is an element.
const mostInColor = 16 << 10

// isJSON reports whether the text can be shown as JSON.
func (b Body) isJSON() bool { return len(b.Text) <= mostInColor && json.Valid([]byte(b.Text)) }
