package pagetest

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/account"
	"portal/api/agreement"
	"portal/api/developer"
	"portal/api/mail"
	"portal/api/payment/simulated"
	"portal/api/portfolio/demo"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/ledger/report"
	"portal/api/portfolio/property/verification"
	"portal/api/portfolio/records"
	"portal/api/secret"
	"portal/api/webhook"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/db/mailstore"
	"portal/db/portfoliostore"
	"portal/db/reportstore"
	"portal/db/servicestore"
	"portal/db/webhookstore"
	"portal/web/lease"
	"portal/web/property"
	"portal/web/webtest"
)

// Password is everybody's.
const Password = "correct horse battery"

// What ends a session, and what a page says then.
const (
	Idle        = 15 * 24 * time.Hour // longer than a session lasts in which nothing is asked for
	SessionOver = "Your session ended before this was saved. Check it and save again."
)

// AccountPages is the pages with the real accounts over a real database: its users have
// signed up and in by forms. The clock is the test's.
type AccountPages struct {
	*Site
	DB        *db.DB
	post      *mail.Service
	developer *developer.Service
	rules     *records.Service
	hooks     *webhook.Service
	box       *secret.Box
	ms        *atomic.Int64
	Address   string // of the pages
}

// NewAccountPages are AccountPages at BaseURL.
func NewAccountPages(t *testing.T) *AccountPages { return NewAccountPagesAt(t, BaseURL) }

// NewAccountPagesAt are AccountPages whose emails and links name an address.
func NewAccountPagesAt(t *testing.T, address string) *AccountPages {
	t.Helper()
	n := &AccountPages{DB: dbtest.SQLite(t), ms: new(atomic.Int64), Address: address}
	n.ms.Store(time.Date(2026, 11, 2, 17, 0, 0, 0, time.UTC).UnixMilli())
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	n.post = mail.New(mail.Config{Store: mailstore.New(n.DB), Box: box, Now: n.now})
	n.developer = developer.New(
		developerstore.New(n.DB),
		n.now,
		func(context.Context, access.Portfolio, *time.Location) error { return nil },
	)
	n.developer.PasswordCost = secret.Cost{Memory: 64, Passes: 1, Lanes: 1}
	n.box = box
	n.rules = records.New(portfoliostore.New(n.DB), n.now)
	n.hooks = webhook.New(webhookstore.New(n.DB), box, n.now, false)
	applications := application.New(n.rules, portfoliostore.New(n.DB))
	reports := report.New(n.rules, reportstore.New(n.DB))
	s := account.New(account.Config{
		Store:      accountstore.New(n.DB),
		Developer:  n.developer,
		Portfolio:  n.rules,
		Applicants: applications.Applicants,
		Webhook:    n.hooks,
		Box:        box,
		Post:       n.post,
		Hasher:     secret.NewBoundedHasher(secret.Cost{Memory: 64, Passes: 1, Lanes: 1}, 4, 100),
		Now:        n.now,
		BaseURL:    address,
	})
	v := verification.New(n.rules, portfoliostore.New(n.DB))
	n.Site = &Site{T: t, Logged: &bytes.Buffer{}}
	agreements := agreement.New(n.rules, portfoliostore.New(n.DB), box)
	n.rules.Documents = agreements
	n.Config = Config{
		BaseURL:      address,
		Payments:     simulated.Open(n.rules.Common, n.rules.Ledger, portfoliostore.New(n.DB), nil),
		Forms:        servicestore.NewForms(n.DB),
		Sessions:     accountstore.NewPageSessions(n.DB, n.now),
		People:       s.Sessions,
		Account:      s,
		Mails:        n.post,
		LeaseDetails: agreements,
		Trail:        n.rules,
		Now:          n.now,
		Developer:    n.developer,
		Summaries:    reports,
		Box:          box,
		Property:     property.Config{Portfolio: n.rules, Verifications: v},
		Lease:        lease.Config{Portfolio: n.rules, Applications: applications, Agreements: agreements},
		Webhook:      n.hooks,
		Log:          slog.New(slog.NewTextHandler(n.Logged, nil)),
	}
	n.Pages = Build(n.Config)
	n.Echo = Wired(n.Pages)
	return n
}

func (n *AccountPages) now() time.Time { return time.UnixMilli(n.ms.Load()).UTC() }

// Wait moves the test's clock ahead.
func (n *AccountPages) Wait(d time.Duration) { n.ms.Add(d.Milliseconds()) }

