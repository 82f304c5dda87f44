package attachment

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
