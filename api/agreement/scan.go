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

// verifyScans holds the scans of signatures on paper against the entries of the log that they were recorded.
func (s *Service) verifyScans(
	ctx context.Context, in access.Portfolio, d *Document, log []evidence.Entry,
) (found []Tampering, err error) {
	logged := map[string]evidence.PaperSignature{}
	for i := range log {
		if log[i].Kind == evidence.SignedOnPaper {
			logged[log[i].Party] = evidence.PaperSignatureAs(log[i].Note)
		}
	}
	kept := map[string]bool{}
	err = s.store.EachScan(ctx, in, d.LeaseID, func(k *Scan) error {
		p, is := logged[k.SignerID]
		kept[k.SignerID] = true
		var reason string
		switch {
		case !is:
			reason = "is not in the log"
		case sum(k.Content) != p.SHA256:
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
