package attachment_test

import (
	"bytes"
	"encoding/binary"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"portal/api/attachment"
	"portal/api/fault"
	"portal/api/sampled"
)

// variants is how many damaged pictures there are, of which tests try every tenth; PORTAL_PROVE
// tries all.
const variants = 1000

func TestDamagedImageIsRefusedOrReencoded(t *testing.T) {
	t.Parallel()
	step := 10
	if sampled.Whole {
		step = 1
	}
	whole := seeds(t)
	names := slices.Sorted(maps.Keys(whole))
	taken, refusals := 0, map[attachment.Refusal]int{}
	for i := 0; i < variants; i += step {
		r := rand.New(rand.NewPCG(uint64(i), 7))
		name := names[r.IntN(len(names))]
		change := changes[r.IntN(len(changes))]
		data := change.make(r, bytes.Clone(whole[name]), whole)
		why, is := judged(t, data)
		if is {
			refusals[why]++
		} else {
			taken++
		}
		if t.Failed() {
			t.Fatalf("variant %d: %s, %s", i, name, change.name)
		}
	}
	for why, n := range refusals {
		t.Logf("%s: %d", string(why), n)
	}
	t.Logf("taken: %d", taken)
	if taken == 0 || refusals[attachment.Damaged] == 0 || refusals[attachment.NotAPicture] == 0 {
		t.Error("the variants are all of one kind")
	}
}

func FuzzAnyFileIsRefusedInWordsOrMadeAPhoto(f *testing.F) {
	for _, data := range seeds(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { _, _ = judged(t, data) })
}

// judged checks that a file is refused for one of the reasons, or made a photo.
func judged(t *testing.T, data []byte) (attachment.Refusal, bool) {
	t.Helper()
	p, err := convert(data)
	if err == nil {
		checkPhoto(t, p)
		return "", false
	}
	why, is := attachment.RefusalOf(err)
	if f := fault.From(err); !is || !slices.Contains(reasons, why) || f.Code != fault.InvalidField {
		t.Errorf("refused by %v", err)
	}
	return why, true
}

