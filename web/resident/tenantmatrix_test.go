package resident_test

import (
	"bytes"
	"cmp"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/clock"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/secret"
	"portal/api/tenantportal"
	"portal/db/dbtest"
	"portal/web/pagetest"
)

// tenantRoute is what the matrix knows of a route: what a tenant gets by their own link, once a code was typed.
type tenantRoute struct {
	form   url.Values
	status int
}

// tenantRoutes are all routes of tenants. A route that is not among them fails the test.
var tenantRoutes = map[string]tenantRoute{
	"GET /tenant/:token":                                       {status: http.StatusOK},
	"GET /tenant/:token/payments":                              {status: http.StatusOK},
	"GET /tenant/:token/lease":                                 {status: http.StatusOK},
	"GET /tenant/:token/lease/:id/lease.pdf":                   {status: http.StatusOK},
	"GET /tenant/:token/lease/:id/deposit.pdf":                 {status: http.StatusOK},
	"GET /tenant/:token/payments/:id/:transaction/receipt.pdf": {status: http.StatusOK},
	"GET /tenant/:token/pay":                                   {status: http.StatusOK},
	"POST /tenant/:token/pay":                                  {status: http.StatusBadRequest},
	"GET /tenant/:token/pay/:id":                               {status: http.StatusOK},
	"GET /tenant/:token/pay/:id/checkout":                      {status: http.StatusNotFound}, // of a live portfolio
	"POST /tenant/:token/pay/:id/checkout":                     {status: http.StatusNotFound},
	"POST /tenant/:token/pay/:id/cancel":                       {status: http.StatusSeeOther},
	"GET /tenant/:token/autopay":                               {status: http.StatusOK},
	"POST /tenant/:token/autopay":                              {status: http.StatusBadRequest},
	"GET /tenant/:token/autopay/:id":                           {status: http.StatusSeeOther},
	"GET /tenant/:token/autopay/:id/checkout":                  {status: http.StatusNotFound}, // of a live portfolio
	"POST /tenant/:token/autopay/:id/checkout":                 {status: http.StatusNotFound},
	"POST /tenant/:token/autopay/:id/end":                      {status: http.StatusSeeOther},
	"GET /tenant/:token/statement":                             {status: http.StatusOK},
	"GET /tenant/:token/statement.pdf":                         {status: http.StatusOK},
	"GET /tenant/:token/statement.csv":                         {status: http.StatusOK},
	"GET /tenant/:token/unlock":                                {status: http.StatusOK},
	"POST /tenant/:token/unlock": {
		form:   url.Values{"code": {"x"}},
		status: http.StatusBadRequest,
	},
	"POST /tenant/:token/code":                               {status: http.StatusSeeOther},
	"POST /tenant/:token/lock":                               {status: http.StatusSeeOther},
	"GET /tenant/:token/tickets":                             {status: http.StatusOK},
	"POST /tenant/:token/tickets":                            {status: http.StatusBadRequest},
	"GET /tenant/:token/tickets/:id":                         {status: http.StatusOK},
	"POST /tenant/:token/tickets/:id/comments":               {status: http.StatusBadRequest},
	"POST /tenant/:token/tickets/:id/cancel":                 {status: http.StatusSeeOther},
	"GET /tenant/:token/tickets/:id/photos/:photo":           {status: http.StatusOK},
	"GET /tenant/:token/tickets/:id/photos/:photo/thumbnail": {status: http.StatusOK},
	"GET /tenant/:token/mail/stop":                           {status: http.StatusOK},
	"POST /tenant/:token/mail/stop":                          {status: http.StatusOK},
	"POST /tenant/:token/mail/start":                         {status: http.StatusSeeOther},
	"GET /tenant/:token/mail/rent/stop":                      {status: http.StatusOK},
	"POST /tenant/:token/mail/rent/stop":                     {status: http.StatusOK},
	"POST /tenant/:token/mail/rent/start":                    {status: http.StatusSeeOther},
	"GET /photos/:token":                                     {status: http.StatusOK},

	"GET /tenant/:token/lease/:id/notices/:notice/notice.pdf":              {status: http.StatusOK},
	"GET /tenant/:token/lease/:id/condition/:kind":                         {status: http.StatusOK},
	"GET /tenant/:token/lease/:id/condition/:kind/report.pdf":              {status: http.StatusOK},
	"POST /tenant/:token/lease/:id/condition/:kind":                        {status: http.StatusBadRequest},
	"POST /tenant/:token/lease/:id/condition/:kind/sign":                   {status: http.StatusBadRequest},
	"GET /tenant/:token/lease/:id/condition/:kind/photos/:photo":           {status: http.StatusOK},
	"GET /tenant/:token/lease/:id/condition/:kind/photos/:photo/thumbnail": {status: http.StatusOK},
}

