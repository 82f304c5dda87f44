package law

import (
	"bytes"
	"encoding/csv"
	"regexp"
	"slices"
	"strings"
	"testing"

	"portal/api/clock"
	"portal/api/contact"
	"portal/api/money"
	"portal/api/portfolio/lease/terms"
)

func TestEveryStateHasParsedRules(t *testing.T) {
	t.Parallel()
	const federal = "42 U.S.C. 4852d; 24 CFR 35; 40 CFR 745"
	if len(All()) != 51 {
		t.Fatalf("%d states", len(All()))
	}
	for _, code := range contact.State("").Values() {
		r := Of(contact.State(code))
		switch {
		case r == nil:
			t.Errorf("%s has no rules", code)
		case r.Name == "" || r.depositStatute == "" || len(r.Sources) == 0 ||
			len(r.Authorities) != len(Topic("").Values()):
			t.Errorf("%s: %+v", code, r)
		case r.Disclosures[0].Code != leadPaint || orNull(r.Disclosures[0].Authority) != federal:
			t.Errorf("%s begins with %+v", code, r.Disclosures[0])
		case slices.ContainsFunc(r.Sources, func(s string) bool { return !strings.HasPrefix(s, "http") }):
			t.Errorf("%s has the sources %q", code, r.Sources)
		case (r.LateFee.Kind == Limited) != (len(r.lateFeeLimits) > 0 && len(r.LateFee.Limits) > 0):
			t.Errorf("%s: %+v", code, r.LateFee)
		}
	}
	if Of("ZZ") != nil || Of("tx") != nil {
		t.Error("there are rules of a state that does not exist")
	}
}

// Every title is of a disclosure that a state asks for, and every limit of a state with a cap.
func TestTablesHaveNoUnusedEntries(t *testing.T) {
	t.Parallel()
	asked := map[string]bool{}
	for _, r := range All() {
		for _, d := range r.Disclosures {
			asked[d.Code] = true
		}
	}
	for _, title := range tableOf(t, "disclosures.csv") {
		if !asked[title["code"]] {
			t.Errorf("no state asks for %s", title["code"])
		}
	}
	for _, l := range tableOf(t, "deposit_limits.csv") {
		r := Of(contact.State(l["state"]))
		if r == nil || r.Deposit.CapMonths == nil || r.Deposit.Note == nil {
			t.Errorf("%s has a condition, but no cap and note", l["state"])
		}
	}
	for _, r := range All() {
		if r.Deposit.Note != nil && r.Deposit.Condition == nil && !slices.Contains(conditionless, string(r.State)) {
			t.Errorf("the note of %s is not read: %s", r.State, *r.Deposit.Note)
		}
	}
}

// A second figure stands beside a first one, and differs from it.
func TestCasesDifferFromTheirRule(t *testing.T) {
	t.Parallel()
	for _, r := range All() {
		for _, c := range r.Deposit.ReturnCases {
			if c.Days == r.Deposit.ReturnDays || c.Citation == "" || len(c.When) < 10 {
				t.Errorf("%s: %+v", r.State, c)
			}
		}
		for _, c := range r.Notice.MonthToMonthCases {
			if r.Notice.MonthToMonthDays == nil || c.Days <= *r.Notice.MonthToMonthDays || c.Citation == "" {
				t.Errorf("%s: %+v", r.State, c)
			}
		}
		if (r.Notice.TenantDays == nil) != (r.Notice.TenantVerified == nil) {
			t.Errorf("%s: %+v", r.State, r.Notice)
		}
	}
	for _, of := range tableOf(t, "cases.csv") {
		if !slices.Contains(Reading("").Values(), of["verified"]) || Of(contact.State(of["state"])) == nil {
			t.Errorf("%v", of)
		}
	}
	if n := Of("HI").Notice; *n.TenantDays != 28 || *n.MonthToMonthDays != 45 {
		t.Errorf("%+v", n)
	}
	if d := Of("FL").Deposit; d.ReturnDays != 30 || d.ReturnCases[0].Days != 15 {
		t.Errorf("%+v", d)
	}
	if r := Of(
		"MA",
	); *r.ConditionDays != 15 || Of("TX").ConditionDays != nil ||
		Of("CT").Notice.MonthToMonthDays != nil {
		t.Errorf("%+v", r)
	}
}

// conditionless are the states whose notes of the cap change no figure of an ordinary deposit.
var conditionless = []string{
	"GA", // for leases made or renewed since 2024
	"MA", // names what else may be asked for at the start
	"MI", // a pet's deposit counts toward the cap
	"MO", // a pet's deposit is apart from the cap
	"NV", // counts the last month's rent in
	"NJ", // bounds how much it may grow a year
}

