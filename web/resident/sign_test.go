package resident_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"golang.org/x/net/html"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/agreement/document/documenttest"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/terms"
	"portal/api/portfolio/records"
	"portal/api/ratelimit"
	"portal/api/sampled"
	"portal/api/secret"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/mailstore"
	"portal/db/portfoliostore"
	"portal/web/pagetest"
	"portal/web/webtest"
)

// signPages is a lease that was generated for two tenants, and the pages on which it is signed.
type signPages struct {
	*testing.T
	*echo.Echo
	db         *db.DB
	by         access.Actor
	post       *mail.Service
	rules      *records.Service
	agreements *agreement.Service
	signing    *ceremony.Service
	lease      *agreement.LeaseWithTerms
	links      []string // of the tenants in their order, and of the landlord
	now        time.Time
}

func newSignPages(t *testing.T) *signPages {
	t.Helper()
	t.Parallel()
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	pagetest.Must(t, err)
	d := dbtest.SQLite(t)
	home := dbtest.NewHome(t, d, "dana")
	s := &signPages{T: t, db: d, now: dbtest.Noon().Std()}
	s.by = access.Actor{
		Portfolio: home.Live,
		AccountID: home.AccountID,
		Scopes:    access.Scopes{access.Read, access.Write, access.Payments},
		Role:      access.Owner,
		Zone:      home.Zone,
	}
	now := func() time.Time { return s.now }
	s.post = mail.New(mail.Config{Store: mailstore.New(d), Box: box, Now: now})
	s.rules = records.New(portfoliostore.New(d), now).Use(portfolio.Parts{BaseURL: pagetest.BaseURL, Post: s.post})
	s.agreements = agreement.New(s.rules, portfoliostore.New(d), box)
	s.agreements.Sealer, s.rules.Documents = documenttest.Sealer(t), s.agreements
	s.signing = ceremony.New(s.rules, s.agreements, portfoliostore.New(d), box)
	s.Echo = pagetest.Serve(pagetest.Config{
		BaseURL:   pagetest.BaseURL,
		Now:       now,
		Signing:   s.signing,
		Documents: s.agreements,
		Proofs:    s.agreements,
		Limiter:   ratelimit.NewMemory(now),
	})
	s.generate(home)
	signers, _, err := s.agreements.SignerStates(s.Context(), s.by.Portfolio, s.lease.ID)
	pagetest.Must(s.T, err)
	for i := range signers {
		s.links = append(s.links, strings.TrimPrefix(s.agreements.LinkOf(&signers[i]), pagetest.BaseURL))
	}
	return s
}

func (s *signPages) generate(home dbtest.Home) {
	s.Helper()
	_, err := s.agreements.UpdateDetails(s.Context(), s.by, change.Target{}, agreement.DetailsUpdate{
		Address: change.To(new("12 Harbor Lane, Austin, TX 78701")),
		Signer:  change.To(new("Dana Whitfield")),
	})
	pagetest.Must(s.T, err)
	var book portfolio.Book
	var ids []string
	for _, name := range [][2]string{{"Sam", "Rivera"}, {"<b>Thảo</b>", "Nguyễn"}} {
		book.Tenants = append(book.Tenants, portfolio.Tenant{
			Record:    dbtest.Record(id.Tenant, "tenant", access.Live, s.now),
			FirstName: name[0],
			LastName:  name[1],
			Email:     new(strings.ToLower(name[1][:1]) + "@example.com"),
			Status:    portfolio.TenantProspect,
		})
		ids = append(ids, book.Tenants[len(ids)].ID)
	}
	pagetest.Must(s.T, portfoliostore.New(s.db).AddPeople(s.Context(), home.Live, &book))
	made, err := s.agreements.Generate(s.Context(), s.by, agreement.LeaseGenerate{
		PropertyID:          home.Unit[access.Live].PropertyID,
		TenantID:            ids[0],
		AdditionalTenantIDs: &[]string{ids[1]},
		StartDate:           clock.Day(2027, 1, 9),
		MonthlyRent:         money.Cents(145050),
		LeaseType:           new(portfolio.Fixed),
		RentDueDay:          new(1),
		ExpiresInDays:       14,
		LeadPaint:           &terms.LeadPaint{Hazards: terms.NoHazards, Records: terms.NoRecords},
	})
	pagetest.Must(s.T, err)
	s.lease = made.After
}

