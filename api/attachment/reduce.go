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
)

// reduced decodes a picture and scales it down to MostSide. The large one is garbage afterwards.
func reduced(h header, from io.Reader) (*image.YCbCr, error) {
	large, err := decoded(h, from)
	if err != nil {
		return nil, err
	}
	if size := large.Bounds().Size(); size != image.Pt(h.width, h.height) {
		return nil, fmt.Errorf("the header says %d by %d, the decoder %v", h.width, h.height, size)
	}
	return scaled(large, MostSide), nil
}

// decoded contains what goes wrong in a decoder. Those of PNG and WebP would read from the disk for
// each few bytes of a million small chunks.
func decoded(h header, from io.Reader) (img image.Image, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = fmt.Errorf("the decoder panicked: %v", broken)
		}
	}()
	return h.decode(bufio.NewReader(from))
}

// scaled makes a picture with at most so many pixels on its longer side; one that has no more
// keeps its size. Each pixel is the average of the area that it comes from. Where brightness
// and color are in planes already, no other copy of the whole picture is made.
func scaled(from image.Image, most int) *image.YCbCr {
	size := from.Bounds().Size()
	to := image.NewYCbCr(image.Rectangle{Max: fit(size, most)}, image.YCbCrSubsampleRatio420)
	width, height := to.Rect.Dx(), to.Rect.Dy()
	cWidth, cHeight := (width+1)/2, (height+1)/2
	if planes, is := from.(*image.YCbCr); is {
		cSize := colorSize(planes)
		y := newArea(size, image.Pt(width, height), to.Y)
		for i := range size.Y {
			y.add(planes.Y[i*planes.YStride:])
		}
		cb := newArea(cSize, image.Pt(cWidth, cHeight), to.Cb)
		cr := newArea(cSize, image.Pt(cWidth, cHeight), to.Cr)
		for i := range cSize.Y {
			cb.add(planes.Cb[i*planes.CStride:])
			cr.add(planes.Cr[i*planes.CStride:])
		}
		return to
	}
	y := newArea(size, image.Pt(width, height), to.Y)
	cb := newArea(size, image.Pt(cWidth, cHeight), to.Cb)
	cr := newArea(size, image.Pt(cWidth, cHeight), to.Cr)
	row := newRow(from)
	for i := range size.Y {
		row.read(from, i)
		y.add(row.y)
		cb.add(row.cb)
		cr.add(row.cr)
	}
	return to
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
