// Package documenttest has leases for tests.
package documenttest

import (
	"fmt"
	"iter"
	"slices"

	"portal/api/agreement/document"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/law"
	"portal/api/portfolio/lease/terms"
	"portal/api/sampled"
)

// Terms are those of a lease of a year in a state, with everything in it.
func Terms(state contact.State) *document.Terms {
	return &document.Terms{
		Day: clock.Day(2026, 11, 24),
		Lease: &portfolio.Lease{
			Record: portfolio.Record{ID: "lea_01KA5R2M7Q8D4E6F9G1H3J5K7M", Version: 1},
			Tenants: []portfolio.Party{
				{ID: "ten_1", Name: "Nguyễn Thị Phương Thảo", Role: portfolio.PartyPrimary},
				{ID: "ten_2", Name: "Łukasz Żółć", Role: portfolio.PartyCoTenant},
				{ID: "ten_3", Name: "Ada Márquez", Role: portfolio.PartyGuarantor},
			},
			RentalAddress:    "1420 Maple Avenue, Unit 2B, Springfield, " + string(state) + " 78701",
			LeaseType:        portfolio.Fixed,
			StartDate:        clock.Day(2027, 1, 9),
			EndDate:          new(clock.Day(2028, 1, 8)),
			MonthlyRent:      money.Cents(145050),
			SecurityDeposit:  money.Dollars(1000),
			RentDueDay:       3,
			LateFeeAmount:    new(money.Dollars(25)),
			LateFeeGraceDays: new(5),
			Terms:            leaseTerms(),
		},
		Property: &portfolio.Property{State: state, PropertyType: "apartment", YearBuilt: new(1974)},
		Unit:     &portfolio.Unit{Bedrooms: new(2), Bathrooms: new(portfolio.Half(3)), SquareFeet: new(1050)},
		Landlord: document.Landlord{
			Name:    "Harbor Lane Rentals LLC",
			Address: "12 Harbor Lane, Springfield, " + string(state) + " 78702",
			Email:   "office@harborlane.example",
			Phone:   "+15125550142",
			Signer:  "Dana Whitfield",
			Title:   "Owner",
		},
		Version: 1,
		Emails:  []string{"thao@example.com", "lukasz@example.com", ""},
	}
}

// leaseTerms are those that lists do not show, without answers about disclosures.
func leaseTerms() terms.Terms {
	return terms.Terms{
		LateFeeFrequency:   terms.Once,
		ReturnedPaymentFee: new(money.Dollars(15)),
		Occupants:          []string{"Mai Nguyễn", "Jan Żółć"},
		Pets: []terms.Pet{
			{Kind: "Cat [indoor|outdoor]", Name: new("Łatek"), WeightPounds: new(9)}, {Kind: "Fish, 10%"},
		},
		Vehicles: []terms.Vehicle{
			{Make: "Toyota", Model: new("Corolla"), Plate: new("ABC 1234")}, {Make: "Vespa"},
		},
		Utilities: []terms.Utility{
			{Name: "water", PaidBy: terms.Landlord}, {Name: "electricity", PaidBy: terms.Tenant},
		},
		Clauses: terms.Clauses{Pets: new("One cat is allowed.\nNo other pets.")},
		Fees: []terms.Fee{
			{Name: "Parking [space 4|5]", Amount: money.Dollars(50), Frequency: terms.Monthly},
			{
				Name:       "Garage remote",
				Amount:     money.Dollars(40),
				Frequency:  terms.OneTime,
				Refundable: true,
			},
		},
		LeadPaint: &terms.LeadPaint{Hazards: terms.NoHazards, Records: terms.NoRecords},
	}
}

// Answer answers every disclosure of the state in one way. One that applies gets a text.
func Answer(t *document.Terms, applies bool) {
	for _, d := range law.Of(t.Property.State).Disclosures {
		a := terms.Answer{Code: d.Code, Applies: applies}
		if applies {
			a.Text = new("About " + d.Code + ", see the letter.\nIt is attached.")
		}
		t.Lease.Terms.Answers = append(t.Lease.Terms.Answers, a)
	}
}

