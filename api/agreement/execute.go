package agreement

import (
	"cmp"
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/agreement/document"
	"portal/api/agreement/document/pdf"
	"portal/api/agreement/document/seal"
	"portal/api/agreement/evidence"
	"portal/api/clock"
	"portal/api/portfolio"
)

// Sealer puts the seal of the service on an executed lease.
type Sealer interface {
	Seal(content []byte, w seal.Words) ([]byte, error)
	// Certificate is that of the seal.
	Certificate() *x509.Certificate
}

// Execution is a lease as all have signed it. It never changes.
type Execution struct {
	DocumentID string
	Version    int // of the document, which was signed
	CreatedAt  clock.Time
	SHA256     string // of the content, in hex
	Content    []byte // the PDF
}

// VerifyPath is the path of the page that checks a signed lease.
const VerifyPath = "/verify"

// Execute implements portfolio.Documents. The PDF says of each party what the log has of it, so that the log
// and the version that was signed are checked first.
func (s *Service) Execute(ctx context.Context, by access.Actor, l *portfolio.Lease) error {
	if l.DocumentID == nil {
		return nil // agreed on elsewhere
	}
	in, d, err := s.store.Document(ctx, *l.DocumentID)
	if err != nil {
		return err
	}
	if in.ID != by.Portfolio.ID || d.LeaseID != l.ID {
		return fmt.Errorf("the document %s is not one of the lease %s", d.ID, l.ID)
	}
	made, err := s.executed(ctx, in, &d)
	if err != nil {
		return fmt.Errorf("execute the document %s: %w", d.ID, err)
	}
	rendered, err := s.rendered(ctx, in, preparing{
		at:   *l.SignedAt,
		seal: sealWords(in, *l.SignedAt),
		of:   l.ID,
	}, []*document.Document{made})
	if err != nil {
		return err
	}
	e := Execution{
		DocumentID: d.ID,
		Version:    d.Number,
		CreatedAt:  *l.SignedAt,
		SHA256:     sum(rendered[0].content),
		Content:    rendered[0].content,
	}
	if err := s.store.AddExecution(ctx, in, &e); err != nil {
		return err
	}
	l.DocumentSHA256 = &e.SHA256
	return s.Note(ctx, in, &d, evidence.Entry{At: e.CreatedAt, Kind: evidence.Executed, Document: e.SHA256})
}

// Sealed is what all have signed that is no lease, as PDF with the seal of the service. Its moment is that of Moment,
// so that the PDF is rendered before the transaction of the context and found in it. A dry run gets none.
func (s *Service) Sealed(
	ctx context.Context, in access.Portfolio, d *document.Document, at clock.Time,
) (content []byte, err error) {
	all, err := s.rendered(ctx, in, preparing{at: at, seal: sealWords(in, at)}, []*document.Document{d})
	if err != nil || len(all) == 0 {
		return nil, err
	}
	return all[0].content, nil
}

func sealWords(in access.Portfolio, at clock.Time) *seal.Words {
	return &seal.Words{Name: "Portal", Reason: sealReasons[in.Mode], At: at.Std()}
}

// sealReasons are why a lease is sealed, by its mode.
var sealReasons = map[access.Mode]string{
	access.Live: "Signed by all parties",
	access.Test: "Made in test mode",
}

// executed is the document that all have signed, with the certificate of how they did.
func (s *Service) executed(ctx context.Context, in access.Portfolio, d *Document) (*document.Document, error) {
	log, err := s.store.Evidence(ctx, in, d.ID)
	if err != nil {
		return nil, err
	}
	if err := s.intact(d, log); err != nil {
		return nil, err
	}
	scans, err := s.verifyScans(ctx, in, d, log, byContent)
	if err != nil {
		return nil, err
	}
	attached, err := s.verifyAttachments(ctx, in, d, byContent)
	if found := append(scans, attached...); err != nil || len(found) > 0 {
		return nil, cmp.Or(err, fmt.Errorf("what is kept of it was changed: %v", found))
	}
	all, _, err := s.store.Signers(ctx, in, d.LeaseID)
	if err != nil {
		return nil, err
	}
	c := &document.Certificate{
		SHA256:   d.SHA256,
		Document: d.ID,
		Head:     d.Anchor.Head,
		Verify:   s.BaseURL + VerifyPath,
		Test:     in.Mode == access.Test,
	}
	for i := range log {
		c.Log = append(c.Log, happening(&log[i]))
	}
	for i := range all {
		signed, err := signedBy(all[i].ID, d.SHA256, log, in.Mode)
		if err != nil {
			return nil, err
		}
		c.Signed = append(c.Signed, signed)
	}
	var body document.Document
	if err := json.Unmarshal([]byte(d.Body), &body); err != nil {
		return nil, fmt.Errorf("what the version %d says: %w", d.Number, err)
	}
	return body.Execute(c)
}

// intact refuses a log, or a version of a document that is about to be executed, that is not as it was
// written: nothing may be certified by it.
func (s *Service) intact(d *Document, log []evidence.Entry) error {
	found, err := s.verifyLog(d, log)
	if err != nil {
		return err
	}
	found = append(found, verifyVersions(d, []keptVersion{keptAs(&d.Version)}, log, d.Number)...)
	if len(found) > 0 {
		return fmt.Errorf("what is kept of it was changed: %v", found)
	}
	return nil
}

