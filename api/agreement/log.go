package agreement

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"portal/api/access"
	"portal/api/agreement/evidence"
	"portal/api/clock"
	"portal/api/fault"
)

// EvidencePurpose is what the key of a document's log is sealed for, with the id of the document behind it.
const EvidencePurpose = "evidence of a document"

// generated is the entry that a version of a document was made. Its note is the hash of what it says.
func generated(d *Document) evidence.Entry {
	return evidence.Entry{At: d.CreatedAt, Kind: evidence.Generated, Document: d.SHA256, Note: sum([]byte(d.Body))}
}

// Note writes what happened to a document into its log, in the transaction of the context.
func (s *Service) Note(ctx context.Context, in access.Portfolio, d *Document, entries ...evidence.Entry) error {
	log, err := s.append(d, entries...)
	if err != nil {
		return err
	}
	return s.store.AddEvidence(ctx, in, d, log)
}

// ProvedAddresses are the email addresses that signers of a document proved by a code when they signed, by the signer.
func (s *Service) ProvedAddresses(
	ctx context.Context, in access.Portfolio, documentID string,
) (map[string]string, error) {
	log, err := s.store.Evidence(ctx, in, documentID)
	proved, last := map[string]string{}, map[string]string{}
	for i := range log {
		switch e := &log[i]; e.Kind {
		case evidence.CodeGiven:
			last[e.Party] = e.Note
		case evidence.Signed:
			if address, gave := last[e.Party]; gave {
				proved[e.Party] = address
			}
		}
	}
	return proved, err
}

// Noted reports whether the log of a document has an entry of a kind about a signer, with a note.
func (s *Service) Noted(
	ctx context.Context, in access.Portfolio, documentID, signerID string, kind evidence.Kind, note string,
) (bool, error) {
	log, err := s.store.Evidence(ctx, in, documentID)
	return slices.ContainsFunc(log, func(e evidence.Entry) bool {
		return e.Kind == kind && e.Party == signerID && e.Note == note
	}), err
}

// MailFailures are why the latest email to signers of a document has failed, by the signer: the mail server's words.
func (s *Service) MailFailures(ctx context.Context, in access.Portfolio, documentID string) (map[string]string, error) {
	log, err := s.store.Evidence(ctx, in, documentID)
	failed := map[string]string{}
	for i := range log {
		later := []evidence.Kind{evidence.MailQueued, evidence.MailSent, evidence.MailKept}
		if e := &log[i]; e.Kind == evidence.MailFailed {
			failed[e.Party] = evidence.MailedAs(e.Note).Words
		} else if slices.Contains(later, e.Kind) {
			delete(failed, e.Party)
		}
	}
	return failed, err
}

// append puts entries at the end of the log of a document, which has a key from the first one on.
func (s *Service) append(d *Document, entries ...evidence.Entry) ([]evidence.Entry, error) {
	l, err := s.log(d)
	if err != nil {
		return nil, err
	}
	for i := range entries {
		entries[i] = l.Append(&d.Anchor, entries[i])
	}
	return entries, nil
}

// log is the log of a document with its key.
func (s *Service) log(d *Document) (l evidence.Log, err error) {
	l.Subject = d.ID
	if d.EvidenceKey == nil {
		if l.Key = d.logKey; l.Key == nil {
			l.Key = randomKey()
		}
		d.EvidenceKey = s.box.Seal(EvidencePurpose+" "+d.ID, string(l.Key))
		return l, nil
	}
	key, err := s.box.Open(EvidencePurpose+" "+d.ID, d.EvidenceKey)
	if err != nil {
		return l, fmt.Errorf("the key of the log of %s: %w", d.ID, err)
	}
	l.Key = []byte(key)
	return l, nil
}

// randomKey is a key of a log.
func randomKey() []byte {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	return key
}

// sum is the SHA-256 of bytes, in hex.
func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// Tampering is where what is kept of a document is not what was written.
type Tampering struct {
	Entry    int  // of the log, 0 where it is about something else
	Version  int  // 0 where it is about something else
	Executed bool // it is about what the document has become that all have signed
	Scan     bool // it is about the scan of a signature on paper
	// Attachment is the name of the attachment that it is about, "" where it is about something else.
	Attachment string
	Reason     string
}

func (t Tampering) String() string {
	switch {
	case t.Executed:
		return "the signed document " + t.Reason
	case t.Attachment != "":
		return "the attachment “" + t.Attachment + "” " + t.Reason
	case t.Scan:
		return "the scan of a signature on paper " + t.Reason
	case t.Version > 0:
		return fmt.Sprintf("version %d %s", t.Version, t.Reason)
	}
	return fmt.Sprintf("entry %d of the log %s", t.Entry, t.Reason)
}

// Verify holds what is kept of a document against its log: the log against its anchor, and each version
// against the entry that it was made. It gives nothing where all is as it was written.
func (s *Service) Verify(ctx context.Context, documentID string) (found []Tampering, err error) {
	in, d, err := s.store.Document(ctx, documentID)
	if err != nil || d.Number == 0 {
		return nil, err // a document of an earlier release has no log
	}
	log, err := s.store.Evidence(ctx, in, documentID)
	if err != nil {
		return nil, err
	}
	return s.verify(ctx, in, &d, log, byContent)
}

