package rest

import (
	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/document"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/list"
	"portal/api/money"
	"portal/api/operation"
	"portal/api/payment"
	"portal/api/portfolio"
	"portal/api/portfolio/imports"
	"portal/api/portfolio/lease/application"
	"portal/api/portfolio/lease/terms"
	"portal/api/portfolio/simulate"
	"portal/api/webhook"
)

// The story that the examples tell: what a landlord has, and what a program of theirs
// does to it one day.
const (
	examplePart = "_01KA5R2M7Q8D4E6F9G1H3J5K7M"
	exampleLink = "https://portal.example.com/apply/5S2vQ1"
)

var (
	exampleNow = clock.Time(1_793_636_411_482) // 2026-11-02T16:20:11.482Z
	exampleWas = exampleNow - 90*24*60*60*1000
)

// examples is what each write answers in the description: the record before, and the
// one that its example of a request leads to.
func examples() map[string]change.Outcome {
	return map[string]change.Outcome{
		"create_property": &change.Result[portfolio.PropertyWithUnits]{After: newProperty()},
		"update_property": amended(knownProperty(), func(p *portfolio.Property) {
			next(&p.Record)
			p.Name = new("Maple Court")
		}),
		"invite_tenant": &change.Result[application.Invitation]{After: newInvitation()},
		"update_tenant": amended(knownTenant(), func(t *portfolio.Tenant) {
			next(&t.Record)
			t.Phone = new("+15125550142")
		}),
		"generate_lease": &change.Result[agreement.LeaseWithTerms]{After: generatedLease()},
		"send_lease":     amended(savedDraft(), func(l *agreement.LeaseWithTerms) { l.SentAt = new(exampleNow) }),
		"create_signing_link": &change.Result[agreement.SigningLink]{After: &agreement.SigningLink{
			Object:    "signing_link",
			LeaseID:   "lea" + examplePart,
			SignerID:  "sig" + examplePart,
			EsignURL:  new("https://portal.example.com/sign/sig" + examplePart + ".5S2vQ1"),
			ExpiresAt: new(exampleNow + 14*24*60*60*1000),
		}},
		"create_lease_attachment": &change.Result[agreement.Attachment]{After: new(houseRules())},
		"delete_lease_attachment": amended(withHouseRules(), func(l *agreement.LeaseWithTerms) {
			next(&l.Record)
			l.Attachments = []agreement.Attachment{}
		}),
		"update_lease": amended(draftLease(), func(l *agreement.LeaseWithTerms) {
			next(&l.Record)
			l.StartDate = clock.Day(2026, 11, 1)
		}),
		"update_lease_details": amended(agreement.Details{
			Object:  "lease_details",
			Mode:    access.Test,
			Version: 1,
		}, func(d *agreement.Details) {
			d.Version = 2
			d.Name = new("Harbor Lane Rentals LLC")
			d.Address = new("12 Harbor Lane, Austin, TX 78701")
			d.Phone = new("+15125550142")
			d.Signer, d.Title = new("Dana Whitfield"), new("Owner")
		}),
		"create_maintenance_ticket": &change.Result[portfolio.Ticket]{After: newTicket()},
		"update_maintenance_ticket": amended(*newTicket(), func(t *portfolio.Ticket) {
			next(&t.Record)
			t.Status = portfolio.TicketInProgress
		}),
		"create_import":  &change.Result[imports.Import]{After: new(knownImport())},
		"update_import":  amended(knownImport(), func(i *imports.Import) { *i = answeredImport() }),
		"confirm_import": amended(knownImport(), queue),
		"discard_import": amended(knownImport(), func(i *imports.Import) {
			i.Status, i.Confirmable, i.ExpiresAt = imports.Discarded, false, nil
		}),
		"create_webhook_endpoint": &change.Result[webhook.Endpoint]{After: newEndpoint()},
		"update_webhook_endpoint": amended(undescribed(knownEndpoint()), func(e *webhook.Endpoint) {
			next(&e.Record)
			e.Description = new("Accounting")
		}),
		"test_webhook_endpoint": &change.Result[webhook.Delivery]{
			After: newDelivery(event.Type(event.EndpointTest)),
		},
		"redeliver_webhook_delivery": redelivered(),
		"redeliver_missed_events":    &change.Result[list.Page[webhook.Delivery]]{After: queuedDeliveries()},
		"create_test_unit":           &change.Result[portfolio.Unit]{After: testUnit()},
		"create_test_tenant":         &change.Result[portfolio.Tenant]{After: testTenant()},
		"create_test_payment":        &change.Result[simulate.PaymentAttempt]{After: testPayment()},
		"reset_demo_portfolio":       completedReset(),
		"advance_test_clock":         advancedClock(),
		"create_test_event":          &change.Result[testEventOut]{After: testEventOf(newEvent())},
		"delete_webhook_endpoint": amended(knownEndpoint(), func(e *webhook.Endpoint) {
			next(&e.Record)
			e.Status, e.DisabledAt, e.DisabledReason = webhook.Disabled, &exampleNow, new(webhook.ByAPI)
		}),
		"rotate_webhook_secret": amended(knownEndpoint(), func(e *webhook.Endpoint) {
			next(&e.Record)
			day := exampleNow + 24*60*60*1000
			e.Secret, e.PreviousSecretExpiresAt = newEndpoint().Secret, &day
		}),
	}
}

