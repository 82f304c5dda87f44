package main

import (
	"encoding/pem"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"portal/web/webtest"
)

// receiver is a receiver at https with a certificate that is checked.
type receiver struct {
	*httptest.Server
	mu  sync.Mutex
	got []received
}

type received struct{ id, signature, body string }

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	s := &receiver{}
	s.Server = httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.got = append(s.got, received{r.Header.Get("Webhook-Id"), r.Header.Get("X-Service-Signature"), string(body)})
	}))
	t.Cleanup(s.Close)
	return s
}

// authority is a file of the certificates that the service trusts.
func (s *receiver) authority(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "authority.pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{
		Type:  "CERTIFICATE",
		Bytes: s.Certificate().Raw,
	}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// came are the deliveries to a path that have come.
func (s *receiver) came(of string) (all []received) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.got {
		if strings.Contains(r.body, of) {
			all = append(all, r)
		}
	}
	return all
}

// TestSignUpToWebhookEndToEnd signs up, is let in by the staff, and has a webhook received and sent
// again: with a mouse, with the keyboard alone, on a phone, and where no script runs; two of the four in each run, by
// chance, and all for `make prove`. Not parallel, as a
// browser leaves those little of the machine that are about time.
func TestSignUpToWebhookEndToEnd(t *testing.T) {
	b := webtest.Open(t, webtest.Config{
		Program: os.Getenv("PORTAL_TEST_CHROMIUM"),
		Shots:   os.Getenv("PORTAL_TEST_SHOTS"),
	})
	receiver, office := newReceiver(t), newMailServer(t)
	s := newHome(
		t,
		"PORTAL_ALLOW_INSECURE_WEBHOOKS=true",
		"SSL_CERT_FILE="+receiver.authority(t),
		"SMTP_URL=smtp://"+office.address,
		"PORTAL_MAIL_FROM=portal@example.com",
	).serve(t)
	plain := webtest.Desktop
	plain.Plain = true
	people := map[string]*browserUser{
		"mouse":    {screen: webtest.Desktop},
		"keyboard": {screen: webtest.Desktop, keys: true},
		"phone":    {screen: webtest.Phone},
		"plain":    {screen: plain},
	}
	names := slices.Sorted(maps.Keys(people))
	if !proving {
		names = sample(t, names, 2)
	}
	for _, name := range names {
		h := people[name]
		t.Run(name, func(t *testing.T) {
			h.Window, h.at = b.Window(t), s.vars["PORTAL_URL"]
			staff := &browserUser{
				Window: b.Window(t),
				at:     h.at,
				screen: h.screen,
				keys:   h.keys,
			}
			w := &endToEnd{
				T:          t,
				service:    s,
				mailServer: office,
				receiver:   receiver,
				browser:    h,
				staff:      staff,
				email:      name + "@example.com",
			}
			w.signUp()
			w.isLetIn()
			w.asks(w.createsKey())
			w.receives(w.addsEndpoint())
		})
	}
}

// endToEnd is one person's, with the reviewer they meet.
type endToEnd struct {
	*testing.T
	*service
	mailServer *mailServer
	receiver   *receiver
	browser    *browserUser
	staff      *browserUser
	email      string
}

const secretWord = "correct horse battery"

func (w *endToEnd) signUp() {
	w.Helper()
	h := w.browser
	h.visit("/")
	h.goes(`main a[href="/sign-up"]`, "/sign-up")
	h.write("email", w.email)
	h.write("account_name", "Elm & Sons")
	h.write("password", secretWord)
	h.goes("main form button[type=submit]", "/sign-up/sent")
	link := w.mailServer.link(w.T, w.email, regexp.QuoteMeta(h.at)+`/verify/[\w-]{43}`)
	h.visit(strings.TrimPrefix(link, h.at))
	h.goes("main form button[type=submit]", "/overview")
	h.sees("Apply for access")
}

