package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// literalStatus is a status that a query names by itself.
var literalStatus = regexp.MustCompile(`\bstatus\s*(=|<>|IN)\s*\(?'`)

// TestQueriesUseStatusConstants keeps the names of statuses, and the sets of them that a rule
// is about, in the packages whose rules they are. Migrations say what was once, and stay.
func TestQueriesUseStatusConstants(t *testing.T) {
	t.Parallel()
	read := 0
	err := filepath.WalkDir("../../db", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for i, line := range strings.Split(string(text), "\n") {
			if literalStatus.MatchString(line) {
				t.Errorf("%s:%d names a status: %s", path, i+1, strings.TrimSpace(line))
			}
		}
		read++
		return err
	})
	if err != nil || read < 50 {
		t.Errorf("%d files were read: %v", read, err)
	}
}
