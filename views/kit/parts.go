package kit

import "strings"

// Heading is the title of a page.
type Heading struct {
	Title  string
	About  string // a sentence, "" for none
	Back   Link   // the page above this one, where there is one
	Status Status // of a record, beside its title
	Code   bool   // the title is a name that programs use
}

// Tone says how something stands. It gives the sign and the colour; the word beside
// it says the same.
type Tone string

// The tones.
const (
	Done    Tone = "done"    // as it should be, finished
	Waiting Tone = "waiting" // on its way
	Idle    Tone = "idle"    // nothing is to come of it
	Warned  Tone = "warned"  // somebody should look
	Failed  Tone = "failed"  // went wrong
)

// role is how a notice of the tone is told to somebody who cannot see.
func (t Tone) role() string {
	if t == Failed {
		return "alert"
	}
	return "status"
}

// class is that of the colors of the tone.
func (t Tone) class() string {
	return classes[t]
}

var classes = map[Tone]string{Done: "ok", Waiting: "info", Warned: "warn", Failed: "bad"}

// icon is the sign of the tone.
func (t Tone) icon() string {
	if name, known := icons[t]; known {
		return name
	}
	return "circle-dashed"
}

var icons = map[Tone]string{
	Done:    "circle-check",
	Waiting: "clock",
	Idle:    "circle-dashed",
	Warned:  "triangle-alert",
	Failed:  "circle-x",
}

// noticeIcon is the sign of a notice of the tone.
func (t Tone) noticeIcon() string {
	if t == Waiting || t == Idle {
		return "info"
	}
	return t.icon()
}

// Status is how something stands, in a word.
type Status struct {
	Tone Tone
	Text string
	Icon string // by its name in the sprite, "" for that of the tone
}

// icon is the sign before the word.
func (s Status) icon() string {
	if s.Icon != "" {
		return s.Icon
	}
	return s.Tone.icon()
}

// Toast is what was just done.
type Toast struct {
	Tone Tone
	Text string
}

// Time is a moment as its reader wants it. Where ISO is "", the others are a word that
// says why there is none.
type Time struct {
	ISO   string // UTC
	Text  string // to the second, in the reader's zone
	Ago   string // how long ago it was
	Short string // to the minute, without the year where it is this one
	Clock string // to the second, as short
}

// Secret is what is shown this one time.
type Secret struct {
	Title string
	Value string
	Words string // that it is not shown again, and what to do with it
}

// Moment is one of several things that happened.
type Moment struct {
	ID     string // that the address of the page leads to, "" for none
	Title  string
	Status Status
	Time   Time
}

// Step is one of several things to do.
type Step struct {
	Title  string
	Words  string
	Done   bool
	Now    bool // is the next one
	Action Link // how to do it

	Command CommandText // that does it, for a terminal; none without a text
}

// CommandText is a sample for a terminal.
type CommandText struct{ Caption, Text string }

// class is that of the mark beside the step.
func (s Step) class() string {
	switch {
	case s.Done:
		return "ok"
	case s.Now:
		return "on"
	}
	return ""
}

// NoticeContent is a notice on a page: what happened, and what happens or is to do next.
type NoticeContent struct {
	Tone   Tone
	Title  string // "" for none
	Words  string // "" for none
	Action Action // about it
}

// menuClass is the look of an entry of a menu.
func menuClass(a Action) string {
	if a.Bad {
		return "bad"
	}
	return ""
}

// slug is a name as a part of an address within a page.
func slug(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r == ' ':
			return '-'
		}
		return -1
	}, strings.ToLower(name))
}

// Definition is a name and what it means.
type Definition struct{ Name, What string }
