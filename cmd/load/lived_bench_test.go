package main

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/event"
	"portal/api/id"
	"portal/api/mail"
	"portal/api/portfolio"
	"portal/api/webhook"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/developerstore"
	"portal/db/mailstore"
	"portal/db/portfoliostore"
	"portal/db/webhookstore"
)

// What the landlord of pagePaths has beside their properties.
const (
	loggedRequests = 200_000
	sentEvents     = 50_000 // each to one endpoint
	calledTools    = 20_000
	sentMails      = 2_000
)

// liveFor80Days fills the database with what such a landlord has after 80 days.
func liveFor80Days(b *testing.B, d *db.DB) {
	b.Helper()
	in := access.Portfolio{ID: 1, Mode: access.Live}
	book := dbtest.LargeBook(in, 10_000)
	err := portfoliostore.New(d).Add(b.Context(), in, book)
	if err == nil {
		err = developerstore.New(d).AddRequests(b.Context(), logged(in))
	}
	if err != nil {
		b.Fatal(err)
	}
	var account string
	if _, err := d.One(
		b.Context(),
		`SELECT account_id FROM portfolios WHERE id = $1`,
		[]any{in.ID},
		&account,
	); err != nil {
		b.Fatal(err)
	}
	sent(b, d, in, book.Leases)
	if err := developerstore.New(d).AddToolCalls(b.Context(), called(account, in)); err != nil {
		b.Fatal(err)
	}
	mailed(b, d, account, in)
}

// past is a moment of the last 80 days, the i-th of n.
func past(i, n int) time.Time {
	return time.Now().AddDate(0, 0, -80).Add(80 * 24 * time.Hour / time.Duration(n) * time.Duration(i))
}

// logged are requests: reads, and one in ten that failed.
func logged(in access.Portfolio) []developer.Request {
	all := make([]developer.Request, loggedRequests)
	for i := range all {
		at := past(i, len(all))
		all[i] = developer.Request{
			ID: id.New(id.Request, at), At: clock.At(at), PortfolioID: in.ID, KeyID: "key_bench",
			Operation: "list_leases", Method: http.MethodGet, Path: "/api/v1/external/leases", Query: "limit=100",
			Status: 200, Duration: 3 * time.Millisecond, Bytes: 40_000, Address: "192.0.2.1", UserAgent: "bench/1.0",
		}
		if i%10 == 0 {
			all[i].Status, all[i].Code = 404, "not_found"
		}
	}
	return all
}

// sent are events of leases, each delivered to an endpoint at the first attempt but for one in ten, which
// failed for good.
func sent(b *testing.B, d *db.DB, in access.Portfolio, leases []portfolio.Lease) {
	b.Helper()
	store, from := webhookstore.New(d), past(0, sentEvents)
	e := webhook.Endpoint{
		Record: portfolio.Record{
			ID:        id.New(id.Endpoint, from),
			Version:   1,
			CreatedAt: clock.At(from),
			UpdatedAt: clock.At(from),
		},
		URL:          "https://hooks.example.com/portal",
		Events:       []webhook.Kind{webhook.EveryKind},
		Status:       webhook.Enabled,
		SecretPrefix: "whsec_bench",
	}
	err := webhookstore.New(d).AddEndpoint(b.Context(), in, e, []byte("sealed"))
	at := webhook.EndpointRef{Portfolio: in, Endpoint: e.ID}
	const together = 500
	for n := 0; n < sentEvents && err == nil; n += together {
		err = d.Atomically(b.Context(), func(ctx context.Context) error {
			all := make([]webhook.Delivery, together)
			for i := range all {
				told := signed(past(n+i, sentEvents), leases[(n+i)%len(leases)].ID)
				all[i] = webhook.Delivery{
					ID: id.New(id.Delivery, told.CreatedAt.Std()), CreatedAt: told.CreatedAt, EventID: told.ID,
					EventType: event.LeaseSigned, EndpointID: e.ID,
				}
				if err := store.AddEvent(ctx, in, &told); err != nil {
					return err
				}
			}
			return store.AddDeliveries(ctx, in, all)
		})
		if err == nil {
			err = attempted(b, webhookstore.New(d), at, clock.At(past(n+together-1, sentEvents)))
		}
	}
	if err != nil {
		b.Fatal(err)
	}
}

// signed is the event of a lease.
func signed(at time.Time, lease string) webhook.Event {
	e := webhook.Event{ID: id.New(id.Event, at), CreatedAt: clock.At(at), Type: webhook.Kind(event.LeaseSigned)}
	e.Body = fmt.Appendf(nil, `{"id":%q,"type":%q,"data":{"object":{"id":%q,"object":"lease"}}}`, e.ID, e.Type, lease)
	return e
}

// attempted ends what waits for an endpoint.
func attempted(b *testing.B, store *webhookstore.Store, at webhook.EndpointRef, now clock.Time) error {
	b.Helper()
	claimed, err := store.Claim(b.Context(), at, webhook.Claim{
		By: "bench", At: now, Until: now + clock.Time(time.Minute/time.Millisecond), Most: 500, InFlight: 500,
	})
	if err != nil {
		return err
	}
	ended := make([]webhook.Conclusion, len(claimed.Work))
	for i := range ended {
		status, refused := 200, "unexpected_status: the receiver answered 500"
		ended[i] = webhook.Conclusion{
			Work:   &claimed.Work[i],
			Status: webhook.Succeeded,
			Attempt: webhook.Attempt{
				Number:     1,
				At:         now,
				DurationMS: 80,
				StatusCode: &status,
				Trigger:    webhook.BySchedule,
			},
		}
		if i%10 == 0 {
			status = 500
			ended[i].Status, ended[i].Attempt.Error = webhook.Failed, &refused
		}
	}
	_, err = store.Conclude(b.Context(), at, "bench", ended)
	return err
}

// called are calls of an assistant.
func called(account string, in access.Portfolio) []developer.ToolCall {
	all := make([]developer.ToolCall, calledTools)
	for i := range all {
		at := past(i, len(all))
		all[i] = developer.ToolCall{
			ID: id.New(id.Call, at), At: clock.At(at), AccountID: account, PortfolioID: in.ID, KeyID: "key_bench",
			RequestID: id.New(id.Request, at), Client: "bench", ClientVersion: "1.0", Protocol: "2025-06-18",
			UserAgent: "bench/1.0", Tool: "list_leases", Arguments: developer.JSON(`{"limit":20}`),
			Outcome: developer.Succeeded, Duration: 3 * time.Millisecond,
		}
	}
	return all
}

// mailed are mails that have gone out.
func mailed(b *testing.B, d *db.DB, account string, in access.Portfolio) {
	b.Helper()
	for i := range sentMails {
		at := past(i, sentMails)
		gone := clock.At(at)
		if err := mailstore.New(d).AddMail(b.Context(), &mail.Entry{
			ID: id.New(id.Mail, at), Mode: in.Mode, Status: mail.Sent, To: "tenant@example.com",
			Subject: "Your lease is signed", Attempts: 1, CreatedAt: gone, SentAt: &gone,
			AccountID: &account, PortfolioID: &in.ID,
		}); err != nil {
			b.Fatal(err)
		}
	}
}
