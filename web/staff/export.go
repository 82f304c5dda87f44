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

// exportRequests answers with the requests for access that the address asks for as a file.
func (p *Section) exportRequests(v *page.Request) error {
	f := caseFilter(v)
	return csvexport.Serve(v, ownTrail{p.Trail}, csvexport.Table[developer.Case]{
		Name: "access_requests",
		Page: func(q list.Query) (*list.Page[developer.Case], error) {
			f.Limit, f.After = q.Limit, q.StartingAfter
			return p.Reviews.Cases(v.Ctx(), f)
		},
		// The place of a request in the queue is its id, so that none moves.
		Row: func(name string) (*developer.Case, error) {
			return &developer.Case{AccessRequest: developer.AccessRequest{ID: name}}, nil
		},
		Columns: func([]developer.Case) ([]csvexport.Column[developer.Case], error) { return requestColumns(), nil },
	})
}

// requestColumns are those of the queue. The notes of the staff are not among them.
func requestColumns() []csvexport.Column[developer.Case] {
	type row = developer.Case
	type value = csvexport.Value
	return []csvexport.Column[row]{
		{Name: "Request ID", Of: func(c *row) value { return csvexport.Text(c.ID) }},
		{Name: "Account", Of: func(c *row) value { return csvexport.Text(c.Account) }},
		{Name: "Account ID", Of: func(c *row) value { return csvexport.Text(c.AccountID) }},
		{Name: "Applicant", Of: func(c *row) value { return csvexport.Text(c.Applicant) }},
		{Name: "Use case", Of: func(c *row) value { return csvexport.Text(c.UseCase) }},
		{Name: "Status", Of: func(c *row) value { return csvexport.Text(c.Status) }},
		{Name: "Sent (UTC)", Of: func(c *row) value { return csvexport.Of(c.SubmittedAt) }},
		{Name: "Decided (UTC)", Of: func(c *row) value { return csvexport.Or(c.ReviewedAt) }},
	}
}

// exportAccounts answers with the members of accounts that the address asks for as a file.
func (p *Section) exportAccounts(v *page.Request) error {
	f := memberFilter(v)
	return csvexport.Serve(v, ownTrail{p.Trail}, csvexport.Table[developer.AccountMember]{
		Name: "accounts",
		Page: func(q list.Query) (*list.Page[developer.AccountMember], error) {
			f.Limit, f.After = q.Limit, q.StartingAfter
			return p.Accounts.FindMembers(v.Ctx(), f)
		},
		Row: func(name string) (*developer.AccountMember, error) {
			account, user, _ := strings.Cut(name, ".")
			h, err := p.Accounts.AccountDetails(v.Ctx(), account)
			if err != nil {
				return nil, err
			}
			return h.Member(user)
		},
		Columns: func([]developer.AccountMember) ([]csvexport.Column[developer.AccountMember], error) {
			return memberColumns(), nil
		},
	})
}

func memberColumns() []csvexport.Column[developer.AccountMember] {
	type row = developer.AccountMember
	type value = csvexport.Value
	return []csvexport.Column[row]{
		{Name: "Person", Of: func(m *row) value { return csvexport.Text(m.Email) }},
		{Name: "Role", Of: func(m *row) value { return csvexport.Text(m.Role) }},
		{Name: "Account", Of: func(m *row) value { return csvexport.Text(m.Account) }},
		{Name: "Account ID", Of: func(m *row) value { return csvexport.Text(m.AccountID) }},
		{Name: "Plan", Of: func(m *row) value { return csvexport.Text(m.Plan) }},
	}
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
		// The place of a verification in the list is its id, so that none moves.
		Row: func(name string) (*verification.Case, error) {
			return &verification.Case{Verification: verification.Verification{ID: name}}, nil
		},
		Columns: func([]verification.Case) ([]csvexport.Column[verification.Case], error) {
			return verificationColumns(), nil
		},
	})
}

func verificationColumns() []csvexport.Column[verification.Case] {
	type row = verification.Case
	type value = csvexport.Value
	return []csvexport.Column[row]{
		{Name: "Verification ID", Of: func(c *row) value { return csvexport.Text(c.ID) }},
		{Name: "Street address", Of: func(c *row) value { return csvexport.Text(c.Property.StreetAddress) }},
		{Name: "Address line 2", Of: func(c *row) value { return csvexport.TextOr(c.Property.StreetAddress2) }},
		{Name: "City", Of: func(c *row) value { return csvexport.Text(c.Property.City) }},
		{Name: "State", Of: func(c *row) value { return csvexport.Text(c.Property.State) }},
		{Name: "ZIP code", Of: func(c *row) value { return csvexport.TextOr(c.Property.PostalCode) }},
		{Name: "Property ID", Of: func(c *row) value { return csvexport.Text(c.PropertyID) }},
		{Name: "Account", Of: func(c *row) value { return csvexport.Text(c.Account) }},
		{Name: "Account ID", Of: func(c *row) value { return csvexport.Text(c.AccountID) }},
		{Name: "Proof", Of: func(c *row) value { return csvexport.Text(c.Note) }},
		{Name: "Status", Of: func(c *row) value { return csvexport.Text(c.Status) }},
		{Name: "Requested (UTC)", Of: func(c *row) value { return csvexport.Of(c.AskedAt) }},
		{Name: "Decided (UTC)", Of: func(c *row) value { return csvexport.Or(c.DecidedAt) }},
	}
}

// exportJobs answers with the jobs that the address asks for as a file.
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
		// The place of a job in the list is its id, so that none moves.
		Row: func(name string) (*job.Job, error) {
			id, err := strconv.ParseInt(name, 10, 64)
			return &job.Job{ID: id}, err
		},
		Columns: func([]job.Job) ([]csvexport.Column[job.Job], error) { return jobColumns(), nil },
	})
}

// jobColumns are those of jobs, without their arguments.
func jobColumns() []csvexport.Column[job.Job] {
	type row = job.Job
	type value = csvexport.Value
	return []csvexport.Column[row]{
		{Name: "Job ID", Of: func(j *row) value { return csvexport.Text(j.Identity()) }},
		{Name: "Kind", Of: func(j *row) value { return csvexport.Text(j.Kind) }},
		{Name: "Status", Of: func(j *row) value { return csvexport.Text(j.State) }},
		{Name: "Last error", Of: func(j *row) value {
			if len(j.Errors) == 0 {
				return value{}
			}
			return csvexport.Text(j.Errors[0].Error)
		}},
		{Name: "Attempts", Of: func(j *row) value { return csvexport.Number(j.Attempt) }},
		{Name: "Most attempts", Of: func(j *row) value { return csvexport.Number(j.MaxAttempts) }},
		{Name: "Due (UTC)", Of: func(j *row) value { return csvexport.Of(j.ScheduledAt) }},
		{Name: "Created (UTC)", Of: func(j *row) value { return csvexport.Of(j.CreatedAt) }},
	}
}
