package resident_test

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"portal/api/agreement/ceremony"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/language"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/ticket"
	"portal/db/dbtest"
	"portal/web/pagetest"
)

// english are words that are in nearly every English sentence and in no Spanish one.
var english = regexp.MustCompile(`(?i)\b(the|your|you|and|of|to|is|are|was|for|with|this|that|it|isn['’]t|don['’]t|` +
	`can['’]t|sign|signed|lease|rent|deposit|late|code|send|sent|email|due|not|by|we|our|on|at|from|nothing|` +
	`January|February|March|April|June|July|August|September|October|November|December|` +
	`Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|AM|PM)\b`)

// quotations are what a page or email in Spanish quotes: names, addresses, and words of people.
var quotations = []string{
	"1420 Maple Avenue(, Unit 2B, Austin, TX 78701)?",
	"The tap of Sam3AA drips.",
	"We will come tomorrow.",
	"The window is stuck.",
	"English",
	"TEST MODE:",
	"https?://\\S+",
	"\\S+@\\S+",
}

// visible are the texts of a page that its reader sees or hears, but for what is marked as English.
func visible(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(" " + n.Data + " ")
		}
		if n.Type == html.ElementNode {
			for _, a := range n.Attr {
				switch a.Key {
				case "lang":
					if a.Val == "en" {
						return
					}
				case "aria-label", "alt", "title", "placeholder":
					b.WriteString(" " + a.Val + " ")
				}
			}
			if n.Data == "style" || n.Data == "script" {
				return
			}
		}
		for child := range n.ChildNodes() {
			walk(child)
		}
	}
	walk(n)
	return strings.Join(strings.Fields(b.String()), " ")
}

// inSpanish checks that a text is Spanish: it has none of the English texts that have a Spanish twin, and no word that
// is English alone.
func inSpanish(t *testing.T, where, text string, twins []twin) {
	t.Helper()
	if len(text) < 20 {
		t.Errorf("%s says %q", where, text)
	}
	for _, q := range quotations {
		text = regexp.MustCompile(q).ReplaceAllString(text, "…")
	}
	for _, w := range twins {
		if len(w.english) > 8 && strings.Contains(text, w.english) {
			t.Errorf("%s says %q, and not %q:\n%s", where, w.english, w.spanish, text)
		}
	}
	if all := english.FindAllString(text, -1); len(all) > 0 {
		t.Errorf("%s has the English words %q:\n%s", where, all, text)
	}
}

// pageInSpanish checks a page and its status, and that it says that it is Spanish.
func pageInSpanish(
	t *testing.T, where string, rec *httptest.ResponseRecorder, status int, twins []twin, all ...string,
) {
	t.Helper()
	doc := pagetest.Parse(t, rec.Body.String())
	text := visible(doc)
	if rec.Code != status || !strings.Contains(rec.Body.String(), `<html lang="es">`) {
		t.Errorf("%s: %d, want %d in Spanish: %s", where, rec.Code, status, text)
	}
	for _, w := range all {
		if !strings.Contains(text, w) {
			t.Errorf("%s does not say %q:\n%s", where, w, text)
		}
	}
	inSpanish(t, where, text, twins)
}

// emailsInSpanish checks the newest emails to an address: so many, each part of them. It gives their subjects.
func emailsInSpanish(t *testing.T, post *mail.Service, to string, n int, twins []twin) (subjects []string) {
	t.Helper()
	all, err := post.Mails(t.Context(), mail.Filter{Limit: 100})
	pagetest.Must(t, err)
	for i := range all {
		if all[i].To != to || len(subjects) == n {
			continue
		}
		m, err := post.Mail(t.Context(), all[i].ID)
		pagetest.Must(t, err)
		subjects = append(subjects, m.Content.Subject)
		inSpanish(t, "the email "+m.Content.Subject, m.Content.Subject+"\n"+m.Content.Text, twins)
		inSpanish(t, "the page of the email "+m.Content.Subject, visible(pagetest.Parse(t, m.Content.HTML)), twins)
		if !strings.Contains(m.Content.HTML, `<html lang="es">`) {
			t.Errorf("the email %s is not marked as Spanish", m.Content.Subject)
		}
	}
	if len(subjects) != n {
		t.Errorf("%d emails to %s, want %d: %q", len(subjects), to, n, subjects)
	}
	return subjects
}

