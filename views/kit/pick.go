package kit

// Pick asks for a place before a form that needs one.
type Pick struct {
	Frame
	Heading
	Filters Filters
	What    string // what the hits are
	Beside  string // what stands beside each
	Asked   bool   // something was looked for
	Hits    []Hit
	Full    bool // there are more
}

// Hit is a place that may be meant.
type Hit struct {
	Path  string
	Name  string
	Words string
	State Status // what stands beside it; without a tone a plain word
}
