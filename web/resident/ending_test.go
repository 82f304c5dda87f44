package resident_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"portal/api/clock"
	"portal/api/mail"
	"portal/api/portfolio"
	"portal/db/dbtest"
	"portal/web/pagetest"
)

var endingPath = regexp.MustCompile(`/ending/\S+`)

// asked are the paths of the links by which the tenants answer whether the lease ends, the primary tenant's first.
func (s *signPages) asked() (paths []string) {
	s.Helper()
	for i := range s.links {
		s.signs(i)
	}
	pagetest.Must(s.T, s.signing.AskToEnd(s.Context(), s.by, s.lease.ID,
		clock.DateOf(s.now, s.by.Zone).AddDays(3), "The house is <b>sold</b>."))
	all, err := s.post.Mails(s.Context(), mail.Filter{Limit: 100})
	pagetest.Must(s.T, err)
	for i := range 2 {
		for _, m := range all {
			if m.About != nil && *m.About == s.lease.Signers[i].ID && strings.HasPrefix(m.Subject, "Do you agree") {
				read, err := s.post.Mail(s.Context(), m.ID)
				pagetest.Must(s.T, err)
				paths = append(paths, endingPath.FindString(read.Content.Text))
			}
		}
	}
	if len(paths) != 2 {
		s.Fatalf("%q", paths)
	}
	return paths
}

func TestTenantsAnswerWhetherLeaseEnds(t *testing.T) {
	s := newSignPages(t)
	links := s.asked()
	before := dbtest.Dump(t, s.db, nil)
	for lang, want := range map[string]string{"en": "Do you agree that the lease ends?", "es": "¿Acepta que"} {
		rec := s.gets(links[0] + "?lang=" + lang)
		text := words(rec)
		if rec.Code != http.StatusOK || !strings.Contains(text, want) ||
			!strings.Contains(text, "The house is <b>sold</b>.") ||
			rec.Header().Get("Cache-Control") != "no-store" ||
			rec.Header().Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%d %v: %s", rec.Code, rec.Header(), text)
		}
		if problem := pagetest.Unbalanced(rec.Body.String()); problem != "" {
			t.Error(problem)
		}
		pagetest.Inert(t, rec)
	}
	dbtest.Unchanged(t, "a look", before, dbtest.Dump(t, s.db, nil))
	if rec := s.gets(links[0][:len(links[0])-2]); rec.Code != http.StatusNotFound {
		t.Errorf("a changed link: %d", rec.Code)
	}
	says := func(rec interface{ Result() *http.Response }, text, want string) {
		t.Helper()
		if rec.Result().StatusCode != http.StatusBadRequest || !strings.Contains(text, want) {
			t.Errorf("%d without %q: %s", rec.Result().StatusCode, want, text)
		}
	}
	s.steps(links[0]+"/code", nil)
	code := s.code()
	for want, form := range map[string]url.Values{
		"Choose your answer.":                           {"code": {code}},
		"Type the name as the lease has it: Sam Rivera": {"code": {code}, "answer": {"agree"}, "name": {"Max"}},
		"Say why you don’t agree.":                      {"code": {code}, "answer": {"refuse"}},
		"That is not the code":                          {"code": {"x"}, "answer": {"agree"}, "name": {"Sam Rivera"}},
	} {
		rec := s.posts(links[0], form)
		says(rec, words(rec), want)
	}
	rec := s.posts(links[0]+"?lang=es", url.Values{"code": {"x"}, "answer": {"agree"}, "name": {"Sam Rivera"}})
	says(rec, words(rec), "Ese no es el código")
	agree := url.Values{"code": {code}, "answer": {"agree"}, "name": {"sam rivera"}}
	if text := s.steps(links[0], agree); !strings.Contains(text, "You agreed that the lease ends") ||
		s.status() != portfolio.LeaseSigned {
		t.Errorf("%s: %s", s.status(), text)
	}
	s.steps(links[0], agree) // pressed twice
	s.steps(links[1]+"/code", nil)
	last := url.Values{"code": {s.code()}, "answer": {"agree"}, "name": {s.lease.Signers[1].Name}}
	if text := s.steps(links[1], last); !strings.Contains(text, "The lease ends, as all tenants agreed") ||
		s.status() != portfolio.LeaseTerminated {
		t.Errorf("%s: %s", s.status(), text)
	}
}

func TestTenantDoesNotAgreeThatLeaseEnds(t *testing.T) {
	s := newSignPages(t)
	links := s.asked()
	s.steps(links[1]+"/code", nil)
	refuse := url.Values{"code": {s.code()}, "answer": {"refuse"}, "reason": {"We need the home."}}
	if text := s.steps(
		links[1],
		refuse,
	); !strings.Contains(text, "You did not agree") ||
		s.status() != portfolio.LeaseSigned {
		t.Errorf("%s: %s", s.status(), text)
	}
	if rec := s.gets(
		links[0],
	); rec.Code != http.StatusGone ||
		!strings.Contains(words(rec), "A tenant did not agree") ||
		strings.Contains(words(rec), "We need the home.") {
		t.Errorf("%d: %s", rec.Code, words(rec))
	}
}
