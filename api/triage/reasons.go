package triage

import (
	"cmp"
	"slices"
	"strings"
)

// How much a verdict tells of its reasons: with more, the largest preview of a ticket would
// not fit into what an assistant is sent at most.
const (
	mostReasons = 8
	mostMatched = 76 // characters
)

// flags are the dangers that were recognized and that are as urgent as the rubric has them: what the
// judgment holds to be less urgent than a rule does is not the danger that the rule looks for.
func (p *page) flags(decided int) []string {
	flags := []string{}
	for _, f := range p.fired {
		if f.counts() && !f.outweighed && f.rule.danger && f.rule.level <= decided {
			flags = append(flags, f.rule.name)
		}
	}
	slices.Sort(flags)
	return slices.Compact(flags)
}

// The kinds of reasons that did not decide: what a rule found besides what is more urgent, and what
// it would have more urgent than the text as a whole.
const (
	besides    = "besides"
	outweighed = "outweighed"
)

// reasons names the rules that spoke: those that say what was decided, those that were outweighed
// or are less urgent, those that the text takes back, and then what the text is about.
func (p *page) reasons(category string, decided int) []Reason {
	var agree, above, below, back []Reason
	fired := slices.SortedStableFunc(slices.Values(p.fired), func(a, b firing) int {
		return cmp.Compare(b.rule.level, a.rule.level)
	})
	for _, f := range fired {
		name, matched := "."+f.rule.name, p.words(f.from, f.to)
		switch {
		case f.harmless:
		case f.cancel != 0:
			back = append(back, Reason{taken(f.cancel) + name, matched})
		case f.outweighed:
			above = append(above, Reason{outweighed + name, matched})
		case f.rule.level == decided, f.rule.level == 3 && decided == 2 && !f.rule.doubt:
			// It asks for that priority, or it is a sure rule of emergencies that raised to high what it
			// could not make one.
			agree = append(agree, Reason{Priorities[decided] + name, matched})
		case f.rule.level > decided:
			above = append(above, Reason{outweighed + name, matched})
		case f.rule.level >= 0:
			below = append(below, Reason{besides + name, matched})
		}
	}
	all := slices.Concat(agree, above, below, back)
	for _, h := range p.hits {
		if trade := p.x.trade(h.concept); trade >= 0 && Categories[trade] == category {
			all = append(all, Reason{"word." + p.x.name(h.concept), p.words(h.from, h.to)})
		}
	}
	return distinct(all)
}

// Reworded are the reasons of a verdict where another opinion decides on a priority: what speaks for
// a higher one is outweighed, what speaks for a lower one stands besides.
func Reworded(all []Reason, priority string) []Reason {
	decided := slices.Index(Priorities, priority)
	out := slices.Clone(all)
	for i, r := range out {
		kind, rule, _ := strings.Cut(r.Rule, ".")
		switch level := slices.Index(Priorities, kind); {
		case level < 0 || level == decided:
		case level > decided:
			out[i].Rule = outweighed + "." + rule
		default:
			out[i].Rule = besides + "." + rule
		}
	}
	return out
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
	out := []Reason{}
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
