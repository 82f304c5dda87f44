// Package simulate lets things happen in a demo portfolio, by the real rules, so that anyone who
// builds on the API sees an event without waiting for one; and it puts such a portfolio
// back to what it was on the first day.
//
// It never touches a live portfolio. It knows no SQL and no surface.
package simulate

import (
	"context"
	"errors"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/api/portfolio/demo"
	"portal/api/portfolio/lease/terms"
	"portal/api/portfolio/property"
	"portal/api/portfolio/records"
	"portal/api/quota"
	"portal/api/tenantportal"
)

// Store is where the records of demo portfolios are.
type Store interface {
	portfolio.Store
	AddPeople(ctx context.Context, in access.Portfolio, b *portfolio.Book) error
	Tickets(ctx context.Context, in access.Portfolio, f portfolio.TicketFilter) ([]portfolio.Ticket, error)
	// Residents names the primary tenant of each active lease, in ascending id of the leases.
	Residents(ctx context.Context, in access.Portfolio) ([]string, error)
	// RentOwed names rents of which something is owed, at most so many: those that have been owed longest, or
	// else those that fall due next. The lease and the tenant of the filter narrow them down.
	RentOwed(ctx context.Context, in access.Portfolio, f portfolio.PaymentFilter, most int) ([]string, error)
	// RentAhead lists active leases whose rent can be charged further ahead, at most so many: those that are
	// charged for the shortest time first.
	RentAhead(ctx context.Context, in access.Portfolio, most int) ([]Ahead, error)
	// NewestRent names the rent of a lease that was charged last, void rent apart, "" where there is none.
	NewestRent(ctx context.Context, in access.Portfolio, leaseID string) (string, error)
	// ClearDemo deletes all that belongs to a demo portfolio, and refuses a live one. What
	// its developers made stays: keys, webhook endpoints and the log of requests.
	ClearDemo(ctx context.Context, in access.Portfolio) error
	// SetAutoCharge has the ledger of a portfolio charge by itself from a moment on.
	SetAutoCharge(ctx context.Context, in access.Portfolio, since *clock.Time) error
	Add(ctx context.Context, in access.Portfolio, b *portfolio.Book) error
	AddTemplate(ctx context.Context, in access.Portfolio, t *agreement.LeaseTemplate) error
	// TestClock and SetTestClock are of a demo portfolio that its transaction has locked.
	TestClock(ctx context.Context, in access.Portfolio) (portfolio.TestClock, error)
	SetTestClock(ctx context.Context, in access.Portfolio, c portfolio.TestClock) error
	// Advancing calls back with each demo portfolio whose clock is being advanced and the time zone, and gives the
	// errors of all calls.
	Advancing(ctx context.Context, each func(in access.Portfolio, zone string) error) error
}

// Simulator makes what happens in demo portfolios.
type Simulator struct {
	Store      Store
	Portfolio  *records.Service
	Agreements *agreement.Service    // generates leases to be signed
	Signings   *ceremony.Service     // on whose pages the parties sign
	Tenants    *tenantportal.Service // on whose pages they report problems
	Payments   *simulated.Payments   // with which they pay rent
	Mail       *mail.Service         // in which their codes arrive
	Trail      audit.Log             // tells which user reset a portfolio
	Clocks     ClockQueue            // may be nil: a periodic job advances test clocks
}

// Session is a demo portfolio in which something is to happen.
type Session struct {
	*Simulator
	by      access.Actor
	present bool // it was brought to the present day
}

// all is more than a demo portfolio holds.
var all = list.Query{Limit: 1_000_000}

// Session is the actor's demo portfolio, brought to the present day.
func (s *Simulator) Session(ctx context.Context, by access.Actor) (*Session, error) {
	if by.Portfolio.Mode != access.Test {
		return nil, fault.Of(fault.NoRecord)
	}
	return &Session{s, by, true}, s.Portfolio.Calendar.RollOver(ctx, by.Portfolio, by.Zone)
}

// Happen makes an event of a kind happen in the actor's demo portfolio, and names the
// record that it is about. What cannot happen, as nothing is left that it could happen to,
// is fault.InvalidTransition.
func (s *Simulator) Happen(ctx context.Context, by access.Actor, kind string) (id string, err error) {
	return s.HappenTo(ctx, by, kind, event.Choice{})
}