func (s *signPages) gets(path string) *httptest.ResponseRecorder {
	rec := httptest.NewRecorder()
	s.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, path, http.NoBody))
	return rec
}

func (s *signPages) posts(path string, form url.Values) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	rec := httptest.NewRecorder()
	s.ServeHTTP(rec, r)
	return rec
}

// steps posts a form that is taken, and gives the page that it leads to.
func (s *signPages) steps(path string, form url.Values) string {
	s.Helper()
	rec := s.posts(path, form)
	if rec.Code != http.StatusSeeOther {
		s.Fatalf("%s: %d: %s", path, rec.Code, words(rec))
	}
	return s.gets(rec.Header().Get("Location")).Body.String()
}

func words(rec *httptest.ResponseRecorder) string {
	doc, err := html.Parse(strings.NewReader(rec.Body.String()))
	if err != nil {
		return err.Error()
	}
	return strings.Join(strings.Fields(pagetest.Text(doc)), " ")
}

var code = regexp.MustCompile(`\b\d{6}\b`)

// code is that of the latest mail.
func (s *signPages) code() string {
	s.Helper()
	all, err := s.post.Mails(s.Context(), mail.Filter{Limit: 1})
	pagetest.Must(s.T, err)
	m, err := s.post.Mail(s.Context(), all[0].ID)
	pagetest.Must(s.T, err)
	return code.FindString(m.Content.Text)
}

func (s *signPages) signs(i int) {
	s.Helper()
	link := s.links[i]
	s.steps(link+"/review", nil)
	s.steps(link+"/code", url.Values{"consent": {"on"}})
	s.steps(link, url.Values{"version": {"1"}, "code": {s.code()}, "name": {s.lease.Signers[i].Name}})
}

func TestFourthCodeOfAnHourIsRefusedAtTheCode(t *testing.T) {
	s := newSignPages(t)
	s.steps(s.links[0]+"/review", nil)
	for range 3 {
		s.steps(s.links[0]+"/code", url.Values{"consent": {"on"}})
	}
	for query, says := range map[string]string{
		"":         "3 codes were sent within an hour",
		"?lang=es": "Se enviaron 3 códigos en una hora",
	} {
		rec := s.posts(s.links[0]+"/code"+query, url.Values{"consent": {"on"}})
		_, at, found := strings.Cut(rec.Body.String(), `code-error">`)
		if !found || !strings.Contains(at[:min(len(at), 400)], says) {
			t.Errorf("%q: %d: %s", query, rec.Code, words(rec))
		}
	}
}

func (s *signPages) status() portfolio.LeaseStatus {
	s.Helper()
	l, err := s.rules.Leases.Lease(s.Context(), s.by, s.lease.ID)
	pagetest.Must(s.T, err)
	return l.Status
}

