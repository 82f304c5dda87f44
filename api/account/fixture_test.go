package account_test

import (
	"context"
	"net/netip"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/account"
	"portal/api/agreement"
	"portal/api/agreement/amendment"
	"portal/api/agreement/notice"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/mail"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/records"
	"portal/api/secret"
	"portal/api/webhook"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/db/mailstore"
	"portal/db/portfoliostore"
	"portal/db/webhookstore"
)

// noon is where a test's clock stands until the test moves it.
var noon = time.Date(2026, 11, 2, 17, 0, 0, 482_000_000, time.UTC)

// cheap is what a hash costs in a test.
var cheap = secret.Cost{Memory: 64, Passes: 1, Lanes: 1}

const right = "correct horse battery"

// fixture is the service over a real database, the mail that stays in it, and a clock that the
// test holds.
type fixture struct {
	*account.Service
	*testing.T
	db     *db.DB
	hasher *secret.Hasher
	post   *mail.Service
	leases *agreement.Service
	ms     *atomic.Int64
}

// unsent keeps the links of signers.
type unsent struct{}

// SendLinks implements agreement.Offers.
func (unsent) SendLinks(context.Context, access.Portfolio, string) error { return nil }

// Extended implements agreement.Offers.
func (unsent) Extended(context.Context, access.Actor, string) error { return nil }

// Ended implements agreement.Offers.
func (unsent) Ended(context.Context, access.Actor, *portfolio.Lease) error { return nil }

// Readdress implements agreement.Offers.
func (unsent) Readdress(context.Context, string, string, bool) error { return nil }

func (r *fixture) now() time.Time { return time.UnixMilli(r.ms.Load()).UTC() }

func (r *fixture) add(d time.Duration) { r.ms.Add(d.Milliseconds()) }

// alone runs a promise of the service over SQLite: what PostgreSQL does alike is held by
// the suite of the stores.
func alone(t *testing.T, promise func(r *fixture)) {
	t.Parallel()
	promise(over(t, dbtest.SQLite(t), new(atomic.Int64)))
}

// both runs a promise over each database, with a second node beside the first: one about
// what happens at once.
func both(t *testing.T, promise func(r, other *fixture)) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		d, clock := dbtest.SQLite(t), new(atomic.Int64)
		promise(over(t, d, clock), over(t, d, clock))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		address, clock := dbtest.NewPostgres(t).Migrated(t), new(atomic.Int64)
		first, second := node(t, address), node(t, address)
		promise(over(t, first, clock), over(t, second, clock))
	})
}