// askedMethods are those with which the matrix asks for every address.
var askedMethods = []string{http.MethodGet, http.MethodHead, http.MethodPost}

// matrix is a tenant whose link asks for everything, and others.
type matrix struct {
	*tenantPages
	own    *renter
	shares *renter            // has the same lease
	others map[string]*renter // have nothing in common with them
	cookie *http.Cookie       // of a code that the tenant has typed
	paths  []string           // of the table, each one once
}

func newMatrix(f *tenantPages) *matrix {
	f.Helper()
	m := &matrix{tenantPages: f}
	live, elsewhere := f.home.Live, dbtest.NewHome(f, f.db, "erin")
	shared := f.rents(&f.home, live, "3A", portfolio.PartyPrimary, portfolio.PartyCoTenant)
	m.own, m.shares = shared[0], shared[1]
	m.others = map[string]*renter{
		"another unit":    f.rents(&f.home, live, "4B", portfolio.PartyPrimary)[0],
		"another account": f.rents(&elsewhere, elsewhere.Live, "5C", portfolio.PartyPrimary)[0],
		"the other mode":  f.rents(&f.home, f.home.Test, "6D", portfolio.PartyPrimary)[0],
	}
	f.signs(m.own, m.shares)
	f.reports(m.own, m.shares)
	for _, o := range m.others {
		f.signs(o)
		f.reports(o)
	}
	f.judges(slices.Concat([]*renter{m.own}, slices.Collect(maps.Values(m.others)))...)
	f.notifies(slices.Concat([]*renter{m.own}, slices.Collect(maps.Values(m.others)))...)
	f.states(slices.Concat([]*renter{m.own}, slices.Collect(maps.Values(m.others)))...)
	for _, r := range slices.Concat([]*renter{m.own}, slices.Collect(maps.Values(m.others))) {
		r.charge, r.transaction = f.paysPart(r, money.Dollars(100))
		r.attempt, r.autopay = f.begins(r), f.agrees(r)
	}
	m.cookie = f.unlocks(m.own)
	m.covers()
	return m
}

// covers checks that the matrix has all routes of the table, and no others.
func (m *matrix) covers() {
	m.Helper()
	known := maps.Clone(tenantRoutes)
	for _, r := range m.routes {
		if !strings.HasPrefix(r.Path, "/tenant/:token") && !strings.HasPrefix(r.Path, "/photos/:token") {
			continue
		}
		name := r.Method + " " + r.Path
		if _, has := tenantRoutes[name]; !has {
			m.Errorf("%s is not in the matrix", name)
		}
		delete(known, name)
		m.paths = append(m.paths, r.Path)
	}
	for name := range known {
		m.Errorf("there is no %s", name)
	}
	slices.Sort(m.paths)
	m.paths = slices.Compact(m.paths)
}

// filled is a path by somebody's link with what it names of somebody.
func (m *matrix) filled(path, link string, of *renter) string {
	named := of.ticket
	if strings.Contains(path, "/lease/:id") {
		named = of.lease
	}
	if strings.Contains(path, "/pay/:id") {
		named = cmp.Or(of.attempt, of.ticket)
	}
	if strings.Contains(path, "/autopay/:id") {
		named = cmp.Or(of.autopay, of.ticket)
	}
	if strings.Contains(path, "/payments/:id") {
		named = cmp.Or(of.charge, of.lease)
	}
	if strings.HasPrefix(path, "/photos/") {
		link = strings.TrimPrefix(m.tenants.PhotoLink(of.photo, m.now), pagetest.BaseURL+tenantportal.PhotoPath)
	}
	photo := of.photo
	if strings.Contains(path, "/condition/") {
		photo = cmp.Or(of.judged, of.photo)
	}
	return strings.NewReplacer(
		":token",
		link,
		":id",
		named,
		":photo",
		photo,
		":kind",
		"move_in",
		":notice",
		cmp.Or(of.notice, of.lease),
		":transaction",
		cmp.Or(of.transaction, "x"),
	).Replace(
		path,
	)
}

