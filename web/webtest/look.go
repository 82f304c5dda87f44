package webtest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"portal/api/sampled"
)

// Screens are those that a page is looked at on.
var Screens = []Screen{Phone, Desktop, PhoneDark, DesktopDark}

// proving reports whether a page is looked at on every screen, each of which loads it (`make prove`). Otherwise a
// phone shows its colors of the day and a desktop those of the dark. Pages take turns, in each run others: one of the
// two screens loads the page, every other page is also loaded without script, and axe looks at every other one. A Glance
// always has axe look: so it sees each kind of page in each run, and half of the pages that are looked at in other states.
var proving = sampled.Whole

// Look visits an address and holds the page to what every page is held to: nothing is wrong
// in the console, everybody can use it, it fits a phone and shows where the focus is.
func (b *Browser) Look(t testing.TB, url string) {
	t.Helper()
	b.Window(t).Look(url)
}

// Looks visits addresses of a site one after the other in one window, each in a test of its own. A window is a process
// of the browser, whose start takes as long as to load two pages, and which reads Axe once.
func (b *Browser) Looks(t *testing.T, at string, paths ...string) {
	t.Helper()
	b.Window(t).Looks(t, at, paths...)
}

// Looks is that of a person who has signed in.
func (w *Window) Looks(t *testing.T, at string, paths ...string) {
	t.Helper()
	defer func(whole testing.TB) { w.TB = whole }(w.TB)
	for _, path := range paths {
		t.Run(path, func(t *testing.T) {
			w.TB = t
			w.Look(at + path)
			w.silent()
		})
	}
	w.navigate("about:blank") // a stream of the last page would end with its server
}

// Look is that of a person who has signed in. Dark and forced colors are turned on while
// the page is open: the style sheet alone decides about them.
//
// A page that loads itself anew, as what it shows is under way, stays meanwhile: it would be gone before a busy
// machine has looked at it.
func (w *Window) Look(url string) {
	w.Helper()
	defer w.still()()
	turn := w.turn()
	if proving || turn%4 < 2 {
		w.Visit(Screen{Width: 360, Height: 780, Plain: true}, url)
		w.Do("window.stop()") // what its head asks for, where no script runs
		w.fits("without script " + url)
		w.Keep(name(url) + "-phone-plain")
	}
	for i, s := range inTurn(turn) {
		first := i == 0
		if w.Show(s); proving || first {
			w.Visit(s, url)
		}
		w.check(s.String()+" "+url, proving || first && (turn/4+turn)%2 == 0)
		w.Keep(name(url) + "-" + s.String())
		if proving {
			s.Dark = !s.Dark
			w.CheckColors(s, url)
			w.Keep(name(url) + "-" + s.String())
		}
	}
	forced := Screen{Width: 1280, Height: 900, Forced: true}
	w.Show(forced)
	w.fits(forced.String() + " " + url)
	w.Keep(name(url) + "-" + forced.String())
}

// Glance holds the page at an address to the rules of every page on a phone and at a desk in the dark, loading it once.
// Pictures of it are called name.
func (w *Window) Glance(url, name string) {
	w.Helper()
	for i, s := range inTurn(w.turn()) {
		if w.Show(s); i == 0 {
			w.Visit(s, url)
		}
		w.check(s.String()+" "+url, proving || i == 0)
		w.Keep(name + "-" + s.String())
	}
}

// turns is how many pages were looked at, by which they take turns. The first is another one in each run.
var turns = func() *atomic.Int64 {
	var n atomic.Int64
	n.Store(rand.Int64N(8)) //nolint:gosec // which page comes first is no secret
	return &n
}()

// turn is that of the page that is looked at next, from 0 to 7.
func (w *Window) turn() int { return int(turns.Add(1) % 8) }

// inTurn are the screens of a page in the order of its turn. Axe, which takes more time than all else, looks at the
// page on the first, if at all; `make prove` has it look on both.
func inTurn(turn int) []Screen {
	if turn%2 == 0 {
		return []Screen{Phone, DesktopDark}
	}
	return []Screen{DesktopDark, Phone}
}

