package dispatch

import (
	"context"
	"slices"

	"portal/api/webhook"
)

// endpointFailure is an endpoint of which nothing but failures has come for too long, with the last
// of them.
type endpointFailure struct {
	at   webhook.EndpointRef
	last *webhook.Attempt
}

// lastFailure is the last attempt that says something bad of its receiver, nil where none
// does.
func lastFailure(all []webhook.Conclusion) *webhook.Attempt {
	for i := range slices.Backward(all) {
		if c := &all[i]; c.Status != webhook.Succeeded && !c.Unsent && !c.Broken {
			return &c.Attempt
		}
	}
	return nil
}

// giveUpOn disables an endpoint of which nothing but failures has come for too long, and
// writes to its owners.
func (d *Dispatcher) giveUpOn(ctx context.Context, i endpointFailure) {
	if err := d.rules.GiveUpOn(ctx, i.at, i.last); err != nil {
		d.Log.Error(
			"webhooks: a failing endpoint is not disabled; its next failure tries again",
			"endpoint",
			i.at.Endpoint,
			"error",
			err,
		)
	}
}
