package main

import (
	"embed"
	"io"
	"path/filepath"
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

// alarming judges the messages that only sound alarming, by their kinds.
func alarming(folder string) (kinds []ofKind, err error) {
	for _, name := range sounding {
		all, err := read(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		for _, s := range all {
			if n := len(kinds); n == 0 || kinds[n-1].kind != s.source {
				kinds = append(kinds, ofKind{kind: s.source})
			}
			kinds[len(kinds)-1].count(s, triage.BuiltIn().Triage(s.text))
		}
	}
	return kinds, nil
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
