package triage

import (
	"encoding/binary"
	"errors"
	"math"
)

// Classes is how many numbers a feature has: one a category and then one a priority.
const Classes = 11 + 4

// Scale is what a weight of 1 is stored as. Weights are small whole numbers, so that sums are
// the same on every machine and the file stays small.
const Scale = 96

// Trained is what a training gives: the features by rising key and their weights.
type Trained struct {
	Version string
	Keys    []uint32
	Weights [][Classes]int8
}

// weights is a Trained that is ready to be asked.
type weights struct {
	Trained
	rows table
}

const magic = "TRI2"

var errModel = errors.New("the model file is damaged: make it again with go run ./cmd/triage train")

// Encode writes the model file.
func (t Trained) Encode() []byte {
	out := append([]byte(magic), byte(len(t.Version)))
	out = append(out, t.Version...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(t.Keys)))
	for i, k := range t.Keys {
		out = binary.LittleEndian.AppendUint32(out, k)
		for _, w := range t.Weights[i] {
			out = append(out, byte(w))
		}
	}
	return out
}

const row = 4 + Classes

func decode(file []byte) (weights, error) {
	var w weights
	if len(file) < 5 || string(file[:4]) != magic || len(file) < 9+int(file[4]) {
		return w, errModel
	}
	at := 5 + int(file[4])
	w.Version = string(file[5:at])
	n := int(binary.LittleEndian.Uint32(file[at:]))
	if file = file[at+4:]; len(file) != n*row {
		return w, errModel
	}
	w.Keys, w.Weights = make([]uint32, n), make([][Classes]int8, n)
	for i := range n {
		r := file[i*row:]
		w.Keys[i] = binary.LittleEndian.Uint32(r)
		for c := range Classes {
			w.Weights[i][c] = int8(r[4+c])
		}
	}
	w.rows = newTable(w.Keys)
	return w, nil
}

// score sums the weights of features.
func (w *weights) score(all []Feature) (sum [Classes]int32) {
	for _, f := range all {
		i := w.rows.find(f.Key)
		if i < 0 {
			continue
		}
		for c, v := range w.Weights[i] {
			sum[c] += int32(v) * f.Count
		}
	}
	return sum
}

// Softmax turns scores into shares of 1. Its arithmetic is spelled out, so that no machine
// joins a product and a sum, and the bytes of a trained model are the same everywhere.
func Softmax(scores []float64, shares []float64) {
	top := scores[0]
	for _, s := range scores[1:] {
		top = max(top, s)
	}
	sum := 0.0
	for i, s := range scores {
		shares[i] = exp(s - top)
		sum += shares[i]
	}
	for i := range shares {
		shares[i] /= sum
	}
}

// exp is e to the x for x of at most 0, as math.Exp differs between machines.
func exp(x float64) float64 {
	if x < -40 {
		return 0
	}
	k := math.Floor(float64(x*math.Log2E) + 0.5)
	r := x - float64(k*math.Ln2)
	sum := 1.0
	for n := 14.0; n >= 1; n-- {
		sum = 1 + float64(float64(r*sum)/n)
	}
	return math.Ldexp(sum, int(k))
}
