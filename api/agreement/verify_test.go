package agreement_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"portal/api/agreement"
	"portal/api/agreement/document/documenttest"
	"portal/api/clock"
	"portal/api/portfolio/lease"
	"portal/db/dbtest"
)

// executes signs a lease of one tenant for all parties, and gives what it became.
func (f *fixture) executes() (documentID string, content []byte) {
	f.Helper()
	l, documentID := f.drafted(0)
	f.logs(documentID, l.Signers)
	for _, tenant := range []string{f.tenants[0], ""} {
		_, err := f.leases.Sign(f.Context(), f.by, l.ID, lease.Signature{
			TenantID: tenant,
			Version:  1,
			Name:     "As typed",
		})
		f.ok(err)
	}
	e, err := f.Execution(f.Context(), documentID)
	f.ok(err)
	return documentID, e.Content
}

// finds is the verdict on a file.
func (f *fixture) finds(content []byte) *agreement.Verdict {
	f.Helper()
	v, err := f.VerifyFile(f.Context(), content)
	f.ok(err)
	return v
}

func TestGenuineFileIsVerifiedWithItsSigners(t *testing.T) {
	onEach(t, func(f *fixture) {
		documentID, content := f.executes()
		closed := "UPDATE accounts SET closed_at = 1"
		for _, do := range []string{"", closed} {
			if do != "" {
				dbtest.Exec(f, f.db, do)
			}
			v := f.finds(content)
			if v.Finding != agreement.Genuine || v.Version != 1 || v.Size != len(content) || v.Test ||
				v.ExecutedAt != clock.At(f.now) || v.Tampering != nil || v.Difference != nil {
				f.Errorf("%q: %+v", do, v)
			}
			if len(v.Signers) != 2 || v.Signers[0].Name != "Sam Rivera" || v.Signers[1].Typed != "As typed" ||
				v.Signers[1].At != clock.At(f.now) {
				f.Errorf("%q: signed by %+v", do, v.Signers)
			}
			if v.Seal == nil || !v.Seal.Own || v.Seal.Name != "Portal" || len(v.Seal.Fingerprint) != 64 {
				f.Errorf("%q: sealed by %+v", do, v.Seal)
			}
			if _, d, err := f.Stored(f.Context(), documentID); do == "" && (err != nil || d.LeaseID != v.LeaseID) {
				f.Errorf("the lease is %s: %v", v.LeaseID, err)
			}
		}
		f.Sealer = documenttest.Sealer(f)
		if v := f.finds(content); v.Finding != agreement.Genuine || v.Seal == nil || v.Seal.Own {
			f.Errorf("after another certificate: %+v", v)
		}
	})
}

func TestChangedFileIsNeverGenuine(t *testing.T) {
	onEach(t, func(f *fixture) {
		documentID, content := f.executes()
		_, other := f.executesAnother()
		ofOther := f.finds(other).LeaseID
		of := f.finds(content).LeaseID
		_, d, err := f.Stored(f.Context(), documentID)
		f.ok(err)
		swapped := bytes.ReplaceAll(content, []byte(of), []byte(ofOther))
		swapped = bytes.ReplaceAll(swapped, utf16Of(of), utf16Of(ofOther))
		for name, c := range map[string]struct {
			content []byte
			want    agreement.Finding
			kind    agreement.DifferenceKind
			of      string
		}{
			"appended": {append(bytes.Clone(content), " more"...), agreement.Changed, agreement.Appended, of},
			"cut off":  {content[:len(content)-9], agreement.Changed, agreement.Cut, of},
			"before its seal": {content[:bytes.LastIndex(content, []byte("startxref"))], agreement.Changed,
				agreement.Cut, of},
			"another number":     {swapped, agreement.Changed, agreement.Altered, ofOther},
			"unsigned":           {d.Content, agreement.Unsigned, "", of},
			"unsigned, appended": {append(bytes.Clone(d.Content), ' '), agreement.Changed, agreement.Altered, of},
			"number in UTF-16": {
				append([]byte("%PDF-1.4 "), utf16Of(of)...), agreement.Changed, agreement.Altered, of,
			},
			"no PDF":             {[]byte("dear landlord " + of), agreement.Unknown, "", ""},
			"nothing":            {nil, agreement.Unknown, "", ""},
			"another PDF":        {[]byte("%PDF-1.4 of somebody else"), agreement.Unknown, "", ""},
			"a number of nobody": {[]byte("%PDF-1.4 lea_01KA5R2M7Q8D4E6F9G1H3J5K7M"), agreement.Unknown, "", ""},
			"too large": {
				append(bytes.Clone(content), make([]byte, agreement.MaxFile)...), agreement.Unknown, "", "",
			},
		} {
			v := f.finds(c.content)
			var kind agreement.DifferenceKind
			if v.Difference != nil {
				kind = v.Difference.Kind
			}
			if v.Finding != c.want || kind != c.kind || v.LeaseID != c.of || v.Signers != nil || v.ExecutedAt != 0 {
				f.Errorf("%s: %+v, %+v", name, v, v.Difference)
			}
		}
	})
}

