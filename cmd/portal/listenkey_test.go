package main

import (
	"crypto/rand"
	"encoding/json"
	"hash/crc32"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"portal/api/webhook/signature"
	"portal/cmd/portal/cli"
)

// strangersKey has the form and the checksum of a key, but nobody made it.
func strangersKey(mode string) string {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	key := "sk_" + mode + "_pm_" + (rand.Text() + rand.Text())[:43]
	var sum [6]byte
	for i, n := 5, crc32.ChecksumIEEE([]byte(key)); i >= 0; i, n = i-1, n/62 {
		sum[i] = digits[n%62]
	}
	return key + string(sum[:])
}

func TestInvalidAPIKeyIsRefusedWithoutRequest(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.WriteHeader(http.StatusUnauthorized)
	}))
	t.Cleanup(server.Close)
	right, h := strangersKey("test"), newHome(t)
	first := byte('X')
	if right[len("sk_test_pm_")] == first {
		first = 'Y'
	}
	for key, why := range map[string]string{
		"":                   "--key is required",
		"hunter2":            "checksum",
		right[:len(right)-1]: "checksum",
		right + " ":          "checksum",
		"sk_test_pm_" + string(first) + right[12:]: "checksum",
		strangersKey("live"):                       "live key",
		"sk_test_" + strings.Repeat("é", 26):       "checksum",
	} {
		for _, args := range [][]string{
			{"listen", "--forward", "http://localhost:1", "--url", server.URL, "--key", key},
			{"trigger", "lease.signed", "--url", server.URL, "--key", key},
		} {
			code, out, err := h.inside(t, "", args...)
			if code != cli.ExitMisuse || out != "" || !strings.Contains(err, why) ||
				strings.Contains(err, "whsec_") || key != "" && strings.Contains(err, key) {
				t.Errorf("portal %s with %q: exit code %d, printed %q and %q", args[0], key, code, out, err)
			}
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("the service was asked %d times", n)
	}
}

func TestListenShowsNoSecretBeforeKeyIsAccepted(t *testing.T) {
	t.Parallel()
	s := newHome(t).serveInside(t)
	revoked := s.asJSON(t, "", "key", "create", demoLandlord, "--name", "old", "--mode", "test").(map[string]any)
	s.asJSON(t, "", "key", "revoke", revoked["id"].(string))
	for key, why := range map[string]string{
		strangersKey("test"):          "does not exist. Check",
		revoked["plaintext"].(string): "has been revoked",
	} {
		for _, more := range [][]string{nil, {"--json"}} {
			code, out, err := s.inside(t, "", append([]string{
				"listen", "--forward", "http://localhost:1", "--url", s.vars["PORTAL_URL"],
				"--key", key,
			}, more...)...)
			if code != cli.ExitFailed || out != "" || !strings.Contains(err, why) || strings.Contains(err, "whsec_") {
				t.Errorf("exit code %d, printed %q and %q", code, out, err)
			}
		}
	}
	nowhere := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(nowhere.Close)
	code, out, err := s.inside(
		t,
		"",
		"listen",
		"--forward",
		"http://localhost:1",
		"--url",
		nowhere.URL,
		"--key",
		s.vars["PORTAL_TEST_KEY"],
	)
	if code != cli.ExitFailed || out != "" || !strings.Contains(err, nowhere.URL+" isn't this service") {
		t.Errorf("another server: exit code %d, printed %q and %q", code, out, err)
	}
	l := s.beginInside(
		t,
		"listen",
		"--json",
		"--forward",
		"http://localhost:1",
		"--url",
		"http://"+freeAddress(t),
		"--key",
		s.vars["PORTAL_TEST_KEY"],
	)
	l.until(t, "trying again")
	if l.end() != cli.ExitDone || l.out.String() != "" || strings.Contains(l.err.String(), "whsec_") {
		t.Errorf("without a server: exit code %d, printed %q and %q", l.code, &l.out, &l.err)
	}
}

func TestListenReusesSecretAndAddsHeaders(t *testing.T) {
	t.Parallel()
	s, h := newHome(t).serveInside(t), newHook(t, http.StatusOK)
	var first string
	for i := range 2 {
		l := s.beginInside(
			t,
			"listen",
			"--json",
			"--forward",
			h.URL,
			"--url",
			s.vars["PORTAL_URL"],
			"--key",
			s.vars["PORTAL_TEST_KEY"],
			"--header",
			"X-Branch: fix: colons",
			"--header",
			"Authorization:Basic abc",
			"--header",
			"Host: app.local",
		)
		l.until(t, "connected to")
		var intro struct {
			SigningSecret string `json:"signing_secret"`
		}
		err := json.Unmarshal([]byte(strings.SplitN(l.out.String(), "\n", 2)[0]), &intro)
		if err != nil || !strings.HasPrefix(intro.SigningSecret, "whsec_") {
			t.Fatalf("%q: %v", &l.out, err)
		}
		if i == 0 {
			first = intro.SigningSecret
		}
		if intro.SigningSecret != first {
			t.Error("the second secret is another one")
		}
		s.asJSON(t, "", "trigger", demoLandlord, "maintenance.created")
		h.wait(t, i+1)
		got := h.got()[i]
		p := signature.Pasted{
			Header:    got.Header,
			Body:      got.body,
			Secrets:   []string{first},
			Tolerance: signature.Tolerance,
		}
		if v := signature.Judge(p, time.Now()); !v.Valid {
			t.Errorf("it does not verify: %+v", v)
		}
		if got.Get("X-Branch") != "fix: colons" || got.Get("Authorization") != "Basic abc" || got.host != "app.local" {
			t.Errorf("the headers are %v, the host is %s", got.Header, got.host)
		}
		l.end()
	}
	other := s.newKeyInside(t)
	l := s.beginInside(t, "listen", "--forward", h.URL, "--url", s.vars["PORTAL_URL"], "--key", other)
	l.until(t, "connected to")
	if strings.Contains(l.out.String(), first) || strings.Count(l.out.String(), "whsec_") != 1 {
		t.Errorf("another key: %s", &l.out)
	}
}

