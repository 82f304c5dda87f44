package stripetest

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Stripe's names of the ways to pay.
const (
	card = "card"
	ach  = "us_bank_account"
)

const (
	leastPayable = 30 * time.Minute
	mostPayable  = 24 * time.Hour
	disputeDays  = 14 * 24 * time.Hour
	disputeFee   = 1500 // cents
	longestText  = 20_000
)

func (s *Server) createAccount(c *call) (fields, *apiError) {
	if c.get("country") != "US" {
		return nil, invalid("country", "This test server has accounts in the US alone.")
	}
	return s.add("", "acct", "account", fields{
		"country":           "US",
		"email":             c.get("email"),
		"business_profile":  fields{"name": c.get("business_profile[name]")},
		"metadata":          c.metadata("metadata"),
		"details_submitted": false,
		"charges_enabled":   false,
		"payouts_enabled":   false,
		"requirements": fields{
			"currently_due": []any{"business_type", "external_account", "tos_acceptance.date"},
			"past_due":      []any{"external_account"},
		},
		"controller": fields{
			"fees":                   fields{"payer": c.get("controller[fees][payer]")},
			"losses":                 fields{"payments": c.get("controller[losses][payments]")},
			"requirement_collection": c.get("controller[requirement_collection]"),
			"stripe_dashboard":       fields{"type": c.get("controller[stripe_dashboard][type]")},
			"is_controller":          true,
			"type":                   "application",
		},
	}).fields, nil
}

func (s *Server) createLink(c *call) (fields, *apiError) {
	if _, problem := s.find("", "account", c.get("account")); problem != nil {
		return nil, problem
	}
	for _, name := range []string{"return_url", "refresh_url"} {
		if !strings.HasPrefix(c.get(name), "http") {
			return nil, invalid(name, "Not a valid URL")
		}
	}
	if c.get("type") != "account_onboarding" {
		return nil, invalid("type", "Invalid type")
	}
	s.made++
	return fields{
		"object":     "account_link",
		"created":    s.now().Unix(),
		"expires_at": s.now().Add(5 * time.Minute).Unix(),
		"url":        fmt.Sprintf("https://connect.stripe.com/setup/%s/%06d", c.get("account"), s.made),
	}, nil
}

// createSession opens a page.
func (s *Server) createSession(c *call) (fields, *apiError) {
	if enabled, _ := s.objects[c.account].fields["charges_enabled"].(bool); !enabled {
		return nil, invalid("", "Your account cannot currently make live charges.")
	}
	ways := c.list("payment_method_types")
	for _, way := range ways {
		if way != card && way != ach {
			return nil, invalid("payment_method_types", "The payment method type %q is invalid.", way)
		}
	}
	if c.get("success_url") == "" {
		return nil, invalid("success_url", "You must provide success_url.")
	}
	session := fields{
		"mode":                 c.get("mode"),
		"status":               "open",
		"payment_status":       "unpaid",
		"payment_method_types": ways,
		"success_url":          c.get("success_url"),
		"cancel_url":           c.get("cancel_url"),
		"client_reference_id":  c.get("client_reference_id"),
		"metadata":             c.metadata("metadata"),
		"customer":             nil,
		"payment_intent":       nil,
		"setup_intent":         nil,
		"expires_at":           s.now().Add(mostPayable).Unix(),
	}
	if c.p.Has("customer") {
		if _, problem := s.find(c.account, "customer", c.get("customer")); problem != nil {
			return nil, problem
		}
		session["customer"] = c.get("customer")
	}
	if c.p.Has("expires_at") {
		at := time.Unix(c.number("expires_at"), 0)
		if at.Before(s.now().Add(leastPayable)) || at.After(s.now().Add(mostPayable)) {
			return nil, invalid(
				"expires_at",
				"The `expires_at` timestamp must be at least 30 minutes and at most 24 hours from Checkout Session creation.",
			)
		}
		session["expires_at"] = at.Unix()
	}
	prefix := "cs_live"
	switch c.get("mode") {
	case "payment":
		total, problem := c.total()
		if problem != nil {
			return nil, problem
		}
		session["amount_total"], session["currency"] = total, c.get("line_items[0][price_data][currency]")
		session["intended"] = c.metadata("payment_intent_data[metadata]")
	case "setup":
		session["setup_intent"] = s.add(c.account, "seti", "setup_intent", fields{
			"status":         "requires_payment_method",
			"payment_method": nil,
			"customer":       session["customer"],
			"metadata":       c.metadata("setup_intent_data[metadata]"),
		}).id()
	default:
		return nil, invalid("mode", "Invalid mode: must be one of payment, setup")
	}
	o := s.add(c.account, prefix, "checkout.session", session)
	o.fields["url"] = "https://checkout.stripe.com/c/pay/" + o.id()
	return o.fields, nil
}

