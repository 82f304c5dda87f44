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

// network is a Trained that is ready to be asked. Its keys and its embeddings stay where they
// are in the file, which is a part of the program.
type network struct {
	Trained
	buckets u32s   // by the upper bits of a key: where such keys end
	keys    u32s   // of the features, rising
	rows    string // their embeddings
}

// bucketBits are the upper bits of a key by which it is looked for: one or two keys share them.
const bucketBits = 15

func bucket(key uint32) int { return int(key >> (32 - bucketBits)) }

// find gives the row of a key, -1 where there is none.
func (n *network) find(key uint32) int {
	b := bucket(key)
	i := uint32(0)
	if b > 0 {
		i = n.buckets.at(b - 1)
	}
	for end := n.buckets.at(b); i < end; i++ {
		if n.keys.at(int(i)) == key {
			return int(i)
		}
	}
	return -1
}

// Smoothing keeps the few features of a short text from counting for much each.
const Smoothing = 20

// score gives the scores of a text. Its arithmetic is spelled out, so that no machine joins a
// product and a sum, and the scores are the same everywhere.
func (n *network) score(all []Feature) (scores [Classes]float64) {
	var sums [Hidden]int32
	known := 0
	for _, f := range all {
		i := n.find(f.Key)
		if i < 0 {
			continue
		}
		known++
		row := n.rows[i*Hidden:][:Hidden]
		for u := range sums {
			sums[u] += int32(int8(row[u])) * f.Count
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

const magic = "TRN3"

var errModel = errors.New("the model file is damaged: make it again with go run ./cmd/triage train")

// Encode writes the model file.
func (t *Trained) Encode() []byte {
	out := append([]byte(magic), byte(len(t.Version)))
	out = append(out, t.Version...)
	for _, v := range t.numbers() {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(*v))
	}
	var buckets [1 << bucketBits]uint32
	for _, k := range t.Keys {
		buckets[bucket(k)]++
	}
	sum := uint32(0)
	for _, n := range buckets {
		sum += n
		out = binary.LittleEndian.AppendUint32(out, sum)
	}
	for _, k := range t.Keys {
		out = binary.LittleEndian.AppendUint32(out, k)
	}
	for i := range t.Embeddings {
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

const (
	featureBytes = 4 + Hidden // of a feature in the file
	bucketBytes  = 4 << bucketBits
)

func decode(file string) (*network, error) {
	if len(file) < 5 || file[:4] != magic || len(file) < 5+int(file[4]) {
		return nil, errModel
	}
	n := &network{}
	n.Version, file = file[5:5+int(file[4])], file[5+int(file[4]):]
	numbers := n.numbers()
	rest := len(file) - 4*len(numbers) - bucketBytes
	if rest < 0 || rest%featureBytes != 0 {
		return nil, errModel
	}
	for _, v := range numbers {
		*v, file = math.Float32frombits(u32s(file).at(0)), file[4:]
	}
	if !(n.Scale > 0) {
		return nil, errModel
	}
	count := rest / featureBytes
	n.buckets, file = u32s(file[:bucketBytes]), file[bucketBytes:]
	n.keys, n.rows = u32s(file[:4*count]), file[4*count:]
	if int(n.buckets.at(n.buckets.count()-1)) != count {
		return nil, errModel
	}
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
