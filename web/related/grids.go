package related

import (
	"strings"

	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/portfolio/property"
	"portal/views/kit"
	"portal/web/page"
)

// LeaseGrid is leases of a unit, or of a tenant or a property with where they are.
func LeaseGrid(v *page.Request, leases []portfolio.Lease, where bool) kit.Grid {
	return kit.PartGrid(kit.Table{
		Caption: "Leases",
		Columns: []kit.Column{
			{Name: "Lease"},
			{Name: "Tenants"},
			{Name: "Status"},
			{Name: "Rent / month", Right: true},
			{Name: "Balance", Right: true},
		},
		Empty: kit.Empty{Title: "No leases yet", Words: "Create one, or import a rent roll."},
	}, leases, func(l *portfolio.Lease) []kit.Cell {
		term := page.TermOf(l)
		named := kit.Cell{Text: strings.ToUpper(term[:1]) + term[1:], Path: v.PathTo("leases", &l.ID)}
		if where {
			named.Note = l.RentalAddress
		}
		return []kit.Cell{
			named,
			{Links: PartyLinks(v, l.Tenants), None: "None"},
			{Status: page.LeaseStatuses[l.Status]},
			{Text: l.MonthlyRent.Dollars()},
			{Text: l.BalanceDue.Dollars()},
		}
	})
}

// PartyLinks lead to the tenants of a lease.
func PartyLinks(v *page.Request, parties []portfolio.Party) (all []kit.Link) {
	for i := range parties {
		all = append(all, kit.Link{Name: parties[i].Name, Path: v.PathTo("tenants", &parties[i].ID)})
	}
	return all
}

// TicketGrid is tickets of a record.
func TicketGrid(v *page.Request, tickets []portfolio.Ticket) kit.Grid {
	return kit.PartGrid(kit.Table{
		Caption: "Tickets",
		Columns: kit.Columns("Ticket", "Priority", "Status", "Opened"),
		Empty:   kit.Empty{Title: "No tickets", Words: "Repair requests appear here."},
	}, tickets, func(t *portfolio.Ticket) []kit.Cell {
		return []kit.Cell{
			{Text: t.Number + " " + t.Title, Path: v.PathTo("tickets", &t.ID)},
			{Text: page.Label(t.Priority)},
			{Status: page.TicketStatuses[t.Status]},
			{Text: v.Time(t.CreatedAt).Ago},
		}
	})
}

// ChargeGrid is rows of the ledger of a record.
func ChargeGrid(v *page.Request, rows []portfolio.Payment) kit.Grid {
	return kit.PartGrid(kit.Table{
		Caption: "Charges",
		Columns: []kit.Column{
			{Name: "Charge"},
			{Name: "Due"},
			{Name: "Status"},
			{Name: "Amount", Right: true},
			{Name: "Balance", Right: true},
		},
		Empty: kit.Empty{Title: "No charges yet", Words: "Rent, deposits, and fees appear here."},
	}, rows, func(c *portfolio.Payment) []kit.Cell {
		return []kit.Cell{
			{Text: page.ChargeName(c), Path: v.PathTo("ledger", &c.ID)},
			{Text: page.Date(c.DueDate)},
			{Status: page.ChargeStatus(c)},
			{Text: c.Amount.Dollars()},
			{Text: c.BalanceDue.Dollars()},
		}
	})
}

// Place parts an address in the street with the unit, and the town.
func Place(address string) (street, town string) {
	parts := strings.Split(address, ", ")
	if len(parts) < 3 {
		return address, ""
	}
	n := len(parts) - 2
	return strings.Join(parts[:n], ", "), strings.Join(parts[n:], ", ")
}

// Cut parts the building and the unit from a street, so that they stay whole where the street is cut.
func Cut(street string) (text, unit string) { return partedAt(street, strings.Index(street, ", ")) }

// CutUnit parts the unit alone from a street and a building, for a column that has no room for more.
func CutUnit(street string) (text, unit string) {
	return partedAt(street, strings.LastIndex(street, ", "))
}

func partedAt(street string, i int) (text, unit string) {
	if i < 0 {
		return street, ""
	}
	return street[:i], street[i:]
}

// Term is from when to when a lease is, as a column has it.
func Term(l *portfolio.Lease) string {
	if l.EndDate == nil {
		return "From " + page.Date(l.StartDate)
	}
	return page.Date(l.StartDate) + " – " + page.Date(*l.EndDate)
}

// fields are the filters that a link gives, by the kind of the id.
var fields = []struct{ prefix, name, label string }{
	{id.Property, "property_id", "Property"},
	{id.Unit, "unit_id", "Unit"},
	{id.Tenant, "tenant_id", "Tenant"},
	{id.Lease, "lease_id", "Lease"},
}

// Given are the filters by which a link narrows a list down to what belongs to a record, with the
// record's name; nobody is asked for an id.
func Given(v *page.Request, records *property.Finder, ids ...string) (all []kit.Field, err error) {
	names, err := records.Called(v.Ctx(), v.Actor(), ids...)
	if err != nil {
		return nil, err
	}
	for _, of := range ids {
		for _, f := range fields {
			if strings.HasPrefix(of, f.prefix+"_") {
				name := page.Called(names, of)
				if f.prefix == id.Unit {
					name = page.UnitName(name)
				}
				all = append(all, kit.Field{Name: f.name, Label: f.label, Shown: name, Given: true})
			}
		}
	}
	return all, nil
}
