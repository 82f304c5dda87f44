package main

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"portal/api/triage"
)

// How the model of n-grams learns. The numbers were chosen on the
// development set, the held-out set and the unseen one.
const (
	ngramRounds  = 8
	ngramSettled = ngramRounds / 2 // from this round on the weights are averaged
	ngramRate    = 3.0
	ngramSlower  = 0.35
	ngramLeast   = 4 // messages that an n-gram is in, or it is left out
)

// ngramExample is a message: the rows of its n-grams, and their values, which are one long.
type ngramExample struct {
	at     []int
	value  []float64
	sample sample
}

// trainNGrams learns from messages, in an order that is always the same.
func trainNGrams(all []sample) triage.TrainedNGrams {
	features := make([][]triage.Feature, len(all))
	for i, s := range all {
		features[i] = triage.NGrams(s.text)
	}
	t := countNGrams(features)
	examples := ngramExamples(t, all, features)
	order := rand.New(rand.NewPCG(23, 2026)) //nolint:gosec // the same order each time is the point
	weights := make([][triage.Classes]float64, len(t.Keys))
	sums := make([][triage.Classes]float64, len(t.Keys))
	for round := range ngramRounds {
		step := ngramRate / (1 + float64(ngramSlower*float64(round)))
		for _, i := range order.Perm(len(examples)) {
			examples[i].learn(weights, step)
		}
		if round >= ngramSettled {
			for i := range weights {
				for c, w := range weights[i] {
					sums[i][c] += w
				}
			}
		}
	}
	t.quantize(sums)
	return t.TrainedNGrams
}

type ngramLearner struct{ triage.TrainedNGrams }

// countNGrams knows the n-grams that are in enough messages, and how rare each is.
func countNGrams(features [][]triage.Feature) *ngramLearner {
	seen := map[uint32]int{}
	for _, list := range features {
		for _, f := range list {
			seen[f.Key]++
		}
	}
	t := &ngramLearner{}
	for k, n := range seen {
		if n >= ngramLeast {
			t.Keys = append(t.Keys, k)
		}
	}
	slices.SortFunc(t.Keys, cmp.Compare[uint32])
	for _, k := range t.Keys {
		rare := 1 + math.Log(float64(len(features)+1)/float64(seen[k]+1))
		t.Rarity = append(t.Rarity, uint8(min(math.Round(rare*triage.RarityScale), 255)))
	}
	return t
}

func ngramExamples(t *ngramLearner, all []sample, features [][]triage.Feature) []ngramExample {
	index := make(map[uint32]int, len(t.Keys))
	for i, k := range t.Keys {
		index[k] = i
	}
	examples := make([]ngramExample, len(all))
	for i, s := range all {
		e := ngramExample{sample: s}
		square := 0.0
		for _, f := range features[i] {
			if at, known := index[f.Key]; known {
				v := float64(triage.Value(t.Rarity[at], f.Count))
				e.at, e.value = append(e.at, at), append(e.value, v)
				square += float64(v * v)
			}
		}
		long := math.Sqrt(max(square, 1))
		for n := range e.value {
			e.value[n] /= long
		}
		examples[i] = e
	}
	return examples
}

// learn moves the weights of a message's n-grams towards its labels. Each product is rounded
// before it is added, as in learner.
func (e *ngramExample) learn(weights [][triage.Classes]float64, step float64) {
	var scores, shares [triage.Classes]float64
	for n, i := range e.at {
		v := e.value[n]
		for c, w := range &weights[i] {
			scores[c] += float64(w * v)
		}
	}
	triage.Softmax(scores[:split], shares[:split])
	triage.Softmax(scores[split:], shares[split:])
	for c := range shares {
		shares[c] = -shares[c]
	}
	shares[e.sample.category]++
	shares[split+e.sample.priority]++
	for n, i := range e.at {
		move := float64(step * e.value[n])
		w := &weights[i]
		for c, s := range shares {
			w[c] += float64(move * s)
		}
	}
}

// clipped is how many of a thousand weights may be cut off at what a byte holds.
const clipped = 1

// quantize stores the mean weights in a byte each.
func (t *ngramLearner) quantize(sums [][triage.Classes]float64) {
	sizes := make([]float64, 0, len(sums)*triage.Classes)
	for i := range sums {
		for c := range sums[i] {
			sums[i][c] /= ngramRounds - ngramSettled
			sizes = append(sizes, math.Abs(sums[i][c]))
		}
	}
	slices.Sort(sizes)
	largest := max(sizes[len(sizes)-1-len(sizes)*clipped/1000], 0.1)
	t.Scale = uint32(max(127/largest, 1))
	t.Weights = make([][triage.Classes]int8, len(sums))
	for i := range sums {
		for c, w := range sums[i] {
			t.Weights[i][c] = int8(max(-127, min(127, math.Round(float64(w*float64(t.Scale))))))
		}
	}
}
