package cli

import (
	"context"

	"portal/api/access"
	"portal/api/developer"
)

// KeyCreate creates an API key and prints it once.
func KeyCreate(f *Flags) Action {
	var create developer.KeyCreate
	f.StringVar(&create.Name, "name", "", "what the key is for")
	scopes := f.String("scopes", "read", "read, write, or payments; each includes those before it")
	expires := f.String("expires", "", "when it expires: 2027-01-31T12:00:00Z, 2027-01-31, or a duration such as 720h")
	f.Check(func(*Call) (err error) {
		create.ExpiresAt, err = moment(*expires)
		return err
	})
	mode := f.choice("mode", "", "test or live", access.Live.Values())
	return f.inAccount(func(ctx context.Context, c *Call) error {
		create.Mode, create.Scopes = access.Mode(*mode), Words(*scopes)
		k, err := c.Developer.AddKey(ctx, c.by, create)
		if err != nil {
			return err
		}
		return c.Print(k, "%s", *k.Plaintext)
	})
}

// KeyList lists an account's API keys.
func KeyList(f *Flags) Action {
	return f.inAccount(func(ctx context.Context, c *Call) error {
		all, err := c.Developer.KeysOf(ctx, c.by.AccountID)
		return printList(c, all, err, 0, "ID\tNAME\tKEY\tSCOPES\tCREATED\tLAST USED\tREVOKED\tEXPIRES",
			func(k *developer.Key) []any {
				return []any{
					k.ID, k.Name, k.KeyPrefix + "…", k.Scopes,
					k.CreatedAt, or(k.LastUsedAt), or(k.RevokedAt), or(k.ExpiresAt),
				}
			})
	})
}

// KeyRevoke revokes an API key.
func KeyRevoke(*Flags) Action {
	return Opening(func(ctx context.Context, c *Call) error {
		err := c.Developer.RevokeKey(ctx, c.Args[0])
		return c.Result(map[string]any{"id": c.Args[0], "revoked": true}, err, "Revoked the key %s.", c.Args[0])
	})
}
