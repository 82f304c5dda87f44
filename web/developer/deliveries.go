package developer

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/texts"
	"portal/api/webhook"
	views "portal/views/developer"
	"portal/views/kit"
	"portal/web/page"
	"portal/web/payload"
)

// allOr are values to choose one of, by their own names, or all of them.
func allOr(values []string) []kit.Choice {
	all := []kit.Choice{{Label: "All"}}
	for _, v := range values {
		all = append(all, kit.Choice{Value: v, Label: v})
	}
	return all
}

// endpointName tells an endpoint from others: two may have one address.
func endpointName(e *webhook.Endpoint) string {
	if e.Description != nil {
		return *e.Description + " (" + e.Host() + ")"
	}
	return e.Host() + " (…" + e.ID[max(0, len(e.ID)-6):] + ")"
}

// deliveryStatuses are the statuses of a delivery as pages show them.
var deliveryStatuses = map[webhook.DeliveryStatus]kit.Status{
	webhook.Succeeded: {Tone: kit.Done, Text: "Delivered"},
	webhook.Failed:    {Tone: kit.Failed, Text: "Failed"},
	webhook.Cancelled: {Tone: kit.Idle, Text: "Canceled"},
	webhook.Retrying:  {Tone: kit.Warned, Text: "Retrying"},
	webhook.Pending:   {Tone: kit.Waiting, Text: "Pending"},
}

func (p *webhookPages) delivery(v *page.Request, d *webhook.Delivery) error {
	e, err := p.Webhook.Endpoint(v.Ctx(), v.Actor(), d.EndpointID)
	if err != nil {
		return err
	}
	event, err := p.Webhook.Event(v.Ctx(), v.Actor(), d.EventID)
	if err != nil {
		return err
	}
	bodies := payload.New(v, v.In("/webhooks/deliveries/"+d.ID))
	view := deliveryView(v, bodies, d, e, event)
	soon := clock.At(p.Now().Add(15 * time.Second))
	if d.Open() && (d.NextAttemptAt == nil || *d.NextAttemptAt < soon) {
		view.Refresh = 2
	}
	return bodies.Show(views.DeliveryPage(view))
}

func deliveryView(
	v *page.Request, bodies *payload.Bodies, d *webhook.Delivery, e *webhook.Endpoint, event *webhook.Event,
) views.Delivery {
	about := d.EventID // where its content is gone
	if _, words := event.Subject(); words != "" {
		about = texts.Clip(words, 40)
	}
	view := views.Delivery{
		Record: kit.Record{
			Frame: v.Frame("Delivery of " + string(d.EventType)),
			Heading: kit.Heading{
				Title:  string(d.EventType),
				About:  "To " + endpointName(e) + ", created " + v.Time(d.CreatedAt).Text,
				Status: deliveryStatuses[d.Status],
				Code:   true,
			},
			Menu: []kit.Action{
				{Name: "View event", Path: v.In("/events/" + d.EventID), Icon: "activity"},
				{Name: "View endpoint", Path: v.In("/webhooks/" + d.EndpointID), Icon: "webhook"},
			},
			Notices: deliveryNotices(v, d, unsendable(e, event)),
		},
		Sums: []kit.Term{
			{Name: "Delivery", Text: d.ID, ID: true},
			{Name: "Event", Text: about, Path: v.In("/events/" + d.EventID)},
			{Name: "Endpoint", Text: endpointName(e), Path: v.In("/webhooks/" + d.EndpointID)},
			{Name: "Last response", Text: lastResponse(d)},
		},
		Made: page.Counted(d.AttemptCount, "attempt"),
		Body: kit.Body{Absent: "It’s older than 90 days, so its content was deleted."},
	}
	if event.Body != nil {
		view.Body = bodies.View("event", string(event.Body))
	}
	view.Tries = tries(v, bodies, d)
	if unsendable(e, event) == "" {
		view.Primary = kit.Action{
			Name: "Retry now",
			Path: v.In("/webhooks/deliveries/" + d.ID + "/redeliver"),
			Icon: "rotate-cw",
			How:  kit.Posts,
		}
	}
	return view
}

// lastResponse is what came of the latest attempt, in a few words.
func lastResponse(d *webhook.Delivery) string {
	switch {
	case d.LastStatusCode != nil:
		return strings.TrimSpace(strconv.Itoa(*d.LastStatusCode) + " " + http.StatusText(*d.LastStatusCode))
	case d.LastError != nil:
		return "No response"
	}
	return "None yet"
}

