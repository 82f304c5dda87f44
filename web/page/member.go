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

// Owns reports whether the reader is an owner of the account that they look at.
func (v *Request) Owns() bool {
	return v.Person.Account != nil && v.Person.Account.Role == access.Owner
}
