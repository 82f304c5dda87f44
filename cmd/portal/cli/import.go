package cli

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

// Import is the sub-command "import" of portal.
var Import = Command{
	Name:  "import",
	Args:  "EMAIL FILE.csv",
	Short: "Import a rent roll into a landlord's live portfolio, all rows or none",
	Bind: func(f *flag.FlagSet) Action {
		in, asJSON := accountFlag(f), f.Bool("json", false, "print JSON")
		return func(ctx context.Context, a *App, args []string) error {
			file, err := os.Open(args[1])
			if err != nil {
				return err
			}
			defer file.Close() //nolint:errcheck // only read
			roll, _ := rentroll.Read(file)
			return a.within(ctx, args[0], *in, func(p *Product, _ developer.Member, account developer.Account) error {
				plan, problems, err := p.ImportRoll(ctx, account, roll)
				if err != nil {
					return err
				}
				if len(problems) > 0 {
					return a.printProblems(*asJSON, args[1], problems)
				}
				return a.Print(
					*asJSON,
					plan,
					"Imported %d units in %d new and %d existing properties, with %d tenants and %d leases.",
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

// ImportRoll writes a roll into the live portfolio of an account.
func (p *Product) ImportRoll(
	ctx context.Context, account developer.Account, roll *rentroll.Roll,
) (*rentroll.Plan, []rentroll.Problem, error) {
	in, err := p.Developer.PortfolioOf(ctx, account.ID, access.Live)
	if err != nil {
		return nil, nil, err
	}
	zone, err := clock.Zone(account.TimeZone)
	if err != nil {
		return nil, nil, err
	}
	return roll.Import(ctx, portfoliostore.ForImports(p.DB), in, account.Plan.Limits().Units, time.Now(), zone)
}

func (a *App) printProblems(asJSON bool, file string, problems []rentroll.Problem) error {
	if asJSON {
		if err := a.Print(true, map[string]any{"faults": problems}, ""); err != nil {
			return err
		}
		return errors.New("nothing was imported")
	}
	for _, f := range problems {
		fmt.Fprintf(a.Err, "%s: %s\n", file, f)
	}
	return fmt.Errorf("nothing was imported: %d problems", len(problems))
}