// nonce is what a page with scripts has another one of each time. Pages by a link have none.
var nonce = regexp.MustCompile(`nonce[-=][^' >]+`)

// answer is what an address of a route answers, as its reader gets it, but for the id of the request.
func (m *matrix) answer(method, pattern, path string) *httptest.ResponseRecorder {
	m.Helper()
	rec := m.asks(method, path, tenantRoutes[method+" "+pattern].form, m.cookie)
	request := rec.Header().Get("X-Request-Id")
	if request == "" {
		m.Errorf("%s %s: no id", method, path)
	}
	rec.Header().Del("X-Request-Id")
	policy := rec.Header().Get("Content-Security-Policy")
	rec.Header().Set("Content-Security-Policy", nonce.ReplaceAllString(policy, ""))
	rec.Body = bytes.NewBufferString(nonce.ReplaceAllString(strings.ReplaceAll(rec.Body.String(), request, ""), ""))
	return rec
}

// alike checks that two answers cannot be told apart.
func (m *matrix) alike(what string, got, want *httptest.ResponseRecorder) {
	m.Helper()
	if got.Code != want.Code || got.Body.String() != want.Body.String() ||
		!maps.EqualFunc(got.Header(), want.Header(), slices.Equal) {
		m.Errorf("%s: %d %v, want %d %v\n%s", what, got.Code, got.Header(), want.Code, want.Header(), words(got))
	}
}

// nothing checks that an address answers as one does whose link was never given out: it opens nothing.
func (m *matrix) nothing(what, path, pattern string) {
	m.Helper()
	for _, method := range askedMethods {
		want := m.answer(method, pattern, m.filled(pattern, secret.New(), &renter{ticket: "x", lease: "x", photo: "x"}))
		got := m.answer(method, pattern, path)
		m.alike(what+": "+method+" "+pattern, got, want)
		served := tenantRoutes[strings.Replace(method, http.MethodHead, http.MethodGet, 1)+" "+pattern].status != 0
		if status := want.Code; served != (status == http.StatusNotFound) || !served && status != 405 {
			m.Errorf("%s %s: %d", method, pattern, status)
		}
	}
}

// closed checks that the pages of a link open nothing, not even what is the tenant's own.
func (m *matrix) closed(what, link string) {
	m.Helper()
	for _, path := range m.paths {
		if !strings.HasPrefix(path, "/photos/") {
			m.nothing(what, m.filled(path, link, m.own), path)
		}
	}
}

// opens checks that a link of the tenant opens what is theirs.
func (m *matrix) opens(link string) {
	m.Helper()
	for name, r := range tenantRoutes {
		method, path, _ := strings.Cut(name, " ")
		methods := []string{method}
		if method == http.MethodGet {
			methods = append(methods, http.MethodHead)
		}
		for _, as := range methods {
			rec := m.asks(as, m.filled(path, link, m.own), r.form, m.cookie)
			if rec.Code != r.status {
				m.Errorf("%s %s: %d, want %d: %s", as, path, rec.Code, r.status, words(rec))
			}
		}
	}
}

func TestTenantLinkOpensOnlyOwnRecords(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		m := newMatrix(f)
		m.opens(m.own.link)
		for what, o := range m.others {
			for _, path := range m.paths {
				if strings.Contains(path, ":id") {
					m.nothing(what, m.filled(path, m.own.link, o), path)
				}
			}
		}
		for _, path := range m.paths {
			if strings.Contains(path, "/tickets/:id") {
				m.nothing("who shares the lease", m.filled(path, m.own.link, m.shares), path)
			}
			if strings.Contains(path, ":photo") {
				m.nothing("a photo of another ticket", m.filled(path, m.own.link,
					&renter{ticket: m.own.ticket, photo: m.shares.photo}), path)
				m.nothing("a ticket of another photo", m.filled(path, m.own.link,
					&renter{ticket: m.shares.ticket, photo: m.own.photo}), path)
				m.nothing("a photo that waits", m.filled(path, m.own.link,
					&renter{ticket: m.own.ticket, photo: m.own.waiting}), path)
			}
			for _, odd := range []string{"%00", "%ff", "..%2f..", "tkt_", id.New(id.Ticket, m.now), "x'--"} {
				if strings.Contains(path, ":id") {
					m.nothing("no id", m.filled(path, m.own.link, &renter{ticket: odd, lease: odd, photo: odd}), path)
				}
			}
		}
		for _, method := range askedMethods[:2] {
			rec := m.asks(method, m.filled("/tenant/:token/lease/:id/lease.pdf", m.own.link, m.shares), nil, m.cookie)
			if rec.Code != http.StatusOK || method == http.MethodGet && !bytes.Equal(rec.Body.Bytes(), m.own.pdf) {
				m.Errorf("%s of the lease that both have: %d", method, rec.Code)
			}
		}
	})
}

