package main

import (
	"bufio"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The index of docs/decisions has a line for each, with the title that it has.
func TestEveryDecisionIsIndexed(t *testing.T) {
	t.Parallel()
	const folder = "../../docs/decisions"
	index, err := os.ReadFile(filepath.Join(folder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	all, err := filepath.Glob(filepath.Join(folder, "0*.md"))
	if err != nil || len(all) == 0 {
		t.Fatal(len(all), err)
	}
	var want []string
	for _, path := range all {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(f).ReadString('\n')
		if err != nil {
			t.Fatal(path, err)
		}
		_ = f.Close()
		title := strings.TrimSpace(strings.TrimPrefix(line, "# "))
		number, name, _ := strings.Cut(title, ". ")
		want = append(want, "- ["+number+". "+name+"]("+filepath.Base(path)+")\n")
	}
	if got := string(index[strings.Index(string(index), "- ["):]); got != strings.Join(want, "") {
		t.Errorf("the index is\n%swant\n%s", got, strings.Join(want, ""))
	}
}

// A file that a text for developers names is there: by its path, or by its name in whatever
// folder the sentence is about.
func TestFilesNamedInDocsExist(t *testing.T) {
	t.Parallel()
	root := os.DirFS("../..")
	var files, texts []string
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if d.IsDir() {
			return err
		}
		files = append(files, "/"+path)
		if strings.HasSuffix(path, ".md") {
			texts = append(texts, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named, checked := regexp.MustCompile("`([a-z0-9][\\w./-]*\\.(?:go|templ|css))`"), 0
	for _, path := range texts {
		text, err := fs.ReadFile(root, path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			checked++
			if !slices.ContainsFunc(files, func(f string) bool { return strings.HasSuffix(f, "/"+m[1]) }) {
				t.Errorf("%s names %s, which is not there", path, m[1])
			}
		}
	}
	if checked < 20 {
		t.Errorf("only %d names were found", checked)
	}
}
