package web_test

import (
	"fmt"
	"maps"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/demo"
	"portal/db/portfoliostore"
)

// rent adds a lease of the unit of the portfolio in test mode, to a tenant of a name, from the first
// of the year on, and is the lease.
func (y *webhookPages) rent(status portfolio.LeaseStatus, first string) *portfolio.Lease {
	y.Helper()
	u := y.home.Unit[access.Test]
	t := portfolio.Tenant{Record: y.record(id.Tenant, "tenant"), FirstName: first, LastName: "Rivera", Status: portfolio.TenantCurrent, PropertyID: &u.PropertyID, UnitID: &u.ID}
	l := portfolio.Lease{Record: y.record(id.Lease, "lease"), Status: status, PropertyID: u.PropertyID, UnitID: u.ID, RentalAddress: "1420 Maple Avenue, Unit 2B, Austin, TX 78701",
		LeaseType: portfolio.Fixed, StartDate: clock.Day(2026, 1, 1), EndDate: new(clock.Day(2026, 12, 31)), MonthlyRent: money.Dollars(1450), SecurityDeposit: money.Dollars(1450), RentDueDay: 1,
		TenantIDs: []string{t.ID}, Tenants: []portfolio.Party{{ID: t.ID, Role: portfolio.PartyPrimary}}}
	y.ok(portfoliostore.NewBooks(y.db).Add(y.Context(), y.home.Test, &portfolio.Book{Tenants: []portfolio.Tenant{t}, Leases: []portfolio.Lease{l}}))
	if status == portfolio.LeaseActive {
		u.CurrentLeaseID, u.Status = &l.ID, portfolio.UnitOccupied
		y.ok(portfoliostore.NewPlaces(y.db).SaveUnit(y.Context(), y.home.Test, &u))
	}
	return &l
}

func (y *webhookPages) record(prefix, object string) portfolio.Record {
	return portfolio.Record{ID: id.New(prefix, y.now), Object: object, Mode: access.Test, Version: 1, CreatedAt: clock.At(y.now), UpdatedAt: clock.At(y.now)}
}

// owes adds a row of rent to a lease, due on the first of the month of the tests.
func (y *webhookPages) owes(l *portfolio.Lease, what string, status portfolio.PaymentStatus) string {
	y.Helper()
	p := portfolio.Payment{Record: y.record(id.Payment, "payment"), LeaseID: l.ID, TenantID: l.TenantIDs[0], UnitID: l.UnitID, PropertyID: l.PropertyID, Type: portfolio.PaymentRent, Description: &what,
		Amount: money.Dollars(1450), Status: status, DueDate: clock.Day(2026, 11, 1), PeriodStart: new(clock.Day(2026, 11, 1)), PeriodEnd: new(clock.Day(2026, 11, 30))}
	y.ok(portfoliostore.NewPayments(y.db).AddPayment(y.Context(), y.home.Test, &p))
	return p.ID
}

// shown are the values of the fields of a page's forms, by name; those of hidden ones too.
func (r *reader) shown(path string) url.Values {
	r.Helper()
	page := r.get(path)
	if page.Code != 200 {
		r.Fatalf("%s: %d", path, page.Code)
	}
	return fieldsOf(parse(r.T, page.Body.String()))
}

// fieldsOf are the fields of the forms of a page with what they hold.
func fieldsOf(page *html.Node) url.Values {
	all := url.Values{}
	for n := range page.Descendants() {
		name := attr(n, "name")
		switch {
		case name == "" || name == "token" || name == "once":
		case n.Data == "input" && (attr(n, "type") != "radio" && attr(n, "type") != "checkbox" || has(n, "checked")):
			all.Add(name, attr(n, "value"))
		case n.Data == "textarea":
			all.Add(name, "")
			if n.FirstChild != nil {
				all.Set(name, n.FirstChild.Data)
			}
		case n.Data == "select":
			for o := range n.Descendants() {
				if o.Data == "option" && has(o, "selected") {
					all.Set(name, attr(o, "value"))
				}
			}
		}
	}
	return all
}

func has(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
}

// with is a form with some fields filled in otherwise.
func with(form url.Values, pairs ...string) url.Values {
	all := maps.Clone(form)
	for i := 0; i < len(pairs); i += 2 {
		all.Set(pairs[i], pairs[i+1])
	}
	return all
}

