package cli

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

// Activity is the sub-command "activity" of portal.
var Activity = Command{
	Name:  "activity",
	Args:  "EMAIL [--mode test|live] [--limit N]",
	Short: "List tool calls of assistants in a landlord's portfolio, newest first",
	Bind: func(f *flag.FlagSet) Action {
		mode, filter := f.String("mode", string(access.Live), "test or live"), developer.CallFilter{}
		f.IntVar(&filter.Limit, "limit", list.Default, fmt.Sprintf("number of calls, at most %d", list.Max))
		f.StringVar(&filter.StartingAfter, "before", "", "list calls older than the one with this ID")
		f.StringVar(&filter.KeyID, "key", "", "only calls with this key ID")
		f.StringVar(&filter.Tool, "tool", "", "only calls of this tool")
		f.BoolVar(&filter.Saved, "saved", false, "only calls that changed something")
		failed := f.Bool("failed", false, "only calls that failed")
		whose, asJSON := accountFlag(f), f.Bool("json", false, "print JSON, with arguments and changes")
		return func(ctx context.Context, a *App, args []string) error {
			switch {
			case !slices.Contains(access.Live.Values(), *mode):
				return Misuse("--mode must be test or live")
			case filter.Limit < 1 || filter.Limit > list.Max:
				return Misuse(fmt.Sprintf("--limit must be 1 to %d", list.Max))
			}
			if *failed {
				filter.Result = developer.Failed
			}
			return a.within(ctx, args[0], *whose, func(p *Product, by developer.Member, _ developer.Account) error {
				in, err := p.Developer.PortfolioOf(ctx, by.AccountID, access.Mode(*mode))
				if err != nil {
					return err
				}
				calls, err := p.Developer.ToolCalls(ctx, Operator(in), filter)
				if err != nil {
					return err
				}
				if *asJSON {
					return a.Print(true, shownCalls(calls.Data), "")
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

func (a *App) printCalls(calls *list.Page[developer.ToolCall]) error {
	w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tAT\tCLIENT\tTOOL\tOUTCOME\tRECORD\tCHANGED")
	for i := range calls.Data {
		c := &calls.Data[i]
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", c.ID, c.At,
			strings.TrimSpace(c.Client+" "+c.ClientVersion), c.Tool, came(c), c.RecordID,
			strings.Join(c.Fields(), ", "))
	}
	if before, more := calls.Next(); more {
		fmt.Fprintf(w, "There are more. To list them, add --before %s\n", before)
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
