package sandbox

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
)

// ErrFrames is what an AVIF file of several frames is refused with.
var ErrFrames = errors.New("the picture has several frames")

// AVIF decodes a file, and has use read its pixels, which are on white where they are transparent
// and gone afterwards. One of more than most bytes of pixels, 8 for each of more than 8 bits, and 4
// otherwise, is refused.
func AVIF(ctx context.Context, file io.Reader, size, most int, use func(image.Image) error) error {
	r, err := avif.start(ctx)
	if err != nil {
		return err
	}
	defer r.close()
	at, err := r.take(file, size)
	if err != nil {
		return err
	}
	says, err := r.numbers(6) // the last two are the seconds of the frame
	if err != nil {
		return err
	}
	decode := func(only, out uint64) error {
		done, err := r.call("decode", uint64(at), uint64(size), only, 0,
			says.ref(0), says.ref(1), says.ref(2), says.ref(3), says.ref(4), out)
		if err == nil && done == 0 {
			err = errRefused
		}
		return err
	}
	if err := decode(1, 0); err != nil {
		return err
	}
	width, height, depth, frames := says.value(0), says.value(1), says.value(2), says.value(3)
	pixel := 4
	if depth > 8 {
		pixel = 8
	}
	switch {
	case frames > 1:
		return ErrFrames
	case width < 1 || height < 1 || width > 1<<16 || height > 1<<16 || width*height*pixel > most:
		return fmt.Errorf("a picture of %d by %d with %d bits", width, height, depth)
	}
	out, err := r.room(width * height * pixel)
	if err != nil {
		return err
	}
	if err := decode(0, uint64(out)); err != nil {
		return err
	}
	b, err := r.bytes(out, width*height*pixel)
	if err != nil {
		return err
	}
	if pixel == 8 {
		b = eightBits(b)
	}
	coverWhite(b)
	return use(&image.RGBA{Pix: b, Stride: 4 * width, Rect: image.Rect(0, 0, width, height)})
}

// eightBits keeps the higher byte of each value, of which the lower one comes first.
func eightBits(b []byte) []byte {
	half := b[:len(b)/2]
	for i := range half {
		half[i] = b[2*i+1]
	}
	return half
}

// coverWhite lays pixels on white, whose colors are multiplied by how opaque they are.
func coverWhite(b []byte) {
	for p := b; len(p) >= 4; p = p[4:] {
		if white := 255 - p[3]; white > 0 {
			for i := range 3 {
				p[i] = min(p[i], p[3]) + white
			}
			p[3] = 255
		}
	}
}
