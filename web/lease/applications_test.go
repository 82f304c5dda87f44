package lease_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
	"portal/web/pagetest"
	"portal/web/webtest"
)

func TestLandlordInvitesAndAcceptsApplicant(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	r, s := m.Member(access.Manager), m.Stranger()
	r.Says(r.Get("/live/applications"), http.StatusOK, "No applications yet")
	r.Says(r.Get("/live/applications/new"), http.StatusOK, "Choose the home.")
	property := pagetest.Link(t, r.Get("/live/applications/new?q=maple+AUSTIN"), "1420 Maple Avenue")
	unit := pagetest.Link(t, r.Get(property), "Unit 2B")
	r.Says(r.Get(unit), http.StatusOK, "1420 Maple Avenue, Unit 2B, Austin, TX 78701 · Vacant")
	at, apply := m.Invites(r, access.Live, "sam.rivera@example.com")
	r.Says(
		r.Get("/live/applications"),
		http.StatusOK,
		"sam.rivera@example.com 1420 Maple Avenue, Unit 2B Sent Queued",
	)
	r.Says(r.Get("/test/applications"), http.StatusOK, "No applications yet")
	r.Says(r.Get(at), http.StatusOK, "Cancel invitation…")
	r.Says(r.Get(apply), http.StatusOK, "1420 Maple Avenue")
	r.Says(r.Get("/live/applications?state=opened"), http.StatusOK, "sam.rivera@example.com")
	r.Says(r.Get("/live/applications?state=sent"), http.StatusOK, "No applications have this status")
	m.Applies(apply, "We do not smoke.")
	r.Says(r.Get("/live/applications?state=to_decide"), http.StatusOK, "Sam Rivera")
	r.Says(r.Get(at), http.StatusOK, "2 adults, 1 child")
	r.Says(r.Get(at+"/accept"), http.StatusOK, "Accept Sam Rivera?")
	for _, path := range []string{
		at, at + "/accept", at + "/decline", at + "/cancel",
		"/test" + strings.TrimPrefix(at, "/live"), unit,
	} {
		who := s
		if strings.HasPrefix(path, "/test") {
			who = r
		}
		who.Says(who.Get(path), http.StatusNotFound, "Page not found")
	}
	for _, path := range []string{"/accept", "/decline", "/cancel"} {
		s.Says(s.Post(at+path, "/live/applications/new", nil), http.StatusNotFound, "Page not found")
	}
	r.Leads(r.Post(at+"/accept", at+"/accept", nil), at)
	r.Says(r.Get(at), http.StatusOK, "Sam Rivera is now a tenant")
	tenants, err := m.Rules.Tenants.Tenants(t.Context(), m.Actor(access.Live), portfolio.TenantFilter{
		Query: list.Query{Limit: 10},
	})
	if err != nil || len(tenants.Data) != 1 || tenants.Data[0].Name != "Sam Rivera" {
		t.Errorf("%+v, %v", tenants.Data, err)
	}
	r.Says(
		r.Post(at+"/accept", at+"/accept", nil),
		http.StatusConflict,
		"already accepted. The tenant is "+tenants.Data[0].ID,
	)
	r.Says(r.Post(at+"/decline", at+"/decline", url.Values{"tell": {"on"}}), http.StatusConflict, "already accepted")
	r.Says(r.Post(at+"/cancel", at+"/cancel", nil), http.StatusConflict, "cannot be cancelled: it is applied")
	_, again := m.Invites(r, access.Live, "sam@example.com")
	m.Applies(again, "")
	r.Says(
		r.Get(pagetest.Link(t, r.Get("/live/applications?state=to_decide"), "Sam Rivera")+"/accept"),
		http.StatusOK,
		"There’s already a tenant with the address sam@example.com already: Sam Rivera.",
	)
}

