package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"portal/api/agreement/document/documenttest"
	"portal/api/mcp"
	"portal/api/rest"
	"portal/db/dbtest"
	"portal/web/webtest"
)

// TestRentOfAYearIsChargedPaidAndSettled is the story of a tenancy whose ledger runs by itself, by the test clock: a
// lease is generated and signed, its rent falls due month after month and is twice paid late, it is renewed at a higher
// rent, the tenants move out, and the deposit is returned less two deductions. All who show money show what the test
// calculates from the lease. The story begins on a random day of the months to come, so that no run depends on today.
// Not parallel: a browser leaves those little of the machine that are about time.
func TestRentOfAYearIsChargedPaidAndSettled(t *testing.T) {
	b := webtest.Open(t, webtest.Config{
		Program: os.Getenv("PORTAL_TEST_CHROMIUM"),
		Modules: os.Getenv("PORTAL_TEST_NODE_MODULES"),
		Shots:   os.Getenv("PORTAL_TEST_SHOTS"),
	})
	ahead := rand.IntN(230)
	if text := os.Getenv("PORTAL_TEST_SEED"); text != "" {
		seed, err := strconv.ParseUint(text, 10, 64)
		orFail(t, err)
		ahead = int(seed % 230)
	}
	t.Logf("PORTAL_TEST_SEED=%d: it begins so many days from today", ahead)
	texas := yearPlan{
		state: "TX", months: 12, rent: 1450_00, deposit: 1450_00, dueDay: 1, once: 150_00,
		late: yearLate{grace: 5, fee: func(int, int) int { return 75_00 }}, lateFee: "75.00", frequency: "once",
		renewedRent: 1525_50, renewedDeposit: 1500_00, renewedMonths: 2, renewedDays: 17,
	}
	connecticut := yearPlan{
		state: "CT", midMonth: true, months: 6, rent: 1380_75, deposit: 1380_00, dueDay: 5,
		late: yearLate{grace: 9, fee: func(rent, days int) int {
			return min(days*5_00, 50_00, rent/20) // $5 a day up to $50 or 5%, whichever is less
		}}, lateFee: "5.00", frequency: "daily",
		renewedRent: 1455_10, renewedDeposit: 1380_00, renewedMonths: 7, renewedDays: 9, owes: true,
	}
	t.Run("sqlite", func(t *testing.T) {
		newYearStory(t, b, webtest.Desktop, texas).run(ahead)
	})
	t.Run("postgres", func(t *testing.T) {
		newYearStory(t, b, webtest.Screen{Width: 390, Height: 844}, connecticut, onPostgres(t)...).run(ahead)
	})
}

// yearPlan is what is agreed and done in a story.
type yearPlan struct {
	state              string
	midMonth           bool // it begins on the 15th, not on the 1st
	months             int  // of the first lease
	rent, deposit      int
	dueDay, once       int
	late               yearLate
	lateFee, frequency string

	renewedRent, renewedDeposit int
	renewedMonths, renewedDays  int
	owes                        bool // the last rent is never paid
}

// yearStory is a tenancy in the test portfolio of the demo.
type yearStory struct {
	*lawOffice
	yearPlan
	landlord, renter *browserUser
	tenants          []string
	place            map[string]any
	ceremony         *ceremonyOfLease
	leases           []*yearLease
	paidLate         map[string]int // of the late fees, by the day on which each is due
	rowIDs           map[string]string
	path             string // path of the tenant's
	over             bool   // the tenants have moved out
	returned         bool   // the deposit has gone back
	calls            int
}

func newYearStory(
	t *testing.T, b *webtest.Browser, screen webtest.Screen, plan yearPlan, env ...string,
) *yearStory {
	t.Helper()
	s := newUnseenStory(t, plan, env...)
	s.landlord = &browserUser{Window: b.Window(t), at: "http://" + s.address, screen: screen}
	s.renter = &browserUser{Window: b.Window(t), at: "http://" + s.address, screen: screen}
	return s
}

// newUnseenStory is a story that nobody looks at in a browser.
func newUnseenStory(t *testing.T, plan yearPlan, env ...string) *yearStory {
	t.Helper()
	server := startHTTP(t, env...)
	dbtest.Exec(t, server.product.DB, "UPDATE portfolios SET rent_notices = 1 WHERE mode = 'test'")
	jar, err := cookiejar.New(nil)
	orFail(t, err)
	s := &yearStory{
		lawOffice: &lawOffice{T: t, httpServer: server, browser: &http.Client{Jar: jar}},
		yearPlan:  plan,
		paidLate:  map[string]int{},
		rowIDs:    map[string]string{},
	}
	at := "http://" + server.address
	in := url.Values{"token": {s.token("/sign-in")}, "email": {demoLandlord}, "password": {server.demo.Password}}
	if _, to := s.form("/sign-in", in); to == "/sign-in" {
		t.Fatal("the landlord cannot sign in")
	}
	s.ceremony = &ceremonyOfLease{
		service: &service{process: &process{}, home: server.home, vars: map[string]string{"PORTAL_URL": at}},
		product: server.product,
	}
	return s
}

