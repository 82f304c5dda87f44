package cli

import "context"

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
