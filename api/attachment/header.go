package attachment

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"slices"

	"golang.org/x/image/webp"
)

// The most pixels, by what decoding them takes: a baseline JPEG of more than mostPixelsWhole is
// decoded at a fraction, and a HEIC tile by tile; a progressive JPEG holds the coefficients of the
// whole picture, 2 bytes for each, and others take at least 4 bytes a pixel. Phones that are sold
// with 12, 24 and 64 megapixels make pictures of up to 12.5, 24.5 and 64.2.
const (
	mostPixels            = 65_000_000
	mostPixelsProgressive = 25_000_000
	mostPixelsOther       = 12_500_000
	mostPixelsAVIF        = 10_000_000 // it is in memory with 11 bytes a pixel
	// mostPixelsWhole and mostProgressiveWhole are what image/jpeg decodes of a JPEG: at most 3 bytes a
	// pixel, and 4 bytes a coefficient.
	mostPixelsWhole, mostProgressiveWhole = 24_000_000, 6_000_000
	// mostSideSent bounds the rows of a PNG, of which two are in memory beside the picture.
	mostSideSent = 65_535
)

// header is what is known of a picture before its pixels are decoded.
type header struct {
	width, height int
	orientation   int // 1 to 8, as Exif has it
	reduce        func(header, *source) (*image.YCbCr, error)
	isolated      bool // reduce decodes in the sandbox
	heif          heif // of one
}

// weight is about how much memory it takes to convert the picture, in bytes.
func (h *header) weight() int { return 4 * h.width * h.height }

// heavyPicture is the weight of a picture whose memory is given back at once.
const heavyPicture = 4 << 20

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
		h.reduce = whole(jpeg.Decode)
		err = h.jpeg(r)
	case bytes.HasPrefix(first, []byte("\x89PNG\r\n\x1a\n")):
		h.reduce = whole(png.Decode)
		err = h.png(r)
	case len(first) >= 12 && string(first[:4]) == "RIFF" && string(first[8:12]) == "WEBP":
		h.reduce = whole(webp.Decode)
		err = h.webp(r, size)
	case isHighEfficiency(first):
		h.isolated = true
		err = h.highEfficiency(r)
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
	case width*height > most && most == mostPixelsProgressive:
		return TooManyPixelsProgressive
	case width*height > most && most == mostPixelsAVIF:
		return TooManyPixelsAVIF
	case width*height > most:
		return TooManyPixelsOther
	case max(width, height) > mostSideSent:
		return Unusual
	}
	return nil
}

// mostChunks are more than the 1,300 of 8 KB in which an animation of 10 MB may come. The decoder
// makes 4 KB of garbage of each, even an empty one.
const mostChunks = 10_000

// png walks over the chunks of a PNG (its specification, sections 5 and 11).
func (h *header) png(r *bufio.Reader) error {
	var head [8 + 8 + 13]byte // the signature, and the first chunk, which has to be IHDR
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	if binary.BigEndian.Uint32(head[8:]) != 13 || string(head[12:16]) != "IHDR" {
		return Damaged
	}
	width, height := binary.BigEndian.Uint32(head[16:]), binary.BigEndian.Uint32(head[20:])
	if err := h.limit(int(width), int(height), mostPixelsOther); err != nil {
		return err
	}
	if head[24] == 16 {
		return SixteenBit
	}
	if _, err := r.Discard(4); err != nil { // the check sum
		return err
	}
	for others := 0; others <= mostChunks; others++ {
		var chunk [8]byte
		if _, err := io.ReadFull(r, chunk[:]); err != nil {
			return err
		}
		n := int(binary.BigEndian.Uint32(chunk[:]))
		switch string(chunk[4:]) {
		case "IEND":
			return nil
		case "IDAT":
			others-- // those of the pixels cost nothing
		case "eXIf":
			if err := h.exif(r, &n); err != nil {
				return err
			}
		}
		if _, err := r.Discard(n + 4); err != nil {
			return err
		}
	}
	return Unusual
}

// webp walks over the chunks of a WebP (RFC 9649, section 2). None may claim more than the file has,
// for the decoder makes room for what they claim.
func (h *header) webp(r *bufio.Reader, size int) error {
	var head [12]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return err
	}
	left := int(binary.LittleEndian.Uint32(head[4:])) - 4
	if left > size-len(head) {
		return Damaged
	}
	for left >= 8 {
		var chunk [8]byte
		if _, err := io.ReadFull(r, chunk[:]); err != nil {
			return err
		}
		n := int(binary.LittleEndian.Uint32(chunk[4:]))
		n += n & 1 // to an even number
		if left -= len(chunk) + n; left < -1 {
			return Damaged
		}
		rest := n
		if err := h.webpChunk(string(chunk[:4]), r, &rest); err != nil {
			return err
		}
		if _, err := r.Discard(rest); err != nil && left >= 0 { // the last one may lack its even byte
			return err
		}
	}
	if h.width == 0 {
		return Damaged
	}
	return nil
}

// webpChunk reads what matters of a chunk, and leaves in n how much of it is left.
func (h *header) webpChunk(name string, r *bufio.Reader, n *int) error {
	switch name {
	case "EXIF":
		return h.exif(r, n)
	case "ANIM", "ANMF":
		return Animated
	case "ALPH":
		return h.webpAlpha(r, n)
	case "VP8X", "VP8 ", "VP8L":
	default:
		return nil
	}
	first, err := r.Peek(min(*n, 10))
	if err != nil || len(first) < 10 {
		return Damaged
	}
	switch name {
	case "VP8X": // the canvas
		if first[0]&2 != 0 {
			return Animated
		}
		width, height := uint24(first[4:])+1, uint24(first[7:])+1
		return h.limit(width, height, mostPixelsOther)
	case "VP8 ": // lossy (RFC 6386, section 9.1)
		width, height := binary.LittleEndian.Uint16(first[6:])&0x3fff, binary.LittleEndian.Uint16(first[8:])&0x3fff
		return h.limit(int(width), int(height), mostPixelsOther)
	default: // lossless (RFC 9649, section 3.4)
		bits := binary.LittleEndian.Uint32(first[1:])
		if err := h.limit(int(bits&0x3fff)+1, int(bits>>14&0x3fff)+1, mostPixelsOther); err != nil {
			return err
		}
		if _, err := r.Discard(5); err != nil {
			return err
		}
		*n -= 5
		return checkLossless(r, n, h.width, h.height)
	}
}

// webpAlpha checks how opaque the pixels of a lossy picture are, which may be stored as the green of
// a lossless one as large as the canvas, without its header.
func (h *header) webpAlpha(r *bufio.Reader, n *int) error {
	if h.width == 0 || *n == 0 {
		return Damaged
	}
	first, err := r.ReadByte()
	if *n--; err != nil || first&3 != 1 {
		return err
	}
	return checkLossless(r, n, h.width, h.height)
}

// uint24 is a number of 3 bytes, the lowest first.
func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }
