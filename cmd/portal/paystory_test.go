package main

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/clock"
	"portal/api/language"
	"portal/api/payment/simulated"
	"portal/db/dbtest"
	"portal/web/webtest"
)

// TestTenantPaysRentOnline is the story of rent that is paid online in a demo portfolio, on a phone where no script
// runs: a lease is signed and begins, the tenant pays a part of what is due by card and the rest from a bank account,
// in Spanish, which clears by the test clock; a later rent clears and is returned. Autopay pays the rents of two
// months, of which the owner refunds a part, until the tenant ends it. Receivers are told of each payment of rent
// once. Not parallel: a browser leaves those little of the machine that are about time.
func TestTenantPaysRentOnline(t *testing.T) {
	b := webtest.Open(t, webtest.Config{
		Program: os.Getenv("PORTAL_TEST_CHROMIUM"),
		Modules: os.Getenv("PORTAL_TEST_NODE_MODULES"),
		Shots:   os.Getenv("PORTAL_TEST_SHOTS"),
	})
	plan := yearPlan{
		state: "TX", months: 12, rent: 1450_00, deposit: 0, dueDay: 1,
		late: yearLate{grace: 5, fee: func(int, int) int { return 75_00 }}, lateFee: "75.00", frequency: "once",
	}
	t.Run("sqlite", func(t *testing.T) { newYearStory(t, b, tenantPhone, plan).paysOnline() })
	t.Run("postgres", func(t *testing.T) { newYearStory(t, b, tenantPhone, plan, onPostgres(t)...).paysOnline() })
}

func (s *yearStory) paysOnline() {
	s.Helper()
	first := s.isSigned()
	s.advance(first.start)
	s.unlocks()
	before := len(s.succeeded())
	p := s.renter

	p.visit(s.path + "/pay?lang=en")
	s.checks("pay-choose")
	p.write("amount", "450.00")
	p.goes("main form button[type=submit]", s.path+"/pay/pmt_")
	s.checks("pay-checkout")
	p.write("number", "4242 4242 4242 4242")
	p.goes("main form button.pri", s.path+"/pay/pmt_")
	p.sees("It has cleared.")
	s.checks("pay-cleared")
	s.rentIs(first, "partially_paid", 450_00)

	p.visit(s.path + "/pay?lang=es")
	p.goes("main form button[type=submit]", s.path+"/pay/pmt_")
	p.tick("method", "ach")
	p.write("number", "000123456789")
	p.goes("main form button.pri", s.path+"/pay/pmt_")
	p.sees("tres días hábiles")
	s.checks("pay-processing")
	s.rentIs(first, "processing", 450_00)
	s.advance(s.today().AddDate(0, 0, 6))
	s.rentIs(first, "succeeded", 1450_00)
	var amounts []string
	for _, e := range s.succeeded()[before:] {
		data := e["data"].(map[string]any)
		if data["object"].(map[string]any)["lease_id"] == first.id {
			amounts = append(amounts, fmt.Sprint(data["transaction"].(map[string]any)["amount"]))
		}
	}
	if got := strings.Join(amounts, " "); got != "450 1000" {
		s.Errorf("receivers are told of payments of %s, want 450 1000", got)
	}

	s.unlocks() // the first code was for 12 hours of real time, and the days of the clock do not end it
	p.visit(s.path + "/pay?lang=en")
	p.goes("main form button[type=submit]", s.path+"/pay/pmt_")
	p.tick("method", "ach")
	p.write("number", "000555555559")
	p.goes("main form button.pri", s.path+"/pay/pmt_")
	page, _, _ := strings.Cut(p.Path(), "?")
	s.advance(s.today().AddDate(0, 0, 40))
	p.visit(page + "?lang=en")
	p.sees("The bank returned the payment")
	s.checks("pay-returned")
	s.paysByAutopay(first)
	s.noErrors(s.T)
	kept := map[string]string{
		"the log":      s.log.String(),
		"the emails":   strings.Join(s.kept("%"), "\n"),
		"the database": fmt.Sprint(dbtest.Dump(s.T, s.product.DB, nil)),
	}
	for where, text := range kept {
		for _, n := range simulated.Numbers() {
			if strings.Contains(text, n.Number) || strings.Contains(text, "4242 4242") {
				s.Errorf("%s has the number %s", where, n.Number)
			}
		}
	}
}