func tableOf(t *testing.T, name string) []row {
	t.Helper()
	rows, err := readTable(name)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestMalformedTableEntriesAreRejected(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{
		"", "pct", "pct:x", "pct:5|flat:50", "flat:-", "daily:5", "daily:x:max:50",
		"daily:5:max:x", "five",
	} {
		if got, err := readSum(bad); err == nil {
			t.Errorf("%q is %+v", bad, got)
		}
	}
	for _, bad := range []string{"rent", "rent<=", "rent<=x", "size<=4", "units=4", "units>x"} {
		if got, err := readCondition(bad); err == nil {
			t.Errorf("%q is %+v", bad, got)
		}
	}
}

func TestLimitsAreDescribedInWords(t *testing.T) {
	t.Parallel()
	for state, want := range map[contact.State]string{
		"CO": "5% of the amount overdue or $50, whichever is greater.",
		"CT": "$5 a day up to $50 or 5% of the amount overdue, whichever is less.",
		"IA": "The monthly rent is at most $700. $12 a day up to $60. The monthly rent is more than $700. $20 a " +
			"day up to $100.",
		"ME": "4% of the monthly rent.",
		"TX": "The building has at most 4 units. 12% of the monthly rent. The building has more than 4 units. 10% " +
			"of the monthly rent.",
		"AL": "",
	} {
		var all []string
		for _, l := range Of(state).LateFee.Limits {
			if l.When != nil {
				all = append(all, *l.When)
			}
			all = append(all, l.Text)
		}
		if got := strings.Join(all, " "); got != want {
			t.Errorf("%s: %s", state, got)
		}
	}
	for state, want := range map[contact.State]string{
		"AK": "When the monthly rent is at most $2,000, the limit is 2 months. A pet allows one month more. When " +
			"the monthly rent is more than $2,000, there is no limit.",
		"NC": "When the lease is month-to-month, the limit is 1.5 months. When the lease is not month-to-month, " +
			"the limit is 2 months.",
		"CT": "A tenant who is 62 or older pays one month at the most.",
	} {
		if got := *Of(state).Deposit.Condition; got != want {
			t.Errorf("%s: %s", state, got)
		}
	}
}

// lease are terms of a lease of a year for $1,450 a month.
func lease(change func(*Terms)) Terms {
	t := Terms{Rent: money.Dollars(1450), Start: clock.Day(2027, 1, 1), End: new(clock.Day(2027, 12, 31))}
	change(&t)
	return t
}

func TestExceedingAllLimitsDiffersFromConditionalExcess(t *testing.T) {
	t.Parallel()
	deposit := func(cents int64) func(*Terms) { return func(t *Terms) { t.Deposit = money.Cents(cents) } }
	fee := func(cents int64) func(*Terms) { return func(t *Terms) { t.LateFee = new(money.Cents(cents)) } }
	for _, c := range []struct {
		state  contact.State
		change func(*Terms)
		want   string // the field, with ! when it is above every limit
	}{
		{"TX", deposit(100_000_00), ""}, // no cap
		{"CA", deposit(1450_00), ""},
		{"CA", deposit(1450_01), "security_deposit"},
		{"CA", deposit(2900_00), "security_deposit"},
		{"CA", deposit(2900_01), "security_deposit!"},
		{"NY", deposit(1450_01), "security_deposit!"},
		{"CO", deposit(2900_00), ""},
		{"CO", deposit(3200_00), "security_deposit"},
		{"CO", deposit(3200_01), "security_deposit!"},
		{"NE", deposit(1812_50), "security_deposit"},
		{"NE", deposit(1812_51), "security_deposit!"},
		{"ND", deposit(5800_00), "security_deposit"}, // two months and, for a pet, two more
		{"ND", deposit(5800_01), "security_deposit!"},
		// Or two months and $2,500.
		{"ND", func(t *Terms) { t.Rent, t.Deposit = money.Dollars(1000), money.Dollars(4500) }, "security_deposit"},
		{"ND", func(t *Terms) { t.Rent, t.Deposit = money.Dollars(1000), money.Dollars(4501) }, "security_deposit!"},
		{"AL", deposit(100_000_00), "security_deposit"},
		{"AK", deposit(4350_01), "security_deposit!"},
		{"AK", func(t *Terms) { t.Rent, t.Deposit = money.Dollars(2001), money.Dollars(90_000) }, ""},
		{"NM", deposit(1450_01), "security_deposit"}, // a year: what is reasonable
		{"NM", func(t *Terms) { t.Deposit, t.End = 1450_01, new(clock.Day(2027, 11, 30)) }, "security_deposit!"},
		{"NM", func(t *Terms) { t.Deposit, t.End = 1450_01, nil }, "security_deposit!"},
		{"NM", func(t *Terms) { t.Deposit, t.End = 1450_01, new(clock.Day(9999, 12, 31)) }, "security_deposit"},
		{
			"NM",
			func(t *Terms) { t.Deposit, t.Start, t.End = 1450_01, clock.Day(9999, 1, 2), new(clock.LastDay) },
			"security_deposit!",
		},
		{
			"NM",
			func(t *Terms) { t.Deposit, t.Start, t.End = 1450_01, clock.Day(9999, 1, 1), new(clock.LastDay) },
			"security_deposit",
		},
		{"NC", deposit(2900_00), ""},
		{"NC", func(t *Terms) { t.Deposit, t.End = 2175_01, nil }, "security_deposit!"},
		{"CO", fee(72_50), ""}, // 5% is more than $50
		{"CO", fee(72_51), "late_fee_amount!"},
		{"CO", func(t *Terms) { t.Rent, t.LateFee = money.Dollars(600), new(money.Dollars(50)) }, ""},
		{"NY", fee(50_00), ""},
		{"NY", fee(50_01), "late_fee_amount!"}, // the lesser
		{"CT", fee(50_01), "late_fee_amount!"},
		{"IA", fee(100_00), "late_fee_amount"}, // $20 a day
		{"IA", fee(20_00), ""},
		{"IA", fee(100_01), "late_fee_amount!"},
		{"IA", func(t *Terms) { t.Rent, t.LateFee = money.Dollars(700), new(money.Cents(60_01)) }, "late_fee_amount!"},
		{"TX", fee(145_00), ""},
		{"TX", fee(145_01), "late_fee_amount"}, // up to four units
		{"TX", fee(174_00), "late_fee_amount"},
		{"TX", fee(174_01), "late_fee_amount!"},
		{"AL", fee(72_50), ""},
		{"AL", fee(500_00), "late_fee_amount"},
		{"OR", fee(72_51), "late_fee_amount"},
		{
			"NY",
			func(t *Terms) { t.Deposit, t.LateFee = money.Dollars(9000), new(money.Dollars(90)) },
			"security_deposit! late_fee_amount!",
		},
	} {
		terms := lease(c.change)
		var all []string
		for _, f := range Of(c.state).Check(terms) {
			if f.Above {
				f.Field += "!"
			}
			all = append(all, f.Field)
			if !strings.HasSuffix(f.Message, ".") || strings.Contains(f.Message, "  ") ||
				f.Above && !strings.Contains(f.Message, "the limit in "+Of(c.state).Name) {
				t.Errorf("%s: %s", c.state, f.Message)
			}
		}
		if got := strings.Join(all, " "); got != c.want {
			t.Errorf("%s, %+v: %q, want %q", c.state, terms, got, c.want)
		}
	}
}

// once is a fee that is owed once.
func once(name string, cents int64, refundable bool) terms.Fee {
	return terms.Fee{
		Name:       name,
		Amount:     money.Cents(cents),
		Frequency:  terms.OneTime,
		Refundable: refundable,
	}
}

// limited are the findings about limits: what else is said of fees has tests of its own.
func limited(all []Finding) []Finding {
	return slices.DeleteFunc(all, func(f Finding) bool { return f.Code == "fee_limited" })
}

// findings are the fields of what is found, each with ! when it is above every limit.
func findings(state contact.State, t Terms) string {
	var all []string
	for _, f := range limited(Of(state).Check(t)) {
		if f.Above {
			f.Field += "!"
		}
		all = append(all, f.Field)
	}
	return strings.Join(all, " ")
}

func TestFeesCountTowardDepositWhereStateSaysSo(t *testing.T) {
	t.Parallel()
	monthly := terms.Fee{
		Name:       "Pet rent",
		Amount:     900_00,
		Frequency:  terms.Monthly,
		Refundable: true,
	}
	for _, c := range []struct {
		state   contact.State
		deposit int64
		fees    []terms.Fee
		want    string
	}{
		{"CA", 1450_00, []terms.Fee{once("Pet fee", 1, false)}, "fees"}, // a small owner may take two months
		{"CA", 2900_00, []terms.Fee{once("Pet fee", 1, false)}, "fees!"},
		{"CA", 2900_01, []terms.Fee{once("Pet fee", 1, false)}, "security_deposit!"},
		{"CA", 1450_00, []terms.Fee{monthly}, ""},
		{"CA", 0, []terms.Fee{once("Cleaning", 2900_00, false), once("Key", 1, false)}, "fees!"},
		{"NY", 1450_00, []terms.Fee{once("Pet deposit", 1, true)}, "fees!"},
		{"NY", 1449_99, []terms.Fee{once("Pet deposit", 1, true)}, ""},
		{"NY", 1450_00, []terms.Fee{once("Background check", 20_00, false), monthly}, ""},
		{
			"MA",
			1450_00,
			[]terms.Fee{once("New lock", 60_00, false), once("Last month’s rent", 1450_00, false)},
			"",
		},
		{"MA", 1450_00, []terms.Fee{once("Cleaning", 60_00, false)}, "fees!"},
		{"MO", 2900_00, []terms.Fee{once("Pet deposit", 500_00, true)}, ""}, // apart from the limit
		{"MO", 2900_00, []terms.Fee{once("Key deposit", 50_00, true)}, "fees!"},
		{"CO", 2900_00, []terms.Fee{once("Pet deposit", 300_00, true)}, "fees"},
		{"CO", 2900_00, []terms.Fee{once("Pet deposit", 300_01, true)}, "fees!"},
		{"TX", 9000_00, []terms.Fee{once("Pet deposit", 9000_00, true), once("Cleaning", 9000_00, false)}, ""},
		{"AK", 2900_00, []terms.Fee{once("Pet deposit", 1450_01, true)}, "fees!"},
	} {
		terms := lease(func(t *Terms) { t.Deposit, t.Fees = money.Cents(c.deposit), c.fees })
		if got := findings(c.state, terms); got != c.want {
			t.Errorf("%s, $%d, %+v: %q, want %q", c.state, c.deposit/100, c.fees, got, c.want)
		}
	}
}

func TestFeesCountOnlyInStatesWithDepositCap(t *testing.T) {
	t.Parallel()
	for _, r := range All() {
		none := r.Deposit.FeesCounted == NoFees
		if none != (r.Deposit.CapMonths == nil) || none != (r.Deposit.FeesCitation == nil) ||
			none && r.feesApart != nil {
			t.Errorf("%s: %s, %v", r.State, r.Deposit.FeesCounted, r.Deposit.FeesCitation)
		}
		terms := lease(func(t *Terms) { t.Fees = []terms.Fee{once("Holding fee", 90_000_00, true)} })
		if got := findings(r.State, terms); none != (got == "") {
			t.Errorf("%s: %q", r.State, got)
		}
	}
}

func TestDailyLateFeeLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		state contact.State
		rent  int64
		fee   int64
		daily bool
		want  string
	}{
		{"CT", 1450, 5_00, true, ""},
		{"CT", 1450, 5_01, true, "late_fee_amount!"},
		{"CT", 50, 2_50, true, ""}, // 5% of the rent is less than $5
		{"CT", 50, 2_51, true, "late_fee_amount!"},
		{"CT", 1450, 5_00, false, ""},
		{"CT", 1450, 5_01, false, "late_fee_amount"},
		{"CT", 1450, 50_00, false, "late_fee_amount"},
		{"CT", 1450, 50_01, false, "late_fee_amount!"},
		{"IA", 700, 12_00, true, ""},
		{"IA", 700, 12_01, true, "late_fee_amount!"},
		{"IA", 701, 20_00, true, ""},
		{"IA", 701, 20_01, true, "late_fee_amount!"},
		{"IA", 700, 60_00, false, "late_fee_amount"},
		{"IA", 700, 60_01, false, "late_fee_amount!"},
		{"NY", 500, 25_00, false, ""},
		{"NY", 500, 50_00, false, "late_fee_amount!"},
		{"NY", 500, 1_00, true, "late_fee_amount"}, // it grows above $25
		{"NY", 500, 25_01, true, "late_fee_amount!"},
		{"TX", 1450, 145_00, true, "late_fee_amount"},
		{"TX", 1450, 174_01, true, "late_fee_amount!"},
		{"OH", 1450, 2_41, true, ""},
		{"OH", 1450, 2_42, true, "late_fee_amount"}, // above 5% within 30 days
		{"OH", 1450, 0, true, ""},
		{"NY", 1450, 0, true, ""},
	} {
		terms := lease(func(t *Terms) {
			t.Rent, t.LateFee = money.Dollars(c.rent), new(money.Cents(c.fee))
			t.Frequency = map[bool]terms.Frequency{true: terms.Daily, false: terms.Once}[c.daily]
		})
		if got := findings(c.state, terms); got != c.want {
			t.Errorf("%s, $%d, %d cents, daily %t: %q, want %q", c.state, c.rent, c.fee, c.daily, got, c.want)
		}
	}
}

