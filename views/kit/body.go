package kit

// Body is what was sent or answered, made fit to be shown.
type Body struct {
	Text   string // indented where it is JSON
	Exact  string // as it is, "" where Text is that
	Note   string // what has to be known of it, "" for nothing
	Absent string // why there is none, "" where there is
}
