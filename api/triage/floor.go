package triage

import (
	"math"
	"slices"
)

// costs says what it costs to call a priority another one: rows are what it is, columns what
// it is called. To call an emergency normal or low is worst. These numbers and those of
// floor were chosen by cross-validation on the training messages.
var costs = [4][4]float64{
	{0, 1, 7, 10},
	{1, 0, 1.3, 9},
	{3, 1, 0, 2},
	{16, 12, 3.5, 0},
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

// Where the model and the rules disagree the rules are mostly right, and mostly is said here
// in shares of the model: agreed is the least of an emergency that makes one of a doubtful
// rule, pressing the least of high and emergency together that makes a high, idle the share
// of low that takes a level from both, and over the least of low that lets a danger pass
// that the text says is gone.
const (
	agreed   = 0.03
	pressing = 0.05
	idle     = 0.80
	over     = 0.50
)

// floor is what the rules demand, as far as the model does not contradict.
func (p *page) floor(shares [4]float64) int {
	calm := shares[0] >= idle
	l, gone := p.demanded(shares[3] < agreed || calm)
	switch {
	case gone && shares[0] < over:
		return max(l, 2)
	case l == 2 && !p.alarmed() && (shares[2]+shares[3] < pressing || calm):
		return 1
	}
	return l
}

// demanded is the highest level of the rules that count, and whether an emergency is told
// and then said to be over. Where the model objects a doubtful
// emergency is high.
func (p *page) demanded(objects bool) (l int, gone bool) {
	for _, f := range p.fired {
		switch {
		case f.cancel == 0 && f.rule.doubt && objects:
			l = max(l, 2)
		case f.cancel == 0 && f.rule.floor:
			l = max(l, f.rule.level)
		case f.rule.level == 3 && f.cancel&resolved != 0:
			gone = true
		}
	}
	return l, gone
}

// alarmed tells whether a rule says emergency, be it a doubtful one.
func (p *page) alarmed() bool {
	return slices.ContainsFunc(p.fired, func(f firing) bool { return f.cancel == 0 && f.rule.level == 3 })
}

// takenBack tells whether all the emergencies that are told are taken back.
func (p *page) takenBack() bool {
	return !p.alarmed() && slices.ContainsFunc(p.fired, func(f firing) bool { return f.rule.level == 3 })
}
