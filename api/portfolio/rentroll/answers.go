package rentroll

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"portal/api/fault"
	"portal/api/portfolio/rentroll/cell"
	"portal/api/texts"
)

// Answers are what somebody has said of a file that it does not say itself, by what was asked: the Question of a
// Problem or of a Note. A question begins with its kind:
//
//   - column:3 is what the third column holds, one of Fields, or "" for nothing that a rent roll has;
//   - dates:lease_start is MonthFirst or DayFirst;
//   - units:in_streets is OneProperty or OwnProperties;
//   - address: is the address of the lines that name no property, and address:Harrow House of those that name one
//     without its address, in one line;
//   - value:state:Tejas is what is read in the place of a value, in all lines whose field has it;
//   - cell:12:lease_end is what is read in one line;
//   - line:12 is LeaveOut;
//   - change:, the kind, the id and the version of a record (Change.Question) is Apply or Keep, and changes:lease is
//     that for all changes of leases about which nothing else is said.
type Answers map[string]string

// The answers to choose from.
const (
	MonthFirst    = "month_first"
	DayFirst      = "day_first"
	OneProperty   = "one_property"
	OwnProperties = "own_properties"
	LeaveOut      = "leave_out"
)

// Bounds of answers.
const (
	MaxAnswers      = 2000
	LongestAnswer   = 300
	longestQuestion = 300
)

const unitsInStreets = "units:in_streets"

// Ask is what an answer would settle. The zero value asks nothing: only another file, or another answer about the
// columns, helps.
type Ask struct {
	Question  string `json:"question,omitempty"`
	Value     string `json:"value,omitempty"`     // what the file has there
	Suggested string `json:"suggested,omitempty"` // an answer that is likely, "" for none
}

// Choice is an answer to choose.
type Choice struct {
	Answer string `json:"answer"`
	Label  string `json:"label"`
}

// Free reports whether the answer may be any text.
func (a Ask) Free() bool {
	kind, _, _ := strings.Cut(a.Question, ":")
	return kind == "value" || kind == "cell" || kind == "address"
}

// Choices are the answers to choose from. Those that are Free have others too.
func (a Ask) Choices() []Choice {
	kind, rest, _ := strings.Cut(a.Question, ":")
	switch kind {
	case "line":
		return []Choice{{LeaveOut, "Leave the line out"}}
	case "change":
		return []Choice{{Apply, "It has ended"}}
	case "dates":
		return []Choice{{MonthFirst, "Month first, as in 12/31/2026"}, {DayFirst, "Day first, as in 31/12/2026"}}
	case "units":
		return []Choice{{OneProperty, "Units of one property"}, {OwnProperties, "Properties of their own"}}
	case "column":
		all := []Choice{{"", "Leave the column out"}}
		if a.Suggested != "" {
			all = slices.Insert(all, 0, Choice{a.Suggested, "It is " + a.Suggested})
		}
		return all
	case "value", "cell":
		return a.replacements(kind, rest)
	}
	return nil
}

func (a Ask) replacements(kind, rest string) (all []Choice) {
	if a.Suggested != "" {
		all = append(all, Choice{a.Suggested, "Use “" + a.Suggested + "”"})
	}
	name, last, _ := strings.Cut(rest, ":")
	if kind == "cell" {
		name = last
	}
	c := fieldOf(name)
	switch c {
	case propertyType:
		for _, kind := range propertyTypes {
			all = append(all, Choice{kind, strings.ToUpper(kind[:1]) + strings.ReplaceAll(kind[1:], "_", " ")})
		}
	case leaseEnd:
		all = append(all, Choice{"", "No last day: month to month"})
	}
	if c != unknown && mayBeEmpty.has(c) && a.Value != "" {
		all = append(all, Choice{"", "Leave the value out"})
	}
	return all
}

// mayBeEmpty are the columns that a line with a lease need not fill.
var mayBeEmpty = setOf(postalCode, propertyType, yearBuilt, bedrooms, bathrooms, squareFeet, marketRent, email, phone,
	deposit, propertyName, rooms, occupancy, balance, moveIn, moveOut, leaseType, rentDueDay, lateFee, graceDays)

// Check refuses an answer to no question, and one that cannot be, as fault.InvalidField.
func (a Answers) Check() error {
	if len(a) > MaxAnswers {
		return fault.New(fault.InvalidField, "A file may have at most %d answers.", MaxAnswers)
	}
	_, err := a.parse()
	return err
}

// Mapping are those of the answers that hold for other files with the same header too.
func (a Answers) Mapping() Answers {
	mapping := Answers{}
	for question, answer := range a {
		switch kind, _, _ := strings.Cut(question, ":"); kind {
		case "column", "dates", "units":
			mapping[question] = answer
		}
	}
	return mapping
}

