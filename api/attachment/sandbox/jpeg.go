package sandbox

import (
	"context"
	"fmt"
	"image"
	"io"
)

// jpegSpaceRGB is what the program says of pixels of 4 bytes.
const jpegSpaceRGB = 2

// JPEG decodes a file at the smallest eighth of its size that is not smaller than least, and has
// use read its pixels, which are gone afterwards. Coefficients take 2 bytes each, and the pixels 4.
func JPEG(ctx context.Context, file io.Reader, size int, least image.Point, use func(image.Image) error) error {
	r, err := progressive.start(ctx)
	if err != nil {
		return err
	}
	defer r.close()
	at, err := r.take(file, size)
	if err != nil {
		return err
	}
	says, err := r.numbers(4)
	if err != nil {
		return err
	}
	const smooth, no = 1, 0
	decode := func(only, out uint64) error {
		done, err := r.call("decode", uint64(at), uint64(size), only, says.ref(0), says.ref(1), says.ref(2),
			says.ref(3), out, smooth, no, no, no, uint64(least.X), uint64(least.Y))
		if err == nil && done == 0 {
			err = errRefused
		}
		return err
	}
	if err := decode(1, 0); err != nil {
		return err
	}
	width, height := says.value(0), says.value(1)
	if width < least.X || height < least.Y || width > 2*least.X+8 || height > 2*least.Y+8 ||
		says.value(2) != jpegSpaceRGB {
		return fmt.Errorf("%d by %d in the colors %d", width, height, says.value(2))
	}
	out, err := r.room(4 * width * height)
	if err != nil {
		return err
	}
	if err := decode(0, uint64(out)); err != nil {
		return err
	}
	b, err := r.bytes(out, 4*width*height)
	if err != nil {
		return err
	}
	return use(&image.RGBA{Pix: b, Stride: 4 * width, Rect: image.Rect(0, 0, width, height)})
}
