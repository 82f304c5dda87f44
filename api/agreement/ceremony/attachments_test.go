package ceremony_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/agreement/document/documenttest"
	"portal/api/change"
	"portal/api/fault"
	"portal/db/dbtest"
)

// attaches attaches a PDF with a page for each text.
func (f *fixture) attaches(name string, texts ...string) *agreement.Attachment {
	f.Helper()
	a, err := f.attach(name, documenttest.Pages(texts...))
	f.ok(err)
	return a
}

func (f *fixture) attach(name string, content []byte) (*agreement.Attachment, error) {
	file, err := f.agreements.Clean(f.Context(), f.by, name, content)
	if err != nil {
		return nil, err
	}
	made, err := f.agreements.Attach(f.Context(), f.by, f.lease.ID, file)
	if err != nil {
		return nil, err
	}
	return made.After, nil
}

func (f *fixture) attachments() (names []string) {
	f.Helper()
	l, err := f.agreements.Lease(f.Context(), f.by, f.lease.ID)
	f.ok(err)
	for i := range l.Attachments {
		names = append(names, l.Attachments[i].FileName)
	}
	return names
}

func TestAttachmentsStandBehindTheSignedLease(t *testing.T) {
	onEach(t, func(f *fixture) {
		rules := f.attaches("C:\\lawyer\\House rules.PDF", "Quiet hours are from 10 PM", "No smoking")
		f.attaches("House rules.pdf", "Trash is on Monday")
		if rules.FileName != "House rules.pdf" || rules.Pages != 2 || rules.Size == 0 || len(rules.SHA256) != 64 {
			t.Errorf("%+v", rules)
		}
		if names := fmt.Sprint(f.attachments()); names != "[House rules.pdf House rules (2).pdf]" {
			t.Error(names)
		}
		p := f.page(0)
		if p.Version != 3 || len(p.Document.Attachments) != 2 || p.Document.Attachments[0].SHA256 != rules.SHA256 {
			t.Errorf("version %d: %+v", p.Version, p.Document.Attachments)
		}
		first := fmt.Sprint(p.Document.Terms)
		if !strings.Contains(first, "{Attachments House rules.pdf and House rules (2).pdf}") {
			t.Error(first)
		}
		for i := range f.lease.Signers {
			f.signsVersion(i, 3)
		}
		e, err := f.agreements.Execution(t.Context(), *f.lease.DocumentID)
		f.ok(err)
		text := documenttest.Tool(t, e.Content, "pdftotext", "FILE", "-")
		at := 0
		for _, want := range []string{
			"SHA-256: " + rules.SHA256, "Certificate of signatures", "Quiet hours", "No smoking", "Trash is on Monday",
		} {
			n := strings.Index(strings.Join(strings.Fields(text[at:]), " "), strings.Join(strings.Fields(want), " "))
			if n < 0 {
				t.Errorf("no %q in its place", want)
			}
		}
		if end := strings.TrimSpace(text[strings.LastIndex(text, "Quiet hours"):]); strings.Contains(end, "Page ") {
			t.Errorf("the attachments are not last: %q", end)
		}
		v, err := f.agreements.VerifyFile(t.Context(), e.Content)
		f.ok(err)
		if v.Finding != agreement.Genuine || v.Seal == nil || len(v.Attachments) != 2 ||
			v.Attachments[0].SHA256 != rules.SHA256 {
			t.Errorf("%+v", v)
		}
	})
}

