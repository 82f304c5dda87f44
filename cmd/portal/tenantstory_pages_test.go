package main

import (
	"io"
	"net/http"
	"strings"

	"portal/api/sampled"
	"portal/web/webtest"
)

// narrowPhone is the other width at which pictures are kept.
var narrowPhone = webtest.Screen{Width: 390, Height: 844}

// look holds the page that the tenant has open to what every page is held to, in light and dark.
func (s *tenantStory) look(name string) {
	s.Helper()
	if !s.looks {
		return
	}
	p := s.tenant
	name = "tenant-" + name + "-" + webtest.Value[string](p.Window, "document.documentElement.lang")
	light := p.screen
	light.Plain = false // the checker is a script
	// As high as the page, so that the bar at the bottom hides nothing of it.
	light.Height = webtest.Value[int64](p.Window, "document.documentElement.scrollHeight")
	p.Show(light)
	p.CheckBoth(light, name)
	if p.Shots != "" {
		for _, screen := range []webtest.Screen{narrowPhone, webtest.Desktop, webtest.DesktopDark} {
			p.Show(screen)
			screen.Height = max(screen.Height, webtest.Value[int64](p.Window, "document.documentElement.scrollHeight"))
			p.Show(screen)
			p.Keep(name + "-" + screen.String())
		}
	}
	p.Show(p.screen)
}

// lookInBoth looks at the page that is open in Spanish, and then in English, which stays; in a run at each page in one
// of the two, by chance, and in both for `make prove`.
func (s *tenantStory) lookInBoth(name string) {
	s.Helper()
	if !s.looks {
		return
	}
	path, _, _ := strings.Cut(s.tenant.Path(), "?")
	query := "?"
	if strings.Contains(s.tenant.Path(), "sent=1") { // the page of the code that was mailed
		query = "?sent=1&"
	}
	looks := sampled.OneIn(s.T, 2)
	for i, lang := range []string{"es", "en"} {
		if !looks(i) && lang != "en" {
			continue
		}
		s.tenant.visit(path + query + "lang=" + lang)
		if looks(i) {
			s.look(name)
		}
	}
}

// looksAround opens each page of the tenant before anything was reported or unlocked.
func (s *tenantStory) looksAround() {
	s.Helper()
	p := s.tenant
	p.visit(s.path)
	if text := p.Text("main"); strings.Contains(text, "$") {
		s.Errorf("the locked page shows an amount: %s", text)
	}
	s.lookInBoth("home-locked")
	for _, page := range []string{"payments", "lease", "tickets"} {
		p.goes(`.tbar a[href*="/`+page+`"]`, s.path+"/"+page)
		if text := p.Text("main"); strings.Contains(text, "$") {
			s.Errorf("the locked page %s shows an amount: %s", page, text)
		}
		s.lookInBoth(page + "-locked")
	}
	for lang, words := range map[string]string{"en": "Not sent yet", "es": "Aún no se envió"} {
		p.visit(s.path + "/tickets?lang=" + lang)
		p.goes(sendReport, s.path+"/tickets")
		p.sees(words)
		s.look("errors")
	}
}

// fetches gets something without a browser.
func (s *tenantStory) fetches(path string) (answer *http.Response, body []byte) {
	s.Helper()
	return s.asks(http.MethodGet, path, "", http.NoBody)
}

// posts sends something without a browser.
func (s *tenantStory) posts(path, kind string, form io.Reader) (answer *http.Response, body []byte) {
	s.Helper()
	return s.asks(http.MethodPost, path, kind, form)
}

func (s *tenantStory) asks(method, path, kind string, form io.Reader) (answer *http.Response, body []byte) {
	s.Helper()
	r, err := http.NewRequestWithContext(s.Context(), method, s.vars["PORTAL_URL"]+path, form)
	if err != nil {
		s.Fatal(err)
	}
	r.Header.Set("Content-Type", kind)
	answer, err = http.DefaultTransport.RoundTrip(r)
	if err != nil {
		s.Fatal(err)
	}
	defer answer.Body.Close()
	if body, err = io.ReadAll(answer.Body); err != nil {
		s.Fatal(err)
	}
	return answer, body
}
