package web_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/developer"
	"portal/api/mail"
	"portal/api/portfolio"
	"portal/api/portfolio/application"
	"portal/api/portfolio/demo"
	"portal/api/portfolio/report"
	"portal/api/portfolio/simulate"
	"portal/api/portfolio/upload"
	"portal/api/portfolio/verification"
	"portal/api/secret"
	"portal/api/webhook"
	"portal/db"
	"portal/db/auditstore"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/db/mailstore"
	"portal/db/oncestore"
	"portal/db/portfoliostore"
	"portal/db/uploadstore"
	"portal/db/webhookstore"
	"portal/web"
	developerpages "portal/web/developer"
	"portal/web/records"
	"portal/web/resident"
)

// demoPages are the pages over a real database, with the rules of portfolios behind it. Its demo
// portfolio is as on the first day. The clock is the test's.
type demoPages struct {
	*testPages
	db           *db.DB
	home         dbtest.Home
	rules        *portfolio.Service
	applications *application.Services
	hooks        *webhook.Service
	post         *mail.Service
	ahead        time.Duration

	intake *upload.Service
	later  *later
}

func newDemoPages(t *testing.T) *demoPages {
	t.Helper()
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	must(t, err)
	d := dbtest.SQLite(t)
	m := &demoPages{db: d, home: dbtest.NewHome(t, d, "dana")}
	now := func() time.Time { return time.Now().Add(m.ahead) }
	trail := audit.Log{Store: auditstore.New(d), Now: now}
	m.hooks = webhook.New(webhookstore.New(d), box, now, false)
	m.hooks.Trail = trail
	m.post = mail.New(mail.Config{Store: mailstore.New(d), Box: box, Now: now})
	m.rules = portfolio.New(portfoliostore.New(d), now).Use(portfolio.Parts{BaseURL: base, Post: m.post, Events: m.hooks})
	m.applications = application.New(m.rules, portfoliostore.ForApplications(d))
	records := records.Rules(m.rules, report.New(m.rules, portfoliostore.ForReports(d)), m.applications, verification.New(m.rules, portfoliostore.ForVerifications(d)))
	book := demo.Book(time.Now(), time.UTC)
	must(t, portfoliostore.NewBooks(d).Add(t.Context(), m.home.Test, &book))
	m.later = &later{}
	m.intake = &upload.Service{Store: uploadstore.New(d), Box: box, Queue: m.later, Now: now, Trail: trail}
	m.testPages = newTestPagesOf(t, web.Config{BaseURL: base, Forms: oncestore.NewForms(d), Now: now, Guests: resident.Rules(m.applications), Summaries: report.New(m.rules, portfoliostore.ForReports(d)), Endpoints: m.hooks, Deliveries: developerpages.DeliveryRules(m.hooks),
		Journey: developer.New(developerstore.New(d), now, nil), Applicants: records.Applicants, Homes: records.Homes, Imports: m.intake, Demo: &simulate.Simulator{Store: portfoliostore.ForStage(d), Portfolio: m.rules, Now: now, Trail: trail}})
	m.pages.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
	return m
}

// member is a browser of who works for the landlord.
func (m *demoPages) member(role access.Role) *reader {
	m.Helper()
	who := visitor(m.user(), m.home, role)
	who.Account.Plan = developer.Plan{Tier: developer.Starter}
	return m.reader(who)
}

func (m *demoPages) user() (id string) {
	m.Helper()
	dbtest.Query(m.T, m.db, "SELECT id FROM users ORDER BY id LIMIT 1", func(_ []string, values []any) { id = fmt.Sprint(values[0]) })
	return id
}

// stranger is a browser of an owner of another account.
func (m *demoPages) stranger() *reader {
	m.Helper()
	return m.reader(visitor("user_9", dbtest.NewHome(m.T, m.db, "robin"), access.Owner))
}

func (m *demoPages) actor(mode access.Mode) access.Actor {
	in := map[access.Mode]access.Portfolio{access.Live: m.home.Live, access.Test: m.home.Test}[mode]
	return access.Actor{Portfolio: in, AccountID: m.home.AccountID, Scopes: access.Scopes{access.Read, access.Write}, Role: access.Owner, Zone: time.UTC}
}

