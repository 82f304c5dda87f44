package main

import (
	"bytes"
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
	"time"

	"portal/api/agreement/document/documenttest"
	"portal/api/clock"
	"portal/api/rest"
	"portal/api/sampled"
)

// sampleLanguage is a language of the samples: what runs them, and how a program of all of them
// is written.
type sampleLanguage struct {
	tag, file, program string
	arguments          []string
	whole              func(all []shown) string
}

// shown is a sample of the documentation.
type shown struct{ name, text string }

// mark is printed before what a sample prints.
const mark = "=== "

var languagesOfSamples = []sampleLanguage{
	{"sh", "samples.sh", "sh", []string{"-eu"}, func(all []shown) string {
		return each(all, func(s shown) string { return "echo '" + mark + s.name + "'\n" + s.text + "\necho\n" })
	}},
	{"js", "samples.mjs", "node", nil, func(all []shown) string {
		return each(
			all,
			func(s shown) string { return "console.log('" + mark + s.name + "');\n{\n" + s.text + "\n}\n" },
		)
	}},
	{"python", "samples.py", "python3", nil, func(all []shown) string {
		return each(all, func(s shown) string { return "print('" + mark + s.name + "')\n" + s.text + "\n" })
	}},
	{"go", "samples.go", "go", []string{"run"}, oneGoProgram},
	{"ruby", "samples.rb", "ruby", nil, func(all []shown) string {
		return each(all, func(s shown) string { return "puts '" + mark + s.name + "'\n" + s.text + "\n" })
	}},
	{"php", "samples.php", "php", nil, func(all []shown) string {
		return "<?php\n" + each(all, func(s shown) string {
			return "echo \"\\n" + mark + s.name + "\\n\";\n" + strings.TrimPrefix(s.text, "<?php\n") + "\n"
		})
	}},
}

func each(all []shown, write func(shown) string) string {
	var b strings.Builder
	for _, s := range all {
		b.WriteString(write(s))
	}
	return b.String()
}

var goImports = regexp.MustCompile(`(?s)^package main\n\nimport \((.*?)\n\)\n`)

// oneGoProgram has each sample as a function.
func oneGoProgram(all []shown) string {
	imports, calls, functions := map[string]bool{"\t\"fmt\"": true}, "", ""
	for i, s := range all {
		found := goImports.FindStringSubmatch(s.text)
		for name := range strings.FieldsSeq(found[1]) {
			imports["\t"+name] = true
		}
		function := fmt.Sprintf("sample%d", i)
		functions += strings.Replace(
			strings.TrimPrefix(s.text, found[0]),
			"func main()",
			"func "+function+"()",
			1,
		) + "\n"
		calls += fmt.Sprintf("\tfmt.Println(%q)\n\t%s()\n", mark+s.name, function)
	}
	return "package main\n\nimport (\n" + strings.Join(
		slices.Sorted(maps.Keys(imports)),
		"\n",
	) + "\n)\n\nfunc main() {\n" + calls + "}\n" + functions
}

// TestDocsSamplesRun runs what a reader would copy, in one program a
// language, against a server with the demo: every other language, in each run others.
func TestDocsSamplesRun(t *testing.T) {
	t.Parallel()
	s := assisting(t)
	described := s.described(t)
	taken := sampled.OneIn(t, 2)
	for i, l := range languagesOfSamples {
		if !taken(i) {
			continue
		}
		t.Run(l.tag, func(t *testing.T) {
			needs(t, l.program)
			needs(t, "openssl")
			s.speaks(t, l, described)
		})
	}
}

// describedOperation is what the OpenAPI document says of an operation.
type describedOperation struct {
	page    string // of the reference
	name    string
	example map[string]any // of its answer, nil where it has none
}

