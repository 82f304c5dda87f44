package web_test

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/web/page"
	"portal/web/pagetest"
)

// posted says of every form what docs/decisions/0022 asks for: who sends it has confirmed who
// they are (confirm), and the same form creates one thing (once). A route that is not here
// fails the test: adding one means to decide about both.
var posted = map[string]string{
	// What gives lasting power, shows a secret or cannot be undone.
	"/team/invite":                            "confirm once",
	"/team/members/:id":                       "confirm",
	"/keys":                                   "confirm once",
	"/keys/:id/roll":                          "confirm once",
	"/docs/key":                               "confirm once",
	"/{mode}/webhooks/new":                    "confirm once",
	"/{mode}/webhooks/:id/rotate":             "confirm once",
	"/{mode}/webhooks/:id/edit":               "confirm",
	"/settings/email":                         "confirm",
	"/settings/close":                         "confirm",
	"/settings/security/app":                  "confirm",
	"/settings/security/app/remove":           "confirm",
	"/settings/security/codes":                "confirm once",
	"/settings/security/ceremony":             "confirm",
	"/settings/security/passkeys":             "confirm",
	"/settings/security/passkeys/:id/remove":  "confirm",
	"/staff/requests/:id/approve":             "confirm",
	"/staff/accounts/:id":                     "confirm",
	"/staff/accounts/:id/decline-units":       "",
	"/{mode}/leases/:id/sign":                 "confirm",
	"/{mode}/leases/:id/signers/:signer/sign": "confirm",
	"/{mode}/leases/:id/condition/:kind/sign": "confirm",

	// A second one finds the party signed, and keeps nothing.
	"/{mode}/leases/:id/signers/:signer/paper": "confirm",

	// A second request is refused while one is open.
	"/{mode}/leases/:id/ask-to-end": "confirm",

	// What does so now and then: an owner is removed, and not a manager.
	"/team/members/:id/remove": "sometimes",

	// What creates something else.
	"/access":                                   "once",
	"/{mode}/applications/new":                  "once",
	"/{mode}/applications/:id/accept":           "once",
	"/{mode}/import":                            "once",
	"/{mode}/import/:id":                        "once",
	"/{mode}/leases/generate":                   "once",
	"/{mode}/leases/:id/charge":                 "once",
	"/{mode}/leases/:id/attachments/new":        "once",
	"/{mode}/leases/library/new":                "once",
	"/{mode}/leases/templates/new":              "once",
	"/{mode}/ledger/:id/record":                 "once",
	"/{mode}/properties/new":                    "once",
	"/{mode}/properties/:id/verify":             "once",
	"/{mode}/properties/:id/units/new":          "once",
	"/{mode}/tenants/new":                       "once",
	"/{mode}/tickets/new":                       "once",
	"/{mode}/tickets/:id/comments":              "once",
	"/{mode}/webhooks/deliveries/:id/redeliver": "once",
	"/{mode}/webhooks/deliveries":               "once",
	"/{mode}/webhooks/:id/enable":               "once",
	"/{mode}/webhooks/:id/missed":               "once",
	"/{mode}/webhooks/:id/test":                 "once",
	"/test/demo":                                "once",
	"/test/demo/clock":                          "once",
	"/test/demo/reset":                          "once",

	// What shows who somebody is, and asks for it by itself.
	"/sign-in":                      "",
	"/sign-in/passkey":              "",
	"/sign-in/passkey/start":        "",
	"/sign-in/second":               "",
	"/sign-in/second/passkey":       "",
	"/sign-in/second/passkey/start": "",
	"/confirm":                      "",
	"/confirm/passkey":              "",
	"/confirm/passkey/start":        "",
	"/settings/password":            "",

	// What a link from an email does, once by itself, or sends an email of which there are
	// few an hour, whose link takes the place of the one before.
	"/sign-up":                 "",
	"/verify/:token":           "",
	"/reset":                   "",
	"/reset/:token":            "",
	"/email/:token":            "",
	"/email/undo/:token":       "",
	"/join/:token":             "",
	"/apply/:token":            "",
	"/mail/unsubscribe/:token": "",
	"/sign/:token":             "",
	"/sign/:token/review":      "",
	"/sign/:token/code":        "",
	"/sign/:token/decline":     "",
	"/ending/:token":           "",
	"/ending/:token/code":      "",
	"/{mode}/leases/:id/signers/:signer/send": "",
	"/{mode}/leases/generate/preview":         "",
	"/{mode}/leases/:id/send":                 "",

	"/{mode}/leases/:id/attachments/:attachment/remove": "",

	"/{mode}/leases/:id/condition/:kind/begin":                "", // a lease has one report of a kind
	"/{mode}/leases/:id/condition/:kind/areas/:area":          "", // the same text again changes nothing
	"/{mode}/leases/:id/condition/:kind/items/:item":          "once",
	"/{mode}/leases/:id/condition/:kind/photos/:photo/remove": "",
	"/{mode}/leases/:id/condition/:kind/arrange":              "once",
	"/{mode}/leases/:id/condition/:kind/share":                "",
	"/{mode}/leases/:id/condition/:kind/reopen":               "",
	"/{mode}/leases/:id/condition/:kind/delete":               "",

	"/{mode}/leases/templates/:id/attachments/new":                "once",
	"/{mode}/leases/templates/:id/attachments/:attachment/remove": "",
	"/{mode}/leases/templates/:id/edit":                           "", // a form of an earlier version is refused
	"/{mode}/leases/templates/:id/delete":                         "",

	"/{mode}/leases/library/lead_warning": "", // the same text again changes nothing
	"/{mode}/leases/library/:id/edit":     "", // a form of an earlier version is refused
	"/{mode}/leases/library/:id/replace":  "", // the same file again leaves the same file
	"/{mode}/leases/library/:id/delete":   "",

	"/{mode}/leases/generate/beside":  "",
	"/{mode}/leases/generate/signers": "",
	"/{mode}/tenants/unit":            "", // it keeps what was typed, and leads on

	// What ends something, or changes what is there: done twice it is as done once.
	"/sign-out":                            "",
	"/accounts":                            "",
	"/team/invitations/:id/withdraw":       "",
	"/team/leave":                          "",
	"/settings":                            "",
	"/settings/mail":                       "",
	"/settings/mail/lease-records":         "",
	"/{mode}/settings/leases":              "",
	"/{mode}/settings/rent/on":             "",
	"/{mode}/settings/rent/off":            "",
	"/{mode}/settings/rent/emails":         "",
	"/settings/security/passkeys/:id":      "",
	"/settings/sessions/others":            "",
	"/settings/sessions/:id/end":           "",
	"/access/:id/withdraw":                 "",
	"/keys/:id/revoke":                     "",
	"/docs/key/forget":                     "",
	"/{mode}/applications/:id/decline":     "",
	"/{mode}/applications/:id/cancel":      "",
	"/{mode}/import/:id/answers":           "",
	"/{mode}/import/:id/changes":           "",
	"/{mode}/import/:id/check":             "",
	"/{mode}/import/:id/columns":           "",
	"/{mode}/import/:id/discard":           "",
	"/{mode}/import/:id/units":             "",
	"/usage/units":                         "",
	"/{mode}/leases/:id/edit":              "",
	"/{mode}/leases/:id/lead":              "",
	"/{mode}/leases/:id/people":            "",
	"/{mode}/leases/:id/money":             "",
	"/{mode}/leases/:id/law":               "",
	"/{mode}/leases/:id/restart":           "",
	"/{mode}/leases/:id/deposit":           "confirm once",
	"/{mode}/leases/:id/notices/new/:kind": "once",

	"/{mode}/leases/:id/notices/:notice/email":  "once",
	"/{mode}/leases/:id/notices/:notice/delete": "",

	"/{mode}/leases/:id/online-payments":     "",
	"/{mode}/settings/payments/connect":      "confirm",
	"/{mode}/settings/payments/fee":          "",
	"/{mode}/ledger/:id/dispute":             "",
	"/{mode}/leases/:id/extend":              "",
	"/{mode}/leases/:id/terminate":           "",
	"/{mode}/leases/:id/void":                "",
	"/{mode}/leases/:id/ask-to-end/withdraw": "",
	"/{mode}/ledger/:id/correct":             "",
	"/{mode}/ledger/:id/forgive":             "",
	"/{mode}/ledger/:id/refund":              "confirm", // the version of the row keeps a second one out
	"/{mode}/ledger/:id/void":                "",
	"/{mode}/properties/:id/edit":            "",
	"/{mode}/properties/:id/archive":         "",
	"/{mode}/properties/:id/restore":         "",
	"/{mode}/tenants/:id/edit":               "",
	"/{mode}/tickets/:id/edit":               "",
	"/{mode}/tickets/:id/status":             "",
	"/{mode}/tickets/:id/visit":              "",
	"/{mode}/units/:id/edit":                 "",
	"/{mode}/units/:id/off-market":           "",
	"/{mode}/units/:id/on-market":            "",
	"/{mode}/webhooks/:id/disable":           "",
	"/staff/requests/:id/deny":               "",
	"/staff/requests/:id/revoke":             "",
	"/staff/requests/:id/notes":              "",
	"/staff/jobs/:id/retry":                  "",
	"/staff/properties/:id/verify":           "",
	"/staff/properties/:id/decline":          "",

	// A request of the API, which has an Idempotency-Key of its own. It asks where the answer
	// holds a secret.
	"/docs/api/:resource/:operation/try": "sometimes",

	"/design/form": "",
	"/design/ask":  "", // pages of components, which keep nothing
}