func (s *yearStory) run(ahead int) {
	s.Helper()
	s.advance(s.today().AddDate(0, 0, ahead))
	s.movesIn()
	s.livesThere()
	s.movesOut()
	s.isSettled()
	s.noErrors(s.T)
}

// with asks the API with the test key.
func (s *yearStory) with(method, path string, body map[string]any) map[string]any {
	s.Helper()
	s.calls++
	headers := http.Header{"Authorization": {"Bearer " + s.demo.TestKey}}
	text := ""
	if body != nil {
		b, err := json.Marshal(body)
		orFail(s.T, err)
		text = string(b)
		headers.Set("Content-Type", "application/json")
	}
	a := s.send(s.T, method, rest.Base+path, text, headers)
	if a.StatusCode >= http.StatusBadRequest {
		s.Fatalf("%s %s: %d %s", method, path, a.StatusCode, a.body)
	}
	return s.object([]byte(a.body))
}

// today is the day of the test clock.
func (s *yearStory) today() time.Time {
	s.Helper()
	day, err := time.Parse(time.DateOnly,
		s.with(http.MethodGet, "/me", nil)["test_clock"].(map[string]any)["today"].(string))
	orFail(s.T, err)
	return day
}

// advance has the test clock go to a day, unless it is that day already.
func (s *yearStory) advance(to time.Time) {
	s.Helper()
	if !to.After(s.today()) {
		return
	}
	s.with(http.MethodPost, "/test_helpers/clock", map[string]any{"advance_to": to.Format(time.DateOnly)})
	eventually(s.T, "the clock is ready", func() bool {
		return dbtest.Texts(s.T, s.product.DB,
			"SELECT count(*) || '' FROM portfolios WHERE advance_to IS NOT NULL")[0] == "0"
	})
	if today := s.today(); today.Before(to) {
		s.Fatalf("the clock stands at %s, want %s", today, to)
	}
}

// generates has a lease generated and signed by all.
func (s *yearStory) generates(l *yearLease, more map[string]any) {
	s.Helper()
	ask := map[string]any{
		"tenant_id":             s.tenants[0],
		"additional_tenant_ids": s.tenants[1:],
		"start_date":            l.start.Format(time.DateOnly),
		"end_date":              l.end.Format(time.DateOnly),
		"monthly_rent":          inDollars(l.rent),
		"security_deposit":      inDollars(l.deposit),
		"rent_due_day":          l.dueDay,
		"late_fee_amount":       json.Number(s.lateFee),
		"late_fee_frequency":    s.frequency,
		"late_fee_grace_days":   s.late.grace,
		"lead_paint":            map[string]any{"hazards": "none", "records": "none"},
	}
	maps.Copy(ask, s.place)
	maps.Copy(ask, more)
	made := s.with(http.MethodPost, "/leases/generate", ask)
	l.id = made["id"].(string)
	s.signs(made)
}

// inDollars is an amount as JSON has it.
func inDollars(amount int) json.Number {
	return json.Number(fmt.Sprintf("%d.%02d", amount/100, amount%100))
}

// signs has both tenants and the landlord sign a lease by their links.
func (s *yearStory) signs(lease map[string]any) {
	s.Helper()
	text, err := json.Marshal(lease)
	orFail(s.T, err)
	s.ceremony.signers = nil
	s.ceremony.read(s.T, string(text))
	s.ceremony.finish(s.T, reviews-1, 0)
	if now := s.with(http.MethodGet, "/leases/"+lease["id"].(string), nil); now["status"] != "signed" {
		s.Fatalf("signed by all the lease is %v", now["status"])
	}
}

// isSigned has the first lease of the story made and signed by all.
func (s *yearStory) isSigned() *yearLease {
	s.Helper()
	s.with(http.MethodPatch, "/lease_details", map[string]any{
		"address": "9 Pine Street, Austin, TX 78701", "signer": "Dana Whitfield",
	})
	home := s.with(http.MethodPost, "/properties", map[string]any{
		"street_address": "7 Quay Street", "city": "Springfield", "state": s.state, "year_built": 1960,
		"unit": map[string]any{"unit_number": "A", "market_rent": inDollars(s.rent)},
	})
	unit := home["units"].([]any)[0].(map[string]any)["id"]
	s.place = map[string]any{"property_id": home["id"], "unit_id": unit}
	for _, name := range []string{"Noor", "Greta"} {
		s.tenants = append(s.tenants, s.with(http.MethodPost, "/test_helpers/tenants", map[string]any{
			"unit_id": unit, "first_name": name, "last_name": "Haddad", "email": strings.ToLower(name) + "@example.com",
		})["id"].(string))
	}
	start := date(s.today().Year(), s.today().Month()+1, 1)
	if start.Sub(s.today()) < 10*24*time.Hour {
		start = date(start.Year(), start.Month()+1, 1)
	}
	if s.midMonth {
		start = start.AddDate(0, 0, 14)
	}
	first := &yearLease{
		start: start, end: start.AddDate(0, s.months, -1),
		rent: s.rent, deposit: s.deposit, dueDay: s.dueDay, once: s.once,
	}
	more := map[string]any{}
	if s.once > 0 {
		more["fees"] = []any{map[string]any{"name": "Cleaning", "amount": inDollars(s.once), "frequency": "once"}}
	}
	s.leases = append(s.leases, first)
	first.charge(0)
	s.generates(first, more)
	return first
}

