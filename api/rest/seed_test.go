package rest_test

import (
	"context"
	"errors"
	"time"

	"github.com/oklog/ulid/v2"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/webhook"
	"portal/db"
	"portal/db/portfoliostore"
	"portal/db/webhookstore"
)

// The records of the fixture stand in pairs: the first has every field that may be
// null, the second has none of them. Each portfolio that a fixture fills has a seed, so
// that no two of them share an id or an address.
var (
	firstMade  = time.Date(2026, 1, 15, 9, 30, 0, 120_000_000, time.UTC)
	secondMade = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	changed    = time.Date(2026, 10, 30, 23, 59, 59, 999_000_000, time.UTC)
)

// seeded names the records of one portfolio.
type seeded struct {
	seed byte
	mode access.Mode
}

func (s seeded) id(prefix string, n int) string {
	made := firstMade
	if n == 2 {
		made = secondMade
	}
	if prefix == "evt" || prefix == "del" { // which are kept for 90 days
		made = noon.Add(time.Duration(n-3) * 24 * time.Hour)
	}
	u := ulid.ULID{6: s.seed, 15: byte(n)}
	if err := u.SetTime(ulid.Timestamp(made)); err != nil {
		panic(err)
	}
	return prefix + "_" + u.String()
}

func (s seeded) record(prefix, object string, n int) portfolio.Record {
	r := portfolio.Record{
		ID:        s.id(prefix, n),
		Object:    object,
		Mode:      s.mode,
		Version:   3,
		CreatedAt: clock.At(firstMade),
		UpdatedAt: clock.At(changed),
	}
	if n == 2 {
		r.Version, r.CreatedAt, r.UpdatedAt = 1, clock.At(secondMade), clock.At(secondMade)
	}
	return r
}

// fixture fills a portfolio that is empty.
func (r *fixture) fixture(ctx context.Context, in access.Portfolio) error {
	s := seeded{byte(r.fills.Add(1)), in.Mode}
	book := s.book()
	if err := portfoliostore.New(r.db).Add(ctx, in, &book); err != nil {
		return err
	}
	if _, err := r.db.Exec(ctx, `INSERT INTO lease_details (portfolio_id, version, updated_at, address, phone)
		VALUES ($1, 3, 0, '12 Harbor Lane, Austin, TX 78701', '+15125550100')`, in.ID); err != nil {
		return err
	}
	if err := s.addEndpoints(ctx, r.db, in); err != nil {
		return err
	}
	if err := s.addTemplates(ctx, r.db, in); err != nil {
		return err
	}
	return r.addImports(ctx, in, s)
}

func (s seeded) book() portfolio.Book {
	return portfolio.Book{
		Properties: s.properties(),
		Units:      s.units(),
		Tenants:    s.tenants(),
		Leases:     s.leases(),
		Tickets:    s.tickets(),
		Payments:   s.payments(),
	}
}

func (s seeded) properties() []portfolio.Property {
	return []portfolio.Property{
		{
			Record:             s.record("prop", "property", 1),
			Name:               new("Maple Court"),
			StreetAddress:      "1420 Maple Avenue",
			StreetAddress2:     new("Building C"),
			City:               "Austin",
			State:              "TX",
			PostalCode:         new("78701-1234"),
			PropertyType:       "apartment",
			YearBuilt:          new(1974),
			UnitCount:          2,
			OccupiedUnitCount:  1,
			Status:             portfolio.PropertyActive,
			VerificationStatus: portfolio.Verified,
		},
		{
			Record:             s.record("prop", "property", 2),
			StreetAddress:      "7 \"Old\" Mill\\Road <&>",
			City:               "Cañon City",
			State:              "CO",
			PropertyType:       "single_family",
			UnitCount:          1,
			Status:             portfolio.PropertyArchived,
			VerificationStatus: portfolio.Unverified,
		},
	}
}

