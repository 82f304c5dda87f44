package kit

import (
	"slices"
	"strconv"
)

// Form is a form whose fields are drawn one below the other.
type Form struct {
	Action  string // where it is posted, "" for the page's own address
	Groups  []FieldGroup
	Submit  string // what the button says it does
	Danger  bool   // what it does cannot be undone
	Cancel  string // where one goes instead, "" for nowhere
	Preview Link   // a button that shows what would be made, in a tab of its own; none without a path
	Beside  Beside // a frame that shows what would be made beside the form; none without a path
	Other   Link   // a button that does something else and shows the form again as it was typed; none without a path
	Trouble string // why nothing was taken although nothing is wrong with a field
	Failed  string // heading of the summary of what is wrong, "" for the usual one
	Files   bool   // a field takes files
	// Username is whose password the form asks for, "" where a field says it or none is asked for.
	// Password managers read it. It is neither shown nor sent.
	Username string
	Anchor   string // fragment of the address that the form is shown at, which is its summary's then
	// Brief is a form of few fields, which is all that its page is for: the browser focuses the first
	// field that is wrong, and what is wrong is said there alone.
	Brief bool
}

// Beside is a frame beside a form.
type Beside struct {
	Path   string // where the form is posted to be shown there
	Title  string // of the frame
	Button string
	Words  string // what the frame is for
}

// FieldGroup is fields that belong together under a heading.
type FieldGroup struct {
	Title  string // "" for none
	About  string // "" for none
	Fields []Field
	// Folded is a group of which only the title is shown until somebody asks for it. It is open
	// where a field has a value, or is wrong.
	Folded bool
}

// open reports whether a folded group shows its fields at once.
func (g FieldGroup) open() bool { return slices.ContainsFunc(g.Fields, Field.filled) }

// filled reports whether a field has a value, or something is wrong with it.
func (f Field) filled() bool {
	chosen := func(c Choice) bool { return c.Chosen && c.Value != "" }
	return f.Error != "" || f.Value != "" || f.Checked || slices.ContainsFunc(f.Choices, chosen)
}

// rows are the fields of a group, with those that share a row, and those that ask and are asked for, in one.
func (g FieldGroup) rows() (all [][]Field) {
	for _, f := range g.Fields {
		if last := len(all) - 1; (f.Beside || f.Asked) && last >= 0 {
			all[last] = append(all[last], f)
			continue
		}
		all = append(all, []Field{f})
	}
	return all
}

// asks reports whether a row is a field with the one that some of its choices ask for.
func asks(row []Field) bool { return row[len(row)-1].Asked }

// Field is one field of a form, with what was typed and what is wrong with it.
type Field struct {
	Name     string
	Label    string
	Of       string // what the label is of, for who only hears it; "" where that is clear
	Hint     string
	Value    string
	Error    string // "" where nothing is wrong
	Optional bool
	Unmarked bool // optional, and no mark of the label says so
	// Kind is the type of the input; "" is text. Also: checkbox, radios, checks, select, hidden, and picked,
	// which shows in words what was chosen.
	Kind     string
	Mode     string   // inputmode: which keyboard a phone shows
	Complete string   // autocomplete: what a browser may fill in
	Least    string   // first value of a date or a number
	Most     string   // last value of a date or a number
	Longest  int      // most characters of a text, 0 for no limit
	Lines    int      // more than 0: a text of several lines
	Short    bool     // of a few characters
	Asked    bool     // is answered only where the field before it has a choice that asks for it
	Beside   bool     // shares the row of the field before it where there is room
	Code     bool     // is shown in the type of code
	Checked  bool     // of a checkbox
	Choices  []Choice // of radios, checks and a select
	Accept   string   // kinds of a file
	Several  bool     // of a file: several may be chosen
	Fixed    bool     // is shown and cannot be changed
	Group    string   // of a filter: those of one name stand together, "" for one that stands alone
	Shown    string   // of a filter and of what was picked: its value in words, "" for the value
	Given    bool     // of a filter: a link gives it, nobody is asked for it
	Acts     []FieldAct
	filter   bool // stands in a bar of filters
	focused  bool // the browser focuses it
}

// FieldAct is a button beside a field, or a link. A button sends the whole form to its path, where the form is
// shown again.
type FieldAct struct {
	Name  string
	Label string // what it is called for who hears it; it begins with the name. "" for the name
	Path  string
	Do    string // what is sent in the field "do", "" for a link
}

// Choice is one of several values.
type Choice struct {
	Value  string
	Label  string
	Hint   string
	Chosen bool
	Asks   bool // the field after this one is answered too
}

// drawn are the groups of the form. Where the form is brief, the browser focuses the first field that is wrong.
func (f Form) drawn() []FieldGroup {
	if !f.Brief || f.Trouble != "" {
		return f.Groups
	}
	groups := slices.Clone(f.Groups)
	for i := range groups {
		fields := slices.Clone(groups[i].Fields)
		for j := range fields {
			if !fields[j].Fixed && fields[j].Kind != "hidden" && fields[j].Error != "" {
				fields[j].focused, groups[i].Fields = true, fields
				return groups
			}
		}
	}
	return groups
}

