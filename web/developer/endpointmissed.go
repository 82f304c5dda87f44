package developer

import (
	"strconv"

	"portal/api/change"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/webhook"
	"portal/views/kit"
	"portal/web/page"
)

const (
	sameBytes      = "The same bytes with the same event IDs, so your receiver can skip those it already has."
	newestLookedAt = "Only the newest 1,000 events were counted. All missed events are sent."
)

// askEnable asks whether what an endpoint has missed is sent, too.
func (p *webhookPages) askEnable(v *page.Request, e *webhook.Endpoint) func(q *page.Question) error {
	return func(q *page.Question) error {
		if e.DisabledAt == nil {
			return nil
		}
		counts, err := p.Webhook.MissedEvents.MissedLately(v.Ctx(), v.Actor(), e.ID, *e.DisabledAt)
		if err != nil || counts[0] == (list.Count{}) {
			return err
		}
		send := kit.Field{
			Name:    "missed",
			Kind:    "checkbox",
			Label:   "Send missed events",
			Checked: true,
			Hint:    sameBytes,
		}
		if n := counts[0]; n.N == 0 {
			q.Words = append(q.Words, "It may have missed events since it was disabled. "+newestLookedAt)
		} else {
			q.Words = append(q.Words, "It has missed "+page.CountWords(n, "event")+" since it was disabled.")
			send.Label += " (" + n.Words() + ")"
		}
		q.Form.Groups = []kit.FieldGroup{{Fields: []kit.Field{send}}}
		return nil
	}
}

func (p *webhookPages) enableEndpoint(v *page.Request, e *webhook.Endpoint) error {
	at := v.In("/webhooks/" + e.ID)
	return page.Question{
		Title: "Enable the endpoint at " + e.Host() + "?",
		Words: []string{"Events are sent to it from now on."},
		Form:  kit.Form{Submit: "Enable endpoint"},
		Back:  at,
		Ask:   p.askEnable(v, e),
		Do: func(f *page.Form, _ change.Target) error {
			u := webhook.EndpointUpdate{Status: change.To(webhook.Enabled)}
			if _, err := p.Webhook.UpdateEndpoint(v.Ctx(), v.Actor(), change.Target{ID: e.ID}, u); err != nil {
				return err
			}
			said := "The endpoint is enabled."
			if f.Checked("missed") && e.DisabledAt != nil {
				queued, err := p.queueMissed(v, e.ID, *e.DisabledAt)
				if err != nil {
					return err
				}
				said += " " + queued
			}
			return v.Done(at, said)
		},
	}.Serve(v)
}

// lookBacks are the times of which what was missed can be sent.
var lookBacks = []struct {
	days  int
	label string
}{{1, "The last day"}, {7, "The last 7 days"}, {30, "The last 30 days"}, {90, "The last 90 days"}}

// askMissed asks from when on, with how much was missed since.
func (p *webhookPages) askMissed(v *page.Request, e *webhook.Endpoint) func(q *page.Question) error {
	return func(q *page.Question) error {
		since := make([]clock.Time, len(lookBacks))
		for i, b := range lookBacks {
			since[i] = daysAgo(v, b.days)
		}
		counts, err := p.Webhook.MissedEvents.MissedLately(v.Ctx(), v.Actor(), e.ID, since...)
		if err != nil {
			return err
		}
		field := kit.Field{Name: "days", Label: "Period", Kind: "radios"}
		for i, b := range lookBacks {
			label := b.label
			if counts[i].More {
				field.Hint = newestLookedAt
			}
			switch {
			case counts[i].N > 0:
				label += ": " + page.CountWords(counts[i], "event")
			case !counts[i].More:
				label += ": none"
			}
			field.Choices = append(field.Choices, kit.Choice{Value: strconv.Itoa(b.days), Label: label, Chosen: i == 0})
		}
		q.Form.Groups = []kit.FieldGroup{{Fields: []kit.Field{field}}}
		return nil
	}
}

func (p *webhookPages) sendMissed(v *page.Request, e *webhook.Endpoint) error {
	at := v.In("/webhooks/" + e.ID)
	return page.Question{
		Title: "Send missed events?",
		Words: []string{
			"Events that the endpoint at " + e.Host() +
				" chose and hasn’t acknowledged are sent again, with the same bytes and event IDs. Events that are " +
				"on their way aren’t sent twice.",
		},
		Form: kit.Form{Submit: "Send missed events"},
		Back: at,
		Ask:  p.askMissed(v, e),
		Do: func(f *page.Form, _ change.Target) error {
			days, ok := f.Between("days", 1, 90, "Choose a time of at most 90 days.")
			if !ok {
				return nil
			}
			said, err := p.queueMissed(v, e.ID, daysAgo(v, days))
			if err != nil {
				return err
			}
			return v.Done(at, said)
		},
	}.Serve(v)
}

// queueMissed queues what was missed since a moment, and says how much. Of more than a page, jobs queue the others.
func (p *webhookPages) queueMissed(v *page.Request, endpoint string, since clock.Time) (said string, err error) {
	made, err := p.Webhook.MissedEvents.RedeliverMissed(
		v.Ctx(),
		v.Actor(),
		endpoint,
		webhook.RedeliverMissed{Since: since},
	)
	if err != nil {
		return "", err
	}
	said = page.Counted(len(made.After.Data), "missed event")
	switch {
	case made.After.HasMore:
		return "Sending more than " + said + ". This can take a few minutes.", nil
	case len(made.After.Data) == 0:
		return "There were no missed events.", nil
	}
	return "Sending " + said + ".", nil
}
