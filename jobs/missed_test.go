package jobs

import (
	"context"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/event"
	"portal/api/id"
	"portal/api/secret"
	"portal/api/webhook"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/webhookstore"
)

// An outage of more than one part is queued by jobs, one after the other, to its end.
func TestLongOutageIsRequeuedByJobs(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d *db.DB) {
		const missed = 1300
		queue, err := NewQueue(d)
		must(t, err)
		box, err := secret.NewBox(make([]byte, secret.KeySize))
		must(t, err)
		s := webhook.New(webhookstore.New(d), box, atNoon, false)
		s.Backlog = queue
		by := owner(t, d)
		made, err := s.CreateEndpoint(t.Context(), by, webhook.EndpointCreate{URL: "https://hooks.example.com/"})
		must(t, err)
		must(t, d.Atomically(t.Context(), func(ctx context.Context) error {
			for range missed {
				e := webhook.Event{
					ID:        id.New(id.Event, noon),
					CreatedAt: clock.At(noon),
					Type:      event.LeaseSigned,
					Body:      []byte("{}"),
				}
				if err := webhookstore.New(d).AddEvent(ctx, by.Portfolio, &e); err != nil {
					return err
				}
			}
			return nil
		}))
		started(t, d, &lines{}, nil)
		answer, err := s.MissedEvents.RedeliverMissed(t.Context(), by, made.After.ID, webhook.RedeliverMissed{
			Since: clock.At(noon),
		})
		must(t, err)
		if len(answer.After.Data) != 100 || !answer.After.HasMore {
			t.Errorf("the answer has %d deliveries, more: %v", len(answer.After.Data), answer.After.HasMore)
		}
		deadline := time.After(30 * time.Second)
		for {
			n, err := s.Deliveries(t.Context(), by, webhook.DeliveryFilter{
				EndpointID: made.After.ID,
				Limit:      2 * missed,
			})
			must(t, err)
			if len(n) == missed {
				break
			}
			select {
			case <-deadline:
				t.Fatalf("%d of %d are queued", len(n), missed)
			case <-time.After(20 * time.Millisecond): // between two looks
			}
		}
	})
}

// owner adds an account with a live portfolio, and is its actor.
func owner(t *testing.T, d *db.DB) access.Actor {
	t.Helper()
	account := id.New(id.Account, noon)
	must(t, accountstore.New(d).AddAccount(t.Context(), developer.Account{
		ID:        account,
		Name:      "Dana",
		TimeZone:  "UTC",
		Plan:      developer.Plan{Tier: developer.Pro},
		CreatedAt: clock.At(noon),
	}))
	in, err := accountstore.New(d).AddPortfolio(t.Context(), account, access.Live)
	must(t, err)
	return access.Actor{
		Portfolio: in,
		AccountID: account,
		Scopes:    access.Scopes{access.Read, access.Write},
		Role:      access.Owner,
		Zone:      time.UTC,
	}
}
