package lease_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio/lease/terms"
	"portal/db/dbtest"
	"portal/web/page"
	"portal/web/pagetest"
	"portal/web/webtest"
)

func TestLeaseIsGeneratedFromForm(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	at, dana, sam := e.form, e.dana, e.sam
	r.Says(r.Get("/test/units/"+e.unit), http.StatusOK, "Create lease")
	r.Says(r.Get("/test/leases/new"), http.StatusOK, "Choose the home.")
	r.Leads(r.Get("/test/leases/new?unit_id="+e.unit), at)
	r.Leads(r.Get("/test/leases/generate"), "/test/leases/new")
	page := r.Get(at)
	for _, words := range []string{
		"1420 Maple Avenue, Unit 2B, Austin", "rules of Texas", "not legal advice", "Home and people",
	} {
		r.Says(page, http.StatusOK, words)
	}
	renewed := r.Found(page, `<option value="(lea_[^"]+)"`)
	form := pagetest.With(
		r.Shown(at),
		"tenant_id",
		dana,
		"additional_tenant_ids.0",
		sam,
		"start_date",
		"2028-01-01",
		"end_date",
		"",
		"monthly_rent",
		"$1,500",
		"security_deposit",
		"1500",
		"late_fee_amount",
		"50",
		"clauses.pets",
		"One cat.",
	)
	for words, pairs := range map[string][]string{
		"Tenant: This is required.":                 {"tenant_id", ""},
		"Second tenant: This is the primary tenant": {"additional_tenant_ids.0", dana},
		"Fourth tenant: This is the primary tenant": {
			"additional_tenant_ids.0", "", "additional_tenant_ids.2", dana,
		},
		"Length in months: Must be left out where": {
			"term_months", "6", "end_date", "2028-06-30",
		},
		"Length in months: Must be a whole number": {"term_months", "121"},
		"Returned payment fee: Must be an amount":  {"returned_payment_fee", "-1"},
		"Renews: Must name a lease of at least one of": {
			"tenant_id", sam, "additional_tenant_ids.0", "", "renews_lease_id", renewed,
		},
		"First day: This is required.":                                    {"start_date", ""},
		"Last day: Must be after start date":                              {"end_date", "2027-12-31"},
		"Monthly rent: Enter a number.":                                   {"monthly_rent", "much"},
		"Late fee: Must be at most $180":                                  {"late_fee_amount", "900"},
		"Parking: Has characters that the document cannot show: \"መኪና\".": {"clauses.parking", "መኪና"},
		"Good for: Must be a whole number between 1 and 90":               {"expires_in_days", "91"},
	} {
		r.Says(r.Post("/test/leases/generate", at, pagetest.With(form, pairs...)), http.StatusBadRequest, words)
	}
	preview := r.Post("/test/leases/generate/preview", at, form)
	if preview.Code != http.StatusOK || preview.Header().Get("Content-Type") != "application/pdf" ||
		!strings.HasPrefix(preview.Body.String(), "%PDF-") || preview.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("the preview: %d %v", preview.Code, preview.Header())
	}
	r.Says(
		r.Post("/test/leases/generate/preview", at, pagetest.With(form, "late_fee_amount", "900")),
		http.StatusBadRequest,
		"Late fee: Must be at most $180",
	)
	if left := dbtest.Texts(t, e.DB, "SELECT id FROM documents"); len(left) != 0 {
		t.Errorf("a preview has left %v", left)
	}
	made := r.Post("/test/leases/generate", at, form)
	lease, second := strings.CutSuffix(made.Header().Get("Location"), "/money")
	if made.Code != http.StatusSeeOther || !strings.HasPrefix(lease, "/test/leases/lea_") || !second {
		t.Fatalf("%d to %q:\n%s", made.Code, lease, made.Body)
	}
	page = r.Get(lease + "/money")
	for _, words := range []string{
		"Draft saved.", "Deposit in Texas: no limit is known.",
		"12% of the monthly rent", "Days of grace: at least 2 days.",
	} {
		r.Says(page, http.StatusOK, words)
	}
	r.Says(r.Get(lease+"/law"), http.StatusOK, "At most 2,000 characters.")
	r.Says(r.Get(lease+"/review"), http.StatusOK, "so the lease states them as conditions: Parking and towing rules.")
	page = r.Get(lease)
	for _, words := range []string{
		"Draft", "Continue draft", "Jan 1, 2028 to Dec 31, 2028", "$1,500", "Dana Whitfield", "Sam Whitfield",
		"Open PDF",
	} {
		r.Says(page, http.StatusOK, words)
	}
	for r.Post("/test/leases/generate", at, form).Code == http.StatusSeeOther {
	}
	r.Says(r.Post("/test/leases/generate", at, form), http.StatusConflict, "The unit has 5 open drafts of leases")
	r.Says(e.Stranger().Post("/test/leases/generate", "/test/tickets/new", form), http.StatusNotFound, "")
}

