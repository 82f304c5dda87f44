// Package static holds the files that pages load, under addresses that change
// with what is in them, so that a browser may keep each of them for ever.
//
// It knows nothing of HTTP or pages.
package static

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"path"
	"regexp"
	"strings"
)

// Root is where the files are served.
const Root = "/static/"

//go:embed style.css docs.css page.js passkey.js icon.svg
var embedded embed.FS

var files = map[string]File{
	"style.css":  load("style.css", "text/css; charset=utf-8"),
	"docs.css":   load("docs.css", "text/css; charset=utf-8"),
	"page.js":    load("page.js", "text/javascript; charset=utf-8"),
	"passkey.js": load("passkey.js", "text/javascript; charset=utf-8"),
	"icon.svg":   load("icon.svg", "image/svg+xml"),
}

// File is an embedded file. Name holds a hash of the body.
type File struct {
	Name string
	Type string
	Body []byte
}

// URL is the address of a file by its plain name. It panics on a name that is
// not embedded.
func URL(name string) string {
	f, ok := files[name]
	if !ok {
		panic("static: no file " + name)
	}
	return Root + f.Name
}

// Named is the file of a hashed name. A plain name or an old hash finds none.
func Named(hashed string) (File, bool) {
	for _, f := range files {
		if f.Name == hashed {
			return f, true
		}
	}
	return File{}, false
}

func load(name, kind string) File {
	body, err := embedded.ReadFile(name)
	if err != nil {
		panic(err)
	}
	body = slim(body)
	sum := sha256.Sum256(body)
	ext := path.Ext(name)
	hashed := strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:6]) + ext
	return File{Name: hashed, Type: kind, Body: body}
}

// What a reader of the source needs and a browser does not: lines that are a comment,
// and what is in front of a line.
var (
	remarks = regexp.MustCompile(`(?ms)^\s*(?:/\*.*?\*/|//[^\n]*)\s*$`)
	margins = regexp.MustCompile(`\n\s+`)
)

func slim(body []byte) []byte {
	return margins.ReplaceAll(remarks.ReplaceAll(body, nil), []byte("\n"))
}
