package docs_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"portal/web/pagetest"
)

func TestDocIndexHasSearchAndTopicCards(t *testing.T) {
	t.Parallel()
	doc := pagetest.Parse(t, newDocPages(t).Guest().Get("/docs").Body.String())
	if pagetest.ByID(doc, "q") == nil {
		t.Error("there is no search")
	}
	var titles []string
	said := map[string]bool{}
	for card := range doc.Descendants() {
		if pagetest.Attr(card, "class") != "card" {
			continue
		}
		title, about := child(card, "h2"), child(card, "p")
		if said[about] || len(about) < 20 {
			t.Errorf("%s says %q, as another card does", title, about)
		}
		said[about] = true
		if len(pagetest.Hrefs(card)) == 0 {
			t.Errorf("%s leads nowhere", title)
		}
		titles = append(titles, title)
	}
	want := "Get started, Core concepts, Webhooks, AI assistants, API reference, Lease rules, Errors, More"
	if got := strings.Join(titles, ", "); got != want {
		t.Errorf("the cards are %s, want %s", got, want)
	}
}

// child is the text of the first child of a kind.
func child(of *html.Node, kind string) string {
	for c := range of.ChildNodes() {
		if c.Data == kind {
			return pagetest.Text(c)
		}
	}
	return ""
}

func TestDocPageDescriptionsAreUnique(t *testing.T) {
	t.Parallel()
	said := map[string]string{}
	for line := range strings.Lines(newDocPages(t).Guest().Get("/llms.txt").Body.String()) {
		page, about, is := strings.Cut(strings.TrimSpace(line), "): ")
		if !is {
			continue
		}
		if strings.Contains(about, "#") {
			t.Errorf("%s says %q", page, about)
		}
		if other, twice := said[about]; twice && !strings.Contains(page, "/docs/api/") {
			t.Errorf("%s and %s both say %q", page, other, about)
		}
		said[about] = page
	}
}
