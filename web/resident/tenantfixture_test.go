package resident_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/notice"
	"portal/api/attachment"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/intake"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/api/portfolio/records"
	"portal/api/ratelimit"
	"portal/api/secret"
	"portal/api/tenantportal"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/mailstore"
	"portal/db/portfoliostore"
	"portal/db/servicestore"
	"portal/web/pagetest"
)

// tenantPages is the pages of tenants, and a landlord with a live and a test portfolio.
type tenantPages struct {
	*testing.T
	http.Handler
	db         *db.DB
	home       dbtest.Home
	tenants    *tenantportal.Service
	notices    *notice.Service
	agreements *agreement.Service
	payments   *simulated.Payments
	rules      *records.Service
	post       *mail.Service
	now        time.Time
	routes     []pagetest.Route
	spool      string // where files are while they are uploaded
}

// renter is a tenant who has a link, and what belongs to them.
type renter struct {
	by      access.Actor // their landlord
	id      string
	lease   string
	email   string
	name    string
	rent    money.Cents // that nobody else owes
	link    string      // the token
	ticket  string
	photo   string
	words   string // of the ticket, which nobody else wrote
	pdf     []byte // the signed lease
	waiting string // a photo that waits for a ticket

	charge, transaction string // of what they have paid of the rent
	attempt             string // to pay a part of it online
	autopay             string // to pay all of it each month
	notice              string // that they were emailed
	judged              string // a photo of the move-in report of their lease
}

// onBothTenantPages runs a test over either database. A limiter limits links that open nothing.
func onBothTenantPages(t *testing.T, limited bool, test func(f *tenantPages)) {
	t.Helper()
	dbtest.Both(t, func(t *testing.T, d *db.DB) { test(newTenantPages(t, d, limited)) })
}

func newTenantPages(t *testing.T, d *db.DB, limited bool) *tenantPages {
	t.Helper()
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	pagetest.Must(t, err)
	f := &tenantPages{
		T:     t,
		db:    d,
		home:  dbtest.NewHome(t, d, "dana"),
		now:   dbtest.Noon().Std(),
		spool: t.TempDir(),
	}
	now := func() time.Time { return f.now }
	f.post = mail.New(mail.Config{Store: mailstore.New(d), Box: box, Now: now})
	f.rules = records.New(portfoliostore.New(d), now).Use(portfolio.Parts{BaseURL: pagetest.BaseURL, Post: f.post})
	agreements := agreement.New(f.rules, portfoliostore.New(d), box)
	f.tenants = tenantportal.New(f.rules, agreements, portfoliostore.New(d), box)
	f.notices = notice.New(f.rules, agreements, portfoliostore.New(d))
	f.notices.Mailer, f.agreements = f.tenants, agreements
	f.rules.Notices = f.tenants
	f.payments = simulated.Open(f.rules.Common, f.rules.Ledger, portfoliostore.New(d), nil)
	f.payments.Notices = f.tenants
	spool, err := intake.NewSpool(f.spool)
	pagetest.Must(t, err)
	c := pagetest.Config{
		BaseURL:  pagetest.BaseURL,
		Now:      now,
		Tenants:  f.tenants,
		Payments: f.payments,
		Photos:   attachment.NewConverter(time.Minute),
		Forms:    servicestore.NewForms(d),
		Spool:    spool,
	}
	if limited {
		c.Limiter = ratelimit.NewMemory(now)
	}
	pages := pagetest.Build(c)
	f.Handler, f.routes = pagetest.Wired(pages), pagetest.TableOf(pages)
	return f
}

