package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// htmlFinding is what a checker says of a page.
type htmlFinding struct {
	page, rule, says string
	line             int
}

// areValidHTML gives every kind of page to html-validate and to the checker of the W3C (vnu).
func (e *everyPage) areValidHTML(t *testing.T) {
	modules := os.Getenv("PORTAL_TEST_NODE_MODULES")
	if modules == "" {
		t.Skip("PORTAL_TEST_NODE_MODULES is not set: there is no checker of HTML")
	}
	folder := t.TempDir()
	for _, s := range e.all {
		if s.name == "mail-id-look" {
			continue // an email as it was sent: clients of email want tables
		}
		page := s.who.ask(http.MethodGet, s.path, nil).Body.Bytes()
		orFail(t, os.WriteFile(filepath.Join(folder, s.name+".html"), page, 0o600))
	}
	said := map[string][]string{}
	for _, f := range append(htmlValidate(t, modules, folder), vnu(t, modules, folder)...) {
		if strings.HasPrefix(f.page, "docs-") && regionsOfDocs[f.rule] {
			continue
		}
		what := f.rule + ": " + f.says
		said[what] = append(said[what], fmt.Sprintf("%s:%d", f.page, f.line))
	}
	for _, what := range slices.Sorted(maps.Keys(said)) {
		t.Errorf("%s\n\t%d times: %s", what, len(said[what]), strings.Join(said[what][:min(5, len(said[what]))], " "))
	}
}

// regionsOfDocs are said of the tables in the texts of the documentation, each of which is a region called Table.
var regionsOfDocs = map[string]bool{"prefer-native-element": true, "unique-landmark": true}

func htmlValidate(t *testing.T, modules, folder string) (all []htmlFinding) {
	t.Helper()
	var files []struct {
		FilePath string
		Messages []struct {
			RuleID, Message string
			Line            int
		}
	}
	report := filepath.Join(t.TempDir(), "report.json") // it ends before a pipe has taken all
	checks(t, &files, report, "node", filepath.Join(modules, "html-validate", "bin", "html-validate.mjs"),
		"--config", filepath.Join("testdata", "htmlvalidate.mjs"), "--formatter", "json="+report, folder)
	for _, f := range files {
		for _, m := range f.Messages {
			all = append(all, htmlFinding{filepath.Base(f.FilePath), m.RuleID, m.Message, m.Line})
		}
	}
	return all
}

// rolesOfTables are said of tables whose rows become cards, where browsers take their roles away.
var rolesOfTables = regexp.MustCompile(
	`^The “role” attribute must not be used on a “t[dhr]”|^The ` +
		`“(cell|(column|row)header|row|rowgroup|table)” role is unnecessary`,
)

// hiddenTwice is said of what a script shows, and readers of the screen are never told.
const hiddenTwice = "Attribute “aria-hidden” is unnecessary for elements that have attribute “hidden”."

// vnu asks the checker of the W3C, its advice included. It does not run for long enough to be worth compiling well.
func vnu(t *testing.T, modules, folder string) (all []htmlFinding) {
	t.Helper()
	var report struct {
		Messages []struct {
			Type, URL, Message string
			LastLine           int
		}
	}
	checks(t, &report, "", "java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss4m",
		"-jar", filepath.Join(modules, "vnu-jar", "build", "dist", "vnu.jar"),
		"--format", "json", "--stdout", "--exit-zero-always", folder)
	for _, m := range report.Messages {
		if rolesOfTables.MatchString(m.Message) || m.Message == hiddenTwice {
			continue
		}
		all = append(all, htmlFinding{filepath.Base(m.URL), "vnu " + m.Type, m.Message, m.LastLine})
	}
	return all
}

// checks runs a checker and reads what it writes to a file, or prints where there is none. One that finds something
// ends with a failure.
func checks(t *testing.T, found any, file, program string, args ...string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), program, args...).Output()
	if file != "" {
		var missing error
		out, missing = os.ReadFile(file)
		err = errors.Join(err, missing)
	}
	if wrong := json.Unmarshal(out, found); wrong != nil {
		t.Fatalf("%s: %v, %v: %.500s", program, err, wrong, out)
	}
}