// movesIn has the lease made and signed, pays what is due at move-in, and lets its first day come.
func (s *yearStory) movesIn() {
	s.Helper()
	first := s.isSigned()
	s.compare("signed")
	s.unlocks()
	s.looks("signed")
	if s.owes { // the deposit is paid ahead
		s.pays(first.rows[0], s.today(), false)
	}
	s.advance(first.start.AddDate(0, 0, 1))
	s.compare("moved in")
	if status := s.with(http.MethodGet, "/leases/"+first.id, nil)["status"]; status != "active" {
		s.Errorf("after its first day the lease is %v", status)
	}
	for _, row := range first.rows {
		if row.atStart && row.recorded.IsZero() {
			s.pays(row, first.start, false)
		}
	}
	s.compare("paid what is due at move-in")
}

// livesThere pays the rent of each month: on time but for two, and one within the grace, as is known later. In the
// middle the lease is renewed.
func (s *yearStory) livesThere() {
	s.Helper()
	first := s.leases[0]
	month := 0
	for n := 0; n < len(s.leases); n++ {
		l := s.leases[n]
		for _, row := range l.rows {
			if !row.recorded.IsZero() {
				continue
			}
			month++
			switch {
			case row.due.AddDate(0, 1, 20).After(first.end) && len(s.leases) == 1:
				s.renews()
			case s.owes && n == 1 && row == l.rows[len(l.rows)-1]:
				return
			}
			grace := row.due.AddDate(0, 0, s.late.grace)
			switch month {
			case 2, 5: // late
				s.advance(grace.AddDate(0, 0, 13))
				s.compare("late")
				if month == 2 {
					s.looks("late")
				}
				s.pays(row, s.today(), month == 2)
				s.paysLateFee(l, row)
				s.compare("paid late")
			case 3: // within the grace, as the landlord records after it
				s.advance(grace.AddDate(0, 0, 4))
				s.compare("not recorded yet")
				s.pays(row, row.due.AddDate(0, 0, 1), false)
				s.compare("recorded for a day of the grace")
			default:
				s.advance(row.due.AddDate(0, 0, 1))
				s.pays(row, row.due, false)
				s.compare("paid on time")
			}
		}
	}
}

// renews has the lease renewed at a higher rent.
func (s *yearStory) renews() {
	s.Helper()
	first := s.leases[0]
	start := first.end.AddDate(0, 0, 1)
	next := &yearLease{
		start: start, end: date(start.Year(), start.Month()+time.Month(s.renewedMonths), s.renewedDays),
		rent: s.renewedRent, deposit: s.renewedDeposit, dueDay: s.dueDay,
	}
	next.charge(s.deposit)
	s.generates(next, map[string]any{"renews_lease_id": first.id})
	s.leases = append(s.leases, next)
	s.compare("renewed")
}

// row is a row of the ledger, by its kind and the day on which it is due.
func (s *yearStory) row(lease, kind string, due time.Time, amount int) map[string]any {
	s.Helper()
	for _, each := range s.rows(lease) {
		if each["type"] == kind && each["due_date"] == due.Format(time.DateOnly) &&
			int(cents(each["amount"])) == amount &&
			each["status"] != "void" {
			return each
		}
	}
	s.Fatalf("no %s of %d is due on %s", kind, amount, due.Format(time.DateOnly))
	return nil
}

// rows are those of a lease.
func (s *yearStory) rows(lease string) (all []map[string]any) {
	s.Helper()
	for _, each := range s.with(http.MethodGet, "/payments?limit=100&lease_id="+lease, nil)["data"].([]any) {
		all = append(all, each.(map[string]any))
	}
	return all
}

// pays records the payment of a row that came on a day.
func (s *yearStory) pays(row *yearRow, on time.Time, browser bool) {
	s.Helper()
	for _, l := range s.leases {
		if slices.Contains(l.rows, row) {
			s.records(s.row(l.id, row.kind, row.due, row.amount), on, browser)
		}
	}
	row.paid, row.recorded, row.came = row.amount, s.today(), on
}

