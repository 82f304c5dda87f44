package main

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/web/webtest"
)

// TestLeaseIsMadeSignedByAllAndEndedByAgreement is the story of a lease as people play it: the landlord makes it in
// four steps, one email is refused by the mail server, one tenant signs in Spanish on a phone, one in English at a
// desk, one has no email address, the time to sign is extended, and the signed lease is ended before it starts. Each
// row of the certificate is one that the story expects, and it has no other. Not parallel: a browser leaves those
// little of the machine that are about time.
func TestLeaseIsMadeSignedByAllAndEndedByAgreement(t *testing.T) {
	b := webtest.Open(t, webtest.Config{
		Program: os.Getenv("PORTAL_TEST_CHROMIUM"),
		Shots:   os.Getenv("PORTAL_TEST_SHOTS"),
	})
	t.Run("sqlite", func(t *testing.T) {
		s := newLeaseStory(t, b)
		s.run((*leaseStory).signsHere, (*leaseStory).endsOnPaper)
	})
	t.Run("postgres", func(t *testing.T) {
		s := newLeaseStory(t, b, onPostgres(t)...)
		s.run((*leaseStory).signsOnPaper, (*leaseStory).endsByEmail)
	})
}

// leaseStory is a lease, and the people who sign it.
type leaseStory struct {
	*story
	certificate
	stored   *sql.DB // what the service has stored, for reading
	landlord *leaseParty
	lucas    *leaseParty // reads Spanish, on a phone
	greta    *leaseParty // reads English, at a desk; her address is wrong at first
	noor     *leaseParty // is new, and has no email address
	at       string      // path of the lease in the dashboard
	lease    map[string]any
	signed   []byte // the file that all have signed
}

// leaseParty is somebody who signs, with a window of their own.
type leaseParty struct {
	*browserUser
	name, email, lang string
}

const mistyped = "greta.lindqvist@example.com"

func newLeaseStory(t *testing.T, b *webtest.Browser, env ...string) *leaseStory {
	t.Helper()
	s := &leaseStory{story: newStory(t, b, env...)}
	s.parties = map[string]partySignature{}
	s.story.office.refused, s.certificate.office = mistyped, s.story.office
	s.stored = s.database(t)
	t.Cleanup(func() { _ = s.stored.Close() })
	phone := webtest.Screen{Width: 390, Height: 844}
	party := func(name, email, lang string, screen webtest.Screen) *leaseParty {
		user := &browserUser{Window: b.Window(t), at: s.vars["PORTAL_URL"], screen: screen}
		return &leaseParty{browserUser: user, name: name, email: email, lang: lang}
	}
	s.landlord = party("", s.vars["PORTAL_DEMO_LANDLORD"], "en", webtest.Desktop)
	s.lucas = party("Lucas Pereira", "lucas.pereira@example.com", "es", phone)
	s.greta = party("Greta Lindqvist", "greta@example.com", "en", webtest.Desktop)
	s.noor = party("Noor Haddad", "", "en", phone)
	s.from = time.Now().Truncate(time.Second)
	return s
}

func (s *leaseStory) run(last, ends func(*leaseStory)) {
	s.Helper()
	s.drafts()
	s.sends()
	s.corrects()
	s.signs(s.lucas)
	s.extends()
	s.signs(s.greta)
	last(s)
	s.signsForLandlord()
	s.getsCopies()
	s.check(s.T, s.signed)
	ends(s)
	s.isEnded()
	s.isVerified()
}

