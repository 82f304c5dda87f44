package main

import (
	"embed"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"portal/api/triage"
)

// A danger is told beside trifles: after small things, within a friendly letter, as an item of a
// list. What stands around it must neither hide it nor make an emergency of what is none.

//go:embed frames
var frameFiles embed.FS

// frame is a way to stand among other things: its texts have {} where a message goes.
type frame struct {
	name  string
	texts []string
}

// framesOf reads a file of frames: a name in brackets and then a text a line, with \n for a new line.
func framesOf(file string) (all []frame) {
	text, err := frameFiles.ReadFile("frames/" + file + ".txt")
	if err != nil {
		panic(err) // it is part of the program
	}
	for line := range strings.Lines(string(text)) {
		line = strings.ReplaceAll(strings.TrimSpace(line), `\n`, "\n")
		switch {
		case line == "":
		case line[0] == '[' && !strings.Contains(line, "{}"):
			all = append(all, frame{name: strings.Trim(line, "[]")})
		default:
			f := &all[len(all)-1]
			f.texts = append(f.texts, line)
		}
	}
	return all
}

// around puts a message into one of the texts of a frame, which are taken in turn. Inside of a sentence a message
// loses its last stop.
func (f frame) around(n int, message string) string {
	before, after, _ := strings.Cut(f.texts[n%len(f.texts)], "{}")
	if strings.IndexByte(",;", (after + " ")[0]) >= 0 || strings.HasPrefix(after, " y ") {
		message = strings.TrimRight(message, ".! ")
	}
	return before + message + after
}

// framed judges one of step held messages within a frame.
func framed(folder string, f frame, step int) (t tally, err error) {
	for _, name := range held {
		all, err := read(filepath.Join(folder, name))
		if err != nil {
			return t, err
		}
		for i := 0; i < len(all); i += step {
			s := all[i]
			s.text = f.around(i/step, s.text)
			t.count(s, triage.BuiltIn().Triage(s.text))
		}
	}
	return t, nil
}

// ofKind is how the messages of a kind are judged.
type ofKind struct {
	kind string
	tally
}

// alarming judges the messages of everyday by their kinds.
func alarming(folder string) (kinds []ofKind, err error) {
	all, err := read(filepath.Join(folder, everyday))
	for _, s := range all {
		if n := len(kinds); n == 0 || kinds[n-1].kind != s.source {
			kinds = append(kinds, ofKind{kind: s.source})
		}
		kinds[len(kinds)-1].count(s, triage.BuiltIn().Triage(s.text))
	}
	return kinds, err
}

// frames prints how well the held messages are judged beside trifles, and what only sounds alarming.
func frames(out io.Writer) error {
	for _, f := range append([]frame{{"alone", []string{"{}"}}}, framesOf("measured")...) {
		t, err := framed(folder, f, 1)
		if err != nil {
			return err
		}
		t.print(out, f.name)
	}
	kinds, err := alarming(folder)
	for _, k := range kinds {
		k.print(out, k.kind)
	}
	return err
}

// saying is what tenants write beside what they write for.
type saying struct{ openings, closings, trifles []string }

// trifles are those of the file and the short ones among the messages that can wait.
func trifles(all []sample) (s saying) {
	for _, f := range framesOf("learnt") {
		switch f.name {
		case "opening":
			s.openings = f.texts
		case "closing":
			s.closings = f.texts
		case "trifle":
			s.trifles = f.texts
		}
	}
	for _, m := range all {
		lower := strings.ToLower(m.text)
		takesBack := slices.ContainsFunc(takenBack, func(w string) bool { return strings.Contains(lower, w) })
		if m.priority == 0 && !takesBack && len(m.text) < 70 {
			s.trifles = append(s.trifles, strings.TrimRight(m.text, "."))
		}
	}
	return s
}

// takenBack are in messages that may take back what stands beside them.
var takenBack = strings.Fields("fix cancel ignor disregard mind alarm solved thank works worked working repaired " +
	"replaced back done arregl gracias quedó qued ya resuel olvid falsa last year pasado test prueba no_longer stopped")

// around puts a message among small things: in a list, in a letter, or in a row.
func (s saying) around(message string, dice *rand.Rand) string {
	pick := func(of []string) string { return of[dice.IntN(len(of))] }
	sentence := func() string {
		t := pick(s.trifles)
		if dice.IntN(2) == 0 {
			t = strings.ToUpper(t[:1]) + t[1:]
		}
		return t
	}
	switch dice.IntN(6) {
	case 0:
		return pick(s.openings) + " " + message + " " + pick(s.closings)
	case 1:
		return pick(s.openings) + "\n\n" + sentence() + ".\n" + message + "\n\n" + pick(s.closings)
	case 2:
		return sentence() + ". " + sentence() + ". " + message
	case 3:
		first, second := strings.TrimRight(sentence(), "?! "), strings.TrimRight(pick(s.trifles), "?! ")
		return first + ", " + second + ", " + strings.TrimRight(message, ".! ")
	case 4:
		return message + " " + sentence() + ". " + sentence() + "."
	}
	return s.list(message, dice, sentence)
}

// marks are what stands before the items of a list, %d for a number.
var marks = []string{"- ", "* ", "%d. ", "%d) ", "(%d) ", "#%d "}

// list makes a message an item of a list.
func (s saying) list(message string, dice *rand.Rand, item func() string) string {
	mark, end := marks[dice.IntN(len(marks))], "\n"
	if dice.IntN(3) == 0 {
		end = " "
	}
	n, at := 3+dice.IntN(2), dice.IntN(3)
	var out strings.Builder
	for i := range n {
		text := message
		if i != at {
			text = item()
		}
		out.WriteString(strings.ReplaceAll(mark, "%d", strconv.Itoa(i+1)) + text + end)
	}
	return out.String()
}
