package resident_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/net/html"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/records"
	"portal/api/secret"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/mailstore"
	"portal/db/portfoliostore"
	"portal/web/pagetest"
	"portal/web/resident"
)

// applicationPages is a landlord who invites, and the pages that their links open.
type applicationPages struct {
	*testing.T
	*echo.Echo
	db           *db.DB
	home         dbtest.Home
	post         *mail.Service
	portfolio    *records.Service
	applications *application.Services
	now          time.Time
}

func newApplicationPages(t *testing.T) *applicationPages {
	t.Helper()
	t.Parallel()
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	d := dbtest.SQLite(t)
	o := &applicationPages{
		T:    t,
		db:   d,
		home: dbtest.NewHome(t, d, "dana"),
		now:  dbtest.Noon().Std(),
	}
	now := func() time.Time { return o.now }
	o.post = mail.New(mail.Config{Store: mailstore.New(d), Box: box, Now: now})
	o.portfolio = records.New(portfoliostore.New(d), now).Use(portfolio.Parts{
		BaseURL: pagetest.BaseURL,
		Post:    o.post,
	})
	o.applications = application.New(o.portfolio, portfoliostore.New(d))
	o.Echo = pagetest.Serve(
		pagetest.Config{
			BaseURL: pagetest.BaseURL,
			Guests:  o.applications.Applications,
			Emails:  o.applications.Emails,
			Now:     now,
		},
	)
	return o
}

// invites makes an invitation and is the path of its link.
func (o *applicationPages) invites(change func(*application.TenantInvite)) (path string, i *application.Invitation) {
	o.Helper()
	in := application.TenantInvite{
		UnitID:            o.home.Unit[access.Live].ID,
		Email:             "sam@example.com",
		FirstName:         new("Sam"),
		DesiredMoveInDate: new(clock.Day(2026, 12, 1)),
	}
	if change != nil {
		change(&in)
	}
	by := access.Actor{
		Portfolio: o.home.Live,
		Scopes:    access.Scopes{access.Read, access.Write},
		Zone:      o.home.Zone,
	}
	made, err := o.applications.Invitations.InviteTenant(o.Context(), by, in)
	if err != nil {
		o.Fatal(err)
	}
	return strings.TrimPrefix(*made.After.ApplyURL, pagetest.BaseURL), made.After
}

// stops is the path of the link that unsubscribes from the latest email.
func (o *applicationPages) stops() string {
	o.Helper()
	l, err := o.post.Mail(o.Context(), o.mails()[0].ID)
	if err != nil {
		o.Fatal(err)
	}
	return strings.TrimPrefix(l.Content.Unsubscribe, pagetest.BaseURL)
}

// mails are the mails, the newest first.
func (o *applicationPages) mails() []mail.Entry {
	o.Helper()
	all, err := o.post.Mails(o.Context(), mail.Filter{Limit: 100})
	if err != nil {
		o.Fatal(err)
	}
	return all
}

func (o *applicationPages) status(i *application.Invitation) application.InvitationStatus {
	o.Helper()
	got, err := portfoliostore.New(o.db).Invitation(o.Context(), o.home.Live, i.ID)
	if err != nil {
		o.Fatal(err)
	}
	return got.Status
}

func (o *applicationPages) ask(method, path string) *httptest.ResponseRecorder {
	rec := httptest.NewRecorder()
	o.ServeHTTP(rec, httptest.NewRequest(method, path, nil))
	return rec
}

func (o *applicationPages) posts(path, kind, body string) *httptest.ResponseRecorder {
	req := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	req.Header.Set("Content-Type", kind)
	rec := httptest.NewRecorder()
	o.ServeHTTP(rec, req)
	return rec
}

func (o *applicationPages) sends(path string, form url.Values) *httptest.ResponseRecorder {
	return o.posts(path, "application/x-www-form-urlencoded", form.Encode())
}

