package attachment_test

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"testing"

	"golang.org/x/image/webp"

	"portal/api/attachment"
	"portal/api/sampled"
)

// lossless is a picture of lossless WebP whose decoder has to make as many trees as large as can be.
type lossless struct {
	width, height int
	indexed       bool // by 16 colors, two pixels in one
	cacheBits     int
	tile          int // of a side, in bits
	groups        int
}

// hostile is as bad as golang.org/x/image/vp8l takes: some 56 KB for each of 2,600 groups.
var hostile = lossless{width: 4000, height: 3000, cacheBits: 11, tile: 6, groups: 2600}

// file is the whole file.
func (l lossless) file() []byte {
	w := &bitWriter{}
	w.put(0x2f, 8)
	w.put(l.width-1, 14)
	w.put(l.height-1, 14)
	w.put(0, 4)
	return appendWebP([]byte("RIFF\x00\x00\x00\x00WEBP"), "VP8L", l.write(w))
}

// transparent is a lossy picture that has the lossless one as its transparency.
func (l lossless) transparent(t testing.TB) []byte {
	t.Helper()
	lossy := stored(t, "alpha.webp.gz")
	size := binary.LittleEndian.Uint32(lossy[34:])
	if string(lossy[12:16]) != "VP8X" || string(lossy[30:34]) != "ALPH" {
		t.Fatalf("%q", lossy[:40])
	}
	all := appendWebP(lossy[:30:30], "ALPH", l.write(&bitWriter{all: []byte{1}}))
	all = append(all, lossy[38+size+size&1:]...)
	binary.LittleEndian.PutUint32(all[4:], uint32(len(all)-8))
	return all
}

// write writes what comes behind the header.
func (l lossless) write(w *bitWriter) []byte {
	for _, kind := range []int{0, 1} { // predictors, and colors by others: of tiles of 4 by 4
		w.put(1|kind<<1, 6)
		w.putBlank()
	}
	width := l.width
	if l.indexed {
		w.put(1|3<<1|15<<3, 11)
		w.putBlank()
		width = (width + 1) / 2
	}
	w.put(0, 1)
	greens := 280
	if l.cacheBits == 0 {
		w.put(0, 1)
	} else {
		w.put(1|l.cacheBits<<1, 5)
		greens += 1 << l.cacheBits
	}
	w.put(1|(l.tile-2)<<1, 4)
	side := 1 << l.tile
	l.entropy(w, (width+side-1)/side*((l.height+side-1)/side))
	for range l.groups {
		w.putTree(greens)
		for range 3 {
			w.putTree(256)
		}
		w.putTree(40)
	}
	l.pixels(w, width*l.height, greens)
	return append(w.all, byte(w.bits), byte(w.bits>>8), 0)
}

// entropy has each group once, and in the tiles that are left those of two rows above.
func (l lossless) entropy(w *bitWriter, tiles int) {
	w.put(0, 1)
	w.putTree(280)
	w.putTree(256)
	w.putOnly(0)
	w.putOnly(0)
	w.putTree(40)
	put := func(group int) {
		w.putSymbol(group&255, 280)
		w.putSymbol(group>>8, 256)
	}
	for group := range l.groups {
		put(group)
	}
	for tiles -= l.groups; tiles >= 4; tiles -= 4 {
		w.putSymbol(256+3, 280)
		w.putSymbol(4, 40)
		w.put(0, 1)
	}
	for range tiles {
		put(0)
	}
}

// pixels are all as the first one.
func (l lossless) pixels(w *bitWriter, count, greens int) {
	put := func() {
		w.putSymbol(0, greens)
		for range 3 {
			w.putSymbol(0, 256)
		}
	}
	put()
	for count--; count >= 4096; count -= 4096 {
		w.putSymbol(256+23, greens)
		w.put(1023, 10)
		w.putSymbol(1, 40)
	}
	for range count {
		put()
	}
}

// bitWriter writes the bits of lossless WebP: numbers with the lowest first, codes with the highest.
type bitWriter struct {
	all  []byte
	bits uint
	have int
}

func (w *bitWriter) put(value, n int) {
	w.bits |= uint(value) << w.have
	for w.have += n; w.have >= 8; w.have -= 8 {
		w.all = append(w.all, byte(w.bits))
		w.bits >>= 8
	}
}

