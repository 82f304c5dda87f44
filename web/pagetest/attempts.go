package pagetest

import (
	"time"

	"portal/api/clock"
	"portal/api/event"
	"portal/api/id"
	"portal/api/webhook"
	"portal/db/webhookstore"
)

// Sent is a delivery to an endpoint after one attempt.
func (y *WebhookPages) Sent(e *webhook.Endpoint, kind webhook.Kind, a webhook.Attempt, next *clock.Time) string {
	y.Helper()
	at := webhook.EndpointRef{Portfolio: y.Home.Test, Endpoint: e.ID}
	told := webhook.Event{
		ID:        id.New(id.Event, y.Now),
		CreatedAt: clock.At(y.Now),
		Type:      kind,
		Body: []byte(
			`{"id":"evt_1","type":"` + string(kind) + `","data":{"object":{"title":"<script>alert(1)</script>"}}}`,
		),
	}
	y.OK(webhookstore.New(y.DB).AddEvent(y.Context(), at.Portfolio, &told))
	d := webhook.Delivery{
		ID:         id.New(id.Delivery, y.Now),
		CreatedAt:  clock.At(y.Now),
		EventID:    told.ID,
		EventType:  event.Type(kind),
		EndpointID: e.ID,
	}
	y.OK(webhookstore.New(y.DB).AddDeliveries(y.Context(), at.Portfolio, []webhook.Delivery{d}))
	y.attempt(at, 1, a, next)
	return d.ID
}

// Tried sends a delivery to an endpoint again and adds the attempt, which has a number.
func (y *WebhookPages) Tried(e *webhook.Endpoint, delivery string, number int, a webhook.Attempt) {
	y.Helper()
	y.Now = y.Now.Add(time.Minute)
	at := webhook.EndpointRef{Portfolio: y.Home.Test, Endpoint: e.ID}
	_, err := webhookstore.New(y.DB).Redeliver(y.Context(), at.Portfolio, delivery, clock.At(y.Now))
	y.OK(err)
	y.attempt(at, number, a, nil)
}

// attempt concludes the delivery that waits.
func (y *WebhookPages) attempt(at webhook.EndpointRef, number int, a webhook.Attempt, next *clock.Time) {
	y.Helper()
	c, err := webhookstore.New(y.DB).Claim(y.Context(), at, webhook.Claim{
		By:       "test",
		At:       clock.At(y.Now),
		Until:    clock.At(y.Now.Add(time.Minute)),
		Most:     1,
		InFlight: 10,
	})
	y.OK(err)
	a.Number, a.At, a.Trigger = number, clock.At(y.Now), webhook.BySchedule
	end := webhook.Conclusion{
		Work:    &c.Work[0],
		Status:  webhook.Succeeded,
		Attempt: a,
		Next:    next,
	}
	if a.Error != nil {
		end.Status = webhook.Failed
	}
	if next != nil {
		end.Status = webhook.Pending
	}
	_, err = webhookstore.New(y.DB).Conclude(y.Context(), at, "test", []webhook.Conclusion{end})
	y.OK(err)
}
