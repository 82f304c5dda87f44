package web

import (
	"slices"
	"strconv"

	"portal/api/change"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/views"
)

// byHand are the ways to pay of which the landlord takes note.
var byHand = []string{"cash", "check", "money_order", "bank_transfer", "other"}

func (p *Pages) askPayment(v *visit) error {
	row, err := p.chargeHere(v)
	if err != nil {
		return err
	}
	if !row.Payable() {
		return refer(v, row, "no payment can be recorded")
	}
	return p.paymentForm(v, v.form(), row)
}

// refer leads to a row that does not stand as a form needs it.
func refer(v *visit, row *portfolio.Payment, what string) error {
	v.say(views.Failed, "The row is "+lowered(row.Status)+": "+what+".")
	return v.redirect(v.in("/ledger/" + row.ID))
}

func (p *Pages) recordPayment(v *visit) error {
	row, err := p.chargeHere(v)
	if err != nil {
		return err
	}
	f := v.form()
	c := clearing(f)
	version := f.version()
	if version == nil { // without one the same money could be noted twice
		f.what = "Open the page again and send the form that it shows."
		f.status = 409
	}
	if f.rejected() {
		return p.paymentForm(v, f, row)
	}
	made, err := p.Ledger.RecordPayment(v.ctx(), v.actor(), change.Target{ID: row.ID, Version: version}, c)
	if f.stale(err, strconv.FormatInt(row.Version, 10)) {
		f.what = "The row has changed since you opened the form, perhaps by this very payment, so nothing was recorded now. " + stands(row) + " Send the form again only if this is other money."
		return p.paymentForm(v, f, row)
	}
	if f.refused(err) {
		return p.paymentForm(v, f, row)
	}
	if err != nil {
		return err
	}
	return v.done(v.in("/ledger/"+row.ID), c.Amount.Words()+" recorded. "+stands(made.After))
}

// stands says what of a row is paid and owed.
func stands(p *portfolio.Payment) string {
	return p.AmountPaid.Words() + " of " + p.Amount.Words() + " is paid, " + p.BalanceDue.Words() + " is owed."
}

// clearing is the money that was typed.
func clearing(f *form) (c portfolio.Clearing) {
	if amount := f.dollars("amount"); amount != nil {
		c.Amount = *amount
	} else {
		f.reject("amount", "Write how much you got.")
	}
	if method := oneOf[portfolio.PaymentMethod](f, "method", byHand); method != nil {
		c.Method = *method
	} else {
		f.reject("method", "Choose how it was paid.")
	}
	if c.On = f.day("paid_on"); c.On == nil {
		f.reject("paid_on", "Say on which day you got it.")
	}
	c.Reference = orNone(f.written("reference", 127, false))
	return c
}

func (p *Pages) paymentForm(v *visit, f *form, row *portfolio.Payment) error {
	names, err := p.Leases.Called(v.ctx(), v.actor(), row.TenantID, row.LeaseID)
	if err != nil {
		return err
	}
	f.plain()
	at, today := v.in("/ledger/"+row.ID), clock.DateOf(p.Now(), v.zone())
	return v.showAs(f.status, views.FormPage(views.FormView{Frame: v.frame("Record a payment"), Heading: views.Heading{Title: "Record a payment", About: what(row) + ", " + called(names, row.TenantID) + ", " + called(names, row.LeaseID), Back: views.Link{Name: "The charge", Path: at}},
		Words: []string{stands(row) + " Money that comes by card or ACH is noted by itself."},
		Form: f.fill(views.Form{Action: at + "/record", Submit: "Record the payment", Cancel: at, Groups: []views.FieldGroup{{Fields: []views.Field{
			{Name: "amount", Label: "Amount", Mode: "decimal", Complete: "off", Short: true, Value: row.BalanceDue.String(), Hint: "In dollars, at most what is owed. Less is a part payment."},
			{Name: "method", Label: "How it was paid", Kind: "radios", Choices: choices(byHand, "", "")},
			{Name: "paid_on", Label: "Paid on", Kind: "date", Value: today.String(), Most: today.String(), Hint: "The ledger keeps the day on which all of it was paid."},
			{Name: "reference", Label: "Reference", Optional: true, Complete: "off", Hint: "For example the number of the check. It takes the place of an earlier one."},
		}}, versionOf(&row.Record)}})}))
}

func (p *Pages) askVoidCharge(v *visit) error {
	row, err := p.chargeHere(v)
	if err != nil {
		return err
	}
	if !row.Voidable() {
		return refer(v, row, "it cannot be voided once something was paid, or nothing is owed")
	}
	return p.voidChargeForm(v, v.form(), row)
}

func (p *Pages) voidCharge(v *visit) error {
	row, err := p.chargeHere(v)
	if err != nil {
		return err
	}
	f := v.form()
	_, err = p.Ledger.VoidCharge(v.ctx(), v.actor(), change.Target{ID: row.ID, Version: f.version()})
	if f.stale(err, strconv.FormatInt(row.Version, 10)) || f.refused(err) {
		return p.voidChargeForm(v, f, row)
	}
	if err != nil {
		return err
	}
	return v.done(v.in("/ledger/"+row.ID), "The charge is voided. Nobody owes it any more.")
}

