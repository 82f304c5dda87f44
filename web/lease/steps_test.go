package lease_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
	"portal/api/sampled"
	"portal/db/dbtest"
	"portal/web/page"
	"portal/web/pagetest"
	"portal/web/webtest"
)

// drafted is the address of a draft for Dana, behind which the steps stand.
func (e *leasePages) drafted(r *pagetest.Reader, pairs ...string) (string, *portfolio.Lease) {
	e.Helper()
	l := e.made(r, pagetest.With(r.Shown(e.form), append([]string{
		"tenant_id", e.dana, "start_date", "2028-01-01", "monthly_rent", "1500",
	}, pairs...)...))
	return "/test/leases/" + l.ID, l
}

// now is a lease as it stands.
func (e *leasePages) now(id string) *portfolio.Lease {
	e.Helper()
	l, err := e.rules.Leases.Lease(e.Context(), e.Actor(), id)
	e.OK(err)
	return l
}

func TestFormsAskForGuarantors(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Owner)
	form := pagetest.With(r.Shown(e.form), "tenant_id", e.dana, "start_date", "2028-01-01", "monthly_rent", "1500",
		"guarantors.0.first_name", "Robin", "guarantors.0.last_name", "Vance")
	refused := r.Post("/test/leases/generate", e.form, form)
	r.Says(refused, http.StatusBadRequest, "Guarantor 1: email address: This is required.")
	for _, kept := range []string{`value="Robin"`, `value="Vance"`, "Guarantor 2: first name"} {
		if !strings.Contains(refused.Body.String(), kept) {
			t.Errorf("the form does not show %s", kept)
		}
	}
	dana := dbtest.Texts(t, e.DB, "SELECT email FROM tenants WHERE id = '"+e.dana+"'")[0]
	r.Says(r.Post("/test/leases/generate", e.form, pagetest.With(form, "guarantors.0.email", dana)),
		http.StatusBadRequest, "Guarantor 1: email address: This is the address of the landlord")
	form.Set("guarantors.0.email", "robin.vance@example.com")
	l := e.made(r, form)
	at := "/test/leases/" + l.ID
	if got := e.now(l.ID); len(got.Tenants) != 2 || got.Tenants[1].Role != portfolio.PartyGuarantor {
		t.Fatalf("the parties are %+v", got.Tenants)
	}
	r.Says(r.Get(at), http.StatusOK, "Robin Vance, robin.vance@example.com")
	step := r.Shown(at + "/people")
	if step.Get("guarantors.0.first_name") != "Robin" || step.Get("guarantors.0.email") != "robin.vance@example.com" {
		t.Errorf("the step shows %v", step)
	}
	if page := r.Get(at + "/people").Body.String(); strings.Contains(page, "Second tenant") {
		t.Error("the step shows the guarantor as a tenant who rents")
	}
	r.Says(r.Post(at+"/people", at+"/people", pagetest.With(step, "guarantors.1.first_name", "Kim",
		"guarantors.1.last_name", "Poe", "guarantors.1.email", "Robin.Vance@example.com")),
		http.StatusBadRequest, "Guarantor 2: email address: This is the address of another guarantor")
	r.Leads(r.Post(at+"/people", at+"/people", pagetest.With(step, "guarantors.1.first_name", "Kim",
		"guarantors.1.last_name", "Poe", "guarantors.1.email", "kim.poe@example.com")), at+"/money")
	if got := e.now(l.ID); len(got.GuarantorIDs()) != 2 || got.Tenants[2].Name != "Kim Poe" {
		t.Errorf("the parties are %+v", got.Tenants)
	}
	r.Says(r.Get(at+"/review"), http.StatusOK, "Robin Vance and Kim Poe guarantee what the tenant owes")
	cleared := []string{}
	for _, name := range []string{"first_name", "last_name", "email"} {
		cleared = append(cleared, "guarantors.0."+name, "", "guarantors.1."+name, "")
	}
	r.Leads(r.Post(at+"/people", at+"/people", pagetest.With(r.Shown(at+"/people"), cleared...)), at+"/money")
	if got := e.now(l.ID); len(got.Tenants) != 1 {
		t.Errorf("the parties are %+v", got.Tenants)
	}
}

