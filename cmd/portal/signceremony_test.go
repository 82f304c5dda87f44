package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"portal/api/agreement/ceremony"
	"portal/db/dbtest"
)

// ceremonyStep is what a signer does, in this order.
type ceremonyStep int

const (
	reviews ceremonyStep = iota
	asksForCode
	signs
)

// leaseSigner is who signs a lease.
type leaseSigner struct{ id, name, path string }

// ceremonyOfLease is a lease of the demo's test portfolio that was generated, and is signed by links.
type ceremonyOfLease struct {
	*service
	product  *product
	id       string
	document string
	attached string // id of an attachment for which all enter their initials, "" for none
	signers  []leaseSigner
	earlier  map[string]int // what there was before the lease of what is counted in the whole portfolio
}

// generates makes a lease for two tenants with an attachment, in dates of its own.
func (c *signChain) generates(t *testing.T, s *service) *ceremonyOfLease {
	t.Helper()
	write := func(method, path, body string, status int) *answer {
		t.Helper()
		return s.sent(t, &mutation{
			operation: method + " " + path,
			method:    method,
			path:      path,
			body:      body,
			status:    status,
		}, fmt.Sprintf("%s %s for lease %d", method, path, c.leases))
	}
	if c.leases == 0 {
		write("PATCH", "/lease_details", `{"address":"9 Pine Street, Austin, TX 78701","signer":"Dana Whitfield"}`, 200)
		write("POST", "/webhooks/endpoints", `{"url":"https://hooks.example.com/signed"}`, 201)
		made := write("POST", "/properties", `{"street_address":"7 Quay Street","city":"Austin","state":"TX",
			"unit":{"unit_number":"A","market_rent":1200}}`, 201)
		c.unit = c.value(t, "SELECT id FROM units WHERE property_id = $1", made.id())
	}
	c.leases++
	l := &ceremonyOfLease{service: s, product: c.product, earlier: map[string]int{}}
	for what, query := range countedOfSigning {
		l.earlier[what] = l.count(t, query)
	}
	start := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, 40*c.leases)
	tenants := dbtest.Texts(t, c.product.DB, `SELECT r.id
		FROM tenants r
		JOIN portfolios p ON p.id = r.portfolio_id
		WHERE p.mode = 'test' AND r.email IS NOT NULL
		ORDER BY r.id
		LIMIT 2`)
	body, err := json.Marshal(map[string]any{
		"property_id":           c.value(t, "SELECT property_id FROM units WHERE id = $1", c.unit),
		"unit_id":               c.unit,
		"tenant_id":             tenants[0],
		"additional_tenant_ids": tenants[1:],
		"start_date":            start.Format(time.DateOnly),
		"end_date":              start.AddDate(0, 0, 30).Format(time.DateOnly),
		"monthly_rent":          1200,
		"lead_paint":            map[string]string{"hazards": "none", "records": "none"},
	})
	dbtest.OK(t, err)
	l.read(t, write("POST", "/leases/generate", string(body), 201).body)
	l.attached = write("POST", "/leases/"+l.id+"/attachments", sampleAttachment(), 201).id()
	return l
}

// read takes over who signs from the answer of the API.
func (l *ceremonyOfLease) read(t *testing.T, body string) {
	t.Helper()
	var made struct {
		ID      string
		Signers []struct {
			ID, Name string
			EsignURL string `json:"esign_url"`
		}
	}
	dbtest.OK(t, json.Unmarshal([]byte(body), &made))
	l.id, l.document = made.ID, l.value(t, "SELECT id FROM documents WHERE lease_id = $1", made.ID)
	for _, s := range made.Signers {
		u, err := url.Parse(s.EsignURL)
		dbtest.OK(t, err)
		l.signers = append(l.signers, leaseSigner{s.ID, s.Name, u.Path})
	}
	if len(l.signers) != 3 {
		t.Fatalf("%d signers: %s", len(l.signers), body)
	}
}