// total is the sum of the lines of a page.
func (c *call) total() (sum int64, p *apiError) {
	for i := 0; ; i++ {
		line := fmt.Sprintf("line_items[%d]", i)
		if !c.p.Has(line + "[quantity]") {
			break
		}
		for _, name := range []string{"[price_data][product_data][name]", "[price_data][currency]"} {
			if c.get(line+name) == "" {
				return 0, invalid(line+name, "Missing required param: %s.", line+name)
			}
		}
		sum += c.number(line+"[quantity]") * c.number(line+"[price_data][unit_amount]")
	}
	if sum < 50 {
		return 0, invalid("", "The Checkout Session's total amount due must add up to at least $0.50 usd").
			coded("amount_too_small")
	}
	return sum, nil
}

// expireIfDue expires a page that has been open for too long.
func (s *Server) expireIfDue(o *object) {
	if o.text("object") == "checkout.session" && o.text("status") == "open" &&
		s.now().Unix() >= o.number("expires_at") {
		o.fields["status"], o.fields["url"] = "expired", nil
	}
}

func (s *Server) expireSession(c *call) (fields, *apiError) {
	o, problem := s.find(c.account, "checkout.session", c.path[2])
	if problem != nil {
		return nil, problem
	}
	if s.expireIfDue(o); o.text("status") != "open" {
		return nil, invalid(
			"",
			"Only Checkout Sessions with a status in [\"open\"] can be expired. This Checkout Session has a status of `%s`.",
			o.text("status"),
		)
	}
	o.fields["status"], o.fields["url"] = "expired", nil
	return o.fields, nil
}

func (s *Server) createCustomer(c *call) (fields, *apiError) {
	return s.add(c.account, "cus", "customer", fields{"metadata": c.metadata("metadata")}).fields, nil
}

// createIntent charges a tenant who is not there.
func (s *Server) createIntent(c *call) (fields, *apiError) {
	if c.get("confirm") != "true" || c.get("off_session") != "true" {
		return nil, invalid("confirm", "This test server has no payments that are confirmed later.")
	}
	if _, problem := s.find(c.account, "customer", c.get("customer")); problem != nil {
		return nil, problem
	}
	way, problem := s.find(c.account, "payment_method", c.get("payment_method"))
	switch {
	case problem != nil:
		return nil, problem
	case way.text("customer") != c.get("customer"):
		return nil, invalid("payment_method", "The PaymentMethod does not belong to the Customer.")
	case !slices.Contains(c.list("payment_method_types"), way.text("type")):
		return nil, invalid("payment_method", "The PaymentMethod's type is not one of payment_method_types.")
	}
	intent := s.add(c.account, "pi", "payment_intent", fields{
		"amount":               c.number("amount"),
		"currency":             c.get("currency"),
		"customer":             c.get("customer"),
		"payment_method":       way.id(),
		"payment_method_types": c.list("payment_method_types"),
		"metadata":             c.metadata("metadata"),
		"client_secret":        "pi_secret_of_the_client",
		"latest_charge":        nil,
		"last_payment_error":   nil,
	})
	why := s.decline
	s.decline = nil
	s.send(intent, way.text("type"), why)
	if why != nil {
		return nil, &apiError{
			status:  http.StatusPaymentRequired,
			kind:    "card_error",
			code:    why.code,
			decline: why.decline,
			message: "The payment was declined.",
			intent:  intent,
		}
	}
	return intent.fields, nil
}

func (s *Server) cancelIntent(c *call) (fields, *apiError) {
	o, problem := s.find(c.account, "payment_intent", c.path[1])
	if problem != nil {
		return nil, problem
	}
	if status := o.text("status"); status == "succeeded" || status == "canceled" || status == "processing" {
		return nil, invalid("", "You cannot cancel this PaymentIntent because it has a status of %s.", status).
			coded("payment_intent_unexpected_state")
	}
	o.fields["status"] = "canceled"
	return o.fields, nil
}

func (s *Server) detach(c *call) (fields, *apiError) {
	o, problem := s.find(c.account, "payment_method", c.path[1])
	if problem != nil {
		return nil, problem
	}
	if o.text("customer") == "" {
		return nil, invalid(
			"",
			"The payment method you provided is not attached to a customer so detachment is impossible.",
		)
	}
	o.fields["customer"] = nil
	return o.fields, nil
}

func (s *Server) createRefund(c *call) (fields, *apiError) {
	intent, problem := s.find(c.account, "payment_intent", c.get("payment_intent"))
	if problem != nil {
		return nil, problem
	}
	charge := s.objects[intent.text("latest_charge")]
	if intent.text("status") != "succeeded" || charge == nil {
		return nil, invalid("payment_intent", "This PaymentIntent does not have a successful charge to refund.")
	}
	return s.refund(charge, c.number("amount"), c.metadata("metadata"))
}

