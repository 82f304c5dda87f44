package developer

import (
	"context"
	"slices"
	"time"

	"portal/api/audit"
	"portal/api/clock"
	"portal/api/fault"
)

// KeyState is how a key stands.
type KeyState string

// The states of a key.
const (
	KeyActive  KeyState = "active"
	KeyEnding  KeyState = "ending" // is active, and expires within a week
	KeyExpired KeyState = "expired"
	KeyRevoked KeyState = "revoked"
)

// soon is how long before its end a key is said to end.
const soon = 7 * 24 * time.Hour

// State is how the key stands at a moment.
func (k *Key) State(now time.Time) KeyState {
	switch {
	case k.RevokedAt != nil:
		return KeyRevoked
	case k.ExpiresAt == nil || k.ExpiresAt.Std().Sub(now) > soon:
		return KeyActive
	case *k.ExpiresAt <= clock.At(now):
		return KeyExpired
	}
	return KeyEnding
}

// AddKey makes a key in the name of an owner whose account's access was approved. The
// answer alone carries the plaintext.
func (s *Service) AddKey(ctx context.Context, by Member, c KeyCreate) (k Key, err error) {
	if err := s.checkKey(c); err != nil {
		return Key{}, err
	}
	err = s.lockedOwner(ctx, by, func(ctx context.Context) error {
		k, err = s.issue(ctx, by, c)
		return err
	})
	return k, err
}

// AccountKeys are all keys of a member's account, the newest first, revoked ones too.
func (s *Service) AccountKeys(ctx context.Context, by Member) ([]Key, error) {
	all, err := s.store.Keys(ctx, by.AccountID)
	slices.Reverse(all)
	return all, err
}

// KeyOf is a key of a member's account.
func (s *Service) KeyOf(ctx context.Context, by Member, keyID string) (Key, error) {
	k, found, err := s.store.Key(ctx, by.AccountID, keyID)
	if err == nil && !found {
		err = fault.New(fault.NoRecord, "The account has no key with the id %s.", keyID)
	}
	return k, err
}

// StopKey revokes a key of an owner's account; it acts on the next request.
func (s *Service) StopKey(ctx context.Context, by Member, keyID string) error {
	return s.locked(ctx, by, func(ctx context.Context) error {
		k, err := s.KeyOf(ctx, by, keyID)
		if err != nil {
			return err
		}
		if k.RevokedAt != nil {
			return fault.New(fault.InvalidTransition, "The key is already revoked.")
		}
		return s.RevokeKey(ctx, keyID)
	})
}

// Overlaps are how long the old key may go on beside the new one that it was rolled to.
var Overlaps = []time.Duration{0, time.Hour, 24 * time.Hour, 7 * 24 * time.Hour}

// RollKey makes a key with the name, the mode and the scopes of an old one, which ends
// after one of the overlaps. A key that was made to last a time is followed by one that
// lasts as long.
func (s *Service) RollKey(ctx context.Context, by Member, keyID string, overlap time.Duration) (k Key, err error) {
	err = s.lockedOwner(ctx, by, func(ctx context.Context) error {
		old, err := s.KeyOf(ctx, by, keyID)
		if err != nil {
			return err
		}
		now := s.now()
		if state := old.State(now); state == KeyRevoked || state == KeyExpired {
			return fault.New(fault.InvalidTransition, "The key is %s; create a new one instead.", state)
		}
		if k, err = s.issue(ctx, by, old.again(now)); err != nil {
			return err
		}
		ends := clock.At(now.Add(overlap))
		if old.ExpiresAt != nil {
			ends = min(ends, *old.ExpiresAt)
		}
		if err := s.store.EndKey(ctx, by.AccountID, keyID, ends); err != nil {
			return err
		}
		return s.audit.Record(ctx, audit.Event{
			AccountID: by.AccountID,
			Action:    "key.rolled",
			Target:    keyID,
			Details:   map[string]string{"to": k.ID, "ends": ends.String()},
		})
	})
	return k, err
}

// again is what a key has to be that takes the place of this one.
func (k *Key) again(now time.Time) KeyCreate {
	c := KeyCreate{Name: k.Name, Mode: k.Mode}
	for _, s := range k.Scopes {
		c.Scopes = append(c.Scopes, string(s))
	}
	if k.ExpiresAt != nil {
		c.ExpiresAt = new(clock.At(now.Add(k.ExpiresAt.Std().Sub(k.CreatedAt.Std()))))
	}
	return c
}