// paysByAutopay has the tenant pay what is due, and have the rents of two months paid by autopay from a bank account.
func (s *yearStory) paysByAutopay(first *yearLease) {
	s.Helper()
	p, at := s.renter, s.path+"/autopay"
	p.visit(s.path + "/pay?lang=en")
	p.goes("main form button[type=submit]", s.path+"/pay/pmt_")
	p.write("number", "4242 4242 4242 4242")
	p.goes("main form button.pri", s.path+"/pay/pmt_")
	p.sees("It has cleared.")
	fees := s.fees(first.id) // the rent that was returned is paid late, and its late fee stays
	if len(fees) != 1 || fees[0].(map[string]any)["status"] != "succeeded" ||
		int(cents(fees[0].(map[string]any)["amount_paid"])) != 75_00 {
		s.Errorf("the fees are %v", fees)
	}

	p.visit(at + "?lang=es")
	s.checks("autopay-set-up")
	p.Click("main input[name=agree]")
	p.goes("main form button.pri", at+"/")
	s.checks("autopay-checkout")
	p.tick("method", "ach")
	p.write("number", "000123456789")
	p.goes("main form button.pri", at)
	p.sees("Activado")
	p.sees("Próximo pago")
	s.checks("autopay-on")

	before, told := len(s.succeeded()), len(s.kept("%paga%"))
	var rents []string
	day := date(s.today().Year(), s.today().Month()+1, s.dueDay)
	if day.Sub(s.today()) < 4*24*time.Hour {
		day = day.AddDate(0, 1, 0)
		s.advance(day.AddDate(0, -1, 1))
	}
	for n := range 2 {
		rent := s.row(first.id, "rent", day, s.rent)["id"].(string)
		rents = append(rents, rent)
		s.advance(day.AddDate(0, 0, -4))
		if n := len(s.kept("%paga%")) - told; n != 0 {
			s.Errorf("%d emails four days ahead", n)
		}
		s.advance(day.AddDate(0, 0, -3))
		emails := s.kept("%paga%")[told:]
		if len(emails) != 1 || !strings.Contains(emails[0], dollars(s.rent)) ||
			!strings.Contains(emails[0], language.Date(clock.DateOf(day, time.UTC))) {
			s.Errorf("three days ahead the tenant is told %q", emails)
		}
		told++
		if got := s.with(http.MethodGet, "/payments/"+rent, nil)["status"]; got != "scheduled" {
			s.Errorf("the rent of month %d is %v before its day", n, got)
		}
		s.advance(day)
		if got := s.with(http.MethodGet, "/payments/"+rent, nil)["status"]; got != "processing" {
			s.Errorf("the rent of month %d is %v on its day", n, got)
		}
		s.advance(day.AddDate(0, 0, 6))
		if got := s.with(http.MethodGet, "/payments/"+rent, nil)["status"]; got != "succeeded" {
			s.Errorf("the rent of month %d is %v six days after its day", n, got)
		}
		day = day.AddDate(0, 1, 0)
	}
	var of []string
	for _, e := range s.succeeded()[before:] {
		of = append(of, e["data"].(map[string]any)["object"].(map[string]any)["id"].(string))
	}
	if !slices.Equal(of, rents) {
		s.Errorf("receivers are told of %v, want %v once each", of, rents)
	}
	s.refundsPart(rents[1])

	p.visit(at + "?lang=en")
	p.sees("At most each month")
	p.goes(`main form[action*="/end"] button`, at)
	p.sees("You ended it. Nothing more is paid automatically.")
	s.checks("autopay-ended")
	rent := s.row(first.id, "rent", day, s.rent)["id"].(string)
	s.advance(day.AddDate(0, 0, 1))
	if row := s.with(http.MethodGet, "/payments/"+rent, nil); row["status"] != "due" || cents(row["amount_paid"]) != 0 {
		s.Errorf("after autopay has ended a rent is %v with %v paid", row["status"], row["amount_paid"])
	}
	if n := len(s.kept("%paga%")); n != told {
		s.Errorf("%d emails after autopay has ended", n-told)
	}
}

