package records_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/property"
	"portal/db/portfoliostore"
)

// propertyAndUnit is the property of the fixture and its first unit, as they are now.
func (h *leaseFixture) propertyAndUnit() (*portfolio.PropertyWithUnits, portfolio.Unit) {
	h.Helper()
	p, err := h.Properties.Property(h.Context(), h.by, h.home.Unit[h.by.Portfolio.Mode].PropertyID)
	h.ok(err)
	return p, p.Units[0]
}

// refusedAt checks the code and the field of a refusal.
func (h *leaseFixture) refusedAt(err error, code fault.Code, param string) {
	h.Helper()
	if !fault.Is(err, code) || fault.From(err).Param != param {
		h.Errorf("want %s at %q: %v", code, param, err)
	}
}

func TestAddingUnitUpdatesItsProperty(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		before, _ := h.propertyAndUnit()
		m, err := h.Units.AddUnit(h.Context(), h.by, before.ID, property.UnitAdd{
			UnitNumber: "2C",
			Bedrooms:   new(0),
			Bathrooms:  new(portfolio.Half(3)),
			SquareFeet: new(420),
			MarketRent: new(money.Dollars(980)),
		})
		h.ok(err)
		after, _ := h.propertyAndUnit()
		u := after.Units[1]
		if u.ID != m.After.ID || u.Status != portfolio.UnitVacant || u.IsDefault || *u.Bedrooms != 0 ||
			*u.Bathrooms != 3 || u.Version != 1 {
			h.Errorf("%+v", u)
		}
		if after.UnitCount != 2 || after.Version != before.Version+1 {
			h.Errorf("%+v", after.Property)
		}
		for _, taken := range []string{"2B", "2b", "2c"} {
			_, err := h.Units.AddUnit(h.Context(), h.by, before.ID, property.UnitAdd{UnitNumber: taken})
			h.refusedAt(err, fault.InvalidField, "unit_number")
		}
		_, err = h.Units.AddUnit(h.Context(), h.owner(access.Test), before.ID, property.UnitAdd{UnitNumber: "9"})
		h.refusedAt(err, fault.NoRecord, "")
		reader := h.by
		reader.Scopes = access.Scopes{access.Read}
		_, err = h.Units.AddUnit(h.Context(), reader, before.ID, property.UnitAdd{UnitNumber: "9"})
		h.refusedAt(err, fault.ScopeRequired, "")
	})
}

func TestUnitsAreLimitedByPlan(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		p, _ := h.propertyAndUnit()
		h.by.Units = new(4)
		var all sync.WaitGroup
		errs := make([]error, 8)
		for i := range errs {
			all.Go(func() {
				_, errs[i] = h.Units.AddUnit(h.Context(), h.by, p.ID, property.UnitAdd{UnitNumber: fmt.Sprint("N", i)})
			})
		}
		all.Wait()
		added := 0
		for _, err := range errs {
			if err == nil {
				added++
				continue
			}
			h.refusedAt(err, fault.UnitLimitReached, "")
		}
		if p, _ := h.propertyAndUnit(); added != 3 || p.UnitCount != 4 || len(p.Units) != 4 {
			h.Errorf("%d were added: %+v", added, p.Property)
		}
	})
}

func TestUnitUpdateWithoutChangesKeepsVersion(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		p, u := h.propertyAndUnit()
		other, err := h.Units.AddUnit(h.Context(), h.by, p.ID, property.UnitAdd{UnitNumber: "3A"})
		h.ok(err)
		update := property.UnitUpdate{
			UnitNumber: change.To("2b"),
			Bedrooms:   change.To[*int](nil),
			MarketRent: change.To(new(money.Cents(151050))),
		}
		m, err := h.Units.UpdateUnit(h.Context(), h.by, change.Target{ID: u.ID, Version: &u.Version}, update)
		h.ok(err)
		a := m.After
		if a.UnitNumber != "2b" || a.Bedrooms != nil || *a.MarketRent != 151050 || *a.SquareFeet != 1860 ||
			a.Version != u.Version+1 {
			h.Errorf("%+v", a)
		}
		after, _ := h.propertyAndUnit()
		if after.Version != p.Version+2 { // the unit that was added, and this
			h.Errorf("the property is at %d, was at %d", after.Version, p.Version)
		}
		again, err := h.Units.UpdateUnit(h.Context(), h.by, change.Target{ID: u.ID}, update)
		h.ok(err)
		if p, _ := h.propertyAndUnit(); again.After.Version != m.After.Version || p.Version != after.Version {
			h.Error("a change of nothing raised a version")
		}
		_, err = h.Units.UpdateUnit(
			h.Context(),
			h.by,
			change.Target{ID: u.ID, Version: &u.Version},
			property.UnitUpdate{Bedrooms: change.To(new(3))},
		)
		h.refusedAt(err, fault.StaleWrite, "")
		_, err = h.Units.UpdateUnit(h.Context(), h.by, change.Target{ID: other.After.ID}, update)
		h.refusedAt(err, fault.InvalidField, "unit_number")
		_, err = h.Units.UpdateUnit(h.Context(), h.owner(access.Test), change.Target{ID: u.ID}, update)
		h.refusedAt(err, fault.NoRecord, "")
	})
}

