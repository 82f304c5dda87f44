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
	var (
		roll *rentroll.Roll
		said rentroll.Answers
		read func(rentroll.Answers) (*rentroll.Roll, error)
	)
	mapping := f.String(
		"mapping",
		"",
		"a JSON file with what columns hold and answers: {\"mapping\": {}, \"answers\": {}}",
	)
	accept := f.Bool("accept", false, "import the file as its unclear lines were understood")
	check := f.Bool("check", false, "read the file and say what is in it, but import nothing")
	f.Check(func(c *Call) (err error) {
		read = func(answers rentroll.Answers) (*rentroll.Roll, error) { return readRoll(c.Args[1], answers) }
		if roll, err = read(nil); err != nil {
			return err
		}
		if said, err = mapped(*mapping, roll.Headings()); err != nil || len(said) == 0 {
			return err
		}
		roll, err = read(said)
		return err
	})
	return f.inAccount(func(ctx context.Context, c *Call) error {
		if !c.JSON && terminal(c.In) {
			var err error
			if roll, err = c.askRoll(ctx, said, read); err != nil {
				return err
			}
		}
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
		changed := c.tellChanges(plan)
		all := imported{plan, append(roll.Notes(), plan.Notes...)}
		done := "Imported"
		switch {
		case plan.Empty() && len(plan.Changes) > 0:
			return c.Print(all, "Nothing was imported: the file brings nothing new.")
		case plan.Empty():
			return c.Print(all, "Nothing was imported: the portfolio has everything in the file already.")
		case *check:
			done = "Nothing was imported. The file has"
		}
		if changed != "" {
			done = changed + " " + done
		}
		return c.Print(all, done+" %s in %s (%s new), with %s and %s.",
			texts.Counted(plan.Units, "unit"),
			texts.Counted(plan.Properties+len(plan.Joined), "property"), texts.Number(plan.Properties),
			texts.Counted(plan.Tenants, "tenant"), texts.Counted(plan.Leases, "lease"))
	})
}

// tellChanges tells what the file says otherwise of records that the portfolio has, and which of it an import takes;
// and how many it changes, "" for none.
func (c *Call) tellChanges(plan *rentroll.Plan) (changed string) {
	if c.JSON {
		return ""
	}
	for _, n := range plan.Notes {
		fmt.Fprintf(c.Err, "%s: %s\n", c.Args[1], n)
	}
	left, taken := 0, 0
	for i := range plan.Changes {
		change := &plan.Changes[i]
		what := "taken from the file"
		if taken++; !change.Ticked {
			left, taken = left+1, taken-1
			what = "left as it is"
		}
		fmt.Fprintf(c.Err, "%s: %s\n", change, what)
	}
	if left > 0 {
		fmt.Fprintf(c.Err, "The file says something else of %s. To change all of a kind, give --mapping the answer "+
			`"changes:unit", "changes:lease", "changes:tenant", or "changes:end": "apply".`+"\n", texts.Counted(left, "record"))
	}
	if taken > 0 {
		changed = texts.Counted(taken, "record") + " of the portfolio take what the file says."
		if taken == 1 {
			changed = "1 record of the portfolio takes what the file says."
		}
	}
	return changed
}

// readRoll reads the file at a path with what somebody has said of it.
func readRoll(path string, answers rentroll.Answers) (*rentroll.Roll, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read
	roll, _ := rentroll.ReadWith(file, answers)
	return roll, nil
}

// mapped are the answers that a mapping file gives of a file with some columns, none without one.
func mapped(path string, headings []rentroll.Heading) (rentroll.Answers, error) {
	said := rentroll.Answers{}
	if path == "" {
		return said, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, err := rentroll.ParseMapping(text)
	if err != nil {
		return nil, err
	}
	all, err := m.Said(headings)
	if err != nil {
		return nil, err
	}
	for question, answer := range all {
		if answer != nil {
			said[question] = *answer
		}
	}
	return said, said.Check()
}

// askRoll asks at the terminal what a file does not say, and reads it with the answers.
func (c *Call) askRoll(
	ctx context.Context, said rentroll.Answers, read func(rentroll.Answers) (*rentroll.Roll, error),
) (roll *rentroll.Roll, err error) {
	a := newAsker(c.In, c.Err)
	given, err := a.settle(said, func(answers rentroll.Answers) (problems []rentroll.Problem, err error) {
		if roll, err = read(answers); err != nil {
			return nil, err
		}
		_, problems, err = c.planRoll(ctx, c.account, roll)
		return problems, err
	})
	if err != nil || !given {
		return roll, err
	}
	return roll, a.say(said)
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
