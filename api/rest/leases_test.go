package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

// home is a property of one unit with a lease of one tenant, at rest: what follows from
// the lease is as it should be.
type home struct {
	*fixture
	key      string
	in       access.Portfolio
	property portfolio.Property
	unit     portfolio.Unit
	tenant   portfolio.Tenant
	lease    portfolio.Lease
}

// home makes one in a test portfolio. Its lease is active for the year 2026, unless
// change has it otherwise.
func (r *fixture) home(key string, change func(*portfolio.Lease)) *home {
	r.t.Helper()
	in, _, err := r.developer.Portfolio(r.t.Context(), "ada@example.com", access.Test)
	must(r.t, err)
	record := func(prefix string) portfolio.Record {
		return portfolio.Record{
			ID:        id.New(prefix, firstMade),
			Mode:      access.Test,
			Version:   1,
			CreatedAt: clock.At(firstMade),
			UpdatedAt: clock.At(firstMade),
		}
	}
	h := &home{fixture: r, key: key, in: in}
	h.property = portfolio.Property{
		Record:             record("prop"),
		StreetAddress:      "3 Elm Road",
		City:               "Austin",
		State:              "TX",
		PropertyType:       "single_family",
		UnitCount:          1,
		Status:             portfolio.PropertyActive,
		VerificationStatus: portfolio.Unverified,
	}
	h.unit = portfolio.Unit{
		Record:     record("unit"),
		PropertyID: h.property.ID,
		UnitNumber: "1",
		Status:     portfolio.UnitVacant,
		IsDefault:  true,
	}
	h.tenant = portfolio.Tenant{
		Record:    record("ten"),
		FirstName: "Dana",
		LastName:  "Whitfield",
		Status:    portfolio.TenantProspect,
	}
	h.lease = portfolio.Lease{
		Record:        record("lea"),
		Status:        portfolio.LeaseActive,
		PropertyID:    h.property.ID,
		UnitID:        h.unit.ID,
		Tenants:       []portfolio.Party{{ID: h.tenant.ID, Role: portfolio.PartyPrimary}},
		RentalAddress: "3 Elm Road, Austin, TX",
		LeaseType:     portfolio.Fixed,
		StartDate:     *day(2026, 1, 1),
		EndDate:       day(2026, 12, 31),
		MonthlyRent:   145_000,
		RentDueDay:    1,
	}
	change(&h.lease)
	if h.lease.Status == portfolio.LeaseActive {
		h.unit.Status, h.unit.CurrentLeaseID, h.property.OccupiedUnitCount = portfolio.UnitOccupied, &h.lease.ID, 1
		h.tenant.CurrentLeaseID = &h.lease.ID
	}
	h.tenant.Status, h.tenant.PropertyID, h.tenant.UnitID = h.lease.Standing(), &h.property.ID, &h.unit.ID
	if h.lease.Binding() {
		h.tenant.MoveInDate = &h.lease.StartDate
	}
	must(r.t, portfoliostore.New(r.db).Add(r.t.Context(), in, &portfolio.Book{
		Properties: []portfolio.Property{h.property},
		Units:      []portfolio.Unit{h.unit},
		Tenants:    []portfolio.Tenant{h.tenant},
		Leases:     []portfolio.Lease{h.lease},
	}))
	return h
}

// patch updates the lease.
func (h *home) patch(body string, headers ...string) answer {
	h.t.Helper()
	return h.send(http.MethodPatch, "/leases/"+h.lease.ID, h.key, body, headers...)
}

// shows checks what is read of the lease, the unit, the tenant and the property, each
// as field=value pairs.
func (h *home) shows(t *testing.T, when, want string) {
	t.Helper()
	all := map[string]record{}
	for name, path := range map[string]string{
		"lease":    "/leases/" + h.lease.ID,
		"tenant":   "/tenants/" + h.tenant.ID,
		"property": "/properties/" + h.property.ID,
	} {
		all[name] = decoded(t, h.get(path, h.key).body).(record)
	}
	all["unit"] = all["property"]["units"].([]any)[0].(record)
	for pair := range strings.FieldsSeq(want) {
		field, value, _ := strings.Cut(pair, "=")
		of, name, _ := strings.Cut(field, ".")
		if got := strings.Trim(jsonOf(all[of][name]), `"`); got != value {
			t.Errorf("%s: %s is %s, want %s", when, field, got, value)
		}
	}
}