func (p *Pages) voidChargeForm(v *visit, f *form, row *portfolio.Payment) error {
	f.plain()
	title := "Void “" + what(row) + "”?"
	return v.showAs(f.status, views.ConfirmPage(views.Confirm{Frame: v.frame(title), Title: title,
		Words: []string{stands(row) + " Nobody owes it any more once it is voided. The row stays in the ledger. This cannot be undone."},
		Form:  f.fill(views.Form{Submit: "Void the charge", Danger: true, Cancel: v.in("/ledger/" + row.ID), Groups: []views.FieldGroup{versionOf(&row.Record)}})}))
}

func (p *Pages) newCharge(v *visit) error {
	l, err := p.leaseHere(v)
	if err != nil {
		return err
	}
	if !l.Binding() {
		v.say(views.Failed, "Nothing can be charged under a lease that is "+lowered(l.Status)+".")
		return v.redirect(v.in("/leases/" + l.ID))
	}
	return p.chargeForm(v, v.form(), l)
}

func (p *Pages) addCharge(v *visit) error {
	l, err := p.leaseHere(v)
	if err != nil {
		return err
	}
	f := v.form()
	c := chargeCreate(f)
	if f.rejected() {
		return p.chargeForm(v, f, l)
	}
	made, err := p.Ledger.AddCharge(v.ctx(), v.actor(), l.ID, c)
	if f.stale(err, "") {
		f.values.Del("seen") // the form is then one of the ledger as it is now
		f.what = "The ledger of the lease has got another row since you opened the form, perhaps this very charge, so nothing was added now. Look at the ledger, and send the form again only if this is another charge."
		return p.chargeForm(v, f, l)
	}
	if f.refused(err) {
		return p.chargeForm(v, f, l)
	}
	if err != nil {
		return err
	}
	return v.done(v.in("/ledger/"+made.After.ID), made.After.Amount.Words()+" is charged.")
}

// chargeCreate is the charge that was typed.
func chargeCreate(f *form) portfolio.ChargeCreate {
	c := portfolio.ChargeCreate{Description: f.written("description", 255, false), Seen: new(f.text("seen"))}
	kind := f.text("charge")
	switch {
	case kind == string(portfolio.PaymentDeposit):
		c.Type = portfolio.PaymentDeposit
	case slices.Contains(portfolio.FeeType("").Values(), kind):
		c.Type, c.FeeType = portfolio.PaymentFee, new(portfolio.FeeType(kind))
	default:
		f.reject("charge", "Choose what is charged.")
	}
	if amount := f.dollars("amount"); amount != nil && *amount > 0 {
		c.Amount = *amount
	} else {
		f.reject("amount", "Write an amount of more than 0.")
	}
	if due := f.day("due_date"); due != nil {
		c.DueDate = *due
	} else {
		f.reject("due_date", "Say when it is due.")
	}
	return c
}

func (p *Pages) chargeForm(v *visit, f *form, l *portfolio.Lease) error {
	seen, err := p.Ledger.NewestRow(v.ctx(), v.actor(), l.ID)
	if err != nil {
		return err
	}
	f.plain()
	at, today := v.in("/leases/"+l.ID), clock.DateOf(p.Now(), v.zone())
	kinds := []views.Choice{{Label: "Choose one"}}
	for _, k := range portfolio.FeeType("").Values() {
		label := spoken(k) + " fee"
		if k == "other" {
			label = "Another fee"
		}
		kinds = append(kinds, views.Choice{Value: k, Label: label})
	}
	kinds = append(kinds, views.Choice{Value: string(portfolio.PaymentDeposit), Label: "Deposit"})
	primary := ""
	if len(l.Tenants) > 0 {
		primary = l.Tenants[0].Name
	}
	return v.showAs(f.status, views.FormPage(views.FormView{Frame: v.frame("Charge a fee or a deposit"), Heading: views.Heading{Title: "Charge a fee or a deposit", About: l.RentalAddress, Back: views.Link{Name: "The lease", Path: at}},
		Words: []string{"It is charged to " + primary + ", the primary tenant. Rent is charged by itself."},
		Form: f.fill(views.Form{Action: at + "/charge", Submit: "Add the charge", Cancel: at, Groups: []views.FieldGroup{{Fields: []views.Field{
			{Name: "charge", Label: "What is charged", Kind: "select", Choices: kinds},
			{Name: "amount", Label: "Amount", Mode: "decimal", Complete: "off", Short: true, Hint: "In dollars."},
			{Name: "due_date", Label: "Due on", Kind: "date", Value: today.String()},
			{Name: "description", Label: "Description", Optional: true, Complete: "off", Hint: "One line that the tenant can read, at most 255 characters."},
			{Name: "seen", Kind: "hidden", Value: seen},
		}}}})}))
}
