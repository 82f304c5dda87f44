package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/webhook/signature"
)

// patience is how long a receiver may take to start.
const patience = 30 * time.Second

// receivers are the servers of the documentation, each with the tag of its block in
// the markdown and the command that runs it.
var receivers = []struct {
	file, tag, needs string
	command          func(port string) []string
}{
	{"receiver.go", "go", "go", nil}, // built first
	{"receiver.mjs", "js", "node", func(string) []string { return []string{"node", "receiver.mjs"} }},
	{"receiver.py", "python", "python3", func(string) []string { return []string{"python3", "receiver.py"} }},
	{"receiver.rb", "ruby", "ruby", func(string) []string { return []string{"ruby", "receiver.rb"} }},
	{
		"receiver.php",
		"php",
		"php",
		func(port string) []string { return []string{"php", "-S", "127.0.0.1:" + port, "receiver.php"} },
	},
}

func TestDocsShowTestedReceivers(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(filepath.Join("..", "webhooks.md"))
	if err != nil {
		t.Fatal(err)
	}
	tags := map[string]string{"receiver.sh": "sh"}
	for _, r := range receivers {
		tags[r.file] = r.tag
	}
	for file, tag := range tags {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(doc), "\n```"+tag+"\n"+string(text)+"```\n") {
			t.Errorf("docs/webhooks.md does not have docs/receivers/%s as it is", file)
		}
	}
	if files, err := filepath.Glob("receiver.*"); err != nil || len(files) != len(tags) {
		t.Errorf("%v are not all tested: %v", files, err)
	}
}

func TestDocsReceiversVerifySignatures(t *testing.T) {
	t.Parallel()
	for _, r := range receivers {
		t.Run(r.tag, func(t *testing.T) {
			t.Parallel()
			need(t, r.needs)
			command := r.command
			if command == nil {
				program := filepath.Join(t.TempDir(), "receiver")
				out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, r.file).CombinedOutput()
				if err != nil {
					t.Fatalf("%v: %s", err, out)
				}
				command = func(string) []string { return []string{program} }
			}
			secret, _ := signature.NewSecret()
			start(t, secret, command).holds(t, secret)
		})
	}
}

// need skips a test on a machine without a language, unless it has to have all.
func need(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		if os.Getenv("PORTAL_TEST_LANGUAGES") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
}

// process is a receiver that runs.
type process struct {
	url   string
	said  *log
	ended chan struct{}
}

// log is what a process writes while the test reads.
type log struct {
	turn sync.Mutex
	text bytes.Buffer
}

func (l *log) Write(b []byte) (int, error) {
	l.turn.Lock()
	defer l.turn.Unlock()
	return l.text.Write(b)
}

func (l *log) String() string {
	l.turn.Lock()
	defer l.turn.Unlock()
	return l.text.String()
}

// start runs a receiver on a free port until the test ends. Somebody may take the port
// between its being found free and its use: then it tries another.
func start(t *testing.T, secret string, command func(port string) []string) *process {
	t.Helper()
	for range 3 {
		port := freePort(t)
		if p := launch(t, secret, port, command(port)); p != nil {
			return p
		}
	}
	t.Fatal("the receiver does not start")
	return nil
}

func launch(t *testing.T, secret, port string, command []string) *process {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	p := &process{"http://127.0.0.1:" + port, &log{}, make(chan struct{})}
	c.Env = append(os.Environ(), "PORT="+port, "WEBHOOK_SECRET="+secret, "TMPDIR="+t.TempDir())
	c.Stdout, c.Stderr = p.said, p.said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = c.Wait() // it is killed
		close(p.ended)
	}()
	t.Cleanup(func() {
		cancel()
		<-p.ended
	})
	if p.until(t, func() bool {
		conn, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err != nil {
			return false
		}
		return conn.Close() == nil
	}) {
		return p
	}
	return nil
}

