package docs

import (
	"slices"
	"strings"

	"portal/web/page"
)

// index is the text of the first page: every other with a sentence.
func (s *renderedDocs) index(base string) string {
	var p markdown
	p.line(
		"# Documentation\n\nRead and update properties, tenants, leases, repairs, and rent over REST, and get "+
			"signed webhooks. "+
			"The API is at `%s%s`, the MCP server at `%s/mcp`. Start with the [Quickstart](/docs/quickstart).",
		base,
		apiBase,
		base,
	)
	for _, g := range s.groups {
		if g.has() {
			p.part(g.title)
			p.line("%s\n", g.about)
			g.list(&p, "", func(b *bound) bool { return b.listed && b.address != "/docs" })
		}
	}
	p.part(forPrograms)
	p.line("- [OpenAPI document](/openapi.json): every operation, parameter, and field, for your client generator.")
	p.line("- [llms.txt](/llms.txt): one line about each page. [llms-full.txt](/llms-full.txt) has the full text.")
	p.line("- Every page is also Markdown: add `.md` to its address, or send `Accept: text/markdown`.")
	return p.String()
}

func (g *boundGroup) has() bool {
	return slices.ContainsFunc(g.pages, func(b *bound) bool { return b.listed })
}

// list is the pages of a group that are wanted, a line each.
func (g *boundGroup) list(p *markdown, base string, wanted func(*bound) bool) {
	suffix := ""
	if base != "" {
		suffix = ".md"
	}
	for _, b := range g.pages {
		if wanted(b) {
			p.line("- [%s](%s%s%s): %s", b.name, base, b.address, suffix, b.about)
		}
	}
}

// llms answers with all pages, a line each, for programs that read (llmstxt.org).
func (p *Section) llms(v *page.Request) error {
	return v.Send.Document(kindText, "/llms.txt", func() []byte { return []byte(p.rendered().summary(p.Base())) })
}

func (s *renderedDocs) summary(base string) string {
	var p markdown
	p.line(
		"# portal\n\n> A developer API for a landlord's portfolio: properties, tenants, leases, maintenance "+
			"tickets, and payments over REST at %s%s, webhooks, and tools for assistants at %s/mcp.",
		base,
		apiBase,
		base,
	)
	for _, g := range s.groups {
		if g.has() {
			p.part(g.title)
			g.list(&p, base, func(*bound) bool { return true })
		}
	}
	p.line("\n## Optional\n\n- [OpenAPI document](%s/openapi.json): every operation, parameter, and field.", base)
	p.line("- [Everything](%s/llms-full.txt): all pages in one.", base)
	return p.String()
}

// llmsFull answers with all pages, one behind the other.
func (p *Section) llmsFull(v *page.Request) error {
	return v.Send.Document(kindText, "/llms-full.txt", p.rendered().whole)
}

const kindText = "text/plain; charset=utf-8"

func (s *renderedDocs) whole() []byte {
	var all []string
	for _, g := range s.groups {
		for _, b := range g.pages {
			all = append(all, strings.TrimSpace(b.text))
		}
	}
	return []byte(strings.Join(all, "\n\n---\n\n") + "\n")
}
