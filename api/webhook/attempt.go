package webhook

import (
	"net/http"
	"time"

	"portal/api/clock"
)

// GiveUp is how long after its first attempt a delivery is tried at most (docs/webhooks.md).
const GiveUp = 24 * time.Hour

// Headers are what every attempt has besides what signs it.
func Headers(kind Kind, delivery string) http.Header {
	return http.Header{
		"Content-Type":       jsonType,
		"X-Service-Event":    {string(kind)},
		"X-Service-Delivery": {delivery},
	}
}

var jsonType = []string{"application/json"}

// InterruptedError is what the record of an attempt says that ended with its process.
const InterruptedError = "interrupted: The service stopped before an answer came, so the receiver may have it or not. It is sent again at once."

// Interrupted is the record of an attempt whose process was gone before it could note one.
func Interrupted(number int, at clock.Time) Attempt {
	return Attempt{
		Number:  number,
		At:      at,
		Error:   new(InterruptedError),
		Trigger: BySchedule,
	}
}
