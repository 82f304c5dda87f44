package docs_test

import (
	"encoding/json"
	"strings"
	"testing"

	"portal/api/event"
	"portal/api/webhook"
	"portal/web/pagetest"
)

func TestEveryEventTypeIsInCatalog(t *testing.T) {
	t.Parallel()
	h := newDocPages(t)
	doc := pagetest.Parse(t, h.Guest().Get("/docs/events").Body.String())
	md := h.Guest().Get("/docs/events.md").Body.String()
	for _, k := range webhook.Kinds() {
		heading := pagetest.ByID(doc, strings.ReplaceAll(k.Type, ".", "-"))
		if heading == nil || pagetest.Text(heading) != k.Type {
			t.Fatalf("%s has no section", k.Type)
		}
		section := pagetest.Text(heading.Parent)
		for _, want := range []string{
			k.Description, k.Object, "data.object", "updated_at", "Trigger a test event", "curl",
		} {
			if !strings.Contains(section, want) {
				t.Errorf("%s does not say %q", k.Type, want)
			}
		}
		if len(pagetest.Hrefs(heading.Parent)) == 0 {
			t.Errorf("%s does not lead to the record", k.Type)
		}
		if k.Type != event.EndpointTest && !strings.Contains(section, `{"type": "`+k.Type+`"}`) &&
			!strings.Contains(section, `"type": "`+k.Type+`"`) {
			t.Errorf("%s has no request that triggers it", k.Type)
		}
		if !strings.Contains(md, "\n## "+k.Type+"\n") {
			t.Errorf("%s is not in the Markdown", k.Type)
		}
	}
}

func TestCatalogPayloadsMatchEventTypes(t *testing.T) {
	t.Parallel()
	md := newDocPages(t).Guest().Get("/docs/events.md").Body.String()
	for _, k := range webhook.Kinds() {
		_, section, _ := strings.Cut(md, "\n## "+k.Type+"\n")
		_, payload, _ := strings.Cut(section, "```json\n")
		payload, _, _ = strings.Cut(payload, "```")
		var body struct {
			Object string
			Type   string
			Data   struct{ Object map[string]any }
		}
		if err := json.Unmarshal([]byte(payload), &body); err != nil {
			t.Fatalf("%s: %v", k.Type, err)
		}
		if body.Object != "event" || body.Type != k.Type || body.Data.Object["id"] == nil {
			t.Errorf("%s has the payload %s", k.Type, payload)
		}
		for _, link := range []string{"document_url", "esign_url"} {
			if value, has := body.Data.Object[link]; has && value != nil {
				t.Errorf("%s tells %s", k.Type, link)
			}
		}
	}
}

func TestEventTypeSearchLinksToItsSection(t *testing.T) {
	t.Parallel()
	h := newDocPages(t)
	for _, k := range webhook.Kinds() {
		if found := finds(t, h, k.Type); found[0].Path != "/docs/events#"+strings.ReplaceAll(k.Type, ".", "-") {
			t.Errorf("%s is found at %s", k.Type, found[0].Path)
		}
	}
}

func TestEventCatalogNeedsNoOpenAPIDocument(t *testing.T) {
	t.Parallel()
	if md := pagetest.Read(t, "/docs/events.md"); !strings.Contains(md, "## lease.signed") {
		t.Error(md)
	}
}
