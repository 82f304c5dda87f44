package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// groups says to which layer each package of the module belongs. A package that is not here
// fails the test: decide on its layer before it is used.
var groups = map[string]string{
	"api/event":                      "core",
	"api/fault":                      "leaf",
	"api/language":                   "leaf",
	"api/texts":                      "leaf",
	"api/compress":                   "leaf",
	"api/id":                         "leaf",
	"api/clock":                      "leaf",
	"api/money":                      "leaf",
	"api/list":                       "leaf",
	"api/contact":                    "leaf",
	"api/change":                     "leaf",
	"api/strictjson":                 "leaf",
	"api/redact":                     "leaf",
	"api/searchtext":                 "leaf",
	"api/secret":                     "leaf",
	"api/job":                        "leaf",
	"api/intake":                     "leaf",
	"api/access":                     "access",
	"api/operation":                  "core",
	"api/middleware":                 "core",
	"api/httpserver":                 "core",
	"api/ratelimit":                  "core",
	"api/quota":                      "core",
	"api/developer":                  "core",
	"api/webhook":                    "core",
	"api/webhook/dispatch":           "core",
	"api/webhook/send":               "core",
	"api/webhook/signature":          "core",
	"api/agreement":                  "core",
	"api/agreement/ceremony":         "core",
	"api/agreement/document":         "core",
	"api/agreement/document/foreign": "core",
	"api/agreement/document/pdf":     "core",
	"api/agreement/document/seal":    "core",
	"api/agreement/evidence":         "core",
	"api/agreement/amendment":        "core",
	"api/agreement/notice":           "core",
	"api/agreement/sealing":          "core",
	"api/portfolio/lease/condition/conditionpdf": "core",
	"api/agreement/document/documenttest":        "documenttest",
	"api/sampled":                                "sampled",
	"api/attachment":                             "core",
	"api/attachment/sandbox":                     "core",
	"api/payment":                                "core",
	"api/payment/simulated":                      "core",
	"api/payment/stripe":                         "core",
	"api/payment/stripe/stripetest":              "stripetest",
	"api/status":                                 "core",
	"api/triage":                                 "core",
	"api/idempotency":                            "core",
	"api/mail":                                   "core",
	"api/onetimecode":                            "core",
	"api/tenantportal":                           "core",
	"api/account":                                "core",
	"api/audit":                                  "core",
	"api/portfolio":                              "core",
	"api/portfolio/demo":                         "core",
	"api/portfolio/imports":                      "core",
	"api/portfolio/rentroll":                     "core",
	"api/portfolio/rentroll/sheet":               "core",
	"api/portfolio/rentroll/cell":                "core",
	"api/portfolio/rentroll/export":              "core",
	"api/portfolio/simulate":                     "core",
	"api/portfolio/upload":                       "core",
	"api/portfolio/property":                     "core",
	"api/portfolio/property/verification":        "core",
	"api/portfolio/lease":                        "core",
	"api/portfolio/lease/application":            "core",
	"api/portfolio/lease/condition":              "core",
	"api/portfolio/lease/law":                    "core",
	"api/portfolio/lease/terms":                  "core",
	"api/portfolio/ticket":                       "core",
	"api/portfolio/ledger":                       "core",
	"api/portfolio/ledger/report":                "core",
	"api/portfolio/ledger/statement":             "core",
	"api/portfolio/schedule":                     "core",
	"api/portfolio/records":                      "core",
	"api/rest":                                   "rest",
	"api/mcp":                                    "mcp",
	"jobs":                                       "jobs",
	"web":                                        "web",
	"web/page":                                   "page",
	"web/listing":                                "page part",
	"web/payload":                                "page part",
	"web/related":                                "page part",
	"web/frame":                                  "page part",
	"web/live":                                   "page part",
	"web/csvexport":                              "page part",
	"web/access":                                 "section",
	"web/account":                                "section",
	"web/developer":                              "section",
	"web/docs":                                   "section",
	"web/docs/search":                            "leaf",
	"web/lease":                                  "section",
	"web/ledger":                                 "section",
	"web/overview":                               "section",
	"web/palette":                                "section",
	"web/property":                               "section",
	"web/ticket":                                 "section",
	"web/resident":                               "section",
	"web/staff":                                  "section",
	"web/status":                                 "section",
	"web/webtest":                                "webtest",
	"web/pagetest":                               "pagetest",
	"db":                                         "db",
	"db/crash":                                   "db",
	"db/rows":                                    "db",
	"db/dbtest":                                  "dbtest",
	"db/accountstore":                            "store",
	"db/developerstore":                          "store",
	"db/mailstore":                               "store",
	"db/portfoliostore":                          "store",
	"db/servicestore":                            "store",
	"db/reportstore":                             "store",
	"db/retentionstore":                          "store",
	"db/webhookstore":                            "store",
	"views":                                      "views",
	"views/kit/highlight":                        "highlight",
	"views/kit":                                  "kit",
	"static":                                     "static",
	"views/access":                               "section views",
	"views/account":                              "section views",
	"views/developer":                            "section views",
	"views/docs":                                 "section views",
	"views/lease":                                "section views",
	"views/ledger":                               "section views",
	"views/overview":                             "section views",
	"views/property":                             "section views",
	"views/ticket":                               "section views",
	"views/resident":                             "section views",
	"views/staff":                                "section views",
	"views/status":                               "section views",
	"cmd/portal":                                 "cmd",
	"cmd/portal/cli":                             "cli",
	"cmd/portal/listen":                          "client",
	"cmd/load":                                   "cmd",
	"cmd/triage":                                 "cmd",
	"cmd/fielddocs":                              "cmd",
	"cmd/sizes":                                  "cmd",
	"cmd/figures":                                "cmd",
	"docs/receivers":                             "cmd", // a program of the documentation
	".":                                          "static",
	"docs":                                       "static", // texts that are served
}

