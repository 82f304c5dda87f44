package foreign

import (
	"fmt"
	"math"
)

const (
	mostDepth = 50    // of the tree of pages
	mostNodes = 2_000 // of it
	mostMarks = 5_000 // fields and comments of all pages
)

// inherited is what pages have from the nodes above them.
type inherited struct{ resources, media, crop, rotate value }

// page is a page as it is found.
type page struct {
	value
	inherited
}

// rewrite makes a Document of a file.
func rewrite(f *file) (Document, error) {
	if f.trailer.at("Encrypt").kind != null {
		return Document{}, Protected
	}
	catalog, err := f.get(f.trailer, "Root")
	if err != nil {
		return Document{}, err
	}
	form, err := f.checkCatalog(catalog)
	if err != nil {
		return Document{}, err
	}
	root, err := f.get(catalog, "Pages")
	if err != nil {
		return Document{}, err
	}
	if root.kind != dict {
		return Document{}, Damaged
	}
	tree := pageTree{file: f}
	if err = tree.walk(root, inherited{}, 0); err != nil {
		return Document{}, err
	}
	if len(tree.pages) == 0 {
		return Document{}, NoPages
	}
	w := &rewriter{
		file: f, shapes: newShapes(), numbers: map[copied]int{}, drawn: map[int32]drawing{}, heavy: map[int32]int{},
	}
	w.out.Grow(min(2*len(f.data), mostOutput) + 1<<16)
	return w.document(tree.pages, form)
}

// checkCatalog refuses what pages alone don't show, and finds the form.
func (f *file) checkCatalog(catalog value) (form value, err error) {
	if catalog.kind != dict {
		return form, Damaged
	}
	if catalog.at("Collection").kind != null {
		return form, Portfolio
	}
	if form, err = f.get(catalog, "AcroForm"); err != nil {
		return form, err
	}
	rendered, err := f.get(catalog, "NeedsRendering")
	if err != nil {
		return form, err
	}
	fields, err := f.get(form, "Fields")
	if err != nil {
		return form, err
	}
	if string(rendered.raw) == "true" || form.at("XFA").kind != null && len(fields.items()) == 0 {
		return form, DynamicForm
	}
	return form, f.checkLayers(catalog)
}

type pageTree struct {
	*file
	pages []page
	nodes int
}

