package page

import (
	"context"

	"portal/api/developer"
)

// AccessRequests are the requests of an account for access to the API.
type AccessRequests interface {
	// AccessRequestsOf come the newest first.
	AccessRequestsOf(ctx context.Context, by developer.Member) ([]developer.AccessRequest, error)
}

// Approved reports whether the reader's account may have keys.
func (v *Request) Approved(in AccessRequests) (bool, error) {
	all, err := in.AccessRequestsOf(v.Ctx(), v.Member())
	return err == nil && len(all) > 0 && all[0].Status == developer.Approved, err
}
