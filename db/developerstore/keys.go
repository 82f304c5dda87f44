package developerstore

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/db"
	"portal/db/rows"
)

var keyTable = rows.NewTable(
	"api_keys",
	rows.At("id", func(r *developer.Key) *string { return &r.ID }),
	rows.At("name", func(r *developer.Key) *string { return &r.Name }),
	rows.At("mode", func(r *developer.Key) *access.Mode { return &r.Mode }),
	rows.At("key_prefix", func(r *developer.Key) *string { return &r.KeyPrefix }),
	rows.Column[developer.Key]{
		Name:   "scopes",
		Target: func(k *developer.Key) any { return (*scopes)(&k.Scopes) },
		Value:  func(k *developer.Key) (any, error) { return k.Scopes.String(), nil },
	},
	rows.At("created_at", func(r *developer.Key) *clock.Time { return &r.CreatedAt }),
	rows.Read("last_used_at", func(r *developer.Key) **clock.Time { return &r.LastUsedAt }),
	rows.Read("revoked_at", func(r *developer.Key) **clock.Time { return &r.RevokedAt }),
	rows.At("expires_at", func(r *developer.Key) **clock.Time { return &r.ExpiresAt }),
	rows.Column[developer.Key]{
		Name:   "of_session",
		Target: func(k *developer.Key) any { return (*rows.BitInto)(&k.OfSession) },
		Value:  func(k *developer.Key) (any, error) { return rows.Bit(k.OfSession), nil },
	},
	rows.Written("hash", func(k *developer.Key) any { return k.Hash }),
)

// scopes is a column with scopes, parted by commas.
type scopes access.Scopes

// Scan is sql.Scanner.
func (s *scopes) Scan(src any) error {
	stored, err := rows.Text(src)
	if err != nil {
		return fmt.Errorf("scopes of a key: %w", err)
	}
	all, err := access.ScopesOf(strings.Split(stored, ",")...)
	if err != nil {
		return fmt.Errorf("scopes of a key: %w", err)
	}
	*s = scopes(all)
	return nil
}

// AddKey adds a key; of the key itself only the hash is stored.
func (s *Store) AddKey(ctx context.Context, accountID, userID string, in access.Portfolio, k developer.Key) error {
	return keyTable.Add(ctx, s.db, &k, "account_id", accountID, "portfolio_id", in.ID, "created_by", userID)
}

var keys = `SELECT ` + keyTable.Of("k") + `, u.email
	FROM api_keys k
	JOIN users u ON u.id = k.created_by
	WHERE k.account_id = $1`

func (s *Store) keys(ctx context.Context, which string, args ...any) ([]developer.Key, error) {
	return rows.All(ctx, s.db, keys+which, args, func(scan db.Scan, k *developer.Key) error {
		return scan(append(keyTable.Targets(k), &k.Creator)...)
	})
}

// Keys reads the keys of an account in ascending id.
func (s *Store) Keys(ctx context.Context, accountID string) ([]developer.Key, error) {
	return s.keys(ctx, " ORDER BY k.id", accountID)
}

// Key finds a key of an account.
func (s *Store) Key(ctx context.Context, accountID, id string) (developer.Key, bool, error) {
	all, err := s.keys(ctx, " AND k.id = $2", accountID, id)
	if err != nil || len(all) == 0 {
		return developer.Key{}, false, err
	}
	return all[0], true, nil
}

// EndKey lets a key of an account expire at a moment.
func (s *Store) EndKey(ctx context.Context, accountID, id string, at clock.Time) error {
	return s.db.Run(ctx, "UPDATE api_keys SET expires_at = $3 WHERE account_id = $1 AND id = $2", accountID, id, at)
}

// RevokeKey revokes a key and tells whose it is; "" says that there is none of this id.
func (s *Store) RevokeKey(ctx context.Context, id string, at clock.Time) (accountID string, err error) {
	err = s.db.Atomically(ctx, func(ctx context.Context) error {
		_, err := s.db.One(
			ctx,
			"UPDATE api_keys SET revoked_at = COALESCE(revoked_at, $2) WHERE id = $1 RETURNING account_id",
			[]any{id, int64(at)},
			&accountID,
		)
		return err
	})
	return accountID, err
}

// RevokeKeys revokes every key of an account that is not revoked yet.
func (s *Store) RevokeKeys(ctx context.Context, accountID string, at clock.Time) error {
	return s.db.Run(
		ctx,
		"UPDATE api_keys SET revoked_at = $2 WHERE account_id = $1 AND revoked_at IS NULL",
		accountID,
		at,
	)
}

// RevokeKeysOf revokes the keys of an account that a user made, or those of sessions alone,
// and gives the ids of those that were not revoked before.
func (s *Store) RevokeKeysOf(
	ctx context.Context, accountID, userID string, sessionsAlone bool, at clock.Time,
) ([]string, error) {
	return rows.All(ctx, s.db, `UPDATE api_keys
		SET revoked_at = $4
		WHERE account_id = $1 AND created_by = $2 AND of_session >= $3 AND revoked_at IS NULL
		RETURNING id`, []any{accountID, userID, rows.Bit(sessionsAlone), int64(at)}, rows.Value[string])
}

