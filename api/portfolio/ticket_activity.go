package portfolio

import "portal/api/clock"

// TicketReader is who follows a ticket of a tenant.
type TicketReader string

// Who follows a ticket.
const (
	ReadByTenant   TicketReader = "tenant"
	ReadByLandlord TicketReader = "landlord"
)

// TicketActivity is something that happened to a ticket of a tenant, as both follow it.
type TicketActivity struct {
	ID        string
	CreatedAt clock.Time
	TicketID  string
	Kind      ActivityKind
	ByTenant  bool
	Author    string       // name of who wrote a comment, "" of other kinds
	Words     string       // of a comment; how many photos were added
	Status    TicketStatus // that the ticket came to, "" of other kinds
	Start     *clock.Time  // of a visit; nil where none is planned any more
	End       *clock.Time
}

// ActivityKind is what has happened to a ticket.
type ActivityKind string

// What happens to a ticket.
const (
	ActivityComment ActivityKind = "comment"
	ActivityPhotos  ActivityKind = "photos"
	ActivityStatus  ActivityKind = "status"
	ActivityVisit   ActivityKind = "visit"
)

// Reader is who has yet to learn of it: the one who did not do it.
func (a *TicketActivity) Reader() TicketReader {
	if a.ByTenant {
		return ReadByLandlord
	}
	return ReadByTenant
}
