package pdf

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"sync"
)

// element is a part of the structure of a document, which a screen reader follows (ISO 32000-1, 14.7): a heading, a
// paragraph, a list, a table, or a part of one.
type element struct {
	kind   kind
	parent *element
	kids   []kid // in the order in which they are read
	object int   // number of its object in the file
}

// kind is a standard structure type (ISO 32000-1, 14.8.4).
type kind struct {
	name       string
	attributes string // of each element of the kind
}

var (
	whole      = kind{name: "Document"}
	part       = kind{name: "Sect"}
	paragraph  = kind{name: "P"}
	list       = kind{name: "L", attributes: " /A <</O /List /ListNumbering /Disc>>"}
	listItem   = kind{name: "LI"}
	label      = kind{name: "Lbl"}
	itemBody   = kind{name: "LBody"}
	table      = kind{name: "Table"}
	row        = kind{name: "TR"}
	cell       = kind{name: "TD"}
	rowHead    = kind{name: "TH", attributes: " /A <</O /Table /Scope /Row>>"}
	columnHead = kind{name: "TH", attributes: " /A <</O /Table /Scope /Column>>"}
)

// heading is the kind of a heading: 1 for the title, 2 for what is within it.
func heading(level int) kind { return kind{name: "H" + strconv.Itoa(level)} }

// kid is an element within an element, or what is drawn of it.
type kid struct {
	element *element // nil for what is drawn
	page    int      // the page that it is drawn on, from 1
	mark    int      // the number of the marked content on that page
}

// structure is the tree of elements of a document that is being written.
type structure struct {
	root  *element
	at    *element     // what the next text belongs to
	open  *element     // whose marked content is open, nil for none
	marks [][]*element // of each page, the elements that its marked content belongs to
}

// in writes what belongs to a new element within the one that is being written. Within an artifact it has none.
func (w *writer) in(k kind, write func()) {
	if w.tree.at == nil {
		write()
		return
	}
	e := &element{kind: k, parent: w.tree.at}
	w.tree.at.kids = append(w.tree.at.kids, kid{element: e})
	w.tree.at = e
	write()
	w.tree.at = e.parent
}

// tag begins the marked content of the element that is being written, where the page does not end with it already.
func (w *writer) tag() {
	t, page := &w.tree, w.PageNo()
	if t.open == t.at {
		return
	}
	w.untag()
	for len(t.marks) < page {
		t.marks = append(t.marks, nil)
	}
	mark := len(t.marks[page-1])
	t.marks[page-1] = append(t.marks[page-1], t.at)
	t.at.kids = append(t.at.kids, kid{page: page, mark: mark})
	w.RawWriteStr(fmt.Sprintf("/%s <</MCID %d>> BDC", t.at.kind.name, mark))
	t.open = t.at
}

// untag ends the marked content that is open. Each page ends what was begun on it.
func (w *writer) untag() {
	if w.tree.open != nil {
		w.RawWriteStr("EMC")
		w.tree.open = nil
	}
}

// artifact draws what is no part of the content: a line, the head or the foot of a page, the repeated head of a table.
func (w *writer) artifact(draw func()) {
	w.untag()
	w.RawWriteStr("/Artifact BMC")
	outer := w.tree.at
	w.tree.at = nil // what is drawn within has no mark of its own
	draw()
	w.tree.at = outer
	w.RawWriteStr("EMC")
}

var (
	objects  = regexp.MustCompile(`\nxref\n0 (\d+)\n\d{10} 65535 f \n`)
	contents = []byte("/Contents ")
	names    = []byte("/Names <<")

	// allCodes is what fpdf says of the characters of a font: a range that is too long, and has some that are none.
	// The codes of the fonts are those of UTF-16.
	allCodes   = []byte("beginbfrange\n<0000> <FFFF> <0000>\nendbfrange")
	characters = sync.OnceValue(func() []byte {
		var b bytes.Buffer
		b.WriteString("100 beginbfrange\n")
		for high := range 256 {
			if high == 100 || high == 200 {
				fmt.Fprintf(&b, "endbfrange\n%d beginbfrange\n", min(100, 256-high))
			}
			first, last := high<<8, high<<8|0xff
			switch high {
			case 0x00:
				first++
			case 0xfe, 0xff: // without U+FEFF, U+FFFE and U+FFFF
				last -= high&1 + 1
			}
			fmt.Fprintf(&b, "<%04X> <%04X> <%04X>\n", first, last, first)
		}
		b.WriteString("endbfrange")
		return b.Bytes()
	})
)

