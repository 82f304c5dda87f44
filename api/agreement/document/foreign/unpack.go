package foreign

import (
	"bufio"
	"bytes"
	stdlzw "compress/lzw"
	"io"
	"sync"

	"github.com/klauspost/compress/flate"
	tifflzw "golang.org/x/image/tiff/lzw"
)

// mostFilters is how many filters a stream may have.
const mostFilters = 4

// unpacker reads a stream without its filters.
type unpacker struct {
	io.Reader
	ends []func()
}

func (u *unpacker) close() {
	for _, end := range u.ends {
		end()
	}
}

var inflaters = sync.Pool{New: func() any { return flate.NewReader(bytes.NewReader(nil)) }}

// filters are those of a stream, and what they are told.
func (f *file) filters(s value) (names []string, params []value, err error) {
	if s.at("F").kind != null || s.at("FFilter").kind != null {
		return nil, nil, Damaged // its data are in another file
	}
	filter, err := f.get(s, "Filter")
	if err != nil {
		return nil, nil, err
	}
	told, err := f.get(s, "DecodeParms")
	if err != nil {
		return nil, nil, err
	}
	all, each := filter.items(), told.items()
	if filter.kind == name {
		all, each = []value{filter}, []value{told}
		if told.kind == array {
			each = told.items()
		}
	}
	if len(all) > mostFilters {
		return nil, nil, TooComplex
	}
	for i, v := range all {
		if v, err = f.resolve(v); err != nil || v.kind != name {
			return nil, nil, orDamaged(err)
		}
		var p value
		if i < len(each) {
			if p, err = f.resolve(each[i]); err != nil {
				return nil, nil, err
			}
		}
		names, params = append(names, fullName(decoded(v.raw))), append(params, p)
	}
	return names, params, nil
}

func orDamaged(err error) error {
	if err != nil {
		return err
	}
	return Damaged
}

// fullName is the name of a filter, which may be an abbreviation.
func fullName(s string) string {
	switch s {
	case "Fl":
		return "FlateDecode"
	case "LZW":
		return "LZWDecode"
	case "AHx":
		return "ASCIIHexDecode"
	case "A85":
		return "ASCII85Decode"
	case "RL":
		return "RunLengthDecode"
	case "DCT":
		return "DCTDecode"
	case "CCF":
		return "CCITTFaxDecode"
	}
	return s
}

// pictures are filters that only the reader of a picture undoes. Each is the last one of a stream.
var pictures = map[string]bool{
	"DCTDecode": true, "JPXDecode": true, "CCITTFaxDecode": true, "JBIG2Decode": true,
}

// unpack reads a stream without its filters, up to the one of a picture, which is what rest says.
func (f *file) unpack(s value) (u *unpacker, rest bool, err error) {
	names, params, err := f.filters(s)
	if err != nil {
		return nil, false, err
	}
	u = &unpacker{Reader: bytes.NewReader(s.raw)}
	for i, filter := range names {
		if pictures[filter] {
			if i != len(names)-1 {
				u.close()
				return nil, false, Damaged
			}
			return u, true, nil
		}
		if err = u.add(f, filter, params[i]); err != nil {
			u.close()
			return nil, false, err
		}
	}
	return u, false, nil
}

// beginning is what it takes to begin with a filter.
const beginning = 8 << 10

func (u *unpacker) add(f *file, filter string, params value) error {
	if err := f.spent.spend(beginning); err != nil {
		return err
	}
	from := bufio.NewReaderSize(u.Reader, 4096)
	cost := 1
	switch filter {
	case "FlateDecode":
		if n, _ := from.Discard(2); n < 2 { // the head of zlib
			u.Reader = bytes.NewReader(nil)
			return nil
		}
		z := inflaters.Get().(io.ReadCloser)
		if err := z.(flate.Resetter).Reset(from, nil); err != nil {
			return err
		}
		u.ends = append(u.ends, func() { inflaters.Put(z) })
		u.Reader = z
	case "LZWDecode":
		cost = 4
		early, err := f.get(params, "EarlyChange")
		if err != nil {
			return err
		}
		if n, ok := early.int(); ok && n == 0 {
			u.Reader = stdlzw.NewReader(from, stdlzw.MSB, 8)
		} else {
			u.Reader = tifflzw.NewReader(from, tifflzw.MSB, 8)
		}
	case "ASCIIHexDecode":
		cost = 8
		u.Reader = &hexReader{from: from}
	case "ASCII85Decode":
		cost = 8
		u.Reader = &base85Reader{from: from}
	case "RunLengthDecode":
		cost = 4
		u.Reader = &runReader{from: from}
	default:
		return Damaged
	}
	u.Reader = &meter{from: u.Reader, spent: f.spent, cost: cost}
	if filter == "FlateDecode" || filter == "LZWDecode" {
		return u.predict(f, params)
	}
	return nil
}

// meter counts what is unpacked. An error of a filter is a damaged file.
type meter struct {
	from  io.Reader
	spent *budget
	cost  int
}

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.from.Read(p)
	if m.spent.unpacked += n; m.spent.unpacked > mostUnpacked {
		return 0, Unpacked
	}
	if over := m.spent.spend(16 + m.cost*n); over != nil {
		return 0, over
	}
	if _, known := RefusalOf(err); err != nil && err != io.EOF && !known && m.spent.ctx.Err() == nil {
		err = Damaged
	}
	return n, err
}