// A change of one term makes another one illegal.
func TestTermsAreCheckedAgainstOneAnother(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		state         contact.State
		terms         Terms
		before, after string
		change        func(*Terms)
	}{
		{"MA", Terms{Rent: 2000_00, Deposit: 2000_00}, "", "security_deposit!", func(t *Terms) { t.Rent = 100 }},
		{
			"CA",
			Terms{Rent: 1500_00, Deposit: 3000_00},
			"security_deposit",
			"security_deposit!",
			func(t *Terms) { t.Rent = 1000_00 },
		},
		{
			"NY",
			Terms{Rent: 1000_00, LateFee: new(money.Cents(50_00))},
			"",
			"late_fee_amount!",
			func(t *Terms) { t.Rent = 500_00 },
		},
		{
			"NC",
			Terms{Rent: 1000_00, Deposit: 2000_00, End: new(clock.Day(2027, 12, 31))},
			"",
			"security_deposit!",
			func(t *Terms) { t.End = nil },
		},
		{
			"WA",
			Terms{Rent: 1000_00, End: new(clock.Day(2027, 12, 31))},
			"",
			"end_date",
			func(t *Terms) { t.End = new(clock.Day(2028, 1, 1)) },
		},
	} {
		c.terms.Start = clock.Day(2027, 1, 1)
		before := findings(c.state, c.terms)
		c.change(&c.terms)
		if after := findings(c.state, c.terms); before != c.before || after != c.after {
			t.Errorf("%s: %q, then %q", c.state, before, after)
		}
	}
}