// still keeps the pages that are opened from loading themselves anew, until the end is called.
func (w *Window) still() (end func()) {
	w.Helper()
	var script page.ScriptIdentifier
	w.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		added, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: "window.setInterval = () => 0"})
		if err == nil {
			script = added.Identifier
		}
		return err
	}))
	return func() {
		w.do(call(page.RemoveScriptToEvaluateOnNewDocument,
			page.RemoveScriptToEvaluateOnNewDocumentParams{Identifier: script}))
	}
}

// Check holds the page that is open to what every page is held to.
func (w *Window) Check(where string) {
	w.Helper()
	w.check(where, true)
}

// CheckInTurn is Check for a page of a story that reads many pages, each several times: axe looks at every other one,
// and for `make prove` at all.
func (w *Window) CheckInTurn(where string) {
	w.Helper()
	w.check(where, proving || w.turn()%2 == 0)
}

// CheckBoth is Check for a page of a story, by day and in the dark. Axe looks at the whole page by day or at its colors
// in the dark, by turns; for `make prove` at both.
func (w *Window) CheckBoth(day Screen, where string) {
	w.Helper()
	turn := w.turn()
	w.check(where, proving || turn%2 == 0)
	day.Dark = true
	if proving || turn%2 == 1 {
		w.CheckColors(day, where)
	}
}

func (w *Window) check(where string, axe bool) {
	w.Helper()
	for _, s := range w.Said() {
		w.Errorf("%s: the console says %s", where, s)
	}
	if axe {
		for _, v := range w.violations(everything) {
			w.Errorf("%s: %s", where, v)
		}
	}
	for _, e := range Value[[]string](w, nameless) {
		w.Errorf("%s: no username field says whose password it is: %s", where, e)
	}
	most := 3
	if proving {
		most = math.MaxInt32
	}
	for _, e := range Value[[]string](w, fmt.Sprintf(unfocused, most)) {
		w.Errorf("%s: nothing shows that the focus is on %s", where, e)
	}
	w.light(where)
	w.fits(where)
}

// CheckColors turns the page that is open to other colors, and holds it to those rules
// that are about colors: the others say the same as before.
func (w *Window) CheckColors(s Screen, url string) {
	w.Helper()
	w.Show(s)
	for _, v := range w.violations(colors) {
		w.Errorf("%s %s: %s", s, url, v)
	}
}

// heaviest is what a page may weigh, in bytes: itself, and what it loads of each kind.
var heaviest = map[string]int{"html": 60_000, "css": 40_000, "js": 15_000, "svg": 20_000, "woff2": 120_000}

// weights are the bytes of the page that is open and of what it has loaded, by kind.
const weights = `performance.getEntries().reduce((sum, e) => {
	if (!["navigation", "resource"].includes(e.entryType)) return sum;
	const kind = e.entryType === "navigation" ? "html" : new URL(e.name).pathname.split(".").pop();
	return { ...sum, [kind]: (sum[kind] || 0) + (e.decodedBodySize || 0) };
}, {})`

// light refuses a page that is heavy, or loads something from elsewhere.
func (w *Window) light(where string) {
	w.Helper()
	for kind, size := range Value[map[string]int](w, weights) {
		if most, known := heaviest[kind]; known && size > most {
			w.Errorf("%s: weighs %d bytes of %s, more than %d", where, size, kind, most)
		}
	}
	for _, e := range Value[[]string](
		w,
		`performance.getEntriesByType("resource").map((e) => e.name).filter((n) => !n.startsWith(location.origin + "/") && !n.startsWith("data:"))`,
	) {
		w.Errorf("%s: loads %s", where, e)
	}
}

// Fits refuses a page that is wider than its window, and texts that reach out of what they stand in or are cut
// without a sign that there is more.
func (w *Window) Fits(where string) {
	w.Helper()
	w.fits(where)
	for _, e := range Value[[]string](w, loose) {
		w.Errorf("%s: a text does not fit: %s", where, e)
	}
}

