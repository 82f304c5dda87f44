package dbtest

import (
	"fmt"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
)

// LargeBook is a portfolio of so many properties with a unit each, and one more property with 500 units.
// Each unit is let, has a ticket, and the rents of a year, of which the last one is due.
func LargeBook(in access.Portfolio, properties int) *portfolio.Book {
	b := &large{in: in, now: Noon().Std().Add(-time.Duration(properties) * time.Second)}
	for i := range properties + 1 {
		b.now = b.now.Add(time.Second)
		units := 1
		if i == properties {
			units = 500
		}
		p := portfolio.Property{
			Record:             b.record(id.Property, "property"),
			StreetAddress:      fmt.Sprint(i, " Elm Street"),
			City:               []string{"Austin", "Dallas", "Waco"}[i%3],
			State:              "TX",
			Country:            "US",
			PropertyType:       "condo",
			UnitCount:          units,
			OccupiedUnitCount:  units,
			Status:             portfolio.PropertyActive,
			VerificationStatus: portfolio.Verified,
		}
		b.Properties = append(b.Properties, p)
		for k := range units {
			b.let(&p, fmt.Sprint(k), i)
		}
	}
	return &b.Book
}

// large is a book as it is filled.
type large struct {
	portfolio.Book
	in  access.Portfolio
	now time.Time
}

func (b *large) record(prefix, object string) portfolio.Record {
	return Record(prefix, object, b.in.Mode, b.now)
}

// let adds a unit of a property with its tenant, lease, ticket and charges.
func (b *large) let(p *portfolio.Property, number string, i int) {
	u := portfolio.Unit{
		Record:     b.record(id.Unit, "unit"),
		PropertyID: p.ID,
		UnitNumber: number,
		Currency:   portfolio.Currency,
		Status:     portfolio.UnitOccupied,
	}
	t := portfolio.Tenant{
		Record:     b.record(id.Tenant, "tenant"),
		FirstName:  "Dana",
		LastName:   fmt.Sprint("Whitfield ", i),
		Email:      new(fmt.Sprintf("dana%d@example.com", i)),
		Status:     portfolio.TenantCurrent,
		PropertyID: &p.ID,
		UnitID:     &u.ID,
	}
	l := portfolio.Lease{
		Record:        b.record(id.Lease, "lease"),
		Status:        portfolio.LeaseActive,
		PropertyID:    p.ID,
		UnitID:        u.ID,
		LeaseType:     portfolio.Fixed,
		StartDate:     clock.Day(2026, 1, 1),
		EndDate:       new(clock.Day(2026, 12, 31)),
		MonthlyRent:   money.Dollars(1450),
		Currency:      portfolio.Currency,
		RentDueDay:    1,
		RentalAddress: p.StreetAddress,
		TenantIDs:     []string{t.ID},
		Tenants:       []portfolio.Party{{ID: t.ID, Role: portfolio.PartyPrimary}},
	}
	u.CurrentLeaseID = &l.ID
	b.Units, b.Tenants, b.Leases = append(b.Units, u), append(b.Tenants, t), append(b.Leases, l)
	b.Tickets = append(b.Tickets, portfolio.Ticket{
		Record:     b.record(id.Ticket, "maintenance_ticket"),
		Number:     fmt.Sprintf("T-%d", 1000+len(b.Tickets)),
		PropertyID: p.ID,
		UnitID:     &u.ID,
		TenantID:   &t.ID,
		LeaseID:    &l.ID,
		Title:      "Kitchen tap drips",
		Status:     portfolio.TicketOpen,
		Priority:   portfolio.PriorityNormal,
		Category:   "plumbing",
		Source:     "manager",
		Currency:   portfolio.Currency,
	})
	b.charge(&l)
}

// charge adds the rents of a year, of which the last one is due and those before are paid.
func (b *large) charge(l *portfolio.Lease) {
	for month := time.January; month <= time.December; month++ {
		status, paid := portfolio.PaymentSucceeded, l.MonthlyRent
		if month == time.December {
			status, paid = portfolio.PaymentDue, 0
		}
		b.Payments = append(b.Payments, portfolio.Payment{
			Record:     b.record(id.Payment, "payment"),
			LeaseID:    l.ID,
			TenantID:   l.TenantIDs[0],
			UnitID:     l.UnitID,
			PropertyID: l.PropertyID,
			Type:       portfolio.PaymentRent,
			Amount:     l.MonthlyRent,
			AmountPaid: paid,
			Currency:   portfolio.Currency,
			Status:     status,
			DueDate:    clock.Day(2026, month, 1),
		})
	}
}
