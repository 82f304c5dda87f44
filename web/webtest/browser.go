// Package webtest lets tests look at pages as people do: in a real Chromium, on a
// phone and on a desktop, in light and dark, with script and without.
//
// It knows nothing of what the pages say.
package webtest

import (
	"context"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// patience bounds what a test waits for in the browser.
const patience = 2 * time.Minute

// Config is what the tests were told.
type Config struct {
	Program string // path of Chromium; "" skips the test
	Modules string // folder node_modules that has axe-core; "" looks without it
	Shots   string // folder to keep pictures of the pages in, "" for none
}

// Browser is a Chromium without a screen.
type Browser struct {
	Config
	testing.TB
	ctx context.Context //nolint:containedctx // chromedp's browsers and tabs are contexts
	axe string
}

// Screen is how a page is looked at.
type Screen struct {
	Width, Height int64
	Dark          bool
	Forced        bool // the reader's own colours
	Plain         bool // no script runs
}

// The screens that every page is held to.
var (
	Phone       = Screen{Width: 360, Height: 780}
	Desktop     = Screen{Width: 1280, Height: 900}
	PhoneDark   = Screen{Width: 360, Height: 780, Dark: true}
	DesktopDark = Screen{Width: 1280, Height: 900, Dark: true}
)

// String names the screen in a message and in the name of a picture.
func (s Screen) String() string {
	name := "desktop"
	if s.Width < 800 {
		name = "phone"
	}
	for _, more := range []struct {
		is   bool
		name string
	}{{s.Dark, "-dark"}, {s.Forced, "-forced"}, {s.Plain, "-plain"}} {
		if more.is {
			name += more.name
		}
	}
	return name
}

// started is the Chromium that the tests of a package share: starting one takes longer
// than most of what is looked at in it.
var started struct {
	once sync.Once
	ctx  context.Context //nolint:containedctx // chromedp's browsers and tabs are contexts
	stop func()
	err  error
}

// Main runs the tests of a package that opens browsers and stops the browser after them.
// It returns the exit code. A package's TestMain calls it.
func Main(m *testing.M) int {
	defer func() {
		if started.stop != nil {
			started.stop()
		}
	}()
	return m.Run()
}

// Open returns the browser of the package, which the first call starts; Main stops it.
// What one test does is unseen by others, as each Window has cookies of its own.
func Open(t testing.TB, c Config) *Browser {
	t.Helper()
	if c.Program == "" {
		t.Skip("PORTAL_TEST_CHROMIUM is not set: there is no browser to look with")
	}
	started.once.Do(func() { start(c.Program) })
	if started.err != nil {
		t.Fatal("the browser does not start: ", started.err)
	}
	b := &Browser{Config: c, TB: t, ctx: started.ctx}
	b.axe = b.readAxe()
	return b
}

// start starts Chromium without its calls home, which a closed network refuses one by one.
func start(program string) {
	options := []chromedp.ExecAllocatorOption{
		chromedp.NoFirstRun,
		chromedp.NoDefaultBrowserCheck,
		chromedp.Headless,
		chromedp.DisableGPU,
		chromedp.ExecPath(program),
		chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("force-color-profile", "srgb"),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("lang", "en-US"),
	}
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium's own does not start for root
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(allocator)
	started.ctx, started.stop = ctx, func() { end(); stop() }
	started.err = chromedp.Do(ctx)
}

// Window is a person's: its cookies are its own. It ends with the test that it is for, which fails
// if the console has said something that nobody asked for.
func (b *Browser) Window(t testing.TB) *Window {
	t.Helper()
	ctx, end := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	w := &Window{Browser: b, TB: t, ctx: ctx}
	t.Cleanup(func() {
		w.silent()
		end()
	})
	if err := w.listen(); err != nil {
		t.Fatal(err)
	}
	return w
}

// silent is the end of a test, until which the console has said nothing that nobody asked for.
func (w *Window) silent() {
	w.Helper()
	for _, s := range w.Said() {
		w.Errorf("at the end the console says %s", s)
	}
}

// Show makes the window as large and as bright as a screen.
func (w *Window) Show(s Screen) {
	w.Helper()
	if w.on != nil && *w.on == s {
		return
	}
	w.on = &s
	features := []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: "light"},
		{Name: "forced-colors", Value: "none"},
		{Name: "prefers-reduced-motion", Value: "reduce"},
	}
	if s.Dark {
		features[0].Value = "dark"
	}
	if s.Forced {
		features[1].Value = "active"
	}
	w.do(
		chromedp.EmulateViewport(s.Width, s.Height),
		call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features}),
		call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: s.Plain}),
	)
}