// until polls while the process lives, and reports whether what it waits for came.
func (p *process) until(t *testing.T, there func() bool) bool {
	t.Helper()
	tick, late := time.NewTicker(10*time.Millisecond), time.After(patience)
	defer tick.Stop()
	for !there() {
		select {
		case <-tick.C:
		case <-p.ended:
			t.Log(p.said.String())
			return false
		case <-late:
			t.Fatalf("waited too long: %s", p.said)
		}
	}
	return true
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// delivery is a request and the answer it should have.
type delivery struct {
	what, id string
	signed   []byte
	sent     []byte
	at       time.Duration // from now
	secret   string
	header   map[string]string // in place of what was signed
	want     int
}

// deliveries are what every receiver is sent, in this order.
func deliveries(secret string) []delivery {
	body := []byte(`{"id":"evt_1","type":"lease.signed","name":"Zoë – 家 🏠 \u2028","amount":1450.00}` + "\n")
	large := []byte(`"` + strings.Repeat("ë", 120<<10) + `"`)
	altered := bytes.Replace(body, []byte("1450"), []byte("1451"), 1)
	header := signature.ServiceHeader
	other, _ := signature.NewSecret()
	all := []delivery{
		{"right", "evt_1", body, body, 0, secret, nil, 200},
		{"a repeat", "evt_1", body, body, 0, secret, nil, 200},
		{"the wrong secret", "evt_2", body, body, 0, other, nil, 400},
		{"an old timestamp", "evt_2", body, body, -310 * time.Second, secret, nil, 400},
		{"a timestamp of the future", "evt_2", body, body, 310 * time.Second, secret, nil, 400},
		{"an altered body", "evt_2", body, altered, 0, secret, nil, 400},
		{"a body without its end", "evt_2", body, body[:len(body)-1], 0, secret, nil, 400},
		{"no body", "evt_2", body, nil, 0, secret, nil, 400},
		{"late, but in time", "evt_3", body, body, -280 * time.Second, secret, nil, 200},
		{"early, but in time", "evt_4", body, body, 280 * time.Second, secret, nil, 200},
		{"a large body", "evt_5", large, large, 0, secret, nil, 200},
	}
	sum := strings.Repeat("0", 64)
	now := strconv.FormatInt(time.Now().Unix(), 10)
	for _, value := range []string{
		"", "t", "t=,v1=", "t=" + now, "t=" + now + ",v1=", "t=" + now + ",v1=" + sum[:63],
		"t=" + now + ",v1=" + sum, "t=0,v1=" + sum, "t=-1,v1=" + sum,
		"t=99999999999999999999,v1=" + sum, "t=$(id),v1=" + sum, "v1=" + sum + ",t=" + now,
	} {
		all = append(all, delivery{
			"the signature " + value,
			"evt_2",
			body,
			body,
			0,
			secret,
			map[string]string{header: value},
			400,
		})
	}
	return append(all, delivery{"right at last", "evt_9", body, body, 0, secret, nil, 200})
}

func (d delivery) headers() http.Header {
	h := http.Header{}
	signature.Sign(h, d.id, time.Now().Add(d.at), d.signed, signature.Secrets{Present: d.secret})
	for name, value := range d.header {
		h.Set(name, value)
	}
	return h
}

// holds sends everything, and waits for the work on what was first and last, to see
// that the repeat was none.
func (p *process) holds(t *testing.T, secret string) {
	t.Helper()
	for _, d := range deliveries(secret) {
		if got := p.post(t, d.headers(), d.sent); got != d.want {
			t.Errorf("%s: answered %d, want %d: %s", d.what, got, d.want, p.said)
		}
	}
	for _, id := range []string{"evt_1", "evt_3", "evt_4", "evt_5", "evt_9"} {
		p.until(t, func() bool { return strings.Contains(p.said.String(), "handled "+id+" ") })
	}
	if n := strings.Count(p.said.String(), "handled "); n != 5 {
		t.Errorf("%d deliveries were handled: %s", n, p.said)
	}
	if strings.Contains(p.said.String(), secret) {
		t.Error("it tells its secret")
	}
}

func (p *process) post(t *testing.T, h http.Header, body []byte) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header, request.Close = h, true
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatalf("%v: %s", err, p.said)
	}
	defer response.Body.Close()
	return response.StatusCode
}

func TestDocsScriptVerifiesSignatures(t *testing.T) {
	t.Parallel()
	need(t, "openssl")
	secret, _ := signature.NewSecret()
	seen := filepath.Join(t.TempDir(), "seen")
	handled := ""
	for _, d := range deliveries(secret) {
		h := d.headers()
		c := exec.CommandContext(
			t.Context(),
			"sh",
			"receiver.sh",
			h.Get(signature.ServiceHeader),
			h.Get(signature.IDHeader),
		)
		c.Env, c.Stdin = append(os.Environ(), "WEBHOOK_SECRET="+secret, "SEEN="+seen), bytes.NewReader(d.sent)
		var said strings.Builder
		c.Stderr = &said
		out, err := c.Output()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		if string(out) != fmt.Sprintln(d.want) || (err == nil) != (d.want == 200) {
			t.Errorf("%s: printed %q, want %d: %v: %s", d.what, out, d.want, err, &said)
		}
		handled += said.String()
	}
	if want := "handled evt_1\nhandled evt_3\nhandled evt_4\nhandled evt_5\nhandled evt_9\n"; handled != want {
		t.Errorf("it said %q", handled)
	}
}
