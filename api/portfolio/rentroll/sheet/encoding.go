package sheet

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// The marks at the start of text.
const (
	utf8BOM    = "\xef\xbb\xbf"
	utf16LEBOM = "\xff\xfe"
	utf16BEBOM = "\xfe\xff"
)

// invalid stands in decoded text for what is no character: it is not UTF-8, and the cell that it is in
// becomes a problem of its row.
const invalid = 0xff

// utf16Order is the byte order of text in UTF-16, nil for other text. Without a mark, it is told by the
// NUL in every other byte.
func utf16Order(start []byte) binary.ByteOrder {
	switch {
	case bytes.HasPrefix(start, []byte(utf16LEBOM)):
		return binary.LittleEndian
	case bytes.HasPrefix(start, []byte(utf16BEBOM)):
		return binary.BigEndian
	}
	var nul [2]int
	for i, b := range start {
		if b == 0 {
			nul[i%2]++
		}
	}
	most := len(start) / 2 * 3 / 4 // letters of other scripts have none
	switch {
	case len(start) < 4:
	case nul[0] == 0 && nul[1] >= most:
		return binary.LittleEndian
	case nul[1] == 0 && nul[0] >= most:
		return binary.BigEndian
	}
	return nil
}

// utf16Reader reads UTF-16 as UTF-8.
type utf16Reader struct {
	in      *bufio.Reader
	order   binary.ByteOrder
	pending []byte // decoded and not yet read
}

func (u *utf16Reader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(u.pending) == 0 {
			if n > 0 && u.in.Buffered() < 4 {
				return n, nil // what is there, before waiting for more
			}
			if err = u.decode(); err != nil {
				return n, err
			}
		}
		copied := copy(p[n:], u.pending)
		n, u.pending = n+copied, u.pending[copied:]
	}
	return n, nil
}

// decode reads the next character.
func (u *utf16Reader) decode() error {
	two, err := u.in.Peek(2)
	if len(two) < 2 {
		if len(two) == 0 || !errors.Is(err, io.EOF) {
			return err
		}
		_, err = u.in.Discard(1)
		u.pending = append(u.pending[:0], invalid)
		return err
	}
	c, size := rune(u.order.Uint16(two)), 2
	if utf16.IsSurrogate(c) {
		c, size = u.pair(c)
	}
	if c == utf8.RuneError {
		u.pending = append(u.pending[:0], invalid)
	} else {
		u.pending = utf8.AppendRune(u.pending[:0], c)
	}
	_, err = u.in.Discard(size)
	return err
}

// pair is the character of a surrogate with the next one, and how many bytes it takes.
func (u *utf16Reader) pair(high rune) (rune, int) {
	four, _ := u.in.Peek(4) // at the end there are fewer
	if len(four) == 4 {
		if c := utf16.DecodeRune(high, rune(u.order.Uint16(four[2:]))); c != utf8.RuneError {
			return c, 4
		}
	}
	return utf8.RuneError, 2
}

// decoder turns the lines of a file into UTF-8. Which encoding they have is decided by the first bytes
// that are not ASCII, and holds for the rest of the file.
type decoder struct{ decided, windows bool }

func (d *decoder) decode(line string) string {
	if !d.decided {
		i := strings.IndexFunc(line, func(r rune) bool { return r >= utf8.RuneSelf })
		if i < 0 {
			return line
		}
		c, size := utf8.DecodeRuneInString(line[i:])
		d.decided, d.windows = true, c == utf8.RuneError && size == 1
	}
	if !d.windows {
		return line
	}
	return windows1252(line)
}

// upper are the characters of the bytes 0x80 to 0x9F in Windows-1252; those of the others are their own
// numbers. Bytes that stand for nothing are NUL here.
var upper = [32]rune{
	'€', 0, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0, 'Ž', 0,
	0, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0, 'ž', 'Ÿ',
}

func windows1252(line string) string {
	var out strings.Builder
	for i := range len(line) {
		c := rune(line[i])
		if c >= 0x80 && c < 0xa0 {
			c = upper[c-0x80]
			if c == 0 {
				out.WriteByte(invalid)
				continue
			}
		}
		out.WriteRune(c)
	}
	return out.String()
}
