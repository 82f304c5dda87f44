package agreement_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/document/documenttest"
	"portal/api/change"
	"portal/api/contact"
	"portal/api/fault"
	"portal/api/list"
	"portal/db/dbtest"
)

// leadStatement is the Lead Warning Statement for leases, in the words of 40 CFR 745.113(b)(1).
const leadStatement = "Housing built before 1978 may contain lead-based paint. Lead from paint, paint chips, and dust " +
	"can pose health hazards if not managed properly. Lead exposure is especially harmful to young children and " +
	"pregnant women. Before renting pre-1978 housing, lessors must disclose the presence of lead-based paint and/or " +
	"lead-based paint hazards in the dwelling. Lessees must also receive a federally approved pamphlet on lead " +
	"poisoning prevention."

func pamphlet() agreement.LibraryInput {
	return agreement.LibraryInput{
		Title:       "Protect Your Family From Lead in Your Home",
		Edition:     new("June 2017"),
		Kind:        agreement.Pamphlet,
		Disclosures: &[]string{"lead_paint"},
	}
}

// keeps puts a PDF with a page for each text into the library.
func (f *fixture) keeps(in agreement.LibraryInput, texts ...string) *agreement.LibraryDocument {
	f.Helper()
	made, err := f.AddToLibrary(f.Context(), f.by, in, f.cleaned(texts...))
	f.ok(err)
	return made.After
}

func (f *fixture) cleaned(texts ...string) *agreement.AttachmentFile {
	f.Helper()
	file, err := f.Clean(f.Context(), f.by, "scan.pdf", documenttest.Pages(texts...))
	f.ok(err)
	return file
}

func (f *fixture) kept(libraryID string) *agreement.LibraryDocument {
	f.Helper()
	d, err := f.LibraryDocument(f.Context(), f.by, libraryID)
	f.ok(err)
	return d
}

func namesOf(l *agreement.LeaseWithTerms) (names []string) {
	for i := range l.Attachments {
		names = append(names, l.Attachments[i].FileName)
	}
	return names
}

func TestLeaseTakesWhatItAsksForFromTheLibrary(t *testing.T) {
	onEach(t, func(f *fixture) {
		lead := pamphlet()
		lead.RequiresInitials = new(true)
		f.keeps(lead, "Lead is a poison", "Wash your hands")
		f.keeps(agreement.LibraryInput{
			Title: "House rules v1.2", Kind: agreement.HouseRules, States: &[]contact.State{"TX", "OK", "TX"},
		}, "Quiet hours")
		f.keeps(agreement.LibraryInput{
			Title: "Radon", Kind: agreement.Pamphlet, States: &[]contact.State{"CO"}, Disclosures: &[]string{"radon"},
		}, "Radon")
		f.keeps(agreement.LibraryInput{
			Title: "Ohio rules", Kind: agreement.Statute, States: &[]contact.State{"OH"},
		}, "Ohio")
		template := f.addsTemplate(agreement.TemplateInput{Name: "Bare"})
		_, err := f.attachToTemplate(template.ID, "House rules v1.2.pdf", "From the template")
		f.ok(err)

		dbtest.Exec(t, f.db, "UPDATE properties SET year_built = 1960")
		old := f.generates(func(g *agreement.LeaseGenerate) { g.TemplateID = &template.ID })
		want := "[House rules v1.2.pdf Protect Your Family From Lead in Your Home.pdf House rules v1.2 (2).pdf]"
		if names := fmt.Sprint(namesOf(old)); names != want || !old.Attachments[1].RequiresInitials ||
			old.Attachments[1].Pages != 2 || old.Attachments[2].RequiresInitials {
			t.Errorf("%s, %+v", names, old.Attachments)
		}
		if read := f.withTerms(old.ID); fmt.Sprint(namesOf(read)) != want {
			t.Errorf("it is read as %v", namesOf(read))
		}
		text := f.text(old)
		for _, says := range []string{
			"U.S. Environmental Protection Agency; attached to this lease as Protect Your Family From Lead in Your Home.pdf.",
			"receives the pamphlet “Protect Your Family From Lead in Your Home” with this lease",
		} {
			if !strings.Contains(text, says) {
				t.Errorf("the document does not say %q", says)
			}
		}
		for i := range old.Attachments {
			if !strings.Contains(text, old.Attachments[i].SHA256) {
				t.Errorf("the document does not name %s", old.Attachments[i].FileName)
			}
		}
		if missing, err := f.MissingTexts(f.Context(), f.by, old.ID); err != nil || len(missing) > 0 {
			t.Errorf("missing are %v, %v", missing, err)
		}

		dbtest.Exec(t, f.db, "UPDATE properties SET year_built = 2001")
		if young := f.generates(nil); fmt.Sprint(namesOf(young)) != "[House rules v1.2.pdf]" {
			t.Errorf("a home of 2001 gets %v", namesOf(young))
		}
		colorado, units := f.addProperty("CO", "vacant")
		dbtest.Exec(t, f.db, "UPDATE properties SET year_built = 2001")
		other := f.generates(func(g *agreement.LeaseGenerate) { g.PropertyID, g.UnitID = colorado, &units[0] })
		if names := fmt.Sprint(namesOf(other)); names != "[Radon.pdf]" {
			t.Errorf("a home in Colorado gets %s", names)
		}
	})
}