// verify is Verify of a document that was read with its log.
func (s *Service) verify(
	ctx context.Context, in access.Portfolio, d *Document, log []evidence.Entry, reads depth,
) (found []Tampering, err error) {
	if d.Number == 0 {
		return nil, nil
	}
	var versions []keptVersion
	err = s.store.EachVersion(ctx, in, d.ID, func(v *Version) error {
		versions = append(versions, keptAs(v))
		return nil
	})
	if err != nil {
		return nil, err
	}
	if found, err = s.verifyLog(d, log); err != nil {
		return nil, err
	}
	found = append(found, verifyVersions(d, versions, log, 1)...)
	scans, err := s.verifyScans(ctx, in, d, log, reads)
	if err != nil {
		return nil, err
	}
	attached, err := s.verifyAttachments(ctx, in, d, reads)
	if err != nil {
		return nil, err
	}
	executed, err := s.verifyExecution(ctx, in, d, log)
	return slices.Concat(found, scans, attached, executed), err
}

// verifyExecution holds the document that all have signed, and its hash in the lease, against the entry of
// the log that it was made.
func (s *Service) verifyExecution(
	ctx context.Context, in access.Portfolio, d *Document, log []evidence.Entry,
) ([]Tampering, error) {
	i := slices.IndexFunc(log, func(e evidence.Entry) bool { return e.Kind == evidence.Executed })
	e, err := s.store.Execution(ctx, d.ID)
	if err != nil && !fault.Is(err, fault.NoRecord) {
		return nil, err
	}
	there := err == nil
	l, err := s.store.Lease(ctx, in, d.LeaseID)
	if err != nil {
		return nil, err
	}
	var reason string
	switch {
	case i < 0 && !there && (l.DocumentSHA256 == nil || d.Number == 0):
		return nil, nil
	case i < 0:
		reason = "is not in the log"
	case !there:
		reason = "is missing"
	case sum(e.Content) != log[i].Document:
		reason = "has another content"
	case e.SHA256 != log[i].Document || l.DocumentSHA256 == nil || *l.DocumentSHA256 != log[i].Document:
		reason = "has another hash"
	case e.CreatedAt != log[i].At || e.Version != d.Number:
		reason = "has another time or version"
	default:
		return nil, nil
	}
	return []Tampering{{Executed: true, Reason: reason}}, nil
}

func (s *Service) verifyLog(d *Document, log []evidence.Entry) ([]Tampering, error) {
	if d.EvidenceKey == nil || d.Anchor.Count == 0 {
		return []Tampering{{Entry: 1, Reason: "is missing"}}, nil
	}
	l, err := s.log(d)
	if err != nil {
		return nil, err
	}
	mismatch := l.Check(log, d.Anchor)
	if mismatch == nil {
		return nil, nil
	}
	return []Tampering{{Entry: mismatch.Number, Reason: mismatch.Reason}}, nil
}

// keptVersion is what a version is held against the log by. A document may have thousands, each with its PDF.
type keptVersion struct {
	number        int
	createdAt     clock.Time
	sha256        string // that is kept
	content, body string // SHA-256 of what is kept, "" where it was emptied
}

func keptAs(v *Version) keptVersion {
	k := keptVersion{number: v.Number, createdAt: v.CreatedAt, sha256: v.SHA256}
	if len(v.Content) > 0 {
		k.content = sum(v.Content)
	}
	if v.Body != "" {
		k.body = sum([]byte(v.Body))
	}
	return k
}

// verifyVersions holds versions, from one on, against the entries of a log that they were made.
func verifyVersions(d *Document, versions []keptVersion, log []evidence.Entry, from int) (found []Tampering) {
	var made []evidence.Entry
	for i := range log {
		if log[i].Kind == evidence.Generated {
			made = append(made, log[i])
		}
	}
	for n := from; n <= max(len(made), len(versions), d.Number); n++ {
		if reason := verifyVersion(n, d, versions, made); reason != "" {
			found = append(found, Tampering{Version: n, Reason: reason})
		}
	}
	return found
}

func verifyVersion(n int, d *Document, versions []keptVersion, made []evidence.Entry) string {
	i := slices.IndexFunc(versions, func(v keptVersion) bool { return v.number == n })
	switch {
	case n > len(made):
		return "is not in the log"
	case i < 0 || n > d.Number:
		return "is missing"
	case versions[i].sha256 != made[n-1].Document || n == d.Number && d.SHA256 != made[n-1].Document:
		return "has another hash"
	case versions[i].createdAt != made[n-1].At:
		return "has another time"
	case versions[i].content != "" && versions[i].content != made[n-1].Document:
		return "has another content"
	case versions[i].body != "" && versions[i].body != made[n-1].Note:
		return "says something else"
	}
	return ""
}
