package rentroll

import (
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// MaxProblems is how many problems are listed. Where there are more, one more entry
// says how many, at the line of the first of them.
const MaxProblems = 1000

// Problem is what keeps a rent roll from being imported. Line counts from 1, the
// line of the column names. Column is the column's name, or "" where the whole
// line is at fault. Message is a sentence for the person who wrote the file.
type Problem struct {
	Line    int    `json:"line"`
	Column  string `json:"column"`
	Message string `json:"message"`
	Ask
}

// String is the problem in one line: line 3, state: "Texas" is not …
func (f Problem) String() string {
	if f.Column == "" {
		return fmt.Sprintf("line %d: %s", f.Line, f.Message)
	}
	return fmt.Sprintf("line %d, %s: %s", f.Line, f.Column, f.Message)
}

// problems are the listed ones and the number of those beyond.
type problems struct {
	listed []Problem
	more   int
	beyond int // line of the first that is not listed
}

func (f *problems) add(line int, column, message string, ask Ask) {
	if len(f.listed) < MaxProblems {
		f.listed = append(f.listed, Problem{line, column, message, ask})
		return
	}
	if f.more == 0 {
		f.beyond = line
	}
	f.more++
}

// all are the problems by line.
func (f *problems) all() []Problem {
	all := slices.Clone(f.listed)
	slices.SortStableFunc(all, func(a, b Problem) int { return a.Line - b.Line })
	if f.more > 0 {
		all = append(all, Problem{Line: f.beyond, Message: fmt.Sprintf(
			"From here on there are %d more problems, which are not listed.", f.more)})
	}
	return all
}

// quote shows a value in a message, shortened.
func quote(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "…"
	}
	return strconv.Quote(s)
}
