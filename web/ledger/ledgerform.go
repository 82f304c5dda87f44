package ledger

import (
	"strconv"

	"portal/api/change"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
	"portal/views/kit"
	"portal/web/page"
)

// byHand are the ways to pay of which the landlord takes note.
var byHand = []string{"cash", "check", "money_order", "bank_transfer", "other"}

func (p *ledgerPages) askPayment(v *page.Request) error {
	row, err := p.chargeHere(v)
	if err != nil {
		return err
	}
	if !row.Payable() {
		return refer(v, row, "no payment can be recorded")
	}
	return p.paymentForm(v, v.Form(), row)
}

// refer leads to a row that does not stand as a form needs it.
func refer(v *page.Request, row *portfolio.Payment, what string) error {
	v.Say(kit.Failed, "The row is "+page.Lowercase(row.Status)+": "+what+".")
	return v.SeeOther(v.In("/ledger/" + row.ID))
}

func (p *ledgerPages) recordPayment(v *page.Request) error {
	row, err := p.chargeHere(v)
	if err != nil {
		return err
	}
	f := v.Form()
	in := paymentReceived.BindForm(v, f, kit.FieldGroup{Fields: paymentFields(row, v.Today())})
	c := in.Clearing
	c.On = &in.PaidOn
	version := f.Version()
	if version == nil { // without one the same money could be noted twice
		f.Outdated()
	}
	if f.Rejected() {
		return p.paymentForm(v, f, row)
	}
	made, err := p.Portfolio.Ledger.RecordPayment(v.Ctx(), v.Actor(), change.Target{ID: row.ID, Version: version}, c)
	if f.Stale(
		err,
		strconv.FormatInt(row.Version, 10),
		"It may be the same payment. "+stands(row)+" Send the form again only if this is a different payment.",
	) {
		return p.paymentForm(v, f, row)
	}
	if f.Refused(err) {
		return p.paymentForm(v, f, row)
	}
	if err != nil {
		return err
	}
	return v.Done(v.In("/ledger/"+row.ID), c.Amount.Dollars()+" recorded. "+stands(made.After))
}

// stands says what of a row is paid and owed.
func stands(p *portfolio.Payment) string {
	if p.AmountPaid == 0 {
		return p.BalanceDue.Dollars() + " is owed. Nothing has been paid."
	}
	return p.AmountPaid.Dollars() + " of " + p.Amount.Dollars() + " has been paid. " +
		p.BalanceDue.Dollars() + " is owed."
}

// receivedPayment is money that came by hand, with the day on which it came.
type receivedPayment struct {
	ledger.Clearing
	// The day on which it came.
	PaidOn clock.Date `json:"paid_on"`
}

var (
	paymentReceived = page.InputOf[receivedPayment]("record_payment")
	chargeCreate    = page.InputOf[ledger.ChargeCreate]("add_charge")
)

func (p *ledgerPages) paymentForm(v *page.Request, f *page.Form, row *portfolio.Payment) error {
	names, err := p.Portfolio.Finder.Called(v.Ctx(), v.Actor(), row.TenantID, row.LeaseID)
	if err != nil {
		return err
	}
	at, today := v.In("/ledger/"+row.ID), v.Today()
	return v.ShowAs(f.Status, kit.FormPage(kit.FormView{
		Frame: v.Frame("Record payment"),
		Heading: kit.Heading{
			Title: "Record payment",
			About: page.ChargeName(
				row,
			) + ", " + page.Called(
				names,
				row.TenantID,
			) + ", " + page.Called(
				names,
				row.LeaseID,
			),
			Back: kit.Link{Name: "The charge", Path: at},
		},
		Words: []string{stands(row) + " Card and ACH payments are recorded automatically."},
		Form: f.Fill(paymentReceived.Form(kit.Form{
			Action: at + "/record",
			Submit: "Record payment",
			Cancel: at,
			Groups: []kit.FieldGroup{{Fields: paymentFields(row, today)}, page.VersionField(&row.Record)},
		})),
	}))
}

// paymentFields ask how the balance of a row was paid.
func paymentFields(row *portfolio.Payment, today clock.Date) []kit.Field {
	return []kit.Field{
		{
			Name:     "amount",
			Label:    "Amount",
			Mode:     "decimal",
			Complete: "off",
			Short:    true,
			Value:    row.BalanceDue.String(),
			Hint:     "In dollars, at most the balance. Less is a partial payment.",
		},
		{Name: "method", Label: "How it was paid", Kind: "radios", Choices: page.Choices(byHand, "", "")},
		{
			Name:  "paid_on",
			Label: "Paid on",
			Kind:  "date",
			Value: today.String(),
			Most:  today.String(),
			Hint:  "The ledger keeps the day the charge was paid in full.",
		},
		{
			Name:     "reference",
			Label:    "Reference",
			Optional: true,
			Complete: "off",
			Hint:     "For example, the check number. It replaces an earlier reference.",
		},
	}
}

func (p *ledgerPages) askVoidCharge(v *page.Request) error {
	row, err := p.chargeHere(v)
	if err != nil {
		return err
	}
	if !row.Voidable() {
		return refer(v, row, "it can’t be voided once something was paid or nothing is owed")
	}
	return p.voidChargeForm(v, v.Form(), row)
}