func TestLeaseIsSignedOnline(t *testing.T) {
	s := newSignPages(t)
	first := s.gets(s.links[0])
	if text := words(first); first.Code != http.StatusOK || !strings.Contains(text, "Review the lease") ||
		!strings.Contains(text, "$1,450.50") || strings.Contains(text, "6-digit code") {
		t.Fatalf("%d: %s", first.Code, text)
	}
	page := s.steps(s.links[0]+"/review", nil)
	for _, want := range []string{
		"Residential lease", "&lt;b&gt;Thảo&lt;/b&gt; Nguyễn", "I agree to use electronic records",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if problem := pagetest.Unbalanced(page); problem != "" {
		t.Error(problem)
	}
	pagetest.Inert(t, s.gets(s.links[0]))
	if rec := s.posts(s.links[0]+"/code", nil); rec.Code != http.StatusBadRequest ||
		!strings.Contains(words(rec), "Agree to sign online") {
		t.Errorf("without consent: %d: %s", rec.Code, words(rec))
	}
	page = s.steps(s.links[0]+"/code", url.Values{"consent": {"on"}})
	if !strings.Contains(page, "6-digit code") || !strings.Contains(page, "r•••••@example.com") {
		t.Error("no code is asked for")
	}
	rec := s.posts(s.links[0], url.Values{"version": {"1"}, "code": {"12345"}, "name": {"Sam Rivera"}})
	if rec.Code != http.StatusBadRequest || !strings.Contains(words(rec), "That is not the code") ||
		!strings.Contains(rec.Body.String(), `value="Sam Rivera"`) {
		t.Errorf("a wrong code: %d: %s", rec.Code, words(rec))
	}
	again := rec.Body.String()
	if strings.Index(again, `name="code"`) > strings.Index(again, `name="consent"`) ||
		!strings.Contains(again, `type="hidden" name="consent" value="on"`) {
		t.Error("after a wrong code, a new one does not come second, or asks to agree again")
	}
	page = s.steps(s.links[0], url.Values{"version": {"1"}, "code": {s.code()}, "name": {"Sam Rivera"}})
	if !strings.Contains(page, "You have signed the lease") || !strings.Contains(page, "Yet to sign: &lt;b&gt;Thảo") {
		t.Error(page)
	}
	for _, want := range []string{
		"1 of 3 signed", "Tenant, you", "Landlord", "Not signed", "We’ll email the signed lease to",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("after signing, the page does not say %q", want)
		}
	}
	s.signs(2)
	if s.status() != portfolio.LeasePendingSignature {
		t.Error(s.status())
	}
	s.signs(1)
	end := s.gets(s.links[1])
	if s.status() != portfolio.LeaseSigned || !strings.Contains(words(end), "signed by all") ||
		!strings.Contains(end.Body.String(), s.links[1]+"/lease.pdf") {
		t.Errorf("%s, %s", s.status(), words(end))
	}
	e, err := s.agreements.Execution(t.Context(), *s.lease.DocumentID)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append([]string{strings.TrimPrefix(*s.lease.DocumentURL, pagetest.BaseURL)},
		s.links[0]+"/lease.pdf", s.links[1]+"/lease.pdf", s.links[2]+"/lease.pdf") {
		if rec := s.gets(path); rec.Code != http.StatusOK || rec.Body.String() != string(e.Content) {
			t.Errorf("%s: %d, %d bytes", path, rec.Code, rec.Body.Len())
		}
	}
	found, err := s.agreements.Verify(t.Context(), *s.lease.DocumentID)
	if err != nil || found != nil {
		t.Errorf("%v, %v", found, err)
	}
}

func TestViewingSignerLinkChangesNothing(t *testing.T) {
	s := newSignPages(t)
	before := dbtest.Dump(t, s.db, nil)
	times := 1000 / (2 * 3 * 3)
	if sampled.Whole {
		times = 1000 // of each address, by each method
	}
	for range times {
		for _, link := range s.links {
			for _, path := range []string{link, link + "/decline", link + "/lease.pdf"} {
				for _, method := range []string{http.MethodGet, http.MethodHead} {
					rec := httptest.NewRecorder()
					s.ServeHTTP(rec, httptest.NewRequest(method, path, http.NoBody))
					if rec.Code != http.StatusOK || rec.Header().Get("Cache-Control") != "no-store" {
						t.Fatalf("%s %s: %d, %s", method, path, rec.Code, rec.Header().Get("Cache-Control"))
					}
				}
			}
		}
	}
	dbtest.Unchanged(t, "a look", before, dbtest.Dump(t, s.db, nil))
}