func TestChangedAttachmentIsFound(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.attaches("House rules.pdf", "Quiet hours")
		f.signsVersion(0, 2)
		f.signsVersion(1, 2)
		last := ceremony.Signature{Version: 2, Code: f.code(2), Name: f.name(2)}
		const columns = "portfolio_id, lease_id, id, file_name, pages, size, sha256, requires_initials, uploaded_at, " +
			"removed_at, content"
		dbtest.Exec(t, f.db, "CREATE TABLE kept AS SELECT "+columns+" FROM lease_attachments")
		for change, want := range map[string]string{
			"UPDATE lease_attachments SET content = substr(content, 2)":                     "has another content",
			"UPDATE lease_attachments SET sha256 = 'x'":                                     "has another hash",
			"UPDATE lease_attachments SET pages = 2":                                        "is described otherwise",
			"UPDATE lease_attachments SET file_name = 'Other rules.pdf'":                    "is described otherwise",
			"DELETE FROM lease_attachments":                                                 "is missing",
			"UPDATE lease_attachments SET id = 'att_' || substr(id, 6) || substr(id, 5, 1)": "is missing",
		} {
			dbtest.Exec(t, f.db, change)
			found, err := f.agreements.Verify(t.Context(), *f.lease.DocumentID)
			f.ok(err)
			if said := fmt.Sprint(found); said != "[the attachment “House rules.pdf” "+want+"]" {
				t.Errorf("%s: %s", change, said)
			}
			if strings.Contains(want, "content") {
				if err := f.Sign(t.Context(), f.token(2), last, from); err == nil || f.reread().Binding() {
					t.Error("the lease is sealed with an attachment that was changed")
				}
			}
			dbtest.Exec(t, f.db, "DELETE FROM lease_attachments")
			dbtest.Exec(t, f.db, "INSERT INTO lease_attachments ("+columns+") SELECT "+columns+" FROM kept")
		}
		f.ok(f.Sign(t.Context(), f.token(2), last, from))
		e, err := f.agreements.Execution(t.Context(), *f.lease.DocumentID)
		f.ok(err)
		dbtest.Exec(t, f.db, "UPDATE lease_attachments SET content = substr(content, 2)")
		for name, verify := range map[string]func(context.Context, []byte) (*agreement.Verdict, error){
			"by the landlord": f.agreements.VerifyFile, "by anybody": f.agreements.VerifyForAnyone,
		} {
			v, err := verify(t.Context(), e.Content)
			f.ok(err)
			if by := name == "by anybody"; (v.Finding == agreement.Genuine) != by {
				t.Errorf("%s: %s", name, v.Finding)
			}
		}
	})
}

func TestAttachmentsOfADraftAloneChange(t *testing.T) {
	onEach(t, func(f *fixture) {
		a := f.attaches("House rules.pdf", "Quiet hours")
		f.ok(f.Review(t.Context(), f.token(0), from))
		f.now = f.now.Add(time.Second)
		b := f.attaches("Parking.pdf", "One car")

		f.ok(change.DryRun(t.Context(), f.db, func(ctx context.Context) error {
			_, err := f.agreements.Detach(ctx, f.by, f.lease.ID, b.ID)
			return err
		}))
		if names := fmt.Sprint(f.attachments()); names != "[House rules.pdf Parking.pdf]" {
			t.Error(names)
		}
		for _, id := range []string{a.ID, b.ID} {
			_, err := f.agreements.Detach(t.Context(), f.by, f.lease.ID, id)
			f.ok(err)
		}
		if names := f.attachments(); len(names) > 0 || f.page(0).Version != 5 {
			t.Error(names, f.page(0).Version)
		}
		// What somebody has looked at is kept, and nothing else.
		kept := dbtest.Texts(t, f.db, "SELECT file_name FROM lease_attachments")
		if fmt.Sprint(kept) != "[House rules.pdf]" {
			t.Error(kept)
		}
		_, content, err := f.agreements.Attached(t.Context(), f.by, f.lease.ID, a.ID)
		if err != nil || len(content) == 0 {
			t.Error(err)
		}
		if _, err = f.agreements.Detach(t.Context(), f.by, f.lease.ID, a.ID); !fault.Is(err, fault.NoRecord) {
			t.Error(err)
		}

		f.attaches("House rules.pdf", "Quiet hours")
		f.signsVersion(0, 6)
		if _, err := f.attach("Late.pdf", documenttest.Pages("Late")); !fault.Is(err, fault.SignatureInProgress) {
			t.Error(err)
		}
		f.signsVersion(1, 6)
		f.signsVersion(2, 6)
		if _, err := f.attach("Late.pdf", documenttest.Pages("Late")); !fault.Is(err, fault.InvalidTransition) {
			t.Error(err)
		}
	})
}

