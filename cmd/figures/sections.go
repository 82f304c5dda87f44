package main

import (
	_ "embed"
	"strings"
)

// section is a part of the page. Its prose is the template of its name.
type section struct {
	name     string // what -only takes
	commands []string
	figures  []figures
}

// figures are units of a benchmark that its section needs.
type figures struct {
	benchmark string // {db} in it stands for both databases
	units     string // with spaces between them
}

// databases are what {db} stands for in the name of a benchmark, or one empty text without it.
func databases(benchmark string) []string {
	if strings.Contains(benchmark, "{db}") {
		return []string{"sqlite", "postgres"}
	}
	return []string{""}
}

func inDatabase(benchmark, db string) string { return strings.ReplaceAll(benchmark, "{db}", db) }

func ofPostgres(name string) bool { return strings.Contains(name, "/postgres") }

// declared are the names of the figures of the section, as they are reported.
func (s section) declared() (names []string) {
	for _, f := range s.figures {
		for _, db := range databases(f.benchmark) {
			for unit := range strings.FieldsSeq(f.units) {
				names = append(names, inDatabase(f.benchmark, db)+" "+unit)
			}
		}
	}
	return names
}

// sectionsText has the sections of the page in its order, each with its name in brackets, its commands behind a dollar
// sign, and its figures: a benchmark, a colon, and the units, behind the name of a group of pages where they are one.
// On two cores all commands take some 15 minutes.
//
//go:embed sections.txt
var sectionsText string

// pageGroups are the pages that share a row of the table, as the benchmark names their figures.
var pageGroups = map[string]string{}

var sections = readSections(sectionsText)

func readSections(text string) (all []section) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		command, isCommand := strings.CutPrefix(line, "$ ")
		benchmark, units, isFigure := strings.Cut(line, ": ")
		switch {
		case strings.HasPrefix(line, "["):
			all = append(all, section{name: strings.Trim(line, "[]")})
		case isCommand:
			s := &all[len(all)-1]
			s.commands = append(s.commands, command)
		case isFigure:
			if group, of, is := strings.Cut(units, " = "); is {
				units, pageGroups[group] = of, of
			}
			s := &all[len(all)-1]
			s.figures = append(s.figures, figures{benchmark, units})
		}
	}
	return all
}
