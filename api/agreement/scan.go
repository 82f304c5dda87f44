package agreement

import (
	"context"
	"fmt"

	"portal/api/access"
	"portal/api/agreement/evidence"
	"portal/api/clock"
)

// Scan is the scan of a signature on paper, as it was uploaded.
type Scan struct {
	SignerID  string
	CreatedAt clock.Time
	SignedOn  clock.Date // as the landlord said
	MediaType string
	SHA256    string // of the content, in hex
	Content   []byte
}

// depth is how much of the scans of signatures on paper is read when a document is verified.
type depth int

// The depths.
const (
	byRecord  depth = iota // the hash that is kept of each scan, for whoever asks
	byContent              // the bytes too: of six parties they have 60 MB, of which one scan is in memory at a time
)

// verifyScans holds the scans of signatures on paper against the entries of the log that they were recorded.
func (s *Service) verifyScans(
	ctx context.Context, in access.Portfolio, d *Document, log []evidence.Entry, reads depth,
) (found []Tampering, err error) {
	eachScan := s.store.EachScanRecord
	if reads == byContent {
		eachScan = s.store.EachScan
	}
	logged := map[string]evidence.PaperSignature{}
	for i := range log {
		if log[i].Kind == evidence.SignedOnPaper {
			logged[log[i].Party] = evidence.PaperSignatureAs(log[i].Note)
		}
	}
	kept := map[string]bool{}
	err = eachScan(ctx, in, d.LeaseID, func(k *Scan) error {
		p, is := logged[k.SignerID]
		kept[k.SignerID] = true
		var reason string
		switch {
		case !is:
			reason = "is not in the log"
		case reads == byContent && sum(k.Content) != p.SHA256:
			reason = "has another content"
		case k.SHA256 != p.SHA256:
			reason = "has another hash"
		case k.SignedOn != p.On:
			reason = "has another day"
		default:
			return nil
		}
		found = append(found, Tampering{Scan: true, Reason: reason})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("the scans of %s: %w", d.LeaseID, err)
	}
	for i := range log {
		if log[i].Kind == evidence.SignedOnPaper && !kept[log[i].Party] {
			found = append(found, Tampering{Scan: true, Reason: "is missing"})
		}
	}
	return found, nil
}
