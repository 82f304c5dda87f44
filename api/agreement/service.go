package agreement

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/agreement/document/foreign"
	"portal/api/agreement/evidence"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/records"
	"portal/api/secret"
)

// Store keeps the records that leases are generated from, and their documents.
type Store interface {
	portfolio.Store
	// AutoCharges reports whether the ledger of a portfolio charges by itself.
	AutoCharges(ctx context.Context, in access.Portfolio) (bool, error)
	// AddLease writes a new lease with its parties and terms.
	AddLease(ctx context.Context, in access.Portfolio, l *portfolio.Lease) error
	SaveLease(ctx context.Context, in access.Portfolio, l *portfolio.Lease) error
	// UnitsOf reads the units of a property.
	UnitsOf(ctx context.Context, in access.Portfolio, propertyID string) ([]portfolio.Unit, error)

	// AddDocument writes a new document with its first version and the log that begins with it.
	AddDocument(ctx context.Context, in access.Portfolio, d *Document, log []evidence.Entry) error
	// AddVersion appends the version of a document. The one before is emptied where nobody has viewed it.
	AddVersion(ctx context.Context, in access.Portfolio, d *Document) error
	// AddEvidence writes entries of the log of a document, and its anchor.
	AddEvidence(ctx context.Context, in access.Portfolio, d *Document, log []evidence.Entry) error
	// AddExecution writes a document as all have signed it, once.
	AddExecution(ctx context.Context, in access.Portfolio, e *Execution) error
	// Execution finds what a document has become, or fault.NotFound. An account that was closed still has it.
	Execution(ctx context.Context, documentID string) (Execution, error)
	// Document finds a document with its latest version and the portfolio that it belongs to, or
	// fault.NotFound.
	Document(ctx context.Context, id string) (access.Portfolio, Document, error)
	// Evidence reads the log of a document, in the order of its entries.
	Evidence(ctx context.Context, in access.Portfolio, documentID string) ([]evidence.Entry, error)
	// EachVersion reads the versions of a document, the first one first and one after the other: there may be
	// thousands.
	EachVersion(ctx context.Context, in access.Portfolio, documentID string, each func(*Version) error) error

	// ExecutedAs, VersionAs, OfLease and Kept find what is kept of a file by the file alone. No query has a
	// portfolio, as all that is known of who asks is that they have the bytes, or the number of the lease;
	// VerifyFile tells no more than that.

	// ExecutedAs finds the document that all have signed whose PDF has a SHA-256, or fault.NotFound.
	ExecutedAs(ctx context.Context, sha256 string) (documentID string, err error)
	// VersionAs finds the version of a document whose PDF has a SHA-256, or fault.NotFound.
	VersionAs(ctx context.Context, sha256 string) (documentID string, number int, err error)
	// OfLease finds the latest document of a lease, or fault.NotFound.
	OfLease(ctx context.Context, leaseID string) (documentID string, err error)
	// Kept is Document, of accounts that were closed too.
	Kept(ctx context.Context, documentID string) (access.Portfolio, Document, error)

	// EachScan reads the scans of signatures on paper under a lease, one after the other: each may be large.
	EachScan(ctx context.Context, in access.Portfolio, leaseID string, each func(*Scan) error) error
	// EachScanRecord is EachScan without the contents.
	EachScanRecord(ctx context.Context, in access.Portfolio, leaseID string, each func(*Scan) error) error

	// Attachments are those that a lease has, the first one first.
	Attachments(ctx context.Context, in access.Portfolio, leaseID string) ([]Attachment, error)
	// Attachment finds an attachment that a lease has or had with its content, or fault.NotFound.
	Attachment(ctx context.Context, in access.Portfolio, leaseID, attachmentID string) (Attachment, []byte, error)
	// AttachmentRecord is Attachment without the content.
	AttachmentRecord(ctx context.Context, in access.Portfolio, leaseID, attachmentID string) (Attachment, error)
	AddAttachment(ctx context.Context, in access.Portfolio, leaseID string, a *Attachment, content []byte) error
	// RemoveAttachment takes an attachment off a lease. It keeps the content where somebody has looked at a version of
	// the document since it was uploaded.
	RemoveAttachment(ctx context.Context, in access.Portfolio, leaseID, attachmentID string, at clock.Time) error

	// Templates are those of a portfolio by ascending id, one more than the limit of the filter.
	Templates(ctx context.Context, in access.Portfolio, f TemplateFilter) ([]LeaseTemplate, error)
	// Template finds a template, or fault.NotFound.
	Template(ctx context.Context, in access.Portfolio, templateID string) (LeaseTemplate, error)
	// TemplateNamed finds the template whose name has a TemplateNameKey, or fault.NotFound.
	TemplateNamed(ctx context.Context, in access.Portfolio, key string) (templateID string, err error)
	CountTemplates(ctx context.Context, in access.Portfolio) (int, error)
	// AddTemplate and SaveTemplate write a template without its attachments.
	AddTemplate(ctx context.Context, in access.Portfolio, t *LeaseTemplate) error
	SaveTemplate(ctx context.Context, in access.Portfolio, t *LeaseTemplate) error
	// DeleteTemplate removes a template with its attachments.
	DeleteTemplate(ctx context.Context, in access.Portfolio, templateID string) error
	AddTemplateAttachment(
		ctx context.Context, in access.Portfolio, templateID string, a *Attachment, content []byte,
	) error
	RemoveTemplateAttachment(ctx context.Context, in access.Portfolio, templateID, attachmentID string) error
	// TemplateAttachment finds an attachment of a template with its content, or fault.NotFound.
	TemplateAttachment(
		ctx context.Context, in access.Portfolio, templateID, attachmentID string,
	) (Attachment, []byte, error)
	// CopyTemplateAttachment adds an attachment to a lease whose content and description are those of a template's.
	CopyTemplateAttachment(
		ctx context.Context, in access.Portfolio, templateID, attachmentID, leaseID string, to *Attachment,
	) error

	// Library is the documents of the library of a portfolio by ascending id, one more than the limit of the filter.
	Library(ctx context.Context, in access.Portfolio, f LibraryFilter) ([]LibraryDocument, error)
	// LibraryDocument finds a document of the library, or fault.NotFound.
	LibraryDocument(ctx context.Context, in access.Portfolio, libraryID string) (LibraryDocument, error)
	// LibraryFile is the PDF of a document of the library, or fault.NotFound.
	LibraryFile(ctx context.Context, in access.Portfolio, libraryID string) ([]byte, error)
	CountLibrary(ctx context.Context, in access.Portfolio) (int, error)
	AddToLibrary(ctx context.Context, in access.Portfolio, d *LibraryDocument, content []byte) error
	// SaveLibrary writes a document of the library without its PDF, and SaveLibraryFile the PDF alone.
	SaveLibrary(ctx context.Context, in access.Portfolio, d *LibraryDocument) error
	SaveLibraryFile(ctx context.Context, in access.Portfolio, libraryID string, content []byte) error
	DeleteFromLibrary(ctx context.Context, in access.Portfolio, libraryID string) error
	// CopyFromLibrary adds an attachment to a lease whose content is that of a document of the library.
	CopyFromLibrary(ctx context.Context, in access.Portfolio, libraryID, leaseID string, to *Attachment) error
	// StatesOfHomes are the states where the portfolio has homes, by their codes.
	StatesOfHomes(ctx context.Context, in access.Portfolio) ([]contact.State, error)

	// SaveSigners names the signers of a lease, as its document has them.
	SaveSigners(ctx context.Context, in access.Portfolio, leaseID string, all []SignerState) error
	// Signers reads the signers of a lease, the landlord last, and the latest version of its document.
	Signers(ctx context.Context, in access.Portfolio, leaseID string) (all []SignerState, version int, err error)
	// Sending tells whether the lease of a document was sent for signature.
	Sending(ctx context.Context, in access.Portfolio, documentID string) (Sending, error)
	SaveSending(ctx context.Context, in access.Portfolio, documentID string, s Sending) error
	// WaitingToSend are leases of open accounts that are to be sent and are not, in the order of their ids behind
	// one, at most so many.
	WaitingToSend(ctx context.Context, behind string, most int) ([]Waiting, error)
	// SaveEndedLinks notes how many links of a signer have ended.
	SaveEndedLinks(ctx context.Context, in access.Portfolio, signer *SignerState) error

	// LeaseDetails reads what leases say of the landlord, and whether anybody has said it.
	LeaseDetails(ctx context.Context, in access.Portfolio) (d Details, found bool, err error)
	SaveLeaseDetails(ctx context.Context, in access.Portfolio, d *Details, at clock.Time) error
}

