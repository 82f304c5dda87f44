package resident

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/payment"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
	"portal/api/portfolio/ledger/statement"
	"portal/api/tenantportal"
	"portal/views/kit"
	views "portal/views/resident"
	"portal/web/page"
)

// payRoutes are the pages on which a tenant pays online. The page of the simulated processor is one of them.
func (p *Section) payRoutes() []page.Route {
	if p.Payments == nil {
		return nil
	}
	return append(p.autopayRoutes(),
		page.Post("/tenant/:token/pay", page.LinkHolder, p.tenant(unlocked(tenantStartPayment))),
		page.Get("/tenant/:token/pay/:id"+simulated.CheckoutPath, page.LinkHolder, p.tenant(unlocked(tenantCheckout))),
		page.Post(
			"/tenant/:token/pay/:id"+simulated.CheckoutPath,
			page.LinkHolder,
			p.tenant(unlocked(tenantSendPayment)),
		),
		page.Post("/tenant/:token/pay/:id/cancel", page.LinkHolder, p.tenant(unlocked(tenantCancelPayment))),
	)
}

// payable are the charges of the tenant's leases that can be paid online, by the lease.
func (t *tenantRequest) payable() (all []payableLease, err error) {
	if t.section.Payments == nil {
		return nil, nil
	}
	for i := range t.Leases {
		l := payableLease{Lease: &t.Leases[i]}
		if l.allowed, err = t.section.Payments.Allowed(t.Ctx(), t.By, l.ID); err != nil {
			return nil, err
		}
		if l.allowed == payment.AllowNone {
			continue
		}
		if l.rows, err = t.section.Payments.Payable(t.Ctx(), t.By, l.ID); err != nil {
			return nil, err
		}
		if len(l.rows) > 0 {
			all = append(all, l)
		}
	}
	return all, nil
}

// payableLease is a lease with its charges that can be paid online.
type payableLease struct {
	*portfolio.Lease
	allowed payment.Allowed
	rows    []payment.PayableRow
}

// tenantPay asks what is to be paid: all that is due, unless the tenant chooses otherwise.
func tenantPay(t *tenantRequest) error { return t.payPage(page.Blank(url.Values{})) }

func (t *tenantRequest) payPage(f *page.Form) error {
	leases, err := t.payable()
	if err != nil {
		return err
	}
	title := t.say("Pay online", "Pagar en línea")
	if f.Rejected() {
		title = t.say("Not paid yet: ", "Aún no se pagó: ") + title
	}
	view := views.TenantPay{Tenant: t.frame(title, "/payments")}
	if len(leases) == 0 {
		view.Closed = t.say("There’s nothing to pay online right now.", "Ahora no hay nada que pagar en línea.")
		return t.ShowAs(f.Status, views.TenantPayPage(view))
	}
	charges := kit.Field{Name: "charges", Kind: "checks", Label: t.say("Charges", "Cargos")}
	parts := false
	for _, l := range leases {
		parts = parts || l.allowed == payment.AllowAll
		for i := range l.rows {
			charges.Choices = append(charges.Choices, t.payChoice(&l, &l.rows[i], len(leases) > 1, f))
		}
	}
	if !f.Rejected() && !slices.ContainsFunc(charges.Choices, func(c kit.Choice) bool { return c.Chosen }) {
		charges.Choices[0].Chosen = true // nothing is due: the next charge can be paid ahead
	}
	fields := []kit.Field{charges}
	if parts {
		fields = append(fields, kit.Field{
			Name:     "amount",
			Label:    t.say("Amount (optional)", "Monto (opcional)"),
			Unmarked: true,
			Mode:     "decimal",
			Complete: "off",
			Short:    true,
			Hint: t.say("Leave it empty to pay all that you chose. A part pays the oldest charge first.",
				"Déjelo vacío para pagar todo lo que eligió. Una parte paga primero el cargo más antiguo."),
		})
	}
	if view.Fee, err = t.feeWords(leases); err != nil {
		return err
	}
	view.Form = f.Fill(kit.Form{
		Action: t.at("/pay") + langQuery(t.Request),
		Submit: t.say("Continue", "Continuar"),
		Failed: t.say("Not paid yet", "Aún no se pagó"),
		Groups: []kit.FieldGroup{{Fields: fields}},
	})
	return t.ShowAs(f.Status, views.TenantPayPage(view))
}

