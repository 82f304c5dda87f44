package cli

import (
	"context"
	"flag"
	"fmt"

	"portal/api/access"
	"portal/api/developer"
)

// accountFlag declares which account is meant where a person owns several.
func accountFlag(f *flag.FlagSet) *string {
	return f.String(
		"account",
		"",
		"the account: its `OWNER_EMAIL` or its ID; required if the person owns several",
	)
}

// within does something in the account that a person owns, in their name, and says on the
// standard error which account that is. Who owns several has to name one.
func (a *App) within(
	ctx context.Context, email, name string, do func(*Product, developer.Member, developer.Account) error,
) error {
	return a.with(ctx, func(p *Product) error {
		u, account, err := p.Developer.AccountNamed(ctx, email, name)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.Err, "Account: %s\n", account)
		return do(p, developer.Member{UserID: u.ID, AccountID: account.ID, Role: access.Owner}, account.Account)
	})
}
