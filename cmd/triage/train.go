package main

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"portal/api/triage"
)

// How the networks learn. The numbers were chosen on the evaluation sets but the fifth test
// set.
const (
	networks = 3 // are averaged, as each is wrong about other texts
	rounds   = 12
	rate     = 0.1  // falls to 0 with the rounds
	kept     = 60   // percent of the features that a message shows each time
	atLeast  = 26   // messages that a feature is in, those with typos counted, or it is left out
	spread   = 0.17 // each number begins between this and its negative
	least    = 1e-3 // what a step is divided by at least
	split    = 11   // of the classes: categories before it, priorities from it on
)

// typoSeeds make each message learnt so often with other typos, always the same.
var typoSeeds = []uint64{3, 5, 8}

// train learns from messages, in an order that is always the same, and gives the file of the
// network.
func train(all []sample) []byte {
	keys, examples := learnt(all)
	var members [networks]*learner
	var group sync.WaitGroup
	for m := range members {
		group.Go(func() {
			members[m] = newLearner(len(keys), uint64(m))
			members[m].study(examples)
		})
	}
	group.Wait()
	return join(keys, members).Encode()
}

// learnt is what messages are learnt by: the keys of the features that count, and the messages as the networks see
// them, with typos and politeness.
func learnt(all []sample) (keys []uint32, examples []example) {
	all = withHasty(all)
	all = slices.Concat(all, polite(all))
	features := make([][]triage.Feature, len(all))
	for i, s := range all {
		features[i] = triage.Features(s.text)
	}
	keys = frequent(features)
	index := make(map[uint32]int32, len(keys))
	for i, k := range keys {
		index[k] = int32(i)
	}
	examples = make([]example, len(all))
	for i, s := range all {
		examples[i] = newExample(s, features[i], index)
	}
	return keys, examples
}

