package rest

import (
	"context"
	"net/http"
	"slices"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/fault"
	"portal/api/operation"
	"portal/api/portfolio"
	"portal/api/portfolio/simulate"
	"portal/api/texts"
	"portal/api/webhook"
)

// Demo does in the actor's demo portfolio what no program may do in a live one.
type Demo interface {
	AddUnit(ctx context.Context, by access.Actor, c simulate.UnitCreate) (*change.Result[portfolio.Unit], error)
	AddTenant(ctx context.Context, by access.Actor, c simulate.TenantCreate) (*change.Result[portfolio.Tenant], error)
	// Pay pays ledger rows through the simulated processor.
	Pay(ctx context.Context, by access.Actor, c simulate.PaymentCreate) (*change.Result[simulate.PaymentAttempt], error)
	// HappenTo lets an event happen by the real rules, and names the record that it is about.
	HappenTo(ctx context.Context, by access.Actor, kind string, c event.Choice) (record string, err error)
	// Look finds before a transaction what HappenTo needs in it, and gives it along in the context.
	Look(ctx context.Context, by access.Actor, kind string, c event.Choice) context.Context
	// Clock is the portfolio's test clock, and Advance has it go to a day.
	Clock(ctx context.Context, by access.Actor) (*portfolio.TestClockOut, error)
	Advance(ctx context.Context, by access.Actor, to clock.Date) (*change.Result[portfolio.TestClockOut], error)
	// Reset puts the portfolio back to what it was on the first day.
	Reset(ctx context.Context, by access.Actor) error
}

// testReset is a demo portfolio that was put back.
type testReset struct {
	// The kind of object.
	Object string `json:"object" const:"test_reset"`
	// The reset is complete, in one transaction.
	Status string `json:"status" const:"completed"`
}

// SchemaName is the name of the OpenAPI component.
func (testReset) SchemaName() string { return "TestResetOut" }

// completedReset is what a reset answers.
func completedReset() *change.Result[testReset] {
	return &change.Result[testReset]{After: &testReset{Object: "test_reset", Status: "completed"}}
}

// advancedClock is a clock that was told to go a year ahead.
func advancedClock() *change.Result[portfolio.TestClockOut] {
	today := clock.Day(2026, 11, 2)
	c := portfolio.TestClockOut{Object: "test_clock", Status: portfolio.ClockReady, Today: today}
	before := c
	c.Status, c.AdvanceTo = portfolio.ClockAdvancing, new(today.AddMonths(12))
	return &change.Result[portfolio.TestClockOut]{Before: &before, After: &c}
}

// clockAdvance says how far a test clock is to go.
type clockAdvance struct {
	// The demo portfolio's new today: today or a later day, at most two years after the real day.
	AdvanceTo clock.Date `json:"advance_to" example:"2027-11-02"`
}

// SchemaName is the name of the OpenAPI component.
func (clockAdvance) SchemaName() string { return "TestClockAdvance" }

// testEvent says what is to happen.
type testEvent struct {
	// The event to make happen.
	Type testEventType `json:"type" example:"maintenance.created"`
	// lease.signed: the generated lease that all parties sign. payment.succeeded: the lease whose oldest unpaid
	// rent is paid.
	LeaseID *string `json:"lease_id" format:"ref" prefix:"lea"`
	// payment.succeeded: the ledger row that is paid.
	PaymentID *string `json:"payment_id" format:"ref" prefix:"pay"`
	// payment.succeeded: the tenant whose oldest unpaid rent is paid. maintenance.created: the tenant
	// who submits the ticket; they must live there.
	TenantID *string `json:"tenant_id" format:"ref" prefix:"ten"`
	// maintenance.created: what the tenant writes.
	Description *string `json:"description" format:"text" minlen:"1" maxlen:"10000" example:"The kitchen tap drips all night."`
}

// SchemaName is the name of the OpenAPI component.
func (testEvent) SchemaName() string { return "TestEventCreate" }

// Check finds what no tag says: what the type of event does not take, and a second record.
func (e testEvent) Check(clock.Date) (all []fault.Detail) {
	k, known := event.Of(string(e.Type))
	if !known {
		return nil
	}
	given := e.choice().Given()
	for _, part := range given {
		if !slices.Contains(k.Trigger.Takes, part) {
			all = append(all, portfolio.FieldFault(part, fault.InvalidField,
				"does not go with "+string(e.Type)+", which takes "+texts.List(k.Trigger.Takes, " and ")+"."))
		}
	}
	records := slices.DeleteFunc(given, func(part string) bool { return part == event.Description })
	if len(all) == 0 && len(records) > 1 {
		all = append(all, portfolio.FieldFault(records[1], fault.InvalidField,
			"is one record too many: the event happens to one. Leave out the others."))
	}
	return all
}

