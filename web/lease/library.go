package lease

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/document"
	"portal/api/change"
	"portal/api/contact"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio/lease/law"
	"portal/views/kit"
	views "portal/views/lease"
	"portal/web/page"
)

var libraryDocument = page.InputOf[agreement.LibraryInput]("library_document")

var leadWarningInput = page.InputOf[agreement.LeadWarningInput]("lead_warning")

// libraryAt is the address of the library in a mode.
const libraryAt = "/leases/library"

// mostLibrary is at least as many documents as a library can have: they are all on one page.
const mostLibrary = 100

// libraryKinds are the kinds of documents in words.
var libraryKinds = map[agreement.LibraryKind]string{
	agreement.Pamphlet:   "Official pamphlet",
	agreement.Statute:    "Text of a law",
	agreement.HouseRules: "House rules",
	agreement.Addendum:   "Addendum",
}

// libraryPages is the pages of the PDFs that are kept for leases.
type libraryPages struct{ *Section }

func (p *libraryPages) routes() []page.Route {
	const at = "/{mode}" + libraryAt
	of := page.With(id.Library, p.read)
	return []page.Route{
		page.Get(at, page.Member, p.library),
		page.Get(at+"/new", page.Member, p.askDocument),
		page.PostFiles(at+"/new", page.Member, mostAttachmentForm, p.addDocument).After(p.clean).Once().
			Oversized(func(v *page.Request) error { return p.documentForm(v, oversized()) }),
		page.Get(at+"/lead_warning", page.Owner, p.leadWarning),
		page.Post(at+"/lead_warning", page.Owner, p.leadWarning),
		page.Get(at+"/:id", page.Member, of(p.document)),
		page.Get(at+"/:id/document.pdf", page.Member, of(p.file)),
		page.Get(at+"/:id/edit", page.Member, of(p.editDocument)),
		page.Post(at+"/:id/edit", page.Member, of(p.editDocument)),
		page.Get(at+"/:id/replace", page.Member, of(p.askFile)),
		page.PostFiles(at+"/:id/replace", page.Member, mostAttachmentForm, of(p.replaceFile)).
			Oversized(of(func(v *page.Request, d *agreement.LibraryDocument) error {
				return p.fileForm(v, d, oversized())
			})),
		page.Get(at+"/:id/delete", page.Member, of(p.deleteDocument)),
		page.Post(at+"/:id/delete", page.Member, of(p.deleteDocument)),
	}
}

// read reads a document of the library of the portfolio.
func (p *libraryPages) read(ctx context.Context, by access.Actor, id string) (*agreement.LibraryDocument, error) {
	return p.Agreements.LibraryDocument(ctx, by, id)
}

func (p *libraryPages) library(v *page.Request) error {
	found, err := p.Agreements.Library(v.Ctx(), v.Actor(), agreement.LibraryFilter{
		Query: list.Query{Limit: mostLibrary},
	})
	if err != nil {
		return err
	}
	needed, err := p.Agreements.OfficialTexts(v.Ctx(), v.Actor())
	if err != nil {
		return err
	}
	slices.SortStableFunc(found.Data, func(a, b agreement.LibraryDocument) int {
		return strings.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title))
	})
	add := v.In(libraryAt + "/new")
	view := kit.Listing{
		Frame: v.Frame("Library"),
		Heading: kit.Heading{
			Title: "Library",
			About: "PDFs that your leases get by themselves.",
			Back:  kit.Link{Name: "Leases", Path: v.In("/leases")},
		},
		Grid: kit.GridOf(kit.Table{
			Caption: "Documents of the library",
			Empty: kit.Empty{
				Title: "No documents yet",
				Words: "Keep house rules, addenda, and the official texts that your state asks for. Each new lease that " +
					"asks for one gets a copy of it, which everybody reads before they sign.",
				Action: kit.Link{Name: "Add document", Path: add},
			},
			Columns: []kit.Column{
				{Name: "Title"},
				{Name: "Kind", Width: kit.Medium},
				{Name: "Leases that get it", Card: kit.CardDetail},
				{Name: "Pages", Right: true, Width: kit.Medium},
				{Name: "Changed", Right: true, Width: kit.Medium, Card: kit.CardHidden},
			},
		}, found.Data, func(d *agreement.LibraryDocument) []kit.Cell {
			return []kit.Cell{
				{Text: d.Title, Path: v.In(libraryAt + "/" + d.ID), Cut: true, Note: page.OrEmpty(d.Edition)},
				{Text: libraryKinds[d.Kind]},
				{Text: whoGets(d), Cut: true},
				{Text: page.Counted(d.File.Pages, "page")},
				{Time: v.Time(d.UpdatedAt)},
			}
		}),
	}
	if len(found.Data) > 0 {
		view.Primary = kit.Action{Name: "Add document", Path: add, Icon: "plus"}
	}
	if err := p.askLeadWarning(v, &view); err != nil {
		return err
	}
	if len(needed) > 0 {
		view.Parts = []kit.RelatedTable{{
			ID:    "official",
			Title: "Official texts that the law asks for where you have homes",
			Grid: kit.PartGrid(kit.Table{
				Caption: "Official texts",
				Columns: []kit.Column{
					{Name: "Text"},
					{Name: "For"},
					{Name: "Where to get it", Card: kit.CardDetail},
					{Name: "Library", Width: kit.Medium},
				},
			}, needed, func(n *agreement.Needed) []kit.Cell {
				return []kit.Cell{
					{Text: n.OfficialText.Title},
					{Text: n.Title + ", " + inStates(n)},
					{Text: n.OfficialText.Agency},
					inLibrary(v, n),
				}
			}),
		}}
	}
	return v.Show(kit.ListingPage(view))
}