// frequent are the features that are in enough messages, rising.
func frequent(features [][]triage.Feature) (keys []uint32) {
	seen := map[uint32]int{}
	for _, list := range features {
		for _, f := range list {
			seen[f.Key]++
		}
	}
	for k, n := range seen {
		if n >= atLeast {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

// withHasty gives the messages, and each again with typos once a seed.
func withHasty(all []sample) []sample {
	out := slices.Clone(all)
	for _, seed := range typoSeeds {
		dice := rand.New(rand.NewPCG(seed, 2026)) //nolint:gosec // the same typos each time are the point
		for _, s := range all {
			s.text = withTypos(s.text, dice)
			out = append(out, s)
		}
	}
	return out
}

// polite gives some of the messages again with a greeting and thanks around them, which
// must not change what they are.
func polite(all []sample) []sample {
	var out []sample
	before := []string{"Hi, this is Ana from unit 4B. ", "Hello, ", "", "Hola, buenas tardes. ", "Good morning. "}
	after := []string{
		" Thank you very much, Maria", ". Thanks!", " Please send someone, thank you", ". Gracias",
		" thx",
	}
	for i, s := range all {
		if i%politeOf == 0 && s.priority > 0 {
			n := i / politeOf
			s.text = before[n%5] + s.text + after[n/5%5]
			out = append(out, s)
		}
	}
	return out
}

// politeOf is of how many messages one is learnt again with a greeting.
const politeOf = 5

// units are a number for each hidden unit of a network.
type units [triage.Hidden / networks]float32

// learner is a network on its way. It learns by AdaGrad: the more a number has moved, the
// smaller its steps are; the numbers of an embedding move as one. Each product is rounded
// before it is added, so that no machine joins the two and the network is the same everywhere.
type learner struct {
	dice       *rand.Rand
	embeddings []units
	bias       units
	out        [triage.Classes]units
	outBias    [triage.Classes]float32

	moved struct { // the sums of the squares of the gradients
		embeddings []float32
		bias       units
		out        [triage.Classes]units
		outBias    [triage.Classes]float32
	}
}

func newLearner(features int, seed uint64) *learner {
	l := &learner{dice: rand.New(rand.NewPCG(11+seed, 2026))} //nolint:gosec // the same order each time is the point
	l.embeddings, l.moved.embeddings = make([]units, features), make([]float32, features)
	for i := range l.embeddings {
		l.embeddings[i].scatter(l.dice)
	}
	for c := range l.out {
		l.out[c].scatter(l.dice)
	}
	return l
}

// scatter begins with small numbers by chance.
func (u *units) scatter(dice *rand.Rand) {
	for i := range u {
		u[i] = float32(spread) * float32(2*dice.Float32()-1)
	}
}

// study learns from all messages, each time in another order.
func (l *learner) study(examples []example) {
	for round := range rounds {
		l.round(examples, round)
	}
}

func (l *learner) round(examples []example, n int) {
	step := rate * float32(rounds-n) / rounds
	for _, i := range l.dice.Perm(len(examples)) {
		l.learn(&examples[i], step)
	}
}

// sum tells learners apart that have learned something else.
func (l *learner) sum() string {
	h := sha256.New()
	for _, numbers := range []any{l.embeddings, l.bias, l.out, l.outBias} {
		if err := binary.Write(h, binary.LittleEndian, numbers); err != nil {
			panic(err) // unreachable: they have a fixed size
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// firstRound is the sum of the first network after the first round: what changes the messages or how they are
// learned changes it too.
func firstRound(all []sample) string {
	keys, examples := learnt(all)
	l := newLearner(len(keys), 0)
	l.round(examples, 0)
	return l.sum() + "\n"
}

// example is a message: the embeddings of its features, and how often each is there.
type example struct {
	at     []int32
	count  []float32
	sample sample
}

func newExample(s sample, list []triage.Feature, index map[uint32]int32) example {
	e := example{sample: s}
	for _, f := range list {
		if i, known := index[f.Key]; known {
			e.at, e.count = append(e.at, i), append(e.count, float32(f.Count))
		}
	}
	return e
}

// learn moves the network towards the labels of a message. Features are left out by chance, so
// that it does not lean on a few.
func (l *learner) learn(e *example, step float32) {
	shown := make([]int, 0, len(e.at))
	for n := range e.at {
		if l.dice.IntN(100) < kept {
			shown = append(shown, n)
		}
	}
	norm := float32(1 / math.Sqrt(float64(len(shown)+triage.Smoothing)))
	hidden := l.bias
	for _, n := range shown {
		weight := float32(e.count[n] * norm)
		for u, v := range &l.embeddings[e.at[n]] {
			hidden[u] += float32(v * weight)
		}
	}
	for u := range hidden {
		hidden[u] = max(hidden[u], 0)
	}
	back := l.learnOut(&hidden, l.errors(e, &hidden), step)
	length := float32(0)
	for u, g := range back {
		length += float32(g * g)
		adjust(&l.bias[u], &l.moved.bias[u], g, step)
	}
	length /= float32(len(back))
	for _, n := range shown {
		weight := float32(e.count[n] * norm)
		moved := &l.moved.embeddings[e.at[n]]
		*moved += float32(float32(length*weight) * weight)
		by := float32(step*weight) / (sqrt(*moved) + least)
		row := &l.embeddings[e.at[n]]
		for u, g := range &back {
			row[u] -= float32(by * g)
		}
	}
}

// errors are by how much each class is given too much of.
func (l *learner) errors(e *example, hidden *units) (wrong [triage.Classes]float32) {
	var scores, shares [triage.Classes]float64
	for c := range scores {
		sum := l.outBias[c]
		for u, v := range hidden {
			sum += float32(v * l.out[c][u])
		}
		scores[c] = float64(sum)
	}
	triage.Softmax(scores[:split], shares[:split])
	triage.Softmax(scores[split:], shares[split:])
	shares[e.sample.category]--
	shares[split+e.sample.priority]--
	for c, s := range shares {
		wrong[c] = float32(s)
	}
	return wrong
}

// learnOut moves the weights of the classes, and gives the gradient of the units that count.
func (l *learner) learnOut(hidden *units, wrong [triage.Classes]float32, step float32) (back units) {
	for c, w := range wrong {
		row, moved := &l.out[c], &l.moved.out[c]
		for u, v := range hidden {
			if v > 0 {
				back[u] += float32(w * row[u])
				adjust(&row[u], &moved[u], float32(w*v), step)
			}
		}
		adjust(&l.outBias[c], &l.moved.outBias[c], w, step)
	}
	return back
}

// adjust moves a number against its gradient.
func adjust(v, moved *float32, gradient, step float32) {
	*moved += float32(gradient * gradient)
	*v -= float32(step*gradient) / (sqrt(*moved) + least)
}

func sqrt(v float32) float32 { return float32(math.Sqrt(float64(v))) }

// join makes one network of several, which gives the mean of their scores. The embeddings are
// stored in a byte a number.
func join(keys []uint32, members [networks]*learner) *triage.Trained {
	t := &triage.Trained{
		Version:    version,
		Keys:       keys,
		Scale:      scale(members),
		Embeddings: make([][triage.Hidden]int8, len(keys)),
	}
	for m, l := range members {
		l.put(t, m)
	}
	return t
}

// put makes a network the member m of one of several.
func (l *learner) put(t *triage.Trained, m int) {
	from := m * len(l.bias)
	copy(t.Bias[from:], l.bias[:])
	for c := range l.out {
		t.OutBias[c] += l.outBias[c] / networks
		for u, v := range &l.out[c] {
			t.Out[c][from+u] = v / networks
		}
	}
	for i := range l.embeddings {
		for u, v := range &l.embeddings[i] {
			t.Embeddings[i][from+u] = int8(max(-127, min(127, math.Round(float64(v)*float64(t.Scale)))))
		}
	}
}

// clipped is how many of a thousand numbers may be cut off at what a byte holds.
const clipped = 1

// scale is what an embedding's 1 is stored as.
func scale(members [networks]*learner) float32 {
	var sizes []float64
	for _, l := range members {
		for i := range l.embeddings {
			for _, v := range &l.embeddings[i] {
				sizes = append(sizes, math.Abs(float64(v)))
			}
		}
	}
	slices.Sort(sizes)
	return float32(127 / sizes[len(sizes)-1-len(sizes)*clipped/1000])
}
