package demo_test

import (
	"strings"
	"testing"

	"portal/api/portfolio"
)

func TestRentalAddressNamesUnitUnlessOnlyOne(t *testing.T) {
	each(t, func(t *testing.T, s *datedBook) {
		houses, flats := 0, 0
		for _, l := range s.Leases {
			p, u := s.properties[l.PropertyID], s.units[l.UnitID]
			if !strings.HasPrefix(l.RentalAddress, p.StreetAddress+", ") ||
				!strings.HasSuffix(l.RentalAddress, ", "+city(p)) {
				t.Errorf("%q is not at %s", l.RentalAddress, p.StreetAddress)
			}
			middle := strings.TrimSuffix(strings.TrimPrefix(l.RentalAddress, p.StreetAddress), ", "+city(p))
			if p.StreetAddress2 != nil {
				middle = strings.TrimPrefix(middle, ", "+*p.StreetAddress2)
			}
			switch {
			case p.PropertyType == "single_family" && p.UnitCount == 1:
				houses++
				if middle != "" {
					t.Errorf("%q names a unit of a house", l.RentalAddress)
				}
			case p.UnitCount > 1:
				flats++
				if middle != ", Unit "+u.UnitNumber && (middle != ", "+u.UnitNumber || len(u.UnitNumber) < 5) {
					t.Errorf("%q does not name unit %s", l.RentalAddress, u.UnitNumber)
				}
			}
		}
		if houses == 0 || flats == 0 {
			t.Errorf("%d houses, %d flats", houses, flats)
		}
	})
}

func city(p *portfolio.Property) string {
	line := p.City + ", " + string(p.State)
	if p.PostalCode != nil {
		line += " " + *p.PostalCode
	}
	return line
}
