package account_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/portfolio/demo"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/web/pagetest"
)

const rentAt = "/live/settings/rent"

// rows is how many rows the ledger of the accounts has.
func rows(t *testing.T, n *pagetest.AccountPages) string {
	t.Helper()
	return strings.Join(dbtest.Texts(t, n.DB, "SELECT CAST(COUNT(*) AS TEXT) FROM payments"), " ")
}

func TestOwnerSeesFirstChargesBeforeRentIsChargedAutomatically(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	r.Says(r.Get("/settings"), http.StatusOK, "Rent")
	r.Says(r.Get(rentAt), http.StatusOK, "Rent in the live portfolio has been charged automatically since")
	r.Says(r.Get("/test/settings/rent"), http.StatusOK, "Demo portfolios always charge rent automatically.")
	r.Leads(r.Get("/test/settings/rent/on"), "/test/settings/rent")
	r.Leads(r.Get(rentAt+"/on"), rentAt) // it is on

	r.Says(r.Get(rentAt+"/off"), http.StatusOK, "Stop charging rent automatically?")
	r.Leads(r.Post(rentAt+"/off", rentAt+"/off", nil), rentAt)
	r.Says(r.Get(rentAt), http.StatusOK, "Rent is no longer charged automatically.")
	r.Says(r.Get(rentAt), http.StatusOK, "You add each charge yourself. Preview charges")

	in := access.Portfolio{Mode: access.Live}
	dbtest.Query(t, n.DB, "SELECT id FROM portfolios WHERE mode = 'live'", func(_ []string, values []any) {
		in.ID = values[0].(int64)
	})
	book := demo.Book(time.Now(), time.UTC)
	book.Payments = nil
	if err := portfoliostore.New(n.DB).Add(t.Context(), in, &book); err != nil {
		t.Fatal(err)
	}
	preview := r.Get(rentAt + "/on")
	r.Says(preview, http.StatusOK, "First chargesThe first 100 of ")
	text := pagetest.Text(pagetest.Parse(t, preview.Body.String()))
	for _, want := range []*regexp.Regexp{
		regexp.MustCompile(`Charges\d{3}Total\$\d{3},\d{3}\.\d\dLeases\d{2,3}Charged after\w+ \d+, \d{4}`),
		regexp.MustCompile(`Rent for \w+ \d{4} .*Unit`),
		regexp.MustCompile(`Leases without charges.* It has ended\.`),
	} {
		if !want.MatchString(text) {
			t.Errorf("the preview has no %s: %s", want, text)
		}
	}
	if got := rows(t, n); got != "0" {
		t.Errorf("the preview has written %s rows", got)
	}
	r.Leads(r.Post(rentAt+"/on", rentAt+"/on", nil), rentAt)
	r.Says(r.Get(rentAt), http.StatusOK, "The first charges are in the ledger within the hour.")
	r.Leads(r.Post(rentAt+"/on", rentAt, nil), rentAt) // again
	r.Says(r.Get(rentAt), http.StatusOK, "Nothing was changed")
}

func TestManagerSeesWhetherRentIsChargedButCannotChangeIt(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	maxine := n.Join(n.SignUp("dana@example.com"), "max@example.com", "manager")
	shown := maxine.Get(rentAt)
	maxine.Says(shown, http.StatusOK, "An owner of the account can change this.")
	if body := shown.Body.String(); strings.Contains(body, rentAt+"/off") || strings.Contains(body, rentAt+"/on") {
		t.Error("a manager gets a button")
	}
	for _, path := range []string{rentAt + "/on", rentAt + "/off"} {
		if got := maxine.Get(path).Code; got != http.StatusForbidden {
			t.Errorf("%s: %d", path, got)
		}
		if got := maxine.Post(path, "/settings", nil).Code; got != http.StatusForbidden {
			t.Errorf("a post to %s: %d", path, got)
		}
	}
}

func TestOwnerTurnsEmailsAboutRentOffAndOn(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	for _, at := range []string{rentAt, "/test/settings/rent"} {
		on := func(mode string) string {
			return strings.Join(dbtest.Texts(t, n.DB,
				"SELECT CAST(rent_notices AS TEXT) FROM portfolios WHERE mode = $1", mode), " ")
		}
		mode := strings.Split(at, "/")[1]
		r.Says(r.Get(at), http.StatusOK, "Email tenants about rent")
		if got := on(mode); got != "1" { // of an account that was opened now
			t.Errorf("%s: emails are %s", mode, got)
		}
		r.Leads(r.Post(at+"/emails", at, nil), at)
		r.Says(r.Get(at), http.StatusOK, "Tenants get no more emails about rent.")
		if got := on(mode); got != "0" {
			t.Errorf("%s: emails are %s", mode, got)
		}
		r.Leads(r.Post(at+"/emails", at, nil), at)
		r.Says(r.Get(at), http.StatusOK, "Nothing was changed")
		r.Leads(r.Post(at+"/emails", at, url.Values{"emails": {"on"}}), at)
		r.Says(r.Get(at), http.StatusOK, "Tenants get emails about rent from now on.")
	}
	maxine := n.Join(r, "max@example.com", "manager")
	shown := maxine.Get(rentAt)
	maxine.Says(shown, http.StatusOK, "Tenants get emails about rent.")
	if strings.Contains(shown.Body.String(), rentAt+"/emails") {
		t.Error("a manager gets the form")
	}
	if got := maxine.Post(rentAt+"/emails", "/settings", nil).Code; got != http.StatusForbidden {
		t.Errorf("a manager changes it: %d", got)
	}
}
