package lease

import (
	"fmt"
	"io"
	"net/url"
	"strconv"

	"portal/api/agreement/ceremony"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/views/kit"
	"portal/web/page"
)

// mostScanForm is what is read of a form with a scan that is too large, so that the browser has sent it and shows the
// answer.
const mostScanForm = 3*ceremony.MostScan + page.FormSize

// paperRoutes are the pages that record signatures on paper, and hand their scans back.
func (p *leasePages) paperRoutes() []page.Route {
	of := page.With(id.Lease, p.Portfolio.Leases.Lease)
	const at = "/{mode}/leases/:id/signers/:signer/paper"
	return append(p.askEndingRoutes(), []page.Route{
		page.Get(at, page.Owner, of(p.askPaper)).Confirmed(),
		page.PostFiles(at, page.Owner, mostScanForm, of(p.recordPaper)).Confirmed().Oversized(of(p.oversizedScan)),
		page.Get("/{mode}/leases/:id/signers/:signer/scan", page.Owner, of(p.scan)),
	}...)
}

func (p *leasePages) askPaper(v *page.Request, l *portfolio.Lease) error {
	return p.paperForm(v, l, v.Form())
}

// paperForm asks on which day a party has signed on paper, and for the scan.
func (p *leasePages) paperForm(v *page.Request, l *portfolio.Lease, f *page.Form) error {
	at, signerID := v.In("/leases/"+l.ID), v.Param("signer")
	offered, err := p.Signings.ToSignOnPaper(v.Ctx(), v.Actor(), l.ID, signerID)
	if err != nil {
		return err
	}
	if offered == nil {
		return v.RefuseAt(at, "There’s nothing to sign.")
	}
	return signPage(v, l, offered.Signer+" signed on paper", offered, false, f, kit.Form{
		Action: at + "/signers/" + signerID + "/paper",
		Submit: "Record signature",
		Files:  true,
		Failed: "The signature wasn’t recorded",
		Groups: []kit.FieldGroup{
			{Title: "Signature on paper", About: "We record the time, your IP address, and that " +
				v.Person.Email + " says so. The signed lease will say that no code was asked and no email address was " +
				"proved. This can’t be undone.", Fields: []kit.Field{
				{
					Name:  "signed_on",
					Label: "Signed on",
					Kind:  "date",
					Most:  v.Today().String(),
					Hint:  "The day on the paper.",
				},
				{
					Name:   "scan",
					Label:  "Scan of the signed lease",
					Kind:   "file",
					Accept: ".pdf,.jpg,.jpeg,.png,application/pdf,image/jpeg,image/png",
					Hint:   "A PDF, JPEG or PNG file of at most 10 MB. The paper must have exactly the text below.",
				},
			}},
		},
	})
}

// oversizedScan answers a form of which not even the end was read.
func (p *leasePages) oversizedScan(v *page.Request, l *portfolio.Lease) error {
	f := page.Blank(url.Values{})
	f.Reject("scan", "The file is larger than 10 MB. Scan it with a lower resolution.")
	return p.paperForm(v, l, f)
}

// recordPaper records that a party has signed on paper.
func (p *leasePages) recordPaper(v *page.Request, l *portfolio.Lease) error {
	f, from := v.Form(), v.From()
	version, _ := strconv.Atoi(f.Text("version"))
	paper := ceremony.Paper{Version: version}
	var err error
	if paper.On, err = clock.ParseDate(f.Text("signed_on")); err != nil {
		f.Reject("signed_on", "Enter the day the lease was signed.")
	}
	switch file := v.Upload.File; {
	case file == nil || file.Size() == 0:
		f.Reject("scan", "Choose the scan: a PDF, JPEG or PNG file.")
	case file.Size() > ceremony.MostScan:
		f.Reject("scan", "The file is larger than 10 MB. Scan it with a lower resolution.")
	}
	if f.Rejected() {
		return p.paperForm(v, l, f)
	}
	paper.Scan = make([]byte, v.Upload.Size())
	if _, err := io.ReadFull(v.Upload.Reader(), paper.Scan); err != nil {
		return fmt.Errorf("read the scan that was uploaded: %w", err)
	}
	at := v.In("/leases/" + l.ID)
	err = p.Signings.SignOnPaper(v.Ctx(), v.Actor(), l.ID, v.Param("signer"), v.Person.Email, paper,
		ceremony.Client{Address: from.IP(), Browser: from.Agent()})
	switch {
	case fault.Is(err, fault.InvalidTransition):
		return v.RefuseAt(at, fault.From(err).Message)
	case fault.Is(err, fault.StaleWrite):
		f.Reject("scan", "The lease has changed. Read it again below, and compare the paper with it.")
		return p.paperForm(v, l, f)
	case f.Refused(err):
		return p.paperForm(v, l, f)
	case err != nil:
		return err
	}
	return v.Done(at, "The signature on paper is recorded.")
}

// scan hands the scan of a signature on paper back as it was uploaded, never to be shown within a page of ours.
func (p *leasePages) scan(v *page.Request, l *portfolio.Lease) error {
	scan, err := p.Signings.Scan(v.Ctx(), v.Actor(), l.ID, v.Param("signer"))
	if err != nil {
		return err
	}
	return v.Send.Upload(
		scan.MediaType,
		"signed-on-paper-"+scan.SignedOn.String()+scanEndings[scan.MediaType],
		scan.Content,
	)
}

// scanEndings are how the names of scans end, by their media type.
var scanEndings = map[string]string{"application/pdf": ".pdf", "image/jpeg": ".jpg", "image/png": ".png"}
