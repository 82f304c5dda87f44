package attachment

import (
	"bufio"
	"image"
)

// A lossless WebP brings Huffman codes by the thousand, of which the decoder makes trees before it
// reads a pixel. How many there are is not declared: it has to be read up to its pixels.
const (
	// mostTrees is how many bytes the trees may take. Those of usual encoders take less than a tenth.
	mostTrees = 32 << 20
	// bytesOfGroup and bytesOfNode are what golang.org/x/image/vp8l has for five trees, and for a node of one.
	bytesOfGroup, bytesOfNode = 2680, 8
)

// alphabets are those of the codes of a group (RFC 9649, section 3.7.1): green and what stands instead of a
// literal pixel, red, blue, alpha, distance.
var alphabets = [5]int{literals + lengths, literals, literals, literals, 40}

const (
	literals, lengths = 256, 24
	mostCacheBits     = 11
	mostSymbols       = literals + lengths + 1<<mostCacheBits
)

// Transforms of a picture (RFC 9649, section 4).
const (
	transformSubtractGreen = 2
	transformIndexing      = 3
)

// lossless reads a picture of VP8L up to its pixels. It takes some 30 KB, however large a picture is.
type lossless struct {
	r       *bufio.Reader
	left    *int // bytes of the chunk
	bits    uint
	have    int // of the bits
	err     error
	lengths [mostSymbols]byte
	codes   [len(alphabets)]code
	nodes   int // of all trees of the last group
}

// checkLossless refuses a picture whose trees would take too much, from behind its header.
func checkLossless(r *bufio.Reader, left *int, width, height int) error {
	l := &lossless{r: r, left: left}
	width = l.transforms(width, height)
	cacheBits := l.cacheBits()
	groups := 1
	if l.read(1) == 1 {
		groups += l.tiles(width, height)
	}
	for trees := 0; groups > 0 && l.err == nil; groups-- {
		l.group(cacheBits)
		if trees += bytesOfGroup + bytesOfNode*l.nodes; trees > mostTrees {
			return Unusual
		}
	}
	return l.err
}

// transforms skips what is to be done with the pixels, and returns how many columns they have.
func (l *lossless) transforms(width, height int) int {
	seen := 0
	for l.err == nil && l.read(1) == 1 {
		kind := l.read(2)
		if seen&(1<<kind) != 0 {
			l.fail(Damaged)
		}
		seen |= 1 << kind
		switch kind {
		case transformSubtractGreen:
		case transformIndexing:
			colors := l.read(8) + 1
			l.image(colors)
			switch { // several pixels of few colors come in one
			case colors <= 2:
				width = divided(width, 3)
			case colors <= 4:
				width = divided(width, 2)
			case colors <= 16:
				width = divided(width, 1)
			}
		default: // predictors, or colors by others
			l.tiles(width, height)
		}
	}
	return width
}

// tiles reads what there is for each tile of a picture.
func (l *lossless) tiles(width, height int) (most int) {
	bits := l.read(3) + 2
	return l.image(divided(width, bits) * divided(height, bits))
}

// divided is how many of 1<<bits pixels a side takes.
func divided(side, bits int) int { return (side + 1<<bits - 1) >> bits }

// image reads an inner picture of so many pixels, and returns the highest number that red and green
// have in one. What repeats pixels and what comes from the cache has been a literal before, so no
// pixel has to be kept for it.
func (l *lossless) image(pixels int) (most int) {
	l.group(l.cacheBits())
	for pixels > 0 && l.err == nil {
		green := l.symbol(0)
		switch {
		case green < literals:
			red := l.symbol(1)
			most = max(most, red<<8|green)
			l.symbol(2)
			l.symbol(3)
			pixels--
		case green < literals+lengths:
			pixels -= l.prefixed(green - literals)
			l.prefixed(l.symbol(4))
		default:
			pixels--
		}
	}
	return most
}

// cacheBits says how large the cache of colors is; 0 is none.
func (l *lossless) cacheBits() int {
	if l.read(1) == 0 {
		return 0
	}
	n := l.read(4)
	if n < 1 || n > mostCacheBits {
		l.fail(Damaged)
		return 0
	}
	return n
}

// group reads the codes of a group.
func (l *lossless) group(cacheBits int) {
	l.nodes = 0
	for i, alphabet := range alphabets {
		if i == 0 && cacheBits > 0 {
			alphabet += 1 << cacheBits
		}
		l.code(&l.codes[i], alphabet)
		l.nodes += 2*l.codes[i].used - 1
	}
}

// prefixed is a length or a distance, of which a symbol has the highest bits (section 5.2.2).
func (l *lossless) prefixed(symbol int) int {
	if symbol < 4 {
		return symbol + 1
	}
	extra := (symbol - 2) >> 1
	return (2+symbol&1)<<extra + l.read(extra) + 1
}

// read is a number of so many bits, the lowest first. Behind the end of the chunk all are 0.
func (l *lossless) read(n int) int {
	for ; l.have < n; l.have += 8 {
		l.bits |= uint(l.readByte()) << l.have
	}
	value := l.bits & (1<<n - 1)
	l.bits >>= n
	l.have -= n
	return int(value)
}

func (l *lossless) readByte() byte {
	if *l.left == 0 {
		l.fail(Damaged)
	}
	if l.err != nil {
		return 0
	}
	*l.left--
	b, err := l.r.ReadByte()
	l.fail(err)
	return b
}

// fail keeps the first error.
func (l *lossless) fail(err error) {
	if l.err == nil {
		l.err = err
	}
}

// mostLength is how many bits the longest code has.
const mostLength = 15