func (s *service) described(t *testing.T) (all []describedOperation) {
	t.Helper()
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string
			Tags        []string
			Responses   map[string]struct {
				Content map[string]struct{ Example json.RawMessage }
			}
		}
	}
	if err := json.Unmarshal([]byte(s.read(t, "/openapi.json")), &doc); err != nil {
		t.Fatal(err)
	}
	for _, methods := range doc.Paths {
		for _, op := range methods {
			if _, streams := op.Responses["200"].Content["text/event-stream"]; streams {
				continue // it has no end
			}
			if _, file := op.Responses["200"].Content["text/csv"]; file {
				continue // it is no JSON
			}
			d := describedOperation{
				page: "/docs/api/" + strings.ToLower(op.Tags[0]) + "/" + op.OperationID + ".md",
				name: op.OperationID,
			}
			for _, status := range []string{"200", "201", "202", "204"} {
				if answer, has := op.Responses[status]; has {
					d.example = nil
					if text := answer.Content["application/json"].Example; text != nil {
						if err := json.Unmarshal(text, &d.example); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			all = append(all, d)
		}
	}
	slices.SortFunc(
		all,
		func(a, b describedOperation) int { return strings.Compare(afterOthers(a.name), afterOthers(b.name)) },
	)
	return all
}

// afterOthers is by what operations are sorted. A draft that is generated locks the email address of its
// tenant, which another operation changes, a clock that is ahead stays so, and a reset takes all records away.
func afterOthers(name string) string {
	switch name {
	case "generate_lease":
		return "~" + name
	case "advance_test_clock":
		return "~~" + name
	case "reset_demo_portfolio":
		return "~~~" + name
	}
	return name
}

func (s *service) read(t *testing.T, path string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.vars["PORTAL_URL"]+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(response.Body); err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v", path, response.StatusCode, err)
	}
	return b.String()
}

// guides are the pages with samples of their own beside those of the reference.
var guides = []string{"quickstart", "authentication", "pagination", "idempotency", "previews", "test-clock"}

// speaks runs the samples of a language: one of each operation, and what the guides have
// besides.
func (s *service) speaks(t *testing.T, l sampleLanguage, described []describedOperation) {
	t.Helper()
	var all []shown
	have := map[string]bool{}
	add := func(name, page string) {
		for _, f := range fences(page) {
			if f.kind == l.tag && !have[f.text] {
				have[f.text] = true
				// One recipient gets at most five emails an hour, and one unit a number.
				text := strings.NewReplacer(
					"sam.rivera@example.com",
					"sam."+l.tag+"@example.com",
					`"9F"`,
					`"9F `+l.tag+`"`,
					"kim.soto@example.com",
					"kim."+l.tag+"@example.com",
					"2027-11-02", // on which the sample of the test clock was written
					clock.DateOf(time.Now(), time.UTC).AddMonths(1).String(),
				).Replace(s.own(t, name, f.text))
				all = append(all, shown{name, text})
			}
		}
	}
	for _, op := range described {
		add(op.name, s.read(t, op.page))
	}
	if len(all) != len(described) {
		t.Fatalf("%d operations have %d samples", len(described), len(all))
	}
	for _, g := range guides {
		add("guide "+g, s.read(t, "/docs/"+g+".md"))
	}
	said := l.run(t, l.whole(all))
	for _, op := range described {
		answered(t, op, said[op.name])
	}
	if year := said["guide test-clock"]; year != "expired" {
		t.Errorf("after a year the lease is %q", year)
	}
	var lease struct{ ID string }
	if err := json.Unmarshal([]byte(said["generate_lease"]), &lease); err != nil {
		t.Fatal(err)
	}
	s.exchange(t, http.MethodPatch, "/leases/"+lease.ID, `{"status": "voided"}`, "")
}

// run runs a program, and is what each of its samples has printed.
func (l sampleLanguage) run(t *testing.T, program string) map[string]string {
	t.Helper()
	file := filepath.Join(t.TempDir(), l.file)
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"rentroll.csv":    []byte(sampleRoll),
		"house-rules.pdf": documenttest.Pages("Quiet hours"),
	} {
		orFail(t, os.WriteFile(filepath.Join(filepath.Dir(file), name), content, 0o600))
	}
	c := exec.CommandContext(t.Context(), l.program, append(slices.Clone(l.arguments), file)...)
	c.Dir = filepath.Dir(file)
	out, err := c.Output()
	if err != nil {
		said := ""
		if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
			said = string(failed.Stderr)
		}
		t.Fatalf("%v: %s\n%s", err, said, out)
	}
	all := map[string]string{}
	for part := range strings.SplitSeq("\n"+string(out), "\n"+mark) {
		name, text, _ := strings.Cut(part, "\n")
		all[name] = strings.TrimSpace(text)
	}
	return all
}

