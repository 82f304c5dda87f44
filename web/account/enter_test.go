package account_test

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"portal/web/pagetest"
	"portal/web/webtest"
)

// open makes account pages that a browser can visit, under a name that can have passkeys.
func open(t *testing.T) *pagetest.AccountPages {
	t.Helper()
	s := httptest.NewUnstartedServer(nil)
	n := pagetest.NewAccountPagesAt(
		t,
		strings.Replace("http://"+s.Listener.Addr().String(), "127.0.0.1", "localhost", 1),
	)
	s.Config.Handler = n
	s.Start()
	t.Cleanup(s.Close)
	return n
}

func TestPasskeySignsInConfirmsAndIsRemoved(t *testing.T) {
	t.Parallel()
	b := pagetest.Browser(t)
	n := open(t)
	n.SignUp("dana@example.com")
	w := b.Window(t)
	w.AddPasskeyDevice()
	n.Arrives(w, "dana@example.com")
	w.Visit(webtest.Desktop, n.Address+"/settings/security/passkeys/new")
	w.Type("#field-name", "Laptop <b>")
	w.Check("a new passkey")
	w.Keep("passkey-new")
	w.Click(".form button[type=submit]")
	w.Await(`document.querySelector("h1")?.textContent === "Your recovery codes"`)
	w.Check("recovery codes")
	w.Keep("recovery-codes")
	w.Visit(webtest.Desktop, n.Address+"/settings/security")
	w.Check("security")
	w.Keep("security-passkey")

	w.Click(".menu summary")
	w.Follow(".menu form button")
	w.Await(`location.pathname === "/sign-in" && !document.querySelector(".passkey").hidden`)
	w.Click(".passkey button")
	w.Await(`location.pathname === "/overview"`)

	w.Click(".menu summary")
	w.Follow(".menu form button")
	n.Arrives(w, "dana@example.com")
	w.Await(`location.pathname === "/sign-in/second" && document.querySelector("h1")`)
	w.Check("the second factor")
	w.Keep("second-passkey")
	w.Click(".passkey button")
	w.Await(`location.pathname === "/overview"`)

	n.Wait(freshFor)
	w.Visit(webtest.Desktop, n.Address+"/settings/security")
	w.Click(`[aria-label="Remove Laptop <b>"]`)
	w.Await(`location.pathname === "/confirm"`)
	w.Await(`document.querySelector("h1")?.textContent === "Enter your password to remove a passkey"`)
	w.Keep("confirm")
	w.Click(".passkey button")
	w.Await(`document.querySelector("h1")?.textContent.startsWith("Remove the passkey")`)
	w.Follow(".form button[type=submit]")
	w.Await(`document.body.textContent.includes("Passkey removed.")`)
	pagetest.Quiet(t, w)
}

func TestAccountPagesAreAccessible(t *testing.T) {
	t.Parallel()
	b := pagetest.Browser(t)
	n := open(t)
	dana := n.SignUp("dana@example.com")
	dana.Leads(dana.Post("/team/invite", "/team/invite", url.Values{
		"email": {"max@example.com"},
		"role":  {"manager"},
	}), "/team")
	n.SignIn("dana@example.com")
	w := b.Window(t)
	n.Arrives(w, "dana@example.com")
	her := n.Member(dana, "dana@example.com")
	for _, path := range []string{
		"/overview",
		"/settings",
		"/settings/close",
		"/settings/security",
		"/settings/security/app",
		"/settings/sessions",
		"/settings/password",
		"/settings/email",
		"/team",
		"/team/invite",
		"/team/leave",
		"/team/members/" + her,
		"/accounts",
		"/settings/security/passkeys/new",
		n.Link("max@example.com", "/join/"),
	} {
		w.Look(n.Address + path)
	}
}

func TestSignInPagesAreAccessible(t *testing.T) {
	t.Parallel()
	b := pagetest.Browser(t)
	n := open(t)
	n.SignUp("dana@example.com")
	g := n.Guest()
	g.Post("/reset", "/reset", url.Values{"email": {"dana@example.com"}})
	g.Post("/sign-up", "/sign-up", url.Values{
		"email":        {"max@example.com"},
		"account_name": {"Elm"},
		"password":     {pagetest.Password},
	})
	b.Looks(t, n.Address,
		"/sign-in",
		"/sign-up",
		"/sign-up/sent",
		"/reset",
		"/reset/sent",
		n.Link("dana@example.com", "/reset/"),
		n.Link("max@example.com", "/verify/"),
		"/join/x",
	)
}

// What was typed into a form that needs a fresh confirmation is held while a passkey
// confirms who is there, and then taken once.
func TestPasskeyConfirmsHeldForm(t *testing.T) {
	t.Parallel()
	b := pagetest.Browser(t)
	n := open(t)
	n.SignUp("dana@example.com")
	w := b.Window(t)
	w.AddPasskeyDevice()
	n.Arrives(w, "dana@example.com")
	w.Visit(webtest.Desktop, n.Address+"/settings/security/passkeys/new")
	w.Type("#field-name", "Laptop")
	w.Click(".form button[type=submit]")
	w.Await(`document.querySelector("h1")?.textContent === "Your recovery codes"`)

	w.Visit(webtest.Desktop, n.Address+"/team/invite")
	w.Type("#field-email", "max@example.com")
	n.Wait(freshFor)
	w.Follow(".form button[type=submit]")
	w.Await(`document.querySelector("h1")?.textContent === "Enter your password to invite a member"`)
	w.Await(`!document.querySelector(".passkey").hidden`)
	if sent := n.Emails("max@example.com"); len(sent) != 0 {
		t.Errorf("%d invitations before the confirmation", len(sent))
	}
	w.Check("a form that is held")
	w.Keep("confirm-held")
	w.Click(".passkey button")
	w.Await(`location.pathname === "/team" && document.body.textContent.includes("max@example.com")`)
	if sent := n.Emails("max@example.com"); len(sent) != 1 {
		t.Errorf("%d invitations", len(sent))
	}
	pagetest.Quiet(t, w)
}
