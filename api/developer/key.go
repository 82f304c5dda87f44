package developer

import (
	"context"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/operation"
)

// Key is an API key as it is shown. Plaintext is set once, in the answer of its creation.
type Key struct {
	// Identifier of the key, not the key.
	ID string `json:"id" format:"id" prefix:"key"`
	// What the key is for.
	Name string `json:"name" minlen:"1" maxlen:"120" example:"Accounting sync"`
	// The portfolio it opens.
	Mode access.Mode `json:"mode" example:"test"`
	// First characters of the key.
	KeyPrefix string `json:"key_prefix" example:"sk_test_pm_4fKq2Z"`
	// When it was created.
	CreatedAt clock.Time `json:"created_at"`
	// When it was last used, known within about a second.
	LastUsedAt *clock.Time `json:"last_used_at"`
	// When it was revoked.
	RevokedAt *clock.Time `json:"revoked_at"`
	// When it expires or expired.
	ExpiresAt *clock.Time `json:"expires_at"`
	// The whole key, only in the response that creates it.
	Plaintext *string `json:"plaintext,omitempty" format:"password" secret:"true"`

	Scopes  access.Scopes `json:"-"`
	Hash    []byte        `json:"-"`
	Creator string        `json:"-"` // email address of the user who made it, where that was read

	OfSession bool `json:"-"` // was made for the documentation in a session
}

// SchemaName is the name of the OpenAPI component.
func (Key) SchemaName() string { return "ApiKeyOut" }

// KeyCreate is what a new key shall be.
type KeyCreate struct {
	// What the key is for.
	Name string `json:"name" minlen:"1" maxlen:"120"`
	// The portfolio that it opens.
	Mode access.Mode `json:"mode"`
	// What it may do; none is read alone.
	Scopes []string `json:"scopes"`
	// When it stops; left out, it does not.
	ExpiresAt *clock.Time `json:"expires_at"`
	OfSession bool        `json:"-"` // for the documentation in a session: it ends with what its creator may do
}

// Check refuses scopes that there are not.
func (c KeyCreate) Check(clock.Date) []fault.Detail {
	if _, err := access.ScopesOf(c.Scopes...); err != nil {
		return []fault.Detail{{Param: "scopes", Code: fault.InvalidField, Message: fault.From(err).Message}}
	}
	return nil
}

var keyCreate = operation.DefineInput[KeyCreate]("create_key")

func (s *Service) checkKey(c KeyCreate) error {
	if err := keyCreate.Check(&c, s.today()); err != nil {
		return err
	}
	if c.ExpiresAt != nil && *c.ExpiresAt <= clock.At(s.now()) {
		return fault.New(fault.InvalidField, "The expiry must be in the future.").At("expires_at")
	}
	return nil
}

// today is the present day in UTC.
func (s *Service) today() clock.Date { return clock.DateOf(s.now(), time.UTC) }

// CreateKey makes a key in the name of a landlord whose access was approved. The
// answer alone carries the plaintext.
func (s *Service) CreateKey(ctx context.Context, email string, c KeyCreate) (k Key, err error) {
	if err := s.checkKey(c); err != nil {
		return Key{}, err
	}
	err = s.store.Atomically(ctx, func(ctx context.Context) error {
		u, a, err := s.lock(ctx, email, "")
		if err == nil {
			k, err = s.issue(ctx, Member{UserID: u.ID, AccountID: a.ID}, c)
		}
		return err
	})
	return k, err
}

// issue adds a key, within the transaction of the context. Who makes it is its creator.
func (s *Service) issue(ctx context.Context, by Member, c KeyCreate) (Key, error) {
	request, found, err := s.store.OpenAccessRequest(ctx, by.AccountID)
	if err != nil {
		return Key{}, err
	}
	if !found || request.Status != Approved {
		return Key{}, fault.New(
			fault.InvalidTransition,
			"API access of the account has not been approved; a key can be created after that.",
		)
	}
	in, err := s.store.PortfolioOf(ctx, by.AccountID, c.Mode)
	if err != nil {
		return Key{}, err
	}
	scopes, err := access.ScopesOf(c.Scopes...)
	if err != nil {
		return Key{}, err
	}
	secret := newKey(c.Mode)
	k := Key{
		ID:        id.New(id.Key, s.now()),
		Name:      c.Name,
		Mode:      c.Mode,
		KeyPrefix: secret[:prefixShown],
		CreatedAt: clock.At(s.now()),
		ExpiresAt: c.ExpiresAt,
		Plaintext: &secret,
		Scopes:    scopes,
		Hash:      hashKey(secret),
		OfSession: c.OfSession,
	}
	if err := s.store.AddKey(ctx, by.AccountID, by.UserID, in, k); err != nil {
		return Key{}, err
	}
	err = s.audit.Record(ctx, audit.Event{
		AccountID: by.AccountID,
		Action:    "key.created",
		Target:    k.ID,
		Details:   map[string]string{"name": k.Name, "mode": string(k.Mode), "scopes": scopes.String()},
	})
	if err != nil {
		return Key{}, err
	}
	return k, s.tellKey(ctx, by.AccountID, &k)
}

// RevokeKeysOf stops the keys that somebody made in an account who leaves it or is an owner
// no longer, within the transaction of the context: all of them, or, where they are kept,
// those of sessions alone. It tells how many worked.
func (s *Service) RevokeKeysOf(ctx context.Context, accountID, userID string, keep bool) (int, error) {
	ids, err := s.store.RevokeKeysOf(ctx, accountID, userID, keep, clock.At(s.now()))
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		if err := s.audit.Record(ctx, audit.Event{
			AccountID: accountID,
			Action:    "key.revoked",
			Target:    id,
			Details:   map[string]string{"creator": userID},
		}); err != nil {
			return 0, err
		}
	}
	return len(ids), nil
}

// Keys are all keys of a landlord's account, revoked ones too.
func (s *Service) Keys(ctx context.Context, email string) ([]Key, error) {
	_, a, err := s.Account(ctx, email)
	if err != nil {
		return nil, err
	}
	return s.KeysOf(ctx, a.ID)
}

// KeysOf are all keys of an account, revoked ones too.
func (s *Service) KeysOf(ctx context.Context, accountID string) ([]Key, error) {
	return s.store.Keys(ctx, accountID)
}

// RevokeKey stops a key; it acts on the next request.
func (s *Service) RevokeKey(ctx context.Context, keyID string) error {
	return s.store.Atomically(ctx, func(ctx context.Context) error {
		accountID, err := s.store.RevokeKey(ctx, keyID, clock.At(s.now()))
		if err != nil {
			return err
		}
		if accountID == "" {
			return fault.New(fault.NoRecord, "No key has the id %s.", keyID)
		}
		return s.audit.Record(ctx, audit.Event{AccountID: accountID, Action: "key.revoked", Target: keyID})
	})
}