// text is what the document of a lease says, in one line.
func (f *fixture) text(l *agreement.LeaseWithTerms) string {
	f.Helper()
	_, d, err := f.Stored(f.Context(), *l.DocumentID)
	f.ok(err)
	return strings.Join(strings.Fields(documenttest.Tool(f.T, d.Content, "pdftotext", "FILE", "-")), " ")
}

func TestLeaseStaysAsTheLibraryWas(t *testing.T) {
	onEach(t, func(f *fixture) {
		rules := f.keeps(agreement.LibraryInput{Title: "House rules", Kind: agreement.HouseRules}, "Quiet hours")
		l := f.generates(nil)
		before := f.withTerms(l.ID)
		_, first, err := f.Attached(f.Context(), f.by, l.ID, l.Attachments[0].ID)
		f.ok(err)
		m, err := f.ReplaceInLibrary(f.Context(), f.by, rules.ID, f.cleaned("Quiet", "hours"))
		f.ok(err)
		if m.After.Version != 2 || m.After.File.Pages != 2 || m.After.File.FileName != "House rules.pdf" ||
			m.After.File.SHA256 == rules.File.SHA256 || !reflect.DeepEqual(m.After, f.kept(rules.ID)) {
			t.Errorf("%+v", m.After)
		}
		content, err := f.LibraryFile(f.Context(), f.by, rules.ID)
		if f.ok(err); len(content) != m.After.File.Size {
			t.Errorf("%d bytes, said are %d", len(content), m.After.File.Size)
		}
		changed, err := f.ChangeLibrary(f.Context(), f.by, change.Target{ID: rules.ID, Version: new(int64(2))},
			agreement.LibraryInput{Title: "Rules", Kind: agreement.Addendum, RequiresInitials: new(true)})
		f.ok(err)
		if c := changed.After; c.Version != 3 || c.File.FileName != "Rules.pdf" || !c.File.RequiresInitials ||
			!reflect.DeepEqual(c, f.kept(rules.ID)) {
			t.Errorf("%+v", c)
		}
		if next := f.generates(nil); fmt.Sprint(namesOf(next)) != "[Rules.pdf]" || next.Attachments[0].Pages != 2 {
			t.Errorf("the next lease gets %+v", next.Attachments)
		}
		stale := change.Target{ID: rules.ID, Version: new(int64(1))}
		if _, err := f.DeleteFromLibrary(f.Context(), f.by, stale); !fault.Is(err, fault.StaleWrite) {
			t.Error(err)
		}
		if _, err := f.ChangeLibrary(f.Context(), f.by, stale, pamphlet()); !fault.Is(err, fault.StaleWrite) {
			t.Error(err)
		}
		_, err = f.DeleteFromLibrary(f.Context(), f.by, change.Target{ID: rules.ID})
		f.ok(err)
		f.ok(f.Remake(f.Context(), f.by, l.ID))
		_, now, err := f.Attached(f.Context(), f.by, l.ID, l.Attachments[0].ID)
		f.ok(err)
		if !reflect.DeepEqual(before, f.withTerms(l.ID)) || !slices.Equal(first, now) {
			t.Error("the lease has changed with the library")
		}
		if none := f.generates(nil); len(none.Attachments) > 0 {
			t.Errorf("%v", none.Attachments)
		}
	})
}

