package resident

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"portal/api/clock"
	"portal/api/fault"
	"portal/api/language"
	"portal/api/money"
	"portal/api/payment"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/api/tenantportal"
	"portal/views/kit"
	views "portal/views/resident"
	"portal/web/page"
)

// autopayRoutes are the forms of autopay, and the page of the simulated processor for it.
func (p *Section) autopayRoutes() []page.Route {
	at, checkout := "/tenant/:token"+tenantportal.AutopayPath, "/:id"+simulated.CheckoutPath
	return []page.Route{
		page.Post(at, page.LinkHolder, p.tenant(unlocked(tenantStartAutopay))),
		page.Get(at+"/:id", page.LinkHolder, p.tenant(unlocked(tenantAutopayGiven))),
		page.Get(at+checkout, page.LinkHolder, p.tenant(unlocked(tenantAutopayCheckout))),
		page.Post(at+checkout, page.LinkHolder, p.tenant(unlocked(tenantGiveAutopay))),
		page.Post(at+"/:id/end", page.LinkHolder, p.tenant(unlocked(tenantEndAutopay))),
	}
}

// autopayLeases are the tenant's leases that autopay can pay.
func (t *tenantRequest) autopayLeases() (all []*portfolio.Lease, err error) {
	for i := range t.Leases {
		l := &t.Leases[i]
		if !l.Charged() || t.guarantees(l) {
			continue
		}
		allowed, err := t.section.Payments.Allowed(t.Ctx(), t.By, l.ID)
		if err != nil {
			return nil, err
		}
		if allowed != payment.AllowNone {
			all = append(all, l)
		}
	}
	return all, nil
}

// guarantees reports whether the tenant is a guarantor of a lease, whom it does not charge.
func (t *tenantRequest) guarantees(l *portfolio.Lease) bool {
	for i := range l.Tenants {
		if l.Tenants[i].ID == t.Tenant.ID {
			return l.Tenants[i].Role == portfolio.PartyGuarantor
		}
	}
	return false
}

// ownAutopays are those of the tenant, the latest first.
func (t *tenantRequest) ownAutopays() (own []payment.Autopay, err error) {
	if t.section.Payments == nil {
		return nil, nil
	}
	ids := make([]string, len(t.Leases))
	for i := range t.Leases {
		ids[i] = t.Leases[i].ID
	}
	all, err := t.section.Payments.Autopays(t.Ctx(), t.By, ids)
	for i := range all {
		if all[i].TenantID == t.Tenant.ID {
			own = append(own, all[i])
		}
	}
	return own, err
}

// tenantAutopay shows autopay, and asks for what is agreed to.
func tenantAutopay(t *tenantRequest) error { return t.autopayPage(page.Blank(url.Values{})) }

func (t *tenantRequest) autopayPage(f *page.Form) error {
	title := t.say("Autopay", "Pago automático")
	if f.Rejected() {
		title = t.say("Not set up yet: ", "Aún no está activado: ") + title
	}
	view := views.TenantAutopay{Tenant: t.frame(title, "/payments")}
	view.Closed = noAutopay.in(t.header)
	if t.section.Payments == nil {
		return t.ShowAs(f.Status, views.TenantAutopayPage(view))
	}
	own, err := t.ownAutopays()
	if err != nil {
		return err
	}
	var running *payment.Autopay
	for i := range own {
		a := &own[i]
		if a.Status == payment.AutopayEnded && (i > 0 || a.EndedWhy == payment.EndedUnfinished) {
			continue // the latest one alone
		}
		if running == nil && a.Status == payment.AutopayActive {
			running = a
		}
		view.Running = append(view.Running, t.autopayCard(a))
	}
	leases, err := t.autopayLeases()
	if err != nil {
		return err
	}
	if len(leases) > 0 {
		form := t.autopayForm(f, leases, running)
		view.Form, view.Text = &form, tenantportal.AutopayText(t.Visit, leases[0].RentalAddress, t.reads())
	}
	if view.Change = running != nil; len(leases) > 1 {
		view.Text = tenantportal.AutopayText(
			t.Visit,
			t.say("the home that I choose here", "la vivienda que elijo aquí"),
			t.reads(),
		)
	}
	return t.ShowAs(f.Status, views.TenantAutopayPage(view))
}