func TestAttachmentsAreBounded(t *testing.T) {
	onEach(t, func(f *fixture) {
		other := f.by
		other.Portfolio = dbtest.NewHome(t, f.db, "eve").Live
		file, err := f.agreements.Clean(t.Context(), f.by, "a.pdf", documenttest.Pages("A"))
		f.ok(err)
		if _, err := f.agreements.Attach(t.Context(), other, f.lease.ID, file); !fault.Is(err, fault.NoRecord) {
			t.Error("of another landlord:", err)
		}
		reader := f.by
		reader.Scopes = access.Scopes{access.Read}
		if _, err := f.agreements.Clean(t.Context(), reader, "a.pdf", nil); !fault.Is(err, fault.ScopeRequired) {
			t.Error("of who may read alone:", err)
		}
		if _, err := f.attach("a.pdf", []byte("no PDF")); !fault.Is(err, fault.InvalidField) {
			t.Error(err)
		}
		many := make([]string, 60)
		f.attaches("60 pages.pdf", many...)
		if _, err := f.attach("again.pdf", documenttest.Pages(many...)); !fault.Is(err, fault.InvalidField) ||
			!strings.Contains(err.Error(), "120 pages") {
			t.Error(err)
		}
		for i := range agreement.MostAttachments - 1 {
			f.attaches(fmt.Sprintf("%d.pdf", i), "A")
		}
		if _, err := f.attach("one more.pdf", documenttest.Pages("A")); !fault.Is(err, fault.InvalidField) {
			t.Error(err)
		}
		if n := len(f.attachments()); n != agreement.MostAttachments {
			t.Error(n)
		}
	})
}

func TestSignersPutTheirInitialsToAttachments(t *testing.T) {
	onEach(t, func(f *fixture) {
		file, err := f.agreements.Clean(t.Context(), f.by, "Pets.pdf", documenttest.Pages("One dog"))
		f.ok(err)
		file.RequiresInitials = true
		made, err := f.agreements.Attach(t.Context(), f.by, f.lease.ID, file)
		f.ok(err)
		id := made.After.ID
		g := ceremony.Signature{Version: 2, Code: f.code(0), Name: f.name(0)}
		for _, initials := range []string{"", "S", "RS", "Sam Rivera"} {
			g.Initials = map[string]string{id: initials}
			err := f.Sign(t.Context(), f.token(0), g, from)
			if !fault.Is(err, fault.InvalidField) || fault.From(err).Param != ceremony.InitialsField(id) ||
				!strings.Contains(err.Error(), "SR") {
				t.Errorf("%q: %v", initials, err)
			}
		}
		if p := f.page(0); p.Signer.SignedAt != nil {
			t.Error("signed without initials")
		}
		g.Initials = map[string]string{id: " s. r."}
		f.ok(f.Sign(t.Context(), f.token(0), g, from))
		g = ceremony.Signature{Version: 2, Code: f.code(1), Name: f.name(1), Initials: map[string]string{id: "nt"}}
		f.ok(f.Sign(t.Context(), f.token(1), g, from))
		g = ceremony.Signature{Version: 2, Name: f.name(2)}
		owner := f.by
		err = f.SignAsLandlord(t.Context(), owner, f.lease.ID, "dana@example.com", g, from)
		if !fault.Is(err, fault.InvalidField) {
			t.Error("the landlord without initials:", err)
		}
		g.Initials = map[string]string{id: "DW"}
		f.ok(f.SignAsLandlord(t.Context(), owner, f.lease.ID, "dana@example.com", g, from))
		if log := f.log(); strings.Count(log, "initialed ") != 3 {
			t.Error(log)
		}
		e, err := f.agreements.Execution(t.Context(), *f.lease.DocumentID)
		f.ok(err)
		text := strings.Join(strings.Fields(documenttest.Tool(t, e.Content, "pdftotext", "-raw", "FILE", "-")), " ")
		if !strings.Contains(text, "Put the initials “s. r.” to the attachment Pets.pdf") {
			t.Error("the certificate does not tell of initials")
		}
	})
}

