// Package static holds the files that pages load, under addresses that change
// with what is in them, so that a browser may keep each of them for ever.
//
// It knows nothing of HTTP or pages.
package static

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"path"
	"regexp"
	"strings"
	"sync"
)

// Root is where the files are served.
const Root = "/static/"

//go:embed *.css *.ico *.js *.png *.svg fonts/*.woff2
var embedded embed.FS

// files are the embedded files by their plain names, made at first use: commands that serve no
// pages need none. The style sheet names the fonts, so those are loaded before it.
var files = sync.OnceValue(func() map[string]File {
	all := map[string]File{}
	for _, name := range []string{
		"fonts/geist.woff2", "fonts/geist-latin-ext.woff2", "fonts/geist-mono.woff2",
		"fonts/geist-mono-latin-ext.woff2", "style.css", "console.css", "charts.css", "parts.css",
		"docs.css", "samples.css", "map.css", "public.css", "resident.css", "contract.css", "steps.css", "sums.css",
		"questions.css",
		"page.js", "passkey.js", "live.js", "icon.svg", "icons.svg", "favicon.ico", "card.png",
	} {
		all[name] = load(name, all)
	}
	return all
})

// kinds are the media types of files by the end of their names.
var kinds = map[string]string{
	".css":   "text/css; charset=utf-8",
	".ico":   "image/x-icon",
	".js":    "text/javascript; charset=utf-8",
	".png":   "image/png",
	".svg":   "image/svg+xml",
	".woff2": "font/woff2",
}

// File is an embedded file. Name holds a hash of the body.
type File struct {
	Name string
	Type string
	Body []byte
}

// URL is the address of a file by its plain name. It panics on a name that is
// not embedded.
func URL(name string) string { return Root + Plain(name).Name }

// Plain is a file by its plain name, for an address that does not change with it. It panics on a
// name that is not embedded.
func Plain(name string) File {
	f, ok := files()[name]
	if !ok {
		panic("static: no file " + name)
	}
	return f
}

// Named is the file of a hashed name. A plain name or an old hash finds none.
func Named(hashed string) (File, bool) {
	for _, f := range files() {
		if f.Name == hashed {
			return f, true
		}
	}
	return File{}, false
}

// load reads a file. Whatever a style sheet loads is named by its hash too.
func load(name string, before map[string]File) File {
	body, err := embedded.ReadFile(name)
	if err != nil {
		panic(err)
	}
	ext := path.Ext(name)
	if ext != ".woff2" && ext != ".png" {
		body = slim(body)
	}
	if ext == ".css" {
		body = tight(body)
		for plain, f := range before {
			body = bytes.ReplaceAll(body, []byte("url("+plain+")"), []byte("url("+f.Name+")"))
		}
	}
	sum := sha256.Sum256(body)
	hashed := strings.TrimSuffix(path.Base(name), ext) + "." + hex.EncodeToString(sum[:6]) + ext
	return File{Name: hashed, Type: kinds[ext], Body: body}
}

// What a reader of the source needs and a browser does not: lines that are a comment,
// what is in front of a line, and in a style sheet the spaces around signs and the last
// semicolon of a rule.
var (
	remarks = regexp.MustCompile(`(?ms)^\s*(?:/\*.*?\*/|//[^\n]*|<!--.*?-->)\s*$`)
	margins = regexp.MustCompile(`\n\s+`)
	signs   = regexp.MustCompile(`\s*([{};])\s*|([:,])\s+|\s+(!important)|\s+(>)\s+`)
)

func slim(body []byte) []byte {
	return margins.ReplaceAll(remarks.ReplaceAll(body, nil), []byte("\n"))
}

func tight(body []byte) []byte {
	body = signs.ReplaceAll(bytes.TrimSpace(body), []byte("$1$2$3$4"))
	return bytes.ReplaceAll(body, []byte(";}"), []byte("}"))
}
