package triage

import (
	"math"
	"slices"
)

// shares are what the model gives to each label, of 1 for the categories and 1 for the
// priorities.
type shares struct {
	category [11]float64
	priority [4]float64
}

// judge puts the model's answer and the safety layer's together.
func (m *Model) judge(p *page) Verdict {
	s := m.weigh(p)
	l, floor := p.settle(s.priority)
	v := Verdict{
		Category: Categories[p.trade(s.category)], Priority: Priorities[l], floor: Priorities[floor],
		Confidence: s.confidence(l, floor), SafetyFlags: p.flags(),
		Source: "built_in", ModelVersion: m.weights.Version,
	}
	v.NeedsReview = v.Confidence < ReviewBelow
	v.Reasons = p.reasons(v.Category)
	return v
}

// weigh gives the shares of a page, a story's emergency as strong as in its parts.
func (m *Model) weigh(p *page) shares {
	s := m.shares(p)
	for _, q := range p.parts() {
		s.dread(m.shares(q).priority[3])
	}
	return s
}

func (m *Model) shares(p *page) (s shares) {
	var scores [Classes]float64
	written := m.ngrams.score(p.ngrams())
	for c, sum := range m.weights.score(p.features()) {
		scores[c] = float64((1-asWritten)*float64(sum)/Scale) + float64(asWritten*written[c])
	}
	p.favour(scores[:11])
	Softmax(scores[:11], s.category[:])
	Softmax(scores[11:], s.priority[:])
	p.heed(&s.priority)
	return s
}

// asWritten is how much the model of n-grams counts beside the one of concepts.
const asWritten = 0.15

// trusted is how far the share of an emergency in a part counts for the whole.
const trusted = 0.8

// dread makes the share of an emergency what it is in a part, where that is more.
func (s *shares) dread(part float64) {
	more := float64(part * trusted)
	if more <= s.priority[3] {
		return
	}
	rest := (1 - more) / (1 - s.priority[3])
	for i := range 3 {
		s.priority[i] = float64(s.priority[i] * rest)
	}
	s.priority[3] = more
}

// favoured is what a trade gains by an emergency of its own.
const favoured = 1.4

// favour raises the scores of the trades that the emergencies are of, once each.
func (p *page) favour(scores []float64) {
	for trade := range scores {
		if slices.ContainsFunc(p.fired, func(f firing) bool {
			return f.cancel == 0 && f.rule.level == 3 && f.rule.trade == trade
		}) {
			scores[trade] += favoured
		}
	}
}

func (p *page) trade(shares [11]float64) int {
	if len(p.hits) == 0 {
		return len(Categories) - 1
	}
	return slices.Index(shares[:], slices.Max(shares[:]))
}

// ReviewBelow is the confidence from which on a judgment can be relied on. Over the evaluation
// sets, what stands below it is wrong several times as often as what stands above it
// (docs/triage.md has the figures).
const ReviewBelow = 0.5

// confidence is the lesser of what the model gives to the category and to the priority, which
// counts for more where a rule says the same.
func (s shares) confidence(priority, floor int) float64 {
	sure := s.priority[priority]
	if floor == priority {
		sure = max(sure, 0.6)
	}
	return math.Round(math.Min(slices.Max(s.category[:]), sure)*100) / 100
}
