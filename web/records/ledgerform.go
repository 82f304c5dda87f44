package records

import (
	"slices"
	"strconv"

	"portal/api/change"
	"portal/api/clock"
	"portal/api/portfolio"
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
	c := clearing(f)
	version := f.Version()
	if version == nil { // without one the same money could be noted twice
		f.Outdated()
	}
	if f.Rejected() {
		return p.paymentForm(v, f, row)
	}
	made, err := p.Ledger.RecordPayment(v.Ctx(), v.Actor(), change.Target{ID: row.ID, Version: version}, c)
	if f.Stale(err, strconv.FormatInt(row.Version, 10), "Perhaps it was this very payment. "+stands(row)+" Send the form again only if this is other money.") {
		return p.paymentForm(v, f, row)
	}
	if f.Refused(err) {
		return p.paymentForm(v, f, row)
	}
	if err != nil {
		return err
	}
	return v.Done(v.In("/ledger/"+row.ID), c.Amount.Words()+" recorded. "+stands(made.After))
}

// stands says what of a row is paid and owed.
func stands(p *portfolio.Payment) string {
	return p.AmountPaid.Words() + " of " + p.Amount.Words() + " is paid, " + p.BalanceDue.Words() + " is owed."
}

// clearing is the money that was typed.
func clearing(f *page.Form) (c portfolio.Clearing) {
	if amount := f.Dollars("amount"); amount != nil {
		c.Amount = *amount
	} else {
		f.Reject("amount", "Enter the amount you received.")
	}
	if method := page.OneOf[portfolio.PaymentMethod](f, "method", byHand); method != nil {
		c.Method = *method
	} else {
		f.Reject("method", "Choose how it was paid.")
	}
	if c.On = f.Day("paid_on"); c.On == nil {
		f.Reject("paid_on", "Enter the day you received it.")
	}
	c.Reference = page.OrEmpty(f.OptionalText("reference", 127, false))
	return c
}

func (p *ledgerPages) paymentForm(v *page.Request, f *page.Form, row *portfolio.Payment) error {
	names, err := p.Leases.Called(v.Ctx(), v.Actor(), row.TenantID, row.LeaseID)
	if err != nil {
		return err
	}
	at, today := v.In("/ledger/"+row.ID), clock.DateOf(p.Now(), v.Zone())
	return v.ShowAs(f.Status, kit.FormPage(kit.FormView{Frame: v.Frame("Record a payment"), Heading: kit.Heading{Title: "Record a payment", About: what(row) + ", " + page.Called(names, row.TenantID) + ", " + page.Called(names, row.LeaseID), Back: kit.Link{Name: "The charge", Path: at}},
		Words: []string{stands(row) + " Money that comes by card or ACH is noted by itself."},
		Form: f.Fill(kit.Form{Action: at + "/record", Submit: "Record the payment", Cancel: at, Groups: []kit.FieldGroup{{Fields: []kit.Field{
			{Name: "amount", Label: "Amount", Mode: "decimal", Complete: "off", Short: true, Value: row.BalanceDue.String(), Hint: "In dollars, at most what is owed. Less is a part payment."},
			{Name: "method", Label: "How it was paid", Kind: "radios", Choices: page.Choices(byHand, "", "")},
			{Name: "paid_on", Label: "Paid on", Kind: "date", Value: today.String(), Most: today.String(), Hint: "The ledger keeps the day on which all of it was paid."},
			{Name: "reference", Label: "Reference", Optional: true, Complete: "off", Hint: "For example the number of the check. It takes the place of an earlier one."},
		}}, page.VersionField(&row.Record)}})}))
}

func (p *ledgerPages) askVoidCharge(v *page.Request) error {
	row, err := p.chargeHere(v)
	if err != nil {
		return err
	}
	if !row.Voidable() {
		return refer(v, row, "it cannot be voided once something was paid, or nothing is owed")
	}
	return p.voidChargeForm(v, v.Form(), row)
}

func (p *ledgerPages) voidCharge(v *page.Request) error {
	row, err := p.chargeHere(v)
	if err != nil {
		return err
	}
	f := v.Form()
	_, err = p.Ledger.VoidCharge(v.Ctx(), v.Actor(), change.Target{ID: row.ID, Version: f.Version()})
	if f.Stale(err, strconv.FormatInt(row.Version, 10)) || f.Refused(err) {
		return p.voidChargeForm(v, f, row)
	}
	if err != nil {
		return err
	}
	return v.Done(v.In("/ledger/"+row.ID), "The charge is voided. Nobody owes it any more.")
}

