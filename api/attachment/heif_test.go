package attachment_test

import (
	"bytes"
	"encoding/binary"
	"image"
	"slices"
	"testing"
	"time"

	"portal/api/attachment"
)

// tiled is a HEIC of a grid as phones make it, whose tiles are all the picture of tile.heic, and of
// which the properties say how it is turned.
func tiled(t testing.TB, rows, columns, width, height int, properties []byte) []byte {
	t.Helper()
	one := stored(t, "tile.heic")
	pixels := one[bytes.Index(one, []byte("mdat"))+4:]
	at := bytes.Index(one, []byte("hvcC")) - 4
	config := one[at:][:binary.BigEndian.Uint32(one[at:])]
	n := rows * columns
	grid := slices.Concat([]byte{0, 0, byte(rows - 1), byte(columns - 1)}, be16(width), be16(height))

	infos := fullBox("infe", 2, be16(1), be16(0), []byte("grid\x00"))
	places := slices.Concat(be16(1), be16(1), be16(0), be16(1), be32(0), be32(len(grid)))
	var tiles []byte
	ownProperties := byte(len(boxesOf(properties)))
	associations := slices.Concat(be32(n+1), be16(1), []byte{1 + ownProperties, 1})
	for i := range ownProperties {
		associations = append(associations, 4+i)
	}
	for i := range n {
		number := be16(i + 2)
		infos = append(infos, fullBox("infe", 2, number, be16(0), []byte("hvc1\x00"))...)
		places = slices.Concat(places, number, be16(0), be16(0), be16(1), be32(0), be32(len(pixels)))
		tiles = append(tiles, number...)
		associations = slices.Concat(associations, number, []byte{2, 2, 0x83})
	}
	meta := func(pixelsAt int) []byte {
		places := bytes.Clone(places)
		for i := range n { // where the pixels of each tile begin, which is the same
			binary.BigEndian.PutUint32(places[16+16*i+8:], uint32(pixelsAt))
		}
		return fullBox("meta", 0,
			fullBox("hdlr", 0, be32(0), []byte("pict"), make([]byte, 13)),
			fullBox("pitm", 0, be16(1)),
			fullBox("iloc", 1, be16(0x4400), be16(n+1), places),
			fullBox("iinf", 0, be16(n+1), infos),
			fullBox("iref", 0, box("dimg", be16(1), be16(n), tiles)),
			box("iprp",
				box("ipco", fullBox("ispe", 0, be32(width), be32(height)), fullBox("ispe", 0, be32(512), be32(512)),
					config, properties),
				fullBox("ipma", 0, associations)),
			box("idat", grid),
		)
	}
	head := box("ftyp", []byte("heic\x00\x00\x00\x00mif1heic"))
	return slices.Concat(head, meta(len(head)+len(meta(0))+8), box("mdat", pixels))
}

func be16(n int) []byte { return binary.BigEndian.AppendUint16(nil, uint16(n)) }
func be32(n int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(n)) }

func box(name string, parts ...[]byte) []byte {
	body := slices.Concat(parts...)
	return slices.Concat(be32(len(body)+8), []byte(name), body)
}

func fullBox(name string, version byte, parts ...[]byte) []byte {
	return box(name, append([][]byte{{version, 0, 0, 0}}, parts...)...)
}

// boxesOf are the names of boxes one after another.
func boxesOf(b []byte) (names []string) {
	for len(b) >= 8 {
		names, b = append(names, string(b[4:8])), b[binary.BigEndian.Uint32(b):]
	}
	return names
}

