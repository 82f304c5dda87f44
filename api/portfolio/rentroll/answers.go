package rentroll

import (
	"slices"

	"portal/api/portfolio/rentroll/cell"
	"portal/api/texts"
)

// Answers are what a person has said of a file that cannot be known from it: the Fields that its columns hold, by their
// index from 0, "" for one that is left out; and the address of the lines that name none. Without a Street there is no
// address. The zero value is no answer.
type Answers struct {
	Columns    map[int]string `json:"columns,omitempty"`
	Street     string         `json:"street,omitempty"`
	City       string         `json:"city,omitempty"`
	State      string         `json:"state,omitempty"` // USPS code
	PostalCode string         `json:"postal_code,omitempty"`
}

// Fields are what a column of a file may hold, by the names that Answers have.
func Fields() []string { return columnNames[:] }

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

// answered is the column that somebody has said that a column of the file is, if anybody has.
func (r *reader) answered(i int) (c column, answered bool) {
	field, answered := r.answers.Columns[i]
	if at := slices.Index(columnNames[:], field); at >= 0 {
		return column(at), answered
	}
	return unknown, answered
}

// place is the address that somebody has given for lines without one.
func (a *Answers) place() cell.Address {
	return cell.Address{Street: a.Street, City: a.City, State: a.State, PostalCode: a.PostalCode}
}
