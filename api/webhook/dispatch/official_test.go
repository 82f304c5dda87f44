package dispatch_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"portal/api/clock"
	"portal/api/event"
	"portal/api/id"
	"portal/api/webhook"
	"portal/api/webhook/signature"
	"portal/db/webhookstore"
)

// official is a receiver that verifies with the libraries of Stripe and of Standard
// Webhooks, and knows one secret.
type official struct {
	url    string
	client *http.Client
}

// startOfficial starts one that ends with the test. PORTAL_TEST_NODE_MODULES is where the
// libraries are installed; without it the test is skipped.
func startOfficial(t *testing.T, secret string) *official {
	t.Helper()
	modules := os.Getenv("PORTAL_TEST_NODE_MODULES")
	if modules == "" {
		t.Skip("PORTAL_TEST_NODE_MODULES is not set")
	}
	ctx, cancel := context.WithCancel(context.Background())
	c := exec.CommandContext(ctx, "node", "testdata/verify.mjs", secret)
	c.Env, c.Stderr = append(os.Environ(), "NODE_MODULES="+modules), os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.StdinPipe(); err != nil { // stays open as long as the test lives
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{}}
	t.Cleanup(func() {
		client.CloseIdleConnections()
		cancel()
		_ = c.Wait() // it is killed
	})
	port, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the receiver does not start: %v", err)
	}
	return &official{"http://127.0.0.1:" + strings.TrimSpace(port), client}
}

// post sends a signed body to / for both schemes, /stripe or /standard for one, and is
// "" when it was taken or else what the libraries said.
func (o *official) post(t *testing.T, path string, h http.Header, body []byte) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, o.url+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header = h
	response, err := o.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	said, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK && len(said) == 0 {
		t.Fatalf("answered %d: %v", response.StatusCode, err)
	}
	return string(said)
}

// signedNow signs by the real clock, which is that of the libraries.
func signedNow(body []byte, s signature.Secrets) http.Header { return signedAt(time.Now(), body, s) }

func signedAt(at time.Time, body []byte, s signature.Secrets) http.Header {
	h := http.Header{"Content-Type": {"application/json"}}
	signature.Sign(h, "evt_01KA5R2M7Q8D4E6F9G1H3J5K7M", at, body, s)
	return h
}

// characters are samples of every plane and of what goes wrong between languages: all
// of Latin, what HTML and JavaScript treat specially, marks that combine, right to
// left, joined emoji, the last ones before and behind the surrogates.
func characters() string {
	var b strings.Builder
	for r := rune(1); r < 0x3000; r++ {
		b.WriteRune(r)
	}
	for r := rune(0x3000); r <= utf8.MaxRune; r += 61 {
		if utf8.ValidRune(r) {
			b.WriteRune(r)
		}
	}
	b.WriteString("\u2028\u2029\u007f\u0085\u00a0\u200b\u200d\u202e\ufeff\ufffd\uffff\ud7ff\ue000\U0001f3e0\U0010ffff")
	b.WriteString("e\u0301 é שלום مرحبا 👩‍👩‍👧‍👦 🏳️‍🌈 家 </script> ' \" \\ / " +
		"%00 ${x} \r\n")
	return b.String()
}