// HappenTo is Happen to whom the caller chooses. A record that does not exist in the portfolio is not found,
// and what cannot happen to one that does is fault.InvalidTransition.
func (s *Simulator) HappenTo(
	ctx context.Context, by access.Actor, kind string, c event.Choice,
) (id string, err error) {
	if by.Portfolio.Mode != access.Test {
		return "", fault.Of(fault.NoRecord)
	}
	return (&Session{s, by, false}).Happen(ctx, kind, c)
}

// Happen makes an event of a kind happen; see Simulator.HappenTo.
func (s *Session) Happen(ctx context.Context, kind string, c event.Choice) (id string, err error) {
	k, known := event.Of(kind)
	if !known {
		return "", fault.New(fault.InvalidField, "There is no event %q.", kind)
	}
	return k.Trigger.Happen(s, ctx, c)
}

// SignLease is event.Scene's.
func (s *Session) SignLease(ctx context.Context, c event.Choice) (string, error) {
	ctx = change.Wholly(ctx)
	sign := func() (string, error) { return foundBefore(ctx, s, s.findSigning, s.signFound) }
	if c.LeaseID != nil {
		sign = func() (string, error) {
			return s.alone(ctx, func(ctx context.Context) (string, error) { return s.signThis(ctx, *c.LeaseID) })
		}
	}
	leaseID, err := sign()
	if refused, is := errors.AsType[*fault.Error](err); is && refusals[refused.Code.Entry().Type] {
		err = nothing(refused.Message) // such as a landlord who has no address for notices
	}
	return leaseID, err
}

// refusals are the types of faults by which a rule refuses a lease, or what is done with it.
var refusals = map[fault.Type]bool{fault.Validation: true, fault.Conflict: true}

// PayRent is event.Scene's.
func (s *Session) PayRent(ctx context.Context, c event.Choice) (string, error) {
	pay := func(ctx context.Context, row *portfolio.Payment, err error) (string, error) {
		if err != nil {
			return "", err
		}
		return row.ID, s.payByCard(ctx, row)
	}
	if c.PaymentID != nil {
		return s.alone(ctx, func(ctx context.Context) (string, error) {
			row, err := s.thisRent(ctx, *c.PaymentID)
			return pay(ctx, row, err)
		})
	}
	return foundBefore(ctx, s, func(ctx context.Context) (rentChoice, error) { return s.findRent(ctx, c) },
		func(ctx context.Context, found rentChoice) (string, error) {
			row, err := s.rentOf(ctx, c, found)
			return pay(ctx, row, err)
		})
}

// alone makes something happen in one transaction, in which nobody else changes the
// portfolio: what is picked stays as it was when it was looked at.
func (s *Session) alone(ctx context.Context, happen func(context.Context) (string, error)) (id string, err error) {
	err = s.Store.Exclusively(ctx, s.by.Portfolio, func(ctx context.Context) (err error) {
		id, err = s.today(ctx, happen)
		return err
	})
	return id, err
}

// today makes something happen in a portfolio that is brought to the present day before.
func (s *Session) today(ctx context.Context, happen func(context.Context) (string, error)) (id string, err error) {
	if !s.present {
		err = s.Portfolio.Calendar.RollOver(ctx, s.by.Portfolio, s.by.Zone)
	}
	if err == nil {
		id, err = happen(ctx)
	}
	if err == nil {
		err = quota.Check(ctx, s.Store, s.by.Portfolio)
	}
	return id, err
}

// nothing says why something cannot happen any more.
func nothing(why string) error {
	return fault.New(fault.InvalidTransition, "%s", why)
}

