package developerstore

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/db"
	"portal/db/rows"
)

// clientTable has the columns of clients of assistants, and where in one their values are.
var clientTable = rows.NewTable(
	"assistant_clients",
	rows.At("portfolio_id", func(r *developer.Client) *int64 { return &r.PortfolioID }),
	rows.At("key_id", func(r *developer.Client) *string { return &r.KeyID }),
	rows.At("user_agent", func(r *developer.Client) *string { return &r.UserAgent }),
	rows.At("name", func(r *developer.Client) *string { return &r.Name }),
	rows.At("version", func(r *developer.Client) *string { return &r.Version }),
	rows.At("protocol", func(r *developer.Client) *string { return &r.Protocol }),
	rows.At("first_seen_at", func(r *developer.Client) *clock.Time { return &r.FirstSeenAt }),
	rows.At("last_seen_at", func(r *developer.Client) *clock.Time { return &r.LastSeenAt }),
)

// SeeClients notes that clients were seen. Of a key at most developer.MaxClients are
// kept, those that were seen last.
func (s *Store) SeeClients(ctx context.Context, sights []developer.Client) error {
	ordered := slices.Clone(sights)
	// Nodes that lock keys in one order never deadlock.
	slices.SortStableFunc(ordered, func(a, b developer.Client) int {
		return cmp.Or(cmp.Compare(a.KeyID, b.KeyID), cmp.Compare(a.UserAgent, b.UserAgent))
	})
	return s.db.Atomically(ctx, func(ctx context.Context) error {
		for _, sight := range ordered {
			if err := s.see(ctx, sight); err != nil {
				return err
			}
		}
		return nil
	})
}

// see notes one sight, if it is news. Nodes that write of one key take turns.
func (s *Store) see(ctx context.Context, sight developer.Client) error {
	at := clientKey{sight.PortfolioID, sight.KeyID, sight.UserAgent}
	known, found, err := s.client(ctx, at)
	if err != nil || found && !sight.News(known) {
		return err
	}
	if s.db.OnPostgres() {
		if _, err := s.db.One(ctx, "SELECT id FROM api_keys WHERE id = $1 FOR NO KEY UPDATE", []any{
			sight.KeyID,
		}, new(string)); err != nil {
			return err
		}
		if known, found, err = s.client(ctx, at); err != nil {
			return err
		}
	}
	if found {
		known.Add(sight)
		return s.saveClient(ctx, known)
	}
	if err := s.saveClient(ctx, sight); err != nil {
		return err
	}
	return s.trimClients(ctx, at)
}

// client reads a client without a name where none is known.
func (s *Store) client(ctx context.Context, at clientKey) (c developer.Client, found bool, err error) {
	found, err = s.db.One(ctx, `SELECT `+clientTable.Columns+`
		FROM assistant_clients
		WHERE portfolio_id = $1 AND key_id = $2 AND user_agent = $3`, []any{
		at.portfolio, at.key, at.userAgent,
	}, clientTable.Targets(&c)...)
	return c, found, err
}

func (s *Store) saveClient(ctx context.Context, c developer.Client) error {
	const key = "portfolio_id, key_id, user_agent"
	_, err := clientTable.Add(
		ctx,
		s.db,
		&c,
		"ON CONFLICT ("+key+") DO UPDATE SET "+clientTable.Excluded(strings.Split(key, ", ")...),
	)
	return err
}

// trimClients forgets the clients of a key that are too many.
func (s *Store) trimClients(ctx context.Context, of clientKey) error {
	_, err := s.db.Exec(ctx, `DELETE FROM assistant_clients
		WHERE portfolio_id = $1 AND key_id = $2 AND user_agent IN (
			SELECT user_agent
			FROM assistant_clients
			WHERE portfolio_id = $1 AND key_id = $2
			ORDER BY last_seen_at DESC, user_agent
			LIMIT 1000000 OFFSET $3)`, of.portfolio, of.key, int64(developer.MaxClients))
	return err
}

// Clients reads the clients of a key, or for "" of all keys, the one seen last first.
// Those of a key are few and sorted when they are read.
func (s *Store) Clients(ctx context.Context, in access.Portfolio, keyID string, most int) ([]developer.Client, error) {
	from, latest, args := s.db.IndexedBy("assistant_clients_seen")+" WHERE portfolio_id = $1", "last_seen_at", []any{
		in.ID, int64(most),
	}
	if keyID != "" {
		from, latest, args = " WHERE portfolio_id = $1 AND key_id = $3", "+last_seen_at", append(args, keyID)
	}
	found := []developer.Client{}
	err := s.db.Each(ctx, "SELECT "+clientTable.Columns+" FROM assistant_clients"+from+" ORDER BY "+latest+
		" DESC, key_id, user_agent LIMIT $2", args, func(scan db.Scan) error {
		found = append(found, developer.Client{})
		return clientTable.Scan(scan, &found[len(found)-1])
	})
	return found, err
}

// ForgetClients forgets clients that were not seen since a moment, a bounded number at a
// time, and tells how many.
func (s *Store) ForgetClients(ctx context.Context, before clock.Time, most int) (int64, error) {
	return s.db.Exec(ctx, `DELETE FROM assistant_clients
		WHERE last_seen_at < $1 AND (portfolio_id, key_id, user_agent) IN (
			SELECT portfolio_id, key_id, user_agent
			FROM assistant_clients
			WHERE last_seen_at < $1
			ORDER BY last_seen_at
			LIMIT $2)`, int64(before), most)
}
