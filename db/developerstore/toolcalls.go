package developerstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/db/rows"
)

// toolCallTable has the columns of calls, and where in one their values are. Of one that was recorded before its client
// was known, the client that is read is that of now.
var toolCallTable = rows.NewTable(
	"tool_calls",
	rows.At("portfolio_id", func(c *developer.ToolCall) *int64 { return &c.PortfolioID }),
	rows.At("id", func(c *developer.ToolCall) *string { return &c.ID }),
	rows.At("at", func(c *developer.ToolCall) *clock.Time { return &c.At }),
	rows.At("account_id", func(c *developer.ToolCall) *string { return &c.AccountID }),
	rows.At("key_id", func(c *developer.ToolCall) *string { return &c.KeyID }),
	rows.At("request_id", func(c *developer.ToolCall) *string { return &c.RequestID }),
	rows.ShownAt("client", "COALESCE(c.name, client)", func(c *developer.ToolCall) *string { return &c.Client }),
	rows.ShownAt(
		"client_version",
		"COALESCE(c.version, client_version)",
		func(c *developer.ToolCall) *string { return &c.ClientVersion },
	),
	rows.At("protocol", func(c *developer.ToolCall) *string { return &c.Protocol }),
	rows.At("user_agent", func(c *developer.ToolCall) *string { return &c.UserAgent }),
	rows.At("tool", func(c *developer.ToolCall) *string { return &c.Tool }),
	rows.At("arguments", func(c *developer.ToolCall) *developer.JSON { return &c.Arguments }),
	rows.At("dry_run", func(c *developer.ToolCall) *bool { return &c.DryRun }),
	rows.At("replayed", func(c *developer.ToolCall) *bool { return &c.Replayed }),
	rows.At("outcome", func(c *developer.ToolCall) *string { return &c.Outcome }),
	rows.NullAt("message", "''", func(c *developer.ToolCall) *string { return &c.Message }),
	rows.NullAt("record_id", "''", func(c *developer.ToolCall) *string { return &c.RecordID }),
	rows.NullAt("change", "''", func(c *developer.ToolCall) *developer.JSON { return &c.Change }),
	rows.MicrosAt("duration_us", func(c *developer.ToolCall) *time.Duration { return &c.Duration }),
)

