package resident_test

import (
	"bytes"
	"encoding/base64"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/db/dbtest"
	"portal/web/pagetest"
	"portal/web/webtest"
)

var tokenField = regexp.MustCompile(`name="token" value="([^"]+)"`)

// signed is the PDF that all parties have signed.
func (s *signPages) signed() []byte {
	s.Helper()
	for i := range s.links {
		s.signs(i)
	}
	e, err := s.agreements.Execution(s.Context(), *s.lease.DocumentID)
	pagetest.Must(s.T, err)
	return e.Content
}

// uploads sends a file on the page that checks leases; nil sends none.
func (s *signPages) uploads(path string, content []byte, change func(*http.Request)) *httptest.ResponseRecorder {
	s.Helper()
	asked := s.gets(path)
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	pagetest.Must(s.T, m.WriteField("token", tokenField.FindStringSubmatch(asked.Body.String())[1]))
	if content != nil {
		part, err := m.CreateFormFile("file", "<b>lease</b>.pdf")
		pagetest.Must(s.T, err)
		_, err = part.Write(content)
		pagetest.Must(s.T, err)
	}
	pagetest.Must(s.T, m.Close())
	r := httptest.NewRequest(http.MethodPost, path, &body)
	r.Header.Set("Content-Type", m.FormDataContentType())
	for _, c := range asked.Result().Cookies() {
		r.AddCookie(c)
	}
	if change != nil {
		change(r)
	}
	rec := httptest.NewRecorder()
	s.ServeHTTP(rec, r)
	return rec
}

func TestAnyoneCanVerifyLeaseFile(t *testing.T) {
	s := newSignPages(t)
	_, d, err := s.agreements.Stored(t.Context(), *s.lease.DocumentID)
	pagetest.Must(t, err)
	unsigned, content := bytes.Clone(d.Content), s.signed()
	changed := bytes.Clone(content)
	changed[len(changed)/2] ^= 1
	before := dbtest.Dump(t, s.db, nil)
	for name, c := range map[string]struct {
		content []byte
		says    []string
		never   string
	}{
		"genuine": {
			content,
			[]string{
				"This is the lease that all parties signed", "Sam Rivera", "<b>Thảo</b> Nguyễn",
				"Dana Whitfield", " UTC",
				s.lease.ID, "This service seals with it", "What this check shows",
			},
			"Difference",
		},
		"changed": {changed, []string{"This file was changed", "The first difference is in"}, "Sam Rivera"},
		"appended": {append(bytes.Clone(content), ' '), []string{"This file was changed", "What follows was added"},
			"Sam Rivera"},
		"cut":      {content[:len(content)-9], []string{"This file was changed", "ends too early"}, "Sam Rivera"},
		"unsigned": {unsigned, []string{"This copy isn’t signed", "without signatures"}, "Sam Rivera"},
		"unknown":  {[]byte("%PDF-1.4 of somebody"), []string{"We don’t know this file"}, "Number of the lease"},
	} {
		rec := s.uploads("/verify", c.content, nil)
		text := words(rec)
		for _, want := range c.says {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %d without %q: %s", name, rec.Code, want, text)
			}
		}
		if rec.Code != http.StatusOK || strings.Contains(text, c.never) ||
			rec.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d, %s: %s", name, rec.Code, rec.Header().Get("Cache-Control"), text)
		}
		if problem := pagetest.Unbalanced(rec.Body.String()); problem != "" {
			t.Errorf("%s: %s", name, problem)
		}
		pagetest.Inert(t, rec)
	}
	dbtest.Unchanged(t, "a check", before, dbtest.Dump(t, s.db, nil))
	dbtest.Exec(t, s.db, "UPDATE executed_documents SET content = $1", changed)
	text := words(s.uploads("/verify", content, nil))
	for _, want := range []string{
		"We can’t vouch for this lease", "the signed document has another content", "has this SHA-256",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("tampered with, without %q: %s", want, text)
		}
	}
}

func TestVerifyErrorsAppearBesideField(t *testing.T) {
	s := newSignPages(t)
	for name, c := range map[string]struct {
		content []byte
		says    [2]string
	}{
		"no file":   {nil, [2]string{"Choose the PDF of the lease", "Elija el PDF"}},
		"an empty":  {[]byte{}, [2]string{"Choose the PDF of the lease", "Elija el PDF"}},
		"no PDF":    {[]byte("dear landlord"), [2]string{"This isn’t a PDF", "Esto no es un PDF"}},
		"too large": {make([]byte, agreement.MaxFile+1), [2]string{"larger than 20 MB", "supera los 20 MB"}},
		"far too large": {
			make([]byte, 3*agreement.MaxFile+1<<20), [2]string{"larger than 20 MB", "supera los 20 MB"},
		},
	} {
		s.now = s.now.Add(time.Minute) // the files of an address are counted by the minute
		for i, lang := range []string{"en", "es"} {
			rec := s.uploads("/verify?lang="+lang, c.content, nil)
			page := rec.Body.String()
			_, beside, _ := strings.Cut(page, `-error">`)
			if rec.Code != http.StatusBadRequest || !strings.Contains(beside, c.says[i]) ||
				!strings.Contains(page, `<html lang="`+lang+`">`) {
				t.Errorf("%s in %s: %d: %s", name, lang, rec.Code, words(rec))
			}
		}
	}
	s.now = s.now.Add(time.Minute)
	for name, change := range map[string]func(*http.Request){
		"no token":     func(r *http.Request) { r.Header.Del("Cookie") },
		"another site": func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
	} {
		if rec := s.uploads("/verify", []byte("%PDF-1.4"), change); rec.Code != http.StatusForbidden {
			t.Errorf("%s: %d", name, rec.Code)
		}
	}
}