func TestLongTermWarnsInStatesNeedingAcknowledgment(t *testing.T) {
	t.Parallel()
	for state, months := range map[contact.State]int{"CT": 12, "WA": 12, "OH": 36} {
		last, _ := clock.Day(2027, 1, 9).LastOfTerm(months)
		for end, want := range map[clock.Date]string{last: "", last + 1: "end_date", clock.LastDay: "end_date"} {
			terms := lease(func(t *Terms) { t.Start, t.End = clock.Day(2027, 1, 9), &end })
			if got := findings(state, terms); got != want {
				t.Errorf("%s until %s: %q", state, end, got)
			}
		}
	}
	terms := lease(func(t *Terms) { t.End = new(clock.Day(2030, 1, 1)) })
	if got := findings("TX", terms) + findings("OH", lease(func(t *Terms) { t.End = nil })); got != "" {
		t.Errorf("found %q", got)
	}
	f := Of("WA").Check(terms)[0]
	if f.Code != "term_needs_acknowledgment" || f.Above ||
		!strings.HasPrefix(f.Subject+" "+f.Message, "The term is longer than 12 months. The law of Washington") {
		t.Errorf("%+v", f)
	}
}

func TestCommercialPropertyTermsAreNeverRefused(t *testing.T) {
	t.Parallel()
	found := Of("NY").Check(lease(func(t *Terms) {
		t.Commercial = true
		t.Deposit = 9000_00
		t.LateFee = new(money.Cents(900_00))
	}))
	if len(found) != 3 || found[0].Code != "commercial_property" ||
		found[0].Subject+" "+found[0].Message != "The lease rules cover homes only; this property is commercial." {
		t.Fatalf("%+v", found)
	}
	for _, f := range found {
		if f.Above || f.Code == "" {
			t.Errorf("%+v", f)
		}
	}
}

