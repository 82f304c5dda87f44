package agreement

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/agreement/document/seal"
	"portal/api/agreement/evidence"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
)

// MaxFile is how large a file may be that is verified, in bytes: many times what a signed lease has.
const MaxFile = 20 << 20

// Finding is what a file is.
type Finding string

// The findings.
const (
	Genuine  Finding = "genuine"  // the lease as all have signed it, and all that is kept of it is intact
	Unsigned Finding = "unsigned" // a version of a lease that was to be signed
	Changed  Finding = "changed"  // it has the number of a lease of ours, but is not what is kept of it
	Tampered Finding = "tampered" // what is kept of its lease was changed, so that nothing can be said of the file
	Unknown  Finding = "unknown"  // nothing of ours
)

// Verdict is what can be said of a file to anybody who has it.
type Verdict struct {
	Finding Finding `json:"verdict"`
	SHA256  string  `json:"sha256"`             // of the file, in hex
	Size    int     `json:"size"`               // of the file, in bytes
	LeaseID string  `json:"lease_id,omitempty"` // that it carries, "" for an unknown file
	Test    bool    `json:"test,omitempty"`     // the lease was made in test mode
	Version int     `json:"version,omitempty"`  // that was signed, or was to be; 0 where it is not known
	// ExecutedAt is when the last party had signed. It and Signers are those of a genuine file, by the log.
	ExecutedAt clock.Time  `json:"executed_at,omitzero"`
	Signers    []Signatory `json:"signers,omitempty"`
	// Attachments are those of a genuine lease, in their order.
	Attachments []AttachmentOf `json:"attachments,omitempty"`
	// EndedOn is the day on which a genuine lease was ended before it started, by the log; nil for one that was not.
	EndedOn *clock.Date `json:"ended_on,omitempty"`
	// Log is that of the lease of a file that is genuine or not signed.
	Log        *LogOf      `json:"log,omitempty"`
	Seal       *SealOf     `json:"seal,omitempty"`       // nil: there is none that fits the file
	Difference *Difference `json:"difference,omitempty"` // of a changed file
	Tampering  []string    `json:"tampering,omitempty"`  // where what is kept was changed
	Logged     bool        `json:"logged,omitempty"`     // the intact log has the SHA-256 of the file, though what is kept was changed
}

// LogOf is the log of a lease, which is intact. What was told of it earlier (evidence.HeadNotices) must be in it.
type LogOf struct {
	Entries int      `json:"entries"`
	Head    string   `json:"head"`   // hash of the last entry, in hex
	Hashes  []string `json:"hashes"` // of all entries, the first one first
}

// logOf is a log without what it says.
func logOf(log []evidence.Entry) *LogOf {
	l := &LogOf{Entries: len(log)}
	for i := range log {
		l.Hashes = append(l.Hashes, log[i].Hash)
		l.Head = log[i].Hash
	}
	return l
}

// Signatory is who has signed a lease, by its log.
type Signatory struct {
	Name  string     `json:"name"`  // as the lease has it
	Typed string     `json:"typed"` // as it was typed, "" for who has signed on paper
	At    clock.Time `json:"signed_at"`
	// Paper is the day on which the party signed on paper, as the landlord recorded it at the time At; nil for who has
	// signed here.
	Paper *clock.Date `json:"paper_signed_on,omitempty"`
}

// AttachmentOf is an attachment of a lease, whose pages stand behind it.
type AttachmentOf struct {
	Name   string `json:"name"` // of the file
	Pages  int    `json:"pages"`
	SHA256 string `json:"sha256"` // of the file that was attached, in hex
}

// SealOf is the seal of a file that covers every byte of it.
type SealOf struct {
	Name        string     `json:"name"`        // of the certificate
	Fingerprint string     `json:"fingerprint"` // SHA-256 of the certificate, in hex
	Expires     clock.Time `json:"expires_at"`
	// Own reports whether it is the certificate that the service seals with today. It has had others where
	// it was renewed.
	Own bool `json:"own"`
}

