package attachment_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"slices"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"portal/api/attachment"
	"portal/api/fault"
	"portal/api/intake"
)

// shown is where each orientation has the corners of the upright picture: the color that is sent
// above on the left, above on the right, below on the left and below on the right.
var shown = map[int][4]int{
	1: {0, 1, 2, 3},
	2: {1, 0, 3, 2},
	3: {3, 2, 1, 0},
	4: {2, 3, 0, 1},
	5: {0, 2, 1, 3},
	6: {2, 0, 3, 1},
	7: {3, 1, 2, 0},
	8: {1, 3, 0, 2},
}

func TestImageIsUprightForEachOrientation(t *testing.T) {
	t.Parallel()
	jpg, png := jpegOf(t, corners()), pngOf(t, corners())
	lossy, lossless := stored(t, "corners.webp"), stored(t, "corners_lossless.webp")
	progressive := stored(t, "corners_progressive.jpg")
	for o, want := range shown {
		little, big := exif(binary.LittleEndian, o), exif(binary.BigEndian, o)
		for name, data := range map[string][]byte{
			"JPEG":             insertJPEG(jpg, 0xe1, append([]byte("Exif\x00\x00"), little...)),
			"JPEG, big-endian": insertJPEG(jpg, 0xe1, append([]byte("Exif\x00\x00"), big...)),
			"progressive JPEG": insertJPEG(progressive, 0xe1, append([]byte("Exif\x00\x00"), big...)),
			"PNG":              insertPNG(png, "eXIf", big),
			"WebP":             appendWebP(lossy, "EXIF", little),
			"lossless WebP":    appendWebP(lossless, "EXIF", append([]byte("Exif\x00\x00"), little...)),
		} {
			t.Run(fmt.Sprint(name, " ", o), func(t *testing.T) {
				t.Parallel()
				p, err := convert(data)
				must(t, err)
				checkPhoto(t, p)
				if lying := o >= 5; lying != (p.Width == 32 && p.Height == 48) {
					t.Errorf("%d by %d", p.Width, p.Height)
				}
				for _, content := range [][]byte{p.Content, p.Thumbnail} {
					if got := cornersOf(checkJPEG(t, content)); got != want {
						t.Errorf("corners %v, want %v", got, want)
					}
				}
			})
		}
	}
}

// cornersOf are the numbers of the colors in the corners of a picture, as corners has them.
func cornersOf(m image.Image) (four [4]int) {
	b := m.Bounds()
	for i := range four {
		x, y := 6, 6
		if i&1 == 1 {
			x = b.Max.X - 7
		}
		if i >= 2 {
			y = b.Max.Y - 7
		}
		r, g, bl, _ := m.At(x, y).RGBA()
		red, green, blue := r > 0x8000, g > 0x8000, bl > 0x8000
		switch {
		case red && green && blue:
			four[i] = 3
		case blue:
			four[i] = 2
		case green:
			four[i] = 1
		}
	}
	return four
}

func TestTransparentPixelsBecomeWhite(t *testing.T) {
	t.Parallel()
	holes := image.NewPaletted(image.Rect(0, 0, 48, 32), color.Palette{
		color.NRGBA{}, color.NRGBA{G: 255, A: 255}, color.NRGBA{B: 255, A: 255}, color.White,
	})
	whole, half := corners().(*image.NRGBA), image.NewNRGBA(image.Rect(0, 0, 48, 32))
	for y := range 32 {
		for x := range 48 {
			holes.SetColorIndex(x, y, uint8(x/24+2*(y/16)))
			half.Set(x, y, whole.At(x, y))
			if x < 24 && y < 16 {
				half.Set(x, y, color.NRGBA{R: 100})
			}
		}
	}
	for name, data := range map[string][]byte{
		"PNG":                pngOf(t, half),
		"PNG with a palette": pngOf(t, holes),
		"WebP":               stored(t, "transparent.webp"),
		"lossless WebP":      stored(t, "transparent_lossless.webp"),
	} {
		p, err := convert(data)
		must(t, err)
		if got := cornersOf(checkJPEG(t, p.Content)); got != [4]int{3, 1, 2, 3} {
			t.Errorf("%s: corners %v", name, got)
		}
	}
}

func TestImageIsScaledDownToMaxDimensions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ width, height, wantWidth, wantHeight int }{
		{1, 1, 1, 1},
		{321, 7, 321, 7},
		{2048, 100, 2048, 100},
		{2049, 100, 2048, 100},
		{4000, 3000, 2048, 1536},
		{300, 4096, 150, 2048},
		{65_535, 10, 2048, 1},
	} {
		p, err := convert(jpegOf(t, image.NewGray(image.Rect(0, 0, c.width, c.height))))
		must(t, err)
		checkPhoto(t, p)
		if p.Width != c.wantWidth || p.Height != c.wantHeight {
			t.Errorf("%v: %d by %d", c, p.Width, p.Height)
		}
	}
}