// paysLateFee records the payment of the late fee for a row.
func (s *yearStory) paysLateFee(l *yearLease, row *yearRow) {
	s.Helper()
	fee := s.late.lateRow(row, s.today())
	s.records(s.row(l.id, "fee", fee.due, fee.amount), s.today(), false)
	s.paidLate[fee.due.Format(time.DateOnly)] = fee.amount
}

// hiddenFields are what a form sends that nobody fills in.
var hiddenFields = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`)

// submits sends a form of the landlord with what is filled in.
func (s *yearStory) submits(path string, fill url.Values) (page, at string) {
	s.Helper()
	body, _ := s.page(http.MethodGet, path, nil)
	values := url.Values{}
	for _, field := range hiddenFields.FindAllStringSubmatch(between(body, "<main", "</main>"), -1) {
		values.Set(field[1], html.UnescapeString(field[2]))
	}
	maps.Copy(values, fill)
	return s.form(path, values)
}

// records records money that came by hand, in the browser or by the form alone.
func (s *yearStory) records(row map[string]any, on time.Time, browser bool) {
	s.Helper()
	at := "/test/ledger/" + row["id"].(string)
	if !browser {
		_, to := s.submits(at+"/record", url.Values{
			"amount": {inDollars(int(cents(row["balance_due"]))).String()}, "method": {"check"}, "reference": {"1042"},
			"paid_on": {on.Format(time.DateOnly)},
		})
		if to != at {
			s.Fatalf("a payment leads to %s", to)
		}
		return
	}
	d := s.landlord
	s.signsIn()
	d.visit(at + "/record")
	d.Check("record a payment")
	d.tick("method", "check")
	d.Do(fmt.Sprintf(`document.querySelector("main [name=paid_on]").value = %q`, on.Format(time.DateOnly)))
	d.goes("main form.form button[type=submit]", at)
	d.sees("recorded.")
	d.Check("a charge that is paid")
}

// signsIn signs the landlord in, once.
func (s *yearStory) signsIn() {
	s.Helper()
	d := s.landlord
	if d.visit("/test/overview"); !strings.HasPrefix(d.Path(), "/sign-in") {
		return
	}
	d.visit("/sign-in")
	d.write("email", demoLandlord)
	d.write("password", s.demo.Password)
	d.goes("main form button[type=submit]", "/")
}

// movesOut lets the last day pass, and has the deposit returned less two deductions.
func (s *yearStory) movesOut() {
	s.Helper()
	l := s.leases[1]
	s.with(http.MethodPatch, "/leases/"+l.id, map[string]any{"move_out_date": l.end.Format(time.DateOnly)})
	s.advance(l.end.AddDate(0, 0, 20))
	s.over = true
	s.compare("moved out")
	s.looks("moved out")
}

// deductions are what is taken out of the deposit.
var deductions = []struct {
	text   string
	amount int
}{{"Carpet cleaning", 180_00}, {"Broken blind", 64_50}}

// isSettled has the deposit returned less two deductions and what is owed, and everybody read the same of it.
func (s *yearStory) isSettled() {
	s.Helper()
	l, d := s.leases[1], s.landlord
	charged, held, owed := 0, 0, 0
	for _, l := range s.leases {
		for _, x := range l.lines(s.late, s.paidLate, s.today()) {
			if x.kind == "deposit" {
				held += x.paid
			} else if x.status != "void" {
				charged, owed = charged+x.amount, owed+x.amount-x.paid
			}
		}
	}
	if (owed > 0) != s.owes {
		s.Errorf("%d is owed in the end", owed)
	}
	at := "/test/leases/" + l.id
	d.visit(at)
	d.goes(fmt.Sprintf("main a[href=%q]", at+"/deposit"), at+"/deposit")
	back := held - owed
	for i, taken := range deductions {
		d.write(fmt.Sprintf("deductions.%d.text", i), taken.text)
		d.write(fmt.Sprintf("deductions.%d.amount", i), inDollars(taken.amount).String())
		back, charged = back-taken.amount, charged+taken.amount
	}
	d.tick("method", "check")
	d.write("reference", "1043")
	d.Check("return the deposit")
	d.goes("main form.form button[type=submit]:not([formaction])", at)
	d.sees(dollars(back) + " went back.")
	for _, l := range s.leases {
		for _, row := range l.rows {
			row.paid = row.amount
			if fee := s.late.lateRow(row, s.today()); fee != nil && fee.status != "void" {
				s.paidLate[fee.due.Format(time.DateOnly)] = fee.amount
			}
		}
	}
	s.returned = true
	s.settledRows(charged, back)
	s.statements(held, owed, back)
	s.looks("settled")
	s.advance(s.today().AddDate(0, 0, 2))
	s.isEmailed()
}

// settledRows holds all rows of both leases against what was charged in all: nothing is left of any.
func (s *yearStory) settledRows(charged, back int) {
	s.Helper()
	var wrong differences
	deposit, kept, others, refunded := 0, 0, 0, 0
	for _, l := range s.leases {
		shown := s.with(http.MethodGet, "/leases/"+l.id, nil)
		wrong.same("the balance in the end", int(cents(shown["balance_due"])), 0)
		kept += int(cents(shown["deposit_held"]))
		for _, row := range s.rows(l.id) {
			amount := int(cents(row["amount"]))
			if row["status"] == "void" {
				continue
			}
			wrong.same(fmt.Sprint("paid of ", row["description"]), int(cents(row["amount_paid"])), amount)
			if row["type"] == "deposit" {
				deposit += amount
			} else {
				others += amount
			}
			whole := s.with(http.MethodGet, "/payments/"+row["id"].(string), nil)
			for _, each := range whole["transactions"].([]any) {
				if moved := each.(map[string]any); moved["kind"] == "refund" {
					refunded += int(cents(moved["amount"]))
				}
			}
		}
	}
	wrong.same("the rows of the deposit", deposit, 0)
	wrong.same("the deposit that is held", kept, 0)
	wrong.same("all charges", others, charged)
	wrong.same("the refund", refunded, -back)
	for _, w := range wrong {
		s.Error(w)
	}
}

// statements are the deposit as its statement has it: on the page of the lease, as a PDF of the landlord and of the
// tenant, and in the email.
func (s *yearStory) statements(held, owed, back int) {
	s.Helper()
	want := []string{dollars(held), dollars(back), dollars(deductions[0].amount), dollars(deductions[1].amount)}
	at := "/test/leases/" + s.leases[1].id
	texts := map[string]string{"page": s.landlord.Text("main")}
	file, _ := s.page(http.MethodGet, at+"/deposit.pdf", nil)
	texts["PDF"] = documenttest.Tool(s.T, []byte(file), "pdftotext", "-layout", "FILE", "-")
	s.renter.visit(s.path + "/lease?lang=en")
	link := webtest.Value[string](
		s.renter.Window,
		`document.querySelector("main a[href*=deposit]").getAttribute("href")`,
	)
	file, _ = s.page(http.MethodGet, link, nil)
	texts["PDF of the tenant"] = documenttest.Tool(s.T, []byte(file), "pdftotext", "-layout", "FILE", "-")
	emails := s.kept("%eposit%")
	if len(emails) == 0 {
		s.Fatal("no email has the statement of the deposit")
	}
	texts["email"] = emails[len(emails)-1]
	for where, text := range texts {
		amounts := countAmounts(text)
		for i, amount := range want {
			if where == "email" && i > 1 {
				continue
			}
			if amounts[amount] == 0 {
				s.Errorf("the %s does not have %s: %s", where, amount, text)
			}
		}
		for _, taken := range deductions {
			if where != "email" && !strings.Contains(text, taken.text) {
				s.Errorf("the %s does not name %q", where, taken.text)
			}
		}
	}
	if taken := dollars(held - back); !strings.Contains(texts["email"], "owed: "+taken) {
		s.Errorf("the email does not have %s as taken, of which %s was owed: %s", taken, dollars(owed), texts["email"])
	}
}

// told are the items of emails about rent.
var told = map[string]*regexp.Regexp{
	"due soon":  regexp.MustCompile(`(?m)^- (\S+) for .* is due in 5 days, on (.*)\.$`),
	"due today": regexp.MustCompile(`(?m)^- (\S+) for .* is due today, (.*)\.$`),
	"received":  regexp.MustCompile(`(?m)^- (\S+) for .* was received on (.*)\.$`),
	"late fee":  regexp.MustCompile(`(?m)^- A late fee of (\S+) was charged \(.*\)\. It is due on (.*)\.$`),
}

// isEmailed holds what the tenant was told of rent in all emails against what there was to tell: each thing once. At
// which hour of its day an email leaves does not matter for that.
func (s *yearStory) isEmailed() {
	s.Helper()
	var got, want []string
	emails := s.kept("%")
	for _, email := range emails {
		english, _, _ := strings.Cut(email, "\n---\n")
		for what, pattern := range told {
			for _, found := range pattern.FindAllStringSubmatch(english, -1) {
				got = append(got, what+" "+found[1]+" "+found[2])
			}
		}
	}
	tell := func(what string, amount int, day time.Time) {
		want = append(want, what+" "+dollars(amount)+" "+day.Format("January 2, 2006"))
	}
	for _, l := range s.leases {
		for _, r := range l.rows {
			for what, days := range map[string]int{"due soon": -5, "due today": 0} {
				if day := r.due.AddDate(0, 0, days); r.recorded.IsZero() || !r.recorded.Before(day) {
					tell(what, r.amount, r.due)
				}
			}
			if !r.recorded.IsZero() {
				tell("received", r.amount, r.came)
			}
			fee := s.late.lateRow(r, s.today())
			if fee == nil {
				continue
			}
			tell("late fee", s.late.fee(r.amount, 1), fee.due)
			if fee.status != "void" && !r.recorded.IsZero() {
				tell("received", fee.amount, r.came)
			}
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		s.Errorf("the emails tell\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	id := dbtest.Texts(s.T, s.product.DB,
		"SELECT max(id) FROM mails WHERE recipient = $1 AND subject LIKE '%received%'", renterEmail)[0]
	if text := s.reads(s.landlord, "an email that is kept", "/test/mail/"+id); !strings.Contains(text, "received on") {
		s.Errorf("the page of an email says %s", text)
	}
}

// kept are the texts of the emails to the first tenant with a kind of subject, the oldest first.
func (s *yearStory) kept(subject string) []string {
	s.Helper()
	return s.keptFor(renterEmail, subject)
}

// keptFor are those to an address.
func (s *yearStory) keptFor(email, subject string) (all []string) {
	s.Helper()
	for _, id := range dbtest.Texts(s.T, s.product.DB,
		"SELECT id FROM mails WHERE recipient = $1 AND subject LIKE $2 ORDER BY id", email, subject) {
		m, err := s.product.Mail.Mail(s.Context(), id)
		orFail(s.T, err)
		all = append(all, m.Content.Text)
	}
	return all
}

// renterEmail is the address of the tenant whose page is looked at.
const renterEmail = "noor@example.com"

var tenantPath = regexp.MustCompile(`/tenant/[\w-]+`)

// unlocks has the landlord send the link of the tenant's page, and the tenant see amounts there with a code.
func (s *yearStory) unlocks() {
	s.Helper()
	at := "/test/tenants/" + s.tenants[0]
	s.form(at+"/link/send", url.Values{"token": {s.token(at)}})
	for _, m := range s.kept("%") {
		if found := tenantPath.FindString(m); found != "" {
			s.path = found
		}
	}
	if s.path == "" {
		s.Fatal("no email has the link of the tenant's page")
	}
	before := len(s.kept("%"))
	s.form(s.path+"/code?lang=en", url.Values{})
	var code string
	eventually(s.T, "the code is there", func() bool {
		if emails := s.kept("%"); len(emails) > before {
			code = codeOfMail.FindString(emails[len(emails)-1])
		}
		return code != ""
	})
	s.form(s.path+"/unlock?lang=en", url.Values{"code": {code}})
	here, err := url.Parse(s.renter.at + s.path + "/unlock")
	orFail(s.T, err)
	s.renter.visit(s.path)
	for _, cookie := range s.browser.Jar.Cookies(here) {
		s.renter.Cookie(s.renter.at, cookie.Name, cookie.Value)
	}
	s.renter.visit(s.path + "?lang=en")
	s.renter.sees("Balance due")
}

// differences are what is not as it must be.
type differences []string

func (d *differences) same(where string, got, want any) {
	if fmt.Sprint(got) != fmt.Sprint(want) {
		*d = append(*d, fmt.Sprintf("%s: %v, want %v", where, got, want))
	}
}

// compare holds what programs read against what the leases come to. Where a day has begun meanwhile, it looks again.
func (s *yearStory) compare(when string) {
	s.Helper()
	for range 5 {
		today := s.today()
		if wrong := s.programs(today); s.today().Equal(today) {
			for _, w := range wrong {
				s.Errorf("%s, on %s: %s", when, today.Format(time.DateOnly), w)
			}
			if s.Failed() {
				s.FailNow()
			}
			return
		}
	}
	s.Fatalf("%s: the days do not stop", when)
}

// programs are the differences in REST and in the tools.
func (s *yearStory) programs(today time.Time) (wrong differences) {
	s.Helper()
	inTool, total := map[string]int{}, 0
	for ask, more := map[string]any{"limit": 100}, true; more; {
		balances := s.tool("get_rent_balances", ask)
		for _, b := range balances["data"].([]any) {
			b := b.(map[string]any)
			inTool[b["lease_id"].(string)] = int(cents(b["balance_due"]))
			total += int(cents(b["balance_due"]))
		}
		if ask["starting_after"], more = balances["next_cursor"].(string); !more {
			wrong.same("get_rent_balances in all", int(cents(balances["total_due"])), total)
		}
	}
	for n, l := range s.leases {
		want := l.lines(s.late, s.paidLate, today)
		is := sums(want, today)
		name := fmt.Sprint("lease ", n+1)
		shown := s.with(http.MethodGet, "/leases/"+l.id, nil)
		wrong.same(name+" owes", int(cents(shown["balance_due"])), is.owed)
		wrong.same(name+" has as deposit", int(cents(shown["deposit_held"])), s.held(l, today))
		wrong.same(name+" in get_rent_balances", inTool[l.id], is.rent)
		var got []string
		for _, p := range s.rows(l.id) {
			got = append(got, fmt.Sprintf("%s due %s: %d, paid %d, %s", p["type"], p["due_date"], cents(p["amount"]),
				cents(p["amount_paid"]), p["status"]))
		}
		for _, x := range want {
			at := slices.Index(got, x.text)
			if at >= 0 {
				got = slices.Delete(got, at, at+1)
			} else if x.must {
				wrong = append(wrong, name+" lacks "+x.text+" beside "+strings.Join(got, "; "))
			}
		}
		if len(got) > 0 {
			wrong = append(wrong, name+" has besides "+strings.Join(got, "; "))
		}
	}
	return wrong
}

// tool is the record that a tool answers with to the test key.
func (s *yearStory) tool(name string, arguments map[string]any) map[string]any {
	s.Helper()
	call, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{"name": name, "arguments": arguments},
	})
	orFail(s.T, err)
	a := s.send(s.T, http.MethodPost, mcp.Path, string(call), http.Header{
		"Authorization": {"Bearer " + s.demo.TestKey}, "Content-Type": {"application/json"},
	})
	result, is := s.object([]byte(a.body))["result"].(map[string]any)
	if !is {
		s.Fatalf("%s: %s", name, a.body)
	}
	return result["structuredContent"].(map[string]any)
}

// looks has the landlord and a tenant look at their pages, and holds what they read against what the leases come to.
func (s *yearStory) looks(when string) {
	s.Helper()
	for range 5 {
		today := s.today()
		if wrong := s.pages(when, today); s.today().Equal(today) {
			for _, w := range wrong {
				s.Errorf("%s, on %s: %s", when, today.Format(time.DateOnly), w)
			}
			return
		}
	}
	s.Fatalf("%s: the days do not stop", when)
}

// pages are the differences on pages. All leases but the last are looked at where the story ends.
func (s *yearStory) pages(when string, today time.Time) (wrong differences) {
	s.Helper()
	s.signsIn()
	var all []yearLine
	var ours yearSums
	owed := 0
	for n, l := range s.leases {
		lines := l.lines(s.late, s.paidLate, today)
		is := sums(lines, today)
		all = append(all, lines...)
		ours.inMonth, ours.paid = ours.inMonth+is.inMonth, ours.paid+is.paid
		owed += max(is.owed, 0) + is.deposit
		if n == len(s.leases)-1 || s.over {
			s.leasePages(&wrong, when, l, lines, today)
		}
	}
	wanted, paid := s.collected(today, ours)
	page := between(s.reads(s.landlord, when+": overview", "/test/overview"), "Rent collected", "</a>")
	wrong.same("the rent of the month in the overview", lastAmount(page), dollars(wanted))
	whole, _, _ := strings.Cut(dollars(paid), ".")
	wrong.same("what is collected of it", between(page, "<b>", "</b>"), whole)
	s.tenantPages(&wrong, when, all, owed, today)
	return wrong
}

// reads is what a page says that somebody looks at, which is one that everybody can use.
func (s *yearStory) reads(u *browserUser, where, path string) string {
	s.Helper()
	u.visit(path)
	if u == s.renter { // as high as the page, so that the bar at the bottom hides nothing of it
		as := u.screen
		as.Height = webtest.Value[int64](u.Window, "document.documentElement.scrollHeight")
		u.Show(as)
	}
	u.CheckInTurn(where)
	u.Keep("year-" + s.state + "-" + strings.ReplaceAll(where, " ", "-"))
	u.Show(u.screen)
	return webtest.Value[string](u.Window, "document.querySelector('main').outerHTML")
}

// held is what is held of the deposit under a lease on a day: its own, and that of leases that it renews once it has
// begun. It moves on once the lease that renews it has begun, too.
func (s *yearStory) held(of *yearLease, today time.Time) (held int) {
	if s.returned {
		return 0
	}
	for n, l := range s.leases {
		held += sums(l.lines(s.late, s.paidLate, today), today).held
		if l != of {
			if n+1 == len(s.leases) || s.leases[n+1].start.After(today) {
				held = 0
			}
			continue
		}
		if n+1 < len(s.leases) && !s.leases[n+1].start.After(today) {
			return 0
		}
		return held
	}
	return 0
}

// leasePages holds the page of a lease, and the ledger of it alone, against its rows.
func (s *yearStory) leasePages(wrong *differences, when string, l *yearLease, lines []yearLine, today time.Time) {
	s.Helper()
	is := sums(lines, today)
	page := s.reads(s.landlord, when+": lease", "/test/leases/"+l.id)
	if foot := between(page, "Balance today", "</tr>"); foot != "" || is.owed != 0 {
		wrong.same("the page of the lease", lastAmount(foot), dollars(is.owed))
	}
	held := between(page, "Held today", "</tr>")
	if is := s.held(l, today); held != "" || is != 0 {
		wrong.same("the deposit on the page of the lease", lastAmount(held), dollars(is))
	}
	page = s.reads(s.landlord, when+": ledger", "/test/ledger?lease_id="+l.id)
	have := countAmounts(page)
	for _, x := range lines {
		if x.must && have[dollars(x.amount)] == 0 {
			*wrong = append(*wrong, "the ledger does not have "+x.text)
		}
		have[dollars(x.amount)]--
	}
	if !s.returned {
		s.exports(wrong, l, lines)
	}
}

// exports holds the export of the ledger of a lease against its rows.
func (s *yearStory) exports(wrong *differences, l *yearLease, lines []yearLine) {
	s.Helper()
	file, _ := s.page(http.MethodGet, "/test/ledger.csv?lease_id="+l.id, nil)
	records, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(file, "\ufeff"))).ReadAll()
	orFail(s.T, err)
	var got []string
	at := map[string]int{}
	for i, name := range records[0] {
		at[name] = i
	}
	for _, r := range records[1:] {
		got = append(got, fmt.Sprintf("%s: %s, paid %s, left %s",
			r[at["Due date"]], r[at["Amount"]], r[at["Paid"]], r[at["Balance"]]))
	}
	for _, x := range lines {
		left := x.amount - x.paid
		if x.status == "void" {
			left = 0
		}
		row := fmt.Sprintf("%s: %s, paid %s, left %s",
			x.due.Format(time.DateOnly), inDollars(x.amount), inDollars(x.paid), inDollars(left))
		if i := slices.Index(got, row); i >= 0 {
			got = slices.Delete(got, i, i+1)
		} else if x.must {
			*wrong = append(*wrong, "the export lacks "+row+" beside "+strings.Join(got, "; "))
		}
	}
	if len(got) > 0 {
		*wrong = append(*wrong, "the export has besides "+strings.Join(got, "; "))
	}
}

// tenantPages holds the pages of a tenant against the rows of all leases.
func (s *yearStory) tenantPages(wrong *differences, when string, all []yearLine, owed int, today time.Time) {
	s.Helper()
	page := s.reads(s.renter, when+": home of the tenant", s.path+"?lang=en")
	wrong.same("the balance on the tenant's page", lastAmount(between(page, `<p class="bal">`, "</p>")), dollars(owed))
	page = s.reads(s.renter, when+": payments of the tenant", s.path+"/payments?lang=en")
	wrong.same("the balance above the payments", lastAmount(between(page, `<p class="bal">`, "</p>")), dollars(owed))
	_, rows, _ := strings.Cut(page, `id="rows"`)
	have := countAmounts(rows)
	for _, x := range all {
		if x.due.After(today) {
			continue
		}
		if have[dollars(x.amount)]--; have[dollars(x.amount)] < 0 {
			*wrong = append(*wrong, "the tenant's payments do not have "+x.text)
		}
	}
	page = s.reads(s.renter, when+": lease of the tenant", s.path+"/lease?lang=en")
	have = countAmounts(page)
	for _, l := range s.leases {
		if have[dollars(l.rent)] == 0 || have[dollars(l.deposit)] == 0 {
			*wrong = append(*wrong, "the tenant's lease does not have "+dollars(l.rent)+" and "+dollars(l.deposit))
		}
	}
}

// countAmounts counts how often a page has each amount.
func countAmounts(page string) map[string]int {
	all := map[string]int{}
	for _, amount := range amountWords.FindAllString(page, -1) {
		all[amount]++
	}
	return all
}

// collected is the rent of the whole portfolio that is due in the month, and what of it is paid: ours as the test
// calculates it, and that of all others as REST has it.
func (s *yearStory) collected(today time.Time, ours yearSums) (wanted, paid int) {
	s.Helper()
	first := date(today.Year(), today.Month(), 1)
	query := fmt.Sprintf("/payments?limit=100&type=rent&due_after=%s&due_before=%s",
		first.AddDate(0, 0, -1).Format(time.DateOnly), first.AddDate(0, 1, 0).Format(time.DateOnly))
	for after, more := "", true; more; {
		list := s.with(http.MethodGet, query+after, nil)
		for _, each := range list["data"].([]any) {
			p := each.(map[string]any)
			mine := slices.ContainsFunc(s.leases, func(l *yearLease) bool { return l.id == p["lease_id"] })
			if !mine && p["status"] != "void" && p["status"] != "refunded" {
				wanted, paid = wanted+int(cents(p["amount"])), paid+int(cents(p["amount_paid"]))
			}
		}
		after, more = list["next_cursor"].(string)
		after = "&starting_after=" + after
	}
	return wanted + ours.inMonth, paid + ours.paid
}
