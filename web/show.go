package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"time"
)

const kindHTML = "text/html; charset=utf-8"

// send answers with a public document that a browser may keep but asks for anew
// each time, since it names the style sheet of this build.
func (v *visit) send(kind string, body []byte) error {
	h := v.Response().Header()
	tag := v.tag(body)
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", tag)
	if strings.Contains(v.Request().Header.Get("If-None-Match"), tag) {
		h.Del("Content-Security-Policy") // the document that is kept has the nonce of its own policy
	}
	return v.serve(kind, body)
}

// tag is the same for what differs in nothing but the nonce of its scripts.
func (v *visit) tag(body []byte) string {
	sum := sha256.Sum256(bytes.ReplaceAll(body, []byte(v.nonce), nil))
	return `"` + hex.EncodeToString(sum[:8]) + `"`
}

func (v *visit) serve(kind string, body []byte) error {
	v.Response().Header().Set("Content-Type", kind)
	http.ServeContent(v.Response(), v.Request(), "", time.Time{}, bytes.NewReader(body))
	return nil
}