func TestFormsAskForCoOwners(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Owner)
	form := pagetest.With(r.Shown(e.form), "tenant_id", e.dana, "start_date", "2028-01-01", "monthly_rent", "1500",
		"co_owners.0.name", "Jordan Ellis", "co_owners.0.title", "Trustee")
	refused := r.Post("/test/leases/generate", e.form, form)
	r.Says(refused, http.StatusBadRequest, "Co-owner 1: email address: This is required.")
	for _, kept := range []string{`value="Jordan Ellis"`, `value="Trustee"`, "Co-owner 2: full name"} {
		if !strings.Contains(refused.Body.String(), kept) {
			t.Errorf("the form does not show %s", kept)
		}
	}
	form.Set("co_owners.0.email", "jordan@example.com")
	l := e.made(r, form)
	at := "/test/leases/" + l.ID
	r.Says(r.Get(at), http.StatusOK, "Jordan Ellis, jordan@example.com")
	step := r.Shown(at + "/people")
	if step.Get("co_owners.0.name") != "Jordan Ellis" || step.Get("co_owners.0.title") != "Trustee" {
		t.Errorf("the step shows %v", step)
	}
	r.Says(r.Post(at+"/people", at+"/people", pagetest.With(step, "co_owners.1.name", "Kim Ellis",
		"co_owners.1.email", "Jordan@example.com")),
		http.StatusBadRequest, "Co-owner 2: email address: This is the address of another co-owner")
	r.Leads(r.Post(at+"/people", at+"/people", pagetest.With(step, "co_owners.1.name", "Kim Ellis",
		"co_owners.1.email", "kim@example.com")), at+"/money")
	if got := e.now(l.ID).Terms.CoOwnerNames(); !slices.Equal(got, []string{"Jordan Ellis", "Kim Ellis"}) {
		t.Errorf("the co-owners are %v", got)
	}
	r.Says(r.Get(at+"/review"), http.StatusOK, "Jordan Ellis and Kim Ellis own the home with the landlord")
	_, err := e.DB.Exec(e.Context(), "UPDATE leases SET status = 'signed' WHERE id = $1", l.ID)
	e.OK(err)
	renewal := e.made(r, r.Shown(e.form+"&renews_lease_id="+l.ID))
	if got := renewal.Terms.CoOwnerNames(); !slices.Equal(got, []string{"Jordan Ellis", "Kim Ellis"}) {
		t.Errorf("the co-owners of the renewal are %v", got)
	}
	at, cleared := "/test/leases/"+renewal.ID, []string{}
	for _, name := range []string{"name", "email", "title"} {
		cleared = append(cleared, "co_owners.0."+name, "", "co_owners.1."+name, "")
	}
	r.Leads(r.Post(at+"/people", at+"/people", pagetest.With(r.Shown(at+"/people"), cleared...)), at+"/money")
	if got := e.now(renewal.ID).Terms.CoOwners; len(got) != 0 {
		t.Errorf("the co-owners are %+v", got)
	}
}

func TestEachStepIsSavedInTheDraft(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Owner)
	at, l := e.drafted(r, "occupants", "Robin\r\nKim")
	for _, words := range []string{"Home and people", "Dates and money", "Law and clauses", "Read and send"} {
		r.Says(r.Get(at+"/money"), http.StatusOK, words)
	}
	form := r.Shown(at + "/people")
	r.Leads(r.Post(at+"/people", at+"/people", pagetest.With(form, "pets.0.kind", "Cat", "pets.0.weight_pounds", "9",
		"vehicles.0.make", "Vespa", "vehicles.0.plate", "ABC 12", "utilities.0.name", "Water",
		"utilities.0.paid_by", "landlord")), at+"/money")
	form = r.Shown(at + "/people")
	r.Leads(r.Post(at+"/people", at+"/people", pagetest.With(form, "pets.1.kind", "Dog", "pets.1.name", "Rex",
		"utilities.1.name", "Power", "utilities.1.paid_by", "tenant")), at+"/money")
	if got := e.now(l.ID).Terms; !slices.Equal(got.AnimalNames(), []string{"Cat (9 lb)", "Dog Rex"}) ||
		!slices.Equal(got.VehicleNames(), []string{"Vespa (ABC 12)"}) ||
		!slices.Equal(got.PaidBy(terms.Tenant), []string{"Power"}) || len(got.Utilities) != 2 {
		t.Errorf("%+v", got)
	}
	r.Says(r.Post(at+"/people", at+"/people", pagetest.With(r.Shown(at+"/people"), "utilities.1.paid_by", "",
		"pets.1.weight_pounds", "light")), http.StatusBadRequest, "Utility 2: paid by")
	form = r.Shown(at + "/money")
	if form.Get("start_date") != "2028-01-01" || form.Get("end_date") != "2028-12-31" ||
		form.Get("monthly_rent") != "1500.00" {
		t.Errorf("the second step shows %v", form)
	}
	r.Leads(r.Post(at+"/money", at+"/money", pagetest.With(form, "start_date", "2028-02-01", "term_months", "6",
		"monthly_rent", "$1,550", "security_deposit", "1000", "fees.0.name", "Parking", "fees.0.amount", "50",
		"fees.0.frequency", "monthly", "late_fee_amount", "50")), at+"/law")
	r.Says(r.Get(at+"/law"), http.StatusOK, "Draft saved.")
	form = r.Shown(at + "/law")
	r.Leads(r.Post(at+"/law", at+"/law", pagetest.With(form, "clauses.pets", "One cat.", "lead_paint.hazards", "none",
		"lead_paint.records", "none", "disclosures.parking_rules", "yes", "disclosures.parking_rules.text", "Bay 4.")),
		at+"/review")
	for _, words := range []string{
		"Dana Whitfield, dana@", "in English, with Spanish one click away", "Send for signature", "One cat.", "$1,550",
		"Parking", "Open PDF",
	} {
		r.Says(r.Get(at+"/review"), http.StatusOK, words)
	}
	got := e.now(l.ID)
	if got.StartDate != clock.Day(2028, 2, 1) || *got.EndDate != clock.Day(2028, 7, 31) ||
		got.MonthlyRent != money.Dollars(1550) || len(got.Terms.Fees) != 1 || len(got.Terms.Answers) != 1 ||
		*got.Terms.Clauses.Pets != "One cat." || got.Terms.LeadPaint == nil || len(got.Terms.Occupants) != 2 {
		t.Errorf("%+v", got)
	}
	for path, cleared := range map[string][]string{
		"/people": {
			"occupants", "", "pets.0.kind", "", "pets.0.weight_pounds", "", "pets.1.kind", "", "pets.1.name", "",
			"vehicles.0.make", "", "vehicles.0.plate", "", "utilities.0.name", "", "utilities.0.paid_by", "",
			"utilities.1.name", "", "utilities.1.paid_by", "",
		},
		"/money": {
			"fees.0.name", "", "fees.0.amount", "", "fees.0.frequency", "", "lease_type", "month_to_month",
		},
		"/law": {
			"clauses.pets", "", "lead_paint.hazards", "", "lead_paint.records", "", "disclosures.parking_rules", "",
			"disclosures.parking_rules.text", "",
		},
	} {
		if rec := r.Post(
			at+path,
			at+path,
			pagetest.With(r.Shown(at+path), cleared...),
		); rec.Code != http.StatusSeeOther {
			t.Errorf("%s: %d %s", path, rec.Code, pagetest.Text(pagetest.Parse(t, rec.Body.String())))
		}
	}
	got = e.now(l.ID)
	left := &got.Terms
	if len(left.Pets)+len(left.Vehicles)+len(left.Utilities)+len(left.Fees)+len(left.Answers)+len(left.Occupants) > 0 ||
		got.EndDate != nil || left.Clauses.Pets != nil || left.LeadPaint != nil {
		t.Errorf("what was cleared stays: %+v", got)
	}
	r.Leads(r.Post(at+"/send", at+"/review", nil), at)
	r.Says(r.Get(at+"/review"), http.StatusOK, "The emails will leave by themselves")
}

