package agreement

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"portal/api/access"
	"portal/api/agreement/document"
	"portal/api/agreement/document/foreign"
	"portal/api/agreement/document/pdf"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/texts"
)

// Attachment is a PDF of the landlord's that is part of a lease (docs/site/records.md).
type Attachment struct {
	// Identifier of the attachment.
	ID string `json:"id" format:"id" object:"attachment" prefix:"att"`
	// Name of the file.
	FileName string `json:"file_name" example:"House rules.pdf"`
	// Media type; always application/pdf.
	ContentType string `json:"content_type" example:"application/pdf"`
	// Number of pages.
	Pages int `json:"pages" example:"3"`
	// Size of the file as it is kept, in bytes.
	Size int `json:"size" example:"48213"`
	// SHA-256 of the file as it is kept, in hex.
	SHA256 string `json:"sha256" example:"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"`
	// When the file was uploaded.
	UploadedAt clock.Time `json:"uploaded_at"`
	// Whether each party who signs electronically also enters their initials for it.
	RequiresInitials bool `json:"requires_initials"`
	// Whether it is the lease itself, of a lease with the document own.
	IsLease bool `json:"is_lease" example:"false"`
	// Disclosures are the codes of those that it answers, of one that comes from the library.
	Disclosures []string `json:"-"`
}

// SchemaName is the name of the OpenAPI component.
func (Attachment) SchemaName() string { return "LeaseAttachmentOut" }

// AttachmentCreate is a PDF to attach, in the parts of multipart/form-data.
type AttachmentCreate struct {
	// The PDF. A lease has at most 10, with 10 MB and 100 pages together.
	File string `json:"file" format:"binary"`
	// true has each party who signs electronically enter their initials for it.
	RequiresInitials *bool `json:"requires_initials" example:"true"`
	// true makes it the lease itself, of a lease with the document own, which has one such PDF.
	IsLease *bool `json:"is_lease" example:"false"`
}

// SchemaName is the name of the OpenAPI component.
func (AttachmentCreate) SchemaName() string { return "LeaseAttachmentCreate" }

// What may be attached to a lease.
const (
	MostAttachments     = 10
	MostAttached        = foreign.MostBytes // bytes of all attachments
	MostAttachedPages   = foreign.MostPages // of all attachments
	longestAttachedName = 100               // characters
)

// AttachmentFile is a PDF that is to be attached.
type AttachmentFile struct {
	Name             string // of the file, as it was sent
	RequiresInitials bool
	IsLease          bool
	foreign.Document

	id string     // of the attachment: the same where the write runs anew because a document had to be rendered
	at clock.Time // when it was uploaded
}

// Clean makes a harmless PDF of a file that somebody sends, before the transaction in which it is attached. A file that
// is not taken is fault.InvalidField.
func (s *Service) Clean(ctx context.Context, by access.Actor, name string, content []byte) (*AttachmentFile, error) {
	if err := by.Need(access.Write); err != nil {
		return nil, err
	}
	d, err := s.cleaner.Clean(ctx, content)
	if _, refused := foreign.RefusalOf(err); refused {
		return nil, fault.From(err).At("file")
	}
	if err != nil {
		return nil, err
	}
	now := s.Now(by.Portfolio)
	return &AttachmentFile{Name: name, Document: d, id: id.New(id.Attachment, now), at: clock.At(now)}, nil
}

// Attach adds a PDF to a draft of a lease, whose document names it from then on.
func (s *Service) Attach(
	ctx context.Context, by access.Actor, leaseID string, f *AttachmentFile,
) (*change.Result[Attachment], error) {
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[Attachment], error) {
		l, kept, err := s.toAttach(ctx, by, leaseID)
		if err != nil {
			return nil, err
		}
		if err := f.fitsAsLease(l, kept); err != nil {
			return nil, err
		}
		if err := fits("lease", kept, f); err != nil {
			return nil, err
		}
		a := f.attachment(kept)
		m := &change.Result[Attachment]{After: a}
		if change.IsDryRun(ctx) {
			return m, nil
		}
		if err := s.store.AddAttachment(ctx, by.Portfolio, l.ID, a, f.Content); err != nil {
			return nil, err
		}
		return m, s.attached(ctx, by, l, "attached", a)
	})
}

