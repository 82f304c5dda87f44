package resident

import (
	"fmt"

	"portal/api/clock"
	"portal/api/language"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/statement"
	"portal/api/tenantportal"
	"portal/views/kit"
	views "portal/views/resident"
	"portal/web/page"
)

// balance is what is owed today, in words.
func (t *tenantRequest) balance(a *tenantportal.Account) views.Balance {
	b := views.Balance{Amount: exact(a.Balance), Owed: a.Balance > 0}
	if len(a.Due) > 0 {
		late := 0 // of the oldest charge; credits are never late
		for i := range a.Due {
			late = max(late, a.Due[i].DaysOverdue)
		}
		if late > 0 {
			b.Late = t.say(page.Counted(late, "day")+" late", language.Counted(late, "día", "días")+" de atraso")
		}
		named := min(len(a.Due), fewRows)
		for i := range a.Due[:named] {
			p := &a.Due[i]
			if p.BalanceDue < 0 {
				b.Words = append(b.Words, t.chargeName(p)+": "+exact(p.BalanceDue)+".")
				continue
			}
			b.Words = append(b.Words, fmt.Sprintf(t.say("%s: %s, due %s.", "%s: %s, para el %s."),
				t.chargeName(p), exact(p.BalanceDue), t.day(p.DueDate)))
		}
		if rest := a.Due[named:]; len(rest) > 0 {
			b.Words = append(b.Words, t.moreDue(rest))
		}
	}
	if a.Credit > 0 {
		b.Words = append(b.Words, fmt.Sprintf(t.say("You have a credit of %s. It pays what falls due next.",
			"Tiene un crédito de %s. Paga lo próximo que se deba."), exact(a.Credit)))
	}
	var underWay money.Cents
	for i := range a.Rows {
		underWay += a.Rows[i].UnderWay
	}
	if underWay > 0 {
		b.Words = append(b.Words, fmt.Sprintf(t.say("%s is being processed and hasn’t cleared yet.",
			"%s está en proceso y aún no se acredita."), exact(underWay)))
	}
	if b.Owed {
		return b
	}
	if underWay == 0 {
		b.Words = append(b.Words, t.say("You're all paid up.", "No debe nada."))
	}
	if a.Next != nil {
		b.Words = append(b.Words, fmt.Sprintf(t.say("Next: %s, %s, due %s.", "Lo próximo: %s, %s, para el %s."),
			t.chargeName(a.Next), exact(a.Next.Amount), t.day(a.Next.DueDate)))
	}
	return b
}

// moreDue is what is owed beside the rows that are named, so that the amounts add up to the balance.
func (t *tenantRequest) moreDue(rest []portfolio.Payment) string {
	var sum money.Cents
	for i := range rest {
		sum += rest[i].BalanceDue
	}
	return t.say(page.Counted(len(rest), "more charge"), language.Counted(len(rest), "cargo más", "cargos más")) +
		": " + exact(sum) + "."
}

// exact is an amount with its cents.
func exact(c money.Cents) string { return c.Dollars() }

// ledgerRow is a charge and what became of it.
func (t *tenantRequest) ledgerRow(p *portfolio.Payment) views.LedgerRow {
	row := views.LedgerRow{
		Name:   t.chargeName(p),
		About:  t.say("Due ", "Para el ") + t.day(p.DueDate),
		Amount: exact(p.Amount),
		Status: t.chargeStatus(p),
	}
	if p.Amount < 0 && !p.Forgiven() {
		if row.About = t.day(p.DueDate); p.AmountPaid != 0 && p.BalanceDue < 0 {
			row.About += t.say(", left ", ", queda ") + exact(-p.BalanceDue)
		}
	} else if p.ReversesPaymentID != nil && p.PaidAt != nil {
		row.About = t.day(clock.DateOf(p.PaidAt.Std(), t.By.Zone))
	} else if p.PaidAt != nil {
		at := p.PaidAt.Std()
		row.About = t.say("Paid ", "Pagado el ") + t.day(clock.DateOf(at, t.By.Zone))
	} else if p.AmountPaid > 0 && p.BalanceDue > 0 {
		row.About += t.say(", still owed ", ", falta ") + exact(p.BalanceDue)
	}
	return row
}

// chargeStatus is what became of a charge.
func (t *tenantRequest) chargeStatus(p *portfolio.Payment) kit.Status {
	switch {
	case p.Overdue:
		return kit.Status{Tone: kit.Failed, Text: t.say("Late", "Atrasado")}
	case p.SettlesDeposit() && p.Method != nil:
		return kit.Status{Tone: kit.Done, Text: t.say("Returned", "Devuelto")}
	case p.SettlesDeposit():
		return kit.Status{Tone: kit.Idle, Text: t.say("Settled", "Saldado")}
	case p.Forgiven():
		return kit.Status{Tone: kit.Idle, Text: t.say("Forgiven", "Condonado")}
	case p.Amount < 0 && p.BalanceDue < 0:
		return kit.Status{Tone: kit.Done, Text: t.say("Credit", "Crédito")}
	case p.Amount < 0 && p.Status != portfolio.PaymentVoid:
		return kit.Status{Tone: kit.Idle, Text: t.say("Credit used", "Crédito usado")}
	}
	w, known := chargeStatuses[p.Status]
	if !known {
		w = chargeStatuses[portfolio.PaymentDue]
	}
	return w.in(t.header)
}

var chargeStatuses = map[portfolio.PaymentStatus]tag{
	portfolio.PaymentScheduled:     {kit.Idle, bilingual{"Upcoming", "Próximo"}},
	portfolio.PaymentDue:           {kit.Waiting, bilingual{"Due", "Por pagar"}},
	portfolio.PaymentProcessing:    {kit.Waiting, bilingual{"Processing", "En proceso"}},
	portfolio.PaymentPartiallyPaid: {kit.Waiting, bilingual{"Partly paid", "Pagado en parte"}},
	portfolio.PaymentSucceeded:     {kit.Done, bilingual{"Paid", "Pagado"}},
	portfolio.PaymentFailed:        {kit.Failed, bilingual{"Payment failed", "Pago fallido"}},
	portfolio.PaymentRefunded:      {kit.Idle, bilingual{"Refunded", "Reembolsado"}},
	portfolio.PaymentVoid:          {kit.Idle, bilingual{"Canceled", "Anulado"}},
}

// chargeName is what a row charges for. What the landlord has written stays as it is.
func (t *tenantRequest) chargeName(p *portfolio.Payment) string {
	if !t.header.Spanish {
		return page.ChargeName(p)
	}
	return statement.ChargeName(p, language.Spanish)
}
