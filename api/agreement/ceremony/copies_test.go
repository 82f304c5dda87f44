package ceremony_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/agreement/document/documenttest"
	"portal/api/agreement/document/seal"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/secret"
	"portal/api/tenantportal"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

// executes has all sign the lease: the tenants by their links, and then the landlord in the dashboard.
func (f *fixture) executes() {
	f.Helper()
	f.executesVersion(1)
}

func (f *fixture) executesVersion(version int) {
	f.Helper()
	f.signsVersion(0, version)
	f.signsVersion(1, version)
	f.ok(f.SignAsLandlord(f.Context(), f.by, f.lease.ID, "dana@example.com",
		ceremony.Signature{Version: version, Name: f.name(2)}, from))
}

func hashed(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

func TestLastSignatureExecutesLease(t *testing.T) {
	onEach(t, func(f *fixture) {
		before := f.page(0).Document
		f.executes()
		l := f.reread()
		shown, err := f.agreements.Document(f.Context(), strings.TrimPrefix(*l.DocumentURL, baseURL+"/documents/"))
		f.ok(err)
		if !shown.Executed || *l.DocumentSHA256 != hashed(shown.Content) || l.EsignURL != nil {
			f.Errorf("%t, %s, %v", shown.Executed, *l.DocumentSHA256, l.EsignURL)
		}
		if cert, err := seal.Verify(shown.Content); err != nil || cert.Subject.CommonName != "Portal" {
			f.Errorf("the seal: %v", err)
		}
		if f.events != 1 || f.raised == nil || *f.raised.DocumentSHA256 != *l.DocumentSHA256 ||
			*f.raised.SignedAt != *l.SignedAt {
			f.Errorf("%d events, %+v", f.events, f.raised)
		}
		at := dbtest.Texts(f, f.db, `SELECT CAST(at AS TEXT)
			FROM document_evidence
			WHERE kind IN ('signed', 'executed')
			ORDER BY number DESC
			LIMIT 2`)
		if want := fmt.Sprint(int64(*l.SignedAt)); at[0] != want || at[1] != want {
			f.Errorf("signed at %s, in the log at %v", want, at)
		}
		if got := fmt.Sprint(f.to(len(f.mails) - 3)); got !=
			"[sam@example.com Signed by all: nguyễn@example.com Signed by all: dana@example.com Signed by all:]" {
			f.Error(got)
		}
		for _, m := range f.mails[len(f.mails)-3:] {
			if !strings.Contains(m.Text, *l.DocumentURL) || !strings.Contains(m.HTML, *l.DocumentSHA256) {
				f.Errorf("the copy of %s: %s", m.To, m.Text)
			}
		}
		if p := f.page(0); p.Document != nil || p.Standing != ceremony.Executed || before == nil {
			f.Errorf("%+v", p)
		}
		pdf, _, err := f.PDF(f.Context(), f.token(1))
		if err != nil || hashed(pdf) != *l.DocumentSHA256 {
			f.Errorf("the PDF of a signer's page: %v", err)
		}
		f.intact()
	})
}

func TestLastSignatureEmailsTenantPageLinks(t *testing.T) {
	onEach(t, func(f *fixture) {
		box, err := secret.NewBox(make([]byte, secret.KeySize))
		f.ok(err)
		pages := tenantportal.New(f.rules, f.agreements, portfoliostore.New(f.db), box)
		f.TenantPages = pages
		f.executes()
		var opened []string
		for _, m := range f.mails[len(f.mails)-3:] {
			_, link, found := strings.Cut(m.Text, baseURL+tenantportal.Path)
			token, _, _ := strings.Cut(link, "\n")
			if m.To == "dana@example.com" {
				if found || strings.Contains(m.Text+m.HTML, "/sign/") {
					f.Errorf("the landlord has a link of a tenant: %s", m.Text)
				}
				continue
			}
			if !strings.Contains(m.HTML, baseURL+tenantportal.Path+token) {
				f.Errorf("%s has no link in HTML: %s", m.To, m.HTML)
			}
			v, err := pages.Open(f.Context(), token)
			f.ok(err)
			if v.Home().ID != f.lease.ID {
				f.Errorf("%s opens %s", m.To, v.Home().ID)
			}
			opened = append(opened, *v.Tenant.Email)
		}
		if got := fmt.Sprint(opened); got != "[sam@example.com nguyễn@example.com]" {
			f.Error(got)
		}
	})
}

// intact holds what is kept of the lease's document against its log.
func (f *fixture) intact() {
	f.Helper()
	found, err := f.agreements.Verify(f.Context(), *f.lease.DocumentID)
	if err != nil || found != nil {
		f.Error(found, err)
	}
}

func TestCertificateDescribesEachPartysSigning(t *testing.T) {
	f := newFixture(t, dbtest.SQLite(t))
	other := from
	from := ceremony.Client{Address: "2001:db8::7", Browser: "Other/1.0"}
	f.signs(1)
	code := f.code(0)
	f.now = f.now.Add(3 * time.Minute)
	f.ok(f.Sign(f.Context(), f.token(0), ceremony.Signature{Version: 1, Code: code, Name: "sam RIVERA "}, from))
	f.now = f.now.Add(time.Hour)
	f.ok(f.SignAsLandlord(f.Context(), f.by, f.lease.ID, "dana@example.com",
		ceremony.Signature{Version: 1, Name: f.name(2)}, other))
	e, err := f.agreements.Execution(f.Context(), *f.lease.DocumentID)
	f.ok(err)
	said := strings.Join(strings.Fields(documenttest.Tool(t, e.Content, "pdftotext", "-raw", "FILE", "-")), " ")
	at := func(after time.Duration) string {
		return clock.At(dbtest.Noon().Std().Add(after)).Std().Format("January 2, 2006, 15:04:05") + " UTC"
	}
	for _, want := range []string{
		"Certificate of signatures",
		"Entered the code that was sent to sam@example.com",
		"Entered the code that was sent to nguyễn@example.com",
		"Signed in to the account of dana@example.com and confirmed it with a password, passkey or code",
		"typed the name “sam RIVERA”",
		"Sam Rivera agreed to electronic records on " + at(0),
		"Dana Whitfield agreed to electronic records on " + at(time.Hour+3*time.Minute),
		"Sam Rivera signed with this browser: Other/1.0",
		"Nguyễn Thảo signed with this browser: Mozilla/5.0 (iPhone)",
		at(3 * time.Minute),
		"2001:db8::7",
		baseURL + "/verify",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the certificate does not say %q", want)
		}
	}
	if strings.Contains(said, "code that was sent to dana@example.com") {
		t.Error("the certificate claims a code of the landlord, who signed in the dashboard")
	}
}

