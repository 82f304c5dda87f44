package records_test

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/db/portfoliostore"
)

// adds writes a lease, changed before that.
func (h *leaseFixture) adds(l portfolio.Lease, change func(*portfolio.Lease)) string {
	h.Helper()
	if change != nil {
		change(&l)
	}
	h.ok(portfoliostore.New(h.db).AddPeople(h.Context(), h.by.Portfolio, &portfolio.Book{
		Leases: []portfolio.Lease{l},
	}))
	return l.ID
}

func (h *leaseFixture) signs(lease string, tenants ...string) *portfolio.Lease {
	h.Helper()
	var last *portfolio.Lease
	for _, t := range tenants {
		m, err := h.sign(h.by, lease, t)
		h.ok(err)
		last = m.After
	}
	return last
}

func (h *leaseFixture) reread(lease string) *portfolio.Lease {
	h.Helper()
	l, err := h.Leases.Lease(h.Context(), h.by, lease)
	h.ok(err)
	return l
}

// sign has a tenant sign a lease that has no document of ours.
func (h *leaseFixture) sign(by access.Actor, leaseID, tenantID string) (*change.Result[portfolio.Lease], error) {
	return h.Leases.Sign(h.Context(), by, leaseID, lease.Signature{TenantID: tenantID})
}

func TestLeaseIsSignedWhenLastPartySigns(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		first := h.signs(h.open, h.tenants[2])
		if first.Status != portfolio.LeasePendingSignature || first.Version != 2 || first.SignedAt != nil ||
			first.EsignURL == nil || first.Tenants[0].SignedAt != nil || *first.Tenants[1].SignedAt != clock.At(h.now) {
			h.Errorf("after the first: %+v", first)
		}
		h.quiet()
		last := h.signs(h.open, h.tenants[1])
		if last.Status != portfolio.LeaseSigned || last.Version != 3 || *last.SignedAt != clock.At(h.now) ||
			last.EsignURL != nil || last.ExpiresAt != nil {
			h.Errorf("after the last: %+v", last)
		}
		kinds, records := h.events()
		if len(kinds) != 1 || kinds[0] != "lease.signed" || records[0]["days_until_end"] == nil {
			h.Fatalf("told of %q: %v", kinds, records)
		}
		if want := h.shown(h.reread(h.open), nil); !reflect.DeepEqual(records[0], want) {
			h.Errorf("told\n%v\nnot\n%v", records[0], want)
		}
		for i, want := range []portfolio.TenantStatus{
			portfolio.TenantProspect, portfolio.TenantFuture, portfolio.TenantFuture,
		} {
			if got, err := h.Tenants.Tenant(h.Context(), h.by, h.tenants[i]); err != nil || got.Status != want {
				h.Errorf("tenant %d is %s: %v", i, got.Status, err)
			}
		}
	})
}

func TestEachSignatureIsItsOwnVersion(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.ends(h.let)
		lease := h.adds(h.lease(portfolio.LeaseDraft, clock.Day(2027, 1, 1), h.tenants...), nil)
		for i, tenant := range h.tenants {
			m, err := h.sign(h.by, lease, tenant)
			h.ok(err)
			if m.After.Version != int64(i+2) || m.Before.Tenants[i].SignedAt != nil ||
				m.After.Tenants[i].SignedAt == nil || !reflect.DeepEqual(h.reread(lease), m.After) {
				h.Errorf("signature %d: %+v", i, m.After)
			}
		}
	})
}

func TestTenantNotInRenewalBecomesPastWhenItStarts(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		day := clock.DateOf(h.now, h.by.Zone)
		now := h.adds(
			h.lease(portfolio.LeaseDraft, day, h.tenants[1]),
			func(l *portfolio.Lease) { l.RenewedFromLeaseID = &h.let },
		)
		h.signs(now, h.tenants[1])
		for i, want := range []portfolio.TenantStatus{portfolio.TenantPast, portfolio.TenantCurrent} {
			if got, err := h.Tenants.Tenant(h.Context(), h.by, h.tenants[i]); err != nil || got.Status != want {
				h.Errorf("tenant %d is %s: %v", i, got.Status, err)
			}
		}
	})
}

