package main

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/list"
)

var activityCommand = command{
	name:  "activity",
	args:  "EMAIL [--mode test|live] [--limit N]",
	short: "List what assistants did in a landlord's portfolio, the newest first",
	bind: func(f *flag.FlagSet) action {
		mode, filter := f.String("mode", string(access.Live), "test or live"), developer.CallFilter{}
		f.IntVar(&filter.Limit, "limit", list.Default, fmt.Sprintf("how many calls, at most %d", list.Max))
		f.StringVar(&filter.StartingAfter, "before", "", "list those that are older than the call of this id")
		f.StringVar(&filter.KeyID, "key", "", "only the calls with the key of this id")
		f.StringVar(&filter.Tool, "tool", "", "only the calls of this tool")
		f.BoolVar(&filter.Saved, "saved", false, "only the calls that have changed something")
		failed := f.Bool("failed", false, "only the calls that failed")
		whose, asJSON := accountFlag(f), f.Bool("json", false, "answer in JSON, with arguments and changes")
		return func(ctx context.Context, a *app, args []string) error {
			switch {
			case !slices.Contains(access.Live.Values(), *mode):
				return misuse("--mode is test or live")
			case filter.Limit < 1 || filter.Limit > list.Max:
				return misuse(fmt.Sprintf("--limit is 1 to %d", list.Max))
			}
			if *failed {
				filter.Result = developer.Failed
			}
			return a.within(ctx, args[0], *whose, func(p *product, by developer.Member, _ developer.Account) error {
				in, err := p.developer.PortfolioOf(ctx, by.AccountID, access.Mode(*mode))
				if err != nil {
					return err
				}
				calls, err := p.developer.ToolCalls(ctx, operator(in), filter)
				if err != nil {
					return err
				}
				if *asJSON {
					return a.print(true, shownCalls(calls.Data), "")
				}
				return a.printCalls(calls)
			})
		}
	},
}

// shownCall is a call with how long it took.
type shownCall struct {
	developer.ToolCall
	DurationMS float64 `json:"duration_ms"`
}

func shownCalls(calls []developer.ToolCall) []shownCall {
	shown := make([]shownCall, len(calls))
	for i, c := range calls {
		shown[i] = shownCall{c, float64(c.Duration.Microseconds()) / 1000}
	}
	return shown
}

func (a *app) printCalls(calls *list.Page[developer.ToolCall]) error {
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tAT\tCLIENT\tTOOL\tOUTCOME\tRECORD\tCHANGED")
	for i := range calls.Data {
		c := &calls.Data[i]
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", c.ID, c.At,
			strings.TrimSpace(c.Client+" "+c.ClientVersion), c.Tool, came(c), c.RecordID,
			strings.Join(c.Fields(), ", "))
	}
	if before, more := calls.Next(); more {
		fmt.Fprintf(w, "There are more: list those before %s with --before.\n", before)
	}
	return w.Flush()
}

// came is what became of a call, in a word or two.
func came(c *developer.ToolCall) string {
	switch {
	case c.DryRun:
		return c.Outcome + ", preview"
	case c.Replayed:
		return c.Outcome + ", told again"
	}
	return c.Outcome
}
