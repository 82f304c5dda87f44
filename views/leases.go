package views

// Leases are the leases of a portfolio.
type Leases struct {
	Frame
	Of         string // whose they are, "" for all
	Filters    Filters
	Leases     []LeaseLine
	Pages      Pages
	Properties string // address of the properties, "" where there is no such page
}

// LeaseLine is a lease in a list.
type LeaseLine struct {
	Path    string
	Address string
	Tenants string
	Status  Status
	Dates   string
	Rent    string
	Ends    string // in how many days, "" where that is not known
}

// Lease is the page of one.
type Lease struct {
	Record
	Parties []Party
	Rows    []ChargeLine
	All     string // address of all rows
	Charge  string // address of the form that charges something, "" where nothing can be
}

// Party is a tenant of a lease.
type Party struct {
	Tenant Link // without an address where there is no such page
	Role   string
	Signed Time
}

func leaseTable(l Leases) Table {
	t := Table{Caption: "Leases", Columns: []Column{{Name: "Address"}, {Name: "Tenants"}, {Name: "Status"}, {Name: "Dates"}, {Name: "Ends"}, {Name: "Rent / month", Right: true}}, Rows: len(l.Leases), Pages: l.Pages,
		Empty: Empty{Title: "No leases yet", Words: "A lease lets a unit to tenants. They come with a rent roll that you import, over the API, or from an application that you accept.", Action: Link{"Go to the properties", l.Properties}}}
	if l.Filters.Clear != "" {
		t.Empty = Empty{"No leases match these filters", "Change or clear the filters to see more.", Link{"Show all leases", l.Filters.Clear}}
	}
	return t
}
