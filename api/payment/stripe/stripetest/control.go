package stripetest

import (
	"fmt"
	"slices"
	"strings"
)

// The methods of this file are what people and banks do. They panic on what cannot be done, such as paying on a page
// that is closed.

// must is an object of a kind.
func (s *Server) must(kind, id string) *object {
	o := s.objects[id]
	if o == nil || o.text("object") != kind {
		panic(fmt.Sprintf("there is no %s %s", kind, id))
	}
	s.expireIfDue(o)
	return o
}

// FinishOnboarding has a landlord say all that Stripe asks for.
func (s *Server) FinishOnboarding(account string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.must("account", account)
	a.fields["details_submitted"], a.fields["charges_enabled"], a.fields["payouts_enabled"] = true, true, true
	a.fields["requirements"] = fields{"currently_due": []any{}, "past_due": []any{}}
}

// AddAccount makes an account that takes payments.
func (s *Server) AddAccount() string {
	s.mu.Lock()
	a := s.add("", "acct", "account", fields{"country": "US", "metadata": fields{}})
	s.mu.Unlock()
	s.FinishOnboarding(a.id())
	return a.id()
}

// page is a page that is open.
func (s *Server) page(session, mode, way string) *object {
	o := s.must("checkout.session", session)
	if o.text("status") != "open" || o.text("mode") != mode {
		panic(fmt.Sprintf("the page %s for %s is %s", session, o.text("mode"), o.text("status")))
	}
	ways, _ := o.fields["payment_method_types"].([]string)
	if !strings.Contains(strings.Join(ways, " "), way) {
		panic(fmt.Sprintf("the page %s does not take %s", session, way))
	}
	return o
}

// PayByCard has a tenant pay on a page by card, and is the payment.
func (s *Server) PayByCard(session string) (intent string) { return s.pay(session, card) }

// PayByACH has a tenant pay on a page from a bank account, and is the payment, which is under way then.
func (s *Server) PayByACH(session string) (intent string) { return s.pay(session, ach) }

func (s *Server) pay(session, way string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.page(session, "payment", way)
	intent := s.intent(o)
	s.send(intent, way, nil)
	o.fields["status"], o.fields["url"] = "complete", nil
	if intent.text("status") == "succeeded" {
		o.fields["payment_status"] = "paid"
	}
	return intent.id()
}

// intent is the payment of a page, which Stripe makes once the tenant pays.
func (s *Server) intent(session *object) *object {
	if id := session.text("payment_intent"); id != "" {
		return s.objects[id]
	}
	intent := s.add(session.account, "pi", "payment_intent", fields{
		"amount":               session.number("amount_total"),
		"currency":             session.text("currency"),
		"customer":             session.fields["customer"],
		"payment_method":       nil,
		"payment_method_types": session.fields["payment_method_types"],
		"metadata":             session.fields["intended"],
		"client_secret":        "pi_secret_of_the_client",
		"latest_charge":        nil,
		"last_payment_error":   nil,
	})
	session.fields["payment_intent"] = intent.id()
	return intent
}

// DeclineOnPage has a card be declined on a page, which stays open for another one.
func (s *Server) DeclineOnPage(session, code, decline string) (intent string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.intent(s.page(session, "payment", card))
	s.send(o, card, &failure{code, decline})
	return o.id()
}

// Confirm has a payment or a setup wait for its tenant, who has to confirm small deposits.
func (s *Server) Confirm(intent string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects[intent].fields["status"] = "requires_action"
}

// Clear has the money of a payment that is under way arrive.
func (s *Server) Clear(intent string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear(s.must("payment_intent", intent))
}

// Fail has the bank refuse a payment that is under way, such as for account_closed.
func (s *Server) Fail(intent, code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failCharge(s.must("payment_intent", intent), failure{code: code})
}

// CancelInDashboard has a landlord cancel a payment at Stripe.
func (s *Server) CancelInDashboard(intent string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.must("payment_intent", intent).fields["status"] = "canceled"
}

// Decline has the next charge without the tenant be declined, such as for card_declined and insufficient_funds.
func (s *Server) Decline(code, decline string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.decline = &failure{code, decline}
}

// GiveCard has a tenant give a card on a page, and is its name.
func (s *Server) GiveCard(session string) (paymentMethod string) { return s.give(session, card) }

// GiveACH has a tenant give a bank account on a page, and is its name.
func (s *Server) GiveACH(session string) (paymentMethod string) { return s.give(session, ach) }

func (s *Server) give(session, way string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.page(session, "setup", way)
	given := s.add(o.account, "pm", "payment_method", fields{
		"type": way, "customer": o.fields["customer"], way: fields{"last4": "4242"},
	})
	setup := s.objects[o.text("setup_intent")]
	setup.fields["status"], setup.fields["payment_method"] = "succeeded", given.id()
	o.fields["status"], o.fields["url"] = "complete", nil
	return given.id()
}

