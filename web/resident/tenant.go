package resident

import (
	"math"
	"net/url"
	"strconv"
	"strings"

	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/language"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/statement"
	"portal/api/tenantportal"
	"portal/views/kit"
	views "portal/views/resident"
	"portal/web/page"
)

// tenantPages are the pages that a tenant reads, and a member of the account as the tenant sees them.
var tenantPages = []struct {
	path string
	show func(*tenantRequest) error

	generated bool // a file that is made each time
}{
	{"", tenantHome, false},
	{"/payments", tenantPayments, false},
	{"/pay", unlocked(tenantPay), false},
	{"/pay/:id", unlocked(tenantAttempt), false},
	{tenantportal.AutopayPath, unlocked(tenantAutopay), false},
	{"/lease", tenantLease, false},
	{"/lease/:id/lease.pdf", unlocked(tenantPDF), false},
	{"/lease/:id/deposit.pdf", unlocked(tenantDeposit), true},
	{"/lease/:id/notices/:notice/notice.pdf", unlocked(tenantNotice), true},
	{"/payments/:id/:transaction/receipt.pdf", unlocked(tenantReceipt), true},
	{conditionPath, unlocked(tenantCondition), false},
	{conditionPath + "/report.pdf", unlocked(tenantConditionPDF), true},
	{conditionPath + "/photos/:photo", unlocked(tenantConditionPhoto), false},
	{conditionPath + "/photos/:photo/thumbnail", unlocked(tenantConditionThumbnail), false},
	{"/statement", unlocked(tenantStatement), false},
	{"/statement.pdf", unlocked(tenantStatementPDF), true},
	{"/statement.csv", unlocked(tenantStatementCSV), true},
	{"/tickets", tenantTickets, false},
	{"/tickets/:id", tenantTicket, false},
	{"/tickets/:id/photos/:photo", tenantPhoto, false},
	{"/tickets/:id/photos/:photo/thumbnail", tenantThumbnail, false},
}

// tenantRoutes are the pages of a tenant, and those that show them to members of the account, which do nothing.
func (p *Section) tenantRoutes() []page.Route {
	all := []page.Route{
		page.Get("/tenant/:token/unlock", page.LinkHolder, p.tenant(tenantUnlock)),
		page.Post("/tenant/:token/unlock", page.LinkHolder, p.tenant(tenantUnlockWith)),
		page.Post("/tenant/:token/code", page.LinkHolder, p.tenant(tenantSendCode)),
		page.Post("/tenant/:token/lock", page.LinkHolder, p.tenant(tenantLock)),
		page.PostFiles("/tenant/:token/tickets", page.LinkHolder, photoForm, p.tenant(tenantSubmit)).
			Several(portfolio.MostPhotos + 1),
		page.PostFiles("/tenant/:token/tickets/:id/comments", page.LinkHolder, photoForm, p.tenant(tenantAdd)).
			Several(portfolio.MostPhotos + 1),
		page.Post("/tenant/:token/tickets/:id/cancel", page.LinkHolder, p.tenant(tenantCancel)),
		page.PostFiles("/tenant/:token"+conditionPath, page.LinkHolder, conditionForm,
			p.tenant(unlocked(tenantSayCondition))).Several(mostSent + 1).Texts(conditionTexts),
		page.Post("/tenant/:token"+conditionPath+"/sign", page.LinkHolder, p.tenant(unlocked(tenantSignCondition))),
		page.Get("/photos/:token", page.LinkHolder, p.linkedPhoto),
	}
	for _, x := range tenantPages {
		own := page.Get("/tenant/:token"+x.path, page.LinkHolder, p.tenant(x.show))
		seen := page.Get("/{mode}/tenants/:tenant/page"+x.path, page.Member, p.preview(x.show))
		if x.generated {
			own, seen = own.Generates(), seen.Generates()
		}
		all = append(all, own, seen)
	}
	return all
}

// unlocked is a page with amounts, or a file. It asks for a code first.
func unlocked(show func(*tenantRequest) error) func(*tenantRequest) error {
	return func(t *tenantRequest) error {
		if !t.unlocked {
			return t.askCode()
		}
		return show(t)
	}
}

// tenantRequest is a request of a tenant whose link is live.
type tenantRequest struct {
	*page.Request
	*tenantportal.Visit
	section  *Section
	base     string // path of the tenant's first page
	unlocked bool   // a code was typed in this browser
	preview  bool   // a member of the account looks, and does nothing
	sent     string // by this request: a ticket, and what it was sent without
	header   kit.GuestHeader
}

