package developer

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	"portal/api/audit"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/operation"
)

// Tier is a plan of the price list.
type Tier string

// The tiers (docs/site/limits.md).
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

// Plan is a tier and what was agreed besides; nil is what the tier says.
type Plan struct {
	// The tier of the price list.
	Tier Tier `json:"plan"`
	// Requests a minute in the long run.
	Sustained *int `json:"sustained" min:"1" max:"1000000"`
	// Requests within any 60 seconds; a batch of 20 messages must fit whole.
	Burst *int `json:"burst" min:"20" max:"1000000"`
	// Live units.
	Units *int `json:"units" min:"0"`
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

// Check refuses more requests a minute than there may be in a burst.
func (p Plan) Check(clock.Date) []fault.Detail {
	if l := p.Limits(); l.Burst > 0 && l.Sustained > l.Burst {
		return []fault.Detail{fault.Wrong("sustained", fmt.Sprintf("must be at most the burst, %d.", l.Burst))}
	}
	return nil
}

var plans = operation.DefineInput[Plan]("set_plan")

// SetPlan puts a landlord's account on a plan; it acts on the next request.
func (s *Service) SetPlan(ctx context.Context, email string, p Plan) error {
	if err := plans.Check(&p, s.today()); err != nil {
		return err
	}
	_, a, err := s.Account(ctx, email)
	if err != nil {
		return err
	}
	return s.SetPlanOf(ctx, a.ID, p)
}

// SetPlanOf puts an account on a plan; it acts on the next request. A request for more units that the plan covers is
// answered with it.
func (s *Service) SetPlanOf(ctx context.Context, accountID string, p Plan) error {
	if err := plans.Check(&p, s.today()); err != nil {
		return err
	}
	return s.lockedAccount(ctx, accountID, func(ctx context.Context) error {
		if _, found, err := s.store.AccountByID(ctx, accountID); err != nil || !found {
			return cmp.Or(err, error(fault.New(fault.NoRecord, "No account has the id %s.", accountID)))
		}
		if err := s.store.SetPlan(ctx, accountID, p); err != nil {
			return err
		}
		l := p.Limits()
		if err := s.audit.Record(ctx, audit.Event{
			AccountID: accountID,
			Action:    "plan.set",
			Target:    accountID,
			Details: map[string]string{
				"plan":      string(p.Tier),
				"sustained": strconv.Itoa(l.Sustained),
				"burst":     strconv.Itoa(l.Burst),
				"units":     strconv.Itoa(l.Units),
			},
		}); err != nil {
			return err
		}
		return s.grantUnits(ctx, accountID, l.Units)
	})
}
