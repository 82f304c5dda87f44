package developer

import (
	"context"
	"slices"

	"portal/api/access"
	"portal/api/fault"
)

// Member is somebody who acts for an account, with the role that they have there.
type Member struct {
	UserID    string
	AccountID string
	Role      access.Role
}

// locked does something in the name of an owner, in a transaction in which no other one
// changes the account's members, request or keys.
func (s *Service) locked(ctx context.Context, by Member, do func(ctx context.Context) error) error {
	if by.Role != access.Owner {
		return fault.New(fault.OwnerRequired, "Only an owner of the account can do this.")
	}
	return s.lockedAccount(ctx, by.AccountID, do)
}

// lockedOwner is locked for somebody who is an owner at this moment: their part in the account may
// have ended since the request began.
func (s *Service) lockedOwner(ctx context.Context, by Member, do func(ctx context.Context) error) error {
	return s.locked(ctx, by, func(ctx context.Context) error {
		all, err := s.store.HoldersOf(ctx, by.AccountID)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(all, func(h AccountMember) bool {
			return h.UserID == by.UserID &&
				h.Role == access.Owner
		}) {
			return fault.New(fault.OwnerRequired, "Only an owner of the account can do this.")
		}
		return do(ctx)
	})
}

func (s *Service) lockedAccount(ctx context.Context, accountID string, do func(ctx context.Context) error) error {
	return s.store.Atomically(ctx, func(ctx context.Context) error {
		if err := s.store.LockAccount(ctx, accountID); err != nil {
			return err
		}
		return do(ctx)
	})
}