// bodies are JSON in sizes from a byte to 256 KiB, in ASCII and in every kind of
// character, with control characters as escapes and laid out in ways that a library
// would lose.
func bodies(t *testing.T) (all [][]byte) {
	t.Helper()
	sample := characters()
	for _, text := range []string{
		`1`, `{}`, `[]`, `0`, `""`, `null`, `{"a": 1450.00, "b" : 1e2}`,
		"\n{\r\n\t\"a\": 1\r\n}\r\n", ` 1 `, `"\u0001\u001f\b\f\n\r\t\/\u2028\ud83c\udfe0"`,
		`{"b":1,"a":{"10":1,"9":2}}`, `{"a":9007199254740993,"b":0.1000000000000000055}`,
	} {
		all = append(all, []byte(text))
	}
	for i, html := range []bool{true, false} {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(html)
		if err := e.Encode(map[string]any{"id": i, "text": sample, sample[:40]: nil}); err != nil {
			t.Fatal(err)
		}
		all = append(all, b.Bytes())
	}
	runes := []rune(strings.NewReplacer(`"`, "", `\`, "").Replace(sample[0x20:]))
	for _, size := range []int{
		3, 10, 63, 64, 65, 127, 128, 255, 256, 1000, 4095, 4096, 4097, 65535, 65536, 65537, 131072,
		262143, 262144,
	} {
		all = append(all, []byte(`"`+strings.Repeat("a", size-2)+`"`), sized(runes, size))
	}
	return all
}

// sized is a JSON string of a number of bytes, of all characters in turn.
func sized(runes []rune, size int) []byte {
	b := []byte{'"'}
	for i := 0; len(b) < size-1; i++ {
		r := runes[i%len(runes)]
		if r < ' ' || len(b)+utf8.RuneLen(r) > size-1 {
			r = 'a'
		}
		b = utf8.AppendRune(b, r)
	}
	return append(b, '"')
}

func TestOfficialLibrariesAcceptSignedDeliveries(t *testing.T) {
	t.Parallel()
	secret, _ := signature.NewSecret()
	o := startOfficial(t, secret)
	sizes := map[int]bool{}
	for _, body := range bodies(t) {
		if !json.Valid(body) {
			t.Fatalf("%.80q is no JSON", body)
		}
		if said := o.post(t, "/", signedNow(body, signature.Secrets{Present: secret}), body); said != "" {
			t.Errorf("%d bytes, %.80q: %s", len(body), body, said)
		}
		sizes[len(body)] = true
	}
	if !sizes[1] || !sizes[256<<10] {
		t.Errorf("the sizes are %v", sizes)
	}
}

func TestOfficialLibrariesAcceptEverySecret(t *testing.T) {
	t.Parallel()
	body := []byte(`{"name":"Zoë"}`)
	for range 5 {
		secret, _ := signature.NewSecret()
		if said := startOfficial(t, secret).post(t, "/", signedNow(body, signature.Secrets{
			Present: secret,
		}), body); said != "" {
			t.Error(said)
		}
	}
}

func TestOfficialLibrariesRejectUnsignedDeliveries(t *testing.T) {
	t.Parallel()
	secret, _ := signature.NewSecret()
	other, _ := signature.NewSecret()
	o := startOfficial(t, secret)
	body, altered := []byte(`{"amount":1450.00}`), []byte(`{"amount":1450}`)
	right := signature.Secrets{Present: secret}
	for what, c := range map[string]struct {
		h    http.Header
		body []byte
	}{
		"another secret":   {signedNow(body, signature.Secrets{Present: other}), body},
		"an altered body":  {signedNow(body, right), altered},
		"an old timestamp": {signedAt(time.Now().Add(-310*time.Second), body, right), body},
		"no signature":     {http.Header{}, body},
	} {
		for _, scheme := range []string{"/stripe", "/standard"} {
			if said := o.post(t, scheme, c.h.Clone(), c.body); said == "" {
				t.Errorf("%s takes %s", scheme, what)
			}
		}
	}
}

func TestOfficialLibrariesAcceptBothSecretsDuringRotation(t *testing.T) {
	t.Parallel()
	previous, _ := signature.NewSecret()
	present, _ := signature.NewSecret()
	before, after := startOfficial(t, previous), startOfficial(t, present)
	body := []byte(`{"type":"lease.signed"}`)
	overlap := signature.Secrets{Present: present, Previous: previous}
	for _, c := range []struct {
		by      *official
		path    string
		secrets signature.Secrets
		taken   bool
	}{
		{before, "/", signature.Secrets{Present: previous}, true},
		{after, "/", signature.Secrets{Present: previous}, false},
		{after, "/", overlap, true},
		{before, "/standard", overlap, true},
		{before, "/stripe", overlap, false}, // X-Service-Signature has one signature, the new secret's
		{after, "/", signature.Secrets{Present: present}, true},
		{before, "/standard", signature.Secrets{Present: present}, false},
	} {
		if said := c.by.post(t, c.path, signedNow(body, c.secrets), body); (said == "") != c.taken {
			t.Errorf("%+v: %q", c, said)
		}
	}
}

// What the libraries take, the judge calls valid, and the other way round.
func TestJudgeAgreesWithOfficialLibraries(t *testing.T) {
	t.Parallel()
	secret, _ := signature.NewSecret()
	other, _ := signature.NewSecret()
	o := startOfficial(t, secret)
	for i, body := range bodies(t)[:12] {
		for _, by := range []string{secret, other} {
			for _, age := range []time.Duration{0, 200 * time.Second, 400 * time.Second} {
				h := signedAt(time.Now().Add(-age), body, signature.Secrets{Present: by})
				v := signature.Judge(signature.Pasted{
					Header:    h.Clone(),
					Body:      body,
					Secrets:   []string{secret},
					Tolerance: signature.Tolerance,
				}, time.Now())
				if said := o.post(t, "/", h, body); (said == "") != v.Valid {
					t.Errorf("%s: %q, and the judge says %+v", fmt.Sprint(i, age), said, v)
				}
			}
		}
	}
}

// TestOfficialLibrariesAcceptEveryDelivery sends what a portfolio raises, and events of
// all kinds of bytes, by the dispatcher.
func TestOfficialLibrariesAcceptEveryDelivery(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		p := sending(t, r.DB)
		e := p.Create(p.Live, "http://127.0.0.1:1/")
		o := startOfficial(t, *e.Secret)
		p.Exec("UPDATE webhook_endpoints SET url = $1", o.url+"/")
		p.raise(p.Live)
		all := bodies(t)
		must(t, p.DB.Atomically(t.Context(), func(ctx context.Context) error {
			for _, body := range all {
				told := webhook.Event{
					ID:        id.New(id.Event, p.clock()),
					CreatedAt: clock.At(p.clock()),
					Type:      event.LeaseSigned,
					Body:      body,
				}
				must(t, webhookstore.New(p.DB).AddEvent(ctx, p.Live.Portfolio, &told))
				d := webhook.Delivery{
					ID:         id.New(id.Delivery, p.clock()),
					CreatedAt:  told.CreatedAt,
					EventID:    told.ID,
					EventType:  event.Type(told.Type),
					EndpointID: e.ID,
				}
				must(t, webhookstore.New(p.DB).AddDeliveries(ctx, p.Live.Portfolio, []webhook.Delivery{d}))
			}
			return nil
		}))
		until(t, "all have been sent", func() bool { return p.Count("delivery_attempts") == len(all)+1 })
		refused := p.Texts("CAST(response_body AS TEXT) FROM delivery_attempts WHERE status_code <> 200")
		if len(refused) > 0 {
			t.Errorf("%d were refused: %.300q", len(refused), refused)
		}
	})
}
