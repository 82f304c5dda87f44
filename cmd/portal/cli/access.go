package cli

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"text/tabwriter"

	"portal/api/developer"
)

// AccessRequest is the sub-command "access request" of portal.
var AccessRequest = Command{
	Name:  "access request",
	Args:  "EMAIL --use-case TEXT",
	Short: "Apply for API access for a landlord's account",
	Bind: func(f *flag.FlagSet) Action {
		c := developer.AccessRequestCreate{}
		f.StringVar(&c.UseCase, "use-case", "", "what you want to build, 20 to 2,000 characters")
		f.StringVar(&c.ContactEmail, "contact-email", "", "email address for questions (default: EMAIL)")
		company, kind, site := f.String("company", "", "company name"), f.String(
			"integration-type",
			"",
			"kind of integration",
		), f.String("website", "", "website URL")
		calls := number(f, "expected-monthly-calls", "requests expected per month")
		f.BoolVar(&c.AgreedToTerms, "agree-to-terms", true, "agree to the terms")
		in, asJSON := accountFlag(f), f.Bool("json", false, "print JSON")
		return func(ctx context.Context, a *App, args []string) error {
			c.CompanyName, c.IntegrationType = optionalText(*company), optionalText(*kind)
			c.WebsiteURL, c.ExpectedMonthlyCalls = optionalText(*site), calls.value
			c.ContactEmail = cmp.Or(c.ContactEmail, args[0])
			return a.within(ctx, args[0], *in, func(p *Product, by developer.Member, _ developer.Account) error {
				r, err := p.Developer.Apply(ctx, by, c)
				return a.printRequest(*asJSON, r, err)
			})
		}
	},
}

func (a *App) printRequest(asJSON bool, r developer.AccessRequest, err error) error {
	if err != nil {
		return err
	}
	return a.Print(asJSON, r, "The access request %s of %s is %s.", r.ID, r.ContactEmail, r.Status)
}

// AccessList is the sub-command "access list" of portal.
var AccessList = Command{
	Name: "access list", Short: "List requests for API access",
	Bind: func(f *flag.FlagSet) Action {
		asJSON := f.Bool("json", false, "print JSON")
		return func(ctx context.Context, a *App, _ []string) error {
			return a.with(ctx, func(p *Product) error {
				all, err := p.Developer.AccessRequests(ctx)
				if err != nil {
					return err
				}
				if *asJSON {
					return a.Print(true, all, "")
				}
				w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
				fmt.Fprintln(w, "ID\tSTATUS\tSUBMITTED\tCONTACT\tUSE CASE")
				for _, r := range all {
					fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", r.ID, r.Status, r.SubmittedAt, r.ContactEmail, r.UseCase)
				}
				return w.Flush()
			})
		}
	},
}

// reviewing makes a command that decides about a landlord's request.
func reviewing(
	name, short, flagName, flagUsage string, needed bool, verdict func(words string) developer.Verdict,
) Command {
	return Command{
		Name:  name,
		Args:  "EMAIL",
		Short: short,
		Bind: func(f *flag.FlagSet) Action {
			words := f.String(flagName, "", flagUsage)
			in, asJSON := accountFlag(f), f.Bool("json", false, "print JSON")
			return func(ctx context.Context, a *App, args []string) error {
				if needed && *words == "" {
					return Misuse("--" + flagName + " is required: the applicant reads it")
				}
				return a.within(ctx, args[0], *in, func(p *Product, by developer.Member, _ developer.Account) error {
					r, err := p.Developer.Reviews.ReviewOf(ctx, args[0], by.AccountID, verdict(*words))
					return a.printRequest(*asJSON, r, err)
				})
			}
		},
	}
}

var (
	// AccessApprove is the sub-command "access approve" of portal.
	AccessApprove = reviewing(
		"access approve",
		"Approve a landlord's API access, with or without a request",
		"notes",
		"notes for staff",
		false,
		func(notes string) developer.Verdict {
			return developer.Verdict{Status: developer.Approved, Notes: optionalText(notes)}
		},
	)
	// AccessDeny is the sub-command "access deny" of portal.
	AccessDeny = reviewing(
		"access deny",
		"Deny a landlord's pending request",
		"reason",
		"the reason, shown to the applicant",
		true,
		func(reason string) developer.Verdict {
			return developer.Verdict{Status: developer.Denied, Reason: reason}
		},
	)
	// AccessRevoke is the sub-command "access revoke" of portal.
	AccessRevoke = reviewing(
		"access revoke",
		"Revoke a landlord's API access and all their keys, permanently",
		"notes",
		"notes for staff",
		false,
		func(notes string) developer.Verdict {
			return developer.Verdict{Status: developer.Revoked, Notes: optionalText(notes)}
		},
	)
)