// tenant opens a page by the link of a tenant. It records nothing: mail programs look behind links too.
func (p *Section) tenant(show func(*tenantRequest) error) page.Handler {
	return func(v *page.Request) error {
		visit, err := p.Tenants.Open(v.Ctx(), v.Param("token"))
		if err != nil {
			return v.NoLink(err)
		}
		t := p.visited(v, visit, tenantportal.Path+url.PathEscape(v.Param("token")))
		if t.unlocked = p.Tenants.Unlocked(visit, v.GuestCookie(unlockCookie(visit))); t.unlocked {
			if err := v.WithinGuestFiles(visit.Link.ID); err != nil {
				return err
			}
		}
		return show(t)
	}
}

// visited is a request of a tenant, or of a member who looks at their page, below a path.
func (p *Section) visited(v *page.Request, visit *tenantportal.Visit, base string) *tenantRequest {
	t := &tenantRequest{Request: v, Visit: visit, section: p, base: base}
	if v.ChoseBefore(visit.Link.Language); base == tenantportal.Path+url.PathEscape(v.Param("token")) {
		visit.FormLanguage = v.Reads()
	}
	t.header = bilingualHeader(v, visit.Landlord.Name, pageOf(v.Request().URL.Path))
	t.header.About = visit.Home().RentalAddress
	return t
}

// pageOf is the path of the page that has the form of a path: nothing but a form answers there itself.
func pageOf(path string) string {
	for _, form := range []struct{ path, page string }{
		{"/comments", ""}, {"/cancel", ""}, {"/end", ""}, {"/sign", ""}, {"/code", "/unlock"},
	} {
		if at, is := strings.CutSuffix(path, form.path); is {
			return at + form.page
		}
	}
	return path
}

// unlockCookie keeps the proof of a code: two tenants may use one browser.
func unlockCookie(v *tenantportal.Visit) string { return "tenant_" + v.Link.ID }

// at is the address of a page of the tenant.
func (t *tenantRequest) at(path string) string { return t.base + path }

// say is a text in the language of the page.
func (t *tenantRequest) say(english, spanish string) string { return t.header.Say(english, spanish) }

// frame is what surrounds a page of the tenant; here is which of those at its bottom it is.
func (t *tenantRequest) frame(title, here string) views.Tenant {
	h := t.header
	h.Title = title
	for _, tab := range []struct{ name, icon, path string }{
		{t.say("Home", "Inicio"), "house", ""},
		{t.say("Payments", "Pagos"), "receipt", "/payments"},
		{t.say("Repairs", "Reparaciones"), "wrench", "/tickets"},
		{t.say("Lease", "Contrato"), "file-text", "/lease"},
	} {
		h.Bar = append(h.Bar, kit.GuestTab{
			Name: tab.name,
			Icon: tab.icon,
			Path: t.at(tab.path) + langQuery(t.Request),
			Here: tab.path == here,
		})
	}
	view := views.Tenant{GuestHeader: h, Path: t.at(""), Query: langQuery(t.Request)}
	if t.preview {
		view.Record = t.In("/tenants/" + t.Tenant.ID)
		view.Who = t.Tenant.Name
	}
	return view
}

func tenantHome(t *tenantRequest) error {
	frame := t.frame(t.say("Your home", "Su vivienda"), "")
	view := views.TenantHome{Tenant: frame, Report: t.reportForm(frame, blankReport())}
	var err error
	if view.Tickets, err = t.ticketLines(true); err != nil {
		return err
	}
	if view.Balance, view.Rows, err = t.account(fewRows); err != nil {
		return err
	}
	return t.Show(views.TenantHomePage(view))
}

// How many charges a page shows beside the next one: the first page a few.
const (
	fewRows = 3
	allRows = math.MaxInt
)

// account is what is owed, and so many charges, unless a code has to be typed first.
func (t *tenantRequest) account(most int) (b views.Balance, all []views.LedgerRow, err error) {
	if !t.unlocked {
		return views.Balance{Locked: true}, nil, nil
	}
	a, err := t.section.Tenants.Account(t.Ctx(), t.Visit)
	if err != nil {
		return b, nil, err
	}
	if a.Next != nil {
		all = append(all, t.ledgerRow(a.Next))
	}
	for i := range a.Rows[:min(len(a.Rows), most)] {
		all = append(all, t.ledgerRow(&a.Rows[i]))
	}
	b = t.balance(a)
	leases, err := t.payable()
	if len(leases) > 0 {
		b.Pay = t.at("/pay") + langQuery(t.Request)
	}
	return b, all, err
}