// shown are the pages that ask for a confirmation before they are shown.
var shown = []string{
	"/keys/new",
	"/keys/:id/roll",
	"/docs/key",
	"/team/invite",
	"/team/members/:id",
	"/{mode}/webhooks/new",
	"/{mode}/webhooks/:id/edit",
	"/{mode}/webhooks/:id/rotate",
	"/settings/email",
	"/settings/close",
	"/settings/export",
	"/staff/requests/:id/approve",
	"/settings/security/app",
	"/settings/security/app/remove",
	"/settings/security/codes",
	"/settings/security/passkeys/new",
	"/settings/security/passkeys/:id/remove",
	"/{mode}/leases/:id/sign",
	"/{mode}/leases/:id/signers/:signer/sign",
	"/{mode}/leases/:id/signers/:signer/paper",
	"/{mode}/leases/:id/condition/:kind/sign",
	"/{mode}/leases/:id/ask-to-end",
	"/{mode}/leases/:id/deposit",
	"/{mode}/ledger/:id/refund",
}

// table are the routes of a service that has everything, without those of tests.
func table(t *testing.T) []pagetest.Route {
	t.Helper()
	h := newAccountPagesOnly(t)
	return slices.DeleteFunc(pagetest.TableOf(h.Pages), func(r pagetest.Route) bool {
		return strings.HasPrefix(r.Path, "/trial") || strings.Contains(r.Path, "/trials")
	})
}

