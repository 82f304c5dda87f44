package static_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"portal/static"
)

func TestFileURLContainsHashAndResolves(t *testing.T) {
	url := static.URL("style.css")
	if !regexp.MustCompile(`^/static/style\.[0-9a-f]{12}\.css$`).MatchString(url) {
		t.Errorf("the address is %s", url)
	}
	f, ok := static.Named(strings.TrimPrefix(url, static.Root))
	if !ok || len(f.Body) == 0 {
		t.Errorf("%s finds no file", url)
	}
}

func TestStylesheetLoadsOnlyOwnFonts(t *testing.T) {
	fonts := 0
	for _, name := range sheets {
		body := string(served(t, name).Body)
		if strings.Contains(body, "@import") {
			t.Errorf("%s has @import", name)
		}
		for _, url := range regexp.MustCompile(`url\(([^)]*)\)`).FindAllStringSubmatch(body, -1) {
			if f, ok := static.Named(url[1]); !ok || f.Type != "font/woff2" {
				t.Errorf("%s loads %s", name, url[1])
			}
			fonts++
		}
	}
	if fonts != 4 {
		t.Errorf("%d fonts are loaded", fonts)
	}
}

// sheets are the style sheets: the one that every page loads, and those of some pages.
var sheets = []string{
	"style.css",
	"console.css",
	"charts.css",
	"parts.css",
	"docs.css",
	"samples.css",
	"map.css",
	"public.css",
	"resident.css",
	"steps.css",
	"sums.css",
	"questions.css",
}

func TestPageLoadsAtMost40KBOfCSS(t *testing.T) {
	for _, beside := range [][]string{
		{"console.css", "charts.css"},
		{"docs.css", "samples.css"},
		{"docs.css", "map.css"},
		{"console.css", "steps.css", "sums.css"},
		{"console.css", "parts.css", "questions.css"},
		{"public.css"},
		{"resident.css"},
	} {
		size := len(served(t, "style.css").Body)
		for _, name := range beside {
			size += len(served(t, name).Body)
		}
		if size > 40_000 {
			t.Errorf("with %s a page loads %d bytes of style", beside, size)
		}
	}
}

func TestScriptsTotalAtMost20KB(t *testing.T) {
	size := 0
	for _, name := range []string{"page.js", "passkey.js", "live.js"} {
		size += len(served(t, name).Body)
	}
	if size > 20_000 {
		t.Errorf("the scripts have %d bytes", size)
	}
}

func TestFontsIconsAndPreviewImageAreSmall(t *testing.T) {
	fonts := 0
	for _, name := range []string{"geist", "geist-latin-ext", "geist-mono", "geist-mono-latin-ext"} {
		fonts += len(served(t, "fonts/"+name+".woff2").Body)
	}
	if fonts > 120_000 {
		t.Errorf("the fonts have %d bytes", fonts)
	}
	if icons := len(served(t, "icons.svg").Body); icons > 16_000 {
		t.Errorf("the icons have %d bytes", icons)
	}
	if card := len(served(t, "card.png").Body); card > 40_000 {
		t.Errorf("the picture of previews has %d bytes", card)
	}
}

// served is a file as a browser gets it.
func served(t *testing.T, name string) static.File {
	t.Helper()
	f, ok := static.Named(strings.TrimPrefix(static.URL(name), static.Root))
	if !ok {
		t.Fatalf("%s is not served", name)
	}
	return f
}

func TestServedFilesAreMinified(t *testing.T) {
	for _, name := range append([]string{"page.js", "live.js", "icon.svg"}, sheets...) {
		f := served(t, name)
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, needless := range []string{"/*", "\n//", "\n ", "\n\n"} {
			if strings.Contains(string(f.Body), needless) {
				t.Errorf("%s has %q", name, needless)
			}
		}
		whole := words(regexp.MustCompile(`url\(fonts/([^.]*)\.woff2\)`).ReplaceAll(source, []byte("url($1)")))
		if whole !=
			words(regexp.MustCompile(`url\(([^.]*)\.[0-9a-f]{12}\.woff2\)`).ReplaceAll(f.Body, []byte("url($1)"))) {
			t.Errorf("%s has lost more than its comments", name)
		}
	}
}

// words is a text without its comments and spaces.
func words(text []byte) string {
	text = regexp.MustCompile(`(?s)/\*.*?\*/`).ReplaceAll(text, nil)
	text = regexp.MustCompile(`(?m)^\s*//.*$`).ReplaceAll(text, nil)
	return strings.ReplaceAll(strings.Join(strings.Fields(string(text)), ""), ";}", "}")
}

func TestUnknownFilePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an unknown name has an address")
		}
	}()
	static.URL("nothing.js")
}
