package rest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"portal/api/clock"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

func TestTermsAreLockedFromFirstSignatureUntilLeaseStarts(t *testing.T) {
	homes(t, func(t *testing.T, r *fixture, key string) {
		terms := map[string]string{
			"start_date":          `"2026-12-02"`,
			"end_date":            `"2027-06-30"`,
			"lease_type":          `"fixed_with_rollover"`,
			"rent_due_day":        "5",
			"late_fee_amount":     "50",
			"late_fee_grace_days": "3",
			"monthly_rent":        "1500",
			"security_deposit":    "100",
		}
		for _, status := range portfolio.LeaseStatus("").Values() {
			for field, value := range terms {
				h := r.home(key, func(l *portfolio.Lease) {
					if l.Status = portfolio.LeaseStatus(status); status == "draft" ||
						status == "pending_signature" || status == "signed" {
						l.StartDate, l.EndDate = *day(2026, 12, 1), day(2027, 11, 30)
					}
				})
				if status == "active" && field == "start_date" {
					value = `"2026-01-02"`
				}
				a := h.patch(`{"` + field + `":` + value + `}`)
				switch status {
				case "draft", "active":
					if a.status != http.StatusOK || a.header.Get("ETag") != `"2"` {
						t.Errorf("%s of a lease that is %s: status %d: %s", field, status, a.status, a.body)
					}
				case "pending_signature", "signed":
					if f := a.expect(t, http.StatusConflict, "signature_in_progress"); *f.Error.Param != field {
						t.Errorf("%s of a lease that is %s: %s", field, status, a.body)
					}
				default:
					if f := a.expect(t, http.StatusConflict, "invalid_transition"); *f.Error.Param != field {
						t.Errorf("%s of a lease that is %s: %s", field, status, a.body)
					}
				}
			}
			h := r.home(key, func(l *portfolio.Lease) {
				if l.Status = portfolio.LeaseStatus(status); status == "draft" ||
					status == "pending_signature" || status == "signed" {
					l.StartDate = *day(2026, 12, 1)
				}
			})
			if a := h.patch(
				`{"move_in_date":"2026-03-01","move_out_date":"2026-12-30","notice_given_date":"2026-10-30"}`,
			); a.status != http.StatusOK ||
				a.header.Get("ETag") != `"2"` {
				t.Errorf("the days around a lease that is %s: status %d: %s", status, a.status, a.body)
			}
		}
	})
}

func TestTenantNameAndEmailLockAtFirstSignature(t *testing.T) {
	homes(t, func(t *testing.T, r *fixture, key string) {
		for _, status := range portfolio.LeaseStatus("").Values() {
			h := r.home(key, func(l *portfolio.Lease) { l.Status = portfolio.LeaseStatus(status) })
			path := "/tenants/" + h.tenant.ID
			r.send(
				"PATCH",
				path,
				key,
				`{"phone":"512 555 0199","alternate_email":"b@example.com","email":null}`,
			).done(t)
			a := r.send("PATCH", path, key, `{"first_name":"D","email":"d@example.com"}`)
			if status != "pending_signature" {
				a.done(t)
				continue
			}
			f := a.expect(t, http.StatusConflict, "signature_in_progress")
			if *f.Error.Param != "first_name" || !strings.Contains(f.Error.Message, h.lease.ID) {
				t.Errorf("%s: %s", status, a.body)
			}
			h.shows(t, status, "tenant.first_name=Dana tenant.email=null")
		}
	})
}

