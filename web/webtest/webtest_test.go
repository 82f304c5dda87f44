package webtest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"portal/api/sampled"
	"portal/web/webtest"
)

func TestMain(m *testing.M) { os.Exit(webtest.Main(m)) }

// witness is a test that gathers what is said against a page.
type witness struct {
	testing.TB
	said []string
	ends []func()
}

// Cleanup keeps what is to be done at the end of the test.
func (w *witness) Cleanup(end func()) { w.ends = append(w.ends, end) }

// end ends the test.
func (w *witness) end() {
	for _, end := range slices.Backward(w.ends) {
		end()
	}
}

func (w *witness) Errorf(format string, args ...any) {
	w.said = append(w.said, fmt.Sprintf(format, args...))
}

const page = `<!doctype html><html lang="en"><head><title>A page</title><link rel="icon" href="data:,` +
	`">%s</head><body><main><h1>A page</h1>%s</main></body></html>`

// TestSelfReloadingPageStaysDuringInspection looks at a page once for each turn, which also tells how often axe looks.
func TestSelfReloadingPageStaysDuringInspection(t *testing.T) {
	t.Parallel()
	b := webtest.Open(t, webtest.Config{
		Program: os.Getenv("PORTAL_TEST_CHROMIUM"),
		Modules: os.Getenv("PORTAL_TEST_NODE_MODULES"),
	})
	var visits atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		visits.Add(1)
		fmt.Fprintf(w, page, "<script>setInterval(() => location.reload(), 20)</script>", `<p><input name="x"></p>`)
	}))
	t.Cleanup(s.Close)
	wantVisits, wantFaults := int32(12), 4 // each on one screen, and every other without a script and by axe
	if sampled.Whole {
		wantVisits, wantFaults = 24, 8 // each without a script, on a phone, on a desk, and by axe
	}
	faults := 0
	for range 8 {
		seen := &witness{TB: t}
		b.Look(seen, s.URL)
		seen.end()
		said := strings.Join(seen.said, "\n")
		if strings.Contains(said, "label (critical)") {
			faults++
		} else if said != "" {
			t.Error(said)
		}
	}
	if n := visits.Load(); n != wantVisits || faults != wantFaults {
		t.Errorf("it was loaded %d times, not %d, and %d faults were found, not %d", n, wantVisits, faults, wantFaults)
	}
}

func TestPageFaultsAreDetected(t *testing.T) {
	t.Parallel()
	b := webtest.Open(t, webtest.Config{
		Program: os.Getenv("PORTAL_TEST_CHROMIUM"),
		Modules: os.Getenv("PORTAL_TEST_NODE_MODULES"),
	})
	for fault, c := range map[string]struct{ policy, head, body string }{
		"":                        {"default-src 'none'; img-src data:", "", `<p><a href="/">Home</a></p>`},
		"Content Security Policy": {"default-src 'none'; img-src data:", "<script>1</script>", ""},
		"exception":               {"", "<script>nothing.at.all()</script>", ""},
		"console.error":           {"", "<script>console.error('wrong')</script>", ""},
		"console.warning":         {"", "<script>console.warn('wrong')</script>", ""},
		"console.debug":           {"", "<script>console.debug('wrong')</script>", ""},
		"no username field": {
			"", "",
			`<form><label>Password <input type="password" autocomplete="current-password"></label></form>`,
		},
		"Autofocus": {
			"", "",
			`<h2 tabindex="-1" autofocus>A</h2><h2 id="b" ` +
				`tabindex="-1">B</h2><script>document.querySelector("#b").focus()</script>`,
		},
		"Failed to load resource": {"", `<script src="http://127.0.0.1:1/x.js"></script>`, ""},
		"color-contrast":          {"", "", `<p style="color: #ccc; background: #fff">Pale</p>`},
		"label":                   {"", "", `<input name="x">`},
		"target-size": {
			"", "",
			`<p style="line-height: 8px; font-size: 8px"><a href="/1">1</a><br><a href="/2">2</a><br><a ` +
				`href="/3">3</a></p>`,
		},
		"nothing shows that the focus": {"", "<style>a:focus { outline: none }</style>", `<p><a href="/">Home</a></p>`},
		"reaches beyond the window":    {"", "", `<div style="width: 2000px">Wide</div>`},
		"weighs":                       {"", "", "<p>" + strings.Repeat("word ", 13000) + "</p>"},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if c.policy != "" {
				w.Header().Set("Content-Security-Policy", c.policy)
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = fmt.Fprintf(w, page, c.head, c.body)
		}))
		seen := &witness{TB: t}
		w := b.Window(seen)
		w.Visit(webtest.Phone, s.URL)
		w.Check("a page")
		s.Close()
		seen.end()
		said := strings.Join(seen.said, "\n")
		if fault == "" && said != "" || !strings.Contains(said, fault) {
			t.Errorf("%q is not what is found: %s", fault, said)
		}
	}
}