// executesAnother is executes of another lease of the same home, after the first one was ended.
func (f *fixture) executesAnother() (documentID string, content []byte) {
	f.Helper()
	dbtest.Exec(f, f.db, "UPDATE leases SET status = 'voided'")
	return f.executes()
}

// utf16Of is a text as the information dictionary of a PDF holds it.
func utf16Of(text string) (all []byte) {
	for i := range len(text) {
		all = append(all, 0, text[i])
	}
	return all
}

func TestVerificationIncludesEvidenceLogHead(t *testing.T) {
	onEach(t, func(f *fixture) {
		documentID, content := f.executes()
		hashes := dbtest.Texts(f, f.db, "SELECT hash FROM document_evidence ORDER BY number")
		_, d, err := f.Stored(f.Context(), documentID)
		f.ok(err)
		for name, file := range map[string][]byte{"the signed copy": content, "the version": d.Content} {
			l := f.finds(file).Log
			if l == nil || l.Entries != len(hashes) || l.Head != d.Anchor.Head || !slices.Equal(l.Hashes, hashes) {
				f.Errorf("%s: %+v, want %d entries", name, l, len(hashes))
			}
		}
		if l := f.finds(append(bytes.Clone(content), '!')).Log; l != nil {
			f.Errorf("of a changed file the log is told: %+v", l)
		}
	})
}

func TestEachChangedByteIsDetected(t *testing.T) {
	onEach(t, func(f *fixture) {
		_, content := f.executes()
		of, random := f.finds(content).LeaseID, rand.New(rand.NewPCG(7, 11))
		for i := range 200 {
			at := i*len(content)/200 + random.IntN(len(content)/200)
			changed := bytes.Clone(content)
			changed[at] ^= byte(1 + random.IntN(255))
			v := f.finds(changed)
			known := bytes.HasPrefix(changed, []byte("%PDF-")) &&
				(bytes.Contains(changed, []byte(of)) || bytes.Contains(changed, utf16Of(of)))
			want := agreement.Unknown
			if known {
				want = agreement.Changed
			}
			if v.Finding != want {
				f.Errorf("the byte %d: %s, want %s", at, v.Finding, want)
			}
			if known && (v.Difference.Kind != agreement.Altered && at < len(content)-1024 ||
				v.Difference.From != at/1024*1024 || v.Seal != nil) {
				f.Errorf("the byte %d: %+v, sealed by %+v", at, v.Difference, v.Seal)
			}
		}
	})
}

func TestDifferenceRevealsNoStoredBytes(t *testing.T) {
	f := newFixture(t, dbtest.SQLite(t))
	_, content := f.executes()
	half, number := content[:len(content)/2/1024*1024], f.finds(content).LeaseID
	for _, tail := range []string{"", string(content[len(half) : len(half)+9])} {
		for b := range 256 {
			guess := slices.Concat(half, []byte(tail), []byte{byte(b)}, []byte(number))
			if d := f.finds(guess).Difference; d == nil || d.From != len(half) || d.Kind != agreement.Cut {
				f.Fatalf("%q and %d: %+v", tail, b, d)
			}
		}
	}
}

