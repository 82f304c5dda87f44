package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/mail"
	"portal/api/portfolio"
	"portal/api/portfolio/application"
	"portal/web/webtest"
)

// invites invites somebody by the form and gives the path of the invitation and of the
// link to apply.
func (m *demoPages) invites(r *reader, mode access.Mode, email string) (at, apply string) {
	m.Helper()
	form := "/" + string(mode) + "/applications/new?unit_id=" + m.unit(mode)
	page := r.post("/"+string(mode)+"/applications/new", form, url.Values{"unit_id": {m.unit(mode)}, "email": {email}, "once": {r.found(r.get(form), `name="once" value="([^"]+)"`)}})
	r.says(page, http.StatusOK, "The invitation is made")
	return link(m.T, page, "Go to the invitation"), "/apply/" + r.found(page, `/apply/([\w-]{43})`)
}

// unit is a vacant one.
func (m *demoPages) unit(mode access.Mode) string {
	m.Helper()
	if mode == access.Live {
		return m.home.Unit[mode].ID
	}
	all, err := m.rules.Properties.Properties(m.Context(), m.actor(mode), portfolio.PropertyFilter{Query: list.Query{Limit: 100}})
	must(m.T, err)
	for i := range all.Data {
		p, err := m.rules.Properties.Property(m.Context(), m.actor(mode), all.Data[i].ID)
		must(m.T, err)
		for _, u := range p.Units {
			if u.Status == portfolio.UnitVacant {
				return u.ID
			}
		}
	}
	m.Fatal("no unit is vacant")
	return ""
}

// applies sends the application of a link, with notes.
func (m *demoPages) applies(apply, notes string) {
	m.Helper()
	must(m.T, m.applications.Applications.Apply(m.Context(), strings.TrimPrefix(apply, "/apply/"), application.Form{FirstName: "Sam", LastName: "Rivera", Email: "sam@example.com", Phone: "(512) 555-0142",
		MoveInDate: (clock.DateOf(m.pages.Now(), m.actor(access.Live).Zone) + 3).String(), Adults: "2", Children: "1", MonthlyIncome: "5250", Notes: notes, Pets: notes}))
}

func (m *demoPages) mails() (all []mail.Entry) {
	m.Helper()
	all, err := m.post.Mails(m.Context(), mail.Filter{Limit: 100})
	must(m.T, err)
	return all
}

func TestALandlordInvitesAndAccepts(t *testing.T) {
	t.Parallel()
	m := newDemoPages(t)
	r, s := m.member(access.Manager), m.stranger()
	r.says(r.get("/live/applications"), http.StatusOK, "Nobody has been invited yet")
	r.says(r.get("/live/applications/new"), http.StatusOK, "For which home?")
	property := link(t, r.get("/live/applications/new?q=maple+AUSTIN"), "1420 Maple Avenue")
	unit := link(t, r.get(property), "Unit 2B")
	r.says(r.get(unit), http.StatusOK, "1420 Maple Avenue, Unit 2B, Austin, TX 78701 · Vacant")
	at, apply := m.invites(r, access.Live, "sam.rivera@example.com")
	r.says(r.get("/live/applications"), http.StatusOK, "sam.rivera@example.com 1420 Maple Avenue, Unit 2B Austin, TX Sent Queued")
	r.says(r.get("/test/applications"), http.StatusOK, "Nobody has been invited yet")
	r.says(r.get(at), http.StatusOK, "Cancel the invitation")
	r.says(r.get(apply), http.StatusOK, "1420 Maple Avenue")
	r.says(r.get("/live/applications?state=opened"), http.StatusOK, "sam.rivera@example.com")
	r.says(r.get("/live/applications?state=sent"), http.StatusOK, "Nobody stands there")
	m.applies(apply, "We do not smoke.")
	r.says(r.get("/live/applications?state=to_decide"), http.StatusOK, "Sam Rivera")
	r.says(r.get(at), http.StatusOK, "2 adults, 1 child")
	r.says(r.get(at+"/accept"), http.StatusOK, "Accept Sam Rivera?")
	for _, path := range []string{at, at + "/accept", at + "/decline", at + "/cancel", "/test" + strings.TrimPrefix(at, "/live"), unit} {
		who := s
		if strings.HasPrefix(path, "/test") {
			who = r
		}
		who.says(who.get(path), http.StatusNotFound, "Page not found")
	}
	for _, path := range []string{"/accept", "/decline", "/cancel"} {
		s.says(s.post(at+path, "/live/applications/new", nil), http.StatusNotFound, "Page not found")
	}
	r.leads(r.post(at+"/accept", at+"/accept", nil), at)
	r.says(r.get(at), http.StatusOK, "Sam Rivera is a tenant now")
	tenants, err := m.rules.Tenants.Tenants(t.Context(), m.actor(access.Live), portfolio.TenantFilter{Query: list.Query{Limit: 10}})
	if err != nil || len(tenants.Data) != 1 || tenants.Data[0].Name != "Sam Rivera" {
		t.Errorf("%+v, %v", tenants.Data, err)
	}
	r.says(r.post(at+"/accept", at+"/accept", nil), http.StatusConflict, "accepted already; the tenant is "+tenants.Data[0].ID)
	r.says(r.post(at+"/decline", at+"/decline", url.Values{"tell": {"on"}}), http.StatusConflict, "accepted already")
	r.says(r.post(at+"/cancel", at+"/cancel", nil), http.StatusConflict, "cannot be cancelled: it is applied")
	_, again := m.invites(r, access.Live, "sam@example.com")
	m.applies(again, "")
	r.says(r.get(link(t, r.get("/live/applications?state=to_decide"), "Sam Rivera")+"/accept"), http.StatusOK, "There is a tenant with the address sam@example.com already: Sam Rivera.")
}

