package agreement

import (
	"context"
	"slices"
	"strconv"

	"portal/api/access"
	"portal/api/agreement/document"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/law"
)

// LibraryDocument is a PDF that the landlord keeps for leases. A lease that is generated gets a copy of each one that
// it asks for, as an attachment: no lease changes with the library.
type LibraryDocument struct {
	portfolio.Record `object:"library_document" prefix:"lib"`
	// Its title, which the leases that get it name it by.
	Title string `json:"title" example:"Protect Your Family From Lead in Your Home"`
	// Which edition of it this is; null where nobody has said.
	Edition *string `json:"edition" example:"June 2017"`
	// What it is.
	Kind LibraryKind `json:"kind"`
	// The states whose leases get it, as USPS codes; empty for all.
	States []contact.State `json:"states"`
	// Codes of the disclosures that it answers: a lease that makes one of them gets it. Empty for each lease.
	Disclosures []string `json:"disclosures"`
	// The file, as the leases get it.
	File Attachment `json:"file"`
}

// LibraryKind is what a document of the library is.
type LibraryKind string

// The kinds of documents.
const (
	Pamphlet   LibraryKind = "pamphlet"    // that an agency gives out
	Statute    LibraryKind = "statute"     // the text of a law
	HouseRules LibraryKind = "house_rules" // of the landlord
	Addendum   LibraryKind = "addendum"    // of the landlord or a lawyer
)

// SchemaName is the name of the schema.
func (LibraryKind) SchemaName() string { return "LibraryDocumentKind" }

// Values are all kinds.
func (LibraryKind) Values() []string {
	return []string{"pamphlet", "statute", "house_rules", "addendum"}
}

// LibraryInput is what is said of a document of the library beside its file: a change replaces all of it.
type LibraryInput struct {
	// Its title.
	Title string `json:"title" minlen:"1" maxlen:"100" example:"Protect Your Family From Lead in Your Home"`
	// Which edition of it this is.
	Edition *string `json:"edition" minlen:"1" maxlen:"60" example:"June 2017"`
	// What it is.
	Kind LibraryKind `json:"kind"`
	// The states whose leases get it, as USPS codes; all without it.
	States *[]contact.State `json:"states" maxlen:"51"`
	// Codes of the disclosures that it answers; each lease gets it without them.
	Disclosures *[]string `json:"disclosures" maxlen:"20" itemminlen:"1" itemmaxlen:"60"`
	// Whether each party who signs electronically also enters their initials for it.
	RequiresInitials *bool `json:"requires_initials"`
}

// SchemaName is the name of the schema.
func (LibraryInput) SchemaName() string { return "LibraryDocumentInput" }

// Check finds what no tag says: disclosures that none of the states has.
func (in LibraryInput) Check(clock.Date) (all []fault.Detail) {
	states := valueOf(in.States)
	for i, code := range valueOf(in.Disclosures) {
		if len(DisclosureTitles(code, states)) == 0 {
			all = append(all, fault.Wrong("disclosures."+strconv.Itoa(i), "is not a disclosure of these states."))
		}
	}
	return all
}

// DisclosureTitles are what a disclosure is called in the rules of some states, of all for none; none where it is in
// none of them.
func DisclosureTitles(code string, states []contact.State) (all []string) {
	for _, r := range law.All() {
		if len(states) > 0 && !slices.Contains(states, r.State) {
			continue
		}
		for i := range r.Disclosures {
			if d := &r.Disclosures[i]; d.Code == code && !slices.Contains(all, d.Title) {
				all = append(all, d.Title)
			}
		}
	}
	return all
}

// mostLibrary is how many documents the library of a portfolio has at most.
const mostLibrary = 100

// libraryNoun is a document of the library in a sentence.
const libraryNoun = "document of the library"

// LibraryFilter narrows the list of documents of the library.
type LibraryFilter struct{ list.Query }

// Library is a page of the documents of the library.
func (s *Service) Library(
	ctx context.Context, by access.Actor, f LibraryFilter,
) (*list.Page[LibraryDocument], error) {
	all, err := s.store.Library(ctx, by.Portfolio, f)
	if err != nil {
		return nil, err
	}
	return list.Of(all, f.Limit, func(d *LibraryDocument) string { return d.ID }), nil
}

// LibraryDocument is one document of the library, or fault.NotFound.
func (s *Service) LibraryDocument(ctx context.Context, by access.Actor, libraryID string) (*LibraryDocument, error) {
	d, err := s.store.LibraryDocument(ctx, by.Portfolio, libraryID)
	if err != nil {
		return nil, err
	}
	return &d, nil
}