// predict undoes what prepares rows for packing (ISO 32000-1, 7.4.4.4).
func (u *unpacker) predict(f *file, params value) error {
	var n [4]int
	for i, key := range []string{"Predictor", "Colors", "BitsPerComponent", "Columns"} {
		v, err := f.get(params, key)
		if err != nil {
			return err
		}
		n[i] = []int{1, 1, 8, 1}[i]
		if v.kind != null {
			var ok bool
			if n[i], ok = v.int(); !ok || n[i] < 1 || n[i] > 1<<20 {
				return Damaged
			}
		}
	}
	if n[0] == 1 {
		return nil
	}
	if n[1] > 32 || n[2] > 16 {
		return Damaged
	}
	size, step := (n[1]*n[2]*n[3]+7)/8, max(1, n[1]*n[2]/8)
	if size > 1<<20 {
		return Unpacked
	}
	switch {
	case n[0] >= 10 && n[0] <= 15:
		u.Reader = &rowReader{from: u.Reader, row: make([]byte, size+1), above: make([]byte, size), step: step}
	case n[0] == 2 && n[2] == 8:
		u.Reader = &rowReader{from: u.Reader, row: make([]byte, size+1), step: step}
	default:
		return Damaged
	}
	return nil
}

// rowReader undoes the predictors of PNG, or that of TIFF where it has no row above.
type rowReader struct {
	from  io.Reader
	row   []byte // its predictor, and its bytes
	above []byte
	step  int // bytes from a pixel to the next
	left  []byte
}

func (r *rowReader) Read(p []byte) (int, error) {
	if len(r.left) == 0 {
		to := r.row
		if r.above == nil {
			to[0] = 1
			to = to[1:]
		} else {
			copy(r.above, r.row[1:])
		}
		n, err := io.ReadFull(r.from, to)
		if err == io.ErrUnexpectedEOF {
			clear(to[n:])
		} else if err != nil {
			return 0, err
		}
		r.undo()
		r.left = r.row[1:]
	}
	n := copy(p, r.left)
	r.left = r.left[n:]
	return n, nil
}

func (r *rowReader) undo() {
	row := r.row[1:]
	before := func(i int, of []byte) byte {
		if i < r.step {
			return 0
		}
		return of[i-r.step]
	}
	switch r.row[0] {
	case 1:
		for i := range row {
			row[i] += before(i, row)
		}
	case 2:
		for i := range row {
			row[i] += r.above[i]
		}
	case 3:
		for i := range row {
			row[i] += byte((int(before(i, row)) + int(r.above[i])) / 2)
		}
	case 4:
		for i := range row {
			row[i] += paeth(int(before(i, row)), int(r.above[i]), int(before(i, r.above)))
		}
	}
}

func paeth(a, b, c int) byte {
	abs := func(n int) int { return max(n, -n) }
	x, y, z := abs(b-c), abs(a-c), abs(a+b-2*c)
	switch {
	case x <= y && x <= z:
		return byte(a)
	case y <= z:
		return byte(b)
	}
	return byte(c)
}

type hexReader struct {
	from *bufio.Reader
	end  bool
}

func (r *hexReader) Read(p []byte) (n int, err error) {
	digits, have := byte(0), 0
	for n < len(p) && !r.end {
		c, err := r.from.ReadByte()
		switch {
		case err == io.EOF || err == nil && c == '>':
			r.end = true
			if have == 1 {
				p[n] = digits << 4
				n++
			}
			continue
		case err != nil:
			return n, err
		case space(c):
			continue
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return n, Damaged
		}
		if digits = digits<<4 | c; have == 1 {
			p[n], digits = digits, 0
			n++
		}
		have ^= 1
	}
	if n == 0 && r.end {
		return 0, io.EOF
	}
	return n, nil
}

type base85Reader struct {
	from *bufio.Reader
	have [4]byte
	left []byte
	end  bool
}

func (r *base85Reader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(r.left) == 0 {
			if r.end {
				break
			}
			if err = r.group(); err != nil {
				return n, err
			}
			continue
		}
		m := copy(p[n:], r.left)
		r.left = r.left[m:]
		n += m
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// group reads five digits, or those that are left.
func (r *base85Reader) group() error {
	sum, count := uint64(0), 0
	for count < 5 {
		c, err := r.from.ReadByte()
		switch {
		case err == io.EOF || err == nil && c == '~':
			r.end = true
		case err != nil:
			return err
		case space(c):
			continue
		case c == 'z' && count == 0:
			r.have = [4]byte{}
			r.left = r.have[:]
			return nil
		case c < '!' || c > 'u':
			return Damaged
		default:
			sum = sum*85 + uint64(c-'!')
			count++
			continue
		}
		break
	}
	size := max(0, count-1)
	for ; count < 5; count++ {
		sum = sum*85 + 84
	}
	for i := range r.have {
		r.have[i] = byte(sum >> (24 - 8*i))
	}
	r.left = r.have[:size]
	return nil
}

type runReader struct {
	from   *bufio.Reader
	count  int
	repeat bool
	c      byte
	end    bool
}

func (r *runReader) Read(p []byte) (n int, err error) {
	for n < len(p) && !r.end {
		if r.count == 0 {
			head, err := r.from.ReadByte()
			if err == io.EOF || head == 128 {
				r.end = true
				break
			}
			if err != nil {
				return n, err
			}
			if r.repeat = head > 128; !r.repeat {
				r.count = int(head) + 1
			} else {
				r.count = 257 - int(head)
				if r.c, err = r.from.ReadByte(); err != nil {
					return n, Damaged
				}
			}
		}
		if !r.repeat {
			if r.c, err = r.from.ReadByte(); err != nil {
				return n, Damaged
			}
		}
		p[n] = r.c
		n++
		r.count--
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}