func TestFindingNamesFeesThatCount(t *testing.T) {
	t.Parallel()
	pet := []terms.Fee{once("Pet deposit", 500_00, true)}
	daily := func(cents int64) func(*Terms) {
		return func(t *Terms) { t.LateFee, t.Frequency = new(money.Cents(cents)), terms.Daily }
	}
	for _, c := range []struct {
		state  contact.State
		change func(*Terms)
		want   string
	}{
		{"NY", func(t *Terms) { t.Deposit, t.Fees = 1450_00, pet },
			"The fees count toward the security deposit (Gen. Oblig. Law 7-108(1-a)), which must be at most " +
				"$1,450, 1 month’s rent: the limit in New York (Gen. Oblig. Law 7-103, 7-107, 7-108); not $1,950 " +
				"with them (Pet deposit $500)."},
		{"NY", func(t *Terms) { t.Deposit, t.Fees = 1500_00, pet },
			"The deposit must be at most $1,450, 1 month’s rent: the limit in New York (Gen. Oblig. Law 7-103, " +
				"7-107, 7-108); not $1,500, and $2,000 with the fees that count toward it (Pet deposit $500)."},
		{"DC", func(t *Terms) { t.Deposit = 1500_00 },
			"The deposit must be at most $1,450, 1 month’s rent: the limit in the District of Columbia (14 DCMR " +
				"308-311; D.C. Code 42-3502.17); not $1,500."},
		{"CA", func(t *Terms) { t.Deposit, t.Fees = 1450_00, pet },
			"The fees count toward the security deposit (Cal. Civ. Code 1950.5(b)). With them (Pet deposit $500) " +
				"it is $1,950, above $1,450, 1 month’s rent, which is the limit for some leases in California " +
				"(Cal. Civ. Code 1950.5). " +
				"Owners who are natural persons with at most two properties and four units may take two months, " +
				"but not from a servicemember."},
		{
			"IA",
			daily(25_00),
			"The late fee must be at most $20 a day: the limit in Iowa is $20 a day up to $100 (Iowa Code " +
				"562A.9(4)); not $25 a day.",
		},
		{
			"NY",
			daily(60_00),
			"The late fee must be at most $50 in all: the limit in New York is 5% of the monthly rent or $50, " +
				"whichever is less (Real Prop. Law 238-a(2)); not $60 a day.",
		},
		{
			"NY",
			daily(5_00),
			"The late fee is owed for each day, and in New York the total for one late payment is at most $50, 5% " +
				"of the monthly rent or $50, whichever is less (Real Prop. Law 238-a(2)).",
		},
		{
			"TX",
			daily(5_00),
			"The late fee is owed for each day, and in Texas the total for one late payment is at most $174, 12% " +
				"of the monthly rent (Tex. Prop. Code 92.019), when the building has at most 4 units.",
		},
		{
			"OH",
			daily(10_00),
			"The late fee is owed for each day, and from the 8th day on it is above $72.50, 5% of the monthly " +
				"rent: Ohio asks for a reasonable late fee.",
		},
		{"CT", func(t *Terms) { t.LateFee = new(money.Cents(50_00)) },
			"The late fee is owed at once, and in Connecticut the limit grows by the day: $5 a day up to $50 or 5% " +
				"of the amount overdue, whichever is less (Conn. Gen. Stat. 47a-4(a)(8), 47a-15a). A fee of $50 is " +
				"within it only from the 10th day on."},
	} {
		found := limited(Of(c.state).Check(lease(c.change)))
		if len(found) != 1 || found[0].Subject+" "+found[0].Message != c.want {
			t.Errorf("%s: %+v", c.state, found)
		}
	}
	for n, want := range map[int64]string{
		1:   "1st",
		2:   "2nd",
		3:   "3rd",
		4:   "4th",
		11:  "11th",
		12:  "12th",
		13:  "13th",
		21:  "21st",
		102: "102nd",
		111: "111th",
	} {
		if got := ordinal(n); got != want {
			t.Errorf("%d is %s", n, got)
		}
	}
}