// drafts has the landlord make the lease of a vacant home in four steps.
func (s *leaseStory) drafts() {
	s.Helper()
	d := s.landlord
	d.visit("/sign-in")
	d.write("email", d.email)
	d.write("password", s.vars["PORTAL_DEMO_PASSWORD"])
	d.goes("main form button[type=submit]", "/live/overview")
	unit := s.value(s.T, "SELECT u.id FROM units u JOIN portfolios p ON p.id = u.portfolio_id "+
		"WHERE p.mode = 'live' AND u.unit_number = 'B' AND u.status = 'vacant'")
	d.visit("/live/leases/generate?unit_id=" + unit)
	for _, tenant := range []*leaseParty{s.lucas, s.greta} {
		d.write("tenant", tenant.name)
		d.goes("main [value=find]", "/live/leases/generate")
		d.goes(fmt.Sprintf("main [aria-label='Add %s']", tenant.name), "/live/leases/generate")
	}
	d.write("tenant", s.noor.name)
	d.goes("main [value=new]", "/live/leases/generate")
	d.goes("main .acts button:not([formaction])", "/live/leases/lea_")
	s.at = strings.TrimSuffix(d.path(), "/money")
	s.logs(logRow{what: madeRow})
	start := time.Now().AddDate(0, 2, 0).Format(time.DateOnly)
	d.sets("main [name=start_date]", start)
	d.sets("main [name=term_months]", "12")
	d.sets("main [name=monthly_rent]", "1850")
	d.goes("main .acts button", s.at+"/law")
	s.logs(logRow{what: madeRow})
	d.sets(`main [name="lead_paint.hazards"]`, "none")
	d.sets(`main [name="lead_paint.records"]`, "none")
	d.goes("main .acts button", s.at+"/review")
	s.logs(logRow{what: madeRow})
	for _, words := range []string{
		"Lucas Pereira, lucas.pereira@example.com", "Greta Lindqvist, " + mistyped,
		"Noor Haddad has no email address, gets nothing, and signs on your device",
	} {
		d.sees(words)
	}
	d.Check("review")
	s.reads()
	s.landlord.name = s.lease["signers"].([]any)[3].(map[string]any)["name"].(string)
}

// path is the path of the page without its query.
func (p *leaseParty) path() string {
	p.Helper()
	path, _, _ := strings.Cut(p.Path(), "?")
	return path
}

// sets fills in a field in the place of what it says.
func (p *leaseParty) sets(css, value string) {
	p.Helper()
	p.Await(fmt.Sprintf("document.querySelector(%q)", css))
	p.Do(fmt.Sprintf(`document.querySelector(%q).value = %q`, css, value))
}

// reads asks the API for the lease as it is now.
func (s *leaseStory) reads() {
	s.Helper()
	s.lease = s.live(http.MethodGet, strings.TrimPrefix(s.at, "/live"), "")
}

// signer is the id of a party in the lease.
func (s *leaseStory) signer(p *leaseParty) string {
	s.Helper()
	for _, each := range s.lease["signers"].([]any) {
		if x := each.(map[string]any); x["name"] == p.name {
			return x["id"].(string)
		}
	}
	s.Fatalf("%s does not sign", p.name)
	return ""
}

// tenant is the path of a tenant in the dashboard.
func (s *leaseStory) tenant(p *leaseParty) string {
	s.Helper()
	for _, each := range s.lease["signers"].([]any) {
		if x := each.(map[string]any); x["name"] == p.name {
			return "/live/tenants/" + x["tenant_id"].(string)
		}
	}
	s.Fatalf("%s does not sign", p.name)
	return ""
}

// logs expects one row after the other in the log, and waits until it has them.
func (s *leaseStory) logs(rows ...logRow) {
	s.Helper()
	s.expects(rows...)
	s.waits(s.count())
}

// logsInAnyOrder expects rows of emails that leave side by side.
func (s *leaseStory) logsInAnyOrder(rows ...logRow) {
	s.Helper()
	s.rows = append(s.rows, rows)
	s.waits(s.count())
}

// waits until the log of the lease has so many entries.
func (s *leaseStory) waits(want int) {
	s.Helper()
	var got []string
	eventually(s.T, fmt.Sprintf("the log has %d entries", want), func() bool {
		got = s.entries()
		return len(got) >= want
	})
	if len(got) > want {
		s.Fatalf("the log has %d entries, want %d:\n%s", len(got), want, strings.Join(got, "\n"))
	}
}

