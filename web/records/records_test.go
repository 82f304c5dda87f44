package records_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/demo"
	"portal/db/portfoliostore"
	"portal/web/pagetest"
)

func TestLeasesAreListedFoundAndShown(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Manager)
	r.Says(r.Get("/test/leases"), 200, "No leases yet")
	l := y.Rent(portfolio.LeaseActive, "Dana")
	y.Owes(l, "Rent for November 2026", portfolio.PaymentDue)
	list := r.Get("/test/leases")
	for _, want := range []string{"Dana Rivera", "● Active", "Jan 1, 2026 to Dec 31, 2026", "in 49 days", "$1,450"} {
		r.Says(list, 200, strings.TrimPrefix(want, "● "))
	}
	for filter, found := range map[string]bool{
		"status=active":               true,
		"status=draft":                false,
		"status=odd":                  true,
		"property_id=" + l.PropertyID: true,
		"unit_id=" + l.UnitID:         true,
		"tenant_id=" + l.TenantIDs[0]: true,
		"tenant_id=x":                 false,
		"ending_before=2027-01-01":    true,
		"ending_after=2027-01-01":     false,
		"ending_after=soon":           true,
		"after=%00":                   true,
	} {
		got := strings.Contains(r.Get("/test/leases?"+filter).Body.String(), "/test/leases/"+l.ID+`"`)
		if got != found {
			t.Errorf("%s finds it: %v", filter, got)
		}
	}
	r.Says(r.Get("/test/leases?status=draft"), 200, "No leases match these filters")
	r.Says(r.Get("/test/leases?unit_id="+l.UnitID), 200, "Of Unit 2B.")
	page := r.Get("/test/leases/" + l.ID)
	for _, want := range []string{
		"1420 Maple Avenue, Unit 2B", "Dana Rivera Primary", "due on day 1 of the month",
		"Rent for November 2026", "11 days overdue", "Terminate", "Edit",
	} {
		r.Says(page, 200, want)
	}
	s := y.Stranger()
	for _, path := range []string{"", "/edit", "/terminate", "/void", "/charge"} {
		s.Says(s.Get("/test/leases/"+l.ID+path), 404, "")
		r.Says(r.Get("/live/leases/"+l.ID+path), 404, "")
		r.Says(r.Get("/test/leases/lea_x"+path), 404, "")
	}
}

func TestALeaseIsChangedInItsForm(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	at := "/test/leases/" + l.ID
	r.Leads(r.Sends(at+"/edit"), at)
	r.Says(r.Get(at), 200, "Nothing was changed")
	r.Leads(
		r.Sends(
			at+"/edit",
			"monthly_rent",
			"$1,500",
			"end_date",
			"2027-06-30",
			"late_fee_amount",
			"50",
			"late_fee_grace_days",
			"5",
			"notice_given_date",
			"2026-11-10",
		),
		at,
	)
	for _, want := range []string{
		"The lease is changed.", "$1,500", "Jun 30, 2027", "$50, 5 days after", "Nov 10, 2026",
	} {
		r.Says(r.Get(at), 200, want)
	}
	r.Leads(r.Sends(at+"/edit", "late_fee_amount", "", "late_fee_grace_days", "", "notice_given_date", ""), at)
	got, err := y.Books.Leases.Lease(t.Context(), y.Actor(), l.ID)
	y.OK(err)
	if got.MonthlyRent != money.Dollars(1500) || got.LateFeeAmount != nil || got.NoticeGivenDate != nil ||
		got.Version != 3 {
		t.Errorf("%+v", got)
	}
	r.Leads(r.Sends(at+"/edit", "late_fee_amount", "160"), at)
	r.Says(
		r.Get(at),
		200,
		"The late fee is above $150, 10% of the monthly rent: the limit in Texas (Tex. Prop. Code 92.019) when the building has more than 4 units.",
	)
	for words, pairs := range map[string][]string{
		"Late fee: Must be at most $180, 12% of the monthly rent: the limit in Texas (Tex. Prop. Code 92.019); not $180.01.": {
			"late_fee_amount", "180.01",
		},
		"Monthly rent: Enter a number":                                {"monthly_rent", "lots"},
		"Monthly rent: Must be an amount in dollars":                  {"monthly_rent", "-1"},
		"Deposit: This is required":                                   {"security_deposit", ""},
		"Last day: Must be after start date":                          {"end_date", "2025-01-01"},
		"Last day: Must not be null":                                  {"end_date", ""},
		"First day: This is required":                                 {"start_date", ""},
		"Rent is due on day: Must be a whole number between 1 and 28": {"rent_due_day", "29"},
		"Days before it applies: Must be a whole":                     {"late_fee_grace_days", "61"},
		"Type: Must be one of":                                        {"lease_type", "eternal"},
		"Moves out: Must not be before move in": {
			"move_in_date", "2026-05-01", "move_out_date", "2026-04-01",
		},
		"First day: Must not be in the future, as ": {"start_date", "2026-12-01"},
	} {
		rec := r.Sends(at+"/edit", pairs...)
		r.Says(rec, 400, words)
		if !strings.Contains(rec.Body.String(), `value="`+pairs[1]+`"`) && pairs[1] != "eternal" && pairs[1] != "" {
			t.Errorf("%s is not kept", pairs[1])
		}
	}
}

