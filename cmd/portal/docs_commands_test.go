package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	goTest     = regexp.MustCompile("go test [^\n`]*")
	goRun      = regexp.MustCompile("go (?:run|build -o portal) ([^\\s`]*/[^\\s`]*)")
	makeTarget = regexp.MustCompile("(?m)(?:^    |`)make ([a-z]+)")
	testName   = regexp.MustCompile(`\b(?:Test|Benchmark|Fuzz)[A-Z]\w+`)
	testFunc   = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz)[A-Z]\w*)\(`)
)

// root is where the paths that the documentation names begin.
const root = "../.."

// documents are the texts of README, CONTRIBUTING, SECURITY and all below docs, by path.
func documents(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	read := func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	}
	for _, from := range []string{"README.md", "CONTRIBUTING.md", "SECURITY.md", "docs"} {
		if err := filepath.WalkDir(filepath.Join(root, from), read); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// testsBelow are the names of the tests, benchmarks and fuzzers of a package, or, where its
// path ends in "...", of those below it.
func testsBelow(t *testing.T, pkg string) (names []string) {
	t.Helper()
	folder, below := strings.CutSuffix(pkg, "...")
	folder = filepath.Join(root, folder)
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && path != folder && !below {
			return fs.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, f := range testFunc.FindAllStringSubmatch(string(text), -1) {
			names = append(names, f[1])
		}
		return err
	})
	if err != nil {
		t.Errorf("%s: %v", pkg, err)
	}
	return names
}

// runsNothing names the parts of a pattern of -run or -bench that no function of a package
// matches.
func runsNothing(pattern, prefix string, names []string) (parts []string) {
	first, _, _ := strings.Cut(strings.Trim(pattern, "'"), "/")
	for part := range strings.SplitSeq(first, "|") {
		wanted, err := regexp.Compile(part)
		if err != nil ||
			!slices.ContainsFunc(names, func(n string) bool {
				return strings.HasPrefix(n, prefix) &&
					wanted.MatchString(n)
			}) {
			parts = append(parts, part)
		}
	}
	return parts
}

func TestGoTestCommandsInDocsRunSomething(t *testing.T) {
	t.Parallel()
	benchmarks := 0
	for path, text := range documents(t) {
		for _, line := range goTest.FindAllString(text, -1) {
			words := strings.Fields(line)
			at := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "./") })
			if at < 0 {
				t.Errorf("%s: %s names no package", path, line)
				continue
			}
			names := testsBelow(t, strings.TrimRight(words[at], ",;)"))
			for i, w := range words[:len(words)-1] {
				switch {
				case w == "-bench":
					benchmarks++
					for _, part := range runsNothing(words[i+1], "Benchmark", names) {
						t.Errorf("%s: %s: no benchmark %s", path, line, part)
					}
				case w == "-run" && words[i+1] != "'^$'":
					for _, part := range runsNothing(words[i+1], "Test", names) {
						t.Errorf("%s: %s: no test %s", path, line, part)
					}
				}
			}
		}
	}
	if benchmarks < 10 {
		t.Errorf("only %d benchmarks were found", benchmarks)
	}
}

func TestNamesInDocsExist(t *testing.T) {
	t.Parallel()
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	tests := testsBelow(t, "./...")
	paths, targets := 0, 0
	for path, text := range documents(t) {
		for _, m := range goRun.FindAllStringSubmatch(text, -1) {
			paths++
			if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
				t.Errorf("%s: %s: %v", path, m[0], err)
			}
		}
		for _, m := range makeTarget.FindAllStringSubmatch(text, -1) {
			targets++
			if !strings.Contains("\n"+string(makefile), "\n"+m[1]+":") {
				t.Errorf("%s: make %s is no target", path, m[1])
			}
		}
		for _, name := range testName.FindAllString(text, -1) {
			if !slices.Contains(tests, name) {
				t.Errorf("%s: there is no %s", path, name)
			}
		}
	}
	if paths < 10 || targets < 8 {
		t.Errorf("only %d paths and %d targets were found", paths, targets)
	}
}
