package pdf

import (
	"embed"
	"sync"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/text/unicode/norm"
)

// files are Noto Sans in two weights, with the characters of Latin scripts alone (fonts/NOTO-LICENSE.txt).
//
//go:embed fonts/*.ttf
var files embed.FS

func mustRead(name string) []byte {
	b, err := files.ReadFile("fonts/" + name)
	if err != nil {
		panic(err) // a file of our own
	}
	return b
}

var (
	regular = sync.OnceValue(func() []byte { return mustRead("NotoSans-Regular.ttf") })
	bold    = sync.OnceValue(func() []byte { return mustRead("NotoSans-Bold.ttf") })
	glyphs  = sync.OnceValue(func() *sfnt.Font {
		f, err := sfnt.Parse(regular())
		if err != nil {
			panic(err) // a file of our own
		}
		return f
	})
)

// Missing are the characters of a text that a document cannot show, each once. A letter and its accent
// count as the one character that Unicode has for both.
func Missing(s string) (all []rune) {
	var b sfnt.Buffer
	seen := map[rune]bool{'\n': true, '\r': true, '\t': true, ' ': true}
	for _, r := range norm.NFC.String(s) {
		if seen[r] {
			continue
		}
		seen[r] = true
		if i, err := glyphs().GlyphIndex(&b, r); err != nil || i == 0 {
			all = append(all, r)
		}
	}
	return all
}