// feeWords say what is added to each online payment of some leases, "" for nothing.
func (t *tenantRequest) feeWords(leases []payableLease) (string, error) {
	for _, l := range leases {
		fee, err := t.section.Payments.FeeOf(t.Ctx(), t.By, l.ID)
		if err != nil {
			return "", err
		}
		if fee > 0 {
			return t.say(
				"Paying online costs a fee of "+exact(
					fee,
				)+" each time. Autopay, and other ways to pay your landlord, don’t.",
				"Pagar en línea cuesta "+exact(
					fee,
				)+" cada vez. El pago automático y otras formas de pagar a su arrendador no cuestan.",
			), nil
		}
	}
	return "", nil
}

// payChoice is a charge that can be chosen. What is due is chosen at first.
func (t *tenantRequest) payChoice(l *payableLease, r *payment.PayableRow, named bool, f *page.Form) kit.Choice {
	c := kit.Choice{
		Value:  r.ID,
		Label:  t.chargeName(&r.Payment) + ": " + exact(r.Left()),
		Hint:   t.say("Due ", "Para el ") + t.day(r.DueDate),
		Chosen: r.DueDate <= t.Visit.Today,
	}
	if named {
		c.Hint += ", " + l.RentalAddress
	}
	if r.UnderWay > 0 {
		c.Hint += t.say(", already under way: ", ", ya en proceso: ") + exact(r.UnderWay)
	}
	if r.Kept > 0 {
		c.Hint += t.say(", somebody is paying right now: ", ", alguien está pagando ahora: ") + exact(r.Kept)
	}
	if f.Rejected() {
		c.Chosen = slices.Contains(f.All("charges"), r.ID)
	}
	return c
}

// tenantStartPayment starts a payment of what was chosen, and leads to the page of the processor.
func tenantStartPayment(t *tenantRequest) error {
	if status := t.ReadForm(); status != http.StatusOK {
		return page.Unread(status, page.FormSize)
	}
	f := t.Request.Form()
	leases, err := t.payable()
	if err != nil {
		return err
	}
	o := t.order(f, leases)
	if f.Rejected() {
		return t.payPage(f)
	}
	_, to, err := t.section.Payments.Pay(t.Ctx(), t.By, o, t.returnTo(t.attemptAt))
	if fault.Is(err, fault.Unavailable) {
		f.Problem, f.Status = t.say(fault.From(err).Message,
			"El servicio de pagos no respondió. No se pagó nada. Inténtelo de nuevo en unos minutos."),
			http.StatusServiceUnavailable
		return t.payPage(f)
	}
	if f.Refused(err) {
		if t.header.Spanish {
			f.FieldErrors, f.Problem = map[string]string{}, "No se pagó nada. Revise lo que eligió: puede haber cambiado."
		}
		return t.payPage(f)
	}
	if err != nil {
		return err
	}
	return t.leave(to)
}

// returnTo are addresses to which the page of a processor leads back, in the language of the reader.
func (t *tenantRequest) returnTo(at func(string) string) func(string) string {
	return func(id string) string { return t.section.BaseURL + at(id) + langQuery(t.Request) }
}

// leave leads to the page of a processor. One of another service is not reached by a redirect from a form, which the
// policy of our pages forbids, but by a page that goes on to it.
func (t *tenantRequest) leave(to string) error {
	if path, here := strings.CutPrefix(to, t.section.BaseURL+"/"); here {
		return t.SeeOther("/" + path)
	}
	t.Response().Header().Set("Refresh", "0; url="+to)
	return t.Show(views.TenantLeavePage(views.TenantLeave{
		Tenant: t.frame(t.say("Payment service", "Servicio de pagos"), "/payments"), Address: to,
	}))
}

