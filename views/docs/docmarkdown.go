package docs

import (
	"bytes"
	"context"
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
func Markdown(source string) (Doc, error) {
	d := drawing{source: []byte(source)}
	root := drawer.Parser().Parse(text.NewReader(d.source))
	identify(root, d.source)
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if err := d.add(n); err != nil {
			return Doc{}, err
		}
	}
	d.close()
	return d.page, nil
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

func (d *drawing) add(n ast.Node) error {
	if code, is := n.(*ast.FencedCodeBlock); is {
		if l := d.sample(code); inSeveral[l.tag] {
			if err := d.follow(l); err != nil {
				return err
			}
			d.tabs = append(d.tabs, l)
			return nil
		}
	}
	if code, is := n.(*ast.FencedCodeBlock); is && len(d.tabs) > 0 && string(code.Language(d.source)) == "json" {
		return d.pair(n)
	}
	if err := d.flush(); err != nil {
		return err
	}
	if h, is := n.(*ast.Heading); is && h.Level <= 2 {
		d.begin(h)
		return nil
	}
	return drawer.Renderer().Render(&d.body, d.source, n)
}

// follow ends the group of samples that a sample of the same language does not belong to.
func (d *drawing) follow(l pane) error {
	for _, t := range d.tabs {
		if t.tag == l.tag {
			return d.flush()
		}
	}
	return nil
}

// flush draws the samples that were gathered.
func (d *drawing) flush() error {
	all := d.tabs
	d.tabs = nil
	switch len(all) {
	case 0:
		return nil
	case 1:
		return kit.CodeIn(captionOf(all[0].tag), all[0].tag, all[0].text).Render(context.Background(), &d.body)
	}
	for i := range all {
		if all[i].tag == "sh" {
			all[i].name = "curl"
		}
	}
	d.groups++
	return panes("sample-"+strconv.Itoa(d.groups), "Language of the sample", all).Render(context.Background(), &d.body)
}

// pair draws the samples that were gathered beside what is answered to them.
func (d *drawing) pair(answer ast.Node) error {
	d.body.WriteString(`<div class="pair">`)
	if err := d.flush(); err != nil {
		return err
	}
	if err := kit.CodeIn(
		"Response",
		"json",
		written(answer, d.source),
	).Render(
		context.Background(),
		&d.body,
	); err != nil {
		return err
	}
	d.body.WriteString("</div>\n")
	return nil
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
	_ = d.flush() // a buffer takes everything
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
