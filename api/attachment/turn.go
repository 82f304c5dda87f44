package attachment

import "image"

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
