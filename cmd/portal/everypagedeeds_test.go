package main

import (
	"bytes"
	"crypto/rand"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image"
	"image/jpeg"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"

	"portal/api/access"
	"portal/api/account"
	"portal/api/agreement/document/documenttest"
	"portal/api/agreement/notice"
	"portal/api/attachment"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/mail"
	"portal/api/portfolio/lease/condition"
	"portal/api/tenantportal"
	"portal/db/accountstore"
	"portal/db/dbtest"
	"portal/web/pagetest"
)

// pagePassword is that of the people who are made for pages.
const pagePassword = "correct horse battery"

// does sends the form of a page as it is shown, with some fields filled in, and tells where it leads.
func (e *everyPage) does(who *plainBrowser, path string, fields ...string) string {
	e.Helper()
	shown, err := html.Parse(strings.NewReader(who.get(path)))
	orFail(e, err)
	form := pagetest.With(pagetest.FieldsOf(shown), fields...)
	if !strings.HasPrefix(path, "/apply/") {
		form.Set("token", who.token(path))
		form.Set("once", rand.Text())
	}
	w := who.ask(http.MethodPost, path, form)
	if w.Code != http.StatusSeeOther && w.Code != http.StatusOK {
		e.Errorf("%s: %d %s", path, w.Code, lastOf(textOf(w.Body.String())))
	}
	return w.Header().Get("Location")
}

// sends sends a form with a file, as a browser does, and tells where it leads.
func (e *everyPage) sends(who *plainBrowser, path, field, name string, file []byte, fields map[string]string) string {
	e.Helper()
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		orFail(e, m.WriteField(key, fields[key]))
	}
	part, err := m.CreateFormFile(field, name)
	orFail(e, err)
	_, err = part.Write(file)
	orFail(e, err)
	orFail(e, m.Close())
	r := httptest.NewRequest(http.MethodPost, "http://portal.test"+path, &body)
	r.Header.Set("Content-Type", m.FormDataContentType())
	for _, c := range who.cookies {
		r.AddCookie(c)
	}
	w := httptest.NewRecorder()
	e.handler.ServeHTTP(w, r)
	if w.Code != http.StatusSeeOther {
		e.Fatalf("%s: %d %s", path, w.Code, lastOf(textOf(w.Body.String())))
	}
	return w.Header().Get("Location")
}

// mailed is the path of a link in the newest email to somebody that has one.
func (e *everyPage) mailed(to, path string) string {
	e.Helper()
	all, err := e.product.Mail.Mails(e.Context(), mail.Filter{Limit: 100})
	orFail(e, err)
	for _, m := range all {
		if m.To != to {
			continue
		}
		l, err := e.product.Mail.Mail(e.Context(), m.ID)
		orFail(e, err)
		found := regexp.MustCompile(`http://portal\.test(` + path + `[\w-]{20,})`).FindStringSubmatch(l.Content.Text)
		if found != nil {
			return found[1]
		}
	}
	e.Fatalf("no link to %s was sent to %s", path, to)
	return ""
}

