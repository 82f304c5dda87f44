package attachment

import (
	"bytes"
	"encoding/binary"
	"io"
)

const (
	// mostExif is how much of it is read; the orientation stands near its beginning.
	mostExif = 64 << 10
	// tagOrientation has a number of 16 bits (Exif 2.32, section 4.6.4).
	tagOrientation, typeShort = 0x0112, 3
)

// exif reads the orientation from the first bytes of a chunk, and leaves in n how many are left.
func (h *header) exif(r io.Reader, n *int) error {
	data := make([]byte, min(*n, mostExif))
	if _, err := io.ReadFull(r, data); err != nil {
		return err
	}
	*n -= len(data)
	if h.orientation == 1 {
		h.orientation = orientation(data)
	}
	return nil
}

// orientation is what the first directory of Exif data says, 1 where it says nothing of use. No
// other directory is followed, so none can lead back.
func orientation(data []byte) int {
	data = bytes.TrimPrefix(data, []byte("Exif\x00\x00"))
	if len(data) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.LittleEndian
	if data[0] == 'M' {
		order = binary.BigEndian
	}
	if string(data[:2]) != "II" && string(data[:2]) != "MM" || order.Uint16(data[2:]) != 42 {
		return 1
	}
	at := int(order.Uint32(data[4:]))
	if at > len(data)-2 {
		return 1
	}
	entries := int(order.Uint16(data[at:]))
	for e := data[at+2:]; entries > 0 && len(e) >= 12; e, entries = e[12:], entries-1 {
		if order.Uint16(e) != tagOrientation {
			continue
		}
		if o := int(order.Uint16(e[8:])); order.Uint16(e[2:]) == typeShort && 1 <= o && o <= 8 {
			return o
		}
		return 1
	}
	return 1
}