// AddToolCalls writes calls, in the transaction of the context if there is one. Those
// that are there already stay as they are. One that does not say its client is given
// what is known of the client of its key and User-Agent.
func (s *Store) AddToolCalls(ctx context.Context, batch []developer.ToolCall) error {
	if len(batch) == 0 {
		return nil
	}
	return s.db.Atomically(ctx, func(ctx context.Context) error {
		known := map[clientKey]developer.Client{}
		for chunk := range slices.Chunk(batch, rows.Bulk) {
			if err := s.addToolCalls(ctx, chunk, known); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Store) addToolCalls(
	ctx context.Context, chunk []developer.ToolCall, known map[clientKey]developer.Client,
) error {
	calls := slices.Clone(chunk)
	for i := range calls {
		if err := s.introduce(ctx, &calls[i], known); err != nil {
			return err
		}
	}
	sql, args, err := toolCallTable.Bulked(s.db, calls)
	if err != nil {
		return err
	}
	return s.db.Run(ctx, sql+" ON CONFLICT (portfolio_id, id) DO NOTHING", args...)
}

// clientKey is where a client is kept.
type clientKey struct {
	portfolio      int64
	key, userAgent string
}

// introduce names the client of a call that does not say it. The clients that a batch has
// asked for are in known.
func (s *Store) introduce(ctx context.Context, c *developer.ToolCall, known map[clientKey]developer.Client) error {
	if c.Client != "" {
		return nil
	}
	at := clientKey{c.PortfolioID, c.KeyID, c.UserAgent}
	client, asked := known[at]
	if !asked {
		var err error
		if client, _, err = s.client(ctx, at); err != nil {
			return err
		}
		known[at] = client
	}
	c.Client, c.ClientVersion = client.Name, client.Version
	if c.Protocol == "" {
		c.Protocol = client.Protocol
	}
	return nil
}

// toolCallsShown reads calls by an index.
var toolCallsShown = `SELECT ` + toolCallTable.Of("t") + `
	FROM tool_calls t%s
	LEFT JOIN assistant_clients c ON c.portfolio_id = t.portfolio_id AND c.key_id = t.key_id
		AND c.user_agent = t.user_agent AND t.client = ''
	WHERE t.portfolio_id = $1`

// ToolCall reads one call, or fault.NotFound.
func (s *Store) ToolCall(ctx context.Context, in access.Portfolio, id string) (developer.ToolCall, error) {
	query := fmt.Sprintf(toolCallsShown, "") + " AND t.id = $2"
	return rows.Only(ctx, s.db, "tool call", query, []any{in.ID, id}, toolCallTable.Scan)
}

// ToolCalls reads calls, the newest first unless they are to ascend, with one more than the limit.
func (s *Store) ToolCalls(
	ctx context.Context, in access.Portfolio, f developer.CallFilter,
) ([]developer.ToolCall, error) {
	after, before, order := rows.SpanFrom(id.Call, f.From, f.To, f.StartingAfter, f.Ascending)
	l := rows.NewListing(s.db, f.Limit, in.ID, after, before, int64(f.Limit+1))
	fmt.Fprintf(&l.SQL, toolCallsShown+" AND t.id > $2 AND t.id < $3", s.db.IndexedBy(callIndex(f)))
	l.Has("t.key_id", f.KeyID)
	l.Has("t.tool", f.Tool)
	l.SQL.WriteString(callConditions(f) + " ORDER BY t." + order + " LIMIT $4")
	return rows.All(ctx, s.db, l.SQL.String(), l.Args, toolCallTable.Scan)
}

// callConditions are those without a value, as the indexes have them.
func callConditions(f developer.CallFilter) (conditions string) {
	switch f.Result {
	case developer.OK:
		conditions += " AND t.outcome = 'ok'"
	case developer.Failed:
		conditions += " AND t.outcome <> 'ok'"
	}
	if f.Saved {
		conditions += " AND t.change IS NOT NULL AND NOT t.dry_run"
	}
	if f.DryRun == nil {
		return conditions
	}
	if *f.DryRun {
		return conditions + " AND t.dry_run"
	}
	return conditions + " AND NOT t.dry_run"
}

// callIndex is the index that reads the calls of a filter in their order, the one of
// the fewest calls first; "" is the primary key.
func callIndex(f developer.CallFilter) string {
	switch {
	case f.Saved:
		return "tool_calls_saved"
	case f.DryRun != nil && *f.DryRun:
		return "tool_calls_previews"
	case f.Result == developer.Failed:
		return "tool_calls_failed"
	case f.Tool != "":
		return "tool_calls_tool"
	case f.KeyID != "":
		return "tool_calls_key"
	}
	return ""
}

// ForgetToolCalls deletes the calls from before a moment, a bounded number at a time,
// and tells how many.
func (s *Store) ForgetToolCalls(ctx context.Context, before clock.Time, most int) (int64, error) {
	return rows.Forget(ctx, s.db, "tool_calls", "portfolio_id, id", "at < $1", "at", int64(before), most)
}

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
func (s *Store) client(ctx context.Context, at clientKey) (developer.Client, bool, error) {
	return clientTable.First(ctx, s.db, "WHERE portfolio_id = $1 AND key_id = $2 AND user_agent = $3",
		at.portfolio, at.key, at.userAgent)
}

func (s *Store) saveClient(ctx context.Context, c developer.Client) error {
	replace := "ON CONFLICT (portfolio_id, key_id, user_agent) DO UPDATE SET " +
		clientTable.Excluded("portfolio_id", "key_id", "user_agent")
	_, err := clientTable.AddOr(ctx, s.db, replace, &c)
	return err
}

// trimClients forgets the clients of a key that are too many.
func (s *Store) trimClients(ctx context.Context, of clientKey) error {
	return s.db.Run(ctx, `DELETE FROM assistant_clients
		WHERE portfolio_id = $1 AND key_id = $2 AND user_agent IN (
			SELECT user_agent
			FROM assistant_clients
			WHERE portfolio_id = $1 AND key_id = $2
			ORDER BY last_seen_at DESC, user_agent
			LIMIT 1000000 OFFSET $3)`, of.portfolio, of.key, int64(developer.MaxClients))
}

// Clients reads the clients of a key, or for "" of all keys, the one seen last first.
// Those of a key are few and sorted when they are read.
func (s *Store) Clients(ctx context.Context, in access.Portfolio, keyID string, most int) ([]developer.Client, error) {
	const end = " DESC, key_id, user_agent LIMIT $2"
	if keyID != "" {
		return clientTable.All(ctx, s.db, "WHERE portfolio_id = $1 AND key_id = $3 ORDER BY +last_seen_at"+end,
			in.ID, int64(most), keyID)
	}
	return clientTable.All(ctx, s.db, s.db.IndexedBy("assistant_clients_seen")+
		" WHERE portfolio_id = $1 ORDER BY last_seen_at"+end, in.ID, int64(most))
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