// Header is the same for files whose columns have the same names in the same order, "" where no names were found.
func (r *Roll) Header() string { return r.header }

// fingerprint is the same for names that are the same but for case, accents and what parts words.
func fingerprint(names []string) string {
	var plainly []string
	for _, name := range names {
		plainly = append(plainly, plain(name))
	}
	sum := sha256.Sum256([]byte(strings.Join(plainly, "\n")))
	return hex.EncodeToString(sum[:])
}

// Fields are what a column of a file may hold, by the names that Answers have.
func Fields() []string { return columnNames[:] }

func fieldOf(name string) column {
	return column(slices.Index(columnNames[:], name)) // -1 is unknown
}

// said are Answers as a reader looks them up.
type said struct {
	columns map[int]column // by their index from 0
	orders  map[column]cell.Order
	own     bool // units in streets are properties of their own
	one     bool // they are units of one property
	places  map[string]cell.Address
	values  map[column]map[string]string
	cells   map[int]map[column]string
	without map[int]bool // lines
	ticks   map[string]string
}

// parse are the answers that are some, and what is wrong with the first other one.
func (a Answers) parse() (*said, error) {
	s := &said{
		columns: map[int]column{},
		orders:  map[column]cell.Order{},
		places:  map[string]cell.Address{},
		values:  map[column]map[string]string{},
		cells:   map[int]map[column]string{},
		without: map[int]bool{},
		ticks:   map[string]string{},
	}
	var wrong error
	for _, question := range slices.Sorted(maps.Keys(a)) {
		if problem := s.hear(question, a[question]); problem != "" && wrong == nil {
			wrong = fault.New(fault.InvalidField, "%s: %s", texts.Clip(question, longestShown), problem)
		}
	}
	return s, wrong
}

// hear takes an answer, or says what is wrong with it.
func (s *said) hear(question, answer string) (problem string) {
	if utf8.RuneCountInString(question) > longestQuestion || utf8.RuneCountInString(answer) > LongestAnswer {
		return "The answer is longer than " + strconv.Itoa(LongestAnswer) + " characters."
	}
	if texts.Unreadable(answer, false) {
		return "The answer holds a character that is no text."
	}
	kind, about, _ := strings.Cut(question, ":")
	switch kind {
	case "column":
		return s.hearColumn(about, answer)
	case "dates":
		c := fieldOf(about)
		if !slices.Contains(dateColumns, c) || answer != MonthFirst && answer != DayFirst {
			return oneOf(MonthFirst, DayFirst)
		}
		s.orders[c] = cell.MonthFirst
		if answer == DayFirst {
			s.orders[c] = cell.DayFirst
		}
		return ""
	case "units":
		s.one, s.own = answer == OneProperty, answer == OwnProperties
		if question != unitsInStreets || !s.one && !s.own {
			return oneOf(OneProperty, OwnProperties)
		}
		return ""
	case "address":
		at, _, is := cell.SplitAddress(answer)
		if !is || at.Unit != "" {
			return quote(answer) + " is not an address, such as 220 Harrow St, Dayton, OH 45402."
		}
		at.Name = about
		s.places[strings.ToLower(about)] = at
		return ""
	case "value":
		name, value, _ := strings.Cut(about, ":")
		c := fieldOf(name)
		if c == unknown || value == "" && !slices.Contains(placeColumns, c) {
			return "This is no question of a file."
		}
		if s.values[c] == nil {
			s.values[c] = map[string]string{}
		}
		s.values[c][value] = answer
		return ""
	case "cell":
		number, name, _ := strings.Cut(about, ":")
		line, c := lineOf(number), fieldOf(name)
		if c == unknown || line == 0 {
			return "This is no question of a file."
		}
		if s.cells[line] == nil {
			s.cells[line] = map[column]string{}
		}
		s.cells[line][c] = answer
		return ""
	case "line":
		line := lineOf(about)
		if line == 0 || answer != LeaveOut {
			return oneOf(LeaveOut)
		}
		s.without[line] = true
		return ""
	case "change", "changes":
		all := []ChangeKind{ChangeUnit, ChangeLease, ChangeTenant, EndLease}
		named, _, _ := strings.Cut(about, ":")
		if kind == "changes" && about != named || !slices.Contains(all, ChangeKind(named)) {
			return "This is no question of a file."
		}
		if answer != Apply && answer != Keep {
			return oneOf(Apply, Keep)
		}
		s.ticks[question] = answer
		return ""
	}
	return "This is no question of a file."
}

