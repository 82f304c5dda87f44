package cli

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"slices"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/event"
	"portal/api/portfolio/simulate"
	"portal/api/texts"
	"portal/cmd/portal/listen"
)

// Trigger triggers real events in the demo portfolio of a landlord, or of a test key.
func Trigger(f *Flags) Action {
	f.JSON = "print one JSON object per event"
	count := f.Int("count", 1, "how many events to trigger")
	key := f.String("key", "", "a test key with the scope write, instead of EMAIL; uses the API over HTTP")
	base := f.serviceURL()
	kindOf := func(c *Call) string { return c.Args[len(c.Args)-1] }
	remote := false
	f.Check(func(c *Call) error {
		f.Visit(func(given *flag.Flag) { remote = remote || given.Name == "key" || given.Name == "url" })
		switch kind := kindOf(c); {
		case remote && len(c.Args) > 1:
			return Misuse("give EMAIL or --key, not both")
		case !remote && len(c.Args) < 2:
			return Misuse("choose a demo portfolio: name the landlord, portal trigger EMAIL " + kind +
				", or add a test key with --key")
		case !slices.Contains(event.Types(), kind):
			return Misuse("there is no event type " + kind + ". The types are " + texts.List(event.Types(), " and "))
		case *count < 1:
			return Misuse("--count must be at least 1")
		}
		return nil
	})
	inDatabase := f.inAccount(func(ctx context.Context, c *Call) error {
		s, err := c.simulation(ctx, c.account)
		for i := 0; i < *count && err == nil; i++ {
			var id string
			if id, err = s.Happen(ctx, kindOf(c), event.Choice{}); err == nil {
				err = c.printTriggered(kindOf(c), id)
			}
		}
		return err
	})
	return func(ctx context.Context, c *Call) error {
		if !remote {
			return inDatabase(ctx, c)
		}
		r, err := c.newRemote(*key, *base)
		if err != nil {
			return err
		}
		return c.triggerOver(ctx, r, kindOf(c), *count)
	}
}

// printTriggered prints the record that an event happened to.
func (c *Call) printTriggered(kind, id string) error {
	return c.Print(map[string]any{"type": kind, "id": id}, "%s", id)
}

// triggerOver triggers events over HTTP. It waits where the key is at its rate limit.
func (c *Call) triggerOver(ctx context.Context, r *listen.Remote, kind string, count int) error {
	for done := 0; done < count; {
		answer, err := r.Ask(ctx, http.MethodPost, "/test_helpers/events", map[string]string{"type": kind})
		if wait := listen.RetryAfter(err); wait > 0 {
			fmt.Fprintf(c.Err, "portal trigger: %s; trying again in %s\n", err, wait)
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
		if err := c.printTriggered(kind, event.Data.Object.ID); err != nil {
			return err
		}
		done++
	}
	return nil
}

// simulation is the demo portfolio of an account, brought to the present day.
func (p *Product) simulation(ctx context.Context, account developer.Account) (*simulate.Session, error) {
	in, err := p.Developer.PortfolioOf(ctx, account.ID, access.Test)
	if err != nil {
		return nil, err
	}
	by := Operator(in)
	by.AccountID = account.ID
	if by.Zone, err = clock.Zone(account.TimeZone); err != nil {
		return nil, err
	}
	return p.Simulator().Session(ctx, by)
}
