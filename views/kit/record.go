package kit

// Term is a fact about a record: its name, and one way in which it is shown. One without a
// text, a status or a time is left out.
type Term struct {
	Name   string
	Text   string // "" for none
	Path   string // where the text leads, "" for nowhere
	Note   string // beside it, "" for none
	Status Status // instead of the text
	Time   Time   // instead of the text
	ID     bool   // the text is an id, which can be copied
}

// known reports whether there is something to show.
func (t Term) known() bool { return t.Text != "" || t.Status.Text != "" || t.Time.Text != "" }

// Facts are what is known of a record under one heading.
type Facts struct {
	Title string
	Terms []Term
}

// known are the facts that there are.
func (f Facts) known() (all []Term) {
	for _, t := range f.Terms {
		if t.known() {
			all = append(all, t)
		}
	}
	return all
}

// id is the address of the heading within the page.
func (f Facts) id() string { return "facts-" + slug(f.Title) }

// Record is the page of one thing: its title with its status, what can be done with it, and
// what is known of it at the side.
type Record struct {
	Frame
	Heading Heading
	Primary Action   // what one most likely came to do
	Edit    string   // address of its form, "" where it has none
	Menu    []Action // what is done less often
	Notices []NoticeContent
	Tabs    []Tab // views of it
	Facts   []Facts
}

// Action is something that can be done; one without an address is none.
type Action struct {
	Name string
	// Label is what it is called for who hears it in a line of a table, where it begins with the name.
	Label string
	Path  string
	Icon  string // by its name in the sprite, "" for none
	How   ActionKind
	Bad   bool         // what it does cannot be undone
	With  []Definition // what is sent beside, where it posts
}

// ActionKind says what a press does.
type ActionKind string

// The kinds of actions.
const (
	Follows ActionKind = ""      // a link
	Asks    ActionKind = "asks"  // a page that asks first, shown as a dialog by a script
	Posts   ActionKind = "posts" // does it at once
	Opens   ActionKind = "opens" // a link to what is no page of ours, in a tab of its own
)

// Tab is one view of a record, or a part of a list.
type Tab struct {
	Name  string
	Path  string
	Count string // of what it holds, "" where that is not said
	Here  bool
}

// Card is a panel with a heading.
type Card struct {
	ID, Title string
	Note      string // beside the heading
	Actions   []Action
}

// Stage is one of three to five stages of something, in order.
type Stage struct {
	Name string
	Done bool
	Now  bool
	Path string // where it leads, "" for nowhere
}