func TestSecondStepShowsWhatTheTenantsPay(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	at, l := e.drafted(r)
	form := pagetest.With(r.Shown(at+"/money"), "start_date", "2028-01-16", "end_date", "2028-06-30",
		"monthly_rent", "1550", "security_deposit", "1000", "late_fee_amount", "50",
		"fees.0.name", "Parking", "fees.0.amount", "62", "fees.0.frequency", "monthly",
		"fees.1.name", "Keys", "fees.1.amount", "40", "fees.1.frequency", "once")
	says := func(rec *httptest.ResponseRecorder, rent string, all ...string) {
		t.Helper()
		shows(r, rec, "Rent Jan 16, 2028 to Jan 31, 2028"+rent)
		shows(r, rec, all...)
	}
	sums := []string{
		"Due at move-in", "Deposit $1,000.00", "Keys $40.00", "Parking Jan 16, 2028 to Jan 31, 2028$32.00",
		"Total$1,872.00", "Due each month from Feb 1, 2028", "Rent $1,550.00", "Parking $62.00", "Total$1,612.00",
		"Whole term to Jun 30, 2028", "Total$9,932.00", "Fees for late and returned payments come on top.",
	}
	typed := r.Post(at+"/money?other=1", at+"/money", form)
	says(typed, "$800.00", append(sums, "For what you typed. It isn’t saved yet.")...)
	if kept := pagetest.FieldsOf(pagetest.Parse(t, typed.Body.String())); kept.Get("fees.1.name") != "Keys" ||
		kept.Get("end_date") != "2028-06-30" {
		t.Errorf("%v is kept", kept)
	}
	if got := e.now(l.ID); got.Version != l.Version || got.MonthlyRent != money.Dollars(1500) {
		t.Errorf("the button has saved %s, version %d", got.MonthlyRent, got.Version)
	}
	shows(r, r.Get(at+"/money"), "As saved.", "Rent Jan 1, 2028 to Jan 31, 2028$1,500.00", "Total$18,000.00")
	r.Leads(r.Post(at+"/money", at+"/money", form), at+"/law")
	says(r.Get(at+"/money"), "$800.00", append(sums, "As saved.")...)
	months := r.Post(
		at+"/money?other=1",
		at+"/money",
		pagetest.With(form, "term_months", "3", "end_date", "2028-06-30"),
	)
	again := r.Shown(at + "/money")
	if kept := pagetest.FieldsOf(pagetest.Parse(t, months.Body.String())); kept.Get("end_date") != "2028-04-15" ||
		kept.Get("term_months") != "" || again.Get("end_date") != "2028-06-30" {
		t.Errorf("a length of three months shows %v", kept)
	}
	monthly := pagetest.With(form, "lease_type", "month_to_month", "end_date", "")
	rec := r.Post(at+"/money?other=1", at+"/money", monthly)
	if says(rec, "$800.00", "Due each month from Feb 1, 2028"); strings.Contains(rec.Body.String(), "Whole term") {
		t.Error("a lease without an end has a sum")
	}
	wrong := r.Post(at+"/money?other=1", at+"/money", pagetest.With(form, "late_fee_amount", "900"))
	r.Says(wrong, http.StatusBadRequest, "Late fee: Must be at most")
	r.Says(wrong, http.StatusBadRequest, "Total$9,932.00")
}