func TestMovedEndDateRollsOverOrEndsLease(t *testing.T) {
	homes(t, func(t *testing.T, r *fixture, key string) {
		for _, c := range []struct {
			body string
			kind portfolio.LeaseType
			want string
		}{
			{
				`{"end_date":"2026-11-01"}`, portfolio.Fixed,
				"lease.status=expired lease.end_date=2026-11-01 unit.status=vacant tenant.status=past " +
					"property.occupied_unit_count=0",
			},
			{
				`{"end_date":"2026-11-02"}`, portfolio.Fixed,
				"lease.status=active lease.end_date=2026-11-02 lease.days_until_end=0 unit.status=occupied " +
					"tenant.status=current",
			},
			{
				`{"end_date":"2026-11-01"}`, portfolio.FixedWithRollover,
				"lease.status=active lease.lease_type=month_to_month lease.end_date=null lease.days_until_end=null " +
					"unit.status=occupied",
			},
			{
				`{"end_date":"2026-11-01","lease_type":"fixed_with_rollover"}`, portfolio.Fixed,
				"lease.status=active lease.lease_type=month_to_month lease.end_date=null unit.status=occupied",
			},
			{
				`{"lease_type":"month_to_month","end_date":null}`, portfolio.Fixed,
				"lease.status=active lease.lease_type=month_to_month lease.end_date=null unit.status=occupied " +
					"property.version=1",
			},
			{
				`{"lease_type":"month_to_month"}`, portfolio.Fixed,
				"lease.status=active lease.lease_type=month_to_month lease.end_date=2026-12-31",
			},
		} {
			h := r.home(key, func(l *portfolio.Lease) { l.LeaseType = c.kind })
			h.patch(c.body).done(t)
			h.shows(t, c.body, c.want+" lease.version=2")
		}
		h := r.home(key, func(*portfolio.Lease) {})
		h.patch(`{"end_date":null}`).expect(t, http.StatusBadRequest, "invalid_field")
		h.patch(`{"end_date":null,"lease_type":"fixed_with_rollover"}`).expect(
			t,
			http.StatusBadRequest,
			"invalid_field",
		)
	})
}

// A lease whose renewal has begun is renewed, not expired, whichever is looked at first: the
// calendar or a caller.
func TestLeaseWithStartedRenewalIsRenewedNotExpired(t *testing.T) {
	homes(t, func(t *testing.T, r *fixture, key string) {
		h := r.home(key, func(l *portfolio.Lease) { l.EndDate = day(2026, 11, 1) })
		next := h.lease
		next.ID = id.New("lea", secondMade)
		next.Status = portfolio.LeaseSigned
		next.RenewedFromLeaseID = &h.lease.ID
		next.StartDate = *day(2026, 11, 2)
		next.EndDate = day(2027, 11, 1)
		must(t, portfoliostore.New(r.db).Add(t.Context(), h.in, &portfolio.Book{Leases: []portfolio.Lease{next}}))
		r.exec("UPDATE leases SET renewed_to_lease_id = '" + next.ID + "' WHERE id = '" + h.lease.ID + "'")
		h.patch(`{"move_out_date":"2027-11-01"}`).done(t)
		h.shows(t, "after the update", "lease.status=renewed")
		zone, err := r.developer.Authenticate(t.Context(), "Bearer "+key)
		must(t, err)
		must(t, r.portfolio.Calendar.RollOver(t.Context(), h.in, zone.Zone))
		h.shows(
			t,
			"after the turn of the day",
			"lease.status=renewed unit.status=occupied unit.current_lease_id="+next.ID+" tenant.status=current",
		)
	})
}

// The calendar may not have looked at a lease yet that ended yesterday.
func TestEndedLeaseCannotBeTerminated(t *testing.T) {
	homes(t, func(t *testing.T, r *fixture, key string) {
		h := r.home(key, func(l *portfolio.Lease) { l.EndDate = day(2026, 11, 1) })
		for _, body := range []string{`{"status":"terminated"}`, `{"monthly_rent":1}`, `{"end_date":"2027-11-01"}`} {
			f := h.patch(body).expect(t, http.StatusConflict, "invalid_transition")
			if !strings.Contains(f.Error.Message, "is expired") {
				t.Errorf("%s: %s", body, f.Error.Message)
			}
		}
		h.patch(`{"move_out_date":"2026-11-01"}`).done(t)
		h.shows(t, "after", "lease.status=expired unit.status=vacant tenant.status=past")
	})
}

