package web_test

import (
	"bytes"
	"encoding/xml"
	"image/png"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/static"
	"portal/web/pagetest"
)

func TestSitemapListsOnlyPublicPages(t *testing.T) {
	rec := pagetest.Ask(http.MethodGet, "/sitemap.xml")
	var set struct {
		URLs []string `xml:"url>loc"`
	}
	err := xml.Unmarshal(rec.Body.Bytes(), &set)
	if err != nil || rec.Header().Get("Content-Type") != "application/xml" {
		t.Fatalf("%v, %s", err, rec.Header())
	}
	for _, want := range []string{
		"/", "/docs", "/docs/quickstart", "/docs/errors", "/docs/security", "/docs/lease-rules/tx",
	} {
		if !slices.Contains(set.URLs, pagetest.BaseURL+want) {
			t.Errorf("the map lacks %s", want)
		}
	}
	for _, address := range set.URLs {
		path, own := strings.CutPrefix(address, pagetest.BaseURL)
		if answer := pagetest.Ask(http.MethodGet, path); !own || answer.Code != http.StatusOK {
			t.Errorf("the map has %s, which answers %d", address, answer.Code)
		}
	}
	robots := pagetest.Read(t, "/robots.txt")
	for _, want := range []string{
		"User-agent: *\nDisallow: /\n", "Allow: /docs\n",
		"Sitemap: " + pagetest.BaseURL + "/sitemap.xml\n",
	} {
		if !strings.Contains(robots, want) {
			t.Errorf("robots.txt lacks %q:\n%s", want, robots)
		}
	}
}

func TestSecurityTxtNamesReportingContact(t *testing.T) {
	text := pagetest.Read(t, "/.well-known/security.txt")
	expires := regexp.MustCompile(`(?m)^Expires: (.+)$`).FindStringSubmatch(text)
	if expires == nil {
		t.Fatal(text)
	}
	at, err := time.Parse(time.RFC3339, expires[1])
	if until := time.Until(at); err != nil || until < 90*24*time.Hour || until > 365*24*time.Hour {
		t.Errorf("it expires %s: %v", expires[1], err)
	}
	for _, want := range []string{"Contact: ", "Policy: "} {
		at := regexp.MustCompile(
			`(?m)^` + want + regexp.QuoteMeta(pagetest.BaseURL) + `(/.+)$`,
		).FindStringSubmatch(text)
		if at == nil || !strings.Contains(pagetest.Read(t, at[1]), "Report a vulnerability") {
			t.Errorf("%s leads nowhere: %s", want, text)
		}
	}
	if !strings.Contains(text, "Canonical: "+pagetest.BaseURL+"/.well-known/security.txt\n") {
		t.Error(text)
	}
}

func TestFaviconIsServedAtWellKnownPath(t *testing.T) {
	rec := pagetest.Ask(http.MethodGet, "/favicon.ico")
	kind := rec.Header().Get("Content-Type")
	if kind != "image/x-icon" || !bytes.HasPrefix(rec.Body.Bytes(), []byte("\x00\x00\x01\x00")) {
		t.Errorf("%s: %q", kind, rec.Body)
	}
}

func TestPublicPageHasCanonicalURLAndPreview(t *testing.T) {
	t.Parallel()
	r := newTestPages(t).Guest()
	for path, title := range map[string]string{"/": "The API for rental portfolios", "/status?from=mail": "Status"} {
		head, _, _ := strings.Cut(r.Get(path).Body.String(), "</head>")
		address, _, _ := strings.Cut(pagetest.BaseURL+path, "?")
		for _, want := range []string{
			`<link rel="canonical" href="` + address + `">`,
			`<meta property="og:url" content="` + address + `">`,
			`<meta property="og:type" content="website">`,
			`<meta property="og:title" content="` + title + `">`,
			`<meta property="og:description" content="`,
			`<meta property="og:image" content="` + pagetest.BaseURL + static.URL("card.png") + `">`,
			`<meta name="twitter:card" content="summary_large_image">`,
		} {
			if !strings.Contains(head, want) {
				t.Errorf("%s has no %s", path, want)
			}
		}
	}
	card := r.Get(static.URL("card.png"))
	size, err := png.DecodeConfig(card.Body)
	if err != nil || size.Width != 1200 || size.Height != 630 || card.Header().Get("Content-Type") != "image/png" {
		t.Errorf("the picture of the preview is %+v, %v, %v", size, card.Header(), err)
	}
	if strings.Contains(r.Get("/nowhere").Body.String(), "og:") {
		t.Error("a page that no search engine may know has a preview")
	}
}
