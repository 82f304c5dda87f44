package kit

// Pick asks for a place before a form that needs one.
type Pick struct {
	Frame
	Heading
	Filters Filters
	Title   string // of the places
	Grid    Grid
	More    bool // there are more than are shown
}
