package triage

// The tables stand in the program as triage.Compile writes them, and are read where they stand:
// nothing is decoded, so that they take no memory of the process's own. Numbers are little-endian.

// u16s and u32s are numbers in a row.
type (
	u16s string
	u32s string
)

func (n u16s) count() int { return len(n) / 2 }

func (n u16s) at(i int) int32 {
	b := n[2*i : 2*i+2]
	return int32(b[0]) | int32(b[1])<<8
}

// has reports whether a number is among them.
func (n u16s) has(v int32) bool {
	low, high := byte(v), byte(v>>8)
	for len(n) >= 2 {
		if n[0] == low && n[1] == high {
			return true
		}
		n = n[2:]
	}
	return false
}

// search gives the place of a number in a rising row, -1 where it is not.
func (n u16s) search(v int32, from, to int) int {
	for from < to {
		mid := (from + to) / 2
		switch got := n.at(mid); {
		case got == v:
			return mid
		case got < v:
			from = mid + 1
		default:
			to = mid
		}
	}
	return -1
}

func (n u32s) count() int { return len(n) / 4 }

func (n u32s) at(i int) uint32 {
	b := n[4*i : 4*i+4]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}

// texts are strings by number.
type texts struct {
	ends u32s // of each, in text
	text string
}

func (t texts) count() int { return t.ends.count() }

func (t texts) at(i int32) string {
	from := uint32(0)
	if i > 0 {
		from = t.ends.at(int(i) - 1)
	}
	return t.text[from:t.ends.at(int(i))]
}

// lists are rows of numbers by number.
type lists struct {
	ends u32s // of each, in all
	all  u16s
}

func (l lists) at(i int) u16s {
	from := uint32(0)
	if i > 0 {
		from = l.ends.at(i - 1)
	}
	return l.all[2*from : 2*l.ends.at(i)]
}

// dictionary finds words: open addressing, at most half full.
type dictionary struct {
	slots u16s // one more than the number of a word, 0 where none is
	words texts
}

// find gives the number of a word, unknown where it is not among them.
func (d dictionary) find(word string) int32 {
	mask := uint32(d.slots.count() - 1)
	for at := wordHash(word) & mask; ; at = (at + 1) & mask {
		i := d.slots.at(int(at)) - 1
		if i < 0 {
			return unknown
		}
		if d.words.at(i) == word {
			return i
		}
	}
}

func (d dictionary) has(word string) bool { return d.find(word) >= 0 }

// wordHash is FNV-1a, with its upper half folded into the lower.
func wordHash(word string) uint32 {
	h := hash(word, -1, -1)
	return uint32(h ^ h>>32)
}

// sections takes a file apart: each has its length before it.
type sections struct {
	file   string
	broken bool
}

func (s *sections) next() string {
	if len(s.file) < 4 || len(s.file)-4 < int(u32s(s.file).at(0)) {
		s.file, s.broken = "", true
		return ""
	}
	n := int(u32s(s.file).at(0))
	section := s.file[4 : 4+n]
	s.file = s.file[4+n:]
	return section
}

func (s *sections) texts() texts { return texts{u32s(s.next()), s.next()} }

func (s *sections) lists() lists { return lists{u32s(s.next()), u16s(s.next())} }

func (s *sections) dictionary() dictionary { return dictionary{u16s(s.next()), s.texts()} }