func TestPartialOrAmbiguousTenantNameIsRefused(t *testing.T) {
	e := newLeasePages(t)
	e.fill()
	r := e.Member(access.Manager)
	form := pagetest.With(
		r.Shown(e.form),
		"tenant",
		"dana WHITFIELD",
		"start_date",
		"2028-01-01",
		"monthly_rent",
		"1500",
	)
	for words, pairs := range map[string][]string{
		"Tenant: This is required.":                                {"tenant", ""},
		"Tenant: No tenant is called “Dan”":                        {"tenant", "Dan"},
		"Tenant: No tenant is called “Dana Whit”":                  {"tenant", "Dana Whit"},
		"Tenant: No tenant is called “dana@example.co”":            {"tenant", "dana@example.co"},
		"Tenant: No tenant is called “Whitfield”":                  {"tenant", "Whitfield"},
		"Tenant: Several tenants fit “robin lee”. Add one of them": {"tenant", "robin lee"},
	} {
		rec := r.Post("/test/leases/generate", e.form, pagetest.With(form, pairs...))
		r.Says(rec, http.StatusBadRequest, words)
		if kept := pagetest.FieldsOf(pagetest.Parse(t, rec.Body.String())).Get(pairs[0]); kept != pairs[1] {
			t.Errorf("%s: %q is kept of %q", words, kept, pairs[1])
		}
	}
	l := e.made(r, pagetest.With(form, "tenant_id", e.dana, "tenant", "SAM@example.com"))
	if got := l.TenantIDs; len(got) != 2 || got[0] != e.dana || got[1] != e.sam {
		t.Errorf("%v sign, want %s and %s", got, e.dana, e.sam)
	}
}

func TestLeaseHasFeesAnswersAndLeadPaintFromForm(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	form := pagetest.With(
		r.Shown(e.form),
		"tenant_id",
		e.dana,
		"start_date",
		"2028-01-01",
		"term_months",
		"6",
		"monthly_rent",
		"1500",
		"renews_lease_id",
		e.lease,
		"late_fee_amount",
		"20",
		"late_fee_frequency",
		"daily",
		"returned_payment_fee",
		"25",
		"fees.1.name",
		"Parking",
		"fees.1.amount",
		"$50",
		"fees.1.frequency",
		"monthly",
		"fees.2.name",
		"Keys",
		"fees.2.amount",
		"15",
		"fees.2.frequency",
		"once",
		"fees.2.refundable",
		"on",
		"occupants",
		"Robin Whitfield\r\n\r\n Kim Whitfield ",
		"lead_paint.hazards",
		"known",
		"lead_paint.details",
		"The porch.",
		"lead_paint.records",
		"none",
		"lead_paint.pamphlet_given_on",
		"2026-01-02",
		"disclosures.parking_rules",
		"yes",
		"disclosures.parking_rules.text",
		"Park in bay 4.",
	)
	l := e.made(r, form)
	agreed := l.Terms
	want := []terms.Fee{{Name: "Parking", Amount: money.Dollars(50), Frequency: terms.Monthly},
		{
			Name:       "Keys",
			Amount:     money.Dollars(15),
			Frequency:  terms.OneTime,
			Refundable: true,
		}}
	if !slices.Equal(agreed.Fees, want) ||
		!slices.Equal(agreed.Occupants, []string{"Robin Whitfield", "Kim Whitfield"}) {
		t.Errorf("fees %+v, occupants %q", agreed.Fees, agreed.Occupants)
	}
	p := agreed.LeadPaint
	if p == nil || p.Hazards != terms.KnownHazards || *p.Details != "The porch." ||
		p.Records != terms.NoRecords || p.PamphletGivenOn == nil || *p.PamphletGivenOn != clock.Day(2026, 1, 2) {
		t.Errorf("lead paint %+v", p)
	}
	if a := agreed.AnswerTo("parking_rules"); a == nil || !a.Applies || *a.Text != "Park in bay 4." ||
		len(agreed.Answers) != 1 {
		t.Errorf("answers %+v", agreed.Answers)
	}
	if agreed.LateFeeFrequency != terms.Daily || *agreed.ReturnedPaymentFee != money.Dollars(25) ||
		*l.EndDate != clock.Day(2028, 6, 30) || *l.RenewedFromLeaseID != e.lease {
		t.Errorf("%+v", l)
	}
	no := e.made(
		r,
		pagetest.With(
			form,
			"disclosures.parking_rules",
			"no",
			"disclosures.parking_rules.text",
			"",
			"renews_lease_id",
			"",
			"fees.2.name",
			"",
			"fees.2.amount",
			"",
			"fees.2.frequency",
			"",
			"fees.2.refundable",
			"",
		),
	)
	if a := no.Terms.AnswerTo("parking_rules"); a == nil || a.Applies || len(no.Terms.Fees) != 1 ||
		no.RenewedFromLeaseID != nil {
		t.Errorf("answers %+v, fees %+v", no.Terms.Answers, no.Terms.Fees)
	}
}