// twin is a text of the pages in both languages.
type twin struct{ english, spanish, at string }

// allTwins are the texts in both languages of a package's files: the two arguments of Say, and texts that stand in
// pairs.
func allTwins(t *testing.T, folders ...string) (all []twin) {
	t.Helper()
	files := token.NewFileSet()
	for _, folder := range folders {
		names, err := filepath.Glob(filepath.Join(folder, "*.go"))
		pagetest.Must(t, err)
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(files, name, nil, 0)
			pagetest.Must(t, err)
			ast.Inspect(file, func(n ast.Node) bool {
				var pair []ast.Expr
				switch n := n.(type) {
				case *ast.CallExpr:
					if s, is := n.Fun.(*ast.SelectorExpr); is && (s.Sel.Name == "Say" || s.Sel.Name == "say") {
						pair = n.Args
					}
				case *ast.CompositeLit:
					if n.Type != nil || folder != "../page" { // there, those of a map are title and words
						pair = n.Elts
					}
				}
				if len(pair) != 2 {
					return true
				}
				one, isOne := literal(pair[0])
				two, isTwo := literal(pair[1])
				if isOne && isTwo && strings.TrimSpace(one) != "" && one[0] != '/' {
					all = append(
						all,
						twin{strings.TrimSpace(one), strings.TrimSpace(two), files.Position(n.Pos()).String()},
					)
				}
				return true
			})
		}
	}
	if len(all) < 100 {
		t.Fatalf("%d texts in two languages", len(all))
	}
	return all
}

// literal is the longest text within an expression that is written in it.
func literal(e ast.Expr) (text string, is bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, err := strconv.Unquote(e.Value)
			return text, err == nil
		}
	case *ast.BinaryExpr:
		one, isOne := literal(e.X)
		two, isTwo := literal(e.Y)
		if isOne && isTwo {
			return one + two, true
		}
		if len(one) > len(two) {
			return one, isOne
		}
		return two, isTwo
	}
	return "", false
}

// pages are the packages whose texts readers with a link get.
var pages = []string{".", "../page", "../../views/resident", "../../api/attachment"}

// sameInBoth are texts that are alike in both languages.
var sameInBoth = []string{"SHA-256"}

// spanishOnly are the English texts with a Spanish twin, but for those that are words of Spanish, too.
func spanishOnly(t *testing.T) []twin {
	t.Helper()
	return slices.DeleteFunc(allTwins(t, pages...), func(w twin) bool {
		return slices.Contains(sameInBoth, w.english) || !strings.Contains(w.english, " ")
	})
}

func TestEveryTextOfPagesForSignersAndTenantsHasASpanishTwin(t *testing.T) {
	t.Parallel()
	for _, w := range allTwins(t, pages...) {
		if w.spanish == "" || w.spanish == w.english && !slices.Contains(sameInBoth, w.english) {
			t.Errorf("%s: %q is %q in Spanish", w.at, w.english, w.spanish)
		}
		if found := english.FindString(w.spanish); found != "" {
			t.Errorf("%s: the Spanish text has the English word %q: %s", w.at, found, w.spanish)
		}
	}
}

// static are the texts of templates that are written by themselves, and so are the same in both languages.
var static = regexp.MustCompile(`WriteString\(templ_7745c5c3_Buffer, \d+, ("(?:[^"\\]|\\.)*")\)`)

