package ledger_test

import (
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/db/dbtest"
	"portal/web/pagetest"
)

func TestCashIsRecordedOnce(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	r.Says(r.Get("/test/ledger"), 200, "No charges yet")
	if strings.Contains(r.Get("/test/ledger").Body.String(), "Export CSV") {
		t.Error("an empty list is exported")
	}
	at := "/test/ledger/" + y.Owes(l, "Rent for November 2026", portfolio.PaymentDue)
	for _, want := range []string{"Overdue $1,450.00", "Dana Rivera", "11 days late"} {
		r.Says(r.Get("/test/ledger"), 200, want)
	}
	form := pagetest.With(r.Shown(at+"/record"), "amount", "450", "method", "cash")
	if form.Get("amount") != "450" || form.Get("paid_on") != "2026-11-12" {
		t.Errorf("%v", form)
	}
	r.Leads(r.Post(at+"/record", at+"/record", form), at)
	r.Says(r.Get(at), 200, "$450.00 recorded. $450.00 of $1,450.00 has been paid. $1,000.00 is owed.")
	again := r.Post(at+"/record", at+"/record", form)
	r.Says(again, 409, "so nothing was saved. It may be the same payment. $450.00 of $1,450.00 has been paid")
	r.Says(
		r.Post(at+"/record", at+"/record", pagetest.With(form, "version", "")),
		409,
		"This form is out of date. Nothing was changed.",
	)
	for words, pairs := range map[string][]string{
		"Amount: Must be more than 0 and at most 1000.00": {"amount", "1000.01", "method", "check"},
		"Amount: Must be more than 0":                     {"amount", "0", "method", "check"},
		"Amount: This is required":                        {"amount", "", "method", "check"},
		"How it was paid: This is":                        {"amount", "1"},
		"How it was paid: Must be check":                  {"amount", "1", "method", "card"},
		"Paid on: Must be today":                          {"amount", "1", "method", "cash", "paid_on", "2026-11-13"},
		"Paid on: This is required":                       {"amount", "1", "method", "cash", "paid_on", ""},
		"Reference: Must have at most 127": {
			"amount",
			"1",
			"method",
			"cash",
			"reference",
			strings.Repeat("x", 128),
		},
	} {
		r.Says(r.Sends(at+"/record", pairs...), 400, words)
	}
	r.Leads(r.Sends(at+"/record", "method", "check", "reference", "check 1182", "paid_on", "2026-11-03"), at)
	for _, want := range []string{
		"$1,450.00 of $1,450.00 has been paid. $0.00 is owed.", "Paid", "Check", "check 1182", "Nov 12, 2026", // the day of the last part
	} {
		r.Says(r.Get(at), 200, want)
	}
	r.Leads(r.Get(at+"/record"), at)
	r.Leads(r.Get(at+"/void"), at)
	r.Says(r.Get("/test/events"), 200, "No events yet")
	s := y.Stranger()
	for _, path := range []string{"", "/record", "/void"} {
		s.Says(s.Get(at+path), 404, "")
		r.Says(r.Get("/live"+strings.TrimPrefix(at, "/test")+path), 404, "")
	}
	s.Says(s.Post(at+"/record", "/test/tickets/new", nil), 404, "")
}

func TestPaymentRecordedInErrorIsTakenBack(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	at := "/test/ledger/" + y.Owes(l, "Rent for November 2026", portfolio.PaymentDue)
	r.Leads(r.Get(at+"/correct"), at)
	r.Leads(r.Sends(at+"/record", "amount", "450", "method", "cash"), at)
	r.Leads(r.Sends(at+"/record", "amount", "1000", "method", "check", "reference", "1182"), at)
	r.Says(r.Get(at), 200, "Correct a payment…")
	r.Says(r.Get(at+"/correct"), 200, "Payment of $1,000.00, check, 1182, Nov 12, 2026")
	check := dbtest.Texts(t, y.DB, "SELECT id FROM payment_transactions WHERE method = 'check'")[0]
	r.Says(r.Sends(at+"/correct", "reason", "Wrong unit."), 400, "Payment: This is required")
	r.Says(r.Sends(at+"/correct", "transaction_id", check, "reason", " "), 400, "Reason: This is required")
	form := pagetest.With(r.Shown(at+"/correct"), "transaction_id", check, "reason", "Wrong unit.")
	r.Leads(r.Post(at+"/correct", at+"/correct", form), at)
	page := r.Get(at)
	r.Says(page, 200, "Payment taken back. $1,000.00 is owed.")
	r.Says(page, 200, "$1,000.00 taken back, check, 1182: Wrong unit.")
	r.Says(r.Post(at+"/correct", at+"/correct", form), 409, "Look at its history before you take a payment back.")
	s := y.Stranger()
	s.Says(s.Get(at+"/correct"), 404, "")
}

