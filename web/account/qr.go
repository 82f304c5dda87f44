package account

import (
	"fmt"
	"strings"

	goqr "github.com/piglig/go-qr"

	views "portal/views/account"
)

// quiet is the empty margin of a code, in modules (ISO/IEC 18004).
const quiet = 4

// draw makes a code of a text that cameras read: a path of its dark runs, row by row.
func draw(text string) (views.QR, error) {
	code, err := goqr.EncodeText(text, goqr.Medium)
	if err != nil {
		return views.QR{}, fmt.Errorf("draw a code: %w", err)
	}
	var b strings.Builder
	for y := range code.Size() {
		for x := 0; x < code.Size(); x++ {
			from := x
			for code.Module(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&b, "M%d %dh%dv1h-%dz", from+quiet, y+quiet, x-from, x-from)
			}
		}
	}
	return views.QR{Size: code.Size() + 2*quiet, Path: b.String()}, nil
}

// grouped is a secret as one types it: four characters at a time.
func grouped(s string) string {
	var b strings.Builder
	for i, r := range s {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return b.String()
}
