package law

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"portal/api/contact"
	"portal/api/money"
	"portal/api/portfolio/lease/terms"
)

// feeRule is what a state says of the fees of a lease besides what counts toward the deposit.
type feeRule struct {
	once    bool   // it is about fees that are owed once; otherwise about all
	refused bool   // such a fee may not be charged; otherwise one is to know of the rule
	words   string // "No fee for an application", without its end
	law     string
}

func (r *Rules) readFeeRules(table []row) error {
	for _, of := range table {
		if of["state"] != string(r.State) {
			continue
		}
		if !slices.Contains([]string{"once", "any"}, of["applies_to"]) ||
			!slices.Contains([]string{"refuse", "warn"}, of["action"]) {
			return fmt.Errorf("a rule of fees applies to %q and is to %q", of["applies_to"], of["action"])
		}
		r.feeRules = append(r.feeRules, feeRule{
			once:    of["applies_to"] == "once",
			refused: of["action"] == "refuse",
			words:   of["rule"],
			law:     of["authority"],
		})
	}
	return nil
}

// FeeRules say in sentences what the law says of fees besides the deposit.
func (r *Rules) FeeRules() (all []string) {
	for _, rule := range r.feeRules {
		all = append(all, rule.words+" ("+rule.law+").")
	}
	return all
}

// screening is what a rule that refuses fees says may be paid for finding out about a tenant: the words of such
// fees, and the most of it.
var screening = map[contact.State]struct {
	names []string
	most  money.Cents
}{"NY": {[]string{"background", "credit check", "screening"}, money.Dollars(20)}}

// spared reports whether a rule that refuses fees lets one be: it is paid back and so is a deposit, or the rule names
// it as one that may be charged.
func (r *Rules) spared(f terms.Fee) bool {
	named := func(words string) bool { return strings.Contains(strings.ToLower(f.Name), words) }
	s := screening[r.State]
	return f.Refundable || slices.ContainsFunc(r.feesApart, named) ||
		f.Amount <= s.most && slices.ContainsFunc(s.names, named)
}

// checkFees finds the fees that may not be charged, each by itself, and what one is to know of the others.
func (r *Rules) checkFees(t Terms) (all []Finding) {
	for _, rule := range r.feeRules {
		said := strings.ToLower(rule.words[:1]) + rule.words[1:] + " (" + rule.law + ")."
		var names []string
		for i, f := range t.Fees {
			switch {
			case rule.once && f.Frequency != terms.OneTime:
			case !rule.refused:
				names = append(names, f.Name)
			case !r.spared(f):
				all = append(all, Finding{
					Field:   "fees." + strconv.Itoa(i) + ".amount",
					Code:    "fee_limited",
					Above:   true,
					Subject: "The fee " + strconv.Quote(f.Name),
					Message: "is not allowed in " + r.NameInSentence() + ": " + said,
				})
			}
		}
		if len(names) > 0 {
			all = append(all, Finding{
				Field:   "fees",
				Code:    "fee_limited",
				Subject: "The law of " + r.NameInSentence(),
				Message: "says of such fees (" + strings.Join(names, ", ") + "): " + said,
			})
		}
	}
	return all
}

// ReturnedPayment is what a state says of the fee for a payment that the bank returns.
type ReturnedPayment struct {
	// Usual limit in dollars; null where the law gives no figure.
	Limit *money.Cents `json:"limit" example:"20.00"`
	// What changes the limit; null when nothing does.
	Note *string `json:"note"`
	// Whether the limit was read in a source (yes) or is from knowledge.
	Verified Reading `json:"verified" example:"knowledge"`
}

// SchemaName is the name of the OpenAPI component.
func (ReturnedPayment) SchemaName() string { return "ReturnedPaymentRules" }

func (r *Rules) readReturnedPayment(table []row) error {
	i := slices.IndexFunc(table, func(of row) bool { return of["state"] == string(r.State) })
	if i < 0 {
		return errors.New("no row says what the fee for a returned payment may be")
	}
	of := table[i]
	r.ReturnedPayment = ReturnedPayment{Note: of.text("note"), Verified: Reading(of["verified"])}
	if of["limit_dollars"] == "" {
		return nil
	}
	n := numbers{row: of}
	r.ReturnedPayment.Limit = new(money.Dollars(int64(n.whole("limit_dollars"))))
	return n.err
}

// checkReturnedPayment warns of a fee above the usual limit, which a note or a contract may lift.
func (r *Rules) checkReturnedPayment(t Terms) []Finding {
	limit := r.ReturnedPayment.Limit
	if t.ReturnedPayment == nil || limit == nil || *t.ReturnedPayment <= *limit {
		return nil
	}
	note := ""
	if r.ReturnedPayment.Note != nil {
		note = " (" + *r.ReturnedPayment.Note + ")"
	}
	return []Finding{{
		Field:   "returned_payment_fee",
		Code:    "returned_payment_fee_above_usual_maximum",
		Subject: "The returned payment fee",
		Message: fmt.Sprintf("of %s is above %s, the usual maximum in %s%s.",
			t.ReturnedPayment.Words(), limit.Words(), r.NameInSentence(), note),
	}}
}