// leadWarning is the form of the Lead Warning Statement.
func (p *libraryPages) leadWarning(v *page.Request) error {
	d, err := p.Agreements.Details(v.Ctx(), v.Actor())
	if err != nil {
		return err
	}
	back := kit.Link{Name: "Library", Path: v.In(libraryAt)}
	return page.RecordForm[agreement.LeadWarningInput]{
		Contract: leadWarningInput,
		Title:    "Lead Warning Statement",
		Words: []string{
			"Federal law prescribes the words of this statement for leases of homes built before 1978. Copy it from " +
				"40 CFR 745.113(b)(1), or from EPA’s sample disclosure for leases. It’s checked against the wording, and new " +
				"leases print it on their page about lead-based paint.",
		},
		Back:   back,
		Submit: "Save statement",
		Groups: []kit.FieldGroup{{Fields: []kit.Field{
			{Name: "lead_warning", Label: "Statement", Lines: 8, Value: d.LeadWarning},
		}}},
		Do: func(_ *page.Form, in agreement.LeadWarningInput, _ change.Target) error {
			if _, err := p.Agreements.EnterLeadWarning(v.Ctx(), v.Actor(), in); err != nil {
				return err
			}
			const said = "The Lead Warning Statement is saved. New leases print it where the law asks for it."
			return v.Done(back.Path, said)
		},
	}.Serve(v)
}

// askLeadWarning leads an owner to the form of the Lead Warning Statement, and says where it was not entered.
func (p *libraryPages) askLeadWarning(v *page.Request, view *kit.Listing) error {
	d, err := p.Agreements.Details(v.Ctx(), v.Actor())
	if err != nil || v.Actor().Role != access.Owner {
		return err
	}
	at := v.In(libraryAt + "/lead_warning")
	if d.LeadWarning != "" {
		view.Other = []kit.Action{{Name: "Lead Warning Statement", Path: at}}
		return nil
	}
	view.Notices = []kit.NoticeContent{{
		Tone:  kit.Warned,
		Title: "The Lead Warning Statement isn’t printed yet",
		Words: "Federal law prescribes it for leases of homes built before 1978. Enter it once, and new leases " +
			"have it.",
		Action: kit.Action{Name: "Enter the statement", Path: at},
	}}
	return nil
}

// inLibrary says whether the library has an official text, and leads to it or to the form that adds it.
func inLibrary(v *page.Request, n *agreement.Needed) kit.Cell {
	if n.Answered != nil {
		return kit.Cell{Text: "Added", Path: v.In(libraryAt + "/" + n.Answered.ID)}
	}
	states := strings.Join(codes(n.States), ", ")
	if n.Code == document.LeadPaint { // is federal law
		states = ""
	}
	with := url.Values{
		"title":       {n.OfficialText.Title},
		"kind":        {string(agreement.Pamphlet)},
		"disclosures": {n.Code},
		"states":      {states},
	}
	return kit.Cell{Acts: []kit.Action{{
		Name: "Add", Label: "Add " + n.OfficialText.Title, Path: v.In(libraryAt+"/new") + "?" + with.Encode(),
	}}}
}

