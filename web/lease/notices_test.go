package lease_test

import (
	"net/http"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/agreement/document/documenttest"
	"portal/api/id"
	"portal/db/dbtest"
	"portal/web/pagetest"
)

// count counts rows.
func (e *leasePages) count(from string) (n int) {
	e.Helper()
	dbtest.Row(e, e.DB, "SELECT count(*) FROM "+from, nil, &n)
	return n
}

func TestLandlordPreparesNoticesOfEachKind(t *testing.T) {
	onEach(t, func(t *testing.T, e *leasePages) {
		r := e.Member(access.Manager)
		lease := "/test/leases/" + e.lease
		at := lease + "/notices"
		if to := pagetest.Link(t, r.Get(lease), "Notices to the tenants"); to != at {
			t.Errorf("the lease leads to %s", to)
		}
		shows(r, r.Get(at), "No notices yet", "Notice of entry", "No rent is overdue.", "The lease has a fixed term")
		r.Leads(r.Get(at+"/new/pay_or_quit"), at)
		r.Says(r.Get(at+"/new/rent"), http.StatusNotFound, "")
		for kind, typed := range map[string][]string{
			"rent_increase":  {"monthly_rent", "1500"},
			"entry":          {"purpose", "Check the smoke alarms"},
			"end_of_tenancy": {"reason", "The owner moves in"},
		} {
			form := at + "/new/" + kind
			made := r.Post(form, form, pagetest.With(r.Shown(form), typed...))
			path := made.Header().Get("Location")
			if made.Code != http.StatusSeeOther || !strings.HasPrefix(path, at+"/ntc_") {
				t.Fatalf("%s: %d to %s: %s", kind, made.Code, path, made.Body)
			}
			shows(r, r.Get(path), typed[1][1:], "Not emailed", "Open in Spanish")
			if by := "Give it by" + e.Now.AddDate(0, 0, 1).Format("Jan 2") + ", 9:00 AM"; kind == "entry" {
				shows(r, r.Get(path), by)
			}
			for query, said := range map[string]string{
				"": "What this notice says", "?lang=es": "Lo que dice este aviso",
			} {
				file := r.Get(path + "/notice.pdf" + query)
				text := documenttest.Tool(t, file.Body.Bytes(), "pdftotext", "-layout", "FILE", "-")
				if file.Code != http.StatusOK || !strings.Contains(text, said) ||
					!strings.Contains(text, "Dana Whitfield") {
					t.Error(kind, query, file.Code, text)
				}
			}
		}
		shows(r, r.Get(at), "Notice of entry", "Notice of rent increase", "Notice to end the tenancy")
		shows(r, r.Get(lease), "Notices to the tenants", "Notice of rent increase")
		if n := e.count("lease_notices"); n != 3 {
			t.Errorf("%d notices", n)
		}
		if n := e.count("mails"); n != 0 {
			t.Errorf("%d emails were sent by themselves", n)
		}
	})
}

func TestNoticeFormKeepsWhatWasTyped(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	at := "/test/leases/" + e.lease + "/notices"
	entry, rent := at+"/new/entry", at+"/new/rent_increase"
	for want, typed := range map[string][]string{
		"The day must be within a year of today":              {"given_on", "2020-01-01", "effective_on", "2030-01-01"},
		"is the earliest day: 24 hours after":                 {"effective_on", e.Now.Format("2006-01-02")},
		"later than the beginning":                            {"until", "09:00"},
		"is required":                                         {"purpose", ""},
		"a time of day from 07:00 to 20:30, by the half hour": {"from", "09:01"},
	} {
		form := pagetest.With(r.Shown(entry), append([]string{"purpose", "Look at the roof"}, typed...)...)
		rec := r.Post(entry, entry, form)
		r.Says(rec, http.StatusBadRequest, want)
		if typed[0] != "purpose" && !strings.Contains(rec.Body.String(), "Look at the roof") {
			t.Errorf("%s: what was typed is lost", want)
		}
	}
	r.Says(r.Post(rent, rent, pagetest.With(r.Shown(rent), "monthly_rent", "1450")), http.StatusBadRequest,
		"must be more than the present one, $1,450.00")
	soon := pagetest.With(r.Shown(rent), "monthly_rent", "1500", "effective_on", "2026-12-01")
	r.Says(
		r.Post(rent, rent, soon),
		http.StatusBadRequest,
		"The lease has a fixed term: January 1, 2027 is the earliest day",
	)
	soon.Set("sooner", "on") // a fixed term is no matter of days
	r.Says(r.Post(rent, rent, soon), http.StatusBadRequest, "The lease has a fixed term")
	sooner := pagetest.With(r.Shown(entry), "purpose", "A pipe has burst", "effective_on", e.Now.Format("2006-01-02"),
		"sooner", "on")
	if made := r.Post(entry, entry, sooner); made.Code != http.StatusSeeOther {
		t.Errorf("a day that somebody confirmed: %d %s", made.Code, made.Body)
	}
}

func TestNoticeIsEmailedAndStays(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	at := "/test/leases/" + e.lease + "/notices"
	form := at + "/new/entry"
	prepare := func() string {
		return r.Post(form, form, pagetest.With(r.Shown(form), "purpose", "Paint")).Header().Get("Location")
	}
	gone, kept := prepare(), prepare()
	r.Leads(r.Post(gone+"/delete", gone+"/delete", r.Shown(gone+"/delete")), at)
	r.Says(r.Get(gone), http.StatusNotFound, "")
	r.Leads(r.Post(kept+"/email", kept+"/email", r.Shown(kept+"/email")), kept)
	shows(r, r.Get(kept), "Emailed", "Email again")
	r.Says(r.Post(kept+"/delete", kept+"/delete", r.Shown(kept+"/delete")), http.StatusConflict, "so it stays")
	if n := e.count("lease_notices WHERE emailed_at IS NOT NULL"); n != 1 {
		t.Errorf("%d emailed notices", n)
	}
	if n := e.count("mails WHERE subject LIKE 'Notice of entry: %'"); n != 1 {
		t.Errorf("%d emails", n)
	}
}

func TestNoticesOfOthersAreNotFound(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	at := "/test/leases/" + e.lease + "/notices"
	form := at + "/new/entry"
	made := r.Post(form, form, pagetest.With(r.Shown(form), "purpose", "Paint")).Header().Get("Location")
	other, none := id.New(id.Lease, e.Now), id.New(id.Notice, e.Now)
	for _, path := range []string{
		strings.Replace(made, "/test/", "/live/", 1), strings.Replace(made, e.lease, other, 1),
		at + "/" + none, at + "/ntc", "/live/leases/" + e.lease + "/notices",
	} {
		r.Says(r.Get(path), http.StatusNotFound, "")
		if rec := r.Get(path + "/notice.pdf"); rec.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, rec.Code)
		}
	}
}