// rents has tenants rent a unit of a landlord of its own together; the roles are theirs.
func (f *tenantPages) rents(
	home *dbtest.Home,
	in access.Portfolio,
	unit string,
	roles ...portfolio.PartyRole,
) []*renter {
	f.Helper()
	by := access.Actor{
		Portfolio: in,
		AccountID: home.AccountID,
		Scopes:    access.Scopes{access.Read, access.Write, access.Payments},
		Role:      access.Owner,
		Zone:      home.Zone,
	}
	u := home.Unit[in.Mode]
	u.Record, u.UnitNumber = dbtest.Record(id.Unit, "unit", in.Mode, f.now), unit
	l := portfolio.Lease{
		Record:        dbtest.Record(id.Lease, "lease", in.Mode, f.now),
		Status:        portfolio.LeaseActive,
		PropertyID:    u.PropertyID,
		UnitID:        u.ID,
		RentalAddress: "1420 Maple Avenue, Unit " + unit + ", Austin, TX 78701",
		LeaseType:     portfolio.Fixed,
		StartDate:     clock.Day(2026, 1, 1),
		EndDate:       new(clock.Day(2026, 12, 31)),
		MonthlyRent:   money.Cents(100_000 + 7*len(unit) + 131*int(unit[0]) + 17*int(unit[len(unit)-1])),
		RentDueDay:    1,
	}
	book := portfolio.Book{Units: []portfolio.Unit{u}}
	var all []*renter
	for i, role := range roles {
		r := &renter{by: by, lease: l.ID, name: "Sam" + unit + string(rune('A'+i)), rent: l.MonthlyRent}
		r.email, r.words = strings.ToLower(r.name)+"@example.com", "The tap of "+r.name+" drips."
		sam := portfolio.Tenant{
			Record:    dbtest.Record(id.Tenant, "tenant", in.Mode, f.now),
			FirstName: r.name,
			LastName:  "Rivera",
			Email:     &r.email,
			Status:    portfolio.TenantCurrent,
		}
		r.id = sam.ID
		book.Tenants, all = append(book.Tenants, sam), append(all, r)
		l.TenantIDs = append(l.TenantIDs, sam.ID)
		l.Tenants = append(l.Tenants, portfolio.Party{ID: sam.ID, Role: role})
	}
	book.Leases = []portfolio.Lease{l}
	book.Payments = []portfolio.Payment{{
		Record:     dbtest.Record(id.Payment, "payment", in.Mode, f.now),
		LeaseID:    l.ID,
		TenantID:   all[0].id,
		UnitID:     u.ID,
		PropertyID: u.PropertyID,
		Type:       portfolio.PaymentRent,
		Amount:     l.MonthlyRent,
		BalanceDue: l.MonthlyRent,
		Currency:   portfolio.Currency,
		Status:     portfolio.PaymentDue,
		DueDate:    clock.Day(2026, 11, 1),
	}}
	pagetest.Must(f, portfoliostore.New(f.db).Add(f.Context(), in, &book))
	for _, r := range all {
		r.link = f.newLink(r, false)
	}
	return all
}

// signs gives the lease of tenants a document that all have signed.
func (f *tenantPages) signs(all ...*renter) {
	f.Helper()
	r := all[0]
	document, content := id.New(id.Document, f.now), []byte("%PDF-1.7 "+r.lease)
	at, hash := int64(clock.At(f.now)), strings.Repeat("a", 64)
	dbtest.Exec(f, f.db, `INSERT INTO documents (portfolio_id, id, created_at, lease_id, media_type, sha256, content)
		VALUES ($1, $2, $3, $4, 'application/pdf', $5, $6)`, r.by.Portfolio.ID, document, at, r.lease, hash, content)
	dbtest.Exec(
		f,
		f.db,
		`INSERT INTO executed_documents (portfolio_id, document_id, version, created_at, sha256, content)
		VALUES ($1, $2, 1, $3, $4, $5)`,
		r.by.Portfolio.ID,
		document,
		at,
		hash,
		content,
	)
	dbtest.Exec(f, f.db, `UPDATE leases
		SET document_id = $3, document_sha256 = $4
		WHERE portfolio_id = $1 AND id = $2`, r.by.Portfolio.ID, r.lease, document, hash)
	for _, r := range all {
		r.pdf = content
	}
}

// reports has a tenant submit a ticket with a photo, and keep another one.
func (f *tenantPages) reports(all ...*renter) {
	f.Helper()
	for _, r := range all {
		v, err := f.tenants.Open(f.Context(), r.link)
		pagetest.Must(f, err)
		photo := attachment.Photo{Content: picture(f.T, 64), Thumbnail: picture(f.T, 16), Width: 64, Height: 64}
		ids, err := f.tenants.KeepPhotos(f.Context(), v, []attachment.Photo{photo, photo})
		pagetest.Must(f, err)
		made, err := f.tenants.Submit(f.Context(), v, tenantportal.Report{Description: r.words, Photos: ids[:1]})
		pagetest.Must(f, err)
		r.ticket, r.photo, r.waiting = made.ID, ids[0], ids[1]
	}
}

