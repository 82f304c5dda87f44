package developer

import (
	"context"

	"portal/api/access"
	"portal/api/portfolio"
)

// Me is what a key can know of itself.
type Me struct {
	// The key that asks.
	Key Key `json:"key"`
	// The landlord's account.
	Account MyAccount `json:"account"`
	// The portfolio that the key opens.
	Mode access.Mode `json:"mode"`
	// What the key can do, including everything that its scopes imply.
	Scopes access.Scopes `json:"scopes"`
	// The role of the key's creator; null when no longer a member.
	Role *access.Role `json:"role"`
	// The rate limit and what is left of it.
	Limits MyLimits `json:"limits"`
	// Units of the portfolio and the plan's limit.
	Units MyUnits `json:"units"`
	// The test clock of the demo portfolio; null for a live key.
	TestClock *portfolio.TestClockOut `json:"test_clock"`
}

// SchemaName is the name of the OpenAPI component.
func (Me) SchemaName() string { return "MeOut" }

// MyAccount is the account of a key.
type MyAccount struct {
	// Identifier of the account.
	ID string `json:"id" format:"id" prefix:"acct"`
	// Name of the account.
	Name string `json:"name" example:"Harbor Lane Rentals"`
	// The plan.
	Plan Tier `json:"plan" example:"pro"`
}

// SchemaName is the name of the OpenAPI component.
func (MyAccount) SchemaName() string { return "Account" }

// MyLimits is the rate limit of a key. The figures agree with the X-RateLimit
// headers of the same answer.
type MyLimits struct {
	// Requests per minute of the plan.
	Sustained int `json:"sustained" min:"1" example:"600"`
	// Requests accepted in any 60 seconds.
	Burst int `json:"burst" min:"20" example:"1200"`
	// Sustained requests left in this minute.
	Remaining int `json:"remaining" min:"0" example:"599"`
	// Unix seconds at which the oldest counted request leaves the window.
	Reset int64 `json:"reset" example:"1795190460"`
}

// SchemaName is the name of the OpenAPI component.
func (MyLimits) SchemaName() string { return "RateLimit" }

// MyUnits are the units of a portfolio.
type MyUnits struct {
	// Units in the portfolio of the key.
	Used int `json:"used" min:"0" example:"120"`
	// The plan's limit of live units; null for a test key, because test units don't count.
	Limit *int `json:"limit" min:"0" example:"250"`
}

// SchemaName is the name of the OpenAPI component.
func (MyUnits) SchemaName() string { return "UnitUsage" }

// Me tells a caller about itself. What is left of the rate limit is known to the
// surface that counts, and the test clock to that which moves it.
func (s *Service) Me(ctx context.Context, c *Caller, remaining int, reset int64) (*Me, error) {
	used, err := s.store.UnitCount(ctx, c.Portfolio)
	if err != nil {
		return nil, err
	}
	limits := c.Plan.Limits()
	m := &Me{
		Key:     c.Key,
		Account: MyAccount{c.AccountID, c.Account, c.Plan.Tier},
		Mode:    c.Key.Mode,
		Scopes:  c.Key.Scopes,
		Limits:  MyLimits{limits.Sustained, limits.Burst, remaining, reset},
		Units:   MyUnits{Used: used},
	}
	if c.Role != "" {
		m.Role = &c.Role
	}
	if c.Key.Mode == access.Live {
		m.Units.Limit = &limits.Units
	}
	return m, nil
}
