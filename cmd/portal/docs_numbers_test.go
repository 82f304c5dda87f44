package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"portal/api/payment/simulated"
)

// The documentation lists the test numbers of the simulated processor, with what becomes of a payment with each.
func TestDocsListEveryTestNumber(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "site", "tenant-page.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for _, n := range simulated.Numbers() {
		row := fmt.Sprintf("\n| `%s` | `%s` | `%s` | ", n.Method, n.Number, n.Outcome)
		if !strings.Contains(string(page), row) {
			t.Errorf("docs/site/tenant-page.md has no row %s", row)
		}
		rows++
	}
	if listed := strings.Count(
		string(page),
		"\n| `card` | ",
	) + strings.Count(
		string(page),
		"\n| `ach` | ",
	); listed != rows {
		t.Errorf("docs/site/tenant-page.md lists %d numbers, want %d", listed, rows)
	}
}