func TestDocumentsThatCannotBeKeptAreRefused(t *testing.T) {
	onEach(t, func(f *fixture) {
		kept := f.keeps(pamphlet(), "Lead")
		for param, in := range map[string]agreement.LibraryInput{
			"disclosures.0": {Title: "a", Kind: agreement.Pamphlet, Disclosures: &[]string{"mildew"}},
			"disclosures.1": {
				Title: "a", Kind: agreement.Pamphlet, States: &[]contact.State{"TX"},
				Disclosures: &[]string{"lead_paint", "radon"},
			},
		} {
			_, added := f.AddToLibrary(f.Context(), f.by, in, f.cleaned("a"))
			_, changed := f.ChangeLibrary(f.Context(), f.by, change.Target{ID: kept.ID}, in)
			for _, err := range []error{added, changed} {
				if !fault.Is(err, fault.InvalidField) || fault.From(err).Param != param {
					t.Errorf("%s: %v", param, err)
				}
			}
		}
		reader := f.by
		reader.Scopes = access.Scopes{access.Read}
		target := change.Target{ID: kept.ID}
		for name, do := range map[string]func() error{
			"add":     func() error { _, err := f.AddToLibrary(f.Context(), reader, pamphlet(), f.cleaned("a")); return err },
			"change":  func() error { _, err := f.ChangeLibrary(f.Context(), reader, target, pamphlet()); return err },
			"replace": func() error { _, err := f.ReplaceInLibrary(f.Context(), reader, kept.ID, f.cleaned("a")); return err },
			"delete":  func() error { _, err := f.DeleteFromLibrary(f.Context(), reader, target); return err },
		} {
			if err := do(); !fault.Is(err, fault.ScopeRequired) {
				t.Errorf("%s by who may only read: %v", name, err)
			}
		}
		for i := range 99 {
			f.keeps(agreement.LibraryInput{Title: fmt.Sprint(i), Kind: agreement.Addendum}, "a")
		}
		_, err := f.AddToLibrary(f.Context(), f.by, pamphlet(), f.cleaned("a"))
		if !fault.Is(err, fault.InvalidField) || !strings.Contains(err.Error(), "100 is the most") {
			t.Error(err)
		}
		if _, err = f.Generate(f.Context(), f.by, f.asked()); !fault.Is(err, fault.InvalidField) ||
			!strings.Contains(err.Error(), "would have 100 attachments") {
			t.Errorf("a lease with a hundred attachments: %v", err)
		}
		if all := dbtest.Texts(t, f.db, "SELECT id FROM leases"); len(all) > 0 {
			t.Error(all)
		}
	})
}

func TestLibraryOfAnotherPortfolioIsNotThere(t *testing.T) {
	onEach(t, func(f *fixture) {
		made := f.keeps(pamphlet(), "Lead")
		stranger := dbtest.NewHome(t, f.db, "robin")
		for _, in := range []access.Portfolio{f.home.Test, stranger.Live} {
			by := f.by
			by.Portfolio = in
			target := change.Target{ID: made.ID}
			for name, do := range map[string]func() error{
				"read":    func() error { _, err := f.LibraryDocument(f.Context(), by, made.ID); return err },
				"open":    func() error { _, err := f.LibraryFile(f.Context(), by, made.ID); return err },
				"change":  func() error { _, err := f.ChangeLibrary(f.Context(), by, target, pamphlet()); return err },
				"replace": func() error { _, err := f.ReplaceInLibrary(f.Context(), by, made.ID, f.cleaned("a")); return err },
				"delete":  func() error { _, err := f.DeleteFromLibrary(f.Context(), by, target); return err },
			} {
				if err := do(); !fault.Is(err, fault.NoRecord) {
					t.Errorf("%s in %d: %v", name, in.ID, err)
				}
			}
			page, err := f.Library(f.Context(), by, agreement.LibraryFilter{Query: list.Query{Limit: 10}})
			if f.ok(err); len(page.Data) > 0 {
				t.Errorf("%d has %v", in.ID, page.Data)
			}
			needed, err := f.OfficialTexts(f.Context(), by)
			f.ok(err)
			for i := range needed {
				if needed[i].Answered != nil {
					t.Errorf("%d has the text of %s", in.ID, needed[i].Title)
				}
			}
		}
		if read := f.kept(made.ID); !reflect.DeepEqual(read, made) {
			t.Errorf("it has become %+v", read)
		}
	})
}