// mayImport says which groups a group may import. The outer ones (rest, mcp, jobs,
// db, web) never import each other, but for the two that are named here.
var mayImport = map[string][]string{
	"leaf":   {"leaf"},
	"access": {"leaf"},
	"core":   {"leaf", "access", "core"},
	"rest":   {"leaf", "access", "core"},
	"mcp":    {"leaf", "access", "core"},
	"db":     {"leaf", "access", "core", "db"},
	"store":  {"leaf", "access", "core", "db", "store"}, // the engine knows no store
	"dbtest": {"leaf", "access", "core", "db", "store"},
	// River's drivers work on the connections of db.DB.
	"jobs": {"leaf", "access", "core", "db", "store"},
	// The base of all pages knows none of them.
	"page": {"leaf", "access", "core", "kit", "static"},
	// A page that several sections have stands on that base.
	"page part": {"leaf", "access", "core", "kit", "static", "page"},
	// No section of the pages knows another.
	"section": {"leaf", "access", "core", "kit", "section views", "static", "page", "page part"},
	"web":     {"leaf", "access", "core", "kit", "views", "static", "page", "page part", "section"},
	"sampled": {}, // what of it a test looks at

	"webtest": {"sampled"}, // a browser: who looks knows no pages
	// Leases for tests, and the programs that read them.
	"documenttest": {"leaf", "access", "core", "sampled"},
	// A server for tests that behaves as Stripe's, which knows nothing of what it is asked for.
	"stripetest": {"leaf"},
	// Pages of tests have real services behind them.
	"pagetest": {
		"leaf", "access", "core", "db", "store", "dbtest", "documenttest", "jobs", "rest", "kit", "views",
		"static", "page", "page part", "section", "web", "webtest",
	},
	// Views get plain data and know no records. Those of a section stand on the kit alone,
	// which names the icons and fonts.
	"kit":           {"static", "highlight"},
	"highlight":     {},
	"section views": {"kit"},
	"views":         {"kit"},
	"static":        {},
	"client":        {"leaf", "access", "core", "rest"}, // of the API, as others reach it
	// The sub-commands, which main makes part of the binary.
	"cli": {"client", "leaf", "access", "core", "db", "store"},
	"cmd": {
		"cli", "client", "leaf", "access", "core", "rest", "mcp", "db", "store", "jobs", "web", "page", "page part",
		"section", "static",
	},
}

// technologies says which groups may import what is not ours. The first row that
// fits decides: a path stands for itself and all below it, with $ for itself alone.
var technologies = []struct {
	path   string
	groups []string
}{
	{"github.com/labstack/echo", []string{"rest", "mcp", "page", "web", "pagetest", "cmd"}},
	{"github.com/jackc/pgx", []string{"db", "dbtest"}},
	{"modernc.org/libc", []string{"db"}},
	{"modernc.org/sqlite", []string{"db"}},
	{"zombiezen.com/go/sqlite", []string{"db"}},
	{"github.com/pressly/goose", []string{"db"}},
	{"github.com/riverqueue", []string{"jobs", "cmd"}},
	{"github.com/wneessen/go-mail", []string{"jobs"}},
	{"github.com/a-h/templ", []string{"kit", "section views", "views", "page"}},
	{"github.com/yuin/goldmark", []string{"section views"}},
	{"github.com/alexedwards/scs", []string{"page", "pagetest"}},
	{"github.com/go-webauthn", []string{"core"}},
	{"github.com/chromedp", []string{"webtest"}},
	{"github.com/stripe/stripe-go", []string{"core"}},
	{"code.dny.dev/ssrf", []string{"core"}},
	{"codeberg.org/go-pdf/fpdf", []string{"core"}},
	{"github.com/modelcontextprotocol", nil}, // tests alone: the protocol is our own code
	{"github.com/google/jsonschema-go", nil}, // tests alone
}

