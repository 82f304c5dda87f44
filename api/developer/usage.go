package developer

import (
	"cmp"
	"context"
	"time"

	"portal/api/clock"
	"portal/api/fault"
)

// KeyDay is what was asked with a key on a day, in UTC. The keys of both modes are
// counted alike.
type KeyDay struct {
	KeyID    string
	Day      clock.Date
	Requests int // that were admitted; of a batch each message
	Failed   int // answers of 400 and above that cost something
	// ServerFailed are those of Failed that are 500 and above. Of days before it was counted it is 0.
	ServerFailed int
	Throttled    int // refused by the rate limit; they cost nothing
	Busiest      int // requests in the minute that had the most
}

// UsageTime is for how long usage is kept: a year and what one compares it with.
const UsageTime = 400 * 24 * time.Hour

// Usage is what was asked with the keys of a member's account since a day, in the order
// of the keys and the days. Days without a request are left out.
func (s *Service) Usage(ctx context.Context, by Member, from clock.Date) ([]KeyDay, error) {
	oldest := clock.DateOf(s.now().Add(-UsageTime), time.UTC)
	return s.store.KeyDays(ctx, by.AccountID, max(from, oldest))
}

// PlanOf is what a member's account may use.
func (s *Service) PlanOf(ctx context.Context, by Member) (Plan, error) {
	account, found, err := s.store.AccountByID(ctx, by.AccountID)
	if err != nil || !found {
		return Plan{}, cmp.Or(err, error(fault.NotFound("account")))
	}
	return account.Plan, nil
}