func TestEveryFormDeclaresConfirmationAndOnce(t *testing.T) {
	t.Parallel()
	missing := maps.Clone(posted)
	for _, r := range table(t) {
		path := strings.Replace(strings.Replace(r.Path, "/live/", "/{mode}/", 1), "/test/", "/{mode}/", 1)
		if _, known := posted[r.Path]; known {
			path = r.Path
		}
		if r.Method == http.MethodGet {
			// A form that asks now and then may ask when it is sent alone.
			if r.Confirmed != slices.Contains(shown, path) || r.Sometimes && posted[path] != "sometimes" || r.Once {
				t.Errorf("GET %s asks for a confirmation: %t, of some requests: %t, and is taken once: %t",
					r.Path, r.Confirmed, r.Sometimes, r.Once)
			}
			continue
		}
		says, known := posted[path]
		if delete(missing, path); !known {
			t.Errorf(
				"%s is new: decide whether it asks who is there (docs/decisions/0022) and whether it creates "+
					"something, and say so here",
				r.Path,
			)
		} else if r.Confirmed != strings.Contains(says, "confirm") ||
			r.Sometimes != strings.Contains(says, "sometimes") || r.Once != strings.Contains(says, "once") {
			t.Errorf("%s asks for a confirmation: %t, of some requests: %t, and is taken once: %t; want %q",
				r.Path, r.Confirmed, r.Sometimes, r.Once, says)
		}
	}
	if len(missing) > 0 {
		t.Errorf("there are no routes for %v", slices.Collect(maps.Keys(missing)))
	}
}

