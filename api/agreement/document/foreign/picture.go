package foreign

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

// Bounds of pictures. Readers of PDF unpack them whole.
const (
	mostPixels    = 150 << 20 // of one picture with one bit a pixel; half of it with more
	mostSide      = 100_000
	mostAllPixels = 2 << 30 // of all pictures
)

// measurePicture checks how large a picture is, as the file says it and as the picture itself does. No pixel is
// decoded.
func (w *rewriter) measurePicture(v value) error {
	width, err := w.whole(v, "Width")
	if err != nil {
		return err
	}
	height, err := w.whole(v, "Height")
	if err != nil {
		return err
	}
	bits, err := w.get(v, "BitsPerComponent")
	if err != nil {
		return err
	}
	mask, err := w.get(v, "ImageMask")
	if err != nil {
		return err
	}
	n, _ := bits.int()
	one := n == 1 || string(mask.raw) == "true"
	names, _, err := w.filters(v)
	if err != nil {
		return err
	}
	u, rest, err := w.unpack(v)
	if err != nil {
		return err
	}
	defer u.close()
	if !rest {
		if err = w.countPixels(width, height, one); err != nil {
			return err
		}
		samples := 4 // of a pixel, as many as a common space of colors has
		if one {
			n, samples = 1, 4
		}
		most := (width*samples*max(1, min(n, 16))+7)/8*height + 4096
		return copyAtMost(u, most)
	}
	head := make([]byte, 256<<10)
	size, err := io.ReadFull(u, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	head = head[:size]
	switch names[len(names)-1] {
	case "DCTDecode":
		own, wide, found := sizeOfJPEG(head)
		if !found {
			return Damaged
		}
		width, height, one = max(width, wide), max(height, own), false
	case "JPXDecode":
		own, wide, found := sizeOfJPX(head)
		if !found {
			return Damaged
		}
		width, height, one = max(width, wide), max(height, own), false
	default:
		one = true
	}
	if err = w.countPixels(width, height, one); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, u)
	return err
}

func copyAtMost(u io.Reader, most int) error {
	n, err := io.CopyN(io.Discard, u, int64(most)+1)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err == nil && n > int64(most) {
		return Unpacked
	}
	return err
}

func (w *rewriter) whole(v value, key string) (int, error) {
	side, err := w.get(v, key)
	if err != nil {
		return 0, err
	}
	n := side.float()
	if n < 1 {
		return 0, Damaged
	}
	if n > mostSide {
		return 0, Unpacked
	}
	return int(n), nil
}

func (w *rewriter) countPixels(width, height int, one bool) error {
	most := mostPixels
	if !one {
		most /= 2
	}
	if max(width, height) > mostSide {
		return Unpacked
	}
	w.pixels += width * height
	if width*height > most || w.pixels > mostAllPixels {
		return Unpacked
	}
	return nil
}

// sizeOfJPEG finds the frame of a JPEG.
func sizeOfJPEG(b []byte) (height, width int, found bool) {
	if !bytes.HasPrefix(b, []byte{0xff, 0xd8}) {
		return 0, 0, false
	}
	for b = b[2:]; len(b) >= 4; {
		if b[0] != 0xff {
			b = b[1:]
			continue
		}
		marker := b[1]
		switch {
		case marker == 0xff:
			b = b[1:]
			continue
		case marker == 0 || marker == 1 || 0xd0 <= marker && marker <= 0xd8:
			b = b[2:]
			continue
		case marker == 0xda || marker == 0xd9:
			return 0, 0, false
		}
		size := int(binary.BigEndian.Uint16(b[2:])) + 2
		frame := 0xc0 <= marker && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc
		if frame && len(b) >= 9 {
			return int(binary.BigEndian.Uint16(b[5:])), int(binary.BigEndian.Uint16(b[7:])), true
		}
		if size > len(b) {
			break
		}
		b = b[size:]
	}
	return 0, 0, false
}

// sizeOfJPX finds the size in the code stream of JPEG 2000 (ISO/IEC 15444-1, A.5.1).
func sizeOfJPX(b []byte) (height, width int, found bool) {
	at := bytes.Index(b, []byte{0xff, 0x4f, 0xff, 0x51})
	if at < 0 || len(b) < at+24 {
		return 0, 0, false
	}
	b = b[at+8:]
	return int(binary.BigEndian.Uint32(b[4:])), int(binary.BigEndian.Uint32(b)), true
}
