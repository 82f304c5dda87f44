package sandbox

import (
	"context"
	"fmt"
	"image"
	"io"
)

// Colors of libheif (heif_colorspace and heif_chroma).
const (
	heifYCbCr, heifRGB, heifGray    = 0, 1, 2
	heifChroma420, heifChroma444    = 1, 3
	heifStride, heifLeastPlaneWidth = 16, 64
)

// tired is how much memory a run takes before the next picture of the file begins with a new one,
// in bytes: the program keeps the pixels of each that it has decoded.
const tired = 64 << 20

// HEIC decodes pictures of a HEIF file with HEVC.
type HEIC struct {
	ctx  context.Context
	file func() io.Reader
	size int
	*run
	at   uint32
	says numbers
	out  uint32
	like heicLayout
}

// heicLayout is how the program writes the pixels of a picture.
type heicLayout struct{ width, height, colors, chroma int }

// OpenHEIC begins with a file, which is read from its beginning once or more.
func OpenHEIC(ctx context.Context, file func() io.Reader, size int) (*HEIC, error) {
	h := &HEIC{ctx: ctx, file: file, size: size}
	if err := h.begin(); err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

func (h *HEIC) begin() (err error) {
	if h.run, err = heif.start(h.ctx); err != nil {
		return err
	}
	h.out, h.like = 0, heicLayout{}
	if h.at, err = h.take(h.file(), h.size); err != nil {
		return err
	}
	h.says, err = h.numbers(5)
	return err
}

// Close gives the memory back. No picture of the file may be used any more.
func (h *HEIC) Close() {
	if h.run != nil {
		h.run.close()
		h.run = nil
	}
}

// Primary is the picture that the file is about, of at most so many pixels. It is an image.YCbCr,
// image.NRGBA or image.Gray, and valid until the next one is decoded.
func (h *HEIC) Primary(most int) (image.Image, error) { return h.decode(most) }

// Item is Primary for another picture, of which the number stands at a place in the file.
func (h *HEIC) Item(at int, number []byte, most int) (image.Image, error) {
	if h.module.Memory().Size() > tired {
		h.Close()
		if err := h.begin(); err != nil {
			return nil, err
		}
	}
	b, err := h.bytes(h.at, h.size)
	if err != nil {
		return nil, err
	}
	copy(b[at:], number)
	return h.decode(most)
}

func (h *HEIC) decode(most int) (image.Image, error) {
	if h.out == 0 {
		if err := h.ask(1); err != nil {
			return nil, err
		}
		h.like = h.layout()
		if size := h.like.width * h.like.height; size < 1 || size > most {
			return nil, fmt.Errorf("a picture of %d by %d", h.like.width, h.like.height)
		}
		var err error
		if h.out, err = h.room(h.like.size()); err != nil {
			return nil, err
		}
	}
	if err := h.ask(0); err != nil {
		return nil, err
	}
	if is := h.layout(); is != h.like {
		return nil, fmt.Errorf("%v after %v", is, h.like)
	}
	b, err := h.bytes(h.out, h.like.size())
	if err != nil {
		return nil, err
	}
	return h.like.image(b), nil
}

// ask decodes, or says only what there is to decode.
func (h *HEIC) ask(only uint64) error {
	done, err := h.call("decode", uint64(h.at), uint64(h.size), only,
		h.says.ref(0), h.says.ref(1), h.says.ref(2), h.says.ref(3), h.says.ref(4), uint64(h.out))
	if err == nil && done == 0 {
		err = errRefused
	}
	return err
}

func (h *HEIC) layout() heicLayout {
	return heicLayout{h.says.value(0), h.says.value(1), h.says.value(2), h.says.value(3)}
}

// planes are the bytes of a row, and what the planes of colors have.
func (l heicLayout) planes() (stride, chromaStride, chromaHeight int) {
	switch {
	case l.colors == heifRGB:
		return heifRow(l.width, 4), 0, 0
	case l.colors != heifYCbCr:
		return heifRow(l.width, 1), 0, 0
	}
	width, height := l.width, l.height
	if l.chroma != heifChroma444 {
		width = (width + 1) / 2
	}
	if l.chroma == heifChroma420 {
		height = (height + 1) / 2
	}
	return heifRow(l.width, 1), heifRow(width, 1), height
}

// heifRow is the length of a row of libheif.
func heifRow(width, channels int) int {
	width = max(width+width&1, heifLeastPlaneWidth)
	return (width*channels + heifStride - 1) / heifStride * heifStride
}

func (l heicLayout) size() int {
	stride, chroma, rows := l.planes()
	return stride*l.height + 2*chroma*rows
}

func (l heicLayout) image(b []byte) image.Image {
	stride, chroma, rows := l.planes()
	all := image.Rect(0, 0, l.width, l.height)
	switch l.colors {
	case heifRGB:
		return &image.NRGBA{Pix: b, Stride: stride, Rect: all}
	case heifYCbCr:
		ratio := image.YCbCrSubsampleRatio444
		switch {
		case l.chroma == heifChroma420:
			ratio = image.YCbCrSubsampleRatio420
		case l.chroma != heifChroma444:
			ratio = image.YCbCrSubsampleRatio422
		}
		cb := stride * l.height
		cr := cb + chroma*rows
		return &image.YCbCr{
			Y: b[:cb], Cb: b[cb:cr], Cr: b[cr:], YStride: stride, CStride: chroma, SubsampleRatio: ratio, Rect: all,
		}
	}
	return &image.Gray{Pix: b, Stride: stride, Rect: all}
}
