package attachment

import "bufio"

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