// order is what was chosen, as far as it can be paid.
func (t *tenantRequest) order(f *page.Form, leases []payableLease) (o payment.Order) {
	o.TenantID = t.Tenant.ID
	var chosen []payment.PayableRow
	var of *payableLease
	for i := range leases {
		some := payment.Chosen(leases[i].rows, f.All("charges"))
		if len(some) == 0 {
			continue
		}
		if of != nil {
			f.Reject("charges", t.say("Pay the charges of each lease separately.",
				"Pague los cargos de cada contrato por separado."))
			return o
		}
		of, chosen = &leases[i], some
	}
	if of == nil {
		f.Reject("charges", t.say("Choose at least one charge.", "Elija al menos un cargo."))
		return o
	}
	free := payment.Free(chosen)
	if free == 0 {
		f.Reject("charges", t.say(
			"Somebody is paying this right now. If they don’t finish, you can pay it in 30 minutes.",
			"Alguien está pagando esto ahora. Si no termina, podrá pagarlo en 30 minutos."))
		return o
	}
	var part *money.Cents
	if typed := f.Text("amount"); typed != "" {
		amount, err := money.Parse(strings.NewReplacer("$", "", ",", "", " ", "").Replace(typed))
		switch {
		case err != nil || amount <= 0 || amount > free:
			f.Reject("amount", t.say("Enter an amount of at most ", "Escriba un monto de ")+exact(free)+
				t.say(", such as 500.00.", " como máximo, por ejemplo 500.00."))
			return o
		case of.allowed == payment.AllowWhole && amount < free:
			f.Reject("amount", t.say("Your landlord takes whole charges online, and no part of one.",
				"Su arrendador recibe en línea cargos completos, no una parte."))
			return o
		}
		part = &amount
	}
	o.LeaseID, o.Shares = of.ID, payment.Split(chosen, part)
	return o
}

// attemptAt is the address of the page of a payment.
func (t *tenantRequest) attemptAt(attemptID string) string { return t.at("/pay/" + attemptID) }

// attempt is the payment that the address names, of a lease of the tenant. mine is one that the tenant has started.
func (t *tenantRequest) attempt(mine bool) (*payment.Attempt, error) {
	if t.section.Payments == nil {
		return nil, fault.NotFound("payment")
	}
	a, err := t.section.Payments.Attempt(t.Ctx(), t.By, t.Param("id"))
	if err != nil {
		return nil, err
	}
	if _, err := t.Visit.Lease(a.LeaseID); err != nil || mine && a.TenantID != t.Tenant.ID {
		return nil, fault.NotFound("payment")
	}
	return a, nil
}

// tenantAttempt shows a payment and what became of it.
func tenantAttempt(t *tenantRequest) error {
	a, err := t.attempt(false)
	if err != nil {
		return t.NoLink(err)
	}
	if a.Status == payment.Open && a.Processor != simulated.Name && a.Session != nil && t.MayAskProcessor(t.Link.ID) {
		// The page of the processor may have led here. One that does not answer now is asked again by Reconcile.
		_ = t.section.Payments.Refresh(t.Ctx(), t.By, a.ID)
		if a, err = t.attempt(false); err != nil {
			return err
		}
	}
	view := views.TenantAttempt{
		Tenant: t.frame(t.say("Your payment", "Su pago"), "/payments"),
		Status: attemptStatuses[a.Status].in(t.header),
		Amount: exact(a.Total()),
		Words:  t.attemptWords(a),
	}
	if a.Back != "" && a.Back != payment.Won {
		view.Status = kit.Status{Tone: kit.Failed, Text: t.say("Returned", "Devuelto")}
	}
	if view.Rows, err = t.paidRows(a); err != nil {
		return err
	}
	receipts, err := t.section.Tenants.Receipts(t.Ctx(), t.Visit)
	if err != nil {
		return err
	}
	for i := range receipts {
		r := &receipts[i]
		if r.Transaction.AttemptID != nil && *r.Transaction.AttemptID == a.ID {
			view.Receipts = append(view.Receipts, t.receiptLine(r))
		}
	}
	mine := a.TenantID == t.Tenant.ID
	switch {
	case a.Status == payment.Open && mine:
		view.Cancel = t.attemptAt(a.ID) + "/cancel" + langQuery(t.Request)
		if a.Processor == simulated.Name && a.AutopayID == nil {
			view.Continue = t.attemptAt(a.ID) + simulated.CheckoutPath + langQuery(t.Request)
		}
	case a.Status == payment.Failed, a.Status == payment.Canceled:
		view.Again = t.at("/pay") + langQuery(t.Request)
	}
	return t.Show(views.TenantAttemptPage(view))
}

