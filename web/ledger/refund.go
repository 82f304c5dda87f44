package ledger

import (
	"net/http"
	"net/url"

	"portal/api/change"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/payment"
	"portal/api/portfolio"
	"portal/views/kit"
	"portal/web/page"
)

var paymentRefunded = page.InputOf[payment.RefundCreate]("refund_payment")

// refundable is a payment of a row through a processor, with what of it can be refunded.
type refundable struct {
	*portfolio.Transaction
	left money.Cents
}

// refundable are the payments of a row of which something can be refunded, in the order in which they came.
func (p *Section) refundable(v *page.Request, row *portfolio.PaymentWithTransactions) (all []refundable, err error) {
	if p.Payments == nil || !v.Owns() { // money leaves
		return nil, nil
	}
	for i := range row.Transactions {
		t := &row.Transactions[i]
		if t.AttemptID == nil || t.Kind != portfolio.TransactionPayment || t.Status != portfolio.TransactionSucceeded {
			continue
		}
		left, err := p.Payments.Refundable(v.Ctx(), v.Actor(), row, *t.AttemptID)
		if err != nil {
			return nil, err
		}
		if left > 0 {
			all = append(all, refundable{t, left})
		}
	}
	return all, nil
}

// refundAt is the address of the form that refunds a payment of a row.
func refundAt(v *page.Request, row *portfolio.Payment, transactionID string) string {
	return rowAt(v, row) + "/refund?" + url.Values{"transaction": {transactionID}}.Encode()
}

// refundPayment asks how much of a payment through the processor goes back, and why, and has it refunded.
func (p *Section) refundPayment(v *page.Request, row *portfolio.PaymentWithTransactions) error {
	all, err := p.refundable(v, row)
	if err != nil {
		return err
	}
	if v.Request().Method != http.MethodPost && len(all) == 0 {
		return refer(v, &row.Payment, "it has no online payment that can be refunded")
	}
	of := kit.Field{Name: "transaction_id", Label: "Payment", Kind: "radios"}
	amount := kit.Field{Name: "amount", Label: "Amount", Hint: "In dollars, at most what is left of the payment."}
	for _, r := range all {
		of.Choices = append(of.Choices, kit.Choice{
			Value: r.ID,
			Label: moveName(r.Transaction) + ", " + page.Date(clock.DateOf(r.OccurredAt.Std(), v.Actor().Zone)),
			Hint:  r.left.Dollars() + " of it can be refunded.",
		})
		if len(all) == 1 || r.ID == v.Form().Text("transaction") {
			of.Value, amount.Value = r.ID, r.left.String()
		}
	}
	return serve(p, v, &row.Payment, page.RecordForm[payment.RefundCreate]{
		Contract: paymentRefunded, Title: "Refund a payment", Submit: "Refund",
		Words: []string{
			"The money goes back to who paid it, the way it came. What goes back is owed again, unless everything that " +
				"was paid of the charge goes back: then nobody owes it anymore. This can’t be undone.",
		},
		Advice: "The refund may have been made. " + stands(&row.Payment) +
			" Look at its history before you refund a payment.",
		Groups: []kit.FieldGroup{{Fields: []kit.Field{
			of,
			amount,
			{Name: "reason", Label: "Reason", Hint: "Why it goes back. Members of your account can read it."},
		}}},
		Do: func(_ *page.Form, c payment.RefundCreate, t change.Target) error {
			made, err := p.Payments.Refund(v.Ctx(), v.Actor(), t, c)
			if err != nil {
				return err
			}
			switch made.Status {
			case payment.RefundSucceeded:
				return v.Done(rowAt(v, &row.Payment), made.Amount.Dollars()+" refunded.")
			case payment.RefundFailed:
				return v.RefuseAt(rowAt(v, &row.Payment), "The processor didn’t make the refund. Nothing went back.")
			case payment.RefundPending:
			}
			return v.Done(rowAt(v, &row.Payment), "Refund requested; the processor hasn’t confirmed it yet.")
		},
	})
}
