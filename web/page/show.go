package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
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
	return v.Send.Body(KindHTML, body)
}

// Sender is the part of a request that answers with what is no page of the dashboard.
type Sender struct{ v *Request }

// Document answers with a public document of a name, which is made once.
func (s Sender) Document(kind, name string, text func() []byte) error {
	d := s.v.Shell.document(name, text)
	encoding := negotiate(s.v, len(d.In("")), compress.Brotli, compress.Gzip)
	revalidate(s.v, "", d.tag, encoding)
	return s.Body(kind, d.In(encoding))
}

// revalidate names what is sent, and reports whether the reader keeps it. Another encoding is
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

// publicDocument is what is public and never changes while the process runs, with its name among all that stood at
// its address.
type publicDocument struct {
	*compress.Document
	tag string
}

// document is the public document of a name.
func (s *Shell) document(name string, text func() []byte) *publicDocument {
	known, has := s.documents.Load(name)
	if !has {
		body := text()
		known, _ = s.documents.LoadOrStore(name, &publicDocument{compress.NewDocument(body), tagOf(body)})
	}
	return known.(*publicDocument)
}

// OwnPDF answers with a PDF that a browser shows in its own viewer. That draws a page around it, with
// styles that a policy for pages of ours would not let it have.
func (s Sender) OwnPDF(name string, content []byte) error {
	s.inPDF(name)
	return s.Body(kindPDF, content)
}

// PDF is OwnPDF for a public document, which is made once.
func (s Sender) PDF(name string, content func() []byte) error {
	s.inPDF(name)
	return s.Document(kindPDF, s.v.Request().URL.Path, content)
}

const kindPDF = "application/pdf"

func (s Sender) inPDF(name string) {
	h := s.v.Response().Header()
	h.Set("Content-Security-Policy", "frame-ancestors 'none'")
	h.Set("Content-Disposition", `inline; filename="`+name+`.pdf"`)
}

// Upload answers with a file as somebody has sent it. A browser saves it and shows nothing of it.
func (s Sender) Upload(kind, name string, content []byte) error {
	h := s.v.Response().Header()
	h.Set("Content-Security-Policy", photoPolicy)
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	return s.Body(kind, content)
}

// photoPolicy is of a photo: nothing in it is run or loaded, whatever a browser takes it for.
const photoPolicy = "default-src 'none'; sandbox; frame-ancestors 'none'"

// Photo answers with a JPEG of ours. A browser keeps it for a member alone: a link may end at any time.
func (s Sender) Photo(content []byte) error {
	h := s.v.Response().Header()
	h.Set("Content-Security-Policy", photoPolicy)
	h.Set("Content-Disposition", `inline; filename="photo.jpg"`)
	if s.v.route.Audience != LinkHolder {
		h.Set("Cache-Control", "private, max-age=3600")
	}
	return s.Body("image/jpeg", content)
}

// Body answers with a body, or the part of it that is asked for, unless the reader has it.
// net/http leaves the length of a body that is encoded to others.
func (s Sender) Body(kind string, body []byte) error {
	h := s.v.Response().Header()
	h.Set("Content-Type", kind)
	if h.Get("Content-Encoding") != "" {
		h.Set("Content-Length", strconv.Itoa(len(body)))
	}
	http.ServeContent(s.v.Response(), s.v.Request(), "", time.Time{}, bytes.NewReader(body))
	return nil
}