// entries are those of the log of the lease: the kind and the name of the party, and the note in lines of its own.
func (s *leaseStory) entries() (all []string) {
	s.Helper()
	rows, err := s.stored.QueryContext(s.Context(), `SELECT e.kind, e.name, e.note
		FROM document_evidence e
		JOIN leases l ON l.document_id = e.document_id
		WHERE l.id = $1
		ORDER BY e.number`, strings.TrimPrefix(s.at, "/live/leases/"))
	orFail(s.T, err)
	defer rows.Close()
	for rows.Next() {
		var kind, name, note string
		orFail(s.T, rows.Scan(&kind, &name, &note))
		all = append(all, strings.TrimSpace(kind+" "+name)+"\n"+note)
	}
	orFail(s.T, rows.Err())
	return all
}

// queued is the row of an email that was written; from is where it was asked for, "" for no request of the party.
func queued(p *leaseParty, what, to, from string) logRow {
	return logRow{who: p.name, what: what + " to " + to + ": queued", from: from}
}

// accepted is the row of an email that the mail server took.
func accepted(p *leaseParty, what string) logRow {
	what += " to " + p.email + ": accepted by the mail server (2.0.0 OK: queued as "
	return logRow{who: p.name, what: what, answer: p.email}
}

const (
	linkMail      = "Email with the link"
	codeMail      = "Email with a code"
	extensionMail = "Email with more time to sign"
	here          = "127.0.0.1"
)

// sends has the landlord send the lease: all with an email address get it, but one whose address is refused.
func (s *leaseStory) sends() {
	s.Helper()
	d := s.landlord
	d.goes(`main form[action$="/send"] button`, s.at)
	d.sees("The lease was sent for signature.")
	s.expects(queued(s.lucas, linkMail, s.lucas.email, ""), queued(s.greta, linkMail, mistyped, ""),
		queued(d, linkMail, d.email, ""))
	s.logsInAnyOrder(accepted(s.lucas, linkMail), accepted(d, linkMail), logRow{
		who: s.greta.name, what: linkMail + " to " + mistyped + ": failed (" + refusal + ")",
	})
}

// refusal is what the service makes of the answer of the mail server to an address that it refuses.
const refusal = `550 5.1.1 no such user`

// corrects has the landlord read why an email did not arrive, and change the address.
func (s *leaseStory) corrects() {
	s.Helper()
	d := s.landlord
	d.visit(s.at)
	d.sees("The mail server said: " + refusal)
	d.goes(fmt.Sprintf("main [aria-label='Change address of %s']", s.greta.name), s.tenant(s.greta))
	d.sets("main [name=email]", s.greta.email)
	d.goes("main form.form button[type=submit]", s.tenant(s.greta))
	// The document of a draft has the addresses of its tenants.
	s.logs(
		logRow{what: madeRow},
		logRow{who: s.greta.name, what: "Address changed from " + mistyped + " to " + s.greta.email +
			" by the landlord in the dashboard; earlier links ended"},
		queued(s.greta, linkMail, s.greta.email, ""),
		accepted(s.greta, linkMail),
	)
	d.visit(s.at)
	if text := d.Text("#signatures"); strings.Contains(text, "550") || strings.Contains(text, "Did not arrive") {
		s.Errorf("after the correction: %s", text)
	}
}

