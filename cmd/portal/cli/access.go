package cli

import (
	"cmp"
	"context"

	"portal/api/access"
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
