package main

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"portal/api/access"
	"portal/api/developer"
)

// crawl is all that somebody can reach from their pages.
type crawl struct {
	*plainBrowser
	seen     map[string]int  // pages of a kind
	known    map[string]bool // addresses
	filtered map[string]int  // addresses of a list with filters
	queue    []string
	pages    []string // that were there
	forms    []string // where forms are posted
	checks   func(path, page string)
}

// sameKind is how many pages of a kind are looked at: those of one list differ in ids.
const sameKind = 4

// sameFilters is how many addresses of a list are looked at, with whatever filters and orders of it: those that
// links lead to are as many as there are combinations of them.
const sameFilters = 40

var identifier = regexp.MustCompile(`[a-z]+_[0-7][0-9A-HJKMNP-TV-Z]{25}`)

// crawls follows every link from a page on.
func (s *plainBrowser) crawls(from string, checks func(path, page string)) *crawl {
	s.Helper()
	c := &crawl{
		plainBrowser: s,
		seen:         map[string]int{},
		known:        map[string]bool{},
		filtered:     map[string]int{},
		checks:       checks,
	}
	c.add(from)
	for len(c.queue) > 0 {
		path := c.queue[0]
		c.queue = c.queue[1:]
		w := s.ask(http.MethodGet, path, nil)
		if w.Code == http.StatusSeeOther {
			c.add(w.Header().Get("Location"))
			continue
		}
		if w.Code != http.StatusOK {
			s.Errorf("%s: %d", path, w.Code)
			continue
		}
		c.pages = append(c.pages, path)
		if strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			c.checks(path, w.Body.String())
			c.read(path, w.Body.String())
		}
	}
	return c
}

