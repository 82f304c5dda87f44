package docs

import (
	"testing"

	"portal/web/docs/search"
)

func TestDocsAreRenderedBeforeFirstRequest(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		config Config
		want   string
	}{
		"a server":                     {Config{OpenAPI: func() []byte { return nil }}, "drawn indexed "},
		"a server that has no surface": {Config{}, ""},
	} {
		made := ""
		p := &Section{
			Config:   c.config,
			rendered: func() *renderedDocs { made += "drawn "; return nil },
			index:    func() *search.Index { made += "indexed "; return nil },
		}
		if p.Prepare(); made != c.want {
			t.Errorf("%s: %q", name, made)
		}
	}
}
