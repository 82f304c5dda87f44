package portfolio

import (
	"testing"

	"portal/api/clock"
)

// today is a day counted from an arbitrary today, on which the tests stand.
const today = clock.Date(20_000)

func day(offset int) *clock.Date { return new(today + clock.Date(offset)) }

func TestALeaseTurnsWithTheCalendar(t *testing.T) {
	t.Parallel()
	const now = clock.Time(1_728_000_000_000)
	past, later := new(now-1), new(now+1)
	for name, c := range map[string]struct {
		lease   Lease
		renewed bool
		status  LeaseStatus
		kind    LeaseType
	}{
		"a draft expires": {
			Lease{Status: LeaseDraft, ExpiresAt: past, LeaseType: Fixed},
			false,
			LeaseVoided,
			Fixed,
		},
		"a draft that is still open stays": {
			Lease{Status: LeaseDraft, ExpiresAt: later, LeaseType: Fixed},
			false,
			LeaseDraft,
			Fixed,
		},
		"one out for signature expires": {
			Lease{Status: LeasePendingSignature, ExpiresAt: past, LeaseType: Fixed},
			false,
			LeaseVoided,
			Fixed,
		},
		"a signed one starts on its first day": {
			Lease{
				Status:    LeaseSigned,
				StartDate: today,
				EndDate:   day(365),
				LeaseType: Fixed,
			},
			false,
			LeaseActive,
			Fixed,
		},
		"a signed one waits for its first day": {
			Lease{
				Status:    LeaseSigned,
				StartDate: today + 1,
				EndDate:   day(366),
				LeaseType: Fixed,
			},
			false,
			LeaseSigned,
			Fixed,
		},
		"a signed one that was slept through ended": {
			Lease{
				Status:    LeaseSigned,
				StartDate: today - 400,
				EndDate:   day(-35),
				LeaseType: Fixed,
			},
			false,
			LeaseExpired,
			Fixed,
		},
		"slept through, but with rollover": {
			Lease{
				Status:    LeaseSigned,
				StartDate: today - 400,
				EndDate:   day(-35),
				LeaseType: FixedWithRollover,
			},
			false,
			LeaseActive,
			MonthToMonth,
		},
		"its last day is part of a lease": {
			Lease{
				Status:    LeaseActive,
				StartDate: today - 365,
				EndDate:   day(0),
				LeaseType: Fixed,
			},
			false,
			LeaseActive,
			Fixed,
		},
		"a fixed one expires after its last day": {
			Lease{
				Status:    LeaseActive,
				StartDate: today - 365,
				EndDate:   day(-1),
				LeaseType: Fixed,
			},
			false,
			LeaseExpired,
			Fixed,
		},
		"with rollover it goes on by the month": {
			Lease{
				Status:    LeaseActive,
				StartDate: today - 365,
				EndDate:   day(-1),
				LeaseType: FixedWithRollover,
			},
			false,
			LeaseActive,
			MonthToMonth,
		},
		"a renewal that starts ends it": {
			Lease{
				Status:    LeaseActive,
				StartDate: today - 365,
				EndDate:   day(-1),
				LeaseType: Fixed,
			},
			true,
			LeaseRenewed,
			Fixed,
		},
		"a renewal ends a rollover too": {
			Lease{
				Status:    LeaseActive,
				StartDate: today - 365,
				EndDate:   day(-1),
				LeaseType: FixedWithRollover,
			},
			true,
			LeaseRenewed,
			FixedWithRollover,
		},
		"month to month has no end": {
			Lease{Status: LeaseActive, StartDate: today - 365, LeaseType: MonthToMonth},
			false,
			LeaseActive,
			MonthToMonth,
		},
		"what has ended stays ended": {
			Lease{
				Status:    LeaseTerminated,
				StartDate: today - 365,
				EndDate:   day(-1),
				LeaseType: Fixed,
			},
			false,
			LeaseTerminated,
			Fixed,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := c.lease
			l.rollOver(today, now, c.renewed)
			if l.Status != c.status || l.LeaseType != c.kind {
				t.Errorf("is %s, %s; want %s, %s", l.Status, l.LeaseType, c.status, c.kind)
			}
			if rolled := c.lease.LeaseType != l.LeaseType; rolled && l.EndDate != nil {
				t.Errorf("rolled over, but ends on %s", l.EndDate)
			}
		})
	}
}

func TestTheLeaseThatSaysMostDecidesAboutATenant(t *testing.T) {
	t.Parallel()
	ended := Lease{
		Record:    Record{ID: "1"},
		Status:    LeaseExpired,
		UnitID:    "a",
		StartDate: today - 400,
	}
	active := Lease{
		Record:    Record{ID: "2"},
		Status:    LeaseActive,
		UnitID:    "b",
		StartDate: today - 30,
	}
	leaving := Lease{
		Record:          Record{ID: "2"},
		Status:          LeaseActive,
		UnitID:          "b",
		StartDate:       today - 30,
		NoticeGivenDate: day(-1),
	}
	next := Lease{
		Record:    Record{ID: "3"},
		Status:    LeaseSigned,
		UnitID:    "c",
		StartDate: today + 10,
	}
	draft := Lease{
		Record:    Record{ID: "4"},
		Status:    LeaseDraft,
		UnitID:    "d",
		StartDate: today + 20,
	}
	for name, c := range map[string]struct {
		leases  []Lease
		status  TenantStatus
		unit    string
		current bool
	}{
		"none":                          {nil, TenantProspect, "", false},
		"a draft":                       {[]Lease{draft}, TenantProspect, "d", false},
		"an ended one and a draft":      {[]Lease{ended, draft}, TenantPast, "a", false},
		"an ended one and a signed one": {[]Lease{ended, next}, TenantFuture, "c", false},
		"living here and moving on":     {[]Lease{ended, active, next}, TenantCurrent, "b", true},
		"notice given":                  {[]Lease{ended, leaving, next}, TenantNotice, "b", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tenant := Tenant{
				Status:         TenantCurrent,
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

func TestAUnitFollowsItsActiveLease(t *testing.T) {
	t.Parallel()
	active := Lease{Record: Record{ID: "2"}, Status: LeaseActive}
	leaving := Lease{Record: Record{ID: "2"}, Status: LeaseActive, NoticeGivenDate: day(-1)}
	ended := Lease{Record: Record{ID: "1"}, Status: LeaseExpired}
	for name, c := range map[string]struct {
		before UnitStatus
		leases []Lease
		after  UnitStatus
	}{
		"let":                                 {UnitVacant, []Lease{ended, active}, UnitOccupied},
		"about to be left":                    {UnitOccupied, []Lease{leaving}, UnitNotice},
		"left":                                {UnitNotice, []Lease{ended}, UnitVacant},
		"off the market and empty":            {UnitOffMarket, []Lease{ended}, UnitOffMarket},
		"off the market but let all the same": {UnitOffMarket, []Lease{active}, UnitOccupied},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := Unit{Status: c.before, CurrentLeaseID: new("x")}
			u.deriveOccupancy(c.leases)
			let := c.after == UnitOccupied || c.after == UnitNotice
			if u.Status != c.after || (u.CurrentLeaseID != nil) != let {
				t.Errorf("is %s with lease %v, want %s", u.Status, u.CurrentLeaseID, c.after)
			}
		})
	}
}