func TestPartOfChargeIsForgiven(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	at := "/test/ledger/" + y.Owes(l, "Rent for November 2026", portfolio.PaymentDue)
	r.Says(r.Get(at), 200, "Forgive a part…")
	r.Says(r.Sends(at+"/forgive", "amount", "1450", "reason", "All."), 400, "to forgive all of it, void the charge")
	r.Says(
		r.Sends(at+"/forgive", "amount", "1500", "reason", "More."),
		400,
		"Amount: Must be more than 0 and at most 1450.00",
	)
	r.Says(r.Sends(at+"/forgive", "amount", "50", "reason", " "), 400, "Reason: This is required")
	form := pagetest.With(r.Shown(at+"/forgive"), "amount", "50", "reason", "The heat was off.")
	r.Leads(r.Post(at+"/forgive", at+"/forgive", form), at)
	page := r.Get(at)
	r.Says(page, 200, "$50.00 forgiven. $1,400.00 is owed.")
	r.Says(page, 200, "Paid or forgiven")
	r.Says(page, 200, "$50.00 forgiven: The heat was off.")
	r.Says(r.Get("/test/ledger"), 200, "Forgiven: The heat was off.")
	r.Says(r.Get("/test/ledger"), 200, "−$50.00")
	reversal := r.Found(r.Get("/test/ledger?status=succeeded"), `href="(/test/ledger/pay_\w+)"`)
	r.Says(r.Get(reversal), 200, "Takes back a part of")
	r.Found(r.Get(reversal), `href="(`+at+`)"`)
	r.Says(r.Post(at+"/forgive", at+"/forgive", form), 409, "before you forgive a part of it")
	r.Leads(r.Sends(at+"/record", "amount", "1400", "method", "cash"), at)
	r.Leads(r.Get(at+"/forgive"), at)
	s := y.Stranger()
	s.Says(s.Get(at+"/forgive"), 404, "")
}

// TestBroadSearchShowsNoTotals: its counts and its total would be those of the newest tenants it has found.
func TestBroadSearchShowsNoTotals(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, old := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	oldest := y.Owes(old, "Rent", portfolio.PaymentDue)
	for range portfolio.MostNamed {
		y.Rent(portfolio.LeaseVoided, "Kim")
	}
	one := y.Rent(portfolio.LeaseVoided, "Kim")
	late, paid := y.Owes(one, "Rent", portfolio.PaymentDue), y.Owes(one, "Rent", portfolio.PaymentSucceeded)
	for search, shown := range map[string][]string{"kim": {late, paid}, "dana": {oldest}} {
		page := r.Get("/test/ledger?search=" + search)
		body, wide := page.Body.String(), search == "kim"
		at := -1
		for _, name := range shown {
			next := strings.Index(body, "/test/ledger/"+name)
			if next <= at {
				t.Errorf("%s: %s is missing, or before the one that is overdue", search, name)
			}
			at = next
		}
		if got := strings.Contains(body, `class="kpis`); got == wide {
			t.Errorf("%s: tiles: %v", search, got)
		}
		if !wide { // of what is found, not of the portfolio
			r.Says(page, 200, "Overdue $1,450.00 1 charge")
			if to := r.Found(
				page,
				`href="([^"]*overdue=true[^"]*)"`,
			); to != "/test/ledger?overdue=true&amp;search=dana" {
				t.Errorf("the tile leads to %s", to)
			}
		}
		for _, words := range []string{"Total of ", " of 1</", "Export CSV"} {
			if strings.Contains(body, words) == wide {
				t.Errorf("%s: %q is said: %v", search, words, !wide)
			}
		}
		if strings.Contains(body, "More than 100 tenants") != wide {
			t.Errorf("%s: too wide: %v", search, !wide)
		}
	}
}

