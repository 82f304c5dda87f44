package developer

import (
	"cmp"
	"context"
	"strconv"

	"portal/api/audit"
	"portal/api/fault"
)

// Tier is a plan of the price list.
type Tier string

// The tiers (service.md, Rate limits).
const (
	Starter Tier = "starter"
	Pro     Tier = "pro"
	Prime   Tier = "prime"
)

// SchemaName is the name of the OpenAPI component.
func (Tier) SchemaName() string { return "PlanTier" }

// Values are all tiers, the smallest first.
func (Tier) Values() []string { return []string{"starter", "pro", "prime"} }

// Limits are what a plan admits: requests a minute sustained and in a burst, and
// live units.
type Limits struct{ Sustained, Burst, Units int }

var tiers = map[Tier]Limits{
	Starter: {60, 120, 25},
	Pro:     {600, 1200, 250},
	Prime:   {3000, 6000, 2500},
}

// minBurst is the smallest burst: a batch of 20 messages must fit whole.
const minBurst = 20

// Plan is a tier and what was agreed besides; nil is what the tier says.
type Plan struct {
	Tier      Tier
	Sustained *int
	Burst     *int
	Units     *int
}

// Limits are what the plan admits, with its overrides.
func (p Plan) Limits() Limits {
	l := tiers[p.Tier]
	for _, o := range []struct {
		override *int
		limit    *int
	}{{p.Sustained, &l.Sustained}, {p.Burst, &l.Burst}, {p.Units, &l.Units}} {
		if o.override != nil {
			*o.limit = *o.override
		}
	}
	return l
}

func (p Plan) check() error {
	if _, known := tiers[p.Tier]; !known {
		return fault.New(fault.InvalidField, "%q is not a plan; the plans are starter, pro and prime.", p.Tier).At("plan")
	}
	l := p.Limits()
	switch {
	case l.Burst < minBurst:
		return fault.New(fault.InvalidField, "The burst must be at least %d, so that a batch of %d messages fits.", minBurst, minBurst).At("burst")
	case l.Sustained < 1 || l.Sustained > l.Burst:
		return fault.New(fault.InvalidField, "The sustained rate must be between 1 and the burst, %d.", l.Burst).At("sustained")
	case l.Burst > 1_000_000:
		return fault.New(fault.InvalidField, "The burst must be at most 1,000,000.").At("burst")
	case l.Units < 0:
		return fault.New(fault.InvalidField, "The ceiling of units must not be negative.").At("units")
	}
	return nil
}

// SetPlan puts a landlord's account on a plan; it acts on the next request.
func (s *Service) SetPlan(ctx context.Context, email string, p Plan) error {
	if err := p.check(); err != nil {
		return err
	}
	_, a, err := s.Account(ctx, email)
	if err != nil {
		return err
	}
	return s.SetPlanOf(ctx, a.ID, p)
}

// SetPlanOf puts an account on a plan; it acts on the next request.
func (s *Service) SetPlanOf(ctx context.Context, accountID string, p Plan) error {
	if err := p.check(); err != nil {
		return err
	}
	return s.stores.Transactions.Atomically(ctx, func(ctx context.Context) error {
		if _, found, err := s.stores.Members.AccountByID(ctx, accountID); err != nil || !found {
			return cmp.Or(err, error(fault.New(fault.NoRecord, "No account has the id %s.", accountID)))
		}
		if err := s.stores.Accounts.SetPlan(ctx, accountID, p); err != nil {
			return err
		}
		l := p.Limits()
		return s.audit.Record(ctx, audit.Event{AccountID: accountID, Action: "plan.set", Target: accountID, Details: map[string]string{
			"plan": string(p.Tier), "sustained": strconv.Itoa(l.Sustained), "burst": strconv.Itoa(l.Burst), "units": strconv.Itoa(l.Units)}})
	})
}
