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
	FailingSince   *clock.Time // since when all attempts have failed, nil if they have not
	LastStatusCode *int        // of the last attempt that ended, nil if there was no response
	// LastError says what went wrong in the last attempt: a code, a colon and a sentence. It is nil
	// if the attempt was acknowledged.
	LastError *string
	Retrying  int // deliveries that failed and will be tried again, at most MostRetrying
}

// HealthOf is how one of several endpoints fares.
func HealthOf(all []Health, endpoint string) Health {
	for _, h := range all {
		if h.EndpointID == endpoint {
			return h
		}
	}
	return Health{EndpointID: endpoint}
}

// Health tells how endpoints fare, in ascending id.
func (s *Service) Health(ctx context.Context, by access.Actor, endpoints []string) ([]Health, error) {
	return s.store.EndpointHealth(ctx, by.Portfolio, endpoints)
}
