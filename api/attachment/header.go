package attachment

import (
	"bufio"
	"bytes"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"slices"

	"golang.org/x/image/webp"
)

// The most pixels, by what decoding them takes: a baseline JPEG at most 3 bytes a pixel, others 4,
// and a progressive one holds the coefficients of the whole picture, 4 bytes for each.
const (
	mostPixels      = 24_000_000
	mostPixelsOther = 12_000_000
	// mostSideSent bounds the rows of a PNG, of which two are in memory beside the picture.
	mostSideSent = 65_535
)

// header is what is known of a picture before its pixels are decoded.
type header struct {
	width, height int
	orientation   int // 1 to 8, as Exif has it
	decode        func(io.Reader) (image.Image, error)
}

// inspect finds out by its first bytes what a file is, and checks the rest of it without decoding.
func inspect(from io.Reader, size int) (header, error) {
	r := bufio.NewReader(from)
	first, err := r.Peek(min(size, 64))
	if err != nil {
		return header{}, err
	}
	h := header{orientation: 1}
	switch {
	case bytes.HasPrefix(first, []byte("\xff\xd8\xff")):
		h.decode = jpeg.Decode
		err = h.jpeg(r)
	case bytes.HasPrefix(first, []byte("\x89PNG\r\n\x1a\n")):
		h.decode = png.Decode
		err = h.png(r)
	case len(first) >= 12 && string(first[:4]) == "RIFF" && string(first[8:12]) == "WEBP":
		h.decode = webp.Decode
		err = h.webp(r, size)
	case isHighEfficiency(first):
		return h, HighEfficiency
	default:
		return h, NotAPicture
	}
	return h, incomplete(err)
}

// incomplete is the refusal of a file that ends too early.
func incomplete(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return Damaged
	}
	return err
}

// highEfficiency are the brands of HEIC, HEIF and AVIF (ISO/IEC 23008-12, annex B; AVIF, section 6).
var highEfficiency = []string{
	"heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "mif2", "msf1", "avif", "avis",
}

// isHighEfficiency reports whether a file begins with a box that names one of these brands.
func isHighEfficiency(first []byte) bool {
	if len(first) < 12 || string(first[4:8]) != "ftyp" {
		return false
	}
	for brand := range slices.Chunk(first[8:], 4) {
		if slices.Contains(highEfficiency, string(brand)) {
			return true
		}
	}
	return false
}

// limit checks the dimensions, of which most pixels are taken.
func (h *header) limit(width, height, most int) error {
	h.width, h.height = width, height
	switch {
	case width < 1 || height < 1:
		return Damaged
	case width*height > most && most == mostPixels:
		return TooManyPixels
	case width*height > most:
		return TooManyPixelsOther
	case max(width, height) > mostSideSent:
		return Unusual
	}
	return nil
}
