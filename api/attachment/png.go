package attachment

import (
	"bufio"
	"encoding/binary"
	"io"
)

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