func TestThirdStepNamesWhatIsLeftToAnswer(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	dbtest.Exec(t, e.DB, "UPDATE properties SET state = 'CA'")
	at, _ := e.drafted(r)
	const pests, answer = "disclosures.pest_control", "-0"
	first := r.Get(at + "/law")
	shows(r, first, "questions to answer", "No one can sign before lead-based paint is answered.",
		"Disclosures of California: 7 to answer", "a source")
	if link := pagetest.Link(t, first, "Pest control"); link != "#field-"+pests+answer ||
		!strings.Contains(first.Body.String(), `id="field-`+pests+answer+`"`) {
		t.Errorf("what is left leads to %q", link)
	}
	if text := pagetest.Text(pagetest.Parse(t, r.Get(at+"/money").Body.String())); strings.Contains(text, "a source") {
		t.Errorf("dates and money speak of sources: %s", text)
	}
	answers := []string{"lead_paint.hazards", "none", "lead_paint.records", "none"}
	form := r.Shown(at + "/law")
	for name := range form {
		if strings.HasPrefix(name, "disclosures.") && !strings.HasSuffix(name, ".text") && name != pests {
			answers = append(answers, name, "no")
		}
	}
	r.Leads(r.Post(at+"/law", at+"/law", pagetest.With(form, answers...)), at+"/review")
	shows(r, r.Get(at+"/law"), "1 question to answer", "Disclosures of California: 1 to answer", "Answered disclosures")
	r.Leads(r.Post(at+"/law", at+"/law", pagetest.With(r.Shown(at+"/law"), pests, "yes", pests+".text", "Each May.")),
		at+"/review")
	shows(r, r.Get(at+"/law"), "All questions are answered", "Each May.")
}

func TestTextOfADisclosureShowsOnlyWhereItApplies(t *testing.T) {
	b, e := pagetest.Browser(t), newLeasePages(t)
	s := httptest.NewServer(e.Site)
	t.Cleanup(s.Close)
	r := e.Member(access.Owner)
	at, _ := e.drafted(r)
	w := b.Window(t)
	w.Cookie(s.URL, "session", r.Cookies["session"].Value)
	w.Visit(webtest.Desktop, s.URL+at+"/law")
	seen := func(name string) bool {
		t.Helper()
		return webtest.Value[bool](w, fmt.Sprintf("document.querySelector(\"[name='%s']\").checkVisibility()", name))
	}
	does := func(what string) { w.Do("document.querySelector(" + what) }
	const text = "disclosures.parking_rules.text"
	if seen(text) || seen("lead_paint.details") {
		t.Error("texts are asked for before an answer")
	}
	does("\"[name='disclosures.parking_rules'][value=yes]\").click()")
	does("\"[name='lead_paint.hazards']\").value = 'known'")
	if !seen(text) || !seen("lead_paint.details") {
		t.Error("a text is not asked for where it applies")
	}
	does("\"[name='disclosures.parking_rules'][value=no]\").click()")
	if seen(text) {
		t.Error("a text is asked for where it does not apply")
	}
	does("\"[name='" + text + "']\").value = 'Bay 4.'")
	if !seen(text) {
		t.Error("a text that was typed is hidden")
	}
}