// amended is a record before and after a change.
func amended[T any](before T, apply func(*T)) *change.Result[T] {
	after := before
	apply(&after)
	return &change.Result[T]{Before: &before, After: &after}
}

func next(r *portfolio.Record) {
	r.Version++
	r.UpdatedAt = exampleNow
}

func made(prefix, object string, at clock.Time) portfolio.Record {
	return portfolio.Record{
		ID:        prefix + examplePart,
		Object:    object,
		Mode:      access.Test,
		Version:   1,
		CreatedAt: at,
		UpdatedAt: at,
	}
}

// hidden is what a preview shows of a record that is new: no secret and no link.
func hidden(w change.Outcome) change.Outcome {
	switch m := w.(type) {
	case *change.Result[webhook.Endpoint]:
		e := *m.After
		e.Secret, e.SecretPrefix = nil, "whsec_"
		return &change.Result[webhook.Endpoint]{Before: m.Before, After: &e}
	case *change.Result[application.Invitation]:
		i := *m.After
		i.ApplyURL = nil
		return &change.Result[application.Invitation]{After: &i}
	case *change.Result[agreement.LeaseWithTerms]:
		g := *m.After
		g.DocumentURL = nil
		return &change.Result[agreement.LeaseWithTerms]{After: &g}
	}
	return w
}

func newProperty() *portfolio.PropertyWithUnits {
	unit := portfolio.Unit{
		Record:     made("unit", "unit", exampleNow),
		PropertyID: "prop" + examplePart,
		UnitNumber: "1",
		Currency:   portfolio.Currency,
		Status:     portfolio.UnitVacant,
		IsDefault:  true,
	}
	return &portfolio.PropertyWithUnits{Units: []portfolio.Unit{unit}, Property: portfolio.Property{
		Record:             made("prop", "property", exampleNow),
		Name:               new("Maple Court"),
		StreetAddress:      "1420 Maple Avenue",
		City:               "Austin",
		State:              "TX",
		PostalCode:         new("78701"),
		Country:            "US",
		PropertyType:       "single_family",
		YearBuilt:          new(1974),
		UnitCount:          1,
		Status:             portfolio.PropertyActive,
		VerificationStatus: portfolio.Unverified,
	}}
}

func testUnit() *portfolio.Unit {
	u := newProperty().Units[0]
	u.UnitNumber, u.IsDefault = "9F", false
	return &u
}

func testTenant() *portfolio.Tenant {
	t := portfolio.Tenant{
		Record:    made("ten", "tenant", exampleNow),
		FirstName: "Dana",
		LastName:  "Whitfield",
		Name:      "Dana Whitfield",
		Email:     new("dana.whitfield@example.com"),
	}
	t.DeriveTenancy(nil)
	t.PropertyID, t.UnitID = new("prop"+examplePart), new("unit"+examplePart)
	return &t
}

func testPayment() *simulate.PaymentAttempt {
	a := &simulate.PaymentAttempt{
		Record:     made("pmt", "payment_attempt", exampleNow),
		LeaseID:    "lea" + examplePart,
		TenantID:   "ten" + examplePart,
		Method:     "card",
		Amount:     money.Dollars(1450),
		Currency:   portfolio.Currency,
		Status:     payment.Succeeded,
		PaymentIDs: []string{"pay" + examplePart},
	}
	a.Version = 3 // it was started, sent, and has cleared
	return a
}

