package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"portal/api/mcp"
)

// TestAssistantDocsCommandsWorkAsDescribed runs what a reader would.
func TestAssistantDocsCommandsWorkAsDescribed(t *testing.T) {
	t.Parallel()
	needs(t, "sh")
	needs(t, "curl")
	s := assisting(t)
	for _, name := range []string{"assistants.md", "clients/curl.md"} {
		t.Run(name, func(t *testing.T) { s.follow(t, fences(docsPage(t, name))) })
	}
}

// follow runs the commands of a page, one after another in one shell, and holds what they
// print against the answer behind them.
func (s *service) follow(t *testing.T, blocks []fence) {
	t.Helper()
	folder := t.TempDir()
	answer := func(i int) string { return filepath.Join(folder, fmt.Sprintf("answer-%d", i)) }
	var script strings.Builder
	for i, b := range blocks {
		if b.kind == "sh" {
			fmt.Fprintf(&script, "{\n%s} > '%s'\n", b.text, answer(i))
		}
	}
	s.shell(t, folder, script.String())
	for i, b := range blocks {
		if b.kind == "json" {
			compare(t, b.text, answer(i-1))
		}
	}
}

// shell runs a script as the person who has started the demo, with the id of a key to revoke.
func (s *service) shell(t *testing.T, folder, script string) {
	t.Helper()
	var key struct{ ID string }
	if err := json.Unmarshal(
		[]byte(s.do(t, "key", "create", "landlord@example.com", "--name", "over", "--mode", "test", "--json")),
		&key,
	); err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), "sh", "-eu", "-c", script)
	c.Dir = folder
	c.Env = append(
		slices.Clone(s.env),
		"HOME="+folder,
		"PATH="+filepath.Dir(s.Path)+":"+os.Getenv("PATH"),
		"KEY_ID="+key.ID,
	)
	for name, value := range s.vars {
		c.Env = append(c.Env, name+"="+value)
	}
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// compare holds what a command printed against what the documentation shows of it.
func compare(t *testing.T, shown, file string) {
	t.Helper()
	printed, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("no command stands before %s", shown)
	}
	var want, got any
	if err := json.Unmarshal([]byte(shown), &want); err != nil {
		t.Fatalf("%v: %s", err, shown)
	}
	if err := json.Unmarshal(printed, &got); err != nil {
		t.Fatalf("%v: %s", err, printed)
	}
	if d := differs(want, got); d != "" {
		t.Errorf("%s: shown is\n%sprinted was\n%s", d, shown, printed)
	}
}

// tool is what the table and the server say of a tool: each argument with its default,
// and with an asterisk where it is required.
type tool struct {
	name, scope string
	arguments   []string
}

func TestToolTableMatchesServer(t *testing.T) {
	t.Parallel()
	s := assisting(t)
	reading := s.do(t, "key", "create", "landlord@example.com", "--name", "reads", "--mode", "live", "--scopes", "read")
	reads := len(s.listed(t, reading, ""))
	want := s.listed(t, s.vars["PORTAL_LIVE_KEY"], "write")
	for i := range want[:reads] {
		want[i].scope = "read"
	}
	got := tabled(docsPage(t, "assistants.md"))
	for i := range min(len(want), len(got)) {
		if w, g := fmt.Sprint(want[i]), fmt.Sprint(got[i]); w != g {
			t.Errorf("the table has\n%s\nthe server\n%s", g, w)
		}
	}
	if len(want) != len(allTools) || len(got) != len(want) {
		t.Errorf("the table has %d tools, the server %d", len(got), len(want))
	}
}

// listed are the tools that a key may call.
func (s *service) listed(t *testing.T, key, scope string) (all []tool) {
	t.Helper()
	var said struct {
		Result struct {
			Tools []struct {
				Name        string
				InputSchema schema
			}
		}
	}
	s.message(t, key, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, &said)
	for _, v := range said.Result.Tools {
		all = append(all, tool{v.Name, scope, v.InputSchema.arguments()})
	}
	return all
}

