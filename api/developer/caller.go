package developer

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
)

// Caller is the owner of a key, as the database knows it at this moment.
type Caller struct {
	Key       Key
	AccountID string
	Account   string // the account's name
	TimeZone  string
	Plan      Plan
	Portfolio access.Portfolio
	Role      access.Role // of the key's creator, "" when no longer a member
	Zone      *time.Location
}

// Actor is the caller as the rules see it.
func (c *Caller) Actor() *access.Actor {
	a := &access.Actor{
		Portfolio: c.Portfolio,
		AccountID: c.AccountID,
		KeyID:     c.Key.ID,
		Scopes:    c.Key.Scopes,
		Role:      c.Role,
		Zone:      c.Zone,
	}
	if c.Key.Mode == access.Live { // a demo's units do not count
		a.Units = new(c.Plan.Limits().Units)
	}
	return a
}

// Authenticate finds the caller of an Authorization header. It reads the database
// each time, so a key that was revoked a moment ago, on any node, is refused.
func (s *Service) Authenticate(ctx context.Context, header string) (*Caller, error) {
	key, err := keyOf(header)
	if err != nil {
		return nil, err
	}
	c, found, err := s.store.Caller(ctx, hashKey(key))
	if err != nil {
		return nil, err
	}
	switch {
	case !found:
		return nil, fault.Of(fault.UnknownAPIKey)
	case c.Key.RevokedAt != nil:
		return nil, fault.Of(fault.RevokedAPIKey)
	case c.Key.ExpiresAt != nil && *c.Key.ExpiresAt <= clock.At(s.now()):
		return nil, fault.Of(fault.ExpiredAPIKey)
	}
	c.Zone, err = clock.Zone(c.TimeZone)
	if err != nil {
		return nil, err
	}
	return &c, nil
}
