package agreement

import (
	"context"

	"portal/api/access"
	"portal/api/agreement/evidence"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
)

// Extended implements portfolio.Documents.
func (s *Service) Extended(ctx context.Context, by access.Actor, l *portfolio.Lease, over *clock.Time) error {
	if l.DocumentID == nil {
		return nil // agreed on elsewhere
	}
	in, d, err := s.store.Document(ctx, *l.DocumentID)
	if err != nil || d.Number == 0 { // a document of an earlier release has no log
		return err
	}
	if over != nil {
		if err := s.namesStay(ctx, in, l); err != nil {
			return err
		}
	}
	err = s.Note(ctx, in, &d, evidence.Entry{
		At:       s.Moment(ctx, in),
		Kind:     evidence.Extended,
		Document: d.SHA256,
		Note:     evidence.Extension{Until: *l.ExpiresAt, Over: or(over, 0), By: who(by)}.Note(),
	})
	if err != nil || s.Offers == nil {
		return err
	}
	return s.Offers.Extended(ctx, by, l.ID)
}

// namesStay refuses to extend a lease that names a tenant otherwise than the tenant is named now: names are locked
// while a lease is out for signature, and are free once its time is over.
func (s *Service) namesStay(ctx context.Context, in access.Portfolio, l *portfolio.Lease) error {
	all, _, err := s.store.Signers(ctx, in, l.ID)
	if err != nil || l.Status != portfolio.LeasePendingSignature {
		return err // a draft that nobody has signed follows its tenants
	}
	for i := range all {
		for _, p := range l.Tenants {
			if all[i].TenantID != nil && *all[i].TenantID == p.ID && p.Name != all[i].Name {
				return fault.New(
					fault.InvalidTransition,
					"The time to sign can’t be extended: somebody signed a lease that says “%s”, and this tenant is now "+
						"called “%s”. Change the name back, or make a new lease.",
					all[i].Name,
					p.Name,
				).At("expires_in_days")
			}
		}
	}
	return nil
}

// extension is an entry about more time to sign in words.
func extension(note string) string {
	e := evidence.ExtensionAs(note)
	words := "Expiry extended to " + exactly(e.Until) + " by " + e.By
	if e.Over != 0 {
		words += "; it had passed on " + exactly(e.Over)
	}
	return words
}

// exactly is a time to the second, as the certificate has it.
func exactly(t clock.Time) string { return t.Std().Format("January 2, 2006, 15:04:05") + " UTC" }