func TestTemplatesForSignersAndTenantsHaveNoEnglishOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"resident/apply_templ.go", "resident/sign_templ.go", "resident/tenant_templ.go", "resident/ticket_templ.go",
		"kit/guest_templ.go",
	} {
		content, err := os.ReadFile("../../views/" + name)
		pagetest.Must(t, err)
		texts := static.FindAllSubmatch(content, -1)
		if len(texts) == 0 {
			t.Errorf("%s has no texts", name)
		}
		for _, m := range texts {
			text, err := strconv.Unquote(string(m[1]))
			pagetest.Must(t, err)
			plain := regexp.MustCompile(`<[^>]*>?|[^<]*>`).ReplaceAllString(text, " ")
			if found := english.FindString(plain); found != "" {
				t.Errorf("%s: %q", name, plain)
			}
		}
	}
}

func TestEveryEmailToSignersAndTenantsHasASpanishTwin(t *testing.T) {
	t.Parallel()
	fields := regexp.MustCompile(`\.[A-Z]\w+`)
	for folder, names := range map[string][]string{
		"../../api/agreement/ceremony/emails": {
			"link", "reminder", "extension", "code", "readdressed", "paper", "executed", "ending", "endingcode",
			"ended",
		},
		"../../api/tenantportal/emails": {"link", "code", "ticket_tenant", "rent"},
	} {
		for _, name := range names {
			for _, end := range []string{".txt", ".html"} {
				one, err := os.ReadFile(filepath.Join(folder, name+end))
				pagetest.Must(t, err)
				two, err := os.ReadFile(filepath.Join(folder, name+"_es"+end))
				pagetest.Must(t, err)
				for _, field := range fields.FindAllString(string(one), -1) {
					// The copy of the landlord alone has the lease in the dashboard.
					has := strings.Contains(
						string(two),
						cmp.Or(map[string]string{".English": ".Spanish"}[field], field),
					)
					if !has && field != ".Lease" {
						t.Errorf("%s%s lacks %s in Spanish", name, end, field)
					}
				}
			}
		}
	}
}

// asksInSpanish sends a request with a browser that asks for Spanish.
func asksInSpanish(h http.Handler, method, path string, form url.Values) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(form.Encode()))
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	r.Header.Set("Accept-Language", "es-US,es;q=0.9,en;q=0.8")
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	return rec
}

