package account_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"portal/web/pagetest"
)

func TestTeamMembershipAndOwnershipChange(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	owner := n.SignUp("dana@example.com")
	owner.Says(owner.Get("/team"), http.StatusOK, "No open invitations")
	owner.Leads(owner.Post("/team/invite", "/team/invite", url.Values{
		"email": {"max@example.com"},
		"role":  {"manager"},
	}), "/team")
	owner.Says(owner.Get("/team"), http.StatusOK, "max@example.com Manager dana@example.com in 7 days")
	at, robin := n.Link("max@example.com", "/join/"), n.Guest()
	robin.Says(
		robin.Get(at),
		http.StatusOK,
		"dana@example.com invites max@example.com to the team of Maple & Oak, as a manager.",
	)
	robin.Says(robin.Post(at, at, url.Values{
		"password": {"short"},
	}), http.StatusBadRequest, "Must have between 10 and 1,000 characters")
	robin.Leads(robin.Post(at, at, url.Values{"password": {pagetest.Password}}), "/overview")
	robin.Says(robin.Get(at), http.StatusNotFound, "This link does not work any more")
	robin.Says(robin.Get("/team"), http.StatusOK, "max@example.com you Manager")

	him := n.Member(owner, "max@example.com")
	owner.Leads(owner.Post("/team/members/"+him, "/team/members/"+him, url.Values{"role": {"owner"}}), "/team")
	robin.Says(robin.Get("/team"), http.StatusOK, "max@example.com you Owner")
	her := n.Member(robin, "dana@example.com")
	robin.Leads(robin.Post("/team/members/"+her+"/remove", "/team/members/"+her+"/remove", nil), "/team")
	owner.Says(owner.Get("/overview"), http.StatusOK, "You’re not a member of any account")
	owner.Says(owner.Get("/team"), http.StatusNotFound, "Page not found")
	robin.Says(robin.Post("/team/leave", "/team/leave", nil), http.StatusConflict, "An account needs an owner")
	robin.Says(robin.Post("/team/members/"+him, "/team/members/"+him, url.Values{
		"role": {"manager"},
	}), http.StatusConflict, "An account needs an owner")
}

func TestMemberOfTwoAccountsSwitchesBetweenThem(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	dana, sue := n.SignUp("dana@example.com"), n.SignUp("sue@example.com")
	dana.Leads(dana.Post("/settings", "/settings", url.Values{
		"name":      {"Harbor Lane"},
		"time_zone": {"America/Denver"},
	}), "/settings")
	dana.Leads(dana.Post("/team/invite", "/team/invite", url.Values{
		"email": {"sue@example.com"},
		"role":  {"manager"},
	}), "/team")
	at := n.Link("sue@example.com", "/join/")
	n.Guest().Says(
		n.Guest().Get(at),
		http.StatusOK,
		"You have an account already. Sign in with sue@example.com to join.",
	)
	dana.Says(dana.Get(at), http.StatusOK, "You are signed in as dana@example.com")
	dana.Says(dana.Send(http.MethodPost, at, url.Values{
		"token": {dana.Token("/settings")},
	}, nil), http.StatusConflict, "Sign out, open the link again and sign in with sue@example.com to join.")
	sue.Says(sue.Get("/accounts"), http.StatusOK, "You have no other account")
	before := sue.Session()
	sue.Leads(sue.Post(at, at, nil), "/overview")
	sue.Says(sue.Get("/overview"), http.StatusOK, "Harbor Lane")
	sue.Says(sue.Get("/settings"), http.StatusOK, "Mountain (Denver)")
	other := values(pagetest.Parse(t, sue.Get("/accounts").Body.String()), "account")
	sue.Leads(sue.Post("/accounts", "/accounts", url.Values{"account": {other[0]}}), "/overview")
	sue.Says(sue.Get("/overview"), http.StatusOK, "sue@example.com Owner")
	if sue.Session() == before {
		t.Error("the token is the same")
	}
	sue.Says(sue.Post("/accounts", "/accounts", url.Values{
		"account": {"acct_x"},
	}), http.StatusNotFound, "Page not found")
}

