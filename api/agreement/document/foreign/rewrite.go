package foreign

import (
	"bytes"
	"fmt"
	"io"
	"sort"
	"strconv"

	"github.com/klauspost/compress/zlib"
)

const (
	mostOutput  = 12 << 20
	mostContent = 40 << 20 // bytes of all contents, unpacked
)

// copied is an object as it is copied: the same one in another shape is another copy.
type copied struct {
	object int32
	shape  *shape
}

// rewriter writes what it copies of a file.
type rewriter struct {
	*file
	*shapes
	out     bytes.Buffer
	starts  []int // where the objects begin that are written, or 0
	numbers map[copied]int
	queue   []copied
	drawn   map[int32]drawing // what the forms of the file draw, by their numbers
	content int               // bytes of all contents so far
	names   int               // of XObjects that contents draw
	buffer  [32 << 10]byte
	pixels  int
	heavy   map[int32]int // what it takes to draw a form, see weigh
}

// begin gives a number to an object that is written later.
func (w *rewriter) begin() int {
	w.starts = append(w.starts, 0)
	return len(w.starts)
}

// write writes an object.
func (w *rewriter) write(number int, object []byte) error {
	if err := w.check(len(object)); err != nil {
		return err
	}
	w.starts[number-1] = w.out.Len()
	fmt.Fprintf(&w.out, "%d 0 obj\n", number)
	w.out.Write(object)
	w.out.WriteString("\nendobj\n")
	return nil
}

// writeStream writes a stream with the entries of its dictionary.
func (w *rewriter) writeStream(number int, entries, data []byte) error {
	if err := w.check(len(entries) + len(data)); err != nil {
		return err
	}
	w.starts[number-1] = w.out.Len()
	fmt.Fprintf(&w.out, "%d 0 obj\n<<%s/Length %d>>\nstream\n", number, entries, len(data))
	w.out.Write(data)
	w.out.WriteString("\nendstream\nendobj\n")
	return nil
}

// check refuses what becomes too long with so many bytes more.
func (w *rewriter) check(more int) error {
	if w.out.Len()+more > mostOutput || len(w.starts) > mostObjects {
		return Unpacked
	}
	return nil
}

