package views

// Letterhead surrounds a page for somebody who has a link and no account: the name of
// who wrote to them, and no way into the API's pages.
type Letterhead struct {
	Title string // of the window, without From
	From  string // who wrote to the reader, "" where nobody is known
	Style string // address of the style sheet
	Icon  string // address of the icon
}

// Notice is a page that says one thing. Button, where there is one, posts to the
// page's own address.
type Notice struct {
	Letterhead
	Stamp  int // HTTP status, 0 where nothing is wrong
	Title  string
	Words  []string // paragraphs
	Button string   // "" for none
}

// Apply is the form of an application.
type Apply struct {
	Letterhead
	Address string
	Facts   []Fact
	Until   string // last day of the link, in words
	Groups  []FieldGroup
	Trouble string // why nothing was sent although nothing is wrong with the form, "" for none
}

// Fact is something about a home: Bedrooms, 2.
type Fact struct{ Name, Value string }

func (a Apply) faults() []Field { return faults(a.Groups) }

// form is what is wrong with the application.
func (a Apply) form() Form {
	f := Form{Groups: a.Groups, Trouble: a.Trouble, Failed: "Nothing was sent yet: please look at these again"}
	if a.Trouble != "" {
		f.Failed = "Nothing was sent yet: something failed on our side"
	}
	return f
}