func TestViewingSignedLeaseChangesNothing(t *testing.T) {
	s := newSignPages(t)
	for i := range s.links {
		s.signs(i)
	}
	paths := []string{strings.TrimPrefix(*s.lease.DocumentURL, pagetest.BaseURL), "/verify"}
	for _, link := range s.links {
		paths = append(paths, link, link+"/decline", link+"/lease.pdf")
	}
	before := dbtest.Dump(t, s.db, nil)
	looks := 1000
	if sampled.Whole {
		looks *= 2 * len(paths) // of each address, by each method
	}
	for n := range looks {
		method := []string{http.MethodGet, http.MethodHead}[n%2]
		rec := httptest.NewRecorder()
		s.ServeHTTP(rec, httptest.NewRequest(method, paths[n/2%len(paths)], http.NoBody))
		if rec.Code != http.StatusOK {
			t.Fatalf("%s %s: %d", method, paths[n/2%len(paths)], rec.Code)
		}
	}
	dbtest.Unchanged(t, "a look", before, dbtest.Dump(t, s.db, nil))
}

func TestDecliningEndsEverySignerLink(t *testing.T) {
	s := newSignPages(t)
	if rec := s.posts(
		s.links[1]+"/decline",
		url.Values{"reason": {strings.Repeat("x", 501)}},
	); rec.Code != http.StatusBadRequest {
		t.Errorf("too long a reason: %d", rec.Code)
	}
	s.steps(s.links[1]+"/decline", url.Values{"reason": {"Too dear."}})
	if s.status() != portfolio.LeaseDeclined {
		t.Error(s.status())
	}
	for _, path := range []string{s.links[0], s.links[1], s.links[2] + "/decline", s.links[0] + "/lease.pdf"} {
		if rec := s.gets(path); rec.Code != http.StatusGone || !strings.Contains(words(rec), "will not sign it") ||
			!strings.Contains(words(rec), "Ask dana for a new one") {
			t.Errorf("%s: %d: %s", path, rec.Code, words(rec))
		}
	}
}

// Whose link has expired asks for more time, if somebody has signed: the landlord can give it.
func TestExpiredLinkSaysWhatToAskFor(t *testing.T) {
	for want, signed := range map[string]bool{"for more time": true, "for a new one": false} {
		t.Run(want, func(t *testing.T) {
			s := newSignPages(t)
			if signed {
				s.signs(0)
			}
			s.now = s.now.AddDate(0, 0, 15)
			for range 2 { // before that the lease has expired is written down, and then
				for _, path := range []string{s.links[1], s.links[1] + "/decline", s.links[2]} {
					if rec := s.gets(
						path,
					); rec.Code != http.StatusGone ||
						!strings.Contains(words(rec), "Ask dana "+want) {
						t.Errorf("%s: %d: %s", path, rec.Code, words(rec))
					}
				}
				pagetest.Must(t, s.rules.Calendar.RollOver(t.Context(), s.by.Portfolio, time.UTC))
			}
			if signed && !strings.Contains(words(s.gets(s.links[1]+"?lang=es")), "Pida más tiempo a dana") {
				t.Error("the page in Spanish does not say so")
			}
		})
	}
}

func TestLeaseChangedDuringSigningShowsChanges(t *testing.T) {
	s := newSignPages(t)
	s.steps(s.links[0]+"/review", nil)
	s.steps(s.links[0]+"/code", url.Values{"consent": {"on"}})
	_, err := s.agreements.UpdateLease(t.Context(), s.by, change.Target{ID: s.lease.ID},
		lease.Update{MonthlyRent: change.To(money.Dollars(1777))})
	pagetest.Must(t, err)
	page := s.steps(s.links[0], url.Values{"version": {"1"}, "code": {s.code()}, "name": {"Sam Rivera"}})
	if !strings.Contains(page, "Changed since you looked at it") || !strings.Contains(page, "$1,777") ||
		s.status() != portfolio.LeaseDraft {
		t.Errorf("%s: %s", s.status(), page)
	}
}