// sends fills in the form of a page and sends it there.
func (r *reader) sends(path string, pairs ...string) *httptest.ResponseRecorder {
	r.Helper()
	return r.post(path, path, with(r.shown(path), pairs...))
}

func TestLeasesAreListedFoundAndShown(t *testing.T) {
	y := newWebhookPages(t)
	r := y.member(access.Manager)
	r.says(r.get("/test/leases"), 200, "No leases yet")
	l := y.rent(portfolio.LeaseActive, "Dana")
	y.owes(l, "Rent for November 2026", portfolio.PaymentDue)
	list := r.get("/test/leases")
	for _, want := range []string{"Dana Rivera", "● Active", "Jan 1, 2026 to Dec 31, 2026", "in 49 days", "$1,450"} {
		r.says(list, 200, strings.TrimPrefix(want, "● "))
	}
	for filter, found := range map[string]bool{
		"status=active": true, "status=draft": false, "status=odd": true, "property_id=" + l.PropertyID: true, "unit_id=" + l.UnitID: true, "tenant_id=" + l.TenantIDs[0]: true,
		"tenant_id=x": false, "ending_before=2027-01-01": true, "ending_after=2027-01-01": false, "ending_after=soon": true, "after=%00": true,
	} {
		if got := strings.Contains(r.get("/test/leases?"+filter).Body.String(), "/test/leases/"+l.ID+`"`); got != found {
			t.Errorf("%s finds it: %v", filter, got)
		}
	}
	r.says(r.get("/test/leases?status=draft"), 200, "No leases match these filters")
	r.says(r.get("/test/leases?unit_id="+l.UnitID), 200, "Of Unit 2B.")
	page := r.get("/test/leases/" + l.ID)
	for _, want := range []string{"1420 Maple Avenue, Unit 2B", "Dana Rivera Primary", "due on day 1 of the month", "Rent for November 2026", "11 days overdue", "Terminate", "Edit"} {
		r.says(page, 200, want)
	}
	s := y.stranger()
	for _, path := range []string{"", "/edit", "/terminate", "/void", "/charge"} {
		s.says(s.get("/test/leases/"+l.ID+path), 404, "")
		r.says(r.get("/live/leases/"+l.ID+path), 404, "")
		r.says(r.get("/test/leases/lea_x"+path), 404, "")
	}
}

func TestALeaseIsChangedInItsForm(t *testing.T) {
	y := newWebhookPages(t)
	r, l := y.member(access.Manager), y.rent(portfolio.LeaseActive, "Dana")
	at := "/test/leases/" + l.ID
	r.leads(r.sends(at+"/edit"), at)
	r.says(r.get(at), 200, "Nothing was changed")
	r.leads(r.sends(at+"/edit", "monthly_rent", "$1,500", "end_date", "2027-06-30", "late_fee_amount", "50", "late_fee_grace_days", "5", "notice_given_date", "2026-11-10"), at)
	for _, want := range []string{"The lease is changed.", "$1,500", "Jun 30, 2027", "$50, 5 days after", "Nov 10, 2026"} {
		r.says(r.get(at), 200, want)
	}
	r.leads(r.sends(at+"/edit", "late_fee_amount", "", "late_fee_grace_days", "", "notice_given_date", ""), at)
	got, err := y.books.Leases.Lease(t.Context(), y.actor(), l.ID)
	y.ok(err)
	if got.MonthlyRent != money.Dollars(1500) || got.LateFeeAmount != nil || got.NoticeGivenDate != nil || got.Version != 3 {
		t.Errorf("%+v", got)
	}
	for words, pairs := range map[string][]string{
		"Rent / month: Enter a number":                                {"monthly_rent", "lots"},
		"Rent / month: Must be an amount in dollars":                  {"monthly_rent", "-1"},
		"Deposit: This is required":                                   {"security_deposit", ""},
		"Last day: Must be after start date":                          {"end_date", "2025-01-01"},
		"Last day: Must not be null":                                  {"end_date", ""},
		"First day: This is required":                                 {"start_date", ""},
		"Rent is due on day: Must be a whole number between 1 and 28": {"rent_due_day", "29"},
		"Days before it applies: Must be a whole":                     {"late_fee_grace_days", "61"},
		"Type: Must be one of":                                        {"lease_type", "eternal"},
		"Moves out: Must not be before move in":                       {"move_in_date", "2026-05-01", "move_out_date", "2026-04-01"},
		"First day: Must not be in the future, as ":                   {"start_date", "2026-12-01"},
	} {
		rec := r.sends(at+"/edit", pairs...)
		r.says(rec, 400, words)
		if !strings.Contains(rec.Body.String(), `value="`+pairs[1]+`"`) && pairs[1] != "eternal" && pairs[1] != "" {
			t.Errorf("%s is not kept", pairs[1])
		}
	}
}

