package main

import (
	"fmt"
	"strings"

	"github.com/chromedp/chromedp/kb"

	"portal/web/webtest"
)

// browserUser is how somebody uses a page: with a mouse, with the keyboard alone, or where no
// script runs.
type browserUser struct {
	*webtest.Window
	at     string // address of the service
	screen webtest.Screen
	keys   bool
}

func (h *browserUser) visit(path string) {
	h.Helper()
	h.Visit(h.screen, h.at+path)
	h.quiet()
}

// quiet checks that neither a script nor the policy had anything to complain of.
func (h *browserUser) quiet() {
	h.Helper()
	for _, s := range h.Said() {
		h.Errorf("%s: the console says %s", h.Path(), s)
	}
}

// reach gets the focus to what a selector finds, by the tabulator alone.
func (h *browserUser) reach(css string) {
	h.Helper()
	h.Await(fmt.Sprintf("document.querySelector(%q)", css))
	for range 150 {
		if webtest.Value[bool](h.Window, fmt.Sprintf("document.activeElement.matches(%q)", css)) {
			return
		}
		h.Press(kb.Tab)
	}
	h.Fatalf("%s: the keyboard does not reach %s", h.Path(), css)
}

// write fills in a field.
func (h *browserUser) write(name, text string) {
	h.Helper()
	css := fmt.Sprintf("main [name=%q]", name)
	if h.keys {
		h.reach(css)
	}
	h.Type(css, text)
}

// tick chooses a box.
func (h *browserUser) tick(name, value string) {
	h.Helper()
	css := fmt.Sprintf("main input[name=%q][value=%q]", name, value)
	switch {
	case webtest.Value[bool](h.Window, fmt.Sprintf("document.querySelector(%q).checked", css)):
	case h.keys && webtest.Value[bool](h.Window, fmt.Sprintf("document.querySelector(%q).type === 'radio'", css)):
		h.reach(fmt.Sprintf("main input[name=%q]:checked", name))
		for range 5 {
			if !webtest.Value[bool](h.Window, fmt.Sprintf("document.querySelector(%q).checked", css)) {
				h.Press(kb.ArrowDown)
			}
		}
	case h.keys:
		h.reach(css)
		h.Press(" ")
	default:
		h.Click(css)
	}
	h.Await(fmt.Sprintf("document.querySelector(%q).checked", css))
}

// goes presses a link or a button and waits for the page to which it leads.
func (h *browserUser) goes(css, to string) {
	h.Helper()
	if h.keys {
		h.reach(css)
		h.Leave(func() {
			h.Helper()
			h.Press(kb.Enter)
		})
	} else {
		h.Follow(css)
	}
	if at := h.Path(); !strings.HasPrefix(at, to) {
		h.Fatalf("%s leads to %s, not to %s: %s", css, at, to, h.Text("main"))
	}
	h.quiet()
}

// agrees presses what asks before it does something, and says yes: in the dialog, or on
// the page that asks where no script runs.
func (h *browserUser) agrees(css, to string) {
	h.Helper()
	switch {
	case h.screen.Plain:
		h.Follow(css)
		h.goes(".confirm button[type=submit]", to)
		return
	case h.keys:
		h.reach(css)
		h.Press(kb.Enter)
	default:
		h.Click(css)
	}
	h.Await(`document.querySelector("dialog[open]")`)
	h.goes("dialog[open] button[type=submit]", to)
}

// sees waits until the page says something, reloading it as a reader would.
func (h *browserUser) sees(words string) {
	h.Helper()
	path := h.Path()
	for range 60 {
		if strings.Contains(h.Text("main"), words) {
			return
		}
		h.visit(path)
	}
	h.Fatalf("%s does not say %q: %s", path, words, h.Text("main"))
}
