package web_test

import (
	"context"
	"log/slog"
	"net/url"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/secret"
	"portal/db/developerstore"
)

// asked is a request of a program.
func (y *webhookPages) asked(change func(*developer.Request)) string {
	y.Helper()
	y.now = y.now.Add(time.Second)
	r := developer.Request{ID: id.New(id.Request, y.now), At: clock.At(y.now), AccountID: y.home.AccountID, PortfolioID: y.home.Test.ID, KeyID: "key_1", Operation: "list_leases",
		Method: "GET", Path: "/api/v1/external/leases", Status: 200, Duration: 1200 * time.Microsecond, Bytes: 2048, Address: "192.0.2.1", UserAgent: "curl/8"}
	change(&r)
	y.ok(developerstore.NewRequests(y.db).AddRequests(y.Context(), []developer.Request{r}))
	return r.ID
}

func TestTheLogShowsEachRequestByItsID(t *testing.T) {
	y := newWebhookPages(t)
	r := y.member(access.Manager)
	r.says(r.get("/test/logs"), 200, "No request was logged yet")
	old := y.asked(func(r *developer.Request) { r.Status = 500 })
	y.now = y.now.Add(91 * 24 * time.Hour)
	for range 26 {
		y.asked(func(*developer.Request) {})
	}
	one := y.asked(func(r *developer.Request) {
		r.Status, r.Code, r.Param, r.Method, r.Operation, r.Path, r.Query = 400, "invalid_field", "city", "POST", "create_property", "/api/v1/external/properties", "a=b"
	})
	for path, want := range map[string]int{"": 25, "?status=4xx": 1, "?status=5xx": 0, "?operation=create_property": 1, "?operation=%00": 0, "?path=propert": 1, "?path=%00propert%ff": 1, "?path=%25": 0, "?key=%00": 0, "?to=2026-11-12": 0, "?after=%00": 25} {
		if got := strings.Count(r.get("/test/logs"+path).Body.String(), `href="/test/logs/req_`); got != want {
			t.Errorf("%q lists %d, want %d", path, got, want)
		}
	}
	r.says(r.get("/test/logs?status=5xx"), 200, "No requests match these filters")
	page := r.get("/test/logs/" + one)
	for _, want := range []string{"POST /properties", "400", "invalid_field", "Field at fault", "2,048 bytes", "1.2ms", "192.0.2.1"} {
		r.says(page, 200, want)
	}
	s := y.stranger()
	s.says(s.get("/test/logs/"+one), 404, "")
	for _, path := range []string{"/live/logs/" + one, "/test/logs/" + old, "/test/logs/x%00"} {
		r.says(r.get(path), 404, "")
	}
}

func TestNothingThatAProgramAsksRuns(t *testing.T) {
	y := newWebhookPages(t)
	r := y.member(access.Owner)
	for _, evil := range hostile {
		at := y.asked(func(r *developer.Request) {
			r.Method, r.Path, r.Query, r.UserAgent, r.Code, r.Param, r.Operation, r.KeyID, r.IdempotencyKey = evil, evil, evil, evil, evil, evil, evil, evil, evil
		})
		inert(t, r.get("/test/logs/"+at))
		inert(t, r.get("/test/logs?path="+url.QueryEscape(evil)+"&operation="+url.QueryEscape(evil)))
	}
	inert(t, r.get("/test/logs"))
}

// sentWith is a request of a program, with what was sent.
func (y *webhookPages) sentWith(method, body string) string {
	y.Helper()
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	y.ok(err)
	y.now = y.now.Add(time.Second)
	line := developer.Request{ID: id.New(id.Request, y.now), At: clock.At(y.now), AccountID: y.home.AccountID, PortfolioID: y.home.Test.ID, KeyID: "key_1", Operation: "create_property",
		Method: method, Path: "/api/v1/external/properties", Status: 400, Code: "invalid_field"}
	r := developer.NewRecorder(developerstore.NewRequests(y.db), box, slog.New(slog.DiscardHandler))
	r.Record(line, &developer.Sent{Target: line.Path + "?a=" + url.QueryEscape(body),
		Request: developer.SentMessage{Headers: []developer.Header{{Name: "Content-Type", Value: "application/json"}, {Name: "X-Odd", Value: body}}, Body: []byte(body), Size: int64(len(body))},
		Answer:  developer.SentMessage{Headers: []developer.Header{{Name: "X-Request-Id", Value: line.ID}}, Body: []byte(`{"error":{"code":"invalid_field"}}`), Size: 34}})
	ended, end := context.WithCancel(y.Context())
	end()
	r.Run(ended)
	return line.ID
}

func TestThePageOfARequestShowsWhatWasSentToItsPortfolioAlone(t *testing.T) {
	y := newWebhookPages(t)
	r, s := y.member(access.Manager), y.stranger()
	one := y.sentWith("POST", `{"name":"O'Hara","password":"x"}`)
	page := r.get("/test/logs/" + one)
	for _, want := range []string{"A secret was taken out of the body, so a command would not send the same.", "Secrets were taken out", `"name": "O'Hara"`, "X-Request-Id", `"code": "invalid_field"`} {
		r.says(page, 200, want)
	}
	r.says(r.get("/test/logs/"+y.sentWith("POST", `{"name":"O'Hara"}`)), 200, `--data-raw '{"name":"O'\''Hara"}'`)
	r.says(r.get("/test/logs/"+y.sentWith("DELETE", "")), 200, "The request had no body.")
	r.says(r.get("/test/logs/"+y.asked(func(*developer.Request) {})), 200, "This request only read.")
	s.says(s.get("/test/logs/"+one), 404, "")
	r.says(r.get("/live/logs/"+one), 404, "")
	for _, evil := range hostile {
		inert(t, r.get("/test/logs/"+y.sentWith("POST", evil)))
	}
}