// answered holds what a sample printed against the example of the answer: it has every
// member of it.
func answered(t *testing.T, op describedOperation, said string) {
	t.Helper()
	if op.example == nil {
		if said != "" {
			t.Errorf("%s: printed %s", op.name, said)
		}
		return
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(said), &got); err != nil {
		t.Errorf("%s: %v: %s", op.name, err, said)
		return
	}
	for name := range op.example {
		if _, has := got[name]; !has && name != "preview" {
			t.Errorf("%s: the answer has no %s: %s", op.name, name, said)
		}
	}
	if op.example["object"] != got["object"] {
		t.Errorf("%s: printed a %v", op.name, got["object"])
	}
}

var exampleID = regexp.MustCompile(`\b(prop|imp|unit|ten|lea|tpl|tkt|pay|we|evt|del)_01KA5R2M7Q8D4E6F9G1H3J5K7M`)

// own puts what the demo has in the place of what a sample names.
func (s *service) own(t *testing.T, name, text string) string {
	t.Helper()
	text = strings.ReplaceAll(text, "sk_test_pm_…", s.vars["PORTAL_TEST_KEY"])
	if ofUnsignedLease[name] {
		lease, signer := s.unsigned(t)
		text = leaseOrSigner.ReplaceAllStringFunc(text, func(id string) string {
			return map[bool]string{true: lease, false: signer}[strings.HasPrefix(id, "lea_")]
		})
		if attachmentID.MatchString(text) {
			text = attachmentID.ReplaceAllString(text, s.attaches(t, lease))
		}
	}
	return exampleID.ReplaceAllStringFunc(text, func(id string) string {
		prefix, _, _ := strings.Cut(id, "_")
		return s.some(t, prefix, name)
	})
}

// ofUnsignedLease are the operations of a lease that is out for signature.
var ofUnsignedLease = map[string]bool{
	"send_lease": true, "create_signing_link": true, "create_lease_attachment": true, "delete_lease_attachment": true,
}

// attaches attaches a PDF to a lease, and is the id of it.
func (s *service) attaches(t *testing.T, lease string) string {
	t.Helper()
	return s.exchange(t, http.MethodPost, "/leases/"+lease+"/attachments", sampleAttachment(), "")["id"].(string)
}

var attachmentID = regexp.MustCompile(`att_[0-9A-Z]{26}`)

var leaseOrSigner = regexp.MustCompile(`(?:lea|sig)_[0-9A-Z]{26}`)

// unsigned is a lease of the demo that is out for signature, and a signer who has yet to sign.
func (s *service) unsigned(t *testing.T) (lease, signer string) {
	t.Helper()
	drafts := s.exchange(t, http.MethodGet, "/leases?status=draft", "", "")["data"].([]any)
	var made map[string]any
	if len(drafts) > 0 {
		made = s.exchange(t, http.MethodGet, "/leases/"+drafts[0].(map[string]any)["id"].(string), "", "")
	}
	if signers, _ := made["signers"].([]any); len(signers) == 0 {
		made = s.exchange(t, http.MethodPost, "/leases/generate", `{"property_id": "`+s.some(t, "prop", "")+
			`", "unit_id": "`+s.some(t, "unit", "")+`", "tenant_id": "`+reached(t, s)+`", "start_date": "2027-06-01", "monthly_rent": 1450}`, "")
	}
	return made["id"].(string), made["signers"].([]any)[0].(map[string]any)["id"].(string)
}

// reached is a tenant with an email address that no sample changes.
func reached(t *testing.T, s *service) string {
	t.Helper()
	for _, each := range s.exchange(t, http.MethodGet, "/tenants?status=past", "", "")["data"].([]any) {
		if tenant := each.(map[string]any); tenant["email"] != nil {
			return tenant["id"].(string)
		}
	}
	t.Fatal("no former tenant has an email address")
	return ""
}

// sampleImport is the body of a request that sends a rent roll with the columns of the samples.
const sampleImport = importBegins + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"roll.csv\"\r\n\r\n" +
	"address,city,state,unit,tenant,Lease From,rent,Notes\n9 Pine St,Austin,TX,1,Ann Lee,2026-09-01,900,Has a dog\n\r\n" +
	importBegins + "--\r\n"

const importBegins = "--rentroll"