func TestForgedSignerLinkIsNotFound(t *testing.T) {
	s := newSignPages(t)
	for _, path := range []string{s.links[0] + "x", "/sign/x", "/sign/" + s.lease.Signers[0].ID} {
		for _, end := range []string{"", "/decline", "/lease.pdf"} {
			if rec := s.gets(path + end); rec.Code != http.StatusNotFound {
				t.Errorf("%s%s: %d", path, end, rec.Code)
			}
		}
		for _, end := range []string{"", "/review", "/code", "/decline"} {
			if rec := s.posts(path+end, url.Values{"consent": {"on"}}); rec.Code != http.StatusNotFound {
				t.Errorf("POST %s%s: %d", path, end, rec.Code)
			}
		}
	}
}

// TestSigningPagesAreAccessible looks at each page of the ceremony in a browser, and goes through it with the
// keyboard on a phone on which no script runs.
func TestSigningPagesAreAccessible(t *testing.T) {
	b := pagetest.Browser(t)
	s := newSignPages(t)
	server := httptest.NewServer(s)
	defer server.Close()
	at := server.URL + s.links[0]
	w := b.Window(t)
	w.Look(at)
	s.steps(s.links[0]+"/review", nil)
	w.Look(at)
	s.steps(s.links[0]+"/code", url.Values{"consent": {"on"}})
	for _, page := range []string{at, at + "?lang=es", at + "/decline"} {
		w.Look(page)
	}
	w.Visit(webtest.Screen{Width: 360, Height: 780, Plain: true}, server.URL+s.links[1])
	w.Follow(`form[action*="/review"] button`)
	w.Click(`input[name="consent"]`)
	w.Follow(`form[action*="/code"] button`)
	w.Type(`input[name="code"]`, s.code())
	w.Type(`input[name="name"]`, s.lease.Signers[1].Name)
	w.Press("\r")
	w.Await(`document.querySelector("h1").textContent === "You have signed the lease"`)
	w.Look(server.URL + s.links[1])
}