// powers is every route of which docs/decisions/0022 says that it gives lasting power or shows a
// secret, by what it says. A route that asks and is not here fails the test.
var powers = map[string][]string{
	"creating or rolling a key":      {"/keys", "/keys/:id/roll", "/docs/key"},
	"inviting or promoting a member": {"/team/invite", "/team/members/:id"},
	"showing or rotating a signing secret": {"/{mode}/webhooks/new", "/{mode}/webhooks/:id/rotate",
		"/{mode}/webhooks/:id/edit", "/docs/api/:resource/:operation/try"},
	"changing a mail address": {"/settings/email"},
	"a second factor": {"/settings/security/app", "/settings/security/app/remove",
		"/settings/security/codes", "/settings/security/ceremony",
		"/settings/security/passkeys", "/settings/security/passkeys/:id/remove"},
	"removing an owner": {"/team/members/:id/remove"},
	"approving access":  {"/staff/requests/:id/approve"},
	"setting a plan":    {"/staff/accounts/:id"},
	"signing a lease": {"/{mode}/leases/:id/sign", "/{mode}/leases/:id/signers/:signer/sign",
		"/{mode}/leases/:id/signers/:signer/paper"},
	"signing a condition report":   {"/{mode}/leases/:id/condition/:kind/sign"},
	"asking tenants to end one":    {"/{mode}/leases/:id/ask-to-end"},
	"returning a deposit":          {"/{mode}/leases/:id/deposit"},
	"refunding a payment":          {"/{mode}/ledger/:id/refund"},
	"connecting an account":        {"/{mode}/settings/payments/connect"},
	"closing, which has no return": {"/settings/close"},
}

// ends are the last parts of addresses at which something is revoked. What is removed is a
// power or ends one: an owner or a manager, a second factor or an invitation.
var ends = []string{"revoke", "withdraw", "decline", "deny", "cancel", "disable", "discard",
	"end", "others", "forget", "leave", "sign-out", "void", "terminate", "archive", "off-market"}

func TestGrantingAccessNeedsConfirmationAndRevokingDoesNot(t *testing.T) {
	t.Parallel()
	missing := map[string]string{}
	for why, paths := range powers {
		for _, path := range paths {
			missing[path] = why
		}
	}
	revoking := map[string]bool{}
	for _, r := range table(t) {
		if r.Method == http.MethodGet {
			continue
		}
		path := strings.Replace(strings.Replace(r.Path, "/live/", "/{mode}/", 1), "/test/", "/{mode}/", 1)
		last := path[strings.LastIndex(path, "/")+1:]
		asks := r.Confirmed || r.Sometimes
		switch paths := slices.Concat(slices.Collect(maps.Values(powers))...); {
		case slices.Contains(ends, last):
			revoking[last] = true
			if asks {
				t.Errorf("%s ends something and asks who is there", r.Path)
			}
		case asks != slices.Contains(paths, path):
			t.Errorf("%s asks who is there: %t", r.Path, asks)
		}
		delete(missing, path)
	}
	if len(missing) > 0 || len(revoking) != len(ends) {
		t.Errorf("there are no routes for %v, and of %v there are %v", missing, ends, revoking)
	}
}

// TestConfirmedRoutesRefuseOldSession asks for and posts to each of them.
func TestConfirmedRoutesRefuseOldSession(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	owner := n.SignUp("dana@example.com")
	n.Wait(2 * time.Hour)
	asked := 0
	for _, r := range pagetest.TableOf(n.Pages) {
		if !r.Confirmed || r.For == page.Staff {
			continue
		}
		asked++
		path := strings.ReplaceAll(r.Path, ":id", "x")
		if r.Method == http.MethodGet {
			owner.Leads(owner.Get(path), "/confirm?next="+url.QueryEscape(path))
			continue
		}
		answer := owner.Post(path, "/settings", url.Values{"email": {"max@example.com"}})
		owner.Says(answer, http.StatusForbidden, "Confirm it’s you")
	}
	if asked < 20 {
		t.Errorf("only %d routes ask", asked)
	}
}

