package lease

import "portal/views/kit"

// Conditions are the reports of the condition of a home, on the page of its lease.
type Conditions struct {
	Words   string // where there is none
	Reports []ConditionLine
	Actions []kit.Action
}

// ConditionLine is a report in a line.
type ConditionLine struct {
	Link   kit.Link
	Note   string // "" for none
	Status kit.Status
}

// Condition is the page of a report.
type Condition struct {
	kit.Frame
	kit.Heading
	Progress string // how many items have a condition
	Primary  kit.Action
	Menu     []kit.Action
	Words    string // what comes next
	Areas    []ConditionArea
	Facts    []kit.Facts
}

// ConditionArea is a room of a report.
type ConditionArea struct {
	ID       string
	Title    string
	Progress string
	Actions  []kit.Action
	Items    []ConditionItem
}

// ConditionItem is an item of a room with what was said of it.
type ConditionItem struct {
	ID       string
	Name     string
	Disputed kit.Status // that the tenants say something else, without a text where they do not
	Said     []ConditionRemark
}

// ConditionRemark is what a side says of an item, at moving in or at moving out.
type ConditionRemark struct {
	Who    string
	Words  string // the condition
	Note   string // "" for none
	Photos []ConditionPhoto
}

// ConditionPhoto is a photo of an item.
type ConditionPhoto struct {
	Path      string
	Thumbnail string
	Words     string // that describe it
	Remove    string // address that removes it, "" where it stays
}

// ConditionRoom is the page on which a landlord fills a room in.
type ConditionRoom struct {
	kit.Frame
	kit.Heading
	Progress string
	Form     kit.Form // a group for each item, and one behind them
	Items    []ConditionItem
	Next     string // what the button is called that goes on, "" behind the last room
}

// ConditionPhotos is the page of the landlord's photos of an item.
type ConditionPhotos struct {
	kit.Frame
	kit.Heading
	Words  string
	Photos []ConditionPhoto
	Form   *kit.Form // that adds some, nil where none can be
}

// ConditionSign is the page on which an owner signs a report.
type ConditionSign struct {
	kit.Frame
	kit.Heading
	Areas []ConditionArea
	Form  kit.Form
}

// first reports whether the form stands above what is signed: where something is wrong with it, that is read next.
func (s ConditionSign) first() bool {
	return s.Form.Trouble != "" || len(kit.FieldErrors(s.Form.Groups)) > 0
}
