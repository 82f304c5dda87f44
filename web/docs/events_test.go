package docs

import (
	"strings"
	"testing"

	"portal/docs"
)

func TestWebhookDocMatchesEventCatalog(t *testing.T) {
	t.Parallel()
	raw, err := docs.Texts.ReadFile("webhooks.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := eventsBegin + eventTable() + eventsEnd; !strings.Contains(string(raw), want) {
		t.Errorf("docs/webhooks.md does not have this table:\n%s", want)
	}
}
