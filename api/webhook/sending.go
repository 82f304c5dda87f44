package webhook

import (
	"context"
	"fmt"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
	"portal/api/webhook/signature"
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

// EndpointRef is an endpoint of a portfolio.
type EndpointRef struct {
	Portfolio access.Portfolio
	Endpoint  string
}

// Claim is a process that takes deliveries, until when it has them for itself.
type Claim struct {
	By        string
	At, Until clock.Time
	Most      int // deliveries, where one endpoint is named alone
	InFlight  int // attempts that all processes together may have running at the endpoint
}

// Wanted is how many deliveries are wanted of an endpoint at most.
type Wanted struct {
	EndpointRef
	Most int
}

// Ended are attempts at an endpoint that have ended.
type Ended struct {
	EndpointRef
	All []Conclusion
}

// Claimed is what a process has taken, with where it goes.
type Claimed struct {
	URL              string
	Secret, Previous []byte // sealed; Previous is nil where none signs
	PreviousUntil    *clock.Time
	Work             []Work
}

// Work is a delivery whose next attempt starts.
type Work struct {
	ID      string // of the delivery
	EventID string
	Type    Kind
	Body    []byte
	Attempt int        // the number of this one
	Try     int        // its number since Since
	Since   clock.Time // when the first attempt of the schedule started
	Trigger Trigger
}

// Conclusion is how an attempt has ended.
type Conclusion struct {
	Work    *Work
	Status  DeliveryStatus // Pending where another attempt follows
	Next    *clock.Time    // when it does; nil for at once
	Unsent  bool           // no attempt was made after all: nothing is noted but the end of the claim
	Broken  bool           // it failed by a fault of ours, and says nothing of the receiver
	Repeat  bool           // it is repeated at once, which is no step of the schedule
	Attempt Attempt
}

// Concluded is what has come of noting how attempts at an endpoint ended.
type Concluded struct {
	Waiting      []bool      // for each conclusion: another attempt follows at its time
	Lost         int         // conclusions of claims that others had taken over
	FailingSince *clock.Time // since when nothing but failures came of the endpoint
}

// Due are deliveries to try again, by the number of their portfolio.
type Due map[int64][]string

// overdue is how long after its time a retry is let start although its job has not.
const overdue = time.Minute

// takenAtOnce is how many claims one transaction takes over.
const takenAtOnce = 500

// Due lets attempts start that waited for their time: the work of a retry's job.
func (s *Service) Due(ctx context.Context, due Due) error {
	for portfolio, deliveries := range due {
		if err := s.store.Due(ctx, portfolio, deliveries); err != nil {
			return fmt.Errorf("let retries start: %w", err)
		}
	}
	return nil
}

// TakeOver takes up what crashed processes left: their claims, as soon as they are known
// to be gone or the claims have run out, and retries whose jobs are lost.
func (s *Service) TakeOver(ctx context.Context) error {
	now := s.now()
	return s.takeOver(ctx, clock.At(now), clock.At(now.Add(-overdue)))
}

// TakeUp takes up what ran when the only process of a database ended, whatever the time.
func (s *Service) TakeUp(ctx context.Context) error {
	now := s.now()
	return s.takeOver(ctx, clock.At(now.Add(ClaimTime*2)), clock.At(now.Add(-overdue)))
}

func (s *Service) takeOver(ctx context.Context, claims, retries clock.Time) error {
	for {
		n, err := s.store.TakeOver(ctx, claims, retries, takenAtOnce)
		if err != nil {
			return fmt.Errorf("take over deliveries: %w", err)
		}
		if n < takenAtOnce {
			return nil
		}
	}
}

// Unseal opens the secrets that sign now.
func (s *Service) Unseal(c *Claimed) (signature.Secrets, error) {
	present, err := s.box.Open(SecretPurpose, c.Secret)
	if err != nil || c.Previous == nil || c.PreviousUntil == nil || *c.PreviousUntil <= clock.At(s.now()) {
		return signature.Secrets{Present: present}, err
	}
	previous, err := s.box.Open(SecretPurpose, c.Previous)
	return signature.Secrets{Present: present, Previous: previous}, err
}