// rent adds rows of rent to the ledger, one a month from a month of 2026 on, with the
// statuses given.
func (h *home) rent(month time.Month, statuses ...portfolio.PaymentStatus) {
	h.t.Helper()
	var rows []portfolio.Payment
	for i, status := range statuses {
		start := clock.DateOf(time.Date(2026, month+time.Month(i), 1, 12, 0, 0, 0, time.UTC), time.UTC)
		p := portfolio.Payment{
			Record: portfolio.Record{
				ID:        id.New("pay", firstMade.Add(time.Duration(i)*time.Second)),
				Version:   1,
				CreatedAt: clock.At(firstMade),
				UpdatedAt: clock.At(firstMade),
			},
			LeaseID:     h.lease.ID,
			TenantID:    h.tenant.ID,
			UnitID:      h.unit.ID,
			PropertyID:  h.property.ID,
			Type:        portfolio.PaymentRent,
			Amount:      145_000,
			Status:      status,
			DueDate:     start,
			PeriodStart: &start,
		}
		if status == portfolio.PaymentSucceeded || status == portfolio.PaymentPartiallyPaid {
			p.AmountPaid = 50_000
		}
		rows = append(rows, p)
	}
	must(h.t, portfoliostore.New(h.db).Add(h.t.Context(), h.in, &portfolio.Book{Payments: rows}))
}

// ledger are the rows of the lease in the order of their months: status and amount.
func (h *home) ledger(t *testing.T) string {
	t.Helper()
	var all []string
	var p struct {
		Data []struct {
			Status string
			Amount float64
		}
	}
	h.get("/payments?limit=100&lease_id="+h.lease.ID, h.key).ok(t, &p)
	for _, row := range p.Data {
		all = append(all, fmt.Sprint(row.Status, " ", row.Amount))
	}
	return strings.Join(all, ", ")
}

// homes runs a promise about leases on both databases, with a key for all scopes.
func homes(t *testing.T, promise func(t *testing.T, r *fixture, key string)) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		promise(t, r, *r.key("ada@example.com", access.Test, "payments").Plaintext)
	})
}

func TestOpenLeaseIsVoidedAndRunningLeaseTerminated(t *testing.T) {
	homes(t, func(t *testing.T, r *fixture, key string) {
		for _, from := range portfolio.LeaseStatus("").Values() {
			for _, to := range portfolio.LeaseStatus("").Values() {
				h := r.home(key, func(l *portfolio.Lease) {
					if l.Status = portfolio.LeaseStatus(from); from == "signed" || from == "draft" {
						l.StartDate = *day(2026, 12, 1)
					}
					if from == "draft" || from == "pending_signature" {
						l.DocumentURL = new(base + "/d")
						l.EsignURL = new(base + "/s")
						l.ExpiresAt = new(clock.At(noon.Add(time.Hour)))
					}
					if from == "terminated" {
						l.TerminatedOn = day(2026, 6, 1)
					}
				})
				body := `{"status":"` + to + `"}`
				if from == "signed" && to == "terminated" {
					body = endsUnstarted
				}
				a := h.patch(body)
				fine := to == "voided" && (from == "draft" || from == "pending_signature") ||
					to == "terminated" && (from == "active" || from == "signed")
				switch {
				case fine:
					if got := a.done(t); got["status"] != to || a.header.Get("ETag") != `"2"` ||
						got["document_url"] != nil || got["esign_url"] != nil || got["expires_at"] != nil {
						t.Errorf("%s to %s: %s", from, to, a.body)
					}
				case from == to:
					if got := a.done(t); got["version"] != number("1") {
						t.Errorf("%s to %s: %s", from, to, a.body)
					}
				default:
					f := a.expect(t, http.StatusConflict, "invalid_transition")
					way := map[string]string{
						"draft":             "with status voided",
						"pending_signature": "with status voided",
						"active":            "with status terminated",
						"signed":            "becomes active on its start date",
					}[from]
					if way == "" {
						way = "its status is final"
					}
					if *f.Error.Param != "status" || !strings.Contains(f.Error.Message, way) {
						t.Errorf("%s to %s: %s", from, to, f.Error.Message)
					}
				}
			}
		}
	})
}

const endsUnstarted = `{"status":"terminated","tenants_agreed_on":"2026-11-01","termination_reason":"Sold"}`

