package web

import (
	"portal/api/access"
	"portal/api/developer"
)

// member is the reader as one who acts for their account.
func (v *visit) member() developer.Member {
	a := v.person.Account
	return developer.Member{UserID: v.person.UserID, AccountID: a.AccountID, Role: a.Role}
}

// owns tells whether the reader is an owner of the account that they look at.
func (v *visit) owns() bool {
	return v.person.Account != nil && v.person.Account.Role == access.Owner
}
