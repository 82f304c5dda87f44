package docs

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"portal"
	"portal/docs"
	views "portal/views/docs"
	"portal/views/kit"
)

// renderedDocs is the whole documentation, drawn.
type renderedDocs struct {
	groups []*boundGroup
	at     map[string]*bound // by address

	earlier []*bound // the pages of earlier versions of the changelog
}

type boundGroup struct {
	Title string
	About string // what its pages are for
	Pages []*bound
}

// bound is a page of the documentation that is drawn.
type bound struct {
	Address string
	Name    string // in the navigation
	About   string // one sentence
	text    string // as Markdown
	page    views.Doc
	drawn   views.Doc  // the page of an operation or of events, which says more than the text; else without a title
	Listed  bool       // in the navigation
	facts   []kit.Term // at its top
	steps   int        // how many of its sections, from the first, are steps

	previous, next *bound // in the order of reading

	operation *apiEntry    // that the page is about, nil for none
	resource  *apiResource // whose page or whose operation's page it is, nil for none
}

// siblings are the operations of the resource that the page is of.
func (b *bound) siblings() (all []views.NavOperation) {
	if b.resource == nil {
		return nil
	}
	for _, op := range b.resource.Operations {
		all = append(all, views.NavOperation{
			Name:   op.Summary,
			Path:   op.Address(),
			Method: op.Method,
			Here:   op.Address() == b.Address,
		})
	}
	return all
}

// navigation is the navigation of the documentation.
func (s *renderedDocs) navigation() []kit.NavGroup {
	var all []kit.NavGroup
	for _, g := range s.groups {
		of := kit.NavGroup{Title: g.Title}
		for _, b := range g.Pages {
			if b.Listed {
				of.Items = append(of.Items, kit.NavItem{Name: b.Name, Path: b.Address})
			}
		}
		all = append(all, of)
	}
	return all
}

// Addresses are the paths of all pages, without a host.
func (p *Section) Addresses() (all []string) {
	for address := range p.rendered().at {
		all = append(all, address)
	}
	slices.Sort(all)
	return all
}

// bind draws all pages. It panics where a text is not as the code expects it.
func (p *Section) bind() *renderedDocs {
	facts := p.figures()
	s := &renderedDocs{at: map[string]*bound{}}
	for _, g := range library() {
		of := &boundGroup{Title: g.title, About: g.about}
		for _, d := range g.pages {
			of.Pages = append(of.Pages, &bound{
				Address: d.path,
				Name:    d.name,
				About:   d.about,
				text:    p.textOf(d, facts),
				Listed:  true,
				steps:   d.steps,
			})
		}
		if g.pages == nil {
			of.Pages = facts.api.pages()
		}
		s.groups = append(s.groups, of)
	}
	for _, g := range s.groups {
		for _, b := range g.Pages {
			s.at[b.Address] = b
		}
	}
	s.at[catalogAt].drawn = facts.api.catalogPage()
	s.at[changelogAt].drawn = changelogPage(s.at[changelogAt].text)
	s.turn()
	s.earlier = earlierChanges(unbound(portal.Changelog, p.Base()))
	for _, b := range slices.Concat(states(), s.earlier) {
		b.draw()
		s.at[b.Address] = b
	}
	s.draw(p.Base())
	return s
}

// turn leads from each guide to the one before and the one behind it. The reference is not read
// in an order.
func (s *renderedDocs) turn() {
	var before *bound
	for _, g := range s.groups {
		for _, b := range g.Pages {
			if strings.HasPrefix(b.Address, referenceAt) {
				continue
			}
			if before != nil {
				b.previous, before.next = before, b
			}
			before = b
		}
	}
}

// draw draws the pages, the index last: it tells of all others.
func (s *renderedDocs) draw(base string) {
	for _, g := range s.groups {
		for _, b := range g.Pages {
			if b.Address != "/docs" {
				b.draw()
			}
		}
	}
	index := s.at["/docs"]
	index.text = s.summary("overview.md", base)
	index.draw()
}

func (b *bound) draw() {
	view := views.Markdown(b.text)
	if b.drawn.Title != "" {
		view = b.drawn
	}
	view.Steps, view.Facts = b.steps, b.facts
	view.Previous, view.Next = b.previous.link(), b.next.link()
	b.page, b.About = view, cmp.Or(b.About, opening(b.text))
}

