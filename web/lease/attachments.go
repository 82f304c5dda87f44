package lease

import (
	"cmp"
	"fmt"
	"io"
	"net/url"

	"portal/api/agreement"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/views/kit"
	views "portal/views/lease"
	"portal/web/page"
)

// mostAttachmentForm is what is read of a form with a PDF that is too large, so that the browser has sent it and shows
// the answer.
const mostAttachmentForm = 3*agreement.MostAttached + page.FormSize

// attachmentRoutes are the pages on which PDFs are attached to a draft, and that show them.
func (p *leasePages) attachmentRoutes() []page.Route {
	of := page.With(id.Lease, p.Portfolio.Leases.Lease)
	const at = "/{mode}/leases/:id/attachments"
	return []page.Route{
		page.Get(at+"/new", page.Member, of(p.askAttachment)),
		page.PostFiles(at+"/new", page.Member, mostAttachmentForm, of(p.addAttachment)).After(p.cleanAttachment).Once().
			Oversized(of(p.oversizedAttachment)),
		page.Get(at+"/:attachment", page.Member, of(p.attachment)),
		page.Post(at+"/:attachment/remove", page.Member, of(p.removeAttachment)),
	}
}

func (p *leasePages) askAttachment(v *page.Request, l *portfolio.Lease) error {
	if !attachable(l) {
		return v.RefuseAt(v.In("/leases/"+l.ID), "The lease is no longer a draft, so nothing can be attached to it.")
	}
	return p.attachmentForm(v, l, v.Form())
}

// attachable reports whether PDFs can be attached to a lease.
func attachable(l *portfolio.Lease) bool {
	return l.Status == portfolio.LeaseDraft && l.DocumentID != nil
}

func (p *leasePages) attachmentForm(v *page.Request, l *portfolio.Lease, f *page.Form) error {
	at := v.In("/leases/" + l.ID)
	heading := kit.Heading{About: l.RentalAddress, Back: kit.Link{Name: "The lease", Path: at}}
	of, err := p.Terms.Lease(v.Ctx(), v.Actor(), l.ID)
	if err != nil {
		return err
	}
	if of.TextMissing() {
		heading.Title = "Add your lease"
		return showAttach(v, f, heading, kit.FieldGroup{
			Title: "The text of the lease",
			About: "The PDF is the lease that everybody signs. It stands behind a first page with the parties, the dates " +
				"and the amounts, under one seal. " + cleaned,
			Fields: []kit.Field{{Name: "is_lease", Kind: "hidden", Value: "on"}},
		})
	}
	return showAttach(v, f, heading, kit.FieldGroup{
		Title: "Read and signed with the lease",
		About: "The PDF becomes part of the lease: everybody who signs reads it first, and it stands behind " +
			"the signed lease, under the same seal. " + cleaned,
	})
}

// cleaned says what becomes of the file of an attachment.
const cleaned = "Scripts, links and files within it are removed, and what was typed into a form becomes part of its " +
	"pages."

// showAttach shows the form that attaches a PDF to what its heading leads back to. The group says what becomes of it.
func showAttach(v *page.Request, f *page.Form, heading kit.Heading, group kit.FieldGroup) error {
	heading.Title = cmp.Or(heading.Title, "Attach a PDF")
	file := pdfField()
	file.Hint = fmt.Sprintf("At most %d attachments, with %d MB and %d pages together.", agreement.MostAttachments,
		agreement.MostAttached>>20, agreement.MostAttachedPages)
	group.Fields = append(group.Fields, file, kit.Field{
		Name:  "requires_initials",
		Label: "Everybody who signs types their initials for it",
		Kind:  "checkbox",
	})
	return v.ShowAs(f.Status, views.AttachPage(views.Attach{
		Frame:   v.Frame(heading.Title),
		Heading: heading,
		Form: f.Fill(kit.Form{
			Action: heading.Back.Path + "/attachments/new",
			Submit: "Attach PDF",
			Cancel: heading.Back.Path,
			Files:  true,
			Failed: "Nothing was attached",
			Groups: []kit.FieldGroup{group},
		}),
	}))
}

// pdfField asks for a PDF.
func pdfField() kit.Field {
	return kit.Field{
		Name:   "file",
		Label:  "PDF",
		Kind:   "file",
		Accept: ".pdf,application/pdf",
		Hint:   fmt.Sprintf("At most %d MB and %d pages.", agreement.MostAttached>>20, agreement.MostAttachedPages),
	}
}

