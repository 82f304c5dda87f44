package ceremony_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/db/dbtest"
)

// scanned is a PDF that says a text.
func scanned(text string) []byte { return []byte("%PDF-1.7\n" + text + "\n%%EOF\n") }

// records has the landlord record that a signer has signed version 1 on paper today.
func (f *fixture) records(i int, scan []byte) error {
	return f.SignOnPaper(f.Context(), f.by, f.lease.ID, f.lease.Signers[i].ID, "dana@example.com",
		ceremony.Paper{Version: 1, On: clock.DateOf(f.now, f.by.Zone), Scan: scan}, from)
}

func (f *fixture) refused(err error, code fault.Code, param string) {
	f.Helper()
	if !fault.Is(err, code) || fault.From(err).Param != param {
		f.Errorf("%v, want %s at %q", err, code, param)
	}
}

func TestSignatureOnPaperCountsAndTheCertificateSaysSo(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.signs(0)
		scan := scanned("Nguyễn's signature")
		mails := len(f.mails)
		f.ok(f.records(1, scan))
		if m := f.mails[len(f.mails)-1]; len(f.mails) != mails+1 || m.To != f.address(1) ||
			!strings.Contains(m.Text, "If you did not sign this lease") {
			f.Errorf("%d mails, the last to %s: %s", len(f.mails)-mails, m.To, m.Text)
		}
		f.ok(f.records(1, scan)) // the form was sent twice
		f.refused(f.records(1, scanned("another")), fault.InvalidTransition, "")
		if n := dbtest.Texts(f, f.db, "SELECT CAST(count(*) AS TEXT) FROM lease_scans")[0]; n != "1" || f.events != 0 {
			f.Errorf("%s scans, %d events", n, f.events)
		}
		all, err := f.agreements.Signers(f.Context(), f.by.Portfolio, f.lease.ID)
		f.ok(err)
		if s := all[1]; s.Status != agreement.Signed || s.SignedAt == nil || s.PaperSignedOn == nil ||
			*s.PaperSignedOn != clock.DateOf(f.now, time.UTC) || all[0].PaperSignedOn != nil {
			f.Errorf("%+v", s)
		}
		if p := f.page(1); p.Standing != ceremony.Signed || p.Signer.PaperSignedOn == nil {
			f.Errorf("%+v", p)
		}
		f.ok(f.records(2, scanned("Dana's signature")))
		if l := f.reread(); l.Status != portfolio.LeaseSigned || f.events != 1 || f.raised == nil {
			f.Errorf("%s, %d events", l.Status, f.events)
		}
		if log := f.log(); !strings.HasSuffix(log,
			"signed Sam Rivera, signed_on_paper Nguyễn Thảo, signed_on_paper Dana Whitfield, executed") {
			f.Error(log)
		}
		hash := fmt.Sprintf("%x", sha256.Sum256(scan))
		says(f, f.executed(),
			"electronically, or on paper where it says so",
			"On paper on November 12, 2026",
			"Recorded by dana@example.com for the landlord. No code was asked, and no email address was proved",
			"uploaded a scan with the SHA-256 "+hash,
			"recorded by dana@example.com, who confirmed their sign-in; scan SHA-256 "+hash,
		)
		f.intact()
		e, err := f.agreements.Execution(f.Context(), *f.lease.DocumentID)
		f.ok(err)
		v, err := f.agreements.VerifyFile(f.Context(), e.Content)
		f.ok(err)
		if v.Finding != agreement.Genuine || len(v.Signers) != 3 || v.Signers[0].Paper != nil ||
			v.Signers[1].Paper == nil || v.Signers[1].Typed != "" || v.Signers[2].Name != "Dana Whitfield" {
			f.Errorf("%+v", v)
		}
		kept, err := f.Scan(f.Context(), f.by, f.lease.ID, f.lease.Signers[1].ID)
		f.ok(err)
		if !bytes.Equal(kept.Content, scan) || kept.MediaType != "application/pdf" || kept.SHA256 != hash {
			f.Errorf("%s %s", kept.MediaType, kept.SHA256)
		}
	})
}

// A draft that was never sent is signed on paper by all.
func TestUnsentDraftIsSignedOnPaperByAll(t *testing.T) {
	onEach(t, func(f *fixture) {
		dbtest.Exec(t, f.db, "UPDATE documents SET send_requested_at = NULL, sent_at = NULL")
		for i := range f.lease.Signers {
			f.ok(f.records(i, scanned(f.name(i))))
			want := []portfolio.LeaseStatus{
				portfolio.LeasePendingSignature, portfolio.LeasePendingSignature, portfolio.LeaseSigned,
			}[i]
			if l := f.reread(); l.Status != want {
				f.Errorf("after %d: %s", i+1, l.Status)
			}
		}
		if f.events != 1 {
			f.Errorf("%d events", f.events)
		}
		f.intact()
	})
}