func knownProperty() portfolio.Property {
	p := newProperty().Property
	p.Record = made("prop", "property", exampleWas)
	p.Name = nil
	p.PropertyType = "apartment"
	p.UnitCount = 8
	p.OccupiedUnitCount = 7
	p.VerificationStatus = portfolio.Verified
	return p
}

func newInvitation() *application.Invitation {
	return &application.Invitation{
		Record:      made("lead", "tenant_invitation", exampleNow),
		UnitID:      "unit" + examplePart,
		PropertyID:  "prop" + examplePart,
		Email:       "sam.rivera@example.com",
		FirstName:   new("Sam"),
		LastName:    new("Rivera"),
		Phone:       new("+15125550142"),
		Message:     new("It was good to meet you at the viewing."),
		Currency:    portfolio.Currency,
		Status:      application.InvitationSent,
		EmailStatus: application.EmailQueued,
		ApplyURL:    new(exampleLink),
		ExpiresAt:   exampleNow + 30*24*60*60*1000,
	}
}

func knownTenant() portfolio.Tenant {
	return portfolio.Tenant{
		Record:    made("ten", "tenant", exampleWas),
		FirstName: "Dana",
		LastName:  "Whitfield",
		Name:      "Dana Whitfield",
		Email:     new("dana.whitfield@example.com"),
		EmergencyContact: &portfolio.EmergencyContact{
			Name:         "Robin Whitfield",
			Phone:        new("+15125550188"),
			Relationship: new("sister"),
		},
		Status:         portfolio.TenantCurrent,
		PropertyID:     new("prop" + examplePart),
		UnitID:         new("unit" + examplePart),
		CurrentLeaseID: new("lea" + examplePart),
		LeaseIDs:       []string{"lea" + examplePart},
		MoveInDate:     new(clock.Day(2026, 2, 1)),
	}
}

func draftLease() agreement.LeaseWithTerms {
	tenant := "ten" + examplePart
	return agreement.LeaseWithTerms{
		Lease: portfolio.Lease{
			Record:           made("lea", "lease", exampleWas),
			Status:           portfolio.LeaseDraft,
			PropertyID:       "prop" + examplePart,
			UnitID:           "unit" + examplePart,
			TenantIDs:        []string{tenant},
			Tenants:          []portfolio.Party{{ID: tenant, Name: "Dana Whitfield", Role: portfolio.PartyPrimary}},
			RentalAddress:    "1420 Maple Avenue, Unit 2B, Austin, TX 78701",
			LeaseType:        portfolio.Fixed,
			StartDate:        clock.Day(2026, 12, 1),
			EndDate:          new(clock.Day(2027, 10, 31)),
			MonthlyRent:      money.Dollars(1450),
			SecurityDeposit:  money.Dollars(1450),
			Currency:         portfolio.Currency,
			RentDueDay:       1,
			LateFeeAmount:    new(money.Dollars(50)),
			LateFeeGraceDays: new(5),
			DocumentURL:      new(exampleDocument),
			ExpiresAt:        new(exampleNow + 14*24*60*60*1000),
			AutoCharge:       true,
		},
		Terms: terms.Terms{
			Document:         new(terms.Standard),
			LateFeeFrequency: terms.Once,
			Occupants:        []string{},
			Fees:             []terms.Fee{},
		},
		Jurisdiction: &agreement.Jurisdiction{State: "TX", RulesAsOf: "2026"},
		Disclosures: []document.Disclosure{{
			Code:      "lead_paint",
			Title:     "Lead-based paint",
			Reason:    "The home was built in 1974, before 1978.",
			Authority: new("42 U.S.C. 4852d; 24 CFR 35; 40 CFR 745"),
		}},
		Signers: []agreement.Signer{
			{
				ID:       "sig" + examplePart,
				TenantID: &tenant,
				Role:     agreement.TenantSigner,
				Name:     "Dana Whitfield",
				Status:   agreement.AwaitingSignature,
			},
			{
				ID:     "sig" + examplePart,
				Role:   agreement.LandlordSigner,
				Name:   "Harbor Lane Rentals",
				Status: agreement.AwaitingSignature,
			},
		},
	}
}

// exampleDocument is the link of a document.
const exampleDocument = "https://portal.example.com/documents/doc_5S2vQ1"

