package agreement

import (
	"context"

	"portal/api/access"
	"portal/api/agreement/evidence"
	"portal/api/portfolio"
)

// Ended implements portfolio.Documents. The log goes on after the lease was executed; the certificate is sealed.
func (s *Service) Ended(ctx context.Context, by access.Actor, l *portfolio.Lease) error {
	if l.DocumentID == nil {
		return nil // agreed on elsewhere
	}
	in, d, err := s.store.Document(ctx, *l.DocumentID)
	if err != nil || d.Number == 0 { // a document of an earlier release has no log
		return err
	}
	return s.Note(ctx, in, &d, evidence.Entry{
		At:       s.Moment(ctx, in),
		Kind:     evidence.Ended,
		Document: or(l.DocumentSHA256, d.SHA256),
		Note: evidence.Ending{
			On:     *l.TerminatedOn,
			Agreed: or(l.Terms.TenantsAgreedOn, 0),
			By:     who(by),
			Reason: or(l.TerminationReason, ""),
		}.Note(),
	})
}
