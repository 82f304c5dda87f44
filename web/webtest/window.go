package webtest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
)

// Window is what one person has open.
type Window struct {
	*Browser
	testing.TB
	ctx  context.Context //nolint:containedctx // chromedp's browsers and tabs are contexts
	on   *Screen         // what Show made of it, nil before
	mu   sync.Mutex
	said []string // by the console, since the last visit
}

// listen gathers what the console says at whatever level: faults of scripts, of policies, of
// loading, and what the browser advises.
func (w *Window) listen() error {
	return chromedp.Listen(w.ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			w.note(fmt.Sprint("exception: ", e.ExceptionDetails.Text, " ", arguments([]*runtime.RemoteObject{
				e.ExceptionDetails.Exception,
			})))
		case *runtime.EventConsoleAPICalled:
			w.note(fmt.Sprintf("console.%s: %s", e.Type, arguments(e.Args)))
		case *log.EventEntryAdded:
			w.note(fmt.Sprintf("%s: %s %s (%s)", e.Entry.Source, e.Entry.Text, e.Entry.URL, e.Entry.Level))
		}
	})
}

func arguments(all []*runtime.RemoteObject) string {
	var words []string
	for _, a := range all {
		if a != nil {
			words = append(words, string(a.Value)+a.Description)
		}
	}
	return strings.Join(words, " ")
}

func (w *Window) note(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.said = append(w.said, what)
}

// Said is what the console has said since it was last asked, at whatever level, but for the status of
// pages: that one is not there is no fault of it.
func (w *Window) Said() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []string
	for _, s := range w.said {
		if !strings.HasPrefix(s, "network: Failed to load resource: the server responded with a status of 4") ||
			strings.Contains(s, "/static/") {
			all = append(all, s)
		}
	}
	w.said = nil
	return all
}

func (w *Window) do(steps ...chromedp.Action[chromedp.Void]) {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		w.Fatalf("%v\n%s", err, w.state())
	}
}

// run takes an action and is what it answers.
func run[T any](w *Window, what string, a chromedp.Action[T]) T {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	value, err := chromedp.Run(ctx, a)
	if err != nil {
		w.Fatalf("%s: %v\n%s", what, err, w.state())
	}
	return value
}

// call is a command of the browser's protocol.
func call[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}

// Visit opens an address on a screen.
func (w *Window) Visit(s Screen, url string) {
	w.Helper()
	w.Show(s)
	w.Leave(func() {
		w.Helper()
		answer := w.navigate(url)
		if answer == "net::ERR_ABORTED" { // the page before loaded itself anew at the same moment, which won
			answer = w.navigate(url)
		}
		if answer != "" {
			w.Fatalf("%s: %s", url, answer)
		}
	})
}

// navigate asks for an address and returns once the browser shows what comes, or what it says of having failed.
func (w *Window) navigate(url string) (failed string) {
	w.Helper()
	return run(w, url, func(ctx context.Context, t *chromedp.Target) (string, error) {
		answer, err := cdp.Call(ctx, t, page.Navigate, page.NavigateParams{URL: url})
		return answer.ErrorText, err
	})
}

// Leave does what leads to another page, and waits until that has loaded.
//
// It asks the pages themselves, of which the one that is left is marked: the events of the browser's protocol are
// those of whatever page loads at the moment, and who waits for one that was missed waits forever.
func (w *Window) Leave(by func()) {
	w.Helper()
	w.Do("window.left = true")
	by()
	w.Await(`!window.left && performance.getEntriesByType("navigation")[0]?.loadEventEnd > 0`)
}

// Cookie gives the window a cookie of a site, by which somebody is signed in.
func (w *Window) Cookie(url, name, value string) {
	w.Helper()
	w.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, network.SetCookie, network.SetCookieParams{
			URL:      url,
			Name:     name,
			Value:    value,
			HTTPOnly: new(true),
		})
		return err
	}))
}

// Click presses what a selector finds and waits for nothing.
func (w *Window) Click(css string) {
	w.Helper()
	w.do(w.press(css))
}

// Follow presses what a selector finds and waits for the page that comes of it.
func (w *Window) Follow(css string) {
	w.Helper()
	w.Leave(func() {
		w.Helper()
		w.Click(css)
	})
}

// press waits until what a selector finds can be hit, and hits it as a finger does.
func (w *Window) press(css string) chromedp.Action[chromedp.Void] {
	w.Helper()
	at := Awaited[[]float64](w, fmt.Sprintf(hit, css))
	return chromedp.MouseClickXY(at[0], at[1])
}

