package cell_test

import (
	"testing"

	"portal/api/portfolio/rentroll/cell"
)

// BenchmarkLine reads the cells of one line of a rent roll.
func BenchmarkLine(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		cell.SplitAddress("Harrow House - 220 Harrow St Dayton, OH 45402")
		cell.People("Marsh, Tobias & Elena")
		cell.Vacant("Marsh, Tobias & Elena")
		cell.Status("Active (month to month)")
		cell.Rooms("3/2.00")
		cell.Whole("1,320")
		cell.Phone("(505) 555-0199 x3")
		for range 4 {
			cell.Money("1,850.00")
			cell.Date("09/01/2026", cell.MonthFirst)
		}
	}
}
