package main

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/event"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/webhook"
	"portal/api/webhook/signature"
	"portal/cmd/portal/cli"
	"portal/cmd/portal/listen"
	"portal/db/webhookstore"
)

// hook is a receiver on the developer's machine.
type hook struct {
	*httptest.Server
	mu  sync.Mutex
	all []hooked
	odd []string // requests that no listener sends
}

type hooked struct {
	http.Header
	host string
	body []byte
}

func newHook(t *testing.T, status int) *hook {
	t.Helper()
	h := &hook{}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		h.mu.Lock()
		defer h.mu.Unlock()
		switch { // perhaps after the end of the test, which must not be told anything then
		case r.Method != http.MethodPost:
			h.odd = append(h.odd, r.Method+" "+r.URL.String())
			return
		case err != nil: // the listener ended while it sent
			return
		}
		h.all = append(h.all, hooked{r.Header, r.Host, body})
		w.WriteHeader(status)
	}))
	t.Cleanup(func() {
		h.Close()
		h.mu.Lock()
		defer h.mu.Unlock()
		if len(h.odd) > 0 {
			t.Errorf("the receiver got %q", h.odd)
		}
	})
	return h
}

func (h *hook) got() []hooked {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.all)
}

// wait waits for so many events and names them in the order in which they came.
func (h *hook) wait(t *testing.T, n int) (ids []string) {
	t.Helper()
	eventually(t, strconv.Itoa(n)+" events arrive", func() bool { return len(h.got()) >= n })
	for _, one := range h.got() {
		ids = append(ids, one.Get("Webhook-Id"))
	}
	return ids
}

// world raises events in a demo portfolio beside the running server.
type world struct {
	*product
	t  *testing.T
	in access.Portfolio
}