// finish writes the table of all objects, of which catalog is the first.
func (w *rewriter) finish(catalog int) []byte {
	table := w.out.Len()
	fmt.Fprintf(&w.out, "xref\n0 %d\n0000000000 65535 f \n", len(w.starts)+1)
	for _, at := range w.starts {
		fmt.Fprintf(&w.out, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&w.out, "trailer\n<</Size %d/Root %d 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(w.starts)+1, catalog, table)
	return w.out.Bytes()
}

// copy appends a value in a shape. What is not in the shape becomes null.
func (w *rewriter) copy(to []byte, v value, s *shape, depth int) ([]byte, error) {
	if len(to) > mostOutput {
		return to, Unpacked
	}
	if depth > mostNested {
		return to, TooComplex
	}
	if v.kind == reference {
		return w.refer(to, v, s, depth)
	}
	if s.choose != nil {
		chosen, err := s.choose(w.file, v)
		if err != nil {
			return to, err
		}
		if chosen == omitted {
			return append(to, "null"...), nil
		}
		s = chosen
	}
	switch v.kind {
	case boolean, number, name, text:
		return append(to, v.raw...), w.spent.spend(len(v.raw))
	case array:
		if s.items == nil {
			break
		}
		to = append(to, '[')
		for _, item := range v.parts.items {
			var err error
			if to, err = w.copy(append(to, ' '), item, s.items, depth+1); err != nil {
				return to, err
			}
		}
		return append(to, ']'), w.spent.spend(32 * len(v.parts.items))
	case dict:
		if s.keys == nil && s.each == nil && s.items != nil {
			break
		}
		to = append(to, "<<"...)
		to, err := w.entries(to, v, s, depth)
		return append(to, ">>"...), err
	}
	return append(to, "null"...), nil
}

// refer appends a reference to the copy of an object. What has no parts is copied itself, as are arrays of it.
func (w *rewriter) refer(to []byte, v value, s *shape, depth int) ([]byte, error) {
	key := copied{v.object, s}
	if n := w.numbers[key]; n > 0 {
		return fmt.Appendf(to, "%d 0 R", n), nil
	}
	if s == plain {
		inner, err := w.resolve(v)
		if err != nil {
			return to, err
		}
		return w.copy(to, inner, s, depth+1)
	}
	n := w.begin()
	if err := w.check(0); err != nil {
		return to, err
	}
	w.numbers[key] = n
	w.queue = append(w.queue, key)
	return fmt.Appendf(to, "%d 0 R", n), nil
}

// entries appends what a shape has of the entries of a dictionary.
func (w *rewriter) entries(to []byte, v value, s *shape, depth int) (_ []byte, err error) {
	for i, key := range v.parts.keys {
		part := s.each
		if part == nil {
			part = s.keys[key]
		}
		if part == nil || v.parts.items[i].kind == null {
			continue
		}
		to = appendName(to, key)
		if to, err = w.copy(append(to, ' '), v.parts.items[i], part, depth+1); err != nil {
			return to, err
		}
	}
	return to, w.spent.spend(64 * len(v.parts.keys))
}

// appendName appends a name with the escapes that it needs.
func appendName(to []byte, s string) []byte {
	to = append(to, '/')
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c > '~' || c == '#' || delimiter(c) {
			to = fmt.Appendf(to, "#%02X", c)
		} else {
			to = append(to, c)
		}
	}
	return to
}

// drain copies all objects that something refers to.
func (w *rewriter) drain() error {
	for len(w.queue) > 0 {
		next := w.queue[0]
		w.queue = w.queue[1:]
		v, err := w.resolve(value{kind: reference, object: next.object})
		if err != nil {
			return err
		}
		if v.kind == stream {
			err = w.stream(next, v)
		} else {
			var object []byte
			if object, err = w.copy(nil, v, next.shape, 0); err == nil {
				err = w.write(w.numbers[next], object)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// stream copies a stream as it is stored, after it was measured.
func (w *rewriter) stream(c copied, v value) (err error) {
	s, n := c.shape, w.numbers[c]
	if s.choose != nil {
		if s, err = s.choose(w.file, v); err != nil {
			return err
		}
	}
	if s == nil || !s.stream {
		return w.write(n, []byte("null"))
	}
	if err = w.measure(c.object, v, s); err != nil {
		return err
	}
	dictionary := v
	dictionary.kind = dict
	entries, err := w.entries(nil, dictionary, s, 0)
	if err != nil {
		return err
	}
	if entries, err = w.filtered(entries, v); err != nil {
		return err
	}
	return w.writeStream(n, entries, v.raw)
}

// filtered appends the filters of a stream.
func (w *rewriter) filtered(to []byte, v value) ([]byte, error) {
	names, told, err := w.filters(v)
	if err != nil || len(names) == 0 {
		return to, err
	}
	to = append(to, "/Filter["...)
	for _, n := range names {
		to = appendName(to, n)
	}
	to = append(to, "]/DecodeParms["...)
	for _, p := range told {
		if p.kind == dict && len(p.parts.keys) > 0 {
			to, err = w.copy(append(to, ' '), p, params, 0)
		} else {
			to = append(to, " null"...)
		}
		if err != nil {
			return to, err
		}
	}
	return append(to, ']'), nil
}

// measure unpacks a stream without keeping it, so that it is known how large it is for others.
func (w *rewriter) measure(object int32, v value, s *shape) error {
	if s == w.picture {
		return w.measurePicture(v)
	}
	if s.content {
		d, err := w.draw(io.Discard, v)
		w.drawn[object] = d
		return err
	}
	u, rest, err := w.unpack(v)
	if err != nil {
		return err
	}
	defer u.close()
	if rest {
		return Damaged // no font and no function is a picture
	}
	_, err = io.Copy(io.Discard, u)
	return err
}

// draw unpacks a content stream to a writer and tells what it draws.
func (w *rewriter) draw(to io.Writer, v value) (drawing, error) {
	u, rest, err := w.unpack(v)
	if err != nil {
		return drawing{}, err
	}
	defer u.close()
	if rest {
		return drawing{}, Damaged
	}
	s := newScanner()
	n, err := io.CopyBuffer(io.MultiWriter(to, s), io.LimitReader(u, int64(mostContent-w.content)+1), w.buffer[:])
	if w.content += int(n); err == nil && w.content > mostContent {
		err = Unpacked
	}
	if err == nil {
		err = w.spent.spend(int(n) * scanning)
	}
	if err == nil {
		err = s.close()
	}
	if w.names += len(s.draws); err == nil && w.names > mostNames {
		err = TooComplex
	}
	return s.drawing, err
}

// scanning is what it takes to scan a byte of contents.
const scanning = 4

// contents writes the form that draws what a page does. Contents that come in parts are joined.
func (w *rewriter) contents(form int, entries []byte, all []value) (drawing, error) {
	if len(all) == 1 && w.packedOnly(all[0]) {
		d, err := w.draw(io.Discard, all[0])
		if err != nil {
			return d, err
		}
		return d, w.writeStream(form, append(entries, "/Filter/FlateDecode"...), all[0].raw)
	}
	var packed bytes.Buffer
	z, err := zlib.NewWriterLevel(&packed, zlib.DefaultCompression)
	if err != nil {
		return drawing{}, err
	}
	whole := newScanner()
	for _, v := range all {
		d, err := w.draw(z, v)
		if err != nil {
			return d, err
		}
		if _, err = z.Write([]byte{'\n'}); err != nil {
			return d, err
		}
		for key, n := range d.draws {
			whole.draws[key] += n
		}
		if err = w.spent.spend(0); err != nil {
			return d, err
		}
	}
	if err = z.Close(); err != nil {
		return drawing{}, err
	}
	return whole.drawing, w.writeStream(form, append(entries, "/Filter/FlateDecode"...), packed.Bytes())
}

// packedOnly is whether a stream is packed in the way in which contents are written.
func (w *rewriter) packedOnly(v value) bool {
	names, told, err := w.filters(v)
	return err == nil && len(names) == 1 && names[0] == "FlateDecode" && told[0].kind == null
}

// weigh tells how many XObjects it takes to draw what a content stream draws. It refuses forms that draw themselves,
// and those that draw each other too often.
func (w *rewriter) weigh(d drawing, resources value, deep int) (total int, err error) {
	if deep > mostForms {
		return 0, TooComplex
	}
	if resources, err = w.resolve(resources); err != nil {
		return 0, err
	}
	objects, err := w.get(resources, "XObject")
	if err != nil {
		return 0, err
	}
	names := make([]string, 0, len(d.draws))
	for n := range d.draws {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		one := 1
		if r := objects.at(n); r.kind == reference {
			if one, err = w.weighForm(r, resources, deep); err != nil {
				return 0, err
			}
		}
		if total += one * d.draws[n]; total > mostDraws {
			return 0, TooComplex
		}
	}
	return total, nil
}

const (
	itself    = -1      // of a form that is being weighed: it draws itself
	mostForms = 28      // within each other
	mostDraws = 200_000 // XObjects of a page
)

func (w *rewriter) weighForm(r, outer value, deep int) (int, error) {
	d, is := w.drawn[r.object]
	if !is {
		return 1, nil
	}
	if n := w.heavy[r.object]; n == itself {
		return 0, Damaged
	} else if n > 0 {
		return n, nil
	}
	w.heavy[r.object] = itself
	v, err := w.resolve(r)
	if err != nil {
		return 0, err
	}
	own := v.at("Resources")
	if own.kind == null {
		own = outer
	}
	n, err := w.weigh(d, own, deep+1)
	w.heavy[r.object] = n + 1
	return n + 1, err
}

// appendNumber appends a number as short as it can be.
func appendNumber(to []byte, f float64) []byte {
	s := strconv.AppendFloat(nil, f, 'f', 5, 64)
	s = bytes.TrimRight(s, "0")
	s = bytes.TrimSuffix(s, []byte("."))
	if len(s) == 0 || string(s) == "-0" || string(s) == "-" {
		s = []byte("0")
	}
	return append(to, s...)
}

func appendNumbers(to []byte, all ...float64) []byte {
	for i, f := range all {
		if i > 0 {
			to = append(to, ' ')
		}
		to = appendNumber(to, f)
	}
	return to
}
