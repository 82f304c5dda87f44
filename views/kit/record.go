package kit

// Term is a field of a record: its name, and one way in which it is shown.
type Term struct {
	Name   string
	Text   string // "" for none
	Path   string // where the text leads, "" for nowhere
	Note   string // beside it, "" for none
	Status Status // instead of the text
	Time   Time   // instead of the text
	ID     bool   // the text is an id, which can be copied
}

// Record is the page of a record of the portfolio.
type Record struct {
	Frame
	Heading Heading
	Edit    string // address of its form, "" where it has none
	Actions []Link // that ask first
	Notices []NoticeContent
	Terms   []Term
}