// acts reports whether a button of the form stands before the one that submits it. The Enter key presses the first
// button of a form.
func (f Form) acts() bool {
	return slices.ContainsFunc(f.Groups, func(g FieldGroup) bool {
		return slices.ContainsFunc(g.Fields, func(f Field) bool { return len(f.Acts) > 0 })
	})
}

// summarized are the fields that the summary names.
func (f Form) summarized() []Field {
	if f.Brief && f.Trouble == "" {
		return nil
	}
	return f.fieldErrors()
}

// fieldErrors are the fields of a form that have one, in order.
func (f Form) fieldErrors() []Field { return FieldErrors(f.Groups) }

// FieldErrors are the fields of the groups that have one, in order.
func FieldErrors(groups []FieldGroup) []Field {
	var all []Field
	for _, g := range groups {
		for _, f := range g.Fields {
			if f.Error != "" {
				all = append(all, f)
			}
		}
	}
	return all
}

// failed is the heading above what is wrong.
func (f Form) failed() string {
	if f.Failed != "" {
		return f.Failed
	}
	return "Nothing was saved yet"
}

// focused is by what the browser focuses the summary: an address with a fragment focuses what
// the fragment names, and nothing else.
func (f Form) focused() map[string]any {
	if f.Anchor != "" {
		return map[string]any{"id": f.Anchor}
	}
	return map[string]any{"autofocus": true}
}

func (f Form) kind() string {
	if f.Files {
		return "multipart/form-data"
	}
	return "application/x-www-form-urlencoded"
}

// id is the field's address within the page.
func (f Field) id() string { return "field-" + f.Name }

// first is what a link to the field leads to: of several boxes the first one.
func (f Field) first() string {
	if f.boxes() {
		return f.choice(0)
	}
	return f.id()
}

// choice is the address of one of several boxes.
func (f Field) choice(i int) string { return f.id() + "-" + strconv.Itoa(i) }

// boxes tells a field that is a set of boxes.
func (f Field) boxes() bool { return f.Kind == "radios" || f.Kind == "checks" }

func (f Field) box() string {
	if f.Kind == "radios" {
		return "radio"
	}
	return "checkbox"
}

// described names what explains the field: its hint and what is wrong with it.
func (f Field) described() string {
	switch {
	case f.Hint != "" && f.Error != "":
		return f.id() + "-hint " + f.id() + "-error"
	case f.Error != "":
		return f.id() + "-error"
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
		"aria-describedby": f.described(),
		"inputmode":        f.Mode,
		"autocomplete":     f.Complete,
		"min":              f.Least,
		"max":              f.Most,
		"accept":           f.Accept,
	} {
		if value != "" {
			all[name] = value
		}
	}
	if f.Longest > 0 && f.Kind != "select" {
		all["maxlength"] = strconv.Itoa(f.Longest)
	}
	if f.Kind != "checkbox" && f.Kind != "file" && f.Kind != "select" && f.Lines == 0 {
		all["value"] = f.Value
	}
	if f.Asked {
		all["placeholder"] = " " // a style sees whether it is empty
	}
	if f.Error != "" {
		all["aria-invalid"] = "true"
	}
	if !f.Optional && !f.Unmarked && !f.Fixed && f.Kind != "checkbox" {
		all["aria-required"] = "true"
	}
	if f.Several {
		all["multiple"] = true
	}
	if f.focused {
		all["autofocus"] = true
	}
	if f.Fixed {
		all["readonly"] = true
	}
	return all
}

// Confirm is a page that asks before something is done.
type Confirm struct {
	Frame
	Title string   // the question
	Words []string // what comes of it
	Form  Form
}

// Download is a page that asks for what a file is to have. Nothing is changed by it: the fields are in the address of
// the file.
type Download struct {
	Frame
	Heading Heading
	Words   []string
	Form    Form   // its action is the address of the PDF
	CSV     string // address of the table
}

// FormView is a page that is a form.
type FormView struct {
	Frame
	Heading Heading
	Stages  []Stage // of a form in several steps
	Words   []string
	Summary *Summary // what the form comes to, nil for none
	Form    Form
}

// Summary is what a form comes to, beside it, or above it where there is no room.
type Summary struct {
	Title string
	Words string
	Sums  []Sum
	Left  []Link // to what is left to fill in, shown where there is room beside the form
	After string // below all of it, "" for nothing
}

// Sum is some amounts and what they come to.
type Sum struct {
	Name  string
	Note  string // beside the name, "" for nothing
	Parts []SumPart
	Total string
}

// SumPart is one amount of a sum.
type SumPart struct{ Name, Note, Amount string }

// frame is that of a page with the style of what not every form has.
func (p FormView) frame() Frame {
	special := func(g FieldGroup) bool {
		return g.Folded || slices.ContainsFunc(g.Fields, func(f Field) bool { return f.Beside })
	}
	switch {
	case p.Summary != nil:
		return p.Frame.With("steps.css").With("sums.css")
	case len(p.Stages) > 0 || p.Form.acts():
		return p.Frame.With("parts.css").With("steps.css")
	case p.Form.Beside.Path == "" && !slices.ContainsFunc(p.Form.Groups, special):
		return p.Frame
	}
	return p.Frame.With("parts.css")
}
