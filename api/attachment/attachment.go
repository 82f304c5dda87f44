// Package attachment makes a JPEG of our own out of a picture that somebody sends: what comes in
// is checked by its bytes before a pixel of it is decoded, and nothing but its pixels goes out.
//
// It knows no HTTP, no SQL, no ticket and no form.
package attachment

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"os/exec"
	"runtime/debug"
	"time"

	"portal/api/attachment/sandbox"
	"portal/api/intake"
)

// What is taken, and what is made of it.
const (
	// MostBytes is how large a picture may be as it is sent.
	MostBytes = 10 << 20
	// MostPhotoBytes is how large the content of a Photo is at most.
	MostPhotoBytes = 1_000_000
	// MostSide is how many pixels the longer side of a Photo has at most.
	MostSide = 2048
	// ThumbnailSide is how many pixels the longer side of a thumbnail has at most.
	ThumbnailSide = 320
)

// File is what somebody has sent, as an intake.File has it. Each Reader reads it from its beginning.
type File interface {
	Reader() io.Reader
	Size() int
}

// Photo is a picture as it is kept: baseline JPEG without a byte of the metadata that was sent.
type Photo struct {
	Content       []byte // at most MostPhotoBytes
	Thumbnail     []byte // at most ThumbnailSide on its longer side
	Width, Height int    // of the content, upright
}

// Converter converts one picture at a time. A process has one of them, for the memory of a
// picture is many times the bytes of its file.
type Converter struct {
	gate   *intake.Gate
	worker *worker // nil where this process decodes all pictures itself
}

// NewConverter makes a converter that has others wait for so long while it converts a picture.
func NewConverter(patience time.Duration) *Converter {
	return &Converter{gate: intake.NewGate(1, patience)}
}

// NewIsolatedConverter is NewConverter with a process of its own for what is decoded in the sandbox:
// command prepares one that calls Decode, which is started for the first such picture and ends when
// it has had nothing to do for a minute.
func NewIsolatedConverter(patience time.Duration, command func() *exec.Cmd) *Converter {
	return &Converter{gate: intake.NewGate(1, patience), worker: &worker{command: command}}
}

// Convert checks a picture and makes a photo of it: turned as its Exif orientation says, scaled
// down, transparent pixels on white. Color profiles are ignored, so colors of a wide gamut come out
// a little paler. Of an animated PNG the default image is taken.
//
// What is not taken is refused with fault.InvalidField, of which RefusalOf tells the reason. Who
// waits in vain for others gets fault.Unavailable. An end of ctx and a file that cannot be
// read are errors as they are.
func (c *Converter) Convert(ctx context.Context, file File) (Photo, error) {
	return c.convert(ctx, file, c.gate.Enter)
}

// ConvertLast is Convert for a picture that all others go before, those too that come later.
func (c *Converter) ConvertLast(ctx context.Context, file File) (Photo, error) {
	return c.convert(ctx, file, c.gate.EnterLast)
}

func (c *Converter) convert(
	ctx context.Context, file File, enter func(context.Context) (leave func(), err error),
) (Photo, error) {
	if file.Size() > MostBytes {
		return Photo{}, TooLarge.fault(nil)
	}
	from := &source{ctx: ctx, file: file}
	h, err := inspect(from.start(), file.Size())
	if err != nil {
		return Photo{}, from.explain(err)
	}
	leave, err := enter(ctx)
	if err != nil {
		return Photo{}, err
	}
	defer leave()
	if h.weight() >= heavyPicture {
		defer debug.FreeOSMemory() // or the next picture comes on top of this one
	}
	defer intake.Frugally(h.weight())()
	return c.decode(ctx, h, file)
}

// decode has the decoder to itself.
func (c *Converter) decode(ctx context.Context, h header, file File) (photo Photo, err error) {
	from := &source{ctx: ctx, file: file}
	if c.worker != nil && h.isolated {
		h.reduce = c.worker.reduce
	}
	large, err := reduced(h, from)
	if err != nil {
		return photo, from.explain(err)
	}
	large = turned(large, h.orientation)
	if photo.Content, large, err = encoded(ctx, large); err != nil {
		return photo, err
	}
	size := large.Rect.Size()
	photo.Width, photo.Height = size.X, size.Y
	photo.Thumbnail, err = encode(scaled(large, ThumbnailSide), thumbnailQuality)
	return photo, err
}

