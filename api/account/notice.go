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
	chosen, err := s.Store.Notices(ctx, v.Account.AccountID, v.UserID)
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
		return fault.New(fault.InvalidField, "Choose from the listed emails.").At("notices")
	}
	return s.Store.SetNotices(ctx, v.Account.AccountID, v.UserID, strings.Join(all, ","))
}

// LeaseRecordMail reports whether the visitor, an owner, gets the day's lease records by email.
func (s *Members) LeaseRecordMail(ctx context.Context, v *Visitor) (bool, error) {
	if err := v.owner(); err != nil {
		return false, err
	}
	return s.Store.LeaseRecordMail(ctx, v.Account.AccountID, v.UserID)
}

// ChooseLeaseRecordMail lets the visitor, an owner, get the day's lease records by email, or not.
func (s *Members) ChooseLeaseRecordMail(ctx context.Context, v *Visitor, wanted bool) error {
	if err := v.owner(); err != nil {
		return err
	}
	return s.Store.SetLeaseRecordMail(ctx, v.Account.AccountID, v.UserID, wanted)
}