func TestTenantPagesShowOnlyOwnAndSharedData(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		m := newMatrix(f)
		var all string
		for _, path := range m.paths {
			if rec := m.asks(
				http.MethodGet,
				m.filled(path, m.own.link, m.own),
				nil,
				m.cookie,
			); rec.Code == http.StatusOK {
				all += rec.Body.String()
			}
		}
		shown := []string{m.own.words, m.shares.name, m.own.ticket, amount(m.own.rent), m.own.lease}
		hidden := []string{m.shares.words, m.shares.ticket, m.shares.photo, m.shares.email, m.shares.id, m.shares.link}
		for _, o := range m.others {
			hidden = append(hidden, o.words, o.ticket, o.photo, o.email, o.name, o.id, o.link, o.lease, amount(o.rent))
		}
		for _, s := range shown {
			if !strings.Contains(all, s) {
				f.Errorf("no %q on any page", s)
			}
		}
		for _, s := range hidden {
			if strings.Contains(all, s) {
				f.Errorf("a page shows %q", s)
			}
		}
	})
}

// amount is how a page shows cents.
func amount(c money.Cents) string {
	s := c.Words()
	if !strings.Contains(s, ".") {
		s += ".00"
	}
	return s
}

func TestReplacedRevokedAndEndedLinksOpenNothing(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		m := newMatrix(f)
		for _, link := range []string{"x", m.own.link[1:], m.own.link + "x", strings.ToLower(m.own.link),
			secret.New(), "%00" + m.own.link[1:], m.own.id, m.own.link[:len(m.own.link)-1] + "%ff"} {
			m.closed("guessed", link)
		}
		second := f.newLink(m.own, false)
		renewed := f.newLink(m.own, true)
		m.closed("renewed", m.own.link)
		m.closed("renewed", second)
		m.cookie = f.unlocks(&renter{link: renewed, email: m.own.email})
		m.opens(renewed)
		pagetest.Must(f, f.tenants.RevokeLink(f.Context(), m.own.by, m.own.id))
		m.closed("revoked", renewed)

		m.own.link = f.newLink(m.own, false)
		began := f.now
		f.now = time.Date(2027, 1, 30, 12, 0, 0, 0, time.UTC)
		if rec := f.gets(m.own.at("")); rec.Code != http.StatusOK {
			f.Errorf("30 days after the tenancy: %d", rec.Code)
		}
		f.now = f.now.AddDate(0, 0, 1)
		m.closed("ended", m.own.link)

		f.now = began
		if rec := f.gets(m.own.at("")); rec.Code != http.StatusOK {
			f.Errorf("within the tenancy: %d", rec.Code)
		}
		dbtest.Exec(f, f.db, "UPDATE accounts SET closed_at = $1 WHERE id = $2", clock.At(f.now), f.home.AccountID)
		m.closed("the account is closed", m.own.link)
		m.nothing("the account is closed", m.filled("/photos/:token", "", m.own), "/photos/:token")
	})
}

