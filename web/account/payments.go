package account

import (
	"slices"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/payment"
	views "portal/views/account"
	"portal/views/kit"
	"portal/web/page"
)

// paymentsAt is the address within a mode of the page that says whether tenants can pay online.
const paymentsAt = "/settings/payments"

// paymentRoutes are the pages on which an owner connects an account with the processor of live portfolios.
func (p *settingsPages) paymentRoutes() []page.Route {
	if p.Payments == nil {
		return nil
	}
	return []page.Route{
		page.Get("/{mode}"+paymentsAt, page.Member, page.Asks(p.payments)),
		page.Post("/{mode}"+paymentsAt+"/connect", page.Owner, p.connectPayments).Confirmed(),
		page.Get("/{mode}"+paymentsAt+"/returned", page.Owner, p.returnedPayments),
		page.Post("/{mode}"+paymentsAt+"/fee", page.Owner, p.saveOnlineFee),
	}
}

// payments says whether tenants can pay online, and what is left to do.
func (p *settingsPages) payments(v *page.Request, f *page.Form) error {
	live := "/" + string(access.Live) + paymentsAt
	view := views.Payments{
		Frame: v.Frame("Payments"), Tabs: settingsTabs(v, live), Demo: v.Mode() == access.Test, Live: live,
	}
	fee, err := p.Payments.OnlineFee(v.Ctx(), v.Actor())
	if err != nil {
		return err
	}
	form := f.Fill(feeForm(v, fee))
	if view.Fee = fee.Dollars(); v.Owns() {
		view.FeeForm = &form
	}
	if view.Demo {
		return v.ShowAs(f.Status, views.PaymentsPage(view))
	}
	a, err := p.Payments.AccountOf(v.Ctx(), v.Actor())
	if err != nil {
		return err
	}
	connects := p.Payments.Connects()
	if view.Ask = connects; connects && v.Owns() {
		view.Connect = v.In(paymentsAt + "/connect")
	}
	view.Status, view.Words, view.Submit = paymentStanding(a, connects)
	if a == nil {
		return v.ShowAs(f.Status, views.PaymentsPage(view))
	}
	if a.Charges && a.Payouts && a.Due == "" {
		view.Connect, view.Ask = "", false
	}
	view.Due, view.Differences = dueWords(linesOf(a.Due)), linesOf(a.Differences)
	if a.ComparedOn != nil {
		view.Compared = page.Date(*a.ComparedOn)
	}
	view.Facts = []kit.Term{
		{Name: "Account", Text: a.Reference, ID: true},
		{Name: "Connected", Text: page.Date(clock.DateOf(a.CreatedAt.Std(), v.Zone()))},
		{Name: "Payouts", Text: "View payouts", Path: v.In("/payouts")},
	}
	return v.ShowAs(f.Status, views.PaymentsPage(view))
}

// feeForm asks for the fee that tenants pay for each online payment.
func feeForm(v *page.Request, fee money.Cents) kit.Form {
	states := make([]string, 0, len(payment.NoFeeStates()))
	for _, n := range payment.NoFeeStates() {
		states = append(states, n.State)
	}
	return kit.Form{
		Action: v.In(paymentsAt + "/fee"),
		Submit: "Save",
		Groups: []kit.FieldGroup{{Fields: []kit.Field{
			{
				Name:  "online_fee",
				Label: "Fee that tenants pay for each online payment",
				Value: fee.String(),
				Mode:  "decimal",
				Short: true,
				Hint: "In dollars, at most " + payment.MostFee.Dollars() + "; 0 if you bear what payments cost. The same for card and " +
					"bank account. It’s never added to autopay, nor to homes in " + strings.Join(
					states,
					", ",
				) +
					", where the law forbids or limits such fees. We haven’t checked the rules of your state: ask a lawyer.",
			},
		}}},
	}
}

// saveOnlineFee changes the fee that tenants pay for each online payment.
func (p *settingsPages) saveOnlineFee(v *page.Request) error {
	f := v.Form()
	fee, err := money.Parse(strings.NewReplacer("$", "", ",", "", " ", "").Replace(f.Text("online_fee")))
	if err != nil || fee < 0 || fee > payment.MostFee {
		f.Reject("online_fee", "Enter an amount from 0 to "+payment.MostFee.Dollars()+", such as 2.50.")
		return p.payments(v, f)
	}
	changed, err := p.Payments.SetOnlineFee(v.Ctx(), v.Actor(), fee)
	switch {
	case err != nil:
		return err
	case !changed:
		return v.Done(v.In(paymentsAt), page.Unchanged)
	case fee == 0:
		return v.Done(v.In(paymentsAt), "Tenants pay no fee for paying online.")
	}
	return v.Done(v.In(paymentsAt), "Tenants pay "+fee.Dollars()+" for each online payment from now on.")
}