func TestOldSessionConfirmsOwnerRemovalButNotManagerRemoval(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	bob, maxine := n.Join(r, "bob@example.com", "owner"), n.Join(r, "max@example.com", "manager")
	n.Wait(2 * time.Hour)
	at := "/team/members/" + n.Member(r, "max@example.com") + "/remove"
	r.Says(r.Get(at), http.StatusOK, "Remove max@example.com from the team?")
	r.Leads(r.Post(at, at, nil), "/team")
	maxine.Says(maxine.Get("/team"), http.StatusNotFound, "")

	at = "/team/members/" + n.Member(r, "bob@example.com") + "/remove"
	r.Leads(r.Get(at), "/confirm?next="+url.QueryEscape(at))
	asked := r.Post(at, "/settings", nil)
	r.Says(asked, http.StatusForbidden, "Confirm it’s you")
	bob.Says(bob.Get("/team"), http.StatusOK, "bob@example.com you Owner")
	r.Leads(r.Confirms(asked, url.Values{"password": {pagetest.Password}}), "/team")
	bob.Says(bob.Get("/team"), http.StatusNotFound, "")
}

func TestOwnerLeavesTeamWithoutConfirmation(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	bob := n.Join(r, "bob@example.com", "owner")
	me := "/team/members/" + n.Member(r, "bob@example.com") + "/remove"
	n.Wait(2 * time.Hour)
	bob.Leads(bob.Post(me, "/settings", nil), "/overview") // the page of the team leads there, too
	bob.Says(bob.Get("/team"), http.StatusNotFound, "")
}

func TestOldSessionMustConfirmBeforeInviting(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	n.Wait(2 * time.Hour)
	form := url.Values{
		"email": {"max@example.com"},
		"role":  {"owner"},
		"once":  {"this very form"},
		"token": {r.Token("/settings")},
	}
	asked := r.Send(http.MethodPost, "/team/invite", form, nil)
	r.Says(asked, http.StatusForbidden, "Confirm it’s you")
	if len(n.Emails("max@example.com")) != 0 {
		t.Fatal("the invitation was sent without a confirmation")
	}
	r.Leads(r.Get("/team/invite"), "/confirm?next=%2Fteam%2Finvite")
	asked = r.Confirms(asked, url.Values{"password": {"wrong"}})
	r.Says(asked, http.StatusBadRequest, "The password is wrong.")
	before := r.Session()
	r.Leads(r.Confirms(asked, url.Values{"password": {pagetest.Password}}), "/team")
	if r.Session() == before {
		t.Error("the token of the session is the same")
	}
	r.Says(r.Get("/team"), http.StatusOK, "max@example.com Owner dana@example.com")
	if sent := n.Emails("max@example.com"); len(sent) != 1 {
		t.Errorf("%d invitations", len(sent))
	}
	again := r.Confirms(asked, url.Values{"password": {pagetest.Password}}) // the page was loaded again
	r.Leads(again, "/team")
	r.Says(r.Get("/team"), http.StatusOK, "That form was sent before.")
	if sent := n.Emails("max@example.com"); len(sent) != 1 {
		t.Errorf("%d invitations after the form was sent again", len(sent))
	}
	r.Says(r.Get("/team/invite"), http.StatusOK, "Invite a member")
}

func TestConfirmationRequiresSecondFactor(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	secret, _ := n.SetUpTwoFactor(r)
	maxine := n.Join(r, "max@example.com", "manager")
	n.Wait(2 * time.Hour)
	at := "/team/members/" + n.Member(r, "max@example.com")
	asked := r.Post(at, "/team", url.Values{"role": {"owner"}})
	asked = r.Confirms(asked, url.Values{"password": {pagetest.Password}})
	r.Says(asked, http.StatusBadRequest, "This code is wrong")
	r.Leads(r.Confirms(asked, url.Values{"password": {pagetest.Password}, "code": {n.Code(secret)}}), "/team")
	maxine.Says(maxine.Get("/team"), http.StatusOK, "max@example.com you Owner")
}

func TestHeldFormOmitsPassword(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	n.Wait(2 * time.Hour)
	asked := r.Post("/settings/close", "/settings", url.Values{"password": {pagetest.Password}})
	r.Says(asked, http.StatusForbidden, "Confirm it’s you")
	r.Says(r.Confirms(asked, url.Values{
		"password": {pagetest.Password},
	}), http.StatusBadRequest, "The password is wrong.")
}

func TestConfirmationLastsTenMinutes(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	r := n.SignUp("dana@example.com")
	n.Wait(10*time.Minute - time.Second)
	r.Says(r.Get("/team/invite"), http.StatusOK, "Invite a member")
	n.Wait(time.Second)
	r.Leads(r.Get("/team/invite"), "/confirm?next=%2Fteam%2Finvite")
}
