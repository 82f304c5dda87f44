package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocsFiguresMatchCode ties what a page says to the line that
// makes it so. The other figures of these pages are filled in from the code.
func TestDocsFiguresMatchCode(t *testing.T) {
	t.Parallel()
	for _, f := range []struct{ file, line, page, words string }{
		{"api/rest/request.go", "largestBody = 256 << 10", "site/limits.md", "256 KiB"},
		{"api/rest/request.go", "largestBody = 256 << 10", "site/records.md", "256 KiB"},
		{"api/mcp/serve.go", "largestBody = 1 << 20", "site/limits.md", "1 MiB at `/mcp`"},
		{"api/webhook/create.go", "mostEndpoints = 20", "site/limits.md", "20 enabled in each mode"},
		{"api/webhook/create.go", "mostEndpoints = 20", "webhooks.md", "At most 20 endpoints"},
		{"api/webhook/send/send.go", "10 * time.Second", "site/limits.md", "within 10 seconds"},
		{"api/webhook/failing.go", "GiveUpOnEndpoint = 5 * 24 * time.Hour", "webhooks.md", "for five days"},
		{"api/developer/request.go", "RequestsKept = 90 * 24", "site/limits.md", "90 days"},
	} {
		code, err := os.ReadFile(filepath.Join("..", "..", f.file))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(strings.Join(strings.Fields(string(code)), " "), f.line) {
			t.Errorf("%s has no %q any more: say what is so in docs/%s", f.file, f.line, f.page)
		}
		if !strings.Contains(docsPage(t, f.page), f.words) {
			t.Errorf("docs/%s does not say %q", f.page, f.words)
		}
	}
}