func TestAStaleFormOfALeaseKeepsWhatWasTyped(t *testing.T) {
	y := newWebhookPages(t)
	r, l := y.member(access.Manager), y.rent(portfolio.LeaseActive, "Dana")
	at := "/test/leases/" + l.ID
	form := r.shown(at + "/edit")
	r.leads(r.sends(at+"/edit", "security_deposit", "1000"), at)
	rec := r.post(at+"/edit", at+"/edit", with(form, "monthly_rent", "1,600"))
	r.says(rec, 409, "Somebody has changed this since you opened the form")
	r.says(rec, 409, "Deposit: It says “1000.00” now.")
	if strings.Contains(rec.Body.String(), "First day: It says") {
		t.Error("a field that agrees is at fault")
	}
	for _, want := range []string{`value="1,600"`, `name="version" value="2"`} {
		if !strings.Contains(rec.Body.String(), want) {
			t.Errorf("no %s", want)
		}
	}
	if got, _ := y.books.Leases.Lease(t.Context(), y.actor(), l.ID); got.MonthlyRent != money.Dollars(1450) || got.SecurityDeposit != money.Dollars(1000) {
		t.Errorf("%+v", got)
	}
}

func TestWhatIsLockedInALeaseSaysSo(t *testing.T) {
	y := newWebhookPages(t)
	r := y.member(access.Owner)
	for status, words := range map[portfolio.LeaseStatus]string{portfolio.LeasePendingSignature: "Locked since the first signature", portfolio.LeaseExpired: "Locked: the lease is over"} {
		l := y.rent(status, "Sam")
		at := "/test/leases/" + l.ID
		r.says(r.get(at+"/edit"), 200, words)
		r.leads(r.sends(at+"/edit", "monthly_rent", "9", "locked_monthly_rent", "9", "move_in_date", "2026-02-01"), at)
		got, err := y.books.Leases.Lease(t.Context(), y.actor(), l.ID)
		y.ok(err)
		if got.MonthlyRent != money.Dollars(1450) || *got.MoveInDate != clock.Day(2026, 2, 1) {
			t.Errorf("%+v", got)
		}
	}
}

func TestALeaseIsEndedOrVoidedAfterAQuestion(t *testing.T) {
	y := newWebhookPages(t)
	r, l := y.member(access.Manager), y.rent(portfolio.LeaseActive, "Dana")
	at := "/test/leases/" + l.ID
	row := y.owes(l, "Rent for December", portfolio.PaymentScheduled)
	p, err := y.books.Ledger.Payment(t.Context(), y.actor(), row)
	y.ok(err)
	p.PeriodStart, p.DueDate = new(clock.Day(2026, 12, 1)), clock.Day(2026, 12, 1)
	y.ok(portfoliostore.NewPayments(y.db).SavePayment(t.Context(), y.home.Test, p))
	r.says(r.get(at+"/terminate"), 200, "Unpaid rent for periods that begin after its last day is voided")
	r.leads(r.get(at+"/void"), at)
	r.says(r.get(at), 200, "A lease that is active cannot be voided.")
	r.says(r.sends(at+"/terminate", "terminated_on", ""), 400, "Enter the day the lease ends")
	r.says(r.sends(at+"/terminate", "terminated_on", "2026-12-24"), 400, "Must not be in the future")
	r.says(r.sends(at+"/terminate", "termination_reason", strings.Repeat("x", 501)), 400, "at most 500 characters")
	r.leads(r.sends(at+"/terminate", "termination_reason", "Moved\nabroad"), at)
	for _, want := range []string{"The lease has ended. 1 unpaid rent charges", "Terminated", "Moved", "Void"} {
		r.says(r.get(at), 200, want)
	}
	r.leads(r.get(at+"/terminate"), at)

	draft := "/test/leases/" + y.rent(portfolio.LeaseDraft, "Sam").ID
	r.says(r.get(draft+"/void"), 200, "Void the lease?")
	form := r.shown(draft + "/void")
	r.leads(r.sends(draft+"/void"), draft)
	r.says(r.get(draft), 200, "The lease is voided.")
	r.says(r.post(draft+"/void", draft+"/edit", form), 409, "Somebody has changed this")
	r.leads(r.get(draft+"/charge"), draft)
	r.says(r.get(draft), 200, "Nothing can be charged under a lease that is voided.")
}

