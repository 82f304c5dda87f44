package web_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/account"
	"portal/api/developer"
	"portal/api/mail"
	"portal/api/portfolio"
	"portal/api/portfolio/application"
	"portal/api/portfolio/report"
	"portal/api/portfolio/verification"
	"portal/api/secret"
	"portal/api/webhook"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/db/mailstore"
	"portal/db/oncestore"
	"portal/db/portfoliostore"
	"portal/db/webhookstore"
	"portal/web"
	accountpages "portal/web/account"
	developerpages "portal/web/developer"
	"portal/web/records"
)

// accountPages is the pages with the real accounts over a real database: whoever is there has
// signed up and in by forms. The clock is the test's.
type accountPages struct {
	*testPages
	db        *db.DB
	post      *mail.Service
	developer *developer.Service
	rules     *portfolio.Service
	hooks     *webhook.Service
	box       *secret.Box
	ms        *atomic.Int64
	address   string // of the pages
}

// right is everybody's password.
const right = "correct horse battery"

func newAccountPages(t *testing.T) *accountPages { return newAccountPagesAt(t, base) }

func newAccountPagesAt(t *testing.T, address string) *accountPages {
	t.Helper()
	n := &accountPages{db: dbtest.SQLite(t), ms: new(atomic.Int64), address: address}
	n.ms.Store(time.Date(2026, 11, 2, 17, 0, 0, 0, time.UTC).UnixMilli())
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	n.post = mail.New(mail.Config{Store: mailstore.New(n.db), Box: box, Now: n.now})
	n.developer = developer.New(developerstore.New(n.db), n.now, func(context.Context, access.Portfolio, *time.Location) error { return nil })
	n.box, n.rules, n.hooks = box, portfolio.New(portfoliostore.New(n.db), n.now), webhook.New(webhookstore.New(n.db), box, n.now, false)
	applications := application.New(n.rules, portfoliostore.ForApplications(n.db))
	reports := report.New(n.rules, portfoliostore.ForReports(n.db))
	s := account.New(account.Config{Store: accountstore.New(n.db), Developer: n.developer, Portfolio: account.Records(n.rules, applications.Applicants), Webhook: n.hooks, Box: box, Post: n.post,
		Hasher: secret.NewBoundedHasher(secret.Cost{Memory: 64, Passes: 1, Lanes: 1}, 4, 100), Now: n.now, BaseURL: address})
	rules := records.Rules(n.rules, reports, applications, verification.New(n.rules, portfoliostore.ForVerifications(n.db)))
	n.testPages = &testPages{T: t, log: &bytes.Buffer{}}
	n.pages = web.New(web.Config{BaseURL: address, Forms: oncestore.NewForms(n.db), Sessions: accountstore.NewPageSessions(n.db, n.now), People: s.Sessions, Account: accountpages.Rules(s), Mails: n.post, Now: n.now, Journey: n.developer, Summaries: reports, Vault: box,
		Properties: rules.Properties, Units: rules.Units, Tenants: rules.Tenants, Leases: rules.Leases, Endpoints: n.hooks, Deliveries: developerpages.DeliveryRules(n.hooks), Log: slog.New(slog.NewTextHandler(n.log, nil))})
	n.Echo = wired(n.pages)
	return n
}

func (n *accountPages) now() time.Time { return time.UnixMilli(n.ms.Load()).UTC() }

func (n *accountPages) wait(d time.Duration) { n.ms.Add(d.Milliseconds()) }

// emails are the texts of the emails to an address, the newest first.
func (n *accountPages) emails(to string) (texts []string) {
	n.Helper()
	all, err := n.post.Mails(n.Context(), mail.Filter{Limit: 100})
	if err != nil {
		n.Fatal(err)
	}
	for _, e := range all {
		if e.To == to {
			l, err := n.post.Mail(n.Context(), e.ID)
			if err != nil {
				n.Fatal(err)
			}
			texts = append(texts, l.Content.Text)
		}
	}
	return texts
}

// link is the path of the newest link of a kind that was mailed to an address.
func (n *accountPages) link(to, path string) string {
	n.Helper()
	of := regexp.MustCompile(regexp.QuoteMeta(n.address+path) + `[\w-]{43}`)
	for _, l := range n.emails(to) {
		if found := of.FindString(l); found != "" {
			return strings.TrimPrefix(found, n.address)
		}
	}
	n.Fatalf("no link to %s was sent to %s", path, to)
	return ""
}

// signUp is somebody who has just signed up, in their browser.
func (n *accountPages) signUp(email string) *reader {
	n.Helper()
	r := n.guest()
	r.leads(r.post("/sign-up", "/sign-up", url.Values{"email": {email}, "account_name": {"Maple & Oak"}, "password": {right}}), "/sign-up/sent")
	at := n.link(email, "/verify/")
	r.leads(r.post(at, at, nil), "/overview")
	return r
}

// enters signs somebody in who has no second factor.
func (n *accountPages) signIn(email string) *reader {
	n.Helper()
	r := n.guest()
	r.leads(r.post("/sign-in", "/sign-in", url.Values{"email": {email}, "password": {right}}), "/overview")
	return r
}

// join makes somebody a member of an owner's account, in their own browser.
func (n *accountPages) join(owner *reader, email, role string) *reader {
	n.Helper()
	owner.leads(owner.post("/team/invite", "/team/invite", url.Values{"email": {email}, "role": {role}}), "/team")
	at, r := n.link(email, "/join/"), n.guest()
	r.leads(r.post(at, at, url.Values{"password": {right}}), "/overview")
	return r
}

// session is the cookie of the reader's session.
func (r *reader) session() string {
	if c := r.cookies["session"]; c != nil {
		return c.Value
	}
	return ""
}

// freshFor is more than the time for which nobody is asked again who they are.
const freshFor = account.FreshTime

// code is what an authenticator app shows (RFC 6238).
func (n *accountPages) code(secret string) string {
	n.Helper()
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.ReplaceAll(secret, " ", ""))
	if err != nil {
		n.Fatal(err)
	}
	mac := hmac.New(sha1.New, key)
	_ = binary.Write(mac, binary.BigEndian, n.now().Unix()/30)
	sum := mac.Sum(nil)
	at := sum[len(sum)-1] & 0xf
	return fmt.Sprintf("%06d", binary.BigEndian.Uint32(sum[at:])&0x7fffffff%1_000_000)
}

// setUpTwoFactor adds an authenticator app and gives its secret and the recovery codes.
func (n *accountPages) setUpTwoFactor(r *reader) (secret string, codes []string) {
	n.Helper()
	const at = "/settings/security/app"
	secret = regexp.MustCompile(`<code>([A-Z2-7 ]{39})</code>`).FindStringSubmatch(r.get(at).Body.String())[1]
	rec := r.post(at, at, url.Values{"code": {n.code(secret)}})
	r.says(rec, http.StatusOK, "The authenticator app is set up")
	return secret, regexp.MustCompile(`[0-9A-Z]{4}(-[0-9A-Z]{4}){3}`).FindAllString(rec.Body.String(), -1)
}
