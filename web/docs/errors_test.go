package docs_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"portal/api/fault"
	"portal/web/pagetest"
)

func TestEveryErrorCodeHasAnchorAndTextOnPage(t *testing.T) {
	doc := pagetest.Parse(t, pagetest.Read(t, errorsAt))
	for _, e := range fault.Dictionary() {
		entry := pagetest.ByID(doc, string(e.Code))
		if entry == nil {
			t.Errorf("%s has no anchor", e.Code)
			continue
		}
		if !strings.HasPrefix(pagetest.Text(entry), string(e.Code)) {
			t.Errorf("%s is not named", e.Code)
		}
		says(t, e, pagetest.Text(entry))
	}
}

func TestEveryErrorCodeIsGroupedByStatus(t *testing.T) {
	doc := pagetest.Parse(t, pagetest.Read(t, errorsAt))
	for _, e := range fault.Dictionary() {
		group := pagetest.ByID(doc, "status-"+strconv.Itoa(e.Status))
		if group == nil || pagetest.ByID(group.Parent, string(e.Code)) == nil {
			t.Errorf("%s is not below its status %d", e.Code, e.Status)
		}
	}
}

const errorsAt = "/docs/errors"

func TestErrorCodesAreFilteredWithoutScripts(t *testing.T) {
	for _, c := range []struct{ asked, there, gone, said string }{
		{"invalid_field", "invalid_field", "not_found", "match"},
		{"429", "rate_limited", "invalid_field", "1 code matches “429”."},
		{"RATE limit", "rate_limited", "invalid_field", "match"},
		{"nothing-is-so", "", "invalid_field", "No codes match “nothing-is-so”."},
		{"<b>", "", "invalid_field", "No codes match “<b>”."},
	} {
		doc := pagetest.Parse(t, pagetest.Read(t, errorsAt+"?q="+url.QueryEscape(c.asked)))
		if c.there != "" && pagetest.ByID(doc, c.there) == nil {
			t.Errorf("%q does not find %s", c.asked, c.there)
		}
		if pagetest.ByID(doc, c.gone) != nil {
			t.Errorf("%q finds %s", c.asked, c.gone)
		}
		if !strings.Contains(pagetest.Text(doc), c.said) || pagetest.Attr(pagetest.ByID(doc, "q"), "value") != c.asked {
			t.Errorf("%q is not answered with %q", c.asked, c.said)
		}
	}
}

func TestEveryErrorCodeIsInPageContents(t *testing.T) {
	links := pagetest.Hrefs(pagetest.Parse(t, pagetest.Read(t, errorsAt)))
	for _, code := range fault.Code("").Values() {
		if !slices.Contains(links, "#"+code) {
			t.Errorf("%s is not in the contents", code)
		}
	}
}

func TestEveryErrorCodeHasHeadingAndTextInMarkdown(t *testing.T) {
	doc := pagetest.Read(t, "/docs/errors.md")
	for _, e := range fault.Dictionary() {
		_, entry, found := strings.Cut(doc, "\n### "+string(e.Code)+"\n")
		if !found {
			t.Errorf("%s has no heading", e.Code)
			continue
		}
		entry, _, _ = strings.Cut(entry, "\n##")
		says(t, e, strings.ReplaceAll(entry, "`", ""))
	}
}

// says checks that an entry tells what the dictionary knows of its code.
func says(t *testing.T, e fault.Entry, entry string) {
	t.Helper()
	for _, want := range []string{string(e.Type), strconv.Itoa(e.Status), e.Cause, e.Remedy} {
		if !strings.Contains(entry, want) {
			t.Errorf("%s does not say %q in %q", e.Code, want, entry)
		}
	}
}

func TestEveryErrorTypeIsExplained(t *testing.T) {
	doc := pagetest.Parse(t, pagetest.Read(t, errorsAt))
	for _, typ := range fault.Type("").Values() {
		heading := pagetest.ByID(doc, "type-"+typ)
		if heading == nil || pagetest.Text(heading) == typ {
			t.Errorf("%s has no heading of its own", typ)
		}
	}
}

func TestErrorExampleIsJSONLinkingToItsEntry(t *testing.T) {
	_, example, _ := strings.Cut(pagetest.Read(t, "/docs/errors.md"), "```json\n")
	example, _, _ = strings.Cut(example, "```")
	var body struct {
		Error struct {
			Code   string `json:"code"`
			DocURL string `json:"doc_url"`
		} `json:"error"`
	}
	if err := json.Unmarshal([]byte(example), &body); err != nil {
		t.Fatal(err)
	}
	if want := pagetest.BaseURL + "/docs/errors#" + body.Error.Code; body.Error.DocURL != want {
		t.Errorf("doc_url is %q, want %q", body.Error.DocURL, want)
	}
}

func TestMarkdownHasMarkdownContentType(t *testing.T) {
	got := pagetest.Ask(http.MethodGet, "/docs/errors.md").Header().Get("Content-Type")
	if got != "text/markdown; charset=utf-8" {
		t.Errorf("Content-Type is %q", got)
	}
}