func TestCashIsRecordedOnce(t *testing.T) {
	y := newWebhookPages(t)
	r, l := y.member(access.Manager), y.rent(portfolio.LeaseActive, "Dana")
	r.says(r.get("/test/ledger"), 200, "No charges yet")
	at := "/test/ledger/" + y.owes(l, "Rent for November 2026", portfolio.PaymentDue)
	for _, want := range []string{"$1,450 of rent is owed through today", "Dana Rivera", "11 days overdue", "Record"} {
		r.says(r.get("/test/ledger"), 200, want)
	}
	form := with(r.shown(at+"/record"), "amount", "450", "method", "cash")
	if form.Get("amount") != "450" || form.Get("paid_on") != "2026-11-12" {
		t.Errorf("%v", form)
	}
	r.leads(r.post(at+"/record", at+"/record", form), at)
	r.says(r.get(at), 200, "$450 recorded. $450 of $1,450 is paid, $1,000 is owed.")
	again := r.post(at+"/record", at+"/record", form)
	r.says(again, 409, "so nothing was saved. Perhaps it was this very payment. $450 of $1,450 is paid")
	r.says(r.post(at+"/record", at+"/record", with(form, "version", "")), 409, "This form is out of date. Nothing was changed.")
	for words, pairs := range map[string][]string{
		"Amount: Must be more than 0 and at most 1000.00": {"amount", "1000.01", "method", "check"},
		"Amount: Must be more than 0":                     {"amount", "0", "method", "check"},
		"Amount: Enter the amount":                        {"amount", "", "method", "check"},
		"How it was paid: Choose":                         {"amount", "1"},
		"How it was paid: Choose one":                     {"amount", "1", "method", "card"},
		"Paid on: Must be today":                          {"amount", "1", "method", "cash", "paid_on", "2026-11-13"},
		"Paid on: Enter the day":                          {"amount", "1", "method", "cash", "paid_on", ""},
		"Reference: Must have at most 127":                {"amount", "1", "method", "cash", "reference", strings.Repeat("x", 128)},
	} {
		r.says(r.sends(at+"/record", pairs...), 400, words)
	}
	r.leads(r.sends(at+"/record", "method", "check", "reference", "check 1182", "paid_on", "2026-11-03"), at)
	for _, want := range []string{"$1,450 of $1,450 is paid, $0 is owed.", "Paid", "Check", "check 1182", "Nov 3, 2026"} {
		r.says(r.get(at), 200, want)
	}
	r.leads(r.get(at+"/record"), at)
	r.leads(r.get(at+"/void"), at)
	r.says(r.get("/test/events"), 200, "Nothing has happened yet")
	s := y.stranger()
	for _, path := range []string{"", "/record", "/void"} {
		s.says(s.get(at+path), 404, "")
		r.says(r.get("/live"+strings.TrimPrefix(at, "/test")+path), 404, "")
	}
	s.says(s.post(at+"/record", "/test/tickets/new", nil), 404, "")
}