// Reset puts the actor's demo portfolio back to what it was on the first day, with days
// counted from the present one: all of it or, where anything fails, nothing. Changes of the
// portfolio that are under way come before or after it. No delivery that was pending is
// sent afterwards. Only an owner may: others work there too.
func (s *Simulator) Reset(ctx context.Context, by access.Actor) error {
	switch {
	case by.Portfolio.Mode != access.Test:
		return fault.Of(fault.NoRecord)
	case by.Role != access.Owner:
		return fault.New(
			fault.OwnerRequired,
			"Only an owner can reset the demo portfolio: all who use it lose what they have changed there.",
		)
	}
	book := demo.Book(s.Portfolio.Now(by.Portfolio), by.Zone)
	return s.Store.Atomically(ctx, func(ctx context.Context) error {
		if err := s.Store.Lock(ctx, by.Portfolio); err != nil {
			return err
		}
		if err := s.Store.ClearDemo(ctx, by.Portfolio); err != nil {
			return err
		}
		if err := s.Store.Add(ctx, by.Portfolio, &book); err != nil {
			return err
		}
		template := agreement.DemoTemplate(by.Portfolio, s.Portfolio.Now(by.Portfolio))
		if err := s.Store.AddTemplate(ctx, by.Portfolio, template); err != nil {
			return err
		}
		if err := s.Store.SetAutoCharge(ctx, by.Portfolio, new(clock.At(s.Portfolio.Now(by.Portfolio)))); err != nil {
			return err
		}
		done := audit.Event{AccountID: by.AccountID, Action: "demo.reset", Target: by.AccountID}
		if by.KeyID != "" { // the entry names no user then
			done.Details = map[string]string{"key": by.KeyID}
		}
		return s.Trail.Record(ctx, done)
	})
}

// UnitCreate is a further unit of a property.
type UnitCreate struct {
	// The property.
	PropertyID string `json:"property_id" format:"ref" prefix:"prop"`
	// Number or name, unique in the property.
	UnitNumber string `json:"unit_number" minlen:"1" maxlen:"30" example:"9F"`
}

// SchemaName is the name of the OpenAPI component.
func (UnitCreate) SchemaName() string { return "TestUnitCreate" }

// AddUnit adds a vacant unit to a property of the actor's demo portfolio, by the rules of the dashboard:
// the property is in use, the number is free there, and the property's version grows.
func (s *Simulator) AddUnit(
	ctx context.Context, by access.Actor, c UnitCreate,
) (*change.Result[portfolio.Unit], error) {
	if by.Portfolio.Mode != access.Test {
		return nil, fault.Of(fault.NoRecord)
	}
	return portfolio.Write(
		ctx,
		s.Portfolio.Common,
		by,
		func(ctx context.Context) (*change.Result[portfolio.Unit], error) {
			p, err := portfolio.Find(
				ctx,
				by.Portfolio,
				id.Property,
				c.PropertyID,
				"property",
				s.Store.Property,
			)
			if err != nil {
				return nil, err
			}
			return s.Portfolio.Units.AddUnit(ctx, by, p.ID, property.UnitAdd{UnitNumber: c.UnitNumber})
		},
	)
}

// TenantCreate is a person who is to rent a unit.
type TenantCreate struct {
	// The unit that they will rent.
	UnitID string `json:"unit_id" format:"ref" prefix:"unit"`
	// Given name.
	FirstName string `json:"first_name" minlen:"1" maxlen:"127" example:"Dana"`
	// Family name.
	LastName string `json:"last_name" minlen:"1" maxlen:"127" example:"Whitfield"`
	// Email address. Without one the tenant cannot sign a lease online.
	Email *string `json:"email" format:"email" maxlen:"254" example:"dana.whitfield@example.com"`
	// A lease of the unit that the tenant and the landlord have signed. It needs an email address.
	Lease *TenancyCreate `json:"lease"`
}

// TenancyCreate is a lease that is generated and signed by all, as people would sign it.
type TenancyCreate struct {
	// First day. A lease that has begun is active, so the tenant can report what is to be repaired.
	StartDate clock.Date `json:"start_date" example:"2026-11-01"`
	// Monthly rent, in dollars.
	MonthlyRent money.Cents `json:"monthly_rent" min:"1" example:"1450.00"`
	// Last day; 12 months after the first if you leave it out.
	EndDate *clock.Date `json:"end_date"`
	// Deposit in dollars, 0 for none.
	SecurityDeposit money.Cents `json:"security_deposit" default:"0"`
	// Day of the month on which rent is due.
	RentDueDay int `json:"rent_due_day" min:"1" max:"28" default:"1"`
}

// SchemaName is the name of the OpenAPI component.
func (TenancyCreate) SchemaName() string { return "TestTenancyCreate" }