// autopayForm asks for the day and the limit of autopay.
func (t *tenantRequest) autopayForm(f *page.Form, leases []*portfolio.Lease, running *payment.Autopay) kit.Form {
	var fields []kit.Field
	if len(leases) > 1 {
		of := kit.Field{Name: "lease", Kind: "radios", Label: t.say("Home", "Vivienda")}
		for i, l := range leases {
			of.Choices = append(of.Choices, kit.Choice{
				Value: l.ID, Label: l.RentalAddress, Chosen: f.Text("lease") == l.ID || !f.Rejected() && i == 0,
			})
		}
		fields = append(fields, of)
	}
	if !f.Rejected() {
		f.Values.Set("day", strconv.Itoa(min(leases[0].RentDueDay, payment.LastAutopayDay)))
		f.Values.Set("most", leases[0].MonthlyRent.String())
		if running != nil {
			f.Values.Set("day", strconv.Itoa(running.Day))
			f.Values.Set("most", running.Most.String())
		}
	}
	fields = append(fields, kit.Field{
		Name:     "day",
		Label:    t.say("Day of the month", "Día del mes"),
		Mode:     "numeric",
		Complete: "off",
		Short:    true,
		Longest:  2,
		Hint: t.say("From 1 to 28. What is due by then is paid. Rent is due on day ",
			"Del 1 al 28. Se paga lo que venza hasta ese día. La renta vence el día ") +
			strconv.Itoa(leases[0].RentDueDay) + t.say("; a later day can cost a late fee.",
			"; un día posterior puede causar un recargo."),
	}, kit.Field{
		Name:     "most",
		Label:    t.say("At most each month", "Como máximo al mes"),
		Mode:     "decimal",
		Complete: "off",
		Short:    true,
		Hint: t.say("Autopay never pays more than this in a month. You can pay the rest yourself.",
			"El pago automático nunca paga más que esto al mes. El resto puede pagarlo usted."),
	}, kit.Field{
		Name:     "agree",
		Kind:     "checkbox",
		Label:    t.say("I agree to this", "Acepto esta autorización"),
		Unmarked: true,
	})
	submit := t.say("Continue", "Continuar")
	if running != nil {
		submit = t.say("Continue with the change", "Continuar con el cambio")
	}
	return f.Fill(kit.Form{
		Action: t.at(tenantportal.AutopayPath) + langQuery(t.Request),
		Submit: submit,
		Failed: t.say("Not set up yet", "Aún no está activado"),
		Groups: []kit.FieldGroup{{Fields: fields}},
	})
}

// autopayCard is how autopay stands.
func (t *tenantRequest) autopayCard(a *payment.Autopay) views.AutopayCard {
	at := t.at(tenantportal.AutopayPath + "/" + a.ID)
	c := views.AutopayCard{Status: autopayStatuses[a.Status].in(t.header)}
	add := func(english, spanish, value string) {
		c.Facts = append(c.Facts, kit.Fact{Name: t.say(english, spanish), Value: value})
	}
	if l, err := t.Visit.Lease(a.LeaseID); err == nil && len(t.Leases) > 1 {
		add("Home", "Vivienda", l.RentalAddress)
	}
	if a.NextOn != nil {
		add("Next payment", "Próximo pago", t.day(*a.NextOn))
	}
	if a.Told != nil {
		add("Amount", "Monto", exact(*a.Told))
	}
	add("Day of the month", "Día del mes", strconv.Itoa(a.Day))
	add("At most each month", "Como máximo al mes", exact(a.Most))
	if a.Method != nil {
		add("Pays with", "Paga con", t.methodName(*a.Method))
	}
	switch a.Status {
	case payment.AutopayActive:
		c.Words = t.say("What is due by then is paid. We email you the amount at least 3 days before.",
			"Se paga lo que venza hasta ese día. Le enviamos el monto al menos 3 días antes.")
		c.Text = strings.Split(a.Text, "\n")
		c.End, c.EndWords = at+"/end"+langQuery(t.Request), t.say("End autopay", "Terminar el pago automático")
	case payment.AutopayPending:
		c.Words = t.say("Nothing is paid automatically yet: give a card or a bank account first.",
			"Todavía no se paga nada automáticamente: indique primero una tarjeta o cuenta bancaria.")
		c.End, c.EndWords = at+"/end"+langQuery(t.Request), t.say("Cancel", "Cancelar")
		if a.Processor == simulated.Name {
			c.Continue = at + simulated.CheckoutPath + langQuery(t.Request)
		}
	case payment.AutopayEnded:
		if a.EndedAt != nil {
			add("Ended", "Terminó", t.day(clock.DateOf(a.EndedAt.Std(), t.By.Zone)))
		}
		c.Words = autopayEnds[a.EndedWhy].in(t.header)
	}
	return c
}

