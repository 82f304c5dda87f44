package developerstore

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"portal/api/clock"
	"portal/api/developer"
	"portal/db"
)

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
	_, err := s.db.Exec(
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
	return err
}

// KeyDays reads what was asked with the keys of an account since a day, in the order of
// the keys and the days.
func (s *Store) KeyDays(ctx context.Context, accountID string, from clock.Date) ([]developer.KeyDay, error) {
	found := []developer.KeyDay{}
	err := s.db.Each(ctx, `SELECT key_id, day, requests, failed, server_failed, throttled, busiest
		FROM key_days
		WHERE account_id = $1 AND day >= $2
		ORDER BY key_id, day`, []any{accountID, int64(from)}, func(scan db.Scan) error {
		found = append(found, developer.KeyDay{})
		k := &found[len(found)-1]
		var day int64
		err := scan(&k.KeyID, &day, &k.Requests, &k.Failed, &k.ServerFailed, &k.Throttled, &k.Busiest)
		k.Day = clock.Date(day)
		return err
	})
	return found, err
}

// ForgetUsage deletes the days of keys before a moment, a bounded number at a time, and
// tells how many.
func (s *Store) ForgetUsage(ctx context.Context, before clock.Time, most int) (int64, error) {
	return s.db.Exec(ctx, `DELETE FROM key_days
		WHERE (account_id, key_id, day) IN (
			SELECT account_id, key_id, day
			FROM key_days
			WHERE day < $1
			ORDER BY day
			LIMIT $2)`, int64(before/aDay), most)
}

// ForgetHours deletes what came of attempts before a moment, a bounded number of hours
// at a time, and tells how many.
func (s *Store) ForgetHours(ctx context.Context, before clock.Time, most int) (int64, error) {
	return s.db.Exec(ctx, `DELETE FROM endpoint_hours
		WHERE (portfolio_id, endpoint_id, hour) IN (
			SELECT portfolio_id, endpoint_id, hour
			FROM endpoint_hours
			WHERE hour < $1
			ORDER BY hour
			LIMIT $2)`, int64(before), most)
}
