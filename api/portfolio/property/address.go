package property

import (
	"context"
	"strings"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/portfolio"
)

// remakeDrafts makes the documents of drafts anew.
func (s *Units) remakeDrafts(ctx context.Context, by access.Actor, f portfolio.LeaseFilter) error {
	f.Status = portfolio.LeaseDraft
	drafts, err := s.DraftsThatSay(ctx, by, s.store.Leases, f, "")
	if err != nil {
		return err
	}
	return s.RemakeDrafts(ctx, by, drafts, "")
}

// freeAddress refuses another address or state of a property while documents of its leases say it.
func (s *Properties) freeAddress(ctx context.Context, by access.Actor, p *portfolio.Property, field string) error {
	drafts, err := s.DraftsThatSay(ctx, by, s.units.store.Leases, portfolio.LeaseFilter{PropertyID: p.ID}, field)
	if err != nil || len(drafts) == 0 {
		return err
	}
	return fault.New(
		fault.SignatureInProgress,
		"%s cannot change while drafts of leases say it: %s. Void them first, and generate "+
			"them again for the new address.",
		field,
		strings.Join(portfolio.LeaseIDs(drafts), ", "),
	).At(
		field,
	)
}