// hit is the middle of what a selector finds, once nothing is in front of it.
const hit = `(() => {
	const e = document.querySelector(%q);
	if (!e?.checkVisibility()) return null;
	e.scrollIntoView({block: "center", behavior: "instant"});
	const box = e.getClientRects()[0], x = box.x + box.width / 2, y = box.y + box.height / 2;
	return e.contains(document.elementFromPoint(x, y)) ? [x, y] : null;
})()`

// Stop stops what is loading, as the button of the browser does.
func (w *Window) Stop() {
	w.Helper()
	w.do(chromedp.Stop())
}

// Type writes into a field, after what is there.
func (w *Window) Type(css, text string) {
	w.Helper()
	w.Await(fmt.Sprintf(`document.querySelector(%q)?.focus() ?? document.activeElement.matches(%[1]q)`, css))
	w.do(chromedp.KeyEvent(text))
}

// Attach chooses files in a field for files.
func (w *Window) Attach(css string, files ...string) {
	w.Helper()
	w.do(chromedp.SetUploadFiles(css, files))
}

// Press sends a key to what has the focus, as kb names it.
func (w *Window) Press(key string) {
	w.Helper()
	w.do(chromedp.KeyEvent(key))
}

// Await waits until an expression is true in the page, over pages that come meanwhile.
func (w *Window) Await(expression string) {
	w.Helper()
	Awaited[*bool](w, "!!("+expression+") || null")
}

// Awaited waits until an expression is not null in the page, over pages that come meanwhile, and is what it is then.
func Awaited[T *bool | *string | []float64](w *Window, expression string) T {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	for {
		is, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression))
		if err == nil && is != nil {
			return is
		}
		select {
		case <-ctx.Done():
			w.Fatalf("it does not come to %s: %v\n%s", expression, err, w.state())
		case <-time.After(20 * time.Millisecond): // between two looks
		}
	}
}

// state is where the window is, for somebody who wonders why it is not elsewhere.
func (w *Window) state() string {
	ctx, cancel := context.WithTimeout(w.ctx, time.Second)
	defer cancel()
	state, err := chromedp.Run(
		ctx,
		chromedp.Evaluate[string](
			`location.pathname + ", the focus is on " + document.activeElement?.outerHTML.slice(0, 200)`,
		),
	)
	return fmt.Sprintf("at %s %v; the console says %q", state, err, w.Said())
}

// Text is what a reader sees of what a selector finds, which must come.
func (w *Window) Text(css string) string {
	w.Helper()
	return *Awaited[*string](w, fmt.Sprintf(`document.querySelector(%q)?.innerText ?? null`, css))
}

// Path is the path and the query of the page.
func (w *Window) Path() string {
	w.Helper()
	return Value[string](w, "location.pathname + location.search")
}

// Value is what an expression is in the page.
func Value[T any](w *Window, expression string) T {
	w.Helper()
	return run(w, expression, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// Do runs an expression in the page.
func (w *Window) Do(expression string) {
	w.Helper()
	run(w, expression, chromedp.Evaluate[any](expression+"; true"))
}

// Allow lets the page do what a person would be asked about, by the names of the
// Permissions API: "clipboard-read".
func (w *Window) Allow(what ...string) {
	w.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	for _, name := range what {
		grant := browser.SetPermissionParams{
			Permission:       &browser.PermissionDescriptor{Name: name},
			Setting:          browser.PermissionSettingGranted,
			BrowserContextID: chromedp.FromContext(w.ctx).BrowserContextID,
		}
		if _, err := chromedp.CallBrowser(ctx, browser.SetPermission, grant); err != nil {
			w.Fatal(err)
		}
	}
}

// AddPasskeyDevice gives the window a device that keeps passkeys, whose owner agrees to everything.
func (w *Window) AddPasskeyDevice() {
	w.Helper()
	w.do(call(webauthn.Enable, webauthn.EnableParams{}),
		call(webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{
			Options: &webauthn.VirtualAuthenticatorOptions{
				Protocol:                    webauthn.AuthenticatorProtocolCtap2,
				Transport:                   webauthn.AuthenticatorTransportInternal,
				HasResidentKey:              true,
				HasUserVerification:         true,
				IsUserVerified:              true,
				AutomaticPresenceSimulation: true,
			},
		}))
}
