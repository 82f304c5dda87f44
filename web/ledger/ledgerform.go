package ledger

import (
	"net/http"

	"portal/api/change"
	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger"
	"portal/views/kit"
	"portal/web/page"
)

// byHand are the ways to pay of which the landlord takes note.
var byHand = []string{"cash", "check", "money_order", "bank_transfer", "other"}

var (
	paymentReceived = page.InputOf[receivedPayment]("record_payment")
	chargeCreate    = page.InputOf[ledger.ChargeCreate]("add_charge")

	partForgiven     = page.InputOf[ledger.Forgiveness]("forgive_part")
	paymentCorrected = page.InputOf[takenBack]("correct_payment")
)

// receivedPayment is money that came by hand, with the day on which it came.
type receivedPayment struct {
	ledger.Clearing
	// The day on which it came.
	PaidOn clock.Date `json:"paid_on"`
}

// takenBack is a payment that is taken back, with what became of it.
type takenBack struct {
	ledger.Correction
	// What happened to it.
	Happened happening `json:"happened"`
}

// happening is why a payment is taken back.
type happening string

const (
	inError    happening = "error"
	byTheBank  happening = "returned"
	errorWords           = "It was recorded in error"
	bankWords            = "The bank returned it"
)

// Values are all of them.
func (happening) Values() []string { return []string{string(inError), string(byTheBank)} }

// refer leads to a row that does not stand as a form needs it.
func refer(v *page.Request, row *portfolio.Payment, what string) error {
	is := page.Lowercase(row.Status)
	if row.Amount < 0 {
		is = "a credit"
	}
	return v.RefuseAt(rowAt(v, row), "The row is "+is+": "+what+".")
}

// stands says what of a row is paid and owed.
func stands(p *portfolio.Payment) string {
	said := p.BalanceDue.Dollars() + " is owed. Nothing has been paid."
	if p.AmountPaid != 0 {
		said = p.AmountPaid.Dollars() + " of " + p.Amount.Dollars() + " has been paid. " +
			p.BalanceDue.Dollars() + " is owed."
	}
	if p.UnderWay > 0 {
		said += " Of this, " + p.UnderWay.Dollars() + " is under way online."
	}
	return said
}

// recordPayment asks how the balance of a row was paid, and records it.
func (p *Section) recordPayment(v *page.Request, row *portfolio.Payment) error {
	if v.Request().Method != http.MethodPost && !row.Payable() {
		return refer(v, row, "no payment can be recorded")
	}
	today := v.Today().String()
	return serve(p, v, row, page.RecordForm[receivedPayment]{
		Contract: paymentReceived, Title: "Record payment", Submit: "Record payment",
		Words: []string{stands(row) + " Record money that you received yourself."},
		Advice: "It may be the same payment. " + stands(row) + " Send the form again only if this is a different " +
			"payment.",
		Groups: []kit.FieldGroup{{Fields: []kit.Field{
			{
				Name: "amount", Label: "Amount", Value: row.Left().String(),
				Hint: "In dollars, at most the balance that isn’t under way online. Less is a partial payment.",
			},
			{Name: "method", Label: "How it was paid", Kind: "radios", Choices: page.Choices(byHand, "", "")},
			{
				Name: "paid_on", Label: "Paid on", Value: today, Most: today,
				Hint: "The day the money came. A charge that is paid in parts is paid on the day of the last part.",
			},
			{
				Name: "reference", Label: "Reference",
				Hint: "For example, the check number. The charge shows that of the latest payment.",
			},
		}}},
		Do: func(_ *page.Form, in receivedPayment, t change.Target) error {
			c := in.Clearing
			c.On = &in.PaidOn
			made, err := p.Portfolio.Ledger.RecordPayment(v.Ctx(), v.Actor(), t, c)
			if err != nil {
				return err
			}
			return v.Done(rowAt(v, row), c.Amount.Dollars()+" recorded. "+stands(made.After))
		},
	})
}

// rowAt is the page of a row.
func rowAt(v *page.Request, row *portfolio.Payment) string { return v.In("/ledger/" + row.ID) }

