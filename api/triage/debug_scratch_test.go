package triage

import (
	"fmt"
	"os"
	"testing"
)

func TestDebug(t *testing.T) {
	x := reading()
	for _, text := range []string{os.Getenv("T")} {
		p := x.words.read(text)
		p.apply(x.rules)
		for i, k := range p.tokens {
			l := "-"
			if k.lemma >= 0 {
				l = x.words.words[k.lemma]
			}
			fmt.Printf("%d:%s/%s/%d ", i, k.word, l, k.cancel)
		}
		fmt.Println()
		for _, h := range p.hits {
			fmt.Printf("%s[%d,%d) ", x.words.concepts[h.concept].name, h.from, h.to)
		}
		fmt.Println()
		for _, f := range p.fired {
			fmt.Printf("%s.%s %q %d; ", Priorities[f.rule.level], f.rule.name, p.words(f.from, f.to), f.cancel)
		}
		v := BuiltIn().judge(p)
		fmt.Println(v)
	}
}
