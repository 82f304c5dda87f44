package webhook

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/list"
)

// Sending sends the deliveries in this process.
type Sending interface {
	// Wake tells that an endpoint may have something to send. It returns at once.
	Wake(at EndpointRef)
	// StopStarts returns once no attempt at endpoints can start in any process, where the
	// context's transaction has locked the endpoints.
	StopStarts(ctx context.Context, places ...EndpointRef) error
}

// ClaimTime is how long a claim lasts, longer than an attempt and its note.
const ClaimTime = 30 * time.Second

// StartTime is how long after a claim its attempts may start. Anybody who disables an endpoint
// and cannot reach the process that has claimed from it waits that long, measured by its
// own clock from when the claim was durable, and so ends later.
const StartTime = 2 * time.Second

// StopMargin is how much longer than StartTime a stop waits for processes that do not
// answer.
const StopMargin = 250 * time.Millisecond

// SendBy has a dispatcher send what is queued. Without one this process sends nothing.
func (s *Service) SendBy(d Sending) { s.sending = d }

// wakeAfter wakes the dispatcher of this process once the transaction is durable.
func (s *Service) wakeAfter(ctx context.Context, p EndpointRef) {
	if s.sending != nil {
		s.store.After(ctx, func() { s.sending.Wake(p) })
	}
}

// stopStarts returns once no attempt at endpoints can start in any process, where the
// context's transaction has locked the endpoints and so waited for claims under way. What
// was about to start and did not is sent again if the transaction is rolled back.
func (s *Service) stopStarts(ctx context.Context, endpoints ...EndpointRef) error {
	if s.sending == nil {
		return s.waitForStarts(ctx, endpoints)
	}
	return s.sending.StopStarts(ctx, endpoints...)
}

// waitForStarts is stopStarts for a process that sends nothing, such as a command beside a
// server, and that hears no answers. It waits for the permits of others to run out, but only
// once the transaction of the context is durable: on SQLite no process could write while it
// waits in there. Nobody claims from the endpoints or renews a permit after that. It waits to
// the end, as the context of a transaction that others share is over when it is durable.
func (s *Service) waitForStarts(ctx context.Context, endpoints []EndpointRef) error {
	for _, p := range endpoints {
		claimants, err := s.store.Claimants(ctx, p)
		if err != nil {
			return err
		}
		if len(claimants) > 0 {
			s.store.After(ctx, waitForPermits)
			break // one wait is for all of them
		}
	}
	return ctx.Err()
}

// waitForPermits returns when permits that exist now have run out.
func waitForPermits() { <-time.After(StartTime + StopMargin) }

// StopAccount is for closing an account: in the transaction that does, it disables all
// endpoints of the account as DisableEndpoint does one.
func (s *Service) StopAccount(ctx context.Context, accountID string) error {
	portfolios, err := s.store.PortfoliosOf(ctx, accountID)
	if err != nil {
		return err
	}
	var endpoints []EndpointRef
	for _, in := range portfolios {
		err := s.alone(ctx, in, func(ctx context.Context, now time.Time) error {
			all, err := s.endpointsOf(ctx, in)
			for i := 0; i < len(all) && err == nil; i++ {
				err = s.end(ctx, in, &all[i], ByDashboard, now)
				endpoints = append(endpoints, EndpointRef{in, all[i].ID})
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return s.stop(ctx, s.now(), endpoints...)
}

// endpointsOf are all endpoints of a portfolio.
func (s *Service) endpointsOf(ctx context.Context, in access.Portfolio) (all []Endpoint, err error) {
	for q := (list.Query{Limit: list.Max}); ; q.StartingAfter = all[len(all)-1].ID {
		page, err := s.store.Endpoints(ctx, in, q)
		all = append(all, page[:min(len(page), q.Limit)]...)
		if err != nil || len(page) <= q.Limit {
			return all, err
		}
	}
}