// stays is a client that shows where an answer leads and does not go there, and sends nothing again.
var stays = &http.Client{
	Transport:     fresh.Transport,
	Timeout:       patience,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// take posts a step, from a browser that says a text of itself, or tells that the process has ended meanwhile.
func (l *ceremonyOfLease) take(t *testing.T, step ceremonyStep, i int, browser string) (status int, err error) {
	t.Helper()
	who := &l.signers[i]
	path, form := who.path, url.Values{}
	switch step {
	case reviews:
		path += "/review"
	case asksForCode:
		path += "/code"
		form.Set("consent", "on")
	case signs:
		form = url.Values{"version": {"1"}, "code": {l.code(t, who)}, "name": {strings.ToUpper(who.name)}}
		if l.attached != "" {
			first, last, _ := strings.Cut(who.name, " ")
			form.Set("version", "2")
			form.Set(ceremony.InitialsField(l.attached), first[:1]+last[:1])
		}
	}
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, l.vars["PORTAL_URL"]+path,
		strings.NewReader(form.Encode()))
	dbtest.OK(t, err)
	r.Header = http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "User-Agent": {browser}}
	response, err := stays.Do(r)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, err
}

// must is take of a step that is taken.
func (l *ceremonyOfLease) must(t *testing.T, step ceremonyStep, i int, browser string) {
	t.Helper()
	if status, err := l.take(t, step, i, browser); err != nil || status != http.StatusSeeOther {
		t.Fatalf("step %d of signer %d: %d, %v: %s", step, i, status, err, &l.err)
	}
}

// until takes all steps before one.
func (l *ceremonyOfLease) until(t *testing.T, step ceremonyStep, signer int) {
	t.Helper()
	for i := range signer + 1 {
		for s := reviews; s <= signs && (i < signer || s < step); s++ {
			l.must(t, s, i, "Before")
		}
	}
}

// finish takes all steps behind one.
func (l *ceremonyOfLease) finish(t *testing.T, step ceremonyStep, signer int) {
	t.Helper()
	for i := signer; i < len(l.signers); i++ {
		for s := reviews; s <= signs; s++ {
			if i > signer || s > step {
				l.must(t, s, i, "Behind")
			}
		}
	}
}

var codeOfMail = regexp.MustCompile(`\b\d{6}\b`)

// code is the latest one that was sent to a signer, "000000" for none.
func (l *ceremonyOfLease) code(t *testing.T, who *leaseSigner) string {
	t.Helper()
	sent := dbtest.Texts(t, l.product.DB,
		"SELECT id FROM mails WHERE about = $1 AND subject LIKE 'Your code%' ORDER BY id DESC LIMIT 1", who.id)
	if len(sent) == 0 {
		return "000000"
	}
	m, err := l.product.Mail.Mail(t.Context(), sent[0])
	dbtest.OK(t, err)
	return codeOfMail.FindString(m.Content.Text)
}

// countedOfSigning are things that only the leases of these tests leave.
var countedOfSigning = map[string]string{
	"events": "SELECT count(*) FROM events WHERE type = 'lease.signed'",
	"deliveries": `SELECT count(*) FROM deliveries d
		JOIN events e ON e.portfolio_id = d.portfolio_id AND e.id = d.event_id
		WHERE e.type = 'lease.signed'`,
	"endpoints": `SELECT count(DISTINCT e.id || d.endpoint_id) FROM deliveries d
		JOIN events e ON e.portfolio_id = d.portfolio_id AND e.id = d.event_id
		WHERE e.type = 'lease.signed'`,
	"copies": "SELECT count(*) FROM mails WHERE subject LIKE 'Signed by all:%'",
}

func (l *ceremonyOfLease) count(t *testing.T, query string, args ...any) (n int) {
	t.Helper()
	dbtest.Row(t, l.product.DB, query, args, &n)
	return n
}

// since counts what the lease has left.
func (l *ceremonyOfLease) since(t *testing.T) map[string]int {
	t.Helper()
	all := map[string]int{}
	for what, query := range countedOfSigning {
		all[what] = l.count(t, query) - l.earlier[what]
	}
	return all
}

// end is all that is kept of the lease but its log.
func (l *ceremonyOfLease) end(t *testing.T) string {
	t.Helper()
	return fmt.Sprint(
		dbtest.Texts(t, l.product.DB, "SELECT status || ' ' || version FROM leases WHERE id = $1", l.id),
		dbtest.Texts(t, l.product.DB, `SELECT position || CASE WHEN viewed_at IS NULL THEN '' ELSE ' viewed' END ||
				CASE WHEN consented_at IS NULL THEN '' ELSE ' consented' END ||
				CASE WHEN signed_at IS NULL THEN '' ELSE ' signed ' || signed_name END
			FROM lease_signers WHERE lease_id = $1 ORDER BY position`, l.id),
		l.count(t, `SELECT count(*) FROM signing_codes
			WHERE signer_id IN (SELECT id FROM lease_signers WHERE lease_id = $1)`, l.id),
		" codes, ",
		l.count(t, "SELECT count(*) FROM executed_documents WHERE document_id = $1", l.document),
		" signed documents, ",
		l.since(t),
	)
}

