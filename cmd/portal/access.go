package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"text/tabwriter"

	"portal/api/developer"
)

var accessRequestCommand = command{
	name:  "access request",
	args:  "EMAIL --use-case TEXT",
	short: "Apply for API access for a landlord's account",
	bind: func(f *flag.FlagSet) action {
		c := developer.AccessRequestCreate{}
		f.StringVar(&c.UseCase, "use-case", "", "what will be built, 20 to 2,000 characters")
		f.StringVar(&c.ContactEmail, "contact-email", "", "whom to write to (default: EMAIL)")
		company, kind, site := f.String("company", "", "name of the company"), f.String(
			"integration-type",
			"",
			"kind of integration",
		), f.String("website", "", "address of a website")
		calls := number(f, "expected-monthly-calls", "how many requests a month are expected")
		f.BoolVar(&c.AgreedToTerms, "agree-to-terms", true, "agree to the terms")
		in, asJSON := accountFlag(f), f.Bool("json", false, "answer in JSON")
		return func(ctx context.Context, a *app, args []string) error {
			c.CompanyName, c.IntegrationType = text(*company), text(*kind)
			c.WebsiteURL, c.ExpectedMonthlyCalls = text(*site), calls.value
			c.ContactEmail = cmp.Or(c.ContactEmail, args[0])
			return a.within(ctx, args[0], *in, func(p *product, by developer.Member, _ developer.Account) error {
				r, err := p.developer.Apply(ctx, by, c)
				return a.printRequest(*asJSON, r, err)
			})
		}
	},
}

func (a *app) printRequest(asJSON bool, r developer.AccessRequest, err error) error {
	if err != nil {
		return err
	}
	return a.print(asJSON, r, "Access request %s of %s is %s.", r.ID, r.ContactEmail, r.Status)
}

var accessListCommand = command{
	name: "access list", short: "List the requests for API access",
	bind: func(f *flag.FlagSet) action {
		asJSON := f.Bool("json", false, "answer in JSON")
		return func(ctx context.Context, a *app, _ []string) error {
			return a.with(ctx, func(p *product) error {
				all, err := p.developer.AccessRequests(ctx)
				if err != nil {
					return err
				}
				if *asJSON {
					return a.print(true, all, "")
				}
				w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
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
) command {
	return command{
		name:  name,
		args:  "EMAIL",
		short: short,
		bind: func(f *flag.FlagSet) action {
			words := f.String(flagName, "", flagUsage)
			in, asJSON := accountFlag(f), f.Bool("json", false, "answer in JSON")
			return func(ctx context.Context, a *app, args []string) error {
				if needed && *words == "" {
					return misuse("--" + flagName + " is needed: the applicant reads it")
				}
				return a.within(ctx, args[0], *in, func(p *product, by developer.Member, _ developer.Account) error {
					r, err := p.developer.Reviews.ReviewOf(ctx, args[0], by.AccountID, verdict(*words))
					return a.printRequest(*asJSON, r, err)
				})
			}
		},
	}
}

var (
	accessApproveCommand = reviewing(
		"access approve",
		"Approve a landlord's access; an account without a request gets one",
		"notes",
		"notes for the staff",
		false,
		func(notes string) developer.Verdict {
			return developer.Verdict{Status: developer.Approved, Notes: text(notes)}
		},
	)
	accessDenyCommand = reviewing(
		"access deny",
		"Deny a landlord's pending request",
		"reason",
		"why, for the applicant",
		true,
		func(reason string) developer.Verdict {
			return developer.Verdict{Status: developer.Denied, Reason: reason}
		},
	)
	accessRevokeCommand = reviewing(
		"access revoke",
		"Take a landlord's access back; all keys stop for good",
		"notes",
		"notes for the staff",
		false,
		func(notes string) developer.Verdict {
			return developer.Verdict{Status: developer.Revoked, Notes: text(notes)}
		},
	)
)
