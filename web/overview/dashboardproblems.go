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
	all, o := g.endpointProblems(), g.portfolio
	add := func(path, icon string, tone kit.Tone, title, words string) {
		all = append(all, views.Attention{Path: g.v.In(path), Icon: icon, Tone: tone, Title: title, Words: words})
	}
	if n := g.all.ServerFailed; n > 0 {
		title := atMostAny(n, "request failed on our side", "requests failed on our side")
		add("/logs?status=5xx", "circle-x", kit.Failed, title, "Answered with 5xx in the "+lowerFirst(g.name))
	}
	if n := o.Tickets[portfolio.PriorityEmergency]; n > 0 {
		title := atMost(n, "emergency ticket open", "emergency tickets open")
		add("/tickets?priority=emergency", "siren", kit.Failed, title, "Oldest: "+g.v.Time(o.OldestEmergency).Ago)
	}
	if n := o.Overdue.Charges; n > 0 {
		words := o.Overdue.Sum.Dollars() + " across " + atMost(o.Overdue.Leases, "lease", "leases")
		add("/ledger?overdue=true", "triangle-alert", kit.Warned, atMost(n, "overdue charge", "overdue charges"), words)
	}
	if n := o.Expiring.Leases; n > 0 {
		words := "Sign by " + g.v.Time(o.Expiring.First).Short
		if n == 1 {
			words = o.Expiring.Address + " · by " + g.v.Time(o.Expiring.First).Short
		}
		title := atMost(n, "lease needs a signature", "leases need a signature")
		add("/leases?status=pending_signature", "clock", kit.Waiting, title, words)
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
