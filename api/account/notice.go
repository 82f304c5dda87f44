package account

import (
	"context"
	"slices"
	"strings"

	"portal/api/fault"
	"portal/api/portfolio"
)

// Notices are those that the visitor gets of their account.
func (s *Members) Notices(ctx context.Context, v *Visitor) ([]portfolio.Notice, error) {
	if err := v.member(); err != nil {
		return nil, err
	}
	chosen, err := s.store.Notices(ctx, v.Account.AccountID, v.UserID)
	if err != nil {
		return nil, err
	}
	r := portfolio.Reader{Role: v.Account.Role, Chosen: chosen}
	return slices.DeleteFunc(portfolio.Notices(), func(n portfolio.Notice) bool { return !r.Wants(n) }), nil
}

// ChooseNotices lets the visitor get these notices of their account, and no others.
func (s *Members) ChooseNotices(ctx context.Context, v *Visitor, wanted []string) error {
	if err := v.member(); err != nil {
		return err
	}
	var all []string
	for _, n := range portfolio.Notices() {
		if slices.Contains(wanted, string(n)) {
			all = append(all, string(n))
		}
	}
	if len(all) != len(wanted) {
		return fault.New(fault.InvalidField, "Choose from the emails there are.").At("notices")
	}
	return s.store.SetNotices(ctx, v.Account.AccountID, v.UserID, strings.Join(all, ","))
}