// refundsPart has the owner refund a part of a rent.
func (s *yearStory) refundsPart(rent string) {
	s.Helper()
	row := s.with(http.MethodGet, "/payments/"+rent, nil)
	paid := ""
	for _, each := range row["transactions"].([]any) {
		if x := each.(map[string]any); x["kind"] == "payment" && x["status"] == "succeeded" {
			paid = x["id"].(string)
		}
	}
	at := "/test/ledger/" + rent
	_, to := s.submits(at+"/refund?transaction="+paid, url.Values{
		"transaction_id": {paid}, "amount": {"120.50"}, "reason": {"The heating was broken"},
	})
	row = s.with(http.MethodGet, "/payments/"+rent, nil)
	if to != at || int(cents(row["amount_paid"])) != s.rent-120_50 || row["status"] != "partially_paid" {
		s.Errorf("a refund leads to %s, and the rent is %v with %v paid", to, row["status"], row["amount_paid"])
	}
	if page, _ := s.page(http.MethodGet, at, nil); !strings.Contains(page, "$120.50: The heating was broken") {
		s.Error("the page of the rent does not show the refund")
	}
}

// TestOneOfFiftyPaymentsOfOneChargeIsMade has two tenants pay the same rent fifty times at once.
func TestOneOfFiftyPaymentsOfOneChargeIsMade(t *testing.T) {
	plan := yearPlan{
		state: "TX", months: 12, rent: 1450_00, deposit: 0, dueDay: 1,
		late: yearLate{grace: 5, fee: func(int, int) int { return 75_00 }}, lateFee: "75.00", frequency: "once",
	}
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		newUnseenStory(t, plan).paysFiftyTimes()
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		newUnseenStory(t, plan, onPostgres(t)...).paysFiftyTimes()
	})
}

