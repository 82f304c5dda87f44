package attachment

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"

	"portal/api/attachment/sandbox"
)

const (
	// mostMeta is how many bytes may say what is in a HEIF file; those of phones take 20 KB at most.
	mostMeta = 1 << 20
	// mostTiles are more than the 976 of 256 by 256 pixels that a picture of mostPixels has.
	mostTiles = 1024
	// mostTilePixels bounds a tile; those of phones have 512 by 512.
	mostTilePixels = 4 << 20
	// mostBytesAVIF is what the pixels of an AVIF may take, 4 bytes each, or 8 of one with more than 8 bits.
	mostBytesAVIF = 4 * mostPixelsAVIF
)

// heif is what a HEIF or AVIF file says of its picture (ISO/IEC 14496-12 and 23008-12).
type heif struct {
	// primaryAt is where the number of the item stands in the file that the file is about.
	primaryAt, primaryBytes int
	rows, columns           int // of tiles, which are items; 0 where it is not a grid
	tiles                   []int
}

// highEfficiency reads a file up to its meta box, and what that tells of the pixels.
func (h *header) highEfficiency(r *bufio.Reader) error {
	at := 0
	for {
		var head [16]byte
		if _, err := io.ReadFull(r, head[:8]); err != nil {
			return err
		}
		n, body := uint64(binary.BigEndian.Uint32(head[:])), uint64(8)
		if n == 1 { // it stands behind the name
			if _, err := io.ReadFull(r, head[8:]); err != nil {
				return err
			}
			n, body = binary.BigEndian.Uint64(head[8:]), 16
		}
		name := string(head[4:8])
		if n < body || n > 2*MostBytes { // 0 is the rest of the file, in which no meta box follows
			return Damaged
		}
		at += int(body)
		rest := int(n - body)
		if name == "meta" {
			if rest > mostMeta {
				return Unusual
			}
			meta := make([]byte, rest)
			if _, err := io.ReadFull(r, meta); err != nil {
				return err
			}
			return h.meta(meta, at, r)
		}
		if _, err := r.Discard(rest); err != nil {
			return err
		}
		at += rest
	}
}

// fields reads numbers, the highest byte first, and boxes. Behind its end all numbers are 0.
type fields struct {
	b     []byte
	at    int // in the file
	ended bool
}

func (f *fields) bytes(n int) []byte {
	if n < 0 || n > len(f.b) {
		f.ended, f.b = true, nil
		return nil
	}
	b := f.b[:n]
	f.b, f.at = f.b[n:], f.at+n
	return b
}

// number has up to 8 bytes.
func (f *fields) number(n int) int {
	v := uint64(0)
	for _, b := range f.bytes(n) {
		v = v<<8 | uint64(b)
	}
	return int(v & (1<<62 - 1))
}

// box is the next one; its name is empty where there is none.
func (f *fields) box() (name string, body fields) {
	if len(f.b) == 0 {
		return "", fields{}
	}
	n := f.number(4) - 8
	name = string(f.bytes(4))
	body.at = f.at
	body.b = f.bytes(n)
	if f.ended {
		return "", fields{}
	}
	return name, body
}

// full reads the version and the flags that many boxes begin with.
func (f *fields) full() (version, flags int) { return f.number(1), f.number(3) }

// boxes are those inside by their names, the first of each.
func (f *fields) boxes() map[string]*fields {
	all := map[string]*fields{}
	for {
		name, body := f.box()
		if name == "" {
			return all
		}
		if all[name] == nil {
			all[name] = &body
		}
	}
}

// meta reads what is said of the items (23008-12, section 6). What follows it in the file is in r.
func (h *header) meta(b []byte, at int, r *bufio.Reader) error {
	f := fields{b: b, at: at}
	f.full()
	all := f.boxes()
	for _, needed := range []string{"pitm", "iinf", "iloc", "iprp"} {
		if all[needed] == nil {
			return Unusual // a film, or a sequence of pictures
		}
	}
	primary := h.primary(all["pitm"])
	kinds := itemKinds(all["iinf"])
	p, err := itemProperties(all["iprp"], primary)
	if err != nil {
		return err
	}
	kind := kinds[primary]
	if kind == "grid" && all["iref"] != nil {
		h.heif.tiles = itemTiles(all["iref"], primary)
		if len(h.heif.tiles) == 0 {
			return Damaged
		}
		kind = kinds[h.heif.tiles[0]]
	}
	switch {
	case kind == "av01" && p.cropped, kind != "av01" && kind != "hvc1":
		return Unusual
	case kind == "av01":
		h.orientation, h.reduce = p.orientation(), reducedAVIF
		return h.limit(p.width, p.height, mostPixelsAVIF)
	case kinds[primary] == "grid" && !p.cropped:
		h.orientation, h.reduce = p.orientation(), reducedGrid
		rest := fields{b: b, at: at}
		return h.grid(all, primary, &rest, r)
	}
	h.reduce = reducedHEIC // which turns it upright
	return h.limit(p.width, p.height, mostPixelsOther)
}