// shows checks the status of a page and a part of its text, and is the page.
func (o *applicationPages) shows(rec *httptest.ResponseRecorder, status int, words string) *html.Node {
	o.Helper()
	doc := pagetest.Parse(o.T, rec.Body.String())
	if rec.Code != status || !strings.Contains(pagetest.Text(doc), words) {
		o.Errorf("%d, want %d with %q:\n%s", rec.Code, status, words, pagetest.Text(doc))
	}
	return doc
}

// filled is a form without a mistake.
func filled() url.Values {
	return url.Values{
		"first_name":     {"Sam"},
		"last_name":      {"Rivera"},
		"email":          {"sam@example.com"},
		"phone":          {"512 555 0142"},
		"move_in_date":   {"2026-12-01"},
		"adults":         {"2"},
		"children":       {"1"},
		"pets":           {"One cat"},
		"monthly_income": {"5,250"},
		"notes":          {"We do not smoke."},
	}
}

func TestInvitationLinkShowsUnitAndPrefilledForm(t *testing.T) {
	o := newApplicationPages(t)
	path, i := o.invites(nil)
	doc := o.shows(o.ask(http.MethodGet, path), http.StatusOK, "Apply for 1420 Maple Avenue, Unit 2B, Austin, TX 78701")
	for _, words := range []string{
		"dana invites you", "Monthly rent$1,450", "Bedrooms2", "Bathrooms1.5", "Square feet1,860",
		"Saturday, December 12, 2026", "First name", "Notes (optional)",
	} {
		if !strings.Contains(pagetest.Text(doc), words) {
			t.Errorf("the page does not say %q:\n%s", words, pagetest.Text(doc))
		}
	}
	for id, value := range map[string]string{
		"field-email":        "sam@example.com",
		"field-first_name":   "Sam",
		"field-last_name":    "",
		"field-move_in_date": "2026-12-01",
		"field-adults":       "1",
	} {
		if got := pagetest.Attr(pagetest.ByID(doc, id), "value"); got != value {
			t.Errorf("%s holds %q, want %q", id, got, value)
		}
	}
	for id, required := range map[string]string{"field-first_name": "true", "field-notes": ""} {
		if got := pagetest.Attr(pagetest.ByID(doc, id), "aria-required"); got != required {
			t.Errorf("%s is required: %q", id, got)
		}
	}
	if got := o.status(i); got != application.InvitationOpened {
		t.Errorf("the invitation is %s", got)
	}
}

func TestHeadDoesNotOpenInvitation(t *testing.T) {
	o := newApplicationPages(t)
	path, i := o.invites(nil)
	if rec := o.ask(http.MethodHead, path); rec.Code != http.StatusOK || o.status(i) != application.InvitationSent {
		t.Errorf("HEAD: %d, the invitation is %s", rec.Code, o.status(i))
	}
}

func TestOfferedRentOverridesAskingRent(t *testing.T) {
	o := newApplicationPages(t)
	path, _ := o.invites(func(i *application.TenantInvite) { i.OfferedRent = new(money.Cents(139999)) })
	o.shows(o.ask(http.MethodGet, path), http.StatusOK, "Monthly rent$1,399.99")
}

