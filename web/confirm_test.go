package web_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"portal/web"
)

// posted says of every form what decisions.md §2 asks for: who sends it has confirmed who
// they are (confirm), and the same form creates one thing (once). A route that is not here
// fails the test: whoever adds one decides about both.
var posted = map[string]string{
	// What gives lasting power, shows a secret or cannot be undone.
	"/team/invite": "confirm once", "/team/members/:id": "confirm", "/keys": "confirm once", "/keys/:id/roll": "confirm once", "/docs/key": "confirm once",
	"/{mode}/webhooks/new": "confirm once", "/{mode}/webhooks/:id/rotate": "confirm once", "/{mode}/webhooks/:id/edit": "confirm", "/settings/email": "confirm", "/settings/close": "confirm",
	"/settings/security/app": "confirm", "/settings/security/app/remove": "confirm", "/settings/security/codes": "confirm once",
	"/settings/security/ceremony": "confirm", "/settings/security/passkeys": "confirm", "/settings/security/passkeys/:id/remove": "confirm",

	// What creates something else.
	"/access": "once", "/{mode}/applications/new": "once", "/{mode}/applications/:id/accept": "once", "/{mode}/import": "once", "/{mode}/import/:id": "once",
	"/{mode}/leases/:id/charge": "once", "/{mode}/ledger/:id/record": "once", "/{mode}/properties/new": "once", "/{mode}/properties/:id/verify": "once",
	"/{mode}/properties/:id/units/new": "once", "/{mode}/tickets/new": "once", "/{mode}/webhooks/deliveries/:id/redeliver": "once",
	"/{mode}/webhooks/:id/enable": "once", "/{mode}/webhooks/:id/missed": "once", "/{mode}/webhooks/:id/test": "once", "/test/demo": "once", "/test/demo/reset": "once",

	// What shows who somebody is, and asks for it by itself.
	"/sign-in": "", "/sign-in/passkey": "", "/sign-in/passkey/start": "", "/sign-in/second": "", "/sign-in/second/passkey": "", "/sign-in/second/passkey/start": "",
	"/confirm": "", "/confirm/passkey": "", "/confirm/passkey/start": "", "/settings/password": "",

	// What a link from an email does, once by itself, or sends an email of which there are
	// few an hour, whose link takes the place of the one before.
	"/sign-up": "", "/verify/:token": "", "/reset": "", "/reset/:token": "", "/email/:token": "", "/email/undo/:token": "", "/join/:token": "", "/apply/:token": "",
	"/mail/unsubscribe/:token": "",

	// What ends something, or changes what is there: done twice it is as done once.
	"/sign-out": "", "/accounts": "", "/team/invitations/:id/withdraw": "", "/team/members/:id/remove": "", "/team/leave": "", "/settings": "", "/settings/mail": "",
	"/settings/security/passkeys/:id": "", "/settings/sessions/others": "", "/settings/sessions/:id/end": "", "/access/:id/withdraw": "", "/keys/:id/revoke": "",
	"/docs/key/forget": "", "/{mode}/applications/:id/decline": "", "/{mode}/applications/:id/cancel": "", "/{mode}/import/:id/check": "", "/{mode}/import/:id/discard": "",
	"/{mode}/leases/:id/edit": "", "/{mode}/leases/:id/terminate": "", "/{mode}/leases/:id/void": "", "/{mode}/ledger/:id/void": "", "/{mode}/properties/:id/edit": "",
	"/{mode}/properties/:id/archive": "", "/{mode}/properties/:id/restore": "", "/{mode}/tenants/:id/edit": "", "/{mode}/tickets/:id/edit": "", "/{mode}/tickets/:id/status": "",
	"/{mode}/units/:id/edit": "", "/{mode}/units/:id/off-market": "", "/{mode}/units/:id/on-market": "", "/{mode}/webhooks/:id/disable": "",
	"/staff/requests/:id/approve": "", "/staff/requests/:id/deny": "", "/staff/requests/:id/revoke": "", "/staff/requests/:id/notes": "", "/staff/accounts/:id": "", "/staff/jobs/:id/retry": "",
	"/staff/properties/:id/verify": "", "/staff/properties/:id/decline": "",

	// A request of the API, which has an Idempotency-Key of its own, with a key that was
	// made by who had confirmed who they are.
	"/docs/api/:resource/:operation/try": "",

	"/design/form": "", "/design/ask": "", // the gallery, which keeps nothing
}

// shown are the pages that ask for a confirmation before they are shown.
var shown = []string{"/keys/new", "/keys/:id/roll", "/docs/key", "/team/invite", "/team/members/:id", "/{mode}/webhooks/new", "/{mode}/webhooks/:id/edit", "/{mode}/webhooks/:id/rotate", "/settings/email", "/settings/close",
	"/settings/export", "/settings/security/app", "/settings/security/app/remove", "/settings/security/codes", "/settings/security/passkeys/new", "/settings/security/passkeys/:id/remove"}

// table are the routes of a service that has everything, without those of tests.
func table(t *testing.T) []web.Route {
	t.Helper()
	h := newAccountPagesOnly(t)
	return slices.DeleteFunc(h.pages.Table(), func(r web.Route) bool {
		return strings.HasPrefix(r.Path, "/trial") || strings.Contains(r.Path, "/trials")
	})
}