var attemptStatuses = map[payment.Status]tag{
	payment.Open:       {kit.Waiting, bilingual{"Not finished", "Sin terminar"}},
	payment.Processing: {kit.Waiting, bilingual{"Processing", "En proceso"}},
	payment.Succeeded:  {kit.Done, bilingual{"Paid", "Pagado"}},
	payment.Failed:     {kit.Failed, bilingual{"Failed", "Falló"}},
	payment.Canceled:   {kit.Idle, bilingual{"Canceled", "Cancelado"}},
}

// attemptWords say what has become of a payment, and what comes next.
func (t *tenantRequest) attemptWords(a *payment.Attempt) (words []string) {
	switch a.Status {
	case payment.Open:
		words = append(words, t.say("Nothing was paid yet.", "Todavía no se pagó nada."))
	case payment.Processing:
		words = append(words, t.say(
			"Your bank is processing it. That takes about three business days. You see here when it clears or fails.",
			"Su banco lo está procesando. Toma unos tres días hábiles. Aquí verá cuando se acredite o falle.",
		))
	case payment.Succeeded:
		words = append(words, t.say("It has cleared.", "Se acreditó."))
	case payment.Failed:
		words = append(words, t.failure(a), t.say("The charges are still owed.", "Los cargos siguen pendientes."))
	case payment.Canceled:
		words = append(words, t.say("Nothing was paid.", "No se pagó nada."))
	}
	if a.Back != "" && a.Back != payment.Won {
		words = []string{t.failure(a), t.say("The charges are owed again.", "Los cargos se deben de nuevo.")}
	}
	if a.Refunded > 0 {
		words = append(words, t.say("Refunded: ", "Reembolsado: ")+exact(a.Refunded)+".")
	}
	if a.Surplus > 0 && a.Back == "" {
		words = append(words, t.say("More than was owed, kept as a credit: ",
			"Más de lo que se debía, queda como crédito: ")+exact(a.Surplus)+".")
	}
	if a.Method != nil {
		words = append(words, t.say("Paid with: ", "Forma de pago: ")+t.methodName(*a.Method)+".")
	}
	return words
}

// methodName is a way to pay online, as the page of the processor offers it.
func (t *tenantRequest) methodName(m portfolio.PaymentMethod) string {
	if m == portfolio.PayByCard {
		return t.say("Card", "Tarjeta")
	}
	return t.say("Bank account", "Cuenta bancaria")
}

// failure says why a payment failed, or went back: to the tenant who paid, as it tells of their bank account.
func (t *tenantRequest) failure(a *payment.Attempt) string {
	if a.FailureCode == nil || a.TenantID != t.Tenant.ID {
		return t.say("It did not go through.", "No se realizó.")
	}
	if spanish, known := failuresInSpanish[*a.FailureCode]; t.header.Spanish {
		if known {
			return spanish
		}
		return "No se realizó."
	}
	return page.OrEmpty(a.FailureMessage)
}

var failuresInSpanish = map[string]string{
	"card_declined":        "El banco rechazó la tarjeta.",
	"insufficient_funds":   "No había suficiente dinero en la cuenta.",
	"expired_card":         "La tarjeta está vencida.",
	"incorrect_cvc":        "El código de seguridad de la tarjeta era incorrecto.",
	"account_closed":       "La cuenta bancaria está cerrada.",
	"no_account":           "No hay una cuenta bancaria con ese número.",
	"debit_not_authorized": "La cuenta bancaria no permite débitos.",
	"payment_returned":     "El banco devolvió el pago porque su cliente no lo autorizó.",
	"dispute":              "El titular de la tarjeta disputó el cargo con el banco.",
}

// paidRows are the charges that a payment pays.
func (t *tenantRequest) paidRows(a *payment.Attempt) (all []views.PaidRow, err error) {
	for _, share := range a.Shares {
		p, err := t.section.Payments.Row(t.Ctx(), t.By, share.PaymentID)
		if err != nil {
			return nil, err
		}
		all = append(all, views.PaidRow{
			Name: t.chargeName(p), About: t.say("Due ", "Para el ") + t.day(p.DueDate), Amount: exact(share.Amount),
		})
	}
	if a.Fee > 0 {
		all = append(all, views.PaidRow{
			Name: t.say("Fee for paying online", "Cargo por pagar en línea"), Amount: exact(a.Fee),
		})
	}
	return all, nil
}