// LibraryFile is the PDF of a document of the library, or fault.NotFound.
func (s *Service) LibraryFile(ctx context.Context, by access.Actor, libraryID string) ([]byte, error) {
	return s.store.LibraryFile(ctx, by.Portfolio, libraryID)
}

// AddToLibrary keeps a PDF, which Clean has made, for the leases that are generated from then on.
func (s *Service) AddToLibrary(
	ctx context.Context, by access.Actor, in LibraryInput, f *AttachmentFile,
) (*change.Result[LibraryDocument], error) {
	if err := fault.Invalid(in.Check(s.Today(by))); err != nil {
		return nil, err
	}
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[LibraryDocument], error) {
		n, err := s.store.CountLibrary(ctx, by.Portfolio)
		if err != nil {
			return nil, err
		}
		if n >= mostLibrary {
			return nil, fault.New(fault.InvalidField, "The library has %d documents, and %d is the most. Delete one "+
				"that is no longer needed.", n, mostLibrary)
		}
		d := &LibraryDocument{Record: s.NewRecord(by, id.Library, "library_document")}
		d.become(in)
		d.hold(f)
		return &change.Result[LibraryDocument]{After: d}, s.store.AddToLibrary(ctx, by.Portfolio, d, f.Content)
	})
}

// ChangeLibrary replaces what is said of a document of the library. Leases that have a copy keep it as it is.
func (s *Service) ChangeLibrary(
	ctx context.Context, by access.Actor, t change.Target, in LibraryInput,
) (*change.Result[LibraryDocument], error) {
	if err := fault.Invalid(in.Check(s.Today(by))); err != nil {
		return nil, err
	}
	return portfolio.Amend(ctx, s.Common, by, t, portfolio.Amendment[LibraryDocument]{
		Noun: libraryNoun,
		Load: s.store.LibraryDocument,
		Apply: func(_ context.Context, after *LibraryDocument, _ *change.Result[LibraryDocument]) error {
			after.become(in)
			return nil
		},
		Save:    s.store.SaveLibrary,
		Compute: func(*LibraryDocument) {},
	})
}

// ReplaceInLibrary gives a document of the library another file, such as a newer edition. Leases that have a copy of
// the earlier one keep it.
func (s *Service) ReplaceInLibrary(
	ctx context.Context, by access.Actor, libraryID string, f *AttachmentFile,
) (*change.Result[LibraryDocument], error) {
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[LibraryDocument], error) {
		before, err := s.store.LibraryDocument(ctx, by.Portfolio, libraryID)
		if err != nil {
			return nil, err
		}
		after := before
		after.hold(f)
		after.Revise(clock.At(s.Now(by.Portfolio)))
		m := &change.Result[LibraryDocument]{Before: &before, After: &after}
		if err := s.store.SaveLibrary(ctx, by.Portfolio, &after); err != nil {
			return nil, err
		}
		return m, s.store.SaveLibraryFile(ctx, by.Portfolio, after.ID, f.Content)
	})
}

// DeleteFromLibrary removes a document from the library, for good. Leases that have a copy keep it.
func (s *Service) DeleteFromLibrary(
	ctx context.Context, by access.Actor, target change.Target,
) (*change.Result[LibraryDocument], error) {
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[LibraryDocument], error) {
		d, err := s.store.LibraryDocument(ctx, by.Portfolio, target.ID)
		if err != nil {
			return nil, err
		}
		if err := target.Check(libraryNoun, d.Version); err != nil {
			return nil, err
		}
		if err := s.store.DeleteFromLibrary(ctx, by.Portfolio, d.ID); err != nil {
			return nil, err
		}
		m := &change.Result[LibraryDocument]{Before: &d, After: &d}
		return m, s.RecordDone(ctx, by, "library_document.deleted", d.ID, map[string]string{
			"title": d.Title, "version": strconv.FormatInt(d.Version, 10),
		})
	})
}

// become takes over what is said of a document.
func (d *LibraryDocument) become(in LibraryInput) {
	d.Title, d.Edition, d.Kind = tidyName(in.Title), in.Edition, in.Kind
	d.States = slices.Compact(slices.Sorted(slices.Values(valueOf(in.States))))
	d.Disclosures = slices.Compact(slices.Sorted(slices.Values(valueOf(in.Disclosures))))
	if d.States == nil {
		d.States = []contact.State{}
	}
	if d.Disclosures == nil {
		d.Disclosures = []string{}
	}
	d.File.Disclosures = d.Disclosures
	d.File.FileName = attachedName(d.Title+".pdf", nil)
	d.File.RequiresInitials = or(in.RequiresInitials, false)
}

// hold takes over a file.
func (d *LibraryDocument) hold(f *AttachmentFile) {
	f.Name, f.RequiresInitials = d.Title+".pdf", d.File.RequiresInitials
	d.File = *f.attachment(nil)
	d.File.Disclosures = d.Disclosures
}