// signedBy is how a signer has signed a document, by the log alone.
func signedBy(signerID, sha256 string, log []evidence.Entry, mode access.Mode) (s document.Signed, err error) {
	byCode := document.CodeProof
	if mode == access.Test {
		byCode = document.TestProof
	}
	for i := range log {
		e := &log[i]
		if e.Party != signerID {
			continue
		}
		switch e.Kind {
		case evidence.Consented:
			s.Consented = e.At
		case evidence.CodeGiven:
			s.Proof = byCode(shown(e.Note))
		case evidence.Confirmed:
			s.Proof = document.AccountProof(shown(e.Note))
		case evidence.HandedOver:
			s.Proof = document.DeviceProof(shown(e.Note))
		case evidence.SignedOnPaper:
			if e.Document != sha256 {
				return s, fmt.Errorf("%s has signed another version", signerID)
			}
			p := evidence.PaperSignatureAs(e.Note)
			s.At, s.Paper = e.At, &document.Paper{On: p.On, By: shown(p.By), SHA256: p.SHA256}
		case evidence.Signed:
			if e.Document != sha256 {
				return s, fmt.Errorf("%s has signed another version", signerID)
			}
			s.Typed, s.At, s.Address, s.Browser = shown(e.Note), e.At, e.Address, e.Browser
		case evidence.Generated, evidence.MailQueued, evidence.MailSent, evidence.MailFailed, evidence.MailKept,
			evidence.Sent, evidence.Viewed, evidence.CodeSent, evidence.AddressChanged, evidence.LinkGiven,
			evidence.Extended, evidence.Opened, evidence.Initialed, evidence.Declined, evidence.Executed,
			evidence.Voided, evidence.Ended, evidence.EndingAsked, evidence.EndingAgreed, evidence.EndingRefused,
			evidence.EndingWithdrawn:
		}
	}
	if s.At == 0 || s.Paper == nil && (s.Consented == 0 || s.Proof == "") {
		return s, errors.New("the log does not show how " + signerID + " has signed")
	}
	return s, nil
}

// shown is a text from outside with those characters alone that the font of documents has.
func shown(text string) string {
	missing := pdf.Missing(text)
	return strings.Map(func(r rune) rune {
		if slices.Contains(missing, r) {
			return '?'
		}
		return r
	}, text)
}

// happened are the kinds of entries in words.
var happened = map[evidence.Kind]string{
	evidence.Generated: "The document was made",
	evidence.Viewed:    "Looked at the lease",
	evidence.Consented: "Agreed to electronic records",
	evidence.CodeGiven: "Entered the code",
	evidence.Confirmed: "Confirmed their sign-in",
	evidence.Signed:    "Signed",
	evidence.Declined:  "Declined to sign",
	evidence.Executed:  "All have signed",
	evidence.Voided:    "The lease was ended",
	evidence.Ended:     "The lease was ended before it started",
}

// mailed are the topics of emails in words.
var mailed = map[evidence.Topic]string{
	evidence.LinkMail:     "Email with the link",
	evidence.ReminderMail: "Reminder with the link",
	evidence.CodeMail:     "Email with a code",

	evidence.ExtensionMail: "Email with more time to sign",
}

// happening is an entry of a log in words. An email is told with its address, and with what a mail server said of it.
func happening(e *evidence.Entry) document.Happening {
	h := document.Happening{At: e.At, What: happened[e.Kind], Party: e.Name, Address: e.Address}
	m := evidence.MailedAs(e.Note)
	switch e.Kind {
	case evidence.MailQueued:
		h.What = mailed[m.Topic] + " to " + m.To + ": queued"
	case evidence.MailSent:
		h.What = mailed[m.Topic] + " to " + m.To + ": accepted by the mail server" + inParentheses(m.Words)
	case evidence.MailFailed:
		h.What = mailed[m.Topic] + " to " + m.To + ": failed" + inParentheses(m.Words)
	case evidence.MailKept:
		h.What = mailed[m.Topic] + " to " + m.To + ": kept, not sent"
	case evidence.Sent:
		h.What = mailed[evidence.LinkMail] + " to " + e.Note + ": queued"
	case evidence.CodeSent:
		h.What = mailed[evidence.CodeMail] + " to " + e.Note + ": queued"
	case evidence.AddressChanged:
		r := evidence.ReaddressedAs(e.Note)
		h.What = fmt.Sprintf("Address changed from %s to %s by %s; earlier links ended",
			cmp.Or(r.From, "none"), cmp.Or(r.To, "none"), r.By)
	case evidence.LinkGiven:
		h.What = "Link handed out by " + e.Note
	case evidence.Extended:
		h.What = extension(e.Note)
	case evidence.CodeGiven:
		h.What += " of the email to " + e.Note
	case evidence.Confirmed:
		h.What += " as " + e.Note
	case evidence.HandedOver:
		h.What = "Was handed the device of " + e.Note + ", who confirmed their sign-in"
	case evidence.Viewed:
		h.What += inParentheses(e.Note)
	case evidence.SignedOnPaper:
		p := evidence.PaperSignatureAs(e.Note)
		h.What = fmt.Sprintf("Signed on paper on %s; recorded by %s, who confirmed their sign-in; scan SHA-256 %s",
			p.On.Std().Format("January 2, 2006"), p.By, p.SHA256)
	case evidence.Opened:
		o := evidence.OpeningAs(e.Note)
		h.What = fmt.Sprintf("Opened the attachment %s, SHA-256 %s", o.Name, o.SHA256)
	case evidence.Initialed:
		i := evidence.InitialingAs(e.Note)
		h.What = fmt.Sprintf("Put the initials “%s” to the attachment %s, SHA-256 %s", i.Initials, i.Name, i.SHA256)
	case evidence.Generated, evidence.Consented,
		evidence.Signed, evidence.Declined, evidence.Executed, evidence.Voided, evidence.Ended,
		evidence.EndingAsked, evidence.EndingAgreed, evidence.EndingRefused, evidence.EndingWithdrawn:
	}
	h.What = shown(h.What)
	return h
}

// inParentheses is a text in parentheses behind another one, "" for none.
func inParentheses(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}