func (p *ledgerPages) voidChargeForm(v *page.Request, f *page.Form, row *portfolio.Payment) error {
	title := "Void “" + what(row) + "”?"
	return v.ShowAs(f.Status, kit.ConfirmPage(kit.Confirm{Frame: v.Frame(title), Title: title,
		Words: []string{stands(row) + " Nobody owes it any more once it is voided. The row stays in the ledger. This cannot be undone."},
		Form:  f.Fill(kit.Form{Submit: "Void the charge", Danger: true, Cancel: v.In("/ledger/" + row.ID), Groups: []kit.FieldGroup{page.VersionField(&row.Record)}})}))
}

func (p *ledgerPages) newCharge(v *page.Request) error {
	l, err := (&leasePages{p.Section}).leaseHere(v)
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
	l, err := (&leasePages{p.Section}).leaseHere(v)
	if err != nil {
		return err
	}
	f := v.Form()
	c := chargeCreate(f)
	if f.Rejected() {
		return p.chargeForm(v, f, l)
	}
	made, err := p.Ledger.AddCharge(v.Ctx(), v.Actor(), l.ID, c)
	if f.Stale(err, "", "The lease has another row in the ledger, perhaps this very charge. Look there, and send the form again only if this is another one.") {
		f.Values.Del("seen") // the form is then one of the ledger as it is now
		return p.chargeForm(v, f, l)
	}
	if f.Refused(err) {
		return p.chargeForm(v, f, l)
	}
	if err != nil {
		return err
	}
	return v.Done(v.In("/ledger/"+made.After.ID), made.After.Amount.Words()+" is charged.")
}

// chargeCreate is the charge that was typed.
func chargeCreate(f *page.Form) portfolio.ChargeCreate {
	c := portfolio.ChargeCreate{Description: f.OptionalText("description", 255, false), Seen: new(f.Text("seen"))}
	kind := f.Text("charge")
	switch {
	case kind == string(portfolio.PaymentDeposit):
		c.Type = portfolio.PaymentDeposit
	case slices.Contains(portfolio.FeeType("").Values(), kind):
		c.Type, c.FeeType = portfolio.PaymentFee, new(portfolio.FeeType(kind))
	default:
		f.Reject("charge", "Choose what is charged.")
	}
	if amount := f.Dollars("amount"); amount != nil && *amount > 0 {
		c.Amount = *amount
	} else {
		f.Reject("amount", "Enter an amount of more than 0.")
	}
	if due := f.Day("due_date"); due != nil {
		c.DueDate = *due
	} else {
		f.Reject("due_date", "Enter the due date.")
	}
	return c
}

func (p *ledgerPages) chargeForm(v *page.Request, f *page.Form, l *portfolio.Lease) error {
	seen, err := p.Ledger.NewestRow(v.Ctx(), v.Actor(), l.ID)
	if err != nil {
		return err
	}
	at, today := v.In("/leases/"+l.ID), clock.DateOf(p.Now(), v.Zone())
	kinds := []kit.Choice{{Label: "Choose one"}}
	for _, k := range portfolio.FeeType("").Values() {
		label := page.Label(k) + " fee"
		if k == "other" {
			label = "Another fee"
		}
		kinds = append(kinds, kit.Choice{Value: k, Label: label})
	}
	kinds = append(kinds, kit.Choice{Value: string(portfolio.PaymentDeposit), Label: "Deposit"})
	primary := ""
	if len(l.Tenants) > 0 {
		primary = l.Tenants[0].Name
	}
	return v.ShowAs(f.Status, kit.FormPage(kit.FormView{Frame: v.Frame("Add charge"), Heading: kit.Heading{Title: "Add charge", About: l.RentalAddress, Back: kit.Link{Name: "The lease", Path: at}},
		Words: []string{"It is charged to " + primary + ", the primary tenant. Rent is charged by itself."},
		Form: f.Fill(kit.Form{Action: at + "/charge", Submit: "Add the charge", Cancel: at, Groups: []kit.FieldGroup{{Fields: []kit.Field{
			{Name: "charge", Label: "What is charged", Kind: "select", Choices: kinds},
			{Name: "amount", Label: "Amount", Mode: "decimal", Complete: "off", Short: true, Hint: "In dollars."},
			{Name: "due_date", Label: "Due on", Kind: "date", Value: today.String()},
			{Name: "description", Label: "Description", Optional: true, Complete: "off", Hint: "One line that the tenant can read, at most 255 characters."},
			{Name: "seen", Kind: "hidden", Value: seen},
		}}}})}))
}