// TestOverCountLimitOnlyPageIsTotaled: what some of them add up to is nobody's total. What is overdue is
// at least so much.
func TestOverCountLimitOnlyPageIsTotaled(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	for range list.Most {
		y.Owes(l, "Rent", portfolio.PaymentDue)
	}
	y.Owes(l, "Rent", portfolio.PaymentVoid)
	page := r.Get("/test/ledger")
	r.Says(page, 200, "Total of this page $36,250.00 $0.00 $36,250.00")
	r.Says(page, 200, "Overdue $1,450,000.00 1,000 charges")
	r.Says(r.Get("/test/ledger?status=due"), 200, "Total of 1,000 charges $1,450,000.00")
	y.Owes(l, "Rent", portfolio.PaymentDue)
	r.Says(r.Get("/test/ledger"), 200, "Overdue $1,451,450.00+ 1,000+ charges")
	r.Says(r.Get("/test/ledger?status=due"), 200, "Total of this page $36,250.00")
}

func TestLedgerIsFiltered(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	row := y.Owes(l, "Rent", portfolio.PaymentDue)
	for range 25 {
		y.Owes(l, "Rent", portfolio.PaymentSucceeded)
	}
	for filter, want := range map[string]int{
		"":                            25,
		"overdue=true":                1,
		"overdue=false":               25,
		"status=due":                  1,
		"type=fee":                    0,
		"method=cash":                 0,
		"lease_id=" + l.ID:            25,
		"lease_id=x":                  0,
		"tenant_id=" + l.TenantIDs[0]: 25,
		"unit_id=" + l.UnitID:         25,
		"property_id=" + l.PropertyID: 25,
		"due_after=2026-11-01":        0,
		"due_before=2026-11-02":       25,
		"due_before=x":                25,
		"sort=newest&after=" + row:    0,
		"after=" + row:                25, // the overdue one leads
		"search=RIVERA+dan":           25,
		"search=maple":                25,
		"search=maple&status=due":     1,
		"search=" + row:               1,
		"search=" + l.PropertyID:      25,
		"search=elsewhere":            0,
		"search=%2C":                  0,
	} {
		if got := strings.Count(
			r.Get("/test/ledger?"+filter).Body.String(),
			`<a class="long" href="/test/ledger/pay_`,
		); got != want {
			t.Errorf("%s lists %d, want %d", filter, got, want)
		}
	}
	r.Says(r.Get("/test/ledger?type=fee"), 200, "No charges match these filters")
	r.Says(r.Get("/test/ledger?lease_id="+l.ID), 200, "Lease 1420 Maple Avenue, Unit 2B")
	next := pagetest.Link(t, r.Get("/test/ledger"), "Next")
	if got := strings.Count(r.Get(next).Body.String(), `<a class="long" href="/test/ledger/pay_`); got != 1 {
		t.Errorf("the second page has %d", got)
	}
}

func TestFeeIsChargedOnceAndVoided(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	at := "/test/leases/" + l.ID + "/charge"
	form := pagetest.With(r.Shown(at), "charge", "late", "amount", "50", "description", "Late fee for October")
	made := r.Post(at, at, form)
	row := made.Header().Get("Location")
	r.Says(r.Get(row), 200, "$50.00 is charged.")
	r.Says(r.Get(row), 200, "Late fee for October")
	r.Says(r.Post(at, at, form), 409, "a new charge that may be this one")
	for words, pairs := range map[string][]string{
		"What is charged: This is required": {"charge", "", "amount", "1"},
		"Amount: Must be more than 0":       {"charge", "deposit", "amount", "0"},
		"Due on: This is required":          {"charge", "deposit", "amount", "1", "due_date", ""},
		"Description: Must have at most 255": {
			"charge",
			"deposit",
			"amount",
			"1",
			"description",
			strings.Repeat("x", 256),
		},
	} {
		r.Says(r.Sends(at, pairs...), 400, words)
	}
	r.Says(r.Sends(at, "charge", "rent", "amount", "1"), 400, "What is charged: Must be one of")
	deposit := r.Sends(at, "charge", "deposit", "amount", "1,450", "due_date", "2026-12-01").Header().Get("Location")
	r.Says(r.Get(deposit), 200, "Scheduled")
	r.Says(r.Get(row+"/void"), 200, "Void “Late fee for October”?")
	void := r.Shown(row + "/void")
	r.Leads(r.Sends(row+"/void"), row)
	r.Says(r.Get(row), 200, "Charge voided. Nobody owes it now.")
	r.Says(r.Post(row+"/void", deposit+"/void", void), 409, "Someone changed this")
	r.Leads(r.Get(row+"/record"), row)
	page, err := y.Books.Ledger.Payments(t.Context(), y.Actor(), portfolio.PaymentFilter{Query: list.Query{Limit: 50}})
	y.OK(err)
	if len(page.Data) != 2 {
		t.Errorf("%d rows", len(page.Data))
	}
}