func TestSignerWhoChoseSpanishReadsNoEnglishButTheLease(t *testing.T) {
	s, twins := newSignPages(t), spanishOnly(t)
	s.agreements.Offers = s.signing
	pagetest.Must(t, s.agreements.SendUnblocked(t.Context()))
	link := s.links[0]
	const sam = "r@example.com"
	shows := func(where string, rec *httptest.ResponseRecorder, status int, all ...string) {
		t.Helper()
		pageInSpanish(t, where, rec, status, twins, all...)
	}
	shows("review", asksInSpanish(s, http.MethodGet, link, nil), http.StatusOK,
		"Renta $1,450.50 al mes, que se paga el día 1", "Del 9 de enero de 2027 al", "Depósito Ninguno",
		"Recargo por atraso Ninguno", "Se paga al mudarse", "el documento en inglés es el que obliga",
		"Firme a más tardar el 26 de noviembre de 2026")
	if strings.Contains(words(s.gets(link)), "Firme") {
		t.Error("a look was kept as a choice")
	}
	rec := asksInSpanish(s, http.MethodPost, link+"/review?lang=es", nil)
	if rec.Code != http.StatusSeeOther {
		t.Fatal(words(rec))
	}
	// From here on no request says which language it is: the choice is kept.
	step := func(where, path string, form url.Values, status int, all ...string) {
		t.Helper()
		rec := s.posts(link+path, form)
		if status == http.StatusSeeOther {
			rec, status = s.gets(rec.Header().Get("Location")), http.StatusOK
		}
		shows(where, rec, status, all...)
	}
	es := language.InSpanish
	shows("agree", s.gets(link), http.StatusOK, "Acepte firmar en línea", "Resumen en español")
	shows(
		"summary",
		s.gets(link+ceremony.SummaryPath),
		http.StatusOK,
		"Arrendador dana",
		"Vivienda",
		"documento en inglés (PDF)",
	)
	shows("decline", s.gets(link+"/decline"), http.StatusOK, "¿Rechazar la firma?")
	step("a long reason", "/decline"+es, url.Values{"reason": {strings.Repeat("x", 501)}}, http.StatusBadRequest,
		"Use como máximo 500 caracteres.")
	step("no consent", "/code"+es, nil, http.StatusBadRequest, "Acepte firmar en línea, o pida el contrato en papel.")
	step("consent", "/code"+es, url.Values{"consent": {"on"}}, http.StatusSeeOther, "Código de 6 dígitos")
	if got := emailsInSpanish(t, s.post, sam, 1, twins); !strings.HasPrefix(got[0], "Su código para firmar") {
		t.Errorf("%q", got)
	}
	first := s.code()
	form := func(code, name string) url.Values {
		return url.Values{"version": {"1"}, "code": {code}, "name": {name}}
	}
	step("no name", es, form(first, ""), http.StatusBadRequest, "Escriba el nombre como está en el contrato.")
	step("a wrong name", es, form(first, "Alex Doe"), http.StatusBadRequest, "Escriba el nombre como está")
	step("a wrong code", es, form("12345", "Sam Rivera"), http.StatusBadRequest, "Ese no es el código")
	s.now = s.now.Add(11 * time.Minute)
	step("an old code", es, form(first, "Sam Rivera"), http.StatusBadRequest, "Ese no es el código")
	for range 2 {
		step("another code", "/code"+es, url.Values{"consent": {"on"}}, http.StatusSeeOther)
	}
	step("too many codes", "/code"+es, url.Values{"consent": {"on"}}, http.StatusBadRequest, "el máximo")
	s.now = s.now.Add(2 * time.Hour)
	_, err := s.agreements.UpdateLease(t.Context(), s.by, change.Target{ID: s.lease.ID},
		lease.Update{MonthlyRent: change.To(money.Dollars(1777))})
	pagetest.Must(t, err)
	step("a changed lease", es, form(first, "Sam Rivera"), http.StatusSeeOther,
		"Ha cambiado desde que lo revisó", "$1,777.00 al mes")
	step("review again", "/review"+es, nil, http.StatusSeeOther)
	step("code again", "/code"+es, url.Values{"consent": {"on"}}, http.StatusSeeOther)

	pagetest.Must(t, s.signing.SendLink(t.Context(), s.by, s.lease.ID, s.lease.Signers[0].ID))
	s.now = s.now.Add(73 * time.Hour)
	pagetest.Must(t, s.signing.Remind(t.Context(), s.now))
	pagetest.Must(t, s.signing.Extended(t.Context(), s.by, s.lease.ID))
	subjects := strings.Join(emailsInSpanish(t, s.post, sam, 3, twins), "\n")
	for _, want := range []string{"Firme el contrato de ", "Recordatorio: firme", "Más tiempo para firmar"} {
		if !strings.Contains(subjects, want) {
			t.Errorf("no email %q: %s", want, subjects)
		}
	}
	s.signsAs(1, "2")
	s.signsAs(2, "2")
	other := s.overlaps()
	step("code for the conflict", "/code"+es, url.Values{"consent": {"on"}}, http.StatusSeeOther)
	last := url.Values{"version": {"2"}, "code": {s.code()}, "name": {"Sam Rivera"}}
	step("a conflict", es, last, http.StatusConflict, "La vivienda tiene otro contrato en estas fechas.")
	dbtest.Exec(t, s.db, "UPDATE leases SET status = 'voided' WHERE id = $1", other)
	step("the signature", es, last, http.StatusSeeOther, "Todos han firmado el contrato")
	if got := emailsInSpanish(t, s.post, sam, 1, twins); !strings.HasPrefix(got[0], "Firmado por todos: ") {
		t.Errorf("%q", got)
	}
	shows("the summary of the signed lease", s.gets(link+ceremony.SummaryPath), http.StatusOK, "$1,777.00")
	if e, err := s.agreements.Execution(t.Context(), *s.lease.DocumentID); err != nil || len(e.Content) == 0 {
		t.Error(err)
	}
	shows("no link", asksInSpanish(s, http.MethodGet, link+"x", nil), http.StatusNotFound, "Este enlace no funciona")
}

