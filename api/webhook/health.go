package webhook

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
)

// MostRetrying is how many deliveries that are retried are counted at an endpoint.
const MostRetrying = 100

// Health is how an endpoint fares.
type Health struct {
	EndpointID     string
	FailingSince   *clock.Time // since when nothing but failures came of it, nil where that is not so
	LastStatusCode *int        // of the answer to the last attempt that ended, nil where none came
	LastError      *string     // what went wrong in it, as a code, a colon and a sentence; nil where it was acknowledged
	Retrying       int         // deliveries that failed and will be tried again, at most MostRetrying
}

// Health tells how endpoints fare, in ascending id.
func (s *Service) Health(ctx context.Context, by access.Actor, endpoints []string) ([]Health, error) {
	return s.stores.Health.EndpointHealth(ctx, by.Portfolio, endpoints)
}
