package access_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"portal/web/pagetest"
)

func TestWithdrawnAccessRequestPrefillsNextOne(t *testing.T) {
	t.Parallel()
	d := pagetest.NewStaffPages(t)
	r := d.Landlord("dana@example.com")
	r.Says(r.Get("/overview"), http.StatusOK, "Apply for access")
	if page := r.Get("/access"); r.Found(page, `name="contact_email"[^>]*value="([^"]*)"`) != "dana@example.com" {
		t.Error("the contact is not filled in")
	}
	r.Leads(r.Post("/access", "/access", pagetest.AccessForm()), "/access")
	page := r.Get("/access")
	r.Says(page, http.StatusOK, "Request sent.")
	r.Says(
		page,
		http.StatusOK,
		"This usually takes two business days. We email tech@example.com when it’s decided.",
	)
	r.Says(page, http.StatusOK, "12000")
	r.Says(r.Get("/overview"), http.StatusOK, "Wait for the decision")
	undo := r.Found(page, `href="(/access/\w+/withdraw)"`)
	r.Says(r.Get(undo), http.StatusOK, "Withdraw the request?")
	r.Leads(r.Post(undo, undo, nil), "/access")
	page = r.Get("/access")
	r.Says(page, http.StatusOK, "API access Withdrawn")
	r.Says(page, http.StatusOK, "The request was withdrawn")
	if got := r.Found(
		page,
		`(?s)<textarea[^>]*name="use_case"[^>]*>\s*([^<]*)</textarea>`,
	); got != pagetest.AccessForm().Get("use_case") {
		t.Errorf("the form begins with %q", got)
	}
	r.Says(r.Post(undo, "/access", nil), http.StatusConflict, "only a pending one can be withdrawn")
	r.Leads(r.Post("/access", "/access", pagetest.AccessForm()), "/access")
	r.Says(
		r.Post("/access", "/trial/owner", pagetest.AccessForm()),
		http.StatusConflict,
		"The account has a request already",
	)
	r.Says(r.Get("/access"), http.StatusOK, "Previous requests")
	if got := strings.Join(
		d.Actions(d.People[r.Cookies["session"].Value].UserID),
		" ",
	); got != "access.requested access.withdrawn access.requested" {
		t.Error(got)
	}
}

func TestAccessRequestErrorsAppearBesideFields(t *testing.T) {
	t.Parallel()
	d := pagetest.NewStaffPages(t)
	r := d.Landlord("dana@example.com")
	for field, value := range map[string]string{
		"use_case":               "short",
		"contact_email":          "nobody",
		"expected_monthly_calls": "many",
		"company_name":           strings.Repeat("x", 256),
		"agreed_to_terms":        "",
		"website_url":            strings.Repeat("x", 501),
		"integration_type":       strings.Repeat("x", 81),
	} {
		form := pagetest.AccessForm()
		form.Set(field, value)
		if value == "" {
			form.Del(field)
		}
		page := r.Post("/access", "/access", form)
		if page.Code != http.StatusBadRequest ||
			pagetest.ByID(pagetest.Parse(t, page.Body.String()), "field-"+field+"-error") == nil ||
			!strings.Contains(page.Body.String(), "https://example.com") && field != "website_url" {
			t.Errorf("%s: %d\n%s", field, page.Code, pagetest.Text(pagetest.Parse(t, page.Body.String())))
		}
	}
}

func TestOnlyOwnersApplyForOrWithdrawAccess(t *testing.T) {
	t.Parallel()
	d := pagetest.NewStaffPages(t)
	r := d.Landlord("dana@example.com")
	m := d.Colleague(r)
	m.Says(m.Get("/access"), http.StatusOK, "An owner of the account can apply.")
	m.Says(m.Post("/access", "/trial/member", pagetest.AccessForm()), http.StatusForbidden, "Only owners can do this")
	r.Leads(r.Post("/access", "/access", pagetest.AccessForm()), "/access")
	undo := r.Found(r.Get("/access"), `href="(/access/\w+/withdraw)"`)
	m.Says(m.Get(undo), http.StatusForbidden, "Only owners can do this")
	if strings.Contains(m.Get("/access").Body.String(), undo) {
		t.Error("a manager is led to withdraw")
	}
	other := d.Landlord("robin@example.com")
	other.Says(other.Get(undo), http.StatusNotFound, "Page not found")
	other.Says(other.Post(undo, "/trial/owner", nil), http.StatusNotFound, "Page not found")
}

func TestApplicantTextNeverRunsAsScript(t *testing.T) {
	t.Parallel()
	d := pagetest.NewStaffPages(t)
	sue := d.Reviewer()
	r := d.Landlord("dana@example.com")
	for _, evil := range pagetest.Payloads {
		form := pagetest.AccessForm()
		for _, field := range []string{
			"use_case", "contact_email", "company_name", "integration_type", "website_url",
			"expected_monthly_calls",
		} {
			form.Set(field, evil)
		}
		d.Tame(r.Post("/access", "/access", form), evil)
		form.Set("contact_email", "a@example.com")
		form.Set("use_case", evil+strings.Repeat(" more", 5))
		form.Del("expected_monthly_calls")
		r.Leads(r.Post("/access", "/access", form), "/access")
		page := r.Get("/access")
		d.Tame(page, evil)
		if !strings.Contains(
			pagetest.Text(pagetest.Parse(t, page.Body.String())),
			strings.Join(strings.Fields(evil), " "),
		) {
			t.Errorf("%s is not shown as it was written", evil)
		}
		d.Tame(sue.Get("/staff/requests"), evil)
		at := "/staff/requests/" + r.Found(page, `/access/(areq_\w+)/withdraw`)
		d.Tame(sue.Get(at), evil)
		sue.Leads(sue.Post(at+"/notes", at+"/notes", url.Values{"review_notes": {evil}}), at)
		sue.Leads(sue.Post(at+"/deny", at+"/deny", url.Values{"denial_reason": {evil}}), at)
		d.Tame(sue.Get(at), evil)
		d.Tame(r.Get("/access"), evil)
	}
}
