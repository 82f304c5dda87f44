package developer_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/developer"
	"portal/web/pagetest"
)

func TestLogShowsRequestByID(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Manager)
	r.Says(r.Get("/test/logs"), 200, "No requests yet")
	old := y.Asked(func(r *developer.Request) { r.Status = 500 })
	y.Now = y.Now.Add(91 * 24 * time.Hour)
	for range 26 {
		y.Asked(func(*developer.Request) {})
	}
	one := y.Asked(func(r *developer.Request) {
		r.Status = 400
		r.Code = "invalid_field"
		r.Param = "city"
		r.Method = "POST"
		r.Operation = "create_property"
		r.Path = "/api/v1/external/properties"
		r.Query = "a=b"
	})
	for path, want := range map[string]int{
		"":                           25,
		"?status=4xx":                1,
		"?status=5xx":                0,
		"?operation=create_property": 1,
		"?method=POST":               1,
		"?method=%00":                25,
		"?operation=%00":             0,
		"?path=propert":              1,
		"?path=%00propert%ff":        1,
		"?path=%25":                  0,
		"?key=%00":                   0,
		"?to=2026-11-12":             0,
		"?after=%00":                 25,
	} {
		if got := strings.Count(r.Get("/test/logs"+path).Body.String(), `href="/test/logs/req_`); got != want {
			t.Errorf("%q lists %d, want %d", path, got, want)
		}
	}
	r.Says(r.Get("/test/logs?status=5xx"), 200, "No requests match these filters")
	for _, want := range []string{"All 27", "Succeeded 26", "4xx 1", "5xx 0", "Newest first"} {
		r.Says(r.Get("/test/logs"), 200, want)
	}
	filtered := r.Get("/test/logs?path=propert")
	shown := y.Now.UTC().Format(`title="Jan 2, 2006, 3:04:05 PM UTC">Jan 2, 3:04:05 PM<`)
	if !strings.Contains(filtered.Body.String(), shown) {
		t.Errorf("the log does not show %s", shown)
	}
	if r.Says(filtered, 200, "Succeeded"); strings.Contains(filtered.Body.String(), ">26<") {
		t.Error("what is filtered further is counted like the whole log")
	}
	oldest := r.Get("/test/logs?sort=oldest")
	if strings.Contains(oldest.Body.String(), "/logs/"+one) || strings.Contains(oldest.Body.String(), "Pause updates") {
		t.Error("the oldest requests begin with the newest, or are live")
	}
	r.Says(r.Get(pagetest.Link(t, oldest, "Next")), 200, "POST /properties")
	page := r.Get("/test/logs/" + one)
	for _, want := range []string{
		"POST /properties", "400", "invalid_field", "Field", "2,048 bytes", "1.2 ms",
		"192.0.2.1",
	} {
		r.Says(page, 200, want)
	}
	s := y.Stranger()
	s.Says(s.Get("/test/logs/"+one), 404, "")
	for _, path := range []string{"/live/logs/" + one, "/test/logs/" + old, "/test/logs/x%00"} {
		r.Says(r.Get(path), 404, "")
	}
}

func TestRequestDataNeverRunsAsScript(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Owner)
	for _, evil := range pagetest.Hostile {
		at := y.Asked(func(r *developer.Request) {
			r.Method = evil
			r.Path = evil
			r.Query = evil
			r.UserAgent = evil
			r.Code = evil
			r.Param = evil
			r.Operation = evil
			r.KeyID = evil
			r.IdempotencyKey = evil
		})
		pagetest.Inert(t, r.Get("/test/logs/"+at))
		pagetest.Inert(t, r.Get("/test/logs?path="+url.QueryEscape(evil)+"&operation="+url.QueryEscape(evil)))
	}
	pagetest.Inert(t, r.Get("/test/logs"))
}

