package records_test

import (
	"fmt"
	"math/rand/v2"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/db/portfoliostore"
)

// randomBook is a book whose values are drawn so that days and statuses meet: ends, due dates
// and balances lie close to a day, and a tenant has several leases.
type randomBook struct {
	*leaseFixture
	*rand.Rand
	today clock.Date
	portfolio.Book
}

// insertBook draws a book and writes it into a portfolio, beside what is there.
func (h *leaseFixture) insertBook(seed uint64, in access.Portfolio, today clock.Date) {
	h.Helper()
	e := &randomBook{leaseFixture: h, Rand: rand.New(rand.NewPCG(seed, uint64(in.ID))), today: today}
	for range 1 + e.IntN(5) {
		e.addProperty()
	}
	for range 1 + e.IntN(8) {
		e.addTenant()
	}
	for range e.IntN(40) {
		e.addLease()
	}
	for i := range e.IntN(20) {
		e.addTicket(int(seed)*100 + i)
	}
	h.ok(portfoliostore.New(h.db).Add(h.Context(), in, &e.Book))
}

// one of some values.
func one[T any](r *rand.Rand, of []T) *T { return &of[r.IntN(len(of))] }

// maybe a value, else null.
func maybe[T any](r *rand.Rand, v T) *T {
	if r.IntN(2) == 0 {
		return nil
	}
	return &v
}

func (e *randomBook) addProperty() {
	p := portfolio.Property{
		Record:        e.record(id.Property, "property"),
		StreetAddress: fmt.Sprint(e.IntN(2000), " Maple Avenue"),
		City:          "Austin",
		State:         "TX",
		Status:        portfolio.PropertyStatus(*one(e.Rand, portfolio.PropertyActive.Values())),
	}
	for n := range 1 + e.IntN(4) {
		e.Units = append(e.Units, portfolio.Unit{
			Record:     e.record(id.Unit, "unit"),
			PropertyID: p.ID,
			UnitNumber: fmt.Sprint(n),
			Status:     portfolio.UnitStatus(*one(e.Rand, portfolio.UnitVacant.Values())),
		})
		p.UnitCount++
	}
	e.Properties = append(e.Properties, p)
}

func (e *randomBook) addTenant() {
	t := portfolio.Tenant{
		Record:                 e.record(id.Tenant, "tenant"),
		FirstName:              fmt.Sprint("Dana ", len(e.Tenants)),
		LastName:               "Rivera",
		Status:                 portfolio.TenantStatus(*one(e.Rand, portfolio.TenantPast.Values())),
		Email:                  maybe(e.Rand, "dana@example.com"),
		Phone:                  maybe(e.Rand, "+15125550142"),
		PreferredContactMethod: maybe(e.Rand, portfolio.ContactMethod("sms")),
	}
	e.Tenants = append(e.Tenants, t)
}

func (e *randomBook) addLease() {
	u := one(e.Rand, e.Units)
	l := portfolio.Lease{
		Record:        e.record(id.Lease, "lease"),
		PropertyID:    u.PropertyID,
		UnitID:        u.ID,
		RentalAddress: fmt.Sprint("Unit ", u.UnitNumber),
		Currency:      portfolio.Currency,
		Status:        portfolio.LeaseStatus(*one(e.Rand, portfolio.LeaseDraft.Values())),
		LeaseType:     portfolio.LeaseType(*one(e.Rand, portfolio.Fixed.Values())),
		StartDate:     e.today - 300,
		EndDate:       maybe(e.Rand, e.today+clock.Date(e.IntN(12)-3)),
		MonthlyRent:   money.Cents(e.IntN(200_000)),
	}
	if e.IntN(2) == 0 {
		l.Status = portfolio.LeaseActive
	}
	for i, n := range e.Perm(len(e.Tenants))[:1+e.IntN(min(3, len(e.Tenants)))] {
		role := []portfolio.PartyRole{portfolio.PartyPrimary, portfolio.PartyCoTenant, portfolio.PartyGuarantor}[i]
		l.TenantIDs, l.Tenants = append(l.TenantIDs, e.Tenants[n].ID), append(l.Tenants, portfolio.Party{
			ID:   e.Tenants[n].ID,
			Role: role,
		})
	}
	e.Leases = append(e.Leases, l)
	for range e.IntN(6) {
		e.addPayment(&l)
	}
}

func (e *randomBook) addPayment(l *portfolio.Lease) {
	p := portfolio.Payment{
		Record:     e.record(id.Payment, "payment"),
		LeaseID:    l.ID,
		TenantID:   l.TenantIDs[0],
		UnitID:     l.UnitID,
		PropertyID: l.PropertyID,
		Type:       portfolio.PaymentRent,
		Status:     portfolio.PaymentStatus(*one(e.Rand, portfolio.PaymentDue.Values())),
		Amount:     money.Cents(e.IntN(4)),
		DueDate:    e.today + clock.Date(e.IntN(9)-6),
	}
	p.AmountPaid = money.Cents(e.IntN(int(p.Amount) + 1))
	if e.IntN(4) == 0 {
		p.Type = portfolio.PaymentType(*one(e.Rand, portfolio.PaymentRent.Values()))
	}
	e.Payments = append(e.Payments, p)
}

func (e *randomBook) addTicket(n int) {
	u := one(e.Rand, e.Units)
	e.Tickets = append(e.Tickets, portfolio.Ticket{
		Record:     e.record(id.Ticket, "maintenance_ticket"),
		Number:     fmt.Sprint("T-", 1001+n),
		PropertyID: u.PropertyID,
		UnitID:     &u.ID,
		Status:     portfolio.TicketStatus(*one(e.Rand, portfolio.TicketOpen.Values())),
	})
}
