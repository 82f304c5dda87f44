package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"portal/api/agreement/document/documenttest"
	"portal/api/agreement/document/seal"
	"portal/web/webtest"
)

// TestLeaseSignedByThreePartiesEndToEnd is the story of a lease: generated over REST, opened from the
// email, signed on a phone, by one tenant where no script runs and by the other in Spanish, and by the
// landlord; received as lease.signed, and fetched by each party without an account.
func TestLeaseSignedByThreePartiesEndToEnd(t *testing.T) {
	b := webtest.Open(t, webtest.Config{
		Program: os.Getenv("PORTAL_TEST_CHROMIUM"),
		Shots:   os.Getenv("PORTAL_TEST_SHOTS"),
	})
	onOneDatabase(t, func(t *testing.T, env ...string) { newSigningStory(t, b, env...).run() })
}

// signingStory is a lease that was generated in a served portfolio.
type signingStory struct {
	*story
	lease  map[string]any
	people []string // email addresses: two tenants and the landlord
}

func newSigningStory(t *testing.T, b *webtest.Browser, env ...string) *signingStory {
	t.Helper()
	return &signingStory{story: newStory(t, b, env...)}
}

func (s *signingStory) run() {
	s.Helper()
	s.generates()
	s.signsOnAPhone(0, webtest.Screen{Width: 360, Height: 780, Plain: true}, "en")
	s.signsOnAPhone(1, webtest.Phone, "es")
	s.signsOverHTTP(2)
	s.receives()
	s.keeps()
}

// generates has the endpoint listen, and a lease generated for two tenants.
func (s *signingStory) generates() {
	s.Helper()
	s.listens("lease.signed")
	property := s.live(http.MethodGet, "/properties?limit=1", "")["data"].([]any)[0].(map[string]any)["id"].(string)
	unit := s.live(http.MethodGet, "/properties/"+property, "")["units"].([]any)[0].(map[string]any)["id"].(string)
	var ids []string
	for i, tenant := range s.live(http.MethodGet, "/tenants?limit=2", "")["data"].([]any) {
		ids = append(ids, tenant.(map[string]any)["id"].(string))
		s.people = append(s.people, fmt.Sprintf("signer-%d@example.com", i))
		s.live(http.MethodPatch, "/tenants/"+ids[i], `{"email":"`+s.people[i]+`"}`)
	}
	s.people = append(s.people, s.vars["PORTAL_DEMO_LANDLORD"])
	s.lease = s.live(http.MethodPost, "/leases/generate", `{"property_id":"`+property+`","unit_id":"`+unit+
		`","tenant_id":"`+ids[0]+`","additional_tenant_ids":["`+ids[1]+`"],"start_date":"2035-01-01",
		"monthly_rent":1450.00,"lead_paint":{"hazards":"none","records":"none"}}`)
	if n := len(s.lease["signers"].([]any)); n != 3 {
		s.Fatalf("%d signers", n)
	}
}

// link is the path of a signer's page, from their email.
func (s *signingStory) link(i int) string {
	s.Helper()
	link := s.office.link(s.T, s.people[i], regexp.QuoteMeta(s.vars["PORTAL_URL"])+`/sign/sig_\w+\.[\w-]+`)
	if signer := s.lease["signers"].([]any)[i].(map[string]any); signer["esign_url"] != link {
		s.Errorf("the email has %s, the API %v", link, signer["esign_url"])
	}
	return strings.TrimPrefix(link, s.vars["PORTAL_URL"])
}

func (s *signingStory) name(i int) string {
	return s.lease["signers"].([]any)[i].(map[string]any)["name"].(string)
}

// code is the one that a signer's email has.
func (s *signingStory) code(i int) string {
	s.Helper()
	return regexp.MustCompile(`\d{6}`).FindString(s.office.link(s.T, s.people[i], `(?:is|es) \d{6}\s`))
}

// signsOnAPhone has a tenant sign in the browser; each page that they see is one that everybody can use.
func (s *signingStory) signsOnAPhone(i int, screen webtest.Screen, lang string) {
	s.Helper()
	p := &browserUser{Window: s.browser.Window(s.T), at: s.vars["PORTAL_URL"], screen: screen}
	path := s.link(i)
	shown := func(where string) {
		s.Helper()
		p.CheckInTurn(where + " in " + lang)
		p.Keep("sign-" + where + "-" + lang)
	}
	p.visit(path + "?lang=" + lang)
	shown("review")
	p.goes(`main form[action*="/review"] button`, path)
	shown("agree")
	p.Click(`main input[name="consent"]`)
	p.goes(`main form[action*="/code"] button`, path)
	shown("sign")
	p.write("code", s.code(i))
	p.write("name", s.name(i))
	p.goes(`main form:has([name="name"]) button[type="submit"]`, path)
	shown("signed")
	want := map[string]string{"en": "You have signed", "es": "Ha firmado"}[lang]
	if text := p.Text("main"); !strings.Contains(text, want) {
		s.Fatalf("after the signature: %s", text)
	}
}

// signsOverHTTP has a signer post the forms, as any program that follows them would.
func (s *signingStory) signsOverHTTP(i int) {
	s.Helper()
	at := s.vars["PORTAL_URL"] + s.link(i)
	post := func(path string, form url.Values) {
		s.Helper()
		r, err := http.NewRequestWithContext(s.Context(), http.MethodPost, at+path, strings.NewReader(form.Encode()))
		if err != nil {
			s.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			s.Fatal(err)
		}
		defer answer.Body.Close()
		if said, _ := io.ReadAll(answer.Body); answer.StatusCode != http.StatusOK {
			s.Fatalf("%s: %s: %s", path, answer.Status, said)
		}
	}
	post("/review", nil)
	post("/code", url.Values{"consent": {"on"}})
	post("", url.Values{"version": {"1"}, "code": {s.code(i)}, "name": {s.name(i)}})
}