// sampleAttachment is the body of a request that attaches a PDF, for which each party enters their initials.
func sampleAttachment() string {
	const part = importBegins + "\r\nContent-Disposition: form-data; name="
	return part + "\"file\"; filename=\"rules.pdf\"\r\n\r\n" + string(documenttest.Pages("Quiet hours")) + "\r\n" +
		part + "\"requires_initials\"\r\n\r\ntrue\r\n" + importBegins + "--\r\n"
}

// sampleRoll is the rent roll of the samples.
const sampleRoll = "address,city,state,zip,unit,tenant,start,rent\n" +
	"9 Pine St,Austin,TX,78701,1,Dana Whitfield,2026-09-01,1450\n" +
	"9 Pine St,Austin,TX,78701,2,VACANT,,\n"

// typeOf is the type of a body.
func typeOf(body string) string {
	if strings.HasPrefix(body, importBegins) {
		return "multipart/form-data; boundary=" + importBegins[2:]
	}
	return "application/json"
}

// some is the id of a record of the demo that an operation works on.
func (s *service) some(t *testing.T, prefix, operation string) string {
	t.Helper()
	lists := map[string]string{
		"prop": "/properties",
		"ten":  "/tenants?status=current",
		"lea":  "/leases?status=active",
		"tpl":  "/lease_templates",
		"tkt":  "/maintenance/tickets?status=open",
		"pay":  "/payments",
	}
	if operation == "create_test_payment" { // one that is not paid yet
		lists["pay"] = "/payments?status=scheduled"
	}
	switch prefix {
	case "we":
		return s.someEndpoint(t, operation == "delete_webhook_endpoint")
	case "imp":
		return s.exchange(t, http.MethodPost, "/imports", sampleImport, "")["id"].(string)
	case "evt":
		return s.exchange(
			t,
			http.MethodPost,
			"/test_helpers/events",
			`{"type": "maintenance.created"}`,
			"",
		)["id"].(string)
	case "del":
		return s.exchange(
			t,
			http.MethodPost,
			"/webhooks/endpoints/"+s.someEndpoint(t, false)+"/test",
			"",
			"",
		)["id"].(string)
	case "unit":
		property := s.exchange(t, http.MethodGet, "/properties/"+s.some(t, "prop", ""), "", "")
		return property["units"].([]any)[0].(map[string]any)["id"].(string)
	}
	all := s.exchange(t, http.MethodGet, lists[prefix], "", "")["data"].([]any)
	if operation != "update_lease" {
		return all[0].(map[string]any)["id"].(string)
	}
	for _, one := range all { // one whose dates the example fits
		id := one.(map[string]any)["id"].(string)
		if s.exchange(t, http.MethodPatch, "/leases/"+id, `{"start_date": "2026-11-01"}`, "true")["id"] == id {
			return id
		}
	}
	t.Fatal("no lease takes the example")
	return ""
}

// someEndpoint is the id of an enabled webhook endpoint: a new one, or else one that is
// there, as at most 20 are enabled.
func (s *service) someEndpoint(t *testing.T, anew bool) string {
	t.Helper()
	for _, one := range s.exchange(t, http.MethodGet, "/webhooks/endpoints?limit=100", "", "")["data"].([]any) {
		if e := one.(map[string]any); !anew && e["status"] == "enabled" {
			return e["id"].(string)
		}
	}
	const body = `{"url": "https://hooks.example.com/portal", "description": "of a sample"}`
	return s.exchange(t, http.MethodPost, "/webhooks/endpoints", body, "")["id"].(string)
}

// exchange sends a request with the test key and takes its answer apart.
func (s *service) exchange(t *testing.T, method, path, body, dryRun string) map[string]any {
	t.Helper()
	request, err := http.NewRequestWithContext(
		t.Context(),
		method,
		s.vars["PORTAL_URL"]+rest.Base+path,
		strings.NewReader(body),
	)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+s.vars["PORTAL_TEST_KEY"])
	if body != "" {
		request.Header.Set("Content-Type", typeOf(body))
	}
	if dryRun != "" {
		request.Header.Set("Dry-Run", dryRun)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var got map[string]any
	if err := json.NewDecoder(response.Body).Decode(&got); err != nil {
		t.Fatal(err)
	}
	return got
}
