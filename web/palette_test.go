package web_test

import (
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"portal/api/access"
	"portal/web/pagetest"
	"portal/web/webtest"
)

func TestPaletteOpensTenantByKeyboard(t *testing.T) {
	t.Parallel()
	b, m := pagetest.Browser(t), pagetest.NewDemoPages(t)
	owner := m.Member(access.Owner)
	tickets := owner.Get("/test/tickets")
	ticket, title := owner.Found(tickets, `href="/test/tickets/(tkt_\w+)"`),
		owner.Found(tickets, `href="/test/tickets/tkt_\w+"[^>]*>([^<]+)<`)
	for path, want := range map[string]bool{"/test/palette?q=": true, "/live/palette?q=": false} {
		found := owner.Get(path + url.QueryEscape(html.UnescapeString(title))).Body.String()
		if got := strings.Contains(found, "/tickets/"+ticket); got != want {
			t.Errorf("%s%s finds the ticket: %t", path, title, got)
		}
	}
	name := owner.Found(owner.Get("/test/tenants"), `href="/test/tenants/ten_\w+"[^>]*>([^<]+)<`)
	w := b.Window(t)
	w.Visit(webtest.Desktop, m.Opened(owner)+"/test/leases")
	w.Do(`dispatchEvent(new KeyboardEvent("keydown", {key: "k", ctrlKey: true}))`)
	w.Await(`document.activeElement.matches("dialog[open].palette input")`)
	w.Await(`document.querySelector(".palette [aria-selected=true]")?.textContent.includes("Trigger test event")`)
	w.Check("the palette")
	w.Keep("palette-desktop")
	w.Type(".palette input", name)
	w.Await(`document.querySelector(".palette [aria-selected=true]")?.pathname.startsWith("/test/tenants/")`)
	w.Press(kb.Enter)
	w.Await(`location.pathname.startsWith("/test/tenants/")`)
	if got := w.Text("h1"); !strings.Contains(got, name) {
		t.Errorf("it leads to %s", got)
	}
	pagetest.Quiet(t, w)
}

// tenantOfLease is the name of the first tenant in a line of the list of leases.
const tenantOfLease = `href="/test/leases/lea_\w+"[^>]*><span class="trunc">([^<,]+)`

func TestPaletteIsLimitedToRoleAndPortfolio(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	owner, manager := m.Member(access.Owner), m.Member(access.Manager)
	owner.Says(owner.Get("/test/palette"), http.StatusOK, "Create API key")
	if at := pagetest.Hrefs(pagetest.Parse(t, owner.Get("/test/palette?q=add+ch").Body.String())); len(at) == 0 ||
		at[0] != "/test/ledger/new" {
		t.Errorf("adding a charge leads to %v", at)
	}
	manager.Says(manager.Get("/test/palette"), http.StatusOK, "Add property")
	if strings.Contains(manager.Get("/test/palette").Body.String(), "/keys/new") {
		t.Error("a manager is offered what owners do")
	}
	rented := owner.Found(owner.Get("/test/leases"), tenantOfLease)
	found := owner.Get("/test/palette?q=" + url.QueryEscape(rented)).Body.String()
	for _, kind := range []string{"tenants/ten_", "leases/lea_", "ledger/pay_"} {
		if !strings.Contains(found, `href="/test/`+kind) {
			t.Errorf("nothing of %s is found for %q", kind, rented)
		}
	}
	if strings.Contains(owner.Get("/live/palette?q="+url.QueryEscape(rented)).Body.String(), "/leases/lea_") {
		t.Error("the live mode finds leases of the test mode")
	}
	name := owner.Found(owner.Get("/test/tenants"), `href="/test/tenants/(ten_\w+)"`)
	for path, want := range map[string]bool{"/test/palette?q=" + name: true, "/live/palette?q=" + name: false} {
		if got := strings.Contains(owner.Get(path).Body.String(), name); got != want {
			t.Errorf("%s finds the tenant: %t", path, got)
		}
	}
}

// The page of the search finds what the palette finds: records by what people call them, lists and actions by words.
func TestSearchPageFindsWhatPaletteFinds(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	owner := m.Member(access.Owner)
	ticket := owner.Found(owner.Get("/test/tickets"), `href="(/test/tickets/tkt_\w+)"`)
	number := owner.Found(owner.Get(ticket), `\b(T-\d+)\b`)
	if rec := owner.Get("/test/search?q=" + number); rec.Header().Get("Location") != ticket {
		t.Errorf("%s leads to %q, want %q", number, rec.Header().Get("Location"), ticket)
	}
	owner.Says(owner.Get("/test/tickets?search="+number), http.StatusOK, number)
	unit := owner.Found(owner.Get("/test/search?q=vacant"), `href="(/test/units/unit_\w+)"`)
	name := html.UnescapeString(owner.Found(owner.Get(unit), `<h1[^>]*>([^<]+)`))
	rented := html.UnescapeString(owner.Found(owner.Get("/test/leases"), tenantOfLease))
	for text, want := range map[string]string{
		number:           ticket,
		name:             unit,
		rented:           "/test/leases/lea_",
		"overdue":        "/test/ledger?overdue=true",
		"vacant":         unit,
		"Vacant un":      "/test/search?q=vacant",
		"record payment": "/test/ledger?status=due",
		"check":          "/test/ledger?status=due",
		"export":         "/test/ledger.csv",
		"rotate secret":  "/docs/",
	} {
		all := pagetest.Hrefs(pagetest.Parse(t, owner.Get("/test/palette?q="+url.QueryEscape(text)).Body.String()))
		if !slices.ContainsFunc(all, func(at string) bool { return strings.HasPrefix(at, want) }) {
			t.Errorf("the palette finds %v for %q, want %s", all, text, want)
		}
		shown := owner.Get("/test/search?q=" + url.QueryEscape(text))
		if at := shown.Header().Get("Location"); at != "" {
			if len(all) != 1 || all[0] != at {
				t.Errorf("%q leads to %s, and the palette finds %v", text, at, all)
			}
			continue
		}
		on := pagetest.Hrefs(pagetest.Parse(t, shown.Body.String()))
		for _, at := range all {
			if !slices.Contains(on, at) {
				t.Errorf("the page does not find %s for %q", at, text)
			}
		}
	}
}
