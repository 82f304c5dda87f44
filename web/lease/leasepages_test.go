package lease_test

import (
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
	"portal/db/portfoliostore"
	"portal/web/pagetest"
)

func TestLeasesAreListedFilteredAndShown(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r := y.Member(access.Manager)
	r.Says(r.Get("/test/leases"), 200, "No leases yet")
	l := y.Rent(portfolio.LeaseActive, "Dana")
	l.Terms.Pets = []terms.Pet{{Kind: "Cat"}}
	y.OK(portfoliostore.New(y.DB).SaveLeaseTerms(t.Context(), y.Home.Test, l))
	y.Owes(l, "Rent for November 2026", portfolio.PaymentDue)
	list := r.Get("/test/leases")
	for _, want := range []string{"Dana Rivera", "● Active", "Jan 1, 2026 – Dec 31, 2026", "49 days", "$1,450"} {
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
		"with=pets":                   true,
		"with=vehicles":               false,
		"with=utilities":              false,
		"with=co_owners":              false,
		"with=guarantors":             false,
		"with=odd":                    true,
	} {
		got := strings.Contains(r.Get("/test/leases?"+filter).Body.String(), "/test/leases/"+l.ID+`"`)
		if got != found {
			t.Errorf("%s finds it: %v", filter, got)
		}
	}
	r.Says(r.Get("/test/leases?status=draft"), 200, "No leases match these filters")
	r.Says(r.Get("/test/leases?unit_id="+l.UnitID), 200, "Unit Unit 2B")
	page := r.Get("/test/leases/" + l.ID)
	for _, want := range []string{
		"1420 Maple Avenue, Unit 2B", "Dana Rivera Primary", "due on the 1st",
		"Rent for November 2026", "11 days late", "End lease early…", "Edit",
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

func TestLeaseIsEditedInForm(t *testing.T) {
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
		"Lease saved.", "$1,500", "Jun 30, 2027", "$50.00, 5 days after", "Nov 10, 2026",
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
		"The late fee is above $150, 10% of the monthly rent: the limit in Texas (Tex. Prop. Code 92.019) when the "+
			"building has more than 4 units.",
	)
	for words, pairs := range map[string][]string{
		"Late fee: Must be at most $180, 12% of the monthly rent: the limit in Texas (Tex. Prop. Code 92.019); not " +
			"$180.01.": {
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

func TestStaleLeaseFormKeepsInput(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	at := "/test/leases/" + l.ID
	form := r.Shown(at + "/edit")
	r.Leads(r.Sends(at+"/edit", "security_deposit", "1000"), at)
	rec := r.Post(at+"/edit", at+"/edit", pagetest.With(form, "monthly_rent", "1,600"))
	r.Says(rec, 409, "Someone changed this after you opened the form")
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

func TestLockedLeaseFieldsSayWhy(t *testing.T) {
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

func TestLeaseIsEndedOrVoidedAfterConfirmation(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	at := "/test/leases/" + l.ID
	row := y.Owes(l, "Rent for December", portfolio.PaymentScheduled)
	p, err := y.Books.Ledger.Payment(t.Context(), y.Actor(), row)
	y.OK(err)
	p.PeriodStart, p.DueDate = new(clock.Day(2026, 12, 1)), clock.Day(2026, 12, 1)
	y.OK(portfoliostore.New(y.DB).SavePayment(t.Context(), y.Home.Test, p))
	r.Says(r.Get(at+"/terminate"), 200, "What isn’t paid yet for days after the last one is taken back")
	r.Leads(r.Get(at+"/void"), at)
	r.Says(r.Get(at), 200, "A lease that’s active can’t be voided.")
	r.Says(r.Sends(at+"/terminate", "terminated_on", ""), 400, "Enter the day the lease ends")
	r.Says(r.Sends(at+"/terminate", "terminated_on", "2026-12-24"), 400, "Must not be in the future")
	r.Says(r.Sends(at+"/terminate", "termination_reason", strings.Repeat("x", 501)), 400, "at most 500 characters")
	r.Leads(r.Sends(at+"/terminate", "termination_reason", "Moved\nabroad"), at)
	for _, want := range []string{"The lease has ended. 1 unpaid charge for later periods voided.", "Terminated", "Moved", "Void"} {
		r.Says(r.Get(at), 200, want)
	}
	r.Leads(r.Get(at+"/terminate"), at)

	draft := "/test/leases/" + y.Rent(portfolio.LeaseDraft, "Sam").ID
	r.Says(r.Get(draft+"/void"), 200, "Void the lease?")
	form := r.Shown(draft + "/void")
	r.Leads(r.Sends(draft+"/void"), draft)
	r.Says(r.Get(draft), 200, "The lease is voided.")
	r.Says(r.Post(draft+"/void", draft+"/edit", form), 409, "Someone changed this")
	r.Leads(r.Get(draft+"/charge"), draft)
	r.Says(r.Get(draft), 200, "Nothing can be charged under a lease that is voided.")
}

func TestSignedLeaseIsEndedBeforeItStartsInDashboard(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseSigned, "Dana")
	l.StartDate, l.EndDate = clock.Day(2027, 6, 1), new(clock.Day(2028, 5, 31))
	y.OK(portfoliostore.New(y.DB).SaveLease(t.Context(), y.Home.Test, l))
	at := "/test/leases/" + l.ID
	r.Says(r.Get(at), 200, "End lease before it starts…")
	r.Says(r.Get(at+"/terminate"), 200, "A signed lease binds everyone")
	r.Says(r.Sends(at+"/terminate", "termination_reason", "Sold"), 400, "Enter the day the tenants agreed.")
	agreed := []string{"tenants_agreed_on", "2026-11-01", "termination_reason"}
	r.Says(r.Sends(at+"/terminate", append(agreed, "")...), 400, "Enter the reason.")
	r.Says(r.Sends(at+"/terminate", append(agreed, "Sold", "terminated_on", "2027-06-01")...), 400, "Must be before")
	r.Leads(r.Sends(at+"/terminate", append(agreed, "The house is sold")...), at)
	for _, want := range []string{
		"The lease has ended.", "Terminated", "The house is sold", "Tenants agreed on paper",
	} {
		r.Says(r.Get(at), 200, want)
	}
}

func TestLeaseListCountsTabsAndKeepsFilters(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	all := r.Get("/test/leases")
	for _, want := range []string{"All 1", "Active 1", "Drafts 0", "1 of 1", "Sort Newest first", "Export CSV"} {
		r.Says(all, 200, want)
	}
	if to := pagetest.Link(t, all, "Drafts 0"); to != "/test/leases?status=draft" {
		t.Errorf("the tab leads to %s", to)
	}
	of := r.Get("/test/leases?unit_id=" + l.UnitID + "&status=active&sort=ending")
	if to := pagetest.Link(t, of, "Export CSV"); to != "/test/leases.csv?sort=ending&status=active&unit_id="+l.UnitID {
		t.Errorf("the export is %s", to)
	}
	if to := pagetest.Link(t, of, "Drafts 0"); to != "/test/leases?sort=ending&status=draft&unit_id="+l.UnitID {
		t.Errorf("the tab leads to %s", to)
	}
	r.Says(r.Get("/test/leases?status=lost"), 200, "1 of 1")
	s := y.Stranger()
	s.Says(s.Get("/test/leases?unit_id="+l.UnitID), 200, "No leases match these filters")
}

func TestBroadLeaseSearchShowsWarning(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	for range portfolio.MostNamed {
		y.Rent(portfolio.LeaseVoided, "Kim")
	}
	for search, want := range map[string]string{
		"dana": "1 of 1", "kim": "of 100", l.ID: "1 of 1", "nobody": "No leases match these filters",
	} {
		page := r.Get("/test/leases?search=" + search)
		r.Says(page, 200, want)
		r.Says(page, 200, "Export CSV")
	}
	wide := r.Get("/test/leases?search=rivera")
	r.Says(wide, 200, "More than 100 tenants or properties match. This list has those of the newest 100")
	if strings.Contains(wide.Body.String(), "Export CSV") {
		t.Error("a part of what was found is exported")
	}
	if body := wide.Body.String(); strings.Contains(body, "25 of ") || !strings.Contains(body, `rel="next"`) {
		t.Error("a part of what was found is counted, or has one page")
	}
	r.Leads(r.Get("/test/leases.csv?search=rivera"), "/test/leases?search=rivera")
	if file := r.Get("/test/leases.csv?search=dana").Body.String(); strings.Count(file, "lea_") != 1 {
		t.Errorf("the file has %q", file)
	}
}

func TestTenantPageShowsRecordsInTabs(t *testing.T) {
	y := pagetest.NewWebhookPages(t)
	r, l := y.Member(access.Manager), y.Rent(portfolio.LeaseActive, "Dana")
	y.Owes(l, "Rent for November 2026", portfolio.PaymentDue)
	at := "/test/tenants/" + l.TenantIDs[0]
	for path, want := range map[string][]string{
		at:                  {"Leases 1", "Tickets 0", "Charges 1", "Rent for November 2026", "HomeUnit"},
		at + "?tab=leases":  {"Jan 1, 2026 to Dec 31, 2026", "Active"},
		at + "?tab=charges": {"Rent for November 2026", "11 days late"},
		at + "?tab=tickets": {"No tickets"},
		at + "?tab=nothing": {"HomeUnit"},
	} {
		page := r.Get(path)
		for _, words := range want {
			r.Says(page, 200, words)
		}
	}
	s := y.Stranger()
	for _, tab := range []string{"", "?tab=leases", "?tab=charges", "?tab=tickets"} {
		s.Says(s.Get(at+tab), 404, "")
	}
}
