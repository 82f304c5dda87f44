package webhook

import "portal/api/event"

// Agent is what a delivery calls its sender.
func Agent(baseURL string) string {
	return "Portal-Webhooks/" + event.APIVersion + " (+" + baseURL + "/docs)"
}
