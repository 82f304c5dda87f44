package docs

import (
	"strings"

	"portal/api/agreement/document"
	"portal/api/agreement/document/pdf"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/law"
	"portal/web/page"
)

// sampleDay is the day on which sample leases say that they were made.
var sampleDay = clock.Day(2026, 11, 2)

// sampleLease answers with a lease of a state between parties that do not exist.
func (p *Section) sampleLease(v *page.Request) error {
	rules := law.Of(contact.State(strings.ToUpper(v.Param("state"))))
	if rules == nil || v.Param("state") != strings.ToLower(string(rules.State)) {
		return page.NotFound
	}
	return v.Send.PDF("sample-lease-"+v.Param("state"), func() []byte {
		d := document.Compose(sampleTerms(rules.State))
		d.Title += " (sample)"
		content, err := pdf.Render(d, sampleDay.Std())
		if err != nil {
			panic(err) // a document of our own, which a test renders
		}
		return content
	})
}

// sampleTerms are those of a home with a deposit and a late fee that every state allows, built before
// 1978.
func sampleTerms(state contact.State) *document.Terms {
	const city = "Springfield, "
	return &document.Terms{
		Day: sampleDay,
		Lease: &portfolio.Lease{
			Record: portfolio.Record{ID: "lea_01KA5R2M7Q8D4E6F9G1H3J5K7M", Version: 1},
			Tenants: []portfolio.Party{
				{Name: "Dana Whitfield", Role: portfolio.PartyPrimary},
				{Name: "Sam Rivera", Role: portfolio.PartyCoTenant},
			},
			RentalAddress:    "1420 Maple Avenue, Unit 2B, " + city + string(state),
			LeaseType:        portfolio.FixedWithRollover,
			StartDate:        clock.Day(2027, 1, 1),
			EndDate:          new(clock.Day(2027, 12, 31)),
			MonthlyRent:      money.Dollars(1450),
			SecurityDeposit:  money.Dollars(1000),
			RentDueDay:       1,
			LateFeeAmount:    new(money.Dollars(20)),
			LateFeeGraceDays: new(5),
		},
		Property: &portfolio.Property{State: state, PropertyType: "apartment", YearBuilt: new(1974)},
		Unit:     &portfolio.Unit{Bedrooms: new(2), SquareFeet: new(1050)},
		Landlord: document.Landlord{
			Name:    "Harbor Lane Rentals",
			Address: "12 Harbor Lane, " + city + string(state),
			Email:   "office@example.com",
			Phone:   "(512) 555-0142",
			Signer:  "Robin Hale",
			Title:   "Owner",
		},
		Emails: []string{"dana@example.com", "sam@example.com"},
	}
}