func TestStepErrorsStandBesideTheirFields(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	at, _ := e.drafted(r)
	for path, all := range map[string]map[string][]string{
		"/money": {
			"First day: This is required.":                         {"start_date", ""},
			"Last day: Must be after start date":                   {"end_date", "2027-12-31"},
			"Last day: Enter the last day, or a length in months.": {"end_date", ""},
			"Length in months: Must be a whole number":             {"term_months", "121"},
			"Length in months: Must be left out where you change":  {"term_months", "6", "end_date", "2028-05-31"},
			"Length in months: Must be left out: a lease from":     {"term_months", "6", "lease_type", "month_to_month"},
			"Monthly rent: Enter a number.":                        {"monthly_rent", "much"},
			"Late fee: Must be at most $180":                       {"late_fee_amount", "900"},
			"Due on day: Must be a whole number":                   {"rent_due_day", "29"},
			"Fee 2: owed: This is required.":                       {"fees.1.name", "Parking", "fees.1.amount", "50"},
			"Fee 2: Has characters that the document": {
				"fees.1.name", "መኪና", "fees.1.amount", "50", "fees.1.frequency", "once",
			},
		},
		"/law": {
			"Parking: Has characters that the document cannot show": {"clauses.parking", "መኪና"},
			"Parking and towing rules: Choose whether it":           {"disclosures.parking_rules.text", "Bay 4."},
			"What is known, and how: This is required where": {
				"lead_paint.hazards", "known", "lead_paint.records", "none",
			},
			"Records and reports about it: This is required.": {"lead_paint.hazards", "none"},
		},
		"/people": {"Other occupants: Has characters": {"occupants", "Robin\r\nመኪና"}},
	} {
		for words, pairs := range all {
			sent := pagetest.With(r.Shown(at+path), pairs...)
			rec := r.Post(at+path, at+path, sent)
			r.Says(rec, http.StatusBadRequest, words)
			kept := pagetest.FieldsOf(pagetest.Parse(t, rec.Body.String()))
			for name := range sent {
				if name != "token" && name != "once" && page.LineEnds(kept.Get(name)) != page.LineEnds(sent.Get(name)) {
					t.Errorf("%s: of %s %q is kept, want %q", words, name, kept.Get(name), sent.Get(name))
				}
			}
		}
	}
}

func TestStepOfAnEarlierVersionSavesNothing(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	at, l := e.drafted(r)
	early := r.Shown(at + "/money")
	r.Leads(r.Post(at+"/money", at+"/money", pagetest.With(early, "monthly_rent", "1600")), at+"/law")
	rec := r.Post(at+"/money", at+"/money", pagetest.With(early, "monthly_rent", "1700")) // by the back button
	if rec.Code < http.StatusBadRequest || !strings.Contains(rec.Body.String(), `value="1700"`) {
		t.Errorf("%d %s", rec.Code, pagetest.Text(pagetest.Parse(t, rec.Body.String())))
	}
	if got := e.now(l.ID).MonthlyRent; got != money.Dollars(1600) {
		t.Errorf("the rent is %s", got)
	}
}

// do presses a button of the first step and is the form that comes of it.
func (e *leasePages) do(r *pagetest.Reader, form url.Values, pairs ...string) url.Values {
	e.Helper()
	rec := r.Post("/test/leases/generate/signers", e.form, pagetest.With(form, pairs...))
	if rec.Code != http.StatusOK {
		e.Fatalf("%v: %d %s", pairs, rec.Code, pagetest.Text(pagetest.Parse(e.T, rec.Body.String())))
	}
	return pagetest.FieldsOf(pagetest.Parse(e.T, rec.Body.String()))
}

func TestPickerSearchesAddsAndRemovesTenants(t *testing.T) {
	e := newLeasePages(t)
	e.fill()
	r := e.Member(access.Manager)
	at := "/test/leases/generate/signers"
	form := pagetest.With(r.Shown(e.form), "occupants", "Robin")
	for _, words := range []string{"sam@exam", "sam whit", "Sam"} {
		rec := r.Post(at, e.form, pagetest.With(form, "tenant", words, "do", "find"))
		r.Says(rec, http.StatusOK, "Sam Whitfield, sam@example.com")
	}
	r.Says(r.Post(at, e.form, pagetest.With(form, "tenant", "Kim", "do", "find")), http.StatusOK, "More tenants match.")
	r.Says(r.Post(at, e.form, pagetest.With(form, "tenant", "Zoltan", "do", "find")), http.StatusOK, "No other tenant")
	form = e.do(r, form, "tenant", "Sam", "do", "add:"+e.sam)
	form = e.do(r, form, "do", "add:"+e.dana)
	form = e.do(r, form, "do", "add:"+e.dana) // twice is once
	if form.Get("tenant_id") != e.sam || form.Get("additional_tenant_ids.0") != e.dana ||
		form.Get("additional_tenant_ids.1") != "" || form.Get("occupants") != "Robin" || form.Get("tenant") != "" {
		t.Errorf("%v", form)
	}
	form = e.do(r, form, "do", "primary:1")
	if form.Get("tenant_id") != e.dana || form.Get("additional_tenant_ids.0") != e.sam {
		t.Errorf("%v", form)
	}
	form = e.do(r, form, "tenant", "Noor Haddad", "do", "new")
	if form.Get("new.2.first_name") != "Noor" || form.Get("new.2.last_name") != "Haddad" {
		t.Errorf("%v", form)
	}
	form = e.do(r, form, "do", "remove:0")
	if form.Get("tenant_id") != e.sam || form.Get("new.1.first_name") != "Noor" || form.Has("new.2.first_name") {
		t.Errorf("%v", form)
	}
	for range 3 {
		form = e.do(r, form, "do", "new")
	}
	rec := r.Post(at, e.form, pagetest.With(form, "do", "new"))
	r.Says(rec, http.StatusBadRequest, "A lease can have up to 5 tenants who sign.")
}

