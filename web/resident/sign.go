package resident

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/fault"
	"portal/views/kit"
	views "portal/views/resident"
	"portal/web/contract"
	"portal/web/page"
)

// signRoutes are the pages on which a lease is signed.
func (p *Section) signRoutes() []page.Route {
	if p.Signing == nil {
		return nil
	}
	return []page.Route{
		page.Get("/sign/:token", page.LinkHolder, p.sign),
		page.Post("/sign/:token", page.LinkHolder, p.signLease),
		page.Post("/sign/:token/review", page.LinkHolder, p.reviewLease),
		page.Post("/sign/:token/code", page.LinkHolder, p.sendSignCode),
		page.Get("/sign/:token/decline", page.LinkHolder, p.askDecline),
		page.Post("/sign/:token/decline", page.LinkHolder, p.declineLease),
		page.Get("/sign/:token/lease.pdf", page.LinkHolder, p.signedPDF),
	}
}

// signAt is the address of the page of the signer whose link was opened.
func signAt(v *page.Request) string { return "/sign/" + url.PathEscape(v.Param("token")) }

// signer is where the reader is.
func signer(v *page.Request) ceremony.Client {
	at := v.From()
	return ceremony.Client{Address: at.Address.String(), Browser: at.UserAgent}
}

// sign shows the lease with the next step. It records nothing: mail programs look behind links too.
func (p *Section) sign(v *page.Request) error { return p.signPage(v, page.Blank(url.Values{})) }

func (p *Section) signPage(v *page.Request, f *page.Form) error {
	s, err := p.Signing.Page(v.Request().Context(), v.Param("token"))
	if err != nil {
		return v.NoLink(err)
	}
	switch s.Standing {
	case ceremony.ToReview, ceremony.ToSign:
		return v.ShowAs(f.Status, views.SignPage(signView(v, s, f)))
	case ceremony.Signed, ceremony.Executed, ceremony.Declined, ceremony.Voided, ceremony.Expired:
	}
	return signEnd(v, s)
}

// signEnd says why there is nothing to sign.
func signEnd(v *page.Request, s *ceremony.Page) error {
	ask := "Ask " + s.Landlord + " for a new one."
	switch s.Standing {
	case ceremony.Signed:
		return v.Notice(http.StatusOK, s.Landlord, "You have signed the lease",
			"It is for "+s.Address+". "+yetToSign(s.All)+" You need not do anything else.")
	case ceremony.Executed:
		return v.Notice(http.StatusOK, s.Landlord, "The lease is signed by all", "It is for "+s.Address+".")
	case ceremony.Declined:
		return v.Notice(http.StatusGone, s.Landlord, "This lease was declined",
			"The lease for "+s.Address+" can no longer be signed: "+declined(s.All)+" "+ask)
	case ceremony.Voided:
		return v.Notice(http.StatusGone, s.Landlord, "This lease was withdrawn",
			s.Landlord+" has withdrawn the lease for "+s.Address+". "+ask)
	case ceremony.Expired, ceremony.ToReview, ceremony.ToSign:
	}
	return v.Notice(http.StatusGone, s.Landlord, "The time to sign is over",
		"The lease for "+s.Address+" could be signed until "+s.Until.Words()+". "+ask)
}

// yetToSign says who has yet to sign.
func yetToSign(all []agreement.Signer) string {
	var names []string
	for i := range all {
		if all[i].Status != agreement.Signed {
			names = append(names, all[i].Name)
		}
	}
	if len(names) == 0 {
		return "All have signed."
	}
	return "Yet to sign: " + strings.Join(names, ", ") + "."
}

// declined says who will not sign.
func declined(all []agreement.Signer) string {
	for i := range all {
		if all[i].Status == agreement.Declined {
			return all[i].Name + " will not sign it."
		}
	}
	return "a party will not sign it."
}

