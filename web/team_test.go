package web_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"
)

func TestATeamGrowsShrinksAndChangesHands(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	owner := n.signUp("dana@example.com")
	owner.says(owner.get("/team"), http.StatusOK, "No open invitations")
	owner.leads(owner.post("/team/invite", "/team/invite", url.Values{"email": {"max@example.com"}, "role": {"manager"}}), "/team")
	owner.says(owner.get("/team"), http.StatusOK, "max@example.com manager dana@example.com in 7 days")
	at, robin := n.link("max@example.com", "/join/"), n.guest()
	robin.says(robin.get(at), http.StatusOK, "dana@example.com invites max@example.com to the team of Maple & Oak, as a manager.")
	robin.says(robin.post(at, at, url.Values{"password": {"short"}}), http.StatusBadRequest, "Choose a password of 10")
	robin.leads(robin.post(at, at, url.Values{"password": {right}}), "/overview")
	robin.says(robin.get(at), http.StatusNotFound, "This link does not work any more")
	robin.says(robin.get("/team"), http.StatusOK, "max@example.com you manager")

	him := n.member(owner, "max@example.com")
	owner.leads(owner.post("/team/members/"+him, "/team/members/"+him, url.Values{"role": {"owner"}}), "/team")
	robin.says(robin.get("/team"), http.StatusOK, "max@example.com you owner")
	her := n.member(robin, "dana@example.com")
	robin.leads(robin.post("/team/members/"+her+"/remove", "/team/members/"+her+"/remove", nil), "/team")
	owner.says(owner.get("/overview"), http.StatusOK, "You’re not a member of any account")
	owner.says(owner.get("/team"), http.StatusNotFound, "Page not found")
	robin.says(robin.post("/team/leave", "/team/leave", nil), http.StatusConflict, "An account needs an owner")
	robin.says(robin.post("/team/members/"+him, "/team/members/"+him, url.Values{"role": {"manager"}}), http.StatusConflict, "An account needs an owner")
}

func TestWhoIsInvitedTwiceLooksAtEitherAccount(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	dana, sue := n.signUp("dana@example.com"), n.signUp("sue@example.com")
	dana.leads(dana.post("/settings", "/settings", url.Values{"name": {"Harbor Lane"}, "time_zone": {"America/Denver"}}), "/settings")
	dana.leads(dana.post("/team/invite", "/team/invite", url.Values{"email": {"sue@example.com"}, "role": {"manager"}}), "/team")
	at := n.link("sue@example.com", "/join/")
	n.guest().says(n.guest().get(at), http.StatusOK, "You have an account already. Sign in with sue@example.com to join.")
	dana.says(dana.get(at), http.StatusOK, "You are signed in as dana@example.com")
	dana.says(dana.send(http.MethodPost, at, url.Values{"token": {dana.token("/settings")}}, nil), http.StatusConflict, "Sign out, open the link again and sign in with sue@example.com to join.")
	sue.says(sue.get("/accounts"), http.StatusOK, "There is no other account")
	before := sue.session()
	sue.leads(sue.post(at, at, nil), "/overview")
	sue.says(sue.get("/overview"), http.StatusOK, "Harbor Lane")
	sue.says(sue.get("/settings"), http.StatusOK, "Mountain (Denver)")
	other := values(parse(t, sue.get("/accounts").Body.String()), "account")
	sue.leads(sue.post("/accounts", "/accounts", url.Values{"account": {other[0]}}), "/overview")
	sue.says(sue.get("/overview"), http.StatusOK, "sue@example.com owner")
	if sue.session() == before {
		t.Error("the token is the same")
	}
	sue.says(sue.post("/accounts", "/accounts", url.Values{"account": {"acct_x"}}), http.StatusNotFound, "Page not found")
}