// serve answers with a form about a row, of its version.
func serve[I any](p *Section, v *page.Request, row *portfolio.Payment, r page.RecordForm[I]) error {
	names, err := p.Portfolio.Finder.Called(v.Ctx(), v.Actor(), row.TenantID, row.LeaseID)
	if err != nil {
		return err
	}
	r.About = page.ChargeName(row) + ", " + page.Called(names, row.TenantID) + ", " + page.Called(names, row.LeaseID)
	r.Back, r.Record = kit.Link{Name: "The charge", Path: rowAt(v, row)}, &row.Record
	return r.Serve(v)
}

// correctable are the payments of a row that can be taken back.
func correctable(row *portfolio.PaymentWithTransactions) (all []*portfolio.Transaction) {
	if row.Status != portfolio.PaymentSucceeded && !row.Payable() {
		return nil
	}
	for i := range row.Transactions {
		if t := &row.Transactions[i]; row.Correctable(t, row.Transactions) {
			all = append(all, t)
		}
	}
	return all
}

// correctPayment asks which payment was recorded in error, and why, and takes it back.
func (p *Section) correctPayment(v *page.Request, row *portfolio.PaymentWithTransactions) error {
	wrong := correctable(row)
	if v.Request().Method != http.MethodPost && len(wrong) == 0 {
		return refer(v, &row.Payment, "it has no payment that was recorded by hand and not taken back")
	}
	payment := kit.Field{Name: "transaction_id", Label: "Payment", Kind: "radios"}
	for _, t := range wrong {
		payment.Choices = append(payment.Choices, kit.Choice{
			Value: t.ID, Label: moveName(t) + ", " + page.Date(clock.DateOf(t.OccurredAt.Std(), v.Actor().Zone)),
		})
	}
	if len(wrong) == 1 {
		payment.Value = wrong[0].ID
	}
	fee, err := p.Portfolio.Ledger.ReturnedFee(v.Ctx(), v.Actor(), &row.Payment)
	if err != nil {
		return err
	}
	bank := kit.Choice{Value: string(byTheBank), Label: bankWords, Hint: "For example a check that bounced."}
	if fee > 0 {
		bank.Hint += " The lease’s fee for a returned payment, " + fee.Dollars() + ", is charged, too."
	}
	return serve(p, v, &row.Payment, page.RecordForm[takenBack]{
		Contract: paymentCorrected, Title: "Correct a payment", Submit: "Take back payment",
		Words: []string{
			"Take back a payment that was recorded in error, or that the bank returned. It stays in the history, with " +
				"a line that takes it back, and its amount is owed again. To put an error right, record the payment anew.",
		},
		Advice: stands(&row.Payment) + " Look at its history before you take a payment back.",
		Groups: []kit.FieldGroup{{Fields: []kit.Field{
			payment,
			{Name: "happened", Label: "What happened", Kind: "radios", Value: string(inError), Choices: []kit.Choice{
				{Value: string(inError), Label: errorWords},
				bank,
			}},
			{Name: "reason", Label: "Reason", Hint: "What was wrong. Members of your account can read it."},
		}}},
		Do: func(_ *page.Form, c takenBack, t change.Target) error {
			takeBack, said := p.Portfolio.Ledger.CorrectPayment, "Payment taken back. "
			if c.Happened == byTheBank {
				if takeBack, said = p.Portfolio.Ledger.ReturnPayment, "Payment returned. "; fee > 0 {
					said += "A fee of " + fee.Dollars() + " is charged. "
				}
			}
			made, err := takeBack(v.Ctx(), v.Actor(), t, c.Correction)
			if err != nil {
				return err
			}
			return v.Done(rowAt(v, &row.Payment), said+made.After.BalanceDue.Dollars()+" is owed.")
		},
	})
}

// forgivable reports whether a part of a row can be forgiven.
func forgivable(row *portfolio.Payment) bool {
	return row.Payable() && row.Status != portfolio.PaymentScheduled && row.Left() > 0
}

