package lease

import (
	"slices"
	"strconv"
	"strings"

	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/agreement/document"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/language"
	"portal/api/mail"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/law"
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
	of := page.With(id.Lease, p.Portfolio.Leases.Lease)
	return append(p.paperRoutes(), []page.Route{
		page.Get("/{mode}/leases/:id/sign", page.Owner, of(p.askSign)).Confirmed(),
		page.Post("/{mode}/leases/:id/sign", page.Owner, of(p.signLease)).Confirmed(),
		page.Get("/{mode}/leases/:id/signers/:signer/sign", page.Owner, of(p.askSign)).Confirmed(),
		page.Post("/{mode}/leases/:id/signers/:signer/sign", page.Owner, of(p.signLease)).Confirmed(),
		page.Post("/{mode}/leases/:id/send", page.Member, of(p.sendLease)),
		page.Post("/{mode}/leases/:id/signers/:signer/send", page.Member, of(p.sendLink)),
	}...)
}

// withMail adds to the signers of a lease what they were sent, and what can be done.
func (p *leasePages) withMail(v *page.Request, of *agreement.LeaseWithTerms, view *views.Lease) error {
	l := &of.Lease
	if p.Signings == nil {
		return nil
	}
	open := l.Open() && !l.Lapsed(p.Portfolio.BusinessNow(v.Actor().Portfolio))
	if of.SentAt == nil && open {
		if err := p.withSending(v, of, view); err != nil {
			return err
		}
	}
	view.Signing.Sent = of.SentAt != nil && open
	withPaper(v, of, open, view)
	if !of.SendRequested() {
		return nil
	}
	all, err := p.Signings.States(v.Ctx(), v.Actor(), l.ID)
	if err != nil || len(all) != len(view.Signing.Signers) {
		return err
	}
	failures, err := p.Terms.MailFailures(v.Ctx(), v.Actor().Portfolio, *l.DocumentID)
	if err != nil {
		return err
	}
	for i := range all {
		s, line := &all[i], &view.Signing.Signers[i]
		status := emailStatus(page.OrEmpty(s.EmailStatus))
		if s.SignedAt == nil || status.Tone != kit.Waiting { // who has signed waits for no email
			email := kit.Moment{Title: "Email: " + strings.ToLower(status.Text)}
			if s.SentAt != nil {
				email.Time = v.Time(*s.SentAt)
			}
			line.Trail = slices.Insert(line.Trail, 0, email)
		}
		if page.OrEmpty(s.EmailStatus) == string(mail.Failed) && s.SignedAt == nil {
			line.Status = emailStatus(string(mail.Failed))
			if words := failures[s.ID]; words != "" {
				line.Why = "The mail server said: " + serverWords(words)
			}
			switch {
			case s.TenantID == nil || !open:
			case l.Status == portfolio.LeaseDraft:
				line.Change = v.In("/tenants/" + *s.TenantID + "/edit")
			default: // the first signature locks the addresses
				line.Why = strings.TrimSpace(
					line.Why + " An address can’t change once somebody has signed: let them sign " +
						"here, or on paper.",
				)
			}
		}
		if !open || s.SignedAt != nil || s.DeclinedAt != nil {
			continue
		}
		if of.SentAt != nil {
			line.Send = v.In("/leases/" + l.ID + "/signers/" + s.ID + "/send")
		}
		if s.TenantID != nil && v.Owns() {
			line.SignHere = v.In("/leases/" + l.ID + "/signers/" + s.ID + "/sign")
		}
		if s.Landlord() && v.Owns() {
			view.Signing.Sign = v.In("/leases/" + l.ID + "/sign")
		}
	}
	return nil
}

// withPaper adds where an owner records that a signer has signed on paper, and the scans that are kept.
func withPaper(v *page.Request, of *agreement.LeaseWithTerms, open bool, view *views.Lease) {
	for i := 0; i < len(of.Signers) && v.Owns(); i++ {
		s, line := &of.Signers[i], &view.Signing.Signers[i]
		at := v.In("/leases/" + of.ID + "/signers/" + s.ID)
		switch {
		case s.PaperSignedOn != nil:
			line.Scan = at + "/scan"
		case open && s.SignedAt == nil && s.DeclinedAt == nil:
			line.Paper = at + "/paper"
		}
	}
}