func TestAStaleFormOfALeaseKeepsWhatWasTyped(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	at := "/test/leases/" + l.ID
	form := r.Shown(at + "/edit")
	r.Leads(r.Sends(at+"/edit", "security_deposit", "1000"), at)
	rec := r.Post(at+"/edit", at+"/edit", pagetest.With(form, "monthly_rent", "1,600"))
	r.Says(rec, 409, "Somebody has changed this since you opened the form")
	r.Says(rec, 409, "Deposit: It says “1000.00” now.")
	if strings.Contains(rec.Body.String(), "First day: It says") {
		t.Error("a field that agrees is at fault")
	}
	for _, want := range []string{`value="1,600"`, `name="version" value="2"`} {
		if !strings.Contains(rec.Body.String(), want) {
			t.Errorf("no %s", want)
		}
	}
	got, _ := y.Books.Leases.Lease(t.Context(), y.Actor(), l.ID)
	if got.MonthlyRent != money.Dollars(1450) || got.SecurityDeposit != money.Dollars(1000) {
		t.Errorf("%+v", got)
	}
}

func TestWhatIsLockedInALeaseSaysSo(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Owner)
	for status, words := range map[portfolio.LeaseStatus]string{
		portfolio.LeasePendingSignature: "Locked since the first signature",
		portfolio.LeaseExpired:          "Locked: the lease is over",
	} {
		l := y.Rent(status, "Sam")
		at := "/test/leases/" + l.ID
		r.Says(r.Get(at+"/edit"), 200, words)
		r.Leads(r.Sends(at+"/edit", "monthly_rent", "9", "locked_monthly_rent", "9", "move_in_date", "2026-02-01"), at)
		got, err := y.Books.Leases.Lease(t.Context(), y.Actor(), l.ID)
		y.OK(err)
		if got.MonthlyRent != money.Dollars(1450) || *got.MoveInDate != clock.Day(2026, 2, 1) {
			t.Errorf("%+v", got)
		}
	}
}

func TestALeaseIsEndedOrVoidedAfterAQuestion(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	at := "/test/leases/" + l.ID
	row := y.Owes(l, "Rent for December", portfolio.PaymentScheduled)
	p, err := y.Books.Ledger.Payment(t.Context(), y.Actor(), row)
	y.OK(err)
	p.PeriodStart, p.DueDate = new(clock.Day(2026, 12, 1)), clock.Day(2026, 12, 1)
	y.OK(portfoliostore.NewPayments(y.DB).SavePayment(t.Context(), y.Home.Test, p))
	r.Says(r.Get(at+"/terminate"), 200, "Unpaid rent for periods that begin after its last day is voided")
	r.Leads(r.Get(at+"/void"), at)
	r.Says(r.Get(at), 200, "A lease that is active cannot be voided.")
	r.Says(r.Sends(at+"/terminate", "terminated_on", ""), 400, "Enter the day the lease ends")
	r.Says(r.Sends(at+"/terminate", "terminated_on", "2026-12-24"), 400, "Must not be in the future")
	r.Says(r.Sends(at+"/terminate", "termination_reason", strings.Repeat("x", 501)), 400, "at most 500 characters")
	r.Leads(r.Sends(at+"/terminate", "termination_reason", "Moved\nabroad"), at)
	for _, want := range []string{"The lease has ended. 1 unpaid rent charges", "Terminated", "Moved", "Void"} {
		r.Says(r.Get(at), 200, want)
	}
	r.Leads(r.Get(at+"/terminate"), at)

	draft := "/test/leases/" + y.Rent(portfolio.LeaseDraft, "Sam").ID
	r.Says(r.Get(draft+"/void"), 200, "Void the lease?")
	form := r.Shown(draft + "/void")
	r.Leads(r.Sends(draft+"/void"), draft)
	r.Says(r.Get(draft), 200, "The lease is voided.")
	r.Says(r.Post(draft+"/void", draft+"/edit", form), 409, "Somebody has changed this")
	r.Leads(r.Get(draft+"/charge"), draft)
	r.Says(r.Get(draft), 200, "Nothing can be charged under a lease that is voided.")
}