func (p *ledgerPages) voidCharge(v *page.Request) error {
	row, err := p.chargeHere(v)
	if err != nil {
		return err
	}
	f := v.Form()
	_, err = p.Portfolio.Ledger.VoidCharge(v.Ctx(), v.Actor(), change.Target{ID: row.ID, Version: f.Version()})
	if f.Stale(err, strconv.FormatInt(row.Version, 10)) || f.Refused(err) {
		return p.voidChargeForm(v, f, row)
	}
	if err != nil {
		return err
	}
	return v.Done(v.In("/ledger/"+row.ID), "Charge voided. Nobody owes it now.")
}

func (p *ledgerPages) voidChargeForm(v *page.Request, f *page.Form, row *portfolio.Payment) error {
	title := "Void “" + page.ChargeName(row) + "”?"
	return v.ShowAs(f.Status, kit.ConfirmPage(kit.Confirm{
		Frame: v.Frame(title),
		Title: title,
		Words: []string{
			stands(row) +
				" Nobody owes a void charge. It stays in the ledger. This can’t be undone.",
		},
		Form: f.Fill(kit.Form{
			Submit: "Void charge",
			Danger: true,
			Cancel: v.In("/ledger/" + row.ID),
			Groups: []kit.FieldGroup{page.VersionField(&row.Record)},
		}),
	}))
}

func (p *ledgerPages) newCharge(v *page.Request) error {
	l, err := p.leaseHere(v)
	if err != nil {
		return err
	}
	if !l.Binding() {
		v.Say(kit.Failed, "Nothing can be charged under a lease that is "+page.Lowercase(l.Status)+".")
		return v.SeeOther(v.In("/leases/" + l.ID))
	}
	return p.chargeForm(v, v.Form(), l)
}

func (p *ledgerPages) addCharge(v *page.Request) error {
	l, err := p.leaseHere(v)
	if err != nil {
		return err
	}
	f := v.Form()
	c := chargeCreate.BindForm(v, f, kit.FieldGroup{Fields: chargeFields(v.Today())})
	c.Seen = new(f.Text("seen"))
	if f.Rejected() {
		return p.chargeForm(v, f, l)
	}
	made, err := p.Portfolio.Ledger.AddCharge(v.Ctx(), v.Actor(), l.ID, c)
	if f.Stale(
		err,
		"",
		"The lease has a new charge that may be this one. Check the ledger, and send the form again only if this is a different charge.",
	) {
		f.Values.Del("seen") // the form is then one of the ledger as it is now
		return p.chargeForm(v, f, l)
	}
	if f.Refused(err) {
		return p.chargeForm(v, f, l)
	}
	if err != nil {
		return err
	}
	return v.Done(v.In("/ledger/"+made.After.ID), made.After.Amount.Dollars()+" is charged.")
}

func (p *ledgerPages) chargeForm(v *page.Request, f *page.Form, l *portfolio.Lease) error {
	seen, err := p.Portfolio.Ledger.NewestRow(v.Ctx(), v.Actor(), l.ID)
	if err != nil {
		return err
	}
	at := v.In("/leases/" + l.ID)
	primary := ""
	if len(l.Tenants) > 0 {
		primary = l.Tenants[0].Name
	}
	return v.ShowAs(f.Status, kit.FormPage(kit.FormView{
		Frame: v.Frame("Add charge"),
		Heading: kit.Heading{
			Title: "Add charge",
			About: l.RentalAddress,
			Back:  kit.Link{Name: "The lease", Path: at},
		},
		Words: []string{"It’s charged to " + primary + ", the primary tenant. Rent is added automatically."},
		Form: f.Fill(chargeCreate.Form(kit.Form{
			Action: at + "/charge",
			Submit: "Add charge",
			Cancel: at,
			Groups: []kit.FieldGroup{
				{Fields: append(chargeFields(v.Today()), kit.Field{Name: "seen", Kind: "hidden", Value: seen})},
			},
		})),
	}))
}

// chargeKinds are what can be charged by hand.
func chargeKinds() []kit.Choice {
	all := []kit.Choice{{Label: "Choose one"}}
	for _, k := range ledger.ChargeKind("").Values() {
		label := page.Label(k) + " fee"
		switch k {
		case "other":
			label = "Another fee"
		case string(ledger.ChargeDeposit):
			label = "Deposit"
		}
		all = append(all, kit.Choice{Value: k, Label: label})
	}
	return all
}

// chargeFields ask what is charged.
func chargeFields(today clock.Date) []kit.Field {
	return []kit.Field{
		{Name: "charge", Label: "What is charged", Kind: "select", Choices: chargeKinds()},
		{
			Name:     "amount",
			Label:    "Amount",
			Mode:     "decimal",
			Complete: "off",
			Short:    true,
			Hint:     "In dollars.",
		},
		{Name: "due_date", Label: "Due on", Kind: "date", Value: today.String()},
		{
			Name:     "description",
			Label:    "Description",
			Optional: true,
			Complete: "off",
			Hint:     "One line that the tenant can read.",
		},
	}
}
