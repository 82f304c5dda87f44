package lease_test

import (
	"net/http"
	"strings"
	"testing"

	"portal/api/access"
	"portal/db/dbtest"
	"portal/web/pagetest"
)

func TestLandlordAddsTenantWithAndWithoutEmail(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	r.Says(r.Get("/test/tenants"), http.StatusOK, "Add tenant")
	at := "/test/tenants/new"
	form := r.Shown(at)
	for words, typed := range map[string][]string{
		"This is required.": {"first_name", "", "last_name", "Haddad"},
		"email":             {"first_name", "Noor", "last_name", "Haddad", "email", "noor"},
	} {
		r.Says(r.Post(at, at, pagetest.With(form, typed...)), http.StatusBadRequest, words)
	}
	for _, email := range []string{"", "noor@example.com"} {
		rec := r.Post(at, at, pagetest.With(r.Shown(at), "first_name", "Noor", "last_name", "Haddad",
			"email", email, "phone", "(512) 555-0142"))
		to := rec.Header().Get("Location")
		if rec.Code != http.StatusSeeOther || !strings.HasPrefix(to, "/test/tenants/ten_") {
			t.Fatalf("%q: %d to %q", email, rec.Code, to)
		}
		r.Says(r.Get(to), http.StatusOK, "Noor Haddad")
	}
	got := dbtest.Texts(
		t,
		e.DB,
		"SELECT status || ' ' || COALESCE(email, 'none') FROM tenants WHERE last_name = 'Haddad' ORDER BY id",
	)
	if strings.Join(got, ", ") != "prospect none, prospect noor@example.com" {
		t.Errorf("%v", got)
	}
}