func TestLeasedUnitCannotBeTakenOffMarket(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		_, u := h.propertyAndUnit()
		_, err := h.Units.TakeOffMarket(h.Context(), h.by, change.Target{ID: u.ID})
		h.refusedAt(err, fault.InvalidTransition, "")
		l := h.lease(portfolio.LeaseSigned, clock.Day(2027, 1, 1), h.tenants[1])
		h.ok(portfoliostore.New(h.db).AddPeople(h.Context(), h.by.Portfolio, &portfolio.Book{
			Leases: []portfolio.Lease{l},
		}))
		_, err = h.Leases.UpdateLease(
			h.Context(),
			h.by,
			change.Target{ID: h.let},
			lease.Update{Status: change.To(portfolio.LeaseTerminated)},
		)
		h.ok(err)
		_, err = h.Units.TakeOffMarket(h.Context(), h.by, change.Target{ID: u.ID})
		h.refusedAt(err, fault.InvalidTransition, "") // it will be let
	})
}

func TestVacantUnitGoesOffMarketAndBack(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		_, err := h.Leases.UpdateLease(
			h.Context(),
			h.by,
			change.Target{ID: h.let},
			lease.Update{Status: change.To(portfolio.LeaseTerminated)},
		)
		h.ok(err)
		p, u := h.propertyAndUnit()
		m, err := h.Units.TakeOffMarket(h.Context(), h.by, change.Target{ID: u.ID, Version: &u.Version})
		h.ok(err)
		after, _ := h.propertyAndUnit()
		if m.After.Status != portfolio.UnitOffMarket || after.Version != p.Version+1 {
			h.Errorf("%+v, %+v", m.After, after.Property)
		}
		m, err = h.Units.PutOnMarket(h.Context(), h.by, change.Target{ID: u.ID})
		h.ok(err)
		if m.After.Status != portfolio.UnitVacant {
			h.Errorf("%+v", m.After)
		}
		m, err = h.Units.PutOnMarket(h.Context(), h.by, change.Target{ID: u.ID})
		h.ok(err)
		if m.After.Version != m.Before.Version {
			h.Error("putting back what is there raised a version")
		}
	})
}

func TestPropertyUnitsArePagedWithTheirTenants(t *testing.T) {
	inEach(t, func(h *leaseFixture) {
		p, let := h.propertyAndUnit()
		for i := range 5 {
			_, err := h.Units.AddUnit(h.Context(), h.by, p.ID, property.UnitAdd{UnitNumber: fmt.Sprint("N", i)})
			h.ok(err)
		}
		let.CurrentLeaseID, let.Status = &h.let, portfolio.UnitOccupied
		h.ok(portfoliostore.New(h.db).SaveUnit(h.Context(), h.by.Portfolio, &let))
		var numbers []string
		f := portfolio.UnitFilter{Query: list.Query{Limit: 4}, PropertyID: p.ID}
		for {
			got, page, parties, err := h.Properties.PropertyUnits(h.Context(), h.by, f)
			h.ok(err)
			for _, u := range page.Data {
				numbers = append(numbers, u.UnitNumber)
			}
			if got.ID != p.ID || len(numbers) == 4 && (len(parties) != 1 || parties[h.let][0].Name != "Dana Rivera") {
				h.Errorf("%+v: %v", got, parties)
			}
			if page.NextCursor == nil {
				break
			}
			f.StartingAfter = *page.NextCursor
		}
		if want := []string{"2B", "N0", "N1", "N2", "N3", "N4"}; !slices.Equal(numbers, want) {
			h.Errorf("%q", numbers)
		}
		stranger := h.owner(access.Test)
		if _, _, _, err := h.Properties.PropertyUnits(h.Context(), stranger, f); !fault.Is(err, fault.NoRecord) {
			h.Error(err)
		}
		homes, err := h.Homes.Homes(h.Context(), h.by, []string{let.ID, let.ID, "unit_none"})
		h.ok(err)
		if len(homes) != 1 || homes[let.ID].Address() != "1420 Maple Avenue, Unit 2B, Austin, TX 78701" {
			h.Errorf("%+v", homes)
		}
		homes, err = h.Homes.Homes(h.Context(), stranger, []string{let.ID})
		h.ok(err)
		home, err := h.Homes.Home(h.Context(), h.by, let.ID)
		h.ok(err)
		_, lost := h.Homes.Home(h.Context(), stranger, let.ID)
		if len(homes) != 0 || home.Street() != "1420 Maple Avenue, Unit 2B" || !fault.Is(lost, fault.NoRecord) {
			h.Errorf("%v %+v %v", homes, home, lost)
		}
	})
}
