package static_test

import (
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

func TestAnUnknownFileIsAMistakeOfTheProgram(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an unknown name has an address")
		}
	}()
	static.URL("nothing.js")
}