// environment is what only a command and a test read; everybody else is told.
var environment = []string{"Getenv", "LookupEnv", "Environ", "ExpandEnv"}

func TestPackagesImportOnlyAllowedPackages(t *testing.T) {
	for _, f := range sources(t) {
		group, known := groups[f.folder]
		if !known {
			t.Errorf("%s: the package %s stands in no group: give it one in imports_test.go", f.name, f.folder)
			continue
		}
		for _, spec := range f.tree.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if !allowed(group, imported) {
				t.Errorf("%s: a package of the group %s may not import %s", f.name, group, imported)
			}
		}
	}
}

func allowed(group, imported string) bool {
	if own, ours := strings.CutPrefix(imported, "portal/"); ours {
		return slices.Contains(mayImport[group], groups[own])
	}
	for _, tech := range technologies {
		exact, only := strings.CutSuffix(tech.path, "$")
		if imported == exact || !only && strings.HasPrefix(imported+"/", tech.path+"/") {
			return slices.Contains(tech.groups, group)
		}
	}
	return true
}

// TestWebSectionsUseOnlyTheirOwnViews holds web/account to views/account, and so on.
func TestWebSectionsUseOnlyTheirOwnViews(t *testing.T) {
	own := 0
	for _, f := range sources(t) {
		for _, spec := range f.tree.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			views := strings.TrimPrefix(imported, "portal/")
			if groups[views] != "section views" {
				continue
			}
			if path.Base(views) != path.Base(f.folder) {
				t.Errorf("%s uses the views of another section, %s", f.name, views)
			}
			own++
		}
	}
	if own == 0 {
		t.Error("no section has views")
	}
}

func TestOnlyCommandsReadEnvironment(t *testing.T) {
	for _, f := range sources(t) {
		switch groups[f.folder] {
		case "cmd", "pagetest", "webtest", "dbtest", "documenttest", "sampled":
			continue
		}
		ast.Inspect(f.tree, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if from, ok := s.X.(*ast.Ident); ok && from.Name == "os" && slices.Contains(environment, s.Sel.Name) {
				t.Errorf("%s reads the environment by os.%s; have main hand it in", f.name, s.Sel.Name)
			}
			return true
		})
	}
}

// TestReleasedBinaryCannotBeToldToKillItself holds that only a file with the build tag crash reaches
// db/crash and the hooks that it uses, and that the binary without that tag has nothing of it.
func TestReleasedBinaryCannotBeToldToKillItself(t *testing.T) {
	t.Parallel()
	const tagged = "cmd/portal/crash.go"
	importers := 0
	for _, f := range sources(t) {
		for _, spec := range f.tree.Imports {
			if spec.Path.Value != `"portal/db/crash"` {
				continue
			}
			importers++
			if f.name != tagged || f.tree.Comments[0].List[0].Text != "//go:build crash" {
				t.Errorf("%s imports portal/db/crash; only %s may, with the build tag crash", f.name, tagged)
			}
		}
		ast.Inspect(f.tree, func(n ast.Node) bool {
			name, is := n.(*ast.Ident)
			if is && name.Name == "SetStepHooks" && f.folder != "db" && f.folder != "db/crash" {
				t.Errorf("%s uses db.SetStepHooks; only db/crash may", f.name)
			}
			return true
		})
	}
	if importers != 1 {
		t.Errorf("%d files import portal/db/crash", importers)
	}
	for _, b := range []struct {
		build func() (string, error)
		kills bool
	}{{built, false}, {crashing, true}} {
		file, err := b.build()
		orFail(t, err)
		program, err := os.ReadFile(file)
		orFail(t, err)
		for _, part := range []string{"PORTAL_CRASH_STEP", "portal/db/crash."} {
			if bytes.Contains(program, []byte(part)) != b.kills {
				t.Errorf("%s contains %s: %t", filepath.Base(file), part, !b.kills)
			}
		}
	}
}

// source is a file that is no test.
type source struct {
	name   string
	folder string
	tree   *ast.File
}

// sources parses the whole module but for its tests, which may use anything.
func sources(t *testing.T) (all []source) {
	t.Helper()
	root, set := filepath.Join("..", ".."), token.NewFileSet()
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := strings.HasPrefix(d.Name(), ".") && file != root
		if d.IsDir() && (hidden || d.Name() == "testdata" || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		tree, err := parser.ParseFile(set, file, nil, parser.ParseComments|parser.SkipObjectResolution)
		all = append(all, source{name, path.Dir(name), tree})
		return err
	})
	if err != nil || len(all) == 0 {
		t.Fatalf("%d files read: %v", len(all), err)
	}
	return all
}