// tagged is a file of fpdf with the structure of the document. The file has a page in each object from 3 on whose
// number is odd, and its catalog last, which fpdf writes without a place for more.
func (w *writer) tagged(file []byte) ([]byte, error) {
	at := objects.FindSubmatchIndex(file)
	if at == nil {
		return nil, errors.New("pdf: the file has no table of objects")
	}
	count, _ := strconv.Atoi(string(file[at[2]:at[3]])) // digits
	root := w.tree.number(count)
	behind, pages := w.inserted(root + 3)
	var out bytes.Buffer
	places := make([]int, 0, count+1)
	add := func(object []byte) {
		places = append(places, out.Len())
		out.Write(object)
	}
	out.WriteString("%PDF-1.7\n%\xc2\xb5\xc2\xb6\n")
	for n := 1; n < count; n++ {
		object, err := objectAt(file, at[1], n)
		if err != nil {
			return nil, err
		}
		switch page := (n - 1) / 2; {
		case n == count-1:
			object = insert(object, names, fmt.Sprintf(
				"/MarkInfo <</Marked true>>\n/StructTreeRoot %d 0 R\n/ViewerPreferences <</DisplayDocTitle true>>\n",
				root,
			))
		case n%2 == 1 && pages[page] != nil:
			object = fmt.Appendf(nil, "%d 0 obj\n<<%s/Parent 1 0 R/StructParents %d/Tabs/S>>\nendobj\n",
				n, pages[page], page-1)
		case n%2 == 1 && 1 <= page && page <= w.PageCount():
			object = insert(object, contents, fmt.Sprintf("/StructParents %d\n/Tabs /S\n", page-1))
		case bytes.Contains(object, allCodes):
			object = characterMap(n, object)
		}
		add(object)
	}
	// The elements are kept compressed in one object, and found by a stream beside the table, which does not have them:
	// a hybrid-reference file (ISO 32000-1, 7.5.8.4).
	add(w.tree.packed(root, root+1))
	found := out.Len()
	add(located(count, root+1, root+2))
	for _, object := range behind {
		add(object)
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", count)
	for i, place := range places {
		if i == count-1 {
			fmt.Fprintf(&out, "%d %d\n", root+1, len(places)-i)
		}
		fmt.Fprintf(&out, "%010d 00000 n \n", place)
	}
	fmt.Fprintf(&out, "trailer\n<<\n/Size %d\n/Root %d 0 R\n/Info %d 0 R\n/XRefStm %d\n>>\nstartxref\n%d\n%%%%EOF\n",
		root+3+len(behind), count-1, count-2, found, start)
	return out.Bytes(), nil
}

const entry = 20 // bytes of an object in the table

// objectAt is an object of a file by its number. The table of them begins at entries.
func objectAt(file []byte, entries, n int) ([]byte, error) {
	from, err := strconv.Atoi(string(file[entries+(n-1)*entry : entries+(n-1)*entry+10]))
	if err != nil {
		return nil, fmt.Errorf("pdf: the place of object %d: %w", n, err)
	}
	const end = "\nendobj\n"
	length := bytes.Index(file[from:], []byte(end))
	if length < 0 || !bytes.HasPrefix(file[from:], fmt.Appendf(nil, "%d 0 obj\n", n)) {
		return nil, fmt.Errorf("pdf: no object %d at byte %d", n, from)
	}
	return file[from : from+length+len(end)], nil
}

// characterMap is the object by which a reader finds the characters of a font.
func characterMap(n int, object []byte) []byte {
	_, content, _ := bytes.Cut(object, []byte("stream\n"))
	content, _, _ = bytes.Cut(content, []byte("\nendstream"))
	return stream(n, "", bytes.Replace(content, append([]byte("1 "), allCodes...), characters(), 1))
}

// stream is an object with a content that is compressed, and entries of its dictionary.
func stream(n int, entries string, content []byte) []byte {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, _ = z.Write(content) // to memory
	_ = z.Close()
	return fmt.Appendf(nil, "%d 0 obj\n<<%s/Filter /FlateDecode /Length %d>>\nstream\n%s\nendstream\nendobj\n",
		n, entries, packed.Len(), packed.Bytes())
}

// located is the stream n that says of the objects from first up to the one that holds them where they are in it.
func located(first, holder, n int) []byte {
	var b []byte
	for i := range holder - first {
		b = append(b, 2) // of an object that is compressed (ISO 32000-1, table 18)
		b = binary.BigEndian.AppendUint32(b, uint32(holder))
		b = binary.BigEndian.AppendUint16(b, uint16(i))
	}
	return stream(n, fmt.Sprintf("/Type /XRef /Size %d /W [1 4 2] /Index [%d %d] ", n+1, first, holder-first), b)
}

// insert is an object with a text before a part of it.
func insert(object, before []byte, text string) []byte {
	i := bytes.LastIndex(object, before)
	return append(append(bytes.Clone(object[:i]), text...), object[i:]...)
}

// number gives each element the number of its object, from one on, and is that of the root of the tree, which comes
// after them.
func (t *structure) number(next int) int {
	t.root.walk(func(e *element) {
		e.object = next
		next++
	})
	return next
}

// walk visits an element and those within it.
func (e *element) walk(visit func(*element)) {
	visit(e)
	for _, k := range e.kids {
		if k.element != nil {
			k.element.walk(visit)
		}
	}
}

// packed is the object n that holds each element, and last the root, which finds the element of each mark of a page.
func (t *structure) packed(root, n int) []byte {
	var places, all bytes.Buffer
	count := 0
	add := func(number int, object []byte) {
		fmt.Fprintf(&places, "%d %d ", number, all.Len())
		all.Write(object)
		count++
	}
	t.root.walk(func(e *element) { add(e.object, e.written(root)) })
	var b bytes.Buffer
	fmt.Fprintf(&b, "<</Type /StructTreeRoot /K %d 0 R /ParentTreeNextKey %d\n/ParentTree <</Nums [",
		t.root.object, len(t.marks))
	for page, all := range t.marks {
		fmt.Fprintf(&b, "\n%d [", page)
		for _, e := range all {
			fmt.Fprintf(&b, "%d 0 R ", e.object)
		}
		b.WriteString("]")
	}
	b.WriteString("]>>>>\n")
	add(root, b.Bytes())
	return stream(n, fmt.Sprintf("/Type /ObjStm /N %d /First %d ", count, places.Len()),
		append(places.Bytes(), all.Bytes()...))
}

// written is the object of an element.
func (e *element) written(root int) []byte {
	parent, page := root, 0
	if e.parent != nil {
		parent = e.parent.object
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "<</S /%s /P %d 0 R%s", e.kind.name, parent, e.kind.attributes)
	for _, k := range e.kids {
		if k.element == nil && page == 0 {
			page = k.page
			fmt.Fprintf(&b, " /Pg %d 0 R", pageObject(page))
		}
	}
	b.WriteString(" /K [")
	for i, k := range e.kids {
		if i > 0 {
			b.WriteByte(' ')
		}
		switch {
		case k.element != nil:
			fmt.Fprintf(&b, "%d 0 R", k.element.object)
		case k.page == page:
			b.WriteString(strconv.Itoa(k.mark))
		default:
			fmt.Fprintf(&b, "<</Type /MCR /Pg %d 0 R /MCID %d>>", pageObject(k.page), k.mark)
		}
	}
	b.WriteString("]>>\n")
	return b.Bytes()
}

// pageObject is the number of the object of a page.
func pageObject(page int) int { return 2*page + 1 }