// Document is the paper of a lease, with its latest version.
type Document struct {
	ID      string
	LeaseID string
	Version
	EvidenceKey []byte          // sealed; nil for a document of an earlier release, which has no log
	Anchor      evidence.Anchor // of its log
	logKey      []byte          // of a log that begins, nil for a random one
}

// Version is a state of a document. It does not change; the next one follows it.
type Version struct {
	Number    int        // from 1; 0 for a document of an earlier release
	CreatedAt clock.Time // of its content
	Body      string     // what it says: document.Document as JSON
	SHA256    string     // of the content, in hex
	Content   []byte     // the PDF
}

// cleanerWait is for how long a PDF waits for others to be cleaned.
const cleanerWait = 10 * time.Second

// Service generates leases and keeps their documents.
type Service struct {
	*portfolio.Common
	leases    *lease.Leases
	store     Store
	box       *secret.Box   // signs the links that open documents, and seals the keys of logs
	renderers chan struct{} // takes one for each PDF that is being rendered
	cleaner   *foreign.Cleaner

	Offers Offers // may be nil: signers are sent no links
	Sealer Sealer // may be nil: no lease is executed
}

// Offers sends the links of signers.
type Offers interface {
	// SendLinks sends every signer of a lease their link, in the transaction of the context.
	SendLinks(ctx context.Context, in access.Portfolio, leaseID string) error
	// Extended tells those who have yet to sign a lease that was sent until when they can, in the transaction of the
	// context.
	Extended(ctx context.Context, by access.Actor, leaseID string) error
	// Ended tells the tenants that a lease was ended before its first day, in the transaction of the context.
	Ended(ctx context.Context, by access.Actor, l *portfolio.Lease) error
	// Readdress tells the earlier address of a signer, if there was one, that the links sent to it have ended,
	// and sends a link to the new one where the lease was sent and can be signed, in the transaction of the context.
	Readdress(ctx context.Context, signerID, earlier string, sent bool) error
}

// New makes the service beside the rules of a portfolio, whose parts it shares. Whoever makes it gives it
// to those rules as their Documents, so that drafts of leases that change get a new document.
func New(p *records.Service, store Store, box *secret.Box) *Service {
	return &Service{
		Common:    p.Common,
		leases:    p.Leases,
		store:     store,
		box:       box,
		renderers: make(chan struct{}, renderers()),
		cleaner:   foreign.NewCleaner(cleanerWait),
	}
}
