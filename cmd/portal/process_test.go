package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"portal/cmd/portal/cli"
	"portal/db/dbtest"
	"portal/jobs"
	"portal/web/webtest"
)

// patience is how long a test waits for what is not about time.
const patience = 2 * time.Minute

// binaryFolder is where the tests build, removed at their end.
var binaryFolder = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "portal-*") })

func TestMain(m *testing.M) {
	code := webtest.Main(m)
	if folder, err := binaryFolder(); err == nil {
		_ = os.RemoveAll(folder)
	}
	os.Exit(code)
}

// A server finds its database migrated, but where a test is about that.
func init() { dbtest.Besides("river", jobs.Migrate) }

// racing reports whether the tests have the race detector, which what they start has then too.
var racing = sync.OnceValue(func() bool {
	info, _ := debug.ReadBuildInfo()
	return info != nil && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
})

// built builds the binary once.
var built = sync.OnceValues(func() (string, error) {
	if racing() {
		return build("-race")
	}
	return build()
})

// started is the binary that most tests start: built, or crashing, which draws no documentation at its start. It
// differs in nothing else where nobody tells it to die.
func started() (string, error) {
	if racing() {
		return built()
	}
	return crashing()
}

// build builds a binary with the name of the one that is released, as a page of the documentation runs it, in a folder
// of its own.
func build(args ...string) (string, error) {
	folder, err := binaryFolder()
	if err == nil {
		folder, err = os.MkdirTemp(folder, "")
	}
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "portal")
	args = append(append([]string{"build", "-ldflags=-s -w", "-o", path}, args...), ".") // as the one that is released
	out, err := exec.CommandContext(context.Background(), "go", args...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
}

// home is where a process runs: its data folder and the rest of its environment.
type home struct {
	data  string
	env   []string
	build func() (path string, err error) // of its binary
}

// newHome is an empty data folder, with more of the environment than that.
func newHome(t *testing.T, env ...string) home {
	t.Helper()
	data := filepath.Join(t.TempDir(), "data")
	return home{data, append([]string{"PORTAL_DATA=" + data, "PORTAL_ADDR=" + freeAddress(t)}, env...), started}
}

// blank is the home with an empty, migrated SQLite database.
func (h home) blank(t *testing.T) home {
	t.Helper()
	dbtest.BlankIn(t, h.data)
	return h
}

// released is the home with the binary as it is released.
func (h home) released() home {
	h.build = built
	return h
}

// with is the same home with another environment besides.
func (h home) with(env ...string) home {
	h.env = slices.Concat(h.env, env)
	return h
}

// freeAddress is an address that nobody else takes, also while a process of a test is down
// that is started there again: its port is none of those that the system gives to programs
// that ask for any (from 32768 on), and is given to one test alone.
func freeAddress(t *testing.T) string {
	t.Helper()
	for range 100 {
		address := fmt.Sprintf("127.0.0.1:%d", 10_000+ports.Add(1)%20_000)
		if l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", address); err == nil {
			l.Close()
			return address
		}
	}
	t.Fatal("a hundred ports are taken")
	return ""
}

// ports counts those that were given, from anywhere on: other tests may run beside these.
var ports = func() *atomic.Int64 {
	var n atomic.Int64
	n.Store(rand.Int64N(20_000))
	return &n
}()

// command makes a process that does not run yet.
func (h home) command(t *testing.T, args ...string) *process {
	t.Helper()
	path, err := h.build()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{Cmd: exec.CommandContext(context.Background(), path, args...), over: make(chan struct{})}
	p.Env = h.env
	p.Stdout, p.Stderr = &p.out, &p.err
	return p
}

// process is a running binary and what it says.
type process struct {
	*exec.Cmd
	out, err words
	over     chan struct{} // closed when the process has ended
}

// words is what a process writes while the test reads it.
type words struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write is io.Writer.
func (w *words) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(b)
}

func (w *words) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// begin starts the process; what still runs at the end of the test is killed.
func (p *process) begin(t *testing.T) {
	t.Helper()
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.Wait() // the state tells
		close(p.over)
	}()
	t.Cleanup(func() {
		p.kill()
		if said := p.err.String(); strings.Contains(said, "DATA RACE") || strings.Contains(said, "panic") {
			t.Error(said)
		}
	})
}

// kill ends the process as a power cut would.
func (p *process) kill() {
	_ = p.Process.Kill() // over already, maybe
	<-p.over
}

