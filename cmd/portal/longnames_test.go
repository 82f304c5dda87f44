package main

import (
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"portal/api/sampled"
	"portal/db/dbtest"
	"portal/web/webtest"
)

// unbroken is a text without a place to break a line at.
const unbroken = "Wolframmingham"

// longest makes every name in a service as long as its field allows, 200 characters at most, without a blank.
var longest = []string{
	"UPDATE accounts SET name = substr($1, 1, 100)",
	"UPDATE member_invitations SET email = substr($1, 1, 60) || rowid || '@' || substr($1, 1, 63) || '.example'",
	"UPDATE users SET email = substr($1, 1, 60) || rowid || '@' || substr($1, 1, 63) || '.example'",
	"UPDATE properties SET name = substr($1, 1, 127), street_address = $1, city = substr($1, 1, 100)",
	"UPDATE properties SET name = NULL WHERE rowid % 2 = 0", // they go by the address
	"UPDATE units SET unit_number = substr($1, 1, 26) || rowid",
	`UPDATE tenants SET first_name = substr($1, 1, 127), last_name = substr($1, 1, 127),
		email = substr($1, 1, 60) || rowid || '@' || substr($1, 1, 63) || '.example'`,
	"UPDATE leases SET rental_address = $1, termination_reason = $1 WHERE status <> 'pending'",
	"UPDATE tickets SET title = substr($1, 1, 127), description = $1, entry_notes = $1",
	"UPDATE ticket_activities SET author = substr($1, 1, 127), words = $1",
	`UPDATE payments SET description = $1, reference = substr($1, 1, 127), failure_message = $1
		WHERE description IS NOT NULL OR rowid % 2 = 0`,
	"UPDATE api_keys SET name = substr($1, 1, 120)",
	"UPDATE webhook_endpoints SET url = 'https://' || substr($1, 1, 63) || '.example/' || $1, description = $1",
	"UPDATE requests SET path = '/api/v1/external/properties/' || $1, user_agent = $1",
	"UPDATE request_counts SET client = $1",
	"UPDATE assistant_clients SET name = $1",
	"UPDATE tool_calls SET client = $1, message = $1",
	"UPDATE mails SET subject = $1, recipient = substr($1, 1, 64) || '@' || substr($1, 1, 63) || '.example'",
	`UPDATE invitations SET first_name = substr($1, 1, 127), last_name = substr($1, 1, 127),
		email = substr($1, 1, 60) || rowid || '@' || substr($1, 1, 63) || '.example'`,
	"UPDATE applications SET first_name = substr($1, 1, 127), last_name = substr($1, 1, 127), notes = $1, pets = $1",
	"UPDATE imports SET name = substr($1, 1, 200)",
	"UPDATE lease_signers SET name = $1",
	"UPDATE access_requests SET company_name = $1, use_case = $1, website_url = 'https://' || $1",
}

// fitTheLongestNames opens the pages of landlords and tenants whose records have the longest
// names that there may be. They fit a desk, a phone, and a desk that is enlarged to 400 %, whose 1,280 pixels
// are 320 then. A run opens one page in three, each time others; `make prove` opens all.
func (e *everyPage) fitTheLongestNames(t *testing.T) {
	b := webtest.Open(t, webtest.Config{
		Program: os.Getenv("PORTAL_TEST_CHROMIUM"),
		Shots:   os.Getenv("PORTAL_TEST_SHOTS"),
	})
	for _, statement := range longest {
		dbtest.Exec(t, e.product.DB, statement, strings.Repeat(unbroken, 200)[:200])
	}
	site := httptest.NewServer(e.handler)
	t.Cleanup(site.Close)
	windows, looked, taken := map[*plainBrowser]*webtest.Window{}, 0, sampled.OneIn(t, 3)
	for _, s := range e.all {
		guest := strings.HasPrefix(s.name, "tenant") || strings.HasPrefix(s.name, "sign-") ||
			strings.HasPrefix(s.name, "apply")
		if strings.HasPrefix(s.path, "/docs") || strings.HasSuffix(s.name, "-empty") || s.name == "mail-id-look" ||
			s.who != e.dana && s.who != e.robin && !guest {
			continue
		}
		if windows[s.who] == nil {
			windows[s.who] = s.window(t, b, site.URL)
		}
		if looked++; taken(looked) {
			fitsEverywhere(windows[s.who], site.URL, s)
		}
	}
	if looked < 100 {
		t.Errorf("only %d pages were found", looked)
	}
	w := windows[e.dana]
	w.Visit(webtest.Desktop, site.URL+"/test/leases")
	w.Do(`dispatchEvent(new KeyboardEvent("keydown", {key: "k", ctrlKey: true}))`)
	w.Type(".palette input", "a")
	w.Await(`document.querySelector(".palette a[href*='/test/tenants/']")`)
	w.Fits("the palette")
	w.Keep("long-palette")
	w.Show(enlarged)
	w.Fits("the palette, enlarged")
}

// enlarged is a desk's window at 400 %.
var enlarged = webtest.Screen{Width: 320, Height: 225}

func fitsEverywhere(w *webtest.Window, at string, s sight) {
	w.Helper()
	w.Visit(webtest.Desktop, at+s.path)
	w.Fits("desktop " + s.path)
	w.Keep("long-" + s.name + "-1280")
	w.Show(webtest.Screen{Width: 390, Height: 844})
	w.Fits("phone " + s.path)
	w.Keep("long-" + s.name + "-390")
	w.Show(enlarged)
	w.Fits("enlarged " + s.path)
}
