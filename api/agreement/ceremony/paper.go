package ceremony

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"image"
	_ "image/jpeg" // of scans
	_ "image/png"  // of scans

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/evidence"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio/lease"
)

// MostScan is how large the scan of a signature on paper may be, in bytes.
const MostScan = 10 << 20

// mostPixels is how many pixels a scan that is a picture may have: what a phone takes, several times over.
const mostPixels = 200_000_000

// Paper is what an owner says of a signature on paper.
type Paper struct {
	Version int        // of the document that was shown, which is on the paper
	On      clock.Date // when it was signed
	Scan    []byte
}

// ToSignOnPaper is the lease of which can be recorded that a party has signed it on paper, nil where there is nothing
// to sign. It need not be sent for signature.
func (s *Service) ToSignOnPaper(ctx context.Context, by access.Actor, leaseID, signerID string) (*Offered, error) {
	o, err := s.of(ctx, by, leaseID, signerID)
	if err != nil || o.signer.SignedAt != nil || !o.signable(clock.At(s.Now(o.in))) {
		return nil, err
	}
	return offeredBy(o)
}

// SignOnPaper records that a party of a lease has signed it on paper, as an owner says who has just shown who they are.
// The scan is kept, and the log and the certificate say that nothing else is known. The party is told by email.
func (s *Service) SignOnPaper(
	ctx context.Context, by access.Actor, leaseID, signerID, email string, p Paper, from Client,
) error {
	switch {
	case by.Role != access.Owner:
		return fault.New(fault.ScopeRequired, "Owners of the account record signatures. Ask one of them.")
	case by.Need(access.Write) != nil:
		return by.Need(access.Write)
	}
	kind, err := scanKind(p.Scan)
	if err != nil {
		return err
	}
	hash := sha256.Sum256(p.Scan)
	scan := &agreement.Scan{
		SignerID: signerID, SignedOn: p.On, MediaType: kind, SHA256: hex.EncodeToString(hash[:]), Content: p.Scan,
	}
	return s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		o, err := s.of(ctx, by, leaseID, signerID)
		if err != nil {
			return err
		}
		if o.signer.SignedAt != nil {
			return s.signedAlready(ctx, o, scan)
		}
		now := s.agreements.Moment(ctx, o.in)
		if err := o.mayBeOnPaper(&p, s.Today(by), now); err != nil {
			return err
		}
		return s.signOnPaper(ctx, o, scan, email, now, from)
	})
}

// mayBeOnPaper refuses a signature on paper for what is said of it.
func (o *signing) mayBeOnPaper(p *Paper, today clock.Date, now clock.Time) error {
	made := clock.DateOf(o.document.CreatedAt.Std(), o.landlord.Zone)
	switch {
	case !o.signable(now):
		return fault.New(fault.InvalidTransition, "This lease can no longer be signed.")
	case o.document.Number != p.Version:
		return reviewFirst()
	case p.On > today:
		return fault.New(fault.InvalidField, "The day must not be in the future.").At("signed_on")
	case p.On < made:
		return fault.New(fault.InvalidField,
			"The lease as it reads now was made on %s. It can’t have been signed before that day.", made.Words(),
		).At("signed_on")
	}
	return nil
}

// signedAlready refuses a signature on paper of who has signed, unless it is the one that is recorded: a form that was
// sent twice.
func (s *Service) signedAlready(ctx context.Context, o *signing, scan *agreement.Scan) error {
	if o.signer.PaperSignedOn == nil {
		return fault.New(fault.InvalidTransition,
			"%s has signed here in the meantime. Nothing was recorded.", o.signer.Name)
	}
	kept, err := s.store.Scan(ctx, o.in, o.lease.ID, o.signer.ID)
	if err != nil || kept.SHA256 == scan.SHA256 && kept.SignedOn == scan.SignedOn {
		return err
	}
	return fault.New(fault.InvalidTransition,
		"It is recorded already that %s signed on paper. Nothing was changed.", o.signer.Name)
}

// signOnPaper keeps the scan, notes the signature, has it count and tells the party.
func (s *Service) signOnPaper(
	ctx context.Context, o *signing, scan *agreement.Scan, email string, now clock.Time, from Client,
) error {
	scan.CreatedAt = now
	if err := s.store.AddScan(ctx, o.in, o.lease.ID, scan); err != nil {
		return err
	}
	note := evidence.PaperSignature{On: scan.SignedOn, SHA256: scan.SHA256, By: email}.Note()
	if err := s.note(ctx, o, evidence.SignedOnPaper, note, now, from); err != nil {
		return err
	}
	if err := s.signAs(ctx, o, lease.Signature{Version: o.document.Number, At: now}); err != nil {
		return err
	}
	if o.signer.Landlord() || o.email == "" {
		return nil
	}
	return s.tellOnPaper(ctx, o, scan.SignedOn)
}

// Scan is the scan of a signature on paper, or fault.NotFound. Owners see it.
func (s *Service) Scan(ctx context.Context, by access.Actor, leaseID, signerID string) (agreement.Scan, error) {
	if by.Role != access.Owner {
		return agreement.Scan{}, fault.NotFound("scan")
	}
	return s.store.Scan(ctx, by.Portfolio, leaseID, signerID)
}

// scanKind is the media type of a scan by its bytes: a PDF that is there to its end, or a picture whose header can be
// read. It is never shown by the service, only handed back.
func scanKind(content []byte) (string, error) {
	refused := func(words string) (string, error) {
		return "", fault.New(fault.InvalidField, "%s", words).At("scan")
	}
	switch {
	case len(content) == 0:
		return refused("Choose the scan: a PDF, JPEG or PNG file.")
	case len(content) > MostScan:
		return refused("The file is larger than 10 MB. Scan it with a lower resolution.")
	case bytes.HasPrefix(content, []byte("%PDF-")):
		if !bytes.Contains(content[max(0, len(content)-pdfEnd):], []byte("%%EOF")) {
			return refused("The PDF is damaged: its end is missing. Choose the whole file.")
		}
		return "application/pdf", nil
	}
	size, format, err := image.DecodeConfig(bytes.NewReader(content))
	switch {
	case err != nil || scanTypes[format] == "":
		return refused("This isn’t a PDF, JPEG or PNG file. Its name doesn’t matter, its content does.")
	case size.Width < 1 || size.Height < 1 || size.Width > mostPixels/size.Height:
		return refused("The picture has too many pixels. Scan it with a lower resolution.")
	}
	return scanTypes[format], nil
}

// pdfEnd is how many bytes from its end a PDF has the mark of its end at the latest (ISO 32000-1, H.3).
const pdfEnd = 1024

// scanTypes are the media types of pictures, by their format.
var scanTypes = map[string]string{"jpeg": "image/jpeg", "png": "image/png"}
