package portfolio

import (
	"context"

	"portal/api/access"
	"portal/api/fault"
)

// DraftsThatSay finds the leases whose documents say something that is about to change. One that somebody has
// signed forbids the change; the others are drafts.
func (s *Common) DraftsThatSay(
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
	now := s.BusinessNow(by.Portfolio)
	for i := range leases {
		switch l := &leases[i]; {
		case !l.Open() || l.Lapsed(now):
		case l.Status == LeasePendingSignature:
			return nil, fault.New(
				fault.SignatureInProgress,
				"%s cannot change while the lease %s is out for signature. "+
					"Wait until it is signed or declined, or void it.",
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

// LeaseIDs are the identifiers of leases, in their order.
func LeaseIDs(leases []Lease) (ids []string) {
	for i := range leases {
		ids = append(ids, leases[i].ID)
	}
	return ids
}

// RemakeDrafts makes the documents of drafts anew once what they say has changed. A text that they cannot show
// is the fault of a field.
func (s *Common) RemakeDrafts(ctx context.Context, by access.Actor, drafts []Lease, field string) error {
	if s.Documents == nil || len(drafts) == 0 {
		return nil
	}
	err := s.Documents.Remake(ctx, by, LeaseIDs(drafts)...)
	if field != "" && fault.Is(err, fault.InvalidField) && fault.From(err).Param == "" {
		err = fault.Invalid([]fault.Detail{fault.Wrong(
			field,
			"has characters that the document of a draft cannot show.",
		)})
	}
	return err
}
