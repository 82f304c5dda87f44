package static_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"portal/static"
)

func TestTheAddressOfAFileHoldsAHashAndFindsIt(t *testing.T) {
	url := static.URL("style.css")
	if !regexp.MustCompile(`^/static/style\.[0-9a-f]{12}\.css$`).MatchString(url) {
		t.Errorf("the address is %s", url)
	}
	f, ok := static.Named(strings.TrimPrefix(url, static.Root))
	if !ok || len(f.Body) == 0 {
		t.Errorf("%s finds no file", url)
	}
}

func TestTheStyleSheetLoadsNothing(t *testing.T) {
	f, _ := static.Named(strings.TrimPrefix(static.URL("style.css"), static.Root))
	for _, load := range []string{"url(", "@import", "@font-face"} {
		if strings.Contains(string(f.Body), load) {
			t.Errorf("the style sheet has %s", load)
		}
	}
}

func TestAFileIsServedWithoutWhatABrowserDoesNotNeed(t *testing.T) {
	for _, name := range []string{"style.css", "page.js", "icon.svg"} {
		f, _ := static.Named(strings.TrimPrefix(static.URL(name), static.Root))
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, needless := range []string{"/*", "\n//", "\n ", "\n\n"} {
			if strings.Contains(string(f.Body), needless) {
				t.Errorf("%s has %q", name, needless)
			}
		}
		if words(source) != words(f.Body) {
			t.Errorf("%s has lost more than its comments", name)
		}
	}
}

// words is a text without its comments and spaces.
func words(text []byte) string {
	text = regexp.MustCompile(`(?s)/\*.*?\*/`).ReplaceAll(text, nil)
	text = regexp.MustCompile(`(?m)^\s*//.*$`).ReplaceAll(text, nil)
	return strings.Join(strings.Fields(string(text)), "")
}

func TestAnUnknownFileIsAMistakeOfTheProgram(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an unknown name has an address")
		}
	}()
	static.URL("nothing.js")
}
