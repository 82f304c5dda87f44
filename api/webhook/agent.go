package webhook

// Agent is what a delivery calls its sender.
func Agent(baseURL string) string {
	return "Portal-Webhooks/" + APIVersion + " (+" + baseURL + "/docs)"
}
