package attachment

import (
	"image"
	"image/color"
)

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
