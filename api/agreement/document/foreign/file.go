package foreign

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"strconv"
)

const (
	mostNumber  = 1<<31 - 1 // of an object
	mostObjects = 200_000
	mostHops    = 8        // from a reference to what it stands for
	mostPacked  = 16 << 20 // bytes of all streams of objects that are used
)

// place is where an object is.
type place struct {
	at int32 // in the file, or within the stream
	in int32 // number of the stream of objects that it is in, 0 for none
}

// file is a PDF that is being read.
type file struct {
	data    []byte
	spent   *budget
	places  map[int32]place // the zero place is that of an object that was deleted
	trailer value
	packed  map[int32]*objects
	size    int // of all that are packed
	listed  int // objects in them
	deep    int // objects that are being read for others
}

// objects are those of a stream of objects.
type objects struct {
	data []byte
	at   map[int32]int
}

func newFile(data []byte, spent *budget) *file {
	return &file{data: data, spent: spent, places: map[int32]place{}, packed: map[int32]*objects{}}
}

// fromHeader is the file from its header on, which may follow something else.
func fromHeader(data []byte) ([]byte, error) {
	at := bytes.Index(data[:min(len(data), 1024)], []byte("%PDF-"))
	if at < 0 {
		return nil, NotPDF
	}
	return data[at:], nil
}

// readTable reads the tables of all updates, from the last to the first.
func (f *file) readTable() error {
	end := f.data[max(0, len(f.data)-2048):]
	at := bytes.LastIndex(end, []byte("startxref"))
	if at < 0 {
		return Damaged
	}
	start, err := f.parser(end, at+len("startxref")).value()
	if err != nil {
		return err
	}
	next, ok := start.int()
	seen := map[int]bool{}
	for ok {
		if next < 0 || next >= len(f.data) || seen[next] {
			return Damaged
		}
		seen[next] = true
		trailer, err := f.section(next)
		if err != nil {
			return err
		}
		if trailer.at("Encrypt").kind != null {
			return Protected
		}
		if f.trailer.kind == null {
			f.trailer = trailer
		}
		if hybrid, is := trailer.at("XRefStm").int(); is && !seen[hybrid] {
			if hybrid < 0 || hybrid >= len(f.data) {
				return Damaged
			}
			seen[hybrid] = true
			if _, err = f.section(hybrid); err != nil {
				return err
			}
		}
		next, ok = trailer.at("Prev").int()
	}
	if f.trailer.kind == null {
		return Damaged
	}
	return nil
}

// section reads one table, in either form, and its trailer.
func (f *file) section(at int) (trailer value, err error) {
	p := f.parser(f.data, at)
	p.skip()
	if !bytes.HasPrefix(f.data[p.at:], []byte("xref")) {
		return f.tableStream(p.at)
	}
	p.at += len("xref")
	for {
		p.left = mostValues // of each
		first, err := p.value()
		if err != nil {
			return value{}, err
		}
		if first.kind == keyword && string(first.raw) == "trailer" {
			break
		}
		count, err := p.value()
		if err != nil {
			return value{}, err
		}
		from, isFrom := first.int()
		n, isCount := count.int()
		if !isFrom || !isCount || from < 0 || n < 0 {
			return value{}, Damaged
		}
		if err = f.rows(p, from, n); err != nil {
			return value{}, err
		}
	}
	if trailer, err = p.value(); err != nil || trailer.kind != dict {
		return value{}, errors.Join(err, Damaged)
	}
	return trailer, nil
}

// rows reads a part of a table. What a later update says of an object stays.
func (f *file) rows(p *parser, from, count int) error {
	for i := range count {
		p.left = mostValues
		at, err := p.value()
		if err != nil {
			return err
		}
		if _, err = p.value(); err != nil {
			return err
		}
		use, err := p.value()
		if err != nil {
			return err
		}
		offset, ok := at.int()
		if !ok || use.kind != keyword {
			return Damaged
		}
		if string(use.raw) != "n" || offset >= len(f.data) {
			offset = 0
		}
		if err = f.put(from+i, place{at: int32(offset)}); err != nil {
			return err
		}
	}
	return nil
}

func (f *file) put(object int, p place) error {
	if object < 0 || object > mostNumber {
		return Damaged
	}
	if _, known := f.places[int32(object)]; known {
		return nil
	}
	if len(f.places) >= mostObjects {
		return TooComplex
	}
	f.places[int32(object)] = p
	return nil
}

// tableStream reads a table that is a stream (ISO 32000-1, 7.5.8).
func (f *file) tableStream(at int) (value, error) {
	s, _, err := f.objectAt(at)
	if err != nil {
		return s, err
	}
	if s.kind != stream || !s.at("Type").isName("XRef") {
		return s, Damaged
	}
	data, err := f.unpacked(s, mostPacked)
	if err != nil {
		return s, err
	}
	var width [3]int
	if len(s.at("W").items()) < 3 {
		return s, Damaged
	}
	for i := range width {
		n, ok := s.at("W").items()[i].int()
		if width[i] = n; !ok || n < 0 || n > 8 {
			return s, Damaged
		}
	}
	index := s.at("Index").items()
	if index == nil {
		index = []value{{kind: number, raw: []byte("0")}, s.at("Size")}
	}
	for ; len(index) >= 2; index = index[2:] {
		from, isFrom := index[0].int()
		count, isCount := index[1].int()
		if !isFrom || !isCount || from < 0 || count < 0 {
			return s, Damaged
		}
		if data, err = f.streamRows(data, width, from, count); err != nil {
			return s, err
		}
	}
	s.kind, s.raw = dict, nil
	return s, nil
}

