package lease

import (
	"strconv"
	"strings"

	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/mail"
	"portal/api/portfolio"
	"portal/static"
	"portal/views/kit"
	views "portal/views/lease"
	"portal/web/page"
)

// signRoutes are the pages on which the landlord signs a lease, and sends others their links again.
func (p *leasePages) signRoutes() []page.Route {
	if p.Signings == nil {
		return nil
	}
	return []page.Route{
		page.Get("/{mode}/leases/:id/sign", page.Owner, p.askSign).Confirmed(),
		page.Post("/{mode}/leases/:id/sign", page.Owner, p.signLease).Confirmed(),
		page.Post("/{mode}/leases/:id/signers/:signer/send", page.Member, p.sendLink),
	}
}

// withMail adds to the signers of a lease what they were sent, and what can be done.
func (p *leasePages) withMail(v *page.Request, l *portfolio.Lease, view *views.Lease) error {
	if p.Signings == nil {
		return nil
	}
	all, err := p.Signings.States(v.Ctx(), v.Actor(), l.ID)
	if err != nil || len(all) != len(view.Signing.Signers) {
		return err
	}
	open := l.Open() && !l.Lapsed(clock.At(p.Portfolio.Now(v.Actor().Portfolio)))
	for i := range all {
		s, line := &all[i], &view.Signing.Signers[i]
		line.Trail = append(mailTrail(v, s), line.Trail...)
		if page.OrEmpty(s.EmailStatus) == string(mail.Failed) && s.SignedAt == nil {
			line.Status = emailStatus(string(mail.Failed))
		}
		if !open || s.SignedAt != nil || s.DeclinedAt != nil {
			continue
		}
		line.Send = v.In("/leases/" + l.ID + "/signers/" + s.ID + "/send")
		if s.TenantID == nil && v.Owns() {
			view.Signing.Sign = v.In("/leases/" + l.ID + "/sign")
		}
	}
	return nil
}

// mailTrail is what became of the latest email to a signer.
func mailTrail(v *page.Request, s *agreement.SignerState) []kit.Moment {
	m := kit.Moment{Title: "Email: " + strings.ToLower(emailStatus(page.OrEmpty(s.EmailStatus)).Text)}
	if s.SentAt != nil {
		m.Time = v.Time(*s.SentAt)
	}
	return []kit.Moment{m}
}

// emailStatus is what became of an email, "" for one that nobody has sent.
func emailStatus(status string) kit.Status {
	switch status {
	case "":
		return kit.Status{Tone: kit.Idle, Text: "Not sent"}
	case string(mail.Failed):
		return kit.Status{Tone: kit.Failed, Text: "Did not arrive"}
	case string(mail.Sent):
		return kit.Status{Tone: kit.Done, Text: "Sent"}
	case string(mail.Kept):
		return kit.Status{Tone: kit.Idle, Text: "Not sent"}
	}
	return kit.Status{Tone: kit.Waiting, Text: "On its way"}
}

// sendLink sends a signer the link of their page once more.
func (p *leasePages) sendLink(v *page.Request) error {
	l, err := p.leaseHere(v)
	if err != nil {
		return err
	}
	at := v.In("/leases/" + l.ID)
	err = p.Signings.SendLink(v.Ctx(), v.Actor(), l.ID, v.Param("signer"))
	if fault.Is(err, fault.InvalidTransition) || fault.Is(err, fault.RateLimited) {
		return v.RefuseAt(at, fault.From(err).Message)
	}
	if err != nil {
		return err
	}
	return v.Done(at, "The link is on its way.")
}

func (p *leasePages) askSign(v *page.Request) error { return p.signForm(v, v.Form()) }

func (p *leasePages) signForm(v *page.Request, f *page.Form) error {
	l, err := p.leaseHere(v)
	if err != nil {
		return err
	}
	at := v.In("/leases/" + l.ID)
	offered, err := p.Signings.ToSign(v.Ctx(), v.Actor(), l.ID)
	if err != nil {
		return err
	}
	if offered == nil {
		return v.RefuseAt(at, "There’s nothing to sign.")
	}
	form := f.Fill(kit.Form{
		Action: at + "/sign",
		Submit: "Sign lease",
		Cancel: at,
		Groups: []kit.FieldGroup{{Fields: []kit.Field{
			{Name: "version", Kind: "hidden", Value: strconv.Itoa(offered.Version)},
			{
				Name:     "name",
				Label:    "Type your full name",
				Complete: "name",
				Hint: "As the lease has it: " + offered.Signer + ". By signing you agree to the terms of the lease and to " +
					"electronic records. We record the time, your IP address and browser, and the fingerprint of the document.",
			},
		}}},
	})
	frame := v.Frame("Sign lease")
	frame.Styles = append(frame.Styles, static.URL("contract.css"))
	return v.ShowAs(f.Status, views.SignPage(views.Sign{
		Frame: frame,
		Heading: kit.Heading{
			Title: "Sign lease",
			About: l.RentalAddress,
			Back:  kit.Link{Name: "The lease", Path: at},
		},
		Document: page.DocumentView(offered.Document),
		Form:     form,
	}))
}

func (p *leasePages) signLease(v *page.Request) error {
	l, err := p.leaseHere(v)
	if err != nil {
		return err
	}
	f, from := v.Form(), v.From()
	version, _ := strconv.Atoi(f.Text("version"))
	err = p.Signings.SignAsLandlord(v.Ctx(), v.Actor(), l.ID, v.Person.Email, ceremony.Signature{
		Version: version,
		Name:    f.Printable("name"),
	}, ceremony.Client{Address: from.IP(), Browser: from.Agent()})
	switch {
	case fault.Is(err, fault.StaleWrite):
		f.Reject("name", "The lease has changed. Read it again below before you sign.")
		return p.signForm(v, f)
	case f.Refused(err):
		return p.signForm(v, f)
	case err != nil:
		return err
	}
	return v.Done(v.In("/leases/"+l.ID), "You have signed the lease.")
}
