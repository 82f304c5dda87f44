package cli

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"portal/api/access"
	"portal/api/developer"
)

// KeyCreate is the sub-command "key create" of portal.
var KeyCreate = Command{
	Name:  "key create",
	Args:  "EMAIL --name N --mode test|live --scopes a,b [--expires TIME]",
	Short: "Create an API key and print it once",
	Bind: func(f *flag.FlagSet) Action {
		name, mode := f.String("name", "", "what the key is for"), f.String("mode", "", "test or live")
		scopes := f.String("scopes", "read", "read, write, or payments; each includes those before it")
		expires := f.String(
			"expires",
			"",
			"when it expires: 2027-01-31T12:00:00Z, 2027-01-31, or a duration such as 720h",
		)
		in, asJSON := accountFlag(f), f.Bool("json", false, "print JSON")
		return func(ctx context.Context, a *App, args []string) error {
			until, err := moment(*expires)
			if err != nil {
				return err
			}
			if !slices.Contains(access.Live.Values(), *mode) {
				return Misuse("--mode must be test or live")
			}
			create := developer.KeyCreate{
				Name:      *name,
				Mode:      access.Mode(*mode),
				ExpiresAt: until,
				Scopes:    strings.FieldsFunc(*scopes, func(r rune) bool { return r == ',' || r == ' ' }),
			}
			return a.within(ctx, args[0], *in, func(p *Product, by developer.Member, _ developer.Account) error {
				k, err := p.Developer.AddKey(ctx, by, create)
				if err != nil {
					return err
				}
				return a.Print(*asJSON, k, "%s", *k.Plaintext)
			})
		}
	},
}

// KeyList is the sub-command "key list" of portal.
var KeyList = Command{
	Name:  "key list",
	Args:  "EMAIL",
	Short: "List an account's API keys",
	Bind: func(f *flag.FlagSet) Action {
		in, asJSON := accountFlag(f), f.Bool("json", false, "print JSON")
		return func(ctx context.Context, a *App, args []string) error {
			return a.within(ctx, args[0], *in, func(p *Product, by developer.Member, _ developer.Account) error {
				all, err := p.Developer.KeysOf(ctx, by.AccountID)
				if err != nil {
					return err
				}
				if *asJSON {
					return a.Print(true, all, "")
				}
				w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
				fmt.Fprintln(w, "ID\tNAME\tKEY\tSCOPES\tCREATED\tLAST USED\tREVOKED\tEXPIRES")
				for _, k := range all {
					fmt.Fprintf(w, "%s\t%s\t%s…\t%s\t%s\t%s\t%s\t%s\n", k.ID, k.Name, k.KeyPrefix, k.Scopes,
						k.CreatedAt, or(k.LastUsedAt), or(k.RevokedAt), or(k.ExpiresAt))
				}
				return w.Flush()
			})
		}
	},
}

// or is a value, or a dash for none.
func or[T fmt.Stringer](v *T) string {
	if v == nil {
		return "-"
	}
	return (*v).String()
}

// KeyRevoke is the sub-command "key revoke" of portal.
var KeyRevoke = Command{
	Name:  "key revoke",
	Args:  "ID",
	Short: "Revoke an API key, from the next request",
	Bind: func(f *flag.FlagSet) Action {
		asJSON := f.Bool("json", false, "print JSON")
		return func(ctx context.Context, a *App, args []string) error {
			return a.with(ctx, func(p *Product) error {
				if err := p.Developer.RevokeKey(ctx, args[0]); err != nil {
					return err
				}
				return a.Print(*asJSON, map[string]any{
					"id":      args[0],
					"revoked": true,
				}, "Revoked the key %s.", args[0])
			})
		}
	},
}
