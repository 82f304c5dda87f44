// Package property draws the pages of imports of rent rolls.
//
// It knows nothing of requests, records or rules, nor of other sections’ pages.
package property

import (
	"strings"

	"portal/views/kit"
)

// Imports is where a rent roll is uploaded.
type Imports struct {
	kit.Frame
	Form    kit.Form
	Columns []RollColumn
	Sample  string     // address of a file to begin with
	Exports []kit.Link // downloads of the rent roll of the portfolio
	Earlier []ImportLine
}

// RollColumn is a column of a rent roll.
type RollColumn struct {
	Name    string
	Needed  bool
	Words   string
	Example string
}

// ImportLine is an upload in a list.
type ImportLine struct {
	Path     string
	Name     string
	State    kit.Status
	Units    string // that were imported, "" for none
	Uploaded kit.Time
}

// Import is the page of one upload: what would come of it, how far it is, or what came of
// it.
type Import struct {
	kit.Frame
	ImportLine
	Back kit.Link
	Size string

	Totals       []RollTotal
	Limit        string         // how many units there may be, "" for any number
	Over         bool           // there would be more
	Asked        string         // what was asked for already, "" where nothing is open
	Ask          string         // address that asks for more units, "" where that is not needed
	Wanted       string         // how many are asked for
	Kept         kit.Time       // until when the file is kept that waits for units
	Columns      kit.Form       // what the columns of the file hold; without a path there is none
	Asks         kit.Form       // where the questions are answered, with what is wrong with the answers
	Questions    []RollQuestion // what is wrong; or, where nothing is, what could mean something else
	Answers      []RollAnswer   // what somebody has said
	MoreAnswers  string         // how many there are besides, "" for none
	Notes        []RollProblem  // what else is to be known, such as what was left out
	MoreNotes    string
	Lines        []RollLine
	Plan         kit.Link  // to all lines
	ProblemCount string    // how many problems keep it from being imported, with the verb; "" for none
	Pages        kit.Pages // of the questions
	Refused      bool      // an import was tried and wrote nothing
	Partly       string    // what an import had written that did not come to its end, "" for nothing
	Why          string    // what a rule of a record has said against it, "" for nothing
	Remembered   bool      // the columns are read as those of an earlier file
	Nothing      bool      // an import would do nothing
	Same         string    // how many lines say what the portfolio has, "" for none
	Missing      string    // how many units of the properties are not in the file, "" for none
	Change       string    // address that takes the ticks
	Changes      []RollChanges
	AllChanges   kit.Link // to those that are not shown, without a path where all are
	Looked       kit.Time // when it was looked through
	Confirm      string   // address that imports it, "" where that is not possible
	Seen         string   // names what is imported: the file as it was read last
	Check        string
	Discard      string
	Form         kit.Form // for another file

	Running          bool
	Written, Records int

	Done     bool
	Finished kit.Time
}

// RollTotal is how many records of a kind there are.
type RollTotal struct{ Name, Number, Path string }

// rollTerms are the counts as facts in a row.
func rollTerms(all []RollTotal) []kit.Term {
	terms := make([]kit.Term, len(all))
	for i, t := range all {
		terms[i] = kit.Term{Name: t.Name, Text: t.Number, Path: t.Path}
	}
	return terms
}

// RollLine is what a line of the file makes.
type RollLine struct {
	Line    string
	Address string
	New     bool // its property is a new one
	Same    bool // it brings neither a unit nor a lease
	Tenant  string
	Lease   string
	Rent    string
	Balance string // that is brought forward, "" for none
}

// RollChanges are changes of records of a kind.
type RollChanges struct {
	Title, About string
	All          string // the value of the box that ticks all, "" for none
	AllOf        string // its label
	Chosen       bool   // all are ticked
	Each         []RollChange
	More         string // how many are not shown, "" for none
}

// RollChange is what changes of a record.
type RollChange struct {
	Name    string // the value of its box
	Address string
	Tenant  string
	Fields  []string // what was and what will be
	Why     string   // it cannot be made, "" where it can
	Ticked  bool
}

// RollQuestion is what equal lines of a file ask.
type RollQuestion struct {
	Lines   string
	Column  string // "" for the whole line
	Message string
	Value   string      // what the file has there, "" where the message says it
	Fields  []kit.Field // to answer it, none where only another file helps
	Instead string      // what to do where there are none
	Open    bool        // something was typed into a field, or is wrong with it
}

// RollAnswer is what somebody has said of a file.
type RollAnswer struct {
	About string // what was asked
	Said  string
	Name  string // of the button that takes it back
}

// RollPlan is all lines of what an import would write.
type RollPlan struct {
	kit.Frame
	Name    string // of the file
	Back    kit.Link
	Totals  []RollTotal
	Filters kit.Filters
	Lines   []RollLine
	Pages   kit.Pages
}

// RollAllChanges is the page of the changes of an import.
type RollAllChanges struct {
	kit.Frame
	Name   string // of the file
	Back   kit.Link
	Change string // address that takes the ticks
	After  string // the cursor of the page
	Groups []RollChanges
	Pages  kit.Pages
	More   string // how many are not kept one by one, "" for none
}

// RollProblem is what is wrong with a line.
type RollProblem struct{ Line, Column, Message string }

// shownChanges are the names of the boxes that a form has, in one text: what is not ticked is not sent.
func shownChanges(groups []RollChanges) string {
	var all []string
	for i := range groups {
		g := &groups[i]
		all = append(all, g.All)
		for at := range g.Each {
			if c := &g.Each[at]; c.Why == "" && !g.Chosen {
				all = append(all, c.Name)
			}
		}
	}
	return strings.Join(all, " ")
}