func TestFindingNamesLimitAndAuthority(t *testing.T) {
	t.Parallel()
	for state, want := range map[contact.State]string{
		"CO": "must be at most $3,200, 2 months’ rent and what a pet allows: the limit in Colorado (C.R.S. " +
			"38-12-102.5, -103); not $9,000. " +
			"must be at most $72.50, 5% of the amount overdue or $50, whichever is greater: the limit in Colorado " +
			"(C.R.S. 38-12-105); not $900.",
		"AZ": "is above $2,175, 1.5 months’ rent, which is the limit for some leases in Arizona (A.R.S. 33-1321). " +
			"The tenant may offer more. " +
			"is above $72.50, 5% of the monthly rent: Arizona asks for a reasonable late fee (A.R.S. 33-1368(B)).",
		"OH": "is above $72.50, 5% of the monthly rent: Ohio asks for a reasonable late fee.",
		"CT": "must be at most $2,900, 2 months’ rent: the limit in Connecticut (Conn. Gen. Stat. 47a-21); not " +
			"$9,000. " +
			"must be at most $50, $5 a day up to $50 or 5% of the amount overdue, whichever is less: the limit in " +
			"Connecticut (Conn. Gen. Stat. 47a-4(a)(8), 47a-15a); not $900.",
		"GA": "must be at most $2,900, 2 months’ rent: the limit in Georgia (O.C.G.A. 44-7-30 to -37); not $9,000. " +
			"is above $72.50, 5% of the monthly rent: no limit is known in Georgia, so make sure that it is " +
			"reasonable.",
	} {
		var all []string
		for _, f := range Of(state).Check(lease(func(t *Terms) {
			t.Deposit = money.Dollars(9000)
			t.LateFee = new(money.Dollars(900))
		})) {
			all = append(all, f.Message)
		}
		if got := strings.Join(all, " "); got != want {
			t.Errorf("%s: %s", state, got)
		}
	}
}

