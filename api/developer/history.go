package developer

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/list"
)

// CallFilter narrows a list of calls. Its zero value is the latest ones of all.
type CallFilter struct {
	Limit         int    // 1 to 100; 0 is 20
	StartingAfter string // the next_cursor of the page before
	Ascending     bool   // the oldest first
	KeyID         string
	Tool          string
	Result        Result
	DryRun        *bool       // previews, or all but those
	Saved         bool        // only what has changed something
	From, To      *clock.Time // from the one on, before the other
}

// Result parts calls that succeeded from those that failed.
type Result string

// The results; "" is either.
const (
	OK     Result = "ok"
	Failed Result = "failed"
)

// Values are all results.
func (Result) Values() []string { return []string{string(OK), string(Failed)} }

// ToolCalls lists what assistants did, the newest first unless the filter says otherwise.
func (s *Service) ToolCalls(ctx context.Context, by access.Actor, f CallFilter) (*list.Page[ToolCall], error) {
	if f.Limit == 0 {
		f.Limit = list.Default
	}
	f.Limit = max(1, min(f.Limit, list.Max))
	rows, err := s.store.ToolCalls(ctx, by.Portfolio, f)
	for i := range rows {
		rows[i].introduce()
	}
	return list.Of(rows, f.Limit, func(c *ToolCall) string { return c.ID }), err
}

// ToolCall is one call.
func (s *Service) ToolCall(ctx context.Context, by access.Actor, id string) (*ToolCall, error) {
	c, err := s.store.ToolCall(ctx, by.Portfolio, id)
	c.introduce()
	if err != nil {
		return nil, err
	}
	return &c, nil
}

// Clients are the programs that come to the tools with a key, or for "" with any key of
// the portfolio, the one that was seen last first.
func (s *Service) Clients(ctx context.Context, by access.Actor, keyID string) ([]Client, error) {
	const most = 500
	all, err := s.store.Clients(ctx, by.Portfolio, keyID, most)
	for i := range all {
		if all[i].Name == "" {
			all[i].Name, all[i].Version = product(all[i].UserAgent)
		}
	}
	return all, err
}

// introduce names the client of a call by its User-Agent where it never said its name.
func (c *ToolCall) introduce() {
	if c.Client == "" {
		c.Client, c.ClientVersion = product(c.UserAgent)
	}
}