func (p *process) signal(t *testing.T, s syscall.Signal) {
	t.Helper()
	http.DefaultClient.CloseIdleConnections() // a stop waits for clients that may ask again
	if err := p.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// end waits for the end of the process and answers with its exit code, -1 if a
// signal has ended it.
func (p *process) end(t *testing.T) int {
	t.Helper()
	select {
	case <-p.over:
	case <-time.After(patience):
		t.Fatalf("still runs after %s: %s", patience, &p.err)
	}
	return p.ProcessState.ExitCode()
}

// signalAndEnd stops the process as an operator does.
func (p *process) signalAndEnd(t *testing.T) {
	t.Helper()
	p.signal(t, syscall.SIGTERM)
	if code := p.end(t); code != cli.ExitDone {
		t.Errorf("exit code %d: %s", code, &p.err)
	}
	if said := p.err.String(); strings.Contains(said, `"level":"ERROR"`) {
		t.Errorf("it has logged an error: %s", said)
	}
}

// eventually asks again and again until the answer is yes.
func eventually(t testing.TB, what string, yes func() bool) {
	t.Helper()
	tick, late := time.NewTicker(10*time.Millisecond), time.After(patience)
	defer tick.Stop()
	for !yes() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("not after %s: %s", patience, what)
		}
	}
}

// service is a running server and the variables that its demo printed.
type service struct {
	*process
	home
	vars map[string]string
}

// serve starts the server with the demo and waits until it is ready. A home without data gets the demo of another one
// that was stopped: what the first start does is up to serveFirst and the tests of commands.
func (h home) serve(t *testing.T) *service {
	t.Helper()
	h.withDemo(t)
	return h.serveFirst(t)
}

// withDemo gives a home that has no data yet, on SQLite and under a key of its own, the files of a demo.
func (h home) withDemo(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(h.data); !errors.Is(err, fs.ErrNotExist) || h.last("DATABASE_URL") != "" ||
		h.last("PORTAL_SECRET_KEY") != "" {
		return
	}
	folder := stoppedDemo.in(t)
	orFail(t, os.MkdirAll(h.data, 0o700))
	copyFiles(t, folder, h.data, "[^.]*")
}

// stoppedDemo is a data folder with the demo, which the first test that needs one makes.
var stoppedDemo onceDemo

type onceDemo struct {
	mu     sync.Mutex
	folder string
}

func (o *onceDemo) in(t *testing.T) (folder string) {
	t.Helper()
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.folder == "" {
		h := newHome(t)
		s := h.serveFirst(t)
		s.signalAndEnd(t)
		parent, err := binaryFolder()
		orFail(t, err)
		kept := filepath.Join(parent, "demo")
		orFail(t, os.MkdirAll(kept, 0o700))
		copyFiles(t, h.data, kept, "[^.]*")
		o.folder = kept
	}
	return o.folder
}

// serveFirst is serve of a home as it is: an empty one gets its database from the server.
func (h home) serveFirst(t *testing.T) *service {
	t.Helper()
	s := &service{process: h.command(t, "serve", "--demo"), home: h}
	s.begin(t)
	eventually(t, "the server prints its demo", func() bool {
		select {
		case <-s.over:
			t.Fatalf("the server ended: %s", &s.err)
		default:
		}
		return strings.Contains(s.out.String(), "PORTAL_LIVE_KEY=") && strings.HasSuffix(s.out.String(), "\n")
	})
	s.vars = map[string]string{}
	for line := range strings.Lines(s.out.String()) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		s.vars[name] = value
	}
	return s
}

// me asks for the key itself.
func (s *service) me(t *testing.T, key string) *http.Response { return s.get(t, "/me", key) }

// get asks the API for something; the body is closed.
func (s *service) get(t *testing.T, path, key string) *http.Response {
	t.Helper()
	return s.ask(t, http.MethodGet, path, key)
}

// ask sends the API a request without a body; that of the answer is closed.
func (s *service) ask(t *testing.T, method, path, key string) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.vars["PORTAL_URL"]+"/api/v1/external"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response
}

// run runs a sub-command to its end and answers with its exit code and its words.
func (h home) run(t *testing.T, args ...string) (code int, out, err string) {
	t.Helper()
	p := h.command(t, args...)
	p.begin(t)
	return p.end(t), p.out.String(), p.err.String()
}

// do runs a sub-command that has to succeed.
func (h home) do(t *testing.T, args ...string) string {
	t.Helper()
	code, out, err := h.run(t, args...)
	if code != cli.ExitDone {
		t.Fatalf("portal %s: exit code %d: %s", strings.Join(args, " "), code, err)
	}
	return strings.TrimSpace(out)
}