func TestDeclinedApplicantIsEmailedOnRequest(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	r := m.Member(access.Owner)
	at, apply := m.Invites(r, access.Test, "sam@example.com")
	r.Says(r.Get(at), http.StatusOK, "Not sent")
	m.Applies(apply, "")
	before := len(m.Mails())
	r.Says(r.Post(at+"/decline", at+"/decline", url.Values{
		"message": {"Good luck."},
	}), http.StatusBadRequest, "These words are for the email.")
	r.Says(r.Post(at+"/decline", at+"/decline", url.Values{
		"tell":    {"on"},
		"message": {strings.Repeat("x", 1001)},
	}), http.StatusBadRequest, "at most 1,000 characters")
	r.Leads(r.Post(at+"/decline", at+"/decline", url.Values{"tell": {"on"}, "message": {"Good luck."}}), at)
	r.Says(r.Get(at), http.StatusOK, "you can read it under Mail")
	if all := m.Mails(); len(all) != before+1 || all[0].Status != mail.Kept || all[0].To != "sam@example.com" {
		t.Errorf("%+v", all)
	}
	quiet, apply := m.Invites(r, access.Test, "kim@example.com")
	m.Applies(apply, "")
	before = len(m.Mails())
	r.Leads(r.Post(quiet+"/decline", quiet+"/decline", nil), quiet)
	r.Says(r.Get(quiet), http.StatusOK, "No one was notified.")
	if len(m.Mails()) != before {
		t.Error("somebody was told")
	}
}

func TestInvitationIsCanceled(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	r := m.Member(access.Manager)
	at, apply := m.Invites(r, access.Live, "sam@example.com")
	r.Leads(r.Post(at+"/cancel", at+"/cancel", nil), at)
	r.Says(r.Get(at), http.StatusOK, "Canceled")
	if rec := r.Get(apply); rec.Code == http.StatusOK && strings.Contains(rec.Body.String(), "monthly_income") {
		t.Error("the link takes an application")
	}
}

func TestInvitationErrorsAppearBesideFields(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	r := m.Member(access.Owner)
	at := "/live/applications/new?unit_id=" + m.Unit(access.Live)
	once := func() string { return r.Found(r.Get(at), `name="once" value="([^"]+)"`) }
	send := func(with url.Values) *url.Values {
		with.Set("unit_id", m.Unit(access.Live))
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
		{
			url.Values{"email": {"a@example.com"}, "desired_move_in_date": {"2020-01-01"}},
			"Preferred move-in date: Must not be in the past",
		},
		{url.Values{"email": {"a@example.com"}, "offered_rent": {"much"}}, "Monthly rent you offer: Enter a number"},
		{
			url.Values{"email": {"a@example.com"}, "message": {strings.Repeat("x", 1001)}},
			"Message in the email: Must have at most 1,000",
		},
		{
			url.Values{"email": {"a@example.com"}, "first_name": {strings.Repeat("x", 128)}},
			"First name: Must have between 1 and 127",
		},
	} {
		rec := r.Post("/live/applications/new", at, *send(c.form))
		r.Says(rec, http.StatusBadRequest, c.words)
		if v := c.form.Get("email"); v != "" && !strings.Contains(rec.Body.String(), `value="`+v+`"`) {
			t.Errorf("%s is not kept", v)
		}
	}
	if n := len(m.Mails()); n != 0 {
		t.Errorf("%d mails", n)
	}
	twice := once()
	r.Says(r.Post("/live/applications/new", at, *send(url.Values{
		"email": {"a@example.com"},
		"once":  {twice},
	})), http.StatusOK, "Invitation created")
	again := r.Post("/live/applications/new", at, *send(url.Values{
		"email": {"a@example.com"},
		"once":  {twice},
	})).Header().Get("Location")
	r.Says(r.Get(again), http.StatusOK, "That form was sent before, and this is its invitation.")
	if n := len(m.Mails()); n != 1 {
		t.Errorf("%d mails", n)
	}
	r.Says(r.Post("/live/applications/new", at, url.Values{
		"unit_id": {m.Unit(access.Test)},
		"email":   {"a@example.com"},
	}), http.StatusNotFound, "Page not found")
}

func TestApplicantTextNeverRunsAsScript(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	r := m.Member(access.Owner)
	for n, payload := range webtest.Payloads {
		m.Ahead = time.Duration(n) * time.Hour // one recipient gets five an hour
		form := "/live/applications/new?unit_id=" + m.Unit(access.Live)
		page := r.Post("/live/applications/new", form, url.Values{
			"unit_id":    {m.Unit(access.Live)},
			"email":      {"sam@example.com"},
			"first_name": {payload},
			"last_name":  {payload},
			"message":    {payload},
			"phone":      {payload},
			"once":       {r.Found(r.Get(form), `name="once" value="([^"]+)"`)},
		})
		if strings.Contains(page.Body.String(), payload) && strings.ContainsAny(payload, "<\"") {
			t.Errorf("the form shows %q as it is", payload)
		}
		at, apply := m.Invites(r, access.Live, "sam@example.com")
		_ = m.Applications.Applications.Apply(t.Context(), strings.TrimPrefix(apply, "/apply/"), application.Create{
			FirstName:     payload,
			LastName:      payload,
			Email:         "sam@example.com",
			Phone:         "+15125550142",
			MoveInDate:    clock.DateOf(m.Pages.Now(), m.Actor(access.Live).Zone) + 3,
			Adults:        2,
			MonthlyIncome: money.Dollars(5250),
			Notes:         &payload,
			Pets:          &payload,
		})
		for _, path := range []string{
			at, "/live/applications", at + "/accept", at + "/decline",
			"/live/applications/new?q=" + url.QueryEscape(payload),
		} {
			body := r.Get(path).Body.String()
			if strings.Contains(body, payload) && strings.ContainsAny(payload, "<\"") {
				t.Errorf("%s shows %q as it is", path, payload)
			}
		}
	}
}

