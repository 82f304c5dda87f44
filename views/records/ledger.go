package records

import "portal/views/kit"

// Ledger are rows of the rent ledger.
type Ledger struct {
	kit.Frame
	Of      string // whose they are, "" for all
	Owed    string // rent that is owed through today
	Filters kit.Filters
	Rows    []ChargeLine
	Pages   kit.Pages
	Leases  string // address of the leases
}

// ChargeLine is a row in a list.
type ChargeLine struct {
	Path    string
	What    string
	Place   string // "" where the page tells it
	Tenant  string
	Due     string
	Amount  string
	Paid    string
	Balance string
	Status  kit.Status
	Method  string // "" for none
	Record  string // address of the form that notes money, "" where none can come
}

// label says what the button of a row records.
func (c ChargeLine) label() string {
	if c.Tenant == "" {
		return "Record a payment of " + c.What
	}
	return "Record a payment of " + c.What + " by " + c.Tenant
}

// Charge is the page of a row.
type Charge struct {
	kit.Record
	Pay string // address of the form that notes money, "" where none can come
}

func ledgerTable(l Ledger) kit.Table {
	t := kit.Table{
		Caption: "Ledger",
		Pages:   l.Pages,
		Empty: kit.Empty{
			Title:  "No charges yet",
			Words:  "Rent, deposits and fees of all leases are listed here, with what was paid of them.",
			Action: kit.Link{Name: "Go to the leases", Path: l.Leases},
		},
	}
	if l.Filters.Clear != "" {
		t.Empty = kit.Empty{
			Title:  "No charges match these filters",
			Words:  "Change or clear the filters to see more.",
			Action: kit.Link{Name: "Show the whole ledger", Path: l.Filters.Clear},
		}
	}
	return t
}

func chargeTable(t kit.Table, rows int, with bool) kit.Table {
	t.Columns, t.Rows = []kit.Column{{Name: "Charge"}}, rows
	if with {
		t.Columns = append(t.Columns, kit.Column{Name: "Tenant"})
	}
	t.Columns = append(
		t.Columns,
		kit.Column{Name: "Due"},
		kit.Column{Name: "Amount", Right: true},
		kit.Column{Name: "Paid", Right: true},
		kit.Column{Name: "Balance", Right: true},
		kit.Column{Name: "Status"},
		kit.Column{Name: "Actions", Hidden: true},
	)
	return t
}

// of says whose records a list shows, or what the list is where it shows all.
func of(whose, all string) string {
	if whose == "" {
		return all
	}
	return "Of " + whose + "."
}