// inStates says in which states the law asks for a text.
func inStates(n *agreement.Needed) string {
	if n.Code == document.LeadPaint {
		return "in all states"
	}
	return strings.Join(codes(n.States), ", ")
}

// whoGets says which leases get a document.
func whoGets(d *agreement.LibraryDocument) string {
	said := "All leases"
	switch titles := answersTo(d); len(titles) {
	case 0:
	case 1:
		said = "With the disclosure " + titles[0]
	default:
		said = "With the disclosures " + strings.Join(titles, ", ")
	}
	if len(d.States) > 0 {
		said += ", in " + strings.Join(codes(d.States), ", ")
	}
	return said
}

func codes(states []contact.State) (all []string) {
	for _, s := range states {
		all = append(all, string(s))
	}
	return all
}

// answersTo are the titles of the disclosures that a document answers.
func answersTo(d *agreement.LibraryDocument) (all []string) {
	for _, code := range d.Disclosures {
		titles := agreement.DisclosureTitles(code, d.States)
		if len(titles) == 0 { // the rules have changed since
			titles = []string{code}
		}
		all = append(all, titles[0])
	}
	return all
}

func (p *libraryPages) document(v *page.Request, d *agreement.LibraryDocument) error {
	at := v.In(libraryAt + "/" + d.ID)
	file := d.File.FileName + ", " + page.Counted(d.File.Pages, "page")
	facts := []kit.Term{
		{Name: "Kind", Text: libraryKinds[d.Kind]},
		{Name: "Edition", Text: page.OrEmpty(d.Edition)},
		{Name: "Leases that get it", Text: whoGets(d)},
		{Name: "Initials", Text: "Not asked for"},
		{Name: "PDF", Text: file, Path: at + "/document.pdf"},
		{Name: "Uploaded", Time: v.Time(d.File.UploadedAt)},
		{Name: "Library", Text: "All documents", Path: v.In(libraryAt)},
	}
	if d.File.RequiresInitials {
		facts[3].Text = "Asked for"
	}
	return v.Show(kit.DetailPage(kit.Detail{
		Record: kit.Record{
			Frame:   v.Frame(d.Title),
			Heading: kit.Heading{Title: d.Title, About: "A document of the library."},
			Primary: kit.Action{Name: "Open PDF", Path: at + "/document.pdf"},
			Edit:    at + "/edit",
			Menu: []kit.Action{
				{Name: "Replace PDF…", Path: at + "/replace", How: kit.Asks},
				{Name: "Delete document…", Path: at + "/delete", How: kit.Asks, Bad: true},
			},
			Facts: []kit.Facts{{Title: "Document", Terms: facts}, page.RecordFacts(v, &d.Record)},
		},
		Panels: []kit.Panel{{
			ID:    "leases",
			Title: "With your leases",
			Words: []string{
				"A lease that asks for it gets a copy when it’s created. Everybody who signs reads it first, the log of the " +
					"lease says who opened it and when, and it stands behind the signed lease, under the same seal.",
				"Leases that exist keep the copy that they have, whatever happens to the document here.",
			},
		}},
	}))
}

// file shows the PDF of a document.
func (p *libraryPages) file(v *page.Request, d *agreement.LibraryDocument) error {
	content, err := p.Agreements.LibraryFile(v.Ctx(), v.Actor(), d.ID)
	if err != nil {
		return err
	}
	return v.Send.OwnPDF("document", content)
}

// aboutDocument are the fields of a document beside its file.
func (p *libraryPages) aboutDocument(v *page.Request, d *agreement.LibraryDocument) ([]kit.FieldGroup, error) {
	choices, err := p.disclosureChoices(v, d)
	if err != nil {
		return nil, err
	}
	var kinds []kit.Choice
	for _, kind := range d.Kind.Values() {
		kinds = append(kinds, kit.Choice{
			Value: kind, Label: libraryKinds[agreement.LibraryKind(kind)], Chosen: kind == string(d.Kind),
		})
	}
	return []kit.FieldGroup{
		{Title: "Document", Fields: []kit.Field{
			{
				Name: "title", Label: "Title", Value: d.Title, Hint: "Leases name it by its title.", Complete: "off",
			},
			{
				Name: "edition", Label: "Edition", Value: page.OrEmpty(d.Edition), Complete: "off", Optional: true,
				Hint: "As the document says it, such as June 2017.",
			},
			{Name: "kind", Label: "Kind", Kind: "select", Choices: kinds},
			{
				Name: "requires_initials", Label: "Everybody who signs types their initials for it", Kind: "checkbox",
				Checked: d.File.RequiresInitials,
			},
		}},
		{Title: "Leases that get it", Fields: []kit.Field{
			{
				Name: "states", Label: "States", Value: strings.Join(codes(d.States), ", "), Complete: "off",
				Optional: true,
				Hint:     "Postal codes, such as TX, OK. Leave it empty for all states.",
			},
			{
				Name:     "disclosures",
				Label:    "Disclosures that it answers",
				Kind:     "checks",
				Choices:  choices,
				Optional: true,
				Hint: "A lease that makes one of them gets the document. Choose none for house rules and addenda that each " +
					"lease gets.",
			},
		}},
	}, nil
}