// Trace adds to the details of the trail what the document is called.
func (d *LibraryDocument) Trace(details map[string]string) { details["title"] = d.Title }

// AskedBy reports whether a lease in a state that makes these disclosures gets the document.
func (d *LibraryDocument) AskedBy(state contact.State, made []document.Disclosure) bool {
	if len(d.States) > 0 && !slices.Contains(d.States, state) {
		return false
	}
	return len(d.Disclosures) == 0 || slices.ContainsFunc(made, func(x document.Disclosure) bool {
		return slices.Contains(d.Disclosures, x.Code)
	})
}

// askedFor are the documents of the library that a lease gets, the first one first.
func (s *Service) askedFor(ctx context.Context, in access.Portfolio, t *document.Terms) ([]LibraryDocument, error) {
	all, err := s.store.Library(ctx, in, LibraryFilter{Query: list.Query{Limit: mostLibrary}})
	if len(all) == 0 || err != nil {
		return nil, err
	}
	made := t.Disclosures()
	return slices.DeleteFunc(all, func(d LibraryDocument) bool { return !d.AskedBy(t.Property.State, made) }), nil
}

// StatesOfHomes are the states where the portfolio has homes, by their codes.
func (s *Service) StatesOfHomes(ctx context.Context, by access.Actor) ([]contact.State, error) {
	return s.store.StatesOfHomes(ctx, by.Portfolio)
}

// Needed is an official text that the law asks a landlord to hand over with leases in some states.
type Needed struct {
	States []contact.State
	law.Disclosure
	Answered *LibraryDocument // nil where the library has none for all of the states
}

// OfficialTexts are the texts that the law asks for in the states where the portfolio has homes, by state. One that
// several states ask for, as federal law does, is named once.
func (s *Service) OfficialTexts(ctx context.Context, by access.Actor) (needed []Needed, err error) {
	states, err := s.store.StatesOfHomes(ctx, by.Portfolio)
	if err != nil {
		return nil, err
	}
	kept, err := s.store.Library(ctx, by.Portfolio, LibraryFilter{Query: list.Query{Limit: mostLibrary}})
	if err != nil {
		return nil, err
	}
	for _, state := range states {
		for _, d := range law.Of(state).Disclosures {
			if d.OfficialText == nil {
				continue
			}
			same := func(n Needed) bool { return n.Code == d.Code && *n.OfficialText == *d.OfficialText }
			i := slices.IndexFunc(needed, same)
			if i < 0 {
				i, needed = len(needed), append(needed, Needed{Disclosure: d})
			}
			needed[i].States = append(needed[i].States, state)
		}
	}
	for i := range needed {
		n := &needed[i]
		for k := range kept {
			if kept[k].answers(n.Code, n.States) {
				n.Answered = &kept[k]
			}
		}
	}
	return needed, nil
}

// answers reports whether the document is kept for a disclosure in all of some states.
func (d *LibraryDocument) answers(code string, states []contact.State) bool {
	return slices.Contains(d.Disclosures, code) && (len(d.States) == 0 ||
		!slices.ContainsFunc(states, func(s contact.State) bool { return !slices.Contains(d.States, s) }))
}

// MissingTexts are the disclosures of a lease whose official text the law asks for, and which nothing from the library
// is attached for.
func (s *Service) MissingTexts(
	ctx context.Context, by access.Actor, leaseID string,
) (missing []document.Disclosure, err error) {
	l, err := s.leases.Lease(ctx, by, leaseID)
	if err != nil || l.DocumentID == nil {
		return nil, err
	}
	t := &document.Terms{Lease: l, Day: s.Today(by)}
	if err := s.fill(ctx, by.Portfolio, t); err != nil {
		return nil, err
	}
	for _, made := range t.Disclosures() {
		if made.OfficialText != nil && t.Attached(made.Code) == nil {
			missing = append(missing, made)
		}
	}
	return missing, nil
}

// fitTogether refuses attachments that are more than a lease may have, when it is generated.
func fitTogether(all []Attachment) error {
	size, pages := 0, 0
	for i := range all {
		size, pages = size+all[i].Size, pages+all[i].Pages
	}
	if len(all) <= MostAttachments && size <= MostAttached && pages <= MostAttachedPages {
		return nil
	}
	return fault.New(fault.InvalidField, "The lease would have %d attachments, of its template and of the library, "+
		"with %.1f MB and %d pages. At most are %d, with %d MB and %d pages together: keep fewer documents in the "+
		"library for leases like this one.", len(all), float64(size)/(1<<20), pages, MostAttachments, MostAttached>>20,
		MostAttachedPages)
}
