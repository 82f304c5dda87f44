package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// suites are the official conformance suite as it is released, and as it is to be,
// which alone knows 2026-07-28 and holds every message against the official schema.
var suites = map[string]string{
	"released": "@modelcontextprotocol/conformance/dist/index.js",
	"to be":    "conformance-next/dist/index.js",
}

// conformance is a scenario of a suite in one version of the protocol.
type conformance struct{ suite, scenario, version string }

// TestOfficialConformanceSuitesPass runs each scenario of one of the suites in one version, in each run by chance, and
// of both in all versions for `make prove`.
func TestOfficialConformanceSuitesPass(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	address := assisting(t).keyed(t)
	all := map[string][]conformance{}
	for name, suite := range suites {
		for scenario, versions := range n.scenarios(t, suite) {
			if _, ok := applicable[scenario]; !ok {
				continue
			}
			for _, version := range versions {
				all[scenario] = append(all[scenario], conformance{name, scenario, version})
			}
		}
	}
	for _, each := range all {
		if !proving {
			each = sample(t, each, 1)
		}
		for _, c := range each {
			t.Run(c.suite+"/"+c.scenario+"/"+c.version, func(t *testing.T) {
				t.Parallel()
				n.conform(t, suites[c.suite], address, c.scenario, c.version)
			})
		}
	}
}

func TestEveryConformanceScenarioIsClassified(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	var listed []string
	for _, suite := range suites {
		for scenario := range n.scenarios(t, suite) {
			listed = append(listed, scenario)
		}
	}
	decided := slices.Collect(maps.Keys(applicable))
	for _, scenarios := range elsewhere {
		decided = append(decided, scenarios...)
	}
	for _, scenario := range listed {
		if !slices.Contains(decided, scenario) {
			t.Errorf("%s is new: does it apply to a server that has tools alone?", scenario)
		}
	}
	for _, scenario := range decided {
		if !slices.Contains(listed, scenario) {
			t.Errorf("%s is no more", scenario)
		}
	}
}

var scenarioLine = regexp.MustCompile(`(?m)^  - (\S+) \[(.*)\]$`)

// scenarios are those for a server, and the versions that they are about.
func (n nodejs) scenarios(t *testing.T, suite string) map[string][]string {
	t.Helper()
	o := n.run(t, n.module(suite), "list", "--server")
	all := map[string][]string{}
	for _, m := range scenarioLine.FindAllStringSubmatch(o.out, -1) {
		all[m[1]] = strings.Split(m[2], ",")
	}
	if o.code != 0 || len(all) == 0 {
		t.Fatalf("the suite lists nothing: %+v", o)
	}
	return all
}

// check is one finding of a scenario.
type check struct {
	ID, Status, ErrorMessage string
	Details                  json.RawMessage
}

func readJSON(path string, into any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, into)
}

// conform runs a scenario. A check that is about what the server does not have must
// find it missing, all others must find nothing.
func (n nodejs) conform(t *testing.T, suite, address, scenario, version string) {
	t.Helper()
	folder := t.TempDir()
	o := n.run(
		t,
		n.module(suite),
		"server",
		"--url",
		address,
		"--scenario",
		scenario,
		"--spec-version",
		version,
		"--output-dir",
		folder,
	)
	var checks []check
	files, err := filepath.Glob(filepath.Join(folder, "*", "checks.json"))
	if err == nil && len(files) == 1 {
		err = readJSON(files[0], &checks)
	}
	if err != nil || len(checks) == 0 {
		t.Fatalf("the suite has found nothing: %v %+v", err, o)
	}
	for _, c := range checks {
		passed := c.Status == "SUCCESS" || c.Status == "INFO"
		if excused := slices.Contains(applicable[scenario], c.ID); passed == excused {
			t.Errorf("%s: %s, excused %t: %s %.2000s", c.ID, c.Status, excused, c.ErrorMessage, c.Details)
		}
	}
}
