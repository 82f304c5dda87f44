package developerstore

import (
	"context"

	"portal/api/developer"
	"portal/db"
)

var cases = `SELECT ` + accessRequestTable.Of("r") + `, a.name, u.email, COALESCE(v.email, '')
	FROM access_requests r
	JOIN accounts a ON a.id = r.account_id
	JOIN users u ON u.id = r.user_id
	LEFT JOIN users v ON v.id = r.reviewed_by
	WHERE `

func (s AccessRequests) cases(ctx context.Context, which string, args ...any) ([]developer.Case, error) {
	all := []developer.Case{}
	err := s.db.Each(ctx, cases+which, args, func(scan db.Scan) error {
		all = append(all, developer.Case{})
		c := &all[len(all)-1]
		return scan(append(accessRequestTable.Targets(&c.AccessRequest), &c.Account, &c.Applicant, &c.Reviewer)...)
	})
	return all, err
}

// Cases lists requests with what their reviewers know of them: those that wait the
// oldest first, all others the newest first.
func (s AccessRequests) Cases(ctx context.Context, f developer.CaseFilter) ([]developer.Case, error) {
	switch {
	case f.Status == developer.Pending:
		return s.cases(
			ctx,
			"r.status = $1 AND r.id > $2 ORDER BY r.id LIMIT $3 + 0",
			string(f.Status),
			f.After,
			int64(f.Limit),
		)
	case f.After == "":
		f.After = "areq_~"
	}
	if f.Status == "" {
		return s.cases(ctx, "r.id < $1 ORDER BY r.id DESC LIMIT $2 + 0", f.After, int64(f.Limit))
	}
	return s.cases(
		ctx,
		"r.status = $1 AND r.id < $2 ORDER BY r.id DESC LIMIT $3 + 0",
		string(f.Status),
		f.After,
		int64(f.Limit),
	)
}

// Case finds a request by its id.
func (s AccessRequests) Case(ctx context.Context, id string) (developer.Case, bool, error) {
	all, err := s.cases(ctx, "r.id = $1", id)
	if err != nil || len(all) == 0 {
		return developer.Case{}, false, err
	}
	return all[0], true, nil
}