func TestSignatureOnPaperIsRefused(t *testing.T) {
	onEach(t, func(f *fixture) {
		today := clock.DateOf(f.now, f.by.Zone)
		record := func(by access.Actor, signer string, p ceremony.Paper) error {
			if p.Scan == nil {
				p.Scan = scanned("it")
			}
			return f.SignOnPaper(f.Context(), by, f.lease.ID, signer, "dana@example.com", p, from)
		}
		manager, reader, other := f.by, f.by, f.by
		manager.Role = access.Manager
		reader.Scopes = access.Scopes{access.Read}
		home := dbtest.NewHome(t, f.db, "max")
		other.Portfolio, other.AccountID = home.Live, home.AccountID
		signer := f.lease.Signers[0].ID
		f.refused(record(manager, signer, ceremony.Paper{Version: 1, On: today}), fault.ScopeRequired, "")
		f.refused(record(reader, signer, ceremony.Paper{Version: 1, On: today}), fault.ScopeRequired, "")
		f.refused(record(other, signer, ceremony.Paper{Version: 1, On: today}), fault.NoRecord, "")
		f.refused(
			record(f.by, "sig_01KA5R2M7Q8D4E6F9G1H3J5K7M", ceremony.Paper{Version: 1, On: today}),
			fault.NoRecord,
			"",
		)
		f.refused(record(f.by, signer, ceremony.Paper{Version: 2, On: today}), fault.StaleWrite, "version")
		f.refused(record(f.by, signer, ceremony.Paper{Version: 1, On: today + 1}), fault.InvalidField, "signed_on")
		f.refused(record(f.by, signer, ceremony.Paper{Version: 1, On: today - 1}), fault.InvalidField, "signed_on")
		if _, err := f.ToSignOnPaper(f.Context(), other, f.lease.ID, signer); !fault.Is(err, fault.NoRecord) {
			f.Errorf("another landlord is shown the lease: %v", err)
		}
		f.now = f.now.Add(15 * 24 * time.Hour)
		f.refused(record(f.by, signer, ceremony.Paper{Version: 1, On: today}), fault.InvalidTransition, "")
		f.now = f.now.Add(-15 * 24 * time.Hour)
		f.ok(record(f.by, signer, ceremony.Paper{Version: 1, On: today}))
		for _, by := range []access.Actor{manager, other} {
			if _, err := f.Scan(f.Context(), by, f.lease.ID, signer); !fault.Is(err, fault.NoRecord) {
				f.Errorf("somebody else is given the scan: %v", err)
			}
		}
		// From the first signature on, the lease is locked as by any other.
		_, err := f.agreements.UpdateLease(f.Context(), f.by, change.Target{ID: f.lease.ID},
			lease.Update{StartDate: change.To(f.lease.StartDate.AddDays(1))})
		if !fault.Is(err, fault.SignatureInProgress) {
			f.Error(err)
		}
		f.ok(f.Decline(f.Context(), f.token(1), "No.", from))
		f.refused(f.records(1, scanned("it")), fault.InvalidTransition, "")
	})
}

// Lead paint that is not stated blocks a signature on paper as it blocks any other, and nothing of it is kept.
func TestBlockedLeaseIsNotSignedOnPaper(t *testing.T) {
	onEach(t, func(f *fixture) {
		dbtest.Exec(t, f.db, `UPDATE leases SET terms = replace(terms, '"lead_paint"', '"was_lead_paint"')`)
		f.refused(f.records(0, scanned("it")), fault.LeadPaintUnanswered, "lead_paint")
		if n := dbtest.Texts(f, f.db, "SELECT CAST(count(*) AS TEXT) FROM lease_scans")[0]; n != "0" {
			f.Errorf("%s scans", n)
		}
		if log := f.log(); strings.Contains(log, "paper") {
			f.Error(log)
		}
	})
}

func TestScanIsCheckedByItsBytes(t *testing.T) {
	onEach(t, func(f *fixture) {
		var zipped, jpg, pic, huge bytes.Buffer
		z := zip.NewWriter(&zipped)
		w, err := z.Create("lease.pdf")
		f.ok(err)
		_, err = w.Write(scanned("it"))
		f.ok(err)
		f.ok(z.Close())
		f.ok(jpeg.Encode(&jpg, image.NewGray(image.Rect(0, 0, 60, 80)), nil))
		f.ok(png.Encode(&pic, image.NewGray(image.Rect(0, 0, 60, 80))))
		f.ok(png.Encode(&huge, image.NewGray(image.Rect(0, 0, 60, 80))))
		large := huge.Bytes()
		copy(large[16:24], []byte{0, 1, 0, 0, 0, 1, 0, 0}) // 65,536 pixels on each side
		for what, content := range map[string][]byte{
			"nothing":              {},
			"a text":               []byte("signed, Sam"),
			"a web page":           []byte("<!DOCTYPE html><script>alert(1)</script>%PDF-1.7 %%EOF"),
			"a zip":                zipped.Bytes(),
			"half a PDF":           []byte("%PDF-1.7\n1 0 obj"),
			"a GIF":                []byte("GIF89a\x01\x00\x01\x00\x00\x00\x00;"),
			"a JPEG's first bytes": jpg.Bytes()[:4],
			"a PNG's first bytes":  pic.Bytes()[:12],
			"too many pixels":      large,
			"11 MB":                scanned(strings.Repeat("x", 11<<20)),
		} {
			if err := f.records(0, content); !fault.Is(err, fault.InvalidField) || fault.From(err).Param != "scan" {
				f.Errorf("%s: %v", what, err)
			}
		}
		if log := f.log(); strings.Contains(log, "paper") {
			f.Error(log)
		}
		for i, content := range [][]byte{jpg.Bytes(), pic.Bytes(), scanned(strings.Repeat("x", 10<<20-20))} {
			f.ok(f.records(i, content))
			kept, err := f.Scan(f.Context(), f.by, f.lease.ID, f.lease.Signers[i].ID)
			f.ok(err)
			if want := []string{"image/jpeg", "image/png", "application/pdf"}[i]; kept.MediaType != want {
				f.Errorf("%s, want %s", kept.MediaType, want)
			}
		}
		f.intact()
	})
}

