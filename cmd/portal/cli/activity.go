package cli

import (
	"context"
	"fmt"
	"strings"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/list"
)

// Activity lists the tool calls of assistants in a landlord's portfolio.
func Activity(f *Flags) Action {
	var filter developer.CallFilter
	f.JSON = "print JSON, with arguments and changes"
	mode := f.choice("mode", string(access.Live), "test or live", access.Live.Values())
	f.IntVar(&filter.Limit, "limit", list.Default, fmt.Sprintf("number of calls, at most %d", list.Max))
	f.StringVar(&filter.StartingAfter, "before", "", "list calls older than the one with this ID")
	f.StringVar(&filter.KeyID, "key", "", "only calls with this key ID")
	f.StringVar(&filter.Tool, "tool", "", "only calls of this tool")
	f.BoolVar(&filter.Saved, "saved", false, "only calls that changed something")
	failed := f.Bool("failed", false, "only calls that failed")
	f.Check(func(*Call) error {
		if filter.Limit < 1 || filter.Limit > list.Max {
			return Misuse(fmt.Sprintf("--limit must be 1 to %d", list.Max))
		}
		if *failed {
			filter.Result = developer.Failed
		}
		return nil
	})
	return f.inPortfolio(mode, func(ctx context.Context, c *Call) error {
		calls, err := c.Developer.ToolCalls(ctx, c.actor, filter)
		if err != nil {
			return err
		}
		shown := make([]shownCall, len(calls.Data))
		for i, call := range calls.Data {
			shown[i] = shownCall{call, float64(call.Duration.Microseconds()) / 1000}
		}
		err = printTable(c, shown, "ID\tAT\tCLIENT\tTOOL\tOUTCOME\tRECORD\tCHANGED", calls.Data,
			func(t *developer.ToolCall) []any {
				client := strings.TrimSpace(t.Client + " " + t.ClientVersion)
				return []any{t.ID, t.At, client, t.Tool, outcome(t), t.RecordID, strings.Join(t.Fields(), ", ")}
			})
		if before, more := calls.Next(); more && err == nil && !c.JSON {
			fmt.Fprintf(c.Out, "There are more. To list them, add --before %s\n", before)
		}
		return err
	})
}

// shownCall is a call with how long it took.
type shownCall struct {
	developer.ToolCall
	DurationMS float64 `json:"duration_ms"`
}

// outcome is what became of a call, in a word or two.
func outcome(c *developer.ToolCall) string {
	switch {
	case c.DryRun:
		return c.Outcome + ", preview"
	case c.Replayed:
		return c.Outcome + ", told again"
	}
	return c.Outcome
}