// unstarted is a lease that all have signed and that starts in December.
func (r *fixture) unstarted(key string) *home {
	return r.home(key, func(l *portfolio.Lease) {
		l.Status, l.StartDate, l.EndDate = portfolio.LeaseSigned, *day(2026, 12, 1), day(2027, 11, 30)
	})
}

func TestSignedLeaseIsEndedBeforeItStarts(t *testing.T) {
	homes(t, func(t *testing.T, r *fixture, key string) {
		h := r.unstarted(key)
		h.rent(12, "scheduled", "due")
		r.exec("UPDATE payments SET type = 'deposit', period_start = NULL, period_end = NULL " +
			"WHERE lease_id = '" + h.lease.ID + "' AND status = 'due'")
		h.shows(t, "before", "lease.status=signed tenant.status=future unit.status=vacant")
		for body, want := range map[string]string{
			`{"status":"terminated","termination_reason":"Sold"}`:                    "missing_field tenants_agreed_on",
			`{"status":"terminated","tenants_agreed_on":"2026-11-01"}`:               "missing_field termination_reason",
			strings.Replace(endsUnstarted, "2026-11-01", "2026-11-03", 1):            "invalid_field tenants_agreed_on",
			strings.Replace(endsUnstarted, "}", `,"terminated_on":"2026-12-01"}`, 1): "date_order terminated_on",
			strings.Replace(endsUnstarted, "}", `,"terminated_on":"2026-11-01"}`, 1): "invalid_field terminated_on",
			`{"tenants_agreed_on":"2026-11-01"}`:                                     "invalid_field tenants_agreed_on",
			`{"expires_in_days":10,"status":"voided"}`:                               "invalid_field expires_in_days",
		} {
			code, param, _ := strings.Cut(want, " ")
			if f := h.patch(body).expect(t, http.StatusBadRequest, code); *f.Error.Param != param {
				t.Errorf("%s: %s", body, *f.Error.Param)
			}
		}
		h.patch(`{"expires_in_days":10}`).expect(t, http.StatusConflict, "invalid_transition")
		preview := h.patch(endsUnstarted, "Dry-Run", "true").done(t)
		if preview["tenants_agreed_on"] != "2026-11-01" {
			t.Errorf("a preview: %v", preview["tenants_agreed_on"])
		}
		got := h.patch(endsUnstarted).done(t)
		if got["tenants_agreed_on"] != "2026-11-01" || got["termination_reason"] != "Sold" ||
			!strings.Contains(jsonOf(got["warnings"]), "rent_voided") {
			t.Errorf("%s", jsonOf(got))
		}
		if again := r.get("/leases/"+h.lease.ID, key).done(t); again["tenants_agreed_on"] != "2026-11-01" {
			t.Errorf("read again: %v", again["tenants_agreed_on"])
		}
		h.shows(t, "ended", "lease.status=terminated lease.terminated_on=2026-11-02 unit.status=vacant "+
			"tenant.status=prospect tenant.move_in_date=null")
		if l := h.ledger(t); l != "void 1450, void 1450" {
			t.Errorf("the ledger is %s", l)
		}
		if h.patch(endsUnstarted).done(t)["version"] != got["version"] {
			t.Error("it ends twice")
		}
	})
}