func (m *demoPages) endpoint() {
	m.Helper()
	_, err := m.hooks.CreateEndpoint(m.Context(), m.actor(access.Test), webhook.EndpointCreate{URL: "https://hooks.example.com/portal", Events: []webhook.Kind{webhook.EveryKind}})
	must(m.T, err)
}

func TestAnIntegratorSetsAnEventOffAndSeesIt(t *testing.T) {
	t.Parallel()
	m := newDemoPages(t)
	r := m.member(access.Manager)
	r.says(r.get("/test/demo"), http.StatusOK, "Trigger test event")
	for kind, about := range map[string]string{"maintenance.created": "tkt_", "payment.succeeded": "pay_", "lease.signed": "lea_"} {
		rec := r.post("/test/demo", "/test/demo", url.Values{"kind": {kind}})
		at := rec.Header().Get("Location")
		if !strings.HasPrefix(at, "/test/demo?event=evt_") {
			t.Fatalf("%s: %d to %q", kind, rec.Code, at)
		}
		page := r.get(at)
		r.says(page, http.StatusOK, kind+" was raised and goes to no endpoint.")
		r.says(page, http.StatusOK, "No endpoint is told of it yet")
		if link(t, page, "Add an endpoint") != "/test/webhooks/new" {
			t.Error("the way to an endpoint is not shown")
		}
		r.says(r.get(link(t, page, "Read the event")), http.StatusOK, about)
	}
	m.endpoint()
	rec := r.post("/test/demo", "/test/demo", url.Values{"kind": {"payment.succeeded"}})
	r.says(r.get(rec.Header().Get("Location")), http.StatusOK, "payment.succeeded was raised and goes to 1 endpoint.")
	r.says(r.get(rec.Header().Get("Location")), http.StatusOK, "hooks.example.com")
	s := m.stranger()
	if page := s.get(rec.Header().Get("Location")).Body.String(); strings.Contains(page, "was raised") {
		t.Error("another account's event is shown")
	}
}

func TestWhatCannotHappenInADemoPortfolioIsSaid(t *testing.T) {
	t.Parallel()
	m := newDemoPages(t)
	r := m.member(access.Owner)
	must(t, m.db.Atomically(t.Context(), func(ctx context.Context) error { return portfoliostore.NewBooks(m.db).ClearDemo(ctx, m.home.Test) }))
	for _, kind := range []string{"maintenance.created", "payment.succeeded", "lease.signed", "", "tenant.born"} {
		r.leads(r.post("/test/demo", "/test/demo", url.Values{"kind": {kind}}), "/test/demo")
		r.says(r.get("/test/demo"), http.StatusOK, "Reset the demo portfolio to begin anew.")
	}
}

func TestAnOwnerPutsTheDemoPortfolioBack(t *testing.T) {
	t.Parallel()
	m := newDemoPages(t)
	r, manager := m.member(access.Owner), m.member(access.Manager)
	m.endpoint()
	rec := r.post("/test/demo", "/test/demo", url.Values{"kind": {"maintenance.created"}})
	manager.says(manager.get("/test/demo/reset"), http.StatusForbidden, "Only an owner")
	manager.says(manager.get("/test/demo"), http.StatusOK, "An owner of the account can put it back")
	r.says(r.get("/test/demo/reset"), http.StatusOK, "Reset the demo portfolio?")
	r.leads(r.post("/test/demo/reset", "/test/demo/reset", nil), "/test/demo")
	r.says(r.get("/test/demo"), http.StatusOK, "as on its first day")
	if page := r.get(rec.Header().Get("Location")); page.Code != http.StatusOK || strings.Contains(page.Body.String(), "was raised") {
		t.Errorf("%d: an event that is gone is shown", page.Code)
	}
	r.says(r.get("/test/webhooks"), http.StatusOK, "hooks.example.com")
	r.says(r.get("/live/demo"), http.StatusNotFound, "")
}

func TestEverybodyCanUseThePagesOfTheDemo(t *testing.T) {
	t.Parallel()
	b, m := browser(t), newDemoPages(t)
	r := m.member(access.Owner)
	none := r.post("/test/demo", "/test/demo", url.Values{"kind": {"lease.signed"}}).Header().Get("Location")
	m.endpoint()
	one := r.post("/test/demo", "/test/demo", url.Values{"kind": {"maintenance.created"}}).Header().Get("Location")
	r.looks(b, none, one, "/test/demo/reset")
}