// withSending adds to a lease that was not sent whom it goes to, and what keeps it from being signed.
func (p *leasePages) withSending(v *page.Request, of *agreement.LeaseWithTerms, view *views.Lease) error {
	s, to, err := p.sendingOf(v, of, "/lead")
	if err != nil {
		return err
	}
	s.To, view.Signing.Sending = nil, s
	for i := 0; i < len(of.Signers) && !s.Requested; i++ {
		at := slices.IndexFunc(to, func(r ceremony.Recipient) bool { return r.ID == of.Signers[i].ID })
		if at < 0 {
			continue
		}
		reach := kit.Moment{Title: "No email address: gets nothing"}
		if r := to[at]; r.Email != "" {
			reach.Title = r.Email + ", " + mailLanguage(r.Language)
		}
		line := &view.Signing.Signers[i]
		line.Trail = slices.Insert(line.Trail, 0, reach)
	}
	return nil
}

// mailLanguage says in which language a signer is emailed.
func mailLanguage(chosen language.Language) string {
	switch chosen {
	case language.Spanish:
		return "in Spanish"
	case language.English:
		return "in English"
	}
	return "in English, with Spanish one click away"
}

// serverWords are what a mail server said of an email, without what our mail client says around it.
func serverWords(words string) string {
	if _, said, found := strings.Cut(words, " command: "); found {
		words = said
	}
	words, _, _ = strings.Cut(words, ", affected recipient(s):")
	return words
}

// sendingOf is whom a lease that was not sent goes to, and what keeps it from being signed. What is known about lead
// paint is stated on the page of the lease whose address ends as lead says.
func (p *leasePages) sendingOf(
	v *page.Request,
	of *agreement.LeaseWithTerms,
	lead string,
) (*views.Sending, []ceremony.Recipient, error) {
	to, err := p.Signings.Recipients(v.Ctx(), v.Actor(), of.ID)
	if err != nil {
		return nil, nil, err
	}
	s := &views.Sending{Requested: of.SendRequested(), Noun: "draft"}
	if of.Status != portfolio.LeaseDraft {
		s.Noun = "lease"
	}
	if !s.Requested {
		s.Action = v.In("/leases/" + of.ID + "/send")
	}
	for _, r := range to {
		s.To = append(s.To, views.Recipient{Name: r.Name, Email: r.Email, Language: mailLanguage(r.Language)})
	}
	for _, b := range of.BlockedBy {
		blocked := views.Blocked{Words: b.Message}
		if b.Code == fault.LeadPaintUnanswered {
			blocked = views.Blocked{Mend: kit.Link{
				Name: "State what you know about lead-based paint in the home",
				Path: v.In("/leases/" + of.ID + lead),
			}}
		}
		if b.Code == fault.OwnDocumentMissing {
			blocked = views.Blocked{Mend: kit.Link{
				Name: "Add your lease as a PDF",
				Path: v.In("/leases/" + of.ID + "/attachments/new"),
			}}
		}
		s.Blocked = append(s.Blocked, blocked)
	}
	return s, to, nil
}

// sendLease has the links of a lease emailed to those who sign it.
func (p *leasePages) sendLease(v *page.Request, l *portfolio.Lease) error {
	at := v.In("/leases/" + l.ID)
	made, err := p.Terms.Send(v.Ctx(), v.Actor(), l.ID)
	if err != nil {
		return refusedAt(v, at, err)
	}
	if made.After.SentAt == nil {
		return v.Done(at, "The emails will leave when nothing blocks a signature any more.")
	}
	return v.Done(at, "The lease was sent for signature.")
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
		return kit.Status{Tone: kit.Idle, Text: "Kept, not sent"}
	}
	return kit.Status{Tone: kit.Waiting, Text: "On its way"}
}

// sendLink sends a signer the link of their page once more.
func (p *leasePages) sendLink(v *page.Request, l *portfolio.Lease) error {
	at := v.In("/leases/" + l.ID)
	if err := p.Signings.SendLink(v.Ctx(), v.Actor(), l.ID, v.Param("signer")); err != nil {
		return refusedAt(v, at, err, fault.RateLimited)
	}
	return v.Done(at, "The link is on its way.")
}

// refusedAt leads back to a page that says why the record does not allow something now, or what else is named. It
// returns all other errors.
func refusedAt(v *page.Request, at string, err error, named ...fault.Code) error {
	for _, code := range append(named, fault.InvalidTransition) {
		if fault.Is(err, code) {
			return v.RefuseAt(at, fault.From(err).Message)
		}
	}
	return err
}

