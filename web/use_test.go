package web_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"portal/api/sampled"
	"portal/web/pagetest"
	"portal/web/webtest"
)

// components is a window on the page of all components.
func components(t *testing.T) (*webtest.Window, string) {
	t.Helper()
	t.Parallel()
	b := pagetest.Browser(t)
	return b.Window(t), pagetest.Start(t, pagetest.Config{Now: time.Now, Design: true})
}

func TestConfirmDialogClosesOnEscape(t *testing.T) {
	w, at := components(t)
	w.Visit(webtest.Desktop, at+"/design")
	w.Click(".head a[data-confirm]")
	w.Await(`document.querySelector("dialog[open] h1")?.textContent.includes("Old laptop")`)
	w.Check("the dialog")
	w.Keep("dialog-desktop")
	w.Press(kb.Escape)
	w.Await(`!document.querySelector("dialog")`)
	w.Await(`document.activeElement.matches(".head a[data-confirm]")`)
	w.Press(kb.Enter)
	w.Await(`document.activeElement.matches("dialog[open] h1")`)
	w.Press(kb.Enter) // as a key that is held
	w.Click("dialog [data-cancel]")
	w.Await(`!document.querySelector("dialog")`)
	w.Click(".head a[data-confirm]")
	w.Await(`document.querySelector("dialog[open]")`)
	w.Follow("dialog button[type=submit]")
	if got := w.Text(".note"); w.Path() != "/design" || !strings.Contains(got, "enabled again") {
		t.Errorf("%s says %s", w.Path(), got)
	}
	pagetest.Quiet(t, w)
}

func TestKeyboardOpenedDialogTakesFocusWithQuietConsole(t *testing.T) {
	w, at := components(t)
	w.Visit(webtest.Desktop, at+"/design")
	w.Do(`document.querySelector(".head a[data-confirm]").focus()`)
	w.Press(kb.Enter)
	w.Await(`document.activeElement.matches("dialog[open] h1")`)
	webtest.Value[bool](
		w,
		`new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true))))`,
	)
	pagetest.Quiet(t, w)
}

func TestConfirmationWorksAsPageWithoutScripts(t *testing.T) {
	w, at := components(t)
	w.Visit(webtest.Screen{Width: 360, Height: 780, Plain: true}, at+"/design")
	w.Follow(".head a[data-confirm]")
	if got := w.Text("h1"); w.Path() != "/design/ask" || !strings.Contains(got, "Old laptop") {
		t.Errorf("%s says %s", w.Path(), got)
	}
	w.Follow(".confirm button[type=submit]")
	if w.Path() != "/design" {
		t.Errorf("the form leads to %s", w.Path())
	}
	shown := webtest.Value[bool](w, `[...document.querySelectorAll("[data-copy]")].some((b) => b.checkVisibility())`)
	if shown {
		t.Error("a button is there that does nothing")
	}
}

func TestFormErrorSummaryTakesFocus(t *testing.T) {
	w, at := components(t)
	for _, s := range append([]webtest.Screen{{Width: 360, Height: 780, Plain: true}}, webtest.Screens...) {
		w.Visit(s, at+"/design/form")
		w.Type("#field-requests", "many")
		w.Type("#field-notes", "Kept, <b>as typed</b>")
		w.Follow(".form button[type=submit]")
		w.Await(`document.activeElement.matches(".summary")`)
		pagetest.Quiet(t, w)
		if !s.Plain { // what checks a page is a script
			w.Check("the form " + s.String())
		}
		w.Keep("form-wrong-" + s.String())
		w.Click(".summary li:last-child a")
		w.Await(`document.activeElement.id === "field-requests"`)
		got := webtest.Value[string](w, `document.querySelector("#field-notes").value + document.activeElement.value`)
		if got != "Kept, <b>as typed</b>many" {
			t.Errorf("the fields hold %s", got)
		}
	}
}

func TestCopyButtonCopiesShownValue(t *testing.T) {
	w, at := components(t)
	w.Visit(webtest.Desktop, at+"/design")
	w.Allow("clipboard-read", "clipboard-write")
	w.Click(".secret .value [data-copy]")
	w.Await(`document.querySelector("#told")?.textContent === "Copied"`)
	if got := webtest.Value[string](w, `navigator.clipboard.readText()`); got != w.Text(".secret .value code") {
		t.Errorf("copied %q", got)
	}
	pagetest.Quiet(t, w)
}

func TestPhoneNavigationOpensByButton(t *testing.T) {
	w, at := components(t)
	const open = `document.querySelector("#navigation").checkVisibility()`
	for _, plain := range []bool{false, true} {
		w.Visit(webtest.Screen{Width: 360, Height: 780, Plain: plain}, at+"/design")
		w.Await("!" + open)
		w.Click(".top .opener")
		w.Await(open)
		w.Keep("places-phone")
		w.Press(kb.Escape)
		w.Await("!" + open)
	}
	w.Visit(webtest.Desktop, at+"/design")
	w.Await(open)
	pagetest.Quiet(t, w)
}