// read finds where a page leads.
func (c *crawl) read(at, page string) {
	c.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	orFail(c, err)
	base, err := url.Parse(at)
	orFail(c, err)
	for n := range doc.Descendants() {
		for _, a := range n.Attr {
			u, err := base.Parse(a.Val)
			if a.Key != "href" && a.Key != "action" || err != nil || u.Host != "" || u.Scheme != "" {
				continue
			}
			u.Fragment = ""
			switch method := attribute(n, "method"); {
			case a.Key == "action" && strings.EqualFold(method, "post"):
				if !slices.Contains(c.forms, u.String()) {
					c.forms = append(c.forms, u.String())
				}
			default:
				c.add(u.String())
			}
		}
	}
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// add lines an address up, unless enough of its kind were seen.
func (c *crawl) add(path string) {
	kind := identifier.ReplaceAllString(path, "ID")
	list, _, filtered := strings.Cut(kind, "?")
	if c.known[path] || c.seen[kind] >= sameKind || strings.Contains(path, "after=") ||
		filtered && c.filtered[list] >= sameFilters {
		return
	}
	if filtered {
		c.filtered[list]++
	}
	c.known[path] = true
	c.seen[kind]++
	c.queue = append(c.queue, path)
}

// lived fills an account with something of everything that has a page.
func lived(t testing.TB, s *plainBrowser, key string) {
	t.Helper()
	token := s.token("/settings")
	for _, step := range []struct {
		path string
		form url.Values
	}{
		{"/test/webhooks/new", url.Values{"url": {"http://127.0.0.1:1/x"}, "events": {"*"}}},
		{"/live/webhooks/new", url.Values{"url": {"http://127.0.0.1:1/y"}, "events": {"*"}}},
		{"/test/demo", url.Values{"kind": {"maintenance.created"}}},
		{"/team/invite", url.Values{"email": {"clerk@example.com"}, "role": {"manager"}}},
	} {
		if w := s.send(step.path, token, step.form); w.Code >= http.StatusBadRequest {
			t.Errorf("%s: %d %s", step.path, w.Code, w.Body)
		}
	}
	code := s.posts("/mcp", key, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_leases"}}`)
	if code != http.StatusOK {
		t.Errorf("/mcp: %d", code)
	}
	eventually(t, "what was asked is in the logs", func() bool {
		return strings.Contains(s.get("/test/logs"), "/test/logs/req_") &&
			strings.Contains(s.get("/test/activity"), "/test/activity/call_")
	})
}

// TestAccountPagesWorkAndArePrivate follows every link of an account, and then
// asks for each page and posts each form as an owner of another account.
func TestAccountPagesWorkAndArePrivate(t *testing.T) {
	t.Parallel()
	p, demo, handler := inProcess(t)
	dana, robin := newPlainBrowser(t, handler, demoLandlord, demo.Password), otherLandlord(t, p, handler, 0)
	_, err := p.inviteSomebody(t.Context(), access.Test)
	orFail(t, err)
	lived(t, dana, demo.TestKey)
	const most = 60 << 10
	all := dana.crawls("/overview", func(path, page string) {
		if len(page) > most {
			t.Errorf("%s weighs %d bytes", path, len(page))
		}
	})
	t.Logf("%d pages, %d forms", len(all.pages), len(all.forms))
	for kind := range map[string]bool{
		"/test/properties/prop_":         true,
		"/test/units/unit_":              true,
		"/test/tenants/ten_":             true,
		"/test/leases/lea_":              true,
		"/test/tickets/tkt_":             true,
		"/test/ledger/pay_":              true,
		"/test/webhooks/we_":             true,
		"/test/webhooks/deliveries/del_": true,
		"/test/events/evt_":              true,
		"/test/logs/req_":                true,
		"/test/activity/call_":           true,
		"/test/mail/mail_":               true,
		"/test/applications/lead_":       true,
		"/keys/key_":                     true,
	} {
		if !slices.ContainsFunc(all.pages, func(path string) bool { return strings.HasPrefix(path, kind) }) {
			t.Errorf("no page %s was found", kind)
		}
	}
	for _, path := range all.pages {
		foreign(t, robin, path)
	}
	var token string
	for i, path := range slices.DeleteFunc(all.forms, func(path string) bool { return !identifier.MatchString(path) }) {
		if i%formsOfOne == 0 {
			robin = otherLandlord(t, p, handler, 1+i)
			token = robin.token("/settings")
		}
		if w := robin.send(path, token, url.Values{}); w.Code != http.StatusNotFound {
			t.Errorf("%s is answered to a form from another account: %d", path, w.Code)
		}
	}
}

// formsOfOne is how many forms one account sends: fewer than its pages take in a minute.
const formsOfOne = 50

// otherLandlord is signed in as the owner of an account of their own.
func otherLandlord(t *testing.T, p *product, handler http.Handler, n int) *plainBrowser {
	t.Helper()
	const word = "another horse entirely"
	email := fmt.Sprintf("other%d@example.com", n)
	_, err := p.Developer.AddUser(t.Context(), email, "Elm & Sons", word, developer.Landlord)
	orFail(t, err)
	return newPlainBrowser(t, handler, email, word)
}

// foreign asks for a page of another account.
func foreign(t *testing.T, s *plainBrowser, path string) {
	t.Helper()
	at, _, _ := strings.Cut(path, "?")
	w := s.ask(http.MethodGet, path, nil)
	switch {
	case identifier.MatchString(at) && !strings.HasPrefix(at, "/docs/") && w.Code != http.StatusNotFound:
		t.Errorf("%s is answered to another account: %d", path, w.Code)
	case strings.HasPrefix(at, "/docs"): // the examples of the documentation are of nobody
	case w.Code == http.StatusOK:
		for _, name := range identifier.FindAllString(path, -1) {
			if strings.Contains(w.Body.String(), "/"+
				name) { // a link to the record, not to the address that was asked for
				t.Errorf("%s tells another account of %s", path, name)
			}
		}
	}
}

// TestStaffPagesWorkAndAreStaffOnly follows every link of a reviewer,
// and asks for each page as a landlord.
func TestStaffPagesWorkAndAreStaffOnly(t *testing.T) {
	t.Parallel()
	_, demo, handler := inProcess(t)
	dana := newPlainBrowser(t, handler, demoLandlord, demo.Password)
	sue := newPlainBrowser(t, handler, demoStaff, demo.Password)
	all := sue.crawls("/staff/requests", func(string, string) {})
	asked := 0
	for _, path := range all.pages {
		if strings.HasPrefix(path, "/staff/") {
			asked++
			if w := dana.ask(http.MethodGet, path, nil); w.Code != http.StatusForbidden &&
				w.Code != http.StatusNotFound {
				t.Errorf("%s is answered to a landlord: %d", path, w.Code)
			}
		}
	}
	token := dana.token("/settings")
	for _, path := range all.forms {
		if strings.HasPrefix(path, "/staff/") {
			if w := dana.send(path, token, url.Values{}); w.Code != http.StatusForbidden &&
				w.Code != http.StatusNotFound {
				t.Errorf("%s is answered to a landlord's form: %d", path, w.Code)
			}
		}
	}
	if asked < 5 {
		t.Errorf("%d pages of the staff were found", asked)
	}
}