// code is a Huffman code of a lossless WebP (RFC 9649, section 3.7.2).
type code struct {
	used    int                 // how many symbols have a code
	count   [mostLength + 1]int // of them, by the length of the code
	symbols [mostSymbols]uint16 // in the order of the codes
}

// lengthOrder is the order in which the lengths of the codes of lengths come.
var lengthOrder = [...]byte{17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}

// code reads a code for so many symbols. It takes what golang.org/x/image/vp8l takes, or less.
func (l *lossless) code(c *code, alphabet int) {
	c.count = [mostLength + 1]int{}
	if l.read(1) == 1 {
		c.used = l.read(1) + 1
		c.symbols[0] = uint16(l.read(1 + 7*l.read(1)))
		if c.used == 2 { // not by their size
			c.symbols[1], c.count[1] = uint16(l.read(8)), 2
		}
		if max(int(c.symbols[0]), (c.used-1)*int(c.symbols[1])) >= alphabet {
			l.fail(Damaged)
		}
		return
	}
	all := l.lengths[:len(lengthOrder)]
	clear(all)
	n := l.read(4) + 4
	for _, i := range lengthOrder[:min(n, len(lengthOrder))] {
		all[i] = byte(l.read(3))
	}
	if n > len(lengthOrder) || !c.order(all) {
		l.fail(Damaged)
		return
	}
	all = l.lengths[:alphabet]
	if !l.readLengths(c, all) || !c.order(all) {
		l.fail(Damaged)
	}
}

// readLengths reads how long the codes of an alphabet are, by a code of lengths.
func (l *lossless) readLengths(by *code, all []byte) bool {
	clear(all)
	most := len(all)
	if l.read(1) == 1 {
		if most = l.read(2+2*l.read(3)) + 2; most > len(all) {
			return false
		}
	}
	last := byte(8)
	for at := 0; at < len(all) && most > 0 && l.err == nil; most-- {
		length := byte(l.next(by))
		if length <= mostLength {
			if all[at] = length; length != 0 {
				last = length
			}
			at++
			continue
		}
		times, repeated := 3, byte(0)
		switch length {
		case 16:
			times, repeated = times+l.read(2), last
		case 17:
			times += l.read(3)
		default:
			times += 8 + l.read(7)
		}
		if at+times > len(all) {
			return false
		}
		for range times {
			all[at] = repeated
			at++
		}
	}
	return true
}

// order makes a code of the lengths of its symbols' codes, and reports whether each sequence of bits
// is the beginning of one.
func (c *code) order(all []byte) bool {
	c.used, c.count = 0, [mostLength + 1]int{}
	for _, length := range all {
		c.count[length]++
	}
	c.count[0] = 0
	var at [mostLength + 1]int
	room := 1
	for length := 1; length <= mostLength; length++ {
		at[length] = c.used
		c.used += c.count[length]
		room = 2*room - c.count[length]
	}
	for symbol, length := range all {
		if length > 0 {
			c.symbols[at[length]] = uint16(symbol)
			at[length]++
		}
	}
	return c.used == 1 || c.used > 1 && room == 0
}

// symbol reads a symbol of a code of the last group.
func (l *lossless) symbol(i int) int { return l.next(&l.codes[i]) }

// next reads a symbol. The only one of a code takes no bits.
func (l *lossless) next(c *code) int {
	if c.used < 2 {
		return int(c.symbols[0])
	}
	value, first, at := 0, 0, 0
	for length := 1; length <= mostLength; length++ {
		value |= l.read(1)
		n := c.count[length]
		if value-first < n {
			return int(c.symbols[at+value-first])
		}
		at, first, value = at+n, (first+n)<<1, value<<1
	}
	l.fail(Damaged)
	return 0
}

// area scales one plane of values, a row at a time. A pixel of the source is as wide as the target
// has columns, and one of the target as wide as the source has columns, so all parts of them are
// whole numbers; so it is with rows.
type area struct {
	from, to image.Point
	sums     []uint32 // of a row of the source, by column of the target
	rows     []uint64 // of the rows so far, by column of the target
	missing  int      // how much of the row of the target is still to come
	out      []byte
}

func newArea(from, to image.Point, out []byte) *area {
	return &area{
		from:    from,
		to:      to,
		sums:    make([]uint32, to.X),
		rows:    make([]uint64, to.X),
		missing: from.Y,
		out:     out,
	}
}

// add takes the next row of the source.
func (a *area) add(row []byte) {
	a.sum(row[:a.from.X])
	part := a.to.Y
	for part >= a.missing {
		a.weigh(a.missing)
		part -= a.missing
		a.emit()
	}
	a.weigh(part)
	a.missing -= part
}

// sum adds up a row by the columns of the target.
func (a *area) sum(row []byte) {
	column, missing, sum := 0, uint32(a.from.X), uint32(0)
	for _, value := range row {
		part := uint32(a.to.X)
		for part >= missing {
			a.sums[column] = sum + uint32(value)*missing
			part -= missing
			column, missing, sum = column+1, uint32(a.from.X), 0
		}
		sum += uint32(value) * part
		missing -= part
	}
}

// weigh adds a part of the row to the row of the target.
func (a *area) weigh(part int) {
	for i, sum := range a.sums {
		a.rows[i] += uint64(sum) * uint64(part)
	}
}

// emit writes a row of the target, and begins the next one.
func (a *area) emit() {
	whole := uint64(a.from.X) * uint64(a.from.Y)
	for i, sum := range a.rows {
		a.out[i] = byte((sum + whole/2) / whole)
		a.rows[i] = 0
	}
	a.out, a.missing = a.out[a.to.X:], a.from.Y
}
