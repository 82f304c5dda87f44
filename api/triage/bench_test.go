package triage

import (
	"os"
	"strings"
	"testing"
)

const usual = "Hi, this is Anna from unit 12. Since last night watter is driping from the ceiling in the bathroom " +
	"and the " +
	"light flickers when I turn it on. I put a bucket under it but it fills quickly. Please send someone."

// BenchmarkTriage compares a usual message and the longest one with what they cost without
// the repair of typos, and with the simplest thing that could look for words.
func BenchmarkTriage(b *testing.B) {
	texts, err := readSource(os.DirFS("."))
	if err != nil {
		b.Fatal(err)
	}
	plain := *BuiltIn()
	words := *plain.words
	words.repair = nil
	plain.words = &words
	for name, text := range map[string]string{"200": usual, "10000": strings.Repeat(usual+" ", 51)[:10_000]} {
		for what, c := range map[string]Classifier{"whole": BuiltIn(), "no repair": &plain, "contains": naive{texts}} {
			b.Run(name+"/"+what, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					c.Triage(text)
				}
			})
		}
	}
}

// naive looks for each term of the lexicon in turn.
type naive struct{ *source }

func (n naive) Triage(text string) (v Verdict) {
	text = strings.ToLower(text)
	for _, c := range n.concepts {
		for _, term := range c.terms {
			if strings.Contains(text, term) {
				v.Reasons = append(v.Reasons, Reason{c.name, term})
			}
		}
	}
	return v
}
