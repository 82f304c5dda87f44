package stripe

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/middleware"
	"portal/api/payment"
	"portal/api/ratelimit"
)

// WebhookPath is where Stripe sends events.
const WebhookPath = "/webhooks/stripe"

// longestEvent is how long an event may be, in bytes. Stripe's are a few thousand.
const longestEvent = 256 << 10

// perSender is how many events a minute an address may send.
var perSender = ratelimit.Limit{Sustained: 3000, Burst: 3000}

// Receiver takes events of Stripe. One is answered with 200 once it is kept to be looked at, and with what is wrong
// otherwise, so that Stripe sends it again.
type Receiver struct {
	Middleware *middleware.Middleware
	Secrets    []string // of which an event is signed with one
	// Keep keeps news of an event to be looked at: durably, and those of the same event once.
	Keep func(ctx context.Context, n payment.News) error
}

// Receive answers a request that comes from an address.
func (rc *Receiver) Receive(w http.ResponseWriter, r *http.Request, address string) {
	x := rc.Middleware.Begin(w, r, address)
	x.Run(func() error {
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			return fault.New(fault.MethodNotAllowed, "Stripe sends events here with POST.")
		}
		d := x.Limiter.Take(r.Context(), "stripe:"+access.ParseClient(address), perSender, 1)
		if !d.Admitted {
			f := fault.New(fault.RateLimited, "More than %d events within a minute. Try again in %d s.",
				perSender.Sustained, d.RetryAfter)
			f.Retry = d.RetryAfter
			return f
		}
		body, err := x.Body(longestEvent)
		if err != nil {
			return err
		}
		e, err := ReadEvent(body, r.Header.Get("Stripe-Signature"), rc.Secrets, x.Now())
		switch {
		case errors.Is(err, ErrSignature):
			return fault.New(
				fault.MalformedRequest,
				"The event isn’t signed with the secret of this endpoint. Compare STRIPE_WEBHOOK_SECRET with the one in "+
					"Stripe’s dashboard.",
			)
		case errors.Is(err, ErrTime):
			return fault.New(fault.MalformedRequest,
				"The event was signed more than 5 minutes ago, or in the future. Check the clock of the server.")
		case err != nil:
			return fault.New(fault.MalformedRequest, "The body is no event of Stripe.").Because(err)
		}
		if n, interesting := e.news(); interesting {
			if err := rc.Keep(r.Context(), n); err != nil {
				return err
			}
		}
		x.Send(http.StatusOK, []byte(`{"received":true}`+"\n"))
		return nil
	})
}

// news are what an event is about, and whether that is of interest here.
func (e *Event) news() (payment.News, bool) {
	n := payment.News{
		Event:     e.ID,
		Processor: Name,
		Account:   e.Account,
		AttemptID: e.AttemptID,
		AutopayID: e.AutopayID,
		Payment:   e.PaymentIntent,
		Payouts:   strings.HasPrefix(e.Type, "payout."),
		Standing:  strings.HasPrefix(e.Type, "account.") || strings.HasPrefix(e.Type, "capability."),
	}
	about := n.AttemptID != "" || n.AutopayID != "" || n.Payment != "" || n.Payouts || n.Standing
	return n, about && n.Account != ""
}