var autopayStatuses = map[payment.AutopayStatus]tag{
	payment.AutopayPending: {kit.Waiting, bilingual{"Not finished", "Sin terminar"}},
	payment.AutopayActive:  {kit.Done, bilingual{"On", "Activado"}},
	payment.AutopayEnded:   {kit.Idle, bilingual{"Ended", "Terminado"}},
}

var autopayEnds = map[payment.AutopayEnd]bilingual{
	payment.EndedByTenant: {
		"You ended it. Nothing more is paid automatically.",
		"Usted lo terminó. No se paga nada más.",
	},
	payment.EndedFailed: {"It ended because payments failed.", "Terminó porque los pagos fallaron."},
	payment.EndedLease:  {"It ended with the lease.", "Terminó con el contrato."},
	payment.EndedClosed: {
		"It ended because your landlord closed their account.",
		"Terminó porque su arrendador cerró su cuenta.",
	},
	payment.EndedUnreachable: {"It ended because your page was closed.", "Terminó porque su página se cerró."},
}

// tenantStartAutopay notes what a tenant has agreed to, and leads to the page of the processor.
func tenantStartAutopay(t *tenantRequest) error {
	if status := t.ReadForm(); status != http.StatusOK {
		return page.Unread(status, page.FormSize)
	}
	f := t.Request.Form()
	leases, err := t.autopayLeases()
	if err != nil {
		return err
	}
	if len(leases) == 0 {
		f.Reject("lease", noAutopay.in(t.header))
		return t.autopayPage(f)
	}
	o := t.autopayOrder(f, leases)
	if f.Rejected() {
		return t.autopayPage(f)
	}
	_, to, err := t.section.Payments.StartAutopay(t.Ctx(), t.By, o, t.returnTo(t.autopayAt))
	if fault.Is(err, fault.Unavailable) {
		f.Problem, f.Status = t.say(
			fault.From(err).Message,
			"El servicio de pagos no respondió. El pago automático no está activado. Inténtelo de nuevo en unos minutos.",
		),
			http.StatusServiceUnavailable
		return t.autopayPage(f)
	}
	if f.Refused(err) {
		if t.header.Spanish {
			f.FieldErrors, f.Problem = map[string]string{}, "No se activó nada. Revise lo que eligió."
		}
		return t.autopayPage(f)
	}
	if err != nil {
		return err
	}
	return t.leave(to)
}

// noAutopay is said where there is nothing that autopay could pay.
var noAutopay = bilingual{
	"There’s no lease that autopay could pay right now.",
	"Ahora no hay un contrato que el pago automático pueda pagar.",
}

// autopayOrder is what a tenant has agreed to, as far as the form says it.
func (t *tenantRequest) autopayOrder(f *page.Form, leases []*portfolio.Lease) *payment.AutopayOrder {
	l := leases[0]
	if len(leases) > 1 {
		l = nil
		for _, one := range leases {
			if one.ID == f.Text("lease") {
				l = one
			}
		}
		if l == nil {
			f.Reject("lease", t.say("Choose a home.", "Elija una vivienda."))
			return nil
		}
	}
	day, err := strconv.Atoi(f.Text("day"))
	if err != nil || day < 1 || day > payment.LastAutopayDay {
		f.Reject("day", t.say("Enter a day from 1 to 28.", "Escriba un día del 1 al 28."))
	}
	most, err := money.Parse(strings.NewReplacer("$", "", ",", "", " ", "").Replace(f.Text("most")))
	if err != nil || most <= 0 || most > payment.MostAutopay {
		f.Reject("most", t.say("Enter an amount of at most ", "Escriba un monto de ")+exact(payment.MostAutopay)+
			t.say(", such as 1500.00.", " como máximo, por ejemplo 1500.00."))
	}
	if f.Text("agree") == "" {
		f.Reject("agree", t.say("Autopay needs your agreement.", "El pago automático necesita su autorización."))
	}
	text := tenantportal.AutopayText(t.Visit, l.RentalAddress, t.reads())
	return &payment.AutopayOrder{
		LeaseID:  l.ID,
		TenantID: t.Tenant.ID,
		Day:      day,
		Most:     most,
		Text: tenantportal.AgreedText(text, day, exact(most),
			clock.DateOf(t.section.Payments.Now(t.By.Portfolio), t.By.Zone), t.reads()),
		Language: language.Language(t.say(string(language.English), string(language.Spanish))),
	}
}

