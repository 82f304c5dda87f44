package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// cited is a file that a comment names as the place where something is said.
var cited = regexp.MustCompile(`[\w/-]*[\w-]+\.md\b|docs/decisions/\d{4}`)

// TestTextsCitedInCommentsExist fails for a comment that cites a text which this repository does not have.
func TestTextsCitedInCommentsExist(t *testing.T) {
	t.Parallel()
	for _, f := range sources(t) {
		for _, group := range f.tree.Comments {
			for _, name := range cited.FindAllString(group.Text(), -1) {
				if !present(name) {
					t.Errorf("%s cites %s, which is not here", f.name, name)
				}
			}
		}
	}
}

// present reports whether a text is in the repository: by its path from the root, or in docs or docs/site.
func present(name string) bool {
	if strings.HasPrefix(name, "docs/decisions/") && !strings.HasSuffix(name, ".md") {
		name += "-*.md"
	}
	for _, folder := range []string{"", "docs", filepath.Join("docs", "site")} {
		found, err := filepath.Glob(filepath.Join("..", "..", folder, filepath.FromSlash(name)))
		if err == nil && len(found) > 0 {
			return true
		}
	}
	_, err := os.Stat(filepath.Join("..", "..", "docs", "receivers", name))
	return err == nil
}
