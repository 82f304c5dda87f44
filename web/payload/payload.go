// Package payload shows the bodies of requests, responses, events and calls on pages: short ones whole,
// of long ones the beginning, with a link that downloads the rest.
//
// It knows no section, nor where a body is kept.
package payload

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"portal/api/texts"
	"portal/views/kit"
	"portal/web/page"
)

// How much of bodies one page shows, in bytes. With its colors a body takes four times as much.
const (
	mostOfOne = 4 << 10 // of each
	mostOfAll = 6 << 10 // of all together
	least     = 200     // of each, whatever stands above it
)

// asked is the parameter that names the body to download.
const asked = "body"

// Bodies are those of one page.
type Bodies struct {
	v       *page.Request
	at      string // the address of the page, with its query
	room    int    // what is left of mostOfAll
	name    string // of the body to download, "" for none
	content *string
}

// New begins the bodies of the page at an address.
func New(v *page.Request, at string) *Bodies {
	return &Bodies{v: v, at: at, room: mostOfAll, name: v.QueryParam(asked)}
}

// View shows a body. Its name is one of the page's own, in the form of a file's name.
func (b *Bodies) View(name, text string) kit.Body {
	if name == b.name {
		b.content = &text
	}
	shown := View(text)
	most := min(mostOfOne, max(least, b.room))
	b.room -= min(most, len(shown.Text))
	if len(shown.Text) <= most {
		return shown
	}
	shown.Text = beginning(shown.Text, most)
	shown.Exact = ""
	shown.Size = texts.Number(len(text)) + " bytes"
	separator := "?"
	if strings.Contains(b.at, separator) {
		separator = "&"
	}
	shown.Whole = b.at + separator + asked + "=" + name
	return shown
}

// beginning is the beginning of a text, up to the end of a line where one ends in its second half.
func beginning(text string, most int) string {
	text = strings.ToValidUTF8(text[:most], "")
	if line := strings.LastIndexByte(text, '\n'); line > most/2 {
		return text[:line]
	}
	return text
}

// drawn is a page.
type drawn interface {
	Render(ctx context.Context, w io.Writer) error
}

// Show answers with the page, or with the body that was asked for as a file.
func (b *Bodies) Show(p drawn) error {
	if b.content == nil {
		return b.v.Show(p)
	}
	if err := b.v.Session.Commit(); err != nil {
		return err
	}
	name, kind := fileOf(b.name, *b.content)
	h := b.v.Response().Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	return b.v.Blob(http.StatusOK, kind, []byte(*b.content))
}

// fileOf is the name and the media type of the file of a body.
func fileOf(name, content string) (file, kind string) {
	if json.Valid([]byte(content)) {
		return name + ".json", "application/json"
	}
	return name + ".txt", "text/plain; charset=utf-8"
}

// View makes bytes that others wrote fit to be shown: JSON is indented, what is no
// text is drawn as signs.
func View(text string) kit.Body {
	if text == "" {
		return kit.Body{Absent: "It was empty."}
	}
	shown, changed := page.Readable(text)
	b := kit.Body{Text: shown, JSON: json.Valid([]byte(shown))}
	if changed {
		b.Note = "It has bytes that aren’t text. They’re shown as symbols."
	}
	var indented bytes.Buffer
	if !changed && json.Indent(&indented, []byte(text), "", "  ") == nil && indented.String() != text {
		b.Text, b.Exact = indented.String(), text
	}
	return b
}