func TestLeaseFormRowErrorsAppearBesideFields(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	form := pagetest.With(
		r.Shown(e.form),
		"tenant_id",
		e.dana,
		"start_date",
		"2028-01-01",
		"monthly_rent",
		"1500",
		"fees.1.name",
		"Parking",
		"fees.1.amount",
		"50",
		"fees.1.frequency",
		"monthly",
		"clauses.pets",
		"One cat.",
		"occupants",
		"Robin\r\nKim",
	)
	for words, pairs := range map[string][]string{
		"Fee 2: amount: Must be ":                 {"fees.1.amount", "0"},
		"Fee 2: amount: Enter a number.":          {"fees.1.amount", "much"},
		"Fee 2: amount: This is required.":        {"fees.1.amount", ""},
		"Fee 2: owed: This is required.":          {"fees.1.frequency", ""},
		"Fee 2: This is required.":                {"fees.1.name", ""},
		"Fee 2: Has characters that the document": {"fees.1.name", "መኪና"},
		"Parking and towing rules: Choose whether it": {
			"disclosures.parking_rules.text", "Bay 4.",
		},
		"Parking and towing rules: what the tenants are told: Has characters": {
			"disclosures.parking_rules.text", "መኪና", "disclosures.parking_rules", "yes",
		},
		"What is known, and how: This is required where": {
			"lead_paint.hazards", "known", "lead_paint.records", "none",
		},
		"Records and reports about it: This is required.": {"lead_paint.hazards", "none"},
		"Pamphlet handed over on: Must not be in the future": {
			"lead_paint.pamphlet_given_on", "2090-01-01", "lead_paint.hazards", "none", "lead_paint.records", "none",
		},
		"Other occupants: Has characters": {"occupants", "Robin\r\nመኪና"},
	} {
		sent := pagetest.With(form, pairs...)
		rec := r.Post("/test/leases/generate", e.form, sent)
		if r.Says(rec, http.StatusBadRequest, words); strings.Contains(rec.Body.String(), "parking_rules.code") {
			t.Errorf("%s: what is wrong is said of a field that is not there", words)
		}
		kept := pagetest.FieldsOf(pagetest.Parse(t, rec.Body.String()))
		for name := range sent {
			if name != "token" && name != "once" && page.LineEnds(kept.Get(name)) != page.LineEnds(sent.Get(name)) {
				t.Errorf("%s: of %s %q is kept, want %q", words, name, kept.Get(name), sent.Get(name))
			}
		}
	}
	r.Says(r.Post("/test/leases/generate", e.form, url.Values{
		"unit_id": {e.unit},
	}), http.StatusBadRequest, "Monthly rent: This is required.")
	rec := r.Post("/test/leases/generate", e.form, pagetest.With(form, "fees.1.amount", "0"))
	doc := pagetest.Parse(t, rec.Body.String())
	if said := pagetest.ByID(doc, "field-fees.1.amount-error"); said == nil {
		t.Error("the fault of the amount has no place beside its field")
	}
	if said := pagetest.ByID(doc, "field-fees.0.amount-error"); said != nil {
		t.Error("the fault stands beside the row that is empty")
	}
}

func TestTenantsAndUnitsOfOtherAccountsAreRefused(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	form := pagetest.With(r.Shown(e.form), "tenant_id", e.dana, "start_date", "2028-01-01", "monthly_rent", "1500")
	stranger, other := e.stranger(), e.Stranger()
	for _, path := range []string{"/test/leases/generate", "/test/leases/generate/preview"} {
		r.Says(r.Post(path, e.form, pagetest.With(form, "tenant_id", stranger)), http.StatusNotFound, "Tenant: ")
		r.Says(
			r.Post(path, e.form, pagetest.With(form, "additional_tenant_ids.1", stranger)),
			http.StatusNotFound,
			"Third tenant: ",
		)
		r.Says(other.Post(path, "/test/tickets/new", form), http.StatusNotFound, "")
		r.Says(r.Post(path, e.form, pagetest.With(form, "unit_id", "")), http.StatusNotFound, "")
	}
	if left := dbtest.Texts(t, e.DB, "SELECT id FROM documents"); len(left) != 0 {
		t.Errorf("%v are made", left)
	}
}

