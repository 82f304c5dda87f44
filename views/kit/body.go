package kit

// Body is what was sent or answered, made fit to be shown.
type Body struct {
	Text   string // indented where it is JSON
	JSON   bool   // Text is JSON, or its beginning
	Exact  string // as it is, "" where Text is that, or is not all
	Whole  string // where all of it is downloaded, "" where Text is all
	Size   string // of all of it, with its unit
	Note   string // what has to be known of it, "" for nothing
	Absent string // why there is none, "" where there is
}

// mostInColor is how many bytes of a body have their parts in color: each part is an element.
const mostInColor = 16 << 10

// inColor reports whether the parts of the text are in color.
func (b Body) inColor() bool { return b.JSON && len(b.Text) <= mostInColor }