// signsAs signs a version as a party who reads English.
func (s *signPages) signsAs(i int, version string) {
	s.Helper()
	link := s.links[i]
	s.steps(link+"/review", nil)
	s.steps(link+"/code", url.Values{"consent": {"on"}})
	s.steps(link, url.Values{"version": {version}, "code": {s.code()}, "name": {s.lease.Signers[i].Name}})
}

func TestSignerWhoChoseSpanishReadsInItWhyALeaseHasEnded(t *testing.T) {
	for status, want := range map[string]string{
		"voided": "Este contrato ya no se puede firmar", "declined": "Este contrato fue rechazado",
		"expired": "El plazo para firmar terminó",
	} {
		t.Run(status, func(t *testing.T) {
			s, twins := newSignPages(t), spanishOnly(t)
			s.steps(s.links[0]+"/review?lang=es", nil)
			switch status {
			case "declined":
				s.posts(s.links[0]+"/decline?lang=es", url.Values{"reason": {"No."}})
			case "expired":
				s.now = s.now.AddDate(0, 1, 0)
			default:
				_, err := s.rules.Leases.UpdateLease(t.Context(), s.by, change.Target{ID: s.lease.ID},
					lease.Update{Status: change.To(portfolio.LeaseVoided)})
				pagetest.Must(t, err)
			}
			for _, path := range []string{"", "/decline", "/lease.pdf", ceremony.SummaryPath} {
				pageInSpanish(t, status+path, s.gets(s.links[0]+path), http.StatusGone, twins, want)
			}
		})
	}
}

func TestChangedAddressIsToldInTheLanguageOfTheSigner(t *testing.T) {
	s, twins := newSignPages(t), spanishOnly(t)
	s.agreements.Offers = s.signing
	pagetest.Must(t, s.agreements.SendUnblocked(t.Context()))
	s.steps(s.links[0]+"/review?lang=es", nil)
	const sam = "r@example.com"
	pagetest.Must(t, s.rules.Tx.Exclusively(t.Context(), s.by.Portfolio, func(ctx context.Context) error {
		return s.agreements.Readdress(ctx, s.by, *s.lease.Signers[0].TenantID, new(sam), new(sam), s.lease.ID)
	}))
	subjects := strings.Join(emailsInSpanish(t, s.post, sam, 2, twins), "\n")
	for _, want := range []string{"Otro correo para el contrato de ", "Firme el contrato de "} {
		if !strings.Contains(subjects, want) {
			t.Errorf("no email %q: %s", want, subjects)
		}
	}
}

func TestEmailsBeforeAChoiceAreEnglishAndOfferSpanish(t *testing.T) {
	s := newSignPages(t)
	s.agreements.Offers = s.signing
	pagetest.Must(t, s.agreements.SendUnblocked(t.Context()))
	told := s.told("Sign the lease for ")
	if len(told) != 3 || !strings.Contains(told[0], "asks you to sign") || !strings.Contains(told[0], "?lang=es") ||
		!strings.Contains(told[0], "en español") {
		t.Errorf("%q", told)
	}
}

func TestCertificateSaysThatASignerReadThePageInSpanish(t *testing.T) {
	s := newSignPages(t)
	s.steps(s.links[0]+"/review?lang=es", nil)
	s.steps(s.links[1]+"/review", nil)
	if n := s.count(`document_evidence WHERE note = 'page in Spanish'`); n != 1 {
		t.Errorf("%d entries say that a page was in Spanish", n)
	}
}

