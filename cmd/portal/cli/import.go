package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/api/portfolio/rentroll"
	"portal/api/portfolio/upload"
	"portal/api/texts"
	"portal/db/portfoliostore"
)

// Import imports a rent roll into a landlord's live portfolio.
func Import(f *Flags) Action {
	var roll *rentroll.Roll
	accept := f.Bool("accept", false, "import the file as its unclear lines were understood")
	check := f.Bool("check", false, "read the file and say what is in it, but import nothing")
	f.Check(func(c *Call) error {
		file, err := os.Open(c.Args[1])
		if err != nil {
			return err
		}
		defer file.Close() //nolint:errcheck // only read
		roll, _ = rentroll.Read(file)
		return nil
	})
	return f.inAccount(func(ctx context.Context, c *Call) error {
		for _, n := range roll.Notes() {
			if !c.JSON {
				fmt.Fprintf(c.Err, "%s: %s\n", c.Args[1], n)
			}
		}
		if roll.Guesses() && !*accept && !*check {
			unclear := errors.New(
				"nothing was imported: some lines are unclear. If they were understood right, add --accept",
			)
			if c.JSON {
				return errors.Join(c.printJSON(map[string]any{"notes": roll.Notes()}), unclear)
			}
			return unclear
		}
		do := c.ImportRoll
		if *check {
			do = c.planRoll
		}
		plan, problems, err := do(ctx, c.account, roll)
		if fault.Is(err, fault.UnitLimitReached) {
			return fault.New(
				fault.UnitLimitReached,
				"%s Ask for more units at %s.",
				fault.From(err).Message,
				c.Developer.BaseURL+portfolio.UnitRequestPath,
			)
		}
		if err != nil {
			return err
		}
		if len(problems) > 0 {
			if c.JSON {
				return errors.Join(c.printJSON(map[string]any{"faults": problems}), errors.New("nothing was imported"))
			}
			for _, p := range problems {
				fmt.Fprintf(c.Err, "%s: %s\n", c.Args[1], p)
			}
			return fmt.Errorf("nothing was imported: %s", texts.Counted(len(problems), "problem"))
		}
		done := "Imported"
		if *check {
			done = "Nothing was imported. The file has"
		}
		return c.Print(imported{plan, roll.Notes()}, done+" %s in %s (%s new), with %s and %s.",
			texts.Counted(plan.Units, "unit"),
			texts.Counted(plan.Properties+len(plan.Joined), "property"), texts.Number(plan.Properties),
			texts.Counted(plan.Tenants, "tenant"), texts.Counted(plan.Leases, "lease"))
	})
}

// imported is a plan as JSON, with what is to be known of the file where there is anything.
type imported struct {
	*rentroll.Plan
	Notes []rentroll.Note `json:"notes,omitempty"`
}

// ImportRoll writes a roll into the live portfolio of an account.
func (p *Product) ImportRoll(
	ctx context.Context, account developer.Account, roll *rentroll.Roll,
) (*rentroll.Plan, []rentroll.Problem, error) {
	in, zone, err := p.rollPlace(ctx, account)
	if err != nil {
		return nil, nil, err
	}
	rules := &upload.Rules{Units: p.Portfolio.Units, Leases: p.Portfolio.Leases, Tenants: p.Portfolio.Tenants}
	by := access.Actor{
		Portfolio: in, AccountID: account.ID, Zone: zone, Scopes: access.Scopes{access.Write, access.Payments},
	}
	return roll.Import(
		ctx, portfoliostore.New(p.DB), rules.By(by), in, account.Plan.Limits().Units, time.Now(), zone,
	)
}

// planRoll is what ImportRoll would write.
func (p *Product) planRoll(
	ctx context.Context, account developer.Account, roll *rentroll.Roll,
) (*rentroll.Plan, []rentroll.Problem, error) {
	in, zone, err := p.rollPlace(ctx, account)
	if err != nil {
		return nil, nil, err
	}
	existing, err := roll.Hold(ctx, portfoliostore.New(p.DB), in)
	if err != nil {
		return nil, nil, err
	}
	plan, problems := roll.Plan(existing, time.Now(), zone)
	return plan, problems, nil
}

// rollPlace is the portfolio into which rolls of an account are imported, and its time zone.
func (p *Product) rollPlace(
	ctx context.Context, account developer.Account,
) (in access.Portfolio, zone *time.Location, err error) {
	if in, err = p.Developer.PortfolioOf(ctx, account.ID, access.Live); err != nil {
		return in, nil, err
	}
	zone, err = clock.Zone(account.TimeZone)
	return in, zone, err
}
