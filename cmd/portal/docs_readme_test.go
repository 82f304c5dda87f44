package main

import (
	"path/filepath"
	"strings"
	"testing"

	"portal/cmd/portal/cli"
)

// commandsBelow are the lines of the commands below a heading of README, without comments.
func commandsBelow(t *testing.T, heading string) (lines []string) {
	t.Helper()
	_, section, found := strings.Cut(documents(t)[filepath.Join(root, "README.md")], "\n## "+heading+"\n")
	if !found {
		t.Fatalf("README has no section %q", heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	for line := range strings.Lines(section) {
		if command, is := strings.CutPrefix(line, "    "); is {
			command, _, _ = strings.Cut(command, " # ")
			lines = append(lines, strings.TrimSpace(command))
		}
	}
	return lines
}

func TestREADMESetupCreatesKeyAlongsideDemo(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	var ran []string
	for _, line := range commandsBelow(t, "From nothing to a key, without the demo") {
		line, own := strings.CutPrefix(line, "export ")
		if own {
			if !strings.Contains(line, "PORTAL_DATA=./") || !strings.Contains(line, "PORTAL_ADDR=127.0.0.1:") ||
				strings.Contains(line+" ", "=./data ") || strings.Contains(line, ":8080") {
				t.Errorf("%s is where the demo is", line)
			}
			continue
		}
		stdin := ""
		if said, command, piped := strings.Cut(line, " | "); piped {
			stdin, line = strings.Trim(strings.TrimPrefix(said, "echo "), "'"), command
		}
		command, is := strings.CutPrefix(line, "./portal ")
		if !is {
			continue
		}
		ran = append(ran, command)
		if command == "serve" {
			s := h.beginInside(t, "serve")
			s.until(t, `"msg":"serving"`)
			if code := s.end(); code != cli.ExitDone {
				t.Errorf("serve ended with %d", code)
			}
			continue
		}
		code, out, err := h.inside(t, stdin, strings.Fields(command)...)
		if code != cli.ExitDone || strings.HasPrefix(command, "key create") && !strings.HasPrefix(out, "sk_test_") {
			t.Errorf("portal %s: exit code %d, printed %q and %q", command, code, out, err)
		}
	}
	if len(ran) < 4 || ran[len(ran)-1] != "serve" {
		t.Errorf("README runs only %q", ran)
	}
}

func TestREADMEIsShortAndStartsWithCommand(t *testing.T) {
	t.Parallel()
	lines := strings.Split(documents(t)[filepath.Join(root, "README.md")], "\n")
	first := 0
	for first < len(lines) && !strings.HasPrefix(lines[first], "    ") {
		first++
	}
	if len(lines) > 150 || first+1 >= 25 {
		t.Errorf("README has %d lines, its first command is in line %d", len(lines), first+1)
	}
}