// newKeyInside is a test key of the demo's landlord.
func (s *servedInside) newKeyInside(t *testing.T) string {
	t.Helper()
	return s.asJSON(
		t,
		"",
		"key",
		"create",
		demoLandlord,
		"--name",
		"more",
		"--mode",
		"test",
	).(map[string]any)["plaintext"].(string)
}

func TestListenRefusesUnsendableHeader(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	for header, why := range map[string]string{
		"X-Branch":                 "'NAME: VALUE'",
		": x":                      "'NAME: VALUE'",
		"X Branch: x":              "'NAME: VALUE'",
		"X-Branch: a\nb: c":        "'NAME: VALUE'",
		"Webhook-Signature: x":     "Webhook-Signature",
		"x-service-signature: x":   "X-Service-Signature",
		"Content-Length: 3":        "Content-Length",
		"transfer-encoding: x":     "Transfer-Encoding",
		"content-type: text/plain": "Content-Type",
	} {
		code, out, err := h.inside(
			t,
			"",
			"listen",
			"--key",
			strangersKey("test"),
			"--forward",
			"http://localhost:1",
			"--url",
			"http://localhost:1",
			"--header",
			header,
		)
		if code != cli.ExitMisuse || out != "" || !strings.Contains(err, why) {
			t.Errorf("%q: exit code %d, printed %q and %q", header, code, out, err)
		}
	}
}

func TestListenReplaysEventAsSent(t *testing.T) {
	t.Parallel()
	s, h := newHome(t).serveInside(t), newHook(t, http.StatusOK)
	arguments := []string{"--key", s.vars["PORTAL_TEST_KEY"], "--url", s.vars["PORTAL_URL"]}
	record := s.asJSON(t, "", append([]string{
		"trigger", "maintenance.created",
	}, arguments...)...).(map[string]any)["id"].(string)
	event := s.value(t, "SELECT id FROM events WHERE type = 'maintenance.created' ORDER BY id DESC LIMIT 1")
	sent := s.value(t, "SELECT body FROM events WHERE id = $1", event)
	if !strings.Contains(sent, record) {
		t.Errorf("the event is not about %s: %s", record, sent)
	}
	l := s.beginInside(t, append([]string{
		"listen", "--replay", event, "--events", "lease.signed", "--forward", h.URL,
	}, arguments...)...)
	l.until(t, "connected to")
	if came := h.wait(t, 1); came[0] != event || string(h.got()[0].body) != sent {
		t.Errorf("%s came: %s, want %s", came, h.got()[0].body, sent)
	}
	for _, c := range []struct {
		id   string
		code int
		says string
	}{
		{"tkt_1", cli.ExitMisuse, "--replay must be the ID"},
		{"evt_01KA5R2M7Q8D4E6F9G1H3J5K7M", cli.ExitFailed, "No event"},
	} {
		code, out, err := s.inside(t, "", append([]string{
			"listen", "--replay", c.id, "--forward", h.URL,
		}, arguments...)...)
		if code != c.code || out != "" || !strings.Contains(err, c.says) {
			t.Errorf("%s: exit code %d, printed %q and %q", c.id, code, out, err)
		}
	}
}

func TestTriggerWorksRemotelyWithTestKey(t *testing.T) {
	t.Parallel()
	s := newHome(t).serveInside(t)
	elsewhere := newHome(t)
	for kind, table := range map[string]string{
		"lease.signed":        "leases",
		"payment.succeeded":   "payments",
		"maintenance.created": "tickets",
	} {
		code, out, err := elsewhere.inside(
			t,
			"",
			"trigger",
			kind,
			"--key",
			s.vars["PORTAL_TEST_KEY"],
			"--url",
			s.vars["PORTAL_URL"],
			"--count",
			"2",
		)
		ids := strings.Fields(out)
		if code != cli.ExitDone || err != "" || len(ids) != 2 {
			t.Fatalf("%s: exit code %d, printed %q and %q", kind, code, out, err)
		}
		if n := s.value(t, "SELECT count(*) FROM "+table+" WHERE id IN ($1, $2)", ids[0], ids[1]); n != "2" {
			t.Errorf("%s: %s of the records %v are there", kind, n, ids)
		}
	}
	reader := s.newKeyInside(t)
	code, out, err := elsewhere.inside(t, "", "trigger", "lease.signed", "--key", reader, "--url", s.vars["PORTAL_URL"])
	if code != cli.ExitFailed || out != "" || !strings.Contains(err, "write") {
		t.Errorf("a key that only reads: exit code %d, printed %q and %q", code, out, err)
	}
	for line, why := range map[string]string{
		"trigger lease.signed":                                  "name the landlord",
		"trigger dana@example.com lease.signed --key K":         "not both",
		"trigger lease.eaten --key K":                           "there is no event",
		"trigger lease.signed --url http://localhost:1":         "--key is required",
		"trigger lease.signed --key K --url localhost":          "--url must be",
		"trigger lease.signed --count 0 --key K --url http://x": "--count",
	} {
		if code, out, err := elsewhere.inside(t, "", strings.Fields(line)...); code != cli.ExitMisuse ||
			out != "" || !strings.Contains(err, why) {
			t.Errorf("portal %s: exit code %d, printed %q and %q", line, code, out, err)
		}
	}
	if _, err := os.Stat(elsewhere.data); !os.IsNotExist(err) {
		t.Errorf("it made a data folder: %v", err)
	}
}