func TestNewTenantIsSavedWithTheDraftAlone(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	count := func() int {
		return len(dbtest.Texts(t, e.DB, "SELECT id FROM tenants WHERE last_name = 'Haddad'"))
	}
	form := e.do(r, pagetest.With(r.Shown(e.form), "tenant_id", e.dana, "monthly_rent", "1500"), "do", "new")
	form = pagetest.With(form, "new.1.first_name", "Noor", "new.1.last_name", "Haddad", "new.1.phone", "(512) 555-0142")
	for words, pairs := range map[string][]string{
		"First name: This is required.":  {"new.1.first_name", ""},
		"Email address: ":                {"new.1.email", "noor"},
		"Phone: ":                        {"new.1.phone", "12"},
		"Late fee: Must be at most $180": {"late_fee_amount", "900"},
	} {
		sent := pagetest.With(form, pairs...)
		rec := r.Post("/test/leases/generate", e.form, sent)
		r.Says(rec, http.StatusBadRequest, words)
		if strings.Count(rec.Body.String(), ": This is required.") > strings.Count(words, "This is required.") {
			t.Errorf("%s: a field that has text is required, too", words)
		}
		kept := pagetest.FieldsOf(pagetest.Parse(t, rec.Body.String()))
		for name := range sent {
			if name != "token" && name != "once" && kept.Get(name) != sent.Get(name) {
				t.Errorf("%s: of %s %q is kept, want %q", words, name, kept.Get(name), sent.Get(name))
			}
		}
	}
	r.Says(r.Post("/test/leases/generate/beside", e.form, form), http.StatusOK, "Noor Haddad")
	if pdf := r.Post(
		"/test/leases/generate/preview",
		e.form,
		form,
	); pdf.Header().Get(
		"Content-Type",
	) != "application/pdf" {
		t.Errorf("%d %v", pdf.Code, pdf.Header())
	}
	if n := count(); n != 0 {
		t.Fatalf("%d tenants are kept without a draft", n)
	}
	form.Set("once", "twice")
	l := e.made(r, form)
	form.Set("token", r.Token(e.form))
	for range 2 { // pressed twice
		r.Leads(r.Send(http.MethodPost, "/test/leases/generate", form, nil), "/test/leases/"+l.ID+"/money")
	}
	got := dbtest.Texts(t, e.DB, "SELECT id || ' ' || COALESCE(email, 'none') FROM tenants WHERE last_name = 'Haddad'")
	if len(got) != 1 || len(l.TenantIDs) != 2 || got[0] != l.TenantIDs[1]+" none" {
		t.Errorf("%v sign, %v are added", l.TenantIDs, got)
	}
	if drafts := dbtest.Texts(t, e.DB, "SELECT id FROM leases WHERE status = 'draft'"); len(drafts) != 1 {
		t.Errorf("the drafts %v are made", drafts)
	}
}

func TestStepsOfOtherPortfoliosAreAbsent(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Owner)
	at, _ := e.drafted(r)
	stranger, other := e.stranger(), e.Stranger()
	for _, path := range []string{"/people", "/money", "/law", "/review", "/restart"} {
		r.Says(other.Get(at+path), http.StatusNotFound, "")
		r.Says(r.Get(strings.Replace(at, "/test/", "/live/", 1)+path), http.StatusNotFound, "")
		if path != "/review" {
			r.Says(other.Post(at+path, "/test/tickets/new", url.Values{}), http.StatusNotFound, "")
		}
	}
	form := r.Shown(e.form)
	picker := "/test/leases/generate/signers"
	r.Says(
		r.Post(picker, e.form, pagetest.With(form, "do", "add:"+stranger)),
		http.StatusBadRequest,
		"There is no such tenant.",
	)
	r.Says(
		r.Post(picker, e.form, pagetest.With(form, "tenant_id", stranger)),
		http.StatusOK,
		"No tenant of this portfolio",
	)
	r.Says(r.Post(picker, e.form, pagetest.With(form, "unit_id", "")), http.StatusNotFound, "")
	r.Says(other.Post(picker, "/test/tickets/new", form), http.StatusNotFound, "")
	if got := r.Shown(e.form + "&tenant_id=" + stranger); got.Get("tenant_id") != "" {
		t.Errorf("the form names %s", got.Get("tenant_id"))
	}
	r.Says(other.Get("/test/leases/generate?unit_id="+e.unit), http.StatusNotFound, "")
	own := other.Get("/test/tenants/new?unit_id=" + e.unit)
	r.Says(own, http.StatusOK, "None yet")
	rec := other.Post("/test/tenants/new", "/test/tenants/new", pagetest.With(other.Shown("/test/tenants/new"),
		"first_name", "Noor", "last_name", "Haddad", "unit_id", e.unit))
	r.Says(rec, http.StatusNotFound, "Unit: ")
}