// Emails are the texts of the emails to an address, the newest first.
func (n *AccountPages) Emails(to string) (texts []string) {
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

// Link is the path of the newest link of a kind that was mailed to an address.
func (n *AccountPages) Link(to, path string) string {
	n.Helper()
	of := regexp.MustCompile(regexp.QuoteMeta(n.Address+path) + `[\w-]{43}`)
	for _, l := range n.Emails(to) {
		if found := of.FindString(l); found != "" {
			return strings.TrimPrefix(found, n.Address)
		}
	}
	n.Fatalf("no link to %s was sent to %s", path, to)
	return ""
}

// SignUp is somebody who has just signed up, in their browser.
func (n *AccountPages) SignUp(email string) *Reader {
	n.Helper()
	r := n.Guest()
	r.Leads(r.Post("/sign-up", "/sign-up", url.Values{
		"email":        {email},
		"account_name": {"Maple & Oak"},
		"password":     {Password},
	}), "/sign-up/sent")
	at := n.Link(email, "/verify/")
	r.Leads(r.Post(at, at, nil), "/overview")
	return r
}

// SignIn signs somebody in who has no second factor.
func (n *AccountPages) SignIn(email string) *Reader {
	n.Helper()
	r := n.Guest()
	r.Leads(r.Post("/sign-in", "/sign-in", url.Values{"email": {email}, "password": {Password}}), "/overview")
	return r
}

// Join makes somebody a member of an owner's account, in their own browser.
func (n *AccountPages) Join(owner *Reader, email, role string) *Reader {
	n.Helper()
	owner.Leads(owner.Post("/team/invite", "/team/invite", url.Values{"email": {email}, "role": {role}}), "/team")
	at, r := n.Link(email, "/join/"), n.Guest()
	r.Leads(r.Post(at, at, url.Values{"password": {Password}}), "/overview")
	return r
}

// Code is what an authenticator app shows.
func (n *AccountPages) Code(secret string) string {
	n.Helper()
	code, err := CodeAt(secret, n.now())
	if err != nil {
		n.Fatal(err)
	}
	return code
}

// CodeAt is what an authenticator app shows at a time (RFC 6238).
func CodeAt(secret string, at time.Time) (string, error) {
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.ReplaceAll(secret, " ", ""))
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha1.New, key)
	_ = binary.Write(mac, binary.BigEndian, at.Unix()/30)
	sum := mac.Sum(nil)
	offset := sum[len(sum)-1] & 0xf
	return fmt.Sprintf("%06d", binary.BigEndian.Uint32(sum[offset:])&0x7fffffff%1_000_000), nil
}

// SetUpTwoFactor adds an authenticator app and gives its secret and the recovery codes.
func (n *AccountPages) SetUpTwoFactor(r *Reader) (secret string, codes []string) {
	n.Helper()
	const at = "/settings/security/app"
	secret = regexp.MustCompile(`<code>([A-Z2-7 ]{39})</code>`).FindStringSubmatch(r.Get(at).Body.String())[1]
	rec := r.Post(at, at, url.Values{"code": {n.Code(secret)}})
	r.Says(rec, http.StatusOK, "Authenticator app set up")
	return secret, regexp.MustCompile(`[0-9A-Z]{4}(-[0-9A-Z]{4}){3}`).FindAllString(rec.Body.String(), -1)
}

// Arrives signs somebody in who is known, in a window.
func (n *AccountPages) Arrives(w *webtest.Window, email string) {
	n.Helper()
	w.Visit(webtest.Desktop, n.Address+"/sign-in")
	w.Type("#field-email", email)
	w.Type("#field-password", Password)
	w.Follow(".form:not(.passkey) button[type=submit]")
}

// Writes sends an email about the portfolio of a landlord's mode, and tells its id.
func (n *AccountPages) Writes(email string, mode access.Mode, change func(*mail.Message)) string {
	n.Helper()
	_, a, err := n.developer.Account(n.Context(), email)
	Must(n.T, err)
	in, err := accountstore.New(n.DB).PortfolioOf(n.Context(), a.ID, mode)
	Must(n.T, err)
	m := &mail.Message{
		AccountID: a.ID,
		Portfolio: in,
		To:        "sam@example.com",
		Subject:   "Apply now",
		Text:      "Hello,\nthe unit is free.",
		HTML:      "<p>Hello</p>",
	}
	change(m)
	Must(n.T, n.post.Send(n.Context(), m))
	return m.ID
}

// Kept is the id of the newest email to somebody.
func (n *AccountPages) Kept(t *testing.T, to string) string {
	t.Helper()
	all, err := n.post.Mails(n.Context(), mail.Filter{Limit: 100})
	Must(t, err)
	for _, e := range all {
		if e.To == to {
			return e.ID
		}
	}
	t.Fatalf("no email went to %s", to)
	return ""
}

// Member is the id of somebody of the reader's team.
func (n *AccountPages) Member(owner *Reader, email string) string {
	n.Helper()
	for d := range Parse(n.T, owner.Get("/team").Body.String()).Descendants() {
		if id, is := strings.CutPrefix(Attr(d, "href"), "/team/members/"); is && strings.TrimSpace(Text(d)) == email {
			return id
		}
	}
	n.Fatalf("%s is not in the team", email)
	return ""
}

// Filled gives an account the records of a demo portfolio, and tells the id of one of a table.
func (n *AccountPages) Filled(email string) (first func(table string) string) {
	n.Helper()
	_, a, err := n.developer.Account(n.Context(), email)
	Must(n.T, err)
	in, err := accountstore.New(n.DB).PortfolioOf(n.Context(), a.ID, access.Test)
	Must(n.T, err)
	book := demo.Book(n.now(), time.UTC)
	Must(n.T, portfoliostore.New(n.DB).Add(n.Context(), in, &book))
	return func(table string) string {
		return n.Value(fmt.Sprintf("SELECT id FROM %s WHERE portfolio_id = %d ORDER BY id", table, in.ID))
	}
}

// Value is the first value of a query.
func (n *AccountPages) Value(query string) (found string) {
	n.Helper()
	dbtest.Query(n.T, n.DB, query, func(_ []string, values []any) {
		if found == "" {
			found = fmt.Sprint(values[0])
		}
	})
	if found == "" {
		n.Fatalf("nothing is found by %s", query)
	}
	return found
}

// Late fills in the form of a page, and sends it from there after the session has ended.
func (n *AccountPages) Late(r *Reader, at string, change url.Values) (sent url.Values) {
	n.Helper()
	sent = r.Shown(at)
	maps.Copy(sent, change)
	token := r.Token(at)
	n.Wait(Idle)
	form := maps.Clone(sent)
	form.Set("token", token)
	form.Set("once", "the form of before")
	r.Leads(
		r.Send(http.MethodPost, at, form, func(q *http.Request) { q.Header.Set("Referer", BaseURL+at) }),
		"/sign-in?next="+url.QueryEscape(at),
	)
	return sent
}
