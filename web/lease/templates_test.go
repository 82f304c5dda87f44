package lease_test

import (
	"net/http"
	"net/url"
	"path"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/document/documenttest"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
	"portal/db/dbtest"
	"portal/web/page"
	"portal/web/pagetest"
)

const templatesAt = "/test/leases/templates"

// addsTemplate makes a template and is the address of its page.
func (e *leasePages) addsTemplate(r *pagetest.Reader, pairs ...string) string {
	e.Helper()
	at := templatesAt + "/new"
	rec := r.Post(at, at, pagetest.With(r.Shown(at), pairs...))
	to := rec.Header().Get("Location")
	if rec.Code != http.StatusSeeOther || !strings.HasPrefix(to, templatesAt+"/tpl_") {
		e.Fatalf("%d to %q:\n%s", rec.Code, to, pagetest.Text(pagetest.Parse(e.T, rec.Body.String())))
	}
	return to
}

// full are the fields of a template that sets something of everything.
func full() []string {
	return []string{
		"name", "Texas, one year", "state", "TX", "lease_type", "fixed", "term_months", "9", "rent_due_day", "3",
		"late_fee_amount", "$50", "late_fee_frequency", "daily", "late_fee_grace_days", "5",
		"returned_payment_fee", "25", "utilities.0.name", "Water", "utilities.0.paid_by", "landlord",
		"clauses.pets", "One cat.", "clauses.parking", "Bay 4.",
		"fees.1.name", "Parking", "fees.1.amount", "40", "fees.1.frequency", "monthly", "fees.1.refundable", "on",
	}
}

func (e *leasePages) template(at string) *agreement.LeaseTemplate {
	e.Helper()
	t, err := e.agreements.Template(e.Context(), e.Actor(), path.Base(at))
	e.OK(err)
	return t
}

func TestMemberKeepsTemplates(t *testing.T) {
	onEach(t, func(t *testing.T, e *leasePages) {
		r := e.Member(access.Manager)
		if link := pagetest.Link(t, r.Get("/test/leases"), "Templates"); link != templatesAt {
			t.Errorf("the leases lead to %q", link)
		}
		shows(r, r.Get(templatesAt), "No templates yet", "clauses, fees, terms, and PDFs", "New template")
		at := e.addsTemplate(r, full()...)
		shows(r, r.Get(at), "Template saved.", "A template for leases in Texas.", "9 months",
			"On the 3rd of the month", "$50.00", "Each day it’s late", "5 days", "$25", "$40 each month, refundable",
			"Water", "One cat.", "Bay 4.", "Leases that were created with it keep what they took")
		bare := e.addsTemplate(r, "name", "any home")
		shows(r, r.Get(bare), "A template for leases in any state.", "Nothing yet. Edit the template")
		list := r.Get(templatesAt)
		shows(r, list, "Texas, one year", "9 months, due on the 3rd, late fee $50.00, 2 clauses, 1 fee, utilities",
			"Any state", "Nothing yet")
		if body := list.Body.String(); strings.Index(body, "any home") > strings.Index(body, "Texas, one year") {
			t.Error("the templates are not in the order of their names")
		}
		made := e.template(at)
		if *made.LateFeeFrequency != terms.Daily || len(made.Fees) != 1 || !made.Fees[0].Refundable ||
			*made.State != "TX" || *made.Clauses.Parking != "Bay 4." || made.Clauses.Smoking != nil {
			t.Errorf("%+v", made)
		}

		edit := at + "/edit"
		form := r.Shown(edit)
		for name, want := range map[string]string{
			"name": "Texas, one year", "state": "TX", "lease_type": "fixed", "term_months": "9", "rent_due_day": "3",
			"late_fee_amount": "50.00", "late_fee_frequency": "daily", "late_fee_grace_days": "5",
			"returned_payment_fee": "25.00", "utilities.0.paid_by": "landlord", "clauses.pets": "One cat.",
			"fees.0.name": "Parking", "fees.0.frequency": "monthly", "fees.0.refundable": "on",
		} {
			if form.Get(name) != want {
				t.Errorf("the form has %q for %s, want %q", form.Get(name), name, want)
			}
		}
		r.Leads(r.Post(edit, edit, form), at)
		if got := e.template(at); got.Version != 1 {
			t.Errorf("a form that says the same makes the version %d", got.Version)
		}
		bared := pagetest.With(form, "state", "", "lease_type", "", "term_months", "", "clauses.pets", "",
			"late_fee_amount", "0", "utilities.0.name", "", "utilities.0.paid_by", "",
			"fees.0.name", "", "fees.0.amount", "", "fees.0.frequency", "", "fees.0.refundable", "")
		r.Leads(r.Post(edit, edit, bared), at)
		got := e.template(at)
		if got.Version != 2 || got.State != nil || got.LeaseType != nil || got.TermMonths != nil ||
			got.Clauses.Pets != nil || *got.LateFeeAmount != 0 || len(got.Utilities)+len(got.Fees) != 0 ||
			*got.RentDueDay != 3 {
			t.Errorf("%+v", got)
		}
		stale := r.Post(edit, edit, pagetest.With(form, "name", "Another"))
		if stale.Code != http.StatusPreconditionFailed && stale.Code != http.StatusConflict {
			t.Errorf("a form of an earlier version: %d", stale.Code)
		}
		if kept := pagetest.FieldsOf(pagetest.Parse(t, stale.Body.String())); kept.Get("name") != "Another" ||
			e.template(at).Version != 2 {
			t.Errorf("%v is kept", kept)
		}
	})
}