// paymentStanding says how online payment stands, and what an owner can do.
func paymentStanding(a *payment.Account, connects bool) (status kit.Status, words, submit string) {
	switch {
	case !connects:
		return kit.Status{Tone: kit.Idle, Text: "Not available"},
			"Online payments aren’t set up on this server. Record payments in the ledger by hand.", ""
	case a == nil:
		return kit.Status{Tone: kit.Idle, Text: "Off"},
			"Tenants can’t pay online. To let them pay by card or from a bank account, connect an account with Stripe. " +
				"You sign its terms there, and its fees are taken from each payment.",
			"Set up with Stripe"
	case a.Charges && a.Payouts:
		return kit.Status{
			Tone: kit.Done,
			Text: "On",
		}, "Tenants can pay online. Stripe pays out to your bank.", "Continue with Stripe"
	case a.Charges:
		return kit.Status{Tone: kit.Waiting, Text: "On"},
			"Tenants can pay online. Stripe doesn’t pay out to your bank yet.", "Continue with Stripe"
	case a.Submitted:
		return kit.Status{Tone: kit.Waiting, Text: "In review"},
			"Stripe is checking what you told it. Tenants can’t pay online yet.", "Continue with Stripe"
	}
	return kit.Status{Tone: kit.Waiting, Text: "Not finished"},
		"Tenants can’t pay online until you have told Stripe what it asks for.", "Continue with Stripe"
}

// linesOf are the lines of a text, nil for none.
func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// dueNames are what Stripe may ask for, by how its names of that begin.
var dueNames = [][2]string{
	{"external_account", "A bank account for payouts"},
	{"tos_acceptance", "Acceptance of its terms"},
	{"business_profile", "What your business does"},
	{"business_type", "Whether you are a person or a company"},
	{"individual", "Who you are: name, birthday, address, and tax number"},
	{"representative", "Who represents the company"},
	{"company", "The company: name, address, and tax number"},
	{"owners", "Who owns the company"},
	{"directors", "Who directs the company"},
	{"settings.payments.statement_descriptor", "What tenants see on their card statement"},
}

// dueWords say in words what Stripe asks for, each thing once. What has no words here has Stripe's name.
func dueWords(names []string) (words []string) {
	for _, name := range names {
		for _, known := range dueNames {
			if strings.HasPrefix(name, known[0]) {
				name = known[1]
				break
			}
		}
		if !slices.Contains(words, name) {
			words = append(words, name)
		}
	}
	return words
}

// connectPayments leads to the page of the processor on which an owner says what it asks for.
func (p *settingsPages) connectPayments(v *page.Request) error {
	back := p.BaseURL + v.In(paymentsAt+"/returned")
	to, err := p.Payments.Connect(v.Ctx(), v.Actor(), back, p.BaseURL+v.In(paymentsAt))
	if fault.Is(err, fault.Unavailable) || fault.Is(err, fault.InvalidTransition) {
		return v.RefuseAt(v.In(paymentsAt), fault.From(err).Message)
	}
	if err != nil {
		return err
	}
	// The policy of our pages forbids that a form leads to another site.
	v.Response().Header().Set("Refresh", "0; url="+to)
	return v.Show(views.LeavePage(views.Leave{Frame: v.Frame("Continue to Stripe"), Address: to}))
}

// returnedPayments is where the page of the processor leads back to.
func (p *settingsPages) returnedPayments(v *page.Request) error {
	in := v.Actor()
	if !v.MayAskProcessor(strconv.FormatInt(in.Portfolio.ID, 10)) {
		return v.SeeOther(v.In(paymentsAt))
	}
	if err := p.Payments.RefreshAccount(v.Ctx(), in); err != nil {
		return v.RefuseAt(v.In(paymentsAt), "Stripe didn’t answer. This page shows how your account stood before.")
	}
	return v.SeeOther(v.In(paymentsAt))
}
