package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"portal/api/triage"
)

// How the model learns. The numbers were chosen by cross-validation.
const (
	rounds  = 60
	settled = rounds / 2 // from this round on the weights are averaged
	rate    = 0.06
	slower  = 0.08   // the rate falls with each round
	decay   = 0.0004 // of a weight, each message: what is seen once hardly counts
	kept    = 40     // percent of the features that a message shows each time
	atLeast = 3      // messages that a feature is in, typos and greetings counted, or it is left out
	least   = 3      // a feature is kept where one of its weights is as much
	split   = 11     // of the classes: categories before it, priorities from it on
)

// learner is a linear model on its way. Each product is rounded before it is added, so that
// no machine joins the two and the weights are the same everywhere.
type learner struct {
	keys    []uint32
	index   map[uint32]int
	weights [][triage.Classes]float64
	sums    [][triage.Classes]float64 // of the weights of the last rounds
}

type example struct {
	at     []int
	count  []float64
	sample sample
}

// train learns from messages, in an order that is always the same, and gives the files of
// both models.
func train(all []sample) (concepts, ngrams []byte) {
	all = withHasty(all)
	ngrams = trainNGrams(all).Encode()
	all = append(all, polite(all)...)
	return learn(all, look(all)).Encode(), ngrams
}

// typoSeeds make each message learnt so often with other typos, always the same.
var typoSeeds = []uint64{3, 5}

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

func look(all []sample) [][]triage.Feature {
	features := make([][]triage.Feature, len(all))
	for i, s := range all {
		features[i] = triage.Features(s.text)
	}
	return features
}

// polite gives some of the messages again with a greeting and thanks around them, which
// must not change what they are.
func polite(all []sample) []sample {
	var out []sample
	before := []string{"Hi, this is Ana from unit 4B. ", "Hello, ", "", "Hola, buenas tardes. ", "Good morning. "}
	after := []string{" Thank you very much, Maria", ". Thanks!", " Please send someone, thank you", ". Gracias", " thx"}
	for i, s := range all {
		if i%3 == 0 && s.priority > 0 {
			s.text = before[i/3%5] + s.text + after[i/15%5]
			out = append(out, s)
		}
	}
	return out
}

func learn(all []sample, features [][]triage.Feature) triage.Trained {
	l := newLearner(features)
	examples := make([]example, len(all))
	for i, s := range all {
		examples[i] = l.example(s, features[i])
	}
	order := rand.New(rand.NewPCG(11, 2026)) //nolint:gosec // the same order each time is the point
	for round := range rounds {
		step := rate / (1 + float64(slower*float64(round)))
		for _, i := range order.Perm(len(examples)) {
			l.learn(examples[i].thin(order), step)
		}
		l.shrink(float64(step*decay) * float64(len(examples)))
		if round >= settled {
			l.addUp()
		}
	}
	return l.trained()
}

// newLearner knows the features that are in enough messages.
func newLearner(features [][]triage.Feature) *learner {
	seen := map[uint32]int{}
	for _, list := range features {
		for _, f := range list {
			seen[f.Key]++
		}
	}
	l := &learner{index: map[uint32]int{}}
	for k, n := range seen {
		if n >= atLeast {
			l.keys = append(l.keys, k)
		}
	}
	slices.SortFunc(l.keys, cmp.Compare[uint32])
	for i, k := range l.keys {
		l.index[k] = i
	}
	l.weights = make([][triage.Classes]float64, len(l.keys))
	l.sums = make([][triage.Classes]float64, len(l.keys))
	return l
}

func (l *learner) example(s sample, list []triage.Feature) example {
	e := example{sample: s}
	for _, f := range list {
		if i, known := l.index[f.Key]; known {
			e.at, e.count = append(e.at, i), append(e.count, float64(f.Count))
		}
	}
	return e
}

// thin leaves out features by chance and lets the others count for them, so that the model
// does not lean on a few.
func (e *example) thin(dice *rand.Rand) *example {
	some := &example{sample: e.sample}
	for n, i := range e.at {
		if dice.IntN(100) < kept {
			some.at, some.count = append(some.at, i), append(some.count, e.count[n]*100/kept)
		}
	}
	return some
}

// learn moves the weights of a message's features towards its labels.
func (l *learner) learn(e *example, step float64) {
	var scores, shares [triage.Classes]float64
	for n, i := range e.at {
		for c, w := range l.weights[i] {
			scores[c] += float64(w * e.count[n])
		}
	}
	triage.Softmax(scores[:split], shares[:split])
	triage.Softmax(scores[split:], shares[split:])
	for c := range shares {
		shares[c] = -shares[c]
	}
	shares[e.sample.category]++
	shares[split+e.sample.priority]++
	norm := step / math.Sqrt(float64(len(e.at))/40+1)
	for n, i := range e.at {
		move := float64(norm * e.count[n])
		w := &l.weights[i]
		for c, s := range shares {
			w[c] += float64(move * s)
		}
	}
}

func (l *learner) shrink(by float64) {
	keep := 1 / (1 + by)
	for i := range l.weights {
		for c := range l.weights[i] {
			l.weights[i][c] *= keep
		}
	}
}

// addUp remembers the weights as they are: the mean of many rounds is steadier than the last.
func (l *learner) addUp() {
	for i := range l.weights {
		for c, w := range l.weights[i] {
			l.sums[i][c] += w
		}
	}
}

// trained rounds the mean weights and leaves out what weighs next to nothing.
func (l *learner) trained() triage.Trained {
	t := triage.Trained{Version: version}
	for i, k := range l.keys {
		var row [triage.Classes]int8
		some := false
		for c, sum := range l.sums[i] {
			v := math.Round(float64(sum/(rounds-settled)) * triage.Scale)
			row[c] = int8(max(-127, min(127, v)))
			some = some || math.Abs(v) >= least
		}
		if some {
			t.Keys, t.Weights = append(t.Keys, k), append(t.Weights, row)
		}
	}
	return t
}