func TestApplicationFieldsAreAccessible(t *testing.T) {
	o := newApplicationPages(t)
	path, _ := o.invites(nil)
	for _, page := range []*httptest.ResponseRecorder{o.ask(http.MethodGet, path), o.sends(path, url.Values{})} {
		doc := pagetest.Parse(t, page.Body.String())
		if fault := pagetest.Unbalanced(page.Body.String()); fault != "" {
			t.Error(fault)
		}
		labels, fields := map[string]bool{}, 0
		for n := range doc.Descendants() {
			if n.Data == "label" {
				labels[pagetest.Attr(n, "for")] = true
			}
		}
		for n := range doc.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			if slices.Contains([]string{"script", "style", "iframe"}, n.Data) || pagetest.Attr(n, "style") != "" {
				t.Errorf("there is a %s", n.Data)
			}
			if n.Data != "input" && n.Data != "textarea" {
				continue
			}
			fields++
			if !labels[pagetest.Attr(n, "id")] || pagetest.Attr(n, "autocomplete") == "" && n.Data == "input" {
				t.Errorf("%s has no label or no autocomplete", pagetest.Attr(n, "name"))
			}
			for id := range strings.FieldsSeq(pagetest.Attr(n, "aria-describedby")) {
				if pagetest.ByID(doc, id) == nil {
					t.Errorf("%s is described by %s, which is not there", pagetest.Attr(n, "name"), id)
				}
			}
			invalid := pagetest.Attr(n, "aria-invalid") == "true"
			if invalid != strings.Contains(pagetest.Attr(n, "aria-describedby"), "-error") {
				t.Errorf("%s: invalid %v, described by %q", pagetest.Attr(n, "name"), invalid,
					pagetest.Attr(n, "aria-describedby"))
			}
		}
		if fields != 10 {
			t.Errorf("%d fields", fields)
		}
		for _, to := range pagetest.Hrefs(doc) {
			id, within := strings.CutPrefix(to, "#")
			if to != path+"?lang=es" && (!within || pagetest.ByID(doc, id) == nil) {
				t.Errorf("a link leads to %s", to)
			}
		}
	}
}

func TestApplicationErrorsKeepInput(t *testing.T) {
	o := newApplicationPages(t)
	path, i := o.invites(nil)
	form := filled()
	form.Set("email", "nobody")
	form.Set("move_in_date", "soon")
	form.Set("adults", "")
	form.Set("notes", "\nWe <b>do</b> not smoke.")
	doc := o.shows(o.sends(path, form), http.StatusBadRequest, "Nothing was saved yet")
	if got := strings.Join(pagetest.Hrefs(doc), " "); got != "#main #field-email #field-move_in_date #field-adults" {
		t.Errorf("the summary leads to %s", got)
	}
	for _, name := range []string{"email", "move_in_date", "adults"} {
		if fault := pagetest.ByID(doc, "field-"+name+"-error"); fault == nil || pagetest.Text(fault) == "" {
			t.Errorf("%s has no word beside it", name)
		}
	}
	for name, values := range form {
		field := pagetest.ByID(doc, "field-"+name)
		got := pagetest.Attr(field, "value")
		if field.Data == "textarea" {
			got = ""
			if field.FirstChild != nil {
				got = field.FirstChild.Data
			}
		}
		if got != values[0] {
			t.Errorf("%s holds %q, was %q", name, got, values[0])
		}
	}
	if kind := pagetest.Attr(pagetest.ByID(doc, "field-move_in_date"), "type"); kind != "text" {
		t.Errorf("a calendar would not show what was typed: %s", kind)
	}
	if o.status(i) != application.InvitationSent || len(o.mails()) != 1 {
		t.Errorf("the invitation is %s, %d emails", o.status(i), len(o.mails()))
	}
}

func TestApplicationIsSubmittedOnceAndAcknowledged(t *testing.T) {
	o := newApplicationPages(t)
	path, i := o.invites(nil)
	rec := o.sends(path, filled())
	if rec.Code != http.StatusSeeOther || rec.Header().Get("Location") != path+"?sent" {
		t.Fatalf("%d to %s: %s", rec.Code, rec.Header().Get("Location"), rec.Body)
	}
	o.shows(o.ask(http.MethodGet, path+"?sent"), http.StatusOK, "Application sent")
	o.shows(o.ask(http.MethodGet, path), http.StatusOK, "You already sent this application")
	o.shows(o.sends(path, filled()), http.StatusConflict, "You already sent this application")
	o.shows(o.sends(path, url.Values{}), http.StatusConflict, "You already sent this application")
	var to []string // two emails of one moment come in either order
	for _, l := range o.mails() {
		to = append(to, l.To)
	}
	if slices.Sort(to); o.status(i) != application.InvitationApplied || !slices.Equal(to, []string{
		"dana@example.com", "sam@example.com",
	}) {
		t.Errorf("the invitation is %s, emails to %v", o.status(i), to)
	}
}