func TestALandlordDeclinesAndTheApplicantIsTold(t *testing.T) {
	t.Parallel()
	m := newDemoPages(t)
	r := m.member(access.Owner)
	at, apply := m.invites(r, access.Test, "sam@example.com")
	r.says(r.get(at), http.StatusOK, "Kept here")
	m.applies(apply, "")
	before := len(m.mails())
	r.says(r.post(at+"/decline", at+"/decline", url.Values{"message": {"Good luck."}}), http.StatusBadRequest, "These words are for the email.")
	r.says(r.post(at+"/decline", at+"/decline", url.Values{"tell": {"on"}, "message": {strings.Repeat("x", 1001)}}), http.StatusBadRequest, "at most 1,000 characters")
	r.leads(r.post(at+"/decline", at+"/decline", url.Values{"tell": {"on"}, "message": {"Good luck."}}), at)
	r.says(r.get(at), http.StatusOK, "it is kept under Mail")
	if all := m.mails(); len(all) != before+1 || all[0].Status != mail.Kept || all[0].To != "sam@example.com" {
		t.Errorf("%+v", all)
	}
	quiet, apply := m.invites(r, access.Test, "kim@example.com")
	m.applies(apply, "")
	before = len(m.mails())
	r.leads(r.post(quiet+"/decline", quiet+"/decline", nil), quiet)
	r.says(r.get(quiet), http.StatusOK, "Nobody was told.")
	if len(m.mails()) != before {
		t.Error("somebody was told")
	}
}

func TestAnInvitationIsCancelled(t *testing.T) {
	t.Parallel()
	m := newDemoPages(t)
	r := m.member(access.Manager)
	at, apply := m.invites(r, access.Live, "sam@example.com")
	r.leads(r.post(at+"/cancel", at+"/cancel", nil), at)
	r.says(r.get(at), http.StatusOK, "Cancelled")
	if rec := r.get(apply); rec.Code == http.StatusOK && strings.Contains(rec.Body.String(), "monthly_income") {
		t.Error("the link takes an application")
	}
}