func (s *yearStory) paysFiftyTimes() {
	s.Helper()
	first := s.isSigned()
	s.advance(first.start)
	rows := s.with(http.MethodGet, "/payments?type=rent&limit=100&lease_id="+first.id, nil)["data"].([]any)
	rent := rows[0].(map[string]any)["id"].(string)
	w := &stripeWorld{T: s.T, at: "http://" + s.address}
	var tenants []*stripeWorld
	for i, email := range []string{renterEmail, "greta@example.com"} {
		tenants = append(tenants, &stripeWorld{T: s.T, at: w.at, tenant: w.newBrowser(), path: s.mailedPath(i, email)})
		me := tenants[i]
		me.ask(me.tenant, http.MethodPost, me.path+"/code?lang=en", url.Values{})
		var code string
		eventually(s.T, "the code is there", func() bool {
			emails := s.keptFor(email, "Your code for your page%")
			for _, text := range emails {
				code = codeOfMail.FindString(text)
			}
			return code != ""
		})
		me.leads(me.ask(me.tenant, http.MethodPost, me.path+"/unlock?lang=en", url.Values{"code": {code}}), me.path)
	}
	before := len(s.succeeded())
	var waiting sync.WaitGroup
	isFine := func(what string, a rawAnswer) {
		if !slices.Contains([]int{http.StatusSeeOther, http.StatusBadRequest, http.StatusConflict}, a.StatusCode) {
			s.Errorf("%s: %s", what, a.Status)
		}
	}
	for i := range 50 {
		me := tenants[i%2]
		waiting.Go(func() {
			a := me.ask(me.tenant, http.MethodPost, me.path+"/pay?lang=en", url.Values{"charges": {rent}})
			isFine("pay", a)
			if a.StatusCode == http.StatusSeeOther {
				checkout, _, _ := strings.Cut(a.Header.Get("Location"), "?")
				isFine("send", me.ask(me.tenant, http.MethodPost, checkout+"?lang=en", url.Values{
					"method": {"card"}, "number": {"4242 4242 4242 4242"},
				}))
			}
		})
	}
	waiting.Wait()
	row := s.with(http.MethodGet, "/payments/"+rent, nil)
	if row["status"] != "succeeded" || int(cents(row["amount_paid"])) != s.rent ||
		int(cents(row["balance_due"])) != 0 ||
		len(row["transactions"].([]any)) != 1 {
		s.Errorf("the rent is %v with %v paid, %v is left: %v", row["status"], row["amount_paid"], row["balance_due"],
			row["transactions"])
	}
	cleared := dbtest.Texts(s.T, s.product.DB,
		"SELECT id FROM payment_attempts WHERE lease_id = $1 AND status = 'succeeded'", first.id)
	if n := len(s.succeeded()) - before; n != 1 || len(cleared) != 1 {
		s.Errorf("%d events of %d payments", n, len(cleared))
	}
	if balance := s.with(http.MethodGet, "/leases/"+first.id, nil)["balance_due"]; int(cents(balance)) != 0 {
		s.Errorf("the balance is %v", balance)
	}
	if fees := s.fees(first.id); len(fees) != 0 {
		s.Errorf("there are fees and credits: %v", fees)
	}
	s.noErrors(s.T)
}

// fees are the rows of a lease that are no rent, such as a credit.
func (s *yearStory) fees(lease string) []any {
	s.Helper()
	return s.with(http.MethodGet, "/payments?type=fee&limit=100&lease_id="+lease, nil)["data"].([]any)
}

// mailedPath is the path of a tenant's page, which the landlord has sent to them.
func (s *yearStory) mailedPath(tenant int, email string) (path string) {
	s.Helper()
	at := "/test/tenants/" + s.tenants[tenant]
	s.form(at+"/link/send", url.Values{"token": {s.token(at)}})
	eventually(s.T, "the link is there", func() bool {
		for _, text := range s.keptFor(email, "%") {
			if found := tenantPath.FindString(text); found != "" {
				path = found
			}
		}
		return path != ""
	})
	return path
}

// succeeded are the events of rent that has cleared.
func (s *yearStory) succeeded() (all []map[string]any) {
	s.Helper()
	for _, e := range s.with(http.MethodGet, "/events?type=payment.succeeded&limit=100", nil)["data"].([]any) {
		all = append(all, e.(map[string]any))
	}
	return all
}

// rentIs checks the first rent of a lease.
func (s *yearStory) rentIs(l *yearLease, status string, paid int) {
	s.Helper()
	rows := s.with(http.MethodGet, "/payments?type=rent&limit=100&lease_id="+l.id, nil)["data"].([]any)
	row := rows[0].(map[string]any)
	if row["status"] != status || fmt.Sprint(row["amount_paid"]) != fmt.Sprint(float64(paid)/100) {
		s.Errorf("the rent is %v with %v paid, want %s with %d cents", row["status"], row["amount_paid"], status, paid)
	}
}

// checks looks at the page that is open: it breaks no rule of accessibility, and no colors of the dark theme do.
func (s *yearStory) checks(name string) {
	s.Helper()
	p := s.renter
	light := p.screen
	light.Plain = false // the checker is a script
	light.Height = webtest.Value[int64](p.Window, "document.documentElement.scrollHeight")
	p.Show(light)
	p.CheckBoth(light, name)
	p.Show(p.screen)
}
