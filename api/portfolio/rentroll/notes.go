package rentroll

import (
	"fmt"
	"slices"
)

// Note is what a person who imports a file should know: what was left out, or how something was understood.
type Note struct {
	Line    int    `json:"line"`
	Column  string `json:"column"`
	Message string `json:"message"`
	Guess   bool   `json:"guess"` // it could mean something else, and is imported once somebody has agreed
	Ask
}

// String is the note in one line.
func (n Note) String() string {
	return Problem{Line: n.Line, Column: n.Column, Message: n.Message}.String()
}

// notes are the listed ones and the number of those beyond.
type notes struct {
	listed []Note
	more   int
	guess  bool // of those beyond
}

func (n *notes) add(note Note) {
	if len(n.listed) < MaxProblems {
		n.listed = append(n.listed, note)
		return
	}
	n.more++
	n.guess = n.guess || note.Guess
}

// guess notes how something was understood that could mean something else.
func (r *reader) guess(line int, column, format string, args ...any) {
	r.notes.add(Note{Line: line, Column: column, Message: fmt.Sprintf(format, args...), Guess: true})
}

// guessAt notes how a value of the present line was understood that could mean something else, unless somebody has
// said it: the answer tells what it means wherever it stands.
func (r *reader) guessAt(c column, format string, args ...any) {
	if r.entry.said.has(r.source(c)) {
		return
	}
	r.notes.add(Note{
		Line:    r.at,
		Column:  r.nameOf(r.source(c)),
		Message: fmt.Sprintf(format, args...),
		Guess:   true,
		Ask:     r.askValue(c),
	})
}

// Notes are what is to be known of the file before it is imported, in the order in which it was read.
func (r *Roll) Notes() []Note {
	all := slices.Clip(r.notes.listed)
	if r.notes.more > 0 {
		all = append(all, Note{
			Message: fmt.Sprintf("There are %d more notes, which are not listed.", r.notes.more),
			Guess:   r.notes.guess,
		})
	}
	return all
}

// Guesses reports whether anything was understood that could mean something else.
func (r *Roll) Guesses() bool {
	for i := range r.notes.listed {
		if r.notes.listed[i].Guess {
			return true
		}
	}
	return r.notes.guess
}