func TestEveryFormSaysWhetherItAsksWhoIsThereAndIsTakenOnce(t *testing.T) {
	t.Parallel()
	missing := maps.Clone(posted)
	for _, r := range table(t) {
		path := strings.Replace(strings.Replace(r.Path, "/live/", "/{mode}/", 1), "/test/", "/{mode}/", 1)
		if _, known := posted[r.Path]; known {
			path = r.Path
		}
		if r.Method == http.MethodGet {
			if r.Confirmed != slices.Contains(shown, path) || r.Once {
				t.Errorf("GET %s asks for a confirmation: %t, and is taken once: %t", r.Path, r.Confirmed, r.Once)
			}
			continue
		}
		says, known := posted[path]
		if delete(missing, path); !known {
			t.Errorf("%s is new: decide whether it asks who is there (decisions.md §2) and whether it creates something, and say so here", r.Path)
		} else if r.Confirmed != strings.Contains(says, "confirm") || r.Once != strings.Contains(says, "once") {
			t.Errorf("%s asks for a confirmation: %t, and is taken once: %t; want %q", r.Path, r.Confirmed, r.Once, says)
		}
	}
	if len(missing) > 0 {
		t.Errorf("there are no routes for %v", slices.Collect(maps.Keys(missing)))
	}
}

// confirms sends the form that a page asks for a confirmation with, as a browser does.
func (r *reader) confirms(page *httptest.ResponseRecorder, fields url.Values) *httptest.ResponseRecorder {
	r.Helper()
	doc := parse(r.T, page.Body.String())
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || n.Data != "form" || !strings.HasPrefix(attr(n, "class"), "form") {
			continue
		}
		sent := maps.Clone(fields)
		for i := range n.Descendants() {
			if name := attr(i, "name"); i.Data == "input" && attr(i, "type") == "hidden" {
				sent.Set(name, attr(i, "value"))
			}
		}
		return r.send(http.MethodPost, attr(n, "action"), sent, nil)
	}
	r.Fatalf("%d, and there is no form:\n%s", page.Code, text(doc))
	return nil
}

func TestASessionOfTwoHoursAgoConfirmsBeforeItInvitesAndKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r := n.signUp("dana@example.com")
	n.wait(2 * time.Hour)
	form := url.Values{"email": {"max@example.com"}, "role": {"owner"}, "once": {"this very form"}, "token": {r.token("/settings")}}
	asked := r.send(http.MethodPost, "/team/invite", form, nil)
	r.says(asked, http.StatusForbidden, "Confirm it is you")
	if len(n.emails("max@example.com")) != 0 {
		t.Fatal("the invitation was sent without a confirmation")
	}
	r.leads(r.get("/team/invite"), "/confirm?next=%2Fteam%2Finvite")
	asked = r.confirms(asked, url.Values{"password": {"wrong"}})
	r.says(asked, http.StatusBadRequest, "The password is wrong.")
	before := r.session()
	r.leads(r.confirms(asked, url.Values{"password": {right}}), "/team")
	if r.session() == before {
		t.Error("the token of the session is the same")
	}
	r.says(r.get("/team"), http.StatusOK, "max@example.com owner dana@example.com")
	if sent := n.emails("max@example.com"); len(sent) != 1 {
		t.Errorf("%d invitations", len(sent))
	}
	again := r.confirms(asked, url.Values{"password": {right}}) // the page was loaded again
	r.leads(again, "/team")
	r.says(r.get("/team"), http.StatusOK, "That form was sent before.")
	if sent := n.emails("max@example.com"); len(sent) != 1 {
		t.Errorf("%d invitations after the form was sent again", len(sent))
	}
	r.says(r.get("/team/invite"), http.StatusOK, "Invite somebody")
}

func TestWhoHasASecondFactorConfirmsWithIt(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r := n.signUp("dana@example.com")
	secret, _ := n.setUpTwoFactor(r)
	maxine := n.join(r, "max@example.com", "manager")
	n.wait(2 * time.Hour)
	at := "/team/members/" + n.member(r, "max@example.com")
	asked := r.post(at, "/team", url.Values{"role": {"owner"}})
	asked = r.confirms(asked, url.Values{"password": {right}})
	r.says(asked, http.StatusBadRequest, "This code is wrong")
	r.leads(r.confirms(asked, url.Values{"password": {right}, "code": {n.code(secret)}}), "/team")
	maxine.says(maxine.get("/team"), http.StatusOK, "max@example.com you owner")
}

func TestAFormIsKeptWithoutItsPassword(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r := n.signUp("dana@example.com")
	n.wait(2 * time.Hour)
	asked := r.post("/settings/close", "/settings", url.Values{"password": {right}})
	r.says(asked, http.StatusForbidden, "Confirm it is you")
	r.says(r.confirms(asked, url.Values{"password": {right}}), http.StatusBadRequest, "The password is wrong.")
}

func TestTenMinutesAfterwardsNobodyIsAskedAgain(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	r := n.signUp("dana@example.com")
	n.wait(10*time.Minute - time.Second)
	r.says(r.get("/team/invite"), http.StatusOK, "Invite somebody")
	n.wait(time.Second)
	r.leads(r.get("/team/invite"), "/confirm?next=%2Fteam%2Finvite")
}