// primary is the number of the item that the file is about.
func (h *header) primary(f *fields) int {
	version, _ := f.full()
	h.heif.primaryAt, h.heif.primaryBytes = f.at, 2
	if version > 0 {
		h.heif.primaryBytes = 4
	}
	return f.number(h.heif.primaryBytes)
}

// itemKinds are the types of the items by their numbers.
func itemKinds(f *fields) map[int]string {
	kinds := map[int]string{}
	version, _ := f.full()
	f.bytes(2 + 2*min(version, 1)) // how many there are
	for {
		name, item := f.box()
		if name == "" {
			return kinds
		}
		version, _ := item.full()
		number := item.number(2 + 2*max(0, version-2))
		item.bytes(2)
		if kind := item.bytes(4); name == "infe" && version >= 2 && !item.ended {
			kinds[number] = string(kind)
		}
	}
}

// itemTiles are the items of which another one is made.
func itemTiles(f *fields, of int) []int {
	version, _ := f.full()
	size := 2 + 2*min(version, 1)
	for {
		name, ref := f.box()
		if name == "" {
			return nil
		}
		if from := ref.number(size); name != "dimg" || from != of {
			continue
		}
		tiles := make([]int, 0, mostTiles)
		for range min(ref.number(2), mostTiles) {
			tiles = append(tiles, ref.number(size))
		}
		return tiles
	}
}

// properties are what is said of an item.
type properties struct {
	width, height int
	cropped       bool
	quarters      int // it is turned by, against the clock
	mirror        int // 1 exchanges top and bottom, 2 left and right
	mirrorFirst   bool
}

// itemProperties reads those that stand for an item (14496-12, section 8.11.14).
func itemProperties(f *fields, item int) (p properties, err error) {
	inside := f.boxes()
	container, associations := inside["ipco"], inside["ipma"]
	if container == nil || associations == nil {
		return p, Damaged
	}
	type property struct {
		name string
		body fields
	}
	var all []property
	for {
		name, body := container.box()
		if name == "" {
			break
		}
		all = append(all, property{name, body})
	}
	for _, number := range associated(associations, item) {
		if number < 1 || number > len(all) {
			continue
		}
		body := all[number-1].body
		switch all[number-1].name {
		case "ispe":
			body.full()
			p.width, p.height = body.number(4), body.number(4)
		case "irot":
			p.quarters = body.number(1) & 3
		case "imir":
			p.mirror, p.mirrorFirst = 1+body.number(1)&1, p.quarters == 0
		case "clap":
			p.cropped = true
		}
	}
	return p, nil
}

// associated are the properties of an item, by their places from 1.
func associated(f *fields, item int) (numbers []int) {
	version, flags := f.full()
	size, wide := 2+2*min(version, 1), 1+flags&1
	for range f.number(4) {
		if f.ended {
			return numbers
		}
		of := f.number(size)
		for range f.number(1) {
			number := f.number(wide) & (1<<(8*wide-1) - 1) // without the bit that says it is essential
			if of == item {
				numbers = append(numbers, number)
			}
		}
	}
	return numbers
}

// orientation is how the picture lies, as Exif has it.
func (p properties) orientation() int {
	quarters := p.quarters
	if p.mirrorFirst {
		quarters = (4 - quarters) & 3
	}
	return [3][4]int{{1, 8, 3, 6}, {4, 5, 2, 7}, {2, 7, 4, 5}}[p.mirror][quarters]
}

// grid reads how the tiles lie, from inside the meta box or from behind it (23008-12, section 6.6.2.3).
func (h *header) grid(all map[string]*fields, item int, meta *fields, r *bufio.Reader) error {
	inside, offset, n := itemPlace(all["iloc"], item)
	if n < 8 || n > 12 {
		return Unusual
	}
	var f fields
	switch {
	case inside:
		data := all["idat"]
		if data == nil {
			return Damaged
		}
		data.bytes(offset)
		f.b = data.bytes(n)
	case offset >= meta.at+len(meta.b):
		if _, err := r.Discard(offset - meta.at - len(meta.b)); err != nil {
			return err
		}
		f.b = make([]byte, n)
		if _, err := io.ReadFull(r, f.b); err != nil {
			return err
		}
	default:
		return Unusual
	}
	f.bytes(1)
	size := 2 + 2*(f.number(1)&1)
	h.heif.rows, h.heif.columns = f.number(1)+1, f.number(1)+1
	width, height := f.number(size), f.number(size)
	if f.ended || h.heif.rows*h.heif.columns != len(h.heif.tiles) {
		return Damaged
	}
	return h.limit(width, height, mostPixels)
}

