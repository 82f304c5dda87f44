package live_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/a-h/templ"

	"portal/web/live"
	"portal/web/page"
	"portal/web/pagetest"
	"portal/web/webtest"
)

func TestMain(m *testing.M) { os.Exit(webtest.Main(m)) }

// fixture is pages with one stream, which shows what is in said, over real accounts.
type fixture struct {
	*pagetest.AccountPages
	streams *live.Streams
	said    atomic.Value
	address string
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	t.Parallel()
	f := &fixture{AccountPages: pagetest.NewAccountPages(t), streams: live.New()}
	f.said.Store("one")
	f.streams.Pace.Look, f.streams.Pace.Recheck = 5*time.Millisecond, 10*time.Millisecond
	f.Pages.Routes = append(f.Pages.Routes, page.Get("/stream", page.Member, func(v *page.Request) error {
		return f.streams.Serve(v, live.Whole(func(context.Context) (live.Component, error) {
			return templ.Raw(v.Person.Account.Name + "\n" + f.said.Load().(string)), nil
		}))
	}))
	f.Echo = pagetest.Wired(f.Pages)
	s := httptest.NewServer(f.Echo)
	t.Cleanup(s.Close)
	f.address = s.URL
	return f
}

// connection is a stream as a browser reads it.
type connection struct {
	*testing.T
	*http.Response
	read *bufio.Reader
}

// connect asks for the stream as a browser does.
func (f *fixture) connect(r *pagetest.Reader, last string) *connection {
	f.Helper()
	ctx, cancel := context.WithTimeout(f.Context(), 20*time.Second)
	f.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, f.address+"/stream", nil)
	pagetest.Must(f, err)
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Accept-Encoding", "gzip, br")
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	for _, c := range r.Cookies {
		req.AddCookie(c)
	}
	a, err := http.DefaultTransport.RoundTrip(req)
	pagetest.Must(f, err)
	f.Cleanup(func() { _ = a.Body.Close() })
	return &connection{f.T, a, bufio.NewReader(a.Body)}
}

// event is the next one: its id and its data.
func (c *connection) event() (id, data string) {
	c.Helper()
	for {
		line, err := c.read.ReadString('\n')
		if err != nil {
			c.Fatal(err)
		}
		line = strings.TrimSuffix(line, "\n")
		if text, is := strings.CutPrefix(line, "id: "); is {
			id = text
		}
		if text, is := strings.CutPrefix(line, "data: "); is {
			data += text + "\n"
		}
		if line == "" && data != "" {
			return id, data
		}
	}
}

// ends waits for the end of the stream, which is no error.
func (c *connection) ends() {
	c.Helper()
	if _, err := io.Copy(io.Discard, c.read); err != nil {
		c.Errorf("the stream does not end: %v", err)
	}
}

func TestStreamSendsChangesAndResumesFromLastEvent(t *testing.T) {
	f := newFixture(t)
	ada := f.SignUp("ada@example.com")
	c := f.connect(ada, "")
	for name, want := range map[string]string{
		"Content-Type":      "text/event-stream",
		"Cache-Control":     "no-store",
		"X-Accel-Buffering": "no",
		"Content-Encoding":  "",
		"Set-Cookie":        "",
	} {
		if got := c.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	_, data := c.event()
	if data != "Maple & Oak\none\n" {
		t.Errorf("it sends %q", data)
	}
	f.said.Store("two\rand a half")
	last, data := c.event()
	if data != "Maple & Oak\ntwo\nand a half\n" {
		t.Errorf("it sends %q", data)
	}
	again := f.connect(ada, last)
	f.said.Store("three")
	if _, data := again.event(); data != "Maple & Oak\nthree\n" {
		t.Errorf("a reader who has event %s gets %q", last, data)
	}
}

func TestStreamEndsWhenUserLosesAccess(t *testing.T) {
	for name, end := range map[string]func(f *fixture, ada, bob *pagetest.Reader){
		"signed out": func(_ *fixture, _, bob *pagetest.Reader) {
			bob.Leads(bob.Post("/sign-out", "/overview", nil), "/sign-in")
		},
		"removed": func(f *fixture, ada, _ *pagetest.Reader) {
			at := ada.Found(ada.Get("/team"), `href="(/team/members/user_\w+/remove)"`)
			ada.Leads(ada.Post(at, at, nil), "/team")
		},
		"idle for too long": func(f *fixture, _, _ *pagetest.Reader) { f.Wait(pagetest.Idle) },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			ada := f.SignUp("ada@example.com")
			bob := f.Join(ada, "bob@example.com", "manager")
			c := f.connect(bob, "")
			c.event()
			end(f, ada, bob)
			c.ends()
			if again := f.connect(bob, ""); again.StatusCode == http.StatusOK {
				t.Error("it is opened again")
			}
		})
	}
}

func TestStreamDoesNotKeepSessionAlive(t *testing.T) {
	f := newFixture(t)
	ada := f.SignUp("ada@example.com")
	const almost = pagetest.Idle / 2
	f.Wait(almost)
	c := f.connect(ada, "")
	c.event()
	f.said.Store("two")
	c.event()
	f.Wait(almost)
	c.ends()
	ada.Leads(ada.Get("/overview"), "/sign-in?next="+url.QueryEscape("/overview"))
}

func TestStreamEndsOnTimeoutAndServerStop(t *testing.T) {
	f := newFixture(t)
	ada := f.SignUp("ada@example.com")
	f.streams.Pace.End = 50 * time.Millisecond
	f.connect(ada, "").ends()
	f.streams.Pace.End = time.Hour
	c := f.connect(ada, "")
	c.event()
	began := time.Now()
	f.streams.Stop()
	c.ends()
	if took := time.Since(began); took > time.Second {
		t.Errorf("the end takes %s", took)
	}
	if again := f.connect(ada, ""); again.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a stopped server answers %d", again.StatusCode)
	}
	f.awaitOpen(0)
}

// awaitOpen waits until so many streams are open.
func (f *fixture) awaitOpen(want int) {
	f.Helper()
	until := time.Now().Add(10 * time.Second)
	for f.streams.Open() != want {
		if time.Now().After(until) {
			f.Fatalf("%d streams are open, want %d", f.streams.Open(), want)
		}
		time.Sleep(time.Millisecond) //nolint:forbidigo // between two looks
	}
}

func TestSessionHasAtMostFourStreams(t *testing.T) {
	f := newFixture(t)
	ada := f.SignUp("ada@example.com")
	bob := f.Join(ada, "bob@example.com", "manager")
	var open []*connection
	for range 4 {
		open = append(open, f.connect(ada, ""))
		open[len(open)-1].event()
	}
	if c := f.connect(ada, ""); c.StatusCode != http.StatusTooManyRequests {
		t.Errorf("the fifth stream is answered with %d", c.StatusCode)
	}
	f.connect(bob, "").event()
	pagetest.Must(t, open[0].Body.Close())
	f.awaitOpen(4)
	f.connect(ada, "").event()
}

func TestInvalidLastEventIDIsRefused(t *testing.T) {
	f := newFixture(t)
	ada := f.SignUp("ada@example.com")
	for _, last := range []string{"with space", strings.Repeat("x", 101), "ü"} {
		if c := f.connect(ada, last); c.StatusCode != http.StatusBadRequest {
			t.Errorf("%q is answered with %d", last, c.StatusCode)
		}
	}
}
