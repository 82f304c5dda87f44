package main

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

var keyCreateCommand = command{
	name:  "key create",
	args:  "EMAIL --name N --mode test|live --scopes a,b [--expires TIME]",
	short: "Create an API key; it is printed once",
	bind: func(f *flag.FlagSet) action {
		name, mode := f.String("name", "", "what the key is for"), f.String("mode", "", "test or live")
		scopes := f.String("scopes", "read", "read, write or payments; each holds those before it")
		expires := f.String("expires", "", "when it expires: 2027-01-31T12:00:00Z, 2027-01-31 or a span such as 720h")
		in, asJSON := accountFlag(f), f.Bool("json", false, "answer in JSON")
		return func(ctx context.Context, a *app, args []string) error {
			until, err := moment(*expires)
			if err != nil {
				return err
			}
			if !slices.Contains(access.Live.Values(), *mode) {
				return misuse("--mode is test or live")
			}
			create := developer.KeyCreate{
				Name:      *name,
				Mode:      access.Mode(*mode),
				ExpiresAt: until,
				Scopes:    strings.FieldsFunc(*scopes, func(r rune) bool { return r == ',' || r == ' ' }),
			}
			return a.within(ctx, args[0], *in, func(p *product, by developer.Member, _ developer.Account) error {
				k, err := p.developer.AddKey(ctx, by, create)
				if err != nil {
					return err
				}
				return a.print(*asJSON, k, "%s", *k.Plaintext)
			})
		}
	},
}

var keyListCommand = command{
	name:  "key list",
	args:  "EMAIL",
	short: "List the keys of an account",
	bind: func(f *flag.FlagSet) action {
		in, asJSON := accountFlag(f), f.Bool("json", false, "answer in JSON")
		return func(ctx context.Context, a *app, args []string) error {
			return a.within(ctx, args[0], *in, func(p *product, by developer.Member, _ developer.Account) error {
				all, err := p.developer.KeysOf(ctx, by.AccountID)
				if err != nil {
					return err
				}
				if *asJSON {
					return a.print(true, all, "")
				}
				w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
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

var keyRevokeCommand = command{
	name:  "key revoke",
	args:  "ID",
	short: "Revoke a key; it acts on the next request",
	bind: func(f *flag.FlagSet) action {
		asJSON := f.Bool("json", false, "answer in JSON")
		return func(ctx context.Context, a *app, args []string) error {
			return a.with(ctx, func(p *product) error {
				if err := p.developer.RevokeKey(ctx, args[0]); err != nil {
					return err
				}
				return a.print(*asJSON, map[string]any{
					"id":      args[0],
					"revoked": true,
				}, "The key %s is revoked.", args[0])
			})
		}
	},
}