func TestTheLedgerIsNarrowedDown(t *testing.T) {
	y := newWebhookPages(t)
	r, l := y.member(access.Manager), y.rent(portfolio.LeaseActive, "Dana")
	row := y.owes(l, "Rent", portfolio.PaymentDue)
	for range 25 {
		y.owes(l, "Rent", portfolio.PaymentSucceeded)
	}
	for filter, want := range map[string]int{
		"": 25, "overdue=true": 1, "overdue=false": 25, "status=due": 1, "type=fee": 0, "method=cash": 0, "lease_id=" + l.ID: 25, "lease_id=x": 0, "tenant_id=" + l.TenantIDs[0]: 25, "unit_id=" + l.UnitID: 25,
		"property_id=" + l.PropertyID: 25, "due_after=2026-11-01": 0, "due_before=2026-11-02": 25, "due_before=x": 25, "after=" + row: 0,
	} {
		if got := strings.Count(r.get("/test/ledger?"+filter).Body.String(), `<a class="long" href="/test/ledger/pay_`); got != want {
			t.Errorf("%s lists %d, want %d", filter, got, want)
		}
	}
	r.says(r.get("/test/ledger?type=fee"), 200, "No charges match these filters")
	r.says(r.get("/test/ledger?lease_id="+l.ID), 200, "Of 1420 Maple Avenue, Unit 2B")
	next := link(t, r.get("/test/ledger"), "Next")
	if got := strings.Count(r.get(next).Body.String(), `<a class="long" href="/test/ledger/pay_`); got != 1 {
		t.Errorf("the second page has %d", got)
	}
}

func TestAFeeIsChargedOnceAndVoided(t *testing.T) {
	y := newWebhookPages(t)
	r, l := y.member(access.Manager), y.rent(portfolio.LeaseActive, "Dana")
	at := "/test/leases/" + l.ID + "/charge"
	form := with(r.shown(at), "charge", "late", "amount", "50", "description", "Late fee for October")
	made := r.post(at, at, form)
	row := made.Header().Get("Location")
	r.says(r.get(row), 200, "$50 is charged.")
	r.says(r.get(row), 200, "Late fee for October")
	r.says(r.post(at, at, form), 409, "perhaps this very charge")
	for words, pairs := range map[string][]string{
		"What is charged: Choose":            {"charge", "", "amount", "1"},
		"Amount: Enter an amount of more":    {"charge", "deposit", "amount", "0"},
		"Due on: Enter the due date":         {"charge", "deposit", "amount", "1", "due_date", ""},
		"Description: Must have at most 255": {"charge", "deposit", "amount", "1", "description", strings.Repeat("x", 256)},
	} {
		r.says(r.sends(at, pairs...), 400, words)
	}
	r.says(r.sends(at, "charge", "rent", "amount", "1"), 400, "Choose what is charged")
	deposit := r.sends(at, "charge", "deposit", "amount", "1,450", "due_date", "2026-12-01").Header().Get("Location")
	r.says(r.get(deposit), 200, "Scheduled")
	r.says(r.get(row+"/void"), 200, "Void “Late fee for October”?")
	void := r.shown(row + "/void")
	r.leads(r.sends(row+"/void"), row)
	r.says(r.get(row), 200, "The charge is voided. Nobody owes it any more.")
	r.says(r.post(row+"/void", deposit+"/void", void), 409, "Somebody has changed this")
	r.leads(r.get(row+"/record"), row)
	page, err := y.books.Ledger.Payments(t.Context(), y.actor(), portfolio.PaymentFilter{Query: list.Query{Limit: 50}})
	y.ok(err)
	if len(page.Data) != 2 {
		t.Errorf("%d rows", len(page.Data))
	}
}