// asks sends JSON to the API and is what it answers.
func (e *everyPage) asks(path, key, body string) map[string]any {
	e.Helper()
	r := httptest.NewRequest(http.MethodPost, "http://portal.test/api/v1/external"+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+key)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	e.handler.ServeHTTP(w, r)
	var answer map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != http.StatusCreated {
		e.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	return answer
}

// one is the first value of a query.
func (e *everyPage) one(query string, args ...any) string {
	e.Helper()
	all := dbtest.Texts(e, e.product.DB, query, args...)
	if len(all) == 0 {
		e.Fatalf("nothing is found by %s", query)
	}
	return all[0]
}

// prepares leaves something of everything that a landlord has a page of.
func (e *everyPage) prepares(dana *plainBrowser, key string) {
	e.Helper()
	_, err := e.product.inviteSomebody(e.Context(), access.Test)
	orFail(e, err)
	lived(e, dana, key)
	const address = `{"street_address":"%d Quay Street","city":"Austin","state":"TX","unit":{"unit_number":"A",` +
		`"market_rent":1200}}`
	made := e.asks("/properties", key, fmt.Sprintf(address, 7))["id"].(string)
	e.does(dana, "/test/properties/"+made+"/archive")
	made = e.asks("/properties", key, fmt.Sprintf(address, 9))["id"].(string)
	unit := e.one("SELECT id FROM units WHERE property_id = $1", made)
	e.does(dana, "/test/units/"+unit+"/off-market")
	e.add("units-id-on-market", dana, "/test/units/"+unit+"/on-market")
	live := e.one("SELECT r.id FROM properties r JOIN portfolios p ON p.id = r.portfolio_id WHERE p.mode = 'live'")
	e.does(dana, "/live/properties/"+live+"/verify", "note", "I bought it in 2019.")
	roll := datedFrom(demoRoll, clock.DateOf(time.Now(), time.UTC))
	e.sends(dana, "/test/import", "file", "rent roll.csv", []byte(roll), map[string]string{
		"token": dana.token("/settings"),
		"once":  "roll",
	})
	e.rolls(dana)
}

// rolls adds the pages of rent rolls that wait: one that is good with all of its lines, one with questions, and one
// that says something else than the portfolio.
func (e *everyPage) rolls(dana *plainBrowser) {
	e.Helper()
	sends := func(name, roll string) string {
		return e.sends(dana, "/test/import", "file", name, []byte(roll), map[string]string{
			"token": dana.token("/settings"),
			"once":  name,
		})
	}
	good := sends("good.csv", datedFrom(demoRoll, clock.DateOf(time.Now(), time.UTC)))
	e.add("import-id-plan-good", dana, good+"/plan")
	e.shows(dana, good+"/plan", "Lines of good.csv")

	asks := sends("asks.csv", "property,address,city,state,zip,unit,tenant,start,end,rent,Parking\n"+
		"Pine,9 Pine St,Austin,Ontario,78701,1,Ann Lee,1/2/2026,3/4/2027,900,P1\n"+
		"Pine,9 Pine St,Austin,Ontario,78701,2-Jan,Bo Day,3/4/2026,5/6/2027,9OO,P2\n"+
		"Elm Court,,,,,4,Cy Fox,5/6/2026,7/8/2027,950,\n")
	e.add("import-id-questions", dana, asks)
	e.shows(dana, asks, "Apply and read again")

	newer := sends("newer.csv", e.newer(dana))
	e.add("import-id-changes", dana, newer)
	e.shows(
		dana,
		newer,
		"What the file says otherwise",
		"Leases that aren’t in the file",
		"Monthly rent: ",
		"Market rent: ",
	)
	e.add("import-id-changes-plan", dana, newer+"/plan")
	e.add("import-id-changes-all", dana, newer+"/changes")
}

// shows holds a page to some words.
func (e *everyPage) shows(who *plainBrowser, path string, words ...string) {
	e.Helper()
	text := textOf(who.get(path))
	for _, w := range words {
		if !strings.Contains(text, w) {
			e.Errorf("%s does not say %q: %s", path, w, lastOf(text))
		}
	}
}

// newer is a rent roll of a property of the demo portfolio, in which every rent has gone up and a lease has gone.
func (e *everyPage) newer(dana *plainBrowser) string {
	e.Helper()
	exported := strings.TrimPrefix(dana.get("/test/import/export.csv"), "\ufeff")
	lines, err := csv.NewReader(strings.NewReader(exported)).ReadAll()
	orFail(e, err)
	names := []string{
		"street_address", "city", "state", "postal_code", "unit_number", "tenant_first_name", "tenant_last_name",
		"lease_start", "lease_end", "monthly_rent", "market_rent",
	}
	const address, unit, start, end, rent = 0, 4, 7, 8, 9
	kept, gone := [][]string{names}, ""
	today := time.Now().Format(time.DateOnly)
	for _, line := range lines[1:] {
		var says []string
		for _, name := range names {
			says = append(says, line[slices.Index(lines[0], name)])
		}
		lease := says[unit] + says[start]
		switch {
		case says[address] != lines[1][slices.Index(lines[0], names[address])]:
			continue
		case gone == "" && says[start] != "" && says[start] < today && says[end] > today:
			gone = lease
			continue
		case lease == gone: // another tenant of it
			continue
		}
		for at := rent; at < len(says); at++ {
			if amount, err := strconv.ParseFloat(says[at], 64); err == nil {
				says[at] = strconv.FormatFloat(amount+25, 'f', 2, 64)
			}
		}
		kept = append(kept, says)
	}
	var roll strings.Builder
	orFail(e, csv.NewWriter(&roll).WriteAll(kept))
	return roll.String()
}

// signs has a lease generated that waits for its signatures, and adds the pages of who signs it.
func (e *everyPage) signs(key string) {
	e.Helper()
	made := e.asks("/properties", key, `{"street_address":"11 Quay Street","city":"Austin","state":"TX",
		"unit":{"unit_number":"C","market_rent":1200}}`)
	tenants := dbtest.Texts(e, e.product.DB, `SELECT r.id
		FROM tenants r
		JOIN portfolios p ON p.id = r.portfolio_id
		WHERE p.mode = 'test' AND r.email IS NOT NULL
		ORDER BY r.id
		LIMIT 2`)
	body, err := json.Marshal(map[string]any{
		"property_id":           made["id"],
		"unit_id":               e.one("SELECT id FROM units WHERE property_id = $1", made["id"]),
		"tenant_id":             tenants[0],
		"additional_tenant_ids": tenants[1:],
		"start_date":            time.Now().AddDate(0, 2, 0).Format(time.DateOnly),
		"end_date":              time.Now().AddDate(1, 2, 0).Format(time.DateOnly),
		"monthly_rent":          1200,
		"lead_paint":            map[string]string{"hazards": "none", "records": "none"},
	})
	orFail(e, err)
	lease := e.asks("/leases/generate", key, string(body))
	var links []string
	for _, each := range lease["signers"].([]any) {
		link, err := url.Parse(each.(map[string]any)["esign_url"].(string))
		orFail(e, err)
		links = append(links, link.Path)
	}
	at := "/test/leases/" + lease["id"].(string)
	e.sends(e.dana, at+"/attachments/new", "file", "House rules.pdf", documenttest.Pages("Quiet hours"),
		map[string]string{"once": "rules", "token": e.dana.token("/settings"), "requires_initials": "on"})
	e.keepsTemplate()
	e.keepsDocument()
	e.reportsCondition(lease["id"].(string))
	signer := e.guest()
	e.add("sign", signer, links[0])
	e.add("sign-decline", signer, links[0]+"/decline")
	if w := signer.ask(http.MethodPost, links[1]+"/review", url.Values{}); w.Code != http.StatusSeeOther {
		e.Fatalf("%s: %d %s", links[1], w.Code, w.Body)
	}
	e.add("sign-reviewed", signer, links[1])
	e.add("sign-spanish", signer, links[1]+"?lang=es")
	e.add("sign-summary", signer, links[1]+"/summary")
	e.add("leases-id-sign", e.dana, at+"/sign")
	e.add("demo-clock", e.dana, "/test/demo/clock")
	e.add("tenants-new", e.dana, "/test/tenants/new")
	e.add("leases-id-lead", e.dana, at+"/lead")
	ended := e.one("SELECT id FROM leases WHERE status = 'expired' AND security_deposit > 0 AND portfolio_id = "+
		"(SELECT portfolio_id FROM leases WHERE id = $1) AND renewed_to_lease_id IS NULL ORDER BY id", lease["id"])
	e.add("leases-id-deposit", e.dana, "/test/leases/"+ended+"/deposit")
	e.notifies("/test/leases/" + e.one("SELECT p.lease_id FROM payments p JOIN leases l ON l.portfolio_id = "+
		"p.portfolio_id AND l.id = p.lease_id WHERE p.type = 'rent' AND p.status = 'due' AND l.status = 'active' AND "+
		"p.portfolio_id = (SELECT portfolio_id FROM leases WHERE id = $1) ORDER BY p.due_date", lease["id"]))
	paid := e.one("SELECT s.payment_id FROM payment_shares s JOIN payments p ON p.portfolio_id = s.portfolio_id AND "+
		"p.id = s.payment_id WHERE p.status = 'succeeded' AND s.portfolio_id = (SELECT portfolio_id FROM leases "+
		"WHERE id = $1) ORDER BY p.id", lease["id"])
	e.add("ledger-id-refund", e.dana, "/test/ledger/"+paid+"/refund")
	disputed := e.one(
		"SELECT s.payment_id FROM payment_shares s JOIN payments p ON p.portfolio_id = s.portfolio_id AND "+
			"p.id = s.payment_id WHERE p.status = 'succeeded' AND p.id > $1 AND s.portfolio_id = (SELECT portfolio_id "+
			"FROM leases WHERE id = $2) ORDER BY p.id",
		paid,
		lease["id"],
	)
	dbtest.Exec(e, e.product.DB, "UPDATE payment_attempts SET back = 'dispute', dispute_status = 'needs_response' "+
		"WHERE id IN (SELECT attempt_id FROM payment_shares WHERE payment_id = $1)", disputed)
	e.add("ledger-id-disputed", e.dana, "/test/ledger/"+disputed)
	e.add("ledger-id-dispute", e.dana, "/test/ledger/"+disputed+"/dispute")
	dbtest.Exec(
		e,
		e.product.DB,
		"INSERT INTO payouts (portfolio_id, reference, amount, status, created_at, arrives_on) "+
			"SELECT portfolio_id, 'po_1', 97070, 'paid', 0, 20000 FROM leases WHERE id = $1",
		lease["id"],
	)
	dbtest.Exec(e, e.product.DB, "INSERT INTO payout_movements (portfolio_id, payout, position, reference, kind, "+
		"attempt_id, amount, fee, moved_at) SELECT portfolio_id, 'po_1', 0, 'txn_1', 'payment', attempt_id, 100000, 2930, 0 "+
		"FROM payment_shares WHERE payment_id = $1", paid)
	e.add("payouts-reference", e.dana, "/test/payouts/po_1")
	e.add("leases-id-statement", e.dana, "/test/leases/"+ended+"/statement")
	e.add("leases-id-extend", e.dana, at+"/extend")
	e.add("leases-id-attachments-new", e.dana, at+"/attachments/new")
	e.add("leases-id-attached", e.dana, at)
	for _, step := range []string{"people", "money", "law", "review", "restart"} {
		e.add("leases-id-"+step, e.dana, at+"/"+step)
	}
	e.add("tenants-unit", e.dana, "/test/tenants/unit")
	tenant := lease["signers"].([]any)[0].(map[string]any)["id"].(string)
	e.add("leases-id-signers-id-sign", e.dana, at+"/signers/"+tenant+"/sign")
	e.add("leases-id-signers-id-paper", e.dana, at+"/signers/"+tenant+"/paper")
	e.endsByAgreement(key, made["id"].(string), tenants)
}

// reportsCondition has the condition of a home of the portfolio of a lease reported, at moving in and at moving out,
// and adds the pages of both reports.
func (e *everyPage) reportsCondition(of string) {
	e.Helper()
	lease := e.one("SELECT id FROM leases WHERE status = 'active' AND portfolio_id = "+
		"(SELECT portfolio_id FROM leases WHERE id = $1) ORDER BY id", of)
	at := "/test/leases/" + lease + "/condition/"
	var photo bytes.Buffer
	orFail(e, jpeg.Encode(&photo, image.NewGray(image.Rect(0, 0, 64, 64)), nil))
	for _, kind := range []string{"move-in", "move-out"} {
		begin := url.Values{"token": {e.dana.token("/settings")}}
		if w := e.dana.ask(http.MethodPost, at+kind+"/begin", begin); w.Code != http.StatusSeeOther {
			e.Fatalf("%s: %d %s", kind, w.Code, w.Body)
		}
		shown := e.dana.get(at + kind)
		rooms := regexp.MustCompile(`/areas/[a-z0-9A-Z_]+`).FindAllString(shown, -1)
		item := regexp.MustCompile(`name="condition\.([^"]+)"`).FindStringSubmatch(e.dana.get(at + kind + rooms[0]))[1]
		e.does(e.dana, at+kind+rooms[0], "condition."+item, "fair", "note."+item, "A scratch by the door")
		for _, room := range rooms {
			e.does(e.dana, at+kind+room, "do", "good")
		}
		e.sends(e.dana, at+kind+"/items/"+item, "photos", "wall.jpg", photo.Bytes(), map[string]string{
			"once": kind, "token": e.dana.token("/settings"),
		})
		e.add("leases-id-condition-"+kind, e.dana, at+kind)
		if kind == "move-out" {
			e.does(e.dana, at+kind+"/share")
			e.does(e.dana, at+kind+"/sign", "name", "Dana Whitfield")
			e.add("leases-id-condition-reopen", e.dana, at+kind+"/reopen")
			continue
		}
		e.add("leases-id-condition-area", e.dana, at+kind+rooms[0])
		e.add("leases-id-condition-item", e.dana, at+kind+"/items/"+item)
		for _, page := range []string{"arrange", "share", "sign", "delete"} {
			e.add("leases-id-condition-"+page, e.dana, at+kind+"/"+page)
		}
	}
	e.add("leases-id-conditions", e.dana, "/test/leases/"+lease)
}

// keepsTemplate has a template of leases made with an attachment, and adds its pages.
func (e *everyPage) keepsTemplate() {
	e.Helper()
	const list = "/test/leases/templates"
	at := e.does(e.dana, list+"/new", "name", "Texas, one year", "state", "TX", "lease_type", "fixed",
		"term_months", "12", "rent_due_day", "1", "late_fee_amount", "50", "late_fee_frequency", "once",
		"late_fee_grace_days", "5", "returned_payment_fee", "25",
		"utilities.0.name", "Water", "utilities.0.paid_by", "landlord", "clauses.pets", "One cat or one small dog.",
		"fees.0.name", "Parking", "fees.0.amount", "40", "fees.0.frequency", "monthly")
	e.sends(e.dana, at+"/attachments/new", "file", "House rules.pdf", documenttest.Pages("Quiet hours"),
		map[string]string{"once": "template", "token": e.dana.token("/settings"), "requires_initials": "on"})
	e.add("leases-templates", e.dana, list)
	e.add("leases-templates-new", e.dana, list+"/new")
	e.add("leases-templates-id", e.dana, at)
	for _, end := range []string{"edit", "delete", "attachments/new"} {
		e.add("leases-templates-id-"+strings.ReplaceAll(end, "/", "-"), e.dana, at+"/"+end)
	}
}

// keepsDocument has a document added to the library, and adds its pages.
func (e *everyPage) keepsDocument() {
	e.Helper()
	const list = "/test/leases/library"
	at := e.sends(e.dana, list+"/new", "file", "pamphlet.pdf", documenttest.Pages("A pamphlet"), map[string]string{
		"once": "document", "token": e.dana.token("/settings"), "title": "Mold and Dampness", "kind": "pamphlet",
		"edition": "2021", "states": "CA", "disclosures": "mold",
	})
	e.add("leases-library", e.dana, list)
	e.add("leases-library-new", e.dana, list+"/new")
	e.add("leases-library-lead_warning", e.dana, list+"/lead_warning")
	e.add("leases-library-id", e.dana, at)
	for _, end := range []string{"edit", "replace", "delete"} {
		e.add("leases-library-id-"+end, e.dana, at+"/"+end)
	}
}

// endsByAgreement has a lease generated that all sign on paper, and adds the pages on which it ends by agreement.
func (e *everyPage) endsByAgreement(key, property string, tenants []string) {
	e.Helper()
	body, err := json.Marshal(map[string]any{
		"property_id":           property,
		"unit_id":               e.one("SELECT id FROM units WHERE property_id = $1", property),
		"tenant_id":             tenants[0],
		"additional_tenant_ids": tenants[1:],
		"start_date":            time.Now().AddDate(2, 2, 0).Format(time.DateOnly),
		"end_date":              time.Now().AddDate(3, 2, 0).Format(time.DateOnly),
		"monthly_rent":          1300,
		"lead_paint":            map[string]string{"hazards": "none", "records": "none"},
	})
	orFail(e, err)
	lease := e.asks("/leases/generate", key, string(body))
	at := "/test/leases/" + lease["id"].(string)
	zone, err := time.LoadLocation(
		e.one("SELECT time_zone FROM accounts WHERE id = (SELECT account_id FROM portfolios "+
			"WHERE id = (SELECT portfolio_id FROM leases WHERE id = $1))", lease["id"]),
	)
	orFail(e, err)
	for _, each := range lease["signers"].([]any) {
		paper := at + "/signers/" + each.(map[string]any)["id"].(string) + "/paper"
		e.sends(e.dana, paper, "scan", "lease.pdf", []byte("%PDF-1.7 %%EOF"), map[string]string{
			"token":     e.dana.token("/settings"),
			"version":   "1",
			"signed_on": time.Now().In(zone).Format(time.DateOnly),
		})
	}
	e.add("leases-id-ask-to-end", e.dana, at+"/ask-to-end")
	e.does(e.dana, at+"/ask-to-end", "termination_reason", "The house is sold.")
	e.add("leases-id-ending", e.dana, at)
	all, err := e.product.Mail.Mails(e.Context(), mail.Filter{Limit: 100})
	orFail(e, err)
	for _, m := range all {
		if !strings.HasPrefix(m.Subject, "Do you agree") {
			continue
		}
		read, err := e.product.Mail.Mail(e.Context(), m.ID)
		orFail(e, err)
		link := regexp.MustCompile(`http://portal\.test(/ending/\S+)`).FindStringSubmatch(read.Content.Text)
		e.add("ending", e.guest(), link[1])
		return
	}
	e.Fatal("nobody was asked whether the lease ends")
}

// applies adds the pages of who applies, and has somebody apply whom the landlord then decides on.
func (e *everyPage) applies() {
	e.Helper()
	guest := e.guest()
	open := e.mailed("sam@example.com", "/apply/")
	e.add("apply", guest, open)
	e.add("mail-unsubscribe", guest, e.mailed("sam@example.com", "/mail/unsubscribe/"))
	unit := e.one(`SELECT r.id
		FROM units r
		JOIN portfolios p ON p.id = r.portfolio_id
		WHERE p.mode = 'test' AND r.status = 'vacant'
		ORDER BY r.id`)
	e.does(e.dana, "/test/applications/new", "unit_id", unit, "email", "ada@example.com")
	e.does(
		guest,
		e.mailed("ada@example.com", "/apply/"),
		"first_name",
		"Ada",
		"last_name",
		"Rivera",
		"email",
		"ada@example.com",
		"phone",
		"512 555 0142",
		"move_in_date",
		time.Now().AddDate(0, 2, 0).Format(time.DateOnly),
		"adults",
		"2",
		"children",
		"1",
		"monthly_income",
		"5,250",
		"notes",
		"We do not smoke.",
	)
	e.add("apply-sent", guest, e.mailed("ada@example.com", "/apply/"))
}

// lives adds the pages of a tenant who has reported something, with a photo.
func (e *everyPage) lives(key string) {
	e.Helper()
	caller, err := e.product.Developer.Authenticate(e.Context(), "Bearer "+key)
	orFail(e, err)
	id := e.one(`SELECT r.id
		FROM tenants r
		JOIN portfolios p ON p.id = r.portfolio_id
		WHERE p.mode = 'test' AND r.status = 'current' AND r.email IS NOT NULL
		ORDER BY r.id`)
	link, err := e.product.TenantPortal.NewLink(e.Context(), *caller.Actor(), id, false)
	orFail(e, err)
	tenant, at := e.guest(), strings.TrimPrefix(link, "http://portal.test")
	e.add("tenant", tenant, at)
	e.add("tenant-spanish", tenant, at+"?lang=es")
	for _, page := range []string{"payments", "lease", "tickets", "unlock", "mail/stop", "mail/rent/stop"} {
		e.add("tenant-"+nameOf(page), tenant, at+"/"+page)
	}
	unlocked := e.unlocks(at)
	e.add("tenant-payments-unlocked", unlocked, at+"/payments")
	e.add("tenant-statement", unlocked, at+"/statement")
	e.add("tenant-pay", unlocked, at+"/pay")
	row := e.one(`SELECT p.id
		FROM payments p
		JOIN lease_signers l ON l.portfolio_id = p.portfolio_id AND l.lease_id = p.lease_id
		WHERE l.tenant_id = '` + id + `' AND p.status IN ('due', 'scheduled', 'partially_paid', 'failed') AND p.amount > 0
		ORDER BY p.due_date`)
	checkout := unlocked.ask(http.MethodPost, at+"/pay", url.Values{"charges": {row}}).Header().Get("Location")
	attempt, _, begun := strings.Cut(checkout, "/checkout")
	if !begun {
		e.Fatalf("a payment leads to %q", checkout)
	}
	e.add("tenant-checkout", unlocked, attempt+"/checkout")
	e.add("tenant-payment", unlocked, attempt)
	e.add("tenant-autopay", unlocked, at+"/autopay")
	e.add("tenants-page-autopay", e.dana, "/test/tenants/"+id+"/page/autopay")
	source := unlocked.ask(http.MethodPost, at+"/autopay",
		url.Values{"day": {"5"}, "most": {"2000"}, "agree": {"on"}}).Header().Get("Location")
	if source, _, _ = strings.Cut(source, "?"); !strings.HasSuffix(source, "/checkout") {
		e.Fatalf("autopay leads to %q", source)
	}
	e.add("tenant-autopay-checkout", unlocked, source)
	e.add("tenants-page-pay", e.dana, "/test/tenants/"+id+"/page/pay")
	e.add("tenants-page-payment", e.dana, "/test/tenants/"+id+"/page"+strings.TrimPrefix(attempt, at))
	var photo bytes.Buffer
	orFail(e, jpeg.Encode(&photo, image.NewGray(image.Rect(0, 0, 640, 480)), nil))
	e.inspects(*caller.Actor(), unlocked, id, at, photo.Bytes())
	ticket := e.sends(tenant, at+"/tickets", "photos", "faucet.jpg", photo.Bytes(), map[string]string{
		"form":             "one",
		"description":      "The kitchen faucet drips all night.",
		"entry_permission": "granted",
	})
	ticket, _, _ = strings.Cut(ticket, "?")
	e.add("tenant-ticket", tenant, ticket)
	_, of, _ := strings.Cut(ticket, "/tickets/")
	e.add("tickets-photo", e.dana, "/test/tickets/"+of)
	e.add("tenants-page-ticket", e.dana, "/test/tenants/"+id+"/page/tickets/"+of)
}

// notifies adds the pages of the notices of a lease, for which one is prepared.
func (e *everyPage) notifies(lease string) {
	e.Helper()
	at := lease + "/notices"
	for _, name := range notice.Kind("").Values() {
		e.add("leases-id-notices-new-"+name, e.dana, at+"/new/"+name)
	}
	today := time.Now().UTC()
	form := at + "/new/entry"
	made := e.dana.send(form, e.dana.token(form), url.Values{
		"once": {"notice"}, "kind": {"entry"}, "given_on": {today.Format(time.DateOnly)},
		"effective_on": {today.AddDate(0, 0, 3).Format(time.DateOnly)}, "from": {"09:00"}, "until": {"12:00"},
		"purpose": {"Check the smoke alarms"},
	})
	one := made.Header().Get("Location")
	if made.Code != http.StatusSeeOther {
		e.Fatalf("%s: %d %s", form, made.Code, made.Body)
	}
	e.add("leases-id-notices", e.dana, at)
	e.add("leases-id-notices-notice", e.dana, one)
	e.add("leases-id-notices-notice-email", e.dana, one+"/email")
	e.add("leases-id-notices-notice-delete", e.dana, one+"/delete")
}

// inspects adds the page of a report of the condition of a tenant's home, which waits for their
// signature.
func (e *everyPage) inspects(by access.Actor, tenant *plainBrowser, id, at string, photo []byte) {
	e.Helper()
	by.Role = access.Owner
	lease := e.one(`SELECT l.id
		FROM leases l
		JOIN lease_signers s ON s.portfolio_id = l.portfolio_id AND s.lease_id = l.id
		WHERE s.tenant_id = '` + id + `' AND l.status = 'active'`)
	all, kind := e.product.Portfolio.Conditions, condition.MoveIn
	r, err := all.Begin(e.Context(), by, lease, kind)
	orFail(e, err)
	var changes []condition.Change
	for i := range r.Areas {
		for _, item := range r.Areas[i].Items {
			changes = append(changes, condition.Change{ItemID: item.ID, Condition: change.To(new(condition.Good))})
		}
	}
	changes[0].Note = change.To("Painted in May.")
	_, err = all.Save(e.Context(), by, lease, kind, changes)
	orFail(e, err)
	r, err = all.AddPhoto(e.Context(), by, lease, kind, changes[0].ItemID,
		&attachment.Photo{Content: photo, Thumbnail: photo, Width: 640, Height: 480})
	orFail(e, err)
	r, err = all.SignAsLandlord(e.Context(), by, lease, kind, condition.Signing{Name: "Dana Reyes", Seen: r.SHA256()})
	orFail(e, err)
	path := tenantportal.ConditionPath(lease, kind)
	e.sends(tenant, at+path, "photos."+changes[0].ItemID, "wall.jpg", photo, map[string]string{
		"form": "one", "area": r.Areas[0].ID, "note." + changes[0].ItemID: "A hole by the door.",
		"condition." + changes[0].ItemID: "fair", "seen." + changes[0].ItemID: tenantportal.SeenOf(&condition.Remark{}),
	})
	e.add("tenant-condition", tenant, at+path)
	e.add("tenant-condition-area", tenant, at+path+"?lang=es&area="+r.Areas[0].ID)
	e.add("tenants-page-condition", e.dana, "/test/tenants/"+id+"/page"+path)
}

// unlocks is a browser in which the tenant of a page has typed a code.
func (e *everyPage) unlocks(at string) *plainBrowser {
	e.Helper()
	who := e.guest()
	who.ask(http.MethodPost, at+"/code", url.Values{})
	all, err := e.product.Mail.Mails(e.Context(), mail.Filter{Limit: 100})
	orFail(e, err)
	for _, m := range all { // the newest first
		if strings.HasPrefix(m.Subject, "Your code") {
			read, err := e.product.Mail.Mail(e.Context(), m.ID)
			orFail(e, err)
			code := regexp.MustCompile(`\b\d{6}\b`).FindString(read.Content.Text)
			if w := who.ask(http.MethodPost, at+"/unlock", url.Values{"code": {code}}); w.Code != http.StatusSeeOther {
				e.Fatalf("%s: %d %s", at, w.Code, w.Body)
			}
			return who
		}
	}
	e.Fatal("no code was emailed")
	return nil
}

// arrives adds what guests see who sign up, forget their password, join and change their address.
func (e *everyPage) arrives() {
	e.Helper()
	guest := e.guest()
	e.does(guest, "/sign-up", "email", "pat@example.com", "account_name", "Elm Street Homes", "password", pagePassword)
	e.add("sign-up-sent", guest, "/sign-up/sent")
	e.add("verify-token", e.guest(), e.mailed("pat@example.com", "/verify/"))
	e.does(guest, "/reset", "email", demoLandlord)
	e.add("reset-sent", guest, "/reset/sent")
	e.add("reset-token", e.guest(), e.mailed(demoLandlord, "/reset/"))
	e.does(e.dana, "/team/invite", "email", "kim@example.com", "role", "manager")
	join := e.mailed("kim@example.com", "/join/")
	e.does(e.guest(), join, "password", pagePassword)
	e.add("join-token", e.guest(), e.mailed("clerk@example.com", "/join/"))
}

// begins adds what somebody sees whose account is new, and who has protected it with everything.
func (e *everyPage) begins() {
	e.Helper()
	const email = "robin@example.com"
	u, err := e.product.Developer.AddUser(e.Context(), email, "Elm & Sons", pagePassword, developer.Landlord)
	orFail(e, err)
	robin := newPlainBrowser(e, e.handler, email, pagePassword)
	e.does(robin, "/settings/email", "email", "robin.elm@example.com")
	e.does(e.guest(), e.mailed("robin.elm@example.com", "/email/"))
	e.add("email-undo-token", e.guest(), e.mailed(email, "/email/undo/"))
	robin = newPlainBrowser(e, e.handler, "robin.elm@example.com", pagePassword)
	e.does(robin, "/settings/email", "email", "robin@elm.example.com")
	e.add("email-token", e.guest(), e.mailed("robin@elm.example.com", "/email/"))
	e.add("overview-first-steps", robin, "/overview")
	e.add("access-new", robin, "/access")
	e.does(robin, "/live/settings/rent/off")
	e.add("settings-rent-on", robin, "/live/settings/rent/on")
	for _, of := range []string{"properties", "tenants", "leases", "tickets", "ledger", "applications", "webhooks",
		"webhooks/deliveries", "events", "logs", "activity", "mail"} {
		e.add(nameOf(of)+"-empty", robin, "/live/"+of)
	}
	e.add("keys-empty", robin, "/keys")
	added, err := accountstore.New(e.product.DB).AddPasskey(e.Context(), &account.Passkey{
		ID: id.New("pk", time.Now()), UserID: u.ID, Name: "Phone", CreatedAt: clock.At(time.Now()),
		CredentialID: []byte("credential"), Credential: []byte("{}"),
	})
	orFail(e, err)
	if !added {
		e.Fatal("the passkey is not added")
	}
	const at = "/settings/security/app"
	secret := regexp.MustCompile(`<code>([A-Z2-7 ]{39})</code>`).FindStringSubmatch(robin.get(at))[1]
	code, err := pagetest.CodeAt(secret, time.Now())
	orFail(e, err)
	e.does(robin, at, "code", code)
	half := newPlainBrowser(e, e.handler, "robin.elm@example.com", pagePassword)
	e.add("sign-in-second", half, "/sign-in/second")
	e.robin = robin
	e.does(
		robin,
		"/access",
		"agreed_to_terms",
		"on",
		"contact_email",
		email,
		"use_case",
		"Keep our books in step with the ledger.",
	)
	e.add("access-waiting", robin, "/access")
	e.add(
		"access-withdraw",
		robin,
		"/access/"+e.one("SELECT id FROM access_requests WHERE status = 'pending'")+"/withdraw",
	)
}

// stale is somebody who has signed in an hour ago.
func (e *everyPage) stale(email string) *plainBrowser {
	e.Helper()
	who := newPlainBrowser(e, e.handler, email, pagePassword)
	dbtest.Exec(e, e.product.DB, `UPDATE sessions
		SET authenticated_at = authenticated_at - 3600000
		WHERE user_id = (SELECT id FROM users WHERE email = $1)`, email)
	return who
}

// textOf is what a page says.
func textOf(page string) string {
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return page
	}
	return pagetest.Text(doc)
}

// lastOf is the end of a text, where the content of a page stands.
func lastOf(text string) string { return text[max(0, len(text)-1000):] }
