package attachment

import (
	"bufio"
	"fmt"
	"image"
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