func (w *endToEnd) isLetIn() {
	w.Helper()
	h, s := w.browser, w.staff
	h.goes(`.steps a[href="/access"]`, "/access")
	h.write("use_case", "Our accounting reads the ledger each night, for "+w.email)
	h.tick("agreed_to_terms", "on")
	h.goes("main form button[type=submit]", "/access")
	h.sees("Needs review")

	s.visit("/sign-in")
	s.write("email", w.vars["PORTAL_DEMO_STAFF"])
	s.write("password", w.vars["PORTAL_DEMO_PASSWORD"])
	s.goes("main form button[type=submit]", "/staff/requests")
	s.goes(`main tbody a[href^="/staff/requests/"]`, "/staff/requests/areq_")
	s.sees(w.email)
	s.agrees(`main a[href$="/approve"]`, "/staff/requests/areq_")
	s.sees("Approved")
	w.mailServer.link(w.T, w.email, regexp.QuoteMeta(h.at)+`/keys`)
}

func (w *endToEnd) createsKey() (secret string) {
	w.Helper()
	h := w.browser
	h.visit("/overview")
	h.goes(`.steps a[href^="/keys/new"]`, "/keys/new")
	h.write("name", "Nightly")
	h.tick("scopes", "write")
	h.goes("main form button[type=submit]", "/keys")
	secret = h.Text(".secret code")
	h.goes(`main a[href^="/keys/key_"]`, "/keys/key_")
	if text := h.Text("main"); strings.Contains(text, secret) || !strings.Contains(text, "Active") {
		w.Errorf("the page of the key says %s", text)
	}
	return secret
}

// asks sends a first request, which the overview and the log tell of.
func (w *endToEnd) asks(key string) {
	w.Helper()
	if answer := w.me(w.T, key); answer.StatusCode != http.StatusOK {
		w.Fatal(answer.Status)
	}
	h := w.browser
	h.visit("/overview")
	h.sees("Receive a webhook")
	h.visit("/test/logs")
	h.sees("GET /me")
	h.visit("/usage")
	h.sees("Nightly")
}

func (w *endToEnd) addsEndpoint() (path string) {
	w.Helper()
	h := w.browser
	h.visit("/test/webhooks")
	h.goes(`main a[href="/test/webhooks/new"]`, "/test/webhooks/new")
	h.write("url", w.receiver.URL+"/"+w.email)
	h.goes("main form button[type=submit]", "/test/webhooks")
	if secret := h.Text(".secret code"); !strings.HasPrefix(secret, "whsec_") {
		w.Errorf("the secret is %q", secret)
	}
	h.goes(`main a[href^="/test/webhooks/we_"]`, "/test/webhooks/we_")
	return h.Path()
}

// receives has a test event sent, reads its delivery, and has it sent again.
func (w *endToEnd) receives(endpoint string) {
	w.Helper()
	h := w.browser
	id := strings.TrimPrefix(endpoint, "/test/webhooks/")
	h.goes(`main form[action$="/test"] button`, "/test/webhooks/")
	eventually(w.T, "the test event comes", func() bool { return len(w.receiver.came(id)) == 1 })
	if !strings.HasPrefix(h.Path(), "/test/webhooks/deliveries/") {
		h.visit("/test/webhooks/deliveries")
		h.goes(`main tbody a[href^="/test/webhooks/deliveries/del_"]`, "/test/webhooks/deliveries/del_")
	}
	h.sees("Delivered")
	h.sees("endpoint.test")
	h.goes(`main form[action$="/redeliver"] button`, "/test/webhooks/deliveries/del_")
	eventually(w.T, "it comes again", func() bool { return len(w.receiver.came(id)) == 2 })
	got := w.receiver.came(id)
	if got[0].id != got[1].id || got[0].body != got[1].body || got[0].id == "" ||
		!strings.HasPrefix(got[1].signature, "t=") {
		w.Errorf("%+v", got)
	}
	h.visit("/overview")
	h.sees("Recent events")
	if text := h.Text("main"); strings.Contains(text, "View first steps") {
		w.Errorf("there is more to do: %s", text)
	}
}
