package docs

import (
	"slices"
	"strings"

	"portal/web/page"
)

// Listed reports whether the navigation lists a page of the group.
func (g *boundGroup) Listed() bool {
	return slices.ContainsFunc(g.Pages, func(b *bound) bool { return b.Listed })
}

// summary is a text about all pages from a template: the first page, or llms.txt.
func (s *renderedDocs) summary(template, base string) string {
	return written(template, map[string]any{"Base": base, "Groups": s.groups})
}

// llms answers with all pages, a line each, for programs that read (llmstxt.org).
func (p *Section) llms(v *page.Request) error {
	return v.Send.Document(kindText, "/llms.txt", func() []byte {
		return []byte(p.rendered().summary("llms.txt", p.Base()))
	})
}

// llmsFull answers with all pages, one behind the other.
func (p *Section) llmsFull(v *page.Request) error {
	return v.Send.Document(kindText, "/llms-full.txt", p.rendered().whole)
}

const kindText = "text/plain; charset=utf-8"

func (s *renderedDocs) whole() []byte {
	var all []string
	for _, g := range s.groups {
		for _, b := range g.Pages {
			all = append(all, strings.TrimSpace(b.text))
		}
	}
	return []byte(strings.Join(all, "\n\n---\n\n") + "\n")
}
