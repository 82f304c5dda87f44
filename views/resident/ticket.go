package resident

import "portal/views/kit"

// Advice is what to do before anything else.
type Advice struct {
	Title    string
	Words    []string
	Landlord string
	Call     string // number of the landlord as people write it, "" where none is known
	Dial     string // the number as a phone dials it
}

// ReportForm is where a tenant reports something to be repaired.
type ReportForm struct {
	Tenant
	Action  string
	Title   string
	Form    kit.Form // what is typed
	Once    string   // names the form: sent twice it is one ticket
	Advice  *Advice  // of an emergency that was typed and is not sent yet, nil for none
	Seen    string   // of which dangers the reader has seen the advice
	Kept    []KeptPhoto
	Refused []string // what is wrong with photos, a sentence each
	Closed  string   // why nothing can be reported, "" where it can
	Note    string   // what always stands below
}

// KeptPhoto is a photo that was sent with a form that was not taken yet.
type KeptPhoto struct{ ID, Name string }

// TicketLine is a ticket in a list.
type TicketLine struct {
	Path   string
	Title  string
	About  string
	Status kit.Status
}

// TenantTickets is the tickets of a tenant, with the form that reports another one.
type TenantTickets struct {
	Tenant
	Lines  []TicketLine
	Report ReportForm
}

// TenantTicket is a ticket as its tenant follows it.
type TenantTicket struct {
	Tenant
	Advice      *Advice
	Sent        bool // a moment ago
	Number      string
	Name        string
	Status      kit.Status
	Steps       []SignStep
	Visit       string // when somebody comes, "" for nobody yet
	VisitBy     string
	Description string
	Photos      []ShownPhoto
	Events      []TicketEvent // the newest first
	Add         ReportForm    // words and photos
	Cancel      string        // where the form that cancels it is posted, "" where it cannot be
}

// ShownPhoto is a photo with its thumbnail.
type ShownPhoto struct{ Path, Thumbnail, Alt string }

// TicketEvent is something that happened to a ticket.
type TicketEvent struct {
	Icon  string
	Tone  string
	Title string
	When  kit.Time
	Words string // of a comment
}