func TestTerminatingLeaseVoidsLaterRentAndFreesUnit(t *testing.T) {
	homes(t, func(t *testing.T, r *fixture, key string) {
		ledger := []portfolio.PaymentStatus{
			"succeeded", "failed", "partially_paid", "due", "failed", "processing",
			"partially_paid", "scheduled", "void", "refunded",
		}
		for _, c := range []struct{ body, on, want string }{
			{
				`{"status":"terminated"}`, "2026-11-02",
				"succeeded 1450, failed 1450, partially_paid 1450, due 1450, failed 1450, processing 1450, " +
					"partially_paid 1450, void 1450, void 1450, refunded 1450",
			},
			{
				`{"status":"terminated","terminated_on":"2026-08-31","termination_reason":"Moves\nabroad"}`,
				"2026-08-31",
				// Rent that is paid, or is being paid, for days after the end is credited, and pays what is owed.
				"succeeded 1450, succeeded 1450, partially_paid 1450, due 1450, void 1450, processing 1450, " +
					"succeeded 1450, void 1450, void 1450, refunded 1450, succeeded -1450, succeeded -1450",
			},
			{
				`{"status":"terminated","terminated_on":"2026-08-01"}`, "2026-08-01",
				// Rent that is paid, or is being paid, for days after the end is credited, and pays what is owed.
				"succeeded 1450, succeeded 1450, partially_paid 1450, due 1450, void 1450, processing 1450, " +
					"succeeded 1450, void 1450, void 1450, refunded 1450, succeeded -1450, succeeded -1450",
			},
		} {
			h := r.home(key, func(*portfolio.Lease) {})
			h.rent(5, ledger...)
			h.shows(
				t,
				"before",
				"lease.status=active unit.status=occupied tenant.status=current property.occupied_unit_count=1 "+
					"property.version=1 unit.version=1 tenant.version=1",
			)
			a := h.patch(c.body)
			got := a.done(t)
			h.shows(
				t,
				c.body,
				"lease.status=terminated lease.terminated_on="+c.on+
					" lease.version=2 lease.days_until_end=null unit.status=vacant unit.current_lease_id=null "+
					"unit.version=2 tenant.status=past tenant.current_lease_id=null tenant.version=2 "+
					"property.occupied_unit_count=0 property.version=2 lease.monthly_rent=1450.00 "+
					"lease.end_date=2026-12-31",
			)
			if l := h.ledger(t); l != c.want {
				t.Errorf("%s\nwant %s\n got %s", c.body, c.want, l)
			}
			if !strings.Contains(jsonOf(got["warnings"]), "rent_voided") {
				t.Errorf("%s: warnings are %s", c.body, jsonOf(got["warnings"]))
			}
		}
	})
}

func TestInvalidTerminationDateOrReasonIsRefused(t *testing.T) {
	homes(t, func(t *testing.T, r *fixture, key string) {
		h := r.home(key, func(*portfolio.Lease) {})
		h.rent(10, "due", "scheduled")
		before := r.dump()
		for body, want := range map[string]string{
			`{"status":"terminated","terminated_on":"2025-12-31"}`: "date_order terminated_on",
			`{"status":"terminated","terminated_on":"2027-01-01"}`: "date_order terminated_on",
			`{"status":"terminated","terminated_on":"2026-11-03"}`: "invalid_field terminated_on",
			`{"status":"terminated","terminated_on":"2026-12-31"}`: "invalid_field terminated_on",
			`{"terminated_on":"2026-06-01"}`:                       "invalid_field terminated_on",
			`{"termination_reason":"Sold"}`: "invalid_field " +
				"termination_reason",
			`{"status":"active","terminated_on":"2026-06-01","termination_reason":"x"}`: "invalid_field terminated_on",
			`{"status":"terminated","termination_reason":""}`: "invalid_field " +
				"termination_reason",
			`{"status":"terminated","end_date":null}`:                    "invalid_field end_date",
			`{"end_date":"2026-01-01"}`:                                  "date_order end_date",
			`{"end_date":"2025-06-01"}`:                                  "date_order end_date",
			`{"start_date":"2026-12-31"}`:                                "date_order end_date",
			`{"start_date":"2026-12-01"}`:                                "invalid_field start_date",
			`{"move_in_date":"2026-06-02","move_out_date":"2026-06-01"}`: "date_order move_out_date",
			`{"start_date":"2026-05-01","end_date":"2026-04-01","move_out_date":"2026-01-01","move_in_date":"2026-01-02"}`: "date_order end_date",
		} {
			code, param, _ := strings.Cut(want, " ")
			if f := h.patch(body).expect(t, http.StatusBadRequest, code); *f.Error.Param != param {
				t.Errorf("%s: %s %s", body, *f.Error.Param, f.Error.Message)
			}
		}
		dbtest.Unchanged(t, "what does not fit", before, r.dump())
		h.patch(`{"status":"terminated","terminated_on":"2026-10-15"}`).done(t)
		h.patch(`{"terminated_on":null}`).expect(t, http.StatusBadRequest, "invalid_field")
		for _, other := range []string{"2026-09-30", "2026-10-16"} {
			h.patch(`{"terminated_on":"`+other+`","termination_reason":"Sold"}`).expect(
				t,
				http.StatusConflict,
				"invalid_transition",
			)
		}
		got := h.patch(`{"terminated_on":"2026-10-15","termination_reason":"Sold"}`).done(t)
		if got["terminated_on"] != "2026-10-15" || got["termination_reason"] != "Sold" ||
			h.ledger(t) != "due 1450, void 1450" {
			t.Errorf("%v, %s", got["terminated_on"], h.ledger(t))
		}
	})
}