func TestWhatIsWrongWithAnInvitationStandsBesideItsField(t *testing.T) {
	t.Parallel()
	m := newDemoPages(t)
	r := m.member(access.Owner)
	at := "/live/applications/new?unit_id=" + m.unit(access.Live)
	once := func() string { return r.found(r.get(at), `name="once" value="([^"]+)"`) }
	send := func(with url.Values) *url.Values {
		with.Set("unit_id", m.unit(access.Live))
		if !with.Has("once") {
			with.Set("once", once())
		}
		return &with
	}
	for _, c := range []struct {
		form  url.Values
		words string
	}{
		{url.Values{}, "Email: This is required"},
		{url.Values{"email": {"nobody"}}, "Email: This is not an email address"},
		{url.Values{"email": {"a@example.com"}, "phone": {"12"}}, "Phone: This is not a phone number"},
		{url.Values{"email": {"a@example.com"}, "desired_move_in_date": {"2020-01-01"}}, "Move-in they would like: Must not be in the past"},
		{url.Values{"email": {"a@example.com"}, "offered_rent": {"much"}}, "Rent / month you offer: Enter a number"},
		{url.Values{"email": {"a@example.com"}, "message": {strings.Repeat("x", 1001)}}, "Your own words in the email: Must have at most 1,000"},
		{url.Values{"email": {"a@example.com"}, "first_name": {strings.Repeat("x", 128)}}, "First name: Must have between 1 and 127"},
	} {
		rec := r.post("/live/applications/new", at, *send(c.form))
		r.says(rec, http.StatusBadRequest, c.words)
		if v := c.form.Get("email"); v != "" && !strings.Contains(rec.Body.String(), `value="`+v+`"`) {
			t.Errorf("%s is not kept", v)
		}
	}
	if n := len(m.mails()); n != 0 {
		t.Errorf("%d mails", n)
	}
	twice := once()
	r.says(r.post("/live/applications/new", at, *send(url.Values{"email": {"a@example.com"}, "once": {twice}})), http.StatusOK, "The invitation is made")
	again := r.post("/live/applications/new", at, *send(url.Values{"email": {"a@example.com"}, "once": {twice}})).Header().Get("Location")
	r.says(r.get(again), http.StatusOK, "That form was sent before, and this is its invitation.")
	if n := len(m.mails()); n != 1 {
		t.Errorf("%d mails", n)
	}
	r.says(r.post("/live/applications/new", at, url.Values{"unit_id": {m.unit(access.Test)}, "email": {"a@example.com"}}), http.StatusNotFound, "Page not found")
}

func TestNothingAnApplicantWritesRuns(t *testing.T) {
	t.Parallel()
	m := newDemoPages(t)
	r := m.member(access.Owner)
	for n, payload := range webtest.Payloads {
		m.ahead = time.Duration(n) * time.Hour // one recipient gets five an hour
		form := "/live/applications/new?unit_id=" + m.unit(access.Live)
		page := r.post("/live/applications/new", form, url.Values{"unit_id": {m.unit(access.Live)}, "email": {"sam@example.com"}, "first_name": {payload}, "last_name": {payload}, "message": {payload}, "phone": {payload},
			"once": {r.found(r.get(form), `name="once" value="([^"]+)"`)}})
		if strings.Contains(page.Body.String(), payload) && strings.ContainsAny(payload, "<\"") {
			t.Errorf("the form shows %q as it is", payload)
		}
		at, apply := m.invites(r, access.Live, "sam@example.com")
		_ = m.applications.Applications.Apply(t.Context(), strings.TrimPrefix(apply, "/apply/"), application.Form{FirstName: payload, LastName: payload, Email: "sam@example.com", Phone: "(512) 555-0142",
			MoveInDate: (clock.DateOf(m.pages.Now(), m.actor(access.Live).Zone) + 3).String(), Adults: "2", MonthlyIncome: "5250", Notes: payload, Pets: payload})
		for _, path := range []string{at, "/live/applications", at + "/accept", at + "/decline", "/live/applications/new?q=" + url.QueryEscape(payload)} {
			if body := r.get(path).Body.String(); strings.Contains(body, payload) && strings.ContainsAny(payload, "<\"") {
				t.Errorf("%s shows %q as it is", path, payload)
			}
		}
	}
}

func TestApplicationsAreReadPageByPage(t *testing.T) {
	t.Parallel()
	m := newDemoPages(t)
	r := m.member(access.Owner)
	for n := range 60 {
		_, err := m.applications.Invitations.InviteTenant(t.Context(), m.actor(access.Live), application.TenantInvite{UnitID: m.unit(access.Live), Email: fmt.Sprintf("sam%d@example.com", n)})
		must(t, err)
	}
	seen, at := 0, "/live/applications"
	for range 3 {
		page := r.get(at)
		seen += len(regexp.MustCompile(`href="/live/applications/lead_`).FindAllString(page.Body.String(), -1))
		if seen < 60 {
			at = link(t, page, "Next")
		}
	}
	if seen != 60 {
		t.Errorf("%d applications on three pages", seen)
	}
}

func TestEverybodyCanUseThePagesOfApplications(t *testing.T) {
	t.Parallel()
	b, m := browser(t), newDemoPages(t)
	r := m.member(access.Owner)
	at, apply := m.invites(r, access.Test, "sam@example.com")
	m.applies(apply, "We do not smoke.\nThank you for the viewing.")
	open, _ := m.invites(r, access.Test, "kim.with.a.very.long.address@subdomain.example.com")
	r.looks(b, "/test/applications", "/live/applications", at, at+"/accept", at+"/decline", open, "/test/applications/new?q=a", "/test/applications/new?unit_id="+m.unit(access.Test))
}
