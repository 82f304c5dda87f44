package developer

import (
	"portal/api/developer"
	"portal/views/kit"
	"portal/web/page"
)

// nextSteps are what there is to do until a receiver works; none once it does.
func nextSteps(v *page.Request, way *developer.Progress) []kit.Step {
	if way.Delivered && way.Seen && way.Keys {
		return nil
	}
	status := developer.Withdrawn
	if way.Request != nil {
		status = way.Request.Status
	}
	all := stepsOf(v, way, status)
	switch status {
	case developer.Denied:
		all[0].Title, all[0].Words = "Apply again", "Your last request was denied. The reason is with it."
	case developer.Revoked:
		all[0].Title, all[0].Words = "Apply again", "Your access was taken back, and every key is revoked."
	case developer.Pending, developer.Approved, developer.Withdrawn:
	}
	if status == developer.Approved && !v.Owns() {
		all[2].Words, all[2].Action = "Owners of the account create keys. Ask one of them.", kit.Link{
			Name: "API keys",
			Path: "/keys",
		}
	}
	for i := range all {
		if !all[i].Done {
			all[i].Now = true
			break
		}
	}
	return all
}

// stepsOf are the steps from a request for access to the first webhook.
func stepsOf(v *page.Request, way *developer.Progress, status developer.RequestStatus) []kit.Step {
	approved := status == developer.Approved
	return []kit.Step{
		{
			Title:  "Apply for access",
			Words:  "Tell us what you’re building. We review every request.",
			Done:   approved || status == developer.Pending,
			Action: kit.Link{Name: "Apply for access", Path: "/access"},
		},
		{
			Title:  "Wait for the decision",
			Words:  "Usually two working days. You get an email.",
			Done:   approved,
			Action: kit.Link{Name: "Your request", Path: "/access"},
		},
		{
			Title:  "Create a key",
			Words:  "A test key opens the demo portfolio at once.",
			Done:   way.Keys,
			Action: kit.Link{Name: "Create a key", Path: "/keys/new"},
		},
		{
			Title:  "Send a first request",
			Words:  "Ask for /api/v1/external/me with the key. This page knows within seconds.",
			Done:   way.Seen,
			Action: kit.Link{Name: "API keys", Path: "/keys"},
		},
		{
			Title:  "Receive a webhook",
			Words:  "Add an endpoint that answers with a 2xx status, then trigger an event in the demo portfolio: a ticket, a payment or a signature.",
			Done:   way.Delivered,
			Action: webhooksLink(v),
		},
	}
}

// webhooksLink leads to the endpoints, where there is a page of them.
func webhooksLink(v *page.Request) kit.Link {
	if v.Shell.Served("/{mode}/webhooks") {
		return kit.Link{Name: "Webhooks", Path: "/test/webhooks"}
	}
	return kit.Link{}
}
