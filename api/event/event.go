// Package event is the catalogue of what webhooks tell: each type of event once, with the record that it
// is about, its schema, the sentences that describe it, and how a test makes it happen. The OpenAPI
// document, the commands, the pages and the documentation read it here.
//
// It knows nothing of endpoints, deliveries, SQL or HTTP.
package event

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"strings"

	"portal/api/clock"
	"portal/api/money"
	"portal/api/portfolio"
)

// The types of events about records of a portfolio. A constant fits where a Type or a text is asked for.
const (
	LeaseSigned        = "lease.signed"
	PaymentSucceeded   = "payment.succeeded"
	MaintenanceCreated = "maintenance.created"
)

// EndpointTest is the type of the event that is sent on request, to one webhook endpoint and whatever it
// chose. It is about that endpoint, and no row of the catalogue.
const EndpointTest = "endpoint.test"

// Type is a type of event that happens.
type Type string

// Values are all types of events.
func (Type) Values() []string { return append(Types(), EndpointTest) }

// SchemaName is the name of the OpenAPI component.
func (Type) SchemaName() string { return "EventType" }

// Kind is a row of the catalogue; About makes one.
type Kind struct {
	Type        string  // such as lease.signed
	Summary     string  // what happens, without a period
	Description string  // what has happened, in a sentence
	Object      string  // what data.object is, such as "the lease"
	Cause       string  // what raises it, as a part of a list, such as "signed leases"
	Icon        string  // of static/icons
	Trigger     Trigger // how a test makes it happen; only that of an endpoint has none
	Notice      reflect.Type
	Record      reflect.Type
	Raised      reflect.Type // what is raised: a pointer to one
	encode      func(b []byte, h *Header, record any) ([]byte, error)
	Sample      func() ([]byte, error)               // such an event, for the documentation
	Subject     func(body []byte) (id, words string) // the record of one, each "" where it cannot be read
}

// Trigger makes an event happen in a demo portfolio.
type Trigger struct {
	Title  string   // what happens, as the page of the demo portfolio says it
	Words  string   // how, in a sentence
	Clause string   // how, as a clause within a sentence
	Takes  []string // the parts of a Choice that it heeds
	// Happen does it, by the real rules, and names the record that the event is about.
	Happen func(Scene, context.Context, Choice) (record string, err error)
}

// Scene is a demo portfolio in which something can happen.
type Scene interface {
	SignLease(ctx context.Context, c Choice) (lease string, err error)
	PayRent(ctx context.Context, c Choice) (payment string, err error)
	SubmitTicket(ctx context.Context, c Choice) (ticket string, err error)
}

// The types of their events, for Notice.
type (
	leaseSigned        struct{}
	paymentSucceeded   struct{}
	maintenanceCreated struct{}
)

func (leaseSigned) Type() string        { return LeaseSigned }
func (paymentSucceeded) Type() string   { return PaymentSucceeded }
func (maintenanceCreated) Type() string { return MaintenanceCreated }