// inEveryLease are words of every lease of these terms, whatever the state.
var inEveryLease = []string{
	"Residential lease",
	"It is not legal advice.",
	"Harbor Lane Rentals LLC",
	"Nguyễn Thị Phương Thảo",
	"Łukasz Żółć",
	"Ada Márquez",
	"12 Harbor Lane, Springfield",
	"$1,450.50 a month",
	"due on the 3rd",
	"security deposit of $1,000",
	"late fee of $25",
	"1. Parties",
	"20. Disclosures",
	"A. Lead-based paint addendum",
	"25. Electronic records and signatures",
	"26. Guaranty",
	"27. Signatures",
	"late fee of $25 for that payment",
	"One cat is allowed.",
	"No other pets.",
	"These animals may live in the home: Cat [indoor|outdoor] Łatek (9 lb) and Fish, 10%.",
	"The tenants have named these vehicles: Toyota Corolla (ABC 1234) and Vespa.",
	"The landlord pays for water.",
	"The tenants arrange and pay for electricity.",
	"Of utilities that are not named here, the tenants arrange and pay for those that have a meter",
	"Assistance animals are not pets.",
	"50 U.S.C. 3955",
	"15 U.S.C. 7001",
	"40 CFR 745.113",
	"the official text must be attached",
	"Mai Nguyễn and Jan Żółć",
	"(512) 555-0142",
	"1.5 bathrooms",
	"The landlord hands over the keys on the first day of the term",
	"For January 9 to January 31, 2027 the monthly fees come to $37.10.",
	"check or money order, handed or mailed to the landlord at 12 Harbor Lane",
	"For January 9 to January 31, 2027 the tenants owe $1,076.18, due on January 9, 2027.",
	"Parking [space 4|5]: $50 each month, with the rent; not refundable.",
	"Garage remote: $40 once, before moving in; refundable.",
	"a fee of $15",
	"For each payment that the bank returns",
	"$2,153.28: the first rent of $1,076.18, the security deposit of $1,000, one-time fees of $40 and the first " +
		"monthly fees of $37.10",
	"$1,500.50: the rent and $50 of monthly fees",
	"The returned payment fee is owed only if the bank returns a payment.",
	"The landlord knows of no lead-based paint",
	"The landlord has no records or reports",
	"By signing, the tenants confirm that they have received",
}

// Must is what a lease of a state has to say, whatever it is rendered to.
func Must(t *document.Terms) []string {
	l, rules := t.Lease, law.Of(t.Property.State)
	all := append(slices.Clone(inEveryLease),
		l.RentalAddress,
		rules.Name+"’s rules",
		rules.Statute,
		fmt.Sprintf("within %d days", rules.Deposit.ReturnDays),
		fmt.Sprintf("when %d days have passed", max(5, rules.GraceDays)),
	)
	if h := rules.Notice.EntryHours; h != nil {
		all = append(all, fmt.Sprintf("notice of at least %d hours", *h))
	} else {
		all = append(all, "reasonable notice, normally 24 hours")
	}
	if days := rules.Notice.NonpaymentDays; days > 0 {
		all = append(all, fmt.Sprintf("pay within at least %d day", days))
	}
	if days := rules.Notice.MonthToMonthDays; days != nil && l.LeaseType != portfolio.Fixed {
		all = append(all, fmt.Sprintf("written notice of at least %d days", *days))
	}
	for _, limit := range rules.LateFee.Limits {
		all = append(all, limit.Text)
	}
	for _, d := range t.Disclosures() {
		all = append(all, d.Title, d.Reason)
		if d.Authority != nil {
			all = append(all, *d.Authority)
		}
	}
	for _, a := range l.Terms.Answers {
		if a.Applies && a.Text != nil {
			all = append(all, "About "+a.Code+", see the letter.")
		}
	}
	switch l.LeaseType {
	case portfolio.MonthToMonth:
		return append(all, "From January 9, 2027, month to month", "runs from month to month")
	case portfolio.FixedWithRollover:
		return append(all, "January 9, 2027 to January 8, 2028, then month to month")
	}
	return append(all, "January 9, 2027 to January 8, 2028", "starts on January 9, 2027 and ends on January 8, 2028")
}

// Leases are a lease of every state and every type.
func Leases() iter.Seq[*document.Terms] { return leases(law.All()) }

// Some are a lease of every type of every seventh state and of those whose documents differ in their
// form: Illinois has a page at the front, DC another name within sentences. With PORTAL_PROVE they are
// the leases of all states.
func Some() iter.Seq[*document.Terms] {
	if sampled.Whole {
		return Leases()
	}
	var some []*law.Rules
	for i, rules := range law.All() {
		if i%7 == 0 || rules.State == "IL" || rules.State == "DC" {
			some = append(some, rules)
		}
	}
	return leases(some)
}

func leases(of []*law.Rules) iter.Seq[*document.Terms] {
	return func(yield func(*document.Terms) bool) {
		for _, rules := range of {
			for _, kind := range []portfolio.LeaseType{
				portfolio.Fixed, portfolio.FixedWithRollover, portfolio.MonthToMonth,
			} {
				of := Terms(rules.State)
				of.Lease.LeaseType = kind
				if kind == portfolio.MonthToMonth {
					of.Lease.EndDate = nil
				}
				if !yield(of) {
					return
				}
			}
		}
	}
}
