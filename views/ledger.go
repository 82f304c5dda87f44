package views

// Ledger are rows of the rent ledger.
type Ledger struct {
	Frame
	Of      string // whose they are, "" for all
	Owed    string // rent that is owed through today
	Filters Filters
	Rows    []ChargeLine
	Pages   Pages
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
	Status  Status
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
	Record
	Pay string // address of the form that notes money, "" where none can come
}

func ledgerTable(l Ledger) Table {
	t := Table{Caption: "Ledger", Pages: l.Pages, Empty: Empty{"No charges yet", "Rent, deposits and fees of all leases are listed here, with what was paid of them.", Link{"Go to the leases", l.Leases}}}
	if l.Filters.Clear != "" {
		t.Empty = Empty{"No charges match these filters", "Change or clear the filters to see more.", Link{"Show the whole ledger", l.Filters.Clear}}
	}
	return t
}

func chargeTable(t Table, rows int, with bool) Table {
	t.Columns, t.Rows = []Column{{Name: "Charge"}}, rows
	if with {
		t.Columns = append(t.Columns, Column{Name: "Tenant"})
	}
	t.Columns = append(t.Columns, Column{Name: "Due"}, Column{Name: "Amount", Right: true}, Column{Name: "Paid", Right: true}, Column{Name: "Balance", Right: true},
		Column{Name: "Status"}, Column{Name: "Actions", Hidden: true})
	return t
}

// of says whose records a list shows, or what the list is where it shows all.
func of(whose, all string) string {
	if whose == "" {
		return all
	}
	return "Of " + whose + "."
}