func TestTemplateErrorsStandBesideTheirFields(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	other := e.addsTemplate(r, "name", "Other")
	at := e.addsTemplate(r, full()...)
	for _, path := range []string{templatesAt + "/new", at + "/edit"} {
		form := pagetest.With(r.Shown(path), full()...)
		for words, pairs := range map[string][]string{
			"Name: This is required.":                      {"name", ""},
			"Name: This is the name of another template.":  {"name", " OTHER "},
			"State: Must be one of":                        {"state", "XX"},
			"Length in months: Must be left out":           {"lease_type", "month_to_month"},
			"Length in months: Must be a whole number":     {"term_months", "121"},
			"Due on day: Must be a whole number":           {"rent_due_day", "29"},
			"Late fee: Enter a number.":                    {"late_fee_amount", "much"},
			"Days of grace: Must be a whole number":        {"late_fee_grace_days", "61"},
			"Returned payment fee: Must be an amount":      {"returned_payment_fee", "-1"},
			"Utility 2: paid by: This is required.":        {"utilities.1.name", "Power"},
			"Fee 3: amount: This is required.":             {"fees.2.name", "Keys", "fees.2.frequency", "once"},
			"Parking: Has characters that the document":    {"clauses.parking", "መኪና"},
			"Fee 2: Has characters that the document":      {"fees.1.name", "መኪና"},
			"Utility 1: Has characters that the document ": {"utilities.0.name", "ውሃ"},
		} {
			sent := pagetest.With(form, append([]string{"name", "Free"}, pairs...)...)
			rec := r.Post(path, path, sent)
			r.Says(rec, http.StatusBadRequest, words)
			kept := pagetest.FieldsOf(pagetest.Parse(t, rec.Body.String()))
			for name := range sent {
				if name != "token" && name != "once" &&
					page.LineEnds(kept.Get(name)) != page.LineEnds(sent.Get(name)) &&
					sent.Get(name) != "XX" {
					t.Errorf("%s: of %s %q is kept, want %q", words, name, kept.Get(name), sent.Get(name))
				}
			}
		}
	}
	if got := dbtest.Texts(t, e.DB, "SELECT name FROM lease_templates ORDER BY name"); len(got) != 2 ||
		e.template(other).Version != 1 || e.template(at).Version != 1 {
		t.Errorf("the templates are %v", got)
	}
}

func TestMemberAttachesPDFsToATemplate(t *testing.T) {
	onEach(t, func(t *testing.T, e *leasePages) {
		r := e.Member(access.Manager)
		at := e.addsTemplate(r, "name", "Texas")
		add := at + "/attachments/new"
		shows(r, r.Get(at), "each lease that is created with the template gets a copy")
		shows(r, r.Get(add), "Copied to each lease", "Scripts, links and files within it are removed")
		form := r.Shown(add)
		for what, c := range map[string]struct{ content, want string }{
			"nothing":   {"", "Choose a PDF."},
			"a picture": {"\x89PNG\r\n\x1a\n", "PDF"},
			"a 35 MB":   {"%PDF-1.7" + strings.Repeat("x", 35<<20), "The file is larger than 10 MB."},
		} {
			rec := sendsFile(r, add, form, "file", "rules.pdf", c.content)
			r.Says(rec, http.StatusBadRequest, c.want)
			if !strings.Contains(rec.Body.String(), "Copied to each lease") {
				t.Errorf("%s: another form is shown", what)
			}
		}
		rules := string(documenttest.Pages("Quiet hours", "No smoking"))
		initialed := pagetest.With(form, "requires_initials", "on")
		r.Leads(sendsFile(r, add, initialed, "file", "House rules.pdf", rules), at)
		shows(r, r.Get(at), "The PDF is attached.", "House rules.pdf 2 pages, with initials")
		kept := e.template(at).Attachments[0]
		pdf := at + "/attachments/" + kept.ID
		shown := r.Get(pdf)
		if shown.Code != http.StatusOK || shown.Header().Get("Content-Type") != "application/pdf" ||
			!strings.HasPrefix(shown.Body.String(), "%PDF-1.7") {
			t.Errorf("%d %v", shown.Code, shown.Header())
		}
		r.Says(r.Get(at+"/attachments/att_00000000000000000000000000"), http.StatusNotFound, "")
		r.Leads(r.Post(pdf+"/remove", at, nil), at)
		shows(r, r.Get(at), "The attachment was removed.")
		if left := dbtest.Texts(t, e.DB, "SELECT id FROM lease_template_attachments"); len(left) > 0 {
			t.Error(left)
		}
	})
}