// refund gives money back. That of a bank account is under way first.
func (s *Server) refund(charge *object, amount int64, metadata fields) (fields, *apiError) {
	left := charge.number("amount") - charge.number("amount_refunded")
	disputed, _ := charge.fields["disputed"].(bool)
	switch {
	case disputed:
		return nil, invalid("", "Charge %s has been charged back; cannot issue a refund.", charge.id()).
			coded("charge_disputed")
	case s.empty[charge.account]:
		return nil, invalid("", "Insufficient funds in Stripe account.").coded("balance_insufficient")
	case left == 0:
		return nil, invalid("", "Charge %s has already been refunded.", charge.id()).coded("charge_already_refunded")
	case amount > left:
		return nil, invalid("amount", "Refund amount is greater than unrefunded amount on charge.")
	}
	r := s.add(charge.account, "re", "refund", fields{
		"amount":              amount,
		"currency":            charge.text("currency"),
		"charge":              charge.id(),
		"payment_intent":      charge.text("payment_intent"),
		"metadata":            metadata,
		"status":              "succeeded",
		"balance_transaction": nil,
	})
	kind := "refund"
	if strings.HasPrefix(charge.id(), "py_") {
		r.fields["status"], kind = "pending", "payment_refund"
	}
	charge.fields["amount_refunded"] = charge.number("amount_refunded") + amount
	charge.fields["refunded"] = charge.number("amount_refunded") == charge.number("amount")
	r.fields["balance_transaction"] = s.move(r, kind, "refund", -amount, 0)
	return r.fields, nil
}

func (s *Server) updateDispute(c *call) (fields, *apiError) {
	d, problem := s.find(c.account, "dispute", c.path[1])
	if problem != nil {
		return nil, problem
	}
	text := c.get("evidence[uncategorized_text]")
	switch {
	case d.text("status") != "needs_response" && d.text("status") != "warning_needs_response":
		return nil, invalid("", "This dispute is already closed or under review.")
	case len(text) > longestText:
		return nil, invalid("evidence[uncategorized_text]", "Invalid string: it is too long.")
	}
	d.fields["evidence"] = fields{"uncategorized_text": text}
	if c.get("submit") == "true" {
		d.fields["status"] = strings.Replace(d.text("status"), "needs_response", "under_review", 1)
		details := maps.Clone(d.fields["evidence_details"].(fields))
		details["submission_count"], details["has_evidence"] = int64(1), true
		d.fields["evidence_details"] = details
	}
	return d.fields, nil
}

// move changes the balance of an account, and is the name of that.
func (s *Server) move(source *object, kind, category string, amount, fee int64) string {
	return s.add(source.account, "txn", "balance_transaction", fields{
		"amount":             amount,
		"currency":           "usd",
		"fee":                fee,
		"net":                amount - fee,
		"type":               kind,
		"reporting_category": category,
		"source":             source.id(),
		"status":             "available",
		"description":        nil,
		"payout":             nil, // which Stripe does not show, and can be asked for
	}).id()
}

// send has a payment be made by card or by bank account, or be declined.
func (s *Server) send(intent *object, way string, why *failure) {
	prefix := "ch"
	if way == ach {
		prefix = "py"
	}
	charge := s.add(intent.account, prefix, "charge", fields{
		"amount":                 intent.number("amount"),
		"amount_refunded":        int64(0),
		"refunded":               false,
		"disputed":               false,
		"currency":               intent.text("currency"),
		"payment_intent":         intent.id(),
		"payment_method_details": fields{"type": way, way: fields{"last4": "4242"}},
		"metadata":               intent.fields["metadata"],
		"balance_transaction":    nil,
		"status":                 "pending",
	})
	intent.fields["latest_charge"] = charge.id()
	switch {
	case why != nil:
		s.failCharge(intent, *why)
	case way == ach:
		intent.fields["status"] = "processing"
	default:
		s.clear(intent)
	}
}

// clear has the money of a payment arrive.
func (s *Server) clear(intent *object) {
	charge, amount := s.objects[intent.text("latest_charge")], intent.number("amount")
	kind, fee := "charge", amount*29/1000+30
	if strings.HasPrefix(charge.id(), "py_") {
		kind, fee = "payment", min(amount*8/1000, 500)
	}
	charge.fields["status"] = "succeeded"
	charge.fields["balance_transaction"] = s.move(charge, kind, "charge", amount, fee)
	intent.fields["status"], intent.fields["last_payment_error"] = "succeeded", nil
}

func (s *Server) failCharge(intent *object, why failure) {
	charge := s.objects[intent.text("latest_charge")]
	charge.fields["status"], charge.fields["failure_code"] = "failed", why.code
	said := fields{"code": why.code, "message": "It failed.", "type": "card_error", "charge": charge.id()}
	if why.decline != "" {
		said["decline_code"] = why.decline
	}
	intent.fields["status"], intent.fields["last_payment_error"] = "requires_payment_method", said
}