// link leads to a page; that to none has no name.
func (b *bound) link() kit.Link {
	if b == nil {
		return kit.Link{}
	}
	return kit.Link{Name: b.Name, Path: b.Address}
}

// opening is the first one of a page, behind its title.
func opening(text string) string {
	_, rest, _ := strings.Cut(text, "\n\n")
	first, _, _ := strings.Cut(rest, "\n\n")
	first = strings.NewReplacer("`", "", "**", "").Replace(linked.ReplaceAllString(first, "$1"))
	if at := strings.Index(first, ". "); at >= 0 {
		first = first[:at+1]
	}
	return strings.TrimSpace(first)
}

var linked = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

// textOf is the text of a page.
func (p *Section) textOf(d docSource, facts *figures) string {
	switch {
	case d.path == changelogAt:
		return newestChanges(unbound(portal.Changelog, p.Base()))
	case d.path == "/docs/security":
		return unbound(portal.Security, p.Base())
	case d.path == errorsAt:
		return p.errorsText()
	case d.path == leaseRulesAt:
		return leaseRulesText()
	case d.path == catalogAt:
		return facts.api.catalogText()
	case d.file == "":
		return ""
	}
	raw, err := docs.Texts.ReadFile(d.file)
	must(err)
	if strings.HasPrefix(d.file, "site/") {
		return facts.fill(d.file, string(raw))
	}
	return unbound(partOf(withEvents(string(raw)), d), p.Base())
}

// partOf is what a page takes of a text: a section that begins a page is its title.
func partOf(text string, d docSource) string {
	if d.from != "" {
		_, rest, found := strings.Cut(text, "\n## "+d.from+"\n")
		if !found {
			panic("web: no section " + d.from)
		}
		text = "# " + d.from + "\n" + raised.ReplaceAllString(unfenced(rest, "\n#"), "\n$1")
		text = strings.ReplaceAll(text, fencedMark, "\n#")
	}
	if d.to != "" {
		before, _, found := strings.Cut(text, "\n## "+d.to+"\n")
		if !found {
			panic("web: no section " + d.to)
		}
		text = before + "\n"
	}
	return text
}

// raised makes a heading one of the level above.
var raised = regexp.MustCompile(`\n#(##+ )`)

const fencedMark = "\n\x00"

// unfenced hides what is no heading but stands in a block of code.
func unfenced(text, what string) string {
	blocks := strings.Split(text, "\n```")
	for i := 1; i < len(blocks); i += 2 {
		blocks[i] = strings.ReplaceAll(blocks[i], what, fencedMark)
	}
	return strings.Join(blocks, "\n```")
}

// unbound makes a text of the repository one of the site: its links lead to pages, or
// nowhere where there is none, and its address is that of this service.
func unbound(text, base string) string {
	text = forSite.Replace(text)
	text = besides.ReplaceAllString(text, "")
	return strings.ReplaceAll(text, "https://portal.example.com", base)
}

// besides is a link to a text of the repository that is not served.
var besides = regexp.MustCompile(` ?\(\[[\w/.]+\.md\]\([\w/.]+\.md\)\)`)

var forSite = strings.NewReplacer(
	"[assistants.md](../assistants.md)",
	"[Assistants](/docs/assistants)",
	"[rest.md](rest.md)",
	"[Records and requests](/docs/records)",
	"[clients/claude.md](clients/claude.md)",
	"[Claude](/docs/assistants/claude)",
	"[clients/chatgpt.md](clients/chatgpt.md)",
	"[ChatGPT and OpenAI](/docs/assistants/chatgpt)",
	"[clients/cursor.md](clients/cursor.md)",
	"[Cursor](/docs/assistants/cursor)",
	"[clients/vscode.md](clients/vscode.md)",
	"[Visual Studio Code](/docs/assistants/vscode)",
	"[clients/inspector.md](clients/inspector.md)",
	"[The MCP inspector](/docs/assistants/inspector)",
	"[clients/curl.md](clients/curl.md)",
	"[curl](/docs/assistants/curl)",
	"[docs/receivers](receivers)",
	"`docs/receivers`",
	"On those pages the address is `https://portal.example.com/mcp`: write that of your service, `PORTAL_BASE_URL` "+
		"with `/mcp` behind it. ",
	"The address is `https://portal.example.com/mcp`. ",
)
