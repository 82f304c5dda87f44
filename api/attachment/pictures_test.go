package attachment_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"portal/api/attachment"
	"portal/api/fault"
	"portal/api/intake"
)

// file is a picture in memory.
type file []byte

func (f file) Reader() io.Reader { return bytes.NewReader(f) }
func (f file) Size() int         { return len(f) }

var _ attachment.File = (*intake.File)(nil)

// converts is for all tests that need nothing special: as in the service, with a process of its own.
var converts = isolated(5*time.Minute, decodes)

func convert(data []byte) (attachment.Photo, error) {
	return converts.Convert(context.Background(), file(data))
}

// decodes names the variable that makes this program the process of a Converter, hangs one that takes
// pictures and answers nothing, ends one that ends at once, and floods one that answers without an end.
const decodes, hangs, ends, floods = "ATTACHMENT_DECODES", "ATTACHMENT_HANGS", "ATTACHMENT_ENDS", "ATTACHMENT_FLOODS"

// measures is what this program does instead of tests where it is to measure.
var measures func()

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(decodes) != "":
		if attachment.Decode(os.Stdin, os.Stdout) != nil {
			os.Exit(1)
		}
	case os.Getenv(hangs) != "":
		_, _ = io.Copy(io.Discard, os.Stdin)
	case os.Getenv(ends) != "":
	case os.Getenv(floods) != "":
		out := []byte("\xfc\x30\x00\x00\x00") // a message of 805,306,368 bytes
		for _, err := os.Stdout.Write(out); err == nil; _, err = os.Stdout.Write(out) {
			out = make([]byte, 1<<20)
		}
	case measures != nil:
		measures()
	default:
		os.Exit(m.Run())
	}
}

// isolated makes a converter with a process that one of the variables makes of this program.
func isolated(patience time.Duration, as string) *attachment.Converter {
	return attachment.NewIsolatedConverter(patience, isolatedBy(as))
}

func isolatedBy(as string) func() *exec.Cmd {
	return func() *exec.Cmd {
		c := exec.Command(os.Args[0])
		c.Env = []string{as + "=1"}
		return c
	}
}

// proving reports whether tests are to try all, and not a part of it.

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// stored is a picture of testdata, which are made with Pillow. Large ones of one color are
// compressed.
func stored(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	must(t, err)
	if strings.HasSuffix(name, ".gz") {
		r, err := gzip.NewReader(bytes.NewReader(data))
		must(t, err)
		data, err = io.ReadAll(r)
		must(t, err)
	}
	return data
}

// corners has a color in each: red and green above, blue and white below.
func corners() image.Image {
	m := image.NewNRGBA(image.Rect(0, 0, 48, 32))
	for y := range 32 {
		for x := range 48 {
			m.SetNRGBA(x, y, []color.NRGBA{
				{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 255, 255},
			}[x/24+2*(y/16)])
		}
	}
	return m
}

// noise is a picture that no JPEG compresses well.
func noise(width, height int) *image.Gray {
	m := image.NewGray(image.Rect(0, 0, width, height))
	r := rand.New(rand.NewPCG(1, 2))
	for i := 0; i+8 <= len(m.Pix); i += 8 {
		binary.LittleEndian.PutUint64(m.Pix[i:], r.Uint64())
	}
	return m
}

// phone is a picture with about as much detail as a phone's: soft colors with a little noise.
func phone(width, height int) image.Image {
	m := image.NewYCbCr(image.Rect(0, 0, width, height), image.YCbCrSubsampleRatio420)
	r := rand.New(rand.NewPCG(3, 4))
	for y := range height {
		for x := range width {
			m.Y[y*m.YStride+x] = byte((x+y)/64 + (x/8*y/8)%64 + r.IntN(12))
		}
	}
	for i := range m.Cb {
		m.Cb[i], m.Cr[i] = byte(100+i/m.CStride%50), byte(110+i%m.CStride/64)
	}
	return m
}

func jpegOf(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	must(t, jpeg.Encode(&b, m, &jpeg.Options{Quality: 90}))
	return b.Bytes()
}

func pngOf(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	must(t, png.Encode(&b, m))
	return b.Bytes()
}

// blankPNG declares what it is told, and all bytes of its pixels are 0. Each pass of an interlaced
// one has its own rows.
func blankPNG(t testing.TB, width, height int, depth, kind, interlaced byte) []byte {
	t.Helper()
	channels := map[byte]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind]
	passes := [][4]int{{0, 0, 1, 1}}
	if interlaced == 1 {
		passes = [][4]int{
			{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2},
		}
	}
	var pixels bytes.Buffer
	z := zlib.NewWriter(&pixels)
	for _, p := range passes {
		w, h := (width-p[0]+p[2]-1)/p[2], (height-p[1]+p[3]-1)/p[3]
		row := make([]byte, 1+(w*channels*int(depth)+7)/8)
		for range h {
			_, err := z.Write(row)
			must(t, err)
		}
	}
	must(t, z.Close())
	head := binary.BigEndian.AppendUint32(nil, uint32(width))
	head = binary.BigEndian.AppendUint32(head, uint32(height))
	all := append([]byte("\x89PNG\r\n\x1a\n"), pngChunk("IHDR", append(head, depth, kind, 0, 0, interlaced))...)
	if kind == 3 {
		all = append(all, pngChunk("PLTE", []byte{200, 100, 50})...)
	}
	all = append(all, pngChunk("IDAT", pixels.Bytes())...)
	return append(all, pngChunk("IEND", nil)...)
}