func (p *leasePages) askSign(v *page.Request, l *portfolio.Lease) error {
	return p.signForm(v, l, v.Form())
}

// signForm asks the landlord to sign, or a tenant who was handed the landlord's device.
func (p *leasePages) signForm(v *page.Request, l *portfolio.Lease, f *page.Form) error {
	at, signerID := v.In("/leases/"+l.ID), v.Param("signer")
	offered, err := p.offered(v, l, signerID)
	if err != nil {
		return err
	}
	if offered == nil {
		return v.RefuseAt(at, "There’s nothing to sign.")
	}
	action, title := at+"/sign", "Sign lease"
	if signerID != "" {
		action, title = at+"/signers/"+signerID+"/sign", offered.Signer+" signs here"
	}
	return signPage(v, l, title, offered, true, f, kit.Form{
		Action: action,
		Submit: "Sign lease",
		Groups: []kit.FieldGroup{{Fields: append(initialsFields(offered.Document.Attachments), kit.Field{
			Name:     "name",
			Label:    "Type your full name",
			Complete: "name",
			Hint:     signHint(offered.Signer, signerID != "", v.Person.Email),
		})}},
	})
}

// initialsFields ask for the initials of a signer for the attachments that want them.
func initialsFields(all []document.Attachment) (fields []kit.Field) {
	for _, a := range all {
		if a.Initials {
			fields = append(fields, kit.Field{
				Name:  ceremony.InitialsField(a.ID),
				Label: "Initials for " + a.Name,
				Short: true,
			})
		}
	}
	return fields
}

// signPage shows a form about the signature of the version of a lease that is offered, and what that says. The form
// stands last, or first.
func signPage(
	v *page.Request,
	l *portfolio.Lease,
	title string,
	offered *ceremony.Offered,
	last bool,
	f *page.Form,
	form kit.Form,
) error {
	at := v.In("/leases/" + l.ID)
	version := kit.Field{Name: "version", Kind: "hidden", Value: strconv.Itoa(offered.Version)}
	form.Cancel, form.Groups[0].Fields = at, slices.Insert(form.Groups[0].Fields, 0, version)
	frame := v.Frame(title)
	frame.Styles = append(frame.Styles, static.URL("contract.css"))
	return v.ShowAs(f.Status, views.SignPage(views.Sign{
		Frame:    frame,
		Heading:  kit.Heading{Title: title, About: l.RentalAddress, Back: kit.Link{Name: "The lease", Path: at}},
		Document: page.DocumentView(offered.Document),
		Form:     f.Fill(form),
		Last:     last,
	}))
}

// signHint says what who signs agrees to, and what is recorded.
func signHint(name string, here bool, email string) string {
	hint := "As the lease has it: " + name + ". By signing you agree to the terms of the lease and to electronic " +
		"records. We record the time, the IP address and browser, and the fingerprint of the document."
	if here {
		hint += " The signed lease will say that you signed on the device of " + email + "."
	}
	return hint
}

// offered is the lease that the landlord can sign, or a tenant on the landlord's device.
func (p *leasePages) offered(v *page.Request, l *portfolio.Lease, signerID string) (*ceremony.Offered, error) {
	if signerID == "" {
		return p.Signings.ToSign(v.Ctx(), v.Actor(), l.ID)
	}
	return p.Signings.ToSignHere(v.Ctx(), v.Actor(), l.ID, signerID)
}

func (p *leasePages) signLease(v *page.Request, l *portfolio.Lease) error {
	f, from := v.Form(), v.From()
	version, _ := strconv.Atoi(f.Text("version"))
	signature := ceremony.Signature{
		Version:  version,
		Name:     f.Printable("name"),
		Initials: f.Named(ceremony.InitialsField("")),
	}
	client := ceremony.Client{Address: from.IP(), Browser: from.Agent()}
	done := "You have signed the lease."
	var err error
	if signerID := v.Param("signer"); signerID != "" {
		done = "The tenant has signed the lease."
		err = p.Signings.SignHere(v.Ctx(), v.Actor(), l.ID, signerID, v.Person.Email, signature, client)
	} else {
		err = p.Signings.SignAsLandlord(v.Ctx(), v.Actor(), l.ID, v.Person.Email, signature, client)
	}
	switch {
	case fault.Is(err, fault.StaleWrite):
		f.Reject("name", "The lease has changed. Read it again below before you sign.")
		return p.signForm(v, l, f)
	case f.Refused(err):
		return p.signForm(v, l, f)
	case err != nil:
		return err
	}
	return v.Done(v.In("/leases/"+l.ID), done)
}