// Check finds what no tag says.
func (c TenantCreate) Check(clock.Date) (all []fault.Detail) {
	if c.Lease != nil && c.Email == nil {
		all = append(
			all,
			portfolio.FieldFault("email", fault.MissingField, "is required where a lease is to be signed."),
		)
	}
	if c.Lease != nil && c.Lease.EndDate != nil && *c.Lease.EndDate <= c.Lease.StartDate {
		all = append(all, portfolio.FieldFault("lease.end_date", fault.DateOrder, "must be after start_date."))
	}
	return all
}

// SchemaName is the name of the OpenAPI component.
func (TenantCreate) SchemaName() string { return "TestTenantCreate" }

// AddTenant adds a tenant to the actor's demo portfolio: a prospect, as an applicant who was accepted is, or with a
// lease that all have signed, on the pages that their links open. A lease that is generated for a prospect without
// naming a unit is for this one; what is derived from leases then takes its place.
func (s *Simulator) AddTenant(
	ctx context.Context, by access.Actor, c TenantCreate,
) (*change.Result[portfolio.Tenant], error) {
	if by.Portfolio.Mode != access.Test {
		return nil, fault.Of(fault.NoRecord)
	}
	return portfolio.Write(
		ctx,
		s.Portfolio.Common,
		by,
		func(ctx context.Context) (*change.Result[portfolio.Tenant], error) {
			u, err := portfolio.Find(ctx, by.Portfolio, id.Unit, c.UnitID, "unit", s.Store.Unit)
			if err != nil {
				return nil, err
			}
			t := portfolio.Tenant{
				Record:    s.Portfolio.NewRecord(by, id.Tenant, "tenant"),
				FirstName: c.FirstName,
				LastName:  c.LastName,
				Name:      c.FirstName + " " + c.LastName,
				Email:     c.Email,
			}
			if c.Lease != nil { // what is signed is rendered first, and says when that was
				t.CreatedAt = s.Agreements.Moment(ctx, by.Portfolio)
				t.UpdatedAt = t.CreatedAt
			}
			t.DeriveTenancy(nil)
			t.PropertyID, t.UnitID = &u.PropertyID, &u.ID
			book := portfolio.Book{Tenants: []portfolio.Tenant{t}}
			if err := s.Store.AddPeople(ctx, by.Portfolio, &book); err != nil || c.Lease == nil {
				return &change.Result[portfolio.Tenant]{After: &t}, err
			}
			if err := s.moveIn(change.Wholly(ctx), by, &t, c.Lease); err != nil {
				return nil, err
			}
			after, err := s.Portfolio.Tenants.Tenant(ctx, by, t.ID)
			return &change.Result[portfolio.Tenant]{After: after}, err
		},
	)
}

// moveIn has a tenant and the landlord sign a lease of the tenant's unit.
func (s *Simulator) moveIn(ctx context.Context, by access.Actor, t *portfolio.Tenant, c *TenancyCreate) error {
	session := &Session{s, by, false}
	_, err := session.today(ctx, func(ctx context.Context) (string, error) {
		made, err := s.Agreements.Generate(ctx, by, agreement.LeaseGenerate{
			PropertyID:       *t.PropertyID,
			UnitID:           t.UnitID,
			TenantID:         t.ID,
			LeaseType:        new(portfolio.Fixed),
			StartDate:        c.StartDate,
			EndDate:          c.EndDate,
			MonthlyRent:      c.MonthlyRent,
			SecurityDeposit:  c.SecurityDeposit,
			RentDueDay:       &c.RentDueDay,
			LateFeeFrequency: new(terms.Once),
			ExpiresInDays:    14,
			LeadPaint:        &terms.LeadPaint{Hazards: terms.NoHazards, Records: terms.NoRecords},
		})
		if err != nil {
			return "", err
		}
		return made.After.ID, session.signAll(ctx, made.After.ID)
	})
	f, is := errors.AsType[*fault.Error](err)
	switch {
	case is && f.Param != "":
		return fault.New(fault.InvalidField, "%s", f.Message).At("lease." + f.Param)
	case is && refusals[f.Code.Entry().Type]:
		return nothing(f.Message)
	}
	return err
}