func (s seeded) units() []portfolio.Unit {
	return []portfolio.Unit{
		{
			Record:         s.record("unit", "unit", 1),
			PropertyID:     s.id("prop", 1),
			UnitNumber:     "2B",
			Bedrooms:       new(0),
			Bathrooms:      new(portfolio.Half(3)),
			SquareFeet:     new(860),
			MarketRent:     new(money.Cents(145_050)),
			Status:         portfolio.UnitOccupied,
			CurrentLeaseID: new(s.id("lea", 1)),
		},
		{
			Record:     s.record("unit", "unit", 2),
			PropertyID: s.id("prop", 1),
			UnitNumber: "3A",
			Status:     portfolio.UnitVacant,
		},
		{
			Record:     s.record("unit", "unit", 3),
			PropertyID: s.id("prop", 2),
			UnitNumber: "1",
			Bathrooms:  new(portfolio.Half(4)),
			Status:     portfolio.UnitOffMarket,
			IsDefault:  true,
		},
	}
}

func (s seeded) tenants() []portfolio.Tenant {
	return []portfolio.Tenant{
		{
			Record:                 s.record("ten", "tenant", 1),
			FirstName:              "Dana",
			LastName:               "Whitfield",
			Email:                  new("Dana.Whitfield@example.com"),
			Phone:                  new("+15125550142"),
			AlternateEmail:         new("dana@example.org"),
			AlternatePhone:         new("+15125550143"),
			PreferredContactMethod: new(portfolio.ContactMethod("sms")),
			MailingAddress: &portfolio.MailingAddress{
				StreetAddress:  "PO Box 118",
				StreetAddress2: new("c/o Reed"),
				City:           "Austin",
				State:          "TX",
				PostalCode:     new("78701"),
				Country:        "US",
			},
			EmergencyContact: &portfolio.EmergencyContact{
				Name:         "Robin Whitfield",
				Phone:        new("+15125550188"),
				Email:        new("robin@example.com"),
				Relationship: new("sister"),
			},
			Status:         portfolio.TenantNotice,
			PropertyID:     new(s.id("prop", 1)),
			UnitID:         new(s.id("unit", 1)),
			CurrentLeaseID: new(s.id("lea", 1)),
			MoveInDate:     day(2026, 2, 1),
			MoveOutDate:    day(2026, 12, 20),
		},
		{
			Record:    s.record("ten", "tenant", 2),
			FirstName: "Zoë",
			LastName:  "O'Neil \U0001F3E1",
			Status:    portfolio.TenantProspect,
		},
	}
}

func (s seeded) leases() []portfolio.Lease {
	return []portfolio.Lease{
		{
			Record:     s.record("lea", "lease", 1),
			Status:     portfolio.LeaseActive,
			PropertyID: s.id("prop", 1),
			UnitID:     s.id("unit", 1),
			Tenants: []portfolio.Party{
				{ID: s.id("ten", 1), Role: portfolio.PartyPrimary, SignedAt: new(clock.At(firstMade))},
				{ID: s.id("ten", 2), Role: portfolio.PartyGuarantor}},
			RentalAddress:      "1420 Maple Avenue, Unit 2B, Austin, TX 78701",
			LeaseType:          portfolio.Fixed,
			StartDate:          *day(2026, 2, 1),
			EndDate:            day(2026, 12, 20),
			MonthlyRent:        145_050,
			SecurityDeposit:    290_000,
			RentDueDay:         1,
			LateFeeAmount:      new(money.Cents(5)),
			LateFeeGraceDays:   new(0),
			MoveInDate:         day(2026, 2, 1),
			MoveOutDate:        day(2026, 12, 20),
			NoticeGivenDate:    day(2026, 10, 30),
			TerminatedOn:       day(2026, 12, 19),
			TerminationReason:  new("Sold"),
			RenewedFromLeaseID: new(s.id("lea", 2)),
			RenewedToLeaseID:   new(s.id("lea", 2)),
			DocumentURL:        new(base + "/d/1"),
			EsignURL:           new(base + "/s/1"),
			ExpiresAt:          new(clock.At(changed)),
			SignedAt:           new(clock.At(firstMade)),
			DocumentSHA256:     new("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"),
		},
		{
			Record:        s.record("lea", "lease", 2),
			Status:        portfolio.LeaseDraft,
			PropertyID:    s.id("prop", 1),
			UnitID:        s.id("unit", 2),
			Tenants:       []portfolio.Party{{ID: s.id("ten", 2), Role: portfolio.PartyPrimary}},
			RentalAddress: "1420 Maple Avenue, Unit 3A, Austin, TX 78701",
			LeaseType:     portfolio.MonthToMonth,
			StartDate:     *day(2026, 12, 1),
			MonthlyRent:   100,
			RentDueDay:    28,
		},
	}
}