// autopayAt is the address to which the page of the processor leads back.
func (t *tenantRequest) autopayAt(autopayID string) string {
	return t.at(tenantportal.AutopayPath + "/" + autopayID)
}

// autopay is the tenant's that the address names.
func (t *tenantRequest) autopay() (*payment.Autopay, error) {
	a, err := t.section.Payments.Autopay(t.Ctx(), t.By, t.Param("id"))
	if err != nil {
		return nil, err
	}
	if _, err := t.Visit.Lease(a.LeaseID); err != nil || a.TenantID != t.Tenant.ID {
		return nil, fault.NotFound("autopay")
	}
	return a, nil
}

// toAutopay leads to the page of autopay.
func (t *tenantRequest) toAutopay() error {
	return t.SeeOther(t.at(tenantportal.AutopayPath) + langQuery(t.Request))
}

// tenantAutopayGiven is where the page of the processor leads back to.
func tenantAutopayGiven(t *tenantRequest) error {
	a, err := t.autopay()
	if err != nil {
		return t.NoLink(err)
	}
	// A processor that does not answer now is asked again by Reconcile.
	_ = t.section.Payments.RefreshAutopay(t.Ctx(), t.By, a.ID)
	return t.toAutopay()
}

// simulatedAutopay is autopay through the simulated processor, for which the tenant has given nothing yet.
func (t *tenantRequest) simulatedAutopay() (*payment.Autopay, error) {
	a, err := t.autopay()
	if err == nil && !simulates(t, a.Processor) {
		err = fault.NotFound("autopay")
	}
	return a, err
}

func tenantAutopayCheckout(t *tenantRequest) error {
	return t.autopayCheckout(page.Blank(url.Values{}))
}

// autopayCheckout is the page of the simulated processor.
func (t *tenantRequest) autopayCheckout(f *page.Form) error {
	a, err := t.simulatedAutopay()
	if err != nil {
		return t.NoLink(err)
	}
	if a.Status != payment.AutopayPending {
		return t.toAutopay()
	}
	at := t.autopayAt(a.ID)
	return t.checkout(f, views.Checkout{
		What:   t.say("Autopay", "Pago automático"),
		Amount: t.say("At most ", "Como máximo ") + exact(a.Most) + t.say(" each month", " al mes"),
		Cancel: at + "/end" + langQuery(t.Request),
	}, at, t.say("Set up autopay", "Activar el pago automático"))
}

// tenantGiveAutopay gives a card or a bank account by its test number, which is not kept.
func tenantGiveAutopay(t *tenantRequest) error {
	if status := t.ReadForm(); status != http.StatusOK {
		return page.Unread(status, page.FormSize)
	}
	f := t.Request.Form()
	a, err := t.simulatedAutopay()
	if err != nil {
		return t.NoLink(err)
	}
	method, outcome, known := t.testNumber(f)
	if !known {
		return t.autopayCheckout(f)
	}
	err = t.section.Payments.Give(t.Ctx(), t.By, a, method, outcome)
	if err != nil && !fault.Is(err, fault.InvalidTransition) { // the page says how it stands
		return err
	}
	return t.toAutopay()
}

// tenantEndAutopay ends autopay.
func tenantEndAutopay(t *tenantRequest) error {
	a, err := t.autopay()
	if err != nil {
		return t.NoLink(err)
	}
	why := payment.EndedByTenant
	if a.Status == payment.AutopayPending {
		why = payment.EndedUnfinished
	}
	if err := t.section.Payments.EndAutopay(t.Ctx(), t.By, a.ID, why); err != nil {
		return err
	}
	return t.toAutopay()
}

// autopayLine says how autopay stands, "" where it cannot be set up.
func (t *tenantRequest) autopayLine() (string, error) {
	own, err := t.ownAutopays()
	if err != nil {
		return "", err
	}
	for i := range own {
		if a := &own[i]; a.Status == payment.AutopayActive && a.NextOn != nil {
			return t.say("Autopay is on. Next payment: ", "El pago automático está activado. Próximo pago: ") +
				t.day(*a.NextOn), nil
		}
	}
	if t.section.Payments == nil {
		return "", nil
	}
	if leases, err := t.autopayLeases(); err != nil || len(leases) == 0 {
		return "", err
	}
	return t.say("Autopay is off.", "El pago automático está desactivado."), nil
}