func TestSigningAgainChangesNothing(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		for _, version := range []int64{2, 3} {
			signer := h.tenants[version-1]
			h.signs(h.open, signer)
			before := h.reread(h.open)
			h.now = h.now.Add(100)
			again := h.signs(h.open, signer, signer)
			if again.Version != version || !reflect.DeepEqual(again, before) {
				h.Errorf("was\n%+v, is\n%+v", before, again)
			}
		}
		if kinds, _ := h.events(); len(kinds) != 1 {
			h.Errorf("told of %q", kinds)
		}
	})
}

func TestStartedLeaseBecomesActiveOnLastSignature(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		day := clock.DateOf(h.now, h.by.Zone)
		h.ends(h.let)
		for offset, want := range map[clock.Date]portfolio.LeaseStatus{
			0:   portfolio.LeaseActive,
			400: portfolio.LeaseSigned,
		} {
			lease := h.adds(h.lease(portfolio.LeaseDraft, day+offset, h.tenants[1]), nil)
			if got := h.signs(lease, h.tenants[1]); got.Status != want {
				h.Errorf("from day %d: %s", offset, got.Status)
			}
		}
		u, err := portfoliostore.New(h.db).Unit(h.Context(), h.by.Portfolio, h.home.Unit[access.Live].ID)
		h.ok(err)
		p, err := h.Properties.Property(h.Context(), h.by, u.PropertyID)
		h.ok(err)
		if u.Status != portfolio.UnitOccupied || u.CurrentLeaseID == nil || p.OccupiedUnitCount != 1 || p.Version != 2 {
			h.Errorf("unit %+v, property %+v", u, p.Property)
		}
	})
}

// ends takes a lease out of the way.
func (h *leaseFixture) ends(lease string) {
	h.Helper()
	l := h.reread(lease)
	l.Status = portfolio.LeaseExpired
	h.ok(portfoliostore.New(h.db).SaveLease(h.Context(), h.by.Portfolio, l))
}

func TestRenewedLeaseLinksToRenewalAndEndsWhenItStarts(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		renews := func(l *portfolio.Lease) { l.RenewedFromLeaseID = &h.let }
		day := clock.DateOf(h.now, h.by.Zone)
		later := h.adds(h.lease(portfolio.LeaseDraft, clock.Day(2027, 1, 1), h.tenants[0]), renews)
		h.signs(later, h.tenants[0])
		if l := h.reread(h.let); l.Status != portfolio.LeaseActive || *l.RenewedToLeaseID != later || l.Version != 2 {
			h.Errorf("before it begins: %+v", l)
		}
		second := h.adds(h.lease(portfolio.LeaseDraft, clock.Day(2028, 1, 1), h.tenants[0]), renews)
		h.signs(second, h.tenants[0])
		if l := h.reread(h.let); *l.RenewedToLeaseID != later {
			h.Errorf("the renewal after the renewal: %+v", l)
		}
		h.ends(later)
		h.ok(portfoliostore.New(h.db).SaveLease(h.Context(), h.by.Portfolio, voided(h.reread(later))))
		h.ok(portfoliostore.New(h.db).SaveLease(h.Context(), h.by.Portfolio, voided(h.reread(second))))
		now := h.adds(h.lease(portfolio.LeaseDraft, day, h.tenants[0]), renews)
		h.signs(now, h.tenants[0])
		if l := h.reread(h.let); l.Status != portfolio.LeaseRenewed || *l.RenewedToLeaseID != now || l.Version != 3 {
			h.Errorf("with its beginning: %+v", l)
		}
		if got, err := h.Tenants.Tenant(h.Context(), h.by, h.tenants[0]); err != nil || *got.CurrentLeaseID != now {
			h.Errorf("%+v, %v", got, err)
		}
	})
}

func voided(l *portfolio.Lease) *portfolio.Lease {
	l.Status = portfolio.LeaseVoided
	return l
}