// Detach takes an attachment off a draft of a lease. One that somebody may have looked at is kept with the version of
// the document that they have looked at.
func (s *Service) Detach(
	ctx context.Context, by access.Actor, leaseID, attachmentID string,
) (*change.Result[LeaseWithTerms], error) {
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[LeaseWithTerms], error) {
		l, kept, err := s.toAttach(ctx, by, leaseID)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(kept, func(a Attachment) bool { return a.ID == attachmentID })
		if i < 0 {
			return nil, fault.NotFound("attachment")
		}
		m := &change.Result[LeaseWithTerms]{}
		if m.Before, err = s.Lease(ctx, by, leaseID); err != nil {
			return nil, err
		}
		now := clock.At(s.Now(by.Portfolio))
		if err := s.store.RemoveAttachment(ctx, by.Portfolio, l.ID, attachmentID, now); err != nil {
			return nil, err
		}
		if err := s.attached(ctx, by, l, "removed", &kept[i]); err != nil {
			return nil, err
		}
		m.After, err = s.Lease(ctx, by, leaseID)
		return m, err
	})
}

// toAttach is a lease whose attachments can change, and those that it has.
func (s *Service) toAttach(
	ctx context.Context, by access.Actor, leaseID string,
) (*portfolio.Lease, []Attachment, error) {
	l, err := s.leases.Lease(ctx, by, leaseID)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case l.DocumentID == nil:
		err = fault.New(fault.InvalidTransition, "The lease was not generated here, so nothing can be attached to it.")
	case l.Status == portfolio.LeasePendingSignature:
		err = fault.New(fault.SignatureInProgress, "Somebody has signed the lease already, so its attachments stay as "+
			"they are. Void it and generate another one.")
	case l.Status != portfolio.LeaseDraft || l.Lapsed(s.BusinessNow(by.Portfolio)):
		err = fault.New(fault.InvalidTransition, "The lease is no longer a draft, so its attachments stay as they are.")
	}
	if err != nil {
		return nil, nil, err
	}
	kept, err := s.store.Attachments(ctx, by.Portfolio, leaseID)
	return l, kept, err
}

// attachment is what a file becomes beside what is attached already.
func (f *AttachmentFile) attachment(kept []Attachment) *Attachment {
	return &Attachment{
		ID:               f.id,
		FileName:         attachedName(f.Name, kept),
		ContentType:      "application/pdf",
		Pages:            len(f.Pages),
		Size:             len(f.Content),
		SHA256:           sum(f.Content),
		UploadedAt:       f.at,
		RequiresInitials: f.RequiresInitials,
		IsLease:          f.IsLease,
	}
}

// fitsAsLease refuses a file as the lease itself where the lease has another text already.
func (f *AttachmentFile) fitsAsLease(l *portfolio.Lease, kept []Attachment) error {
	i := slices.IndexFunc(kept, func(a Attachment) bool { return a.IsLease })
	var said string
	switch {
	case !f.IsLease:
		return nil
	case !l.Terms.Own():
		said = "This lease has the standard document, so a PDF can only be attached to it. Generate a lease with the " +
			"document own for a text of your own."
	case i >= 0:
		said = fmt.Sprintf("The lease has its PDF already: %s. Remove that one first.", kept[i].FileName)
	default:
		return nil
	}
	return fault.New(fault.InvalidField, "%s", said).At("is_lease")
}

// fits refuses a file that is too much beside what is attached to a lease or a template already.
func fits(noun string, kept []Attachment, f *AttachmentFile) error {
	size, pages := len(f.Content), len(f.Pages)
	for i := range kept {
		size, pages = size+kept[i].Size, pages+kept[i].Pages
	}
	var said string
	switch {
	case len(kept) >= MostAttachments:
		said = fmt.Sprintf("The %s has %d attachments, and %d is the most. Remove one first.", noun, len(kept),
			MostAttachments)
	case size > MostAttached:
		said = fmt.Sprintf("With this file the attachments would be larger than %d MB together.", MostAttached>>20)
	case pages > MostAttachedPages:
		said = fmt.Sprintf("With this file the attachments would have %d pages, and %d is the most.", pages,
			MostAttachedPages)
	default:
		return nil
	}
	return fault.New(fault.InvalidField, "%s", said).At("file")
}

// attachedName is the name of a file as the document says it: without folders, in characters that the document can
// show, and another one than those of what is attached already.
func attachedName(sent string, kept []Attachment) string {
	name := path.Base(strings.ReplaceAll(norm.NFC.String(strings.ToValidUTF8(sent, "")), "\\", "/"))
	name = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if texts.Unreadable(string(r), false) || len(pdf.Missing(string(r))) > 0 {
			return ' '
		}
		return r
	}, name)), " ")
	stem := strings.TrimSuffix(name, path.Ext(name))
	if stem == "" || stem == "." {
		stem = "Attachment"
	}
	stem = texts.Clip(stem, longestAttachedName)
	for n := 1; ; n++ {
		name := stem + ".pdf"
		if n > 1 {
			name = fmt.Sprintf("%s (%d).pdf", stem, n)
		}
		if !slices.ContainsFunc(kept, func(a Attachment) bool { return strings.EqualFold(a.FileName, name) }) {
			return name
		}
	}
}

