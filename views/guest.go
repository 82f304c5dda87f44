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

// FieldGroup is fields that belong together under a heading.
type FieldGroup struct {
	Title  string
	Fields []Field
}

// Field is one field of a form, with what was typed and what is wrong with it.
type Field struct {
	Name     string
	Label    string
	Hint     string
	Value    string
	Fault    string // "" where nothing is wrong
	Optional bool
	Kind     string // type of the input; "" is text
	Mode     string // inputmode: which keyboard a phone shows
	Complete string // autocomplete: what a browser may fill in
	Least    string // first value of a date
	Most     string // last value of a date
	Lines    int    // more than 0: a text of several lines
	Short    bool   // of a few characters
}

// faults are the fields of a form that have one, in order.
func (a Apply) faults() []Field {
	var all []Field
	for _, g := range a.Groups {
		for _, f := range g.Fields {
			if f.Fault != "" {
				all = append(all, f)
			}
		}
	}
	return all
}

// id is the field's address within the page.
func (f Field) id() string { return "field-" + f.Name }

// described names what explains the field: its hint and what is wrong with it.
func (f Field) described() string {
	switch {
	case f.Hint != "" && f.Fault != "":
		return f.id() + "-hint " + f.id() + "-fault"
	case f.Fault != "":
		return f.id() + "-fault"
	case f.Hint != "":
		return f.id() + "-hint"
	}
	return ""
}

func (f Field) kind() string {
	if f.Kind == "" {
		return "text"
	}
	return f.Kind
}

// attributes are those that a field has only where they say something.
func (f Field) attributes() map[string]any {
	all := map[string]any{}
	for name, value := range map[string]string{
		"aria-describedby": f.described(), "inputmode": f.Mode, "autocomplete": f.Complete, "min": f.Least, "max": f.Most,
	} {
		if value != "" {
			all[name] = value
		}
	}
	if f.Fault != "" {
		all["aria-invalid"] = "true"
	}
	if !f.Optional {
		all["aria-required"] = "true"
	}
	return all
}