// loose are the texts that end to the right of something that they stand in. What can be scrolled, ends with an
// ellipsis or is for screen readers alone, a pixel wide, may hold more than it shows. A word that is broken may reach
// as far as a part of a letter.
const loose = `(() => {
	const all = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), out = new Map();
	for (let text; (text = all.nextNode());) {
		const of = text.parentElement;
		if (!text.data.trim() || of.closest("svg, option") || !of.checkVisibility({ visibilityProperty: true })) continue;
		const range = document.createRange(), reaches = new Map();
		range.selectNodeContents(text);
		const { right, width } = range.getBoundingClientRect();
		let hidden = !width;
		for (let e = of; e !== document.body; e = e.parentElement) {
			const { display, overflowX, position, textOverflow } = getComputedStyle(e);
			if (["inline", "contents"].includes(display)) continue;
			const box = e.getBoundingClientRect();
			hidden ||= box.width <= 1;
			if (["auto", "scroll"].includes(overflowX) || textOverflow === "ellipsis") break;
			if (right > box.right + 8) reaches.set(of, e);
			if (["absolute", "fixed"].includes(position)) break;
		}
		if (!hidden) reaches.forEach((e, of) => out.set(of, e));
	}
	return [...out].map(([text, e]) => text.outerHTML.slice(0, 160) + " in <" + e.localName + " class=\"" + e.className + "\">");
})()`

// fits refuses a page that is wider than its window.
func (w *Window) fits(where string) {
	w.Helper()
	for _, e := range Value[[]string](w, wide) {
		w.Errorf("%s: reaches beyond the window: %s", where, e)
	}
}

// wide are the innermost elements that make the page wider than its window.
const wide = `(() => {
	const room = document.documentElement.clientWidth;
	if (document.documentElement.scrollWidth <= room) return [];
	const scrolls = (e) => e && (["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
	const out = [...document.body.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > room + 1 && !scrolls(e.parentElement));
	const inner = out.filter((e) => !out.some((o) => o !== e && e.contains(o)));
	return (inner.length ? inner : [document.body]).map((e) => e.outerHTML.slice(0, 160));
})()`

// nameless are the fields for a password whose form does not say whose it is. A whole Chromium says
// so in its console; one without a screen has no password manager.
const nameless = `[...document.querySelectorAll("[type=password]")].filter((e) => !e.form?.querySelector("[autocomplete~=username]")).map((e) => e.outerHTML.slice(0, 160))`

// unfocused are the elements that can have the focus and do not show it: of those that the style sheet cannot tell
// apart, as the links of a column, the first ones are looked at.
const unfocused = `((most) => {
	const all = document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']");
	const out = [], looked = {};
	for (const e of all) {
		if (!e.checkVisibility() || e.disabled || e.type === "hidden") continue;
		const alike = [e, e.parentElement, e.parentElement.parentElement].map((e) => e.localName + " " + e.className).join();
		if ((looked[alike] = (looked[alike] ?? 0) + 1) > most) continue;
		document.activeElement?.blur();
		e.focus({ focusVisible: true, preventScroll: true });
		if (document.activeElement !== e) continue;
		const s = getComputedStyle(e);
		if (s.outlineStyle === "none" || s.outlineStyle !== "auto" && parseFloat(s.outlineWidth) < 2) out.push(e.outerHTML.slice(0, 160));
	}
	document.activeElement?.blur();
	scrollTo(0, 0);
	return out;
})(%d)`

// Keep keeps a picture of the whole page under a name, where a folder for them is given.
func (w *Window) Keep(name string) {
	w.Helper()
	if w.Shots == "" {
		return
	}
	picture := run(w, name, chromedp.FullScreenshot(100))
	if err := os.WriteFile(filepath.Join(w.Shots, name+".png"), picture, 0o600); err != nil {
		w.Fatal(err)
	}
}

// pictured are the screens that pictures of every page are kept of, by the end of their names.
var pictured = []struct {
	end string
	Screen
}{
	{"1280", Desktop},
	{"1280-dark", DesktopDark},
	{"390", Screen{Width: 390, Height: 844}},
}

// Picture keeps pictures of an address at a desk, in the dark and on a phone, and checks nothing. The window is
// as high as the page, so that nothing that stays in place is drawn over its middle.
func (w *Window) Picture(url, name string) {
	w.Helper()
	defer w.still()()
	w.Visit(pictured[0].Screen, url)
	for _, p := range pictured {
		w.Show(p.Screen)
		p.Height = max(p.Height, Value[int64](w, "document.documentElement.scrollHeight"))
		w.Show(p.Screen)
		w.Keep(name + "-" + p.end)
	}
}

// name is what the pictures of an address are called.
func name(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	_, path, _ := strings.Cut(rest, "/")
	if path == "" {
		return "home"
	}
	return strings.Trim(regexp.MustCompile(`[^A-Za-z0-9]+`).ReplaceAllString(path, "-"), "-")
}