func TestUnreadConsoleOutputFailsTest(t *testing.T) {
	t.Parallel()
	b := webtest.Open(t, webtest.Config{Program: os.Getenv("PORTAL_TEST_CHROMIUM")})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, page, "", "<script>console.info('forgotten')</script>")
	}))
	t.Cleanup(s.Close)
	seen := &witness{TB: t}
	b.Window(seen).Visit(webtest.Phone, s.URL)
	seen.end()
	said := strings.Join(seen.said, "\n")
	if !strings.Contains(said, "console.info") || !strings.Contains(said, "forgotten") {
		t.Errorf("the test says %q", said)
	}
}

func TestInjectedScriptIsDetectedWithOrWithoutCSP(t *testing.T) {
	t.Parallel()
	b := webtest.Open(t, webtest.Config{Program: os.Getenv("PORTAL_TEST_CHROMIUM")})
	for _, policy := range []string{"", "default-src 'none'; img-src 'self' data:"} {
		for _, payload := range []string{
			webtest.Payloads[0], webtest.Payloads[13], webtest.Payloads[29], webtest.Payloads[33],
		} {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Security-Policy", policy)
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				_, _ = fmt.Fprintf(w, page, "", payload)
			}))
			seen := &witness{TB: t}
			w := b.Window(seen)
			w.Visit(webtest.Phone, s.URL)
			w.Await(`document.readyState === "complete"`)
			w.Harmless("a page")
			s.Close()
			seen.end()
			if len(seen.said) == 0 {
				t.Errorf("%s is not found under %q", payload, policy)
			}
		}
	}
}

func TestOverflowingTextIsDetected(t *testing.T) {
	t.Parallel()
	b := webtest.Open(t, webtest.Config{Program: os.Getenv("PORTAL_TEST_CHROMIUM")})
	for body, fits := range map[string]bool{
		`<p style="width: 50px">%s</p>`:                                                           false,
		`<p style="width: 50px; overflow: hidden">%s</p>`:                                         false,
		`<p style="width: 50px; overflow-wrap: anywhere">%s</p>`:                                  true,
		`<p style="width: 50px; overflow: auto">%s</p>`:                                           true,
		`<p style="width: 50px; overflow: hidden; text-overflow: ellipsis">%s</p>`:                true,
		`<p style="width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%%)">%s</p>`:     true,
		`<p style="width: 50px; overflow: hidden"><span style="visibility: hidden">%s</span></p>`: true,
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprintf(w, page, "", fmt.Sprintf(body, "Northumberland"))
		}))
		seen := &witness{TB: t}
		w := b.Window(seen)
		w.Visit(webtest.Phone, s.URL)
		w.Fits("a page")
		s.Close()
		seen.end()
		said := strings.Join(seen.said, "\n")
		if fits && said != "" || !fits && !strings.Contains(said, "a text does not fit") {
			t.Errorf("of %s is said: %q", body, said)
		}
	}
}
