package lease

import (
	"testing"

	"portal/api/clock"
	"portal/api/portfolio"
)

// today is a day counted from an arbitrary today, on which the tests stand.
const today = clock.Date(20_000)

func day(offset int) *clock.Date { return new(today + clock.Date(offset)) }

func TestLeaseStatusFollowsCalendar(t *testing.T) {
	t.Parallel()
	const now = clock.Time(1_728_000_000_000)
	past, later := new(now-1), new(now+1)
	for name, c := range map[string]struct {
		lease   portfolio.Lease
		renewed bool
		status  portfolio.LeaseStatus
		kind    portfolio.LeaseType
	}{
		"a draft expires": {
			portfolio.Lease{Status: portfolio.LeaseDraft, ExpiresAt: past, LeaseType: portfolio.Fixed},
			false,
			portfolio.LeaseVoided,
			portfolio.Fixed,
		},
		"a draft that is still open stays": {
			portfolio.Lease{Status: portfolio.LeaseDraft, ExpiresAt: later, LeaseType: portfolio.Fixed},
			false,
			portfolio.LeaseDraft,
			portfolio.Fixed,
		},
		"one out for signature expires": {
			portfolio.Lease{Status: portfolio.LeasePendingSignature, ExpiresAt: past, LeaseType: portfolio.Fixed},
			false,
			portfolio.LeaseVoided,
			portfolio.Fixed,
		},
		"a signed one starts on its first day": {
			portfolio.Lease{
				Status:    portfolio.LeaseSigned,
				StartDate: today,
				EndDate:   day(365),
				LeaseType: portfolio.Fixed,
			},
			false,
			portfolio.LeaseActive,
			portfolio.Fixed,
		},
		"a signed one waits for its first day": {
			portfolio.Lease{
				Status:    portfolio.LeaseSigned,
				StartDate: today + 1,
				EndDate:   day(366),
				LeaseType: portfolio.Fixed,
			},
			false,
			portfolio.LeaseSigned,
			portfolio.Fixed,
		},
		"a signed one that was slept through ended": {
			portfolio.Lease{
				Status:    portfolio.LeaseSigned,
				StartDate: today - 400,
				EndDate:   day(-35),
				LeaseType: portfolio.Fixed,
			},
			false,
			portfolio.LeaseExpired,
			portfolio.Fixed,
		},
		"slept through, but with rollover": {
			portfolio.Lease{
				Status:    portfolio.LeaseSigned,
				StartDate: today - 400,
				EndDate:   day(-35),
				LeaseType: portfolio.FixedWithRollover,
			},
			false,
			portfolio.LeaseActive,
			portfolio.MonthToMonth,
		},
		"its last day is part of a lease": {
			portfolio.Lease{
				Status:    portfolio.LeaseActive,
				StartDate: today - 365,
				EndDate:   day(0),
				LeaseType: portfolio.Fixed,
			},
			false,
			portfolio.LeaseActive,
			portfolio.Fixed,
		},
		"a fixed one expires after its last day": {
			portfolio.Lease{
				Status:    portfolio.LeaseActive,
				StartDate: today - 365,
				EndDate:   day(-1),
				LeaseType: portfolio.Fixed,
			},
			false,
			portfolio.LeaseExpired,
			portfolio.Fixed,
		},
		"with rollover it goes on by the month": {
			portfolio.Lease{
				Status:    portfolio.LeaseActive,
				StartDate: today - 365,
				EndDate:   day(-1),
				LeaseType: portfolio.FixedWithRollover,
			},
			false,
			portfolio.LeaseActive,
			portfolio.MonthToMonth,
		},
		"a renewal that starts ends it": {
			portfolio.Lease{
				Status:    portfolio.LeaseActive,
				StartDate: today - 365,
				EndDate:   day(-1),
				LeaseType: portfolio.Fixed,
			},
			true,
			portfolio.LeaseRenewed,
			portfolio.Fixed,
		},
		"a renewal ends a rollover too": {
			portfolio.Lease{
				Status:    portfolio.LeaseActive,
				StartDate: today - 365,
				EndDate:   day(-1),
				LeaseType: portfolio.FixedWithRollover,
			},
			true,
			portfolio.LeaseRenewed,
			portfolio.FixedWithRollover,
		},
		"month to month has no end": {
			portfolio.Lease{Status: portfolio.LeaseActive, StartDate: today - 365, LeaseType: portfolio.MonthToMonth},
			false,
			portfolio.LeaseActive,
			portfolio.MonthToMonth,
		},
		"what has ended stays ended": {
			portfolio.Lease{
				Status:    portfolio.LeaseTerminated,
				StartDate: today - 365,
				EndDate:   day(-1),
				LeaseType: portfolio.Fixed,
			},
			false,
			portfolio.LeaseTerminated,
			portfolio.Fixed,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := c.lease
			RollOver(&l, today, now, c.renewed)
			if l.Status != c.status || l.LeaseType != c.kind {
				t.Errorf("is %s, %s; want %s, %s", l.Status, l.LeaseType, c.status, c.kind)
			}
			if rolled := c.lease.LeaseType != l.LeaseType; rolled && l.EndDate != nil {
				t.Errorf("rolled over, but ends on %s", l.EndDate)
			}
		})
	}
}

