package attachment

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"io"
)

// Markers of JPEG (ITU-T T.81, table B.1).
const (
	markerFrame       = 0xc0 // baseline, then extended sequential and progressive
	markerProgressive = 0xc2
	markerTables      = 0xc4 // among the frames' markers, and not one of them
	markerExtension   = 0xc8
	markerArithmetic  = 0xcc
	markerLastFrame   = 0xcf
	markerRestart     = 0xd0 // to 0xd7
	markerStart       = 0xd8
	markerEnd         = 0xd9
	markerScan        = 0xda
	markerExif        = 0xe1 // APP1
	markerAdobe       = 0xee // APP14
)

const (
	// mostSegments are more than 160 of 64 KB, in which a file of color profiles and XMP may come.
	mostSegments = 1000
	// mostScans are more than the 10 of usual encoders. Each costs a walk over all blocks, even an empty one.
	mostScans = 64
)

// jpegScan is what the segments of a JPEG have said so far.
type jpegScan struct {
	*header
	r               *bufio.Reader
	segments, scans int
	frame           bool
	adobeRGB        bool // an Adobe segment says that the colors are not YCbCr
	components      string
	progressive     bool
}

// jpeg walks over all segments and scans as image/jpeg does, which skips what stands between
// them. It decodes nothing.
func (h *header) jpeg(r *bufio.Reader) error {
	s := &jpegScan{header: h, r: r}
	if _, err := r.Discard(2); err != nil {
		return err
	}
	for {
		marker, err := s.marker()
		if err != nil {
			return err
		}
		if marker == markerEnd {
			break
		}
		if s.segments++; s.segments > mostSegments {
			return Unusual
		}
		if err := s.segment(marker); err != nil {
			return err
		}
	}
	if s.scans == 0 {
		return Damaged
	}
	return nil
}

// marker finds the next marker that stands for itself. In the data of a scan 0xff is followed by 0
// or by the marker of a restart.
func (s *jpegScan) marker() (byte, error) {
	for {
		if _, err := s.r.ReadSlice(0xff); errors.Is(err, bufio.ErrBufferFull) {
			continue
		} else if err != nil {
			return 0, err
		}
		marker := byte(0xff)
		for marker == 0xff { // any number of them may come before a marker
			var err error
			if marker, err = s.r.ReadByte(); err != nil {
				return 0, err
			}
		}
		if marker != 0 && marker&^7 != markerRestart {
			return marker, nil
		}
	}
}

// segment reads what matters of a segment, and skips the rest of it.
func (s *jpegScan) segment(marker byte) error {
	var size [2]byte
	if _, err := io.ReadFull(s.r, size[:]); err != nil {
		return err
	}
	n := int(size[0])<<8 + int(size[1]) - 2
	if n < 0 {
		return Damaged
	}
	switch {
	case marker == markerScan:
		return s.scan(n)
	case markerFrame <= marker && marker <= markerLastFrame && marker != markerTables:
		return s.startFrame(marker, n)
	case marker == markerExif, marker == markerAdobe:
		return s.application(marker, n)
	}
	_, err := s.r.Discard(n)
	return err
}

// application reads a segment of Exif or of Adobe.
func (s *jpegScan) application(marker byte, n int) error {
	data := make([]byte, n)
	if _, err := io.ReadFull(s.r, data); err != nil {
		return err
	}
	switch {
	case marker == markerAdobe && n >= 12 && string(data[:5]) == "Adobe":
		s.adobeRGB = s.adobeRGB || data[11] == 0
	case marker == markerExif && s.orientation == 1:
		s.orientation = orientation(data)
	}
	return nil
}

// startFrame checks what the frame declares (T.81, section B.2.2).
func (s *jpegScan) startFrame(marker byte, n int) error {
	if s.frame || n < 6 {
		return Damaged
	}
	s.frame, s.progressive = true, marker == markerProgressive
	data := make([]byte, n)
	if _, err := io.ReadFull(s.r, data); err != nil {
		return err
	}
	if marker > markerProgressive || data[0] != 8 {
		return Unusual
	}
	components := data[6:]
	switch {
	case int(data[5]) == 4:
		return ForPrinting
	case len(components) != 3*int(data[5]):
		return Damaged
	case data[5] != 1 && data[5] != 3:
		return Unusual
	}
	for ; len(components) > 0; components = components[3:] {
		s.components += string(components[:1])
	}
	if s.progressive && !subsampled(data[6:]) {
		return FullColorDetail
	}
	return s.limit(int(data[3])<<8+int(data[4]), int(data[1])<<8+int(data[2]), mostPixels)
}

// subsampled reports whether the colors of a frame take at most as much as its brightness, which
// is so of 4:2:2 and all that have less. One component has no colors.
func subsampled(components []byte) bool {
	if len(components) == 3 {
		return true
	}
	all := 0
	for i := 1; i < len(components); i += 3 {
		all += int(components[i]>>4) * int(components[i]&15)
	}
	return all <= 2*int(components[1]>>4)*int(components[1]&15)
}

// scan checks the dimensions once more, now that it is known what decoding takes.
func (s *jpegScan) scan(n int) error {
	if !s.frame {
		return Damaged
	}
	if s.scans++; s.scans > mostScans || !s.progressive && s.scans > len(s.components) {
		return Unusual
	}
	most := mostPixels
	switch {
	case s.adobeRGB || s.components == "RGB":
		most = mostPixelsOther
	case s.progressive:
		most = mostPixelsProgressive
	}
	if err := s.limit(s.width, s.height, most); err != nil {
		return err
	}
	switch pixels := s.width * s.height; {
	case s.progressive && pixels > mostProgressiveWhole:
		s.reduce, s.isolated = reducedProgressive, true
	case !s.progressive && pixels > mostPixelsWhole:
		s.reduce = fraction
	}
	_, err := s.r.Discard(n)
	return err
}

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

// turned makes a picture upright that lies as an Exif orientation from 1 to 8 says.
func turned(from *image.YCbCr, orientation int) *image.YCbCr {
	if orientation == 1 {
		return from
	}
	size := from.Rect.Size()
	to := image.NewYCbCr(image.Rectangle{Max: turnedSize(size, orientation)}, image.YCbCrSubsampleRatio420)
	turn(to.Y, from.Y, size, orientation)
	colors := colorSize(from)
	turn(to.Cb, from.Cb, colors, orientation)
	turn(to.Cr, from.Cr, colors, orientation)
	return to
}

// turnedSize is the size once it is upright: 5 to 8 lie on a side.
func turnedSize(size image.Point, orientation int) image.Point {
	if orientation >= 5 {
		return image.Pt(size.Y, size.X)
	}
	return size
}

// turn fills a plane from one of a size. It goes through the target row by row, and through the
// source from where its first value comes, by a step for each column and each row.
func turn(to, from []byte, size image.Point, orientation int) {
	w, h := size.X, size.Y
	steps := [...]struct{ first, column, row int }{
		2: {w - 1, -1, w},       // mirrored
		3: {w*h - 1, -1, -w},    // upside down
		4: {w * (h - 1), 1, -w}, // upside down and mirrored
		5: {0, w, 1},            // on its side and mirrored
		6: {w * (h - 1), -w, 1}, // to be turned by 90 degrees
		7: {w*h - 1, -w, -1},    // on its other side and mirrored
		8: {w - 1, w, -1},       // to be turned by 270 degrees
	}
	s, upright := steps[orientation], turnedSize(size, orientation)
	for y := range upright.Y {
		at := s.first + y*s.row
		for x := range upright.X {
			to[y*upright.X+x] = from[at]
			at += s.column
		}
	}
}
