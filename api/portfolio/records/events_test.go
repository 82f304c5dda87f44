package records_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/list"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/db/portfoliostore"
)

// everything is a page that holds all rows of a test.
var everything = list.Query{Limit: 1000}

// recorder keeps each event as a mail, which is there or not with its transaction.
type recorder struct {
	post *mail.Service
	fail error
}

func (r *recorder) Raise(ctx context.Context, in access.Portfolio, kind string, record any) error {
	if r.fail != nil {
		return r.fail
	}
	text, err := json.Marshal(record)
	if err != nil {
		return err
	}
	return r.post.Send(ctx, &mail.Message{
		Portfolio: in,
		To:        "events@example.com",
		Subject:   kind,
		Text:      string(text),
	})
}

// leaseFixture is a landlord with one unit, somebody who lives there, two who want to, and
// a recorder of events.
type leaseFixture struct {
	*guests
	by      access.Actor
	told    *recorder
	book    *portfolio.Book
	tenants []string // who lives there, the next primary tenant, the next guarantor
	let     string   // the lease in force, until December 31
	open    string   // the one out for signature, from January 1
}

// inEach runs a test with a fixture on a store of each kind.
func inEach(t *testing.T, test func(*leaseFixture)) {
	onEach(t, func(g *guests) { test(newLeaseFixture(g)) })
}

func newLeaseFixture(g *guests) *leaseFixture {
	g.Helper()
	h := &leaseFixture{guests: g, by: g.owner(access.Live), told: &recorder{post: g.post}}
	g.Events = h.told
	h.book = &portfolio.Book{}
	for _, first := range []string{"Dana", "Sam", "Robin"} {
		h.book.Tenants = append(h.book.Tenants, portfolio.Tenant{
			Record:    h.record(id.Tenant, "tenant"),
			FirstName: first,
			LastName:  "Rivera",
			Name:      first + " Rivera",
			Status:    portfolio.TenantProspect,
			LeaseIDs:  []string{},
		})
		h.tenants = append(h.tenants, h.book.Tenants[len(h.book.Tenants)-1].ID)
	}
	let := h.lease(portfolio.LeaseActive, clock.Day(2026, 1, 1), h.tenants[0])
	open := h.lease(portfolio.LeaseDraft, clock.Day(2027, 1, 1), h.tenants[1], h.tenants[2])
	open.EsignURL, open.ExpiresAt = new("https://portal.example.com/e"), new(clock.At(g.now)+1000)
	h.let, h.open = let.ID, open.ID
	h.book.Leases = []portfolio.Lease{let, open}
	g.ok(portfoliostore.New(g.db).AddPeople(g.Context(), h.by.Portfolio, h.book))
	return h
}

func (h *leaseFixture) record(prefix, object string) portfolio.Record {
	return portfolio.Record{
		ID:        id.New(prefix, h.now),
		Object:    object,
		Mode:      access.Live,
		Version:   1,
		CreatedAt: clock.At(h.now),
		UpdatedAt: clock.At(h.now),
	}
}

// lease is one of a year, whose second party is a guarantor.
func (h *leaseFixture) lease(status portfolio.LeaseStatus, start clock.Date, tenants ...string) portfolio.Lease {
	u := h.home.Unit[access.Live]
	l := portfolio.Lease{
		Record:      h.record(id.Lease, "lease"),
		Status:      status,
		PropertyID:  u.PropertyID,
		UnitID:      u.ID,
		LeaseType:   portfolio.Fixed,
		StartDate:   start,
		EndDate:     new(start.AddMonths(12) - 1),
		MonthlyRent: money.Dollars(1450),
		Currency:    portfolio.Currency,
		RentDueDay:  1,
	}
	for i, t := range tenants {
		role := []portfolio.PartyRole{portfolio.PartyPrimary, portfolio.PartyGuarantor, portfolio.PartyCoTenant}[i]
		l.TenantIDs, l.Tenants = append(l.TenantIDs, t), append(l.Tenants, portfolio.Party{ID: t, Role: role})
	}
	return l
}

// events are those so far, kind and record, the oldest first.
func (h *leaseFixture) events() (kinds []string, records []map[string]any) {
	h.Helper()
	all := h.emails()
	for _, l := range all {
		var record map[string]any
		h.ok(json.Unmarshal([]byte(l.Content.Text), &record))
		kinds, records = append(kinds, l.Subject), append(records, record)
	}
	return kinds, records
}

// shown is a record as REST shows it.
func (h *leaseFixture) shown(record any, err error) map[string]any {
	h.Helper()
	h.ok(err)
	text, err := json.Marshal(record)
	h.ok(err)
	var v map[string]any
	h.ok(json.Unmarshal(text, &v))
	return v
}

// quiet ends the test where something was told.
func (h *leaseFixture) quiet() {
	h.Helper()
	if kinds, _ := h.events(); len(kinds) != 0 {
		h.Fatalf("told of %q", kinds)
	}
}

// stopped runs what would raise an event in each way that leaves nothing: as a dry run, in a
// transaction that fails afterwards, and where the event cannot be stored.
func (h *leaseFixture) stopped(do func(context.Context) error) {
	h.Helper()
	h.ok(change.DryRun(h.Context(), h.db, do))
	reason := errors.New("no")
	if err := h.db.Atomically(
		h.Context(),
		func(ctx context.Context) error { return errors.Join(do(ctx), reason) },
	); !errors.Is(err, reason) {
		h.Fatal(err)
	}
	h.told.fail = reason
	if err := do(h.Context()); !errors.Is(err, reason) {
		h.Fatalf("the event was lost: %v", err)
	}
	h.told.fail = nil
	h.quiet()
}
