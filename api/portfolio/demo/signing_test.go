package demo_test

import (
	"testing"

	"portal/api/clock"
	"portal/api/portfolio"
)

func TestLeaseSignaturesMatchStatus(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		for _, l := range s.Leases {
			signed, last := 0, clock.Time(0)
			for _, p := range l.Tenants {
				if p.SignedAt != nil {
					signed++
					last = max(last, *p.SignedAt)
					inOrder(t, "lease, signature, change", l.CreatedAt, *p.SignedAt, l.UpdatedAt)
				}
			}
			if why := missigned(&l, signed, last); why != "" {
				t.Errorf("%s, %s, signed by %d of %d: %s", l.RentalAddress, l.Status, signed, len(l.Tenants), why)
			}
		}
	})
}

func missigned(l *portfolio.Lease, signed int, last clock.Time) string {
	if (l.SignedAt == nil) != (l.DocumentSHA256 == nil) {
		return "a signature without a document, or a document without a signature"
	}
	switch l.Status {
	case portfolio.LeaseDraft:
		return unless(signed == 0 && l.SignedAt == nil, "a draft is not signed")
	case portfolio.LeasePendingSignature:
		return unless(signed > 0 && signed < len(l.Tenants) && l.SignedAt == nil, "some have signed, not all")
	case portfolio.LeaseSigned:
		return unless(signed == len(l.Tenants) && l.SignedAt != nil && *l.SignedAt == last, "all have signed")
	case portfolio.LeaseDeclined, portfolio.LeaseVoided:
		return unless(l.SignedAt == nil, "it never came into force")
	}
	if l.SignedAt == nil { // on paper, before it came here
		return unless(signed == 0, "it was signed elsewhere")
	}
	return unless(signed == len(l.Tenants) && *l.SignedAt == last, "all have signed")
}

func TestOnlyOpenDocumentsExpireWithinTwoWeeks(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		for _, l := range s.Leases {
			open := l.Status == portfolio.LeaseDraft || l.Status == portfolio.LeasePendingSignature
			if open != (l.ExpiresAt != nil) {
				t.Errorf("%s, %s, expires: %v", l.RentalAddress, l.Status, l.ExpiresAt)
			}
			if l.ExpiresAt != nil {
				inOrder(t, "now, expiry, two weeks", clock.At(s.now), *l.ExpiresAt, clock.At(s.now.AddDate(0, 0, 14)))
			}
		}
	})
}