func TestLeaseIsGeneratedWithATemplate(t *testing.T) {
	onEach(t, func(t *testing.T, e *leasePages) {
		r := e.Member(access.Manager)
		if _, asked := r.Shown(e.form)["template_id"]; asked {
			t.Error("a portfolio without templates is asked for one")
		}
		at := e.addsTemplate(r, full()...)
		elsewhere := e.addsTemplate(r, "name", "Only Ohio", "state", "OH")
		pdf := string(documenttest.Pages("Quiet hours"))
		r.Leads(sendsFile(r, at+"/attachments/new", url.Values{}, "file", "House rules.pdf", pdf), at)
		first := r.Get(e.form)
		if shows(r, first, "Template", "Texas, one year"); strings.Contains(first.Body.String(), "Only Ohio") {
			t.Error("a template for another state is offered")
		}
		chosen := []string{"tenant_id", e.dana, "start_date", "2028-01-01", "monthly_rent", "1500"}
		form := pagetest.With(r.Shown(e.form), append(chosen, "template_id", path.Base(at))...)
		refused := r.Post("/test/leases/generate", e.form, pagetest.With(form, "template_id", path.Base(elsewhere)))
		r.Says(refused, http.StatusBadRequest, "Template: This is a template for OH, and the home is in TX.")
		refused = r.Post("/test/leases/generate", e.form, pagetest.With(form, "template_id", "tpl_x"))
		r.Says(refused, http.StatusNotFound, "Template: There is no such template.")
		drafted, l := e.drafted(r, "template_id", path.Base(at))
		if got := e.now(l.ID); *got.EndDate != clock.Day(2028, 9, 30) || got.RentDueDay != 3 ||
			*got.LateFeeAmount != money.Dollars(50) || got.Terms.LateFeeFrequency != terms.Daily ||
			len(got.Terms.Fees) != 1 || *got.Terms.Clauses.Pets != "One cat." || got.Terms.Template.Version != 2 {
			t.Errorf("%+v", got)
		}
		money := r.Shown(drafted + "/money")
		if money.Get("rent_due_day") != "3" || money.Get("late_fee_amount") != "50.00" ||
			money.Get("fees.0.name") != "Parking" || money.Get("end_date") != "2028-09-30" ||
			r.Shown(drafted+"/law").Get("clauses.parking") != "Bay 4." ||
			r.Shown(drafted+"/people").Get("utilities.0.name") != "Water" {
			t.Errorf("the steps do not show what the template sets: %v", money)
		}
		shows(r, r.Get(drafted+"/people"), "Template Texas, one year")
		shows(r, r.Get(drafted+"/review"), "House rules.pdf", "One cat.", "Bay 4.")
		shows(r, r.Get(drafted), "House rules.pdf", "Template")
		if link := pagetest.Link(t, r.Get(drafted), "Texas, one year"); link != at {
			t.Errorf("the lease leads to %q", link)
		}

		remove := at + "/delete"
		shows(r, r.Get(remove), "Delete the template?", "for good, with its 1 attachment",
			"their own copies of the PDFs")
		r.Leads(r.Post(remove, remove, r.Shown(remove)), templatesAt)
		shows(r, r.Get(templatesAt), "The template is deleted.")
		r.Says(r.Get(at), http.StatusNotFound, "")
		page := r.Get(drafted)
		if shows(r, page, "House rules.pdf"); strings.Contains(page.Body.String(), "Texas, one year") {
			t.Error("the lease names a template that is deleted")
		}
		absent := r.Post("/test/leases/generate", e.form, form)
		r.Says(absent, http.StatusNotFound, "Template: There is no such template.")
	})
}