// putBlank is an inner picture whose pixels take no bits.
func (w *bitWriter) putBlank() {
	w.put(0, 1)
	for range 5 {
		w.putOnly(0)
	}
}

// putOnly is a code of one symbol.
func (w *bitWriter) putOnly(symbol int) { w.put(1|1<<2|symbol<<3, 11) }

// shape is how long the shorter codes of a tree are, and how many; the others have a bit more.
func shape(symbols int) (length, shorter int) {
	length = bits.Len(uint(symbols)) - 1
	return length, 2<<length - symbols
}

// putTree is a code of all symbols of an alphabet.
func (w *bitWriter) putTree(symbols int) {
	length, shorter := shape(symbols)
	w.put(0|15<<1, 5)
	for _, symbol := range []int{17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15} {
		w.put(map[int]int{16: 1, length: 2, length + 1: 2}[symbol], 3)
	}
	w.put(0, 1)
	for i, n := range []int{shorter, symbols - shorter} {
		for first := true; n > 0; first = false {
			times := min(n, 6)
			if first && length+i != 8 || times < 3 { // 8 is what is repeated before there is another
				w.putCode(2+i, 2)
				n--
				continue
			}
			w.putCode(0, 1)
			w.put(times-3, 2)
			n -= times
		}
	}
}

// putSymbol is a symbol by the code of putTree.
func (w *bitWriter) putSymbol(symbol, symbols int) {
	length, shorter := shape(symbols)
	if symbol < shorter {
		w.putCode(symbol, length)
	} else {
		w.putCode(shorter+symbol, length+1)
	}
}

func (w *bitWriter) putCode(value, n int) {
	for n--; n >= 0; n-- {
		w.put(value>>n&1, 1)
	}
}

// allowed has as many groups as are taken.
func (l lossless) allowed() lossless {
	l.groups = 635
	return l
}

func TestLosslessImageWithTooManyTreesIsRefused(t *testing.T) {
	t.Parallel()
	few, oneMore := hostile, hostile.allowed()
	few.width, few.height, few.tile = 204, 204, 2
	oneMore.groups++
	for name, data := range map[string][]byte{
		"lossless":       hostile.file(),
		"transparency":   hostile.transparent(t),
		"few pixels":     few.file(),
		"one group more": oneMore.file(),
	} {
		_, err := convert(data)
		if refused(t, err, attachment.Unusual); t.Failed() {
			t.Fatal(name)
		}
	}
}

func TestLosslessImageWithMaxTreesIsAccepted(t *testing.T) {
	t.Parallel()
	most := hostile.allowed()
	most.width, most.height, most.tile = 204, 204, 2
	indexed := most
	indexed.indexed = true
	for _, l := range []lossless{most, indexed} {
		p, err := convert(l.file())
		must(t, err)
		checkPhoto(t, p)
	}
}

// TestDecodableLosslessImageIsAccepted changes bits of pictures that libwebp has made, with
// several groups of codes, a cache of colors and a palette. Where the decoder reads one
// of them otherwise than the check before it, the check sees an error behind that place.
func TestDecodableLosslessImageIsAccepted(t *testing.T) {
	t.Parallel()
	variants := 400
	if sampled.Whole {
		variants = 10_000
	}
	whole := [][]byte{stored(t, "groups.webp"), stored(t, "palette.webp"), stored(t, "corners_lossless.webp")}
	taken, refused := 0, 0
	for i := range variants {
		r := rand.New(rand.NewPCG(uint64(i), 11))
		data := bytes.Clone(whole[i%len(whole)])
		for range min(i/len(whole), 1+r.IntN(3)) { // of the first ones none
			data[25+r.IntN(min(len(data)-25, 8<<r.IntN(9)))] ^= 1 << r.IntN(8)
		}
		if _, err := webp.Decode(bytes.NewReader(data)); err != nil {
			refused++
			continue
		}
		if _, err := convert(data); err != nil {
			t.Fatalf("variant %d: %v", i, err)
		}
		taken++
	}
	if t.Logf("taken: %d", taken); taken < variants/20 || refused < variants/20 {
		t.Errorf("%d taken, %d refused", taken, refused)
	}
}
