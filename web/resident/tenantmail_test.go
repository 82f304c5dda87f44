package resident_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/attachment"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/records"
	"portal/api/secret"
	"portal/api/tenantportal"
	"portal/db/dbtest"
	"portal/db/mailstore"
	"portal/db/portfoliostore"
	"portal/db/servicestore"
	"portal/web/pagetest"
)

// newTenantMail is the pages of a tenant, and the path on which they stop emails.
func newTenantMail(t *testing.T) (pages http.Handler, path string) {
	t.Helper()
	pages, path = newTenantPage(t)
	return pages, path + "/mail/stop"
}

// newTenantPage is the pages of one tenant, and the path of the first one.
func newTenantPage(t *testing.T) (pages http.Handler, path string) {
	t.Helper()
	t.Parallel()
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	pagetest.Must(t, err)
	d := dbtest.SQLite(t)
	home := dbtest.NewHome(t, d, "dana")
	now := func() time.Time { return dbtest.Noon().Std() }
	sam := portfolio.Tenant{
		Record:    dbtest.Record(id.Tenant, "tenant", access.Live, dbtest.Now),
		FirstName: "Sam",
		LastName:  "Rivera",
		Email:     new("sam@example.com"),
		Status:    portfolio.TenantCurrent,
	}
	u := home.Unit[access.Live]
	pagetest.Must(t, portfoliostore.New(d).Add(t.Context(), home.Live, &portfolio.Book{
		Tenants: []portfolio.Tenant{sam},
		Leases: []portfolio.Lease{{
			Record:        dbtest.Record(id.Lease, "lease", access.Live, dbtest.Now),
			Status:        portfolio.LeaseActive,
			PropertyID:    u.PropertyID,
			UnitID:        u.ID,
			RentalAddress: "1420 Maple Avenue, Unit 2B, Austin, TX 78701",
			LeaseType:     portfolio.Fixed,
			StartDate:     clock.Day(2026, 1, 1),
			EndDate:       new(clock.Day(2026, 12, 31)),
			MonthlyRent:   money.Dollars(1450),
			RentDueDay:    1,
			TenantIDs:     []string{sam.ID},
			Tenants:       []portfolio.Party{{ID: sam.ID, Role: portfolio.PartyPrimary}},
		}},
	}))
	rules := records.New(portfoliostore.New(d), now).Use(portfolio.Parts{
		BaseURL: pagetest.BaseURL,
		Post:    mail.New(mail.Config{Store: mailstore.New(d), Box: box, Now: now}),
	})
	tenants := tenantportal.New(rules, agreement.New(rules, portfoliostore.New(d), box),
		portfoliostore.New(d), box)
	address, err := tenants.NewLink(t.Context(), access.Actor{
		Portfolio: home.Live,
		AccountID: home.AccountID,
		Scopes:    access.Scopes{access.Read, access.Write},
		Zone:      home.Zone,
	}, sam.ID, false)
	pagetest.Must(t, err)
	pages = pagetest.Serve(pagetest.Config{
		BaseURL: pagetest.BaseURL,
		Now:     now,
		Tenants: tenants,
		Photos:  attachment.NewConverter(time.Minute),
		Forms:   servicestore.NewForms(d),
	})
	return pages, strings.TrimPrefix(address, pagetest.BaseURL)
}

// asked is what a page answers, and its status.
func asked(t *testing.T, pages http.Handler, method, path string) (body string, status int) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, http.NoBody)
	w := httptest.NewRecorder()
	pages.ServeHTTP(w, r)
	return w.Body.String(), w.Code
}

func TestStoppingEmailsNeedsConfirmation(t *testing.T) {
	pages, path := newTenantMail(t)
	for range 2 { // mail programs follow links
		body, status := asked(t, pages, http.MethodGet, path)
		if status != http.StatusOK || !strings.Contains(body, "Stop emails about your tickets?") ||
			!strings.Contains(body, `action="`+path+`?lang=en"`) {
			t.Fatalf("%d: %s", status, body)
		}
	}
	if body, _ := asked(t, pages, http.MethodGet, path+"?lang=es"); !strings.Contains(body, "Detener los correos") ||
		!strings.Contains(body, `action="`+path+`?lang=es"`) || !strings.Contains(body, `<html lang="es"`) {
		t.Error(body)
	}
}

func TestOneClickUnsubscribeCanBeUndoneByTenant(t *testing.T) {
	pages, path := newTenantMail(t)
	const stopped = "You get no more emails about your tickets"
	for _, method := range []string{http.MethodPost, http.MethodPost, http.MethodGet} {
		body, status := asked(t, pages, method, path)
		if status != http.StatusOK || !strings.Contains(body, stopped) {
			t.Fatalf("%s: %d: %s", method, status, body)
		}
	}
	start := strings.TrimSuffix(path, "stop") + "start"
	body, _ := asked(t, pages, http.MethodGet, path+"?lang=es")
	if !strings.Contains(body, "Recibir correos de nuevo") || !strings.Contains(body, `action="`+start+`?lang=es"`) {
		t.Error(body)
	}
	if _, status := asked(t, pages, http.MethodPost, start); status != http.StatusSeeOther {
		t.Errorf("status %d", status)
	}
	body, _ = asked(t, pages, http.MethodGet, path+"?lang=en&started=1")
	if !strings.Contains(body, "You get emails about your tickets again") || strings.Contains(body, stopped) {
		t.Error(body)
	}
}

func TestUnknownLinkCannotStopEmails(t *testing.T) {
	pages, path := newTenantMail(t)
	token := strings.Split(path, "/")[2]
	other := strings.Replace(path, token, strings.Repeat("x", len(token)), 1)
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		if _, status := asked(t, pages, method, other); status != http.StatusNotFound {
			t.Errorf("%s: status %d", method, status)
		}
	}
}

func TestTenantStopsEmailsAboutRentAndGetsThemAgain(t *testing.T) {
	pages, path := newTenantPage(t)
	stop, start := path+"/mail/rent/stop", path+"/mail/rent/start"
	body, _ := asked(t, pages, http.MethodGet, stop)
	if !strings.Contains(body, "Stop emails about rent?") || !strings.Contains(body, `action="`+stop+`?lang=en"`) {
		t.Fatal(body)
	}
	const stopped = "You get no more emails about rent"
	for _, method := range []string{http.MethodPost, http.MethodPost, http.MethodGet} {
		body, status := asked(t, pages, method, stop)
		if status != http.StatusOK || !strings.Contains(body, stopped) || !strings.Contains(body, "Get emails again") {
			t.Fatalf("%s: %d: %s", method, status, body)
		}
	}
	if body, _ := asked(
		t,
		pages,
		http.MethodGet,
		path+"/mail/stop",
	); !strings.Contains(
		body,
		"Stop emails about your",
	) {
		t.Errorf("emails about tickets are stopped, too: %s", body)
	}
	if _, status := asked(t, pages, http.MethodPost, start); status != http.StatusSeeOther {
		t.Errorf("%d", status)
	}
	if body, _ := asked(t, pages, http.MethodGet, stop+"?started=1"); !strings.Contains(body, "about rent again") {
		t.Error(body)
	}
}
