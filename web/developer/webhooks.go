package developer

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"portal/api/clock"
	"portal/api/id"
	"portal/api/webhook"
	views "portal/views/developer"
	"portal/views/kit"
	"portal/web/page"
)

// How far back the pages look.
const (
	successDays = 7
	chartDays   = 14
)

// webhookPages is the pages of endpoints, events and deliveries.
type webhookPages struct{ *Section }

func (p *webhookPages) routes() []page.Route {
	of := page.With(id.Endpoint, p.Webhook.Endpoint)
	return []page.Route{
		page.Get("/{mode}/events", page.Member, p.events),
		page.Get("/{mode}/events.csv", page.Member, p.exportEvents),
		page.Get("/{mode}/events/:id", page.Member, page.With(id.Event, p.Webhook.Event)(p.event)),
		page.Get("/{mode}/webhooks", page.Member, p.webhooks),
		page.Get("/{mode}/webhooks.csv", page.Member, p.exportEndpoints),
		page.Get("/{mode}/webhooks/new", page.Member, page.Asks(p.endpointForm)).Confirmed(),
		page.Post("/{mode}/webhooks/new", page.Member, p.addEndpoint).Confirmed().Once(),
		page.Get("/{mode}/webhooks/deliveries", page.Member, p.deliveries),
		page.Get("/{mode}/webhooks/deliveries.csv", page.Member, p.exportDeliveries),
		page.Get("/{mode}/webhooks/deliveries/stream", page.Member, p.streamDeliveries),
		page.Post("/{mode}/webhooks/deliveries", page.Member, p.retryDeliveries).Once(),
		page.Get(
			"/{mode}/webhooks/deliveries/:id",
			page.Member,
			page.With(id.Delivery, p.Webhook.Delivery)(p.delivery),
		),
		page.Post("/{mode}/webhooks/deliveries/:id/redeliver", page.Member, p.redeliver).Once(),
		page.Get("/{mode}/webhooks/:id", page.Member, of(p.endpoint)),
		page.Get("/{mode}/webhooks/:id/edit", page.Member, of(p.editEndpoint)).Confirmed(),
		page.Post("/{mode}/webhooks/:id/edit", page.Member, of(p.editEndpoint)).Confirmed(),
		page.Post("/{mode}/webhooks/:id/test", page.Member, p.testEndpoint).Once(),
		page.Get("/{mode}/webhooks/:id/enable", page.Member, of(p.enableEndpoint)),
		page.Post("/{mode}/webhooks/:id/enable", page.Member, of(p.enableEndpoint)).Once(),
		page.Get("/{mode}/webhooks/:id/disable", page.Member, of(p.disableEndpoint)),
		page.Post("/{mode}/webhooks/:id/disable", page.Member, of(p.disableEndpoint)),
		page.Get("/{mode}/webhooks/:id/rotate", page.Member, of(p.rotateSecret)).Confirmed(),
		page.Post("/{mode}/webhooks/:id/rotate", page.Member, of(p.rotateSecret)).Confirmed().Once(),
		page.Get("/{mode}/webhooks/:id/missed", page.Member, of(p.sendMissed)),
		page.Post("/{mode}/webhooks/:id/missed", page.Member, of(p.sendMissed)).Once(),
	}
}

// daysAgo is so many days ago.
func daysAgo(v *page.Request, n int) clock.Time {
	return clock.At(v.Shell.Now().Add(-time.Duration(n) * 24 * time.Hour))
}

func endpointStatus(e *webhook.Endpoint, h webhook.Health) kit.Status {
	switch {
	case e.Status != webhook.Enabled:
	case h.Retrying > 0:
		return kit.Status{Tone: kit.Warned, Text: "Retrying"}
	case h.FailingSince != nil:
		return kit.Status{Tone: kit.Failed, Text: "Failing"}
	default:
		return kit.Status{Tone: kit.Done, Text: "Enabled"}
	}
	if e.DisabledReason != nil && *e.DisabledReason == webhook.ByFailures {
		return kit.Status{Tone: kit.Warned, Text: "Turned off"}
	}
	return kit.Status{Tone: kit.Idle, Text: "Disabled"}
}

func (p *webhookPages) endpoint(v *page.Request, e *webhook.Endpoint) error {
	hours, err := p.Webhook.Hours(v.Ctx(), v.Actor(), []string{e.ID}, daysAgo(v, chartDays))
	if err != nil {
		return err
	}
	health, err := p.Webhook.Health(v.Ctx(), v.Actor(), []string{e.ID})
	if err != nil {
		return err
	}
	latest, err := p.Webhook.Deliveries(v.Ctx(), v.Actor(), webhook.DeliveryFilter{EndpointID: e.ID, Limit: 10})
	if err != nil {
		return err
	}
	view := endpointView(v, e, hours, webhook.HealthOf(health, e.ID))
	view.Deliveries = deliveryGrid(v, latest, []webhook.Endpoint{*e})
	view.Deliveries.Caption = "Latest deliveries"
	view.Deliveries.Empty = kit.Empty{
		Title: "No deliveries yet",
		Words: "Events from now on are sent here. Send a test event to see whether the endpoint responds.",
	}
	return v.Show(views.EndpointPage(view))
}