// itemPlace is where an item begins, inside the meta box or in the file, and how long it is. One of
// several parts has no length.
func itemPlace(f *fields, item int) (inside bool, offset, n int) {
	version, _ := f.full()
	sizes := f.number(2)
	offsetSize, lengthSize, baseSize, indexSize := sizes>>12, sizes>>8&15, sizes>>4&15, sizes&15
	wide := 2
	if version == 2 {
		wide = 4
	}
	for range f.number(wide) {
		if f.ended {
			break
		}
		number, method := f.number(wide), 0
		if version > 0 {
			method = f.number(2) & 15
		} else {
			indexSize = 0
		}
		f.bytes(2)
		offset = f.number(min(baseSize, 8))
		parts := f.number(2)
		for range parts {
			f.bytes(indexSize)
			offset += f.number(min(offsetSize, 8))
			n = f.number(min(lengthSize, 8))
			if f.ended {
				break
			}
		}
		if number == item && parts == 1 && !f.ended {
			return method == 1, offset, n
		}
	}
	return false, 0, 0
}

// reducedHEIC decodes a picture that is not a grid.
func reducedHEIC(_ header, from *source) (*image.YCbCr, error) {
	file, err := sandbox.OpenHEIC(from.ctx, from.start, from.file.Size())
	if err != nil {
		return nil, err
	}
	defer file.Close()
	m, err := file.Primary(mostPixelsOther)
	if err != nil {
		return nil, err
	}
	return scaled(m, MostSide), nil
}

// reducedAVIF decodes a picture, with all its tiles.
func reducedAVIF(h header, from *source) (to *image.YCbCr, err error) {
	err = sandbox.AVIF(from.ctx, from.start(), from.file.Size(), mostBytesAVIF, func(m image.Image) error {
		to, err = h.scaled(m, 1)
		return err
	})
	return to, err
}

// reducedGrid decodes a picture tile by tile, of which one row is in memory at a time.
func reducedGrid(h header, from *source) (*image.YCbCr, error) {
	file, err := sandbox.OpenHEIC(from.ctx, from.start, from.file.Size())
	if err != nil {
		return nil, err
	}
	defer file.Close()
	g := gridReader{header: h, file: file}
	for i := range h.heif.tiles {
		if err := g.tile(i); err != nil {
			return nil, fmt.Errorf("tile %d: %w", i, err)
		}
	}
	return g.to.to, nil
}

// gridReader puts the tiles of a row beside each other, and scales each row down.
type gridReader struct {
	header
	file *sandbox.HEIC
	size image.Point  // of a tile
	row  *image.YCbCr // of tiles
	to   *scaler
}

var errTiles = errors.New("the tiles do not fit")

func (g *gridReader) tile(i int) error {
	number := binary.BigEndian.AppendUint32(nil, uint32(g.heif.tiles[i]))[4-g.heif.primaryBytes:]
	m, err := g.file.Item(g.heif.primaryAt, number, mostTilePixels)
	if err != nil {
		return err
	}
	tile := planesOf(m)
	if tile == nil {
		return Unusual
	}
	if g.to == nil {
		g.begin(tile)
	}
	if tile.Rect.Size() != g.size || tile.SubsampleRatio != g.row.SubsampleRatio ||
		g.size.X*g.heif.columns < g.width || g.size.Y*g.heif.rows < g.height ||
		g.size.X*(g.heif.columns-1) >= g.width || g.size.Y*(g.heif.rows-1) >= g.height {
		return errTiles
	}
	column := i % g.heif.columns
	copyPlane(g.row.Y[column*g.size.X:], g.row.YStride, tile.Y, tile.YStride, g.size)
	colors := colorSize(tile)
	copyPlane(g.row.Cb[column*colors.X:], g.row.CStride, tile.Cb, tile.CStride, colors)
	copyPlane(g.row.Cr[column*colors.X:], g.row.CStride, tile.Cr, tile.CStride, colors)
	if column == g.heif.columns-1 {
		g.to.add(g.row)
	}
	return nil
}

// begin makes room for a row of tiles that are like the first one.
func (g *gridReader) begin(tile *image.YCbCr) {
	g.size = tile.Rect.Size()
	g.row = image.NewYCbCr(image.Rect(0, 0, g.size.X*g.heif.columns, g.size.Y), tile.SubsampleRatio)
	all := image.YCbCr{
		Rect: image.Rect(0, 0, g.width, g.height), SubsampleRatio: tile.SubsampleRatio, CStride: g.row.CStride,
	}
	g.to = newScaler(all.Rect.Size(), colorSize(&all), MostSide)
}

// planesOf is a tile with its colors, which one in gray has not; nil where it is neither.
func planesOf(m image.Image) *image.YCbCr {
	switch m := m.(type) {
	case *image.YCbCr:
		return m
	case *image.Gray:
		planes := image.NewYCbCr(m.Rect, image.YCbCrSubsampleRatio420)
		planes.Y, planes.YStride = m.Pix, m.Stride
		for i := range planes.Cb {
			planes.Cb[i], planes.Cr[i] = 128, 128
		}
		return planes
	}
	return nil
}

func copyPlane(to []byte, toStride int, from []byte, fromStride int, size image.Point) {
	for y := range size.Y {
		copy(to[y*toStride:][:size.X], from[y*fromStride:])
	}
}
