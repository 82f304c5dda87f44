package developer

import (
	"context"

	"portal/api/access"
)

// Me is what a key can know of itself.
type Me struct {
	Key     Key           `json:"key" doc:"The key that asks."`
	Account MyAccount     `json:"account" doc:"The landlord's account."`
	Mode    access.Mode   `json:"mode" doc:"The portfolio that the key opens."`
	Scopes  access.Scopes `json:"scopes" doc:"What the key may do, with all that its scopes imply."`
	Role    *access.Role  `json:"role" doc:"The role of the key's creator; null when no longer a member."`
	Limits  MyLimits      `json:"limits" doc:"The rate limit and what is left of it."`
	Units   MyUnits       `json:"units" doc:"Units of the portfolio and the plan's ceiling."`
}

// SchemaName is the name of the OpenAPI component.
func (Me) SchemaName() string { return "MeOut" }

// MyAccount is the account of a key.
type MyAccount struct {
	ID   string `json:"id" format:"id" prefix:"acct" doc:"Identifier of the account."`
	Name string `json:"name" example:"Harbor Lane Rentals" doc:"Name of the account."`
	Plan Tier   `json:"plan" example:"pro" doc:"The plan."`
}

// SchemaName is the name of the OpenAPI component.
func (MyAccount) SchemaName() string { return "Account" }

// MyLimits is the rate limit of a key. The figures agree with the X-RateLimit
// headers of the same answer.
type MyLimits struct {
	Sustained int   `json:"sustained" min:"1" example:"600" doc:"Requests a minute that are admitted in the long run."`
	Burst     int   `json:"burst" min:"20" example:"1200" doc:"Requests that are admitted within any 60 seconds."`
	Remaining int   `json:"remaining" min:"0" example:"599" doc:"Sustained requests left in this minute."`
	Reset     int64 `json:"reset" example:"1795190460" doc:"Unix seconds at which the oldest counted request leaves the window."`
}

// SchemaName is the name of the OpenAPI component.
func (MyLimits) SchemaName() string { return "RateLimit" }

// MyUnits are the units of a portfolio.
type MyUnits struct {
	Used  int  `json:"used" min:"0" example:"120" doc:"Units in the portfolio of the key."`
	Limit *int `json:"limit" min:"0" example:"250" doc:"The plan's ceiling of live units; null for a test key, whose units do not count."`
}

// SchemaName is the name of the OpenAPI component.
func (MyUnits) SchemaName() string { return "UnitUsage" }

// Me tells a caller about itself. What is left of the rate limit is known to the
// surface that counts.
func (s *Service) Me(ctx context.Context, c *Caller, remaining int, reset int64) (*Me, error) {
	used, err := s.stores.Portfolios.UnitCount(ctx, c.Portfolio)
	if err != nil {
		return nil, err
	}
	limits := c.Plan.Limits()
	m := &Me{Key: c.Key, Account: MyAccount{c.AccountID, c.Account, c.Plan.Tier}, Mode: c.Key.Mode, Scopes: c.Key.Scopes,
		Limits: MyLimits{limits.Sustained, limits.Burst, remaining, reset}, Units: MyUnits{Used: used}}
	if c.Role != "" {
		m.Role = &c.Role
	}
	if c.Key.Mode == access.Live {
		m.Units.Limit = &limits.Units
	}
	return m, nil
}