// tenantCheckout is the page of the simulated processor.
func tenantCheckout(t *tenantRequest) error { return t.checkoutPage(page.Blank(url.Values{})) }

// simulatedAttempt is an open payment through the simulated processor, which the tenant has started.
func (t *tenantRequest) simulatedAttempt() (*payment.Attempt, error) {
	a, err := t.attempt(true)
	if err == nil && !simulates(t, a.Processor) {
		err = fault.NotFound("payment")
	}
	return a, err
}

// simulates reports whether a processor is the simulated one, which demo portfolios alone have.
func simulates(t *tenantRequest, processor string) bool {
	return processor == simulated.Name && t.By.Portfolio.Mode == access.Test
}

func (t *tenantRequest) checkoutPage(f *page.Form) error {
	a, err := t.simulatedAttempt()
	if err != nil {
		return t.NoLink(err)
	}
	if a.Status != payment.Open {
		return t.SeeOther(t.attemptAt(a.ID) + langQuery(t.Request))
	}
	view := views.Checkout{
		What:   t.say("Total to pay", "Total a pagar"),
		Amount: exact(a.Total()),
		Cancel: t.attemptAt(a.ID) + "/cancel" + langQuery(t.Request),
	}
	if view.Rows, err = t.paidRows(a); err != nil {
		return err
	}
	return t.checkout(f, view, t.attemptAt(a.ID), t.say("Pay ", "Pagar ")+exact(a.Total()))
}

// checkout is the page of the simulated processor, below the address of what it is for.
func (t *tenantRequest) checkout(f *page.Form, view views.Checkout, at, submit string) error {
	title := t.say("Simulated checkout", "Pago simulado")
	if f.Rejected() {
		title = t.say("Not done yet: ", "Aún no se hizo: ") + title
	}
	view.Tenant = t.frame(title, "/payments")
	for _, n := range simulated.Numbers() {
		view.Numbers = append(view.Numbers, views.TestNumber{
			Number: n.Number, Words: t.methodName(n.Method) + ": " + outcomes[n.Outcome].in(t.header),
		})
	}
	f.Values.Del("number") // a number is never sent back
	method := f.Text("method")
	if method == "" {
		method = string(portfolio.PayByCard)
	}
	view.Form = f.Fill(kit.Form{
		Action: at + simulated.CheckoutPath + langQuery(t.Request),
		Submit: submit,
		Failed: t.say("Not done yet", "Aún no se hizo"),
		Groups: []kit.FieldGroup{{Fields: []kit.Field{
			{
				Name:  "method",
				Kind:  "radios",
				Label: t.say("Pay with", "Pagar con"),
				Choices: []kit.Choice{
					{
						Value: "card", Label: t.methodName(portfolio.PayByCard), Chosen: method == "card",
						Hint: t.say("Clears at once.", "Se acredita de inmediato."),
					},
					{
						Value: "ach", Label: t.methodName(portfolio.PayByACH), Chosen: method == "ach",
						Hint: t.say("Clears in three business days.", "Se acredita en tres días hábiles."),
					},
				},
			},
			{
				Name:  "number",
				Label: t.say("Test number", "Número de prueba"),
				Hint: t.say(
					"Of a card or an account, from the list below.",
					"De una tarjeta o cuenta de la lista de abajo.",
				),
				Mode:     "numeric",
				Complete: "off",
				Longest:  30,
			},
		}}},
	})
	return t.ShowAs(f.Status, views.CheckoutPage(view))
}

// testNumber is what becomes of a payment with the test number of a form, which is told where there is none such.
func (t *tenantRequest) testNumber(f *page.Form) (portfolio.PaymentMethod, simulated.Outcome, bool) {
	method := portfolio.PaymentMethod(f.Among("method", []string{"card", "ach"}))
	outcome, known := simulated.OutcomeOf(method, f.Text("number"))
	if !known {
		f.Reject("number", t.say("Type one of the test numbers for the way you pay that are listed below.",
			"Escriba uno de los números de prueba de abajo para la forma de pago que eligió."))
	}
	return method, outcome, known
}

