package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"portal/api/compress"
)

// KindHTML is the media type of a page.
const KindHTML = "text/html; charset=utf-8"

// sendPage answers a guest with a page that a browser may keep but asks for anew each time,
// since it names the style sheet of this build. A page for one reader is never compressed: it
// has the token of its forms, and may show a key or an address that is a secret
// (docs/decisions/0025).
func (v *Request) sendPage(body []byte) error {
	tag := tagOf(bytes.ReplaceAll(body, []byte(v.nonce), nil)) // the same but for the nonce of its scripts
	encoding := negotiate(v, len(body), compress.Gzip)
	if encoding != "" {
		body = compress.Fast(body)
	}
	if revalidate(v, "W/", tag, encoding) {
		v.Response().Header().Del("Content-Security-Policy") // the page that is kept has the nonce of its own policy
	}
	return v.Serve(KindHTML, body)
}

// SendDocument answers with a public document of a name, which is made once.
func (v *Request) SendDocument(kind, name string, text func() []byte) error {
	d := v.Shell.documents.of(name, text)
	encoding := negotiate(v, len(d.In("")), compress.Brotli, compress.Gzip)
	revalidate(v, "", d.tag, encoding)
	return v.Serve(kind, d.In(encoding))
}

// revalidate names what is sent, and tells whether the reader keeps it. Another encoding is
// another representation (RFC 9110, section 8.8.3.3). The mark is W/ for a weak name.
func revalidate(v *Request, mark, tag string, encoding compress.Encoding) (kept bool) {
	if encoding != "" {
		tag += "-" + string(encoding)
	}
	h := v.Response().Header()
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", mark+`"`+tag+`"`)
	return strings.Contains(v.Request().Header.Get("If-None-Match"), `"`+tag+`"`)
}

func tagOf(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:8])
}

func negotiate(v *Request, size int, offered ...compress.Encoding) compress.Encoding {
	return compress.Negotiate(v.Response().Header(), v.Request().Header["Accept-Encoding"], size, offered...)
}

// documents are what is public and never changes while the process runs, by name.
type documents struct{ all sync.Map }

// document is one, with its name among all that stood at its address.
type document struct {
	*compress.Document
	tag string
}

func (d *documents) of(name string, text func() []byte) *document {
	known, has := d.all.Load(name)
	if !has {
		body := text()
		known, _ = d.all.LoadOrStore(name, &document{compress.NewDocument(body), tagOf(body)})
	}
	return known.(*document)
}

// ServePDF answers with a PDF that a browser shows in its own viewer. That draws a page around it, with
// styles that a policy for pages of ours would not let it have.
func (v *Request) ServePDF(name string, content []byte) error {
	v.inPDF(name)
	return v.Serve(kindPDF, content)
}

// SendPDF is ServePDF for a public document, which is made once.
func (v *Request) SendPDF(name string, content func() []byte) error {
	v.inPDF(name)
	return v.SendDocument(kindPDF, v.Request().URL.Path, content)
}

const kindPDF = "application/pdf"

func (v *Request) inPDF(name string) {
	h := v.Response().Header()
	h.Set("Content-Security-Policy", "frame-ancestors 'none'")
	h.Set("Content-Disposition", `inline; filename="`+name+`.pdf"`)
}

// Serve answers with a body, or the part of it that is asked for, unless the reader has it.
// net/http leaves the length of a body that is encoded to others.
func (v *Request) Serve(kind string, body []byte) error {
	h := v.Response().Header()
	h.Set("Content-Type", kind)
	if h.Get("Content-Encoding") != "" {
		h.Set("Content-Length", strconv.Itoa(len(body)))
	}
	http.ServeContent(v.Response(), v.Request(), "", time.Time{}, bytes.NewReader(body))
	return nil
}