func (s seeded) tickets() []portfolio.Ticket {
	return []portfolio.Ticket{
		{
			Record:      s.record("tkt", "maintenance_ticket", 1),
			Number:      "T-1001",
			PropertyID:  s.id("prop", 1),
			UnitID:      new(s.id("unit", 1)),
			TenantID:    new(s.id("ten", 1)),
			LeaseID:     new(s.id("lea", 1)),
			Title:       "Kitchen tap drips",
			Description: "The tap drips.\nAll\tnight: \"drip\" \\ </script> \u2028 \U0001F4A7",
			Status:      portfolio.TicketCompleted,
			Priority:    portfolio.PriorityHigh,
			Category:    "plumbing",
			Triage: &portfolio.Triage{
				Category:     "plumbing",
				Priority:     portfolio.PriorityNormal,
				Confidence:   0.93,
				SafetyFlags:  []string{"water"},
				Reasons:      []portfolio.TriageReason{{Rule: "water_uncontrolled", Matched: "drips"}},
				Source:       "built_in",
				ModelVersion: "2026-11",
				TriagedAt:    clock.At(firstMade),
			},
			Vendor: &portfolio.Vendor{
				Name:  "Barton Plumbing",
				Trade: new("plumbing"),
				Phone: new("+15125550100"),
				Email: new("work@barton.example.com"),
			},
			Source:          portfolio.FromTenant,
			EntryPermission: "granted",
			EntryNotes:      new("The dog bites."),
			ScheduledStart:  new(clock.At(secondMade)),
			ScheduledEnd:    new(clock.At(changed)),
			DueDate:         day(2026, 3, 4),
			EstimatedCost:   new(money.Cents(12_000)),
			CostLimit:       new(money.Cents(0)),
			ActualCost:      new(money.Cents(1)),
			CompletedAt:     new(clock.At(secondMade)),
			CancelledAt:     new(clock.At(secondMade)),
			ReopenedCount:   1,
		},
		{
			Record:          s.record("tkt", "maintenance_ticket", 2),
			Number:          "T-1002",
			PropertyID:      s.id("prop", 2),
			Title:           "Roof",
			Description:     "Leaks",
			Status:          portfolio.TicketOpen,
			Priority:        portfolio.PriorityLow,
			Category:        "general",
			Source:          portfolio.FromAPI,
			EntryPermission: "unknown",
		},
	}
}

func (s seeded) payments() []portfolio.Payment {
	return []portfolio.Payment{
		{
			Record:         s.record("pay", "payment", 1),
			LeaseID:        s.id("lea", 1),
			TenantID:       s.id("ten", 1),
			UnitID:         s.id("unit", 1),
			PropertyID:     s.id("prop", 1),
			Type:           portfolio.PaymentFee,
			FeeType:        new(portfolio.FeeType("late")),
			Description:    new("Late fee for October"),
			Amount:         5_005,
			AmountPaid:     2_000,
			Status:         portfolio.PaymentPartiallyPaid,
			Method:         new(portfolio.PaymentMethod("ach")),
			DueDate:        *day(2026, 10, 6),
			PeriodStart:    day(2026, 10, 1),
			PeriodEnd:      day(2026, 10, 31),
			InitiatedAt:    new(clock.At(secondMade)),
			PaidAt:         new(clock.At(changed)),
			FailureCode:    new("insufficient_funds"),
			FailureMessage: new("The bank refused."),
			Reference:      new("check 1182"),
		},
		{
			Record:     s.record("pay", "payment", 2),
			LeaseID:    s.id("lea", 1),
			TenantID:   s.id("ten", 1),
			UnitID:     s.id("unit", 1),
			PropertyID: s.id("prop", 1),
			Type:       portfolio.PaymentRent,
			Amount:     145_050,
			Status:     portfolio.PaymentScheduled,
			DueDate:    *day(2026, 12, 1),
		},
	}
}