func (f *file) streamRows(data []byte, width [3]int, from, count int) ([]byte, error) {
	size := width[0] + width[1] + width[2]
	if size == 0 {
		return nil, Damaged
	}
	for i := 0; i < count && len(data) >= size; i++ {
		var field [3]int
		row := data
		for j, w := range width {
			for _, c := range row[:w] {
				field[j] = field[j]<<8 | int(c)
			}
			row = row[w:]
		}
		if width[0] == 0 {
			field[0] = 1
		}
		var p place
		switch {
		case field[0] == 1 && 0 <= field[1] && field[1] < len(f.data):
			p.at = int32(field[1])
		case field[0] == 2 && 0 < field[1] && field[1] <= mostNumber:
			p.in = int32(field[1])
		}
		if err := f.put(from+i, p); err != nil {
			return nil, err
		}
		data = data[size:]
	}
	return data, nil
}

// objectAt reads the object that begins somewhere in the file, and its number.
func (f *file) objectAt(at int) (v value, object int, err error) {
	p := f.parser(f.data, at)
	head, err := p.value()
	if err != nil {
		return v, 0, err
	}
	if _, err = p.value(); err != nil {
		return v, 0, err
	}
	p.skip()
	object, ok := head.int()
	if !ok || !bytes.HasPrefix(f.data[p.at:], []byte("obj")) {
		return v, 0, Damaged
	}
	p.at += len("obj")
	if v, err = p.value(); err != nil {
		return v, 0, err
	}
	if v.kind == keyword { // an object without a value
		return value{}, object, nil
	}
	if p.skip(); v.kind == dict && bytes.HasPrefix(f.data[p.at:], []byte("stream")) {
		v.kind = stream
		v.raw, err = f.stored(v, p.at+len("stream"))
	}
	return v, object, err
}

var endOfStream = []byte("endstream")

// stored is what a stream has in the file, from behind its keyword on. Where its length is wrong, it ends with the
// next keyword that ends one.
func (f *file) stored(v value, at int) ([]byte, error) {
	if at < len(f.data) && f.data[at] == '\r' {
		at++
	}
	if at < len(f.data) && f.data[at] == '\n' {
		at++
	}
	size, err := f.get(v, "Length")
	if err != nil {
		return nil, err
	}
	if n, ok := size.int(); ok && n >= 0 && n <= len(f.data)-at {
		p := parser{data: f.data, at: at + n}
		for p.at < len(p.data) && space(p.data[p.at]) && p.at < at+n+4 {
			p.at++
		}
		if bytes.HasPrefix(f.data[p.at:], endOfStream) {
			return f.data[at : at+n], nil
		}
	}
	n := bytes.Index(f.data[at:], endOfStream)
	if n < 0 {
		n = len(f.data) - at
		return nil, orDamaged(f.spent.spend(n))
	}
	if n > 0 && f.data[at+n-1] == '\n' {
		n--
	}
	if n > 0 && f.data[at+n-1] == '\r' {
		n--
	}
	return f.data[at : at+n], f.spent.spend(n)
}

// object is an object, null where there is none.
func (f *file) object(n int32) (value, error) {
	p, ok := f.places[n]
	if !ok || p == (place{}) {
		return value{}, nil
	}
	if f.deep++; f.deep > mostHops {
		return value{}, Damaged
	}
	defer func() { f.deep-- }()
	if p.in != 0 {
		return f.packedObject(n, p.in)
	}
	v, found, err := f.objectAt(int(p.at))
	if err == nil && found != int(n) {
		err = Damaged
	}
	return v, err
}

// packedObject is an object of a stream of objects, which itself is in none.
func (f *file) packedObject(n, in int32) (value, error) {
	all := f.packed[in]
	if all == nil {
		if f.places[in].in != 0 {
			return value{}, Damaged
		}
		s, err := f.object(in)
		if err != nil {
			return value{}, err
		}
		if all, err = f.unpackObjects(s); err != nil {
			return value{}, err
		}
		f.packed[in] = all
	}
	at, ok := all.at[n]
	if !ok {
		return value{}, nil
	}
	return f.parser(all.data, at).value()
}