func TestManagerCannotChangeTeam(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	owner := n.SignUp("dana@example.com")
	robin := n.Join(owner, "max@example.com", "manager")
	owner.Leads(owner.Post("/team/invite", "/team/invite", url.Values{
		"email": {"eve@example.com"},
		"role":  {"owner"},
	}), "/team")
	her := n.Member(owner, "dana@example.com")
	form := url.Values{
		"token":     {robin.Token("/settings")},
		"email":     {"x@example.com"},
		"role":      {"owner"},
		"name":      {"Mine"},
		"time_zone": {"UTC"},
	}
	for _, path := range []string{
		"/team/invite", "/team/members/" + her, "/team/members/" + her + "/remove",
		"/team/invitations/x/withdraw", "/settings",
	} {
		robin.Says(
			robin.Send(http.MethodPost, path, form, nil),
			http.StatusForbidden,
			"Only owners can do this",
		)
	}
	if own := actions(pagetest.Parse(t, robin.Get("/settings").Body.String()), "/settings"); len(own) != 0 {
		t.Errorf("there is a form for %v", own)
	}
	robin.Leads(robin.Post("/team/leave", "/team/leave", nil), "/overview")
	robin.Says(robin.Get("/overview"), http.StatusOK, "You’re not a member of any account")
}

func TestRecordsOfOtherTeamsAndUsersAreNotFound(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	dana, eve := n.SignUp("dana@example.com"), n.SignUp("eve@example.com")
	dana.Leads(dana.Post("/team/invite", "/team/invite", url.Values{
		"email": {"max@example.com"},
		"role":  {"manager"},
	}), "/team")
	her := n.Member(dana, "dana@example.com")
	invitation := ids(pagetest.Parse(t, dana.Get("/team").Body.String()), "/team/invitations/")[0]
	n.SignIn("dana@example.com")
	session := ids(pagetest.Parse(t, dana.Get("/settings/sessions").Body.String()), "/settings/sessions/")[0]
	token := url.Values{"token": {eve.Token("/settings")}, "role": {"manager"}, "name": {"Mine"}}
	for _, path := range []string{"/team/members/" +
		her, "/team/members/" + her +
		"/remove", "/team/invitations/" +
		invitation + "/withdraw",
		"/settings/security/passkeys/pk_x", "/settings/security/passkeys/pk_x/remove", "/settings/sessions/" +
			session + "/end"} {
		eve.Says(eve.Send(http.MethodPost, path, token, nil), http.StatusNotFound, "Page not found")
		if path != "/settings/sessions/"+session+"/end" {
			eve.Says(eve.Get(path), http.StatusNotFound, "Page not found")
		}
	}
	dana.Says(dana.Get("/team"), http.StatusOK, "max@example.com")
}

func TestWithdrawnAndExpiredInvitationsAreRefused(t *testing.T) {
	t.Parallel()
	n := pagetest.NewAccountPages(t)
	dana := n.SignUp("dana@example.com")
	invite := func(email string) (int, string) {
		rec := dana.Post("/team/invite", "/team/invite", url.Values{"email": {email}, "role": {"manager"}})
		return rec.Code, pagetest.Text(pagetest.Parse(t, rec.Body.String()))
	}
	for _, email := range []string{"", "none", "dana@example.com"} {
		if code, said := invite(email); code != http.StatusBadRequest {
			t.Errorf("%q: %d %s", email, code, said)
		}
	}
	invite("max@example.com")
	at := n.Link("max@example.com", "/join/")
	withdraw := "/team/invitations/" + ids(
		pagetest.Parse(t, dana.Get("/team").Body.String()),
		"/team/invitations/",
	)[0] + "/withdraw"
	dana.Says(dana.Get(withdraw), http.StatusOK, "Withdraw the invitation of max@example.com?")
	dana.Leads(dana.Post(withdraw, withdraw, nil), "/team")
	dana.Says(dana.Get(withdraw), http.StatusNotFound, "Page not found")
	n.Guest().Says(n.Guest().Get(at), http.StatusNotFound, "This link does not work any more")
	n.Wait(time.Minute)
	invite("max@example.com")
	n.Wait(8 * 24 * time.Hour)
	n.Guest().Says(
		n.Guest().Get(n.Link("max@example.com", "/join/")),
		http.StatusNotFound,
		"This link does not work any more",
	)
}
