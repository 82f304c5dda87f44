package portfolio

import (
	"context"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
)

// drafts finds the leases whose documents say something that is about to change. One that somebody has
// signed forbids the change; the others are drafts.
func (s *Common) drafts(
	ctx context.Context,
	by access.Actor,
	load func(context.Context, access.Portfolio, LeaseFilter) ([]Lease, error),
	f LeaseFilter,
	field string,
) (drafts []Lease, err error) {
	f.Query = AllLeases
	leases, err := load(ctx, by.Portfolio, f)
	if err != nil {
		return nil, err
	}
	now := clock.At(s.Now())
	for i := range leases {
		switch l := &leases[i]; {
		case !l.Open() || l.Lapsed(now):
		case l.Status == LeasePendingSignature:
			return nil, fault.New(
				fault.SignatureInProgress,
				"%s cannot change while the lease %s is out for signature. "+
					"Wait until it is signed or declined, or void it first.",
				field,
				l.ID,
			).At(
				field,
			)
		case l.DocumentID != nil:
			drafts = append(drafts, *l)
		}
	}
	return drafts, nil
}

func idsOf(leases []Lease) (ids []string) {
	for i := range leases {
		ids = append(ids, leases[i].ID)
	}
	return ids
}

// remake makes the documents of drafts anew once what they say has changed. A text that they cannot show
// is the fault of a field.
func (s *Common) remake(ctx context.Context, by access.Actor, drafts []Lease, field string) error {
	if s.Documents == nil || len(drafts) == 0 {
		return nil
	}
	err := s.Documents.Remake(ctx, by, idsOf(drafts)...)
	if field != "" && fault.Is(err, fault.InvalidField) && fault.From(err).Param == "" {
		err = fault.Invalid([]fault.Detail{fault.Wrong(
			field,
			"has characters that the document of a draft cannot show.",
		)})
	}
	return err
}

// remakeDrafts makes the documents of drafts anew.
func (s *Units) remakeDrafts(ctx context.Context, by access.Actor, f LeaseFilter) error {
	f.Status = LeaseDraft
	drafts, err := s.drafts(ctx, by, s.store.Leases, f, "")
	if err != nil {
		return err
	}
	return s.remake(ctx, by, drafts, "")
}

// freeAddress refuses another address or state of a property while documents of its leases say it.
func (s *Properties) freeAddress(ctx context.Context, by access.Actor, p *Property, field string) error {
	drafts, err := s.drafts(ctx, by, s.units.store.Leases, LeaseFilter{PropertyID: p.ID}, field)
	if err != nil || len(drafts) == 0 {
		return err
	}
	return fault.New(
		fault.SignatureInProgress,
		"%s cannot change while drafts of leases say it: %s. Void them first, and generate "+
			"them again for the new address.",
		field,
		strings.Join(idsOf(drafts), ", "),
	).At(
		field,
	)
}
