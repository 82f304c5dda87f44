package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/developer"
)

// UserAdd adds a user, with the password from standard input.
func UserAdd(f *Flags) Action {
	roles := []string{string(developer.Landlord), string(developer.Staff)}
	role := f.choice("role", "landlord", "landlord or staff", roles)
	name := f.String("name", "", "name of the landlord's account")
	stdin := f.Bool("password-stdin", false, "read the password from the first line of standard input")
	var password string
	f.Check(func(c *Call) error {
		if !*stdin {
			return Misuse("--password-stdin is required: the password is read from standard input, " +
				"never from the command line")
		}
		text, err := bufio.NewReader(c.In).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		password = strings.TrimRight(text, "\r\n")
		return nil
	})
	return Creating(func(ctx context.Context, c *Call) error {
		u, err := c.Developer.AddUser(ctx, c.Args[0], *name, password, developer.UserRole(*role))
		return c.Result(map[string]any{"id": u.ID, "email": u.Email, "role": u.Role}, err,
			"Added the user %s (%s, %s).", u.Email, u.Role, u.ID)
	})
}

// MemberAdd adds a member to an owner's account, or changes their role.
func MemberAdd(f *Flags) Action {
	role := f.choice("role", "", "owner or manager", access.Owner.Values())
	keep := f.Bool("keep-keys", false,
		"when an owner becomes a manager, keep the API keys they created (default: revoke them)")
	return f.inAccount(func(ctx context.Context, c *Call) error {
		owner, email := c.Args[0], c.Args[1]
		revoked, err := c.Developer.AddMemberOf(ctx, owner, c.by.AccountID, email, access.Role(*role), *keep)
		if err != nil {
			return err
		}
		said := ""
		if revoked > 0 {
			said = fmt.Sprintf(" Revoked %d of the API keys they created.", revoked)
		}
		return c.Print(map[string]any{
			"owner":        owner,
			"email":        email,
			"role":         *role,
			"revoked_keys": revoked,
		}, "%s is now %s of the account of %s.%s", email, *role, owner, said)
	})
}

// PlanSet sets an account's plan.
func PlanSet(f *Flags) Action {
	var plan developer.Plan
	f.number(&plan.Sustained, "sustained", "sustained requests per minute")
	f.number(&plan.Burst, "burst", "requests in any 60 seconds, at least 20")
	f.number(&plan.Units, "units", "limit of live units")
	f.Check(func(c *Call) error {
		plan.Tier = developer.Tier(c.Args[1])
		if !slices.Contains(plan.Tier.Values(), c.Args[1]) {
			return Misuse("the plan must be starter, pro, or prime")
		}
		return nil
	})
	return f.inAccount(func(ctx context.Context, c *Call) error {
		l, err := plan.Limits(), c.Developer.SetPlanOf(ctx, c.by.AccountID, plan)
		return c.Result(map[string]any{
			"plan":      plan.Tier,
			"sustained": l.Sustained,
			"burst":     l.Burst,
			"units":     l.Units,
		}, err, "%s is now on the plan %s: %d requests per minute, bursts of %d, %d units.",
			c.Args[0], plan.Tier, l.Sustained, l.Burst, l.Units)
	})
}