// disclosureChoices are the disclosures of the states where the portfolio has homes, those that the document answers,
// and those with an official text.
func (p *libraryPages) disclosureChoices(v *page.Request, d *agreement.LibraryDocument) ([]kit.Choice, error) {
	states, err := p.Agreements.StatesOfHomes(v.Ctx(), v.Actor())
	if err != nil {
		return nil, err
	}
	chosen := slices.Concat(d.Disclosures, v.Form().All("disclosures"))
	var choices []kit.Choice
	at := map[string]int{} // of a choice, by the code
	for _, r := range law.All() {
		for i := range r.Disclosures {
			x := &r.Disclosures[i]
			if !slices.Contains(states, r.State) && !slices.Contains(chosen, x.Code) &&
				(len(states) > 0 || x.OfficialText == nil) {
				continue
			}
			n, known := at[x.Code]
			if !known {
				n, at[x.Code] = len(choices), len(choices)
				choices = append(choices, kit.Choice{
					Value: x.Code, Label: x.Title, Chosen: slices.Contains(d.Disclosures, x.Code),
				})
			}
			if x.Code != document.LeadPaint && slices.Contains(states, r.State) {
				choices[n].Hint = strings.TrimPrefix(choices[n].Hint+", "+string(r.State), ", ")
			}
		}
	}
	return choices, nil
}

// bindDocument is what a form says of a document.
func bindDocument(v *page.Request, f *page.Form) agreement.LibraryInput {
	typed := f.Values["states"]
	named := strings.FieldsFunc(strings.ToUpper(f.Text("states")), func(r rune) bool {
		return !unicode.IsLetter(r)
	})
	slices.Sort(named)
	f.Values["states"] = slices.Compact(named)
	defer func() { f.Values["states"] = typed }()
	return libraryDocument.Bind(v, f, "title", "edition", "kind", "states", "disclosures", "requires_initials")
}

func (p *libraryPages) askDocument(v *page.Request) error { return p.documentForm(v, v.Form()) }

func (p *libraryPages) documentForm(v *page.Request, f *page.Form) error {
	groups, err := p.aboutDocument(v, &agreement.LibraryDocument{})
	if err != nil {
		return err
	}
	file := kit.FieldGroup{Title: "PDF", About: cleaned, Fields: []kit.Field{pdfField()}}
	at := v.In(libraryAt)
	heading := kit.Heading{Title: "Add a document", Back: kit.Link{Name: "Library", Path: at}}
	return v.ShowAs(f.Status, views.AttachPage(views.Attach{
		Frame:   v.Frame(heading.Title),
		Heading: heading,
		Form: f.Fill(libraryDocument.Form(kit.Form{
			Action: at + "/new",
			Submit: "Add document",
			Cancel: at,
			Files:  true,
			Failed: "Nothing was added",
			Groups: slices.Concat([]kit.FieldGroup{file}, groups),
		})),
	}))
}

// clean reads the PDF of a form and rewrites it, before the transaction that keeps it.
func (p *libraryPages) clean(v *page.Request) error {
	return (&leasePages{p.Section}).cleanAttachment(v)
}

func (p *libraryPages) addDocument(v *page.Request) error {
	f, refused := v.Prepared.(*page.Form)
	if !refused {
		f = v.Form()
	}
	in := bindDocument(v, f)
	if refused || f.Rejected() {
		return p.documentForm(v, f)
	}
	made, err := p.Agreements.AddToLibrary(v.Ctx(), v.Actor(), in, v.Prepared.(*agreement.AttachmentFile))
	switch {
	case f.Refused(err):
		return p.documentForm(v, f)
	case err != nil:
		return err
	}
	const said = "The document is in the library. New leases that ask for it get it."
	return v.Done(v.In(libraryAt+"/"+made.After.ID), said)
}

