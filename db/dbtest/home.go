package dbtest

import (
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/portfoliostore"
)

// Home is a landlord with one vacant unit in each portfolio, for tests of the rules.
type Home struct {
	AccountID  string
	Email      string
	Zone       *time.Location // of the account: a caller's zone is that of their account
	Live, Test access.Portfolio
	Unit       map[access.Mode]portfolio.Unit
}

// NewHome adds one, named by the part of the email address before the @.
func NewHome(t testing.TB, d *db.DB, name string) Home {
	t.Helper()
	l := LandlordIn(t, d, name)
	zone, err := clock.Zone(l.Account.TimeZone)
	OK(t, err)
	h := Home{
		AccountID: l.Account.ID,
		Email:     l.Email,
		Zone:      zone,
		Live:      l.Live,
		Test:      l.Test,
		Unit:      map[access.Mode]portfolio.Unit{},
	}
	for _, in := range []access.Portfolio{h.Live, h.Test} {
		p := portfolio.Property{
			Record:             Record(id.Property, "property", in.Mode, Now),
			StreetAddress:      "1420 Maple Avenue",
			City:               "Austin",
			State:              "TX",
			PostalCode:         new("78701"),
			Country:            "US",
			PropertyType:       "apartment",
			UnitCount:          1,
			Status:             portfolio.PropertyActive,
			VerificationStatus: portfolio.Verified,
		}
		u := portfolio.Unit{
			Record:     Record(id.Unit, "unit", in.Mode, Now),
			PropertyID: p.ID,
			UnitNumber: "2B",
			Bedrooms:   new(2),
			Bathrooms:  new(portfolio.Half(3)),
			SquareFeet: new(1860),
			MarketRent: new(money.Dollars(1450)),
			Currency:   portfolio.Currency,
			Status:     portfolio.UnitVacant,
		}
		OK(t, portfoliostore.New(d).Add(t.Context(), in, &portfolio.Book{
			Properties: []portfolio.Property{p},
			Units:      []portfolio.Unit{u},
		}))
		h.Unit[in.Mode] = u
	}
	return h
}

// Noon is when the tests take place, in the landlord's zone at six in the morning.
func Noon() clock.Time { return clock.At(Now) }
