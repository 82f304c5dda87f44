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

// TenantLink makes a link to a tenant's page, sends one, or revokes all.
func TenantLink(f *Flags) Action {
	renew := f.Bool("renew", false, "revoke all earlier links of the tenant")
	send := f.Bool("send", false, "email the link to the tenant instead of printing it")
	revoke := f.Bool("revoke", false, "revoke all links of the tenant and create none")
	f.Check(func(*Call) error {
		if *revoke && (*send || *renew) {
			return Misuse("--revoke doesn't create a link: leave out --send and --renew")
		}
		return nil
	})
	return Opening(func(ctx context.Context, c *Call) error {
		tenant := c.Args[0]
		by, err := c.TenantPortal.ActorOf(ctx, tenant)
		if err != nil {
			return err
		}
		switch {
		case *revoke:
			return c.Result(map[string]any{"tenant_id": tenant, "revoked": true},
				c.TenantPortal.RevokeLink(ctx, by, tenant), "Revoked all links to the page of %s.", tenant)
		case *send:
			return c.Result(map[string]any{"tenant_id": tenant, "sent": true},
				c.TenantPortal.SendLink(ctx, by, tenant, *renew), "Emailed %s a link to their page.", tenant)
		}
		url, err := c.TenantPortal.NewLink(ctx, by, tenant, *renew)
		return c.Result(map[string]any{"tenant_id": tenant, "url": url}, err, "%s", url)
	})
}
