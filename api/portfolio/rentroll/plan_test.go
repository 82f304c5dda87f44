package rentroll_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/rentroll"
)

// plan is what a file without problems makes of a portfolio.
func plan(t testing.TB, file string, existing *rentroll.Existing) *rentroll.Plan {
	t.Helper()
	roll, problems := rentroll.Read(strings.NewReader(file))
	if len(problems) > 0 {
		t.Fatalf("problems: %v", problems)
	}
	p, problems := roll.Plan(existing, today, texas)
	if len(problems) > 0 {
		t.Fatalf("problems of the plan: %v", problems)
	}
	return p
}

// whole is all of a plan in one book.
func whole(p *rentroll.Plan) *portfolio.Book {
	for b := range p.Books(p.Units) {
		return b
	}
	return nil
}

var full = []string{
	"street_address", "1420 Maple Avenue", "city", "Austin", "state", "tx", "postal_code", "787011234",
	"property_type", "Multi-Family", "year_built", "1974", "unit_number", "2B", "bedrooms", "Studio",
	"bathrooms", "1.5", "square_feet", "1,250", "market_rent", "$ 1,500.5", "tenant_first_name", "Dana",
	"tenant_last_name", "Whitfield", "tenant_email", "dana@example.com", "tenant_phone", "(512) 555-0142",
	"lease_start", "3/1/2026", "lease_end", "2027-02-28", "monthly_rent", "1450", "security_deposit", "$1,450.00",
}

// shuffled is the file of one line with its columns in some order.
func shuffled(order []int, delimiter, end string) string {
	var names, values []string
	for _, i := range order {
		names = append(names, strings.ToUpper(full[2*i])+" ")
		values = append(values, `"`+full[2*i+1]+`"`)
	}
	return "\ufeff" + strings.Join(names, delimiter) + end + strings.Join(values, delimiter) + end + end
}

func TestColumnsAreReadInAnyOrder(t *testing.T) {
	for i := range 20 {
		order := rand.New(rand.NewPCG(1, uint64(i))).Perm(len(full) / 2)
		file := shuffled(order, []string{",", ";", "\t"}[i%3], []string{"\n", "\r\n", "\r"}[i%3])
		checkFull(t, whole(plan(t, file, nil)))
	}
}

func checkFull(t *testing.T, b *portfolio.Book) {
	t.Helper()
	if len(b.Properties) != 1 || len(b.Units) != 1 || len(b.Tenants) != 1 || len(b.Leases) != 1 {
		t.Fatalf("%d properties, %d units, %d tenants, %d leases", len(b.Properties), len(b.Units),
			len(b.Tenants), len(b.Leases))
	}
	property, unit, tenant, lease := b.Properties[0], b.Units[0], b.Tenants[0], b.Leases[0]
	record := func(id, object string) portfolio.Record {
		return portfolio.Record{
			ID:        id,
			Object:    object,
			Mode:      access.Live,
			Version:   1,
			CreatedAt: clock.At(today),
			UpdatedAt: clock.At(today),
		}
	}
	same(t, property, portfolio.Property{
		Record:             record(property.ID, "property"),
		StreetAddress:      "1420 Maple Avenue",
		City:               "Austin",
		State:              "TX",
		PostalCode:         new("78701-1234"),
		Country:            "US",
		PropertyType:       "multi_family",
		YearBuilt:          new(1974),
		UnitCount:          1,
		OccupiedUnitCount:  1,
		Status:             portfolio.PropertyActive,
		VerificationStatus: portfolio.Unverified,
	})
	same(t, unit, portfolio.Unit{
		Record:         record(unit.ID, "unit"),
		PropertyID:     property.ID,
		UnitNumber:     "2B",
		Bedrooms:       new(0),
		Bathrooms:      new(portfolio.Half(3)),
		SquareFeet:     new(1250),
		MarketRent:     new(money.Cents(1500_50)),
		Currency:       "USD",
		Status:         portfolio.UnitOccupied,
		IsDefault:      true,
		CurrentLeaseID: &lease.ID,
	})
	same(t, tenant, portfolio.Tenant{
		Record:         record(tenant.ID, "tenant"),
		FirstName:      "Dana",
		LastName:       "Whitfield",
		Name:           "Dana Whitfield",
		Email:          new("dana@example.com"),
		Phone:          new("+15125550142"),
		Status:         portfolio.TenantCurrent,
		PropertyID:     &property.ID,
		UnitID:         &unit.ID,
		CurrentLeaseID: &lease.ID,
		LeaseIDs:       []string{lease.ID},
		MoveInDate:     new(clock.Day(2026, 3, 1)),
	})
	same(t, lease, portfolio.Lease{
		Record:          record(lease.ID, "lease"),
		Status:          portfolio.LeaseActive,
		PropertyID:      property.ID,
		UnitID:          unit.ID,
		TenantIDs:       []string{tenant.ID},
		Tenants:         []portfolio.Party{{ID: tenant.ID, Name: "Dana Whitfield", Role: "primary"}},
		RentalAddress:   "1420 Maple Avenue, Unit 2B, Austin, TX 78701-1234",
		LeaseType:       portfolio.Fixed,
		StartDate:       clock.Day(2026, 3, 1),
		EndDate:         new(clock.Day(2027, 2, 28)),
		MonthlyRent:     money.Dollars(1450),
		SecurityDeposit: money.Dollars(1450),
		Currency:        "USD",
		RentDueDay:      1,
	})
}