func TestFileChecksAreLimitedToTenAMinutePerIP(t *testing.T) {
	s := newSignPages(t)
	for i := range 12 {
		rec := s.uploads("/verify", []byte("%PDF-1.4"), nil)
		if refused := rec.Code == http.StatusTooManyRequests; refused != (i >= 10) ||
			refused && rec.Header().Get("Retry-After") == "" {
			t.Errorf("the file %d: %d", i+1, rec.Code)
		}
	}
	other := s.uploads("/verify", []byte("%PDF-1.4"), func(r *http.Request) { r.RemoteAddr = "198.51.100.7:1" })
	if other.Code != http.StatusOK {
		t.Errorf("from another address: %d", other.Code)
	}
}

// TestVerifyPagesAreAccessible looks at the page in a browser, and sends a file on a phone on which no script
// runs.
func TestVerifyPagesAreAccessible(t *testing.T) {
	b := pagetest.Browser(t)
	s := newSignPages(t)
	content := s.signed()
	at := pagetest.Start(t, pagetest.Config{
		Now:    time.Now, // connections have deadlines by it
		Proofs: s.agreements,
	}) + "/verify"
	b.Look(t, at)
	b.Look(t, at+"?lang=es")
	w := b.Window(t)
	for _, screen := range []webtest.Screen{{Width: 360, Height: 780, Plain: true}, webtest.Phone} {
		w.Visit(screen, at)
		w.Do(`{ const chosen = new DataTransfer()
chosen.items.add(new File([Uint8Array.from(atob("` + base64.StdEncoding.EncodeToString(content) + `"),
	c => c.charCodeAt(0))], "lease.pdf", {type: "application/pdf"}))
document.querySelector("input[type=file]").files = chosen.files }`)
		w.Follow(`form[enctype="multipart/form-data"] button`)
		w.Await(`document.querySelector("h1").textContent === "This is the lease that all parties signed"`)
	}
	w.Check("the verdict")
}

// Whoever checks a lease that was ended before it started is told so.
func TestVerifyTellsThatLeaseWasEndedBeforeItStarted(t *testing.T) {
	s := newSignPages(t)
	content := s.signed()
	if text := words(s.uploads("/verify", content, nil)); strings.Contains(text, "was ended") {
		t.Error(text)
	}
	_, err := s.rules.Leases.UpdateLease(t.Context(), s.by, change.Target{ID: s.lease.ID}, lease.Update{
		Status:            change.To(portfolio.LeaseTerminated),
		TenantsAgreedOn:   change.To(clock.DateOf(s.now, s.by.Zone)),
		TerminationReason: change.To(new("They move.")),
	})
	pagetest.Must(t, err)
	for lang, want := range map[string]string{
		"en": "The lease was ended before it started, on Thursday, November 12, 2026.",
		"es": "El contrato terminó antes de empezar, el 12 de noviembre de 2026.",
	} {
		if text := words(s.uploads("/verify?lang="+lang, content, nil)); !strings.Contains(text, want) ||
			strings.Contains(text, "They move.") {
			t.Error(text)
		}
	}
}

// Whoever checks a lease sees which party has signed on paper, and that the landlord says so.
func TestVerifyTellsWhoSignedOnPaper(t *testing.T) {
	s := newSignPages(t)
	s.signs(0)
	signer := s.lease.Signers[1]
	pagetest.Must(
		t,
		s.signing.SignOnPaper(t.Context(), s.by, s.lease.ID, signer.ID, "dana@example.com", ceremony.Paper{
			Version: 1, On: clock.DateOf(s.now, s.by.Zone), Scan: []byte("%PDF-1.7 %%EOF"),
		}, ceremony.Client{}),
	)
	if text := words(s.gets(s.links[1])); !strings.Contains(text,
		"dana recorded that you signed on paper on Thursday, November 12, 2026.") {
		t.Error(text)
	}
	s.signs(2)
	e, err := s.agreements.Execution(t.Context(), *s.lease.DocumentID)
	pagetest.Must(t, err)
	for lang, want := range map[string]string{
		"en": "on paper on Thursday, November 12, 2026, as the landlord recorded on",
		"es": "en papel el 12 de noviembre de 2026, según registró el arrendador el",
	} {
		if text := words(s.uploads("/verify?lang="+lang, e.Content, nil)); !strings.Contains(text, want) {
			t.Error(text)
		}
	}
}