func tenantPayments(t *tenantRequest) error {
	view := views.TenantPayments{Tenant: t.frame(t.say("Payments", "Pagos"), "/payments")}
	var err error
	if view.Balance, view.Rows, err = t.account(allRows); err != nil {
		return err
	}
	if t.unlocked {
		if view.Receipts, err = t.receipts(); err != nil {
			return err
		}
		if view.Attempts, err = t.attemptLines(); err != nil {
			return err
		}
		view.Online = view.Balance.Pay != ""
		if view.Autopay, err = t.autopayLine(); err != nil {
			return err
		}
	}
	return t.Show(views.TenantPaymentsPage(view))
}

func tenantLease(t *tenantRequest) error {
	view := views.TenantLease{Tenant: t.frame(t.say("Lease", "Contrato"), "/lease"), Locked: !t.unlocked}
	for i := range t.Leases {
		facts := t.leaseFacts(&t.Leases[i])
		var err error
		if facts.Reports, err = t.conditionLines(&t.Leases[i]); err != nil {
			return err
		}
		if facts.Notices, err = t.noticeLines(&t.Leases[i]); err != nil {
			return err
		}
		view.Leases = append(view.Leases, facts)
	}
	return t.Show(views.TenantLeasePage(view))
}

func (t *tenantRequest) leaseFacts(l *portfolio.Lease) views.LeaseFacts {
	status, known := leaseStatuses[l.Status]
	if !known {
		status = tag{kit.Idle, bilingual{"Ended", "Terminado"}}
	}
	f := views.LeaseFacts{Address: l.RentalAddress, Status: status.in(t.header), Missing: !tenantportal.Signed(l)}
	add := func(english, spanish, value string) {
		f.Facts = append(f.Facts, kit.Fact{Name: t.say(english, spanish), Value: value})
	}
	add("Starts", "Empieza", t.day(l.StartDate))
	if end := l.LastDay(); end != nil {
		add("Ends", "Termina", t.day(*end))
	} else {
		add("Ends", "Termina", t.say("Month to month", "Mes a mes"))
	}
	for i := range l.Tenants {
		add(partyWords[l.Tenants[i].Role][0], partyWords[l.Tenants[i].Role][1], l.Tenants[i].Name)
	}
	if t.unlocked {
		add("Monthly rent", "Renta mensual", exact(l.MonthlyRent))
		add("Security deposit", "Depósito", exact(l.SecurityDeposit))
		add("Rent is due on day", "Día de pago", strconv.Itoa(l.RentDueDay))
		if tenantportal.Signed(l) {
			f.Document = t.at("/lease/" + l.ID + "/lease.pdf")
		}
	}
	t.depositFacts(l, &f)
	return f
}

var partyWords = map[portfolio.PartyRole]bilingual{
	portfolio.PartyPrimary:   {"Tenant", "Inquilino"},
	portfolio.PartyCoTenant:  {"Co-tenant", "Coinquilino"},
	portfolio.PartyGuarantor: {"Guarantor", "Fiador"},
}

var leaseStatuses = map[portfolio.LeaseStatus]tag{
	portfolio.LeaseActive:  {kit.Done, bilingual{"Active", "Vigente"}},
	portfolio.LeaseSigned:  {kit.Done, bilingual{"Signed", "Firmado"}},
	portfolio.LeaseRenewed: {kit.Idle, bilingual{"Renewed", "Renovado"}},
}

// day is a day in few words.
func (t *tenantRequest) day(d clock.Date) string {
	return t.say(d.Std().Format("Jan 2, 2006"), language.ShortDate(d))
}

// tenantPDF is a lease as all have signed it.
func tenantPDF(t *tenantRequest) error {
	content, err := t.section.Tenants.Document(t.Ctx(), t.Visit, t.Param("id"))
	if err != nil {
		return t.NoLink(err)
	}
	return t.Send.OwnPDF("lease", content)
}

// tenantDeposit is the statement of the deposit of a lease, in the language of the page.
func tenantDeposit(t *tenantRequest) error {
	if t.header.Spanish {
		t.Link.Language = language.Spanish
	}
	content, err := t.section.Tenants.DepositStatement(t.Visit, t.Param("id"))
	if err != nil {
		return t.NoLink(err)
	}
	return t.Send.OwnPDF("deposit-statement", content)
}

