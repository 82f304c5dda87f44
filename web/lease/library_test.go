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
	"portal/db/dbtest"
	"portal/web/pagetest"
)

const libraryAt = "/test/leases/library"

// addsDocument adds a PDF to the library and is the address of its page.
func (e *leasePages) addsDocument(r *pagetest.Reader, pdf string, pairs ...string) string {
	e.Helper()
	at := libraryAt + "/new"
	rec := sendsFile(r, at, pagetest.With(r.Shown(at), pairs...), "file", "scan.pdf", pdf)
	to := rec.Header().Get("Location")
	if rec.Code != http.StatusSeeOther || !strings.HasPrefix(to, libraryAt+"/lib_") {
		e.Fatalf("%d to %q:\n%s", rec.Code, to, pagetest.Text(pagetest.Parse(e.T, rec.Body.String())))
	}
	return to
}

func (e *leasePages) document(at string) *agreement.LibraryDocument {
	e.Helper()
	d, err := e.agreements.LibraryDocument(e.Context(), e.Actor(), path.Base(at))
	e.OK(err)
	return d
}

func TestMemberKeepsLibrary(t *testing.T) {
	onEach(t, func(t *testing.T, e *leasePages) {
		r := e.Member(access.Manager)
		if link := pagetest.Link(t, r.Get("/test/leases"), "Library"); link != libraryAt {
			t.Errorf("the leases lead to %q", link)
		}
		shows(r, r.Get(libraryAt), "No documents yet", "Official texts that the law asks for where you have homes",
			"Protect Your Family From Lead in Your Home", "U.S. Environmental Protection Agency", "Add")
		add := pagetest.Link(t, r.Get(libraryAt), "Add")
		form := r.Shown(add)
		if form.Get("title") != "Protect Your Family From Lead in Your Home" || form.Get("kind") != "pamphlet" ||
			form.Get("disclosures") != "lead_paint" || form.Get("states") != "" {
			t.Errorf("%s shows %v", add, form)
		}
		pdf := string(documenttest.Pages("Wash your hands", "Lead is a poison"))
		rec := sendsFile(r, libraryAt+"/new", pagetest.With(form, "edition", "June 2017", "requires_initials", "on"),
			"file", "scan.pdf", pdf)
		at := rec.Header().Get("Location")
		shows(r, r.Get(at), "The document is in the library.", "Official pamphlet", "June 2017", "Asked for",
			"With the disclosure Lead-based paint", "Protect Your Family From Lead in Your Home.pdf, 2 pages")
		opened := r.Get(at + "/document.pdf")
		if opened.Code != http.StatusOK || opened.Header().Get("Content-Type") != "application/pdf" ||
			!strings.HasPrefix(opened.Body.String(), "%PDF-1.7") {
			t.Errorf("%d %v", opened.Code, opened.Header())
		}
		rules := e.addsDocument(r, string(documenttest.Pages("Quiet hours")),
			"title", "House rules", "kind", "house_rules", "states", "tx, OK tx")
		shows(r, r.Get(rules), "House rules", "All leases, in OK, TX", "Not asked for")
		page := r.Get(libraryAt)
		shows(r, page, "Added", "June 2017", "All leases, in OK, TX")
		if link := pagetest.Link(t, page, "Added"); link != at {
			t.Errorf("the official text leads to %q", link)
		}

		edit := rules + "/edit"
		shown := r.Shown(edit)
		if shown.Get("title") != "House rules" || shown.Get("states") != "OK, TX" ||
			shown.Get("kind") != "house_rules" {
			t.Errorf("the form shows %v", shown)
		}
		r.Leads(r.Post(edit, edit, shown), rules)
		if d := e.document(rules); d.Version != 1 {
			t.Errorf("a form that says the same makes the version %d", d.Version)
		}
		changed := pagetest.With(shown, "states", "", "title", "Rules", "requires_initials", "on")
		r.Leads(r.Post(edit, edit, changed), rules)
		if d := e.document(rules); d.Version != 2 || len(d.States) > 0 || d.File.FileName != "Rules.pdf" ||
			!d.File.RequiresInitials {
			t.Errorf("%+v", d)
		}
		stale := r.Post(edit, edit, pagetest.With(shown, "title", "Another"))
		if stale.Code != http.StatusPreconditionFailed && stale.Code != http.StatusConflict {
			t.Errorf("a form of an earlier version: %d", stale.Code)
		}
		replace := rules + "/replace"
		r.Leads(sendsFile(r, replace, r.Shown(replace), "file", "b.pdf", pdf), rules)
		shows(r, r.Get(rules), "The PDF was replaced.", "Rules.pdf, 2 pages")
		remove := rules + "/delete"
		shows(r, r.Get(remove), "Delete the document?", "Leases that have a copy of it keep it.")
		r.Leads(r.Post(remove, remove, r.Shown(remove)), libraryAt)
		r.Says(r.Get(rules), http.StatusNotFound, "")
		if left := dbtest.Texts(t, e.DB, "SELECT title FROM library_documents"); len(left) != 1 {
			t.Error(left)
		}
	})
}

