package attachment

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"io"

	"github.com/gen2brain/jpegn"

	"portal/api/attachment/sandbox"
)

// reduced decodes a picture and scales it down to MostSide. The large one is garbage afterwards. It
// contains what goes wrong in a decoder.
func reduced(h header, from *source) (to *image.YCbCr, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = fmt.Errorf("the decoder panicked: %v", broken)
		}
	}()
	return h.reduce(h, from)
}

// whole has a decoder make all pixels of a picture. Those of PNG and WebP would read from the disk
// for each few bytes of a million small chunks.
func whole(decode func(io.Reader) (image.Image, error)) func(header, *source) (*image.YCbCr, error) {
	return func(h header, from *source) (*image.YCbCr, error) {
		large, err := decode(bufio.NewReader(from.start()))
		if err != nil {
			return nil, err
		}
		return h.scaled(large, 1)
	}
}

// fraction decodes a JPEG at a half of its sides or less, without making the pixels of the whole.
func fraction(h header, from *source) (*image.YCbCr, error) {
	n := 2
	for n < 8 && max(h.width, h.height)/(2*n) >= MostSide {
		n *= 2
	}
	small, err := jpegn.Decode(sized{from.start(), from.file.Size()}, &jpegn.Options{ScaleDenom: n})
	if err != nil {
		return nil, err
	}
	return h.scaled(small, n)
}

// sized says how many bytes there are, so that they are read into one piece of memory.
type sized struct {
	io.Reader
	size int
}

func (s sized) Len() int { return s.size }

// reducedProgressive decodes a progressive JPEG in the sandbox, at a fraction: its coefficients take half of
// what they take in image/jpeg.
func reducedProgressive(h header, from *source) (to *image.YCbCr, err error) {
	least := fit(image.Pt(h.width, h.height), MostSide)
	err = sandbox.JPEG(from.ctx, from.start(), from.file.Size(), least, func(m image.Image) error {
		to = scaled(m, MostSide)
		return nil
	})
	return to, err
}

// scaled checks that a decoder has made one of so many parts of the picture, and scales it down.
func (h *header) scaled(from image.Image, parts int) (*image.YCbCr, error) {
	want := image.Pt((h.width+parts-1)/parts, (h.height+parts-1)/parts)
	if size := from.Bounds().Size(); size != want {
		return nil, fmt.Errorf("the header says %v, the decoder %v", want, size)
	}
	return scaled(from, MostSide), nil
}

// scaled makes a picture with at most so many pixels on its longer side; one that has no more
// keeps its size. Each pixel is the average of the area that it comes from. Where brightness
// and color are in planes already, no other copy of the whole picture is made.
func scaled(from image.Image, most int) *image.YCbCr {
	size := from.Bounds().Size()
	if planes, is := from.(*image.YCbCr); is {
		s := newScaler(size, colorSize(planes), most)
		s.add(planes)
		return s.to
	}
	s := newScaler(size, size, most)
	row := newRow(from)
	for i := range size.Y {
		row.read(from, i)
		s.y.add(row.y)
		s.cb.add(row.cb)
		s.cr.add(row.cr)
	}
	return s.to
}

// scaler makes a small picture of the rows of a large one.
type scaler struct {
	to               *image.YCbCr
	y, cb, cr        *area
	left, colorsLeft int // rows of brightness and of colors
}

func newScaler(size, colors image.Point, most int) *scaler {
	to := image.NewYCbCr(image.Rectangle{Max: fit(size, most)}, image.YCbCrSubsampleRatio420)
	small := to.Rect.Size()
	smallColors := image.Pt((small.X+1)/2, (small.Y+1)/2)
	return &scaler{
		to: to, y: newArea(size, small, to.Y), left: size.Y, colorsLeft: colors.Y,
		cb: newArea(colors, smallColors, to.Cb), cr: newArea(colors, smallColors, to.Cr),
	}
}

// add takes the rows of a part that is as wide as the picture or wider, up to the last row of it.
func (s *scaler) add(part *image.YCbCr) {
	rows, colors := min(part.Rect.Dy(), s.left), min(colorSize(part).Y, s.colorsLeft)
	for i := range rows {
		s.y.add(part.Y[i*part.YStride:])
	}
	for i := range colors {
		s.cb.add(part.Cb[i*part.CStride:])
		s.cr.add(part.Cr[i*part.CStride:])
	}
	s.left, s.colorsLeft = s.left-rows, s.colorsLeft-colors
}

// fit is a size with its longer side at most so long, and its shorter one in proportion.
func fit(size image.Point, most int) image.Point {
	longer := max(size.X, size.Y)
	if longer <= most {
		return size
	}
	return image.Pt(max(1, (size.X*most+longer/2)/longer), max(1, (size.Y*most+longer/2)/longer))
}

// colorSize is how many values the planes of colors have for a picture that begins at 0, 0.
func colorSize(p *image.YCbCr) image.Point {
	last := p.COffset(p.Rect.Max.X-1, p.Rect.Max.Y-1) - p.COffset(p.Rect.Min.X, p.Rect.Min.Y)
	return image.Pt(last%p.CStride+1, last/p.CStride+1)
}

// qualities are tried from the best until a picture is small enough. Below the last one, fewer
// pixels look better than a worse quality.
var qualities = []int{85, 75, 65, 55}

const thumbnailQuality = 75

// encoded is a picture as JPEG of at most MostPhotoBytes, and the picture in the size that this took.
func encoded(ctx context.Context, img *image.YCbCr) ([]byte, *image.YCbCr, error) {
	for ; ; img = smaller(img) {
		for _, quality := range qualities {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			content, err := encode(img, quality)
			if !errors.Is(err, errTooMuch) {
				return content, img, err
			}
		}
	}
}

// smaller has four fifths of the sides.
func smaller(img *image.YCbCr) *image.YCbCr {
	size := img.Rect.Size()
	return scaled(img, max(size.X, size.Y)*4/5)
}

// encode writes the tables and the pixels, and nothing else: image/jpeg has no metadata.
func encode(img *image.YCbCr, quality int) ([]byte, error) {
	var b bounded
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: quality}); err != nil {
		return nil, err
	}
	return bytes.Clone(b.Bytes()), nil
}

var errTooMuch = errors.New("more bytes than a photo may have")

// bounded has at most MostPhotoBytes.
type bounded struct{ bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > MostPhotoBytes {
		return 0, errTooMuch
	}
	return b.Buffer.Write(p)
}