func TestOfficialTextsAreListedWithWhereToGetThem(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.addProperty("CA", "vacant")
		listed := func() (all []string) {
			t.Helper()
			needed, err := f.OfficialTexts(f.Context(), f.by)
			f.ok(err)
			for _, n := range needed {
				kept := n.Answered != nil
				all = append(all, fmt.Sprintf("%s %s %q %t", n.States, n.Code, n.OfficialText.Agency, kept))
			}
			return all
		}
		const epa = `[CA TX] lead_paint "U.S. Environmental Protection Agency"`
		const mold = `[CA] mold "California Department of Public Health"`
		want := []string{epa + " false", mold + " false"}
		if all := listed(); !slices.Equal(all, want) {
			t.Errorf("%q", all)
		}
		texan := pamphlet()
		texan.States = &[]contact.State{"TX"}
		f.keeps(texan, "Lead")
		if all := listed(); !slices.Equal(all, want) {
			t.Errorf("of one of the states: %q", all)
		}
		f.keeps(pamphlet(), "Lead")
		f.keeps(agreement.LibraryInput{
			Title: "Mold", Kind: agreement.Pamphlet,
			States: &[]contact.State{"CO"}, Disclosures: &[]string{"lead_paint"},
		}, "Of another state")
		want = []string{epa + " true", mold + " false"}
		if all := listed(); !slices.Equal(all, want) {
			t.Errorf("%q", all)
		}

		dbtest.Exec(t, f.db, "UPDATE properties SET year_built = 1960")
		l := f.generates(nil)
		for _, a := range l.Attachments {
			_, err := f.Detach(f.Context(), f.by, l.ID, a.ID)
			f.ok(err)
		}
		missing, err := f.MissingTexts(f.Context(), f.by, l.ID)
		if f.ok(err); len(missing) != 1 || missing[0].Code != "lead_paint" {
			t.Errorf("%+v", missing)
		}
	})
}

func TestLeadWarningStatementIsPrintedInThePrescribedWords(t *testing.T) {
	onEach(t, func(f *fixture) {
		dbtest.Exec(t, f.db, "UPDATE properties SET year_built = 1960")
		if text := f.text(f.generates(nil)); !strings.Contains(text, "Its official text is not printed here") {
			t.Error("the document prints a statement that nobody has entered")
		}
		known := strings.Replace(leadStatement, "presence of lead", "presence of known lead", 1)
		for name, text := range map[string]string{
			"empty":           "",
			"another word":    strings.Replace(leadStatement, "dwelling", "home", 1),
			"the same length": strings.Replace(leadStatement, "Lead from paint", "Lead fron paint", 1),
			"more":            leadStatement + " Sign here.",
			"half":            leadStatement[:200],
			"of sellers":      strings.Replace(leadStatement, "Lessees", "Buyers", 1),
		} {
			_, err := f.EnterLeadWarning(f.Context(), f.by, agreement.LeadWarningInput{LeadWarning: text})
			if !fault.Is(err, fault.InvalidField) || fault.From(err).Param != "lead_warning" ||
				!strings.Contains(err.Error(), "440 characters") {
				t.Errorf("%s: %v", name, err)
			}
		}
		manager := f.by
		manager.Role = access.Manager
		_, err := f.EnterLeadWarning(f.Context(), manager, agreement.LeadWarningInput{LeadWarning: leadStatement})
		if !fault.Is(err, fault.OwnerRequired) {
			t.Error(err)
		}
		for _, text := range []string{
			known, "LEAD WARNING STATEMENT:\r\n  " + strings.ReplaceAll(leadStatement, ". ", ".\n\t"),
		} {
			m, err := f.EnterLeadWarning(f.Context(), f.by, agreement.LeadWarningInput{LeadWarning: text})
			if f.ok(err); m.After.Version != m.Before.Version+1 {
				t.Errorf("the version %d follows %d", m.After.Version, m.Before.Version)
			}
		}
		same, err := f.EnterLeadWarning(f.Context(), f.by, agreement.LeadWarningInput{LeadWarning: leadStatement})
		if f.ok(err); same.After.Version != same.Before.Version || same.After.LeadWarning != leadStatement {
			t.Errorf("%+v", same.After)
		}
		f.ok(f.setDetails(agreement.DetailsUpdate{Title: change.To(new("Owner"))}))
		text := f.text(f.generates(nil))
		if !strings.Contains(text, "Lead Warning Statement (40 CFR 745.113(b)(1)): "+leadStatement) ||
			strings.Contains(text, "Its official text is not printed here. The landlord has not yet stated") {
			t.Error("the document does not print the statement")
		}
		dbtest.Exec(t, f.db, "UPDATE properties SET year_built = 2001")
		if text := f.text(f.generates(nil)); strings.Contains(text, "Lead Warning Statement") {
			t.Error("the document of a home of 2001 prints the statement")
		}
	})
}
