package law

import (
	"slices"
	"strings"
	"testing"

	"portal/api/contact"
	"portal/api/money"
	"portal/api/portfolio/lease/terms"
)

// found are the findings of a code among those of a lease with fees.
func found(state contact.State, code string, change func(*Terms)) (all []Finding) {
	for _, f := range Of(state).Check(lease(change)) {
		if f.Code == code {
			all = append(all, f)
		}
	}
	return all
}

func TestFeesAreRefusedWhereNoneMayBeCharged(t *testing.T) {
	t.Parallel()
	moveIn := terms.Fee{Name: "Move-in fee", Amount: money.Dollars(300), Frequency: terms.OneTime}
	with := func(fees ...terms.Fee) func(*Terms) { return func(t *Terms) { t.Fees = fees } }
	monthly, refunded := moveIn, moveIn
	monthly.Frequency, refunded.Refundable = terms.Monthly, true
	key := terms.Fee{Name: "Lock and key", Amount: money.Dollars(40), Frequency: terms.OneTime}
	check := terms.Fee{Name: "Background check", Amount: money.Dollars(20), Frequency: terms.OneTime}
	dear := check
	dear.Amount = money.Dollars(21)
	for _, c := range []struct {
		state   contact.State
		fees    []terms.Fee
		refused string // the field, "" for none
	}{
		{"NY", []terms.Fee{moveIn}, "fees.0.amount"},
		{"NY", []terms.Fee{monthly, moveIn}, "fees.1.amount"},
		{"NY", []terms.Fee{monthly, refunded, check}, ""},
		{"NY", []terms.Fee{dear}, "fees.0.amount"},
		{"NY", []terms.Fee{key}, "fees.0.amount"},
		{"MA", []terms.Fee{moveIn}, "fees.0.amount"},
		{"MA", []terms.Fee{key}, ""},
		{"MA", []terms.Fee{check}, "fees.0.amount"},
		{"TX", []terms.Fee{moveIn}, ""},
	} {
		got := ""
		for _, f := range found(c.state, "fee_limited", with(c.fees...)) {
			got = f.Field
			if !f.Above || !strings.HasPrefix(f.Message, "is not allowed in "+Of(c.state).Name+": ") ||
				!strings.HasSuffix(f.Message, ").") {
				t.Errorf("%s: %+v", c.state, f)
			}
		}
		if got != c.refused {
			t.Errorf("%s refuses %q of %+v, want %q", c.state, got, c.fees, c.refused)
		}
	}
	commercial := found("NY", "fee_limited", func(t *Terms) { t.Fees, t.Commercial = []terms.Fee{moveIn}, true })
	if len(commercial) != 1 || commercial[0].Above {
		t.Errorf("of a commercial property: %+v", commercial)
	}
}

func TestFeeRulesWarnOnceWithTheirAuthority(t *testing.T) {
	t.Parallel()
	fees := []terms.Fee{
		{Name: "Cleaning", Amount: money.Dollars(100), Frequency: terms.OneTime},
		{Name: "Parking", Amount: money.Dollars(50), Frequency: terms.Monthly},
	}
	for state, want := range map[contact.State]string{
		"OR": "The law of Oregon says of such fees (Cleaning, Parking): only the fees that the statute names may be " +
			"charged (ORS 90.302).",
		"CA": "The law of California says of such fees (Cleaning): every charge at the beginning but first rent and " +
			"screening counts as a deposit and is refundable (Cal. Civ. Code 1950.5(b)).",
		"TX": "",
	} {
		var got []string
		for _, f := range found(state, "fee_limited", func(t *Terms) { t.Fees, t.Deposit = fees, 0 }) {
			got = append(got, f.Subject+" "+f.Message)
			if f.Above {
				t.Errorf("%s refuses: %+v", state, f)
			}
		}
		if said := strings.Join(got, " "); said != want {
			t.Errorf("%s: %s", state, said)
		}
	}
}

func TestReturnedPaymentFeeIsHeldAgainstUsualLimit(t *testing.T) {
	t.Parallel()
	of := func(fee int64) func(*Terms) {
		return func(t *Terms) { t.ReturnedPayment = new(money.Dollars(fee)) }
	}
	const code = "returned_payment_fee_above_usual_maximum"
	for _, r := range All() {
		limit := r.ReturnedPayment.Limit
		if (limit == nil) != (r.State == "WI") ||
			!slices.Contains(Reading("").Values(), string(r.ReturnedPayment.Verified)) {
			t.Errorf("%s: %+v", r.State, r.ReturnedPayment)
		}
		if limit == nil {
			continue
		}
		most := int64(*limit) / 100
		if f := found(r.State, code, of(most)); f != nil {
			t.Errorf("%s warns of its limit: %+v", r.State, f)
		}
		if f := found(r.State, code, of(most+1)); len(f) != 1 || f[0].Above || f[0].Field != "returned_payment_fee" {
			t.Errorf("%s above its limit: %+v", r.State, f)
		}
	}
	want := "of $30 is above $25, the usual maximum in California ($25 the first time, $35 each time after (Civ. Code 1719))."
	if f := found("CA", code, of(30)); f[0].Message != want {
		t.Error(f[0].Message)
	}
}
