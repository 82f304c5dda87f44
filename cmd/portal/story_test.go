package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"portal/api/rest"
	"portal/db/dbtest"
	"portal/web/webtest"
)

// story is a served portfolio with a mail server and a receiver of its events, for tests that follow people
// from one to the other.
type story struct {
	*testing.T
	*service
	browser  *webtest.Browser
	office   *mailServer
	receiver *receiver
	secret   string // of the webhook endpoint
}

func newStory(t *testing.T, b *webtest.Browser, env ...string) *story {
	t.Helper()
	s := &story{T: t, browser: b, office: newMailServer(t), receiver: newReceiver(t)}
	s.service = newHome(
		t,
		"PORTAL_ALLOW_INSECURE_WEBHOOKS=true",
		"SSL_CERT_FILE="+s.receiver.authority(t),
		"SMTP_URL=smtp://"+s.office.address,
		"PORTAL_MAIL_FROM=portal@example.com",
	).with(env...).released().serveFirst(t)
	return s
}

// onPostgres is the environment of a service with an empty PostgreSQL.
func onPostgres(t *testing.T) []string {
	t.Helper()
	return []string{
		"DATABASE_URL=" + dbtest.NewPostgres(t).Migrated(t),
		"PORTAL_SECRET_KEY=" + base64.StdEncoding.EncodeToString(make([]byte, 32)),
	}
}

// onOneDatabase tells a story with the environment of a service on oneDatabase. It is for stories in a browser: what
// they lead to is stored by stores that are tested on both.
func onOneDatabase(t *testing.T, tell func(t *testing.T, env ...string)) {
	t.Helper()
	sqlite, postgres := oneDatabase()
	if sqlite {
		t.Run("sqlite", func(t *testing.T) { tell(t) })
	}
	if postgres {
		t.Run("postgres", func(t *testing.T) { tell(t, onPostgres(t)...) })
	}
}

// live asks the API with the live key.
func (s *story) live(method, path, body string) map[string]any {
	s.Helper()
	r, err := http.NewRequestWithContext(
		s.Context(),
		method,
		s.vars["PORTAL_URL"]+rest.Base+path,
		strings.NewReader(body),
	)
	if err != nil {
		s.Fatal(err)
	}
	r.Header = http.Header{
		"Authorization": {"Bearer " + s.vars["PORTAL_LIVE_KEY"]},
		"Content-Type":  {"application/json"},
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.Fatal(err)
	}
	defer answer.Body.Close()
	var got map[string]any
	if err := json.NewDecoder(answer.Body).Decode(&got); err != nil || answer.StatusCode >= http.StatusBadRequest {
		s.Fatalf("%s %s: %d, %v, %v", method, path, answer.StatusCode, got, err)
	}
	return got
}

// listens has the receiver told of a kind of event.
func (s *story) listens(event string) {
	s.Helper()
	s.secret = s.live(http.MethodPost, "/webhooks/endpoints",
		`{"url":"`+s.receiver.URL+`/hooks","events":["`+event+`"]}`)["secret"].(string)
}

// about is the object of an event that came, whose signature has to be right.
func (s *story) about(r received) map[string]any {
	s.Helper()
	at, signature, _ := strings.Cut(strings.TrimPrefix(r.signature, "t="), ",v1=")
	mac := hmac.New(sha256.New, []byte(s.secret))
	mac.Write([]byte(at + "." + r.body))
	if hex.EncodeToString(mac.Sum(nil)) != signature {
		s.Errorf("an event is signed %s", r.signature)
	}
	var event struct {
		Data struct{ Object map[string]any }
	}
	if err := json.Unmarshal([]byte(r.body), &event); err != nil {
		s.Fatal(err)
	}
	return event.Data.Object
}

// fetch is the PDF at an address.
func (s *story) fetch(address string) []byte {
	s.Helper()
	r, err := http.NewRequestWithContext(s.Context(), http.MethodGet, address, http.NoBody)
	if err != nil {
		s.Fatal(err)
	}
	answer, err := new(http.Client).Do(r)
	if err != nil {
		s.Fatal(err)
	}
	defer answer.Body.Close()
	got, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "application/pdf" {
		s.Fatalf("%s: %s, %v", address, answer.Status, err)
	}
	return got
}
