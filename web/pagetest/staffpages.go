package pagetest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/account"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/mail"
	"portal/api/portfolio/ledger/report"
	"portal/api/portfolio/property/verification"
	"portal/api/portfolio/records"
	"portal/api/secret"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/db/portfoliostore"
	"portal/db/reportstore"
	"portal/db/servicestore"
	"portal/jobs"
)

// StaffPages are the pages over a real database, with two landlords and a reviewer.
type StaffPages struct {
	*Site
	DB    *db.DB
	Dev   *developer.Service
	Queue *jobs.Queue
	Mails []*mail.Message
}

// Send implements mail.Sender and keeps the email.
func (d *StaffPages) Send(_ context.Context, m *mail.Message) error {
	d.Mails = append(d.Mails, m)
	return nil
}

// NewStaffPages are StaffPages over a new SQLite.
func NewStaffPages(t *testing.T) *StaffPages {
	t.Helper()
	return NewStaffPagesOn(t, dbtest.SQLite(t))
}

// NewStaffPagesOn are StaffPages over a database.
func NewStaffPagesOn(t *testing.T, store *db.DB) *StaffPages {
	t.Helper()
	Must(t, jobs.Migrate(t.Context(), store))
	queue, err := jobs.NewQueue(store)
	Must(t, err)
	dev := developer.New(
		developerstore.New(store),
		time.Now,
		func(context.Context, access.Portfolio, *time.Location) error { return nil },
	)
	dev.PasswordCost = secret.Cost{Memory: 64, Passes: 1, Lanes: 1}
	d := &StaffPages{DB: store, Dev: dev, Queue: queue}
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	Must(t, err)
	trail := audit.Log{Store: servicestore.NewTrail(store), Now: time.Now}
	books := records.New(portfoliostore.New(store), time.Now)
	books.Trail = trail
	d.Site = New(t, Config{
		BaseURL:   BaseURL,
		Forms:     servicestore.NewForms(store),
		Now:       time.Now,
		Developer: dev,
		Summaries: report.New(books, reportstore.New(store)),
		Exchanges: developer.Exchanges{Store: developerstore.New(store), Box: box, Now: time.Now},
		Jobs:      jobs.Board{Queue: queue, Audit: trail},
		Verifying: verification.New(books, portfoliostore.New(store)),
		Trail:     books,
	})
	dev.Post, dev.BaseURL = d, BaseURL
	return d
}

// Landlord is a browser of the owner of a new account.
func (d *StaffPages) Landlord(email string) *Reader {
	d.Helper()
	return d.Reader(d.Someone(email, access.Owner))
}

// Someone is a new user with a role in an account of their own.
func (d *StaffPages) Someone(email string, role access.Role) account.Visitor {
	d.Helper()
	u, err := d.Dev.AddUser(d.Context(), email, "Harbor & Lane", "correct horse battery", developer.Landlord)
	Must(d.T, err)
	_, a, err := d.Dev.Account(d.Context(), email)
	Must(d.T, err)
	live, err := accountstore.New(d.DB).PortfolioOf(d.Context(), a.ID, access.Live)
	Must(d.T, err)
	demo, err := accountstore.New(d.DB).PortfolioOf(d.Context(), a.ID, access.Test)
	Must(d.T, err)
	return account.Visitor{
		UserID: u.ID,
		Email:  email,
		Role:   developer.Landlord,
		Account: &account.Membership{
			AccountID: a.ID,
			Name:      a.Name,
			Role:      role,
			TimeZone:  "UTC",
			Live:      live,
			Test:      demo,
		},
	}
}

// Reviewer is a browser of the staff.
func (d *StaffPages) Reviewer() *Reader {
	d.Helper()
	u, err := d.Dev.AddUser(d.Context(), "sue@portal.example", "", "correct horse battery", developer.Staff)
	Must(d.T, err)
	return d.Reader(account.Visitor{UserID: u.ID, Email: u.Email, Role: developer.Staff})
}

// Colleague is a manager of the same account.
func (d *StaffPages) Colleague(of *Reader) *Reader {
	d.Helper()
	who := *d.People[of.Cookies["session"].Value]
	as := *who.Account
	as.Role = access.Manager
	who.Account = &as
	return d.Reader(who)
}

// AccessForm is a request for API access, filled in.
func AccessForm() url.Values {
	return url.Values{
		"use_case":               {"Keep our bookkeeping in step with the rent ledger."},
		"contact_email":          {"tech@example.com"},
		"agreed_to_terms":        {"on"},
		"company_name":           {"Harbor Lane"},
		"expected_monthly_calls": {"12,000"},
		"integration_type":       {"accounting"},
		"website_url":            {"https://example.com"},
	}
}

// Approved is a landlord whose request was approved.
func (d *StaffPages) Approved(email string) *Reader {
	d.Helper()
	r := d.Landlord(email)
	_, err := d.Dev.Reviews.Approve(d.Context(), email, nil)
	Must(d.T, err)
	return r
}

// AKey is the form of a new key that may write in test mode.
func AKey() url.Values { return url.Values{"name": {"CI"}, "mode": {"test"}, "scopes": {"write"}} }

// Actions are what was recorded of an account's owner, the newest first.
func (d *StaffPages) Actions(userID string) (all []string) {
	d.Helper()
	page, err := audit.Log{
		Store: servicestore.NewTrail(d.DB),
		Now:   time.Now,
	}.Entries(d.Context(), audit.Query{
		UserID: userID,
		Limit:  100,
	})
	Must(d.T, err)
	for _, e := range page.Data {
		if e.RequestID == "" || e.Address == "" {
			d.Errorf("%+v does not say where it came from", e)
		}
		all = append(all, e.Action)
	}
	return all
}

// Tame checks that nothing on a page is what a payload made it.
func (d *StaffPages) Tame(page *httptest.ResponseRecorder, what string) {
	d.Helper()
	if page.Code >= http.StatusInternalServerError {
		d.Errorf("%s: %d", what, page.Code)
	}
	for n := range Parse(d.T, page.Body.String()).Descendants() {
		switch n.Data {
		case "script":
			if Attr(n, "nonce") == "" || Attr(n, "src") == "" {
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
			if harmful.MatchString(a.Key) ||
				(a.Key == "href" || a.Key == "src" || a.Key == "action") &&
					strings.HasPrefix(strings.ToLower(a.Val), "javascript:") {
				d.Errorf("%s: <%s %s=%q>", what, n.Data, a.Key, a.Val)
			}
		}
	}
}

// Used lets a key have asked so often, so long ago, once in a while without success.
func (d *StaffPages) Used(key string, times int, ago time.Duration) {
	d.Helper()
	account, at := "", time.Now().Add(-ago)
	for _, v := range d.People {
		if v.Account == nil {
			continue
		}
		if _, err := d.Dev.KeyOf(d.Context(), developer.Member{AccountID: v.Account.AccountID}, key); err == nil {
			account = v.Account.AccountID
		}
	}
	var lines []developer.Request
	for i := range times {
		r := developer.Request{
			ID:        id.New(id.Request, at),
			At:        clock.At(at),
			AccountID: account,
			KeyID:     key,
			Status:    200,
			Cost:      1,
		}
		switch i % 10 {
		case 3:
			r.Status = 404
		case 7:
			r.Status, r.Cost = 429, 0
		}
		lines = append(lines, r)
	}
	Must(d.T, developerstore.New(d.DB).AddRequests(d.Context(), lines))
}