func TestSignedCopyOutlivesAccount(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.executes()
		token := strings.TrimPrefix(f.agreements.Link(*f.lease.DocumentID), baseURL+"/documents/")
		dbtest.Exec(f.T, f.db, "UPDATE accounts SET closed_at = $1", f.now.UnixMilli())
		f.now = f.now.AddDate(3, 0, 0)
		if shown, err := f.agreements.Document(f.Context(), token); err != nil || !shown.Executed {
			f.Errorf("%+v, %v", shown, err)
		}
		if _, err := f.agreements.Document(f.Context(), token[:len(token)-2]+"AA"); !fault.Is(err, fault.NoRecord) {
			f.Errorf("a guessed link: %v", err)
		}
	})
}

func TestChangedSignedCopyIsDetected(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.executes()
		for _, c := range []struct{ change, undo, want string }{
			{
				"UPDATE executed_documents SET sha256 = 'x' || sha256",
				"UPDATE executed_documents SET sha256 = substr(sha256, 2)",
				"[the signed document has another hash]",
			},
			{
				"UPDATE leases SET document_sha256 = 'x' || document_sha256 WHERE document_id IS NOT NULL",
				"UPDATE leases SET document_sha256 = substr(document_sha256, 2) WHERE document_id IS NOT NULL",
				"[the signed document has another hash]",
			},
			{
				"CREATE TABLE kept AS SELECT * FROM executed_documents",
				"SELECT 1",
				"[]",
			},
			{
				"DELETE FROM executed_documents",
				"INSERT INTO executed_documents SELECT * FROM kept",
				"[the signed document is missing]",
			},
		} {
			dbtest.Exec(f.T, f.db, c.change)
			found, err := f.agreements.Verify(f.Context(), *f.lease.DocumentID)
			if got := fmt.Sprint(found); err != nil || got != c.want {
				f.Errorf("%s: %s, %v", c.change, got, err)
			}
			dbtest.Exec(f.T, f.db, c.undo)
		}
		e, err := f.agreements.Execution(f.Context(), *f.lease.DocumentID)
		f.ok(err)
		for at := 0; at < len(e.Content); at += max(1, len(e.Content)/40) {
			changed := slices.Clone(e.Content)
			changed[at] ^= 1
			dbtest.Exec(f.T, f.db, "UPDATE executed_documents SET content = $1", changed)
			found, err := f.agreements.Verify(f.Context(), *f.lease.DocumentID)
			if got := fmt.Sprint(found); err != nil || got != "[the signed document has another content]" {
				f.Errorf("byte %d: %s, %v", at, got, err)
			}
		}
		dbtest.Exec(f.T, f.db, "UPDATE executed_documents SET content = $1", e.Content)
		f.intact()
	})
}

