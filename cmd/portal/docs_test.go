package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// docsPage is a page of the documentation.
func docsPage(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// fence is a block of a page that says what it is.
type fence struct{ kind, text string }

func fences(page string) (all []fence) {
	for i, part := range strings.Split("\n"+page, "\n```") {
		if kind, text, _ := strings.Cut(part, "\n"); i%2 == 1 {
			all = append(all, fence{kind, text + "\n"})
		}
	}
	return all
}

// needs skips a test without a program. Where PORTAL_TEST_LANGUAGES is set, all have to
// be there.
func needs(t *testing.T, program string) {
	t.Helper()
	_, err := exec.LookPath(program)
	switch {
	case err == nil:
	case os.Getenv("PORTAL_TEST_LANGUAGES") != "":
		t.Fatal(err)
	default:
		t.Skip(err)
	}
}

// differs says where an answer is not what the documentation shows of it, "" where it is.
// What the documentation leaves out may be there, and "…" stands for anything.
func differs(shown, got any) string {
	switch want := shown.(type) {
	case map[string]any:
		have, _ := got.(map[string]any)
		for name, member := range want {
			if d := differs(member, have[name]); d != "" {
				return "." + name + d
			}
		}
		return ""
	case []any:
		have, _ := got.([]any)
		return listDiffers(want, have)
	case string:
		if have, is := got.(string); is && stands(want, have) {
			return ""
		}
	default:
		if shown == got {
			return ""
		}
	}
	return " differs"
}

func listDiffers(want, have []any) string {
	for i, item := range want {
		switch {
		case item == "…":
			return ""
		case i == len(have):
			return " is shorter"
		}
		if d := differs(item, have[i]); d != "" {
			return d
		}
	}
	if len(have) > len(want) {
		return " is longer"
	}
	return ""
}

// stands reports whether a text is one that the documentation stands for.
func stands(shown, text string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(shown), "…", ".*")
	return regexp.MustCompile("(?s)^" + pattern + "$").MatchString(text)
}