// What the landlord enters wins over the template, and what the law refuses of the template is mended in the form.
func TestEnteredTermsWinOverTheTemplate(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	at := e.addsTemplate(r, "name", "Too much", "lease_type", "month_to_month", "late_fee_amount", "900",
		"late_fee_frequency", "daily")
	form := pagetest.With(r.Shown(e.form), "tenant_id", e.dana, "start_date", "2028-01-01", "monthly_rent", "1500",
		"template_id", path.Base(at))
	rec := r.Post("/test/leases/generate", e.form, form)
	r.Says(rec, http.StatusBadRequest, "Late fee: Must be at most $180")
	r.Says(rec, http.StatusBadRequest,
		"The template “Too much” has it: change the template, or give another value.")
	r.Says(rec, http.StatusBadRequest, "As in the template")
	again := pagetest.With(pagetest.FieldsOf(pagetest.Parse(t, rec.Body.String())), "late_fee_amount", "50")
	if again.Get("template_id") != path.Base(at) || again.Get("late_fee_frequency") != "" {
		t.Errorf("%v is kept", again)
	}
	l := e.made(r, again)
	if l.LeaseType != portfolio.MonthToMonth || l.EndDate != nil || *l.LateFeeAmount != money.Dollars(50) ||
		l.Terms.LateFeeFrequency != terms.Daily {
		t.Errorf("%+v", l)
	}

	renewal := e.form + "&renews_lease_id=" + e.lease
	shows(r, r.Get(renewal), "What is taken over from an earlier lease stays.")
	taken := pagetest.With(r.Shown(renewal), "tenant_id", e.dana, "template_id", path.Base(at), "late_fee_amount", "40")
	l = e.made(r, taken)
	if l.LeaseType != portfolio.Fixed || l.EndDate == nil || *l.LateFeeAmount != money.Dollars(40) ||
		l.Terms.Template == nil {
		t.Errorf("%+v", l)
	}
}

func TestTemplatesOfOtherPortfoliosAreAbsent(t *testing.T) {
	onEach(t, func(t *testing.T, e *leasePages) {
		r, other := e.Member(access.Owner), e.Stranger()
		at := e.addsTemplate(r, full()...)
		pdf := string(documenttest.Pages("Quiet hours"))
		r.Leads(sendsFile(r, at+"/attachments/new", url.Values{}, "file", "House rules.pdf", pdf), at)
		attached := "/attachments/" + e.template(at).Attachments[0].ID
		live := strings.Replace(at, "/test/", "/live/", 1)
		for _, end := range []string{"", "/edit", "/delete", "/attachments/new", attached} {
			r.Says(r.Get(live+end), http.StatusNotFound, "")
			other.Says(other.Get(at+end), http.StatusNotFound, "")
		}
		for _, end := range []string{"/edit", "/delete", attached + "/remove"} {
			form := url.Values{"name": {"Mine"}, "version": {"1"}}
			other.Says(other.Post(at+end, "/test/tickets/new", form), http.StatusNotFound, "")
		}
		other.Says(sendsFile(other, at+"/attachments/new", url.Values{}, "file", "x.pdf", pdf), http.StatusNotFound, "")
		for _, list := range []string{templatesAt, strings.Replace(templatesAt, "/test/", "/live/", 1)} {
			reader := other
			if strings.Contains(list, "/live/") {
				reader = r
			}
			shows(reader, reader.Get(list), "No templates yet")
		}

		inLive := e.Actor()
		inLive.Portfolio = e.Home.Live
		made, err := e.agreements.AddTemplate(e.Context(), inLive, agreement.TemplateInput{
			Name: "Live", State: new(contact.State("TX")),
		})
		e.OK(err)
		form := pagetest.With(r.Shown(e.form), "tenant_id", e.dana, "start_date", "2028-01-01", "monthly_rent", "1500",
			"template_id", made.After.ID)
		absent := r.Post("/test/leases/generate", e.form, form)
		r.Says(absent, http.StatusNotFound, "Template: There is no such template.")
		if drafts := dbtest.Texts(t, e.DB, "SELECT id FROM leases WHERE status = 'draft'"); len(drafts) > 0 {
			t.Errorf("the drafts %v are made", drafts)
		}
		if got := e.template(at); got.Version != 2 || len(got.Attachments) != 1 || got.Name != "Texas, one year" {
			t.Errorf("%+v", got)
		}
	})
}

func TestTemplatePagesAreAccessible(t *testing.T) {
	b, e := pagetest.Browser(t), newLeasePages(t)
	r := e.Member(access.Manager)
	r.Looks(b, templatesAt)
	at := e.addsTemplate(r, full()...)
	pdf := string(documenttest.Pages("Quiet hours"))
	r.Leads(sendsFile(r, at+"/attachments/new", url.Values{}, "file", "House rules.pdf", pdf), at)
	r.Looks(b, templatesAt, templatesAt+"/new", at, at+"/edit", at+"/delete", at+"/attachments/new", e.form)
}