func TestMostSignificantLeaseDecidesTenantStatus(t *testing.T) {
	t.Parallel()
	ended := portfolio.Lease{
		Record:    portfolio.Record{ID: "1"},
		Status:    portfolio.LeaseExpired,
		UnitID:    "a",
		StartDate: today - 400,
	}
	active := portfolio.Lease{
		Record:    portfolio.Record{ID: "2"},
		Status:    portfolio.LeaseActive,
		UnitID:    "b",
		StartDate: today - 30,
	}
	leaving := portfolio.Lease{
		Record:          portfolio.Record{ID: "2"},
		Status:          portfolio.LeaseActive,
		UnitID:          "b",
		StartDate:       today - 30,
		NoticeGivenDate: day(-1),
	}
	next := portfolio.Lease{
		Record:    portfolio.Record{ID: "3"},
		Status:    portfolio.LeaseSigned,
		UnitID:    "c",
		StartDate: today + 10,
	}
	draft := portfolio.Lease{
		Record:    portfolio.Record{ID: "4"},
		Status:    portfolio.LeaseDraft,
		UnitID:    "d",
		StartDate: today + 20,
	}
	for name, c := range map[string]struct {
		leases  []portfolio.Lease
		status  portfolio.TenantStatus
		unit    string
		current bool
	}{
		"none":                          {nil, portfolio.TenantProspect, "", false},
		"a draft":                       {[]portfolio.Lease{draft}, portfolio.TenantProspect, "d", false},
		"an ended one and a draft":      {[]portfolio.Lease{ended, draft}, portfolio.TenantPast, "a", false},
		"an ended one and a signed one": {[]portfolio.Lease{ended, next}, portfolio.TenantFuture, "c", false},
		"living here and moving on":     {[]portfolio.Lease{ended, active, next}, portfolio.TenantCurrent, "b", true},
		"notice given":                  {[]portfolio.Lease{ended, leaving, next}, portfolio.TenantNotice, "b", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tenant := portfolio.Tenant{
				Status:         portfolio.TenantCurrent,
				UnitID:         new("x"),
				CurrentLeaseID: new("x"),
				MoveInDate:     day(-900),
			}
			tenant.DeriveTenancy(c.leases)
			unit := ""
			if tenant.UnitID != nil {
				unit = *tenant.UnitID
			}
			if tenant.Status != c.status || unit != c.unit || (tenant.CurrentLeaseID != nil) != c.current ||
				len(tenant.LeaseIDs) != len(c.leases) {
				t.Errorf("is %s in %q with %v; want %s in %q, current %v", tenant.Status, unit, tenant.LeaseIDs,
					c.status, c.unit, c.current)
			}
		})
	}
}

func TestUnitStatusFollowsActiveLease(t *testing.T) {
	t.Parallel()
	active := portfolio.Lease{Record: portfolio.Record{ID: "2"}, Status: portfolio.LeaseActive}
	leaving := portfolio.Lease{
		Record:          portfolio.Record{ID: "2"},
		Status:          portfolio.LeaseActive,
		NoticeGivenDate: day(-1),
	}
	ended := portfolio.Lease{Record: portfolio.Record{ID: "1"}, Status: portfolio.LeaseExpired}
	type leases = []portfolio.Lease
	for name, c := range map[string]struct {
		before portfolio.UnitStatus
		leases []portfolio.Lease
		after  portfolio.UnitStatus
	}{
		"let":                                 {portfolio.UnitVacant, leases{ended, active}, portfolio.UnitOccupied},
		"about to be left":                    {portfolio.UnitOccupied, leases{leaving}, portfolio.UnitNotice},
		"left":                                {portfolio.UnitNotice, leases{ended}, portfolio.UnitVacant},
		"off the market and empty":            {portfolio.UnitOffMarket, leases{ended}, portfolio.UnitOffMarket},
		"off the market but let all the same": {portfolio.UnitOffMarket, leases{active}, portfolio.UnitOccupied},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := portfolio.Unit{Status: c.before, CurrentLeaseID: new("x")}
			u.DeriveOccupancy(c.leases)
			let := c.after == portfolio.UnitOccupied || c.after == portfolio.UnitNotice
			if u.Status != c.after || (u.CurrentLeaseID != nil) != let {
				t.Errorf("is %s with lease %v, want %s", u.Status, u.CurrentLeaseID, c.after)
			}
		})
	}
}