var outcomes = map[simulated.Outcome]bilingual{
	simulated.Clears:            {"clears", "se acredita"},
	simulated.Declined:          {"is declined", "se rechaza"},
	simulated.InsufficientFunds: {"fails, not enough money", "falla, no hay suficiente dinero"},
	simulated.ExpiredCard:       {"fails, the card has expired", "falla, la tarjeta está vencida"},
	simulated.WrongCode:         {"fails, wrong security code", "falla, código de seguridad incorrecto"},
	simulated.AccountClosed:     {"fails, the account is closed", "falla, la cuenta está cerrada"},
	simulated.NoAccount:         {"fails, there is no such account", "falla, no existe esa cuenta"},
	simulated.NotAuthorized:     {"fails, debits are not allowed", "falla, no se permiten débitos"},
	simulated.ReturnedLater:     {"clears, and is returned 30 days later", "se acredita y se devuelve 30 días después"},
	simulated.ChargeDisputed:    {"clears, and is disputed a day later", "se acredita y se disputa un día después"},
	simulated.NeverClears:       {"stays under way", "queda en proceso"},
}

// tenantSendPayment sends a payment with a test number, which is not kept.
func tenantSendPayment(t *tenantRequest) error {
	if status := t.ReadForm(); status != http.StatusOK {
		return page.Unread(status, page.FormSize)
	}
	f := t.Request.Form()
	a, err := t.simulatedAttempt()
	if err != nil {
		return t.NoLink(err)
	}
	method, outcome, known := t.testNumber(f)
	if !known {
		return t.checkoutPage(f)
	}
	err = t.section.Payments.Send(t.Ctx(), t.By, a, method, outcome)
	if err != nil && !fault.Is(err, fault.InvalidTransition) { // the page says what became of one that was sent before
		return err
	}
	return t.SeeOther(t.attemptAt(a.ID) + langQuery(t.Request))
}

// tenantCancelPayment cancels a payment that was not sent.
func tenantCancelPayment(t *tenantRequest) error {
	a, err := t.attempt(true)
	if err != nil {
		return t.NoLink(err)
	}
	if err := t.section.Payments.Cancel(t.Ctx(), t.By, a.ID); err != nil {
		return err
	}
	return t.SeeOther(t.attemptAt(a.ID) + langQuery(t.Request))
}

// mostAttempts is how many online payments a page looks at, the latest ones.
const mostAttempts = 20

// attemptLines are the latest online payments that have no receipt: those that are not finished, under way, have failed
// or went back.
func (t *tenantRequest) attemptLines() (all []views.Receipt, err error) {
	if t.section.Payments == nil {
		return nil, nil
	}
	ids := make([]string, len(t.Leases))
	for i := range t.Leases {
		ids[i] = t.Leases[i].ID
	}
	found, err := t.section.Payments.Attempts(t.Ctx(), t.By, ids, mostAttempts)
	for i := range found {
		a := &found[i]
		if a.Status == payment.Canceled || a.Status == payment.Succeeded && (a.Back == "" || a.Back == payment.Won) {
			continue
		}
		line := views.Receipt{
			Name:   attemptStatuses[a.Status].in(t.header).Text,
			About:  t.day(a.StartedOn),
			Amount: exact(a.Total()),
			Path:   t.attemptAt(a.ID) + langQuery(t.Request),
		}
		if a.Back != "" {
			line.Name = t.say("Returned", "Devuelto")
		}
		line.Label = t.say("View", "Ver") + ", " + line.Amount + ", " + line.Name + ", " + line.About
		all = append(all, line)
	}
	return all, err
}

// receiptLine is a payment with the address of its receipt.
func (t *tenantRequest) receiptLine(r *ledger.Receipt) views.Receipt {
	line := views.Receipt{
		Name:   t.chargeName(&r.Charge),
		About:  t.day(r.PaidOn),
		Amount: exact(r.Transaction.Amount),
		Path:   t.at(tenantportal.ReceiptPath(r.Charge.ID, r.Transaction.ID)) + langQuery(t.Request),
	}
	if m := r.Transaction.Method; m != nil {
		line.About += ", " + statement.Method(*m, t.reads())
	}
	if len(r.Later) > 0 {
		line.About += t.say(", money went back", ", se devolvió dinero")
	}
	line.Label = t.say("Receipt (PDF) for ", "Recibo (PDF) de ") + line.Amount + ", " + line.Name + ", " +
		t.day(r.PaidOn)
	return line
}
