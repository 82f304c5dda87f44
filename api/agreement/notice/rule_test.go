package notice

import (
	"testing"

	"portal/api/clock"
	"portal/api/contact"
	"portal/api/language"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/law"
)

// given is a Monday.
var given = clock.Day(2027, 6, 14)

// monthly is a month-to-month lease that has gone on since a day.
func monthly(since clock.Date) *portfolio.Lease {
	return &portfolio.Lease{
		LeaseType: portfolio.MonthToMonth, StartDate: since, MonthlyRent: money.Dollars(1000),
	}
}

func TestRuleComesFromTheTableOfTheState(t *testing.T) {
	t.Parallel()
	lately, years := clock.Day(2027, 3, 1), clock.Day(2024, 3, 1)
	for _, x := range []struct {
		state    contact.State
		kind     Kind
		since    clock.Date
		rent     int64
		length   string
		earliest clock.Date
		usual    clock.Date
		known    bool
	}{
		{"CA", Entry, lately, 0, "24 hours", clock.Day(2027, 6, 15), clock.Day(2027, 6, 16), true},
		{"TX", Entry, lately, 0, "24 hours", clock.Day(2027, 6, 15), clock.Day(2027, 6, 16), false},
		// Juneteenth falls on a Saturday: the Friday before it is the holiday.
		{"FL", PayOrQuit, lately, 0, "3 business days", clock.Day(2027, 6, 17), clock.Day(2027, 6, 17), true},
		{"CO", PayOrQuit, lately, 0, "10 days", clock.Day(2027, 6, 24), clock.Day(2027, 6, 24), true},
		{"CA", EndOfTenancy, lately, 0, "30 days", clock.Day(2027, 7, 14), clock.Day(2027, 7, 31), true},
		{"CA", EndOfTenancy, years, 0, "60 days", clock.Day(2027, 8, 13), clock.Day(2027, 8, 31), true},
		{"WA", EndOfTenancy, years, 0, "30 days", clock.Day(2027, 7, 14), clock.Day(2027, 7, 31), false},
		{"CA", RentIncrease, years, 1050, "30 days", clock.Day(2027, 7, 14), clock.Day(2027, 8, 1), true},
		{"CA", RentIncrease, years, 1101, "90 days", clock.Day(2027, 9, 12), clock.Day(2027, 10, 1), true},
		{"NY", RentIncrease, lately, 1049, "30 days", clock.Day(2027, 7, 14), clock.Day(2027, 8, 1), false},
		{"NY", RentIncrease, lately, 1050, "30 days", clock.Day(2027, 7, 14), clock.Day(2027, 8, 1), true},
		{"NY", RentIncrease, years, 1050, "90 days", clock.Day(2027, 9, 12), clock.Day(2027, 10, 1), true},
		{"OR", RentIncrease, years, 1001, "90 days", clock.Day(2027, 9, 12), clock.Day(2027, 10, 1), true},
	} {
		r := RuleFor(law.Of(x.state), monthly(x.since), x.kind, given, money.Dollars(x.rent))
		if r.Length() != x.length || r.Earliest != x.earliest || r.Usual != x.usual || r.Known != x.known || r.Term {
			t.Errorf("%s %s since %s to $%d: %s, %s, %s, %+v", x.state, x.kind, x.since, x.rent, r.Length(), r.Earliest,
				r.Usual, r)
		}
	}
}

func TestFixedTermComesBeforeDays(t *testing.T) {
	t.Parallel()
	l := monthly(clock.Day(2027, 1, 1))
	l.LeaseType, l.EndDate = portfolio.Fixed, new(clock.Day(2027, 12, 31))
	if r := RuleFor(law.Of("CA"), l, RentIncrease, given, money.Dollars(1050)); !r.Term ||
		r.Earliest != clock.Day(2028, 1, 1) || r.Usual != r.Earliest {
		t.Errorf("a rent increase: %+v", r)
	}
	if r := RuleFor(
		law.Of("CA"),
		l,
		EndOfTenancy,
		given,
		0,
	); !r.Term || r.Earliest != *l.EndDate ||
		r.Usual != *l.EndDate {
		t.Errorf("an end: %+v", r)
	}
	if r := RuleFor(law.Of("CA"), l, PayOrQuit, given, 0); r.Term {
		t.Errorf("rent that is overdue waits for the end: %+v", r)
	}
	late := clock.Day(2027, 12, 20) // the days, those of tenants of a year, go beyond the term
	if r := RuleFor(law.Of("CA"), l, EndOfTenancy, late, 0); r.Term || r.Earliest != late.AddDays(60) {
		t.Errorf("an end that is late: %+v", r)
	}
}

func TestEveryStateHasARuleOfEachKind(t *testing.T) {
	t.Parallel()
	for _, code := range contact.State("").Values() {
		r := law.Of(contact.State(code))
		for _, name := range Kind("").Values() {
			kind := Kind(name)
			rule := RuleFor(r, monthly(clock.Day(2020, 1, 1)), kind, given, money.Dollars(1200))
			if rule.Earliest < given || rule.Usual < rule.Earliest || rule.Usual > given.AddDays(366) {
				t.Errorf("%s %s: %+v", code, kind, rule)
			}
			if rule.Known && rule.Citation == "" && rule.Verified {
				t.Errorf("%s %s is verified without a source: %+v", code, kind, rule)
			}
		}
	}
}

func TestNoticeNamesTheLawOnlyWhereItIsKept(t *testing.T) {
	t.Parallel()
	n := sample(RentIncrease)
	const said = "the law of California asks for a notice of at least 30 days (Cal. Civ. Code 827(b))"
	if !contains(n.Sentences(language.English), said) {
		t.Errorf("%q", n.Sentences(language.English))
	}
	n.Content.Sooner = true
	if contains(n.Sentences(language.English), "the law of California") {
		t.Error("a notice of fewer days names the law")
	}
}
