package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/portfolio/rentroll"
	"portal/db/portfoliostore"
)

var importCommand = command{
	name:  "import",
	args:  "EMAIL FILE.csv",
	short: "Load a rent roll into the live portfolio of a landlord: all rows or none",
	bind: func(f *flag.FlagSet) action {
		in, asJSON := accountFlag(f), f.Bool("json", false, "answer in JSON")
		return func(ctx context.Context, a *app, args []string) error {
			file, err := os.Open(args[1])
			if err != nil {
				return err
			}
			defer file.Close() //nolint:errcheck // only read
			roll, _ := rentroll.Read(file)
			return a.within(ctx, args[0], *in, func(p *product, _ developer.Member, account developer.Account) error {
				plan, faults, err := p.importRoll(ctx, account, roll)
				if err != nil {
					return err
				}
				if len(faults) > 0 {
					return a.printFaults(*asJSON, args[1], faults)
				}
				return a.print(
					*asJSON,
					plan,
					"Imported %d units in %d new and %d known properties, with %d tenants and %d leases.",
					plan.Units,
					plan.Properties,
					len(plan.Joined),
					plan.Tenants,
					plan.Leases,
				)
			})
		}
	},
}

// importRoll writes a roll into the live portfolio of an account.
func (p *product) importRoll(
	ctx context.Context, account developer.Account, roll *rentroll.Roll,
) (*rentroll.Plan, []rentroll.Fault, error) {
	in, err := p.developer.PortfolioOf(ctx, account.ID, access.Live)
	if err != nil {
		return nil, nil, err
	}
	zone, err := clock.Zone(account.TimeZone)
	if err != nil {
		return nil, nil, err
	}
	return roll.Import(ctx, portfoliostore.ForImports(p.db), in, account.Plan.Limits().Units, time.Now(), zone)
}

func (a *app) printFaults(asJSON bool, file string, faults []rentroll.Fault) error {
	if asJSON {
		if err := a.print(true, map[string]any{"faults": faults}, ""); err != nil {
			return err
		}
		return errors.New("nothing was imported")
	}
	for _, f := range faults {
		fmt.Fprintf(a.err, "%s: %s\n", file, f)
	}
	return fmt.Errorf("nothing was imported: %d faults", len(faults))
}