// count counts rows.
func (s *signPages) count(from string) (n int) {
	s.Helper()
	dbtest.Row(s.T, s.db, "SELECT count(*) FROM "+from, nil, &n)
	return n
}

func TestTenantWhoChoseSpanishReadsNoEnglish(t *testing.T) {
	t.Parallel()
	f, twins := newTenantPages(t, dbtest.SQLite(t), true), spanishOnly(t)
	r := f.rents(&f.home, f.home.Live, "3A", portfolio.PartyPrimary)[0]
	f.signs(r)
	shows := func(where string, rec *httptest.ResponseRecorder, status int, all ...string) {
		t.Helper()
		pageInSpanish(t, where, rec, status, twins, all...)
	}
	shows("home", asksInSpanish(f, http.MethodGet, r.at(""), nil), http.StatusOK, "Reportar un problema")
	const es = language.InSpanish
	report := url.Values{"form": {"one"}, "description": {"The window is stuck."}, "entry_permission": {"granted"}}
	sent := f.sends(r.at("/tickets"+es), report, picture(t, 32))
	if sent.Code != http.StatusSeeOther {
		t.Fatal(words(sent))
	}
	at, _, _ := strings.Cut(sent.Header().Get("Location"), "?")
	// From here on pages are read by addresses that do not say the language.
	shows("sent", f.sentPage(sent), http.StatusOK, "Usted envió la solicitud")
	for path, want := range map[string]string{
		"": "Saldo y documentos", "/payments": "Pagos", "/lease": "Contrato", "/unlock": "Enviaremos un código",
		"/tickets": "Sus solicitudes", "/mail/stop": "¿No recibir más correos sobre sus solicitudes?",
		"/mail/rent/stop": "¿No recibir más correos sobre la renta?",
	} {
		shows(path, f.gets(r.at(path)), http.StatusOK, want)
	}
	with := func(name string, values ...string) url.Values {
		form := url.Values{"form": {name}, "description": {"The window is stuck."}}
		for i := 0; i < len(values); i += 2 {
			form.Set(values[i], values[i+1])
		}
		return form
	}
	long := strings.Repeat("x", 10_001)
	for where, form := range map[string]url.Values{
		"no words": with("a", "description", ""), "long words": with("b", "description", long),
		"long notes": with("c", "entry_notes", long), "no answer": with("d", "entry_permission", "maybe"),
	} {
		shows(where, f.posts(r.at("/tickets"+es), form), http.StatusBadRequest, "Aún no se envió")
	}
	shows("no photo", f.sends(r.at("/tickets"+es), with("e"), []byte("x")), http.StatusUnprocessableEntity,
		"El archivo no es una imagen")
	six := [][]byte{picture(t, 8), picture(t, 8), picture(t, 8), picture(t, 8), picture(t, 8), picture(t, 8)}
	shows("six photos", f.sends(r.at("/tickets"+es), with("f"), six...), http.StatusUnprocessableEntity,
		"Envíe hasta 5 fotos en total.")
	shows("no message", f.posts(at+"/comments"+es, url.Values{"form": {"g"}}), http.StatusBadRequest, "Aún no se envió")
	shows("no form", f.posts(r.at("/tickets"+es), url.Values{}), http.StatusBadRequest, "No se pudo leer")
	shows("a large form", f.posts(r.at("/unlock"+es), url.Values{"code": {strings.Repeat("1", 1<<20)}}),
		http.StatusRequestEntityTooLarge, "Es demasiado")

	f.tells(r, strings.TrimPrefix(at, r.at("/tickets/")))
	shows("ticket", f.gets(at), http.StatusOK, "viernes 4 de diciembre, 9:30 a. m.", "dana escribió")
	f.now = f.now.Add(2 * time.Hour)
	pagetest.Must(t, f.tenants.SendNotices(t.Context(), f.now))
	if got := emailsInSpanish(t, f.post, r.email, 1, twins); !strings.HasPrefix(got[0], "Novedades de la solicitud ") {
		t.Errorf("%q", got)
	}
	shows("too late to cancel", f.posts(at+"/cancel"+es, nil), http.StatusConflict, "Ya empezaron a trabajar.")

	shows("a wrong code", f.posts(r.at("/unlock"+es), url.Values{"code": {"12345"}}), http.StatusBadRequest,
		"Ese no es el código")
	if rec := f.posts(r.at("/code"+es), nil); rec.Code != http.StatusSeeOther {
		t.Error(words(rec))
	}
	subject := emailsInSpanish(t, f.post, r.email, 1, twins)[0]
	if !strings.HasPrefix(subject, "Su código para su página de ") {
		t.Errorf("%q", subject)
	}
	rec := f.posts(r.at("/unlock"+es), url.Values{"code": {f.latestCode(subject)}})
	cookie := rec.Result().Cookies()[0]
	for path, want := range map[string]string{
		"": "para el 1 nov 2026", "/payments": "Para el 1 nov 2026", "/lease": "Renta mensual $1,078.00",
	} {
		shows("unlocked "+path, f.gets(r.at(path), cookie), http.StatusOK, want)
	}
	dbtest.Exec(t, f.db, `UPDATE payments
		SET reverses_payment_id = id, description = 'Sin agua.', status = 'succeeded', amount = -5000,
			amount_paid = -5000
		WHERE tenant_id = $1`, r.id)
	shows("forgiven", f.gets(r.at("/payments"), cookie), http.StatusOK, "Condonado: Sin agua.", "−$50.00")
	for range 2 {
		f.posts(r.at("/code"+es), nil)
	}
	shows("too many codes", f.posts(r.at("/code"+es), nil), http.StatusTooManyRequests, "3 códigos por hora")
	pagetest.Must(t, f.tenants.SendLink(t.Context(), r.by, r.id, true))
	if got := emailsInSpanish(t, f.post, r.email, 1, twins); !strings.HasPrefix(got[0], "Su página para ") {
		t.Errorf("%q", got)
	}
	shows(
		"an ended link",
		asksInSpanish(f, http.MethodGet, r.at(""), nil),
		http.StatusNotFound,
		"Este enlace no funciona",
	)
	for range missesAMinute {
		asksInSpanish(f, http.MethodGet, r.at(""), nil)
	}
	shows("too many links", asksInSpanish(f, http.MethodGet, r.at(""), nil), http.StatusTooManyRequests,
		"Demasiadas solicitudes", "Inténtelo de nuevo en")
}

// tells has the landlord plan a visit for a ticket, begin the work, and write.
func (f *tenantPages) tells(r *renter, ticketID string) {
	f.Helper()
	start := clock.At(time.Date(2026, 12, 4, 15, 30, 0, 0, time.UTC))
	_, err := f.rules.Tickets.UpdateTicket(f.Context(), r.by, change.Target{ID: ticketID}, ticket.Update{
		Status: change.To(portfolio.TicketInProgress), ScheduledStart: change.To(&start),
	})
	pagetest.Must(f, err)
	_, err = f.rules.Tickets.Comment(f.Context(), r.by, ticketID, "dana", "We will come tomorrow.")
	pagetest.Must(f, err)
}

// latestCode is the code in the latest email with a subject.
func (f *tenantPages) latestCode(subject string) string {
	f.Helper()
	all, err := f.post.Mails(f.Context(), mail.Filter{Limit: 100})
	pagetest.Must(f, err)
	for i := range all {
		if all[i].Subject == subject {
			m, err := f.post.Mail(f.Context(), all[i].ID)
			pagetest.Must(f, err)
			return code.FindString(m.Content.Text)
		}
	}
	f.Fatal(fmt.Sprint("no email ", subject))
	return ""
}