// Return has a bank take a payment that has cleared back, such as for insufficient_funds.
func (s *Server) Return(intent, reason string) (dispute string) {
	return s.dispute(intent, reason, "lost")
}

// Dispute has a cardholder dispute a payment, such as for fraudulent.
func (s *Server) Dispute(intent, reason string) (dispute string) {
	return s.dispute(intent, reason, "needs_response")
}

// Inquire has the bank of a cardholder ask about a payment, which moves no money.
func (s *Server) Inquire(intent string) (dispute string) {
	return s.dispute(intent, "general", "warning_needs_response")
}

func (s *Server) dispute(intent, reason, status string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	charge := s.must("charge", s.must("payment_intent", intent).text("latest_charge"))
	charge.fields["disputed"] = true
	d := s.add(charge.account, "dp", "dispute", fields{
		"amount":         charge.number("amount"),
		"currency":       charge.text("currency"),
		"charge":         charge.id(),
		"payment_intent": intent,
		"reason":         reason,
		"status":         status,
		"evidence":       fields{},
		"metadata":       fields{},
		"evidence_details": fields{
			"due_by": s.now().Add(disputeDays).Unix(), "has_evidence": false, "submission_count": int64(0),
		},
		"balance_transactions": []any{},
	})
	if strings.HasPrefix(status, "warning_") {
		return d.id()
	}
	moved := s.move(d, "adjustment", "dispute", -charge.number("amount"), disputeFee)
	d.fields["balance_transactions"] = []any{s.objects[moved].fields}
	return d.id()
}

// CloseDispute has a bank decide a dispute.
func (s *Server) CloseDispute(dispute string, won bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.must("dispute", dispute)
	if d.fields["status"] = "lost"; !won {
		return
	}
	d.fields["status"] = "won"
	again := s.move(d, "adjustment", "dispute_reversal", d.number("amount"), 0)
	all, _ := d.fields["balance_transactions"].([]any)
	d.fields["balance_transactions"] = append(all, s.objects[again].fields)
}

// RefundInDashboard has a landlord give money back at Stripe, and is the refund.
func (s *Server) RefundInDashboard(intent string, amount int64) (refund string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, problem := s.refund(s.must("charge", s.must("payment_intent", intent).text("latest_charge")), amount, fields{})
	if problem != nil {
		panic(problem.message)
	}
	id, _ := r["id"].(string)
	return id
}

// Empty has the balance of an account not suffice for refunds, or suffice again.
func (s *Server) Empty(account string, empty bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.empty[account] = empty
}

// FinishRefund has a refund that is under way be made, or fail.
func (s *Server) FinishRefund(refund string, made bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.must("refund", refund)
	if r.fields["status"] = "succeeded"; made {
		return
	}
	r.fields["status"] = "failed"
	charge := s.objects[r.text("charge")]
	charge.fields["amount_refunded"] = charge.number("amount_refunded") - r.number("amount")
	charge.fields["refunded"] = false
	s.move(r, "refund_failure", "refund_failure", r.number("amount"), 0)
}

// Payout has Stripe send the balance of an account to its bank, and is the payout.
func (s *Server) Payout(account string) (payout string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var sum int64
	var paid []*object
	for _, o := range s.order {
		if o.account == account && o.text("object") == "balance_transaction" && o.text("payout") == "" {
			sum += o.number("net")
			paid = append(paid, o)
		}
	}
	p := s.add(account, "po", "payout", fields{
		"amount":                sum,
		"currency":              "usd",
		"automatic":             true,
		"status":                "in_transit",
		"arrival_date":          s.now().AddDate(0, 0, 2).Unix(),
		"reconciliation_status": "completed",
		"failure_code":          nil,
		"failure_message":       nil,
	})
	paid = append(paid, s.objects[s.move(p, "payout", "payout", -sum, 0)])
	for _, o := range paid {
		o.fields["payout"] = p.id()
	}
	return p.id()
}

// FinishPayout has a payout arrive, or fail for a reason such as account_closed.
func (s *Server) FinishPayout(payout, failure string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.must("payout", payout)
	if p.fields["status"] = "paid"; failure != "" {
		p.fields["status"], p.fields["failure_code"] = "failed", failure
	}
}

// Charged has Stripe charge an account for something, such as for its own service.
func (s *Server) Charged(account string, amount int64, words string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.must("account", account)
	s.made++
	t := s.move(&object{account, fields{"id": nil}}, "stripe_fee", "fee", -amount, 0)
	s.objects[t].fields["description"], s.objects[t].fields["source"] = words, nil
}

// Latest is the id of the newest object of a kind, such as checkout.session, "" for none.
func (s *Server) Latest(kind string) (id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range slices.Backward(s.order) {
		if o.text("object") == kind {
			return o.id()
		}
	}
	return ""
}

// Change has the server say something else of an object, such as another amount of a payment.
func (s *Server) Change(id, field string, value any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects[id].fields[field] = value
}