// receives checks that the event came once, signed, about the lease as it is now.
func (s *signingStory) receives() {
	s.Helper()
	eventually(s.T, "lease.signed comes", func() bool { return len(s.receiver.came("lease.signed")) > 0 })
	all := s.receiver.came("lease.signed")
	if len(all) != 1 {
		s.Errorf("%d events", len(all))
	}
	about := s.about(all[0])
	s.lease = s.live(http.MethodGet, "/leases/"+s.lease["id"].(string), "")
	if about["id"] != s.lease["id"] || about["status"] != "signed" || about["document_url"] != nil ||
		about["document_sha256"] != s.lease["document_sha256"] || about["signed_at"] != s.lease["signed_at"] {
		s.Errorf("told of %v, and it is %v", about, s.lease)
	}
}

// keeps has each party fetch the signed lease by the link in their copy.
func (s *signingStory) keeps() {
	s.Helper()
	var content []byte
	for _, person := range s.people {
		link := s.office.link(s.T, person, regexp.QuoteMeta(s.vars["PORTAL_URL"])+`/documents/doc_\w+\.[\w-]+`)
		if link != s.lease["document_url"] {
			s.Errorf("the copy of %s is %s, the API has %v", person, link, s.lease["document_url"])
		}
		got := s.fetch(link)
		if sum := sha256.Sum256(got); hex.EncodeToString(sum[:]) != s.lease["document_sha256"] {
			s.Errorf("the copy of %s has the SHA-256 %x, the API has %v", person, sum, s.lease["document_sha256"])
		}
		if content != nil && !bytes.Equal(content, got) {
			s.Errorf("the copy of %s is another one", person)
		}
		content = got
	}
	out := documenttest.Tool(s.T, content, "qpdf", "--check", "FILE")
	if !strings.Contains(out, "No syntax or stream encoding errors found") {
		s.Error(out)
	}
	out = documenttest.Tool(s.T, content, "pdfsig", "FILE")
	for _, want := range []string{"Signature is Valid", "Total document signed", "ETSI.CAdES.detached"} {
		if !strings.Contains(out, want) {
			s.Errorf("pdfsig does not say %q: %s", want, out)
		}
	}
	said := strings.Join(strings.Fields(documenttest.Tool(s.T, content, "pdftotext", "-raw", "FILE", "-")), " ")
	for i, person := range s.people {
		for _, want := range []string{
			"Entered the code that was sent to " + person,
			"typed the name “" + s.name(i) + "”",
		} {
			if !strings.Contains(said, want) {
				s.Errorf("the signed lease does not say %q", want)
			}
		}
	}
	s.verifiedByOpenSSL(content)
	s.verifiedByPortal(content)
}

// verifiedByPortal has the command say what the file is: genuine, and with another byte in it changed.
func (s *signingStory) verifiedByPortal(content []byte) {
	s.Helper()
	for want, file := range map[string][]byte{
		"genuine": content,
		"changed": append(bytes.Clone(content), '\n'),
	} {
		path := filepath.Join(s.TempDir(), want+".pdf")
		if err := os.WriteFile(path, file, 0o600); err != nil {
			s.Fatal(err)
		}
		code, out, errs := s.home.run(s.T, "agreement", "verify", path, "--json")
		var verdict struct {
			Verdict string
			LeaseID string `json:"lease_id"`
			Signers []struct{ Name string }
		}
		if err := json.Unmarshal([]byte(out), &verdict); err != nil {
			s.Fatalf("%s: %v, %s", out, err, errs)
		}
		signers := map[string]int{"genuine": 3}[want]
		if (code == 0) != (want == "genuine") || verdict.Verdict != want || verdict.LeaseID != s.lease["id"] ||
			len(verdict.Signers) != signers {
			s.Errorf("a %s file: exit code %d, %s", want, code, out)
		}
	}
}

// sealed is where the seal of a file stands.
var sealed = regexp.MustCompile(`/ByteRange \[0 (\d+) (\d+) (\d+)\]`)

// verifiedByOpenSSL has OpenSSL hold the seal against the file, with the certificate that stands in it.
func (s *signingStory) verifiedByOpenSSL(content []byte) {
	s.Helper()
	cert, err := seal.Verify(content)
	if err != nil {
		s.Fatal(err)
	}
	place := sealed.FindSubmatch(content)
	from, _ := strconv.Atoi(string(place[1]))
	to, _ := strconv.Atoi(string(place[2]))
	message, err := hex.DecodeString(string(content[from+1 : to-1]))
	if err != nil {
		s.Fatal(err)
	}
	folder := s.TempDir()
	file := func(name string, content []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			s.Fatal(err)
		}
		return path
	}
	signed := file("signed", append(bytes.Clone(content[:from]), content[to:]...))
	authority := file("cert.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert.Raw}))
	out := documenttest.Tool(s.T, message, "openssl", "cms", "-verify", "-binary", "-cades", "-inform", "DER",
		"-in", "FILE", "-content", signed, "-CAfile", authority, "-partial_chain", "-purpose", "any",
		"-attime", strconv.FormatInt(time.Now().Unix(), 10), "-out", filepath.Join(folder, "out"))
	if !strings.Contains(out, "CAdES Verification successful") {
		s.Errorf("openssl says\n%s", out)
	}
}
