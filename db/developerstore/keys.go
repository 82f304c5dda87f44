package developerstore

import (
	"context"
	"fmt"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/db"
	"portal/db/rows"
)

// keyTable has the columns of keys, and where in one their values are.
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
	_, err := keyTable.Add(
		ctx,
		s.db,
		&k,
		"",
		rows.Cell{Column: "account_id", Value: accountID},
		rows.Cell{Column: "portfolio_id", Value: in.ID},
		rows.Cell{Column: "created_by", Value: userID},
	)
	return err
}

var keys = `SELECT ` + keyTable.Of("k") + `, u.email
	FROM api_keys k
	JOIN users u ON u.id = k.created_by
	WHERE k.account_id = $1`

func (s *Store) keys(ctx context.Context, which string, args ...any) ([]developer.Key, error) {
	all := []developer.Key{}
	err := s.db.Each(ctx, keys+which, args, func(scan db.Scan) error {
		all = append(all, developer.Key{})
		k := &all[len(all)-1]
		return scan(append(keyTable.Targets(k), &k.Creator)...)
	})
	return all, err
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
	_, err := s.db.Exec(ctx, "UPDATE api_keys SET expires_at = $3 WHERE account_id = $1 AND id = $2", accountID, id, at)
	return err
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
	_, err := s.db.Exec(
		ctx,
		"UPDATE api_keys SET revoked_at = $2 WHERE account_id = $1 AND revoked_at IS NULL",
		accountID,
		at,
	)
	return err
}

// RevokeKeysOf revokes the keys of an account that a user made, or those of sessions alone,
// and gives the ids of those that were not revoked before.
func (s *Store) RevokeKeysOf(
	ctx context.Context, accountID, userID string, sessionsAlone bool, at clock.Time,
) (ids []string, err error) {
	err = s.db.Each(ctx, `UPDATE api_keys
		SET revoked_at = $4
		WHERE account_id = $1 AND created_by = $2 AND of_session >= $3 AND revoked_at IS NULL
		RETURNING id`, []any{accountID, userID, rows.Bit(sessionsAlone), int64(at)}, func(scan db.Scan) error {
		ids = append(ids, "")
		return scan(&ids[len(ids)-1])
	})
	return ids, err
}

// Caller finds who a key belongs to, with all that a request needs to know.
func (s *Store) Caller(ctx context.Context, hash []byte) (c developer.Caller, found bool, err error) {
	var role *access.Role
	k := &c.Key
	found, err = s.db.One(
		ctx,
		`SELECT `+keyTable.Of("k")+`,
			k.portfolio_id, a.id, a.name, a.time_zone, a.plan, a.sustained, a.burst, a.unit_ceiling, m.role
		FROM api_keys k
		JOIN accounts a ON a.id = k.account_id
		LEFT JOIN members m ON m.account_id = k.account_id AND m.user_id = k.created_by
		WHERE k.hash = $1`,
		[]any{hash},
		append(
			keyTable.Targets(k),
			&c.Portfolio.ID,
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