func TestMenuClosesOnEscapeAndOutsideClick(t *testing.T) {
	w, at := components(t)
	const open = `document.querySelector("details.menu").open`
	w.Visit(webtest.Phone, at+"/design")
	w.Click(".top .opener")
	w.Click(".menu summary")
	w.Await(open)
	w.Keep("menu-phone")
	w.Visit(webtest.Desktop, at+"/design")
	w.Click(".menu summary")
	w.Await(open)
	w.Press(kb.Escape)
	w.Await("!" + open + ` && document.activeElement.matches(".menu summary")`)
	w.Click(".menu summary")
	w.Click("main h2")
	w.Await("!" + open)
	pagetest.Quiet(t, w)
}

func TestFilterAppliesWhenChosen(t *testing.T) {
	w, at := components(t)
	w.Visit(webtest.Desktop, at+"/design")
	w.Click(".chips details summary")
	w.Click(`.chips a[href$="mode=live"]`)
	w.Await(`location.search === "?mode=live"`)
	pagetest.Quiet(t, w)
}

func TestFirstTabReachesSkipLink(t *testing.T) {
	w, at := components(t)
	w.Visit(webtest.Desktop, at+"/design")
	w.Press(kb.Tab)
	w.Await(`document.activeElement.matches(".skip") && document.activeElement.getBoundingClientRect().top >= 0`)
	w.Press(kb.Enter)
	w.Await(`document.activeElement.id === "main"`)
	w.Press(kb.Tab)
	w.Await(`document.activeElement.closest("main")`)
	pagetest.Quiet(t, w)
}

func TestRepeatedClicksSubmitFormOnce(t *testing.T) {
	w, at := components(t)
	w.Visit(webtest.Desktop, at+"/design/ask")
	w.Do(
		`(() => { window.sent = 0; const f = document.querySelector(".form"); f.addEventListener("submit", (e) => { ` +
			`if (!e.defaultPrevented) sent++; e.preventDefault(); }); const b = f.querySelector("button"); ` +
			`b.click(); b.click(); b.click(); })()`,
	)
	if got := webtest.Value[int](w, "sent"); got != 1 {
		t.Errorf("sent %d times", got)
	}
}

// The first request is answered to nobody: its sender presses the button again while it runs,
// then stops it. The page asks the server when each of the two may happen.
func TestAbortedFormCanBeResubmitted(t *testing.T) {
	t.Parallel()
	b := pagetest.Browser(t)
	w, came, pressed, gone := b.Window(t), make(chan struct{}), make(chan struct{}), make(chan struct{})
	s := httptest.NewUnstartedServer(nil)
	pages := pagetest.Serve(
		pagetest.Config{BaseURL: "http://" + s.Listener.Addr().String(), Now: time.Now, Design: true},
	)
	var posts atomic.Int32
	s.Config.Handler = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/came":
			<-came
		case r.URL.Path == "/pressed":
			close(pressed)
		case r.Method == http.MethodPost && posts.Add(1) == 1:
			_, _ = io.Copy(io.Discard, r.Body) // net/http tells that the sender is gone once the body is read
			close(came)
			<-r.Context().Done()
			close(gone)
		default:
			pages.ServeHTTP(rw, r)
		}
	})
	s.Start()
	t.Cleanup(s.Close)
	t.Cleanup(s.CloseClientConnections)
	w.Visit(webtest.Desktop, s.URL+"/design/ask")
	w.Do(`(async () => {
		const button = document.querySelector(".confirm button[type=submit]");
		button.click();
		button.click();
		await fetch("/came");
		button.click();
		await fetch("/pressed").catch(() => {}); // it may be stopped, too
	})()`)
	<-pressed
	w.Stop()
	<-gone
	w.Await(`!document.querySelector("form[data-sent]")`)
	if n := posts.Load(); n != 1 {
		t.Errorf("sent %d times before it was stopped", n)
	}
	w.Follow(".confirm button[type=submit]")
	if n := posts.Load(); w.Path() != "/design" || n != 2 {
		t.Errorf("sent %d times, and led to %s", n, w.Path())
	}
	pagetest.Quiet(t, w)
}

func TestFormInputNeverRunsAsScript(t *testing.T) {
	w, at := components(t)
	if len(webtest.Payloads) != 60 {
		t.Fatalf("%d payloads", len(webtest.Payloads))
	}
	w.Visit(webtest.Desktop, at+"/design/form")
	taken := sampled.OneIn(t, 3)
	for i, p := range webtest.Payloads {
		if !taken(i) {
			continue
		}
		w.Do(
			fmt.Sprintf(
				`for (const f of document.querySelectorAll(".form [name]:not([type=hidden], [type=radio], `+
					`[type=checkbox], [type=date], select)")) { f.readOnly = false; f.value = %q }`,
				p,
			),
		)
		w.Follow(".form button[type=submit]")
		w.Await(`document.activeElement.matches(".summary")`) // before the next press takes the focus
		w.Harmless(p)
	}
	w.Visit(webtest.Desktop, at+"/"+url.PathEscape(strings.Join(webtest.Payloads[:20], "")))
	w.Harmless("an address")
}
