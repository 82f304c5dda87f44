package web_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/portfolio/demo"
	"portal/db/accountstore"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

const (
	idle        = 15 * 24 * time.Hour // longer than a session lasts in which nothing is asked for
	sessionOver = "Your session ended before this was saved. Check it and save again."
)

// filled gives an account the records of a demo portfolio, and tells the id of one of a table.
func (n *accountPages) filled(email string) (first func(table string) string) {
	n.Helper()
	_, a, err := n.developer.Account(n.Context(), email)
	must(n.T, err)
	in, err := accountstore.NewAccounts(n.db).PortfolioOf(n.Context(), a.ID, access.Test)
	must(n.T, err)
	book := demo.Book(n.now(), time.UTC)
	must(n.T, portfoliostore.NewBooks(n.db).Add(n.Context(), in, &book))
	return func(table string) string {
		return n.value(fmt.Sprintf("SELECT id FROM %s WHERE portfolio_id = %d ORDER BY id", table, in.ID))
	}
}

// value is the first value of a query.
func (n *accountPages) value(query string) (found string) {
	n.Helper()
	dbtest.Query(n.T, n.db, query, func(_ []string, values []any) {
		if found == "" {
			found = fmt.Sprint(values[0])
		}
	})
	if found == "" {
		n.Fatalf("nothing is found by %s", query)
	}
	return found
}

// late fills in the form of a page, and sends it from there after the session has ended.
func (n *accountPages) late(r *reader, at string, change url.Values) (sent url.Values) {
	n.Helper()
	sent = r.shown(at)
	maps.Copy(sent, change)
	token := r.token(at)
	n.wait(idle)
	form := maps.Clone(sent)
	form.Set("token", token)
	form.Set("once", "the form of before")
	r.leads(r.send(http.MethodPost, at, form, func(q *http.Request) { q.Header.Set("Referer", base+at) }), "/sign-in?next="+url.QueryEscape(at))
	return sent
}

// signsIn shows a password, for a page.
func (r *reader) signsIn(email, next string) *httptest.ResponseRecorder {
	r.Helper()
	return r.post("/sign-in", "/sign-in?next="+url.QueryEscape(next), url.Values{"email": {email}, "password": {right}, "next": {next}})
}

// Each form has account pages of its own: the session manager has a clock of its own, which a test does
// not move.
func TestWhatWasTypedIsThereAfterSigningInAgain(t *testing.T) {
	t.Parallel()
	for form, change := range map[string]url.Values{
		"/test/leases/{leases}/edit":         {"move_in_date": {"2026-12-24"}, "notice_given_date": {""}},
		"/test/properties/{properties}/edit": {"street_address": {"12 “New” <Way>"}, "city": {""}, "year_built": {"about 1990"}, "state": {"NV"}},
		"/test/tenants/{tenants}/edit":       {"first_name": {"Sam"}, "preferred_contact_method": {"sms"}, "emergency_contact.name": {"Kim"}},
		"/test/properties/new":               {"street_address": {"7 Fir Ct"}, "city": {"Austin"}, "state": {"TX"}, "unit.bedrooms": {"3"}},
		"/test/webhooks/new":                 {"url": {"https://hooks.example.com/a?b=c"}, "events": {"lease.signed", "payment.succeeded"}, "description": {"Books"}},
		"/settings":                          {"name": {"Maple & Pine"}, "time_zone": {"America/Denver"}},
	} {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			n := newAccountPages(t)
			r := n.signUp("dana@example.com")
			at, first := form, n.filled("dana@example.com")
			if before, rest, named := strings.Cut(form, "{"); named {
				table, after, _ := strings.Cut(rest, "}")
				at = before + first(table) + after
			}
			sent := n.late(r, at, change)
			r.leads(r.signsIn("dana@example.com", at), at)
			page := r.get(at)
			r.says(page, http.StatusOK, sessionOver)
			if got := fieldsOf(parse(t, page.Body.String())); got.Encode() != sent.Encode() {
				t.Errorf("it shows\n%s\nwhat was typed is\n%s", got.Encode(), sent.Encode())
			}
			if again := r.get(at); strings.Contains(again.Body.String(), sessionOver) {
				t.Error("it is shown twice")
			}
		})
	}
}

