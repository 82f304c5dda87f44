package attachment_test

import (
	"bytes"
	"encoding/binary"
	"image"
	"slices"
	"strings"
	"testing"

	"portal/api/attachment"
)

// reasons are all refusals.
var reasons = []attachment.Refusal{
	attachment.TooLarge, attachment.TooManyPixels, attachment.TooManyPixelsOther, attachment.SixteenBit,
	attachment.TooManyPixelsProgressive, attachment.TooManyPixelsAVIF,
	attachment.FullColorDetail, attachment.Animated, attachment.ForPrinting,
	attachment.NotAPicture, attachment.Unusual, attachment.Damaged,
}

func TestEachRefusalHasTextInBothLanguages(t *testing.T) {
	t.Parallel()
	said := map[string]bool{}
	for _, r := range reasons {
		for _, spanish := range []bool{false, true} {
			s := r.Say(spanish)
			if len(s) < 40 || !strings.HasSuffix(s, ".") || strings.Count(s, ". ") < 1 || said[s] {
				t.Errorf("%s: %q", r, s)
			}
			said[s] = true
		}
	}
}

// samples are pictures that are refused, for each reason.
func samples(t testing.TB) map[attachment.Refusal]map[string][]byte {
	small, png := jpegOf(t, corners()), pngOf(t, corners())
	progressive := stored(t, "corners_progressive.jpg")
	lossy, lossless := stored(t, "corners.webp"), stored(t, "corners_lossless.webp")
	heic, avif := stored(t, "corners.heic"), stored(t, "corners.avif")
	at := bytes.Index(heic, []byte("meta"))
	return map[attachment.Refusal]map[string][]byte{
		attachment.TooLarge: {"a byte more": append(small, make([]byte, attachment.MostBytes+1-len(small))...)},
		attachment.TooManyPixels: {
			"a row more":   resized(t, small, 10_000, 6501),
			"the most":     resized(t, small, 65_535, 65_535),
			"gray, higher": resized(t, jpegOf(t, noise(8, 8)), 992, 65_535),
		},
		attachment.TooManyPixelsOther: {
			"RGB": resized(t, withComponents(t, small, "RGB"), 4000, 3126),
			"RGB of Adobe": insertJPEG(
				resized(t, small, 4000, 3126),
				0xee,
				[]byte("Adobe\x00\x64\x00\x00\x00\x00\x00"),
			),
			"PNG":           declaredPNG(4000, 3126, 8),
			"WebP":          declaredWebP(lossy, 4000, 3126),
			"HEIC":          declaredHEIF(stored(t, "corners.heic"), 4000, 3126),
			"lossless WebP": declaredWebP(lossless, 4000, 3126),
			"canvas of WebP": append(
				[]byte("RIFF\x16\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00"),
				160,
				15,
				0,
				53,
				12,
				0,
			),
		},
		attachment.TooManyPixelsProgressive: {"progressive": resized(t, progressive, 10_000, 2501)},
		attachment.TooManyPixelsAVIF:        {"a row more": declaredHEIF(stored(t, "corners.avif"), 4000, 2501)},
		attachment.SixteenBit:               {"gray": declaredPNG(8, 8, 16), "colors": blankPNG(t, 8, 8, 16, 6, 0)},
		attachment.FullColorDetail:          {"small": stored(t, "progressive444.jpg")},
		attachment.Animated:                 {"WebP": stored(t, "animated.webp"), "AVIF": stored(t, "animated.avif")},
		attachment.ForPrinting:              {"JPEG": stored(t, "cmyk.jpg")},
		attachment.NotAPicture: {
			"nothing":       {},
			"a byte":        {0xff},
			"GIF":           []byte("GIF89a\x01\x00\x01\x00\x80\x00\x00"),
			"TIFF":          []byte("II*\x00\x08\x00\x00\x00"),
			"BMP":           []byte("BM\x46\x00\x00\x00\x00\x00\x00\x00"),
			"SVG":           []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`),
			"PDF":           []byte("%PDF-1.7\n"),
			"video":         []byte("\x00\x00\x00\x14ftypqt  \x00\x00\x00\x00qt  "),
			"sound":         []byte("RIFF\x24\x00\x00\x00WAVEfmt "),
			"HTML and JPEG": append([]byte("<html>"), small...),
			"ZIP and JPEG":  append([]byte("PK\x03\x04"), small...),
		},
		attachment.Unusual: {
			"12 bits":       replaced(t, small, 4, 12),
			"lossless":      replaced(t, small, 1, 0xc3),
			"arithmetic":    replaced(t, small, 1, 0xc9),
			"4:1:4":         replaced(t, small, 11, 0x24),
			"many scans":    withScans(t, progressive, 64),
			"scans":         withScans(t, small, 3),
			"many segments": surrounded(bytes.Clone(small), bytes.Repeat([]byte{0xff, 0xe9, 0, 2}, 1001)),
			"many chunks":   slices.Concat(png[:33], bytes.Repeat(pngChunk("teSt", nil), 10_001), png[33:]),
			"a wide PNG":    declaredPNG(65_536, 1, 8),
			"HEIF films": []byte(
				"\x00\x00\x00\x18ftypmsf1\x00\x00\x00\x00msf1hevc\x00\x00\x00\x0cmeta\x00\x00\x00\x00",
			),
			"a large meta": slices.Concat(heic[:at-4], []byte{0, 0x20, 0, 0}, heic[at:]),
			"HEIC of JPEG": bytes.ReplaceAll(heic, []byte("hvc1"), []byte("jpeg")),
		},
		attachment.Damaged: {
			"the beginning":      small[:200],
			"without its end":    small[:len(small)-2],
			"without a frame":    append(small[:2:2], small[len(small)-2:]...),
			"no width":           resized(t, small, 0, 10),
			"no height":          resized(t, small, 10, 0),
			"more than it has":   resized(t, small, 6000, 4000),
			"two frames":         insertJPEG(small, 0xc0, small[frame(t, small)+4:frame(t, small)+19]),
			"end of segments":    append([]byte{0xff, 0xd8}, bytes.Repeat([]byte{0xff, 0xe9, 0, 2}, 100)...),
			"a PNG's beginning":  png[:60],
			"no pixel of a PNG":  declaredPNG(0, 8, 8),
			"a PNG's check sum":  slices.Concat(png[:len(png)-20], []byte{1, 2, 3}, png[len(png)-17:]),
			"a WebP's beginning": lossy[:60],
			"a WebP's claim":     claiming(lossy),
			"no chunk of a WebP": []byte("RIFF\x04\x00\x00\x00WEBP"),
			"HEIC's first box":   []byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"),
			"else":               []byte("\x00\x00\x00\x18ftypabcd\x00\x00\x00\x00miafheic"),
			"a HEIC's beginning": heic[:at+60],
			"a HEIC's pixels":    heic[:len(heic)-100],
			"an AVIF's pixels":   avif[:len(avif)/2],
			"a box of nothing":   slices.Concat(heic[:24], []byte("\x00\x00\x00\x04free"), heic[24:]),
			"a box that lies":    slices.Concat(heic[:24], []byte("\x7f\xff\xff\xfffree"), heic[24:]),
			"a long box": slices.Concat(
				heic[:24],
				[]byte("\x00\x00\x00\x01free\xff\xff\xff\xff\xff\xff\xff\xff"),
				heic[24:],
			),
		},
	}
}

func TestEachBadImageIsRefusedForItsReason(t *testing.T) {
	t.Parallel()
	all := samples(t)
	for _, why := range reasons {
		if len(all[why]) == 0 {
			t.Errorf("nothing is refused as %s", why)
		}
		for name, data := range all[why] {
			t.Run(string(why)+" "+name, func(t *testing.T) {
				t.Parallel()
				_, err := convert(data)
				refused(t, err, why)
			})
		}
	}
}

func TestLargestImagesOfEachKindAreAccepted(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"progressive420.jpg.gz", "baseline420.jpg.gz", "flat.webp.gz", "progressive24.jpg.gz", "baseline64.jpg.gz",
		"flat.heic.gz", "flat.avif.gz",
	} {
		p, err := convert(stored(t, name))
		must(t, err)
		checkPhoto(t, p)
		r, g, b, _ := checkJPEG(t, p.Content).At(900, 600).RGBA()
		if !near(r, 90) || !near(g, 140) || !near(b, 60) {
			t.Errorf("%s: %d, %d, %d", name, r>>8, g>>8, b>>8)
		}
	}
	p, err := convert(blankPNG(t, 4000, 3000, 8, 3, 0))
	must(t, err)
	checkPhoto(t, p)
	small := jpegOf(t, corners())
	p, err = convert(append(small, make([]byte, attachment.MostBytes-len(small))...))
	must(t, err)
	checkPhoto(t, p)
}

// replaced has another byte in the frame of a JPEG.
func replaced(t testing.TB, data []byte, at int, value byte) []byte {
	t.Helper()
	all := bytes.Clone(data)
	all[frame(t, all)+at] = value
	return all
}

// withComponents names the components of a JPEG anew, in its frame and its scan.
func withComponents(t testing.TB, data []byte, names string) []byte {
	t.Helper()
	all := bytes.Clone(data)
	f, s := frame(t, all), bytes.Index(all, []byte{0xff, 0xda})
	for i := range names {
		all[f+10+3*i], all[s+5+2*i] = names[i], names[i]
	}
	return all
}

// withScans repeats the last scan of a JPEG so many times more.
func withScans(t testing.TB, data []byte, times int) []byte {
	t.Helper()
	at, end := bytes.LastIndex(data, []byte{0xff, 0xda}), len(data)-2
	if at < 0 {
		t.Fatal("no scan")
	}
	return slices.Concat(data[:end], bytes.Repeat(data[at:end], times), data[end:])
}

// declaredPNG has no pixels.
func declaredPNG(width, height uint32, depth byte) []byte {
	head := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)
	all := append([]byte("\x89PNG\r\n\x1a\n"), pngChunk("IHDR", append(head, depth, 0, 0, 0, 0))...)
	return append(append(all, pngChunk("IDAT", nil)...), pngChunk("IEND", nil)...)
}

// declaredWebP has other dimensions in its first chunk, which has the pixels.
func declaredWebP(data []byte, width, height int) []byte {
	all := bytes.Clone(data)
	if string(all[12:16]) == "VP8L" {
		binary.LittleEndian.PutUint32(all[21:], uint32(width-1|(height-1)<<14))
		return all
	}
	binary.LittleEndian.PutUint16(all[26:], uint16(width))
	binary.LittleEndian.PutUint16(all[28:], uint16(height))
	return all
}

// declaredHEIF has other dimensions in what it says of its picture.
func declaredHEIF(data []byte, width, height int) []byte {
	all := bytes.Clone(data)
	at := bytes.Index(all, []byte("ispe")) + 8
	binary.BigEndian.PutUint32(all[at:], uint32(width))
	binary.BigEndian.PutUint32(all[at+4:], uint32(height))
	return all
}

// claiming has a chunk that claims to be larger than the file.
func claiming(data []byte) []byte {
	all := bytes.Clone(data)
	binary.LittleEndian.PutUint32(all[16:], 1<<30)
	return all
}

// seeds are pictures that are taken.
func seeds(t testing.TB) map[string][]byte {
	small := jpegOf(t, corners())
	return map[string][]byte{
		"JPEG":             insertJPEG(small, 0xe1, append([]byte("Exif\x00\x00"), exif(binary.BigEndian, 6)...)),
		"gray JPEG":        jpegOf(t, noise(33, 21)),
		"progressive JPEG": stored(t, "corners_progressive.jpg"),
		"RGB JPEG":         withComponents(t, small, "RGB"),
		"PNG":              insertPNG(pngOf(t, corners()), "eXIf", exif(binary.LittleEndian, 8)),
		"interlaced PNG":   blankPNG(t, 40, 30, 8, 6, 1),
		"palette PNG":      blankPNG(t, 40, 30, 2, 3, 0),
		"gray PNG":         pngOf(t, image.NewGray(image.Rect(0, 0, 50, 9))),
		"WebP":             appendWebP(stored(t, "corners.webp"), "EXIF", exif(binary.LittleEndian, 3)),
		"lossless WebP":    stored(t, "corners_lossless.webp"),
		"groups WebP":      stored(t, "groups.webp"),
		"palette WebP":     stored(t, "palette.webp"),
		"transparent WebP": stored(t, "transparent.webp"),
		"HEIC":             stored(t, "corners.heic"),
		"odd HEIC":         stored(t, "odd.heic"),
		"gray HEIC":        stored(t, "gray.heic"),
		"HEIC of 10 bits":  stored(t, "ten.heic"),
		"HEIC of tiles":    tiled(t, 2, 2, 1000, 700, nil),
		"AVIF":             stored(t, "corners.avif"),
		"transparent AVIF": stored(t, "transparent.avif"),
		"HTML in a JPEG":   insertJPEG(small, 0xfe, []byte("<html><script>alert(1)</script>")),
		"ZIP in a JPEG":    append(bytes.Clone(small), "PK\x03\x04PK\x05\x06"...),
	}
}
