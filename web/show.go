package web

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

const kindHTML = "text/html; charset=utf-8"

// send answers with a public document that a browser may keep but asks for anew
// each time, since it names the style sheet of this build.
func (v *visit) send(kind string, body []byte) error {
	h, tag := v.Response().Header(), v.tag(body)
	body, encoding := v.encode(kind, tag, body)
	if encoding != "" { // another representation (RFC 9110, section 8.8.3.3)
		tag += "-" + string(encoding)
	}
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", entityTag(kind, tag))
	if strings.Contains(v.Request().Header.Get("If-None-Match"), `"`+tag+`"`) {
		h.Del("Content-Security-Policy") // the document that is kept has the nonce of its own policy
	}
	return v.serve(kind, body)
}

// entityTag is a tag as ETag has it. That of a page is weak: the nonces in it differ.
func entityTag(kind, tag string) string {
	if kind == kindHTML {
		return `W/"` + tag + `"`
	}
	return `"` + tag + `"`
}

// tag is the same for what differs in nothing but the nonce of its scripts.
func (v *visit) tag(body []byte) string {
	sum := sha256.Sum256(bytes.ReplaceAll(body, []byte(v.nonce), nil))
	return hex.EncodeToString(sum[:8])
}

// encode compresses a document that is the same for everybody, where the reader takes that.
// A page for one reader is never compressed: it has the token of its forms, and may show a
// key or an address that is a secret (docs/decisions/0025).
func (v *visit) encode(kind, tag string, body []byte) ([]byte, compress.Encoding) {
	if kind != kindHTML { // each of the few others is always the same
		return v.encoded(tag, body)
	}
	encoding := v.negotiate(len(body), compress.Gzip)
	if encoding != "" {
		body = compress.Fast(body)
	}
	return body, encoding
}

// encoded is a body that never changes, by a name of its own, in the encoding that the
// reader likes best.
func (v *visit) encoded(name string, body []byte) ([]byte, compress.Encoding) {
	encoding := v.negotiate(len(body), compress.Brotli, compress.Gzip)
	if encoding != "" {
		body = v.pages.documents.of(name, body).In(encoding)
	}
	return body, encoding
}

func (v *visit) negotiate(size int, offered ...compress.Encoding) compress.Encoding {
	return compress.Negotiate(v.Response().Header(), v.Request().Header["Accept-Encoding"], size, offered...)
}

// documents are what was sent compressed and never changes, by name.
type documents struct{ all sync.Map }

func (d *documents) of(name string, body []byte) *compress.Document {
	if known, has := d.all.Load(name); has {
		return known.(*compress.Document)
	}
	known, _ := d.all.LoadOrStore(name, compress.NewDocument(body))
	return known.(*compress.Document)
}

// serve answers with a body, or the part of it that is asked for, unless the reader has it.
// net/http leaves the length of a body that is encoded to others.
func (v *visit) serve(kind string, body []byte) error {
	h := v.Response().Header()
	h.Set("Content-Type", kind)
	if h.Get("Content-Encoding") != "" {
		h.Set("Content-Length", strconv.Itoa(len(body)))
	}
	http.ServeContent(v.Response(), v.Request(), "", time.Time{}, bytes.NewReader(body))
	return nil
}