// Difference is how a changed file differs from what is kept. It would give that away byte by byte to somebody
// who tries out one after the other if it told exactly where; so it tells the block of 1,024 bytes.
type Difference struct {
	Kind DifferenceKind `json:"kind"`
	Kept int            `json:"kept_size"` // of what is kept, in bytes; 0 where its PDF is not kept
	From int            `json:"from"`      // where the block begins with the first difference, in bytes
}

// DifferenceKind is how a file was changed.
type DifferenceKind string

// The kinds of differences.
const (
	Appended DifferenceKind = "appended" // it begins with all that is kept, and goes on
	Cut      DifferenceKind = "cut"      // it begins like what is kept, and ends too early
	Altered  DifferenceKind = "altered"
)

// block is how exactly the place of a difference is told, in bytes.
const block = 1024

// VerifyFile tells what a file is. It keeps nothing of it.
func (s *Service) VerifyFile(ctx context.Context, content []byte) (*Verdict, error) {
	return s.verdict(ctx, content, byContent)
}

// VerifyForAnyone is VerifyFile for people whom nobody knows. Of the scans of signatures on paper it holds what is
// recorded of them against the log, and reads none, so that a file that is sent again and again costs little.
func (s *Service) VerifyForAnyone(ctx context.Context, content []byte) (*Verdict, error) {
	return s.verdict(ctx, content, byRecord)
}

func (s *Service) verdict(ctx context.Context, content []byte, reads depth) (*Verdict, error) {
	v := &Verdict{Finding: Unknown, SHA256: sum(content), Size: len(content)}
	if len(content) > MaxFile || !bytes.HasPrefix(content, []byte("%PDF-")) {
		return v, nil
	}
	v.Seal = s.sealOf(content)
	documentID, err := s.store.ExecutedAs(ctx, v.SHA256)
	if err == nil {
		return v, s.judge(ctx, v, documentID, content, reads)
	}
	if !fault.Is(err, fault.NoRecord) {
		return nil, err
	}
	documentID, v.Version, err = s.store.VersionAs(ctx, v.SHA256)
	if err == nil {
		k, err := s.kept(ctx, v, documentID, reads)
		v.Finding, v.Log = Unsigned, logOf(k.log)
		if len(k.found) > 0 {
			v.distrust(&k)
		}
		return v, err
	}
	for _, number := range numbers(content) {
		if fault.Is(err, fault.NoRecord) {
			documentID, err = s.store.OfLease(ctx, number)
		}
	}
	switch {
	case err == nil:
		return v, s.judge(ctx, v, documentID, content, reads)
	case fault.Is(err, fault.NoRecord):
		return v, nil
	}
	return nil, err
}

// keptDocument is a document with its log, and what is wrong with them.
type keptDocument struct {
	Document
	log   []evidence.Entry
	found []Tampering
}

// kept reads a document and its log, and what a verdict may say of any file of it.
func (s *Service) kept(
	ctx context.Context, v *Verdict, documentID string, reads depth,
) (k keptDocument, err error) {
	var in access.Portfolio
	if in, k.Document, err = s.store.Kept(ctx, documentID); err != nil {
		return k, err
	}
	v.LeaseID, v.Test = k.LeaseID, in.Mode == access.Test
	if k.log, err = s.store.Evidence(ctx, in, documentID); err != nil {
		return k, err
	}
	k.found, err = s.verify(ctx, in, &k.Document, k.log, reads)
	return k, err
}

