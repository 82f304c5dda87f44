package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// pretender answers as the demo does, as far as a mixture asks, and notes what it is asked.
type pretender struct {
	mu    sync.Mutex
	asked map[string]int
	enter string // what the form of the sign-in was sent
	keys  map[string]bool
	done  func() // all is asked
}

func (p *pretender) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	p.mu.Lock()
	defer p.mu.Unlock()
	what := r.Method + " " + strings.TrimPrefix(r.URL.Path, "/api/v1/external")
	p.asked[what]++
	if key := r.Header.Get("Idempotency-Key"); key != "" {
		p.keys[key] = true
	}
	switch what {
	case "POST /webhooks/endpoints":
		w.WriteHeader(http.StatusCreated)
	case "GET /properties":
		_, _ = io.WriteString(w, `{"data":[{"id":"prop_1"}]}`)
	case "GET /sign-in":
		_, _ = io.WriteString(w, `<input type="hidden" name="token" value="of this form">`)
	case "POST /sign-in":
		p.enter = string(body)
	}
	if len(p.asked) > 20 {
		p.done()
	}
}

func TestMixtureRequestsEverythingInTurn(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	p := &pretender{asked: map[string]int{}, keys: map[string]bool{}, done: cancel}
	server := httptest.NewServer(p)
	defer server.Close()
	m, err := newMixture(ctx, &demo{url: server.URL, said: map[string]string{"PORTAL_DEMO_PASSWORD": "secret words"}})
	if err != nil {
		t.Fatal(err)
	}
	defer m.receiver.Close()
	m.run(ctx, 0)
	for _, what := range []string{
		"GET /payments", "POST /maintenance/tickets", "PATCH /properties/prop_1",
		"POST /test_helpers/events", "POST /mcp", "GET /test/overview", "GET /test/leases",
	} {
		if p.asked[what] == 0 {
			t.Errorf("%s was never asked: %v", what, p.asked)
		}
	}
	if writes := p.asked["POST /maintenance/tickets"] + p.asked["PATCH /properties/prop_1"]; len(p.keys) < writes {
		t.Errorf("%d keys for %d writes", len(p.keys), writes)
	}
	if p.enter != "email=&password=secret+words&token=of+this+form" {
		t.Errorf("the form of the sign-in was sent %s", p.enter)
	}
	if said := m.String(); !strings.Contains(said, "answers of status 200") {
		t.Errorf("it says %s", said)
	}
}

func TestMemoryIsReadFromProcessStatus(t *testing.T) {
	t.Parallel()
	status := []byte("Name:\tportal\nVmRSS:\t  100000 kB\nRssAnon:\t   50000 kB\n")
	if got := kept(status, "RssAnon:"); got != 51.2 {
		t.Errorf("RssAnon is %v MB, want 51.2", got)
	}
	if got := kept(status, "VmSwap:"); got != 0 {
		t.Errorf("what is not there is %v MB", got)
	}
}