// source reads until the caller has gone, and keeps apart what is wrong with the disk from what
// is wrong with the picture.
type source struct {
	ctx    context.Context
	file   File
	from   io.Reader
	failed error
}

// start reads from the beginning.
func (s *source) start() io.Reader {
	s.from = s.file.Reader()
	return s
}

func (s *source) Read(p []byte) (int, error) {
	if s.failed = s.ctx.Err(); s.failed != nil {
		return 0, s.failed
	}
	n, err := s.from.Read(p)
	if err != nil && err != io.EOF {
		s.failed = fmt.Errorf("read a picture: %w", err)
		return n, s.failed
	}
	return n, err
}

// explain makes an error of what a decoder says: that of the source where there is one.
func (s *source) explain(err error) error {
	if s.failed == nil {
		s.failed = s.ctx.Err()
	}
	if s.failed != nil {
		return s.failed
	}
	if why, is := err.(Refusal); is { //nolint:errorlint // what says why is never wrapped
		return why.fault(nil)
	}
	if errors.Is(err, sandbox.ErrFrames) {
		return Animated.fault(err)
	}
	// What a decoder itself says is for the log.
	_, inJPEG := errors.AsType[jpeg.UnsupportedError](err)
	_, inPNG := errors.AsType[png.UnsupportedError](err)
	if inJPEG || inPNG || errors.Is(err, sandbox.ErrTooLong) {
		return Unusual.fault(err)
	}
	return Damaged.fault(err)
}

// row is a row of pixels as brightness and color, on white where it is transparent.
type row struct {
	y, cb, cr []byte
	palette   [256][3]byte // of a picture that has one, as the three are
}

func newRow(from image.Image) *row {
	width := from.Bounds().Dx()
	r := &row{y: make([]byte, width), cb: make([]byte, width), cr: make([]byte, width)}
	if from, is := from.(*image.Paletted); is {
		for i, c := range from.Palette {
			r.palette[i][0], r.palette[i][1], r.palette[i][2] = covering(color.NRGBAModel.Convert(c).(color.NRGBA))
		}
	}
	return r
}

// covering is a color on white as brightness and color.
func covering(c color.NRGBA) (y, cb, cr byte) {
	return color.RGBToYCbCr(onWhite(c.R, c.A, 255), onWhite(c.G, c.A, 255), onWhite(c.B, c.A, 255))
}

// read converts a row of a picture that a decoder has made, which begins at 0, 0.
func (r *row) read(from image.Image, y int) {
	switch from := from.(type) {
	case *image.NRGBA:
		pix := from.Pix[y*from.Stride:]
		for x := range r.y {
			p := pix[4*x : 4*x+4]
			r.y[x], r.cb[x], r.cr[x] = covering(color.NRGBA{R: p[0], G: p[1], B: p[2], A: p[3]})
		}
	case *image.RGBA: // decoders make it of what is opaque alone
		pix := from.Pix[y*from.Stride:]
		for x := range r.y {
			r.y[x], r.cb[x], r.cr[x] = color.RGBToYCbCr(pix[4*x], pix[4*x+1], pix[4*x+2])
		}
	case *image.NYCbCrA:
		for x := range r.y {
			at, a := from.COffset(x, y), from.A[from.AOffset(x, y)]
			r.y[x] = onWhite(from.Y[from.YOffset(x, y)], a, 255)
			r.cb[x], r.cr[x] = onWhite(from.Cb[at], a, 128), onWhite(from.Cr[at], a, 128)
		}
	case *image.Paletted:
		pix := from.Pix[y*from.Stride:]
		for x := range r.y {
			c := &r.palette[pix[x]]
			r.y[x], r.cb[x], r.cr[x] = c[0], c[1], c[2]
		}
	case *image.Gray:
		copy(r.y, from.Pix[y*from.Stride:])
		for x := range r.y {
			r.cb[x], r.cr[x] = 128, 128
		}
	default:
		for x := range r.y {
			r.y[x], r.cb[x], r.cr[x] = covering(color.NRGBAModel.Convert(from.At(x, y)).(color.NRGBA))
		}
	}
}

// onWhite is a value that covers so much of the one that white has.
func onWhite(value, alpha, white byte) byte {
	if alpha == 255 {
		return value
	}
	return byte((int(value)*int(alpha) + int(white)*(255-int(alpha)) + 127) / 255)
}
