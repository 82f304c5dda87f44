package views

// Tickets are the tickets of a portfolio.
type Tickets struct {
	Frame
	Of      string // whose they are, "" for all
	New     string // address of the form that opens one
	Filters Filters
	Tickets []TicketLine
	Pages   Pages
}

// TicketLine is a ticket in a list.
type TicketLine struct {
	Path     string
	Number   string
	Title    string
	Status   Status
	Priority Status
	Category string
	Place    string
	Age      string
}

// Ticket is the page of one.
type Ticket struct {
	Record
	Description string
	By          string // who wrote it
	Status      Status
	Priority    Status
	Category    string
	Triage      []Term // none where nobody has looked at it
	History     []Moment
	Move        string   // address that changes the status
	Next        []Choice // what may follow
	Version     string
}

// PlaceSearch is the step that asks where the work is.
type PlaceSearch struct {
	Frame
	Heading Heading
	Filters Filters
	Asked   bool // something was searched for
	Hits    []PlaceHit
	Full    bool // there may be more hits
}

// PlaceHit is a property that fits.
type PlaceHit struct {
	Path    string
	Address string
	City    string
	Name    string // "" for none
	Units   string
}

func ticketTable(t Tickets) Table {
	table := Table{Caption: "Tickets", Columns: []Column{{Name: "Ticket"}, {Name: "Status"}, {Name: "Priority"}, {Name: "Category"}, {Name: "Place"}, {Name: "Age", Right: true}}, Rows: len(t.Tickets), Pages: t.Pages,
		Empty: Empty{"No tickets yet", "A ticket is something to be repaired. Tenants write them on their page, programs over the API, and you here.", Link{"Open a ticket", t.New}}}
	if t.Filters.Clear != "" {
		table.Empty = Empty{"No tickets match these filters", "Change or clear the filters to see more.", Link{"Show all tickets", t.Filters.Clear}}
	}
	return table
}

func hitTable(p PlaceSearch) Table {
	return Table{Caption: "Properties that fit", Columns: Columns("Property", "City", "Units"), Rows: len(p.Hits),
		Empty: Empty{Title: "No property fits", Words: "Write fewer words, or a part of the street’s name. Archived properties are not found."}}
}