func TestCashIsRecordedOnce(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	r.Says(r.Get("/test/ledger"), 200, "No charges yet")
	at := "/test/ledger/" + y.Owes(l, "Rent for November 2026", portfolio.PaymentDue)
	for _, want := range []string{"$1,450 of rent is owed through today", "Dana Rivera", "11 days overdue", "Record"} {
		r.Says(r.Get("/test/ledger"), 200, want)
	}
	form := pagetest.With(r.Shown(at+"/record"), "amount", "450", "method", "cash")
	if form.Get("amount") != "450" || form.Get("paid_on") != "2026-11-12" {
		t.Errorf("%v", form)
	}
	r.Leads(r.Post(at+"/record", at+"/record", form), at)
	r.Says(r.Get(at), 200, "$450 recorded. $450 of $1,450 is paid, $1,000 is owed.")
	again := r.Post(at+"/record", at+"/record", form)
	r.Says(again, 409, "so nothing was saved. Perhaps it was this very payment. $450 of $1,450 is paid")
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
		"$1,450 of $1,450 is paid, $0 is owed.", "Paid", "Check", "check 1182", "Nov 3, 2026",
	} {
		r.Says(r.Get(at), 200, want)
	}
	r.Leads(r.Get(at+"/record"), at)
	r.Leads(r.Get(at+"/void"), at)
	r.Says(r.Get("/test/events"), 200, "Nothing has happened yet")
	s := y.Stranger()
	for _, path := range []string{"", "/record", "/void"} {
		s.Says(s.Get(at+path), 404, "")
		r.Says(r.Get("/live"+strings.TrimPrefix(at, "/test")+path), 404, "")
	}
	s.Says(s.Post(at+"/record", "/test/tickets/new", nil), 404, "")
}

func TestTheLedgerIsNarrowedDown(t *testing.T) {
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
		"after=" + row:                0,
	} {
		if got := strings.Count(
			r.Get("/test/ledger?"+filter).Body.String(),
			`<a class="long" href="/test/ledger/pay_`,
		); got != want {
			t.Errorf("%s lists %d, want %d", filter, got, want)
		}
	}
	r.Says(r.Get("/test/ledger?type=fee"), 200, "No charges match these filters")
	r.Says(r.Get("/test/ledger?lease_id="+l.ID), 200, "Of 1420 Maple Avenue, Unit 2B")
	next := pagetest.Link(t, r.Get("/test/ledger"), "Next")
	if got := strings.Count(r.Get(next).Body.String(), `<a class="long" href="/test/ledger/pay_`); got != 1 {
		t.Errorf("the second page has %d", got)
	}
}

func TestAFeeIsChargedOnceAndVoided(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	at := "/test/leases/" + l.ID + "/charge"
	form := pagetest.With(r.Shown(at), "charge", "late", "amount", "50", "description", "Late fee for October")
	made := r.Post(at, at, form)
	row := made.Header().Get("Location")
	r.Says(r.Get(row), 200, "$50 is charged.")
	r.Says(r.Get(row), 200, "Late fee for October")
	r.Says(r.Post(at, at, form), 409, "perhaps this very charge")
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
	r.Says(r.Get(row), 200, "The charge is voided. Nobody owes it any more.")
	r.Says(r.Post(row+"/void", deposit+"/void", void), 409, "Somebody has changed this")
	r.Leads(r.Get(row+"/record"), row)
	page, err := y.Books.Ledger.Payments(t.Context(), y.Actor(), portfolio.PaymentFilter{Query: list.Query{Limit: 50}})
	y.OK(err)
	if len(page.Data) != 2 {
		t.Errorf("%d rows", len(page.Data))
	}
}

