package cli

import (
	"cmp"
	"context"

	"portal/api/developer"
)

// AccessRequest applies for API access in a landlord's name.
func AccessRequest(f *Flags) Action {
	var r developer.AccessRequestCreate
	f.StringVar(&r.UseCase, "use-case", "", "what you want to build, 20 to 2,000 characters")
	f.StringVar(&r.ContactEmail, "contact-email", "", "email address for questions (default: EMAIL)")
	f.optional(&r.CompanyName, "company", "company name")
	f.optional(&r.IntegrationType, "integration-type", "kind of integration")
	f.optional(&r.WebsiteURL, "website", "website URL")
	f.number(&r.ExpectedMonthlyCalls, "expected-monthly-calls", "requests expected per month")
	f.BoolVar(&r.AgreedToTerms, "agree-to-terms", true, "agree to the terms")
	return f.inAccount(func(ctx context.Context, c *Call) error {
		r.ContactEmail = cmp.Or(r.ContactEmail, c.Args[0])
		made, err := c.Developer.Apply(ctx, c.by, r)
		return c.printRequest(made, err)
	})
}

func (c *Call) printRequest(r developer.AccessRequest, err error) error {
	return c.Result(r, err, "The access request %s of %s is %s.", r.ID, r.ContactEmail, r.Status)
}

// AccessList lists requests for API access.
func AccessList(*Flags) Action {
	return Opening(func(ctx context.Context, c *Call) error {
		all, err := c.Developer.AccessRequests(ctx)
		return printList(c, all, err, 0, "ID\tSTATUS\tSUBMITTED\tCONTACT\tUSE CASE",
			func(r *developer.AccessRequest) []any {
				return []any{r.ID, r.Status, r.SubmittedAt, r.ContactEmail, r.UseCase}
			})
	})
}

// AccessApprove approves a landlord's API access.
func AccessApprove(f *Flags) Action { return f.noted(developer.Approved) }

// AccessRevoke revokes a landlord's API access.
func AccessRevoke(f *Flags) Action { return f.noted(developer.Revoked) }

// noted decides about a landlord's request, with notes for staff.
func (f *Flags) noted(status developer.RequestStatus) Action {
	v := developer.Verdict{Status: status}
	f.optional(&v.Notes, "notes", "notes for staff")
	return f.reviewed(&v)
}

// AccessDeny denies a landlord's request.
func AccessDeny(f *Flags) Action {
	v := developer.Verdict{Status: developer.Denied}
	f.StringVar(&v.Reason, "reason", "", "the reason, shown to the applicant")
	f.Check(func(*Call) error {
		if v.Reason == "" {
			return Misuse("--reason is required: the applicant reads it")
		}
		return nil
	})
	return f.reviewed(&v)
}

// reviewed decides about a landlord's request.
func (f *Flags) reviewed(v *developer.Verdict) Action {
	return f.inAccount(func(ctx context.Context, c *Call) error {
		r, err := c.Developer.Reviews.ReviewOf(ctx, c.Args[0], c.by.AccountID, *v)
		return c.printRequest(r, err)
	})
}
