package operation

import (
	"slices"
	"unicode/utf8"

	"portal/api/change"
	"portal/api/strictjson"
)

// displayed is a record that people know by a name or an address. What was written outside
// the account stands in quotes in the name, so that it cannot pass for the sentence around
// it, and outside tells that there is such a part.
type displayed interface {
	DisplayName() (name string, outside bool)
}

// summarize says which record would change, and each change with both values, so that a
// person can say yes to it (docs/assistants.md). A value has at most so many characters.
func (p *Preview) summarize(noun string, w change.Outcome, most int) {
	p.parts, p.Summary = nil, ""
	verb, record, isNew := "Would change ", w.Earlier(), w.Earlier() == nil
	switch {
	case isNew:
		verb, record = "Would create ", w.Shown()
	case !p.WouldChange:
		verb = "Would change nothing of "
	}
	p.say(verb + "the " + noun)
	if d, is := record.(displayed); is {
		p.say(" ")
		p.parts = append(p.parts, partOf(d.DisplayName()))
	}
	next := ": "
	for _, c := range p.Changes {
		if isNew && c.To.empty() {
			continue
		}
		p.say(next + c.Field)
		if !isNew {
			p.say(" from ")
			p.parts = append(p.parts, part{c.From.quoted(most), c.outside})
			p.say(" to")
		}
		p.say(" ")
		p.parts = append(p.parts, part{c.To.quoted(most), c.outside})
		next = ", "
	}
	p.say(".")
	for _, part := range p.parts {
		p.Summary += part.text
	}
}

// say adds words of our own.
func (p *Preview) say(text string) { p.parts = append(p.parts, part{text: text}) }

func partOf(text string, outside bool) part { return part{text, outside} }

// outsiders is how many parts of a summary come from outside the account.
func (p *Preview) outsiders() (n int) {
	if p == nil {
		return 0
	}
	for _, part := range p.parts {
		if part.outside {
			n++
		}
	}
	return n
}

// empty reports whether the value says nothing.
func (r Raw) empty() bool { return string(r) == "null" || string(r) == "[]" || len(r) == 0 }

// quoted is a value in a sentence, shortened to so many characters and perhaps its quotes.
func (r Raw) quoted(most int) string {
	j, err := strictjson.Parse(r)
	switch {
	case err != nil:
		return string(r)
	case j.Kind == strictjson.Text:
		return string(strictjson.AppendString(nil, clipTo(most, j.Text)))
	}
	return clipTo(most, string(appendQuoted(nil, &j)))
}

// appendQuoted appends a value as a person reads it: members without their braces, and no
// members that every record has or that say nothing.
func appendQuoted(b []byte, j *strictjson.Value) []byte {
	switch j.Kind {
	case strictjson.Null:
		return append(b, "nothing"...)
	case strictjson.Text:
		return strictjson.AppendString(b, j.Text)
	case strictjson.Array:
		return appendJoined(append(b, '['), ']', j.Items, appendQuoted)
	case strictjson.Object:
		said := slices.DeleteFunc(slices.Clone(j.Members), func(m strictjson.Member) bool {
			return m.Kind == strictjson.Null || m.Kind != strictjson.Object && slices.Contains(kept, m.Name)
		})
		return appendJoined(append(b, '('), ')', said, func(b []byte, m *strictjson.Member) []byte {
			return appendQuoted(append(b, m.Name+" "...), &m.Value)
		})
	}
	return append(b, j.Text...)
}

// appendJoined appends the parts with commas between them, and what ends them.
func appendJoined[T any](b []byte, end byte, parts []T, add func([]byte, *T) []byte) []byte {
	for i := range parts {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = add(b, &parts[i])
	}
	return append(b, end)
}

// clipTo shortens a text to so many characters.
func clipTo(most int, s string) string {
	if len(s) <= most || utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most-1]) + "…"
}
