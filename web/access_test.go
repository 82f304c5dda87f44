package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestAnOwnerAppliesWithdrawsAndAppliesAgainWithWhatWasWritten(t *testing.T) {
	t.Parallel()
	d := newStaffPages(t)
	r := d.landlord("dana@example.com")
	r.says(r.get("/overview"), http.StatusOK, "Apply for access")
	if page := r.get("/access"); r.found(page, `name="contact_email"[^>]*value="([^"]*)"`) != "dana@example.com" {
		t.Error("the contact is not filled in")
	}
	r.leads(r.post("/access", "/access", accessForm()), "/access")
	page := r.get("/access")
	r.says(page, http.StatusOK, "Your request is sent.")
	r.says(page, http.StatusOK, "Needs review A person reads it, usually within two working days. You get an email at tech@example.com")
	r.says(page, http.StatusOK, "12000")
	r.says(r.get("/overview"), http.StatusOK, "Wait for the decision")
	undo := r.found(page, `href="(/access/\w+/withdraw)"`)
	r.says(r.get(undo), http.StatusOK, "Withdraw the request?")
	r.leads(r.post(undo, undo, nil), "/access")
	page = r.get("/access")
	r.says(page, http.StatusOK, "Withdrawn The request was withdrawn")
	if got := r.found(page, `(?s)<textarea[^>]*name="use_case"[^>]*>\s*([^<]*)</textarea>`); got != accessForm().Get("use_case") {
		t.Errorf("the form begins with %q", got)
	}
	r.says(r.post(undo, "/access", nil), http.StatusConflict, "only a pending one can be withdrawn")
	r.leads(r.post("/access", "/access", accessForm()), "/access")
	r.says(r.post("/access", "/trial/owner", accessForm()), http.StatusConflict, "The account has a request already")
	r.says(r.get("/access"), http.StatusOK, "Previous requests")
	if got := strings.Join(d.actions(d.people[r.cookies["session"].Value].UserID), " "); got != "access.requested access.withdrawn access.requested" {
		t.Error(got)
	}
}

func TestWhatIsWrongWithAnApplicationIsSaidBesideItsField(t *testing.T) {
	t.Parallel()
	d := newStaffPages(t)
	r := d.landlord("dana@example.com")
	for field, value := range map[string]string{"use_case": "short", "contact_email": "nobody", "expected_monthly_calls": "many", "company_name": strings.Repeat("x", 256), "agreed_to_terms": "",
		"website_url": strings.Repeat("x", 501), "integration_type": strings.Repeat("x", 81)} {
		form := accessForm()
		form.Set(field, value)
		if value == "" {
			form.Del(field)
		}
		page := r.post("/access", "/access", form)
		if page.Code != http.StatusBadRequest || byID(parse(t, page.Body.String()), "field-"+field+"-fault") == nil || !strings.Contains(page.Body.String(), "https://example.com") && field != "website_url" {
			t.Errorf("%s: %d\n%s", field, page.Code, text(parse(t, page.Body.String())))
		}
	}
}

func TestAManagerSeesTheRequestAndOwnersAct(t *testing.T) {
	t.Parallel()
	d := newStaffPages(t)
	r := d.landlord("dana@example.com")
	m := d.colleague(r)
	m.says(m.get("/access"), http.StatusOK, "An owner of the account can apply.")
	m.says(m.post("/access", "/trial/member", accessForm()), http.StatusForbidden, "Only an owner")
	r.leads(r.post("/access", "/access", accessForm()), "/access")
	undo := r.found(r.get("/access"), `href="(/access/\w+/withdraw)"`)
	m.says(m.get(undo), http.StatusForbidden, "Only an owner")
	if strings.Contains(m.get("/access").Body.String(), undo) {
		t.Error("a manager is led to withdraw")
	}
	other := d.landlord("robin@example.com")
	other.says(other.get(undo), http.StatusNotFound, "Page not found")
	other.says(other.post(undo, "/trial/owner", nil), http.StatusNotFound, "Page not found")
}

func TestWhatAnApplicantWritesRunsNowhere(t *testing.T) {
	t.Parallel()
	d := newStaffPages(t)
	sue := d.reviewer()
	r := d.landlord("dana@example.com")
	for _, evil := range payloads {
		form := accessForm()
		for _, field := range []string{"use_case", "contact_email", "company_name", "integration_type", "website_url", "expected_monthly_calls"} {
			form.Set(field, evil)
		}
		d.tame(r.post("/access", "/access", form), evil)
		form.Set("contact_email", "a@example.com")
		form.Set("use_case", evil+strings.Repeat(" more", 5))
		form.Del("expected_monthly_calls")
		r.leads(r.post("/access", "/access", form), "/access")
		page := r.get("/access")
		d.tame(page, evil)
		if !strings.Contains(text(parse(t, page.Body.String())), strings.Join(strings.Fields(evil), " ")) {
			t.Errorf("%s is not shown as it was written", evil)
		}
		d.tame(sue.get("/staff/requests"), evil)
		at := "/staff/requests/" + r.found(page, `/access/(areq_\w+)/withdraw`)
		d.tame(sue.get(at), evil)
		sue.leads(sue.post(at+"/notes", at+"/notes", url.Values{"review_notes": {evil}}), at)
		sue.leads(sue.post(at+"/deny", at+"/deny", url.Values{"denial_reason": {evil}}), at)
		d.tame(sue.get(at), evil)
		d.tame(r.get("/access"), evil)
	}
}