func TestAFormThatCreatesIsSentAgainByItsReaderAlone(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r := n.signUp("dana@example.com")
	secret, _ := n.setUpTwoFactor(r)
	const at, count = "/test/properties/new", "SELECT COUNT(*) FROM properties"
	n.late(r, at, url.Values{"street_address": {"7 Fir Ct"}, "city": {"Austin"}, "state": {"TX"}})
	second := "/sign-in/second?next=" + url.QueryEscape(at)
	r.leads(r.signsIn("dana@example.com", at), second)
	r.leads(r.post("/sign-in/second", second, url.Values{"code": {n.code(secret)}, "next": {at}}), at)
	page := r.get(at)
	r.says(page, http.StatusOK, sessionOver)
	if made := n.value(count); made != "0" {
		t.Errorf("%s were made of a form that nobody has sent again", made)
	}
	form := fieldsOf(parse(t, page.Body.String()))
	form.Set("token", r.token(at))
	form.Set("once", "the form of after")
	for range 2 {
		if rec := r.send(http.MethodPost, at, form, nil); rec.Code != http.StatusSeeOther || !strings.HasPrefix(rec.Header().Get("Location"), "/test/properties/prop_") {
			t.Errorf("%d to %s", rec.Code, rec.Header().Get("Location"))
		}
	}
	if made := n.value(count); made != "1" {
		t.Errorf("%s properties were made", made)
	}
}

func TestWhatWasTypedIsShownToNobodyElse(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r := n.signUp("dana@example.com")
	n.join(r, "max@example.com", "owner")
	const at = "/settings"
	n.late(r, at, url.Values{"name": {"Danas secret plan"}})
	if data := n.value("SELECT CAST(data AS TEXT) FROM sessions WHERE data IS NOT NULL AND user_id IS NULL ORDER BY created_at DESC"); strings.Contains(data, "Danas") || strings.Contains(data, "dana@example.com") {
		t.Error("it lies about in clear")
	}
	r.leads(r.signsIn("max@example.com", at), at)
	page := r.get(at)
	if strings.Contains(page.Body.String(), "Danas secret plan") || strings.Contains(page.Body.String(), sessionOver) {
		t.Error("somebody else sees it")
	}
	r.leads(r.post("/sign-out", at, nil), "/sign-in")
	r.leads(r.signsIn("dana@example.com", at), at)
	if strings.Contains(r.get(at).Body.String(), "Danas secret plan") {
		t.Error("it is there after somebody else was")
	}
}

func TestWhatWasTypedIsKeptForAnHourAndOnlyOfAFormOfOneOwn(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r := n.signUp("dana@example.com")
	const at = "/settings"
	n.late(r, at, url.Values{"name": {"Maple & Pine"}})
	n.wait(time.Hour)
	r.leads(r.signsIn("dana@example.com", at), at)
	if strings.Contains(r.get(at).Body.String(), "Maple &amp; Pine") {
		t.Error("it is there after an hour")
	}
	n.wait(idle)
	for name, form := range map[string]url.Values{"no token": {"name": {"Maple & Pine"}}, "another token": {"name": {"Maple & Pine"}, "token": {"x"}}} {
		r.leads(r.send(http.MethodPost, at, form, nil), "/sign-in?next=%2Fsettings")
		r.leads(r.signsIn("dana@example.com", at), at)
		if strings.Contains(r.get(at).Body.String(), "Maple &amp; Pine") {
			t.Errorf("a form with %s is shown", name)
		}
		n.wait(idle)
	}
}

func TestAPasswordIsNotKeptWithWhatWasTyped(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r := n.signUp("dana@example.com")
	const at = "/settings/password"
	n.late(r, at, url.Values{"old_password": {right}, "password": {"another horse battery"}})
	r.leads(r.signsIn("dana@example.com", at), at)
	page := r.get(at)
	if body := page.Body.String(); strings.Contains(body, "another horse") || strings.Contains(body, right) {
		t.Error("a password is shown")
	}
}

// A confirmation that is answered too late loses the proof, and keeps the form that waited for it.
func TestAFormThatWaitedForAConfirmationOutlastsTheSession(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r := n.signUp("dana@example.com")
	const at = "/team/invite"
	form := url.Values{"email": {"max@example.com"}, "role": {"owner"}, "once": {"this very form"}, "token": {r.token(at)}}
	n.wait(2 * time.Hour)
	asked := r.send(http.MethodPost, at, form, nil)
	r.says(asked, http.StatusForbidden, "Confirm it is you")
	n.wait(idle)
	r.leads(r.confirms(asked, url.Values{"password": {right}}), "/sign-in?next=%2Fteam%2Finvite")
	r.leads(r.signsIn("dana@example.com", at), at)
	page := r.get(at)
	r.says(page, http.StatusOK, sessionOver)
	if got := fieldsOf(parse(t, page.Body.String())); got.Get("email") != "max@example.com" || got.Get("role") != "owner" || got.Has("password") {
		t.Errorf("the form has %v", got)
	}
	if sent := n.emails("max@example.com"); len(sent) != 0 {
		t.Errorf("%d invitations were sent by nobody", len(sent))
	}
}
