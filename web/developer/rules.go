package developer

import "portal/api/webhook"

// These are the rules by names that can stand beside each other.
type (
	webhookRules = webhook.Service
	missedRules  = webhook.MissedEvents
)

// DeliveryRules are what the pages of deliveries need of the rules of webhooks.
func DeliveryRules(s *webhook.Service) Deliveries {
	return struct {
		*webhookRules
		*missedRules
	}{s, s.MissedEvents}
}