// The two tables cannot contradict each other: what the cap of the row allows is never refused,
// and odd only where some leases are allowed less.
func TestConditionsNeverForbidWhatCapAllows(t *testing.T) {
	t.Parallel()
	for _, r := range All() {
		for _, at := range []int64{300, 1450, 2500, 9000} {
			terms := Terms{Rent: money.Dollars(at), Start: clock.Day(2027, 1, 1), End: new(clock.Day(2027, 12, 31))}
			if r.Deposit.CapMonths == nil {
				terms.Deposit = money.Max
			} else {
				terms.Deposit = share(terms.Rent, *r.Deposit.CapMonths*100)
			}
			less := r.State == "CT" || r.State == "PA"
			if found := r.Check(terms); less != (len(found) > 0) || less && found[0].Above {
				t.Errorf("%s at $%d: %+v", r.State, at, found)
			}
		}
	}
}

func TestLongerGracePeriodApplies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		state    contact.State
		recorded *int
		days     int
		longer   bool
	}{
		{"CO", nil, 7, false},
		{"CO", new(0), 7, true},
		{"CO", new(6), 7, true},
		{"CO", new(7), 7, false},
		{"CO", new(10), 10, false},
		{"TX", new(1), 2, true},
		{"AL", nil, 0, false},
		{"AL", new(0), 0, false},
		{"AL", new(3), 3, false},
		{"MA", new(5), 30, true},
	} {
		if days, longer := Of(c.state).Grace(c.recorded); days != c.days || longer != c.longer {
			t.Errorf("%s: %d, %t, want %+v", c.state, days, longer, c)
		}
	}
}

// remark is what no citation holds: words in brackets, or a word that tells instead of cites.
var remark = regexp.MustCompile(
	`(?i)^\s*$|^(none|no)\b|not found|\b(only|about|notice|period|places|counties)\b|\([^)]{5,}\)|^\s|\s$`,
)

func TestCitationContainsNoRemark(t *testing.T) {
	t.Parallel()
	check := func(r *Rules, citation *string) {
		if citation != nil && remark.MatchString(*citation) {
			t.Errorf("%s cites %q", r.State, *citation)
		}
	}
	for _, r := range All() {
		check(r, &r.Statute)
		check(r, &r.depositStatute)
		check(r, r.lateFeeStatute)
		check(r, r.Deposit.FeesCitation)
		for _, a := range r.Authorities {
			check(r, a.Citation)
			if a.Note != nil && !strings.HasSuffix(*a.Note, ".") {
				t.Errorf("%s notes %q", r.State, *a.Note)
			}
		}
		for _, d := range r.Disclosures {
			check(r, d.Authority)
		}
	}
	for _, odd := range []string{
		"none", "none (48h for bed bugs only)", "KRS 383.615 (URLTA places)", "No statute",
		"Ark. Code 18-17-602 (no period)", "Source not found",
	} {
		if !remark.MatchString(odd) {
			t.Errorf("%q passes as a citation", odd)
		}
	}
}

// TestEveryOfficialTextBelongsToADisclosure: each row of the table is shown, in its state or in all.
func TestEveryOfficialTextBelongsToADisclosure(t *testing.T) {
	t.Parallel()
	texts, err := readTable("official_texts.csv")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		n := 0
		for _, r := range All() {
			for _, d := range r.Disclosures {
				if text.about(string(r.State), d.Code) {
					n++
					if d.OfficialText == nil || *d.OfficialText != (OfficialText{text["agency"], text["title"]}) {
						t.Errorf("%s %s has the text %v", r.State, d.Code, d.OfficialText)
					}
				}
			}
		}
		if n == 0 || text["agency"] == "" || text["title"] == "" {
			t.Errorf("%v is of %d disclosures", text, n)
		}
	}
}