// A signer reads what the version names that they are shown, and nothing else.
func TestSignersReadAttachments(t *testing.T) {
	onEach(t, func(f *fixture) {
		a, b := f.attaches("Rules.pdf", "Quiet hours"), f.attaches("Parking.pdf", "One car")
		content, err := f.Attachment(t.Context(), f.token(0), a.ID)
		f.ok(err)
		if text := documenttest.Tool(t, content, "pdftotext", "FILE", "-"); !strings.Contains(text, "Quiet hours") {
			t.Error(text)
		}
		f.ok(f.Review(t.Context(), f.token(0), from))
		_, err = f.agreements.Detach(t.Context(), f.by, f.lease.ID, b.ID)
		f.ok(err)
		for _, id := range []string{b.ID, "att_00000000000000000000000000", ""} {
			if _, err := f.Attachment(t.Context(), f.token(0), id); !fault.Is(err, fault.NoRecord) {
				t.Errorf("%s: %v", id, err)
			}
		}
		f.ok(f.Decline(t.Context(), f.token(0), "", from))
		if _, err := f.Attachment(t.Context(), f.token(1), a.ID); !fault.Is(err, fault.NoRecord) {
			t.Error("of a lease that is over:", err)
		}
	})
}

// The log says once who has opened what while they could sign, and nothing of programs that look behind links.
func TestOpenedAttachmentsAreNotedOnce(t *testing.T) {
	onEach(t, func(f *fixture) {
		rules, other := f.attaches("Rules.pdf", "Quiet hours"), f.attaches("Parking.pdf", "One car")
		opens := func(signer int, id string) {
			t.Helper()
			content, err := f.OpenAttachment(t.Context(), f.token(signer), id, from)
			if f.ok(err); !strings.HasPrefix(string(content), "%PDF-") {
				t.Errorf("%.20q", content)
			}
		}
		opened := func(want int) {
			t.Helper()
			if log := f.log(); strings.Count(log, "opened ") != want {
				t.Errorf("%d openings, want %d: %s", strings.Count(log, "opened "), want, log)
			}
		}
		opens(0, rules.ID)
		opened(0) // before they have looked at the lease
		f.ok(f.Review(t.Context(), f.token(0), from))
		for range 3 {
			opens(0, rules.ID)
		}
		opened(1)
		opens(0, other.ID)
		f.ok(f.Review(t.Context(), f.token(1), from))
		opens(1, rules.ID)
		opened(3)
		for _, id := range []string{"att_00000000000000000000000000", ""} {
			if _, err := f.OpenAttachment(t.Context(), f.token(0), id, from); !fault.Is(err, fault.NoRecord) {
				t.Errorf("%q: %v", id, err)
			}
		}
		for i := range f.lease.Signers {
			f.signsVersion(i, 3)
			if i == 0 {
				opens(0, rules.ID)
			}
		}
		opened(3)
		found, err := f.agreements.Verify(t.Context(), *f.lease.DocumentID)
		if f.ok(err); len(found) > 0 {
			t.Error(found)
		}
		e, err := f.agreements.Execution(t.Context(), *f.lease.DocumentID)
		f.ok(err)
		text := strings.Join(strings.Fields(documenttest.Tool(t, e.Content, "pdftotext", "-raw", "FILE", "-")), " ")
		if n := strings.Count(text, "Opened the attachment Rules.pdf, SHA-256 "); n != 2 {
			t.Errorf("the certificate tells of %d openings", n)
		}
	})
}
