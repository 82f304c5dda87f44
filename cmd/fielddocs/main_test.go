package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCommittedTableMatchesComments(t *testing.T) {
	t.Parallel()
	files, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: a field or its comment has changed: run go generate ./api/operation", name)
		}
	}
}

func TestWireFieldsAreDocumentedByTheirComments(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	text := "package lease\n\ntype Lease[T any] struct {\n" +
		"\t// Rent per month,\n\t// in dollars.\n\tRent int `json:\"rent\"`\n" +
		"\t// Version that the change is for.\n\tIfMatch string `in:\"header\" name:\"If-Match\"`\n" +
		"\t// Hidden is not sent.\n\tHidden int `json:\"-\"`\n" +
		"\t// Untagged is not sent.\n\tUntagged int\n" +
		"\tTrailing int `json:\"trailing\"` // says nothing to others\n}\n"
	if err := os.WriteFile(filepath.Join(root, "lease.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(root, "api", "developer"), 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, filepath.FromSlash(names))
	if err := os.WriteFile(file, []byte("\"old\":null,\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	files, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(files[names]); got != "\"rent\":null,\n\"old\":null,\n" {
		t.Errorf("the names of fields are %q", got)
	}
	got := files[table]
	for _, row := range []string{
		`"..Lease.IfMatch": "Version that the change is for.",`,
		`"..Lease.Rent":    "Rent per month, in dollars.",`,
	} {
		if !strings.Contains(string(got), row) {
			t.Errorf("no %s in\n%s", row, got)
		}
	}
	if n := strings.Count(string(got), "Lease."); n != 2 {
		t.Errorf("%d rows, want 2:\n%s", n, got)
	}
}