// withDocument adds what the document of a lease says to its page.
func (p *leasePages) withDocument(v *page.Request, l *portfolio.Lease, view *views.Lease) error {
	if l.DocumentID == nil || p.Terms == nil {
		return nil
	}
	of, err := p.Terms.Lease(v.Ctx(), v.Actor(), l.ID)
	if err != nil {
		return err
	}
	for i := range of.Guarantors {
		g := &of.Guarantors[i]
		text := g.FirstName + " " + g.LastName
		if g.Email != nil {
			text += ", " + *g.Email
		}
		view.Agreed = append(view.Agreed, kit.Term{Name: "Guarantor", Text: text})
	}
	for _, o := range of.Terms.CoOwners {
		view.Agreed = append(view.Agreed, kit.Term{Name: "Co-owner", Text: o.Name + ", " + o.Email})
	}
	for _, line := range of.Terms.Lines() {
		view.Agreed = append(view.Agreed, kit.Term{Name: line.Name, Text: line.Text})
	}
	if l.Open() && of.PamphletMissing() {
		view.Todo.Words = "Hand “Protect Your Family From Lead in Your Home” to the tenants on paper before they sign. " +
			"It isn’t sent with the lease."
		if l.Status == portfolio.LeaseDraft {
			view.Todo.Note = kit.Link{Name: "Note the day", Path: v.In("/leases/" + l.ID + "/lead")}
		}
	}
	view.Attachments = attachmentsOf(v, of)
	for _, d := range of.Disclosures {
		view.Disclosures = append(view.Disclosures, views.Disclosure{
			Title:  d.Title,
			Why:    d.Reason,
			Law:    page.OrEmpty(d.Authority),
			Text:   officialText(d.OfficialText),
			Asked:  d.Conditional || d.Applies != nil,
			Status: answered(d.Applies, l.Open()),
		})
	}
	if len(of.Signers) > 0 {
		view.Signing.Signers = nil
	}
	for i := range of.Signers {
		view.Signing.Signers = append(view.Signing.Signers, signerLine(v, &of.Signers[i]))
	}
	return p.withMail(v, of, view)
}

// signerLine is a signer with how far they are.
func signerLine(v *page.Request, s *agreement.Signer) views.Signer {
	line := views.Signer{
		Person: kit.Link{Name: s.Name, Path: v.PathTo("tenants", s.TenantID)},
		Role:   page.Label(s.Role),
		Status: kit.Status{Tone: kit.Idle, Text: "Not signed"},
	}
	if s.ViewedAt != nil {
		line.Trail = append(line.Trail, kit.Moment{Title: "Viewed", Time: v.Time(*s.ViewedAt)})
		line.Status = kit.Status{Tone: kit.Waiting, Text: "Viewed"}
	}
	if s.SignedAt != nil {
		signed := kit.Moment{Title: "Signed", Time: v.Time(*s.SignedAt)}
		if s.PaperSignedOn != nil {
			signed.Title = "Signed on paper on " + page.Date(*s.PaperSignedOn) + ", recorded"
		}
		line.Trail = append(line.Trail, signed)
		line.Status = kit.Status{Tone: kit.Done, Text: "Signed"}
	}
	if s.DeclinedAt != nil {
		line.Trail = append(line.Trail, kit.Moment{Title: "Declined", Time: v.Time(*s.DeclinedAt)})
		line.Status, line.Why = kit.Status{Tone: kit.Failed, Text: "Declined"}, page.OrEmpty(s.DeclineReason)
	}
	return line
}

// answered says what the landlord has answered about a disclosure.
func answered(applies *bool, open bool) kit.Status {
	if applies == nil && !open { // nobody can answer any more
		return kit.Status{Tone: kit.Idle, Text: "Not answered"}
	}
	if applies == nil {
		return kit.Status{Tone: kit.Waiting, Text: "Not answered"}
	}
	return kit.Status{
		Tone: kit.Done,
		Text: map[bool]string{true: "Applies", false: "Does not apply"}[*applies],
	}
}

// officialText says who gives the official text of a disclosure out, "" where nobody is known.
func officialText(t *law.OfficialText) string {
	if t == nil {
		return ""
	}
	return "Official text: “" + t.Title + "”, " + t.Agency + "."
}