func TestHEICOfTilesIsUprightAndWhole(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		turned []byte
		size   image.Point
		red    image.Point // where the tile has the most red: its right side
		green  image.Point // its lower side
	}{
		"as it is":        {nil, image.Pt(512, 400), image.Pt(500, 10), image.Pt(10, 390)},
		"turned left":     {box("irot", []byte{1}), image.Pt(400, 512), image.Pt(10, 10), image.Pt(390, 500)},
		"upside down":     {box("irot", []byte{2}), image.Pt(512, 400), image.Pt(10, 390), image.Pt(500, 10)},
		"turned right":    {box("irot", []byte{3}), image.Pt(400, 512), image.Pt(390, 500), image.Pt(10, 10)},
		"sides exchanged": {box("imir", []byte{1}), image.Pt(512, 400), image.Pt(10, 10), image.Pt(500, 390)},
		"top exchanged":   {box("imir", []byte{0}), image.Pt(512, 400), image.Pt(500, 390), image.Pt(10, 10)},
		"left, then sides": {
			append(box("irot", []byte{1}), box("imir", []byte{1})...),
			image.Pt(400, 512), image.Pt(390, 10), image.Pt(10, 500),
		},
		"sides, then left": {
			append(box("imir", []byte{1}), box("irot", []byte{1})...),
			image.Pt(400, 512), image.Pt(10, 500), image.Pt(390, 10),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			converter := attachment.NewConverter(time.Minute) // in this process
			p, err := converter.Convert(t.Context(), file(tiled(t, 1, 1, 512, 400, c.turned)))
			must(t, err)
			checkPhoto(t, p)
			m := checkJPEG(t, p.Content)
			red, _, _, _ := m.At(c.red.X, c.red.Y).RGBA()
			_, green, _, _ := m.At(c.green.X, c.green.Y).RGBA()
			if m.Bounds().Size() != c.size || red>>8 < 170 || green>>8 < 130 {
				t.Errorf("%v with red %d and green %d", m.Bounds().Size(), red>>8, green>>8)
			}
		})
	}
}

func TestHEICOfAPhoneKeepsItsTilesInPlace(t *testing.T) {
	t.Parallel()
	p, err := convert(tiled(t, 6, 8, 4032, 3024, nil))
	must(t, err)
	checkPhoto(t, p)
	if p.Width != 2048 || p.Height != 1536 {
		t.Errorf("%d by %d", p.Width, p.Height)
	}
	m := checkJPEG(t, p.Content)
	for _, x := range []int{0, 3, 7} { // each tile has little red at its left side, and much at its right
		left, _, _, _ := m.At(x*260+8, 600).RGBA()
		right, _, _, _ := m.At(x*260+225, 600).RGBA()
		if left>>8 > 60 || right>>8 < 140 {
			t.Errorf("tile %d: red from %d to %d", x, left>>8, right>>8)
		}
	}
}

// TestHEIFFileThatLiesIsRefused tries what the parser of the container and the sandbox have to bear.
func TestHEIFFileThatLiesIsRefused(t *testing.T) {
	t.Parallel()
	good := tiled(t, 2, 2, 1000, 700, nil)
	at := bytes.Index(good, []byte("idat")) + 4
	for name, change := range map[string]func(b []byte) []byte{
		"more rows than tiles":    func(b []byte) []byte { b[at+2] = 255; return b },
		"a grid of other tiles":   func(b []byte) []byte { b[at+2], b[at+3] = 0, 3; return b },
		"larger than its tiles":   func(b []byte) []byte { copy(b[at+4:], be16(2000)); return b },
		"smaller than its tiles":  func(b []byte) []byte { copy(b[at+4:], be16(400)); return b },
		"nothing":                 func(b []byte) []byte { copy(b[at+4:], be16(0)); return b },
		"a grid of itself":        func(b []byte) []byte { return bytes.Replace(b, be32(4<<16|2), be32(4<<16|1), 1) },
		"tiles that are not here": func(b []byte) []byte { return b[:len(b)-1500] },
		"no properties":           func(b []byte) []byte { return bytes.Replace(b, []byte("ipma"), []byte("free"), 1) },
		"no configuration":        func(b []byte) []byte { return bytes.Replace(b, []byte("hvcC"), []byte("free"), 1) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if why, is := judged(t, change(bytes.Clone(good))); !is {
				t.Error("taken")
			} else {
				t.Log(string(why))
			}
		})
	}
}