// changes are ways to damage or to disguise a picture.
var changes = []struct {
	name string
	make func(r *rand.Rand, data []byte, others map[string][]byte) []byte
}{
	{"cut off", func(r *rand.Rand, data []byte, _ map[string][]byte) []byte {
		return data[:r.IntN(len(data))]
	}},
	{"a few bits", func(r *rand.Rand, data []byte, _ map[string][]byte) []byte {
		for range 1 + r.IntN(8) {
			data[r.IntN(len(data))] ^= 1 << r.IntN(8)
		}
		return data
	}},
	{"bits of the first bytes", func(r *rand.Rand, data []byte, _ map[string][]byte) []byte {
		for range 1 + r.IntN(3) {
			data[r.IntN(min(len(data), 60))] ^= 1 << r.IntN(8)
		}
		return data
	}},
	{"bytes of the pixels", func(r *rand.Rand, data []byte, _ map[string][]byte) []byte {
		for range 1 + r.IntN(20) {
			data[len(data)/2+r.IntN(len(data)/2)] = byte(r.Uint32())
		}
		return data
	}},
	{"a part twice", func(r *rand.Rand, data []byte, _ map[string][]byte) []byte {
		from := r.IntN(len(data))
		to := from + r.IntN(len(data)-from)
		return slices.Insert(data, from, bytes.Clone(data[from:to])...)
	}},
	{"a part of another", func(r *rand.Rand, data []byte, others map[string][]byte) []byte {
		other := others[slices.Sorted(maps.Keys(others))[r.IntN(len(others))]]
		return append(data[:r.IntN(len(data))], other[r.IntN(len(other)):]...)
	}},
	{"another kind before it", func(r *rand.Rand, data []byte, _ map[string][]byte) []byte {
		kinds := []string{"<!DOCTYPE html><html>", "PK\x03\x04", "%PDF-1.7\n", "GIF89a", "<svg>", "BM", "\x00"}
		return append([]byte(kinds[r.IntN(len(kinds))]), data...)
	}},
	{"another kind behind it", func(r *rand.Rand, data []byte, _ map[string][]byte) []byte {
		kinds := []string{"<script>alert(1)</script>", "PK\x05\x06", "%%EOF", "\xff\xd8\xff\xe1"}
		return append(data, kinds[r.IntN(len(kinds))]...)
	}},
	{"other dimensions", func(r *rand.Rand, data []byte, _ map[string][]byte) []byte {
		sides := []int{0, 1, 7, 100, 4000, 65_535}
		return declaring(data, sides[r.IntN(len(sides))], sides[r.IntN(len(sides))])
	}},
	{"many segments", func(r *rand.Rand, data []byte, _ map[string][]byte) []byte {
		return surrounded(data, bytes.Repeat([]byte{0xff, byte(0xe0 + r.IntN(16)), 0, 4, 'A', 'B'}, r.IntN(3000)))
	}},
	{"a segment without an end", func(r *rand.Rand, data []byte, _ map[string][]byte) []byte {
		return surrounded(data, []byte{0xff, byte(0xe0 + r.IntN(16)), 0xff, byte(r.Uint32())})
	}},
	{"fill bytes", func(r *rand.Rand, data []byte, _ map[string][]byte) []byte {
		return surrounded(data, bytes.Repeat([]byte{0xff}, r.IntN(100_000)))
	}},
	{"a large color profile", func(r *rand.Rand, data []byte, _ map[string][]byte) []byte {
		profile := append([]byte("ICC_PROFILE\x00\x01\xff"), make([]byte, 65_000)...)
		for range r.IntN(40) {
			data = inserted(data, 0xe2, "iCCP", profile)
		}
		return data
	}},
	{"Exif that leads back", func(r *rand.Rand, data []byte, _ map[string][]byte) []byte {
		content := exif(binary.BigEndian, r.IntN(12))
		binary.BigEndian.PutUint32(content[4:], uint32(r.IntN(40)))
		binary.BigEndian.PutUint16(content[8:], uint16(r.IntN(65_536)))
		binary.BigEndian.PutUint32(content[len(content)-4:], 8)
		if _, is := bytes.CutPrefix(data, []byte{0xff, 0xd8}); is {
			content = append([]byte("Exif\x00\x00"), content...)
		}
		return inserted(data, 0xe1, "eXIf", content)
	}},
	{"another beginning", func(r *rand.Rand, data []byte, _ map[string][]byte) []byte {
		starts := []string{
			"\xff\xd8\xff",
			"\x89PNG\r\n\x1a\n",
			"RIFF\x00\x01\x00\x00WEBPVP8 ",
			"GIF89a",
			"\x00\x00\x00\x18ftyp",
		}
		copy(data, starts[r.IntN(len(starts))])
		return data
	}},
	{"chance alone", func(r *rand.Rand, data []byte, _ map[string][]byte) []byte {
		for i := min(len(data), 16); i < len(data); i++ {
			data[i] = byte(r.Uint32())
		}
		return data
	}},
}

// surrounded has something behind the first two bytes, where the segments of a JPEG begin.
func surrounded(data, with []byte) []byte { return slices.Insert(data, 2, with...) }

// inserted has one more segment or chunk, of a kind that the format has.
func inserted(data []byte, marker byte, name string, content []byte) []byte {
	switch string(data[:4]) {
	case "\x89PNG":
		return insertPNG(data, name, content)
	case "RIFF":
		return appendWebP(data, strings.ToUpper(name), content)
	}
	return insertJPEG(data, marker, content)
}

// declaring says other dimensions where the format has them.
func declaring(data []byte, width, height int) []byte {
	switch string(data[:4]) {
	case "\x89PNG":
		head := bytes.Clone(data[16:29])
		binary.BigEndian.PutUint32(head, uint32(width))
		binary.BigEndian.PutUint32(head[4:], uint32(height))
		return slices.Concat(data[:8], pngChunk("IHDR", head), data[33:])
	case "RIFF":
		return declaredWebP(data, max(1, width), max(1, height))
	}
	at := max(bytes.Index(data, []byte{0xff, 0xc0, 0}), bytes.Index(data, []byte{0xff, 0xc2, 0}))
	binary.BigEndian.PutUint16(data[at+5:], uint16(height))
	binary.BigEndian.PutUint16(data[at+7:], uint16(width))
	return data
}