func TestConcurrentPostsCreateOneApplication(t *testing.T) {
	o := newApplicationPages(t)
	path, _ := o.invites(nil)
	codes := make([]int, 50)
	var all sync.WaitGroup
	for n := range codes {
		all.Go(func() { codes[n] = o.sends(path, filled()).Code })
	}
	all.Wait()
	slices.Sort(codes)
	if codes[0] != http.StatusSeeOther || codes[1] != http.StatusConflict ||
		codes[49] != http.StatusConflict || len(o.mails()) != 2 {
		t.Errorf("%v, %d emails", codes, len(o.mails()))
	}
}

func TestInvalidInvitationLinkSaysWhy(t *testing.T) {
	o := newApplicationPages(t)
	path, i := o.invites(nil)
	for _, wrong := range []string{
		"/apply/x",
		path + "x",
		"/apply/%00",
		"/apply/" + strings.Repeat("x", 5000),
		strings.Replace(path, "/apply/", "/mail/unsubscribe/", 1),
	} {
		o.shows(o.ask(http.MethodGet, wrong), http.StatusNotFound, "This link doesn’t work")
		o.shows(o.sends(wrong, filled()), http.StatusNotFound, "This link doesn’t work")
	}
	if rec := o.ask(http.MethodPut, path); rec.Code != http.StatusMethodNotAllowed {
		t.Errorf("PUT: %d", rec.Code)
	}
	o.now = o.now.AddDate(0, 0, 30)
	o.shows(o.ask(http.MethodGet, path), http.StatusGone, "It worked until Saturday, December 12, 2026")
	o.shows(o.sends(path, filled()), http.StatusGone, "This link has expired")
	o.now = o.now.AddDate(0, 0, -30)
	moved, err := portfoliostore.New(o.db).MoveInvitation(
		t.Context(),
		o.home.Live,
		i.ID,
		application.InvitationCancelled,
		clock.At(o.now),
	)
	if err != nil || !moved {
		t.Fatal(moved, err)
	}
	o.shows(o.ask(http.MethodGet, path), http.StatusGone, "This invitation was withdrawn")
	o.shows(o.sends(path, filled()), http.StatusGone, "This invitation was withdrawn")
	if len(o.mails()) != 1 {
		t.Errorf("%d emails", len(o.mails()))
	}
}

func TestApplicationBodySizeAndTypeAreChecked(t *testing.T) {
	o := newApplicationPages(t)
	path, i := o.invites(nil)
	const form = "application/x-www-form-urlencoded"
	for _, c := range []struct {
		kind, body string
		status     int
	}{
		{"application/json", "{}", http.StatusUnsupportedMediaType},
		{"multipart/form-data; boundary=x", "--x--", http.StatusUnsupportedMediaType},
		{"", "first_name=Sam", http.StatusUnsupportedMediaType},
		{form, "notes=" + strings.Repeat("x", 64<<10), http.StatusRequestEntityTooLarge},
		{form, "notes=%zz", http.StatusBadRequest},
		{form + "; charset=utf-8", "notes=x", http.StatusBadRequest},
		{form, "", http.StatusBadRequest},
	} {
		rec := o.posts(path, c.kind, c.body)
		if rec.Code != c.status || rec.Header().Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%s %.20q: %d, want %d", c.kind, c.body, rec.Code, c.status)
		}
	}
	if o.status(i) != application.InvitationSent {
		t.Errorf("the invitation is %s", o.status(i))
	}
}

func TestSecretLinkPagesAreNeverCached(t *testing.T) {
	o := newApplicationPages(t)
	path, _ := o.invites(nil)
	for name, rec := range map[string]*httptest.ResponseRecorder{
		"form":         o.ask(http.MethodGet, path),
		"head":         o.ask(http.MethodHead, path),
		"faults":       o.sends(path, url.Values{}),
		"refused":      o.posts(path, "text/plain", "x"),
		"unknown":      o.ask(http.MethodGet, "/apply/x"),
		"unsubscribe":  o.ask(http.MethodGet, o.stops()),
		"unsubscribed": o.sends(o.stops(), nil),
		"sent":         o.sends(path, filled()),
	} {
		for header, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; " +
				"base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
			"Cache-Control":          "no-store",
			"Referrer-Policy":        "no-referrer",
			"X-Robots-Tag":           "noindex, nofollow",
			"X-Content-Type-Options": "nosniff",
			"ETag":                   "",
		} {
			if got := rec.Header().Get(header); got != want {
				t.Errorf("%s: %s is %q", name, header, got)
			}
		}
	}
}

