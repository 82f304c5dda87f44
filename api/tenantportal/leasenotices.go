package tenantportal

import (
	"context"
	"slices"

	"portal/api/access"
	"portal/api/agreement/notice"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/mail"
	"portal/api/portfolio"
)

// NoticeGiven emails the tenants of a lease a notice, in the transaction of the context, and says to how many. Those
// without an email address, and guarantors, get none. A tenant whose page the landlord has revoked, or who can have
// none, gets it without a link.
func (s *Service) NoticeGiven(
	ctx context.Context, by access.Actor, l *portfolio.Lease, n *notice.Notice,
) (sent int, err error) {
	err = s.eachRenter(ctx, by, l, func(v *Visit, without bool) error {
		sent++
		return s.mailNotice(ctx, v, n, without)
	})
	return sent, err
}

func (s *Service) mailNotice(ctx context.Context, v *Visit, n *notice.Notice, without bool) error {
	now := clock.At(s.Now(v.By.Portfolio))
	if err := mail.SpareRecipient(ctx, s.store, v.By.Portfolio, *v.Tenant.Email, now); err != nil {
		return err
	}
	link := "" // to the page
	if !without {
		address, err := s.address(ctx, v)
		if err != nil {
			return err
		}
		link = v.Link.Language.Link(address + "/lease")
	}
	reads := v.Link.Language
	return s.mail(ctx, v, "notice", n.Kind.Name(reads)+": "+n.Content.Home, struct {
		Name, Landlord, Home, Link string
		Notice                     *notice.Notice
	}{v.Tenant.FirstName, n.Content.Landlord, n.Content.Home, link, n})
}

// LeaseNotices are the notices that the tenants of a lease were emailed, the newest first: none for a guarantor.
func (s *Service) LeaseNotices(ctx context.Context, v *Visit, leaseID string) ([]notice.Notice, error) {
	l, err := v.Lease(leaseID)
	if err != nil || !slices.Contains(l.Renters(), v.Tenant.ID) {
		return nil, err
	}
	all, err := s.store.Notices(ctx, v.By.Portfolio, leaseID)
	return slices.DeleteFunc(all, func(n notice.Notice) bool { return n.EmailedAt == nil }), err
}

// LeaseNotice is a notice that the tenant was emailed as PDF, in the language that they have chosen, or fault.NotFound.
func (s *Service) LeaseNotice(ctx context.Context, v *Visit, leaseID, noticeID string) ([]byte, error) {
	if !id.Valid(id.Notice, noticeID) {
		return nil, fault.NotFound("notice")
	}
	all, err := s.LeaseNotices(ctx, v, leaseID)
	if err != nil {
		return nil, err
	}
	for i := range all {
		if all[i].ID == noticeID {
			return notice.Render(&all[i], v.Link.Language)
		}
	}
	return nil, fault.NotFound("notice")
}