func TestScalingKeepsColorsInPlace(t *testing.T) {
	t.Parallel()
	m := image.NewNRGBA(image.Rect(0, 0, 3000, 2250))
	for y := range 2250 {
		for x := range 3000 {
			m.SetNRGBA(x, y, color.NRGBA{uint8(x * 255 / 2999), uint8(y * 255 / 2249), 90, 255})
		}
	}
	for name, data := range map[string][]byte{"JPEG": jpegOf(t, m), "PNG": pngOf(t, m)} {
		p, err := convert(data)
		must(t, err)
		got := checkJPEG(t, p.Content)
		for _, at := range []image.Point{{20, 20}, {1000, 700}, {2000, 1500}, {30, 1400}} {
			r, g, b, _ := got.At(at.X, at.Y).RGBA()
			wantR, wantG := float64(at.X)*255/2047, float64(at.Y)*255/1535
			if !near(r, wantR) || !near(g, wantG) || !near(b, 90) {
				t.Errorf("%s: %d, %d, %d at %v", name, r>>8, g>>8, b>>8, at)
			}
		}
	}
}

func near(got uint32, want float64) bool {
	d := float64(got>>8) - want
	return -6 < d && d < 6
}

func TestNoisyImageFitsPhotoSizeLimit(t *testing.T) {
	t.Parallel()
	p, err := convert(jpegOf(t, noise(2600, 2600)))
	must(t, err)
	checkPhoto(t, p)
	if len(p.Content) < attachment.MostPhotoBytes/3 || p.Width < 700 {
		t.Errorf("%d by %d in %d bytes", p.Width, p.Height, len(p.Content))
	}
	t.Logf("%d by %d in %d bytes", p.Width, p.Height, len(p.Content))
}

func TestMetadataIsStripped(t *testing.T) {
	t.Parallel()
	marker := []byte("33 Elm Street, 40.7128 N 74.0060 W")
	jpg, png, webp := jpegOf(t, corners()), pngOf(t, corners()), stored(t, "corners.webp")
	for i, s := range []string{"", "Exif\x00\x00", "http://ns.adobe.com/xap/1.0/\x00", "ICC_PROFILE\x00\x01\x01"} {
		jpg = insertJPEG(jpg, []byte{0xfe, 0xe1, 0xe1, 0xe2}[i], append([]byte(s), marker...))
	}
	jpg = insertJPEG(jpg, 0xe1, append(append([]byte("Exif\x00\x00"), exif(binary.BigEndian, 6)...), marker...))
	for _, name := range []string{"tEXt", "iTXt", "zTXt", "iCCP", "eXIf", "teSt"} {
		png = insertPNG(png, name, append([]byte("Comment\x00"), marker...))
	}
	for _, name := range []string{"EXIF", "XMP ", "ICCP", "TEST"} {
		webp = appendWebP(webp, name, marker)
	}
	for name, data := range map[string][]byte{
		"JPEG": append(jpg, marker...),
		"PNG":  append(png, marker...),
		"WebP": append(webp, marker...),
	} {
		if !bytes.Contains(data, marker) {
			t.Error("what is sent has no marker")
		}
		p, err := convert(data)
		must(t, err)
		checkPhoto(t, p)
		for _, word := range []string{"Elm", "40.7", "Exif", "ICC", "xap", "JFIF", "Comment"} {
			if bytes.Contains(p.Content, []byte(word)) || bytes.Contains(p.Thumbnail, []byte(word)) {
				t.Errorf("%s: %s is left", name, word)
			}
		}
	}
}

func TestSpooledImageIsConverted(t *testing.T) {
	t.Parallel()
	spool, err := intake.NewSpool(t.TempDir())
	must(t, err)
	f, err := spool.Take(bytes.NewReader(jpegOf(t, corners())))
	must(t, err)
	defer f.Close()
	p, err := attachment.NewConverter(time.Minute).Convert(t.Context(), f)
	must(t, err)
	checkPhoto(t, p)
}

// counting counts how often a picture is read from.
type counting struct {
	file
	reads int
}

