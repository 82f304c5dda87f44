package webhook

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
)

// EndpointRotate is how long the secret before a rotation still signs too.
type EndpointRotate struct {
	// How many seconds the previous secret still signs in webhook-signature; 0 ends it at once. The
	// previous secret of an earlier rotation always ends at once.
	PreviousSecretExpiresIn int `json:"previous_secret_expires_in" min:"0" max:"604800" default:"86400" example:"86400"`
}

// SchemaName is the name of the OpenAPI component.
func (EndpointRotate) SchemaName() string { return "WebhookSecretRotate" }

// RotateSecret gives an endpoint a new signing secret, which the answer alone shows.
// A disabled endpoint takes one too: anybody who fears for a secret need not enable the
// endpoint to be rid of it.
func (s *Service) RotateSecret(
	ctx context.Context, by access.Actor, id string, in EndpointRotate,
) (*change.Result[Endpoint], error) {
	if err := by.Need(access.Write); err != nil {
		return nil, err
	}
	var made *change.Result[Endpoint]
	err := s.write(ctx, by.Portfolio, func(ctx context.Context, now time.Time) error {
		before, err := s.store.Endpoint(ctx, by.Portfolio, id)
		if err != nil {
			return err
		}
		e := before
		sealed := issue(ctx, s.box, &e)
		e.PreviousSecretExpiresAt = nil
		if in.PreviousSecretExpiresIn > 0 {
			e.PreviousSecretExpiresAt = new(clock.At(now.Add(time.Duration(in.PreviousSecretExpiresIn) * time.Second)))
		}
		e.changed(clock.At(now))
		made = &change.Result[Endpoint]{Before: &before, After: &e}
		if err := s.store.RotateEndpoint(ctx, by.Portfolio, &e, sealed); err != nil {
			return err
		}
		return s.record(ctx, by, "endpoint.secret_rotated", id)
	})
	if err != nil {
		return nil, err
	}
	return made, nil
}
