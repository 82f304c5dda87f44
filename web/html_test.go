package web_test

import (
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"portal/web/pagetest"
)

func TestPagesHaveNoInlineScriptOrStyle(t *testing.T) {
	for _, path := range pages {
		doc := pagetest.Parse(t, pagetest.Ask(http.MethodGet, path).Body.String())
		for n := range doc.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			if n.Data == "script" && (pagetest.Attr(n, "src") == "" || n.FirstChild != nil) || n.Data == "style" {
				t.Errorf("%s has a %s element", path, n.Data)
			}
			for _, a := range n.Attr {
				if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
					t.Errorf("%s: %s has the attribute %s", path, n.Data, a.Key)
				}
			}
		}
	}
}

func TestPageMarkupIsBalanced(t *testing.T) {
	for _, path := range pages {
		page := pagetest.Ask(http.MethodGet, path).Body.String()
		if !strings.HasPrefix(page, "<!doctype html>") {
			t.Errorf("%s does not begin with its doctype", path)
		}
		if fault := pagetest.Unbalanced(page); fault != "" {
			t.Errorf("%s: %s", path, fault)
		}
	}
}

func TestPageIDsAreUniqueAndFragmentLinksResolve(t *testing.T) {
	for _, path := range pages {
		doc := pagetest.Parse(t, pagetest.Ask(http.MethodGet, path).Body.String())
		ids := map[string]int{}
		for n := range doc.Descendants() {
			if id := pagetest.Attr(n, "id"); id != "" {
				ids[id]++
			}
		}
		for id, times := range ids {
			if times > 1 {
				t.Errorf("%s has the id %s %d times", path, id, times)
			}
		}
		for _, to := range pagetest.Hrefs(doc) {
			if id, within := strings.CutPrefix(to, "#"); within && ids[id] == 0 {
				t.Errorf("%s links %s, which is not there", path, to)
			}
		}
	}
}

func TestEveryPageHasLandmarksAndOneTitle(t *testing.T) {
	for _, path := range pages {
		doc := pagetest.Parse(t, pagetest.Ask(http.MethodGet, path).Body.String())
		count := map[string]int{}
		for n := range doc.Descendants() {
			if n.Type == html.ElementNode {
				count[n.Data]++
			}
		}
		for _, one := range []string{"title", "h1", "main", "footer"} {
			if count[one] != 1 {
				t.Errorf("%s has %d %s", path, count[one], one)
			}
		}
	}
}