func same(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
}

func TestAddressOnlyLineIsVacantHouse(t *testing.T) {
	b := whole(plan(t, "state,city,street address\nTX,Austin,  \"9  A St, Rear\"  \n", nil))
	property, unit := b.Properties[0], b.Units[0]
	same(t, property, portfolio.Property{
		Record:             property.Record,
		StreetAddress:      "9 A St, Rear",
		City:               "Austin",
		State:              "TX",
		Country:            "US",
		PropertyType:       "single_family",
		UnitCount:          1,
		Status:             "active",
		VerificationStatus: "unverified",
	})
	same(t, unit, portfolio.Unit{
		Record:     unit.Record,
		PropertyID: property.ID,
		UnitNumber: "1",
		Currency:   "USD",
		Status:     "vacant",
		IsDefault:  true,
	})
	if len(b.Tenants)+len(b.Leases) > 0 {
		t.Errorf("tenants %v, leases %v", b.Tenants, b.Leases)
	}
}

func TestStatusUsesImportDateInPortfolioZone(t *testing.T) {
	evening := time.Date(2026, 11, 3, 1, 0, 0, 0, time.UTC) // still November 2 in Texas
	for _, c := range []struct {
		start, end string
		lease      portfolio.LeaseStatus
		kind       portfolio.LeaseType
		tenant     portfolio.TenantStatus
		unit       portfolio.UnitStatus
	}{
		{"2026-11-02", "", "active", "month_to_month", "current", "occupied"},
		{"2026-11-03", "", "signed", "month_to_month", "future", "vacant"},
		{"2026-11-03", "2027-11-02", "signed", "fixed", "future", "vacant"},
		{"2025-11-03", "2026-11-02", "active", "fixed", "current", "occupied"},
		{"2025-11-02", "2026-11-01", "expired", "fixed", "past", "vacant"},
		{"2026-11-02", "2026-11-02", "active", "fixed", "current", "occupied"},
	} {
		file := "street_address,city,state,tenant_first_name,tenant_last_name,lease_start,lease_end,monthly_rent\n" +
			"9 A St,Austin,TX,Dana,Whitfield," + c.start + "," + c.end + ",900\n"
		roll, _ := rentroll.Read(strings.NewReader(file))
		p, problems := roll.Plan(nil, evening, texas)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		b := whole(p)
		lease, tenant, unit := b.Leases[0], b.Tenants[0], b.Units[0]
		if lease.Status != c.lease || lease.LeaseType != c.kind || tenant.Status != c.tenant || unit.Status != c.unit {
			t.Errorf("%s to %q: %s %s, %s, %s", c.start, c.end, lease.LeaseType, lease.Status, tenant.Status,
				unit.Status)
		}
		active := lease.Status == "active"
		if (unit.CurrentLeaseID != nil) != active || (tenant.CurrentLeaseID != nil) != active {
			t.Errorf("%s to %q: the current lease is of an active lease only", c.start, c.end)
		}
	}
}