func (f *tenantPages) newLink(r *renter, renew bool) (token string) {
	f.Helper()
	address, err := f.tenants.NewLink(f.Context(), r.by, r.id, renew)
	pagetest.Must(f, err)
	return strings.TrimPrefix(address, pagetest.BaseURL+tenantportal.Path)
}

// code has a code emailed to a tenant, and is it.
func (f *tenantPages) code(r *renter) string {
	f.Helper()
	if rec := f.posts(r.at("/code"), nil); rec.Code != http.StatusSeeOther {
		f.Fatalf("%d: %s", rec.Code, words(rec))
	}
	list, err := f.post.Mails(f.Context(), mail.Filter{Limit: 100})
	pagetest.Must(f, err)
	for _, e := range list { // the newest first
		if e.To == r.email && strings.HasPrefix(e.Subject, "Your code") {
			stored, err := f.post.Mail(f.Context(), e.ID)
			pagetest.Must(f, err)
			return regexp.MustCompile(`\b\d{6}\b`).FindString(stored.Content.Text)
		}
	}
	f.Fatal("no code was emailed")
	return ""
}

// unlocks has a tenant type a code, and is what the browser keeps of it.
func (f *tenantPages) unlocks(r *renter) *http.Cookie {
	f.Helper()
	rec := f.posts(r.at("/unlock"), url.Values{"code": {f.code(r)}})
	if rec.Code != http.StatusSeeOther || len(rec.Result().Cookies()) != 1 {
		f.Fatalf("%d: %s", rec.Code, words(rec))
	}
	return rec.Result().Cookies()[0]
}

// at is the path of a page of the tenant.
func (r *renter) at(path string) string { return tenantportal.Path + r.link + path }

// asks sends a request, and a form where there is one.
func (f *tenantPages) asks(method, path string, form url.Values, cookies ...*http.Cookie) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(f.Context(), method, path, strings.NewReader(form.Encode()))
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, c := range cookies {
		r.AddCookie(c)
	}
	rec := httptest.NewRecorder()
	f.ServeHTTP(rec, r)
	return rec
}

func (f *tenantPages) gets(path string, cookies ...*http.Cookie) *httptest.ResponseRecorder {
	return f.asks(http.MethodGet, path, nil, cookies...)
}

func (f *tenantPages) posts(path string, form url.Values) *httptest.ResponseRecorder {
	return f.asks(http.MethodPost, path, form)
}

// sends posts a form with files, as a browser does.
func (f *tenantPages) sends(path string, form url.Values, files ...[]byte) *httptest.ResponseRecorder {
	f.Helper()
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	for _, name := range slices.Sorted(maps.Keys(form)) {
		for _, value := range form[name] {
			pagetest.Must(f, m.WriteField(name, value))
		}
	}
	for _, content := range files {
		part, err := m.CreateFormFile("photos", "photo.jpg")
		pagetest.Must(f, err)
		_, err = part.Write(content)
		pagetest.Must(f, err)
	}
	pagetest.Must(f, m.Close())
	r := httptest.NewRequestWithContext(f.Context(), http.MethodPost, path, &body)
	r.Header.Set("Content-Type", m.FormDataContentType())
	rec := httptest.NewRecorder()
	f.ServeHTTP(rec, r)
	return rec
}

// count counts rows.
func (f *tenantPages) count(from string, args ...any) (n int) {
	f.Helper()
	dbtest.Row(f, f.db, "SELECT count(*) FROM "+from, args, &n)
	return n
}

// says checks the status of an answer, and what its reader sees.
func (f *tenantPages) says(rec *httptest.ResponseRecorder, status int, all ...string) {
	f.Helper()
	seen := words(rec)
	for _, w := range all {
		if !strings.Contains(seen, w) {
			f.Errorf("no %q in:\n%s", w, seen)
		}
	}
	if rec.Code != status {
		f.Errorf("status %d, want %d:\n%s", rec.Code, status, seen)
	}
}

// picture is a JPEG of so many pixels on each side.
func picture(t testing.TB, side int) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, side, side))
	for x := range side {
		for y := range side {
			m.Set(x, y, color.RGBA{uint8(255 * x / side), uint8(255 * y / side), 90, 255})
		}
	}
	var b bytes.Buffer
	pagetest.Must(t, jpeg.Encode(&b, m, nil))
	return b.Bytes()
}