// meddler is a sealer during whose work somebody else writes.
type meddler struct {
	agreement.Sealer
	meddle func()
	sealed int
}

func (m *meddler) Seal(content []byte, w seal.Words) ([]byte, error) {
	if m.sealed++; m.sealed == 1 {
		m.meddle()
	}
	return m.Sealer.Seal(content, w)
}

func TestSealIsRedoneAfterConcurrentWrite(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.signs(0)
		f.signs(1)
		code := f.code(2)
		m := &meddler{Sealer: f.agreements.Sealer, meddle: func() {
			f.ok(f.SendLink(f.Context(), f.by, f.lease.ID, f.lease.Signers[2].ID)) // an entry of the log
		}}
		f.agreements.Sealer = m
		f.ok(f.Sign(f.Context(), f.token(2), ceremony.Signature{Version: 1, Code: code, Name: f.name(2)}, from))
		if m.sealed != 2 {
			f.Errorf("sealed %d times", m.sealed)
		}
		if got := f.log(); !strings.HasSuffix(got, "mail_queued Dana Whitfield, mail_queued Dana Whitfield, "+
			"code_given Dana Whitfield, signed Dana Whitfield, executed") {
			f.Errorf("the log is %s", got)
		}
		f.intact()
		e, err := f.agreements.Execution(f.Context(), *f.lease.DocumentID)
		f.ok(err)
		entries := dbtest.Texts(f, f.db, "SELECT CAST(count(*) - 1 AS TEXT) FROM document_evidence")[0]
		said := strings.Join(strings.Fields(documenttest.Tool(t, e.Content, "pdftotext", "-raw", "FILE", "-")), " ")
		if want := "The log has " + entries + " entries so far"; !strings.Contains(said, want) {
			f.Errorf("the certificate does not say %q", want)
		}
	})
}

func TestSignedDocumentIgnoresLaterRecordChanges(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.signs(0)
		_, err := f.agreements.UpdateDetails(f.Context(), f.by, change.Target{}, agreement.DetailsUpdate{
			Address: change.To[*string](nil),
		})
		f.ok(err)
		dbtest.Exec(f.T, f.db, "UPDATE accounts SET name = 'አበበ'") // which the document's font does not have
		f.signs(1)
		f.signs(2)
		if l := f.reread(); l.Status != portfolio.LeaseSigned {
			f.Error(l.Status)
		}
	})
}

func TestEachSigningCodeRequestRecordsConsent(t *testing.T) {
	f := newFixture(t, dbtest.SQLite(t))
	f.code(2) // somebody else who signs for the landlord
	_, err := f.agreements.UpdateDetails(f.Context(), f.by, change.Target{}, agreement.DetailsUpdate{
		Signer: change.To(new("Robin Calloway")),
	})
	f.ok(err)
	_, err = f.agreements.UpdateLease(f.Context(), f.by, change.Target{ID: f.lease.ID},
		lease.Update{MonthlyRent: change.To(money.Dollars(1777))})
	f.ok(err)
	f.now = f.now.Add(2 * time.Hour)
	f.signsVersion(0, 2)
	f.signsVersion(1, 2)
	f.ok(f.Review(f.Context(), f.token(2), from))
	f.ok(f.SendCode(f.Context(), f.token(2), from))
	code := sixDigits.FindString(f.mails[len(f.mails)-1].Text)
	f.ok(f.Sign(f.Context(), f.token(2), ceremony.Signature{Version: 2, Code: code, Name: "Robin Calloway"}, from))
	e, err := f.agreements.Execution(f.Context(), *f.lease.DocumentID)
	f.ok(err)
	said := strings.Join(strings.Fields(documenttest.Tool(t, e.Content, "pdftotext", "-raw", "FILE", "-")), " ")
	if want := "Robin Calloway agreed to electronic records on " +
		f.now.UTC().Format("January 2, 2006, 15:04:05"); !strings.Contains(said, want) {
		t.Errorf("the certificate does not say %q", want)
	}
}