// forgivePart asks how much of what is owed of a row is forgiven, and why.
func (p *Section) forgivePart(v *page.Request, row *portfolio.Payment) error {
	if v.Request().Method != http.MethodPost && !forgivable(row) {
		return refer(v, row, "nothing of it can be forgiven")
	}
	return serve(p, v, row, page.RecordForm[ledger.Forgiveness]{
		Contract: partForgiven, Title: "Forgive a part", Submit: "Forgive this part",
		Words: []string{
			stands(row) + " Nobody owes what you forgive. The charge keeps its amount, and a second row with " +
				"a negative amount takes the part back. This can’t be undone.",
		},
		Advice: stands(row) + " Look at its history before you forgive a part of it.",
		Groups: []kit.FieldGroup{{Fields: []kit.Field{
			{
				Name: "amount", Label: "Amount",
				Hint: "In dollars, at most the balance. To forgive a charge of which nothing is paid, void it.",
			},
			{Name: "reason", Label: "Reason", Hint: "One line that the tenant can read."},
		}}},
		Do: func(_ *page.Form, in ledger.Forgiveness, t change.Target) error {
			made, err := p.Portfolio.Ledger.ForgivePart(v.Ctx(), v.Actor(), t, in)
			if err != nil {
				return err
			}
			return v.Done(rowAt(v, row), in.Amount.Dollars()+" forgiven. "+made.After.BalanceDue.Dollars()+" is owed.")
		},
	})
}

func (p *Section) voidCharge(v *page.Request, row *portfolio.Payment) error {
	if v.Request().Method != http.MethodPost && !row.Voidable() {
		return refer(v, row, "it can’t be voided once something was paid or nothing is owed")
	}
	at := rowAt(v, row)
	return page.Question{
		Title: "Void “" + page.ChargeName(row) + "”?",
		Words: []string{stands(row) + " Nobody owes a void charge. It stays in the ledger. This can’t be undone."},
		Form:  kit.Form{Submit: "Void charge", Danger: true},
		Back:  at, Record: &row.Record,
		Do: func(_ *page.Form, t change.Target) error {
			if _, err := p.Portfolio.Ledger.VoidCharge(v.Ctx(), v.Actor(), t); err != nil {
				return err
			}
			return v.Done(at, "Charge voided. Nobody owes it now.")
		},
	}.Serve(v)
}

// newCharge asks what is charged under a lease, and charges it.
func (p *Section) newCharge(v *page.Request, l *portfolio.Lease) error {
	at := v.In("/leases/" + l.ID)
	if v.Request().Method != http.MethodPost && !l.Binding() {
		return v.RefuseAt(at, "Nothing can be charged under a lease that is "+page.Lowercase(l.Status)+".")
	}
	seen, err := p.Portfolio.Ledger.NewestRow(v.Ctx(), v.Actor(), l.ID)
	if err != nil {
		return err
	}
	primary := ""
	if len(l.Tenants) > 0 {
		primary = l.Tenants[0].Name
	}
	return page.RecordForm[ledger.ChargeCreate]{
		Contract: chargeCreate, Title: "Add charge", About: l.RentalAddress,
		Words:  []string{"It’s charged to " + primary + ", the primary tenant. " + rentWords(l)},
		Back:   kit.Link{Name: "The lease", Path: at},
		Submit: "Add charge",
		Groups: []kit.FieldGroup{{Fields: []kit.Field{
			{Name: "charge", Label: "What is charged", Choices: chargeKinds()},
			{Name: "amount", Label: "Amount", Hint: "In dollars."},
			{Name: "due_date", Label: "Due on", Value: v.Today().String()},
			{Name: "description", Label: "Description", Hint: "One line that the tenant can read."},
			{Name: "seen", Kind: "hidden", Value: seen},
		}}},
		Check: func(f *page.Form, c *ledger.ChargeCreate) { c.Seen = new(f.Text("seen")) },
		Do: func(f *page.Form, c ledger.ChargeCreate, _ change.Target) error {
			made, err := p.Portfolio.Ledger.AddCharge(v.Ctx(), v.Actor(), l.ID, c)
			if f.Stale(err, "", "The lease has a new charge that may be this one. Check the ledger, and send the form "+
				"again only if this is a different charge.") {
				f.Values.Del("seen") // the form is then one of the ledger as it is now
			}
			if err != nil {
				return err
			}
			return v.Done(v.In("/ledger/"+made.After.ID), made.After.Amount.Dollars()+" is charged.")
		},
	}.Serve(v)
}

// rentWords say whether the rent of a lease is charged automatically.
func rentWords(l *portfolio.Lease) string {
	if l.AutoCharge {
		return "Rent and monthly fees are added automatically."
	}
	return "Rent isn’t added automatically: an owner can turn that on in Settings → Rent."
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