// tooLarge says of a file that it is.
var tooLarge = fmt.Sprintf("The file is larger than %d MB. Split it, or save it with smaller pictures.",
	agreement.MostAttached>>20)

// oversizedAttachment answers a form of which not even the end was read.
func (p *leasePages) oversizedAttachment(v *page.Request, l *portfolio.Lease) error {
	return p.attachmentForm(v, l, oversized())
}

// oversized is a form of which not even the end was read.
func oversized() *page.Form {
	f := page.Blank(url.Values{})
	f.Reject("file", tooLarge)
	return f
}

// cleanAttachment reads the PDF of a form and rewrites it, before the transaction that attaches it. What it has
// prepared is the file, or the form that says what is wrong with it.
func (p *leasePages) cleanAttachment(v *page.Request) error {
	f := v.Form()
	switch file := v.Upload.File; {
	case file == nil || file.Size() == 0:
		f.Reject("file", "Choose a PDF.")
	case file.Size() > agreement.MostAttached:
		f.Reject("file", tooLarge)
	}
	v.Prepared = f
	if f.Rejected() {
		return nil
	}
	content := make([]byte, v.Upload.Size())
	if _, err := io.ReadFull(v.Upload.Reader(), content); err != nil {
		return fmt.Errorf("read the PDF that was uploaded: %w", err)
	}
	file, err := p.Terms.Clean(v.Ctx(), v.Actor(), v.Upload.Name, content)
	if err == nil {
		file.RequiresInitials, file.IsLease = f.Checked("requires_initials"), f.Checked("is_lease")
		v.Prepared = file
	} else if f.Refused(err) {
		err = nil
	}
	return err
}

func (p *leasePages) addAttachment(v *page.Request, l *portfolio.Lease) error {
	if f, refused := v.Prepared.(*page.Form); refused {
		return p.attachmentForm(v, l, f)
	}
	f, file, at := v.Form(), v.Prepared.(*agreement.AttachmentFile), v.In("/leases/"+l.ID)
	_, err := p.Terms.Attach(v.Ctx(), v.Actor(), l.ID, file)
	switch {
	case fault.Is(err, fault.InvalidTransition), fault.Is(err, fault.SignatureInProgress):
		return v.RefuseAt(at, fault.From(err).Message)
	case f.Refused(err):
		return p.attachmentForm(v, l, f)
	case err != nil:
		return err
	}
	return v.Done(at, "The PDF is attached.")
}

// attachment shows a PDF that a lease has or had.
func (p *leasePages) attachment(v *page.Request, l *portfolio.Lease) error {
	_, content, err := p.Terms.Attached(v.Ctx(), v.Actor(), l.ID, v.Param("attachment"))
	if err != nil {
		return err
	}
	return v.Send.OwnPDF("attachment", content)
}

func (p *leasePages) removeAttachment(v *page.Request, l *portfolio.Lease) error {
	at := v.In("/leases/" + l.ID)
	if _, err := p.Terms.Detach(v.Ctx(), v.Actor(), l.ID, v.Param("attachment")); err != nil {
		return refusedAt(v, at, err, fault.SignatureInProgress)
	}
	return v.Done(at, "The attachment was removed.")
}

// attachmentsOf are the attachments of a lease on its page.
func attachmentsOf(v *page.Request, of *agreement.LeaseWithTerms) views.Attachments {
	all := attachmentList(v.In("/leases/"+of.ID+"/attachments"), of.Attachments, attachable(&of.Lease))
	all.Words = "House rules, an addendum, a pamphlet: attach a PDF, and it is read and signed with the lease."
	return all
}

// attachmentList are attachments on a page, which stand at an address and may change or not.
func attachmentList(at string, attached []agreement.Attachment, change bool) (all views.Attachments) {
	if change {
		all.Add = at + "/new"
	}
	for i := range attached {
		a := &attached[i]
		line := views.Attachment{Name: a.FileName, Path: at + "/" + a.ID, About: page.Counted(a.Pages, "page")}
		if a.IsLease {
			line.About += ", the text of the lease"
		}
		if a.RequiresInitials {
			line.About += ", with initials"
		}
		if change {
			line.Remove = at + "/" + a.ID + "/remove"
		}
		all.All = append(all.All, line)
	}
	return all
}
