package resident

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"portal/api/agreement"
	"portal/views/kit"
	views "portal/views/resident"
	"portal/web/page"
)

// mostUpload is what is read of a form with a file that is too large, so that the browser has sent it and shows
// the answer.
const mostUpload = 3*agreement.MaxFile + page.FormSize

// verifyRoutes are the page that checks a signed lease, for everybody.
func (p *Section) verifyRoutes() []page.Route {
	if p.Proofs == nil {
		return nil
	}
	return []page.Route{
		page.Get(agreement.VerifyPath, page.Guest, p.askFile),
		page.PostFiles(agreement.VerifyPath, page.Guest, mostUpload, p.verifyFile).Oversized(p.oversizedFile),
	}
}

func (p *Section) askFile(v *page.Request) error { return verifyPage(v, page.Blank(url.Values{}), nil) }

// oversizedFile answers a file of which not even the end was read.
func (p *Section) oversizedFile(v *page.Request) error {
	f := page.Blank(url.Values{})
	f.Reject("file", tooLarge(verifyHeader(v)))
	return verifyPage(v, f, nil)
}

func tooLarge(h kit.GuestHeader) string {
	most := strconv.Itoa(agreement.MaxFile >> 20)
	return h.Say("The file is larger than "+most+" MB, which no signed lease of ours is.",
		"El archivo supera los "+most+" MB; ningún contrato firmado aquí es tan grande.")
}

// verifyFile tells what a file is. It is in memory until the answer, and nothing of it is kept.
func (p *Section) verifyFile(v *page.Request) error {
	f, h := v.Form(), verifyHeader(v)
	switch file := v.Upload.File; {
	case file == nil || file.Size() == 0:
		f.Reject("file", h.Say("Choose the PDF of the lease.", "Elija el PDF del contrato."))
	case file.Size() > agreement.MaxFile:
		f.Reject("file", tooLarge(h))
	}
	if f.Rejected() {
		return verifyPage(v, f, nil)
	}
	content := make([]byte, v.Upload.Size())
	if _, err := io.ReadFull(v.Upload.Reader(), content); err != nil {
		return fmt.Errorf("read the file that was uploaded: %w", err)
	}
	if http.DetectContentType(content) != "application/pdf" {
		f.Reject("file", h.Say("This isn’t a PDF. Choose the file as you got it, not a photo or a printout.",
			"Esto no es un PDF. Elija el archivo tal como lo recibió, no una foto ni una impresión."))
		return verifyPage(v, f, nil)
	}
	verdict, err := p.Proofs.VerifyForAnyone(v.Ctx(), content)
	if err != nil {
		return err
	}
	return verifyPage(v, f, verdict)
}

// verifyHeader is the header of the page, in the language of its reader.
func verifyHeader(v *page.Request) kit.GuestHeader {
	h := bilingualHeader(v, "", agreement.VerifyPath)
	h.Title = h.Say("Check a signed lease", "Comprobar un contrato firmado")
	h.Footer = h.Say("Leases that were signed with portal", "Contratos firmados con portal")
	return h
}

func verifyPage(v *page.Request, f *page.Form, verdict *agreement.Verdict) error {
	h := verifyHeader(v)
	view := views.Verify{
		GuestHeader: h,
		About: h.Say("Choose the PDF of a lease that was signed here. You see whether it is the copy that all parties "+
			"signed. We keep nothing of the file.", "Elija el PDF de un contrato firmado aquí. Verá si es la copia "+
			"que firmaron todas las partes. No guardamos nada del archivo."),
		Form: f.Fill(kit.Form{
			Action: agreement.VerifyPath + langQuery(v),
			Submit: h.Say("Check the file", "Comprobar el archivo"),
			Files:  true,
			Failed: h.Say("The file was not checked", "El archivo no se comprobó"),
			Groups: []kit.FieldGroup{{Fields: []kit.Field{{
				Name:   "file",
				Label:  h.Say("Signed lease", "Contrato firmado"),
				Kind:   "file",
				Accept: ".pdf,application/pdf",
				Hint:   h.Say("A PDF of at most 20 MB.", "Un PDF de 20 MB como máximo."),
			}}}},
		}),
		Docs: kit.Link{Path: "/docs/verify", Name: h.Say("What this check shows, and what it does not",
			"Qué muestra esta comprobación y qué no (en inglés)")},
	}
	switch {
	case f.Rejected():
		view.Title = h.Say("Not checked: ", "Sin comprobar: ") + h.Title
	case verdict != nil:
		view.Finding = finding(h, verdict)
		view.Title = view.Finding.Title
	}
	return v.ShowAs(f.Status, views.VerifyPage(view))
}