const leaseHeader = "street_address,city,state,postal_code,unit_number,tenant_first_name,tenant_last_name,tenant_email,tenant_phone,lease_start,lease_end,monthly_rent\n"

func TestSameEmailIsOneTenantWithSeveralLeases(t *testing.T) {
	b := whole(plan(t, leaseHeader+
		"1 A St,Austin,TX,,,Dana,Whitfield,dana@example.com,,2020-01-01,2020-12-31,900\n"+
		"2 A St,Austin,TX,,,Dana,Whitfield,,,2021-01-01,2021-12-31,900\n"+
		"3 A St,Austin,TX,,,DANA,Whitfield,Dana@Example.com,512 555 0142,2022-01-01,,950\n"+
		"4 A St,Austin,TX,,,Dana,Whitfield,dana@example.com,,2027-01-01,,990\n", nil))
	if len(b.Tenants) != 2 || len(b.Leases) != 4 {
		t.Fatalf("%d tenants, %d leases", len(b.Tenants), len(b.Leases))
	}
	dana := b.Tenants[0]
	same(t, dana.LeaseIDs, []string{b.Leases[0].ID, b.Leases[2].ID, b.Leases[3].ID})
	same(t, dana.CurrentLeaseID, &b.Leases[2].ID)
	same(t, dana.UnitID, &b.Units[2].ID)
	same(t, dana.PropertyID, &b.Properties[2].ID)
	same(t, dana.MoveInDate, new(clock.Day(2022, 1, 1)))
	same(t, dana.Phone, new("+15125550142"))
	same(t, dana.Email, new("dana@example.com"))
}

func TestRentalAddressIsOneLine(t *testing.T) {
	b := whole(plan(t, leaseHeader+
		"1 A St,Austin,TX,78701,,Dana,Whitfield,,,2026-01-01,,900\n"+
		"2 A St,Austin,TX,,2B,Dana,Whitfield,,,2026-01-01,,900\n"+
		"3 A St,Austin,TX,78701-1201,1,Dana,Whitfield,,,2026-01-01,,900\n"+
		"3 A St,Austin,TX,78701-1202,Apt. 2,Dana,Whitfield,,,2026-01-01,,900\n"+
		"3 A Street,Austin,TX,,#3,Dana,Whitfield,,,2026-01-01,,900\n", nil))
	for i, want := range []string{
		"1 A St, Austin, TX 78701",
		"2 A St, Unit 2B, Austin, TX",
		"3 A St, Unit 1, Austin, TX 78701",
		"3 A St, Apt. 2, Austin, TX 78701",
		"3 A St, #3, Austin, TX 78701",
	} {
		if got := b.Leases[i].RentalAddress; got != want {
			t.Errorf("lease %d: %q, want %q", i, got, want)
		}
	}
}

func TestOnlyFirstUnitOfNewPropertyIsDefault(t *testing.T) {
	b := whole(plan(
		t,
		"street_address,city,state,unit_number\n"+numbered(3)+"1420 Maple Ave,Austin,TX,9\n",
		existing(),
	))
	for i, want := range []bool{true, false, false, false} {
		if b.Units[i].IsDefault != want {
			t.Errorf("unit %d: default is %v", i, !want)
		}
	}
}

func TestUnitsJoinExistingProperty(t *testing.T) {
	p := plan(t, leaseHeader+
		"1420 MAPLE AVE.,austin,TX,78701,1A,Dana,Whitfield,,,2026-01-01,,900\n"+
		"\"5 Pine Rd, Building B\",Austin,TX,78704,,Robin,Whitfield,,,2026-01-01,,900\n"+
		"6 Pine Rd,Austin,TX,78704,,,,,,,,\n", existing())
	same(t, p.Joined, []rentroll.Joined{
		{PropertyID: "prop_maple", Units: 1},
		{PropertyID: "prop_pine", Units: 1, PostalCode: new("78704")},
	})
	same(t, []int{p.Properties, p.Units, p.Tenants, p.Leases}, []int{1, 3, 2, 2})
	b := whole(p)
	same(t, b.Units[0].PropertyID, "prop_maple")
	same(t, b.Leases[0].RentalAddress, "1420 Maple Avenue, Unit 1A, Austin, TX 78701-1234")
	same(t, b.Leases[1].RentalAddress, "5 Pine Road, Building B, Austin, TX 78704")
}

