package attachment

import (
	"bufio"
	"encoding/binary"
	"io"
)

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