func TestLeaseFormIsAccessible(t *testing.T) {
	b, e := pagetest.Browser(t), newLeasePages(t)
	e.Member(access.Manager).Looks(b, e.form, "/test/tenants/new?unit_id="+e.unit)
	e.fill()
	e.Member(access.Manager).Looks(b, e.form+"&full=1")
}

func TestPreviewMatchesLeaseAndSavesNothing(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	at := "/test/leases/generate/beside"
	form := pagetest.With(r.Shown(e.form),
		"tenant_id", e.dana, "additional_tenant_ids.0", e.sam, "start_date", "2028-01-01", "monthly_rent", "1500",
		"fees.0.name", "Parking", "fees.0.amount", "50", "fees.0.frequency", "monthly", "clauses.pets", "One cat <b>.")
	before := dbtest.Texts(t, e.DB, "SELECT id FROM leases")
	shown := r.Post(at, e.form, form)
	for _, words := range []string{
		"Residential lease (preview)", "Preview, not saved", "Rent$1,500 a month", "Parking", "$50",
		"1. Parties", "One cat <b>.", "Disclosures", "Lead-based paint addendum", "Not signed yet", "Sam Whitfield",
		"No other fee or deposit",
	} {
		r.Says(shown, http.StatusOK, words)
	}
	if policy := shown.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'self'") {
		t.Errorf("the frame beside the form may not show it: %s", policy)
	}
	page := r.Get(e.form)
	if policy := page.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "frame-src 'self'") ||
		!strings.Contains(policy, "frame-ancestors 'none'") {
		t.Errorf("the form may not hold the frame, or be held: %s", policy)
	}
	for _, tag := range []string{
		`formaction="` + at + `" formtarget="beside"`, `<iframe name="beside" title="Preview of the lease">`,
	} {
		if !strings.Contains(page.Body.String(), tag) {
			t.Errorf("the form has no %s", tag)
		}
	}
	refused := r.Post(at, e.form, pagetest.With(form, "monthly_rent", "much", "fees.0.name", "መኪና"))
	r.Says(refused, http.StatusBadRequest, "The lease can’t be shown yet")
	r.Says(refused, http.StatusBadRequest, "Monthly rent: Enter a number.")
	if body := refused.Body.String(); strings.Contains(body, "<form") || strings.Contains(body, "<nav") {
		t.Error("the frame holds a form or a navigation")
	}
	refused = r.Post(at, e.form, pagetest.With(form, "fees.0.name", "መኪና"))
	r.Says(refused, http.StatusBadRequest, "Fee 1: Has characters")
	if after := dbtest.Texts(t, e.DB, "SELECT id FROM leases"); !slices.Equal(before, after) {
		t.Errorf("a preview has left the leases %q", after)
	}
	r.Leads(r.Post("/test/leases/generate", e.form, form), "/test/leases/"+dbtest.Texts(t, e.DB,
		"SELECT id FROM leases ORDER BY id DESC LIMIT 1")[0]+"/money")
}

func TestPreviewOpensBesideFormInBrowser(t *testing.T) {
	b, e := pagetest.Browser(t), newLeasePages(t)
	s := httptest.NewServer(e.Site)
	t.Cleanup(s.Close)
	for _, screen := range []webtest.Screen{webtest.Phone, webtest.Desktop} {
		w := b.Window(t)
		w.Cookie(s.URL, "session", e.Member(access.Manager).Cookies["session"].Value)
		w.Visit(screen, s.URL+e.form)
		w.Type("[name=tenant]", "dana@example.com")
		w.Click("[formtarget=beside]")
		w.Await("document.querySelector('iframe').contentDocument?.querySelector('h1')?.textContent === " +
			"'TEST MODE: Residential lease (preview)'")
		w.Await("(scrollTo(0, 0), scrollY === 0)") // the bar at the top covers what is scrolled below it
		w.Check("the form with its preview")
		w.Keep("lease-beside-" + screen.String())
		screen.Dark = true
		w.CheckColors(screen, e.form)
		w.Keep("lease-beside-" + screen.String())
		if typed := w.Text("[name=occupants]"); typed != "" {
			t.Errorf("the form has lost what was typed: %q", typed)
		}
		w.Leave(func() { w.Click(".acts button:not([formaction])") }) // a preview has sent nothing
		if at := w.Path(); !strings.HasPrefix(at, "/test/leases/lea_") {
			t.Errorf("behind a preview the form leads to %s", at)
		}
	}
}
