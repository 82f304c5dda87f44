package web

import (
	"context"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/developer"
)

// member is the reader as one who acts for their account.
func (v *visit) member() developer.Member {
	a := v.person.Account
	return developer.Member{UserID: v.person.ID, AccountID: a.ID, Role: a.Role}
}

// owns tells whether the reader is an owner of the account that they look at.
func (v *visit) owns() bool {
	return v.person.Account != nil && v.person.Account.Role == access.Owner
}

// noted is the context of what this visit changes: the trail knows who did it.
func (v *visit) noted() context.Context {
	by := audit.By{UserID: v.person.ID, RequestID: v.id}
	if a := v.from().Address; a.IsValid() {
		by.Address = a.String()
	}
	return audit.With(v.ctx(), by)
}
