package cli

import (
	"context"
	"flag"
)

// TenantLink is the sub-command "tenant link" of portal.
var TenantLink = Command{
	Name:  "tenant link",
	Args:  "TENANT_ID [--renew] [--send|--revoke]",
	Short: "Make a link that opens a tenant's page; earlier ones work on, unless --renew ends them",
	Bind: func(f *flag.FlagSet) Action {
		renew := f.Bool("renew", false, "end all links of the tenant that were given out before")
		send := f.Bool("send", false, "email the link to the tenant instead of printing it")
		revoke := f.Bool("revoke", false, "end all links of the tenant, and make none")
		asJSON := f.Bool("json", false, "answer in JSON")
		return func(ctx context.Context, a *App, args []string) error {
			if *revoke && (*send || *renew) {
				return Misuse("--revoke makes no link: leave out --send and --renew")
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
						"No link opens the page of %s any more.", args[0])
				case *send:
					if err := p.TenantPortal.SendLink(ctx, by, args[0], *renew); err != nil {
						return err
					}
					return a.Print(*asJSON, map[string]any{"tenant_id": args[0], "sent": true},
						"A link to the page of %s was emailed to them.", args[0])
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