func (s *service) world(t *testing.T) *world {
	t.Helper()
	env := func(name string) string {
		for _, e := range s.env {
			if k, v, _ := strings.Cut(e, "="); k == name {
				return v
			}
		}
		return ""
	}
	c, err := configure(env)
	if err != nil {
		t.Fatal(err)
	}
	p, err := openProduct(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	caller, err := p.Developer.Authenticate(t.Context(), "Bearer "+s.vars["PORTAL_TEST_KEY"])
	if err != nil {
		t.Fatal(err)
	}
	w := &world{p, t, caller.Portfolio}
	w.silence()
	return w
}

// silence disables the demo's endpoints, which lie elsewhere.
func (w *world) silence() {
	w.t.Helper()
	by := cli.Operator(w.in)
	page, err := w.Webhook.Endpoints(w.t.Context(), by, list.Query{Limit: list.Max})
	for i := range page.Data {
		if err == nil {
			_, err = w.Webhook.DisableEndpoint(w.t.Context(), by, page.Data[i].ID)
		}
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// raise has so many things happen, each in a millisecond of its own so that their ids
// ascend, and names the events.
func (w *world) raise(kind webhook.Kind, n int) (ids []string) {
	w.t.Helper()
	before := w.events()
	var record any = &portfolio.Ticket{Title: "Tap that drips"}
	if kind == event.LeaseSigned {
		record = &portfolio.Lease{}
	}
	for range n {
		if err := w.Webhook.Raise(w.t.Context(), w.in, string(kind), record); err != nil {
			w.t.Fatal(err)
		}
		eventually(w.t, "the next millisecond begins", nextMillisecond())
	}
	for _, e := range w.events()[len(before):] {
		ids = append(ids, e.ID)
	}
	return ids
}

func nextMillisecond() func() bool {
	now := time.Now().UnixMilli()
	return func() bool { return time.Now().UnixMilli() > now }
}

func (w *world) events() []webhook.Event {
	w.t.Helper()
	all, err := webhookstore.New(w.DB).EventsAfter(context.WithoutCancel(w.t.Context()), w.in, "", 10_000)
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

// listen starts the command and waits until it is connected.
func (s *service) listen(t *testing.T, forward string, more ...string) *process {
	t.Helper()
	l := s.command(t, append([]string{"listen", "--key", s.vars["PORTAL_TEST_KEY"], "--forward", forward}, more...)...)
	l.begin(t)
	l.connected(t, 1)
	return l
}

func (p *process) connected(t *testing.T, times int) {
	t.Helper()
	eventually(t, "it is connected", func() bool {
		select {
		case <-p.over:
			t.Fatalf("it has ended: %s", &p.err)
		default:
		}
		// The secret is printed first, but to a stream of its own, which may be read later.
		return strings.Count(p.err.String(), "connected to") >= times && strings.Contains(p.out.String(), "whsec_")
	})
}

var printedSecret = regexp.MustCompile(`whsec_[A-Za-z0-9+/=]+`)

func TestListenForwardsEventsLikeDeliveries(t *testing.T) {
	t.Parallel()
	s, h := newHome(t).serve(t), newHook(t, http.StatusNoContent)
	w := s.world(t)
	w.raise(event.MaintenanceCreated, 1) // before anybody listened
	l := s.listen(t, h.URL+"/hooks?a=b")
	secrets := printedSecret.FindAllString(l.out.String(), -1)
	if len(secrets) != 1 {
		t.Fatalf("printed are %q", secrets)
	}
	raised := w.raise(event.MaintenanceCreated, 3)
	if came := h.wait(t, 3); !slices.Equal(came, raised) {
		t.Fatalf("%q came, want %q", came, raised)
	}
	for i, e := range w.events()[1:] {
		one := h.got()[i]
		if string(one.body) != string(e.Body) {
			t.Errorf("the body is %s, want %s", one.body, e.Body)
		}
		seconds, err := strconv.ParseInt(one.Get("Webhook-Timestamp"), 10, 64)
		if age := time.Since(time.Unix(seconds, 0)); err != nil || age < -time.Second || age > 30*time.Second {
			t.Errorf("it was signed %s ago: %v", age, err)
		}
		want := webhook.Headers(e.Type, one.Get("X-Service-Delivery"))
		signature.Sign(want, e.ID, time.Unix(seconds, 0), e.Body, signature.Secrets{Present: secrets[0]})
		want.Set("User-Agent", webhook.Agent(s.vars["PORTAL_URL"]))
		for name := range want {
			if one.Get(name) != want.Get(name) {
				t.Errorf("%s is %q, want %q", name, one.Get(name), want.Get(name))
			}
		}
	}
	line := regexp.MustCompile(`(?m)^\S+Z  maintenance\.created  ` + raised[0] + `  204  \d+ ms$`)
	eventually(t, "a line tells of the event", func() bool { return line.MatchString(l.out.String()) })
	l.signal(t, syscall.SIGINT)
	if code := l.end(t); code != cli.ExitDone {
		t.Errorf("exit code %d: %s", code, &l.err)
	}
	if strings.Contains(l.err.String(), "whsec_") || strings.Contains(l.err.String(), s.vars["PORTAL_TEST_KEY"]) {
		t.Errorf("a secret is told: %s", &l.err)
	}
}

func TestListenLosesNothingAcrossServerRestart(t *testing.T) {
	t.Parallel()
	s, h := newHome(t).serve(t), newHook(t, http.StatusOK)
	w := s.world(t)
	l := s.listen(t, h.URL)
	var raised []string
	s.signalAndEnd(t) // before the first event
	raised = append(raised, w.raise(event.MaintenanceCreated, 2)...)
	s = s.serve(t)
	h.wait(t, 2)
	raised = append(raised, w.raise(event.MaintenanceCreated, 150)...)
	h.wait(t, 20)
	s.kill() // among them
	raised = append(raised, w.raise(event.MaintenanceCreated, 3)...)
	s.serve(t)
	raised = append(raised, w.raise(event.MaintenanceCreated, 1)...)
	if came := h.wait(t, len(raised)); !slices.Equal(came, raised) {
		t.Errorf("%d events came, want %d, in their order and once", len(came), len(raised))
	}
	l.connected(t, 3)
	l.signalAndEnd(t)
}

func TestListenReportsDownReceiverAndContinues(t *testing.T) {
	t.Parallel()
	s, h := newHome(t).serve(t), newHook(t, http.StatusInternalServerError)
	w := s.world(t)
	address := h.Listener.Addr().String()
	h.Close()
	l := s.listen(t, "http://"+address, "--json")
	lost := w.raise(event.MaintenanceCreated, 1)[0]
	outcomes := func() (all []listen.Forwarded) {
		for line := range strings.Lines(l.out.String()) {
			var f listen.Forwarded
			if err := json.Unmarshal([]byte(line), &f); err != nil {
				t.Fatalf("%q is no line of JSON: %s", line, err)
			}
			all = append(all, f)
		}
		return all[1:] // behind the secret
	}
	eventually(t, "the failure is told", func() bool { return len(outcomes()) == 1 })
	if f := outcomes()[0]; f.ID != lost || f.StatusCode != nil || f.Error == nil || f.Tries != 3 {
		t.Errorf("told is %+v", f)
	}
	up := newHook(t, http.StatusInternalServerError)
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: up.Config.Handler, ReadHeaderTimeout: patience}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { server.Close() })
	next := w.raise(event.MaintenanceCreated, 1)[0]
	eventually(t, "the next one is told", func() bool { return len(outcomes()) == 2 })
	if f := outcomes()[1]; f.ID != next || f.StatusCode == nil || *f.StatusCode != 500 || f.Error != nil ||
		f.Tries != 1 {
		t.Errorf("told is %+v", f)
	}
	l.signalAndEnd(t)
}

func TestListenForwardsOnlyRequestedEventTypes(t *testing.T) {
	t.Parallel()
	s, h := newHome(t).serve(t), newHook(t, http.StatusOK)
	w := s.world(t)
	s.listen(t, h.URL, "--events", "lease.signed,endpoint.test")
	w.raise(event.MaintenanceCreated, 2)
	wanted := w.raise(event.LeaseSigned, 1)
	if came := h.wait(t, 1); !slices.Equal(came, wanted) {
		t.Errorf("%q came, want %q", came, wanted)
	}
}

func TestListenExitsWhenKeyIsRefused(t *testing.T) {
	t.Parallel()
	s := newHome(t).serve(t)
	key := s.newKey(t)
	l := s.command(
		t,
		"listen",
		"--key",
		*key.Plaintext,
		"--forward",
		"http://localhost:1",
		"--base-url",
		s.vars["PORTAL_URL"]+"/",
	)
	l.begin(t)
	l.connected(t, 1)
	s.do(t, "key", "revoke", key.ID)
	if code := l.end(t); code != cli.ExitFailed || !strings.Contains(l.err.String(), "The key has been revoked.") {
		t.Errorf("a revoked key: exit code %d: %s", code, &l.err)
	}
}

func TestListenUsageErrorsAreExplained(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	for wrong, args := range map[string][]string{
		"--forward must be":    {"--key", "k"},
		"--forward must be an": {"--key", "k", "--forward", "localhost:3000"},
		"--key is required":    {"--forward", "http://localhost:3000"},
		`"lease.sined" isn't an event type`: {"--key", "k", "--forward", "http://localhost:3000", "--events",
			"lease.sined"},
		"--url must be": {
			"--key", "k", "--forward", "http://localhost:3000", "--base-url", "portal.example.com",
		},
		"want 0 arguments":           {"--key", "k", "--forward", "http://localhost:3000", "more"},
		"flag provided but not defi": {"--forwards", "http://localhost:3000"},
	} {
		if code, _, said := h.run(t, append([]string{
			"listen",
		}, args...)...); code != cli.ExitMisuse || !strings.Contains(said, wrong) {
			t.Errorf("%q: exit code %d: %s", args, code, said)
		}
	}
}

func TestShutdownDoesNotWaitForStreams(t *testing.T) {
	t.Parallel()
	s := newHome(t).serve(t)
	s.listen(t, "http://localhost:1")
	began := time.Now()
	s.signalAndEnd(t)
	if took := time.Since(began); took > answerTime/2 {
		t.Errorf("the stop took %s", took)
	}
}
