package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/audit"
	"portal/api/developer"
	"portal/api/mail"
	"portal/api/payment/simulated"
	"portal/api/portfolio/records"
	"portal/api/portfolio/simulate"
	"portal/api/secret"
	"portal/api/tenantportal"
	"portal/api/webhook"
	"portal/db"
	"portal/db/portfoliostore"
	"portal/db/servicestore"
)

// Call is one call of a sub-command.
type Call struct {
	*App
	Args []string // those that are no flags
	JSON bool
	*Product
	account developer.Account
	by      developer.Member // the owner of the account
	actor   access.Actor     // in the portfolio of a record
}

// Opening runs an action over the product that is there.
func Opening(do Action) Action {
	return func(ctx context.Context, c *Call) error { return c.over(ctx, c.Open, do) }
}

// Creating runs an action over the product, which is made where there is none.
func Creating(do Action) Action {
	return func(ctx context.Context, c *Call) error { return c.over(ctx, c.Create, do) }
}

func (c *Call) over(ctx context.Context, open func(context.Context) (*Product, error), do Action) (err error) {
	if c.Product, err = open(ctx); err != nil {
		return err
	}
	err = do(ctx, c)
	if closed := c.Close(); err == nil {
		err = closed
	}
	return err
}

// inAccount runs an action in the account that the person of the first argument owns, in their name, and
// says on the standard error which account that is. Who owns several has to name one.
func (f *Flags) inAccount(do Action) Action {
	name := f.String("account", "", "the account: its `OWNER_EMAIL` or its ID; required if the person owns several")
	return Opening(func(ctx context.Context, c *Call) error {
		u, account, err := c.Developer.AccountNamed(ctx, c.Args[0], *name)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.Err, "Account: %s\n", account)
		c.by = developer.Member{UserID: u.ID, AccountID: account.ID, Role: access.Owner}
		c.account = account.Account
		return do(ctx, c)
	})
}

// inPortfolio is inAccount in one of the account's portfolios.
func (f *Flags) inPortfolio(mode *string, do Action) Action {
	return f.inAccount(func(ctx context.Context, c *Call) error {
		in, err := c.Developer.PortfolioOf(ctx, c.by.AccountID, access.Mode(*mode))
		if err != nil {
			return err
		}
		c.actor = Operator(in)
		return do(ctx, c)
	})
}

// at runs an action as the operator of the portfolio that the record of the first argument is in.
func at(of func(*webhook.Service, context.Context, string) (access.Portfolio, error), do Action) Action {
	return Opening(func(ctx context.Context, c *Call) error {
		in, err := of(c.Webhook, ctx, c.Args[0])
		if err != nil {
			return err
		}
		c.actor = Operator(in)
		return do(ctx, c)
	})
}

// Operator is the actor of a sub-command: it may do what an owner may.
func Operator(in access.Portfolio) access.Actor {
	scopes, _ := access.ScopesOf(string(access.Payments)) // a scope that there is
	return access.Actor{Portfolio: in, Scopes: scopes, Role: access.Owner, Zone: time.UTC}
}

// printTable prints records: v as JSON, or a line for each, with cells as the header has them.
func printTable[T any](c *Call, v any, header string, all []T, row func(*T) []any) error {
	if c.JSON {
		return c.printJSON(v)
	}
	w := newTable(c.Out)
	fmt.Fprintln(w, header)
	line := strings.Repeat("%v\t", strings.Count(header, "\t")) + "%v\n"
	for i := range all {
		fmt.Fprintf(w, line, row(&all[i])...)
	}
	return w.Flush()
}

func newTable(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) }

// printList is printTable of what was listed, up to a limit unless that is 0. The last one's ID, its first
// cell, leads to the next page.
func printList[T any](c *Call, all []T, err error, limit int, header string, row func(*T) []any) error {
	if err != nil {
		return err
	}
	err = printTable(c, all, header, all, row)
	if err == nil && !c.JSON && limit > 0 && len(all) == limit {
		fmt.Fprintf(c.Out, "There may be more. To list them, add --before %s\n", row(&all[limit-1])[0])
	}
	return err
}

// or is a value, or a dash for none.
func or[T fmt.Stringer](v *T) string {
	if v == nil {
		return "-"
	}
	return (*v).String()
}

// Product is the store and the services over it, as far as sub-commands use them.
type Product struct {
	DB           *db.DB
	Box          *secret.Box
	Portfolio    *records.Service
	Agreements   *agreement.Service
	Signings     *ceremony.Service
	TenantPortal *tenantportal.Service
	Developer    *developer.Service
	Webhook      *webhook.Service
	Mail         *mail.Service
	Payments     *simulated.Payments
	Clocks       simulate.ClockQueue
}

// Close ends the connections to the database.
func (p *Product) Close() error { return p.DB.Close() }

// Simulator makes what happens in demo portfolios.
func (p *Product) Simulator() *simulate.Simulator {
	return &simulate.Simulator{
		Store:      portfoliostore.New(p.DB),
		Portfolio:  p.Portfolio,
		Agreements: p.Agreements,
		Signings:   p.Signings,
		Tenants:    p.TenantPortal,
		Mail:       p.Mail,
		Payments:   p.Payments,
		Trail:      audit.Log{Store: servicestore.NewTrail(p.DB), Now: time.Now},
		Clocks:     p.Clocks,
	}
}
