package agreement

import (
	"context"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/agreement/document"
	"portal/api/change"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
)

// linkPurpose is what links of documents are signed for.
const linkPurpose = "link of a document"

// Link is the address that opens a document for whoever has it.
func (s *Service) Link(documentID string) string {
	return s.BaseURL + "/documents/" + documentID + "." + s.box.Sign(linkPurpose, documentID)
}

// linked is the document that the end of a link names, "" where nobody of ours has made the link.
func (s *Service) linked(token string) string {
	documentID, signature, _ := strings.Cut(token, ".")
	if !id.Valid(id.Document, documentID) || !s.box.Signed(linkPurpose, documentID, signature) {
		return ""
	}
	return documentID
}

// Remake makes a new version of the documents of drafts that say something else now. A lease without a document,
// and one that can no longer be signed, stays as it is.
func (s *Service) Remake(ctx context.Context, by access.Actor, leaseIDs ...string) error {
	var all []*document.Terms
	var composed []*document.Document
	for _, leaseID := range leaseIDs {
		l, err := s.store.Lease(ctx, by.Portfolio, leaseID)
		if err != nil {
			return err
		}
		if l.DocumentID == nil || l.Status != portfolio.LeaseDraft {
			continue
		}
		_, d, err := s.store.Document(ctx, *l.DocumentID)
		if err != nil {
			return err
		}
		t := &document.Terms{Lease: &l, Day: s.Today(by), Version: d.Number}
		if err := s.fill(ctx, by.Portfolio, t); err != nil {
			return err
		}
		if sameBody(d.Body, document.Compose(t)) {
			continue // nothing that it says has changed
		}
		t.Version++
		if err := (&review{Terms: t, before: &l}).unshownNames(); err != nil {
			return err
		}
		all, composed = append(all, t), append(composed, document.Compose(t))
	}
	rendered, err := s.rendered(ctx, by.Portfolio, preparing{}, composed)
	for i := 0; i < len(rendered) && err == nil; i++ {
		err = s.addVersion(ctx, by.Portfolio, all[i], rendered[i])
	}
	for i := 0; i < len(leaseIDs) && err == nil && !change.IsDryRun(ctx); i++ {
		err = s.SendWaiting(ctx, by.Portfolio, leaseIDs[i]) // what changed may have been what blocked it
	}
	return err
}

// sameBody reports whether a version says what a document says. One of an earlier release has no Spanish summary.
func sameBody(kept string, d *document.Document) bool {
	if kept == bodyOf(d) {
		return true
	}
	d.Spanish = nil
	return kept == bodyOf(d)
}

// addVersion appends a version of the document of a draft, whose signers it names anew.
func (s *Service) addVersion(ctx context.Context, in access.Portfolio, t *document.Terms, r rendering) error {
	_, d, err := s.store.Document(ctx, *t.Lease.DocumentID)
	if err != nil {
		return err
	}
	d.Version = r.version(t.Version)
	if err := s.store.AddVersion(ctx, in, &d); err != nil {
		return err
	}
	if err := s.store.SaveSigners(ctx, in, t.Lease.ID, signerStates(t)); err != nil {
		return err
	}
	return s.Note(ctx, in, &d, generated(&d))
}

// fill reads the records that a lease names, and what is attached to it.
func (s *Service) fill(ctx context.Context, in access.Portfolio, t *document.Terms) error {
	attached, err := s.store.Attachments(ctx, in, t.Lease.ID)
	if err != nil {
		return err
	}
	t.Attachments = namedIn(attached)
	return s.fillRecords(ctx, in, t)
}

// fillRecords reads the records that a lease names.
func (s *Service) fillRecords(ctx context.Context, in access.Portfolio, t *document.Terms) error {
	property, err := s.store.Property(ctx, in, t.Lease.PropertyID)
	if err != nil {
		return err
	}
	unit, err := s.store.Unit(ctx, in, t.Lease.UnitID)
	if err != nil {
		return err
	}
	if t.Landlord, err = s.Landlord(ctx, in); err != nil {
		return err
	}
	t.Property, t.Unit = &property, &unit
	for _, p := range t.Lease.Tenants {
		tenant, err := s.party(ctx, in, t.Lease, p.ID)
		if err != nil {
			return err
		}
		t.Emails = append(t.Emails, or(tenant.Email, ""))
		if p.Role == portfolio.PartyGuarantor {
			t.Guarantors = append(t.Guarantors, tenant)
		}
	}
	return nil
}

// Shown is a document as its link opens it.
type Shown struct {
	Landlord string // where the link has ended
	Address  string // that is rented, where the link has ended
	Content  []byte // the PDF, nil once the link has ended
	Executed bool   // whether all have signed it
}

// Document is what a link opens: the PDF while the lease can still be signed, from then on the one that all
// have signed, and fault.NotFound for a link that opens nothing.
func (s *Service) Document(ctx context.Context, token string) (*Shown, error) {
	documentID := s.linked(token)
	if documentID == "" {
		return nil, fault.NotFound("document")
	}
	e, err := s.store.Execution(ctx, documentID)
	if err == nil {
		return &Shown{Content: e.Content, Executed: true}, nil
	}
	if !fault.Is(err, fault.NoRecord) {
		return nil, err
	}
	in, d, err := s.store.Document(ctx, documentID)
	if err != nil {
		return nil, err
	}
	l, err := s.store.Lease(ctx, in, d.LeaseID)
	if err != nil {
		return nil, err
	}
	landlord, err := s.store.Landlord(ctx, in)
	if err != nil {
		return nil, err
	}
	shown := &Shown{Landlord: landlord.Name, Address: l.RentalAddress}
	if slices.Contains(portfolio.OfferedLeases(), l.Status) &&
		(l.ExpiresAt == nil || *l.ExpiresAt > s.BusinessNow(in)) {
		shown.Content = d.Content
	}
	return shown, nil
}

// Execution is a document as all have signed it, or fault.NotFound.
func (s *Service) Execution(ctx context.Context, documentID string) (Execution, error) {
	return s.store.Execution(ctx, documentID)
}

// Stored is a document as it is kept, with its latest version and the portfolio that it belongs to.
func (s *Service) Stored(ctx context.Context, documentID string) (access.Portfolio, Document, error) {
	return s.store.Document(ctx, documentID)
}

// SendingOf tells whether the lease of a document was sent for signature.
func (s *Service) SendingOf(ctx context.Context, in access.Portfolio, documentID string) (Sending, error) {
	return s.store.Sending(ctx, in, documentID)
}

// EachVersion calls back with each version of a document, the first one first.
func (s *Service) EachVersion(
	ctx context.Context, in access.Portfolio, documentID string, each func(*Version) error,
) error {
	return s.store.EachVersion(ctx, in, documentID, each)
}