// schema is what the schema of a tool's arguments says that the table says too.
type schema struct {
	Properties map[string]struct{ Default any }
	Required   []string
}

func (s schema) arguments() (all []string) {
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		argument := name
		if slices.Contains(s.Required, name) {
			argument += "*"
		}
		if initial := s.Properties[name].Default; initial != nil {
			argument += fmt.Sprintf(" (%v)", initial)
		}
		all = append(all, argument)
	}
	return all
}

// message sends one message and takes its answer apart.
func (s *service) message(t *testing.T, key, body string, into any) {
	t.Helper()
	request, err := http.NewRequestWithContext(
		t.Context(),
		http.MethodPost,
		s.vars["PORTAL_URL"]+mcp.Path,
		strings.NewReader(body),
	)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(into); err != nil {
		t.Fatal(err)
	}
}

var (
	row      = regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| (.*?) ?\\| ([a-z]+)[^|]* \\| [^|]+ \\|$")
	argument = regexp.MustCompile("(\\*\\*)?`([a-z0-9_]+)`(?:\\*\\*)?( \\([a-z0-9]+\\))?")
)

// tabled are the tools as a page shows them.
func tabled(page string) (all []tool) {
	_, section, _ := strings.Cut(page, "\n## The tools\n")
	section, _, _ = strings.Cut(section, "\n### ")
	for _, r := range row.FindAllStringSubmatch(section, -1) {
		t := tool{r[1], r[3], nil}
		for _, a := range argument.FindAllStringSubmatch(r[2], -1) {
			t.arguments = append(t.arguments, a[2]+strings.TrimSuffix(a[1], "*")+a[3])
		}
		slices.Sort(t.arguments)
		all = append(all, t)
	}
	return all
}

func TestClientConfigurationsNameMCPEndpoint(t *testing.T) {
	t.Parallel()
	index := docsPage(t, "assistants.md")
	paths, err := filepath.Glob("../../docs/clients/*.md")
	if err != nil || len(paths) != 6 {
		t.Fatalf("%v: %v", paths, err)
	}
	host := regexp.MustCompile(`https://portal\.example\.com[^\s"'` + "`" + `]*`)
	for _, path := range paths {
		name := "clients/" + filepath.Base(path)
		text := docsPage(t, name)
		if !strings.Contains(index, "("+name+")") {
			t.Errorf("assistants.md does not link %s", name)
		}
		for _, at := range host.FindAllString(
			strings.ReplaceAll(text, "PORTAL_URL=https://portal.example.com ", ""),
			-1,
		) {
			if at != "https://portal.example.com"+mcp.Path {
				t.Errorf("%s names %s", name, at)
			}
		}
		if name != "clients/curl.md" {
			setUp(t, name, fences(text))
		}
	}
}

// configured: every configuration is JSON, or TOML of a client that has no JSON, and
// names the endpoint.
func setUp(t *testing.T, name string, blocks []fence) {
	t.Helper()
	for _, b := range blocks {
		if b.kind == "json" && !json.Valid([]byte(b.text)) || b.kind != "json" && b.kind != "toml" {
			t.Errorf("%s: a configuration in %q is wrong: %s", name, b.kind, b.text)
		}
		if !strings.Contains(b.text, `"https://portal.example.com`+mcp.Path+`"`) {
			t.Errorf("%s: a configuration without the endpoint: %s", name, b.text)
		}
	}
	if len(blocks) == 0 {
		t.Errorf("%s has no configuration", name)
	}
}

// TestDocsContainNoFullKeys: they are abbreviated.
func TestDocsContainNoFullKeys(t *testing.T) {
	t.Parallel()
	whole := regexp.MustCompile(`sk_(test|live)_pm_[0-9A-Za-z]`)
	err := fs.WalkDir(os.DirFS("../.."), "docs", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".md") {
			return err
		}
		text, err := os.ReadFile(filepath.Join("..", "..", path))
		if at := whole.FindIndex(text); at != nil {
			t.Errorf("%s:%d has a key", path, 1+bytes.Count(text[:at[0]], []byte("\n")))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
