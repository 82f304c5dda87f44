package triage

import (
	"math"
	"slices"
	"strings"
)

const mostReasons = 8

// judge puts the model's answer and the safety layer's together.
func (m *Model) judge(p *page) Verdict {
	v := Verdict{Source: "built_in", ModelVersion: m.weights.Version, SafetyFlags: []string{}, Reasons: []Reason{}}
	var scores [Classes]float64
	for c, s := range m.weights.score(p.features()) {
		scores[c] = float64(s) / Scale
	}
	var shares [Classes]float64
	Softmax(scores[:11], shares[:11])
	Softmax(scores[11:], shares[11:])
	v.Category = Categories[m.category(p, shares[:11])]
	floor := p.floor()
	l := m.priority(p, shares[11:])
	v.floor = Priorities[floor]
	v.Priority = Priorities[max(floor, l)]
	v.SafetyFlags = p.flags()
	v.Reasons = p.reasons(v.Category)
	sure := shares[11+l]
	if floor > l {
		sure = max(0.6, shares[11+floor])
	}
	v.Confidence = math.Round(math.Min(slices.Max(shares[:11]), sure)*100) / 100
	return v
}

func (m *Model) category(p *page, shares []float64) int {
	if len(p.hits) == 0 {
		return len(Categories) - 1
	}
	return slices.Index(shares, slices.Max(shares))
}

// afraid is the share of an emergency from which a ticket is never less than high.
const afraid = 0.12

func (m *Model) priority(p *page, shares []float64) int {
	if len(p.tokens) == 0 {
		return 0
	}
	l := slices.Index(shares, slices.Max(shares))
	if l < 2 && shares[3] >= afraid {
		return 2
	}
	return l
}

// floor is what the rules that count demand.
func (p *page) floor() (l int) {
	for _, f := range p.fired {
		if f.cancel == 0 && f.rule.floor {
			l = max(l, f.rule.level)
		}
	}
	return l
}

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
	for l := len(Priorities) - 1; l >= 0; l-- {
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
		c := &p.x.concepts[h.concept]
		if c.trade >= 0 && Categories[c.trade] == category {
			all = append(all, Reason{"word." + c.name, p.words(h.from, h.to)})
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
