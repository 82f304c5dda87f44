package page

import (
	"portal/api/access"
	"portal/api/developer"
)

// Member is the reader as one who acts for their account.
func (v *Request) Member() developer.Member {
	a := v.Person.Account
	return developer.Member{UserID: v.Person.UserID, AccountID: a.AccountID, Role: a.Role}
}

// Approved reports whether the reader's account may have keys.
func (v *Request) Approved(in *developer.Service) (bool, error) {
	all, err := in.AccessRequestsOf(v.Ctx(), v.Member())
	return err == nil && len(all) > 0 && all[0].Status == developer.Approved, err
}

// Owns reports whether the reader is an owner of the account that they look at.
func (v *Request) Owns() bool {
	return v.Person.Account != nil && v.Person.Account.Role == access.Owner
}
