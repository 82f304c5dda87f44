package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestGeneratedFilesAreCurrent generates the pages anew, beside a copy of their
// sources, and compares. The remedy is: go tool templ generate
func TestGeneratedFilesAreCurrent(t *testing.T) {
	t.Parallel()
	views, fresh := filepath.Join("..", "..", "views"), filepath.Join(t.TempDir(), "views")
	copyFiles(t, views, fresh, "*.templ")
	out, err := exec.CommandContext(t.Context(), "go", "tool", "templ", "generate", "-path", filepath.Dir(fresh)).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want, got := read(t, fresh, "*_templ.go"), read(t, views, "*_templ.go")
	for name, text := range want {
		if !bytes.Equal(text, got[name]) {
			t.Errorf("views/%s is not what go tool templ generate makes of its source", name)
		}
	}
	for name := range got {
		if want[name] == nil {
			t.Errorf("views/%s has no source any more", name)
		}
	}
}

func copyFiles(t *testing.T, from, to, pattern string) {
	t.Helper()
	if err := os.MkdirAll(to, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range read(t, from, pattern) {
		if err := os.WriteFile(filepath.Join(to, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// read reads the files of a folder whose names fit a pattern.
func read(t *testing.T, folder, pattern string) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no %s in %s: %v", pattern, folder, err)
	}
	files := map[string][]byte{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = text
	}
	return files
}