// savedDraft is a draft that was changed, and that nobody has sent yet.
func savedDraft() agreement.LeaseWithTerms {
	l := draftLease()
	next(&l.Record)
	return l
}

func generatedLease() *agreement.LeaseWithTerms {
	l := draftLease()
	l.Record = made("lea", "lease", exampleNow)
	l.StartDate = clock.Day(2026, 11, 1)
	return &l
}

func newTicket() *portfolio.Ticket {
	return &portfolio.Ticket{
		Record:      made("tkt", "maintenance_ticket", exampleNow),
		Number:      "T-1042",
		PropertyID:  "prop" + examplePart,
		UnitID:      new("unit" + examplePart),
		LeaseID:     new("lea" + examplePart),
		Title:       "The kitchen tap drips all night.",
		Description: "The kitchen tap drips all night.",
		Status:      portfolio.TicketOpen,
		Priority:    portfolio.PriorityNormal,
		Category:    "plumbing",
		Triage: &portfolio.Triage{
			Category:    "plumbing",
			Priority:    portfolio.PriorityNormal,
			Confidence:  0.91,
			SafetyFlags: []string{},
			Reasons: []portfolio.TriageReason{
				{Rule: "normal.small_leak", Matched: "tap drips"},
				{Rule: "word.faucet", Matched: "tap"},
			},
			Source:       "built_in",
			ModelVersion: "2026-11",
			TriagedAt:    exampleNow,
		},
		Source:          portfolio.FromAPI,
		EntryPermission: "unknown",
		Currency:        portfolio.Currency,
	}
}

func newEndpoint() *webhook.Endpoint {
	return &webhook.Endpoint{ //nolint:gosec // the secret is nobody's
		Record:       made("we", "webhook_endpoint", exampleNow),
		URL:          "https://hooks.example.com/portal",
		Events:       []webhook.Kind{event.PaymentSucceeded},
		Description:  new("Accounting"),
		Status:       webhook.Enabled,
		Secret:       new("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
		SecretPrefix: "whsec_MfKQ",
	}
}

func undescribed(e webhook.Endpoint) webhook.Endpoint {
	e.Description = nil
	return e
}

func newDelivery(kind event.Type) *webhook.Delivery {
	return &webhook.Delivery{
		ID:            "del" + examplePart,
		Object:        "delivery",
		Mode:          access.Test,
		Version:       1,
		CreatedAt:     exampleNow,
		UpdatedAt:     exampleNow,
		EndpointID:    "we" + examplePart,
		EventID:       "evt" + examplePart,
		EventType:     kind,
		Status:        webhook.Pending,
		NextAttemptAt: &exampleNow,
	}
}

// redelivered is a delivery that had failed and is queued again.
func redelivered() *change.Result[webhook.Delivery] {
	before := newDelivery("payment.succeeded")
	before.CreatedAt, before.UpdatedAt, before.Version, before.NextAttemptAt = exampleWas, exampleWas, 15, nil
	before.Status = webhook.Failed
	before.AttemptCount = 14
	before.LastStatusCode = new(503)
	before.LastError = new("status: The receiver answered 503 Service Unavailable.")
	after := *before
	after.Status, after.Version, after.UpdatedAt, after.NextAttemptAt = webhook.Retrying, 16, exampleNow, &exampleNow
	return &change.Result[webhook.Delivery]{Before: before, After: &after}
}

func queuedDeliveries() *list.Page[webhook.Delivery] {
	return list.Of([]webhook.Delivery{
		*newDelivery("payment.succeeded"),
	}, list.Max, func(d *webhook.Delivery) string { return d.ID })
}

func newEvent() *webhook.SentEvent {
	ticket := newTicket()
	ticket.Source = portfolio.FromTenant
	return &webhook.SentEvent{
		ID:         "evt" + examplePart,
		Object:     "event",
		Type:       "maintenance.created",
		APIVersion: event.APIVersion,
		CreatedAt:  exampleNow,
		Mode:       access.Test,
		Data:       webhook.SentEventData{Object: operation.Encoder[portfolio.Ticket]()(nil, ticket)},
	}
}

func knownEndpoint() webhook.Endpoint {
	e := *newEndpoint()
	e.Record = made("we", "webhook_endpoint", exampleWas)
	e.Secret = nil
	e.LastDeliveryAt = &exampleWas
	e.LastSuccessAt = &exampleWas
	return e
}
