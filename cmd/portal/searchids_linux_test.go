package main

import (
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// Whatever has an id and a page is found by it and opened, in the mode that it is in.
func TestSearchOpensEveryKindOfID(t *testing.T) {
	t.Parallel()
	s := newHome(t).serve(t)
	u := newUploader(t, s)
	for _, body := range []string{`{"type":"lease.signed"}`, `{"type":"nonsense"}`} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
			u.base+"/api/v1/external/test_helpers/events", strings.NewReader(body))
		orFail(t, err)
		r.Header.Set("Authorization", "Bearer "+s.vars["PORTAL_TEST_KEY"])
		r.Header.Set("Content-Type", "application/json")
		response, err := u.client.Do(r)
		orFail(t, err)
		response.Body.Close()
	}
	opened := 0
	for list, page := range map[string]string{
		"/test/events":              "/test/events/(evt_[0-9A-Z]+)",
		"/test/webhooks":            "/test/webhooks/(we_[0-9A-Z]+)",
		"/test/webhooks/deliveries": "/test/webhooks/deliveries/(del_[0-9A-Z]+)",
		"/test/logs":                "/test/logs/(req_[0-9A-Z]+)",
		"/test/activity":            "/test/activity/(call_[0-9A-Z]+)",
		"/test/mail":                "/test/mail/(mail_[0-9A-Z]+)",
		"/test/applications":        "/test/applications/(lead_[0-9A-Z]+)",
		"/keys":                     "/keys/(key_[0-9A-Z]+)",
		"/test/tickets":             "/test/tickets/(tkt_[0-9A-Z]+)",
		"/test/ledger":              "/test/ledger/(pay_[0-9A-Z]+)",
	} {
		var found []string
		shown := regexp.MustCompile(page)
		look := func() bool { found = shown.FindStringSubmatch(u.shows(list)); return found != nil }
		if list == "/test/logs" { // is written a moment after the answer
			eventually(t, "the log has the request", look)
		} else if !look() {
			t.Logf("%s is empty", list)
			continue
		}
		opened++
		at, id := found[0], found[1]
		if to := u.leads("/test/search?q=" + id); to != at {
			t.Errorf("searching %s leads to %q", id, to)
		}
		if !strings.Contains(u.shows("/test/palette?q="+id), `href="`+at+`"`) {
			t.Errorf("the palette does not find %s", id)
		}
		if list == "/test/logs" && u.leads("/test/logs?path="+id) != at {
			t.Errorf("the log does not find %s", id)
		}
		if list == "/keys" { // are no mode's
			continue
		}
		if !strings.Contains(u.shows("/live/search?q="+id), "No record has this ID.") ||
			strings.Contains(u.shows("/live/palette?q="+id), id+`"`) {
			t.Errorf("the other mode finds %s", id)
		}
	}
	if opened < 7 {
		t.Errorf("only %d kinds were tried", opened)
	}
	u.opensTransaction()
	for _, absent := range []string{
		"txn_01KA5R2M7Q8D4E6F9G1H3J5K7M",
		"req_01KA5R2M7Q8D4E6F9G1H3J5K7M", "evt_01KA5R2M7Q8D4E6F9G1H3J5K7M", "key_01KA5R2M7Q8D4E6F9G1H3J5K7M",
		"mail_01KA5R2M7Q8D4E6F9G1H3J5K7M", "lead_01KA5R2M7Q8D4E6F9G1H3J5K7M", "call_01KA5R2M7Q8D4E6F9G1H3J5K7M",
	} {
		if !strings.Contains(u.shows("/test/search?q="+absent), "No record has this ID.") {
			t.Errorf("%s is found", absent)
		}
	}
}

// opensTransaction checks that a transaction is found on the page of its charge.
func (u *uploader) opensTransaction() {
	u.Helper()
	charge := regexp.MustCompile(`/test/ledger/pay_[0-9A-Z]+`).FindString(u.shows("/test/ledger?status=succeeded"))
	moves := regexp.MustCompile(`<li id="(txn_[0-9A-Z]+)"`).FindStringSubmatch(u.shows(charge))
	if moves == nil {
		u.Fatalf("%s has no transaction", charge)
	}
	at := charge + "#" + moves[1]
	if to := u.leads("/test/search?q=" + moves[1]); to != at {
		u.Errorf("searching %s leads to %q, want %q", moves[1], to, at)
	}
	if !strings.Contains(u.shows("/test/palette?q="+moves[1]), `href="`+at+`"`) {
		u.Errorf("the palette does not find %s", moves[1])
	}
	if !strings.Contains(u.shows("/test/ledger?search="+moves[1]), `href="`+charge+`"`) {
		u.Errorf("the ledger does not find %s", moves[1])
	}
	if !strings.Contains(u.shows("/live/search?q="+moves[1]), "No record has this ID.") {
		u.Errorf("the other mode finds %s", moves[1])
	}
}

// shows is the text of a page.
func (u *uploader) shows(path string) string {
	u.Helper()
	response, err := u.client.Get(u.base + path)
	orFail(u.T, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	orFail(u.T, err)
	return string(text)
}

// leads is where a page leads at once.
func (u *uploader) leads(path string) string {
	u.Helper()
	response, err := u.client.Get(u.base + path)
	orFail(u.T, err)
	response.Body.Close()
	return response.Header.Get("Location")
}
