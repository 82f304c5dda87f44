package agreement_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"portal/api/agreement"
	"portal/api/agreement/document"
	"portal/api/agreement/document/pdf"
	"portal/api/agreement/evidence"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/terms"
	"portal/api/secret"
	"portal/db/dbtest"
)

// drafted is a draft that has been changed so often, each time with another rent.
func (f *fixture) drafted(changes int) (l *agreement.LeaseWithTerms, documentID string) {
	f.Helper()
	l = f.generates(func(g *agreement.LeaseGenerate) {
		g.LeadPaint = &terms.LeadPaint{Hazards: terms.NoHazards, Records: terms.NoRecords}
	})
	for i := range changes {
		f.raises(l.ID, money.Dollars(int64(1500+i)))
	}
	return l, dbtest.Texts(f, f.db, "SELECT id FROM documents WHERE lease_id = '"+l.ID+"'")[0]
}

func (f *fixture) raises(leaseID string, rent money.Cents) {
	f.Helper()
	_, err := f.UpdateLease(f.Context(), f.by, change.Target{ID: leaseID}, lease.Update{MonthlyRent: change.To(rent)})
	f.ok(err)
}

func TestVersionsAreAppendedAndUnviewedOnesEmptied(t *testing.T) {
	onEach(t, func(f *fixture) {
		l, documentID := f.drafted(1)
		dbtest.Exec(f, f.db, "UPDATE document_versions SET viewed_at = 1 WHERE number = 2")
		f.raises(l.ID, money.Dollars(1700))
		f.raises(l.ID, money.Dollars(1800))
		var versions []agreement.Version
		f.ok(f.EachVersion(f.Context(), f.by.Portfolio, documentID, func(v *agreement.Version) error {
			versions = append(versions, *v)
			return nil
		}))
		var kept []string
		for i, v := range versions {
			if v.Number != i+1 || len(v.SHA256) != 64 || (v.Body == "") != (len(v.Content) == 0) {
				f.Errorf("%d: %+v", i, v)
			}
			kept = append(kept, fmt.Sprint(v.Body != ""))
		}
		if got := strings.Join(kept, " "); got != "false true false true" {
			f.Errorf("kept are %s", got)
		}
		last := versions[3]
		var d document.Document
		f.ok(json.Unmarshal([]byte(last.Body), &d))
		content, err := pdf.Render(&d, last.CreatedAt.Std())
		f.ok(err)
		if sum := sha256.Sum256(content); hex.EncodeToString(sum[:]) != last.SHA256 {
			f.Error("the PDF does not come from what the version says")
		}
	})
}

func TestNewVersionResetsViewedStatus(t *testing.T) {
	onEach(t, func(f *fixture) {
		l, _ := f.drafted(0)
		statuses := func() (all []string) {
			for _, s := range f.withTerms(l.ID).Signers {
				all = append(all, string(s.Status))
			}
			return all
		}
		dbtest.Exec(f, f.db, "UPDATE lease_signers SET viewed_at = 1, viewed_version = 1 WHERE position = 0")
		if got := fmt.Sprint(statuses()); got != "[viewed awaiting_signature]" {
			f.Error(got)
		}
		f.raises(l.ID, money.Dollars(1700))
		if got := fmt.Sprint(statuses()); got != "[awaiting_signature awaiting_signature]" {
			f.Errorf("after a change: %s", got)
		}
	})
}

func TestGeneratedLeaseNeedsEverySignature(t *testing.T) {
	onEach(t, func(f *fixture) {
		l, documentID := f.drafted(0)
		f.logs(documentID, l.Signers)
		for _, step := range []struct {
			tenant string
			want   portfolio.LeaseStatus
		}{
			{"", portfolio.LeasePendingSignature},
			{"", portfolio.LeasePendingSignature}, // again: nothing changes
			{f.tenants[0], portfolio.LeaseSigned},
		} {
			made, err := f.leases.Sign(f.Context(), f.by, l.ID, lease.Signature{
				TenantID: step.tenant,
				Version:  1,
				Name:     "As typed",
			})
			f.ok(err)
			if made.After.Status != step.want {
				f.Errorf("%q: %s, want %s", step.tenant, made.After.Status, step.want)
			}
		}
		got := f.withTerms(l.ID)
		for _, s := range got.Signers {
			if s.Status != agreement.Signed || s.SignedAt == nil {
				f.Errorf("%+v", s)
			}
		}
		if got.Tenants[0].SignedAt == nil || *got.Tenants[0].SignedAt != *got.Signers[0].SignedAt {
			f.Errorf("%+v", got.Tenants)
		}
		names := dbtest.Texts(f, f.db, "SELECT DISTINCT signed_name || signed_version FROM lease_signers")
		if len(names) != 1 || names[0] != "As typed1" {
			f.Errorf("%q", names)
		}
	})
}

// logs notes in the log of a document that all have agreed, given a code and signed its first version.
func (f *fixture) logs(documentID string, all []agreement.Signer) {
	f.Helper()
	f.ok(f.db.Atomically(f.Context(), func(ctx context.Context) error {
		in, d, err := f.Stored(ctx, documentID)
		for _, s := range all {
			for _, kind := range []evidence.Kind{evidence.Consented, evidence.CodeGiven, evidence.Signed} {
				if err == nil {
					err = f.Note(ctx, in, &d, evidence.Entry{
						At:       clock.At(f.now),
						Kind:     kind,
						Party:    s.ID,
						Name:     s.Name,
						Document: d.SHA256,
						Note:     "As typed",
					})
				}
			}
		}
		return err
	}))
}

