package account_test

import (
	"net/url"
	"testing"

	"portal/web/pagetest"
	"portal/web/webtest"
)

// screens are with script and without.
var screens = []webtest.Screen{webtest.Desktop, {Width: 360, Height: 780, Plain: true}}

// wrongFocused is that the browser has focused what is wrong: the summary, or in a brief form the field itself.
const wrongFocused = `document.activeElement.matches(".summary, [aria-invalid=true]") && location.hash === ""`

// refused sends the form of the page that is open, which comes back with what is wrong.
func refused(t *testing.T, w *webtest.Window) {
	t.Helper()
	w.Follow(".form:not(.passkey) button[type=submit]")
	w.Await(wrongFocused)
	pagetest.Quiet(t, w)
}

func TestRefusedGuestFormLogsNothingToConsole(t *testing.T) {
	t.Parallel()
	b, n := pagetest.Browser(t), open(t)
	n.SignUp("dana@example.com")
	n.Guest().Post("/reset", "/reset", url.Values{"email": {"dana@example.com"}})
	w := b.Window(t)
	for _, s := range screens {
		for _, path := range []string{"/sign-in", "/sign-up", "/reset", n.Link("dana@example.com", "/reset/")} {
			w.Visit(s, n.Address+path)
			refused(t, w)
		}
	}
}

// A password manager has to know whose password a page asks for, and the page says it to nobody else.
func TestPasswordPagesNameUserOnlyToPasswordManagers(t *testing.T) {
	t.Parallel()
	b, n := pagetest.Browser(t), open(t)
	n.SignUp("dana@example.com")
	w := b.Window(t)
	n.Arrives(w, "dana@example.com")
	n.Wait(freshFor)
	for _, s := range screens {
		for _, path := range []string{"/confirm", "/settings/password", "/settings/close"} {
			w.Visit(s, n.Address+path)
			for _, again := range []string{"", " again"} {
				const is = `(() => {
					const [u, ...more] = document.querySelectorAll("main [autocomplete=username]"),
						box = u.getBoundingClientRect();
					return [u.value, u.type, u.name, u.readOnly, u.tabIndex, u.ariaHidden, box.width <= 1, more.length,
						!!(u.compareDocumentPosition(document.querySelector("main [type=password]")) & 4)].join(" ");
				})()`
				if got := webtest.Value[string](w, is); got != "dana@example.com text  true -1 true true 0 true" {
					t.Errorf("%s %s%s: the username is %s", s, path, again, got)
				}
				if again == "" {
					refused(t, w)
				}
			}
		}
	}
}

func TestErrorSummaryRefocusesAfterFieldLink(t *testing.T) {
	t.Parallel()
	b, n := pagetest.Browser(t), open(t)
	n.Guest().Post("/sign-up", "/sign-up", url.Values{
		"email":        {"max@example.com"},
		"account_name": {"Elm"},
		"password":     {pagetest.Password},
	})
	at := n.Address + n.Link("max@example.com", "/verify/")
	for _, s := range screens {
		w := b.Window(t)
		w.Visit(s, at)
		refused(t, w)
		w.Click(".summary a")
		w.Await(`location.hash === "#field-password" && document.activeElement.id === "field-password"`)
		refused(t, w)
	}
}