func TestAManagerSeesTheTeamAndChangesNothing(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	owner := n.signUp("dana@example.com")
	robin := n.join(owner, "max@example.com", "manager")
	owner.leads(owner.post("/team/invite", "/team/invite", url.Values{"email": {"eve@example.com"}, "role": {"owner"}}), "/team")
	her := n.member(owner, "dana@example.com")
	form := url.Values{"token": {robin.token("/settings")}, "email": {"x@example.com"}, "role": {"owner"}, "name": {"Mine"}, "time_zone": {"UTC"}}
	for _, path := range []string{"/team/invite", "/team/members/" + her, "/team/members/" + her + "/remove", "/team/invitations/x/withdraw", "/settings"} {
		robin.says(robin.send(http.MethodPost, path, form, nil), http.StatusForbidden, "Only an owner of Maple & Oak can do this")
	}
	if own := actions(parse(t, robin.get("/settings").Body.String()), "/settings"); len(own) != 0 {
		t.Errorf("there is a form for %v", own)
	}
	robin.leads(robin.post("/team/leave", "/team/leave", nil), "/overview")
	robin.says(robin.get("/overview"), http.StatusOK, "You’re not a member of any account")
}

func TestWhatBelongsToAnotherTeamOrPersonIsNotThere(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	dana, eve := n.signUp("dana@example.com"), n.signUp("eve@example.com")
	dana.leads(dana.post("/team/invite", "/team/invite", url.Values{"email": {"max@example.com"}, "role": {"manager"}}), "/team")
	her := n.member(dana, "dana@example.com")
	invitation := ids(parse(t, dana.get("/team").Body.String()), "/team/invitations/")[0]
	n.signIn("dana@example.com")
	session := ids(parse(t, dana.get("/settings/sessions").Body.String()), "/settings/sessions/")[0]
	token := url.Values{"token": {eve.token("/settings")}, "role": {"manager"}, "name": {"Mine"}}
	for _, path := range []string{"/team/members/" + her, "/team/members/" + her + "/remove", "/team/invitations/" + invitation + "/withdraw",
		"/settings/security/passkeys/pk_x", "/settings/security/passkeys/pk_x/remove", "/settings/sessions/" + session + "/end"} {
		eve.says(eve.send(http.MethodPost, path, token, nil), http.StatusNotFound, "Page not found")
		if path != "/settings/sessions/"+session+"/end" {
			eve.says(eve.get(path), http.StatusNotFound, "Page not found")
		}
	}
	dana.says(dana.get("/team"), http.StatusOK, "max@example.com")
}

func TestAnInvitationIsWithdrawnAndTakenOnce(t *testing.T) {
	t.Parallel()
	n := newAccountPages(t)
	dana := n.signUp("dana@example.com")
	invite := func(email string) (int, string) {
		rec := dana.post("/team/invite", "/team/invite", url.Values{"email": {email}, "role": {"manager"}})
		return rec.Code, text(parse(t, rec.Body.String()))
	}
	for _, email := range []string{"", "none", "dana@example.com"} {
		if code, said := invite(email); code != http.StatusBadRequest {
			t.Errorf("%q: %d %s", email, code, said)
		}
	}
	invite("max@example.com")
	at := n.link("max@example.com", "/join/")
	withdraw := "/team/invitations/" + ids(parse(t, dana.get("/team").Body.String()), "/team/invitations/")[0] + "/withdraw"
	dana.says(dana.get(withdraw), http.StatusOK, "Withdraw the invitation of max@example.com?")
	dana.leads(dana.post(withdraw, withdraw, nil), "/team")
	dana.says(dana.get(withdraw), http.StatusNotFound, "Page not found")
	n.guest().says(n.guest().get(at), http.StatusNotFound, "This link does not work any more")
	n.wait(time.Minute)
	invite("max@example.com")
	n.wait(8 * 24 * time.Hour)
	n.guest().says(n.guest().get(n.link("max@example.com", "/join/")), http.StatusNotFound, "This link does not work any more")
}
