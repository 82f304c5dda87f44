package agreement

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/agreement/document"
	"portal/api/agreement/document/pdf"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/portfolio/leaseterms"
)

// linkPurpose is what links of documents are signed for.
const linkPurpose = "link of a document"

// Link is the address that opens a document for whoever has it.
func (s *Service) Link(documentID string) string {
	return s.BaseURL + "/documents/" + documentID + "." + s.keys.Sign(linkPurpose, documentID)
}

// linked is the document that the end of a link names, "" where nobody of ours has made the link.
func (s *Service) linked(token string) string {
	documentID, signature, _ := strings.Cut(token, ".")
	if !id.Valid(id.Document, documentID) || !s.keys.Signed(linkPurpose, documentID, signature) {
		return ""
	}
	return documentID
}

// render puts the PDF of a lease into its document.
func (s *Service) render(d *Document, t *document.Terms) (err error) {
	d.CreatedAt = clock.At(s.Now())
	if d.Content, err = pdf.Render(document.Compose(t), d.CreatedAt.Std()); err != nil {
		return err
	}
	sum := sha256.Sum256(d.Content)
	d.SHA256 = hex.EncodeToString(sum[:])
	return nil
}

// clausesText is how a document keeps its clauses, to be made anew.
func clausesText(c leaseterms.Clauses) string {
	text, err := json.Marshal(c)
	if err != nil {
		panic(err) // texts alone
	}
	return string(text)
}

// Remake makes the document of a draft anew after its terms have changed. A lease without one stays so.
func (s *Service) Remake(ctx context.Context, by access.Actor, l *portfolio.Lease) error {
	if l.DocumentID == nil {
		return nil
	}
	d, err := s.documents.LeaseDocument(ctx, by.Portfolio, *l.DocumentID)
	if err != nil {
		return err
	}
	t := &document.Terms{Lease: l, Day: s.Today(by)}
	if err := json.Unmarshal([]byte(d.Clauses), &t.Lease.Terms.Clauses); err != nil {
		return err
	}
	if err := s.fill(ctx, by.Portfolio, t); err != nil {
		return err
	}
	if err := s.render(&d, t); err != nil {
		return err
	}
	return s.documents.ReplaceDocument(ctx, by.Portfolio, &d)
}

// fill reads the records that a lease names.
func (s *Service) fill(ctx context.Context, in access.Portfolio, t *document.Terms) error {
	property, err := s.store.Property(ctx, in, t.Lease.PropertyID)
	if err != nil {
		return err
	}
	unit, err := s.store.Unit(ctx, in, t.Lease.UnitID)
	if err != nil {
		return err
	}
	if t.Landlord, err = s.landlord(ctx, in); err != nil {
		return err
	}
	t.Property, t.Unit = &property, &unit
	for _, p := range t.Lease.Tenants {
		tenant, err := s.store.Tenant(ctx, in, p.ID)
		if err != nil {
			return err
		}
		email := ""
		if tenant.Email != nil {
			email = *tenant.Email
		}
		t.Emails = append(t.Emails, email)
	}
	return nil
}

// Shown is a document as its link opens it.
type Shown struct {
	Landlord string
	Address  string // that is rented
	Content  []byte // the PDF, nil once the link has ended
}

// Document is what a link opens: the PDF while the lease can still be signed, and fault.NotFound for a
// link that opens nothing.
func (s *Service) Document(ctx context.Context, token string) (*Shown, error) {
	documentID := s.linked(token)
	if documentID == "" {
		return nil, fault.NotFound("document")
	}
	in, d, err := s.documents.Document(ctx, documentID)
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
	if slices.Contains(portfolio.OfferedLeases(), l.Status) && (l.ExpiresAt == nil || *l.ExpiresAt > clock.At(s.Now())) {
		shown.Content = d.Content
	}
	return shown, nil
}