// signs has a tenant sign with the link from their email, in their language.
func (s *leaseStory) signs(p *leaseParty) {
	s.Helper()
	pattern := regexp.QuoteMeta(s.vars["PORTAL_URL"]) + `/sign/sig_\w+\.[\w-]+`
	path := strings.TrimPrefix(s.story.office.link(s.T, p.email, pattern), s.vars["PORTAL_URL"])
	viewed := logRow{who: p.name, what: "Looked at the lease", from: here}
	if p.lang == "es" {
		viewed.what += " (page in Spanish)"
	}
	p.visit(path + "?lang=" + p.lang)
	p.Check("review in " + p.lang)
	p.goes(`main form[action*="/review"] button`, path)
	s.logs(viewed)
	sum := sha256.Sum256(s.fetch(s.vars["PORTAL_URL"] + path + "/lease.pdf"))
	if was := s.unsigned; was != "" && was != hex.EncodeToString(sum[:]) {
		s.Errorf("%s reads a document with the SHA-256 %x, another one read %s", p.name, sum, was)
	}
	s.unsigned = hex.EncodeToString(sum[:])
	p.Click(`main input[name="consent"]`)
	p.goes(`main form[action*="/code"] button`, path)
	s.logs(logRow{who: p.name, what: "Agreed to electronic records", from: here},
		queued(p, codeMail, p.email, here), accepted(p, codeMail))
	p.write("code", s.codeOf(p))
	p.write("name", p.name)
	p.Check("sign in " + p.lang)
	p.goes(`main form:has([name="name"]) button[type="submit"]`, path)
	p.sees(map[string]string{"en": "You have signed", "es": "Ha firmado"}[p.lang])
	s.logs(logRow{who: p.name, what: "Entered the code of the email to " + p.email, from: here},
		logRow{who: p.name, what: "Signed", from: here})
	s.parties[p.name] = partySignature{
		proof:   "Entered the code that was sent to " + p.email,
		browser: webtest.Value[string](p.Window, "navigator.userAgent"),
	}
}

// codeOf is the newest code that a party's emails have, in their language.
func (s *leaseStory) codeOf(p *leaseParty) string {
	s.Helper()
	pattern := map[string]string{"en": `is \d{6}\s`, "es": `es \d{6}\s`}[p.lang]
	return regexp.MustCompile(`\d{6}`).FindString(s.story.office.link(s.T, p.email, pattern))
}

// extends has the landlord give more time to sign.
func (s *leaseStory) extends() {
	s.Helper()
	d := s.landlord
	d.visit(s.at)
	d.Click(".head .menu summary")
	d.Click(`.head .menu a[href$="/extend"]`)
	d.Await(`document.querySelector("dialog[open]")`)
	d.sets("dialog [name=expires_in_days]", "30")
	d.goes("dialog[open] button[type=submit]", s.at)
	d.sees("The time to sign is extended.")
	s.reads()
	until, err := time.Parse(time.RFC3339Nano, s.lease["expires_at"].(string))
	orFail(s.T, err)
	s.expects(logRow{what: "Expiry extended to " + moment(until) + " by the landlord in the dashboard"},
		queued(s.greta, extensionMail, s.greta.email, ""), queued(d, extensionMail, d.email, ""))
	s.logsInAnyOrder(accepted(s.greta, extensionMail), accepted(d, extensionMail))
}

// confirms has the landlord follow a link that asks who is there, as an hour has passed, and show it.
func (s *leaseStory) confirms(css, to string) {
	s.Helper()
	s.ages(s.landlord.email)
	d := s.landlord
	d.visit(s.at)
	d.goes(css, "/confirm")
	d.write("password", s.vars["PORTAL_DEMO_PASSWORD"])
	d.goes(`main form:has([name="password"]) button[type="submit"]`, to)
}

// ages has the sign-in of a person be an hour ago.
func (s *leaseStory) ages(email string) {
	s.Helper()
	driver, source := "pgx", s.last("DATABASE_URL")
	if source == "" {
		driver = "sqlite"
		source = "file:" + filepath.Join(s.home.data, "portal.db") + "?_pragma=busy_timeout(30000)"
	}
	d, err := sql.Open(driver, source)
	orFail(s.T, err)
	defer d.Close()
	_, err = d.ExecContext(s.Context(), `UPDATE sessions
		SET authenticated_at = authenticated_at - 3600000
		WHERE user_id = (SELECT id FROM users WHERE email = $1)`, email)
	orFail(s.T, err)
}