func TestLastSignatureIsRefusedWhenLeasesOverlap(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		lease := h.adds(h.lease(portfolio.LeaseDraft, clock.Day(2026, 12, 31), h.tenants[1], h.tenants[2]), nil)
		h.signs(lease, h.tenants[1])
		_, err := h.sign(h.by, lease, h.tenants[2])
		if !fault.Is(err, fault.LeaseDatesOverlap) || !strings.Contains(err.Error(), h.let) {
			h.Error(err)
		}
		if l := h.reread(lease); l.Status != portfolio.LeasePendingSignature || l.Tenants[1].SignedAt != nil {
			h.Errorf("%+v", l)
		}
		h.quiet()
		h.ends(h.let)
		h.signs(lease, h.tenants[2])
	})
}

func TestOnlyOpenLeaseCanBeSigned(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		signed := clock.At(h.now)
		for _, status := range portfolio.LeaseDraft.Values() {
			for _, already := range []bool{false, true} {
				lease := h.adds(h.lease(
					portfolio.LeaseStatus(status),
					clock.Day(2035, 1, 1),
					h.tenants[1],
					h.tenants[2],
				), func(l *portfolio.Lease) {
					if already {
						l.Tenants[0].SignedAt = &signed
					}
				})
				_, err := h.sign(h.by, lease, h.tenants[1])
				open := status == "draft" || status == "pending_signature"
				fine := open || already && status != "voided" && status != "declined"
				if fine != (err == nil) ||
					!fine && (!fault.Is(err, fault.InvalidTransition) || !strings.Contains(err.Error(), status)) {
					h.Errorf("%s, signed already %v: %v", status, already, err)
				}
			}
		}
		h.now = h.now.Add(time.Second)
		if _, err := h.sign(h.by, h.open, h.tenants[1]); !fault.Is(err, fault.InvalidTransition) ||
			!strings.Contains(err.Error(), "expired") {
			h.Errorf("too late: %v", err)
		}
		h.quiet()
	})
}

func TestOnlyPartyOfSamePortfolioCanSign(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		demo := h.owner(access.Test)
		for name, err := range map[string]error{
			"no party":          second(h.sign(h.by, h.open, h.tenants[0])),
			"nobody":            second(h.sign(h.by, h.open, "")),
			"no lease":          second(h.sign(h.by, id.New(id.Lease, h.now), h.tenants[1])),
			"another portfolio": second(h.sign(demo, h.open, h.tenants[1])),
		} {
			if !fault.Is(err, fault.NoRecord) {
				h.Errorf("%s: %v", name, err)
			}
		}
		reader := h.by
		reader.Scopes = access.Scopes{access.Read}
		if _, err := h.sign(reader, h.open, h.tenants[1]); !fault.Is(err, fault.ScopeRequired) {
			h.Error(err)
		}
	})
}

func second[T any](_ T, err error) error { return err }

func TestRolledBackSignatureSendsNoEvent(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.signs(h.open, h.tenants[2])
		h.stopped(
			func(ctx context.Context) error {
				return second(h.Leases.Sign(ctx, h.by, h.open, lease.Signature{TenantID: h.tenants[1]}))
			},
		)
		l := h.reread(h.open)
		if l.Status != portfolio.LeasePendingSignature || l.Version != 2 || l.Tenants[0].SignedAt != nil {
			h.Errorf("%+v", l)
		}
	})
}

func TestTwentyConcurrentLastSignaturesSendOneEvent(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.signs(h.open, h.tenants[1])
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if _, err := h.sign(h.by, h.open, h.tenants[2]); err != nil {
					h.Error(err)
				}
			})
		}
		all.Wait()
		if kinds, _ := h.events(); fmt.Sprint(kinds) != "[lease.signed]" {
			h.Errorf("told of %q", kinds)
		}
		if l := h.reread(h.open); l.Version != 3 {
			h.Errorf("%+v", l)
		}
	})
}

func TestConcurrentSigningAllowsOneLeasePerUnit(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		h.ends(h.let)
		var all sync.WaitGroup
		for range 10 {
			lease := h.adds(h.lease(portfolio.LeaseDraft, clock.Day(2030, 1, 1), h.tenants[1]), nil)
			all.Go(func() {
				_, err := h.sign(h.by, lease, h.tenants[1])
				if err != nil && !fault.Is(err, fault.LeaseDatesOverlap) {
					h.Error(err)
				}
			})
		}
		all.Wait()
		if kinds, _ := h.events(); len(kinds) != 1 {
			h.Errorf("told of %q", kinds)
		}
	})
}
