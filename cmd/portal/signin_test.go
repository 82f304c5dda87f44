package main

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// visitor is a browser without script that keeps its cookies.
type visitor struct {
	*http.Client
	at string // address of the service
}

func (s *service) visitor(t *testing.T) *visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &visitor{&http.Client{Jar: jar}, s.vars["PORTAL_URL"]}
}

// page is the path to which a request leads in the end, and what is there.
func (v *visitor) page(t *testing.T, r *http.Request, failed error) (path, body string) {
	t.Helper()
	if failed != nil {
		t.Fatal(failed)
	}
	answer, err := v.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("%s %s: %s %v", r.Method, r.URL.Path, answer.Status, err)
	}
	return answer.Request.URL.Path, string(text)
}

func (v *visitor) open(t *testing.T, path string) (at, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, v.at+path, nil)
	return v.page(t, r, err)
}

var formToken = regexp.MustCompile(`name="token" value="([^"]+)"`)

// send sends a form that stands on a page.
func (v *visitor) send(t *testing.T, path, from string, form url.Values) (at, body string) {
	t.Helper()
	_, page := v.open(t, from)
	found := formToken.FindStringSubmatch(page)
	if found == nil {
		t.Fatalf("%s has no form", from)
	}
	form.Set("token", found[1])
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, v.at+path, strings.NewReader(form.Encode()))
	if err == nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return v.page(t, r, err)
}

func TestDemoUsersCanSignInImmediately(t *testing.T) {
	t.Parallel()
	s := newHome(t).serve(t)
	landing := map[string]string{"PORTAL_DEMO_LANDLORD": "/live/overview", "PORTAL_DEMO_STAFF": "/staff/requests"}
	for who, sees := range map[string]string{
		"PORTAL_DEMO_LANDLORD": "Harbor Lane Rentals",
		"PORTAL_DEMO_STAFF":    s.vars["PORTAL_DEMO_STAFF"],
	} {
		v := s.visitor(t)
		at, body := v.send(t, "/sign-in", "/sign-in", url.Values{
			"email":    {s.vars[who]},
			"password": {s.vars["PORTAL_DEMO_PASSWORD"]},
		})
		if at != landing[who] || !strings.Contains(body, sees) {
			t.Errorf("%s comes to %s: %s", who, at, body)
		}
		if at, _ := v.send(t, "/sign-out", "/settings/sessions", url.Values{}); at != "/sign-in" {
			t.Errorf("signing out leads to %s", at)
		}
		if at, _ := v.open(t, "/settings"); at != "/sign-in" {
			t.Errorf("who has signed out comes to %s", at)
		}
	}
}

// peek opens a page that may not be there yet.
func (v *visitor) peek(t *testing.T, path string) (status int, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, v.at+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := v.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}