func (c *counting) Reader() io.Reader {
	from := c.file.Reader()
	return readerFunc(func(p []byte) (int, error) {
		c.reads++
		return from.Read(p)
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestImageWithManyChunksIsReadInLargeBlocks(t *testing.T) {
	t.Parallel()
	const chunks = 9_900
	png, lossless := pngOf(t, corners()), stored(t, "corners_lossless.webp")
	riff := slices.Concat(lossless[:12], bytes.Repeat([]byte("TEST\x02\x00\x00\x00ab"), chunks), lossless[12:])
	binary.LittleEndian.PutUint32(riff[4:], uint32(len(riff)-8))
	for name, data := range map[string][]byte{
		"PNG":               slices.Concat(png[:33], bytes.Repeat(pngChunk("teSt", nil), chunks), png[33:]),
		"PNG of many parts": slices.Concat(png[:33], bytes.Repeat(pngChunk("IDAT", nil), 2*chunks), png[33:]),
		"WebP":              riff,
	} {
		f := &counting{file: data}
		_, err := attachment.NewConverter(time.Minute).Convert(t.Context(), f)
		must(t, err)
		if most := len(data) / 1000; f.reads > most {
			t.Errorf("%s: %d reads of %d bytes", name, f.reads, len(data))
		}
	}
}

// faulty fails when it is read for the n-th time from its beginning: by an error, or by a panic.
type faulty struct {
	file
	n      int
	reader io.Reader
}

func (f *faulty) Reader() io.Reader {
	if f.n--; f.n == 0 {
		return f.reader
	}
	return f.file.Reader()
}

type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("index out of range") }

func TestDecoderPanicRefusesImage(t *testing.T) {
	t.Parallel()
	f := &faulty{jpegOf(t, corners()), 2, panicking{}}
	_, err := attachment.NewConverter(time.Minute).Convert(t.Context(), f)
	refused(t, err, attachment.Damaged)
}

func TestDiskFailureIsNotImageRefusal(t *testing.T) {
	t.Parallel()
	gone := errors.New("the disk is gone")
	for n := 1; n <= 2; n++ {
		f := &faulty{jpegOf(t, corners()), n, iotest.ErrReader(gone)}
		_, err := attachment.NewConverter(time.Minute).Convert(t.Context(), f)
		if _, is := attachment.RefusalOf(err); is || !errors.Is(err, gone) {
			t.Errorf("reader %d: %v", n, err)
		}
	}
}

// stopping ends a context while it is read.
type stopping struct {
	io.Reader
	stop func()
}

func (s stopping) Read(p []byte) (int, error) {
	s.stop()
	return s.Reader.Read(p)
}

func TestCanceledConversionStops(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 2; n++ {
		ctx, stop := context.WithCancel(t.Context())
		data := jpegOf(t, phone(300, 200))
		f := &faulty{data, n, stopping{bytes.NewReader(data), stop}}
		_, err := attachment.NewConverter(time.Minute).Convert(ctx, f)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("reader %d: %v", n, err)
		}
	}
}

// waiting holds the converter until it is released.
type waiting struct {
	io.Reader
	begun, released chan struct{}
}

func (w waiting) Read(p []byte) (int, error) {
	select {
	case <-w.begun:
	default:
		close(w.begun)
	}
	<-w.released
	return w.Reader.Read(p)
}

func TestPictureThatGoesLastIsConvertedBehindOneThatComesLater(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		data := jpegOf(t, corners())
		w := waiting{bytes.NewReader(data), make(chan struct{}), make(chan struct{})}
		c := attachment.NewConverter(0)
		var converted []string
		type converter func(context.Context, attachment.File) (attachment.Photo, error)
		convert := func(name string, f attachment.File, by converter) {
			go func() {
				if _, err := by(t.Context(), f); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				converted = append(converted, name)
			}()
			synctest.Wait()
		}
		convert("the one before", &faulty{data, 2, w}, c.Convert)
		convert("last", file(data), c.ConvertLast)
		convert("first", file(data), c.Convert)
		close(w.released)
		synctest.Wait()
		if want := []string{"the one before", "first", "last"}; !slices.Equal(converted, want) {
			t.Errorf("they were converted in the order %q", converted)
		}
	})
}

func TestConversionQueueTimeoutAsksToRetry(t *testing.T) {
	t.Parallel()
	data := jpegOf(t, corners())
	w := waiting{bytes.NewReader(data), make(chan struct{}), make(chan struct{})}
	c, ended := attachment.NewConverter(20*time.Millisecond), make(chan error)
	go func() {
		_, err := c.Convert(t.Context(), &faulty{data, 2, w})
		ended <- err
	}()
	<-w.begun
	if _, err := c.Convert(t.Context(), file(data)); !fault.Is(err, fault.Unavailable) {
		t.Errorf("a second picture at the same time: %v", err)
	}
	if _, err := c.Convert(t.Context(), file("GIF89a")); err == nil || fault.Is(err, fault.Unavailable) {
		t.Errorf("what is refused need not wait: %v", err)
	}
	close(w.released)
	must(t, <-ended)
}

func BenchmarkConvert(b *testing.B) {
	for _, size := range []image.Point{{4000, 3000}, {6000, 4000}} {
		data := jpegOf(b, phone(size.X, size.Y))
		b.Run(size.String(), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			made := 0
			for b.Loop() {
				p, err := convert(data)
				must(b, err)
				made = len(p.Content)
			}
			b.ReportMetric(float64(made), "photo-bytes")
		})
	}
}