// deliveryNotices say what failed and what happens next.
func deliveryNotices(v *page.Request, d *webhook.Delivery, unsendable string) []kit.NoticeContent {
	title := "Your endpoint didn’t respond"
	if d.LastStatusCode != nil {
		title = "Your endpoint returned " + lastResponse(d)
	}
	if d.AttemptCount > 1 {
		title += ", " + page.Counted(d.AttemptCount, "attempt") + " so far"
	}
	var n kit.NoticeContent
	switch d.Status {
	case webhook.Retrying:
		n = kit.NoticeContent{
			Tone:  kit.Warned,
			Title: title,
			Words: "We retry for 24 hours after the event. Fix the endpoint, then retry now.",
		}
		if d.NextAttemptAt != nil {
			next := v.Time(*d.NextAttemptAt)
			n.Words = "The next attempt runs " + next.Ago + ", at " + next.Text + ". " + n.Words
		}
	case webhook.Failed:
		n = kit.NoticeContent{
			Tone: kit.Failed, Title: title,
			Words: "We stopped retrying. Fix the endpoint, then retry now: the same event is sent again.",
		}
	case webhook.Cancelled:
		n = kit.NoticeContent{
			Tone:  kit.Idle,
			Title: "This delivery was canceled",
			Words: "Its endpoint was disabled before it was delivered.",
		}
	case webhook.Pending, webhook.Succeeded:
		return nil
	}
	if unsendable != "" {
		n.Words = "A retry is " + unsendable + "."
	}
	return []kit.NoticeContent{n}
}

// unsendable is why an event cannot be sent to an endpoint again, "" where it can.
func unsendable(e *webhook.Endpoint, event *webhook.Event) string {
	switch {
	case event.Body == nil:
		return "not possible: the event is older than 90 days, and its content was deleted"
	case e.Status != webhook.Enabled:
		return "not possible while the endpoint is disabled"
	}
	return ""
}

// tries are the attempts at a delivery, the latest first, with the one that runs or is
// planned.
func tries(v *page.Request, bodies *payload.Bodies, d *webhook.Delivery) []views.Attempt {
	var all []views.Attempt
	next := kit.Moment{Title: attemptTitle(len(d.Attempts) + 1)}
	switch {
	case d.AttemptCount > len(d.Attempts):
		next.Status = kit.Status{Tone: kit.Waiting, Text: "Running"}
		next.Time = kit.Time{Text: "now", Ago: "now"}
		all = append(all, views.Attempt{Moment: next})
	case d.Open() && d.NextAttemptAt != nil:
		next.Status, next.Time = kit.Status{Tone: kit.Waiting, Text: "Scheduled"}, v.Time(*d.NextAttemptAt)
		all = append(all, views.Attempt{Moment: next})
	}
	for i := range slices.Backward(d.Attempts) {
		all = append(all, attemptView(v, bodies, &d.Attempts[i]))
	}
	return all
}

func attemptTitle(n int) string { return "Attempt " + strconv.Itoa(n) }

func attemptView(v *page.Request, bodies *payload.Bodies, a *webhook.Attempt) views.Attempt {
	view := views.Attempt{
		Moment:   kit.Moment{Title: attemptTitle(a.Number), Time: v.Time(a.At)},
		Error:    page.OrEmpty(a.Error),
		Request:  page.HeaderLines(a.RequestHeaders),
		Response: page.HeaderLines(a.ResponseHeaders),
	}
	if a.Trigger == webhook.ByHand {
		view.Title += ", by hand"
	}
	view.Took = fmt.Sprintf("%d ms", a.DurationMS)
	view.Status = kit.Status{Tone: kit.Done, Text: "Delivered"}
	if a.Error != nil {
		view.Status.Tone = kit.Failed
		view.Error, _ = page.Readable(*a.Error)
	}
	if a.StatusCode == nil {
		view.Status.Text = "No response"
		return view
	}
	view.Code = *a.StatusCode
	view.Answer = kit.Body{Absent: "It was deleted after 90 days."}
	if a.ResponseBody != nil {
		view.Answer = bodies.View("attempt-"+strconv.Itoa(a.Number), *a.ResponseBody)
	}
	if view.Response == "" && a.ResponseHeaders != nil {
		view.Response = "none"
	}
	return view
}

func (p *webhookPages) redeliver(v *page.Request) error {
	at := v.In("/webhooks/deliveries/" + v.Param("id"))
	_, err := page.Here(v, id.Delivery, p.Webhook.Redeliver)
	if v.Form().Refused(err) {
		return v.RefuseAt(at, fault.From(err).Message)
	}
	if err != nil {
		return err
	}
	return v.Done(at, "The event is being sent again.")
}