// attached notes that an attachment of a lease was attached or removed, and makes the document anew.
func (s *Service) attached(ctx context.Context, by access.Actor, l *portfolio.Lease, what string, a *Attachment) error {
	after := *l
	after.Revise(clock.At(s.Now(by.Portfolio)))
	if err := s.store.SaveLease(ctx, by.Portfolio, &after); err != nil {
		return err
	}
	err := s.RecordDone(ctx, by, "lease.changed", l.ID, map[string]string{
		"version": strconv.FormatInt(after.Version, 10), what: a.ID,
	})
	if err != nil {
		return err
	}
	return s.Remake(ctx, by, l.ID)
}

// namedIn are attachments as a document names them.
func namedIn(all []Attachment) (named []document.Attachment) {
	for i := range all {
		named = append(named, document.Attachment{
			ID:       all[i].ID,
			Name:     all[i].FileName,
			Pages:    all[i].Pages,
			SHA256:   all[i].SHA256,
			Initials: all[i].RequiresInitials,
			Lease:    all[i].IsLease,
			Answers:  all[i].Disclosures,
		})
	}
	return named
}

// Attached is the PDF of an attachment that a lease has or had, or fault.NotFound.
func (s *Service) Attached(
	ctx context.Context, by access.Actor, leaseID, attachmentID string,
) (*Attachment, []byte, error) {
	if _, err := s.leases.Lease(ctx, by, leaseID); err != nil {
		return nil, nil, err
	}
	a, content, err := s.store.Attachment(ctx, by.Portfolio, leaseID, attachmentID)
	return &a, content, err
}

// AttachmentOf is Attached of a portfolio, for the pages of signers.
func (s *Service) AttachmentOf(
	ctx context.Context, in access.Portfolio, leaseID, attachmentID string,
) (Attachment, []byte, error) {
	return s.store.Attachment(ctx, in, leaseID, attachmentID)
}

// behind are the attachments of a document as they are put behind it. One that is not as the document names it is
// refused: nothing else may be sealed.
func (s *Service) behind(
	ctx context.Context, in access.Portfolio, leaseID string, d *document.Document,
) ([]pdf.Attachment, error) {
	all := make([]pdf.Attachment, len(d.Attachments))
	for i, a := range d.Attachments {
		_, content, err := s.store.Attachment(ctx, in, leaseID, a.ID)
		if err != nil {
			return nil, fmt.Errorf("the attachment %s: %w", a.ID, err)
		}
		if sum(content) != a.SHA256 {
			return nil, fmt.Errorf("what is kept of the attachment %s was changed", a.ID)
		}
		all[i] = pdf.Attachment{Name: a.Name, Content: content, Lease: a.Lease}
	}
	return all, nil
}

// attachedTo are the attachments that the version of a document names. Of one whose text was emptied they are not known
// any more.
func attachedTo(d *Document) ([]document.Attachment, error) {
	if d.Body == "" {
		return nil, nil
	}
	var body document.Document
	if err := json.Unmarshal([]byte(d.Body), &body); err != nil {
		return nil, fmt.Errorf("what the version %d says: %w", d.Number, err)
	}
	return body.Attachments, nil
}

// verifyAttachments holds what is kept of attachments against the version of the document that names them, which
// is held against the log.
func (s *Service) verifyAttachments(
	ctx context.Context, in access.Portfolio, d *Document, reads depth,
) (found []Tampering, err error) {
	named, err := attachedTo(d)
	if err != nil {
		return nil, err
	}
	for _, n := range named {
		var content []byte
		kept, err := s.store.AttachmentRecord(ctx, in, d.LeaseID, n.ID)
		if err == nil && reads == byContent {
			_, content, err = s.store.Attachment(ctx, in, d.LeaseID, n.ID)
		}
		var reason string
		switch {
		case fault.Is(err, fault.NoRecord):
			reason = "is missing"
		case err != nil:
			return nil, err
		case reads == byContent && sum(content) != n.SHA256:
			reason = "has another content"
		case kept.SHA256 != n.SHA256:
			reason = "has another hash"
		case kept.FileName != n.Name || kept.Pages != n.Pages || kept.RequiresInitials != n.Initials ||
			kept.IsLease != n.Lease:
			reason = "is described otherwise"
		default:
			continue
		}
		found = append(found, Tampering{Attachment: n.Name, Reason: reason})
	}
	return found, nil
}
