package account

import (
	"context"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/fault"
)

// How many forms are kept within an hour whose sessions have ended: of one user, and of all who send
// them from one address.
const (
	typedForms        = 30
	addressTypedForms = 120
)

// AdmitTyped counts a form that a user was shown in an account ("" for none), and reports whether what
// was typed into it may be kept: the user is still there and in that account, which is open, and not
// too many forms were kept within an hour.
func (s *Sessions) AdmitTyped(ctx context.Context, userID, accountID string, from Client) (bool, error) {
	if there, err := s.isIn(ctx, userID, accountID); err != nil || !there {
		return false, err
	}
	err := s.take(ctx, budget{"typed " + userID, typedForms, time.Hour},
		budget{"typed at " + access.ClientOf(from.Address), addressTypedForms, time.Hour})
	if fault.Is(err, fault.RateLimited) {
		return false, nil
	}
	return err == nil, err
}

// isIn reports whether a user is there and a member of an open account, or of none that is named.
func (s *Sessions) isIn(ctx context.Context, userID, accountID string) (bool, error) {
	if accountID == "" {
		_, err := s.person(ctx, userID)
		if fault.Is(err, fault.NoRecord) {
			return false, nil
		}
		return err == nil, err
	}
	all, err := s.Store.Memberships(ctx, userID)
	return slices.ContainsFunc(all, func(m Membership) bool { return m.AccountID == accountID }), err
}
