package docs

import (
	"testing"

	"portal/web/docs/search"
)

func TestTheIndexOfTheSearchIsMadeBeforeTheFirstOne(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		config Config
		want   int
	}{
		"a server":                     {Config{OpenAPI: func() []byte { return nil }}, 1},
		"a server that draws it late":  {Config{OpenAPI: func() []byte { return nil }, Late: true}, 0},
		"a server that has no surface": {Config{}, 0},
	} {
		made := 0
		p := &Section{Config: c.config, index: func() *search.Index { made++; return nil }}
		p.Prepare()
		if made != c.want {
			t.Errorf("%s: made %d times", name, made)
		}
	}
}