func TestATicketIsOpenedWhereTheWorkIs(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	r.Says(r.Get("/test/tickets"), 200, "No tickets yet")
	const at = "/test/tickets/new"
	r.Says(r.Get(at), 200, "Where is the work?")
	r.Says(r.Get(at+"?q=oak"), 200, "No property fits")
	place := pagetest.Link(t, r.Get(at+"?q=MAPLE+aus"), "1420 Maple Avenue")
	r.Says(r.Get(place), 200, "The building itself")
	for query, want := range map[string]string{
		"unit_id=" + l.UnitID:         "1420 Maple Avenue, Unit 2B, Austin",
		"tenant_id=" + l.TenantIDs[0]: "1420 Maple Avenue, Unit 2B, Austin",
	} {
		r.Says(r.Get(at+"?"+query), 200, want)
	}
	for _, query := range []string{
		"unit_id=x", "property_id=x", "tenant_id=x", "unit_id=%00",
		"unit_id=" + y.Home.Unit[access.Live].ID,
	} {
		r.Says(r.Get(at+"?"+query), 404, "")
	}
	form := pagetest.With(
		r.Shown(at+"?unit_id="+
			l.UnitID),
		"description",
		"There is a smell of gas in the kitchen.\r\nSince noon.",
		"priority",
		"low",
		"tenant_id",
		l.TenantIDs[0],
		"vendor.name",
		"Barton Plumbing",
		"vendor.phone",
		"(512) 555-0142",
		"scheduled_start",
		"2026-11-13T09:00",
		"scheduled_end",
		"2026-11-13T11:00",
		"due_date",
		"2026-11-20",
		"estimated_cost",
		"80",
		"cost_limit",
		"$1,000",
		"entry_permission",
		"call_first",
		"entry_notes",
		"A dog.",
		"once",
		"this very form",
	)
	made := r.Post(at, at+"?unit_id="+l.UnitID, form)
	ticket := made.Header().Get("Location")
	page := r.Get(ticket)
	for _, want := range []string{
		"The ticket T-1001 is open. The priority stays low as asked, but triage reads the text as emergency",
		"Safety flags: gas", "Since noon.", "Dana Rivera", "Barton Plumbing", "+15125550142",
		"Nov 13, 2026, 9:00 AM UTC to Nov 13, 2026, 11:00 AM UTC", "Nov 20, 2026", "$80", "$1,000",
		"After a call", "A dog.", "Written in the dashboard", "Emergency, because of",
	} {
		r.Says(page, 200, want)
	}
	r.Leads(r.Post(at, at+"?unit_id="+l.UnitID, form), ticket)
	r.Says(r.Get(ticket), 200, "That form was sent before. This is what it made.")
	r.Leads(
		r.Sends(at+"?property_id="+l.PropertyID, "description", "The roof leaks.", "unit_number", "2b"),
		strings.Replace(ticket, ticket[len("/test/tickets/"):], y.Newest(), 1),
	)
	for words, pairs := range map[string][]string{
		"What is wrong: This is required":               {"description", ""},
		"What is wrong: Must have between 1 and 10,000": {"description", strings.Repeat("x", 10_001)},
		"Name: This is required":                        {"description", "x", "vendor.trade", "Plumber"},
		"Phone: This is not a phone number": {
			"description", "x", "vendor.name", "A", "vendor.phone", "12",
		},
		"Email: This is not an email address": {
			"description", "x", "vendor.name", "A", "vendor.email", "a",
		},
		"Planned until: Must not be bef": {
			"description", "x", "scheduled_start", "2026-11-13T09:00", "scheduled_end",
			"2026-11-13T08:00",
		},
		"Scheduled start: Enter a date and a time":            {"description", "x", "scheduled_start", "soon"},
		"Estimate: Must be an amount in dollars between 0.00": {"description", "x", "estimated_cost", "-1"},
		"Priority: Must be one of":                            {"description", "x", "priority", "urgent"},
		"Tenant: Choose a tenant": {
			"description", "x", "tenant_id", y.Rent(portfolio.LeaseExpired, "Old").TenantIDs[0],
		},
	} {
		page := at + "?unit_id=" + l.UnitID
		r.Says(r.Post(at, page, pagetest.With(r.Shown(page), pairs...)), 400, words)
	}
	s := y.Stranger()
	for _, path := range []string{"", "/edit"} {
		s.Says(s.Get(ticket+path), 404, "")
	}
	s.Says(s.Post(ticket+"/status", at, url.Values{"status": {"completed"}}), 404, "")
	s.Says(s.Post(at, at, form), 404, "")
}

