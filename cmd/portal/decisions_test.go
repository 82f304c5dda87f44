package main

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The index of docs/decisions has a line for each, with the title that it has.
func TestEveryDecisionIsInTheIndex(t *testing.T) {
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