func pngChunk(name string, data []byte) []byte {
	all := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	all = append(append(all, name...), data...)
	return binary.BigEndian.AppendUint32(all, crc32.ChecksumIEEE(all[4:]))
}

// insertPNG puts a chunk behind the first one.
func insertPNG(data []byte, name string, content []byte) []byte {
	const at = 8 + 12 + 13
	return append(append(bytes.Clone(data[:at]), pngChunk(name, content)...), data[at:]...)
}

// insertJPEG puts a segment before the others.
func insertJPEG(data []byte, marker byte, content []byte) []byte {
	n := len(content) + 2
	segment := append([]byte{0xff, marker, byte(n >> 8), byte(n)}, content...)
	return append(append(bytes.Clone(data[:2]), segment...), data[2:]...)
}

// appendWebP puts a chunk behind the others.
func appendWebP(data []byte, name string, content []byte) []byte {
	all := append(bytes.Clone(data), name...)
	all = append(binary.LittleEndian.AppendUint32(all, uint32(len(content))), content...)
	if len(content)&1 == 1 {
		all = append(all, 0)
	}
	binary.LittleEndian.PutUint32(all[4:], uint32(len(all)-8))
	return all
}

// exif says an orientation, in one order of bytes or the other.
func exif(order binary.AppendByteOrder, orientation int) []byte {
	all := []byte("II")
	if order == binary.AppendByteOrder(binary.BigEndian) {
		all = []byte("MM")
	}
	all = order.AppendUint32(order.AppendUint16(all, 42), 8)
	all = order.AppendUint16(all, 2)
	for _, entry := range [][2]int{{0x0100, 48}, {0x0112, orientation}} {
		all = order.AppendUint16(order.AppendUint16(all, uint16(entry[0])), 3)
		all = order.AppendUint16(order.AppendUint32(all, 1), uint16(entry[1]))
		all = order.AppendUint16(all, 0)
	}
	return order.AppendUint32(all, 0)
}

// resized declares other dimensions in the frame of a JPEG.
func resized(t testing.TB, data []byte, width, height int) []byte {
	t.Helper()
	all := bytes.Clone(data)
	at := frame(t, all)
	binary.BigEndian.PutUint16(all[at+5:], uint16(height))
	binary.BigEndian.PutUint16(all[at+7:], uint16(width))
	return all
}

// frame is where the frame of a JPEG begins.
func frame(t testing.TB, data []byte) int {
	t.Helper()
	for _, marker := range []byte{0xc0, 0xc2} {
		if at := bytes.Index(data, []byte{0xff, marker, 0}); at > 0 {
			return at
		}
	}
	t.Fatal("no frame")
	return 0
}

// refused checks that a picture is refused for a reason, in its words.
func refused(t testing.TB, err error, want attachment.Refusal) {
	t.Helper()
	why, is := attachment.RefusalOf(err)
	f := fault.From(err)
	if !is || why != want || f.Code != fault.InvalidField || f.Message != want.Say(false) {
		t.Errorf("%q, want %q", err, want.Say(false))
	}
}

// checkPhoto checks what each photo keeps to, whatever was sent.
func checkPhoto(t testing.TB, p attachment.Photo) {
	t.Helper()
	m := checkJPEG(t, p.Content)
	if size := m.Bounds().Size(); size != image.Pt(p.Width, p.Height) || max(size.X, size.Y) > attachment.MostSide {
		t.Errorf("a photo of %v, said to be %d by %d", size, p.Width, p.Height)
	}
	if len(p.Content) > attachment.MostPhotoBytes || len(p.Thumbnail) > 150_000 {
		t.Errorf("%d bytes, and %d of the thumbnail", len(p.Content), len(p.Thumbnail))
	}
	small := checkJPEG(t, p.Thumbnail).Bounds().Size()
	if max(small.X, small.Y) > attachment.ThumbnailSide {
		t.Errorf("a thumbnail of %v", small)
	}
}

// checkJPEG checks that there are tables, a frame, a scan and nothing else.
func checkJPEG(t testing.TB, data []byte) image.Image {
	t.Helper()
	m, err := jpeg.Decode(bytes.NewReader(data))
	must(t, err)
	markers := []byte{}
	at := 2
	for data[at+1] != 0xda {
		markers = append(markers, data[at+1])
		at += 2 + int(binary.BigEndian.Uint16(data[at+2:]))
	}
	end := bytes.Index(data[at:], []byte{0xff, 0xd9})
	if !bytes.Equal(data[:2], []byte{0xff, 0xd8}) || !bytes.Equal(markers, []byte{0xdb, 0xc0, 0xc4}) ||
		at+end+2 != len(data) || bytes.Count(data[at:], []byte{0xff, 0xda}) != 1 {
		t.Errorf("segments % x, and %d bytes behind the end", markers, len(data)-at-end-2)
	}
	return m
}