func TestApplicationsArePaged(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	r := m.Member(access.Owner)
	for n := range 60 {
		_, err := m.Applications.Invitations.InviteTenant(t.Context(), m.Actor(access.Live), application.TenantInvite{
			UnitID: m.Unit(access.Live),
			Email:  fmt.Sprintf("sam%d@example.com", n),
		})
		pagetest.Must(t, err)
	}
	seen, at := 0, "/live/applications"
	for range 3 {
		page := r.Get(at)
		seen += len(regexp.MustCompile(`href="/live/applications/lead_`).FindAllString(page.Body.String(), -1))
		if seen < 60 {
			at = pagetest.Link(t, page, "Next")
		}
	}
	if seen != 60 {
		t.Errorf("%d applications on three pages", seen)
	}
}

func TestApplicationPagesAreAccessible(t *testing.T) {
	t.Parallel()
	b, m := pagetest.Browser(t), pagetest.NewDemoPages(t)
	r := m.Member(access.Owner)
	at, apply := m.Invites(r, access.Test, "sam@example.com")
	m.Applies(apply, "We do not smoke.\nThank you for the viewing.")
	open, _ := m.Invites(r, access.Test, "kim.with.a.very.long.address@subdomain.example.com")
	r.Looks(
		b,
		"/test/applications",
		"/live/applications",
		at,
		at+"/accept",
		at+"/decline",
		open,
		"/test/applications/new?q=a",
		"/test/applications/new?unit_id="+m.Unit(access.Test),
	)
}

func TestApplicationCSVMatchesListOrder(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	r, s := m.Member(access.Manager), m.Stranger()
	_, apply := m.Invites(r, access.Live, "sam.rivera@example.com")
	m.Applies(apply, "We do not smoke.")
	m.Invites(r, access.Live, "ada@example.com")
	file := func(query string) (people []string) {
		t.Helper()
		rec := r.Get("/live/applications.csv" + query)
		lines, err := csv.NewReader(rec.Body).ReadAll()
		if err != nil || len(lines) == 0 || lines[0][1] != "Applicant" {
			t.Fatalf("%s: %v, %v", query, lines, err)
		}
		for _, line := range lines[1:] {
			people = append(people, line[1]+" "+line[2]+" "+line[5])
		}
		return people
	}
	sam, ada := "Sam Rivera sam.rivera@example.com To decide", "ada@example.com ada@example.com Sent"
	for query, want := range map[string][]string{
		"":                             {ada, sam},
		"?sort=oldest":                 {sam, ada},
		"?state=to_decide&sort=oldest": {sam},
		"?state=declined":              nil,
	} {
		if got := file(query); !slices.Equal(got, want) {
			t.Errorf("%q is a file of %q, want %q", query, got, want)
		}
	}
	list := r.Get("/live/applications?state=to_decide&sort=oldest")
	if got := pagetest.Link(t, list, "Export CSV"); got != "/live/applications.csv?sort=oldest&state=to_decide" {
		t.Errorf("the file is at %s", got)
	}
	if got := r.Found(list, `href="([^"]*state=sent)"`); got != "/live/applications?sort=oldest&amp;state=sent" {
		t.Errorf("a tab forgets the order: %s", got)
	}
	_, body, _ := strings.Cut(r.Get("/live/applications?sort=oldest").Body.String(), "<tbody")
	if strings.Index(body, "Sam Rivera") > strings.Index(body, "ada@example.com") {
		t.Error("the oldest application is not the first")
	}
	if other := s.Get("/live/applications.csv").Body.String(); strings.Contains(other, "example.com") {
		t.Error("a stranger has them, too")
	}
}