func TestATicketIsOpenedWhereTheWorkIs(t *testing.T) {
	y := newWebhookPages(t)
	r, l := y.member(access.Manager), y.rent(portfolio.LeaseActive, "Dana")
	r.says(r.get("/test/tickets"), 200, "No tickets yet")
	const at = "/test/tickets/new"
	r.says(r.get(at), 200, "Where is the work?")
	r.says(r.get(at+"?q=oak"), 200, "No property fits")
	place := link(t, r.get(at+"?q=MAPLE+aus"), "1420 Maple Avenue")
	r.says(r.get(place), 200, "The building itself")
	for query, want := range map[string]string{"unit_id=" + l.UnitID: "1420 Maple Avenue, Unit 2B, Austin", "tenant_id=" + l.TenantIDs[0]: "1420 Maple Avenue, Unit 2B, Austin"} {
		r.says(r.get(at+"?"+query), 200, want)
	}
	for _, query := range []string{"unit_id=x", "property_id=x", "tenant_id=x", "unit_id=%00", "unit_id=" + y.home.Unit[access.Live].ID} {
		r.says(r.get(at+"?"+query), 404, "")
	}
	form := with(r.shown(at+"?unit_id="+l.UnitID), "description", "There is a smell of gas in the kitchen.\r\nSince noon.", "priority", "low", "tenant_id", l.TenantIDs[0], "vendor.name", "Barton Plumbing", "vendor.phone", "(512) 555-0142",
		"scheduled_start", "2026-11-13T09:00", "scheduled_end", "2026-11-13T11:00", "due_date", "2026-11-20", "estimated_cost", "80", "cost_limit", "$1,000", "entry_permission", "call_first", "entry_notes", "A dog.", "once", "this very form")
	made := r.post(at, at+"?unit_id="+l.UnitID, form)
	ticket := made.Header().Get("Location")
	page := r.get(ticket)
	for _, want := range []string{"The ticket T-1001 is open. The priority stays low as asked, but triage reads the text as emergency", "Triage has recognised danger: gas", "Since noon.", "Dana Rivera", "Barton Plumbing", "+15125550142",
		"Nov 13, 2026, 9:00 AM UTC to Nov 13, 2026, 11:00 AM UTC", "Nov 20, 2026", "$80", "$1,000", "After a call", "A dog.", "Written in the dashboard", "Emergency, because of"} {
		r.says(page, 200, want)
	}
	r.leads(r.post(at, at+"?unit_id="+l.UnitID, form), ticket)
	r.says(r.get(ticket), 200, "That form was sent before. This is what it made.")
	r.leads(r.sends(at+"?property_id="+l.PropertyID, "description", "The roof leaks.", "unit_number", "2b"), strings.Replace(ticket, ticket[len("/test/tickets/"):], y.newest(), 1))
	for words, pairs := range map[string][]string{
		"What is wrong: This is required":                     {"description", ""},
		"What is wrong: Must have between 1 and 10,000":       {"description", strings.Repeat("x", 10_001)},
		"Name: This is required":                              {"description", "x", "vendor.trade", "Plumber"},
		"Phone: This is not a phone number":                   {"description", "x", "vendor.name", "A", "vendor.phone", "12"},
		"Email: This is not an email address":                 {"description", "x", "vendor.name", "A", "vendor.email", "a"},
		"Planned until: Must not be bef":                      {"description", "x", "scheduled_start", "2026-11-13T09:00", "scheduled_end", "2026-11-13T08:00"},
		"Scheduled start: Enter a date and a time":            {"description", "x", "scheduled_start", "soon"},
		"Estimate: Must be an amount in dollars between 0.00": {"description", "x", "estimated_cost", "-1"},
		"Priority: Must be one of":                            {"description", "x", "priority", "urgent"},
		"Tenant: Choose a tenant":                             {"description", "x", "tenant_id", y.rent(portfolio.LeaseExpired, "Old").TenantIDs[0]},
	} {
		page := at + "?unit_id=" + l.UnitID
		r.says(r.post(at, page, with(r.shown(page), pairs...)), 400, words)
	}
	s := y.stranger()
	for _, path := range []string{"", "/edit"} {
		s.says(s.get(ticket+path), 404, "")
	}
	s.says(s.post(ticket+"/status", at, url.Values{"status": {"completed"}}), 404, "")
	s.says(s.post(at, at, form), 404, "")
}

// newest is the id of the newest ticket.
func (y *webhookPages) newest() string {
	y.Helper()
	page, err := y.books.Tickets.Tickets(y.Context(), y.actor(), portfolio.TicketFilter{Query: list.Query{Limit: 1, Newest: true}})
	y.ok(err)
	return page.Data[0].ID
}

// ticket opens one about the unit of the portfolio.
func (y *webhookPages) ticket(text string) *portfolio.Ticket {
	y.Helper()
	u := y.home.Unit[access.Test]
	m, err := y.books.Tickets.CreateTicket(y.Context(), y.actor(), portfolio.FromAPI, portfolio.TicketCreate{UnitID: &u.ID, Description: text})
	y.ok(err)
	return m.After
}

