package documenttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Tool has a program read a file, and returns what it says. The argument FILE stands for the file's path. The
// test is skipped where the program is not installed, unless every language's tools have to be there.
func Tool(t *testing.T, content []byte, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil && os.Getenv("PORTAL_TEST_LANGUAGES") == "" {
		t.Skip(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "FILE", file)
	}
	//nolint:gosec // a program that a test names
	out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}