// TestNoRangeOfAnActIsCitedForOneRule: the range of a state's act, or the act itself, is no law of a single
// disclosure, and each is cited from a row of its own table.
func TestNoRangeOfAnActIsCitedForOneRule(t *testing.T) {
	t.Parallel()
	laws, err := readTable("disclosure_authority.csv")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, r := range All() {
		for _, d := range r.Disclosures {
			i := slices.IndexFunc(laws, func(l row) bool {
				return l["code"] == d.Code && (l["state"] == string(r.State) || l["state"] == "*")
			})
			if (i < 0) != (d.Authority == nil) || (i < 0) != (d.Verified == nil) {
				t.Errorf("%s %s cites %s by row %d", r.State, d.Code, orNull(d.Authority), i)
			}
			if i < 0 {
				continue
			}
			used[laws[i]["state"]+laws[i]["code"]] = true
			if *d.Authority != laws[i]["authority"] || string(*d.Verified) != laws[i]["verified"] ||
				!slices.Contains(Reading("").Values(), string(*d.Verified)) {
				t.Errorf("%s %s cites %q, %s", r.State, d.Code, *d.Authority, *d.Verified)
			}
			if strings.Contains(*d.Authority, "et seq") || *d.Authority == r.Statute {
				t.Errorf("%s %s cites the act %q", r.State, d.Code, *d.Authority)
			}
		}
	}
	for _, l := range laws {
		if !used[l["state"]+l["code"]] {
			t.Errorf("no state asks for %s of %s", l["code"], l["state"])
		}
	}
}

func TestStatuteNoteIsSeparateFromCitation(t *testing.T) {
	t.Parallel()
	said := map[contact.State]string{
		"CO": "null, No statute names a period, but for bed bugs: 48 hours (C.R.S. 38-12-1004).",
		"GA": "null, null",
		"TX": "null, null",
		"AR": "Ark. Code 18-17-602, The statute names no period.",
		"CA": "Cal. Civ. Code 1954, null",
	}
	for state, want := range said {
		for _, a := range Of(state).Authorities {
			if got := orNull(a.Citation) + ", " + orNull(a.Note); a.Topic == Entry && got != want {
				t.Errorf("%s: %s", state, got)
			}
		}
	}
	for _, a := range Of("KY").Authorities {
		uses := a.Topic == Nonpayment || a.Topic == MonthToMonth || a.Topic == Disclosures
		if uses && !strings.Contains(orNull(a.Note), "only in places") {
			t.Errorf("%s: %s", a.Topic, orNull(a.Note))
		}
	}
}

func orNull(s *string) string {
	if s == nil {
		return "null"
	}
	return *s
}

func TestResearchWarningsNameUnverifiedRules(t *testing.T) {
	t.Parallel()
	for state, want := range map[contact.State]string{
		"NJ": "For New Jersey, we haven’t checked " +
			"the notice to pay or leave against a source. Have this checked before you rely on it.",
		"AL": "",
		"HI": "For Hawaii, we haven’t checked " +
			"the disclosures against a source. Have this checked before you rely on it.",
		"DC": "For the District of Columbia, we haven’t checked " +
			"the notice that ends a month-to-month lease and some of the disclosures against a source. " +
			"Have this checked before you rely on it.",
		"ID": "For Idaho, we haven’t checked " +
			"the notice to pay or leave, the notice that ends a month-to-month lease and the disclosures against a source. " +
			"Have this checked before you rely on it.",
		"TN": "Most of these rules hold only in larger counties. Make sure that the home is in one.",
	} {
		if got := strings.Join(Of(state).ResearchWarnings(), " "); got != want {
			t.Errorf("%s: %s", state, got)
		}
	}
	for _, r := range All() {
		said := strings.Join(r.ResearchWarnings(), " ")
		for _, topic := range r.Unverified {
			words := topicWords[topic]
			if topic == Disclosures {
				words = "the disclosures"
			}
			if topic != Grace && !strings.Contains(said, words) ||
				topic == Grace && strings.Contains(said, words) == (r.GraceDays == 0) {
				t.Errorf("%s, %s: %q", r.State, topic, said)
			}
		}
	}
	for _, name := range Topic("").Values() {
		if topicWords[Topic(name)] == "" {
			t.Errorf("%s has no words", name)
		}
	}
}

func TestUnverifiedTopicsAreFlagged(t *testing.T) {
	t.Parallel()
	content, err := tables.ReadFile("lease_rules.csv")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(bytes.NewReader(content)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := slices.Index(lines[0], "verified")
	for _, line := range lines[1:] {
		r, said := Of(contact.State(line[0])), line[column]
		_, checked, _ := strings.Cut(said, "checked=")
		checked, _, _ = strings.Cut(checked, ";")
		for _, a := range r.Authorities {
			found := slices.Contains(strings.Split(checked, "|"), string(a.Topic))
			if a.Verified != found || slices.Contains(r.Unverified, a.Topic) == found {
				t.Errorf("%s, %s: %+v, but %s", r.State, a.Topic, a, said)
			}
		}
	}
}