func TestATicketsPageSaysThatItsTriageNeedsReview(t *testing.T) {
	y := newWebhookPages(t)
	r := y.member(access.Manager)
	one := y.ticket("The tap drips.")
	for _, c := range []struct {
		confidence  float64
		needsReview bool
	}{{0.93, false}, {0.31, true}} {
		one.Triage.Confidence, one.Triage.NeedsReview = c.confidence, c.needsReview
		y.ok(portfoliostore.NewTickets(y.db).SaveTicket(t.Context(), y.home.Test, one))
		page := r.get("/test/tickets/" + one.ID)
		r.says(page, 200, fmt.Sprintf("%.0f%%", c.confidence*100))
		if got := strings.Contains(page.Body.String(), "Needs review"); got != c.needsReview {
			t.Errorf("at confidence %v the page says that it needs review: %v", c.confidence, got)
		}
	}
}

func TestATicketMovesThroughItsStatuses(t *testing.T) {
	y := newWebhookPages(t)
	r := y.member(access.Manager)
	one := y.ticket("The tap drips.")
	at := "/test/tickets/" + one.ID
	for _, step := range []struct{ to, button, says string }{
		{"in_progress", "Start work", "The ticket is in progress now."}, {"on_hold", "Put on hold", "on hold now"}, {"completed", "Complete", "is completed now"}, {"open", "Open it again", "is open now"},
		{"cancelled", "Cancel the ticket", "is cancelled now"},
	} {
		r.says(r.get(at), 200, step.button)
		r.leads(r.post(at+"/status", at, with(r.shown(at), "status", step.to)), at)
		r.says(r.get(at), 200, step.says)
	}
	r.says(r.get(at), 200, "Opened again")
	for pairs, says := range map[[2]string]string{{"status", "completed"}: "cannot become completed; open it again first", {"status", "lost"}: "Choose a status", {"version", "1"}: "Somebody has changed this since you opened the form, so nothing was saved. This is how it stands now."} {
		r.leads(r.post(at+"/status", at, with(r.shown(at), "status", "open", pairs[0], pairs[1])), at)
		r.says(r.get(at), 200, says)
	}
	for filter, found := range map[string]bool{"status=cancelled": true, "status=open": false, "priority=" + string(one.Priority): true, "category=pest": false, "unit_id=" + *one.UnitID: true, "tenant_id=x": false, "status=odd": true} {
		if got := strings.Contains(r.get("/test/tickets?"+filter).Body.String(), at); got != found {
			t.Errorf("%s finds it: %v", filter, got)
		}
	}
	r.says(r.get("/test/tickets?status=open"), 200, "No tickets match these filters")
	r.says(r.get("/test/tickets"), 200, "1420 Maple Avenue, Unit 2B")
}

func TestATicketIsChangedInItsForm(t *testing.T) {
	y := newWebhookPages(t)
	r := y.member(access.Manager)
	one := y.ticket("The tap drips.\r\nAll night.")
	at := "/test/tickets/" + one.ID
	_, err := y.books.Tickets.UpdateTicket(t.Context(), y.actor(), change.Target{ID: one.ID}, portfolio.TicketUpdate{ScheduledStart: change.To(new(clock.At(y.now) + 123))})
	y.ok(err)
	form := r.shown(at + "/edit")
	r.leads(r.post(at+"/edit", at+"/edit", form), at)
	r.says(r.get(at), 200, "Nothing was changed")
	r.leads(r.sends(at+"/edit", "title", "Tap", "actual_cost", "75.50", "vendor.name", "Barton", "entry_permission", "granted", "scheduled_start", ""), at)
	for _, want := range []string{"The ticket is changed.", "$75.50", "Barton", "Yes"} {
		r.says(r.get(at), 200, want)
		r.get(at)
	}
	r.leads(r.sends(at+"/edit", "vendor.name", "", "actual_cost", ""), at)
	got, err := y.books.Tickets.Ticket(t.Context(), y.actor(), one.ID)
	y.ok(err)
	if got.Vendor != nil || got.ActualCost != nil || got.Title != "Tap" || got.ScheduledStart != nil || got.Description != one.Description || got.Version != 4 {
		t.Errorf("%+v", got)
	}
	rec := r.post(at+"/edit", at+"/edit", with(form, "description", "Typed <b>text</b>"))
	r.says(rec, 409, "Somebody has changed this since you opened the form")
	r.says(rec, 409, "Typed <b>text</b>")
	r.says(r.sends(at+"/edit", "title", ""), 400, "Title: This is required")
	r.says(r.sends(at+"/edit", "actual_cost", "much"), 400, "Cost: Enter an amount")
}

