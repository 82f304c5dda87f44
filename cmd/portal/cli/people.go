package cli

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/developer"
)

// UserAdd is the sub-command "user add" of portal.
var UserAdd = Command{
	Name:  "user add",
	Args:  "EMAIL --role landlord|staff --password-stdin",
	Short: "Add a user; a landlord gets an account with a live and a demo portfolio",
	Bind: func(f *flag.FlagSet) Action {
		role := f.String("role", "landlord", "landlord or staff")
		name := f.String("name", "", "name of the landlord's account")
		stdin := f.Bool("password-stdin", false, "read the password from the first line of standard input")
		asJSON := f.Bool("json", false, "print JSON")
		return func(ctx context.Context, a *App, args []string) error {
			if *role != string(developer.Landlord) && *role != string(developer.Staff) {
				return Misuse("--role must be landlord or staff")
			}
			if !*stdin {
				return Misuse(
					"--password-stdin is required: the password is read from standard input, never from the command line",
				)
			}
			password, err := a.line()
			if err != nil {
				return err
			}
			return a.Making(ctx, func(p *Product) error {
				u, err := p.Developer.AddUser(ctx, args[0], *name, password, developer.UserRole(*role))
				if err != nil {
					return err
				}
				return a.Print(*asJSON, map[string]any{
					"id":    u.ID,
					"email": u.Email,
					"role":  u.Role,
				}, "Added the user %s (%s, %s).", u.Email, u.Role, u.ID)
			})
		}
	},
}

// line reads the first line of standard input.
func (a *App) line() (string, error) {
	text, err := bufio.NewReader(a.In).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return strings.TrimRight(text, "\r\n"), nil
}

// MemberAdd is the sub-command "member add" of portal.
var MemberAdd = Command{
	Name:  "member add",
	Args:  "OWNER_EMAIL EMAIL --role owner|manager [--keep-keys]",
	Short: "Add a member to an owner's account, or change their role",
	Bind: func(f *flag.FlagSet) Action {
		role := f.String("role", "", "owner or manager")
		keep := f.Bool(
			"keep-keys",
			false,
			"when an owner becomes a manager, keep the API keys they created (default: revoke them)",
		)
		in, asJSON := accountFlag(f), f.Bool("json", false, "print JSON")
		return func(ctx context.Context, a *App, args []string) error {
			if !slices.Contains(access.Owner.Values(), *role) {
				return Misuse("--role must be owner or manager")
			}
			return a.within(ctx, args[0], *in, func(p *Product, by developer.Member, _ developer.Account) error {
				revoked, err := p.Developer.AddMemberOf(ctx, args[0], by.AccountID, args[1], access.Role(*role), *keep)
				if err != nil {
					return err
				}
				said := ""
				if revoked > 0 {
					said = fmt.Sprintf(" Revoked %d of the API keys they created.", revoked)
				}
				return a.Print(*asJSON, map[string]any{
					"owner":        args[0],
					"email":        args[1],
					"role":         *role,
					"revoked_keys": revoked,
				},
					"%s is now %s of the account of %s.%s", args[1], *role, args[0], said)
			})
		}
	},
}

// PlanSet is the sub-command "plan set" of portal.
var PlanSet = Command{
	Name:  "plan set",
	Args:  "EMAIL starter|pro|prime [--sustained N --burst N --units N]",
	Short: "Set an account's plan, with your own limits if you agreed on any",
	Bind: func(f *flag.FlagSet) Action {
		sustained, burst, units := number(
			f,
			"sustained",
			"sustained requests per minute",
		), number(
			f,
			"burst",
			"requests in any 60 seconds, at least 20",
		), number(f, "units", "limit of live units")
		in, asJSON := accountFlag(f), f.Bool("json", false, "print JSON")
		return func(ctx context.Context, a *App, args []string) error {
			if !slices.Contains(developer.Starter.Values(), args[1]) {
				return Misuse("the plan must be starter, pro, or prime")
			}
			plan := developer.Plan{
				Tier:      developer.Tier(args[1]),
				Sustained: sustained.value,
				Burst:     burst.value,
				Units:     units.value,
			}
			return a.within(ctx, args[0], *in, func(p *Product, by developer.Member, _ developer.Account) error {
				if err := p.Developer.SetPlanOf(ctx, by.AccountID, plan); err != nil {
					return err
				}
				l := plan.Limits()
				return a.Print(
					*asJSON,
					map[string]any{
						"plan":      plan.Tier,
						"sustained": l.Sustained,
						"burst":     l.Burst,
						"units":     l.Units,
					},
					"%s is now on the plan %s: %d requests per minute, bursts of %d, %d units.",
					args[0],
					plan.Tier,
					l.Sustained,
					l.Burst,
					l.Units,
				)
			})
		}
	},
}