func TestUserTextIsNotRenderedAsMarkup(t *testing.T) {
	o := newApplicationPages(t)
	const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)></textarea>{{.}}`
	path, _ := o.invites(func(i *application.TenantInvite) {
		i.FirstName, i.LastName, i.Message = new(evil), new(evil), new(evil)
	})
	form := url.Values{}
	for name := range filled() {
		form.Set(name, evil)
	}
	for _, rec := range []*httptest.ResponseRecorder{o.ask(http.MethodGet, path), o.sends(path, form)} {
		doc := pagetest.Parse(t, rec.Body.String())
		for n := range doc.Descendants() {
			if n.Type == html.ElementNode &&
				(n.Data == "script" || pagetest.Attr(n, "onerror") != "" ||
					n.Data == "img" && pagetest.Attr(n, "src") == "x") {
				t.Errorf("a %s was drawn", n.Data)
			}
		}
		if pagetest.Attr(pagetest.ByID(doc, "field-first_name"), "value") != evil {
			t.Error("what was typed is not kept")
		}
	}
}

func TestUnsubscribeNeedsConfirmationAndIsIdempotent(t *testing.T) {
	o := newApplicationPages(t)
	o.invites(nil)
	path := o.stops()
	for range 2 {
		doc := o.shows(o.ask(http.MethodGet, path), http.StatusOK, "Stop invitations from dana?")
		if !strings.Contains(pagetest.Text(doc), "Stop invitations") {
			t.Error("there is no button")
		}
	}
	for name, rec := range map[string]*httptest.ResponseRecorder{
		"one click": o.posts(path, "application/x-www-form-urlencoded", "List-Unsubscribe=One-Click"),
		"multipart": o.posts(
			path,
			"multipart/form-data; boundary=x",
			"--x\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--x--",
		),
		"nothing":  o.posts(path, "", ""),
		"the page": o.ask(http.MethodGet, path),
	} {
		t.Log(name)
		o.shows(rec, http.StatusOK, "You won’t get any more invitations from dana")
	}
	o.invites(nil)
	if len(o.mails()) != 1 {
		t.Errorf("%d emails", len(o.mails()))
	}
	for _, method := range []string{http.MethodGet, http.MethodPost} {
		o.shows(o.ask(method, "/mail/unsubscribe/x"), http.StatusNotFound, "This link doesn’t work")
	}
}

func TestApplicationUsesLandlordTimeZone(t *testing.T) {
	o := newApplicationPages(t)
	path, _ := o.invites(nil)
	o.now = time.Date(2026, 11, 13, 3, 0, 0, 0, time.UTC) // still the 12th in Chicago
	doc := o.shows(o.ask(http.MethodGet, path), http.StatusOK, "Apply for")
	if got := pagetest.Attr(pagetest.ByID(doc, "field-move_in_date"), "min"); got != "2026-11-12" {
		t.Errorf("the first day is %s", got)
	}
	form := filled()
	form.Set("move_in_date", "2026-11-12")
	if rec := o.sends(path, form); rec.Code != http.StatusSeeOther {
		t.Error(fmt.Sprint(rec.Code), rec.Body)
	}
}

// outage is guests whose store fails to take an application.
type outage struct {
	resident.Guests
	fails error
}

func (o outage) Apply(context.Context, string, application.Create) error { return o.fails }

func TestInternalErrorKeepsInput(t *testing.T) {
	o := newApplicationPages(t)
	path, _ := o.invites(nil)
	over, end := context.WithDeadline(t.Context(), time.Unix(1, 0)) // as where a write has waited too long
	end()
	for name, c := range map[string]struct {
		ctx    context.Context
		code   fault.Code
		status int
	}{
		"the write failed":       {t.Context(), fault.Internal, http.StatusInternalServerError},
		"the write had no place": {t.Context(), fault.Unavailable, http.StatusServiceUnavailable},
		"the request was late":   {over, fault.Unavailable, http.StatusServiceUnavailable},
	} {
		var logged strings.Builder
		e := pagetest.Serve(pagetest.Config{
			BaseURL: pagetest.BaseURL,
			Guests:  outage{o.applications.Applications, fault.Of(c.code)},
			Now:     func() time.Time { return o.now },
			Log:     slog.New(slog.NewTextHandler(&logged, nil)),
		})
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(filled().Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		rec := httptest.NewRecorder()
		e.ServeHTTP(rec, r.WithContext(c.ctx))
		if rec.Code != c.status || !strings.Contains(logged.String(), string(c.code)) ||
			strings.Contains(logged.String(), path) {
			t.Errorf("%s: status %d, logged %s", name, rec.Code, logged.String())
		}
		for _, want := range []string{
			`value="Rivera"`, "We do not smoke.", "something failed on our side",
			"Send application",
		} {
			if !strings.Contains(rec.Body.String(), want) {
				t.Errorf("%s: the page does not hold %q", name, want)
			}
		}
	}
}

func TestEveryApplicationErrorAppearsBesideItsField(t *testing.T) {
	o := newApplicationPages(t)
	path, i := o.invites(nil)
	long := strings.Repeat("é", 2001)
	every := strings.Fields("first_name last_name email phone move_in_date adults children pets monthly_income notes")
	required := strings.Fields("first_name last_name email phone move_in_date adults monthly_income")
	for name, c := range map[string]struct {
		typed url.Values
		wrong []string
	}{
		"nothing": {url.Values{}, required},
		"spaces": {
			url.Values{
				"first_name":     {" "},
				"last_name":      {"\u00a0"},
				"email":          {" "},
				"phone":          {" "},
				"move_in_date":   {" "},
				"adults":         {" "},
				"children":       {" "},
				"pets":           {" "},
				"monthly_income": {" "},
				"notes":          {"\r\n"},
			},
			required,
		},
		"all wrong": {
			url.Values{
				"first_name":     {long},
				"last_name":      {"a\x00b"},
				"email":          {"sam"},
				"phone":          {"12"},
				"move_in_date":   {"soon"},
				"adults":         {"0"},
				"children":       {"-1"},
				"pets":           {long},
				"monthly_income": {"lots"},
				"notes":          {long},
			},
			every,
		},
		"otherwise wrong": {
			url.Values{
				"first_name":     {"Sam\nBcc: x"},
				"last_name":      {"a\u2028b"},
				"email":          {"a@b.c\nd@e.f"},
				"phone":          {"5125550142;1"},
				"move_in_date":   {"2026-11-11"},
				"adults":         {"21"},
				"children":       {"1.5"},
				"pets":           {"\u202egnp"},
				"monthly_income": {"-1"},
				"notes":          {"\x1b[31m"},
			},
			every,
		},
	} {
		doc := o.shows(o.sends(path, c.typed), http.StatusBadRequest, "Apply for 1420 Maple Avenue")
		for _, field := range every {
			got := pagetest.Attr(pagetest.ByID(doc, "field-"+field), "aria-invalid") == "true"
			if got != slices.Contains(c.wrong, field) {
				t.Errorf("%s: %s is at fault: %v", name, field, got)
			}
		}
	}
	if got := o.status(i); got != application.InvitationSent {
		t.Errorf("the invitation is %s", got)
	}
}

func TestApplicationAcceptsHumanFormattedInput(t *testing.T) {
	o := newApplicationPages(t)
	path, i := o.invites(nil)
	form := filled()
	for name, typed := range map[string]string{
		"first_name":     "  Zoë ",
		"email":          " sam@example.com ",
		"phone":          "+44 20 7946 0958",
		"move_in_date":   "12/1/2026",
		"monthly_income": " $5,250.50 ",
		"children":       "",
		"pets":           " ",
		"notes":          "We do not smoke.\r\nThank you.",
	} {
		form.Set(name, typed)
	}
	if rec := o.sends(path, form); rec.Code != http.StatusSeeOther {
		t.Fatalf("%d:\n%s", rec.Code, rec.Body)
	}
	a, err := portfoliostore.New(o.db).Application(t.Context(), o.home.Live, i.ID)
	if err != nil || a.FirstName != "Zoë" || a.Email != "sam@example.com" || a.Phone != "+442079460958" ||
		a.MoveInDate != clock.Day(2026, 12, 1) ||
		a.MonthlyIncome != 525050 || a.Children != 0 || a.Pets != nil || *a.Notes != "We do not smoke.\nThank you." {
		t.Errorf("%+v: %v", a, err)
	}
}

// The form, its errors, what follows it, and the pages of a link that opens no form any more.
func TestApplicantWhoseBrowserAsksForSpanishReadsNoEnglish(t *testing.T) {
	o, twins := newApplicationPages(t), spanishOnly(t)
	path, i := o.invites(nil)
	shows := func(where string, rec *httptest.ResponseRecorder, status int, all ...string) {
		t.Helper()
		pageInSpanish(t, where, rec, status, twins, all...)
	}
	shows("the form", asksInSpanish(o, http.MethodGet, path, nil), http.StatusOK,
		"Solicitud para 1420 Maple Avenue", "Niños (opcional)", "Renta mensual", "Enviar solicitud")
	shows("the form without an answer", asksInSpanish(o, http.MethodPost, path, url.Values{}),
		http.StatusBadRequest, "Aún no se guardó nada", "Escriba su nombre", "Escriba un monto en dólares")
	wrong := filled()
	for _, field := range []string{"adults", "children", "move_in_date", "email", "phone"} {
		wrong.Set(field, "x")
	}
	wrong.Set("pets", strings.Repeat("x", 301))
	wrong.Set("notes", strings.Repeat("x", 2001))
	shows("the form with errors", asksInSpanish(o, http.MethodPost, path, wrong), http.StatusBadRequest,
		"Escriba un número de 0 a 20", "Escriba como máximo 300 caracteres", "Escriba como máximo 2,000 caracteres")

	// A language that was chosen on the page is kept by the form.
	doc := pagetest.Parse(t, o.ask(http.MethodGet, path+"?lang=es").Body.String())
	var action string
	for n := range doc.Descendants() {
		if n.Data == "form" {
			action = pagetest.Attr(n, "action")
		}
	}
	if action != path+"?lang=es" {
		t.Errorf("the form goes to %s", action)
	}
	rec := o.sends(action, filled())
	if rec.Code != http.StatusSeeOther || rec.Header().Get("Location") != path+"?lang=es&sent" {
		t.Fatalf("%d to %s: %s", rec.Code, rec.Header().Get("Location"), rec.Body)
	}
	shows("what was sent", o.ask(http.MethodGet, rec.Header().Get("Location")), http.StatusOK,
		"Solicitud enviada", "ya la tiene")
	shows("the link once more", asksInSpanish(o, http.MethodGet, path, nil), http.StatusOK, "Ya envió esta solicitud")
	if got := o.status(i); got != application.InvitationApplied {
		t.Errorf("the invitation is %s", got)
	}

	path, _ = o.invites(func(in *application.TenantInvite) { in.Email = "ana@example.com" })
	o.now = o.now.AddDate(0, 6, 0)
	shows("a link that has expired", asksInSpanish(o, http.MethodGet, path, nil), http.StatusGone,
		"Este enlace ha vencido", "pida uno nuevo a dana")
	stop := o.stops()
	shows("unsubscribing", asksInSpanish(o, http.MethodGet, stop, nil), http.StatusOK,
		"¿Dejar de recibir invitaciones de dana?", "No recibir más")
	shows("unsubscribed", asksInSpanish(o, http.MethodPost, stop, url.Values{}), http.StatusOK,
		"Ya no recibirá invitaciones de dana")
}
