package pagetest

import (
	"errors"
	"io"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"portal/static"
)

// void are the elements that have no end.
var void = []string{"meta", "link", "img", "br", "hr", "wbr", "input"}

// Payloads are what somebody may type so that it runs in another's browser.
var Payloads = []string{
	`<script>alert(1)</script>`,
	`"><script>alert(1)</script>`,
	`'><img src=x onerror=alert(1)>`,
	`<svg onload=alert(1)>`,
	`</textarea><script>alert(1)</script>`,
	`</title><script>alert(1)</script>`,
	`javascript:alert(1)`,
	`" onfocus=alert(1) autofocus="`,
	`' onmouseover='alert(1)`,
	`<iframe src=javascript:alert(1)>`,
	`{{constructor.constructor('alert(1)')()}}`,
	`${alert(1)}`,
	`<math><mtext></mtext><script>alert(1)</script>`,
	`<a href="javascript:alert(1)">x</a>`,
	`<style>@import 'x'</style>`,
	`<!--><script>alert(1)</script>-->`,
	`<input autofocus onfocus=alert(1)>`,
	`<body onload=alert(1)>`,
	`<details open ontoggle=alert(1)>`,
	`<object data="data:text/html,x">`,
	`&lt;script&gt;alert(1)&lt;/script&gt;`,
	`\u003cscript\u003e`,
	`<base href="//evil.test">`,
	`<form action="//evil.test"><button>`,
}

var harmful = regexp.MustCompile(`(?i)^(on[a-z]+|srcdoc)$`)

// Hostile are what must never run.
var Hostile = []string{
	`<script>alert(1)</script>`,
	`"><script>alert(1)</script>`,
	`'><img src=x onerror=alert(1)>`,
	`</code></pre><script>alert(1)</script>`,
	`</textarea><svg onload=alert(1)>`,
	`<iframe src=javascript:alert(1)>`,
	`javascript:alert(1)`,
	`" onmouseover="alert(1)`,
	`' autofocus onfocus='alert(1)`,
	`<a href="javascript:alert(1)">x</a>`,
	`{{constructor.constructor('alert(1)')()}}`,
	`<!--<img src="--><img src=x onerror=alert(1)//">`,
	`</title><script>alert(1)</script>`,
	`<style>@import 'http://evil.test'</style>`,
	`<base href=//evil.test>`,
	`<meta http-equiv=refresh content=0;url=//evil.test>`,
	`<form action=//evil.test><button>`,
	`<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>`,
	"\u003cscript\u003ealert(1)\u003c/script\u003e",
	`<object data=data:text/html,x>`,
	`<link rel=stylesheet href=//evil.test>`,
	`<details open ontoggle=alert(1)>`,
	`&lt;script&gt;alert(1)&lt;/script&gt;`,
	`<x contenteditable onblur=alert(1)>`,
}

// Unbalanced names the first tag that closes nothing or is not closed.
func Unbalanced(page string) string {
	var open []string
	z := html.NewTokenizer(strings.NewReader(page))
	for {
		kind := z.Next()
		name, _ := z.TagName()
		tag := string(name)
		switch {
		case kind == html.ErrorToken && !errors.Is(z.Err(), io.EOF):
			return z.Err().Error()
		case kind == html.ErrorToken:
			return strings.Join(open, " ")
		case kind == html.StartTagToken && !slices.Contains(void, tag):
			open = append(open, tag)
		case kind == html.EndTagToken && (len(open) == 0 || open[len(open)-1] != tag):
			return "</" + tag + "> within " + strings.Join(open, " ")
		case kind == html.EndTagToken:
			open = open[:len(open)-1]
		}
	}
}

// Hrefs are the addresses that the anchors of a page lead to.
func Hrefs(doc *html.Node) []string {
	var all []string
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == "a" {
			all = append(all, Attr(n, "href"))
		}
	}
	return all
}

// FieldsOf are the fields of the forms of a page with what they hold.
func FieldsOf(page *html.Node) url.Values {
	all := url.Values{}
	for n := range page.Descendants() {
		name := Attr(n, "name")
		switch {
		case name == "" || name == "token" || name == "once":
		case n.Data == "input" && (Attr(n, "type") != "radio" && Attr(n, "type") != "checkbox" || has(n, "checked")):
			all.Add(name, Attr(n, "value"))
		case n.Data == "textarea":
			all.Add(name, "")
			if n.FirstChild != nil {
				all.Set(name, n.FirstChild.Data)
			}
		case n.Data == "select":
			for o := range n.Descendants() {
				if o.Data == "option" && has(o, "selected") {
					all.Set(name, Attr(o, "value"))
				}
			}
		}
	}
	return all
}

func has(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
}

// isIcon tells a drawing of ours, which is one of the sprite, from all others.
func isIcon(svg *html.Node) bool {
	use := svg.FirstChild
	return use != nil && use.NextSibling == nil && use.Data == "use" && len(svg.Attr) == 2 && // class and aria-hidden
		strings.HasPrefix(Attr(use, "href"), static.URL("icons.svg")+"#")
}

// Parse is the document of a page.
func Parse(t *testing.T, page string) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// Attr is an attribute of an element, "" where it has none.
func Attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// ByID finds an element, nil where none has the id.
func ByID(doc *html.Node, id string) *html.Node {
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && Attr(n, "id") == id {
			return n
		}
	}
	return nil
}

// Text is what a reader sees of an element, with single spaces.
func Text(n *html.Node) string {
	var b strings.Builder
	writeText(&b, n)
	return strings.Join(strings.Fields(b.String()), " ")
}

// cells are set apart from what stands beside them in their row, as a browser does.
var cells = []string{"td", "th"}

func writeText(b *strings.Builder, n *html.Node) {
	if n.Type == html.TextNode {
		b.WriteString(n.Data)
	}
	apart := n.Type == html.ElementNode && slices.Contains(cells, n.Data)
	if apart {
		b.WriteByte(' ')
	}
	for child := range n.ChildNodes() {
		writeText(b, child)
	}
	if apart {
		b.WriteByte(' ')
	}
}

// Link is where the anchor with a text leads to.
func Link(t *testing.T, rec *httptest.ResponseRecorder, words string) string {
	t.Helper()
	for n := range Parse(t, rec.Body.String()).Descendants() {
		if n.Type == html.ElementNode && n.Data == "a" && Text(n) == words {
			return Attr(n, "href")
		}
	}
	t.Fatalf("no link says %q", words)
	return ""
}

// Inert checks that nothing of a page came to be an element or an attribute that was
// not meant.
func Inert(t *testing.T, rec *httptest.ResponseRecorder) {
	t.Helper()
	for n := range Parse(t, rec.Body.String()).Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "iframe", "object", "base", "style", "math", "x":
			t.Errorf("a %s was drawn", n.Data)
		case "script", "img":
			if n.FirstChild != nil || !strings.HasPrefix(Attr(n, "src"), "/static/") {
				t.Errorf("a %s was drawn", n.Data)
			}
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") ||
				strings.Contains(strings.ToLower(a.Val), "javascript:") && (a.Key == "href" || a.Key == "src") ||
				strings.Contains(a.Val, "//evil.test") && a.Key != "value" && a.Key != "aria-label" &&
					a.Key != "title" {
				t.Errorf("%s has %s=%q", n.Data, a.Key, a.Val)
			}
		}
	}
}