// Caller finds who a key belongs to, with all that a request needs to know.
func (s *Store) Caller(ctx context.Context, hash []byte) (c developer.Caller, found bool, err error) {
	var role *access.Role
	k := &c.Key
	found, err = s.db.One(
		db.Prompt(ctx),
		`SELECT `+keyTable.Of("k")+`,
			k.portfolio_id, p.ahead_days, a.id, a.name, a.time_zone, a.plan, a.sustained, a.burst, a.unit_ceiling,
			m.role
		FROM api_keys k
		JOIN accounts a ON a.id = k.account_id
		JOIN portfolios p ON p.id = k.portfolio_id
		LEFT JOIN members m ON m.account_id = k.account_id AND m.user_id = k.created_by
		WHERE k.hash = $1`,
		[]any{hash},
		append(
			keyTable.Targets(k),
			&c.Portfolio.ID,
			&c.Portfolio.Ahead,
			&c.AccountID,
			&c.Account,
			&c.TimeZone,
			&c.Plan.Tier,
			&c.Plan.Sustained,
			&c.Plan.Burst,
			&c.Plan.Units,
			&role,
		)...,
	)
	if err != nil || !found {
		return c, found, err
	}
	c.Portfolio.Mode = k.Mode
	if role != nil {
		c.Role = *role
	}
	return c, true, nil
}

const (
	aMinute = clock.Time(time.Minute / time.Millisecond)
	aDay    = clock.Time(24 * time.Hour / time.Millisecond)
)

// keyMinute is a minute of a key.
type keyMinute struct {
	account, key string
	minute       int64 // since 1970, UTC
}

// asked is what was asked with a key in a minute.
type asked struct{ requests, failed, server, throttled int }

type usage map[keyMinute]*asked

// count adds a line of the request log.
func (t usage) count(r *developer.Request) {
	if r.KeyID == "" {
		return
	}
	at := keyMinute{r.AccountID, r.KeyID, int64(r.At / aMinute)}
	if t[at] == nil {
		t[at] = &asked{}
	}
	n := t[at]
	n.requests += r.Cost
	switch {
	case r.Status == 429:
		n.throttled++
	case r.Status >= 500:
		n.failed++
		n.server++
	case r.Status >= 400:
		n.failed++
	}
}

// addUsage adds minutes to the days of their keys. Nodes that take the rows in one order
// never lock each other out.
func (s *Store) addUsage(ctx context.Context, t usage) error {
	for _, at := range slices.SortedFunc(maps.Keys(t), func(a, b keyMinute) int {
		return cmp.Or(cmp.Compare(a.account, b.account), cmp.Compare(a.key, b.key), cmp.Compare(a.minute, b.minute))
	}) {
		if err := s.addMinute(ctx, at, t[at]); err != nil {
			return err
		}
	}
	return nil
}

// addMinute adds a minute to its day. The busiest minute is known as long as a key's
// minutes come in their order; what another node writes late of an earlier one only adds
// to the sums.
func (s *Store) addMinute(ctx context.Context, at keyMinute, t *asked) error {
	return s.db.Run(
		ctx,
		`INSERT INTO key_days (account_id, key_id, day, requests, failed, throttled, minute, in_minute, busiest,
			server_failed)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $4, $4, $8)
		ON CONFLICT (account_id, key_id, day) DO UPDATE
		SET requests = key_days.requests + excluded.requests, failed = key_days.failed + excluded.failed,
			throttled = key_days.throttled + excluded.throttled,
			server_failed = key_days.server_failed + excluded.server_failed,
			in_minute = CASE WHEN excluded.minute = key_days.minute THEN key_days.in_minute + excluded.in_minute
				WHEN excluded.minute > key_days.minute THEN excluded.in_minute ELSE key_days.in_minute END,
			busiest = CASE WHEN excluded.minute = key_days.minute
				AND key_days.in_minute + excluded.in_minute > key_days.busiest
				THEN key_days.in_minute + excluded.in_minute
				WHEN excluded.in_minute > key_days.busiest THEN excluded.in_minute ELSE key_days.busiest END,
			minute = CASE WHEN excluded.minute > key_days.minute THEN excluded.minute ELSE key_days.minute END`,
		at.account,
		at.key,
		at.minute/int64(aDay/aMinute),
		t.requests,
		t.failed,
		t.throttled,
		at.minute,
		t.server,
	)
}

// KeyDays reads what was asked with the keys of an account since a day, in the order of
// the keys and the days.
func (s *Store) KeyDays(ctx context.Context, accountID string, from clock.Date) ([]developer.KeyDay, error) {
	return rows.All(ctx, s.db, `SELECT key_id, day, requests, failed, server_failed, throttled, busiest
		FROM key_days
		WHERE account_id = $1 AND day >= $2
		ORDER BY key_id, day`, []any{accountID, int64(from)}, func(scan db.Scan, k *developer.KeyDay) error {
		var day int64
		err := scan(&k.KeyID, &day, &k.Requests, &k.Failed, &k.ServerFailed, &k.Throttled, &k.Busiest)
		k.Day = clock.Date(day)
		return err
	})
}

// ForgetUsage deletes the days of keys before a moment, a bounded number at a time, and
// tells how many.
func (s *Store) ForgetUsage(ctx context.Context, before clock.Time, most int) (int64, error) {
	return rows.Forget(ctx, s.db, "key_days", "account_id, key_id, day", "day < $1", "day", int64(before/aDay), most)
}

// ForgetHours deletes what came of attempts before a moment, a bounded number of hours
// at a time, and tells how many.
func (s *Store) ForgetHours(ctx context.Context, before clock.Time, most int) (int64, error) {
	const key = "portfolio_id, endpoint_id, hour"
	return rows.Forget(ctx, s.db, "endpoint_hours", key, "hour < $1", "hour", int64(before), most)
}