func TestActiveLeasesDoNotOverlap(t *testing.T) {
	homes(t, func(t *testing.T, r *fixture, key string) {
		h := r.home(key, func(l *portfolio.Lease) { l.EndDate = day(2026, 11, 30) })
		next := h.lease
		next.ID = id.New("lea", secondMade)
		next.Status = portfolio.LeaseSigned
		next.StartDate = *day(2026, 12, 15)
		next.EndDate = day(2027, 12, 14)
		draft := next
		draft.ID = id.New("lea", secondMade)
		draft.Status = portfolio.LeaseDraft
		draft.StartDate = *day(2028, 1, 1)
		draft.EndDate = day(2028, 12, 31)
		must(t, portfoliostore.New(r.db).Add(t.Context(), h.in, &portfolio.Book{
			Leases: []portfolio.Lease{next, draft},
		}))
		h.patch(`{"end_date":"2026-12-14"}`).done(t) // the day before
		before := r.dump()
		for _, body := range []string{
			`{"end_date":"2026-12-15"}`, `{"end_date":"2028-01-01"}`,
			`{"end_date":null,"lease_type":"month_to_month"}`,
		} {
			f := h.patch(body).expect(t, http.StatusConflict, "lease_dates_overlap")
			if *f.Error.Param != "end_date" || !strings.Contains(f.Error.Message, next.ID) ||
				strings.Contains(f.Error.Message, draft.ID) {
				t.Errorf("%s: %s", body, f.Error.Message)
			}
		}
		dbtest.Unchanged(t, "an overlap", before, r.dump())
		a := r.send("PATCH", "/leases/"+draft.ID, key, `{"start_date":"2027-06-01"}`)
		warnings := jsonOf(a.done(t)["warnings"])
		if !strings.Contains(warnings, "lease_dates_overlap") || !strings.Contains(warnings, next.ID) {
			t.Errorf("a draft that overlaps: %s", a.body)
		}
		a = r.send("PATCH", "/leases/"+draft.ID, key, `{"start_date":"2027-12-15"}`)
		if a.done(t)["warnings"] != nil {
			t.Errorf("a draft that no longer overlaps: %s", a.body)
		}
		r.exec("UPDATE leases SET renewed_from_lease_id = '" + h.lease.ID + "' WHERE id = '" + next.ID + "'")
		r.exec("UPDATE leases SET renewed_to_lease_id = '" + next.ID + "' WHERE id = '" + h.lease.ID + "'")
		h.patch(`{"end_date":"2026-12-20"}`).done(t) // its own renewal does not count
	})
}

func TestMoveOutNoticeShowsOnUnitAndTenant(t *testing.T) {
	homes(t, func(t *testing.T, r *fixture, key string) {
		h := r.home(key, func(*portfolio.Lease) {})
		h.patch(`{"notice_given_date":"2026-11-01","move_out_date":"2026-12-15"}`).done(t)
		h.shows(
			t,
			"after the notice",
			"unit.status=notice unit.version=2 tenant.status=notice tenant.move_out_date=2026-12-15 "+
				"tenant.version=2 property.occupied_unit_count=1 property.version=2 lease.status=active "+
				"lease.version=2",
		)
		h.patch(`{"notice_given_date":null,"move_out_date":null}`).done(t)
		h.shows(
			t,
			"after it was taken back",
			"unit.status=occupied unit.version=3 tenant.status=current tenant.move_out_date=null tenant.version=3 "+
				"property.version=3 lease.version=3",
		)
		h.patch(`{"late_fee_grace_days":5}`).done(t)
		h.shows(t, "after something else", "unit.version=3 tenant.version=3 property.version=3 lease.version=4")
	})
}

func TestRentChangeUpdatesScheduledPayments(t *testing.T) {
	homes(t, func(t *testing.T, r *fixture, key string) {
		h := r.home(key, func(*portfolio.Lease) {})
		h.rent(9, "succeeded", "failed", "due", "scheduled", "scheduled")
		// The last period is a part of a month.
		r.exec(
			"UPDATE payments SET amount = 70000 WHERE lease_id = '" + h.lease.ID +
				"' AND period_start = (SELECT MAX(period_start) FROM payments)",
		)
		a := h.patch(`{"monthly_rent":1500}`)
		w := jsonOf(a.done(t)["warnings"])
		if !strings.Contains(w, "rent_revised") || !strings.Contains(w, "1 unpaid charge changed") {
			t.Errorf("warnings are %s", w)
		}
		if got := h.ledger(t); got != "succeeded 1450, failed 1450, due 1450, scheduled 1500, scheduled 700" {
			t.Errorf("the ledger is %s", got)
		}
		h.shows(t, "after", "unit.version=1 tenant.version=1 property.version=1")
	})
}

