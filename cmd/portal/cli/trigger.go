package cli

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/event"
	"portal/api/portfolio/simulate"
	"portal/api/texts"
	"portal/cmd/portal/listen"
)

// Trigger is the sub-command "trigger" of portal.
var Trigger = Command{
	Name:  "trigger",
	Args:  "[EMAIL] " + strings.Join(event.Types(), "|") + " [--count N] [--key K] [--url URL]",
	Short: "Trigger a real event in the demo portfolio of a landlord, or of a test key",
	Bind: func(f *flag.FlagSet) Action {
		t := &triggering{}
		f.IntVar(&t.count, "count", 1, "how many events to trigger")
		key, base := f.String(
			"key",
			"",
			"a test key with the scope write, instead of EMAIL; uses the API over HTTP",
		), serviceURL(f)
		in := accountFlag(f)
		f.BoolVar(&t.asJSON, "json", false, "print one JSON object per event")
		return func(ctx context.Context, a *App, args []string) error {
			remote := given(f, "key") || given(f, "url")
			t.App, t.kind = a, args[len(args)-1]
			switch {
			case remote && len(args) > 1:
				return Misuse("give EMAIL or --key, not both")
			case !remote && len(args) < 2:
				return Misuse(
					"choose a demo portfolio: name the landlord, portal trigger EMAIL " + t.kind +
						", or add a test key with --key",
				)
			case !slices.Contains(event.Types(), t.kind):
				return Misuse(
					"there is no event type " + t.kind +
						". The types are " + texts.List(event.Types(), " and "),
				)
			case t.count < 1:
				return Misuse("--count must be at least 1")
			}
			if !remote {
				return a.within(
					ctx,
					args[0],
					*in,
					func(p *Product, _ developer.Member, account developer.Account) error {
						return t.inDatabase(ctx, p, account)
					},
				)
			}
			r, err := a.newRemote(*key, *base)
			if err != nil {
				return err
			}
			return t.overHTTP(ctx, r)
		}
	},
}

// given reports whether a flag was set.
func given(f *flag.FlagSet, name string) (set bool) {
	f.Visit(func(one *flag.Flag) { set = set || one.Name == name })
	return set
}

// triggering makes an event happen a number of times.
type triggering struct {
	*App
	kind   string
	count  int
	asJSON bool
}

// happened prints the record that it happened to.
func (t *triggering) happened(id string) error {
	return t.Print(t.asJSON, map[string]any{"type": t.kind, "id": id}, "%s", id)
}

func (t *triggering) inDatabase(ctx context.Context, p *Product, account developer.Account) error {
	s, err := p.scene(ctx, account)
	for i := 0; i < t.count && err == nil; i++ {
		var id string
		if id, err = s.Happen(ctx, t.kind); err == nil {
			err = t.happened(id)
		}
	}
	return err
}

// overHTTP waits where the key is at its rate limit.
func (t *triggering) overHTTP(ctx context.Context, r *listen.Remote) error {
	for done := 0; done < t.count; {
		answer, err := r.Ask(ctx, http.MethodPost, "/test_helpers/events", map[string]string{"type": t.kind})
		if wait := listen.RetryAfter(err); wait > 0 {
			fmt.Fprintf(t.Err, "portal trigger: %s; trying again in %s\n", err, wait)
			if !listen.Sleep(ctx, wait) {
				return ctx.Err()
			}
			continue
		}
		if err != nil {
			return err
		}
		var event struct {
			Data struct{ Object struct{ ID string } }
		}
		if err := json.Unmarshal(answer, &event); err != nil {
			return fmt.Errorf("the response of %s: %w", r.Base, err)
		}
		if err := t.happened(event.Data.Object.ID); err != nil {
			return err
		}
		done++
	}
	return nil
}

// scene is the demo portfolio of an account, brought to the present day.
func (p *Product) scene(ctx context.Context, account developer.Account) (*simulate.Session, error) {
	in, err := p.Developer.PortfolioOf(ctx, account.ID, access.Test)
	if err != nil {
		return nil, err
	}
	zone, err := clock.Zone(account.TimeZone)
	if err != nil {
		return nil, err
	}
	by := Operator(in)
	by.AccountID, by.Zone = account.ID, zone
	return p.Simulator().Session(ctx, by)
}
