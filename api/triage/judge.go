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
	l, floor := p.priority(s.priority)
	if l == 3 && s.priority[3] <= mostSure && m.networkAlone(p) { // of more than that, enough would be left
		l, floor = p.priority(s.doubted().priority)
	}
	if l < 2 && m.dangerInPart(p) {
		l, floor = 2, 2
	}
	v := Verdict{
		Category:     Categories[p.trade(s.category)],
		Priority:     Priorities[l],
		floor:        Priorities[floor],
		Confidence:   s.confidence(l, floor),
		Source:       "built_in",
		ModelVersion: m.network.Version,
	}
	v.NeedsReview = v.Confidence < ReviewBelow
	m.outweigh(p, l)
	v.SafetyFlags, v.Reasons = p.flags(l), p.reasons(v.Category, l)
	return v
}

// weigh gives the shares of a page. In a story a sentence in which a rule finds an emergency counts as much as it would
// alone. Beside a trifle so does any part, where the rule is sure or the model all but certain, and what is left
// without trifles, where a rule finds an emergency in it or the model is certain.
func (m *Model) weigh(p *page) shares {
	s := m.shares(p)
	if s.priority[3] >= worthAsking {
		// The ends of a letter make no emergency of what stands between them.
		if q := p.telling(); m.shares(q).priority[3] < s.priority[3] {
			p, s = q, m.shares(q)
		}
	}
	if s.priority[3] > mostSure {
		return s // more of it would change nothing
	}
	if share, counts := m.coreEmergency(p); counts {
		s.raiseEmergency(share)
	}
	m.lower(p, &s)
	for _, q := range p.parts() {
		found, doubt := q.demanded()
		if found < 3 || len(q.tokens) < besideLeast {
			continue
		}
		alone := m.shares(q).priority[3]
		inStory := len(p.tokens) > story && len(q.tokens) >= storyLeast && q.whole
		counts := !doubt && len(q.tokens) > besideLeast || alone > allButCertain
		if (inStory || counts && m.besideTrifle(q, p.parts())) && (!doubt || m.borneOut(p, q)) {
			s.raiseEmergency(alone)
		}
	}
	return s
}

// ruledOut is the share of an emergency that a whole page has at most where its trifles alone do not explain it: the
// model knows too little of "the arm is down" without the ice maker.
const ruledOut = 0.0003

// coreEmergency is the share of an emergency that a page has without its trifles, and whether it counts whatever the
// page as a whole has: without several where a sure rule finds one in it or the model is certain, without one where a
// rule finds one and the model is all but certain.
func (m *Model) coreEmergency(p *page) (share float64, counts bool) {
	core := m.core(p)
	if core == nil {
		return 0, false
	}
	c := m.shares(core)
	share = c.priority[3]
	found, doubt := core.demanded()
	if found == 3 && len(core.tokens) > besideLeast && share > allButCertain {
		return share, true
	}
	certain := share > certain && len(core.tokens) >= certainLeast && slices.Max(c.category[:10]) > certainTrade &&
		m.shares(p).priority[3] > ruledOut
	return share, p.trifles >= coreBeside && (found == 3 && !doubt || certain)
}

// leastBorneOut is the share of an emergency that a part has at least together with what is said right behind it.
const leastBorneOut = 0.02

// borneOut reports whether the sentence behind a part leaves it open that it is an emergency: "the water heater has
// started popping" is none before "plenty of hot water, no leaks".
func (m *Model) borneOut(p, part *page) bool {
	to := part.start + int32(len(part.tokens))
	last := p.tokens[to-1].sentence + 1
	for int(to) < len(p.tokens) && p.tokens[to].sentence <= last {
		to++
	}
	q := p.part(part.start, to)
	if core := m.core(q); core != nil {
		q = core
	}
	return m.shares(q).priority[3] >= leastBorneOut
}

// What is lowered has this share of an emergency at least, and where it is asked in parts so many words.
const (
	worthAsking = 0.1
	lowerLeast  = 8
)

// lower makes the share of an emergency that no sure rule finds in a page what it is in the most urgent of its parts,
// and that of any page what it is without its trifles, where that is less. A rule that finds one only with a word of a
// trifle has found none.
func (m *Model) lower(p *page, s *shares) {
	share := s.priority[3]
	if share < worthAsking {
		return
	}
	found, doubt := p.demanded()
	sure := found == 3 && !doubt
	if core := m.core(p); core != nil {
		share = min(share, m.shares(core).priority[3])
		alone, _ := core.demanded()
		sure = sure && alone == 3
	}
	if most := m.mostUrgentPart(p, found == 3); most >= 0 && !sure {
		share = min(share, most)
	}
	s.setEmergency(share)
}

// mostUrgentPart is the greatest share of an emergency that a part of a page has, -1 where it has none. In a letter
// only sentences count, and of them those that name something, as the model knows little of what else stands there, but
// for those in which a rule finds an emergency.
func (m *Model) mostUrgentPart(p *page, found bool) float64 {
	most := -1.0
	if len(p.tokens) < lowerLeast {
		return most
	}
	for _, q := range p.parts() {
		if len(p.tokens) > story && (!q.whole && !found || q.hinted() == 0 && !q.urges()) {
			continue
		}
		most = max(most, m.shares(q).priority[3])
	}
	return most
}