// state is all that is kept of the lease. Two leases that are at the same step have the same.
func (l *ceremonyOfLease) state(t *testing.T) string {
	t.Helper()
	return l.end(t) + fmt.Sprint(
		l.count(t, `SELECT count(*) FROM mails
			WHERE about IN (SELECT id FROM lease_signers WHERE lease_id = $1)`, l.id),
		" mails, log ",
		dbtest.Texts(t, l.product.DB,
			"SELECT kind || ' ' || name FROM document_evidence WHERE document_id = $1 ORDER BY number", l.document),
	)
}

// consistent holds what must be so after each kill: no signature without evidence or evidence without a
// signature, one event where the lease is in force and none before, the signed document with it, and a log that
// verifies.
func (l *ceremonyOfLease) consistent(t *testing.T) {
	t.Helper()
	if n := l.count(t, `SELECT count(*) FROM lease_signers s
		WHERE s.lease_id = $1 AND (s.signed_at IS NOT NULL) <> EXISTS (
			SELECT 1
			FROM document_evidence e
			WHERE e.portfolio_id = s.portfolio_id AND e.document_id = $2 AND e.party = s.id AND e.kind IN ('signed', 'signed_on_paper'))`,
		l.id, l.document); n != 0 {
		t.Errorf("the signatures and the evidence of %d signers differ", n)
	}
	const ofKind = "SELECT count(*) FROM document_evidence WHERE document_id = $1 AND kind = $2"
	initials, signatures := l.count(t, ofKind, l.document, "initialed"), l.count(t, ofKind, l.document, "signed")
	if l.attached != "" && initials != signatures {
		t.Errorf("%d signatures, and initials of %d", signatures, initials)
	}
	force := l.count(t, "SELECT count(*) FROM leases WHERE id = $1 AND status IN ('signed', 'active')", l.id)
	signed := l.count(t, `SELECT count(*) FROM executed_documents e
		JOIN leases l ON l.portfolio_id = e.portfolio_id AND l.document_id = e.document_id
		WHERE l.id = $1 AND l.document_sha256 = e.sha256`, l.id)
	left := l.since(t)
	if signed != force || left["events"] != force || left["deliveries"] != left["endpoints"] ||
		(left["deliveries"] > 0) != (force == 1) || (left["copies"] == len(l.signers)) != (force == 1) ||
		(left["copies"] == 0) != (force == 0) {
		t.Errorf("in force: %d, signed documents: %d, and it has left %v", force, signed, left)
	}
	found, err := l.product.Agreements.Verify(t.Context(), l.document)
	if err != nil || found != nil {
		t.Errorf("what is kept was changed: %v, %v", found, err)
	}
	l.opens(t, force == 1)
}

// opens fetches the document by the address that the API gives: the signed one with its hash.
func (l *ceremonyOfLease) opens(t *testing.T, signed bool) {
	t.Helper()
	var shown struct {
		URL    string  `json:"document_url"`
		SHA256 *string `json:"document_sha256"`
	}
	get := &mutation{operation: "get_lease", method: http.MethodGet, path: "/leases/" + l.id, status: http.StatusOK}
	dbtest.OK(t, json.Unmarshal([]byte(l.sent(t, get, "").body), &shown))
	u, err := url.Parse(shown.URL)
	dbtest.OK(t, err)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, l.vars["PORTAL_URL"]+u.Path, http.NoBody)
	dbtest.OK(t, err)
	response, err := fresh.Do(r)
	dbtest.OK(t, err)
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	dbtest.OK(t, err)
	sum := sha256.Sum256(content)
	if !bytes.HasPrefix(content, []byte("%PDF")) || (shown.SHA256 != nil) != signed ||
		signed && *shown.SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("signed: %t, %s answers %d with the hash %x, want %v",
			signed, shown.URL, response.StatusCode, sum, shown.SHA256)
	}
}