// walk finds the pages below a node in their order. A tree that leads back to itself is too deep.
func (t *pageTree) walk(node value, above inherited, depth int) error {
	if t.nodes++; depth > mostDepth || t.nodes > mostNodes {
		return Damaged
	}
	above.resources = node.or("Resources", above.resources)
	above.media, above.crop = node.or("MediaBox", above.media), node.or("CropBox", above.crop)
	above.rotate = node.or("Rotate", above.rotate)
	kids, err := t.get(node, "Kids")
	if err != nil {
		return err
	}
	if kids.kind == null {
		if t.pages = append(t.pages, page{node, above}); len(t.pages) > MostPages {
			return TooManyPages
		}
		return nil
	}
	for _, kid := range kids.items() {
		v, err := t.resolve(kid)
		if err != nil {
			return err
		}
		if v.kind != dict {
			return Damaged
		}
		if err = t.walk(v, above, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (w *rewriter) document(pages []page, form value) (d Document, err error) {
	w.out.WriteString("%PDF-1.7\n%\xc2\xb5\xc2\xb6\n")
	catalog, tree := w.begin(), w.begin()
	list := []byte("<</Type/Pages/Kids[")
	marks := 0
	for _, p := range pages {
		own, number, err := w.page(p, tree, form, &marks)
		if err != nil {
			return d, err
		}
		d.Pages = append(d.Pages, own)
		list = fmt.Appendf(list, "%d 0 R ", number)
	}
	if err = w.write(tree, fmt.Appendf(list, "]/Count %d>>", len(pages))); err != nil {
		return d, err
	}
	if err = w.write(catalog, fmt.Appendf(nil, "<</Type/Catalog/Pages %d 0 R>>", tree)); err != nil {
		return d, err
	}
	d.Content = w.finish(catalog)
	return d, nil
}

// box is a rectangle whose first corner is the lower left one.
type box [4]float64

func (f *file) box(v value) (b box, ok bool, err error) {
	if v, err = f.resolve(v); err != nil || len(v.items()) < 4 {
		return b, false, err
	}
	for i := range b {
		n, err := f.resolve(v.items()[i])
		if err != nil {
			return b, false, err
		}
		b[i] = n.float()
		if math.Abs(b[i]) > 1e6 {
			return b, false, PageTooLarge
		}
	}
	b = box{min(b[0], b[2]), min(b[1], b[3]), max(b[0], b[2]), max(b[1], b[3])}
	return b, b.width() > 0 && b.height() > 0, nil
}

func (b box) width() float64  { return b[2] - b[0] }
func (b box) height() float64 { return b[3] - b[1] }

// frame finds the part of a page that is shown, and how it is turned.
func (w *rewriter) frame(p page) (shown box, rotate int, unit float64, err error) {
	media, ok, err := w.box(p.media)
	if err != nil {
		return media, 0, 0, err
	}
	if !ok {
		media = box{0, 0, 612, 792}
	}
	shown = media
	crop, ok, err := w.box(p.crop)
	if err != nil {
		return media, 0, 0, err
	}
	if ok {
		both := box{
			max(media[0], crop[0]), max(media[1], crop[1]), min(media[2], crop[2]), min(media[3], crop[3]),
		}
		if both.width() > 0 && both.height() > 0 {
			shown = both
		}
	}
	turn, err := w.resolve(p.rotate)
	if err != nil {
		return shown, 0, 0, err
	}
	rotate = int(math.Mod(turn.float(), 360))
	rotate = (rotate + 360) % 360
	if rotate%90 != 0 {
		rotate = 0
	}
	scale, err := w.get(p.value, "UserUnit")
	if err != nil {
		return shown, 0, 0, err
	}
	if unit = scale.float(); unit <= 0 {
		unit = 1
	}
	if max(shown.width(), shown.height())*unit > MostSide {
		return shown, 0, 0, PageTooLarge
	}
	if min(shown.width(), shown.height())*unit < 3 {
		return shown, 0, 0, Damaged
	}
	return shown, rotate, unit, nil
}

// page writes a page and all that it is drawn with.
func (w *rewriter) page(p page, tree int, form value, marks *int) (own Page, number int, err error) {
	shown, rotate, unit, err := w.frame(p)
	if err != nil {
		return own, 0, err
	}
	number = w.begin()
	own = Page{Width: shown.width() * unit, Height: shown.height() * unit, Rotate: rotate, Object: w.begin()}
	if rotate%180 != 0 {
		own.Width, own.Height = own.Height, own.Width
	}
	drawn, err := w.pageForm(p, own.Object, shown)
	if err != nil {
		return own, 0, err
	}
	instructions, objects := []byte("/P Do\n"), fmt.Appendf(nil, "/P %d 0 R", own.Object)
	resting, err := w.marks(p, form, marks)
	if err != nil {
		return own, 0, err
	}
	for i, m := range resting {
		instructions = append(appendNumbers(append(instructions, "q "...), m.matrix[:]...),
			fmt.Sprintf(" cm /A%d Do Q\n", i)...)
		objects = append(fmt.Appendf(objects, "/A%d ", i), m.form...)
	}
	if err = w.drain(); err != nil {
		return own, 0, err
	}
	if err = w.weighPage(p, drawn, resting); err != nil {
		return own, 0, err
	}
	contents := w.begin()
	if err = w.writeStream(contents, nil, instructions); err != nil {
		return own, 0, err
	}
	object := append(fmt.Appendf(nil, "<</Type/Page/Parent %d 0 R/MediaBox[", tree), appendNumbers(nil, shown[:]...)...)
	object = append(object, ']')
	if rotate != 0 {
		object = fmt.Appendf(object, "/Rotate %d", rotate)
	}
	if unit != 1 {
		object = appendNumber(append(object, "/UserUnit "...), unit)
	}
	group, err := w.get(p.value, "Group")
	if err != nil {
		return own, 0, err
	}
	if group.kind == dict {
		if object, err = w.copy(append(object, "/Group "...), group, w.form.keys["Group"], 0); err != nil {
			return own, 0, err
		}
	}
	object = fmt.Appendf(object, "/Contents %d 0 R/Resources<</XObject<<%s>>>>>>", contents, objects)
	if err = w.write(number, object); err != nil {
		return own, 0, err
	}
	return own, number, w.drain()
}

// pageForm writes what a page draws as a form, so that nothing it does to its state reaches what is drawn after it.
func (w *rewriter) pageForm(p page, object int, shown box) (drawing, error) {
	entries := append([]byte("/Type/XObject/Subtype/Form/BBox["), appendNumbers(nil, shown[:]...)...)
	entries = append(entries, "]/Resources "...)
	entries, err := w.copyDict(entries, p.resources, w.resources)
	if err != nil {
		return drawing{}, err
	}
	contents, err := w.get(p.value, "Contents")
	if err != nil {
		return drawing{}, err
	}
	var all []value
	switch contents.kind {
	case stream:
		all = []value{contents}
	case array:
		if len(contents.parts.items) > mostContents {
			return drawing{}, TooComplex
		}
		for _, part := range contents.parts.items {
			v, err := w.resolve(part)
			if err != nil {
				return drawing{}, err
			}
			if v.kind == stream {
				all = append(all, v)
			}
		}
	}
	return w.contents(object, entries, all)
}

// mostContents is of how many parts the contents of a page are at most.
const mostContents = 10_000

// copyDict is copy for what has to be a dictionary, empty where it is none.
func (w *rewriter) copyDict(to []byte, v value, s *shape) ([]byte, error) {
	inner, err := w.resolve(v)
	if err != nil {
		return to, err
	}
	if inner.kind != dict {
		return append(to, "<<>>"...), nil
	}
	return w.copy(to, v, s, 0)
}

func (w *rewriter) weighPage(p page, drawn drawing, resting []mark) error {
	total, err := w.weigh(drawn, p.resources, 0)
	if err != nil {
		return err
	}
	for _, m := range resting {
		n, err := w.weighForm(m.source, value{}, 0)
		if err != nil {
			return err
		}
		total += n
	}
	if total > mostDraws {
		return TooComplex
	}
	return nil
}
