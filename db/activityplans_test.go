package db_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/db"
	"portal/db/developerstore"
)

// filters are all ways to ask for calls: each condition alone and all with each other.
func filters() (all []developer.CallFilter) {
	for bits := range 1 << 8 {
		f := developer.CallFilter{Limit: 20, Saved: bits&1 > 0, Ascending: bits&128 > 0}
		if bits&2 > 0 {
			f.KeyID = "x"
		}
		if bits&4 > 0 {
			f.Tool = "x"
		}
		if bits&8 > 0 {
			f.From, f.To, f.StartingAfter = new(clock.Time(1)), new(clock.Time(1e12)), "call_x"
		}
		f.Result = []developer.Result{"", developer.OK, developer.Failed, ""}[bits>>4&3]
		f.DryRun = []*bool{nil, new(bits>>4&3 == 3)}[bits>>6&1]
		all = append(all, f)
	}
	return all
}

// A portfolio has as many calls as its assistants made in 90 days: a page is read from
// an index in its order, from that of the fewest where there are several.
func TestToolCallsAreReadInIndexOrder(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		used := map[string]bool{}
		for _, f := range filters() {
			queries, err := d.Plan(t.Context(), func(ctx context.Context) error {
				_, err := developerstore.New(d).ToolCalls(ctx, in, f)
				return err
			})
			must(t, err)
			steps := queries[0]
			index, keys, _ := strings.Cut(strings.TrimPrefix(steps[0], "SEARCH t USING INDEX "), " ")
			used[index] = true
			ordered := strings.HasPrefix(keys, "(portfolio_id=? AND ") && strings.HasSuffix(keys, "id>? AND id<?)")
			client := len(steps) == 2 &&
				strings.HasPrefix(steps[1], "SEARCH c USING PRIMARY KEY (portfolio_id=? AND key_id=? AND user_agent=?)")
			if !ordered || !client {
				t.Errorf("%+v: %q", f, steps)
			}
		}
		for _, index := range []string{
			"tool_calls_key", "tool_calls_tool", "tool_calls_failed", "tool_calls_previews",
			"tool_calls_saved", "sqlite_autoindex_tool_calls_1",
		} {
			if !used[index] {
				t.Errorf("no list is read from %s", index)
			}
		}
		if len(used) != 6 {
			t.Errorf("lists are read from %v", used)
		}
	})
}

func TestToolCallsAndClientsAreLookedUpByIndex(t *testing.T) {
	planned(t, func(t *testing.T, d *db.DB, in access.Portfolio) {
		for name, c := range map[string]struct {
			do   func(context.Context) error
			uses []string
		}{
			"call": {func(ctx context.Context) error {
				_, err := developerstore.New(d).ToolCall(ctx, in, "x")
				return err
			},
				[]string{"sqlite_autoindex_tool_calls_1 (portfolio_id=? AND id=?)"}},
			"see": {func(ctx context.Context) error {
				return developerstore.New(d).SeeClients(ctx, []developer.Client{{PortfolioID: in.ID}})
			},
				[]string{"PRIMARY KEY (portfolio_id=? AND key_id=? AND user_agent=?)"}},
			"clients": {func(ctx context.Context) error {
				_, err := developerstore.New(d).Clients(ctx, in, "", 500)
				return err
			},
				[]string{"assistant_clients_seen (portfolio_id=?)"}},
			"clients of a key": {func(ctx context.Context) error {
				_, err := developerstore.New(d).Clients(ctx, in, "x", 500)
				return err
			},
				[]string{"PRIMARY KEY (portfolio_id=? AND key_id=?)"}},
			"forget calls": {func(ctx context.Context) error {
				_, err := developerstore.New(d).ForgetToolCalls(ctx, 1, 1)
				return err
			},
				[]string{"tool_calls_age (at<?)"}},
			"forget clients": {func(ctx context.Context) error {
				_, err := developerstore.New(d).ForgetClients(ctx, 1, 1)
				return err
			},
				[]string{"assistant_clients_age (last_seen_at<?)"}},
		} {
			queries, _ := d.Plan(t.Context(), c.do) // the refusal of a write
			joined := fmt.Sprint(queries)
			missing := slices.ContainsFunc(c.uses, func(use string) bool { return !strings.Contains(joined, use) })
			if len(queries) == 0 || missing || strings.Contains(joined, "SCAN ") {
				t.Errorf("%s: %q", name, queries)
			}
		}
	})
}
