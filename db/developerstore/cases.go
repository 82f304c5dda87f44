package developerstore

import (
	"context"
	"fmt"
	"strings"

	"portal/api/developer"
	"portal/api/list"
	"portal/db"
	"portal/db/rows"
)

var cases = `SELECT ` + accessRequestTable.Of("r") + `, a.name, u.email, COALESCE(v.email, '')
	FROM access_requests r
	JOIN accounts a ON a.id = r.account_id
	JOIN users u ON u.id = r.user_id
	LEFT JOIN users v ON v.id = r.reviewed_by
	WHERE `

func (s *Store) cases(ctx context.Context, which string, args ...any) ([]developer.Case, error) {
	all := []developer.Case{}
	err := s.db.Each(ctx, cases+which, args, func(scan db.Scan) error {
		all = append(all, developer.Case{})
		c := &all[len(all)-1]
		return scan(append(accessRequestTable.Targets(&c.AccessRequest), &c.Account, &c.Applicant, &c.Reviewer)...)
	})
	return all, err
}

// Cases lists requests with what their reviewers know of them.
func (s *Store) Cases(ctx context.Context, f developer.CaseFilter) ([]developer.Case, error) {
	which, order := "r.id < $1", "DESC"
	switch {
	case f.OldestFirst:
		which, order = "r.id > $1", "ASC"
	case f.After == "":
		f.After = "areq_~"
	}
	args := []any{f.After, int64(f.Limit)}
	if f.Status != "" {
		which += " AND r.status = $3"
		args = append(args, string(f.Status))
	}
	return s.cases(ctx, fmt.Sprintf("%s ORDER BY r.id %s LIMIT $2", which, order), args...)
}

// CaseCounts counts the requests of each status, one more than list.Most at most, with one query.
func (s *Store) CaseCounts(ctx context.Context) (list.Counts[developer.RequestStatus], error) {
	var each []string
	for _, status := range []developer.RequestStatus{
		developer.Pending, developer.Approved, developer.Denied, developer.Withdrawn, developer.Revoked,
	} {
		each = append(each, `SELECT `+rows.Literal(status)+` AS value, (SELECT count(*)
			FROM (SELECT 1 AS one FROM access_requests WHERE `+rows.Is("status", status)+` LIMIT $1) n)`)
	}
	found, counts := map[string]int{}, list.Counts[developer.RequestStatus]{}
	err := s.db.Each(ctx, strings.Join(each, " UNION ALL "), []any{int64(list.Most + 1)}, rows.Numbers(found))
	for status, n := range found {
		counts[developer.RequestStatus(status)] = list.CountOf(n)
	}
	return counts, err
}

// Case finds a request by its id.
func (s *Store) Case(ctx context.Context, id string) (developer.Case, bool, error) {
	all, err := s.cases(ctx, "r.id = $1", id)
	if err != nil || len(all) == 0 {
		return developer.Case{}, false, err
	}
	return all[0], true, nil
}