func (s seeded) addEndpoints(ctx context.Context, d *db.DB, in access.Portfolio) error {
	all := []webhook.Endpoint{
		{
			Record:                  s.record("we", "webhook_endpoint", 1),
			URL:                     "https://hooks.example.com/portal",
			Events:                  []webhook.Kind{event.LeaseSigned, event.PaymentSucceeded},
			Description:             new("Accounting"),
			Status:                  webhook.Disabled,
			DisabledAt:              new(clock.At(changed)),
			DisabledReason:          new(webhook.ByFailures),
			SecretPrefix:            "whsec_MfKQ",
			PreviousSecretExpiresAt: new(clock.At(changed)),
			LastDeliveryAt:          new(clock.At(changed)),
			LastSuccessAt:           new(clock.At(secondMade)),
		},
		{
			Record:       s.record("we", "webhook_endpoint", 2),
			URL:          "https://hooks.example.com/2",
			Events:       []webhook.Kind{webhook.EveryKind},
			Status:       webhook.Enabled,
			SecretPrefix: "whsec_aaaa",
		},
	}
	for _, e := range all {
		if err := webhookstore.New(d).AddEndpoint(ctx, in, e, []byte("sealed")); err != nil {
			return err
		}
	}
	return s.addDeliveries(ctx, d, in)
}

// addDeliveries adds two events that were sent to the enabled endpoint: one with an attempt
// that failed for good, one that waits for its first attempt.
func (s seeded) addDeliveries(ctx context.Context, d *db.DB, in access.Portfolio) error {
	return d.Atomically(ctx, func(ctx context.Context) error {
		for n := 1; n <= 2; n++ {
			at := noon.Add(time.Duration(n-3) * 24 * time.Hour)
			body := `{"id":"` + s.id("evt", n) +
				`","object":"event","type":"lease.signed","api_version":"0.1.0","created_at":"` +
				clock.At(at).String() + `","mode":"` + string(s.mode) +
				`","data":{"object":{"id":"` + s.id("lea", n) + `","object":"lease"}}}`
			e := webhook.Event{
				ID:        s.id("evt", n),
				CreatedAt: clock.At(at),
				Type:      event.LeaseSigned,
				Body:      []byte(body),
			}
			v := webhook.Delivery{
				ID:         s.id("del", n),
				CreatedAt:  clock.At(at),
				EventID:    e.ID,
				EventType:  "lease.signed",
				EndpointID: s.id("we", 2),
			}
			if err := errors.Join(
				webhookstore.New(d).AddEvent(ctx, in, &e),
				webhookstore.New(d).AddDeliveries(ctx, in, []webhook.Delivery{
					v,
				}),
			); err != nil {
				return err
			}
			if n == 1 {
				if err := s.attempt(ctx, d, in, at); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// attempt claims the only delivery that waits and notes that the receiver refused it.
func (s seeded) attempt(ctx context.Context, d *db.DB, in access.Portfolio, at time.Time) error {
	place := webhook.EndpointRef{Portfolio: in, Endpoint: s.id("we", 2)}
	c, err := webhookstore.New(d).Claim(ctx, place, webhook.Claim{
		By:       "test",
		At:       clock.At(at),
		Until:    clock.At(at.Add(time.Minute)),
		Most:     1,
		InFlight: 1,
	})
	if err != nil {
		return err
	}
	w := &c.Work[0]
	_, err = webhookstore.New(d).Conclude(ctx, place, "test", []webhook.Conclusion{{
		Work:   w,
		Status: webhook.Failed,
		Attempt: webhook.Attempt{
			Number:          w.Attempt,
			At:              clock.At(at),
			DurationMS:      84,
			StatusCode:      new(503),
			Error:           new("status: The receiver answered 503 Service Unavailable."),
			RequestHeaders:  map[string][]string{"X-Service-Event": {"lease.signed"}},
			ResponseHeaders: map[string][]string{"Retry-After": {"120"}},
			ResponseBody:    new("<b>busy</b> \" \u2028"),
			Trigger:         w.Trigger,
		},
	}})
	return err
}

func day(y int, m time.Month, d int) *clock.Date { return new(clock.Day(y, m, d)) }