// choice is whom the event is to happen to.
func (e testEvent) choice() event.Choice {
	return event.Choice{LeaseID: e.LeaseID, PaymentID: e.PaymentID, TenantID: e.TenantID, Description: e.Description}
}

// testEventType is a type of event that can be made to happen.
type testEventType string

// Values are all types of events that a test can make happen.
func (testEventType) Values() []string { return event.Types() }

// SchemaName is the name of the OpenAPI component.
func (testEventType) SchemaName() string { return "TestEventType" }

// testEventOut is the event that happened: what it says is a webhook.SentEvent's.
type testEventOut struct {
	// Identifier of the event; webhook-id has it too, in every attempt.
	ID string `json:"id" format:"id" prefix:"evt"`
	// The kind of object.
	Object string `json:"object" const:"event"`
	// What happened.
	Type testEventType `json:"type" example:"maintenance.created"`
	// Version of the record.
	APIVersion string `json:"api_version" const:"0.1.0"`
	// When it happened.
	CreatedAt clock.Time `json:"created_at"`
	// Always test.
	Mode access.Mode `json:"mode" const:"test"`
	// What it is about.
	Data webhook.SentEventData `json:"data"`
}

// SchemaName is the name of the OpenAPI component.
func (testEventOut) SchemaName() string { return "TestEventOut" }

func testEventOf(e *webhook.SentEvent) *testEventOut {
	return &testEventOut{e.ID, e.Object, testEventType(e.Type), e.APIVersion, e.CreatedAt, e.Mode, e.Data}
}

func (a *API) testHelpers() []*operation.Operation {
	happen := operation.Write(operation.Spec{
		Name:    "create_test_event",
		Method:  http.MethodPost,
		Path:    "/test_helpers/events",
		Tag:     "Testing",
		Summary: "Make an event happen",
		Description: "Triggers a real event in the demo portfolio: " + whatHappens() + ". " +
			"Choose the record with lease_id, payment_id, or tenant_id, and a tenant's words with description, " +
			"or leave them out. " +
			"Records change as they would for a real event, and every test endpoint that chose its type gets " +
			"the event. The response is the event. It needs a test key.",
		Scope:    access.Write,
		Status:   http.StatusCreated,
		TestKeys: true,
		Fails:    []fault.Code{fault.TestKeyRequired, fault.InvalidTransition},
	}, a.makeHappen)
	happen.Before = func(ctx context.Context, in any) context.Context {
		e := in.(*testEvent)
		return a.Demo.Look(ctx, access.From(ctx), string(e.Type), e.choice())
	}
	return []*operation.Operation{
		creates(operation.Spec{
			Name:    "create_test_unit",
			Path:    "/test_helpers/units",
			Tag:     "Testing",
			Summary: "Add a unit",
			Description: "Adds a vacant unit to a property of the demo portfolio, and increases the property's " +
				"version. It needs a test key. In a live portfolio, add units in the dashboard.",
			TestKeys: true,
			Fails:    []fault.Code{fault.TestKeyRequired, fault.InvalidTransition},
		}, a.addUnit),
		creates(operation.Spec{
			Name:    "create_test_tenant",
			Path:    "/test_helpers/tenants",
			Tag:     "Testing",
			Summary: "Add a tenant",
			Description: "Adds a tenant to the demo portfolio, like an accepted applicant. With lease, the tenant and " +
				"the landlord sign one for the unit, and lease.signed is raised. Without it, a lease that you " +
				"generate for the tenant without unit_id is for this unit. No email is sent. It needs a test key.",
			TestKeys: true,
			Fails:    []fault.Code{fault.TestKeyRequired, fault.InvalidTransition, fault.DateOrder},
		}, a.addTenant),
		operation.Write(operation.Spec{
			Name:    "create_test_payment",
			Method:  http.MethodPost,
			Path:    "/test_helpers/payments",
			Tag:     "Testing",
			Summary: "Make an online payment",
			Description: "Pays all that is left of some ledger rows of a lease of the demo portfolio, as the primary " +
				"tenant does on the tenant's page, through a simulated payment processor. A card clears at once. A " +
				"bank account clears or fails after three business days of the test clock; until then the rows are " +
				"processing. Each row of rent that it clears a part of raises payment.succeeded. No money moves. It " +
				"needs a test key.",
			Scope:    access.Payments,
			Status:   http.StatusCreated,
			TestKeys: true,
			Fails:    []fault.Code{fault.TestKeyRequired, fault.InvalidTransition},
		}, a.makePayment),
		happen,
		operation.Write(operation.Spec{
			Name:    "advance_test_clock",
			Method:  http.MethodPost,
			Path:    "/test_helpers/clock",
			Tag:     "Testing",
			Summary: "Advance the test clock",
			Description: "Moves the demo portfolio's today forward. Everything that falls due on the way happens, day " +
				"by day: leases start and end, drafts and invitations expire, charges fall due, and webhooks are " +
				"sent. The response comes before that is done: the clock is ready when GET /me shows " +
				"test_clock.status ready. Business dates follow the clock; created_at, updated_at, IDs, rate " +
				"limits, webhook signatures, and retries keep the real time. A reset sets the clock back. It needs a " +
				"test key.",
			Scope:    access.Write,
			Status:   http.StatusAccepted,
			TestKeys: true,
			Fails:    []fault.Code{fault.TestKeyRequired, fault.InvalidTransition},
		}, a.advanceClock),
		operation.Write(operation.Spec{
			Name:    "reset_demo_portfolio",
			Method:  http.MethodPost,
			Path:    "/test_helpers/reset",
			Tag:     "Testing",
			Summary: "Reset the demo portfolio",
			Description: "Replaces all records of the demo portfolio with those of the first day, with days " +
				"counted from today and new IDs. " +
				"Events, deliveries, test email, and recorded responses for an Idempotency-Key are deleted; keys, " +
				"webhook endpoints, and the request log stay. The test clock is set back to the real day. " +
				"The reset is complete when you get the response. You need a test key that an owner created.",
			Scope:     access.Write,
			Status:    http.StatusAccepted,
			TestKeys:  true,
			MakesRoom: true,
			Fails:     []fault.Code{fault.TestKeyRequired, fault.OwnerRequired},
		}, a.resetDemo),
	}
}