// signsHere has the tenant without an email address sign on the landlord's device.
func (s *leaseStory) signsHere() {
	s.Helper()
	d, p := s.landlord, s.noor
	at := s.at + "/signers/" + s.signer(p) + "/sign"
	s.confirms(fmt.Sprintf("main a[href=%q]", at), at)
	d.write("name", p.name)
	d.goes(`main form:has([name="name"]) button[type="submit"]`, s.at)
	d.sees("The tenant has signed the lease.")
	s.inDashboard(
		p,
		"Was handed the device of "+d.email+", who confirmed their sign-in",
		"Signed on the device of "+d.email+", who signed in for the landlord, confirmed it with a password, passkey or "+
			"code, and says that it was this person",
	)
}

// inDashboard expects the rows of a signature in the dashboard.
func (s *leaseStory) inDashboard(p *leaseParty, how, proof string) {
	s.Helper()
	rows := []logRow{
		{what: how},
		{what: "Looked at the lease"},
		{what: "Agreed to electronic records"},
		{what: "Signed"},
	}
	for i := range rows {
		rows[i].who, rows[i].from = p.name, here
	}
	if p == s.landlord { // the last one, behind which the log notes the signed lease
		s.expects(rows...)
		s.waits(s.count() + 1)
	} else {
		s.logs(rows...)
	}
	s.parties[p.name] = partySignature{
		proof: proof, browser: webtest.Value[string](s.landlord.Window, "navigator.userAgent"),
	}
}

// signsOnPaper has the landlord record that the tenant without an email address has signed on paper.
func (s *leaseStory) signsOnPaper() {
	s.Helper()
	d, p := s.landlord, s.noor
	scan := []byte("%PDF-1.7\nthe signature of " + p.name + "\n%%EOF\n")
	sum := sha256.Sum256(scan)
	file := filepath.Join(s.TempDir(), "scan.pdf")
	orFail(s.T, os.WriteFile(file, scan, 0o600))
	at := s.at + "/signers/" + s.signer(p) + "/paper"
	s.confirms(fmt.Sprintf("main a[href=%q]", at), at)
	today := webtest.Value[string](d.Window, `document.querySelector("main [name=signed_on]").max`)
	d.sets("main [name=signed_on]", today)
	d.Attach("main input[name=scan]", file)
	d.goes(`main form:has([name="scan"]) button[type="submit"]`, s.at)
	d.sees("The signature on paper is recorded.")
	on, err := time.Parse(time.DateOnly, today)
	orFail(s.T, err)
	hash := hex.EncodeToString(sum[:])
	s.parties[p.name] = partySignature{paper: on, by: d.email, scan: hash}
	s.logs(logRow{who: p.name, from: here, what: s.paperRow(s.parties[p.name])})
}

// signsForLandlord has the landlord sign, who is the last one.
func (s *leaseStory) signsForLandlord() {
	s.Helper()
	d := s.landlord
	s.reads()
	s.verify = s.vars["PORTAL_URL"] + "/verify"
	for _, each := range s.lease["signers"].([]any) {
		s.order = append(s.order, each.(map[string]any)["name"].(string))
	}
	s.confirms(fmt.Sprintf("main a[href=%q]", s.at+"/sign"), s.at+"/sign")
	d.write("name", d.name)
	d.goes(`main form:has([name="name"]) button[type="submit"]`, s.at)
	d.sees("You have signed the lease.")
	s.inDashboard(d, "Confirmed their sign-in as "+d.email,
		"Signed in to the account of "+d.email+" and confirmed it with a password, passkey or code")
	s.to = time.Now()
	s.reads()
	if s.lease["status"] != "signed" {
		s.Errorf("the lease is %v", s.lease["status"])
	}
}

// getsCopies checks that everybody with an email address has the signed lease, with an email in their language.
func (s *leaseStory) getsCopies() {
	s.Helper()
	said := map[string]string{"en": "All parties have signed the lease", "es": "Todas las partes han firmado"}
	for _, p := range []*leaseParty{s.lucas, s.greta, s.landlord} {
		text := s.mailed(p, regexp.QuoteMeta(said[p.lang]))
		link := regexp.MustCompile(
			regexp.QuoteMeta(s.vars["PORTAL_URL"]) + `/documents/doc_\w+\.[\w-]+`,
		).FindString(
			text,
		)
		if link != s.lease["document_url"] {
			s.Errorf("the copy of %s is %q, the API has %v", p.name, link, s.lease["document_url"])
		}
	}
	s.document = regexp.MustCompile(`doc_\w+`).FindString(s.lease["document_url"].(string))
	s.signed = s.fetch(s.lease["document_url"].(string))
	if sum := sha256.Sum256(s.signed); hex.EncodeToString(sum[:]) != s.lease["document_sha256"] {
		s.Errorf("the copy has the SHA-256 %x, the API has %v", sum, s.lease["document_sha256"])
	}
}