func TestOpenDraftsAreContinued(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	at, l := e.drafted(r)
	for _, from := range []string{e.form, "/test/leases?status=draft", "/test/units/" + e.unit, at} {
		r.Says(r.Get(from), http.StatusOK, "Continue draft")
	}
	if to := pagetest.Link(
		t,
		r.Get("/test/units/"+e.unit),
		"Create lease",
	); to != "/test/leases/generate?unit_id="+e.unit {
		t.Errorf("another lease of the unit is made at %s", to)
	}
	list := r.Get("/test/leases?status=draft").Body.String()
	if !regexp.MustCompile(`<td role="cell" class="[^"]*z2[^"]*off" data-label="Rent / month"`).MatchString(list) ||
		!regexp.MustCompile(`<td role="cell" class="[^"]*z2[^"f]*" data-label="Ends in"`).MatchString(list) {
		t.Error("on a phone, the card of a draft does not lead on to it")
	}
	if all := r.Get("/test/leases?status=active").Body.String(); !regexp.MustCompile(
		`<td role="cell" class="[^"]*z2[^"]*off" data-label="Ends in"`).MatchString(all) {
		t.Error("on a phone, the card of a lease says a number of days without a word")
	}
	r.Leads(r.Post(at+"/restart", at+"/restart", r.Shown(at+"/restart")),
		"/test/leases/generate?unit_id="+e.unit+"&like="+l.ID)
	if got := e.now(l.ID).Status; got != portfolio.LeaseVoided {
		t.Errorf("the draft is %s", got)
	}
	for _, path := range []string{"/people", "/money", "/law", "/review", "/restart"} {
		r.Leads(r.Get(at+path), at)
	}
	e.form += "&like=" + l.ID
	again := e.made(r, r.Shown(e.form))
	if !slices.Equal(again.TenantIDs, l.TenantIDs) || again.StartDate != l.StartDate || *again.EndDate != *l.EndDate ||
		again.MonthlyRent != l.MonthlyRent {
		t.Errorf("%+v, before %+v", again, l)
	}
}

func TestFormBeginsAfterTheLeaseOfTheUnit(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	if form := r.Shown(e.form); form.Get("start_date") != "2027-01-01" {
		t.Errorf("the form begins on %s", form.Get("start_date"))
	}
	dbtest.Exec(t, e.DB, "UPDATE leases SET status = 'expired'")
	first := clock.DateOf(e.Now, time.UTC).LastOfMonth().AddDays(1).String()
	if form := r.Shown(e.form); form.Get("start_date") != first {
		t.Errorf("the form begins on %s, want %s", form.Get("start_date"), first)
	}
}

func TestWhatIsTypedOfATenantIsKeptWhileTheirUnitIsChosen(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	at := "/test/tenants/new"
	typed := pagetest.With(r.Shown(at), "first_name", "Noor", "last_name", "Haddad", "email", "noor@")
	r.Leads(r.Post("/test/tenants/unit", at, pagetest.With(typed, "do", "pick")), "/test/tenants/unit")
	with := at + "?unit_id=" + e.unit
	rec := r.Get(with)
	r.Says(rec, http.StatusOK, "1420 Maple Avenue")
	if strings.Contains(rec.Body.String(), "Your session ended") {
		t.Error("the page says that the session ended")
	}
	form := pagetest.FieldsOf(pagetest.Parse(t, rec.Body.String()))
	for _, name := range []string{"first_name", "last_name", "email"} {
		if form.Get(name) != typed.Get(name) {
			t.Errorf("%s is %q, typed was %q", name, form.Get(name), typed.Get(name))
		}
	}
	if form.Get("unit_id") != e.unit {
		t.Errorf("the unit %q is chosen", form.Get("unit_id"))
	}
	r.Leads(r.Post("/test/tenants/unit", with, pagetest.With(form, "do", "none")), at)
	rec = r.Get(at)
	r.Says(rec, http.StatusOK, "None yet")
	form = pagetest.FieldsOf(pagetest.Parse(t, rec.Body.String()))
	if form.Get("unit_id") != "" || form.Get("first_name") != "Noor" {
		t.Errorf("without a unit the form holds %v", form)
	}
	if again := r.Shown(at).Get("first_name"); again != "" {
		t.Errorf("a new form holds %q", again)
	}
}