// networkAlone reports whether no rule finds an emergency in a text, not even one that the text takes back, so that
// only the network can call it one. Letters and texts with trifles are left out: what stands there beside an emergency
// has made the network less sure of it already.
func (m *Model) networkAlone(p *page) bool {
	found, _ := p.demanded()
	return found < 3 && !p.withdrawn() && len(p.tokens) <= story && m.core(p) == nil
}

// dangerInPart reports whether a rule finds an emergency in a sentence or clause that by itself is one: whatever stands
// beside it, somebody looks at it within a day.
func (m *Model) dangerInPart(p *page) bool {
	return slices.ContainsFunc(p.parts(), func(q *page) bool {
		if found, _ := q.demanded(); found < 3 || len(q.tokens) < besideLeast {
			return false
		}
		l, _ := q.priority(m.shares(q).priority)
		return l == 3
	})
}

// urges reports whether a rule finds something urgent, be it taken back.
func (p *page) urges() bool {
	return slices.ContainsFunc(p.fired, func(f firing) bool { return f.rule.level >= 2 })
}

// raiseEmergency makes the share of an emergency what it is in a part, where that is more.
func (s *shares) raiseEmergency(part float64) {
	s.setEmergency(max(part, s.priority[3]))
}

// setEmergency sets the share of an emergency. The others keep theirs of the rest.
func (s *shares) setEmergency(share float64) {
	if share == s.priority[3] {
		return
	}
	rest := (1 - share) / max(1-s.priority[3], leastRest)
	for i := range 3 {
		s.priority[i] = float64(s.priority[i] * rest)
	}
	s.priority[3] = share
}

// doubted are the shares with an emergency as likely as it is where no rule finds one.
func (s shares) doubted() shares {
	odds := float64(s.priority[3] * noRule)
	s.setEmergency(odds / (odds + (1 - s.priority[3])))
	return s
}

// leastRest is what the other shares are taken to have together at least.
const leastRest = 1e-9

// shares weighs a page as a whole, once.
func (m *Model) shares(p *page) (s shares) {
	if p.weighed != nil {
		return *p.weighed
	}
	scores := m.network.score(p.features())
	p.favour(scores[:11])
	Softmax(scores[:11], s.category[:])
	Softmax(scores[11:], s.priority[:])
	p.addEvidence(&s.priority)
	p.weighed = &s
	return s
}

// outweigh marks the dangers that rules find where no sentence or clause in which they are told is as urgent by itself:
// what makes the page an emergency is something else.
func (m *Model) outweigh(p *page, decided int) {
	if decided < 3 {
		return
	}
	for _, q := range p.parts() {
		if found, _ := q.demanded(); found < 3 {
			continue
		}
		l, _ := q.priority(m.shares(q).priority)
		for i := range p.fired {
			f := &p.fired[i]
			if f.rule.level == 3 && f.from >= q.start && f.to <= q.start+int32(len(q.tokens)) {
				f.outweighed = (f.outweighed || !f.inPart) && l < 3
				f.inPart = true
			}
		}
	}
	if !slices.ContainsFunc(p.fired, func(f firing) bool { return f.counts() && f.rule.level == 3 && !f.outweighed }) {
		for i := range p.fired {
			p.fired[i].outweighed = false // only all of it together is urgent
		}
	}
}

// favoured is what a trade gains by an emergency of its own.
const favoured = 1.4

// favour raises the scores of the trades that the emergencies are of, once each.
func (p *page) favour(scores []float64) {
	for trade := range scores {
		if slices.ContainsFunc(p.fired, func(f firing) bool {
			return f.counts() && f.rule.level == 3 && f.rule.trade == trade
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
const ReviewBelow = 0.7

// The bounds of a confidence. No judgment is certain: of the 2,587 messages of the evaluation sets
// for which the shares come to 1.00, 98 in 100 are judged right. A priority that a rule of the safety
// layer decides, while the model holds it for unlikely, is no probability: it counts as ruleSays,
// which is below ReviewBelow, so that a person looks at it.
const (
	mostSure = 0.98
	ruleSays = 0.6
)

// confidence is the lesser of what the model gives to the category and to the priority, which
// counts for more where a rule says the same.
func (s shares) confidence(priority, floor int) float64 {
	sure := s.priority[priority]
	if floor == priority {
		sure = max(sure, ruleSays)
	}
	return math.Round(min(slices.Max(s.category[:]), sure, mostSure)*100) / 100
}

// costs says what it costs to call a priority another one: rows are what it is, columns what
// it is called. To call an emergency normal or low is worst. These numbers were chosen by what
// the held-out, the unseen and the development sets show in all: recall comes before false alarms.
var costs = [4][4]float64{
	{0, 1, 9, 25},
	{0.6, 0, 0.6, 25},
	{16, 0.8, 0, 5.5},
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
	noRule       = 0.4 // no rule found one: the network says so alone, and is more sure than it is right
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

// withdrawn reports whether rules found emergencies and the text takes back each of them, or it
// uses a word for a danger as a figure of speech ("the sale is fire"). It is asked where no rule
// for an emergency counts.
func (p *page) withdrawn() bool {
	figurative := p.concept("figurative")
	return slices.ContainsFunc(p.hits, func(h hit) bool { return h.concept == figurative }) ||
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
