package docs

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/a-h/templ"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"portal/views/kit"
)

// Markdown draws a page that is written in Markdown: its title, what stands before the
// first section, and its sections. HTML in it is not drawn.
func Markdown(source string) Doc {
	d := drawing{source: []byte(source)}
	root := drawer.Parser().Parse(text.NewReader(d.source))
	identify(root, d.source)
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		d.add(n)
	}
	d.close()
	return d.page
}

var drawer = goldmark.New(
	goldmark.WithExtensions(extension.Table),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(parts{}, 100))),
)

// identify gives each heading an id that begins with a letter, and each table the words of the heading
// that it stands under.
func identify(root ast.Node, source []byte) {
	under, tablesUnder := "Table", 0
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // fails nowhere
		switch n.Kind() {
		case ast.KindHeading:
			if !entering {
				break
			}
			under, tablesUnder = plain(n, source), 0
			given, _ := n.AttributeString("id")
			if id, _ := given.([]byte); len(id) > 0 && unicode.IsDigit(rune(id[0])) {
				n.SetAttributeString("id", append([]byte("n-"), id...))
			}
		case tables.KindTable:
			if !entering {
				break
			}
			said := under
			if tablesUnder++; tablesUnder > 1 {
				said += ", table " + strconv.Itoa(tablesUnder)
			}
			n.SetAttributeString(tableName, said)
		}
		return ast.WalkContinue, nil
	})
}

// tableName is the attribute of a table that says what it is called.
const tableName = "data-name"

// drawing is a page while it is drawn.
type drawing struct {
	source []byte
	page   Doc
	body   bytes.Buffer // of the section that is drawn
	tabs   []pane       // samples that stand one after the other
	groups int
}

// pane is a block of code: its language, what the choice is called, and its value.
type pane struct{ tag, name, text, value string }

// caption is what the block is called by itself.
func (p pane) caption(group string) string {
	if inSeveral[p.tag] {
		return p.name
	}
	return group + " " + p.name
}

func (d *drawing) add(n ast.Node) {
	if code, is := n.(*ast.FencedCodeBlock); is {
		l := d.sample(code)
		if inSeveral[l.tag] {
			// A second sample of a language is none of the group.
			if slices.ContainsFunc(d.tabs, func(t pane) bool { return t.tag == l.tag }) {
				d.flush()
			}
			d.tabs = append(d.tabs, l)
			return
		}
		if l.tag == "json" && len(d.tabs) > 0 { // the answer, beside the samples that were gathered
			d.body.WriteString(`<div class="pair">`)
			d.flush()
			draw(kit.CodeIn("Response", "json", l.text), &d.body)
			d.body.WriteString("</div>\n")
			return
		}
	}
	d.flush()
	if h, is := n.(*ast.Heading); is && h.Level <= 2 {
		d.begin(h)
		return
	}
	must(drawer.Renderer().Render(&d.body, d.source, n))
}

// flush draws the samples that were gathered.
func (d *drawing) flush() {
	all := d.tabs
	d.tabs = nil
	switch len(all) {
	case 0:
		return
	case 1:
		draw(kit.CodeIn(captionOf(all[0].tag), all[0].tag, all[0].text), &d.body)
		return
	}
	for i := range all {
		if all[i].tag == "sh" {
			all[i].name = "curl"
		}
	}
	d.groups++
	draw(panes("sample-"+strconv.Itoa(d.groups), "Language of the sample", all), &d.body)
}

// begin begins a section, or with the title the page.
func (d *drawing) begin(h *ast.Heading) {
	title := plain(h, d.source)
	if h.Level == 1 {
		d.page.Title = title
		return
	}
	d.close()
	id, _ := h.AttributeString("id")
	name, _ := id.([]byte)
	d.page.Rows = append(d.page.Rows, DocRow{ID: string(name), Title: title})
}

// close ends the section that is drawn.
func (d *drawing) close() {
	d.flush()
	if n := len(d.page.Rows); n > 0 {
		d.page.Rows[n-1].HTML = d.body.String()
	} else {
		d.page.Intro = strings.Replace(d.body.String(), "<p>", `<p class="lead">`, 1)
	}
	d.body.Reset()
}

func (d *drawing) sample(code *ast.FencedCodeBlock) pane {
	tag := string(code.Language(d.source))
	return pane{tag, captionOf(tag), written(code, d.source), tag}
}

// inSeveral are the languages of samples that may stand for each other.
var inSeveral = map[string]bool{"sh": true, "js": true, "python": true, "go": true, "ruby": true, "php": true}

var captions = map[string]string{
	"sh":     "Shell",
	"js":     "JavaScript",
	"python": "Python",
	"go":     "Go",
	"ruby":   "Ruby",
	"php":    "PHP",
	"json":   "JSON",
	"toml":   "TOML",
	"http":   "Request",
}

func captionOf(tag string) string {
	if name, known := captions[tag]; known {
		return name
	}
	return "Text"
}

// written is the text of a block of code.
func written(n ast.Node, source []byte) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		b.Write(line.Value(source))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// plain is the text of a heading.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // fails nowhere
		switch t := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(t.Value(source))
			}
		case *ast.String:
			if entering {
				b.Write(t.Value)
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// parts draws what has a look of our own.
type parts struct{}

// RegisterFuncs is renderer.NodeRenderer.
func (parts) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, drawCode)
	r.Register(ast.KindCodeBlock, drawCode)
	r.Register(tables.KindTable, drawTable)
	r.Register(tables.KindTableCell, drawCell)
}

// drawCell makes a header of a cell only if it names a column: the one above the names of rows may be empty.
func drawCell(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	tag, scope := "td", ""
	if n.Parent().Kind() == tables.KindTableHeader && n.HasChildren() {
		tag, scope = "th", ` scope="col"`
	}
	if entering {
		_, _ = w.WriteString("<" + tag + scope + ">")
	} else {
		_, _ = w.WriteString("</" + tag + ">\n")
	}
	return ast.WalkContinue, nil
}

func drawCode(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	tag := ""
	if fenced, is := n.(*ast.FencedCodeBlock); is {
		tag = string(fenced.Language(source))
	}
	return ast.WalkSkipChildren, kit.CodeIn(captionOf(tag), tag, written(n, source)).Render(context.Background(), w)
}

// drawTable lets a wide table be scrolled by itself.
func drawTable(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		name, _ := n.AttributeString(tableName)
		said, _ := name.(string)
		_, _ = w.WriteString(`<div class="scroll" tabindex="0" role="group" aria-label="`)
		_, _ = w.WriteString(templ.EscapeString(said))
		_, _ = w.WriteString(`"><table>`)
	} else {
		_, _ = w.WriteString("</table></div>\n")
	}
	return ast.WalkContinue, nil
}
