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
	folders := viewFolders(t, views)
	for _, folder := range folders {
		copyFiles(t, filepath.Join(views, folder), filepath.Join(fresh, folder), "*.templ")
	}
	out, err := exec.CommandContext(
		t.Context(),
		"go",
		"tool",
		"templ",
		"generate",
		"-path",
		filepath.Dir(fresh),
	).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, folder := range folders {
		want := read(t, filepath.Join(fresh, folder), "*_templ.go")
		got := read(t, filepath.Join(views, folder), "*_templ.go")
		for name, text := range want {
			if !bytes.Equal(text, got[name]) {
				t.Errorf("views/%s/%s is not what go tool templ generate makes of its source", folder, name)
			}
		}
		for name := range got {
			if want[name] == nil {
				t.Errorf("views/%s/%s has no source any more", folder, name)
			}
		}
	}
}

// viewFolders are the folders of the views: the top one and one for each section.
func viewFolders(t *testing.T, views string) []string {
	t.Helper()
	entries, err := os.ReadDir(views)
	if err != nil {
		t.Fatal(err)
	}
	folders := []string{"."}
	for _, e := range entries {
		if e.IsDir() {
			folders = append(folders, e.Name())
		}
	}
	if len(folders) == 1 {
		t.Fatalf("%s has no folders", views)
	}
	return folders
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

// read reads the files of a folder whose names fit a pattern, and none of folders within.
func read(t *testing.T, folder, pattern string) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, pattern))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no %s in %s: %v", pattern, folder, err)
	}
	files := map[string][]byte{}
	for _, path := range paths {
		if of, err := os.Stat(path); err == nil && of.IsDir() {
			continue // uploads pass through one
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = text
	}
	return files
}
