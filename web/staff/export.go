package staff

import (
	"context"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/job"
	"portal/api/list"
	"portal/api/portfolio/property/verification"
	"portal/web/csvexport"
	"portal/web/page"
)

// ownTrail records what a person of the staff did in no account's trail: that of an account which they belong
// to as well says nothing of other people's.
type ownTrail struct{ csvexport.Trail }

// RecordDone records it in the trail of the person alone.
func (t ownTrail) RecordDone(
	ctx context.Context, _ access.Actor, action, target string, details map[string]string,
) error {
	return t.Trail.RecordDone(ctx, access.Actor{}, action, target, details)
}

// exportRequests answers with the requests for access that the address asks for as a file. The notes of the staff are
// not among its columns.
func (p *Section) exportRequests(v *page.Request) error {
	f := caseFilter(v)
	return csvexport.Serve(v, ownTrail{p.Trail}, csvexport.Table[developer.Case]{
		Name: "access_requests",
		Page: func(q list.Query) (*list.Page[developer.Case], error) {
			f.Limit, f.After = q.Limit, q.StartingAfter
			return p.Developer.Reviews.Cases(v.Ctx(), f)
		},
		Cells: func(c *developer.Case) csvexport.Cells {
			return csvexport.Cells{
				"Request ID", c.ID, "Account", c.Account, "Account ID", c.AccountID, "Applicant", c.Applicant,
				"Use case", c.UseCase, "Status", c.Status, "Sent (UTC)", c.SubmittedAt,
				"Decided (UTC)", c.ReviewedAt,
			}
		},
	})
}

// exportAccounts answers with the members of accounts that the address asks for as a file.
func (p *Section) exportAccounts(v *page.Request) error {
	f := memberFilter(v)
	return csvexport.Serve(v, ownTrail{p.Trail}, csvexport.Table[developer.AccountMember]{
		Name: "accounts",
		Page: func(q list.Query) (*list.Page[developer.AccountMember], error) {
			f.Limit, f.After = q.Limit, q.StartingAfter
			return p.Developer.FindMembers(v.Ctx(), f)
		},
		Row: func(ctx context.Context, _ access.Actor, id string) (*developer.AccountMember, error) {
			account, user, _ := strings.Cut(id, ".")
			h, err := p.Developer.AccountDetails(ctx, account)
			if err != nil {
				return nil, err
			}
			return h.Member(user)
		},
		Cells: func(m *developer.AccountMember) csvexport.Cells {
			return csvexport.Cells{
				"Person", m.Email, "Role", m.Role, "Account", m.Account, "Account ID", m.AccountID,
				"Plan", m.Plan,
			}
		},
	})
}

// exportVerifications answers with the properties to verify that the address asks for as a file.
func (p *Section) exportVerifications(v *page.Request) error {
	f := verificationFilter(v)
	return csvexport.Serve(v, ownTrail{p.Trail}, csvexport.Table[verification.Case]{
		Name: "verifications",
		Page: func(q list.Query) (*list.Page[verification.Case], error) {
			f.Limit, f.After = q.Limit, q.StartingAfter
			return p.Verifications.Verifications(v.Ctx(), f)
		},
		Cells: func(c *verification.Case) csvexport.Cells {
			return csvexport.Cells{
				"Verification ID", c.ID, "Street address", c.Property.StreetAddress,
				"Address line 2", c.Property.StreetAddress2, "City", c.Property.City, "State", c.Property.State,
				"ZIP code", c.Property.PostalCode, "Property ID", c.PropertyID, "Account", c.Account,
				"Account ID", c.AccountID, "Proof", c.Note, "Status", c.Status, "Requested (UTC)", c.AskedAt,
				"Decided (UTC)", c.DecidedAt,
			}
		},
	})
}

// exportJobs answers with the jobs that the address asks for as a file, without their arguments.
func (p *Section) exportJobs(v *page.Request) error {
	f := jobFilter(v)
	return csvexport.Serve(v, ownTrail{p.Trail}, csvexport.Table[job.Job]{
		Name: "jobs",
		Page: func(q list.Query) (*list.Page[job.Job], error) {
			f.Limit = q.Limit + 1
			f.Before, _ = strconv.ParseInt(q.StartingAfter, 10, 64) // "" is the first page
			found, err := p.Jobs.Jobs(v.Ctx(), f)
			return list.Of(found, q.Limit, (*job.Job).Identity), err
		},
		Cells: func(j *job.Job) csvexport.Cells {
			lastError := ""
			if len(j.Errors) > 0 {
				lastError = j.Errors[0].Error
			}
			return csvexport.Cells{
				"Job ID", j.Identity(), "Kind", j.Kind, "Status", j.State, "Last error", lastError,
				"Attempts", j.Attempt, "Most attempts", j.MaxAttempts, "Due (UTC)", j.ScheduledAt,
				"Created (UTC)", j.CreatedAt,
			}
		},
	})
}
