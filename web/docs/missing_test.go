package docs_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"portal/web/pagetest"
)

func TestMissingDocPageHasSearchAndLinksToIndex(t *testing.T) {
	t.Parallel()
	h := newDocPages(t)
	for _, at := range []string{
		"/docs/nothing", "/docs/nothing/at/all", "/docs/api/nothing", "/docs/api/leases/nothing",
		"/docs/lease-rules/zz",
		"/docs/nothing.md",
	} {
		rec := h.Guest().Get(at)
		doc := pagetest.Parse(t, rec.Body.String())
		if rec.Code != http.StatusNotFound || pagetest.ByID(doc, "q") == nil || pagetest.ByID(doc, "pages") == nil {
			t.Errorf("%s: %d, or without search or navigation", at, rec.Code)
		}
		links := pagetest.Hrefs(doc)
		if !slices.Contains(links, "/docs") || !strings.Contains(pagetest.Text(doc), at) {
			t.Errorf("%s is not named, or nothing leads to the index", at)
		}
	}
}
