package overview

import (
	"fmt"

	"portal/api/clock"
	"portal/api/portfolio"
	"portal/api/portfolio/ledger/report"
	"portal/api/texts"
	"portal/api/webhook"
	"portal/views/kit"
	views "portal/views/overview"
)

// attention is what is wrong, the worst first; each leads to where it is seen.
func (g *glance) attention() []views.Attention {
	all := g.endpointProblems()
	o := g.portfolio
	if n := g.all.ServerFailed; n > 0 {
		all = append(all, views.Attention{
			Path:  g.v.In("/logs?status=5xx"),
			Icon:  "circle-x",
			Tone:  kit.Failed,
			Title: atMostAny(n, "request failed on our side", "requests failed on our side"),
			Words: "Answered with 5xx in the " + lowerFirst(g.name),
		})
	}
	if n := o.Tickets[portfolio.PriorityEmergency]; n > 0 {
		all = append(all, views.Attention{
			Path:  g.v.In("/tickets?priority=emergency"),
			Icon:  "siren",
			Tone:  kit.Failed,
			Title: atMost(n, "emergency ticket open", "emergency tickets open"),
			Words: "Oldest: " + g.v.Time(o.OldestEmergency).Ago,
		})
	}
	if n := o.Overdue.Charges; n > 0 {
		all = append(all, views.Attention{
			Path:  g.v.In("/ledger?overdue=true"),
			Icon:  "triangle-alert",
			Tone:  kit.Warned,
			Title: atMost(n, "overdue charge", "overdue charges"),
			Words: o.Overdue.Sum.Dollars() + " across " + atMost(o.Overdue.Leases, "lease", "leases"),
		})
	}
	if n := o.Expiring.Leases; n > 0 {
		words := "Sign by " + g.v.Time(o.Expiring.First).Short
		if n == 1 {
			words = o.Expiring.Address + " · by " + g.v.Time(o.Expiring.First).Short
		}
		all = append(all, views.Attention{
			Path:  g.v.In("/leases?status=pending_signature"),
			Icon:  "clock",
			Tone:  kit.Waiting,
			Title: atMost(n, "lease needs a signature", "leases need a signature"),
			Words: words,
		})
	}
	return all
}

// arrears are what is overdue by how long.
func (g *glance) arrears() (all []views.Arrears) {
	o := &g.portfolio.Overdue
	if o.Charges == 0 {
		return nil
	}
	least := 0 // of days
	for i, owed := range o.Ages {
		a := views.Arrears{Amount: owed.Dollars()}
		path := "/ledger?overdue=true&due_before=" + (g.portfolio.Today - clock.Date(least) + 1).String()
		switch {
		case i == len(report.Ages):
			a.Name = fmt.Sprintf("More than %d days", report.Ages[i-1])
		default:
			a.Name = fmt.Sprintf("%d–%d days", least, report.Ages[i])
			path += "&due_after=" + (g.portfolio.Today - clock.Date(report.Ages[i]) - 1).String()
			least = report.Ages[i] + 1
		}
		if o.Charges > report.MostCounted { // the oldest of them alone are added up
			a.Amount = "at least " + a.Amount
		}
		a.Path = g.v.In(path)
		all = append(all, a)
	}
	return all
}

// endpointProblems are the endpoints that fail, and those that were disabled for it.
func (g *glance) endpointProblems() (all []views.Attention) {
	var off []*webhook.Endpoint
	for i := range g.endpoints {
		if why := g.endpoints[i].DisabledReason; why != nil && *why == webhook.ByFailures {
			off = append(off, &g.endpoints[i])
		}
	}
	add := func(found []*webhook.Endpoint, one, many string, words func(*webhook.Endpoint) string) {
		a := views.Attention{Path: g.v.In("/webhooks"), Icon: "circle-x", Tone: kit.Failed}
		switch len(found) {
		case 0:
			return
		case 1:
			a.Path, a.Title, a.Words = g.v.In("/webhooks/"+found[0].ID), one, words(found[0])
		default:
			a.Title, a.Words = texts.Number(len(found))+" "+many, found[0].Host()+" and others"
		}
		all = append(all, a)
	}
	add(g.failing(), "Webhook endpoint failing", "webhook endpoints failing", g.failures)
	add(off, "Webhook endpoint turned off", "webhook endpoints turned off", func(e *webhook.Endpoint) string {
		return e.Host() + " · After 5 days of failures"
	})
	return all
}

// failures says how many attempts at an endpoint failed in the period.
func (g *glance) failures(e *webhook.Endpoint) string {
	failed := 0
	for _, a := range g.attempts {
		if a.EndpointID == e.ID {
			failed += a.Failed
		}
	}
	if failed == 0 {
		return e.Host()
	}
	return e.Host() + " · " + texts.Number(failed) + " failed in the " + lowerFirst(g.name)
}

// atMostAny is a number of things that are all counted.
func atMostAny(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return texts.Number(n) + " " + many
}
