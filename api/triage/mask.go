package triage

import "slices"

// masks are the concepts that take the place of others inside of their words: a fire pit is
// no fire, and "stopped working" mends nothing. One that is named alone masks all others.
var masks = map[string][]string{
	"figurative":     nil,
	"old_mark":       nil,
	"smoke_detector": nil,
	"alarm_thing":    nil,
	"extinguisher":   nil,
	"exit_thing":     nil,
	"sprinkler_fire": nil,
	"unmended":       {"mended", "over"},
	"relapse_not":    {"relapse"},
	"elsewhere_not":  {"elsewhere"},
}

// mask takes away the hits inside of a mask's words. What spans as much or more stays.
func (p *page) mask() {
	var spans []hit
	for _, h := range p.hits {
		if _, is := masks[p.x.name(h.concept)]; is {
			spans = append(spans, h)
		}
	}
	if len(spans) == 0 {
		return
	}
	p.hits = slices.DeleteFunc(p.hits, func(h hit) bool {
		return slices.ContainsFunc(spans, func(m hit) bool { return p.masked(h, m) })
	})
}

func (p *page) masked(h, m hit) bool {
	if h.from < m.from || h.to > m.to || h.concept == m.concept {
		return false
	}
	what := masks[p.x.name(m.concept)]
	if what == nil {
		return h.to-h.from < m.to-m.from && p.x.name(h.concept) != "relapse"
	}
	return slices.Contains(what, p.x.name(h.concept))
}