func TestFileOfTamperedLeaseIsNotVerified(t *testing.T) {
	onEach(t, func(f *fixture) {
		documentID, content := f.executes()
		_, d, err := f.Stored(f.Context(), documentID)
		f.ok(err)
		forged := append(bytes.Clone(content), "forged"...)
		for name, c := range map[string]struct {
			sql    string
			args   []any
			file   []byte
			where  string
			logged bool
		}{
			"the stored copy": {
				"UPDATE executed_documents SET content = $1", []any{forged}, content,
				"the signed document has another content", true,
			},
			"the stored copy and its hash": {
				"UPDATE executed_documents SET content = $1, sha256 = $2", []any{forged, f.finds(forged).SHA256},
				forged,
				"the signed document has another content", false,
			},
			"the hash of the lease": {
				"UPDATE leases SET document_sha256 = 'x'", nil, content,
				"the signed document has another hash", true,
			},
			"no copy": {"DELETE FROM executed_documents", nil, content, "the signed document is missing", true},
			"the log": {
				"UPDATE document_evidence SET note = 'Somebody' WHERE kind = 'signed'", nil, content,
				"entry 4 of the log was changed", false,
			},
			"a version": {
				"UPDATE document_versions SET sha256 = $1", []any{f.finds(forged).SHA256}, forged,
				"version 1 has another hash", false,
			},
			"an unsigned file": {
				"UPDATE document_versions SET body = body || ' '", nil, d.Content, "version 1 says something else",
				false,
			},
		} {
			f.executionRestored(documentID, func() {
				f.rolledBack(func() {
					dbtest.Exec(f, f.db, c.sql, c.args...)
					v := f.finds(c.file)
					if v.Finding != agreement.Tampered || v.Logged != c.logged || v.Signers != nil ||
						!slices.Contains(v.Tampering, c.where) {
						f.Errorf("%s: %+v", name, v)
					}
				})
			})
		}
		if v := f.finds(content); v.Finding != agreement.Genuine {
			f.Errorf("at the end: %+v", v)
		}
	})
}

// executionRestored puts a signed document back as it was before.
func (f *fixture) executionRestored(documentID string, do func()) {
	f.Helper()
	e, err := f.Execution(f.Context(), documentID)
	f.ok(err)
	do()
	dbtest.Exec(f, f.db, "DELETE FROM executed_documents")
	dbtest.Exec(
		f,
		f.db,
		`INSERT INTO executed_documents (portfolio_id, document_id, version, created_at, sha256, content)
		SELECT portfolio_id, id, version, $1, $2, $3 FROM documents WHERE id = $4`,
		int64(e.CreatedAt),
		e.SHA256,
		e.Content,
		documentID,
	)
	dbtest.Exec(f, f.db, "UPDATE leases SET document_sha256 = $1", e.SHA256)
}

func TestDocumentFromEarlierReleaseIsFoundByLeaseID(t *testing.T) {
	onEach(t, func(f *fixture) {
		l, documentID := f.drafted(0)
		_, d, err := f.Stored(f.Context(), documentID)
		f.ok(err)
		dbtest.Exec(f, f.db, "DELETE FROM document_versions")
		dbtest.Exec(f, f.db, "DELETE FROM document_evidence")
		dbtest.Exec(f, f.db, "UPDATE documents SET version = 0, content = $1, evidence_key = NULL", d.Content)
		if v := f.finds(d.Content); v.Finding != agreement.Unsigned || v.LeaseID != l.ID || v.Version != 0 {
			f.Errorf("%+v", v)
		}
		if v := f.finds(
			append(d.Content, ' '),
		); v.Finding != agreement.Changed ||
			v.Difference.Kind != agreement.Appended {
			f.Errorf("%+v", v)
		}
	})
}

func TestDraftWithoutStoredPDFIsFoundByHash(t *testing.T) {
	onEach(t, func(f *fixture) {
		l, documentID := f.drafted(0)
		_, first, err := f.Stored(f.Context(), documentID)
		f.ok(err)
		f.raises(l.ID, 170000)
		if v := f.finds(first.Content); v.Finding != agreement.Unsigned || v.Version != 1 {
			f.Errorf("%+v", v)
		}
		if v := f.finds([]byte("%PDF-1.4 " + l.ID)); v.Difference == nil || v.Difference.Kind != agreement.Altered {
			f.Errorf("%+v", v)
		}
	})
}
