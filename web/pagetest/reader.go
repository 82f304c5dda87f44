package pagetest

import (
	"bytes"
	"crypto/rand"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"

	"portal/api/ratelimit"
	"portal/web/webtest"
)

// Pages of the documentation that tests open often.
const (
	Quickstart = "/docs/quickstart"
	CreateTry  = "/docs/api/maintenance/create_maintenance_ticket/try"
	UpdateTry  = "/docs/api/leases/update_lease/try"
)

// Reader is a browser that keeps its cookies.
type Reader struct {
	*Site
	Cookies map[string]*http.Cookie
}

// Session is the cookie of the reader's session.
func (r *Reader) Session() string {
	if c := r.Cookies["session"]; c != nil {
		return c.Value
	}
	return ""
}

// Confirms sends the form that a page asks for a confirmation with, as a browser does.
func (r *Reader) Confirms(page *httptest.ResponseRecorder, fields url.Values) *httptest.ResponseRecorder {
	r.Helper()
	doc := Parse(r.T, page.Body.String())
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || n.Data != "form" || !strings.HasPrefix(Attr(n, "class"), "form") {
			continue
		}
		sent := maps.Clone(fields)
		for i := range n.Descendants() {
			if name := Attr(i, "name"); i.Data == "input" && Attr(i, "type") == "hidden" {
				sent.Set(name, Attr(i, "value"))
			}
		}
		return r.Send(http.MethodPost, Attr(n, "action"), sent, nil)
	}
	r.Fatalf("%d, and there is no form:\n%s", page.Code, Text(doc))
	return nil
}

// TakesKey presses the button of a page, and is the key that its samples have then.
func (r *Reader) TakesKey(from string) string {
	r.Helper()
	once := r.Found(r.Get(from), `name="once" value="([^"]+)"`)
	r.Leads(r.Post("/docs/key", from, url.Values{"once": {once}, "next": {from}}), from)
	return r.Found(r.Get(Quickstart), `Bearer (sk_test_pm_\w{49})`)
}

// Send sends a request as a browser does from a page of this site; change makes it
// another one.
func (r *Reader) Send(method, path string, form url.Values, change func(*http.Request)) *httptest.ResponseRecorder {
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	req := httptest.NewRequestWithContext(r.Context(), method, BaseURL+path, body)
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, c := range r.Cookies {
		req.AddCookie(c)
	}
	if change != nil {
		change(req)
	}
	rec := httptest.NewRecorder()
	r.ServeHTTP(rec, req)
	for _, c := range rec.Result().Cookies() {
		r.Cookies[c.Name] = c
		if c.MaxAge < 0 {
			delete(r.Cookies, c.Name)
		}
	}
	return rec
}

// Get opens a page.
func (r *Reader) Get(path string) *httptest.ResponseRecorder {
	return r.Send(http.MethodGet, path, nil, nil)
}

// Post sends a form with the token of a page's form, and as one that was not sent before
// unless it names itself.
func (r *Reader) Post(path, from string, form url.Values) *httptest.ResponseRecorder {
	form = maps.Clone(form)
	if form == nil {
		form = url.Values{}
	}
	form.Set("token", r.Token(from))
	if len(form["once"]) == 0 {
		form.Set("once", rand.Text())
	}
	return r.Send(http.MethodPost, path, form, nil)
}

// Token is that of a form on a page.
func (r *Reader) Token(path string) string {
	r.Helper()
	return r.field(path, "token")
}

// Seen is what the page of an import says was seen of it.
func (r *Reader) Seen(path string) string {
	r.Helper()
	return r.field(path, "seen")
}

// field is the value of the first field of a name on a page.
func (r *Reader) field(path, name string) string {
	r.Helper()
	for n := range Parse(r.T, r.Get(path).Body.String()).Descendants() {
		if n.Type == html.ElementNode && Attr(n, "name") == name {
			return Attr(n, "value")
		}
	}
	r.Fatalf("%s has no form with %s", path, name)
	return ""
}

// Says checks the status of an answer and a part of what its reader sees.
func (r *Reader) Says(rec *httptest.ResponseRecorder, status int, words string) {
	r.Helper()
	if seen := Text(Parse(r.T, rec.Body.String())); rec.Code != status || !strings.Contains(seen, words) {
		r.Errorf("%d, want %d with %q:\n%s", rec.Code, status, words, seen)
	}
}

// Leads checks that an answer leads to a path.
func (r *Reader) Leads(rec *httptest.ResponseRecorder, to string) {
	r.Helper()
	if got := rec.Header().Get("Location"); rec.Code != http.StatusSeeOther || got != to {
		r.Errorf("%d to %q, want 303 to %q", rec.Code, got, to)
	}
}

// Uploads sends a file by the form, as a browser does.
func (r *Reader) Uploads(path, name, content string) *httptest.ResponseRecorder {
	r.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	_ = w.WriteField("token", r.Token(path))
	_ = w.WriteField("once", rand.Text())
	if name != "" {
		f, _ := w.CreateFormFile("file", name)
		_, _ = f.Write([]byte(content))
	}
	_ = w.Close()
	return r.Send(http.MethodPost, path, nil, func(q *http.Request) {
		with := httptest.NewRequest(http.MethodPost, "/", &b)
		q.Body, q.ContentLength = with.Body, with.ContentLength
		q.Header.Set("Content-Type", w.FormDataContentType())
	})
}