// While a tenant signs online the landlord records the same signature on paper: one of them counts.
func TestSignatureOnlineAndOnPaperAtOnceCountsOnce(t *testing.T) {
	onEach(t, func(f *fixture) {
		code := f.code(0)
		var all sync.WaitGroup
		var online, paper error
		all.Go(func() {
			online = f.Sign(f.Context(), f.token(0), ceremony.Signature{Version: 1, Code: code, Name: f.name(0)}, from)
		})
		all.Go(func() { paper = f.records(0, scanned("it")) })
		all.Wait()
		f.ok(online) // who has signed by then is shown how
		kinds := dbtest.Texts(f, f.db, "SELECT kind FROM document_evidence WHERE kind LIKE 'signed%'")
		onPaper := slices.Equal(kinds, []string{"signed_on_paper"})
		if !onPaper && !slices.Equal(kinds, []string{"signed"}) {
			f.Fatalf("%q", kinds)
		}
		if onPaper != (paper == nil) || !onPaper && !fault.Is(paper, fault.InvalidTransition) {
			f.Errorf("%q, and the landlord is told %v", kinds, paper)
		}
		if p := f.page(0); p.Standing != ceremony.Signed || (p.Signer.PaperSignedOn != nil) != onPaper {
			f.Errorf("%+v", p)
		}
		f.intact()
	})
}

// scanColumns are those of the table of scans.
const scanColumns = "portfolio_id, lease_id, signer_id, created_at, signed_on, media_type, sha256, content"

// What is kept of a signature on paper is held against the log.
func TestChangedScanIsFound(t *testing.T) {
	onEach(t, func(f *fixture) {
		for i := range f.lease.Signers {
			f.ok(f.records(i, scanned(f.name(i))))
		}
		e, err := f.agreements.Execution(f.Context(), *f.lease.DocumentID)
		f.ok(err)
		dbtest.Exec(t, f.db, "CREATE TABLE kept AS SELECT "+scanColumns+" FROM lease_scans")
		for change, want := range map[string]string{
			"UPDATE lease_scans SET signed_on = signed_on - 1":                            "has another day",
			"UPDATE lease_scans SET sha256 = 'x'":                                         "has another hash",
			"UPDATE lease_scans SET content = substr(content, 2)":                         "has another content",
			"DELETE FROM lease_scans":                                                     "is missing",
			"DELETE FROM lease_scans WHERE signer_id = (SELECT min(signer_id) FROM kept)": "is missing",
			"UPDATE lease_scans SET signer_id = 'sig_x' || signer_id":                     "is not in the log",
		} {
			dbtest.Exec(t, f.db, change)
			v, err := f.agreements.VerifyFile(f.Context(), e.Content)
			f.ok(err)
			if v.Finding != agreement.Tampered ||
				!slices.Contains(v.Tampering, "the scan of a signature on paper "+want) {
				f.Errorf("%s: %s, %q", change, v.Finding, v.Tampering)
			}
			v, err = f.agreements.VerifyForAnyone(f.Context(), e.Content)
			f.ok(err)
			// Whoever asks has no scan read: that its record fits the log is what they are told.
			if read := want == "has another content"; read != (v.Finding == agreement.Genuine) ||
				!read && !slices.Contains(v.Tampering, "the scan of a signature on paper "+want) {
				f.Errorf("%s: anyone is told %s, %q", change, v.Finding, v.Tampering)
			}
			dbtest.Exec(t, f.db, "DELETE FROM lease_scans")
			dbtest.Exec(t, f.db, "INSERT INTO lease_scans ("+scanColumns+") SELECT "+scanColumns+" FROM kept")
		}
		f.intact()
	})
}

// Nothing is certified by a scan that was changed before the last signature.
func TestLeaseWithChangedScanIsNotExecuted(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.ok(f.records(0, scanned("it")))
		f.signs(1)
		dbtest.Exec(t, f.db, "UPDATE lease_scans SET content = substr(content, 2)")
		if err := f.records(2, scanned("Dana's")); err == nil || fault.From(err).Code.Entry().Status < 500 {
			f.Errorf("%v", err)
		}
		if l := f.reread(); l.Status != portfolio.LeasePendingSignature || f.events != 0 {
			f.Errorf("%s, %d events", l.Status, f.events)
		}
	})
}