func TestSigningPagesAreInSpanishAroundEnglishLease(t *testing.T) {
	s := newSignPages(t)
	link := s.links[0]
	r := httptest.NewRequest(http.MethodGet, link, http.NoBody)
	r.Header.Set("Accept-Language", "es-MX,es;q=0.9,en;q=0.8")
	rec := httptest.NewRecorder()
	s.ServeHTTP(rec, r)
	if page := rec.Body.String(); !strings.Contains(page, `<html lang="es">`) ||
		!strings.Contains(page, "Revise y firme su contrato") || !strings.Contains(page, `href="`+link+`?lang=en"`) {
		t.Error(page)
	}
	page := s.steps(link+"/review?lang=es", nil)
	for _, want := range []string{`<div lang="en">`, "Residential lease", "Acepto usar documentos y " +
		"firmas", "Rechazar la firma"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	s.steps(link+"/code?lang=es", url.Values{"consent": {"on"}})
	bad := s.posts(link+"?lang=es", url.Values{"version": {"1"}, "code": {"1"}, "name": {"Sam Rivera"}})
	if text := words(bad); bad.Code != http.StatusBadRequest || !strings.Contains(text, "Ese no es el código") {
		t.Errorf("%d: %s", bad.Code, text)
	}
	page = s.steps(link+"?lang=es", url.Values{"version": {"1"}, "code": {s.code()}, "name": {"Sam Rivera"}})
	if !strings.Contains(page, "Ha firmado el contrato") || !strings.Contains(page, "Falta la firma de") {
		t.Error(page)
	}
}

// overlaps lets the home to others by another lease, while the lease is out for signature.
func (s *signPages) overlaps() (lease string) {
	s.Helper()
	other := portfolio.Lease{
		Record:        dbtest.Record(id.Lease, "lease", access.Live, s.now),
		Status:        portfolio.LeaseSigned,
		PropertyID:    s.lease.PropertyID,
		UnitID:        s.lease.UnitID,
		LeaseType:     portfolio.Fixed,
		StartDate:     clock.Day(2027, 3, 1),
		EndDate:       new(clock.Day(2027, 12, 31)),
		MonthlyRent:   money.Dollars(1450),
		Currency:      portfolio.Currency,
		RentDueDay:    1,
		RentalAddress: s.lease.RentalAddress,
	}
	pagetest.Must(s.T, portfoliostore.New(s.db).AddPeople(
		s.Context(), s.by.Portfolio, &portfolio.Book{Leases: []portfolio.Lease{other}}))
	return other.ID
}

// lastStep is the form of the last signature.
func (s *signPages) lastStep(i int) url.Values {
	s.Helper()
	s.steps(s.links[i]+"/review", nil)
	s.steps(s.links[i]+"/code", url.Values{"consent": {"on"}})
	return url.Values{"version": {"1"}, "code": {s.code()}, "name": {s.lease.Signers[i].Name}}
}

// told are the subject and the text of all mails with a word in the subject.
func (s *signPages) told(word string) (all []string) {
	s.Helper()
	sent, err := s.post.Mails(s.Context(), mail.Filter{Limit: 100})
	pagetest.Must(s.T, err)
	for i := range sent {
		m, err := s.post.Mail(s.Context(), sent[i].ID)
		pagetest.Must(s.T, err)
		if strings.Contains(m.Content.Subject, word) {
			all = append(all, m.Content.Subject+"\n"+m.Content.Text)
		}
	}
	return all
}

func TestTenantSigningLastSeesConflictAndOwnersAreEmailed(t *testing.T) {
	s := newSignPages(t)
	s.signs(0)
	s.signs(2)
	other, last, form := s.overlaps(), s.links[1], s.lastStep(1)
	for lang, want := range map[string]string{
		"es": "La vivienda tiene otro contrato en estas fechas. Hable con el arrendador.",
		"en": "The home has another lease in these dates. Ask the landlord.",
	} {
		rec := s.posts(last+"?lang="+lang, form)
		text := words(rec)
		if rec.Code != http.StatusConflict || !strings.Contains(text, want) || strings.Contains(text, other) {
			t.Errorf("%d, want %q: %s", rec.Code, want, text)
		}
	}
	if s.status() != portfolio.LeasePendingSignature {
		t.Errorf("the lease is %s", s.status())
	}
	const blocked = "can't be signed yet"
	told := s.told(blocked)
	if len(told) != 1 || !strings.Contains(told[0], other) ||
		!strings.Contains(told[0], pagetest.BaseURL+"/live/leases/"+s.lease.ID) {
		t.Errorf("the owners are told %q", told)
	}
	s.now = s.now.Add(25 * time.Hour)
	form = s.lastStep(1)
	if rec := s.posts(last, form); rec.Code != http.StatusConflict {
		t.Errorf("%d: %s", rec.Code, words(rec))
	}
	if told := s.told(blocked); len(told) != 2 {
		t.Errorf("a day later the owners have got %d mails", len(told))
	}
}

func TestLandlordSigningLastSeesConflictingLease(t *testing.T) {
	s := newSignPages(t)
	s.signs(0)
	s.signs(1)
	other := s.overlaps()
	rec := s.posts(s.links[2], s.lastStep(2))
	if text := words(rec); rec.Code != http.StatusConflict || !strings.Contains(text, other) {
		t.Errorf("%d: %s", rec.Code, text)
	}
	if told := s.told("can't be signed yet"); len(told) != 0 {
		t.Errorf("the owners are told %q", told)
	}
}
