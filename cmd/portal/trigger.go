package main

import (
	"context"
	"flag"
	"time"

	"portal/api/access"
	"portal/api/portfolio/stage"
)

var triggerCommand = command{
	name: "trigger", args: "EMAIL lease.signed|payment.succeeded|maintenance.created [--count N]",
	short: "Make an event happen in the demo portfolio of a landlord, by the real rules",
	bind: func(f *flag.FlagSet) action {
		count := f.Int("count", 1, "how many times it happens")
		asJSON := f.Bool("json", false, "answer in JSON, an object each time")
		return func(ctx context.Context, a *app, args []string) error {
			if !stage.Known(args[1]) {
				return misuse("there is no event " + args[1] + "; there are lease.signed, payment.succeeded and maintenance.created")
			}
			if *count < 1 {
				return misuse("--count is at least 1")
			}
			return a.with(ctx, func(p *product) error {
				s, err := p.scene(ctx, args[0])
				for i := 0; i < *count && err == nil; i++ {
					var id string
					if id, err = s.Happen(ctx, args[1]); err == nil {
						err = a.print(*asJSON, map[string]any{"type": args[1], "id": id}, "%s", id)
					}
				}
				return err
			})
		}
	},
}

// scene is the demo portfolio of an account, brought to the present day.
func (p *product) scene(ctx context.Context, email string) (*stage.Scene, error) {
	in, account, err := p.developer.Portfolio(ctx, email, access.Test)
	if err != nil {
		return nil, err
	}
	zone, err := time.LoadLocation(account.TimeZone)
	if err != nil {
		return nil, err
	}
	by := operator(in)
	by.AccountID, by.Zone = account.ID, zone
	return p.stage().Scene(ctx, by)
}
