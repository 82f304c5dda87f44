package rentroll_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"portal/api/portfolio/rentroll"
)

// place begins a file whose lines are of units of one property.
const place = "street_address,city,state,unit_number,tenant_first_name,tenant_last_name,tenant_email,lease_start," +
	"lease_end,monthly_rent,bedrooms"

func TestUnitHasSeveralLeasesWithoutCommonDays(t *testing.T) {
	roll, problems := rentroll.Read(strings.NewReader(place + `
7 Oak St,Austin,TX,1,Per,Lind,,2024-01-01,2024-12-31,900,2
7 Oak St,Austin,TX,1,Amara,Okafor,amara@example.com,2026-02-01,,1100,
7 Oak St,Austin,TX,1,per,lind,,2025-01-01,2025-12-31,950,2
7 Oak St,Austin,TX,1,Tobias,Marsh,,2025-01-01,2025-12-31,950,
7 Oak St,Austin,TX,2,Amara,Okafor,amara@example.com,2025-02-01,2026-01-31,800,1
`))
	if len(problems) > 0 || roll.Units() != 2 {
		t.Fatal(roll.Units(), problems)
	}
	got := written(t, roll)
	for _, want := range []string{
		"2 units\n",
		"Unit 1, Austin, TX: Per Lind, 2024-01-01 to 2024-12-31, 900.00 and 0.00, expired\n",
		"Unit 1, Austin, TX: Per Lind, Tobias Marsh, 2025-01-01 to 2025-12-31, 950.00 and 0.00, expired\n",
		"Unit 1, Austin, TX: Amara Okafor, 2026-02-01 to none, 1100.00 and 0.00, active\n",
		"Unit 2, Austin, TX: Amara Okafor, 2025-02-01 to 2026-01-31, 800.00 and 0.00, expired\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("it becomes\n%s\nwithout %s", got, want)
		}
	}
	if plan, _ := roll.Plan(nil, noon, texas); plan.Tenants != 3 || plan.Leases != 4 {
		t.Errorf("%d tenants and %d leases, want 3 and 4", plan.Tenants, plan.Leases)
	}
}

func TestLeasesOfUnitThatOverlapAreProblems(t *testing.T) {
	for _, second := range []string{
		"2025-12-31,2026-12-31,950,", "2025-12-31,,950,", "2025-01-01,2025-11-30,900,", ",,,", "2025-01-01,,900,",
	} {
		_, problems := rentroll.Read(strings.NewReader(place + `
7 Oak St,Austin,TX,1,Per,Lind,,2025-01-01,2025-12-31,900,
7 Oak St,Austin,TX,1,` + map[bool]string{true: ",,,", false: "Amara,Okafor,,"}[second == ",,,"] + second + "\n"))
		if len(problems) != 1 || !strings.Contains(problems[0].Message, "is in line 2 already") {
			t.Errorf("%s: %v", second, problems)
		}
	}
	_, problems := rentroll.Read(strings.NewReader(place + `
7 Oak St,Austin,TX,1,Per,Lind,,2025-01-01,2025-12-31,900,2
7 Oak St,Austin,TX,1,Amara,Okafor,,2026-01-01,,900,3
`))
	if len(problems) != 1 || !strings.Contains(problems[0].Message, "something else of the same unit") {
		t.Errorf("other bedrooms: %v", problems)
	}
}

func TestTermsOfLeaseAreRead(t *testing.T) {
	head := strings.TrimSuffix(
		place,
		",bedrooms",
	) + ",lease type,due day,late fee,grace period\n7 Oak St,Austin,TX,1,Per,Lind,,"
	for file, want := range map[string]string{
		"2026-01-01,2027-12-31,900,fixed_with_rollover,5th,$50.00,3 days": "fixed_with_rollover 5 50.00 3",
		"2026-01-01,,900,MTM,,,":                          "month_to_month 1 none none",
		"2026-01-01,2027-12-31,900,,,,":                   "fixed 1 none none",
		"2026-01-01,2027-12-31,900,month to month,28,0,0": "month_to_month 28 0.00 0",
	} {
		roll, problems := rentroll.Read(strings.NewReader(head + file + "\n"))
		if len(problems) > 0 || roll.Guesses() {
			t.Fatal(file, problems, roll.Notes())
		}
		if got := termsOf(t, roll); got != want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
	for file, want := range map[string]string{
		"2026-01-01,,900,fixed,,,":            "needs a last day",
		"2026-01-01,2027-12-31,900,,29,,":     "between 1 and 28",
		"2026-01-01,2027-12-31,900,,,-3,":     "less than 0",
		"2026-01-01,2027-12-31,900,,,3,61":    "between 0 and 60",
		"2026-01-01,2027-12-31,900,,,3,often": "between 0 and 60",
	} {
		_, problems := rentroll.Read(strings.NewReader(head + file + "\n"))
		if len(problems) != 1 || !strings.Contains(problems[0].Message, want) {
			t.Errorf("%s: %v, want %s", file, problems, want)
		}
	}
	roll, problems := rentroll.Read(strings.NewReader(head + "2026-01-01,2027-12-31,900,Residential,,,\n"))
	if len(problems) > 0 || len(guesses(roll)) != 1 {
		t.Error("a type that nobody knows:", problems, roll.Notes())
	}
}

// termsOf are the type, the due day and the late fee of the only lease.
func termsOf(t *testing.T, roll *rentroll.Roll) string {
	t.Helper()
	plan, problems := roll.Plan(nil, noon, texas)
	if plan == nil {
		t.Fatal(problems)
	}
	fee, grace := "none", "none"
	for b := range plan.Books(10) {
		l := b.Leases[0]
		if l.LateFeeAmount != nil {
			fee = l.LateFeeAmount.String()
		}
		if l.LateFeeGraceDays != nil {
			grace = strconv.Itoa(*l.LateFeeGraceDays)
		}
		return fmt.Sprint(l.LeaseType, " ", l.RentDueDay, " ", fee, " ", grace)
	}
	return "no lease"
}

func TestApostropheOfExportIsTakenOff(t *testing.T) {
	roll, problems := rentroll.Read(
		strings.NewReader(place + "\n7 Oak St,Austin,TX,'-2,'=1+1,'Hara,,2026-01-01,,900,\n"),
	)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if got := written(t, roll); !strings.Contains(got, "Unit -2, Austin, TX: =1+1 'Hara,") {
		t.Error(got)
	}
}
