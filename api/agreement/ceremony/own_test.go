package ceremony_test

import (
	"strings"
	"testing"

	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/agreement/document"
	"portal/api/agreement/document/documenttest"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/terms"
	"portal/db/dbtest"
)

// owned replaces the lease of a fixture by one whose text is the landlord's own, which is sent once it is there.
func (f *fixture) owned() {
	f.Helper()
	made, err := f.agreements.Generate(f.Context(), f.by, agreement.LeaseGenerate{
		PropertyID:    f.lease.PropertyID,
		TenantID:      f.lease.TenantIDs[0],
		Document:      new(terms.Own),
		Guarantors:    &[]lease.Guarantor{{FirstName: "Robin", LastName: "Vance", Email: "robin@example.com"}},
		Utilities:     &[]terms.Utility{{Name: "Water", PaidBy: terms.Landlord}, {Name: "Gas", PaidBy: terms.Tenant}},
		StartDate:     clock.Day(2027, 1, 9),
		MonthlyRent:   money.Cents(145050),
		LeaseType:     new(portfolio.Fixed),
		RentDueDay:    new(1),
		ExpiresInDays: 14,
	})
	f.ok(err)
	f.lease = made.After
}

// adds adds a PDF with a page for each text, as the text of the lease.
func (f *fixture) adds(name string, texts ...string) (*agreement.Attachment, error) {
	f.Helper()
	file, err := f.agreements.Clean(f.Context(), f.by, name, documenttest.Pages(texts...))
	f.ok(err)
	file.IsLease = true
	made, err := f.agreements.Attach(f.Context(), f.by, f.lease.ID, file)
	if err != nil {
		return nil, err
	}
	return made.After, nil
}

func TestOwnDocumentIsSignedAsTheLease(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.owned()
		f.attaches("House rules.pdf", "Quiet hours are from 10 PM")
		sent := len(f.mails)
		by := f.lease.BlockedBy
		if f.lease.SentAt != nil || len(by) != 1 || by[0].Code != fault.OwnDocumentMissing {
			t.Fatalf("sent %v, blocked by %+v", f.lease.SentAt, by)
		}
		g := ceremony.Signature{Version: 2, Code: f.code(0), Name: f.name(0)}
		if err := f.Sign(t.Context(), f.token(0), g, from); !fault.Is(err, fault.OwnDocumentMissing) {
			t.Errorf("a signature of a lease without its text: %v", err)
		}
		own, err := f.adds("Our lease.pdf", "The tenant keeps the garden", "The landlord keeps the roof")
		f.ok(err)
		f.now = f.now.Add(1) // what is attached later has a later id
		if l, err := f.agreements.Lease(t.Context(), f.by, f.lease.ID); err != nil || len(l.BlockedBy) != 0 ||
			l.SentAt == nil || l.Attachments[0].ID != own.ID || !l.Attachments[0].IsLease || l.Attachments[1].IsLease {
			t.Errorf("sent %v, blocked by %v, attachments %+v, %v", l.SentAt, l.BlockedBy, l.Attachments, err)
		}
		if to := f.to(sent); len(to) < 3 {
			t.Errorf("links went to %v", to)
		}
		if _, err := f.adds("Other.pdf", "Another text"); !fault.Is(err, fault.InvalidField) ||
			fault.From(err).Param != "is_lease" {
			t.Errorf("a second text: %v", err)
		}
		p := f.page(0)
		said := rows(p.Document.Terms)
		for _, want := range []string{
			"Text of the lease: Our lease.pdf, 2 pages", "Attachments: House rules.pdf",
			"Utilities: Paid by the landlord: Water. Paid by the tenant: Gas",
		} {
			if p.Version != 3 || !strings.Contains(said, want) {
				t.Errorf("version %d: no %q: %s", p.Version, want, said)
			}
		}
		for i := range f.lease.Signers {
			f.signsVersion(i, 3)
		}
		e, err := f.agreements.Execution(t.Context(), *f.lease.DocumentID)
		f.ok(err)
		text := strings.Join(strings.Fields(documenttest.Tool(t, e.Content, "pdftotext", "FILE", "-")), " ")
		at := 0
		for _, want := range []string{
			"$1,450.50", "keeps the garden", "keeps the roof", "SHA-256: " + own.SHA256, "Guaranty",
			"By signing, each party agrees", "Certificate of signatures", "Quiet hours",
		} {
			n := strings.Index(text[at:], want)
			if n < 0 {
				t.Errorf("no %q in its place: %.200s", want, text[at:])
				continue
			}
			at += n
		}
		for _, not := range []string{"The tenant keeps the home clean", "Lead-based paint addendum"} {
			if strings.Contains(text, not) {
				t.Errorf("the lease says %q beside the landlord's own text", not)
			}
		}
		v, err := f.agreements.VerifyFile(t.Context(), e.Content)
		f.ok(err)
		if v.Finding != agreement.Genuine || len(v.Attachments) != 2 || v.Attachments[0].SHA256 != own.SHA256 {
			t.Errorf("%s, %+v", v.Finding, v.Attachments)
		}
		dbtest.Exec(t, f.db, "UPDATE lease_attachments SET is_lease = NOT is_lease")
		found, err := f.agreements.Verify(t.Context(), *f.lease.DocumentID)
		f.ok(err)
		if len(found) != 2 || found[0].Reason != "is described otherwise" {
			t.Errorf("an attachment in the place of the text: %v", found)
		}
	})
}

func rows(all []document.Row) string {
	lines := make([]string, len(all))
	for i, r := range all {
		lines[i] = r.Name + ": " + r.Value
	}
	return strings.Join(lines, "\n")
}

func TestTextOfALeaseCanBeReplacedUntilSomebodySigns(t *testing.T) {
	onEach(t, func(f *fixture) {
		if _, err := f.adds("Our lease.pdf", "Text"); !fault.Is(err, fault.InvalidField) ||
			fault.From(err).Param != "is_lease" {
			t.Errorf("a text for the standard document: %v", err)
		}
		f.owned()
		own, err := f.adds("Our lease.pdf", "The first text")
		f.ok(err)
		_, err = f.agreements.Detach(t.Context(), f.by, f.lease.ID, own.ID)
		f.ok(err)
		g := ceremony.Signature{Version: 3, Code: f.code(0), Name: f.name(0)}
		if err := f.Sign(t.Context(), f.token(0), g, from); !fault.Is(err, fault.OwnDocumentMissing) {
			t.Errorf("a signature of a lease whose text was removed: %v", err)
		}
		_, err = f.adds("Our lease.pdf", "The second text")
		f.ok(err)
		f.signsVersion(0, 4)
		if _, err := f.adds("Our lease.pdf", "The third text"); !fault.Is(err, fault.SignatureInProgress) {
			t.Errorf("another text after a signature: %v", err)
		}
	})
}