func TestEarlierLeaseEndVoidsLaterRent(t *testing.T) {
	homes(t, func(t *testing.T, r *fixture, key string) {
		for _, c := range []struct{ kind, body, want string }{
			{"fixed", `{"end_date":"2026-11-30"}`, "due 1450, due 1450, void 1450"},
			{"fixed", `{"end_date":"2026-10-31"}`, "due 1450, void 1450, void 1450"},
			{"fixed", `{"end_date":"2027-01-31"}`, "due 1450, due 1450, scheduled 1450"},
			// The lease continues month to month.
			{
				"fixed", `{"lease_type":"fixed_with_rollover","end_date":"2026-10-31"}`,
				"due 1450, due 1450, scheduled 1450",
			},
			{"fixed_with_rollover", `{"lease_type":"fixed","end_date":"2026-11-30"}`, "due 1450, due 1450, void 1450"},
			{"month_to_month", `{"end_date":"2026-11-30"}`, "due 1450, due 1450, void 1450"},
		} {
			h := r.home(key, func(l *portfolio.Lease) {
				if l.LeaseType = portfolio.LeaseType(c.kind); l.LeaseType == portfolio.MonthToMonth {
					l.EndDate = nil
				}
			})
			h.rent(10, "due", "due", "scheduled")
			a := h.patch(c.body)
			warned := strings.Contains(jsonOf(a.done(t)["warnings"]), "rent_voided")
			if got := h.ledger(t); got != c.want || warned != strings.Contains(c.want, "void") {
				t.Errorf("%s %s: the ledger is %s, want %s; %s", c.kind, c.body, got, c.want, a.body)
			}
		}
	})
}

// The calendar may not have looked at a lease yet: a rule judges it as it is now.
func TestLeaseRulesApplyAsOfToday(t *testing.T) {
	homes(t, func(t *testing.T, r *fixture, key string) {
		past := clock.At(r.clock.now().Add(-time.Minute))
		for _, status := range []portfolio.LeaseStatus{portfolio.LeaseDraft, portfolio.LeasePendingSignature} {
			h := r.home(key, func(l *portfolio.Lease) { l.Status, l.ExpiresAt = status, &past })
			if f := h.patch(`{"monthly_rent":1}`).expect(
				t,
				http.StatusConflict,
				"invalid_transition",
			); !strings.Contains(f.Error.Message, "is voided") {
				t.Errorf("%s: %s", status, f.Error.Message)
			}
			h.patch(`{"notice_given_date":"2026-11-01"}`).done(t)
			h.shows(t, string(status), "lease.status=voided lease.monthly_rent=1450.00 lease.version=2")
		}
		late := r.home(key, func(l *portfolio.Lease) { l.Status, l.ExpiresAt = portfolio.LeasePendingSignature, &past })
		r.send("PATCH", "/tenants/"+late.tenant.ID, key, `{"email":"d@example.com"}`).done(t)
		begun := r.home(key, func(l *portfolio.Lease) {
			l.Status = portfolio.LeaseSigned
			l.StartDate = *day(2026, 11, 2)
		})
		begun.patch(`{"status":"terminated"}`).done(t)
		begun.shows(t, "a lease that began today", "lease.status=terminated lease.terminated_on=2026-11-02")
		coming := r.home(key, func(l *portfolio.Lease) {
			l.Status = portfolio.LeaseSigned
			l.StartDate = *day(2026, 11, 3)
		})
		if f := coming.patch(`{"monthly_rent":1}`).expect(
			t,
			http.StatusConflict,
			"signature_in_progress",
		); !strings.Contains(f.Error.Message, "Wait until it runs") ||
			strings.Contains(f.Error.Message, "Void it") {
			t.Error(f.Error.Message)
		}
	})
}