func (s *said) hearColumn(number, answer string) (problem string) {
	n, c := lineOf(number), fieldOf(answer)
	switch {
	case n == 0 || n > maxColumns:
		return "This is no column of a file."
	case c == unknown && answer != "":
		return quote(answer) + " is nothing that a column holds. " + oneOf(Fields()...)
	}
	for at, other := range s.columns {
		if c != unknown && other == c && at != n-1 {
			return "Column " + strconv.Itoa(at+1) + " is " + answer + " already. Each column holds something else."
		}
	}
	s.columns[n-1] = c
	return ""
}

// lineOf is a number of a line or of a column, from 1, 0 for none.
func lineOf(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || strconv.Itoa(n) != s {
		return 0
	}
	return n
}

func oneOf(all ...string) string { return "It is one of " + strings.Join(all, ", ") + "." }

var (
	dateColumns  = []column{leaseStart, leaseEnd, moveIn, moveOut}
	placeColumns = []column{city, state, postalCode, propertyType}
)

// correct has the values of the present line be as somebody has said, and notes which are.
func (r *reader) correct(v *values) {
	e := &r.entry
	for c, replaced := range r.said.values {
		if to, is := replaced[v[c]]; is {
			v[c] = to
			e.said.add(c)
		}
	}
	for c, to := range r.said.cells[r.at] {
		v[c] = to
		e.said.add(c)
	}
}

// source is the column of the file that a value of the template is from: other programs have several values in one.
func (r *reader) source(c column) column {
	from := func(other column, of ...column) bool {
		return slices.Contains(of, c) && !r.present.has(c) && r.present.has(other)
	}
	switch {
	case from(tenantName, firstName, lastName):
		return tenantName
	case from(wholeAddress, streetAddress, city, state, postalCode):
		return wholeAddress
	case from(streetAddress, city, state, postalCode) && !r.hasPlaces():
		return streetAddress
	case from(rooms, bedrooms, bathrooms):
		return rooms
	}
	return c
}

// hasPlaces reports whether the file has columns of its own for cities and states.
func (r *reader) hasPlaces() bool { return r.present.has(city) || r.present.has(state) }

// askValue asks what a value means, wherever it stands.
func (r *reader) askValue(c column) Ask {
	c = r.source(c)
	value := r.entry.raw[c]
	if value == "" || len(value) > 200 {
		return r.askCell(c)
	}
	return Ask{Question: "value:" + c.String() + ":" + value, Value: value}
}

// askCell asks what a value of the present line means.
func (r *reader) askCell(c column) Ask {
	c = r.source(c)
	return Ask{
		Question: "cell:" + strconv.Itoa(r.at) + ":" + c.String(),
		Value:    texts.Clip(r.entry.raw[c], LongestAnswer),
	}
}

// askLine asks whether a line is left out.
func askLine(line int) Ask { return Ask{Question: "line:" + strconv.Itoa(line)} }

// Heading is a column of a file.
type Heading struct {
	Name   string   `json:"name"`   // as the file writes it, "" for none
	Field  string   `json:"field"`  // one of Fields, "" where it is left out
	Values []string `json:"values"` // the first that differ, at most shownValues
}

// shownValues is how many values of a column are shown to somebody who says what it holds.
const shownValues = 3

// Headings are the columns of the file that have a name or a value.
func (r *Roll) Headings() []Heading { return r.headings }

// head notes the columns of the file, of which those that were sampled show values.
func (r *reader) head() {
	for i, name := range r.header.names {
		h := Heading{Name: texts.Clip(name, longestShown)}
		if c := r.columns[i]; c != unknown {
			h.Field = c.String()
		}
		for _, row := range r.ahead {
			if len(h.Values) == shownValues {
				break
			}
			if i >= len(row.Cells) || row.Cells[i] == "" {
				continue
			}
			if s := texts.Clip(row.Cells[i], longestShown); !slices.Contains(h.Values, s) {
				h.Values = append(h.Values, s)
			}
		}
		r.roll.headings = append(r.roll.headings, h)
	}
}

// Group is what is equal of several lines.
type Group struct {
	Problem
	Lines []int // the first, at most shownLines
	Count int   // of all lines
}

// shownLines is how many lines of a group are named.
const shownLines = 20

// Groups are problems without those that ask or say the same as an earlier one.
func Groups(all []Problem) (groups []Group) {
	type key struct{ column, question, message string }
	at := map[key]int{}
	for _, p := range all {
		k := key{p.Column, p.Question, p.Message}
		i, known := at[k]
		if !known {
			i = len(groups)
			at[k] = i
			groups = append(groups, Group{Problem: p})
		}
		g := &groups[i]
		if g.Count++; len(g.Lines) < shownLines {
			g.Lines = append(g.Lines, p.Line)
		}
	}
	return groups
}