func endpointView(v *page.Request, e *webhook.Endpoint, hours []webhook.Hour, h webhook.Health) views.Endpoint {
	at, line := v.In("/webhooks/"+e.ID), endpointState(v, e, hours, h)
	name := e.Host()
	if e.Description != nil {
		name = *e.Description
	}
	view := views.Endpoint{
		Record: kit.Record{
			Frame:   v.Frame("Endpoint " + name),
			Heading: kit.Heading{Title: name, About: e.URL, Status: line.status},
			Edit:    at + "/edit",
			Menu:    endpointMenu(at, e),
			Notices: endpointNotices(v, e, line),
			Facts:   endpointFacts(v, e, line),
		},
		Log: v.In("/webhooks/deliveries?endpoint=" + url.QueryEscape(e.ID)),
	}
	view.Attempts, view.Latency = endpointCharts(v, hours)
	if e.Status == webhook.Disabled {
		view.Primary = kit.Action{Name: "Enable endpoint", Path: at + "/enable", How: kit.Asks}
	} else {
		view.Primary = kit.Action{Name: "Send test event", Path: at + "/test", Icon: "zap", How: kit.Posts}
	}
	return view
}

// endpointFacts are what is known of an endpoint.
func endpointFacts(v *page.Request, e *webhook.Endpoint, line endpointLine) []kit.Facts {
	health := kit.Facts{Title: "Health", Terms: []kit.Term{
		{Name: "Success rate", Text: line.success, Note: line.of + " in 7 days"},
		{Name: "Retrying", Text: line.retrying},
		{Name: "Failing since", Time: line.failingSince},
		{Name: "Last response", Text: line.response},
		{Name: "Last delivery", Time: v.TimeOr(e.LastDeliveryAt, "Never")},
		{Name: "Last success", Time: v.TimeOr(e.LastSuccessAt, "Never")},
	}}
	setup := kit.Facts{Title: "Setup", Terms: []kit.Term{
		{Name: "Events", Text: kindWords(e.Events)},
		{Name: "Signing secret", Text: e.SecretPrefix + "…"},
	}}
	if e.PreviousSecretExpiresAt != nil && e.PreviousSecretExpiresAt.Std().After(v.Shell.Now()) {
		setup.Terms = append(
			setup.Terms,
			kit.Term{Name: "Old secret", Text: "Signs until " + v.Time(*e.PreviousSecretExpiresAt).Text},
		)
	}
	details := kit.Facts{Title: "Details", Terms: []kit.Term{
		{Name: "ID", Text: e.ID, ID: true},
		{Name: "URL", Text: e.URL},
		{Name: "Created", Time: v.Time(e.CreatedAt)},
	}}
	if e.DisabledAt != nil {
		details.Terms = append(details.Terms, kit.Term{Name: "Disabled", Time: v.Time(*e.DisabledAt)})
		if e.DisabledReason != nil && *e.DisabledReason == webhook.ByAPI {
			details.Terms[len(details.Terms)-1].Note = "over the API"
		}
	}
	return []kit.Facts{health, setup, details}
}

// endpointMenu is what can be done with an endpoint less often.
func endpointMenu(at string, e *webhook.Endpoint) []kit.Action {
	all := []kit.Action{{Name: "Rotate secret", Path: at + "/rotate", Icon: "rotate-cw", How: kit.Asks}}
	if e.Status == webhook.Disabled {
		return all
	}
	return append(
		all,
		kit.Action{Name: "Send missed events", Path: at + "/missed", Icon: "send", How: kit.Asks},
		kit.Action{Name: "Disable endpoint…", Path: at + "/disable", How: kit.Asks, Bad: true},
	)
}

// endpointNotices say what is wrong with an endpoint, and what to do about it.
func endpointNotices(v *page.Request, e *webhook.Endpoint, line endpointLine) []kit.NoticeContent {
	var all []kit.NoticeContent
	switch {
	case e.DisabledReason != nil && *e.DisabledReason == webhook.ByFailures:
		all = append(all, kit.NoticeContent{
			Tone:  kit.Warned,
			Title: "Off after 5 days of failures",
			Words: "Fix the receiver, enable the endpoint, then send what it missed.",
		})
	case line.failingSince.ISO != "":
		all = append(all, kit.NoticeContent{
			Tone:   kit.Warned,
			Title:  "Every delivery has failed since " + line.failingSince.Text,
			Words:  line.answered() + "After 5 days of failures the endpoint is turned off.",
			Action: failures(v, e),
		})
	}
	if e.Sample() {
		all = append(all, kit.NoticeContent{
			Tone:  kit.Idle,
			Title: "Sample endpoint",
			Words: "Its address is reserved for examples and can’t receive events. Change the URL, or disable the " +
				"endpoint.",
		})
	}
	return all
}

// retryingWords says how many deliveries are retried, "" for none.
func retryingWords(n int) string {
	switch {
	case n == 0:
		return ""
	case n == 1:
		return "1 delivery"
	case n >= webhook.MostRetrying:
		return strconv.Itoa(webhook.MostRetrying) + " deliveries or more"
	}
	return strconv.Itoa(n) + " deliveries"
}

// responseWords are what the latest attempt was answered, or why it was not, "" where there was none: a problem
// is a code, a colon and a sentence, of which people read the sentence.
func responseWords(code *int, problem *string) (words string) {
	if problem != nil {
		_, sentence, coded := strings.Cut(*problem, ": ")
		if !coded {
			sentence = *problem
		}
		words, _ = page.Readable(sentence)
	}
	if code != nil && *code != 0 {
		words = strings.TrimSpace(strconv.Itoa(*code) + " " + words)
	}
	return words
}