func TestRequestPageShowsBodyOnlyToItsPortfolio(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, s := y.Member(access.Manager), y.Stranger()
	one := y.SentWith("POST", `{"name":"O'Hara","password":"x"}`)
	page := r.Get("/test/logs/" + one)
	for _, want := range []string{
		"A secret was taken out of the body, so a command would not send the same.",
		"Secrets are removed", `"name": "O'Hara"`, "X-Request-Id", `"code": "invalid_field"`,
	} {
		r.Says(page, 200, want)
	}
	whole := r.Get("/test/logs/" + y.SentWith("POST", `{"name":"O'Hara"}`))
	r.Says(whole, 200, `--data-raw '{"name":"O'\''Hara"}'`)
	at := func(text string) int { return strings.Index(whole.Body.String(), text) }
	if at("Response body") > at("--data-raw") || at("--data-raw") > at("Duration") {
		t.Error("the command is not between the bodies and the facts")
	}
	r.Says(r.Get("/test/logs/"+y.SentWith("DELETE", "")), 200, "The request had no body.")
	r.Says(r.Get("/test/logs/"+y.Asked(func(*developer.Request) {})), 200, "This request only read data.")
	s.Says(s.Get("/test/logs/"+one), 404, "")
	r.Says(r.Get("/live/logs/"+one), 404, "")
	for _, evil := range pagetest.Hostile {
		pagetest.Inert(t, r.Get("/test/logs/"+y.SentWith("POST", evil)))
	}
	refused := `{"error":{"message":"2 fields are wrong.","errors":[{"param":"city","message":"city is missing."},` +
		`{"param":"units.0.bedrooms","message":"bedrooms must be a whole number."}]}}`
	page = r.Get("/test/logs/" + y.Exchanged("POST", "", "", `{}`, refused))
	r.Says(page, 200, "Errorscitycity is missing.units.0.bedroomsbedrooms must be a whole number.")
	r.Says(r.Get("/test/logs/"+y.Exchanged("POST", "", "", `{}`, `{"error":{"message":"No such record."}}`)), 200,
		"ErrorMessageNo such record.")
}

func TestLongBodyIsTruncatedAndDownloadableInFull(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, s := y.Member(access.Manager), y.Stranger()
	sent := `{"notes":"` + strings.Repeat(`O'Hara <b> `, 1_400) + `"}`
	answered := "[" + strings.Repeat(`{"id":1},`, 1_700) + `{"id":2}]`
	one := y.Exchanged("POST", "", "", sent, answered)
	for _, at := range []string{"/test/logs/" + one, "/test/logs?request=" + one} {
		page := r.Get(at)
		for _, want := range []string{
			"This is the beginning of 15,412 bytes.", "This is the beginning of 15,310 bytes.",
			"--data-binary @request.json",
		} {
			r.Says(page, 200, want)
		}
		if n := page.Body.Len(); n > 60_000 {
			t.Errorf("%s has %d bytes", at, n)
		}
		for body, want := range map[string]string{"request": sent, "response": answered} {
			file := r.Get(pagetest.Link(t, page, "Download the whole "+body+" body"))
			h := file.Header()
			if file.Body.String() != want || h.Get("Cache-Control") != "no-store" ||
				h.Get("Content-Disposition") != `attachment; filename="`+body+`.json"` {
				t.Errorf("%s: %d bytes, %v", body, file.Body.Len(), h)
			}
		}
	}
	s.Says(s.Get("/test/logs/"+one+"?body=request"), 404, "")
	r.Says(r.Get("/live/logs/"+one+"?body=request"), 404, "")
	r.Says(r.Get("/test/logs/"+one+"?body=other"), 200, "This is the beginning of")
	text := y.Exchanged("POST", "", "", strings.Repeat("no JSON ", 1_000), "{}")
	page := r.Get("/test/logs/" + text)
	r.Says(page, 200, "--data-binary @request.txt")
	if kind := r.Get(pagetest.Link(t, page, "Download the whole request body")).Header().
		Get("Content-Type"); kind != "text/plain; charset=utf-8" {
		t.Error(kind)
	}
}