// catalogue has all events about records of a portfolio.
var catalogue = []Kind{
	About[portfolio.Lease, leaseSigned](Kind{
		Summary:     "A lease is signed",
		Description: "The last party has signed a lease.",
		Object:      "the lease",
		Cause:       "signed leases",
		Icon:        "pen-line",
		Trigger: Trigger{
			Title:  "A lease is signed by all",
			Words:  "Everyone signs a lease that’s out for signature. If there is none, one is created.",
			Clause: "all parties sign a lease online",
			Takes:  []string{LeaseID},
			Happen: Scene.SignLease,
		},
	}, func(l *portfolio.Lease) {
		l.EndDate, l.DaysUntilEnd, l.LateFeeAmount = new(clock.Day(2027, 10, 31)), new(363), new(money.Cents(75_00))
		l.MoveOutDate, l.NoticeGivenDate, l.TerminatedOn, l.ExpiresAt = nil, nil, nil, nil
		l.RenewedFromLeaseID, l.RenewedToLeaseID = nil, nil
	}, func(l *portfolio.Lease) (id, words string) { return l.ID, l.RentalAddress }),
	about[ClearedPayment, paymentSucceeded](Kind{
		Summary:     "A rent payment clears",
		Description: "A rent payment by ACH or card has cleared, in full or in part.",
		Object:      "the ledger row",
		Cause:       "cleared rent payments",
		Icon:        "receipt",
		Record:      reflect.TypeFor[portfolio.Payment](),
		Raised:      reflect.TypeFor[ClearedPayment](),
		Trigger: Trigger{
			Title:  "A rent payment clears",
			Words:  "A card payment for the oldest unpaid rent succeeds.",
			Clause: "pays the rent that is owed longest",
			Takes:  []string{PaymentID, LeaseID, TenantID},
			Happen: Scene.PayRent,
		},
	}, func(record any) (d ClearedPayment, is bool) {
		if cleared, is := record.(*ClearedPayment); is {
			return *cleared, true
		}
		return d, false
	}, func(d *ClearedPayment) {
		p, t := &d.Object, &d.Transaction
		p.BalanceDue, p.PeriodEnd, p.FailureCode, p.Reference = 0, new(clock.Day(2026, 11, 30)), nil, nil
		t.Kind, t.Method, t.Amount, t.Status = portfolio.TransactionPayment, p.Method, p.Amount,
			portfolio.TransactionSucceeded
		t.FailureCode, t.FailureMessage, t.RecordedBy = nil, nil, portfolio.ByProcessor
	}, func(d *ClearedPayment) (id, words string) {
		return d.Object.ID, d.Object.Amount.Dollars() + " · " + *cmp.Or(d.Object.Description, new(""))
	}),
	About[portfolio.Ticket, maintenanceCreated](Kind{
		Summary:     "A tenant opens a ticket",
		Description: "A tenant has submitted a maintenance ticket. Triage is already done.",
		Object:      "the ticket",
		Cause:       "tickets from tenants",
		Icon:        "wrench",
		Trigger: Trigger{
			Title:  "A tenant reports a repair",
			Words:  "A tenant writes a ticket. Triage sets its category and priority.",
			Clause: "a tenant submits a ticket",
			Takes:  []string{TenantID, Description},
			Happen: Scene.SubmitTicket,
		},
	}, func(t *portfolio.Ticket) {
		t.Vendor, t.ScheduledStart, t.ScheduledEnd, t.DueDate = nil, nil, nil, nil
		t.EstimatedCost, t.ActualCost, t.CompletedAt, t.CancelledAt = nil, nil, nil, nil
		t.AgeDays, t.Priority = 0, portfolio.PriorityLow
		t.Triage.SafetyFlags = []string{}
		t.Triage.Reasons = []portfolio.TriageReason{{Rule: "drip", Matched: "drips"}}
	}, func(t *portfolio.Ticket) (id, words string) { return t.ID, t.Number + " " + t.Title }),
}

// All are the events about records of a portfolio, in their order.
func All() []Kind { return slices.Clone(catalogue) }

// Of is the event of a type about records of a portfolio.
func Of(name string) (k Kind, known bool) {
	for i := range catalogue {
		if catalogue[i].Type == name {
			return catalogue[i], true
		}
	}
	return k, false
}

// Add puts a kind into the catalogue until it is removed, for tests of who reads it. Nobody may read
// the catalogue at that moment.
func Add(k Kind) (remove func()) {
	catalogue = append(catalogue, k)
	return func() { catalogue = slices.DeleteFunc(catalogue, func(c Kind) bool { return c.Type == k.Type }) }
}

// Types are the types of all events about records.
func Types() []string {
	names := make([]string, len(catalogue))
	for i := range catalogue {
		names[i] = catalogue[i].Type
	}
	return names
}

// camel is a type of event as a part of a name: LeaseSigned for lease.signed.
func camel(name string) string {
	var b strings.Builder
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '.' || r == '_' }) {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}
