package ticket_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/ticket"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/web/pagetest"
)

func TestTicketIsOpenedForChosenPlace(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	r.Says(r.Get("/test/tickets"), 200, "No tickets yet")
	const at = "/test/tickets/new"
	r.Says(r.Get(at), 200, "Choose the property that needs work.")
	r.Says(r.Get(at+"?q=oak"), 200, "No properties match")
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
		"Nov 13, 2026, 9:00 AM to 11:00 AM UTC", "Nov 20, 2026", "$80", "$1,000",
		"After a call", "A dog.", "Written in the dashboard", "Emergency: “smell of gas” (gas)",
	} {
		r.Says(page, 200, want)
	}
	fridge := r.Sends(at+"?unit_id="+l.UnitID, "description", "fridge dead").Header().Get("Location")
	r.Says(r.Get(fridge), 200, "Safety flags: refrigerator not working")
	dbtest.Exec(t, y.DB, "UPDATE properties SET street_address_2 = 'Building C'")
	r.Says(r.Get(fridge), 200, "1420 Maple Avenue, Building C")
	if said := r.Get("/test/tickets").Body.String(); !strings.Contains(said, `>, Building C, Unit `) {
		t.Error("the list of tickets does not keep the building with the unit")
	}
	r.Says(r.Get(at+"?unit_id="+l.UnitID), 200, "1420 Maple Avenue, Building C, Unit ")
	dbtest.Exec(t, y.DB, "UPDATE properties SET street_address_2 = NULL")
	r.Leads(r.Post(at, at+"?unit_id="+l.UnitID, form), ticket)
	r.Says(r.Get(ticket), 200, "That form was sent before. This is the result.")
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

func TestTicketsAreSearchedByTenantAndAddress(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	sent := r.Sends("/test/tickets/new?unit_id="+l.UnitID, "description", "The tap drips.", "tenant_id", l.TenantIDs[0])
	if sent.Code != 303 {
		t.Fatalf("the ticket is answered with %d: %s", sent.Code, sent.Body)
	}
	for search, want := range map[string]string{
		"dana": "1 of 1", "1420+maple": "1 of 1", l.TenantIDs[0]: "1 of 1",
		"nobody": "No tickets match these filters", "%00": "1 of 1",
	} {
		r.Says(r.Get("/test/tickets?search="+search), 200, want)
	}
	s := y.Stranger()
	s.Says(s.Get("/test/tickets?search="+l.TenantIDs[0]), 200, "No tickets match these filters")
}

func TestTicketsAreSearchedByTitleWords(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	tap := y.Ticket("The kitchen tap drips.").ID
	y.Ticket("The window of the kitchen is broken.")
	r.Sends("/test/tickets/new?unit_id="+l.UnitID, "description", "No hot water.", "tenant_id", l.TenantIDs[0])
	r.Says(r.Get("/test/tickets"), 200, "Title, number, tenant, address, or ID")
	for search, want := range map[string]string{
		"TAP+kitch": "1 of 1", "kitchen": "2 of 2", "kitchen&status=open": "2 of 2", "dana": "1 of 1",
		"kitchen&status=completed": "No tickets match these filters",
		"kitchen+water":            "No tickets match these filters",
		"itchen":                   "No tickets match these filters",
	} {
		r.Says(r.Get("/test/tickets?search="+search), 200, want)
	}
	file := r.Get("/test/tickets.csv?search=kitchen").Body.String()
	if n := strings.Count(file, "tkt_"); n != 2 || !strings.Contains(file, tap) {
		t.Errorf("the file has %d tickets: %s", n, file)
	}
	s := y.Stranger()
	s.Says(s.Get("/test/tickets?search=kitchen"), 200, "No tickets match these filters")
}

func TestTicketPageFlagsTriageNeedingReview(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Manager)
	one := y.Ticket("The tap drips.")
	for _, c := range []struct {
		confidence  float64
		needsReview bool
	}{{0.93, false}, {0.31, true}} {
		one.Triage.Confidence, one.Triage.NeedsReview = c.confidence, c.needsReview
		y.OK(portfoliostore.New(y.DB).SaveTicket(t.Context(), y.Home.Test, one))
		page := r.Get("/test/tickets/" + one.ID)
		r.Says(page, 200, fmt.Sprintf("%.0f%%", c.confidence*100))
		if got := strings.Contains(page.Body.String(), "Needs review"); got != c.needsReview {
			t.Errorf("at confidence %v the page says that it needs review: %v", c.confidence, got)
		}
	}
}

func TestTicketMovesThroughStatuses(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Manager)
	one := y.Ticket("The tap drips.")
	at := "/test/tickets/" + one.ID
	for _, step := range []struct{ to, button, says string }{
		{"in_progress", "Start work", "The ticket is in progress now."},
		{"on_hold", "Put on hold", "on hold now"},
		{"completed", "Complete ticket", "is completed now"},
		{"open", "Reopen ticket", "is open now"},
		{"cancelled", "Cancel ticket", "is canceled now"},
	} {
		r.Says(r.Get(at), 200, step.button)
		r.Leads(r.Post(at+"/status", at, pagetest.With(r.Shown(at), "status", step.to)), at)
		r.Says(r.Get(at), 200, step.says)
	}
	r.Says(r.Get(at), 200, "Opened again")
	for pairs, says := range map[[2]string]string{
		{"status", "completed"}: "can’t become completed; open it again first",
		{"status", "lost"}:      "Choose one of the statuses",
		{
			"version", "1",
		}: "Someone changed this after you opened the form, so nothing was saved. The page shows the current values.",
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

func TestTicketIsEditedInForm(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Manager)
	one := y.Ticket("The tap drips.\r\nAll night.")
	at := "/test/tickets/" + one.ID
	_, err := y.Books.Tickets.UpdateTicket(
		t.Context(),
		y.Actor(),
		change.Target{ID: one.ID},
		ticket.Update{ScheduledStart: change.To(new(clock.At(y.Now) + 123))},
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
	for _, want := range []string{"Ticket saved.", "$75.50", "Barton", "Yes"} {
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
	r.Says(rec, 409, "Someone changed this after you opened the form")
	r.Says(rec, 409, "Typed <b>text</b>")
	r.Says(r.Sends(at+"/edit", "title", ""), 400, "Title: This is required")
	r.Says(r.Sends(at+"/edit", "actual_cost", "much"), 400, "Nothing was saved yetCost: Enter a number.")
}