// signedBy says who has signed already, "" for nobody.
func signedBy(all []agreement.Signer) string {
	var names []string
	for i := range all {
		if all[i].Status == agreement.Signed {
			names = append(names, all[i].Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "signed already by " + strings.Join(names, ", ")
}

func signView(v *page.Request, s *ceremony.Page, f *page.Form) views.Sign {
	title, at := "Sign the lease for "+s.Address, signAt(v)
	if f.Rejected() {
		title = "Not signed yet: " + title
	}
	view := views.Sign{
		GuestHeader: page.GuestHeader(title, s.Landlord),
		Address:     s.Address,
		Path:        at,
		PDF:         at + "/lease.pdf",
		Until:       s.Until.Words(),
		Who:         signedBy(s.All),
		Changes:     s.Changes,
		Version:     strconv.Itoa(s.Version),
	}
	for _, r := range s.Document.Terms[:min(len(s.Document.Terms), mostFacts)] {
		view.Facts = append(view.Facts, kit.Fact{Name: r.Name, Value: r.Value})
	}
	step := 0
	if s.Standing == ceremony.ToSign {
		step, view.Document, view.Contract = 1, new(contract.View(s.Document)), true
		view.Code = f.Fill(codeForm(at, s.Consented))
		if s.Consented {
			step, view.Sent = 2, s.Email
			view.Sign = f.Fill(signForm(at, s))
		}
	}
	for i, name := range []string{"Review", "Agree", "Sign"} {
		view.Steps = append(view.Steps, views.SignStep{Name: name, Done: i < step, Now: i == step})
	}
	return view
}

// mostFacts is how many key terms stand above a lease.
const mostFacts = 6

// eSignDisclosure is what a signer agrees to (15 U.S.C. 7001(c)).
const eSignDisclosure = "You can sign here or on paper: ask the landlord for a paper copy at any time, at no charge. " +
	"Agreeing covers this lease alone. You can withdraw it before you sign by declining, and tell the landlord if your " +
	"email address changes. You need a device with a current browser that shows PDF files, an email address, and a way " +
	"to print or keep what you sign."

// codeForm asks for consent, and sends a code, or another one.
func codeForm(at string, consented bool) kit.Form {
	form := kit.Form{
		Action: at + "/code",
		Submit: "Send me a code",
		Groups: []kit.FieldGroup{{About: eSignDisclosure, Fields: []kit.Field{{
			Name:    "consent",
			Label:   "I agree to use electronic records and signatures",
			Kind:    "checkbox",
			Checked: consented,
		}}}},
	}
	if consented {
		form.Submit = "Send a new code"
	}
	return form
}

// signForm asks for the code and the name.
func signForm(at string, s *ceremony.Page) kit.Form {
	return kit.Form{
		Action: at,
		Submit: "Sign the lease",
		Groups: []kit.FieldGroup{{Fields: []kit.Field{
			{Name: "version", Kind: "hidden", Value: strconv.Itoa(s.Version)},
			{
				Name:     "code",
				Label:    "6-digit code",
				Mode:     "numeric",
				Complete: "one-time-code",
				Short:    true,
				Hint:     "We sent it to " + s.Email + ". It works for 10 minutes.",
			},
			{
				Name:     "name",
				Label:    "Type your full name",
				Complete: "name",
				Hint:     "As the lease has it: " + s.Signer.Name + ".",
			},
		}, About: "By selecting Sign the lease, you agree to its terms. We record the time, your IP address and browser, " +
			"and the fingerprint of the document."}},
	}
}

// stepped is a step of signing: what is wrong with it stands beside its field.
func (p *Section) stepped(v *page.Request, step func(ctx context.Context, f *page.Form) error) error {
	if status := v.ReadForm(); status != http.StatusOK {
		return page.Unread(status, page.FormSize)
	}
	f := v.Form()
	err := step(v.Request().Context(), f)
	switch {
	case err == nil && !f.Rejected():
		return v.SeeOther(signAt(v))
	case fault.Is(err, fault.NoRecord):
		return v.NoLink(err)
	case fault.Is(err, fault.StaleWrite), fault.Is(err, fault.InvalidTransition):
		return v.SeeOther(signAt(v)) // which says what has changed, or why it is over
	case fault.Is(err, fault.RateLimited):
		f.Reject("consent", fault.From(err).Message)
	case err != nil && !f.Refused(err):
		return err
	}
	return p.signPage(v, f)
}

func (p *Section) reviewLease(v *page.Request) error {
	return p.stepped(v, func(ctx context.Context, _ *page.Form) error {
		return p.Signing.Review(ctx, v.Param("token"), signer(v))
	})
}

func (p *Section) sendSignCode(v *page.Request) error {
	return p.stepped(v, func(ctx context.Context, f *page.Form) error {
		if f.Text("consent") == "" {
			f.Reject("consent", "Agree to sign online, or ask for the lease on paper.")
			return nil
		}
		return p.Signing.SendCode(ctx, v.Param("token"), signer(v))
	})
}

func (p *Section) signLease(v *page.Request) error {
	return p.stepped(v, func(ctx context.Context, f *page.Form) error {
		version, _ := strconv.Atoi(f.Text("version"))
		return p.Signing.Sign(ctx, v.Param("token"), ceremony.Signature{
			Version: version,
			Code:    f.Text("code"),
			Name:    f.Printable("name"),
		}, signer(v))
	})
}

func (p *Section) askDecline(v *page.Request) error {
	return p.declinePage(v, page.Blank(url.Values{}))
}

func (p *Section) declinePage(v *page.Request, f *page.Form) error {
	s, err := p.Signing.Page(v.Request().Context(), v.Param("token"))
	if err != nil {
		return v.NoLink(err)
	}
	if s.Standing != ceremony.ToReview && s.Standing != ceremony.ToSign {
		return signEnd(v, s)
	}
	at := signAt(v)
	return v.ShowAs(f.Status, views.DeclinePage(views.Decline{
		GuestHeader: page.GuestHeader("Decline to sign?", s.Landlord),
		Address:     s.Address,
		Path:        at,
		Form: f.Fill(kit.Form{
			Action: at + "/decline",
			Submit: "Decline to sign",
			Groups: []kit.FieldGroup{{Fields: []kit.Field{{
				Name:     "reason",
				Label:    "Reason",
				Lines:    3,
				Optional: true,
				Hint:     "At most 500 characters. " + s.Landlord + " reads it.",
			}}}},
		}),
	}))
}

func (p *Section) declineLease(v *page.Request) error {
	if status := v.ReadForm(); status != http.StatusOK {
		return page.Unread(status, page.FormSize)
	}
	f := v.Form()
	reason := page.Lines(f, "reason")
	if len([]rune(reason)) > mostReason {
		f.Reject("reason", "Use at most 500 characters.")
		return p.declinePage(v, f)
	}
	err := p.Signing.Decline(v.Request().Context(), v.Param("token"), strings.TrimSpace(reason), signer(v))
	if fault.Is(err, fault.NoRecord) {
		return v.NoLink(err)
	}
	if err != nil && !fault.Is(err, fault.InvalidTransition) {
		return err
	}
	return v.SeeOther(signAt(v))
}

// mostReason is how many characters a reason to decline has at most.
const mostReason = 500

// signedPDF answers with the PDF of the version that can be signed.
func (p *Section) signedPDF(v *page.Request) error {
	content, s, err := p.Signing.PDF(v.Request().Context(), v.Param("token"))
	if err != nil {
		return v.NoLink(err)
	}
	if content == nil {
		return signEnd(v, s)
	}
	return v.Send.OwnPDF("lease", content)
}