// Uploaded is the address of the upload that a file became.
func (r *Reader) Uploaded(path, name, content string) string {
	r.Helper()
	at := r.Uploads(path, name, content).Header().Get("Location")
	if !strings.HasPrefix(at, path+"/imp_") {
		r.Fatalf("the upload leads to %q", at)
	}
	return at
}

// Looks visits pages as who is signed in.
func (r *Reader) Looks(b *webtest.Browser, paths ...string) {
	r.Helper()
	s := httptest.NewServer(r.Site)
	r.Cleanup(s.Close)
	w := b.Window(r.T)
	w.Cookie(s.URL, "session", r.Cookies["session"].Value)
	w.Looks(r.T, s.URL, paths...)
}

// Adds adds a property and is the address of its page.
func (r *Reader) Adds(in string, form url.Values) string {
	r.Helper()
	rec := r.Post("/"+in+"/properties/new", "/"+in+"/properties/new", form)
	at := rec.Header().Get("Location")
	if rec.Code != 303 || !strings.HasPrefix(at, "/"+in+"/properties/prop_") {
		r.Fatalf("%d to %q: %s", rec.Code, at, Text(Parse(r.T, rec.Body.String())))
	}
	return at
}

// Shown are the values of the fields of a page's forms, by name; those of hidden ones too.
func (r *Reader) Shown(path string) url.Values {
	r.Helper()
	page := r.Get(path)
	if page.Code != 200 {
		r.Fatalf("%s: %d", path, page.Code)
	}
	return FieldsOf(Parse(r.T, page.Body.String()))
}

// With is a form with some fields filled in otherwise.
func With(form url.Values, pairs ...string) url.Values {
	all := maps.Clone(form)
	for i := 0; i < len(pairs); i += 2 {
		all.Set(pairs[i], pairs[i+1])
	}
	return all
}

// Sends fills in the form of a page and sends it there.
func (r *Reader) Sends(path string, pairs ...string) *httptest.ResponseRecorder {
	r.Helper()
	return r.Post(path, path, With(r.Shown(path), pairs...))
}

// Found is the first part of a page that fits a pattern's group.
func (r *Reader) Found(page *httptest.ResponseRecorder, pattern string) string {
	r.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(page.Body.String())
	if m == nil {
		r.Fatalf("nothing fits %s in:\n%s", pattern, Text(Parse(r.T, page.Body.String())))
	}
	return m[1]
}

// MakesKey creates a key and answers with its id and the key.
func (r *Reader) MakesKey(form url.Values) (id, secret string) {
	r.Helper()
	page := r.Creates(form)
	return r.Found(page, `href="/keys/(key_\w+)"`), r.Found(page, `<code>(sk_\w+)</code>`)
}

// Creates sends the form of a new key, as its page names it.
func (r *Reader) Creates(form url.Values) *httptest.ResponseRecorder {
	r.Helper()
	form.Set("once", r.Found(r.Get("/keys/new"), `name="once" value="([^"]+)"`))
	return r.Post("/keys", "/keys/new", form)
}

// SignsIn shows a password, for a page.
func (r *Reader) SignsIn(email, next string) *httptest.ResponseRecorder {
	r.Helper()
	return r.Post("/sign-in", "/sign-in?next="+url.QueryEscape(next), url.Values{
		"email":    {email},
		"password": {Password},
		"next":     {next},
	})
}

// FilesPerMinute is how many statements and receipts are made in each minute for a portfolio and mode, and for the
// link of a tenant.
const FilesPerMinute = 60

// MeetsLimit checks that the file at a path is limited, with all others of the portfolio, and those of another account
// are not counted with them. Another path is one of them that makes no file, and so takes less time.
func (r *Reader) MeetsLimit(path, invalid string, another *Reader) {
	r.Helper()
	now := time.Date(2026, 11, 2, 17, 0, 0, 0, time.UTC)
	r.Pages.Shell.Limiter = ratelimit.NewMemory(func() time.Time { return now })
	defer func() { r.Pages.Shell.Limiter = nil }()
	if rec := r.Get(path); rec.Code != http.StatusOK {
		r.Fatalf("%s: %d", path, rec.Code)
	}
	for range FilesPerMinute - 1 {
		if rec := r.Get(invalid); rec.Code == http.StatusTooManyRequests {
			r.Fatalf("%s is refused before its limit", invalid)
		}
	}
	for _, refused := range []string{path, invalid} {
		rec := r.Get(refused)
		r.Says(
			rec,
			http.StatusTooManyRequests,
			"You can open at most 60 statements and receipts per minute. You can try",
		)
		if wait, err := strconv.Atoi(rec.Header().Get("Retry-After")); err != nil || wait < 1 || wait > 60 {
			r.Errorf("%s: Retry-After %q", refused, rec.Header().Get("Retry-After"))
		}
	}
	for by, open := range map[*Reader]string{another: invalid, r: strings.Replace(invalid, "/test/", "/live/", 1)} {
		if rec := by.Get(open); rec.Code == http.StatusTooManyRequests {
			r.Errorf("%s counts with the files of another portfolio", open)
		}
	}
	now = now.Add(time.Minute)
	if rec := r.Get(path); rec.Code != http.StatusOK {
		r.Errorf("%s a minute later: %d", path, rec.Code)
	}
}
