package triage

// ruleHead is what a rule is, without its words.
type ruleHead struct {
	name   string
	trade  int // the category, or -1
	level  int // of Priorities, or instruct
	floor  bool
	danger bool  // its name is a safety flag
	doubt  bool  // what it calls an emergency is one only where the model hesitates
	chain  bool  // the slots stand in this order
	within int32 // words between two slots at most
}

// rule says that concepts which stand together mean something.
type rule struct {
	ruleHead
	slots  []u16s // each is one of these concepts
	unless u16s   // concepts that take it back when they stand in it or near it
	// harmless are concepts beside which it decides nothing. The network, which has learnt from
	// what the rule finds, is told of it all the same.
	harmless u16s
	needs    u16s // concepts of which one stands somewhere in the text, not taken back
	absent   u16s // concepts of which none stands anywhere in the text
}

// instruct is the level of rules that find instructions to the machine.
const instruct = -1

type rules struct {
	rules   []rule
	byFirst lists // rules by a concept of their first slot
}

// What the flags of a rule in the tables mean.
const (
	isFloor = 1 << iota
	isDanger
	isDoubt
	isChain
)

// ruleBytes are those of a rule in the tables: trade, level, flags, within, slots.
const ruleBytes = 5

// openRules finds the rules in the tables. What they are is read, as there are few; their
// concepts stay where they are.
func openRules(s *sections) *rules {
	names, heads, concepts := s.texts(), s.next(), s.lists()
	b := &rules{rules: make([]rule, names.count()), byFirst: s.lists()}
	next := 0
	list := func() u16s { next++; return concepts.at(next - 1) }
	for i := range b.rules {
		h := heads[i*ruleBytes : (i+1)*ruleBytes]
		r := &b.rules[i]
		r.ruleHead = ruleHead{
			name:   names.at(int32(i)),
			trade:  int(int8(h[0])),
			level:  int(int8(h[1])),
			floor:  h[2]&isFloor != 0,
			danger: h[2]&isDanger != 0,
			doubt:  h[2]&isDoubt != 0,
			chain:  h[2]&isChain != 0,
			within: int32(h[3]),
		}
		r.unless, r.harmless, r.needs, r.absent = list(), list(), list(), list()
		r.slots = make([]u16s, h[4])
		for j := range r.slots {
			r.slots[j] = list()
		}
	}
	return b
}