func TestLeaseExecutionNeedsEvidenceOfEachSignature(t *testing.T) {
	onEach(t, func(f *fixture) {
		for name, c := range map[string]struct {
			of  func(l *agreement.LeaseWithTerms) []agreement.Signer
			sql string
		}{
			"no entry of the landlord": {func(l *agreement.LeaseWithTerms) []agreement.Signer { return l.Signers[:1] }, ""},
			"an entry was changed": {
				func(l *agreement.LeaseWithTerms) []agreement.Signer { return l.Signers },
				"UPDATE document_evidence SET note = 'other' WHERE kind = 'signed'",
			},
			"the document was changed": {
				func(l *agreement.LeaseWithTerms) []agreement.Signer { return l.Signers },
				"UPDATE document_versions SET body = body || ' '",
			},
		} {
			l, documentID := f.drafted(0)
			f.logs(documentID, c.of(l))
			if c.sql != "" {
				dbtest.Exec(f, f.db, c.sql)
			}
			_, err := f.leases.Sign(f.Context(), f.by, l.ID, lease.Signature{TenantID: f.tenants[0], Version: 1})
			f.ok(err)
			if _, err := f.leases.Sign(f.Context(), f.by, l.ID, lease.Signature{Version: 1}); err == nil {
				f.Errorf("%s: the lease is executed", name)
			}
			if got := f.lease(f.Context(), l.ID); got.Status != portfolio.LeasePendingSignature {
				f.Errorf("%s: the lease is %s", name, got.Status)
			}
			dbtest.Exec(f, f.db, "UPDATE leases SET status = 'voided'")
		}
	})
}

func TestStoredDocumentIsVerifiedAgainstItsLog(t *testing.T) {
	onEach(t, func(f *fixture) {
		_, documentID := f.drafted(3)
		found := func() string {
			all, err := f.Verify(f.Context(), documentID)
			f.ok(err)
			return fmt.Sprint(all)
		}
		if got := found(); got != "[]" {
			f.Errorf("untouched: %s", got)
		}
		f.use([]byte(strings.Repeat("2", secret.KeySize)), []byte(strings.Repeat("\x01", secret.KeySize)))
		if got := found(); got != "[]" {
			f.Errorf("with another first key: %s", got)
		}
		for _, c := range []struct{ tampering, want string }{
			{"UPDATE document_versions SET content = $1 WHERE number = 4", "[version 4 has another content]"},
			{"UPDATE document_versions SET body = body || ' ' WHERE number = 4", "[version 4 says something else]"},
			{"UPDATE document_versions SET sha256 = 'x' || sha256 WHERE number = 2", "[version 2 has another hash]"},
			{"DELETE FROM document_versions WHERE number = 3", "[version 3 is missing]"},
			{
				"UPDATE document_evidence SET at = at + 1 WHERE number = 2",
				"[entry 2 of the log was changed version 2 has another time]",
			},
			{
				"DELETE FROM document_evidence WHERE number = 4",
				"[entry 4 of the log is missing at the end version 4 is not in the log]",
			},
			{"UPDATE documents SET evidence_count = 0, evidence_key = NULL", "[entry 1 of the log is missing]"},
			{
				"UPDATE documents SET version = 3, sha256 = (SELECT sha256 FROM document_versions WHERE number = 3)",
				"[version 4 is missing]",
			},
		} {
			f.rolledBack(func() {
				args := []any{}
				if strings.Contains(c.tampering, "$1") {
					args = append(args, []byte("%PDF- of somebody else"))
				}
				dbtest.Exec(f, f.db, c.tampering, args...)
				if got := found(); got != c.want {
					f.Errorf("%s: %s, want %s", c.tampering, got, c.want)
				}
			})
		}
	})
}

// rolledBack puts the documents back as they were before.
func (f *fixture) rolledBack(do func()) {
	f.Helper()
	for table, columns := range kept {
		dbtest.Exec(f, f.db, "DROP TABLE IF EXISTS kept_"+table)
		dbtest.Exec(f, f.db, "CREATE TABLE kept_"+table+" AS SELECT "+columns+" FROM "+table)
	}
	do()
	for _, table := range []string{"document_evidence", "document_versions"} {
		dbtest.Exec(f, f.db, "DELETE FROM "+table)
		dbtest.Exec(f, f.db, "INSERT INTO "+table+" ("+kept[table]+") SELECT "+kept[table]+" FROM kept_"+table)
	}
	dbtest.Exec(f, f.db, `UPDATE documents
		SET version = k.version, sha256 = k.sha256, evidence_key = k.evidence_key, evidence_count = k.evidence_count
		FROM kept_documents k
		WHERE k.id = documents.id`)
}

// kept are the columns of the tables that rolledBack keeps.
var kept = map[string]string{
	"documents":         "id, version, sha256, evidence_key, evidence_count",
	"document_versions": "portfolio_id, document_id, number, created_at, sha256, body, content",
	"document_evidence": "portfolio_id, document_id, number, at, kind, party, name, address, browser, document, " +
		"note, previous, hash",
}
