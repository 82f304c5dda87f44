package web

import (
	"context"

	"portal/api/audit"
)

// doing is the context in which the reader does something: the trail says who it was.
func (v *visit) doing() context.Context {
	by := audit.By{RequestID: v.id, Address: v.RealIP()}
	if v.person != nil {
		by.UserID = v.person.ID
	}
	return audit.With(v.ctx(), by)
}

// served tells whether there is a page at an address.
func (p *Pages) served(path string) bool {
	for _, r := range p.table {
		if r.path == path {
			return true
		}
	}
	return false
}
