package triage

import (
	"encoding/binary"
	"errors"
	"math"
)

// A small neural network weighs what a text has: each feature adds its embedding to the
// hidden units, and each class is a weighted sum of the units above zero. A unit can stand for
// things that are said together, as "leak" and "bucket", which no sum of features can.

// Classes is how many numbers the network gives: one a category and then one a priority.
const Classes = 11 + 4

// Hidden is how many hidden units the network has.
const Hidden = 96

// Trained is what a training gives.
type Trained struct {
	Version    string
	Keys       []uint32       // of the features, rising
	Embeddings [][Hidden]int8 // of the features, times Scale
	Scale      float32
	Bias       [Hidden]float32
	Out        [Classes][Hidden]float32
	OutBias    [Classes]float32
}

// network is a Trained that is ready to be asked. Its embeddings stay where they are in the
// file, which the program has in memory anyway.
type network struct {
	Trained
	rows  []byte // a feature each: its key and its embedding
	index table
}

// Smoothing keeps the few features of a short text from counting for much each.
const Smoothing = 20

// score gives the scores of a text. Its arithmetic is spelled out, so that no machine joins a
// product and a sum, and the scores are the same everywhere.
func (n *network) score(all []Feature) (scores [Classes]float64) {
	var sums [Hidden]int32
	known := 0
	for _, f := range all {
		i := n.index.find(f.Key)
		if i < 0 {
			continue
		}
		known++
		for u, v := range n.rows[i*row+4 : (i+1)*row] {
			sums[u] += int32(int8(v)) * f.Count
		}
	}
	by := 1 / (float64(n.Scale) * math.Sqrt(float64(known+Smoothing)))
	for u, sum := range sums {
		unit := float64(n.Bias[u]) + float64(float64(sum)*by)
		if unit <= 0 {
			continue
		}
		for c := range scores {
			scores[c] += float64(unit * float64(n.Out[c][u]))
		}
	}
	for c, b := range n.OutBias {
		scores[c] += float64(b)
	}
	return scores
}

const magic = "TRN2"

var errModel = errors.New("the model file is damaged: make it again with go run ./cmd/triage train")

// Encode writes the model file.
func (t *Trained) Encode() []byte {
	out := append([]byte(magic), byte(len(t.Version)))
	out = append(out, t.Version...)
	for _, v := range t.numbers() {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(*v))
	}
	for i, k := range t.Keys {
		out = binary.LittleEndian.AppendUint32(out, k)
		for _, v := range &t.Embeddings[i] {
			out = append(out, byte(v))
		}
	}
	return out
}

// numbers are those of the file that are no embeddings, in its order.
func (t *Trained) numbers() (all []*float32) {
	all = append(all, &t.Scale)
	for i := range t.Bias {
		all = append(all, &t.Bias[i])
	}
	for c := range t.Out {
		for i := range t.Out[c] {
			all = append(all, &t.Out[c][i])
		}
	}
	for c := range t.OutBias {
		all = append(all, &t.OutBias[c])
	}
	return all
}

const row = 4 + Hidden // bytes of a feature in the file

func decode(file []byte) (*network, error) {
	if len(file) < 5 || string(file[:4]) != magic || len(file) < 5+int(file[4]) {
		return nil, errModel
	}
	n := &network{}
	n.Version, file = string(file[5:5+file[4]]), file[5+file[4]:]
	numbers := n.numbers()
	if len(file) < 4*len(numbers) || (len(file)-4*len(numbers))%row != 0 {
		return nil, errModel
	}
	for _, v := range numbers {
		*v, file = math.Float32frombits(binary.LittleEndian.Uint32(file)), file[4:]
	}
	if !(n.Scale > 0) {
		return nil, errModel
	}
	n.rows, n.Keys = file, make([]uint32, len(file)/row)
	for i := range n.Keys {
		n.Keys[i] = binary.LittleEndian.Uint32(file[i*row:])
	}
	n.index = newTable(n.Keys)
	return n, nil
}

// Softmax turns scores into shares of 1, the same on every machine.
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

// table finds the row of a key: open addressing, at most half full.
type table struct {
	keys []uint32
	at   []int32 // one more than the row, 0 where nothing is
}

func newTable(keys []uint32) table {
	size := 2
	for size < 2*len(keys) {
		size *= 2
	}
	t := table{keys, make([]int32, size)}
	for i, k := range keys {
		at := t.slot(k)
		for t.at[at] != 0 {
			at = (at + 1) & uint32(size-1)
		}
		t.at[at] = int32(i + 1)
	}
	return t
}

func (t table) slot(k uint32) uint32 { return (k ^ k>>15) & uint32(len(t.at)-1) }

// find gives the row of a key, -1 where there is none.
func (t table) find(k uint32) int {
	for at := t.slot(k); t.at[at] != 0; at = (at + 1) & uint32(len(t.at)-1) {
		if i := t.at[at] - 1; t.keys[i] == k {
			return int(i)
		}
	}
	return -1
}