// noticeLines are the notices of a lease that the tenant was emailed. What each is about shows once a code was typed.
func (t *tenantRequest) noticeLines(l *portfolio.Lease) (all []views.NoticeLine, err error) {
	found, err := t.section.Tenants.LeaseNotices(t.Ctx(), t.Visit, l.ID)
	for i := range found {
		n := &found[i]
		name := t.say("Notice from the landlord", "Aviso del arrendador")
		if t.unlocked {
			name = n.Kind.Name(t.reads())
		}
		all = append(all, views.NoticeLine{
			Name:  name,
			Path:  t.at("/lease/"+l.ID+"/notices/"+n.ID+"/notice.pdf") + langQuery(t.Request),
			Given: t.day(n.GivenOn),
		})
	}
	return all, err
}

// tenantNotice is a notice to the tenants of a lease, in the language of the page.
func tenantNotice(t *tenantRequest) error {
	if t.header.Spanish {
		t.Link.Language = language.Spanish
	}
	content, err := t.section.Tenants.LeaseNotice(t.Ctx(), t.Visit, t.Param("id"), t.Param("notice"))
	if err != nil {
		return t.NoLink(err)
	}
	return t.Send.OwnPDF("notice", content)
}

// depositFacts are what became of the deposit of a lease, for somebody who may see amounts.
func (t *tenantRequest) depositFacts(l *portfolio.Lease, f *views.LeaseFacts) {
	d, is := t.Deposits[l.ID]
	if !is {
		return
	}
	if f.Stated = true; !t.unlocked {
		return
	}
	add := func(english, spanish string, amount money.Cents) {
		f.Facts = append(f.Facts, kit.Fact{Name: t.say(english, spanish), Value: exact(amount)})
	}
	add("Deposit held", "Depósito retenido", d.Held)
	for _, line := range d.Content.Lines {
		amount := -line.Amount
		if line.Kind == portfolio.DepositCredit {
			amount = line.Amount
		}
		words := statement.Line(line, t.reads())
		add(words, words, amount)
	}
	add("Deposit returned", "Depósito devuelto", d.Refunded)
	f.Statement = t.at("/lease/"+l.ID+"/deposit.pdf") + langQuery(t.Request)
}

// tenantLock has money and documents ask for a code again in this browser.
func tenantLock(t *tenantRequest) error {
	t.KeepGuestCookie(unlockCookie(t.Visit), "", -1)
	return t.SeeOther(t.at("") + langQuery(t.Request))
}

// preview opens the page of a tenant for a member of the account.
func (p *Section) preview(show func(*tenantRequest) error) page.Handler {
	return func(v *page.Request) error {
		tenantID := v.Param("tenant")
		if !id.Valid(id.Tenant, tenantID) {
			return fault.NotFound("tenant")
		}
		visit, err := p.Tenants.Preview(v.Ctx(), v.Actor(), tenantID)
		if fault.Is(err, fault.InvalidTransition) {
			return v.RefuseAt(v.In("/tenants/"+tenantID), fault.From(err).Message)
		}
		if err != nil {
			return err
		}
		t := p.visited(v, visit, v.In("/tenants/"+tenantID+"/page"))
		t.unlocked, t.preview = true, true
		return show(t)
	}
}

// tenantMailRoutes are the pages on which a tenant stops and starts emails: about tickets, and about rent.
func (p *Section) tenantMailRoutes() []page.Route {
	about := func(show func(*tenantRequest, mailTopic) error, topic mailTopic) page.Handler {
		return p.tenant(func(t *tenantRequest) error { return show(t, topic) })
	}
	return []page.Route{
		page.Get("/tenant/:token/mail/stop", page.LinkHolder, about(tenantMail, ticketMail)),
		page.Post("/tenant/:token/mail/stop", page.LinkHolder, about(tenantStopMail, ticketMail)),
		page.Post("/tenant/:token/mail/start", page.LinkHolder, about(tenantStartMail, ticketMail)),
		page.Get("/tenant/:token/mail/rent/stop", page.LinkHolder, about(tenantMail, rentMail)),
		page.Post("/tenant/:token/mail/rent/stop", page.LinkHolder, about(tenantStopMail, rentMail)),
		page.Post("/tenant/:token/mail/rent/start", page.LinkHolder, about(tenantStartMail, rentMail)),
	}
}

// mailTopic is what emails are about that a tenant can stop.
type mailTopic struct {
	path                  string // its pages are below it
	ask, started, stopped bilingual
	still                 bilingual // said where emails are stopped
	meaning               func(t *tenantRequest) string
	isStopped             func(t *tenantRequest) (bool, error)
	stop, start           func(t *tenantRequest) error
}