// judge holds a file against what is kept of its document.
func (s *Service) judge(ctx context.Context, v *Verdict, documentID string, content []byte, reads depth) error {
	k, err := s.kept(ctx, v, documentID, reads)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(k.log, func(e evidence.Entry) bool { return e.Kind == evidence.Executed })
	logged := at >= 0 && k.log[at].Document == v.SHA256
	if len(k.found) > 0 {
		v.Logged = logged && !slices.ContainsFunc(k.found, Tampering.ofLog)
		v.distrust(&k)
		return nil
	}
	if logged {
		v.Finding, v.Version, v.ExecutedAt = Genuine, k.Number, k.log[at].At
		v.Signers, v.Log = signatories(k.log), logOf(k.log)
		named, err := attachedTo(&k.Document)
		if err != nil {
			return err
		}
		for _, a := range named {
			v.Attachments = append(v.Attachments, AttachmentOf{a.Name, a.Pages, a.SHA256})
		}
		for i := range k.log {
			if k.log[i].Kind == evidence.Ended {
				v.EndedOn = new(evidence.EndingAs(k.log[i].Note).On)
			}
		}
		return nil
	}
	if v.SHA256 == k.SHA256 { // of a document of an earlier release, which has no versions
		v.Finding = Unsigned
		return nil
	}
	kept := k.Content
	if at >= 0 {
		e, err := s.store.Execution(ctx, documentID)
		if err != nil {
			return err
		}
		kept = e.Content
	}
	v.Finding, v.Difference = Changed, differ(content, kept)
	return nil
}

// distrust says where what is kept was changed.
func (v *Verdict) distrust(k *keptDocument) {
	v.Finding, v.Version, v.Log = Tampered, 0, nil
	for _, t := range k.found {
		v.Tampering = append(v.Tampering, t.String())
	}
}

// ofLog reports whether it is the log that was changed.
func (t Tampering) ofLog() bool { return t.Entry > 0 }

// signatories are those who have signed, by a log that is intact.
func signatories(log []evidence.Entry) (all []Signatory) {
	for i := range log {
		switch e := &log[i]; e.Kind { //nolint:exhaustive // signatures alone
		case evidence.Signed:
			all = append(all, Signatory{Name: e.Name, Typed: e.Note, At: e.At})
		case evidence.SignedOnPaper:
			all = append(all, Signatory{Name: e.Name, At: e.At, Paper: new(evidence.PaperSignatureAs(e.Note).On)})
		}
	}
	return all
}

// differ tells how a file differs from what is kept, from which it does.
func differ(content, kept []byte) *Difference {
	common := 0
	for common < min(len(content), len(kept)) && content[common] == kept[common] {
		common++
	}
	d := &Difference{Kind: Altered, Kept: len(kept), From: common / block * block}
	switch {
	case len(kept) > 0 && common == len(kept):
		d.Kind, d.From = Appended, common
	case d.From > 0 && d.From == len(content)/block*block && len(content) < len(kept):
		// Its last bytes are not told apart.
		d.Kind = Cut
	}
	return d
}

// leaseNumber is the number of a lease as a PDF carries it: in its XMP metadata as it is, in its information
// dictionary in UTF-16.
var leaseNumber = regexp.MustCompile(`lea_[0-9A-Z]{26}|l\x00e\x00a\x00_(?:\x00[0-9A-Z]){26}`)

// How many places of a file are looked at for a number, and how many numbers are looked up.
const (
	mostPlaces  = 64
	mostNumbers = 8
)

// numbers are the numbers of leases that a file carries.
func numbers(content []byte) (all []string) {
	for _, found := range leaseNumber.FindAll(content, mostPlaces) {
		number := strings.ReplaceAll(string(found), "\x00", "")
		if len(all) < mostNumbers && id.Valid(id.Lease, number) && !slices.Contains(all, number) {
			all = append(all, number)
		}
	}
	return all
}

// sealOf is the seal of a file, nil for one whose seal does not fit.
func (s *Service) sealOf(content []byte) *SealOf {
	cert, err := seal.Verify(content)
	if err != nil {
		return nil
	}
	fingerprint := sha256.Sum256(cert.Raw)
	return &SealOf{
		Name:        cert.Subject.CommonName,
		Fingerprint: hex.EncodeToString(fingerprint[:]),
		Expires:     clock.At(cert.NotAfter),
		Own:         s.owns(cert),
	}
}

func (s *Service) owns(cert *x509.Certificate) bool {
	return s.Sealer != nil && s.Sealer.Certificate().Equal(cert)
}
