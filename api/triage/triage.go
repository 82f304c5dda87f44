// Package triage tells from a ticket's text which trade must come and how soon.
//
// It works offline and always gives the same answer to the same text. A wide lexicon in
// English and Spanish turns words into concepts, a small neural network judges them, and a safety
// layer of rules raises the priority where the text tells of a danger. It knows nothing of
// tickets, people, HTTP or databases, and instructions inside a text change nothing.
package triage

import (
	_ "embed"
	"sync"
)

// The four priorities, from RUBRIC: what can wait longest comes first.
const (
	Low       = "low"
	Normal    = "normal"
	High      = "high"
	Emergency = "emergency"
)

// Priorities lists the priorities from the lowest to the highest.
var Priorities = []string{Low, Normal, High, Emergency}

// Categories lists the eleven trades in the order of the model's classes.
var Categories = []string{
	"plumbing", "electrical", "hvac", "appliance", "pest", "structural",
	"locks_security", "life_safety", "mold_moisture", "common_area", "general",
}

// Verdict is what triage makes of a ticket's text.
type Verdict struct {
	Category     string   // one of Categories
	Priority     string   // one of Priorities
	Confidence   float64  // 0 to 0.98, rounded to two decimals
	NeedsReview  bool     // the confidence is below what can be relied on, see ReviewBelow
	SafetyFlags  []string // dangers that Priority is high enough for, sorted, never nil, such as gas
	Reasons      []Reason // the rules that spoke, the weightiest first, at most 8, never nil
	Source       string   // built_in
	ModelVersion string   // such as 2026-11

	floor string
}

// Reason is a rule that spoke, and the words of the text that made it speak, as they are
// written there and at most 76 characters of them. The rule's name begins with what became of it:
// the priority that was decided; outweighed or besides where it asks for a higher or a lower one;
// denied, resolved, supposed or elsewhere where the text takes it back; or word.
type Reason struct{ Rule, Matched string }

// Classifier is what judges a text: this package's model, or another in its place.
type Classifier interface {
	Triage(text string) Verdict
}

// Floor is the priority that the safety layer demands, as far as the model bears it out, low
// where it said nothing. An answer from elsewhere is raised to it and never lowered.
func (v Verdict) Floor() string {
	if v.floor == "" {
		return Low
	}
	return v.floor
}

//go:embed model.bin
var modelFile string

// Model judges texts. It is never changed after it is made, so that any number of
// goroutines may use it.
type Model struct {
	words   *lexicon
	rules   *rules
	network *network
}

var builtIn = sync.OnceValue(func() *Model { return must(New(modelFile)) })

// BuiltIn is the model that stands in the program. Its tables are read where they stand.
func BuiltIn() *Model { return builtIn() }

// New makes a model of the embedded tables and of a network as Trained writes it.
func New(file string) (*Model, error) {
	n, err := decode(file)
	if err != nil {
		return nil, err
	}
	x := reading()
	return &Model{words: x.words, rules: x.rules, network: n}, nil
}

func must[T any](v T, err error) T {
	if err != nil {
		panic("triage: what is embedded does not parse: " + err.Error())
	}
	return v
}

// Triage implements Classifier. It reads the first 20,000 bytes of a text.
func (m *Model) Triage(text string) Verdict {
	return m.judge(m.open(text))
}

// EmergencyShare is how likely the model holds a text to tell of an emergency, 0 to 1: for
// those who measure it at another threshold than that of its costs.
func (m *Model) EmergencyShare(text string) float64 {
	return m.weigh(m.open(text)).priority[3]
}

// open reads a text.
func (m *Model) open(text string) *page {
	p := m.words.read(text)
	p.apply(m.rules)
	p.withoutOtherSense(m.rules)
	return p
}
