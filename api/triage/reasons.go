package triage

import (
	"slices"
	"strings"
)

// How much a verdict tells of its reasons: with more, the largest preview of a ticket would
// not fit into what an assistant is sent at most.
const (
	mostReasons = 8
	mostMatched = 76 // characters
)

func (p *page) flags() []string {
	flags := []string{}
	for _, f := range p.fired {
		if f.cancel == 0 && f.rule.danger {
			flags = append(flags, f.rule.name)
		}
	}
	slices.Sort(flags)
	return slices.Compact(flags)
}

// reasons names the rules that spoke, by weight, and then what the text is about.
func (p *page) reasons(category string) []Reason {
	all := []Reason{}
	for l := range slices.Backward(Priorities) {
		for _, f := range p.fired {
			if f.cancel == 0 && f.rule.level == l {
				all = append(all, Reason{Priorities[l] + "." + f.rule.name, p.words(f.from, f.to)})
			}
		}
	}
	for _, f := range p.fired {
		if f.cancel != 0 {
			all = append(all, Reason{taken(f.cancel) + "." + f.rule.name, p.words(f.from, f.to)})
		}
	}
	for _, h := range p.hits {
		if trade := p.x.trade(h.concept); trade >= 0 && Categories[trade] == category {
			all = append(all, Reason{"word." + p.x.name(h.concept), p.words(h.from, h.to)})
		}
	}
	return distinct(all)
}

func taken(cancel uint8) string {
	switch {
	case cancel&resolved != 0:
		return "resolved"
	case cancel&supposed != 0:
		return "supposed"
	case cancel&elsewhere != 0:
		return "elsewhere"
	}
	return "denied"
}

func distinct(all []Reason) []Reason {
	out := all[:0]
	for _, r := range all {
		known := slices.ContainsFunc(out, func(o Reason) bool {
			return o.Rule == r.Rule || strings.HasPrefix(r.Rule, "word.") && o.Matched == r.Matched
		})
		if !known && len(out) < mostReasons {
			out = append(out, r)
		}
	}
	return out
}
