package web_test

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// Elements that have no end.
var void = []string{"meta", "link", "img", "br", "hr", "wbr", "input"}

func TestAPageHasNoInlineScriptOrStyle(t *testing.T) {
	for _, path := range pages {
		doc := parse(t, ask(http.MethodGet, path).Body.String())
		for n := range doc.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			if n.Data == "script" && (attr(n, "src") == "" || n.FirstChild != nil) || n.Data == "style" {
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

func TestEveryElementOfAPageIsClosedInOrder(t *testing.T) {
	for _, path := range pages {
		page := ask(http.MethodGet, path).Body.String()
		if !strings.HasPrefix(page, "<!doctype html>") {
			t.Errorf("%s does not begin with its doctype", path)
		}
		if fault := unbalanced(page); fault != "" {
			t.Errorf("%s: %s", path, fault)
		}
	}
}

// unbalanced names the first tag that closes nothing or is not closed.
func unbalanced(page string) string {
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

func TestAnIDIsGivenOnceAndEveryLinkWithinAPageLeadsToOne(t *testing.T) {
	for _, path := range pages {
		doc := parse(t, ask(http.MethodGet, path).Body.String())
		ids := map[string]int{}
		for n := range doc.Descendants() {
			if id := attr(n, "id"); id != "" {
				ids[id]++
			}
		}
		for id, times := range ids {
			if times > 1 {
				t.Errorf("%s has the id %s %d times", path, id, times)
			}
		}
		for _, to := range hrefs(doc) {
			if id, within := strings.CutPrefix(to, "#"); within && ids[id] == 0 {
				t.Errorf("%s links %s, which is not there", path, to)
			}
		}
	}
}

func TestEveryPageHasItsLandmarksAndOneTitle(t *testing.T) {
	for _, path := range pages {
		doc := parse(t, ask(http.MethodGet, path).Body.String())
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

// hrefs are the addresses that the anchors of a page lead to.
func hrefs(doc *html.Node) []string {
	var all []string
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == "a" {
			all = append(all, attr(n, "href"))
		}
	}
	return all
}