var ticketMail = mailTopic{
	path: "/mail",
	ask:  bilingual{"Stop emails about your tickets?", "¿No recibir más correos sobre sus solicitudes?"},
	started: bilingual{
		"You get emails about your tickets again", "Recibe de nuevo correos sobre sus solicitudes",
	},
	stopped: bilingual{
		"You get no more emails about your tickets", "Ya no recibe correos sobre sus solicitudes",
	},
	meaning: func(t *tenantRequest) string {
		return t.say(
			"We email you at most once an hour when "+t.Landlord.Name+" does something about one of your tickets. "+
				"If you stop these emails, your page still shows it all.",
			"Le enviamos como máximo un correo por hora cuando "+t.Landlord.Name+
				" hace algo sobre una de sus solicitudes. Si los detiene, su página lo sigue mostrando todo.",
		)
	},
	still: bilingual{
		"Your page still shows what happens to them.",
		"Su página sigue mostrando lo que pasa con ellas.",
	},
	isStopped: func(t *tenantRequest) (bool, error) { return t.Link.MailStoppedAt != nil, nil },
	stop:      func(t *tenantRequest) error { return t.section.Tenants.StopMail(t.Ctx(), t.Param("token")) },
	start:     func(t *tenantRequest) error { return t.section.Tenants.StartMail(t.Ctx(), t.Param("token")) },
}

var rentMail = mailTopic{
	path:    "/mail/rent",
	ask:     bilingual{"Stop emails about rent?", "¿No recibir más correos sobre la renta?"},
	started: bilingual{"You get emails about rent again", "Recibe de nuevo correos sobre la renta"},
	stopped: bilingual{"You get no more emails about rent", "Ya no recibe correos sobre la renta"},
	meaning: func(t *tenantRequest) string {
		return t.say(
			"We email you at most once a day: when rent is due in 5 days or today, when a payment arrives or fails, "+
				"and when a late fee is charged. If you stop these emails, your page still shows it all.",
			"Le enviamos como máximo un correo por día: cuando la renta vence en 5 días u hoy, cuando un pago llega o "+
				"falla y cuando se cobra un recargo por atraso. Si los detiene, su página lo sigue mostrando todo.",
		)
	},
	still: bilingual{
		"Your page still shows what is due and was paid.", "Su página sigue mostrando lo que debe y lo que pagó.",
	},
	isStopped: func(t *tenantRequest) (bool, error) { return t.section.Tenants.RentNoticesStopped(t.Ctx(), t.Visit) },
	stop:      func(t *tenantRequest) error { return t.section.Tenants.StopRentNotices(t.Ctx(), t.Param("token")) },
	start:     func(t *tenantRequest) error { return t.section.Tenants.StartRentNotices(t.Ctx(), t.Param("token")) },
}

// tenantMail asks first: mail programs follow links to look what is behind them.
func tenantMail(t *tenantRequest, topic mailTopic) error {
	if stopped, err := topic.isStopped(t); err != nil || stopped {
		if err != nil {
			return err
		}
		return t.mailStopped(topic)
	}
	title := topic.ask
	if t.QueryParam("started") != "" {
		title = topic.started
	}
	return t.mailNotice(title.in(t.header), topic, kit.GuestNotice{
		Words:  []string{topic.meaning(t)},
		Button: t.say("Stop emails", "Detener los correos"),
		Action: t.at(topic.path+"/stop") + langQuery(t.Request),
	})
}

// tenantStopMail is posted by the page, and by mail programs whose reader presses their own button (RFC 8058). What
// the body says is no matter.
func tenantStopMail(t *tenantRequest, topic mailTopic) error {
	if err := topic.stop(t); err != nil {
		return t.NoLink(err)
	}
	return t.mailStopped(topic)
}

// tenantStartMail has emails leave again.
func tenantStartMail(t *tenantRequest, topic mailTopic) error {
	if err := topic.start(t); err != nil {
		return t.NoLink(err)
	}
	return t.SeeOther(t.at(topic.path+"/stop") + langQuery(t.Request) + "&started=1")
}

// mailStopped says that there are no more emails, and offers them again.
func (t *tenantRequest) mailStopped(topic mailTopic) error {
	return t.mailNotice(topic.stopped.in(t.header), topic, kit.GuestNotice{
		Words:  []string{topic.still.in(t.header)},
		Button: t.say("Get emails again", "Recibir correos de nuevo"),
		Action: t.at(topic.path+"/start") + langQuery(t.Request),
	})
}

// mailNotice shows a page about emails in the frame of the tenant's pages.
func (t *tenantRequest) mailNotice(title string, topic mailTopic, n kit.GuestNotice) error {
	n.GuestHeader, n.Title = t.frame(title, topic.path).GuestHeader, title
	return t.Show(kit.NoticePage(n))
}
