package lease_test

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"portal/api/access"
	"portal/db/dbtest"
	"portal/web/pagetest"
)

const aScan = "%PDF-1.7\nDana's signature\n%%EOF\n"

// signer is the id of a signer of a lease by their name.
func (e *leasePages) signer(at, name string) string {
	e.Helper()
	return dbtest.Texts(e.T, e.DB, "SELECT id FROM lease_signers WHERE lease_id = $1 AND name = $2",
		strings.TrimPrefix(at, "/test/leases/"), name)[0]
}

// recordsPaper sends the form that records a signature on paper, with a file.
func recordsPaper(r *pagetest.Reader, at string, form url.Values, name, content string) *httptest.ResponseRecorder {
	return sendsFile(r, at, form, "scan", name, content)
}

// sendsFile sends a form with a file.
func sendsFile(
	r *pagetest.Reader, at string, form url.Values, field, name, content string,
) *httptest.ResponseRecorder {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	form = pagetest.With(form, "token", r.Token("/settings"), "once", rand.Text())
	for key, values := range form {
		_ = w.WriteField(key, values[0])
	}
	part, _ := w.CreateFormFile(field, name)
	_, _ = part.Write([]byte(content))
	_ = w.Close()
	return r.Send(http.MethodPost, at, nil, func(q *http.Request) {
		with := httptest.NewRequest(http.MethodPost, "/", &b)
		q.Body, q.ContentLength = with.Body, with.ContentLength
		q.Header.Set("Content-Type", w.FormDataContentType())
	})
}

func TestOwnerRecordsSignatureOnPaper(t *testing.T) {
	e := newLeasePages(t)
	owner := e.Member(access.Owner)
	at := e.generated(owner)
	signer := e.signer(at, "Dana Whitfield")
	paper := at + "/signers/" + signer + "/paper"
	owner.Says(owner.Get(at), http.StatusOK, "Signed on paper")
	owner.Says(owner.Get(paper), http.StatusOK, "Dana Whitfield signed on paper")
	owner.Says(owner.Get(paper), http.StatusOK, "no code was asked and no email address was proved")
	form := owner.Shown(paper)
	today := form.Get("signed_on")
	if today != "" {
		t.Errorf("the day is filled in: %s", today)
	}
	today = dbtest.Noon().Std().Format("2006-01-02")
	form.Set("signed_on", today)
	var zipped strings.Builder
	zipped.WriteString("PK\x03\x04 lease")
	for what, c := range map[string]struct{ name, content, want string }{
		"a zip":      {"lease.pdf", zipped.String(), "This isn’t a PDF, JPEG or PNG file."},
		"an 11 MB":   {"lease.pdf", "%PDF-1.7" + strings.Repeat("x", 11<<20) + "%%EOF", "The file is larger than 10"},
		"a 35 MB":    {"lease.pdf", "%PDF-1.7" + strings.Repeat("x", 35<<20) + "%%EOF", "The file is larger than 10"},
		"an empty":   {"lease.pdf", "", "Choose the scan"},
		"a page":     {"lease.pdf", "<script>alert(1)</script>", "This isn’t a PDF, JPEG or PNG file."},
		"half a PDF": {"lease.pdf", "%PDF-1.7 and no end", "The PDF is damaged"},
	} {
		t.Run(what, func(t *testing.T) {
			rec := recordsPaper(owner, paper, form, c.name, c.content)
			owner.Says(rec, http.StatusBadRequest, c.want)
		})
	}
	owner.Says(recordsPaper(owner, paper, pagetest.With(form, "signed_on", ""), "l.pdf", aScan), http.StatusBadRequest,
		"Enter the day the lease was signed.")
	owner.Says(recordsPaper(owner, paper, pagetest.With(form, "signed_on", "2039-01-01"), "l.pdf", aScan),
		http.StatusBadRequest, "must not be in the future")
	owner.Says(recordsPaper(owner, paper, pagetest.With(form, "version", "7"), "l.pdf", aScan),
		http.StatusBadRequest, "The lease has changed.")
	owner.Leads(recordsPaper(owner, paper, form, "l.pdf", aScan), at)
	owner.Leads(recordsPaper(owner, paper, form, "l.pdf", aScan), at) // a double press
	owner.Says(owner.Get(at), http.StatusOK, "The signature on paper is recorded.")
	owner.Says(owner.Get(at), http.StatusOK, "Download scan")
	owner.Leads(recordsPaper(owner, paper, form, "l.pdf", aScan+"\n%%EOF"), at)
	owner.Says(owner.Get(at), http.StatusOK, "It is recorded already that Dana Whitfield signed on paper.")
	owner.Leads(owner.Get(paper), at)
	if kinds := dbtest.Texts(
		t,
		e.DB,
		"SELECT kind FROM document_evidence WHERE kind NOT IN ('mail_kept', 'generated') ORDER BY number",
	); len(kinds) != 1 ||
		kinds[0] != "signed_on_paper" {
		t.Error(kinds)
	}

	scan := at + "/signers/" + signer + "/scan"
	rec := owner.Get(scan)
	h := rec.Header()
	if rec.Code != http.StatusOK || rec.Body.String() != aScan || h.Get("Content-Type") != "application/pdf" ||
		h.Get("Content-Disposition") != fmt.Sprintf(`attachment; filename="signed-on-paper-%s.pdf"`, today) ||
		h.Get(
			"X-Content-Type-Options",
		) != "nosniff" || !strings.Contains(h.Get("Content-Security-Policy"), "sandbox") ||
		!strings.Contains(h.Get("Cache-Control"), "no-store") {
		t.Errorf("%d %v", rec.Code, h)
	}
	manager := e.Member(access.Manager)
	manager.Says(manager.Get(at), http.StatusOK, "Signed on paper on")
	for _, closed := range []string{paper, scan} {
		if rec := manager.Get(
			closed,
		); rec.Code == http.StatusOK ||
			strings.Contains(manager.Get(at).Body.String(), closed) {
			t.Errorf("a manager gets %s: %d", closed, rec.Code)
		}
	}
	for _, other := range []string{paper, scan} { // the other portfolio of the account has no such lease
		other = strings.Replace(other, "/test/", "/live/", 1)
		owner.Says(owner.Get(other), http.StatusNotFound, "")
	}
	elsewhere := strings.Replace(paper, "/test/", "/live/", 1)
	owner.Says(recordsPaper(owner, elsewhere, form, "l.pdf", aScan), http.StatusNotFound, "")
}

