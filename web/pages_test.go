package web_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/static"
	"portal/web/pagetest"
)

func TestEveryResponseHasSecurityHeaders(t *testing.T) {
	want := map[string]string{
		"X-Content-Type-Options":       "nosniff",
		"Referrer-Policy":              "same-origin",
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
	}
	for _, path := range slices.Concat(pages, rest) {
		got := pagetest.Ask(http.MethodGet, path).Header()
		for name, value := range want {
			if got.Get(name) != value {
				t.Errorf("%s: %s is %q, want %q", path, name, got.Get(name), value)
			}
		}
		if !strings.Contains(got.Get("Permissions-Policy"), "camera=()") ||
			!regexp.MustCompile(`^req_[0-9A-Z]{26}$`).MatchString(got.Get("X-Request-Id")) {
			t.Errorf("%s: permissions %q, request %q", path, got.Get("Permissions-Policy"), got.Get("X-Request-Id"))
		}
	}
}

func TestScriptNonceIsUniquePerResponse(t *testing.T) {
	policy := regexp.MustCompile(
		`^default-src 'none'; script-src 'nonce-([\w-]{22})'; style-src 'self'; font-src 'self'; img-src 'self' ` +
			`data:; ` +
			`connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$`,
	)
	seen := map[string]bool{}
	for _, path := range slices.Concat(pages, pages) {
		rec := pagetest.Ask(http.MethodGet, path)
		said := policy.FindStringSubmatch(rec.Header().Get("Content-Security-Policy"))
		if said == nil || seen[said[1]] {
			t.Fatalf("%s: the policy is %q", path, rec.Header().Get("Content-Security-Policy"))
		}
		seen[said[1]] = true
		if !strings.Contains(
			rec.Body.String(),
			`<script src="`+static.URL("page.js")+`" nonce="`+said[1]+`" defer></script>`,
		) {
			t.Errorf("%s: the script has another nonce", path)
		}
	}
}

func TestNonHTMLResponsesAllowNoScripts(t *testing.T) {
	for _, path := range rest {
		got := pagetest.Ask(http.MethodGet, path).Header().Get("Content-Security-Policy")
		if !strings.HasPrefix(got, "default-src 'none'; ") || strings.Contains(got, "script") {
			t.Errorf("%s: %s", path, got)
		}
	}
}

func TestHSTSIsSentOnlyForHTTPSBaseURL(t *testing.T) {
	for address, want := range map[string]string{
		"http://portal.test":  "",
		"https://portal.test": "max-age=31536000",
	} {
		rec := httptest.NewRecorder()
		pagetest.Serve(pagetest.Config{
			BaseURL: address,
			Now:     time.Now,
		}).ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/", nil))
		if got := rec.Header().Get("Strict-Transport-Security"); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

func TestHomeShowsSampleRequestToBaseURL(t *testing.T) {
	home := pagetest.Text(pagetest.Parse(t, pagetest.Read(t, "/")))
	for _, want := range []string{
		pagetest.BaseURL + "/api/v1/external",
		`curl -H "Authorization: Bearer $PORTAL_TEST_KEY" \ ` + pagetest.BaseURL + "/api/v1/external/properties",
		"sk_test_",
	} {
		if !strings.Contains(home, want) {
			t.Errorf("home does not say %q", want)
		}
	}
}

func TestHomeLinksToOpenAPIAndErrorDocs(t *testing.T) {
	links := pagetest.Hrefs(pagetest.Parse(t, pagetest.Read(t, "/")))
	for _, want := range []string{
		"/openapi.json", "/docs", "/docs/quickstart", "/llms.txt", "/docs/errors",
		"/docs/errors.md",
	} {
		if !slices.Contains(links, want) {
			t.Errorf("home does not link %s", want)
		}
	}
}

func TestTrailingSlashInBaseURLIsNotDoubled(t *testing.T) {
	rec := httptest.NewRecorder()
	pagetest.Serve(pagetest.Config{
		BaseURL: pagetest.BaseURL + "/",
		Now:     time.Now,
	}).ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/", nil))
	if strings.Contains(rec.Body.String(), "test//") {
		t.Error("an address on the page has two slashes")
	}
}

func TestHeadMatchesGetWithoutBody(t *testing.T) {
	for _, path := range slices.Concat(pages[:2], rest) {
		get, head := pagetest.Ask(http.MethodGet, path), pagetest.Ask(http.MethodHead, path)
		if head.Code != http.StatusOK || head.Body.Len() != 0 {
			t.Errorf("HEAD %s: %d with %d bytes", path, head.Code, head.Body.Len())
		}
		for _, name := range []string{"Content-Type", "Content-Length", "ETag"} {
			if g, h := get.Header().Get(name), head.Header().Get(name); g != h {
				t.Errorf("HEAD %s: %s is %q, GET has %q", path, name, h, g)
			}
		}
	}
}

func TestWrongMethodIsNotReportedAsMissingPage(t *testing.T) {
	for _, path := range slices.Concat(pages[:2], rest) {
		rec := pagetest.Ask(http.MethodPost, path)
		if rec.Code != http.StatusMethodNotAllowed || !strings.Contains(rec.Header().Get("Allow"), "GET") {
			t.Errorf("POST %s: %d, Allow %q", path, rec.Code, rec.Header().Get("Allow"))
		}
	}
}

func TestUnchangedPageIsNotModified(t *testing.T) {
	first := pagetest.Ask(http.MethodGet, "/")
	if got := first.Header().Get("Cache-Control"); got != "no-cache" {
		t.Errorf("Cache-Control is %q", got)
	}
	req := httptest.NewRequest(http.MethodGet, "/", nil)
	req.Header.Set("If-None-Match", first.Header().Get("ETag"))
	again := httptest.NewRecorder()
	pagetest.Serve(pagetest.Config{BaseURL: pagetest.BaseURL, Now: time.Now}).ServeHTTP(again, req)
	if again.Code != http.StatusNotModified || again.Header().Get("Content-Security-Policy") != "" {
		t.Errorf("the same page again: %d with %v", again.Code, again.Header())
	}
}

func TestUnknownPathPageLinksHome(t *testing.T) {
	for _, path := range []string{"/nowhere", "/docs/nowhere", "/docs/errors/", "/static/"} {
		rec := pagetest.Ask(http.MethodGet, path)
		if rec.Code != http.StatusNotFound || rec.Header().Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%s: %d %s", path, rec.Code, rec.Header().Get("Content-Type"))
		}
		if rec.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s may be kept: %q", path, rec.Header().Get("Cache-Control"))
		}
		doc := pagetest.Parse(t, rec.Body.String())
		if !slices.Contains(pagetest.Hrefs(doc), "/") || !strings.Contains(pagetest.Text(doc), path) {
			t.Errorf("%s: the page does not name the path or has no way home", path)
		}
	}
}

func TestUnknownPathIsEscaped(t *testing.T) {
	page := pagetest.Ask(http.MethodGet, "/%3Cscript%3Ealert(1)%3C/script%3E").Body.String()
	if strings.Contains(page, "<script>") || !strings.Contains(page, "&lt;script&gt;") {
		t.Error("the path is not escaped")
	}
}