func node(t *testing.T, address string) *db.DB {
	t.Helper()
	d, err := db.OpenPostgres(t.Context(), address)
	must(t, err)
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

const base = "https://portal.example.com"

func over(t *testing.T, d *db.DB, clock *atomic.Int64) *fixture {
	clock.CompareAndSwap(0, noon.UnixMilli())
	r := &fixture{
		T:      t,
		db:     d,
		ms:     clock,
		hasher: secret.NewBoundedHasher(cheap, 4, 100),
	}
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	must(t, err)
	r.post = mail.New(mail.Config{Store: mailstore.New(d), Box: box, Now: r.now})
	dev := developer.New(
		developerstore.New(d),
		r.now,
		func(context.Context, access.Portfolio, *time.Location) error { return nil },
	)
	dev.Post, dev.BaseURL, dev.PasswordCost = r.post, base, cheap
	rules := records.New(portfoliostore.New(d), r.now)
	agreements := agreement.New(rules, portfoliostore.New(d), box)
	rules.Documents, agreements.Offers, r.leases = agreements, unsent{}, agreements
	r.Service = account.New(account.Config{
		Store:      accountstore.New(d),
		Developer:  dev,
		Portfolio:  rules,
		Applicants: application.New(rules, portfoliostore.New(d)).Applicants,
		Agreements: agreements,
		Notices:    notice.New(rules, agreements, portfoliostore.New(d)),
		Amendments: amendment.New(rules, agreements, portfoliostore.New(d)),
		Webhook:    webhook.New(webhookstore.New(d), box, r.now, false),
		Box:        box,
		Post:       r.post,
		Hasher:     r.hasher,
		Now:        r.now,
		BaseURL:    base,
	})
	return r
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ok ends the test at an error.
func (r *fixture) ok(err error) {
	r.Helper()
	must(r, err)
}

// want ends the test where something does not hold.
func (r *fixture) want(holds bool, format string, args ...any) {
	r.Helper()
	if !holds {
		r.Fatalf(format, args...)
	}
}

// refused ends the test where an error is not the fault that is expected.
func (r *fixture) refused(err error, code fault.Code, param string) {
	r.Helper()
	if f := fault.From(err); err == nil || f.Code != code || f.Param != param {
		r.Fatalf("got %v (param %q); want %s at %q", err, f.Param, code, param)
	}
}

// home is a client that the tests come from; others differ in the last part.
func home() account.Client { return at("203.0.113.7") }

func at(address string) account.Client {
	return account.Client{
		Address:   netip.MustParseAddr(address),
		UserAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
		RequestID: "req_1",
	}
}

// emails are the mails to an address, the newest first.
func (r *fixture) emails(to string) (all []*mail.StoredMail) {
	r.Helper()
	entries, err := r.post.Mails(r.Context(), mail.Filter{Limit: 1000})
	r.ok(err)
	for _, e := range entries {
		if e.To == to {
			l, err := r.post.Mail(r.Context(), e.ID)
			r.ok(err)
			all = append(all, l)
		}
	}
	return all
}

// told ends the test where no email to an address has the words.
func (r *fixture) told(to, words string) {
	r.Helper()
	for _, l := range r.emails(to) {
		if strings.Contains(l.Content.Text, words) {
			return
		}
	}
	r.Fatalf("%s was not told %q", to, words)
}

// token is that of the newest link to a path that was mailed to an address.
func (r *fixture) token(to, path string) string {
	r.Helper()
	link := regexp.MustCompile(regexp.QuoteMeta(base+path) + `([\w-]{43})\s`)
	for _, l := range r.emails(to) {
		if found := link.FindStringSubmatch(l.Content.Text); found != nil {
			r.want(strings.Contains(l.Content.HTML, base+path+found[1]), "the link is in the text alone")
			return found[1]
		}
	}
	r.Fatalf("no link to %s was sent to %s", path, to)
	return ""
}

// signedUp signs somebody up to the end.
func (r *fixture) signedUp(email string) *account.Visitor {
	r.Helper()
	claim, err := r.SignUps.SignUp(r.Context(), account.SignUp{
		Email:       email,
		AccountName: "Harbor Lane",
		Password:    right,
	}, home())
	r.ok(err)
	p, err := r.SignUps.Verify(r.Context(), r.token(email, "/verify/"), account.Verify{Claim: claim}, home())
	r.ok(err)
	v, _ := r.begun(p, home())
	return v
}

// begun begins a session and gives its visitor and its token.
func (r *fixture) begun(p *account.Proof, from account.Client) (*account.Visitor, string) {
	r.Helper()
	token := secret.New()
	_, err := r.Sessions.Begin(r.Context(), p, token, from)
	r.ok(err)
	v, err := r.Sessions.Visitor(r.Context(), token, from)
	r.ok(err)
	return v, token
}

// signedIn signs somebody in who has no second factor.
func (r *fixture) signedIn(email string) (*account.Visitor, string) {
	r.Helper()
	p, err := r.SignIns.SignIn(r.Context(), email, right, home())
	r.ok(err)
	r.want(p.Complete(), "a second factor is asked for")
	return r.begun(p, home())
}

// together does something n times at once and tells how often it went well; the others
// must fail with the code.
func (r *fixture) together(n int, code fault.Code, do func(i int) error) (done int) {
	r.Helper()
	var all sync.WaitGroup
	errs := make([]error, n)
	start := make(chan struct{})
	for i := range n {
		all.Go(func() {
			<-start
			errs[i] = do(i)
		})
	}
	close(start)
	all.Wait()
	for _, err := range errs {
		switch {
		case err == nil:
			done++
		case !fault.Is(err, code):
			r.Errorf("want %s: %v", code, err)
		}
	}
	return done
}