// A photo of the page that the landlord signs is as good as a PDF. A lease that was not sent needs no email.
func TestUnsentLeaseIsSignedOnPaperByAll(t *testing.T) {
	e := newLeasePages(t)
	owner := e.Member(access.Owner)
	form := pagetest.With(owner.Shown(e.form), "tenant_id", e.dana, "start_date", "2028-01-01", "end_date", "",
		"monthly_rent", "1500", "lead_paint.hazards", "none", "lead_paint.records", "none")
	at := strings.TrimSuffix(owner.Post("/test/leases/generate", e.form, form).Header().Get("Location"), "/money")
	owner.Says(owner.Get(at), http.StatusOK, "This draft hasn’t been sent yet.")
	names := dbtest.Texts(t, e.DB, "SELECT name FROM lease_signers WHERE lease_id = $1 ORDER BY position",
		strings.TrimPrefix(at, "/test/leases/"))
	var photo bytes.Buffer
	pagetest.Must(t, png.Encode(&photo, image.NewGray(image.Rect(0, 0, 60, 80))))
	for i, name := range names {
		paper := at + "/signers/" + e.signer(at, name) + "/paper"
		form := pagetest.With(owner.Shown(paper), "signed_on", dbtest.Noon().Std().Format("2006-01-02"))
		owner.Leads(recordsPaper(owner, paper, form, "page.png", photo.String()), at)
		if i+1 < len(names) {
			owner.Says(owner.Get(at), http.StatusOK, "This lease hasn’t been sent yet.")
		}
	}
	signed := owner.Get(at)
	owner.Says(signed, http.StatusOK, "Signed residential lease agreement")
	if lead := leading(signed); !strings.Contains(lead, "Open signed lease") ||
		!strings.Contains(lead, "/documents/doc_") {
		t.Errorf("the page of a signed lease leads to %s", lead)
	}
	inOrder := []string{`id="document"`, `id="signatures"`, `id="charges"`}
	for i, at := 0, -1; i < len(inOrder); i++ {
		next := strings.Index(signed.Body.String(), inOrder[i])
		if next <= at {
			t.Errorf("%s stands at %d, what is before it at %d", inOrder[i], next, at)
		}
		at = next
	}
	if n := dbtest.Texts(t, e.DB, "SELECT CAST(count(*) AS TEXT) FROM executed_documents")[0]; n != "1" {
		t.Errorf("%s signed documents", n)
	}
}

// leading is the link that a page leads with.
func leading(page *httptest.ResponseRecorder) string {
	_, link, _ := strings.Cut(page.Body.String(), `<a class="b pri"`)
	link, _, _ = strings.Cut(link, "</a>")
	return link
}