// mailed waits for an email to a party that says something, and is the newest one.
func (s *leaseStory) mailed(p *leaseParty, says string) string {
	s.Helper()
	return s.story.office.link(s.T, p.email, `(?s)^.*`+says+`.*$`)
}

const reason = "Vendimos la casa. We sold the house."

// cannotAskByEmail has the landlord want to ask the tenants by email, which needs the address of each of them.
func (s *leaseStory) cannotAskByEmail() {
	s.Helper()
	d := s.landlord
	d.visit(s.at)
	d.Click(".head .menu summary")
	d.goes(`.head .menu a[href$="/ask-to-end"]`, s.at+"/terminate")
	d.sees("Without an email address: Noor Haddad. The lease can only end on paper.")
}

// endsOnPaper has the landlord end the lease as the tenants have agreed on paper, since one of them has no email
// address.
func (s *leaseStory) endsOnPaper() {
	s.Helper()
	s.cannotAskByEmail()
	d := s.landlord
	today := webtest.Value[string](d.Window, `document.querySelector("main [name=tenants_agreed_on]").max`)
	d.sets("main [name=tenants_agreed_on]", today)
	d.write("termination_reason", reason)
	d.goes(".confirm button[type=submit]", s.at)
	d.sees("The lease has ended.")
	s.waits(s.count() + 2)
	s.told("on paper", "en papel", s.lucas, s.greta)
}

// endsByEmail has the landlord add the address that is missing, and ask the tenants by email, who agree.
func (s *leaseStory) endsByEmail() {
	s.Helper()
	s.cannotAskByEmail()
	d := s.landlord
	s.noor.email = "noor.haddad@example.com"
	d.visit(s.tenant(s.noor) + "/edit")
	d.sets("main [name=email]", s.noor.email)
	d.goes("main form.form button[type=submit]", s.tenant(s.noor))
	d.visit(s.at)
	d.Click(".head .menu summary")
	d.Click(`.head .menu a[href$="/ask-to-end"]`)
	d.Await(`document.querySelector("dialog[open]")`)
	d.sets("dialog [name=termination_reason]", reason)
	d.goes("dialog[open] button[type=submit]", s.at)
	d.sees("Tenants asked to end the lease")
	said := map[string]string{"en": "You agreed that the lease ends", "es": "Usted aceptó que el contrato termine"}
	tenants := []*leaseParty{s.lucas, s.greta, s.noor}
	for i, p := range tenants {
		pattern := regexp.QuoteMeta(s.vars["PORTAL_URL"]) + `/ending/sig_\w+\.[\w-]+(?:\?lang=es)?`
		path := strings.TrimPrefix(s.story.office.link(s.T, p.email, pattern), s.vars["PORTAL_URL"])
		if strings.HasSuffix(path, "?lang=es") != (p.lang == "es") {
			s.Errorf("the link of %s, who reads %s, is %s", p.name, p.lang, path)
		}
		p.visit(path)
		path, _, _ = strings.Cut(path, "?")
		p.sees(reason)
		p.Check("ending in " + p.lang)
		earlier := s.story.office.count(p.email)
		p.goes(`main form[action*="/code"] button`, path)
		eventually(s.T, p.name+" gets a code", func() bool { return s.story.office.count(p.email) > earlier })
		p.write("code", s.codeOf(p))
		p.tick("answer", "agree")
		p.write("name", p.name)
		p.goes(`main form:has([name="answer"]) button[type="submit"]`, path)
		if i < len(tenants)-1 {
			p.sees(said[p.lang])
		} else {
			p.sees("The lease ends, as all tenants agreed")
		}
	}
	d.visit(s.at)
	d.sees("Tenants agreed to end the lease")
	s.logsAnswers(tenants...)
	s.told("All tenants agreed to this by email", "Todos los inquilinos lo aceptaron por correo", tenants...)
}

