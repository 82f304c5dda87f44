package web_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"portal/api/access"
	"portal/api/account"
	"portal/api/audit"
	"portal/api/developer"
	"portal/api/mail"
	"portal/api/portfolio"
	"portal/api/portfolio/report"
	"portal/api/secret"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/auditstore"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/db/oncestore"
	"portal/db/portfoliostore"
	"portal/jobs"
	"portal/static"
	"portal/web"
)

// staffPages are the pages over a real database, with two landlords and a reviewer.
type staffPages struct {
	*testPages
	db    *db.DB
	dev   *developer.Service
	queue *jobs.Queue
	mails []*mail.Message
}

func (d *staffPages) Send(_ context.Context, m *mail.Message) error {
	d.mails = append(d.mails, m)
	return nil
}

func newStaffPages(t *testing.T) *staffPages {
	t.Helper()
	return newStaffPagesOn(t, dbtest.SQLite(t))
}

func newStaffPagesOn(t *testing.T, store *db.DB) *staffPages {
	t.Helper()
	must(t, jobs.Migrate(t.Context(), store))
	queue, err := jobs.NewQueue(store)
	must(t, err)
	dev := developer.New(developerstore.New(store), time.Now, func(context.Context, access.Portfolio, *time.Location) error { return nil })
	d := &staffPages{db: store, dev: dev, queue: queue}
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	must(t, err)
	d.testPages = newTestPagesOf(t, web.Config{BaseURL: base, Forms: oncestore.NewForms(store), Now: time.Now, Requests: dev, Keys: dev, Journey: dev, Summaries: report.New(portfolio.New(portfoliostore.New(store), time.Now), portfoliostore.ForReports(store)), Reviews: dev.Reviews, Holdings: dev, Usage: dev, Exchanges: developer.Exchanges{Store: developerstore.NewRequests(store), Box: box, Now: time.Now},
		Jobs: jobs.Board{Queue: queue, Audit: audit.Log{Store: auditstore.New(store), Now: time.Now}}})
	dev.Post, dev.BaseURL = d, base
	return d
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// landlord is a browser of the owner of a new account.
func (d *staffPages) landlord(email string) *reader {
	d.Helper()
	return d.reader(d.someone(email, access.Owner))
}

func (d *staffPages) someone(email string, role access.Role) account.Visitor {
	d.Helper()
	u, err := d.dev.AddUser(d.Context(), email, "Harbor & Lane", "correct horse battery", developer.Landlord)
	must(d.T, err)
	_, a, err := d.dev.Account(d.Context(), email)
	must(d.T, err)
	live, err := accountstore.NewAccounts(d.db).PortfolioOf(d.Context(), a.ID, access.Live)
	must(d.T, err)
	demo, err := accountstore.NewAccounts(d.db).PortfolioOf(d.Context(), a.ID, access.Test)
	must(d.T, err)
	return account.Visitor{UserID: u.ID, Email: email, Role: developer.Landlord,
		Account: &account.Membership{AccountID: a.ID, Name: a.Name, Role: role, TimeZone: "UTC", Live: live, Test: demo}}
}

// reviewer is a browser of the staff.
func (d *staffPages) reviewer() *reader {
	d.Helper()
	u, err := d.dev.AddUser(d.Context(), "sue@portal.example", "", "correct horse battery", developer.Staff)
	must(d.T, err)
	return d.reader(account.Visitor{UserID: u.ID, Email: u.Email, Role: developer.Staff})
}

// colleague is a manager of the same account.
func (d *staffPages) colleague(of *reader) *reader {
	d.Helper()
	who := *d.people[of.cookies["session"].Value]
	as := *who.Account
	as.Role = access.Manager
	who.Account = &as
	return d.reader(who)
}

func accessForm() url.Values {
	return url.Values{"use_case": {"Keep our bookkeeping in step with the rent ledger."}, "contact_email": {"tech@example.com"}, "agreed_to_terms": {"on"},
		"company_name": {"Harbor Lane"}, "expected_monthly_calls": {"12,000"}, "integration_type": {"accounting"}, "website_url": {"https://example.com"}}
}

// approved is a landlord whose request was approved.
func (d *staffPages) approved(email string) *reader {
	d.Helper()
	r := d.landlord(email)
	_, err := d.dev.Reviews.Approve(d.Context(), email, nil)
	must(d.T, err)
	return r
}

// found is the first part of a page that fits a pattern's group.
func (r *reader) found(page *httptest.ResponseRecorder, pattern string) string {
	r.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(page.Body.String())
	if m == nil {
		r.Fatalf("nothing fits %s in:\n%s", pattern, text(parse(r.T, page.Body.String())))
	}
	return m[1]
}

// makesKey creates a key and answers with its id and the key.
func (r *reader) makesKey(form url.Values) (id, secret string) {
	r.Helper()
	page := r.creates(form)
	return r.found(page, `href="/keys/(key_\w+)"`), r.found(page, `<code>(sk_\w+)</code>`)
}

// creates sends the form of a new key, as its page names it.
func (r *reader) creates(form url.Values) *httptest.ResponseRecorder {
	r.Helper()
	form.Set("once", r.found(r.get("/keys/new"), `name="once" value="([^"]+)"`))
	return r.post("/keys", "/keys/new", form)
}

func aKey() url.Values { return url.Values{"name": {"CI"}, "mode": {"test"}, "scopes": {"write"}} }

// actions are what was recorded of an account's owner, the newest first.
func (d *staffPages) actions(userID string) (all []string) {
	d.Helper()
	page, err := audit.Log{Store: auditstore.New(d.db), Now: time.Now}.Entries(d.Context(), audit.Query{UserID: userID, Limit: 100})
	must(d.T, err)
	for _, e := range page.Data {
		if e.RequestID == "" || e.Address == "" {
			d.Errorf("%+v does not say where it came from", e)
		}
		all = append(all, e.Action)
	}
	return all
}

// payloads are what somebody may type so that it runs in another's browser.
var payloads = []string{
	`<script>alert(1)</script>`, `"><script>alert(1)</script>`, `'><img src=x onerror=alert(1)>`, `<svg onload=alert(1)>`, `</textarea><script>alert(1)</script>`,
	`</title><script>alert(1)</script>`, `javascript:alert(1)`, `" onfocus=alert(1) autofocus="`, `' onmouseover='alert(1)`, `<iframe src=javascript:alert(1)>`,
	`{{constructor.constructor('alert(1)')()}}`, `${alert(1)}`, `<math><mtext></mtext><script>alert(1)</script>`, `<a href="javascript:alert(1)">x</a>`, `<style>@import 'x'</style>`,
	`<!--><script>alert(1)</script>-->`, `<input autofocus onfocus=alert(1)>`, `<body onload=alert(1)>`, `<details open ontoggle=alert(1)>`, `<object data="data:text/html,x">`,
	`&lt;script&gt;alert(1)&lt;/script&gt;`, `\u003cscript\u003e`, `<base href="//evil.test">`, `<form action="//evil.test"><button>`,
}

var harmful = regexp.MustCompile(`(?i)^(on[a-z]+|srcdoc)$`)

// isIcon tells a drawing of ours, which is one of the sprite, from all others.
func isIcon(svg *html.Node) bool {
	use := svg.FirstChild
	return use != nil && use.NextSibling == nil && use.Data == "use" && len(svg.Attr) == 2 && // class and aria-hidden
		strings.HasPrefix(attr(use, "href"), static.URL("icons.svg")+"#")
}

// tame checks that nothing on a page is what a payload made it.
func (d *staffPages) tame(page *httptest.ResponseRecorder, what string) {
	d.Helper()
	if page.Code >= http.StatusInternalServerError {
		d.Errorf("%s: %d", what, page.Code)
	}
	for n := range parse(d.T, page.Body.String()).Descendants() {
		switch n.Data {
		case "script":
			if attr(n, "nonce") == "" || attr(n, "src") == "" {
				d.Errorf("%s: a script of a payload", what)
			}
		case "svg":
			if !isIcon(n) {
				d.Errorf("%s: a drawing of a payload", what)
			}
		case "iframe", "math", "object", "base", "style":
			d.Errorf("%s: an element <%s>", what, n.Data)
		}
		for _, a := range n.Attr {
			if harmful.MatchString(a.Key) || (a.Key == "href" || a.Key == "src" || a.Key == "action") && strings.HasPrefix(strings.ToLower(a.Val), "javascript:") {
				d.Errorf("%s: <%s %s=%q>", what, n.Data, a.Key, a.Val)
			}
		}
	}
}