func (p *libraryPages) editDocument(v *page.Request, d *agreement.LibraryDocument) error {
	at := v.In(libraryAt + "/" + d.ID)
	groups, err := p.aboutDocument(v, d)
	if err != nil {
		return err
	}
	return page.RecordForm[agreement.LibraryInput]{
		Contract: libraryDocument,
		Title:    "Edit document",
		About:    d.Title,
		Words:    []string{"A change is for leases that are created from now on."},
		Back:     kit.Link{Name: "The document", Path: at},
		Submit:   "Save document",
		Groups:   groups,
		Record:   &d.Record,
		Bind:     func(f *page.Form) agreement.LibraryInput { return bindDocument(v, f) },
		Do: func(_ *page.Form, in agreement.LibraryInput, target change.Target) error {
			made, err := p.Agreements.ChangeLibrary(v.Ctx(), v.Actor(), target, in)
			return page.Saved(v, at, "Document saved.", made, err)
		},
	}.Serve(v)
}

func (p *libraryPages) askFile(v *page.Request, d *agreement.LibraryDocument) error {
	return p.fileForm(v, d, v.Form())
}

func (p *libraryPages) fileForm(v *page.Request, d *agreement.LibraryDocument, f *page.Form) error {
	at := v.In(libraryAt + "/" + d.ID)
	heading := kit.Heading{Title: "Replace the PDF", About: d.Title, Back: kit.Link{Name: "The document", Path: at}}
	return v.ShowAs(f.Status, views.AttachPage(views.Attach{
		Frame:   v.Frame(heading.Title),
		Heading: heading,
		Form: f.Fill(kit.Form{
			Action: at + "/replace",
			Submit: "Replace PDF",
			Cancel: at,
			Files:  true,
			Failed: "Nothing was replaced",
			Groups: []kit.FieldGroup{{
				Title:  "For new leases",
				About:  "Leases that have a copy of the earlier PDF keep it. " + cleaned,
				Fields: []kit.Field{pdfField()},
			}},
		}),
	}))
}

func (p *libraryPages) replaceFile(v *page.Request, d *agreement.LibraryDocument) error {
	if err := p.clean(v); err != nil {
		return err
	}
	if f, refused := v.Prepared.(*page.Form); refused {
		return p.fileForm(v, d, f)
	}
	f, file := v.Form(), v.Prepared.(*agreement.AttachmentFile)
	_, err := p.Agreements.ReplaceInLibrary(v.Ctx(), v.Actor(), d.ID, file)
	switch {
	case f.Refused(err):
		return p.fileForm(v, d, f)
	case err != nil:
		return err
	}
	return v.Done(v.In(libraryAt+"/"+d.ID), "The PDF was replaced. Edit the document if the edition is another one.")
}

func (p *libraryPages) deleteDocument(v *page.Request, d *agreement.LibraryDocument) error {
	return page.Question{
		Title:  "Delete the document?",
		Words:  []string{d.Title + ".", "It’s deleted for good. Leases that have a copy of it keep it."},
		Form:   kit.Form{Submit: "Delete document", Danger: true},
		Back:   v.In(libraryAt + "/" + d.ID),
		Record: &d.Record,
		Do: func(_ *page.Form, target change.Target) error {
			if _, err := p.Agreements.DeleteFromLibrary(v.Ctx(), v.Actor(), target); err != nil {
				return err
			}
			return v.Done(v.In(libraryAt), "The document is deleted.")
		},
	}.Serve(v)
}

// missingTexts tells of official texts that the law asks for with a lease and that it does not have.
func (p *Section) missingTexts(v *page.Request, leaseID string) (todo []views.Todo, err error) {
	missing, err := p.Agreements.MissingTexts(v.Ctx(), v.Actor(), leaseID)
	for i := range missing {
		t := missing[i].OfficialText
		todo = append(todo, views.Todo{
			Words: missing[i].Title + ": the law asks for “" + t.Title + "” from " + t.Agency + " with the lease. " +
				"Nothing from your library is attached for it.",
			Note: kit.Link{Name: "Open the library", Path: v.In(libraryAt)},
		})
	}
	return todo, err
}
