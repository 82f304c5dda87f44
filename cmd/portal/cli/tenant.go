package cli

import (
	"context"
	"flag"
)

// TenantLink is the sub-command "tenant link" of portal.
var TenantLink = Command{
	Name:  "tenant link",
	Args:  "TENANT_ID [--renew] [--send|--revoke]",
	Short: "Create a link to a tenant's page; earlier links keep working unless you add --renew",
	Bind: func(f *flag.FlagSet) Action {
		renew := f.Bool("renew", false, "revoke all earlier links of the tenant")
		send := f.Bool("send", false, "email the link to the tenant instead of printing it")
		revoke := f.Bool("revoke", false, "revoke all links of the tenant and create none")
		asJSON := f.Bool("json", false, "print JSON")
		return func(ctx context.Context, a *App, args []string) error {
			if *revoke && (*send || *renew) {
				return Misuse("--revoke doesn't create a link: leave out --send and --renew")
			}
			return a.with(ctx, func(p *Product) error {
				by, err := p.TenantPortal.ActorOf(ctx, args[0])
				if err != nil {
					return err
				}
				switch {
				case *revoke:
					if err := p.TenantPortal.RevokeLink(ctx, by, args[0]); err != nil {
						return err
					}
					return a.Print(*asJSON, map[string]any{"tenant_id": args[0], "revoked": true},
						"Revoked all links to the page of %s.", args[0])
				case *send:
					if err := p.TenantPortal.SendLink(ctx, by, args[0], *renew); err != nil {
						return err
					}
					return a.Print(*asJSON, map[string]any{"tenant_id": args[0], "sent": true},
						"Emailed %s a link to their page.", args[0])
				}
				url, err := p.TenantPortal.NewLink(ctx, by, args[0], *renew)
				if err != nil {
					return err
				}
				return a.Print(*asJSON, map[string]any{"tenant_id": args[0], "url": url}, "%s", url)
			})
		}
	},
}
