package developer

import (
	"context"

	"portal/api/access"
)

// Progress is how far an account has come on the way from applying to a webhook that its receiver has
// acknowledged, or an event that was streamed to it. A step that was taken stays so, whatever comes later: each
// is read from rows that last as long as the account. Requests for access keep their status, keys stay when they
// are revoked, an endpoint, which is never deleted, keeps when something was last acknowledged, and a portfolio
// when something was first streamed.
type Progress struct {
	Request   *AccessRequest // the latest, nil before the first
	Approved  bool           // a request for access was approved, even if access was taken back
	Keys      bool           // a key was created
	Seen      bool           // a request came with one of the keys
	Delivered bool           // a webhook was acknowledged or an event streamed, in either mode
}

// Done reports whether every step to a receiver that works was taken.
func (p *Progress) Done() bool { return p.Delivered && p.Seen && p.Keys }

// Progress tells how far a member's account has come.
func (s *Service) Progress(ctx context.Context, by Member, portfolios ...access.Portfolio) (p Progress, err error) {
	requests, err := s.store.AccessRequestsOf(ctx, by.AccountID)
	if err != nil {
		return p, err
	}
	if len(requests) > 0 {
		p.Request = &requests[0]
	}
	for i := range requests {
		p.Approved = p.Approved || requests[i].Status == Approved || requests[i].Status == Revoked
	}
	keys, err := s.store.Keys(ctx, by.AccountID)
	if err != nil {
		return p, err
	}
	p.Keys = len(keys) > 0
	for i := range keys {
		p.Seen = p.Seen || keys[i].LastUsedAt != nil
	}
	for _, in := range portfolios {
		if p.Delivered || err != nil {
			break
		}
		p.Delivered, err = s.store.Delivered(ctx, in)
	}
	return p, err
}