func TestAddedTenantTakesAUnitAndGoesOnToItsLease(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	r.Leads(r.Get("/test/tenants/unit?unit_id="+e.unit), "/test/tenants/new?unit_id="+e.unit)
	r.Says(r.Get("/test/tenants/unit"), http.StatusOK, "Choose the home.")
	at := "/test/tenants/new?unit_id=" + e.unit
	r.Says(r.Get(at), http.StatusOK, "1420 Maple Avenue")
	form := pagetest.With(r.Shown(at), "first_name", "Noor", "last_name", "Haddad")
	r.Says(
		r.Post("/test/tenants/new", at, pagetest.With(form, "last_name", "")),
		http.StatusBadRequest,
		"1420 Maple Avenue",
	)
	to := r.Post("/test/tenants/new", at, form).Header().Get("Location")
	id := strings.TrimPrefix(to, "/test/tenants/")
	tenant, err := e.rules.Tenants.Tenant(e.Context(), e.Actor(), id)
	e.OK(err)
	if tenant.UnitID == nil || *tenant.UnitID != e.unit || tenant.Status != portfolio.TenantProspect {
		t.Errorf("%+v", tenant)
	}
	next := "/test/leases/generate?unit_id=" + e.unit + "&tenant_id=" + id
	if link := r.Found(
		r.Get(to),
		`href="(/test/leases/generate[^"]+)"`,
	); strings.ReplaceAll(
		link,
		"&amp;",
		"&",
	) != next {
		t.Errorf("the tenant’s page leads to %s", link)
	}
	if got := r.Shown(next).Get("tenant_id"); got != id {
		t.Errorf("the form names %q", got)
	}
	r.Leads(r.Get("/test/leases/new?tenant_id="+id+"&unit_id="+e.unit), next)
}

// tabTo moves the focus to what a selector finds with the Tab key alone.
func tabTo(w *webtest.Window, css string) {
	w.Helper()
	for range 200 {
		if webtest.Value[bool](w, fmt.Sprintf("!!document.activeElement?.matches(%q)", css)) {
			return
		}
		w.Press(kb.Tab)
	}
	w.Fatalf("Tab does not lead to %s but to %s", css, webtest.Value[string](w, "document.activeElement.outerHTML"))
}

func TestStepsAreWalkedWithTheKeyboardAlone(t *testing.T) {
	b, e := pagetest.Browser(t), newLeasePages(t)
	s := httptest.NewServer(e.Site)
	t.Cleanup(s.Close)
	taken := sampled.OneIn(t, 2)
	for i, screen := range []webtest.Screen{webtest.Desktop, {Width: 390, Height: 844}} {
		if !taken(i) {
			continue
		}
		w := b.Window(t)
		w.Cookie(s.URL, "session", e.Member(access.Owner).Cookies["session"].Value)
		looks := func(step string) {
			t.Helper()
			w.Keep("lease-" + step + "-" + screen.String())
			w.CheckBoth(screen, step)
			w.Show(screen)
			w.Do("document.querySelector('.skip').focus()") // the check has moved the focus
		}
		presses := func(css string) {
			t.Helper()
			tabTo(w, css)
			w.Leave(func() { w.Press(kb.Enter) })
		}
		enters := func(css, text string) {
			t.Helper()
			tabTo(w, css)
			w.Do("document.activeElement.select?.()")
			w.Press(text)
		}
		w.Visit(screen, s.URL+e.form)
		looks("1-empty")
		enters("[name=tenant]", "sam")
		presses("[value=find]")
		presses("[aria-label='Add Sam Whitfield']")
		enters("[name=tenant]", "Noor Haddad")
		presses("[value=new]")
		if focus := webtest.Value[string](w, "document.activeElement.name"); focus != "new.1.first_name" {
			t.Errorf("the focus is on %q behind New tenant", focus)
		}
		enters("[name='new.1.email']", "noor")
		if w.Text(
			"body",
		); webtest.Value[bool](
			w,
			"!!document.querySelector('[name=monthly_rent]:not([type=hidden])')",
		) {
			enters("[name=monthly_rent]", "1500")
		}
		presses(".acts button:not([formaction])")
		looks("1-wrong")
		w.Text("[id='field-new.1.email-error']")
		enters("[name='new.1.email']", "noor@example.com")
		looks("1-filled")
		presses(".acts button:not([formaction])")
		looks("2-money")
		enters("[name=monthly_rent]", "1600")
		presses(".acts button")
		tabTo(w, "[name='lead_paint.hazards']")
		w.Press("None")
		tabTo(w, "[name='lead_paint.records']")
		w.Press("There")
		looks("3-law")
		presses(".acts button")
		looks("4-review")
		for _, words := range []string{"Noor Haddad, noor@example.com", "$1,600"} {
			if !strings.Contains(w.Text("main"), words) {
				t.Errorf("the review does not say %s", words)
			}
		}
		if pdf := webtest.Value[string](
			w,
			"document.querySelector('main a[href*=documents]')?.textContent.trim() ?? ''",
		); pdf != "Open PDF" {
			t.Errorf("the PDF is opened by %q", pdf)
		}
		// A step through the history while a page still loads is dropped.
		const loaded = " && performance.getEntriesByType('navigation')[0]?.loadEventEnd > 0"
		w.Do("history.back()")
		w.Await("location.pathname.endsWith('/law')" + loaded)
		w.Do("history.forward()")
		w.Await("location.pathname.endsWith('/review')" + loaded)
		presses("form[action$='/send'] button")
		if at := w.Path(); !strings.HasPrefix(at, "/test/leases/lea_") ||
			strings.Contains(w.Text("main"), "hasn’t been sent yet") {
			t.Errorf("behind Send is %s:\n%s", at, w.Text("main"))
		}
	}
}