func TestLibraryErrorsStandBesideTheirFields(t *testing.T) {
	e := newLeasePages(t)
	r := e.Member(access.Manager)
	pdf := string(documenttest.Pages("Quiet hours"))
	at := e.addsDocument(r, pdf, "title", "House rules", "kind", "house_rules")
	for words, pairs := range map[string][]string{
		"Title: This is required.": {"title", ""},
		"Kind: This is required.":  {"kind", ""},
		"States: Must be one of":   {"states", "TX, Texas"},
		"Disclosures that it answers: This is not a disclosure of these states.": {"states", "OH", "disclosures", "radon"},
	} {
		for _, path := range []string{libraryAt + "/new", at + "/edit"} {
			sent := pagetest.With(r.Shown(path), append([]string{"title", "Rules", "kind", "addendum"}, pairs...)...)
			rec := r.Post(path, path, sent)
			if strings.HasSuffix(path, "/new") {
				rec = sendsFile(r, path, sent, "file", "a.pdf", pdf)
			}
			r.Says(rec, http.StatusBadRequest, words)
			kept := pagetest.FieldsOf(pagetest.Parse(t, rec.Body.String()))
			if kept.Get("states") != sent.Get("states") || kept.Get("title") != sent.Get("title") {
				t.Errorf("%s: %v is kept", words, kept)
			}
		}
	}
	for _, path := range []string{libraryAt + "/new", at + "/replace"} {
		for what, c := range map[string]struct{ content, want string }{
			"nothing":   {"", "Choose a PDF."},
			"a picture": {"\x89PNG\r\n\x1a\n", "PDF"},
			"a 35 MB":   {"%PDF-1.7" + strings.Repeat("x", 35<<20), "The file is larger than 10 MB."},
		} {
			form := pagetest.With(r.Shown(path), "title", "Rules", "kind", "addendum")
			rec := sendsFile(r, path, form, "file", "a.pdf", c.content)
			r.Says(rec, http.StatusBadRequest, c.want)
			if !strings.Contains(rec.Body.String(), "Scripts, links and files") {
				t.Errorf("%s: another form is shown", what)
			}
		}
	}
	if d := e.document(at); d.Version != 1 {
		t.Errorf("%+v", d)
	}
}