func (f *file) unpackObjects(s value) (*objects, error) {
	if s.kind != stream || !s.at("Type").isName("ObjStm") {
		return nil, Damaged
	}
	data, err := f.unpacked(s, mostPacked-f.size)
	if err != nil {
		return nil, err
	}
	f.size += len(data)
	count, isCount := s.at("N").int()
	first, isFirst := s.at("First").int()
	if !isCount || !isFirst || first < 0 || first > len(data) {
		return nil, Damaged
	}
	all := &objects{data: data, at: map[int32]int{}}
	p := f.parser(data[:first], 0)
	for range min(count, len(data)) {
		object, err := p.value()
		if err != nil {
			return nil, err
		}
		offset, err := p.value()
		if err != nil {
			return nil, err
		}
		n, isNumber := object.int()
		at, isOffset := offset.int()
		if !isNumber || !isOffset || n < 0 || n > mostNumber || at < 0 || at > len(data)-first {
			return nil, Damaged
		}
		if f.listed++; f.listed > mostObjects {
			return nil, TooComplex
		}
		all.at[int32(n)] = first + at
	}
	return all, nil
}

// resolve follows references to the value that they stand for.
func (f *file) resolve(v value) (value, error) {
	for range mostHops {
		if v.kind != reference {
			return v, nil
		}
		var err error
		if v, err = f.object(v.object); err != nil {
			return v, err
		}
	}
	return v, Damaged
}

// get is what a key of a dictionary stands for.
func (f *file) get(v value, key string) (value, error) { return f.resolve(v.at(key)) }

// unpacked is a stream without its filters, of at most so many bytes.
func (f *file) unpacked(s value, most int) ([]byte, error) {
	r, rest, err := f.unpack(s)
	if err != nil {
		return nil, err
	}
	defer r.close()
	if rest {
		return nil, Damaged
	}
	data, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if err != nil {
		return nil, err
	}
	if len(data) > most {
		return nil, Unpacked
	}
	return data, nil
}

// search finds all objects in the order of the file, of which the last of a number counts, as each update comes
// behind what it changes.
func (f *file) search() error {
	if err := f.spent.spend(4 * len(f.data)); err != nil {
		return err
	}
	for at := 0; ; {
		n := bytes.Index(f.data[at:], []byte("obj"))
		if n < 0 {
			break
		}
		at += n
		if object, from := f.before(at); object > 0 {
			if len(f.places) >= mostObjects {
				return TooComplex
			}
			f.places[int32(object)] = place{at: int32(from)}
		}
		at += len("obj")
	}
	if err := f.searchTrailers(); err != nil {
		return err
	}
	return f.searchPacked()
}

// before reads the number of an object backward from its keyword, and tells where it begins; 0 where there is none.
func (f *file) before(at int) (object, from int) {
	back := func(is func(byte) bool) (word []byte) {
		end := at
		for at > 0 && end-at < 12 && is(f.data[at-1]) {
			at--
		}
		return f.data[at:end]
	}
	digit := func(c byte) bool { return '0' <= c && c <= '9' }
	back(space)
	if len(back(digit)) == 0 || len(back(space)) == 0 {
		return 0, 0
	}
	object, err := strconv.Atoi(string(back(digit)))
	if err != nil || object > mostNumber {
		return 0, 0
	}
	return object, at
}

// searchTrailers takes the last trailer that names a catalog, and refuses where any says that the file is encrypted.
func (f *file) searchTrailers() error {
	for at := 0; ; {
		n := bytes.Index(f.data[at:], []byte("trailer"))
		if n < 0 {
			return nil
		}
		at += n + len("trailer")
		t, err := f.parser(f.data, at).value()
		if err != nil && !errors.Is(err, Damaged) {
			return err
		}
		if err == nil && t.at("Encrypt").kind != null {
			return Protected
		}
		if err == nil && t.at("Root").kind == reference {
			f.trailer = t
		}
	}
}

// searchPacked looks into streams of objects and tables, and where no trailer names a catalog, finds one.
func (f *file) searchPacked() error {
	numbers := make([]int32, 0, len(f.places))
	for n := range f.places {
		numbers = append(numbers, n)
	}
	f.inOrder(numbers)
	for _, n := range numbers {
		v, err := f.object(n)
		if errors.Is(err, Damaged) {
			continue // it matters where something refers to it
		}
		if err != nil {
			return err
		}
		switch {
		case v.kind == stream && v.at("Type").isName("XRef"):
			if v.at("Encrypt").kind != null {
				return Protected
			}
			if v.at("Root").kind == reference {
				f.trailer = v
			}
		case v.kind == stream && v.at("Type").isName("ObjStm"):
			all, err := f.unpackObjects(v)
			if errors.Is(err, Damaged) {
				continue
			}
			if err != nil {
				return err
			}
			f.packed[n] = all
			for o := range all.at {
				if old, known := f.places[o]; !known || old.in != 0 {
					f.places[o] = place{in: n}
				}
			}
		case v.kind == dict && v.at("Type").isName("Catalog") && f.trailer.kind == null:
			f.trailer = value{kind: dict, parts: &parts{
				keys: []string{"Root"}, items: []value{{kind: reference, object: n}},
			}}
		}
	}
	if f.trailer.kind == null {
		return Damaged
	}
	return nil
}

// inOrder sorts numbers of objects by where they are in the file.
func (f *file) inOrder(numbers []int32) {
	slices.SortFunc(numbers, func(a, b int32) int { return cmp.Compare(f.places[a].at, f.places[b].at) })
}