// logsAnswers checks what the log has behind the certificate: the request, and of each tenant what they did. When the
// mail server took an email may be noted later.
func (s *leaseStory) logsAnswers(tenants ...*leaseParty) {
	s.Helper()
	want := []string{"executed", "address_changed " + s.noor.name, "ending_asked"}
	for _, p := range tenants {
		want = append(want, "mail_queued "+p.name)
	}
	for _, p := range tenants {
		want = append(want, "mail_queued "+p.name, "code_given "+p.name, "ending_agreed "+p.name)
	}
	var got []string
	for _, entry := range s.entries()[s.count():] {
		if kind, _, _ := strings.Cut(entry, "\n"); !strings.HasPrefix(kind, "mail_sent ") {
			got = append(got, kind)
		}
	}
	if want = append(want, "ended"); !slices.Equal(got, want) {
		s.Errorf("behind the certificate the log has %q, want %q", got, want)
	}
}

// told checks that tenants are told of the end, in their language.
func (s *leaseStory) told(english, spanish string, tenants ...*leaseParty) {
	s.Helper()
	for _, p := range tenants {
		first, how := "The lease that you signed ends before it starts", english
		if p.lang == "es" {
			first, how = "que usted firmó termina antes de empezar, el ", spanish
		}
		text := s.mailed(p, regexp.QuoteMeta(first))
		if !strings.Contains(text, how) || !strings.Contains(text, reason) {
			s.Errorf("%s is told: %s", p.name, text)
		}
		if p.lang == "es" && strings.Contains(text, "Hello") {
			s.Errorf("%s is told in English: %s", p.name, text)
		}
	}
}

// isEnded checks that the lease has ended, for the reason that was given.
func (s *leaseStory) isEnded() {
	s.Helper()
	s.reads()
	if s.lease["status"] != "terminated" || s.lease["termination_reason"] != reason {
		s.Errorf("the lease is %v: %v", s.lease["status"], s.lease["termination_reason"])
	}
}

// isVerified has the file checked on the page for everybody, in both languages, and by the command.
func (s *leaseStory) isVerified() {
	s.Helper()
	file := filepath.Join(s.TempDir(), "lease.pdf")
	orFail(s.T, os.WriteFile(file, s.signed, 0o600))
	for p, says := range map[*leaseParty][]string{
		s.lucas: {"Este es el contrato que firmaron todas las partes", "El contrato terminó antes de empezar, el "},
		s.greta: {"This is the lease that all parties signed", "The lease was ended before it started, on "},
	} {
		p.visit("/verify?lang=" + p.lang)
		p.Attach("main input[name=file]", file)
		p.goes("main form button[type=submit]", "/verify")
		for _, words := range says {
			p.sees(words)
		}
		p.Check("verify in " + p.lang)
	}
	code, out, errs := s.home.inside(s.T, "", "agreement", "verify", file)
	ended := "on " + s.lease["terminated_on"].(string) + ", before the lease started"
	if code != 0 || !strings.HasPrefix(out, "Genuine: ") || !strings.Contains(out, ended) {
		s.Errorf("exit code %d: %s%s", code, out, errs)
	}
	_, out, _ = s.home.inside(s.T, "", "agreement", "verify", file, "--json")
	var verdict struct {
		Log struct{ Hashes []string }
	}
	orFail(s.T, json.Unmarshal([]byte(out), &verdict))
	if hashes := verdict.Log.Hashes; len(hashes) < s.count() || hashes[s.count()-1] != s.head {
		s.Errorf("the certificate has the hash %s of entry %d, the log %q", s.head, s.count(), hashes)
	}
}