func TestNothingThatIsWrittenIntoRecordsRuns(t *testing.T) {
	y := newWebhookPages(t)
	r := y.member(access.Owner)
	for i, evil := range hostile {
		l := y.rent(portfolio.LeaseTerminated, evil)
		l.TerminationReason, l.TerminatedOn, l.RentalAddress = &evil, &l.StartDate, evil
		y.ok(portfoliostore.NewPeople(y.db).SaveLease(t.Context(), y.home.Test, l))
		row := y.owes(l, evil, portfolio.PaymentFailed)
		p, err := y.books.Ledger.Payment(t.Context(), y.actor(), row)
		y.ok(err)
		p.Reference, p.FailureCode, p.FailureMessage = &evil, &evil, &evil
		y.ok(portfoliostore.NewPayments(y.db).SavePayment(t.Context(), y.home.Test, p))
		one := y.ticket(evil)
		one.Title, one.EntryNotes, one.Vendor = evil, &evil, &portfolio.Vendor{Name: evil, Trade: &evil, Phone: &evil, Email: &evil}
		one.Triage.Reasons, one.Triage.SafetyFlags = []portfolio.TriageReason{{Rule: evil, Matched: evil}}, []string{evil}
		y.ok(portfoliostore.NewTickets(y.db).SaveTicket(t.Context(), y.home.Test, one))
		for _, path := range []string{"/leases/" + l.ID, "/leases/" + l.ID + "/edit", "/leases/" + l.ID + "/charge", "/ledger/" + row, "/ledger/" + row + "/record", "/ledger/" + row + "/void", "/tickets/" + one.ID, "/tickets/" + one.ID + "/edit",
			"/tickets/new?q=" + url.QueryEscape(evil), "/ledger?lease_id=" + url.QueryEscape(evil)} {
			inert(t, r.get("/test"+path))
		}
		if i == 0 {
			at := "/test/tickets/new?unit_id=" + *one.UnitID
			form := r.shown(at)
			for name := range form {
				if name != "unit_id" && name != "property_id" {
					form.Set(name, evil)
				}
			}
			inert(t, r.post("/test/tickets/new", at, form))
		}
	}
	for _, path := range []string{"/leases", "/ledger", "/tickets"} {
		inert(t, r.get("/test"+path))
	}
}

// demonstrated are webhookPages with the demo in its test mode.
func demonstrated(t *testing.T) *webhookPages {
	t.Helper()
	y := webhookPagesAt(t, base)
	book := demo.Book(y.now, time.UTC)
	y.ok(portfoliostore.NewBooks(y.db).Add(t.Context(), y.home.Test, &book))
	return y
}

func TestEverybodyCanUseThePagesOfLeasesTicketsAndTheLedger(t *testing.T) {
	t.Parallel()
	b, y := browser(t), demonstrated(t)
	leases, err := y.books.Leases.Leases(t.Context(), y.actor(), portfolio.LeaseFilter{Query: list.Query{Limit: 1}, Status: portfolio.LeaseActive})
	y.ok(err)
	tickets, err := y.books.Tickets.Tickets(t.Context(), y.actor(), portfolio.TicketFilter{Query: list.Query{Limit: 1}, Priority: portfolio.PriorityEmergency})
	y.ok(err)
	rows, err := y.books.Ledger.Payments(t.Context(), y.actor(), portfolio.PaymentFilter{Query: list.Query{Limit: 1}, Overdue: new(true)})
	y.ok(err)
	l, k, p := "/test/leases/"+leases.Data[0].ID, "/test/tickets/"+tickets.Data[0].ID, "/test/ledger/"+rows.Data[0].ID
	y.member(access.Owner).looks(b, "/test/leases", "/live/leases", l, l+"/edit", l+"/terminate", l+"/charge", "/test/tickets", k, k+"/edit", "/test/tickets/new?q=a", "/test/tickets/new?unit_id="+leases.Data[0].UnitID,
		"/test/ledger", "/test/ledger?overdue=true&lease_id="+leases.Data[0].ID, p, p+"/record", p+"/void")
}