func (a *API) advanceClock(ctx context.Context, in *clockAdvance) (*change.Result[portfolio.TestClockOut], error) {
	return a.Demo.Advance(ctx, access.From(ctx), in.AdvanceTo)
}

func (a *API) resetDemo(ctx context.Context, _ *operation.Nothing) (*change.Result[testReset], error) {
	return completedReset(), a.Demo.Reset(ctx, access.From(ctx))
}

// whatHappens are the ways to make an event happen, as clauses of a sentence.
func whatHappens() string {
	var clauses []string
	for _, k := range slices.Backward(event.All()) {
		clauses = append(clauses, k.Trigger.Clause)
	}
	return texts.List(clauses, ", or ")
}

// makeHappen makes an event happen, in the transaction of the context if there is one.
func (a *API) makeHappen(ctx context.Context, in *testEvent) (*change.Result[testEventOut], error) {
	by := access.From(ctx)
	record, err := a.Demo.HappenTo(ctx, by, string(in.Type), in.choice())
	if err != nil {
		return nil, err
	}
	event, err := a.Webhook.EventAbout(ctx, by, webhook.Kind(in.Type), record)
	if err != nil {
		return nil, err
	}
	return &change.Result[testEventOut]{After: testEventOf(event)}, nil
}

// addUnit and addTenant look for the demo portfolio when they are called: a document is made without one.
func (a *API) addUnit(
	ctx context.Context, by access.Actor, c simulate.UnitCreate,
) (*change.Result[portfolio.Unit], error) {
	return a.Demo.AddUnit(ctx, by, c)
}

func (a *API) addTenant(
	ctx context.Context, by access.Actor, c simulate.TenantCreate,
) (*change.Result[portfolio.Tenant], error) {
	return a.Demo.AddTenant(ctx, by, c)
}

func (a *API) makePayment(
	ctx context.Context, in *simulate.PaymentCreate,
) (*change.Result[simulate.PaymentAttempt], error) {
	return a.Demo.Pay(ctx, access.From(ctx), *in)
}
