package lease

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
	"portal/web/page"
)

// renew fills the form of a renewal with what was agreed in the lease before, from the day after it ends.
// What the address says otherwise stays.
func (s *generateForm) renew(v *page.Request) error {
	name := s.form.ID("renews_lease_id", id.Lease)
	if !slices.ContainsFunc(s.renewed, func(l portfolio.Lease) bool { return l.ID == name }) {
		return nil
	}
	l, err := s.section.Portfolio.Leases.Lease(v.Ctx(), v.Actor(), name)
	if err != nil {
		return err
	}
	s.dates(l)
	s.sameParties(l)
	s.sameTerms(l, false)
	s.sameCoOwners(l)
	return s.sameGuarantors(v, l)
}

// startOver fills the form with all that a draft of the unit said that was voided to start over.
func (s *generateForm) startOver(v *page.Request) error {
	name := s.form.ID("like", id.Lease)
	if name == "" {
		return nil
	}
	l, err := s.section.Portfolio.Leases.Lease(v.Ctx(), v.Actor(), name)
	if err != nil {
		return err
	}
	if l.UnitID != s.at.Unit.ID {
		return nil
	}
	if l.RenewedFromLeaseID != nil {
		s.known("renews_lease_id", *l.RenewedFromLeaseID)
	}
	s.sameDates(l)
	s.sameParties(l)
	s.sameTerms(l, true)
	s.sameCoOwners(l)
	return s.sameGuarantors(v, l)
}

// begin fills in the first day and the rent that nothing else says: the first of the next month, or the day after
// the lease of the unit ends, and the rent that the unit is offered for.
func (s *generateForm) begin(v *page.Request) {
	today := v.Today()
	first := today.LastOfMonth().AddDays(1)
	for i := range s.renewed {
		if end := s.renewed[i].EndDate; end != nil && *end >= today {
			first = max(first, end.AddDays(1))
		}
	}
	s.known("start_date", first.String())
	s.knownAmount("monthly_rent", s.at.Unit.MarketRent)
}

// sameTerms fills in what a lease says beside its dates and parties.
func (s *generateForm) sameTerms(l *portfolio.Lease, held bool) {
	if l.Terms.Own() {
		s.known("document", string(terms.Own))
	}
	s.sameMoney(l)
	s.sameFees(l.Terms.Fees)
	s.sameWords(&l.Terms, held)
}

// sameDates fills in when a lease begins and ends.
func (s *generateForm) sameDates(l *portfolio.Lease) {
	s.known("lease_type", string(l.LeaseType))
	s.known("start_date", l.StartDate.String())
	if l.EndDate != nil {
		s.known("end_date", l.EndDate.String())
	}
}

// known fills a field that the address does not name.
func (s *generateForm) known(name, value string) {
	if _, sent := s.form.Values[name]; !sent && value != "" {
		s.form.Values.Set(name, value)
	}
}

// knownAmount fills a field with an amount, where there is one.
func (s *generateForm) knownAmount(name string, amount *money.Cents) {
	if amount != nil {
		s.known(name, amount.String())
	}
}

func (s *generateForm) dates(l *portfolio.Lease) {
	s.known("lease_type", string(l.LeaseType))
	if l.EndDate != nil {
		s.known("start_date", l.EndDate.AddDays(1).String())
	}
}

// sameParties names the tenants, the primary one first.
func (s *generateForm) sameParties(l *portfolio.Lease) {
	renters := l.Renters()
	for i, tenantID := range renters[:min(len(renters), len(signerFields))] {
		s.known(signerFields[i], tenantID)
	}
}

func (s *generateForm) sameMoney(l *portfolio.Lease) {
	s.knownAmount("monthly_rent", &l.MonthlyRent)
	s.known("rent_due_day", strconv.Itoa(l.RentDueDay))
	s.knownAmount("security_deposit", &l.SecurityDeposit)
	s.knownAmount("late_fee_amount", l.LateFeeAmount)
	s.known("late_fee_frequency", string(l.Terms.LateFeeFrequency))
	if l.LateFeeGraceDays != nil {
		s.known("late_fee_grace_days", strconv.Itoa(*l.LateFeeGraceDays))
	}
	s.knownAmount("returned_payment_fee", l.Terms.ReturnedPaymentFee)
}

// sameFees fills in the fees.
func (s *generateForm) sameFees(all []terms.Fee) {
	for i := range all[:min(len(all), feeRows)] {
		f, at := &all[i], fmt.Sprintf("fees.%d.", i)
		s.known(at+"name", f.Name)
		s.known(at+"amount", f.Amount.String())
		s.known(at+"frequency", string(f.Frequency))
		if f.Refundable {
			s.known(at+"refundable", "on")
		}
	}
}

// sameWords fills in who lives there, the clauses, and what was stated about the home. When the tenants got the
// pamphlet is held of the same lease alone.
func (s *generateForm) sameWords(t *terms.Terms, held bool) {
	s.known("occupants", strings.Join(t.Occupants, "\n"))
	s.sameLiving(t)
	s.sameClauses(&t.Clauses)
	if p := t.LeadPaint; p != nil {
		s.known("lead_paint.hazards", string(p.Hazards))
		s.known("lead_paint.details", page.OrEmpty(p.Details))
		s.known("lead_paint.records", string(p.Records))
		if given := p.PamphletGivenOn; given != nil && held {
			s.known("lead_paint.pamphlet_given_on", given.String())
		}
	}
	for i := range t.Answers {
		a := &t.Answers[i]
		at := answerField(a.Code)
		s.known(at, map[bool]string{true: applies, false: appliesNot}[a.Applies])
		s.known(at+".text", page.OrEmpty(a.Text))
	}
}

// sameClauses fills in the landlord's own words.
func (s *generateForm) sameClauses(c *terms.Clauses) {
	s.known("clauses.pets", page.OrEmpty(c.Pets))
	s.known("clauses.smoking", page.OrEmpty(c.Smoking))
	s.known("clauses.parking", page.OrEmpty(c.Parking))
	s.known("clauses.utilities", page.OrEmpty(c.Utilities))
}
