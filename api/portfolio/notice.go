package portfolio

import (
	"slices"
	"strings"
	"time"

	"portal/api/access"
)

// Notice is a kind of email to the members of an account that they may do without.
type Notice string

// The notices.
const (
	ApplicationNotice Notice = "applications" // somebody has applied for a unit
	TicketNotice      Notice = "tickets"      // a tenant has submitted a ticket or written about one
	EndpointNotice    Notice = "endpoints"    // a webhook endpoint was disabled as nothing but failures came of it
)

// Notices are all of them.
func Notices() []Notice { return []Notice{ApplicationNotice, TicketNotice, EndpointNotice} }

// Landlord is how an account is known to applicants, and where it reads its mail.
type Landlord struct {
	AccountID string
	Name      string
	Zone      *time.Location
	Readers   []Reader // the members
}

// Reader is a member of an account with the notices that they want.
type Reader struct {
	Email  string
	Role   access.Role
	Chosen *string // notices with commas between them, nil before they chose
}

// Wants reports whether a notice goes to the reader. Who has not chosen gets all as an
// owner and none as a manager.
func (r Reader) Wants(n Notice) bool {
	if r.Chosen == nil {
		return r.Role == access.Owner
	}
	return slices.Contains(strings.Split(*r.Chosen, ","), string(n))
}

// Signs is the email address at which the landlord signs leases: that of the first owner, "" for none.
func (l *Landlord) Signs() string {
	for _, r := range l.Readers {
		if r.Role == access.Owner {
			return r.Email
		}
	}
	return ""
}

// Recipients are the addresses that a notice goes to.
func (l *Landlord) Recipients(n Notice) []string {
	var all []string
	for _, r := range l.Readers {
		if r.Wants(n) {
			all = append(all, r.Email)
		}
	}
	return all
}
