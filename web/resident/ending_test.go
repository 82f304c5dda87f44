package resident_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"portal/api/agreement/ceremony"
	"portal/api/clock"
	"portal/api/language"
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
	end := dbtest.Texts(t, s.db, "SELECT CAST(end_date AS TEXT) FROM leases")[0]
	dbtest.Exec(t, s.db, "UPDATE leases SET end_date = NULL") // which a lease of its type has: it cannot change
	for lang, want := range map[string]string{
		"es": "Su respuesta no se guardó.", "en": "Your answer wasn’t recorded.",
	} {
		if rec := s.posts(links[1]+"?lang="+lang, last); rec.Code != http.StatusConflict ||
			!strings.Contains(words(rec), want) || strings.Contains(words(rec), "end_date") {
			t.Errorf("%d without %q: %s", rec.Code, want, words(rec))
		}
	}
	dbtest.Exec(t, s.db, "UPDATE leases SET end_date = "+end)
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

// What is emailed about the end of a lease is in Spanish for a tenant who signed in Spanish, and for one who answers in
// Spanish.
func TestTenantWhoReadsSpanishIsAskedInItWhetherLeaseEnds(t *testing.T) {
	s, twins := newSignPages(t), spanishOnly(t)
	s.agreements.Offers = s.signing
	const sam, thao, es = "r@example.com", "n@example.com", language.InSpanish
	s.steps(s.links[0]+"/review"+es, nil)
	s.steps(s.links[0]+"/code"+es, url.Values{"consent": {"on"}})
	sign := url.Values{"version": {"1"}, "code": {s.code()}, "name": {"Sam Rivera"}}
	s.steps(s.links[0]+es, sign)
	for i := range s.links[1:] {
		s.signs(i + 1)
	}
	pagetest.Must(t, s.signing.AskToEnd(t.Context(), s.by, s.lease.ID, clock.DateOf(s.now, s.by.Zone).AddDays(3),
		"Vendimos la casa."))
	if got := emailsInSpanish(t, s.post, sam, 1, twins)[0]; !strings.HasPrefix(got, "¿Acepta que el contrato de ") {
		t.Error(got)
	}
	link := s.endingLink(sam)
	if !strings.HasSuffix(link, es) {
		t.Errorf("the link is %s", link)
	}
	link = strings.TrimSuffix(link, es)
	pageInSpanish(t, "the question", s.gets(link), http.StatusOK, twins, "Vendimos la casa.")
	for i, to := range []string{sam, thao} {
		link := strings.TrimSuffix(s.endingLink(to), es)
		s.steps(link+"/code"+es, nil)
		if got := emailsInSpanish(t, s.post, to, 1, twins)[0]; !strings.HasPrefix(got, "Su código para responder ") {
			t.Error(got)
		}
		agree := url.Values{"code": {s.code()}, "answer": {"agree"}, "name": {s.lease.Signers[i].Name}}
		s.steps(link+es, agree)
	}
	for _, to := range []string{sam, thao} {
		if got := emailsInSpanish(t, s.post, to, 1, twins)[0]; !strings.HasPrefix(got, "Terminado antes de empezar: ") {
			t.Error(got)
		}
	}
}

func TestSignatureOnPaperIsToldInTheLanguageOfTheSigner(t *testing.T) {
	s, twins := newSignPages(t), spanishOnly(t)
	s.steps(s.links[0]+"/review"+language.InSpanish, nil)
	pagetest.Must(t, s.signing.SignOnPaper(t.Context(), s.by, s.lease.ID, s.lease.Signers[0].ID, "dana@example.com",
		ceremony.Paper{Version: 1, On: clock.DateOf(s.now, s.by.Zone), Scan: []byte("%PDF-1.7\n%%EOF\n")},
		ceremony.Client{}))
	got := emailsInSpanish(t, s.post, "r@example.com", 1, twins)[0]
	if !strings.HasPrefix(got, "Registrado como firmado en papel: ") {
		t.Error(got)
	}
}

// endingLink is the path of the link in the latest email that asks an address whether the lease ends.
func (s *signPages) endingLink(to string) string {
	s.Helper()
	all, err := s.post.Mails(s.Context(), mail.Filter{Limit: 100})
	pagetest.Must(s.T, err)
	for i := range all {
		if all[i].To != to {
			continue
		}
		read, err := s.post.Mail(s.Context(), all[i].ID)
		pagetest.Must(s.T, err)
		if path := endingPath.FindString(read.Content.Text); path != "" {
			return path
		}
	}
	s.Fatalf("%s was not asked", to)
	return ""
}
