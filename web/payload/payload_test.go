package payload_test

import (
	"context"
	"strings"
	"testing"

	"portal/views/kit"
	"portal/web/payload"
)

func TestOnlyJSONBodiesAreHighlighted(t *testing.T) {
	t.Parallel()
	for text, colored := range map[string]bool{
		"{\n  \"name\": \"Dana\"\n}": true,
		"{\"name\": \"Dana\"":        false,
		"name=Dana":                  false,
		"<b>{}</b>":                  false,
		`{"name": "` + strings.Repeat("a", 20<<10) + `"}`: false,
	} {
		var page strings.Builder
		if err := kit.Payload("Body", payload.View(text)).Render(context.Background(), &page); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(page.String(), "<i class"); got != colored {
			t.Errorf("%.40q is in color: %v", text, got)
		}
		if strings.Contains(page.String(), "<b>") {
			t.Errorf("%q is not escaped", text)
		}
	}
}