func TestLeadWarningStatementIsEnteredByOwners(t *testing.T) {
	onEach(t, func(t *testing.T, e *leasePages) {
		owner, manager := e.Member(access.Owner), e.Member(access.Manager)
		at := libraryAt + "/lead_warning"
		if strings.Contains(manager.Get(libraryAt).Body.String(), at) {
			t.Error("a manager is led to the form")
		}
		manager.Says(manager.Get(at), http.StatusForbidden, "")
		page := owner.Get(libraryAt)
		shows(owner, page, "The Lead Warning Statement isn’t printed yet")
		if link := pagetest.Link(t, page, "Enter the statement"); link != at {
			t.Errorf("it leads to %q", link)
		}
		wrong := owner.Post(at, at, pagetest.With(owner.Shown(at), "lead_warning", "Beware of lead."))
		owner.Says(wrong, http.StatusBadRequest, "Statement: This is not the statement that the law prescribes")
		kept := pagetest.FieldsOf(pagetest.Parse(t, wrong.Body.String()))
		if kept.Get("lead_warning") != "Beware of lead." {
			t.Errorf("%v is kept", kept)
		}
		const statement = "Housing built before 1978 may contain lead-based paint. Lead from paint, paint chips, and dust " +
			"can pose health hazards if not managed properly. Lead exposure is especially harmful to young children and " +
			"pregnant women. Before renting pre-1978 housing, lessors must disclose the presence of lead-based paint " +
			"and/or lead-based paint hazards in the dwelling. Lessees must also receive a federally approved pamphlet on " +
			"lead poisoning prevention."
		owner.Leads(owner.Post(at, at, pagetest.With(owner.Shown(at), "lead_warning", statement)), libraryAt)
		shows(owner, owner.Get(libraryAt), "The Lead Warning Statement is saved.", "Lead Warning Statement")
		if form := owner.Shown(at); form.Get("lead_warning") != statement {
			t.Errorf("the form shows %v", form)
		}
	})
}

func TestReviewTellsOfOfficialTextsThatAreMissing(t *testing.T) {
	onEach(t, func(t *testing.T, e *leasePages) {
		r := e.Member(access.Manager)
		dbtest.Exec(t, e.DB, "UPDATE properties SET year_built = 1960")
		draft, _ := e.drafted(r)
		const missing = "the law asks for “Protect Your Family From Lead in Your Home” from U.S. Environmental Protection Agency"
		shows(r, r.Get(draft+"/review"), missing, "Open the library")
		e.addsDocument(r, string(documenttest.Pages("Lead")), "title", "Lead pamphlet", "kind", "pamphlet",
			"disclosures", "lead_paint")
		next, l := e.drafted(r)
		page := r.Get(next + "/review")
		if shows(r, page, "Lead pamphlet.pdf"); strings.Contains(page.Body.String(), missing) ||
			strings.Contains(page.Body.String(), "on paper before they sign") {
			t.Error("the review tells of what is attached")
		}
		attached := dbtest.Texts(t, e.DB, "SELECT disclosures FROM lease_attachments WHERE lease_id = $1", l.ID)
		if len(attached) != 1 || attached[0] != `["lead_paint"]` {
			t.Error(attached)
		}
	})
}

func TestLibraryOfOtherPortfoliosIsAbsent(t *testing.T) {
	onEach(t, func(t *testing.T, e *leasePages) {
		r, other := e.Member(access.Owner), e.Stranger()
		pdf := string(documenttest.Pages("Quiet hours"))
		at := e.addsDocument(r, pdf, "title", "House rules", "kind", "house_rules")
		live := strings.Replace(at, "/test/", "/live/", 1)
		for _, end := range []string{"", "/document.pdf", "/edit", "/replace", "/delete"} {
			r.Says(r.Get(live+end), http.StatusNotFound, "")
			other.Says(other.Get(at+end), http.StatusNotFound, "")
		}
		for _, end := range []string{"/edit", "/delete"} {
			form := pagetest.With(url.Values{}, "title", "Mine", "kind", "addendum", "version", "1")
			other.Says(other.Post(at+end, "/test/tickets/new", form), http.StatusNotFound, "")
		}
		other.Says(sendsFile(other, at+"/replace", url.Values{}, "file", "x.pdf", pdf), http.StatusNotFound, "")
		shows(other, other.Get(libraryAt), "No documents yet")
		shows(r, r.Get(strings.Replace(libraryAt, "/test/", "/live/", 1)), "No documents yet")
		if d := e.document(at); d.Version != 1 || d.Title != "House rules" {
			t.Errorf("%+v", d)
		}
	})
}

func TestLibraryPagesAreAccessible(t *testing.T) {
	b, e := pagetest.Browser(t), newLeasePages(t)
	r := e.Member(access.Owner)
	r.Looks(b, libraryAt)
	at := e.addsDocument(r, string(documenttest.Pages("Quiet hours")), "title", "House rules", "kind", "house_rules")
	r.Looks(b, libraryAt, libraryAt+"/new", libraryAt+"/lead_warning", at, at+"/edit", at+"/replace", at+"/delete")
}
