package main

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"portal/api/payment/simulated"
	"portal/db/dbtest"
	"portal/web/webtest"
)

// TestTenantPaysRentOnline is the story of rent that is paid online in a demo portfolio, on a phone where no script
// runs: a lease is signed and begins, the tenant pays a part of what is due by card and the rest from a bank account,
// in Spanish, which clears by the test clock; a later rent clears and is returned. Receivers are told of each payment
// of rent once. Not parallel: a browser leaves those little of the machine that are about time.
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
	p.Check(name)
	dark := light
	dark.Dark = true
	p.CheckColors(dark, name)
	p.Show(p.screen)
}