func TestTenantCodeUnlocksAmountsOnlyOnOwnLink(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		all := f.rents(&f.home, f.home.Live, "3A", portfolio.PartyPrimary, portfolio.PartyCoTenant)
		own, shares := all[0], all[1]
		f.signs(all...)
		code := f.code(own)
		if rec := f.posts(shares.at("/unlock"), url.Values{"code": {code}}); rec.Code != http.StatusBadRequest {
			f.Errorf("the code of another tenant: %d", rec.Code)
		}
		cookie := f.unlocks(own)
		shows := func(what string, r *renter, want bool) {
			f.Helper()
			for _, path := range []string{"", "/payments", "/lease"} {
				rec := f.gets(r.at(path), cookie)
				if rec.Code != http.StatusOK || strings.Contains(rec.Body.String(), amount(r.rent)) != want {
					f.Errorf("%s: %s: %d, amounts: %v", what, path, rec.Code, !want)
				}
			}
			status := map[bool]int{true: http.StatusOK, false: http.StatusSeeOther}[want]
			if rec := f.gets(r.at("/lease/"+r.lease+"/lease.pdf"), cookie); rec.Code != status {
				f.Errorf("%s: the document: %d, want %d", what, rec.Code, status)
			}
		}
		shows("their own", own, true)
		shows("who shares the lease", shares, false)
		again := *own
		again.link = f.newLink(own, false)
		shows("another address of the link", &again, true)
		email := func(to string) {
			dbtest.Exec(f, f.db, "UPDATE tenants SET email = $1 WHERE id = $2", to, own.id)
		}
		email("other@example.com")
		shows("another email address", own, false)
		email(own.email)
		began := f.now
		f.now = began.Add(tenantportal.UnlockTime - time.Second)
		shows("before 12 hours", own, true)
		f.now = began.Add(tenantportal.UnlockTime)
		shows("after 12 hours", own, false)
		f.now = began
		proof := cookie.Value
		later := "9999999999" + proof[10:]
		for _, changed := range []string{"", ".", "9" + proof, proof + "x", proof[:len(proof)-2], later} {
			cookie.Value = changed
			shows("a changed cookie", own, false)
		}
		cookie.Value = proof
		own.link = f.newLink(own, true)
		shows("the renewed link", own, false)
	})
}

func TestPhotoLinkOpensOnlyItsPhotoForOneHour(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		m := newMatrix(f)
		const pattern = "/photos/:token"
		good := m.filled(pattern, "", m.own)
		parts := strings.Split(strings.TrimPrefix(good, tenantportal.PhotoPath), ".")
		if len(parts) != 3 {
			f.Fatalf("%q", good)
		}
		if rec := f.gets(good); rec.Code != http.StatusOK || !bytes.Equal(rec.Body.Bytes(), picture(f.T, 64)) {
			f.Errorf("%d", rec.Code)
		}
		other := strings.Split(strings.TrimPrefix(m.filled(pattern, "", m.shares), tenantportal.PhotoPath), ".")
		for what, token := range map[string][]string{
			"another photo":               {m.shares.photo, parts[1], parts[2]},
			"another time":                {parts[0], "1" + parts[1], parts[2]},
			"a sign":                      {parts[0], "+" + parts[1], parts[2]},
			"another signature":           {parts[0], parts[1], other[2]},
			"a signature that is cut off": {parts[0], parts[1], parts[2][:len(parts[2])-1]},
			"more behind it":              {parts[0], parts[1], parts[2], "x"},
			"no signature":                {parts[0], parts[1]},
			"the id alone":                {parts[0]},
			"a ticket":                    {m.own.ticket, parts[1], parts[2]},
			"invalid text":                {"%00", "%ff", parts[2]},
		} {
			m.nothing(what, tenantportal.PhotoPath+strings.Join(token, "."), pattern)
		}
		waiting := f.tenants.PhotoLink(m.own.waiting, f.now)
		m.nothing("a photo that waits", strings.TrimPrefix(waiting, pagetest.BaseURL), pattern)
		began := f.now
		f.now = began.Add(time.Hour - time.Second)
		if rec := f.gets(good); rec.Code != http.StatusOK {
			f.Errorf("within the hour: %d", rec.Code)
		}
		f.now = began.Add(time.Hour)
		m.nothing("after an hour", good, pattern)
	})
}

func TestOtherTenantsPhotosAreNeverAttached(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		m := newMatrix(f)
		kept := []string{m.shares.waiting, m.shares.photo, m.own.photo, "x", "\x00"}
		for _, o := range m.others {
			kept = append([]string{o.waiting}, kept...)
		}
		for len(kept) > 0 {
			n := min(len(kept), portfolio.MostPhotos)
			rec := f.sends(m.own.at("/tickets"), url.Values{
				"form":        {"form " + kept[0]},
				"description": {"The window is stuck."},
				"kept":        kept[:n],
			})
			if rec.Code != http.StatusSeeOther {
				f.Fatalf("%d: %s", rec.Code, words(rec))
			}
			kept = kept[n:]
		}
		if n := f.count("ticket_photos WHERE ticket_id IS NOT NULL"); n != len(m.others)+2 {
			f.Errorf("%d photos belong to tickets", n)
		}
	})
}
