package kit

// ChargeLine is a row in a list.
type ChargeLine struct {
	Path    string
	What    string
	Home    string // "" where the page tells it
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

func chargeTable(t Table, rows int, with bool) Table {
	t.Columns, t.Rows = []Column{{Name: "Charge"}}, rows
	if with {
		t.Columns = append(t.Columns, Column{Name: "Tenant"})
	}
	t.Columns = append(
		t.Columns,
		Column{Name: "Due"},
		Column{Name: "Amount", Right: true},
		Column{Name: "Paid", Right: true},
		Column{Name: "Balance", Right: true},
		Column{Name: "Status"},
		Column{Name: "Actions", Hidden: true},
	)
	return t
}

// Of says whose records a list shows, or what the list is where it shows all.
func Of(whose, all string) string {
	if whose == "" {
		return all
	}
	return "Of " + whose + "."
}