func TestActivePropertyIsPreferredOverArchived(t *testing.T) {
	x := existing()
	oak := &portfolio.Property{
		StreetAddress: "7 Oak St.",
		City:          "Austin",
		State:         "TX",
		PropertyType:  "condo",
	}
	oak.ID = "prop_oak2"
	x.Add(oak)
	p := plan(t, "street_address,city,state,year_built\n7 Oak St,Austin,TX,1990\n", x)
	same(t, p.Joined, []rentroll.Joined{{PropertyID: "prop_oak2", Units: 1, YearBuilt: new(1990)}})
}

func TestPlanPartsAddUpToWholeBook(t *testing.T) {
	roll, _ := rentroll.Read(generated(1000))
	p, problems := roll.Plan(nil, today, texas)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	var parts portfolio.Book
	there := map[string]bool{} // what a part may name
	for b := range p.Books(7) {
		parts.Properties = append(parts.Properties, b.Properties...)
		parts.Units = append(parts.Units, b.Units...)
		parts.Tenants = append(parts.Tenants, b.Tenants...)
		parts.Leases = append(parts.Leases, b.Leases...)
		for i := range b.Properties {
			there[b.Properties[i].ID] = true
		}
		for i := range b.Units {
			there[b.Units[i].ID] = there[b.Units[i].PropertyID]
		}
		for i := range b.Tenants {
			there[b.Tenants[i].ID] = there[*b.Tenants[i].UnitID] && there[*b.Tenants[i].PropertyID]
		}
		for i := range b.Leases {
			if l := &b.Leases[i]; !there[l.UnitID] || !there[l.TenantIDs[0]] {
				t.Fatalf("lease %s names what comes later", l.ID)
			}
		}
	}
	slices.SortFunc(parts.Properties, func(x, y portfolio.Property) int { return strings.Compare(x.ID, y.ID) })
	slices.SortFunc(parts.Units, func(x, y portfolio.Unit) int { return strings.Compare(x.ID, y.ID) })
	same(t, &parts, whole(p))
	same(t, whole(p), whole(p))
}

func TestBookIsConsistent(t *testing.T) {
	for i := range 30 {
		file := some(rand.New(rand.NewPCG(2, uint64(i))))
		p := plan(t, file, existing())
		if why := incoherent(p, whole(p)); why != "" {
			t.Errorf("%s, in the book of\n%s", why, file)
		}
	}
}

// some is a random roll without problems.
func some(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(leaseHeader)
	for i := range r.IntN(60) + 1 {
		street := []string{"1420 Maple Ave", "5 Pine Rd Building B", "1 A St", "2 A Street", "3 A Rd"}[r.IntN(5)]
		fmt.Fprintf(&b, "%s,Austin,TX,78701,%d,", street, 100+i)
		if r.IntN(3) == 0 {
			b.WriteString(",,,,,,\n")
			continue
		}
		who := r.IntN(20)
		fmt.Fprintf(&b, "Dana,Whitfield%d,%s,,%d-11-%02d,%s,900\n", who,
			[]string{"", fmt.Sprintf("dana%d@example.com", who)}[r.IntN(2)],
			2024+r.IntN(4), 1+r.IntN(3), []string{"", "2027-12-31"}[r.IntN(2)])
	}
	return b.String()
}

func TestLargeRollIsReadCompletely(t *testing.T) {
	const units = 20_000
	roll, problems := rentroll.Read(generated(units))
	if len(problems) > 0 || roll.Units() != units {
		t.Fatalf("%d units, problems %v", roll.Units(), problems)
	}
	p, problems := roll.Plan(&rentroll.Existing{}, today, time.UTC)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	same(t, []int{p.Properties, p.Units, p.Tenants, p.Leases}, []int{2_500, units, 14_001, 15_000})
	if why := incoherent(p, whole(p)); why != "" {
		t.Error(why)
	}
}