func TestATicketsPageSaysThatItsTriageNeedsReview(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Manager)
	one := y.Ticket("The tap drips.")
	for _, c := range []struct {
		confidence  float64
		needsReview bool
	}{{0.93, false}, {0.31, true}} {
		one.Triage.Confidence, one.Triage.NeedsReview = c.confidence, c.needsReview
		y.OK(portfoliostore.NewTickets(y.DB).SaveTicket(t.Context(), y.Home.Test, one))
		page := r.Get("/test/tickets/" + one.ID)
		r.Says(page, 200, fmt.Sprintf("%.0f%%", c.confidence*100))
		if got := strings.Contains(page.Body.String(), "Needs review"); got != c.needsReview {
			t.Errorf("at confidence %v the page says that it needs review: %v", c.confidence, got)
		}
	}
}

func TestATicketMovesThroughItsStatuses(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Manager)
	one := y.Ticket("The tap drips.")
	at := "/test/tickets/" + one.ID
	for _, step := range []struct{ to, button, says string }{
		{"in_progress", "Start work", "The ticket is in progress now."},
		{"on_hold", "Put on hold", "on hold now"},
		{"completed", "Complete", "is completed now"},
		{"open", "Open it again", "is open now"},
		{"cancelled", "Cancel the ticket", "is cancelled now"},
	} {
		r.Says(r.Get(at), 200, step.button)
		r.Leads(r.Post(at+"/status", at, pagetest.With(r.Shown(at), "status", step.to)), at)
		r.Says(r.Get(at), 200, step.says)
	}
	r.Says(r.Get(at), 200, "Opened again")
	for pairs, says := range map[[2]string]string{
		{"status", "completed"}: "cannot become completed; open it again first",
		{"status", "lost"}:      "Choose a status",
		{
			"version", "1",
		}: "Somebody has changed this since you opened the form, so nothing was saved. This is how it stands now.",
	} {
		r.Leads(r.Post(at+"/status", at, pagetest.With(r.Shown(at), "status", "open", pairs[0], pairs[1])), at)
		r.Says(r.Get(at), 200, says)
	}
	for filter, found := range map[string]bool{
		"status=cancelled":                 true,
		"status=open":                      false,
		"priority=" + string(one.Priority): true,
		"category=pest":                    false,
		"unit_id=" + *one.UnitID:           true,
		"tenant_id=x":                      false,
		"status=odd":                       true,
	} {
		if got := strings.Contains(r.Get("/test/tickets?"+filter).Body.String(), at); got != found {
			t.Errorf("%s finds it: %v", filter, got)
		}
	}
	r.Says(r.Get("/test/tickets?status=open"), 200, "No tickets match these filters")
	r.Says(r.Get("/test/tickets"), 200, "1420 Maple Avenue, Unit 2B")
}

func TestATicketIsChangedInItsForm(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Manager)
	one := y.Ticket("The tap drips.\r\nAll night.")
	at := "/test/tickets/" + one.ID
	_, err := y.Books.Tickets.UpdateTicket(
		t.Context(),
		y.Actor(),
		change.Target{ID: one.ID},
		portfolio.TicketUpdate{ScheduledStart: change.To(new(clock.At(y.Now) + 123))},
	)
	y.OK(err)
	form := r.Shown(at + "/edit")
	r.Leads(r.Post(at+"/edit", at+"/edit", form), at)
	r.Says(r.Get(at), 200, "Nothing was changed")
	r.Leads(
		r.Sends(
			at+"/edit",
			"title",
			"Tap",
			"actual_cost",
			"75.50",
			"vendor.name",
			"Barton",
			"entry_permission",
			"granted",
			"scheduled_start",
			"",
		),
		at,
	)
	for _, want := range []string{"The ticket is changed.", "$75.50", "Barton", "Yes"} {
		r.Says(r.Get(at), 200, want)
		r.Get(at)
	}
	r.Leads(r.Sends(at+"/edit", "vendor.name", "", "actual_cost", ""), at)
	got, err := y.Books.Tickets.Ticket(t.Context(), y.Actor(), one.ID)
	y.OK(err)
	if got.Vendor != nil || got.ActualCost != nil || got.Title != "Tap" || got.ScheduledStart != nil ||
		got.Description != one.Description || got.Version != 4 {
		t.Errorf("%+v", got)
	}
	rec := r.Post(at+"/edit", at+"/edit", pagetest.With(form, "description", "Typed <b>text</b>"))
	r.Says(rec, 409, "Somebody has changed this since you opened the form")
	r.Says(rec, 409, "Typed <b>text</b>")
	r.Says(r.Sends(at+"/edit", "title", ""), 400, "Title: This is required")
	r.Says(r.Sends(at+"/edit", "actual_cost", "much"), 400, "Nothing was saved yetCost: Enter a number.")
}

