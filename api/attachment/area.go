package attachment

import "image"

// area scales one plane of values, a row at a time. A pixel of the source is as wide as the target
// has columns, and one of the target as wide as the source has columns, so all parts of them are
// whole numbers; so it is with rows.
type area struct {
	from, to image.Point
	sums     []uint32 // of a row of the source, by column of the target
	rows     []uint64 // of the rows so far, by column of the target
	missing  int      // how much of the row of the target is still to come
	out      []byte
}

func newArea(from, to image.Point, out []byte) *area {
	return &area{
		from:    from,
		to:      to,
		sums:    make([]uint32, to.X),
		rows:    make([]uint64, to.X),
		missing: from.Y,
		out:     out,
	}
}

// add takes the next row of the source.
func (a *area) add(row []byte) {
	a.sum(row[:a.from.X])
	part := a.to.Y
	for part >= a.missing {
		a.weigh(a.missing)
		part -= a.missing
		a.emit()
	}
	a.weigh(part)
	a.missing -= part
}

// sum adds up a row by the columns of the target.
func (a *area) sum(row []byte) {
	column, missing, sum := 0, uint32(a.from.X), uint32(0)
	for _, value := range row {
		part := uint32(a.to.X)
		for part >= missing {
			a.sums[column] = sum + uint32(value)*missing
			part -= missing
			column, missing, sum = column+1, uint32(a.from.X), 0
		}
		sum += uint32(value) * part
		missing -= part
	}
}

// weigh adds a part of the row to the row of the target.
func (a *area) weigh(part int) {
	for i, sum := range a.sums {
		a.rows[i] += uint64(sum) * uint64(part)
	}
}

// emit writes a row of the target, and begins the next one.
func (a *area) emit() {
	whole := uint64(a.from.X) * uint64(a.from.Y)
	for i, sum := range a.rows {
		a.out[i] = byte((sum + whole/2) / whole)
		a.rows[i] = 0
	}
	a.out, a.missing = a.out[a.to.X:], a.from.Y
}
