package page_test

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"portal/api/agreement/document"
	"portal/api/agreement/document/documenttest"
	"portal/views/kit"
	"portal/web/page"
)

var tags = regexp.MustCompile(`<[^>]*>`)

func TestDocumentPageHasAllItsText(t *testing.T) {
	t.Parallel()
	for terms := range documenttest.Some() {
		d := document.Compose(terms)
		var b strings.Builder
		if err := kit.DocumentArticle(page.DocumentView(d)).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		page := strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(b.String(), " "))), " ")
		d.Texts(func(text string) {
			role, name, _ := strings.Cut(text, ": ")
			if !strings.Contains(page, text) && (!strings.Contains(page, role) || !strings.Contains(page, name)) {
				t.Errorf("%s: %q is not on the page", d.About, text)
			}
		})
	}
}