func TestNothingThatIsWrittenIntoRecordsRuns(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Owner)
	for i, evil := range pagetest.Hostile {
		l := y.Rent(portfolio.LeaseTerminated, evil)
		l.TerminationReason, l.TerminatedOn, l.RentalAddress = &evil, &l.StartDate, evil
		y.OK(portfoliostore.NewPeople(y.DB).SaveLease(t.Context(), y.Home.Test, l))
		row := y.Owes(l, evil, portfolio.PaymentFailed)
		p, err := y.Books.Ledger.Payment(t.Context(), y.Actor(), row)
		y.OK(err)
		p.Reference, p.FailureCode, p.FailureMessage = &evil, &evil, &evil
		y.OK(portfoliostore.NewPayments(y.DB).SavePayment(t.Context(), y.Home.Test, p))
		one := y.Ticket(evil)
		one.Title, one.EntryNotes, one.Vendor = evil, &evil, &portfolio.Vendor{
			Name:  evil,
			Trade: &evil,
			Phone: &evil,
			Email: &evil,
		}
		one.Triage.Reasons, one.Triage.SafetyFlags = []portfolio.TriageReason{{
			Rule:    evil,
			Matched: evil,
		}}, []string{
			evil,
		}
		y.OK(portfoliostore.NewTickets(y.DB).SaveTicket(t.Context(), y.Home.Test, one))
		for _, path := range []string{"/leases/" +
			l.ID, "/leases/" + l.ID +
			"/edit", "/leases/" + l.ID +
			"/charge", "/ledger/" +
			row, "/ledger/" +
			row + "/record", "/ledger/" +
			row + "/void", "/tickets/" +
			one.ID, "/tickets/" +
			one.ID + "/edit",
			"/tickets/new?q=" + url.QueryEscape(evil), "/ledger?lease_id=" + url.QueryEscape(evil)} {
			pagetest.Inert(t, r.Get("/test"+path))
		}
		if i == 0 {
			at := "/test/tickets/new?unit_id=" + *one.UnitID
			form := r.Shown(at)
			for name := range form {
				if name != "unit_id" && name != "property_id" {
					form.Set(name, evil)
				}
			}
			pagetest.Inert(t, r.Post("/test/tickets/new", at, form))
		}
	}
	for _, path := range []string{"/leases", "/ledger", "/tickets"} {
		pagetest.Inert(t, r.Get("/test"+path))
	}
}

// demonstrated are webhookPages with the demo in its test mode.
func demonstrated(t *testing.T) *pagetest.WebhookPages {
	t.Helper()
	y := pagetest.NewWebhookPagesAt(t, pagetest.BaseURL)
	book := demo.Book(y.Now, time.UTC)
	y.OK(portfoliostore.NewBooks(y.DB).Add(t.Context(), y.Home.Test, &book))
	return y
}

func TestEverybodyCanUseThePagesOfLeasesTicketsAndTheLedger(t *testing.T) {
	t.Parallel()
	b, y := pagetest.Browser(t), demonstrated(t)
	leases, err := y.Books.Leases.Leases(t.Context(), y.Actor(), portfolio.LeaseFilter{
		Query:  list.Query{Limit: 1},
		Status: portfolio.LeaseActive,
	})
	y.OK(err)
	tickets, err := y.Books.Tickets.Tickets(t.Context(), y.Actor(), portfolio.TicketFilter{
		Query:    list.Query{Limit: 1},
		Priority: portfolio.PriorityEmergency,
	})
	y.OK(err)
	rows, err := y.Books.Ledger.Payments(t.Context(), y.Actor(), portfolio.PaymentFilter{
		Query:   list.Query{Limit: 1},
		Overdue: new(true),
	})
	y.OK(err)
	l, k, p := "/test/leases/"+leases.Data[0].ID, "/test/tickets/"+tickets.Data[0].ID, "/test/ledger/"+rows.Data[0].ID
	y.Member(access.Owner).Looks(b,
		"/test/leases", "/live/leases", l, l+"/edit", l+"/terminate", l+"/charge",
		"/test/tickets", k, k+"/edit", "/test/tickets/new?q=a", "/test/tickets/new?unit_id="+leases.Data[0].UnitID,
		"/test/ledger", "/test/ledger?overdue=true&lease_id="+leases.Data[0].ID, p, p+"/record", p+"/void",
	)
}
